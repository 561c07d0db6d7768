"""integrations room."""
