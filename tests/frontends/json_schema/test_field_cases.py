"""Cases from public bug reports of other engines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grammask.frontends.json_schema import json_schema

from .conftest import Accepts
from .shared_data import DATA, needs

FIELD_CASES = DATA / "field-cases.jsonl"
LINES = FIELD_CASES.read_text().splitlines() if FIELD_CASES.exists() else []
CASES: list[dict[str, Any]] = [case for case in map(json.loads, LINES) if case["kind"] == "json_schema"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_reported_mistakes_are_not_made_here(case: dict[str, Any], accepts: Accepts) -> None:
    """Each case accepts and rejects what its report calls right."""
    needs(FIELD_CASES)
    grammar = json_schema(case["constraint"])
    assert [text for text in case["accept"] if not accepts(grammar, text)] == []
    assert [text for text in case["reject"] if accepts(grammar, text)] == []
