"""The table of Lark grammars and texts: the front end on both kernels against the table, and the table against Lark."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from grammask.errors import EmptyLanguageError
from grammask.frontends.gbnf import gbnf

from .support import DATA, Kernel, oracle, read

CASES: list[dict[str, Any]] = tomllib.loads((DATA / "lark_cases.toml").read_text(encoding="utf-8"))["case"]


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["name"].replace(" ", "-")) for case in cases]


def wrong(case: dict[str, Any], takes: Any) -> list[str]:
    return [text for text in case["accepted"] if not takes(text)] + [text for text in case["rejected"] if takes(text)]


@pytest.mark.parametrize("case", named([case for case in CASES if case["accepted"]]))
def test_a_grammar_takes_the_texts_of_the_table(case: dict[str, Any], kernel: Kernel) -> None:
    """The masks let exactly the accepted texts through."""
    assert wrong(case, kernel.verdict(read(case["grammar"], case.get("lexer", "contextual")))) == []


@pytest.mark.parametrize("case", named([case for case in CASES if not case["accepted"]]))
def test_a_grammar_that_no_text_passes_is_an_error(case: dict[str, Any]) -> None:
    """Where lexing leaves no text, that is said when the grammar is read."""
    with pytest.raises(EmptyLanguageError, match="terminals never come one after the other"):
        read(case["grammar"], case.get("lexer", "contextual"))


@pytest.mark.parametrize("case", named([case for case in CASES if case.get("lark", True)]))
def test_lark_agrees_with_the_table(case: dict[str, Any]) -> None:
    """The table says what Lark's parser does, so the front end is measured by Lark."""
    assert wrong(case, oracle(case["grammar"], case.get("lexer", "contextual"))) == []


@pytest.mark.parametrize("case", named([case for case in CASES if case["accepted"]]))
def test_a_grammar_written_out_takes_the_same(case: dict[str, Any], kernel: Kernel) -> None:
    """`to_gbnf` of a Lark grammar is read as the same language, whatever characters are in it."""
    written = read(case["grammar"], case.get("lexer", "contextual")).to_gbnf()
    assert wrong(case, kernel.verdict(gbnf(written))) == []


def test_the_table_is_large_enough() -> None:
    """At least forty grammars, each with a text that is taken or refused."""
    assert len(CASES) >= 40
    assert len({case["name"] for case in CASES}) == len(CASES)
    assert all(case["accepted"] + case["rejected"] for case in CASES)
