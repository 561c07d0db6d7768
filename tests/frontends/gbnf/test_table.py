"""The table of GBNF grammars: read here, on both kernels; written out and read again; and read by llama.cpp."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grammask.errors import LimitError
from grammask.frontends.gbnf import gbnf, lint

from .cases import CASES, read, texts
from .conftest import Accepts
from .llama_oracle import ask_llama

DATA = Path(__file__).parents[4] / "shared" / "data" / "field-cases.jsonl"
FIELD_CASES = [case for case in map(json.loads, DATA.read_text().splitlines()) if case["kind"] == "gbnf"] if DATA.exists() else []
named = pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])


def test_the_table_is_large() -> None:
    """Enough cases to speak of a table, each with texts on both sides."""
    assert len(CASES) >= 60
    assert all(texts(case, verdict) for case in CASES for verdict in ("accept", "reject"))


@named
def test_a_grammar_accepts_and_rejects_the_texts_of_the_table(case: dict[str, Any], accepts: Accepts) -> None:
    """On each kernel, in single bytes and special tokens."""
    grammar = read(case)
    assert [text for text in texts(case, "accept") if not accepts(grammar, text)] == []
    assert [text for text in texts(case, "reject") if accepts(grammar, text)] == []


@named
def test_a_grammar_written_out_accepts_the_same(case: dict[str, Any], accepts: Accepts) -> None:
    """`to_gbnf` gives a text that is read as the same language. (What tokens may spell is the reader's option.)"""
    again = gbnf(read(case).to_gbnf(), options=None if "options" not in case else read(case).key[3])  # type: ignore[index]
    assert [text for text in texts(case, "accept") if not accepts(again, text)] == []
    assert [text for text in texts(case, "reject") if accepts(again, text)] == []


@named
def test_the_linter_finds_no_error_in_a_grammar_that_compiles(case: dict[str, Any]) -> None:
    """Hints it may have."""
    assert [finding for finding in lint(case["grammar"], case.get("root", "root")) if finding.severity == "error"] == []


def test_llama_agrees_with_the_table() -> None:
    """What the table says is what llama.cpp's own parser and matcher do, but for what it cannot read."""
    cases = [case for case in CASES if case.get("llama", True)]
    asked = [(case["grammar"], case.get("root", "root"), [*texts(case, "accept"), *texts(case, "reject")]) for case in cases]
    for case, answers in zip(cases, ask_llama(asked), strict=True):
        assert answers == [True] * len(texts(case, "accept")) + [False] * len(texts(case, "reject")), case["name"]


def test_the_reported_hostile_grammars_end_soon(accepts: Accepts) -> None:
    """Brackets by the ten thousand are refused by their number; stars of stars and chains of rules by the thousand are read."""
    with pytest.raises(LimitError, match="parenthes"):
        gbnf("root ::= " + "(" * 60_000 + '"a"' + ")" * 60_000)
    assert accepts(gbnf("root ::= ([abc]*)*"), "abccab")
    chain = "".join(f"r{number} ::= r{number + 1}\n" for number in range(5_000))
    assert accepts(gbnf(f'root ::= r0\n{chain}r5000 ::= "x"'), "x")


@pytest.mark.skipif(not FIELD_CASES, reason="the shared cases are not here")
@pytest.mark.parametrize("case", FIELD_CASES, ids=lambda case: case["id"])
def test_reported_mistakes_are_not_made_here(case: dict[str, Any], accepts: Accepts) -> None:
    """Cases from public bug reports of other engines."""
    grammar = gbnf(case["constraint"])
    assert [text for text in case["accept"] if not accepts(grammar, text)] == []
    assert [text for text in case["reject"] if accepts(grammar, text)] == []
