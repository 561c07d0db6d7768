"""Masks of patterns with counts and lengths, which are taken from those of nearly alike states: every long token is asked by its bytes."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import grammask
from grammask.decoding.binding import bindings_of
from grammask.kernel import KERNEL

pytestmark = pytest.mark.skipif(KERNEL != "compiled", reason="the plain kernel asks every token by its bytes in any case")

END = 256
BYTES = [bytes([byte]) for byte in range(256)]
SPELLED = [
    "a",
    "b",
    "Z",
    " ",
    "  ",
    "-",
    "9",
    ".",
    "é",
    "\u00a0",
    "\u2003",
    "漢",
    "😀",
    "\\n",
    "\\\\",
    '\\"',
    "\\u0061",
    "\\u0022",
    "\\u00A0",
    "\\uD83D\\uDE00",
]
SCHEMAS: list[dict[str, Any]] = [
    {"pattern": r"^(?:\S+\s+){0,9}\S+$"},
    {"pattern": r"^(?:\S+\s+){0,29}\S+$", "maxLength": 60},
    {"pattern": r"^(?:\S+\s+){0,19}\S+$", "minLength": 1, "maxLength": 40},
    {"pattern": r"^(?:\S+\s+){2,12}\S+$", "minLength": 30},
    {"pattern": r"^[a-zA-Z ]{0,50}(-[a-z ]{0,50})?$"},
    {"pattern": r"^[a-z](?:[a-z-]{0,61}[a-z])?$", "maxLength": 50},
    {"pattern": r"^[^9]*$", "maxLength": 33},
    {"pattern": r"^[^9]*$", "minLength": 20, "maxLength": 90},
    {"pattern": r"^a*b{20,70}$", "maxLength": 64},
    {"pattern": r"(ab|é){3,40}", "maxLength": 48},
    {"pattern": r"^(?:[a-z]{1,5}[ -]){0,12}$", "minLength": 8, "maxLength": 45},
    {"pattern": r"^(?:a{3})*$", "minLength": 17, "maxLength": 49},
    {"pattern": r"^[ab9-]{44}$"},
    {"pattern": r"^[^9]*$", "minLength": 40},
    {"maxLength": 50},
    {"maxLength": 30, "minLength": 12},
    {"pattern": '^[^"]*$'},
    {"pattern": r"^[^\n]*$", "maxLength": 60},
    {"pattern": '^[^"]*("[a-z]*)?$'},
    {"pattern": '^"[^"]*"$', "minLength": 5},
    {"pattern": r"^.{0,40}$", "not": {"enum": ["aaaa", "a" * 30]}},
]


def long_tokens(rng: random.Random, number: int, *, quoted: bool) -> list[bytes]:
    """Tokens of many characters: runs of one, mixtures, escapes, some that begin or end inside a character; quoted: or hold the closing quote."""
    found: dict[bytes, None] = {}
    while len(found) < number:
        alphabet = rng.sample([text for text in SPELLED if quoted or '"' not in text], rng.choice((1, 1, 2, 3)))
        text = "".join(rng.choice(alphabet) for _ in range(rng.randint(10, 70))).encode()
        kind = rng.randrange(8)
        if kind == 0:
            text = text[: -rng.randint(1, 3)]
        elif kind == 1 and quoted:
            text += b'"'
        elif kind == 2:
            text = text[rng.randint(1, 2) :]
        found[text] = None
    words = [" ".join("".join(rng.choices("ab", k=rng.randint(1, 5))) for _ in range(rng.randint(4, 9))) + rng.choice(("", " ")) for _ in range(40)]
    return [*found, *(word.encode() for word in words)]


SHORT = [
    rb"a\u0022b",
    rb"\"a",
    rb"\nab",
    rb"b\r\n",
    rb"c\"",
    rb'\n"',
    rb'\u0022"',
    rb"x\"y\"z",
    b'", "',
    b'ab"',
    b'a b"]',
    b"\xc3",
    b"\xa0",
    b" a",
    b"a b ",
    b"- ",
]
VOCABULARIES = {
    "quotes near": grammask.Vocabulary([*BYTES, b"", *SHORT, *long_tokens(random.Random(5), 200, quoted=False)], eos_ids=[END]),
    "quotes far": grammask.Vocabulary([*BYTES, b"", *SHORT, *long_tokens(random.Random(6), 120, quoted=True)], eos_ids=[END]),
}
PLAIN = grammask.Vocabulary([*BYTES, b""], eos_ids=[END])


def check_masks(schema: dict[str, Any], vocabulary: grammask.Vocabulary, seed: int, steps: int) -> int:
    """Compare masks along a random text with each token's bytes; gives the number of tokens that were allowed."""
    rng = random.Random(seed)
    grammar = grammask.json_schema(json.dumps({"type": "string", **schema}))
    matcher, plain = grammask.compile(grammar, vocabulary).matcher(), grammask.compile(grammar, PLAIN).matcher()
    tokens = vocabulary.tokens
    row = np.zeros((len(tokens) + 31) // 32, np.uint32)
    total = 0
    for _ in range(steps):
        matcher.fill_mask(row)
        allowed = np.unpackbits(row.view(np.uint8), bitorder="little")[: len(tokens)]
        for token, data in enumerate(tokens):
            expected = plain.is_complete if token == END else plain.draft(list(data)) == len(data) > 0
            assert bool(allowed[token]) == expected, (schema, matcher.position, data)
        total += int(allowed[END + 1 :].sum())
        choices = [token for token in range(256) if allowed[token] and chr(token) not in '"\\'] or [0x22 if allowed[0x22] else 0x5C]
        data = bytes([rng.choice([byte for byte in choices if chr(byte) in "aab  -" or byte == 0x22] or choices)])
        matcher.advance(data[0])
        plain.advance(data[0])
        if matcher.is_complete and data == b'"':
            break
    return total


@pytest.mark.parametrize("name", VOCABULARIES)
@pytest.mark.parametrize("number", range(len(SCHEMAS)))
def test_every_long_token_is_asked(number: int, name: str) -> None:
    """A mask has exactly the tokens whose bytes the text takes, whichever state it was taken from."""
    total = sum(check_masks(SCHEMAS[number], VOCABULARIES[name], seed, 18) for seed in range(2))
    assert total > 10  # else no long token was ever allowed, and nothing was tested


def test_random_patterns() -> None:
    """Counts, classes and bounds drawn at random."""
    rng = random.Random(11)
    for seed in range(8):
        one, other = rng.sample(["[a-z]", r"\S", r"\s", "[^-]", "[ab ]", "é", "(ab)", ".", "-"], 2)
        pattern = f"^(?:{one}{{{rng.randint(0, 2)},{rng.randint(2, 40)}}}{other}{rng.choice('?*+')}){{0,{rng.randint(1, 25)}}}$"
        lengths = {"maxLength": rng.randint(20, 90)} if rng.random() < 0.6 else {}
        check_masks({"pattern": pattern, **lengths}, VOCABULARIES["quotes near"], seed, 10)


def test_lengths_and_counts_make_no_states() -> None:
    """Along a text under both, masks cost no states for each length at each count."""
    grammar = grammask.json_schema(json.dumps({"type": "string", "pattern": r"^(?:\S+\s+){0,29}\S+$", "maxLength": 200}))
    vocabulary = grammask.Vocabulary(VOCABULARIES["quotes near"].tokens, eos_ids=[END])
    matcher = grammask.compile(grammar, vocabulary).matcher()
    row = np.zeros((len(vocabulary) + 31) // 32, np.uint32)
    store = bindings_of(vocabulary).store
    before = store.statistics()["states"]
    for byte in b'"' + b"several words " * 8:
        matcher.fill_mask(row)
        matcher.advance(byte)
    assert store.statistics()["states"] - before < 10_000
