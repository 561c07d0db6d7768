"""How Sphinx builds the documentation; `make docs` runs it with warnings as errors."""

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
