"""How Sphinx builds the documentation; `make docs` runs it with warnings as errors."""

import re
import tomllib
from pathlib import Path

project = "grammask"
author = "the grammask authors"
copyright = "the grammask authors, Apache-2.0"
release = version = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "grammask"
nitpicky = False  # annotations name types of optional packages, which are not documented here

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "deflist"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True


def lines_as_written(_app, _what, name, _object, _options, lines):
    """Show docstrings as they are written, line by line: they are plain text with names in backticks, not reStructuredText."""
    if name == "grammask.errors":  # a tree, drawn with spaces
        lines[:] = ["::", "", *("   " + line for line in lines)]
        return
    example = next((number for number, line in enumerate(lines) if line.startswith(">>>")), len(lines))
    text = [re.sub(r"`([^`]+)`", r"``\1``", re.sub(r"([*|\\])", r"\\\1", line)) for line in lines[:example]]
    text = [re.sub(r"``([^`]+)``", lambda found: found[0].replace("\\", ""), line) for line in text]
    lines[:] = ["| " + line if line.strip() else "" for line in text] + (["", "::", "", *("   " + line for line in lines[example:])] if lines[example:] else [])


def setup(app):
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", lines_as_written)
