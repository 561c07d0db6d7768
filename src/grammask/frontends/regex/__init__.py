"""frontends/regex room."""
