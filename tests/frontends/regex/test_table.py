"""The shared table of patterns and texts: the front end against the table, and the table against `re` and node."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from grammask.frontends.regex import pattern_language, regex

from .oracles import ask_node, ask_re, flag_bits
from .small_form_oracle import matches

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parents[2] / "data/regexes.toml").read_text(encoding="utf-8"))["case"]
for case in CASES:
    case["verdicts"] = [(text, kind == "whole", kind != "nowhere") for kind in ("whole", "inside", "nowhere") for text in case.get(kind, ())]


def named(dialect: str) -> list[Any]:
    return [pytest.param(case, id=case["name"].replace(" ", "-")) for case in CASES if case["dialect"] == dialect]


@pytest.mark.parametrize("case", named("python") + named("ecma"))
def test_a_pattern_matches_the_texts_of_the_table(case: dict[str, Any]) -> None:
    """`regex` takes exactly the whole matches; `pattern_language` exactly the texts that hold a match."""
    flags = flag_bits(case.get("flags", ""))
    whole = regex(case["pattern"], dialect=case["dialect"], flags=flags).expression
    found = pattern_language(case["pattern"], dialect=case["dialect"], flags=flags)
    for text, is_whole, is_found in case["verdicts"]:
        assert (matches(whole, text), matches(found, text)) == (is_whole, is_found), text


@pytest.mark.parametrize("case", named("python"))
def test_re_agrees_with_the_table(case: dict[str, Any]) -> None:
    """The table says what `re` does, so the front end is measured by `re`."""
    texts = [text for text, _, _ in case["verdicts"]]
    assert ask_re(case["pattern"], case.get("flags", ""), texts) == [[whole, found] for _, whole, found in case["verdicts"]]


def test_node_agrees_with_the_table() -> None:
    """The table says what an ECMAScript engine does."""
    cases = [case for case in CASES if case["dialect"] == "ecma"]
    asked = [(case["pattern"], case.get("flags", ""), [text for text, _, _ in case["verdicts"]]) for case in cases]
    for case, answers in zip(cases, ask_node(asked), strict=True):
        assert answers == [[whole, found] for _, whole, found in case["verdicts"]], case["name"]
