"""The check made when a vocabulary is read."""

from __future__ import annotations

import pytest

from grammask.errors import TokenizerMismatchError
from grammask.vocabulary.self_check import TEXTS, check_encoding

BYTES = [bytes([byte]) for byte in range(256)]


def by_bytes(text: str) -> list[int]:
    return list(text.encode())


def test_the_texts_hold_what_the_promise_names() -> None:
    """ASCII, CJK, emoji, combining marks, newlines and leading spaces are among them."""
    joined = "".join(TEXTS)
    assert all(sign in joined for sign in ("quick brown", "\u65e5\u672c\u8a9e", "\U0001f469\U0001f3fd\u200d\U0001f680", "e\u0301", "\r\n", "\n\n\n", "\t"))
    assert any(text.startswith("  ") for text in TEXTS)


def test_exact_bytes_pass() -> None:
    """A tokenizer of single bytes spells everything."""
    check_encoding(BYTES, (), by_bytes)


def test_a_prefix_space_is_allowed() -> None:
    """sentencepiece's encoders put a space before the text."""
    check_encoding(BYTES, (), lambda text: [32, *text.encode()] if text else [])


@pytest.mark.parametrize(
    ("token_id", "held", "why"),
    [
        (0x20, b"", "a lost space"),
        (0xE3, b"\xef\xbf\xbd", "half a character decoded to U+FFFD"),
        (0x0A, b"<0x0A>", "a byte token taken for text"),
        (0x61, b"b", "a table off by one"),
        (0x74, b"\xc4\xa0t", "byte-level characters left undone"),
    ],
)
def test_a_wrong_token_is_named(token_id: int, held: bytes, why: str) -> None:
    """The classical mistakes are found, and the error says which token, with the text."""
    tokens = list(BYTES)
    tokens[token_id] = held
    with pytest.raises(TokenizerMismatchError) as caught:
        check_encoding(tokens, (), by_bytes)
    assert (caught.value.token_id, caught.value.token) == (token_id, held)
    assert caught.value.text in TEXTS


def test_an_id_outside_the_vocabulary_is_named() -> None:
    """An encoder that belongs to a larger vocabulary does not fit."""
    with pytest.raises(TokenizerMismatchError, match="has 100 ids") as caught:
        check_encoding(BYTES[:100], (), by_bytes)
    assert caught.value.token_id >= 100


def test_characters_unknown_to_the_tokenizer_are_left_out() -> None:
    """An encoder may answer with its unknown token, or with nothing, for what it has no tokens for."""
    ascii_only = [*BYTES[:128], b""]
    check_encoding(ascii_only, {128}, lambda text: [ord(c) if c.isascii() else 128 for c in text])
    check_encoding(ascii_only, (), lambda text: [ord(c) for c in text if c.isascii()])


def test_known_characters_are_compared_beside_unknown_ones() -> None:
    """Leaving out what is unknown does not hide a wrong token in the same text."""
    tokens = [*BYTES[:128], b""]
    tokens[ord("d")] = b"D"
    with pytest.raises(TokenizerMismatchError) as caught:
        check_encoding(tokens, {128}, lambda text: [ord(c) if c.isascii() else 128 for c in text], TEXTS[-1:])
    assert caught.value.token_id == ord("d")
