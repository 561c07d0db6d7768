"""The shape of what comes out: everyday patterns give the obvious expression."""

from __future__ import annotations

import re

import pytest

from grammask.frontends.regex import pattern_language, regex
from grammask.grammar.expression import ANY_CHARACTER, EMPTY, NOTHING, Alt, And, Chars, Expression, Literal, Not, Repeat, Seq

ANYTHING = Repeat(ANY_CHARACTER, 0, None)
LOWER = Chars([(ord("a"), ord("z"))])
DIGIT = Chars([(ord("0"), ord("9"))])
IDENTIFIER = Chars([(0x2D, 0x2E), (0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])

OBVIOUS: list[tuple[str, Expression]] = [
    ("^[a-zA-Z0-9_.-]+$", Repeat(IDENTIFIER, 1, None)),
    ("^ORD-[0-9]+$", Seq([Literal(b"ORD-"), Repeat(DIGIT, 1, None)])),
    ("^x-", Seq([Literal(b"x-"), ANYTHING])),
    ("abc", Seq([ANYTHING, Literal(b"abc"), ANYTHING])),
    ("[a-z]$", Seq([ANYTHING, LOWER])),
    (".*", ANYTHING),
    ("^[a-z]*", ANYTHING),
    (r"\d+", Seq([ANYTHING, DIGIT, ANYTHING])),
    (r"^\d{2,}", Seq([Repeat(DIGIT, 2, 2), ANYTHING])),
    ("^a$|^b$", Alt([Literal(b"a"), Literal(b"b")])),
    ("^(?:a|b)?$", Repeat(Alt([Literal(b"a"), Literal(b"b")]), 0, 1)),
    ("^$", EMPTY),
    ("a^b", NOTHING),
    ("x*^", ANYTHING),
    ("^[.]$", Literal(b".")),
    ("^(?:(?:a*)+)?$", Repeat(Literal(b"a"), 0, None)),
    ("^é😀$", Literal("é😀".encode())),
    ("^(?!b$)[a-z]$", And([Not(Literal(b"b")), LOWER])),
    ("^(?=[a-m])[a-z][0-9]$", Seq([Chars([(ord("a"), ord("m"))]), DIGIT])),
    ("^((?!no).)*$", And([Not(Seq([ANYTHING, Literal(b"no"), ANYTHING])), Repeat(Chars([(0, 9), (11, 12), (14, 0x2027), (0x202A, 0x10FFFF)]), 0, None)])),
]


@pytest.mark.parametrize(("pattern", "expression"), OBVIOUS, ids=[pattern for pattern, _ in OBVIOUS])
def test_an_everyday_pattern_gives_the_obvious_expression(pattern: str, expression: Expression) -> None:
    """No And or Not where none is needed, nothing repeated that the open sides swallow."""
    assert pattern_language(pattern) is expression


def test_equal_languages_of_equal_spelling_are_one_object() -> None:
    """Groups, captures, laziness and redundant anchors leave no trace, so caches below see one structure."""
    assert regex("([a-z]+?)-(?P<n>[0-9])").expression is regex("[a-z]+-[0-9]").expression
    assert regex("^[a-z]+$").expression is regex("[a-z]+").expression is regex(r"\A[a-z]+\Z").expression


def test_a_grammar_keeps_what_the_user_gave() -> None:
    """Its kind and source describe it in a prompt, and its texts are their own values."""
    grammar = regex("[a-z]+")
    assert (grammar.kind, grammar.source, grammar.value("abc")) == ("regex", "[a-z]+", "abc")


def test_a_compiled_pattern_brings_its_flags() -> None:
    """A pattern of `re` can be handed over as it is."""
    assert regex(re.compile("ab", re.IGNORECASE)).expression is regex("ab", flags=re.IGNORECASE).expression


def test_importing_the_front_end_loads_no_tables() -> None:
    """The tables of Unicode are loaded by the first pattern that needs them."""
    import subprocess
    import sys

    program = "import sys, grammask.frontends.regex as r; r.regex('[a-z]+'); print([m for m in sys.modules if m.endswith('_tables')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
