"""serving room."""
