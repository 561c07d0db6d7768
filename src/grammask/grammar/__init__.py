"""grammar room."""
