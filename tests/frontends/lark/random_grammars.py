"""Random Lark grammars that are hard to lex, and texts near them."""

from __future__ import annotations

import itertools
from random import Random

PATTERNS = [
    "/a{1,3}/", "/abb/", "/a|ab/", "/ab|a/", '"a"', '"ab"', '"b"', '"c"', "/[ab]+/", "/a+?/", "/a*?b/", "/[a-c]{2}/", "/a(?!b)/", "/a(?=b)/", r"/\bab/",
    r"/a\b/", "/(?<=a)b/", "/(?<!a)b/", "/b$/", "/^a/", '"A"i', '"aB"i', "/(|a)*b/", "/(a*)*c/", "/(a|b*)+c/", "/(?:a??b)+/", "/c(ab)?/", "/b+(?!c)/",
    "/(?!ab)[abc]+/", r"/\Aa/", r"/b\Z/", "/a(?=.c)/", "/[^a ]/", "/.+/", "/a.*c/", "/a.*?c/", r'/(?<!\\)(\\\\)*?"/', "/(a|ab)(c|bcd)?/", "/((a)|(ab))+?c/",
    r"/a\B/", "/(?<=b )c/", "/(a(?=b)|b)+/", "/a{2,}?b?/", "/(?i:A)b/", "/[ab]*?(?=c)c/",
]  # fmt: skip
IGNORED = ['" "', "/ +/", "/ |b /", "/c /", "/b+/", '"a"']
WORDS = ['"if"', '"in"', '"i"', '"f"', '"IF"i', '"n"', '"inn"', "/[a-z]+/", "/[fi]+/", "/i[a-z]*/", "/[a-zA-Z]+/i", "/n+/", "/in?f?/", '"ni"i']
ALPHABETS = {"patterns": "abc ", "words": "ifn I"}


def expression(rng: Random, atoms: list[str], depth: int = 0) -> str:
    parts = []
    for _ in range(rng.randint(1, 3)):
        atom = rng.choice(atoms)
        if depth == 0 and rng.random() < 0.2:
            atom = f"({expression(rng, atoms, 1)} | {expression(rng, atoms, 1)})"
        parts.append(atom + rng.choice(["", "", "", "", "", "?", "*", "+"]))
    return " ".join(parts)


def alternatives(rng: Random, atoms: list[str]) -> str:
    return " | ".join([expression(rng, atoms) for _ in range(rng.choice([1, 1, 1, 2]))])


def random_grammar(rng: Random, family: str) -> str:
    """A grammar of three rules over a few terminals that get into each other's way."""
    pool = PATTERNS if family == "patterns" else WORDS
    names = [f"T{number}" for number in range(rng.randint(2, 4))]
    literals = ['"a"', '"b"', '"ab"', '"c"', '"bc"'] if family == "patterns" else ['"if"', '"in"', '"i"', '"nf"', '"fi"i']
    atoms = [*names, *rng.sample(literals, 2), "r0", "r1"]
    lines = [f"{rule}: {alternatives(rng, atoms)}" for rule in ("start", "r0", "r1")]
    lines += [f"{name}{rng.choice(['', '', '', '.1', '.2', '.-1'])}: {rng.choice(pool)}" for name in names]
    for chance in (0.5, 0.15):
        if rng.random() < chance:
            lines.append(f"%ignore {rng.choice(IGNORED if family == 'patterns' else IGNORED[:2])}")
    return "\n".join(lines) + "\n"


def random_texts(rng: Random, family: str, count: int) -> list[str]:
    """All texts of up to two characters, and some longer ones."""
    alphabet = ALPHABETS[family]
    short = ["".join(text) for length in range(3) for text in itertools.product(alphabet, repeat=length)]
    return short + ["".join(rng.choices(alphabet, k=rng.randint(3, 7))) for _ in range(count)]
