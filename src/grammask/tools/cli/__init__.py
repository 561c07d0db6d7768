"""tools/cli room."""
