"""The table of structural tags, on both kernels."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from grammask.frontends.structural_tag import structural_tag

from .conftest import Verdict

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parents[2] / "data" / "structural_tags.toml").read_text("utf-8"))["case"]
TAGS = {case["name"]: structural_tag(case["tag"]) for case in CASES}


def test_the_table_is_large() -> None:
    """Enough cases to speak of a table; all have different names, and texts on both sides."""
    assert len(TAGS) == len(CASES) >= 60
    assert all(case["complete"] and case["refused"] for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_tag_takes_and_refuses_the_texts_of_the_table(case: dict[str, Any], verdict: Verdict) -> None:
    """On each kernel: complete texts, beginnings, and texts that are neither."""
    for expected in ("complete", "open", "refused"):
        found = {text: verdict(TAGS[case["name"]], text) for text in case[expected]}
        assert found == dict.fromkeys(case[expected], expected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_dict_means_what_its_json_text_means(case: dict[str, Any]) -> None:
    """The same expression, object for object, but for rules; and the source is what was given."""
    grammar = structural_tag(json.loads(case["tag"]))
    assert type(grammar.expression) is type(TAGS[case["name"]].expression)
    assert grammar.source == json.loads(case["tag"])
    assert TAGS[case["name"]].source == case["tag"]
    assert grammar.kind == "structural_tag"
