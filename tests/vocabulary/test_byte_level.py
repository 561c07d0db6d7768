"""The table of byte-level BPE, and encoding with our own merges."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.vocabulary.byte_level import CHARACTERS, from_bytes, to_bytes
from grammask.vocabulary.encoders import MergeEncoder
from grammask.vocabulary.pretokenize import UnknownPatternError, compile_pattern, split

from . import real_tokenizers as real


def test_every_byte_has_a_printable_character_of_its_own() -> None:
    """256 different characters, none of them a space or a control character."""
    assert len(set(CHARACTERS)) == 256
    assert all(character.isprintable() and not character.isspace() for character in CHARACTERS)
    assert [CHARACTERS[byte] for byte in (0x20, 0x0A, 0x7F, 0xAD, 0x41, 0xFF)] == ["\u0120", "\u010a", "\u0121", "\u0143", "A", "\u00ff"]


@real.law
@given(st.binary())
def test_the_table_can_be_read_backwards(token: bytes) -> None:
    """to_bytes undoes from_bytes."""
    assert to_bytes(from_bytes(token)) == token


def test_pieces_outside_the_table_are_text() -> None:
    """A token with a real space or a CJK character was added as text."""
    assert to_bytes("a b") == b"a b"
    assert to_bytes("\u65e5\u0120") == "\u65e5\u0120".encode()


@pytest.mark.parametrize("pattern", [real.GPT2_PATTERN, real.LLAMA3_PATTERN])
@real.law
@given(st.text())
def test_splitting_loses_nothing(pattern: str, text: str) -> None:
    """The pieces joined are the text."""
    assert "".join(split(text, [compile_pattern(pattern)])) == text


@pytest.mark.parametrize("pattern", [real.GPT2_PATTERN, real.LLAMA3_PATTERN, r"\p{N}{1,3}+|\s++$|[^\s\p{Lu}]+|\P{L}|\pL", r"[^\p{^L}\s]+|\p{P}"])
@real.law
@given(st.text(st.characters(max_codepoint=0x2FFF, exclude_categories=["Cn", "Cs"])))
def test_patterns_match_as_the_regex_package_matches_them(pattern: str, text: str) -> None:
    """`re` with classes written out finds what an engine that knows Unicode classes finds."""
    regex = pytest.importorskip("regex")
    theirs = regex.compile(pattern.replace("$", r"\Z").replace(r"\s", r"\p{White_Space}").replace(r"\S", r"\P{White_Space}"), regex.V1)
    assert [m.span() for m in compile_pattern(pattern).finditer(text)] == [m.span() for m in theirs.finditer(text)]


@pytest.mark.parametrize("pattern", [r"\p{Han}+", r"[\p{L}&&[^a]]", "[a", r"[\S]", r"\p{L"])
def test_patterns_beyond_re_are_refused(pattern: str) -> None:
    """Scripts and set operations are not half understood."""
    with pytest.raises(UnknownPatternError):
        compile_pattern(pattern)


def _slow_merge(symbols: list[bytes], ranks: dict[bytes, int]) -> list[bytes]:
    """Merging as it is defined: the best pair, leftmost first, again and again."""
    while len(symbols) > 1:
        ranked = [(ranks[a + b], i) for i, (a, b) in enumerate(pairwise(symbols)) if a + b in ranks]
        if not ranked:
            break
        _, at = min(ranked)
        symbols = [*symbols[:at], symbols[at] + symbols[at + 1], *symbols[at + 2 :]]
    return symbols


@real.law
@given(st.randoms(use_true_random=False), st.text("ab", max_size=24))
def test_merging_with_a_queue_equals_merging_by_definition(rng: random.Random, text: str) -> None:
    """Overlapping, repeated and nested merges come out in the same order."""
    joins = sorted({bytes(rng.choices(b"ab", k=rng.randint(2, 5))) for _ in range(12)})
    rng.shuffle(joins)
    ranks = {token: rank for rank, token in enumerate([b"a", b"b", *joins])}
    expected = _slow_merge([c.encode() for c in text], ranks)
    assert MergeEncoder(ids=ranks, ranks=ranks)(text) == [ranks[symbol] for symbol in expected]


def test_a_long_piece_does_not_take_quadratic_time() -> None:
    """Forty thousand equal characters are one piece; merging them by rescanning would take minutes."""
    ranks = {b"a": 0, b"aa": 1, b"aaaa": 2}
    assert MergeEncoder(ids=ranks, ranks=ranks)("a" * 40_000) == [2] * 10_000
