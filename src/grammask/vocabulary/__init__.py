"""vocabulary room."""
