"""Pieces of text out of the bytes of tokens."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.decoding.deltas import TextDeltas

from .worlds import law


def run(tokens, stop=()):
    """The pieces, and the text they make."""
    deltas = TextDeltas(stop)
    pieces = []
    for token in tokens:
        pieces.append(deltas.push(token))
        if deltas.is_stopped:
            break
    pieces.append(deltas.finish())
    return pieces, "".join(pieces)


@law
@given(st.lists(st.binary(max_size=5), max_size=20))
def test_pieces_make_the_text_whatever_the_bytes(tokens):
    """The pieces put together are the bytes decoded at once, broken bytes replaced alike."""
    assert run(tokens)[1] == b"".join(tokens).decode("utf-8", "replace")


@law
@given(st.text(max_size=20), st.data())
def test_no_piece_splits_a_character(text, data):
    """Cut anywhere, inside characters too, a text comes out in whole characters and nothing is replaced."""
    encoded = text.encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(encoded)))) | {0, len(encoded)})
    pieces, whole = run([encoded[start:end] for start, end in pairwise(cuts)])
    assert whole == text
    assert all(piece in text for piece in pieces)


def test_a_character_comes_with_its_last_byte():
    """An emoji of four bytes in four tokens comes out at once, at the end."""
    assert run([b"a", b"\xf0", b"\x9f", b"\x98", b"\x80"])[0] == ["a", "", "", "", "😀", ""]


@law
@given(st.lists(st.text("ab", max_size=4), max_size=12), st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=3))
def test_text_ends_before_the_first_stop_string(tokens, stop):
    """However the tokens cut it, the text is what stands before the first stop string that is completed, and no piece reaches into one."""
    text = "".join(tokens)
    ends = [
        (end, min(start for word in stop if (start := text[:end].find(word)) >= 0)) for end in range(len(text) + 1) if any(word in text[:end] for word in stop)
    ]
    whole = run([token.encode() for token in tokens], stop)[1]
    if not ends:
        assert whole == text
    else:
        assert not any(word in whole for word in stop)
        assert text.startswith(whole)
        assert any(text[len(whole) :].startswith(word) for word in stop)


def test_text_that_may_begin_a_stop_string_waits():
    """What could still become a stop string is held back, and released as soon as it cannot."""
    deltas = TextDeltas(["</end>"])
    assert [deltas.push(token) for token in (b"hi <", b"/e", b"m>", b"</end", b"> more")] == ["hi ", "", "</em>", "", ""]
    assert deltas.is_stopped
    assert deltas.finish() == ""


@pytest.mark.parametrize("stop", [(), ("END",)])
def test_bytes_left_over_at_the_end_are_replaced(stop):
    """Half a character at the end of the output shows as U+FFFD."""
    assert run([b"a\xe2\x82"], stop)[1] == "a�"
