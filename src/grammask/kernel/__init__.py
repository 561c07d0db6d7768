"""kernel room."""
