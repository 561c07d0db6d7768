"""The page on what the official tests show is what they show."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_support_matrix_is_current() -> None:
    """Whoever changes what is exact runs scripts/write_support_matrix.py: here the page is compared with a run."""
    spec = importlib.util.spec_from_file_location("write_support_matrix", ROOT / "scripts/write_support_matrix.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = script.TARGET.read_text(encoding="utf-8")
    assert script.page(text) == text
