"""frontends room."""
