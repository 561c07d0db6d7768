"""The page on tool styles says what is in the styles' data files."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_tables_are_those_of_the_data_files() -> None:
    """Written anew, the page stays as it is (else run scripts/write_style_table.py)."""
    page = (ROOT / "docs/reference/tool-styles.md").read_text("utf-8")
    assert runpy.run_path(str(ROOT / "scripts/write_style_table.py"))["page"](page) == page
