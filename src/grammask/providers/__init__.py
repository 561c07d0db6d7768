"""providers room."""
