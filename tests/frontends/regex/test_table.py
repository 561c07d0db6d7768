"""The shared table of patterns and texts: the front end against the table, on both kernels, and the table against other engines."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from grammask.frontends.regex import pattern_language, regex

from .conftest import Accepted
from .oracles import ask_llguidance, ask_node, ask_re, ask_regex_package, flag_bits
from .small_form_oracle import matches

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parents[2] / "data/regexes.toml").read_text(encoding="utf-8"))["case"]
for case in CASES:
    case["verdicts"] = [(text, kind == "whole", kind != "nowhere") for kind in ("whole", "inside", "nowhere") for text in case.get(kind, ())]

FIELD_DATA = Path(__file__).parents[4] / "shared" / "data" / "field-cases.jsonl"
FIELD_CASES = [case for case in map(json.loads, FIELD_DATA.read_text().splitlines()) if case["kind"] == "regex"] if FIELD_DATA.exists() else []

# Where the package regex means to differ from `re`: it has a newer Unicode, and case and white space of Unicode's rules.
OTHERWISE_IN_REGEX = {"Unicode words", "Unicode space", "both Turkish i", "a class of nothing"}


def of(dialect: str) -> list[dict[str, Any]]:
    return [case for case in CASES if dialect in (case["dialect"], *case.get("also", ()))]


def named(dialect: str) -> list[Any]:
    return [pytest.param(dialect, case, id=f"{dialect}-{case['name']}".replace(" ", "-")) for case in of(dialect)]


EVERY = named("python") + named("ecma") + named("rust")
every = pytest.mark.parametrize(("dialect", "case"), EVERY)


@pytest.mark.skipif(not FIELD_CASES, reason="the shared cases are not here")
@pytest.mark.parametrize("case", FIELD_CASES, ids=lambda case: case["id"])
def test_reported_mistakes_are_not_made_here(case: dict[str, Any], accepted: Accepted) -> None:
    """Cases from public bug reports of other engines, in every dialect."""
    texts = [*case["accept"], *case["reject"]]
    for dialect in ("python", "ecma", "rust"):
        assert accepted(regex(case["constraint"], dialect=dialect).expression, texts) == [text in case["accept"] for text in texts], dialect


def test_the_table_is_large() -> None:
    """At least 80 patterns with texts on either side, and each dialect has its share."""
    both = {case["pattern"] for case in CASES if case.get("whole") and (case.get("inside") or case.get("nowhere"))}
    assert len(both) >= 80
    assert min(len(of(dialect)) for dialect in ("python", "ecma", "rust")) >= 60
    assert len(EVERY) >= 250


@every
def test_a_pattern_matches_the_texts_of_the_table(dialect: Any, case: dict[str, Any]) -> None:
    """`regex` takes exactly the whole matches; `pattern_language` exactly the texts that hold a match."""
    flags = flag_bits(case.get("flags", ""))
    whole = regex(case["pattern"], dialect=dialect, flags=flags).expression
    found = pattern_language(case["pattern"], dialect=dialect, flags=flags)
    for text, is_whole, is_found in case["verdicts"]:
        assert (matches(whole, text), matches(found, text)) == (is_whole, is_found), text


@every
def test_a_kernel_takes_the_texts_of_the_table(dialect: Any, case: dict[str, Any], accepted: Accepted) -> None:
    """Byte by byte, the whole matches complete and nothing else does: on the compiled kernel and on its reference twin."""
    texts = [text for text, _, _ in case["verdicts"]]
    grammar = regex(case["pattern"], dialect=dialect, flags=flag_bits(case.get("flags", "")))
    assert accepted(grammar.expression, texts) == [whole for _, whole, _ in case["verdicts"]]


@pytest.mark.parametrize(("dialect", "case"), named("python"))
def test_re_agrees_with_the_table(dialect: str, case: dict[str, Any]) -> None:
    """The table says what `re` does, so the front end is measured by `re`."""
    assert dialect == "python"
    texts = [text for text, _, _ in case["verdicts"]]
    assert ask_re(case["pattern"], case.get("flags", ""), texts) == [[whole, found] for _, whole, found in case["verdicts"]]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"].replace(" ", "-")) for case in of("python") if case["name"] not in OTHERWISE_IN_REGEX])
def test_the_package_regex_agrees_with_the_table(case: dict[str, Any]) -> None:
    """A second engine for the dialect of Python."""
    texts = [text for text, _, _ in case["verdicts"]]
    assert ask_regex_package(case["pattern"], case.get("flags", ""), texts) == [[whole, found] for _, whole, found in case["verdicts"]]


def test_node_agrees_with_the_table() -> None:
    """The table says what an ECMAScript engine does."""
    cases = of("ecma")
    asked = [(case["pattern"], case.get("flags", ""), [text for text, _, _ in case["verdicts"]]) for case in cases]
    for case, answers in zip(cases, ask_node(asked), strict=True):
        assert answers == [[whole, found] for _, whole, found in case["verdicts"]], case["name"]


def test_llguidance_agrees_with_the_table() -> None:
    """The table says what the regex crate does, as far as llguidance runs it: most of the cases of rust, whole matches only."""
    asked = 0
    for case in of("rust"):
        answers = ask_llguidance(case["pattern"], case.get("flags", ""), [text for text, _, _ in case["verdicts"]])
        if answers is not None:
            asked += 1
            assert answers == [whole for _, whole, _ in case["verdicts"]], case["name"]
    assert asked >= 70
