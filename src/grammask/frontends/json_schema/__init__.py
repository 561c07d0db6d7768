"""frontends/json_schema room."""
