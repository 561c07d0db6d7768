"""Grammars made to cost more than they say: each ends soon, in a grammar or in an error that names the limit."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

import grammask
from grammask.errors import GrammaskError, LimitError

from .support import DATA, read
from .test_table import CASES

TOO_LARGE = {
    "a power of alternatives": 'start: ("a"|"b")~40\n',
    "powers of powers": 'start: ((("a"|"b")~9)~9)~9\n',
    "a product of options": "start: " + '["a"] ' * 40 + "\n",
    "terminals that double": 'start: T60\nT0: "a"\n' + "".join(f"T{i}: T{i - 1} T{i - 1}\n" for i in range(1, 61)),
    "a template in itself": 'start: t{A}\nt{x}: t{u{x}} | x\nu{x}: x x\nA: "a"\n',
    "templates that exchange arguments": 'start: t{A, B}\nt{x, y}: t{y, x} t{u{x}, y} | x\nu{x}: x\nA: "a"\nB: "b"\n',
    "counts of counts": "start: A\nA: /(a{1,300}){1,300}/\n",
    "a count": "start: A\nA: /a{1,1000000}/\n",
    "brackets": "start: " + "(" * 5000 + '"a"' + ")" * 5000 + "\n",
    "very many brackets": "start: " + "(" * 60_000 + '"a"' + ")" * 60_000 + "\n",
    "groups": "start: /" + "(" * 2000 + "a" + ")" * 2000 + "/\n",
    "a text": 'start: "a"\n//' + "x" * 300_000,
    "states of the parser": 'start: s\ns: "a" s | "b" s | "a" t0\n' + "".join(f't{i}: "a" t{i + 1} | "b" t{i + 1}\n' for i in range(25)) + 't25: "c"\n',
    "a chain of terminals": 'start: T1999\nT0: "a"\n' + "".join(f'T{i}: T{i - 1} "b"\n' for i in range(1, 2000)),
    "terminals": "start: T0\n" + "".join(f'T{i}: "a{i}"\n' for i in range(3000)),
    "lookaheads": "start: A B\nA: /a" + "".join(f"(?!{c})" for c in "bcdefghijk") + "/\nB: /x/\n",
    "token ids": "start: <[0-99999999]>\n",
    "conditions on conditions": "start: A\nA: ~/(?s:.*)a(?s:.){20}/\n",
}
FINE = {
    "a catastrophic pattern": 'start: A | "' + "a" * 40 + '"\nA: /(a+)+b/\n',
    "a chain of rules": "start: r0\n" + "".join(f"r{i}: r{i + 1}\n" for i in range(1000)) + 'r1000: "a"\n',
    "many words": "start: " + " | ".join(f'"w{i}x"' for i in range(400)) + "\n",
    "a long count": "start: A\nA: /[a-z]{1,1000}/\n",
    "a long repetition": 'start: "a"~0..100000\n',
    "all ways at once": 'start: e\ne.2: e e | "a" | "b" e\n',
}
PIECES = [
    "~", "{", "}", "(", ")", "[", "]", "|", "/", '"', ":", "->", "..", "%import", "%ignore", '%json {"a":1}', "<|x|>", "<[3-5]>", "&", "\n", "\\", "_", "A",
    "a", ".", "~3", "{2,}", "[lazy]", '[stop="x"]', '%regex {"substring_chars":"ab"}', "%extend", "%override", "%declare X", "?", "!", "*", "+", "(?=a)",
    "(?<!b)", "//", "#", "\ud800", "\x00", "é", "%llguidance {}", "::", "@x", "-", "i", "{x}", "{a,b}",
]  # fmt: skip
SOURCES = [case["grammar"] for case in CASES] + [path.read_text("utf-8") for path in sorted((DATA / "lark").glob("*.lark")) if path.stem not in ("sql", "toml")]


@pytest.mark.parametrize("source", TOO_LARGE.values(), ids=TOO_LARGE)
@pytest.mark.parametrize("lexer", ["contextual", "dynamic"])
def test_what_is_too_large_names_its_limit(source: str, lexer: str) -> None:
    """The error comes before the work does."""
    if lexer == "dynamic" and source == TOO_LARGE["states of the parser"]:
        assert read(source, lexer).kind == "lark"  # there is no such table
        return
    with pytest.raises(LimitError):
        read(source, lexer)


@pytest.mark.parametrize("source", FINE.values(), ids=FINE)
def test_what_only_looks_large_is_read(source: str) -> None:
    """Patterns that take `re` for ever, long chains and counts are no trouble."""
    assert read(source).kind == "lark"


def test_a_pattern_with_too_many_states_names_its_limit() -> None:
    """Subsets of threads that double with each character."""
    with pytest.raises(LimitError, match="lexers' automata"):
        grammask.lark("start: A\nA: /(a|b)*a(a|b){25}/\n", options=grammask.LarkOptions(maximum_states=500))


def test_texts_that_are_no_grammars_raise_errors_of_ours() -> None:
    """Grammars with pieces of others, and of nothing, thrown in: an error with a place, or a grammar; never anything else."""
    for number in range(300):
        rng = Random(number)
        text = rng.choice(SOURCES)
        for _ in range(rng.choice([1, 1, 2, 4])):
            at, length = rng.randrange(len(text) + 1), rng.choice([0, 0, 1, 3, 10])
            piece = rng.choice([rng.choice(PIECES), "", text[at : at + length] * 2, rng.choice(SOURCES)[: rng.randrange(60)]])
            text = text[:at] + piece + text[at + length :]
        with suppress(GrammaskError):
            read(text, rng.choice(["contextual", "contextual", "dynamic", "basic"]))
