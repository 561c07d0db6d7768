"""Tokens that a grammar names: special ones, ones with text, end tokens, and all but some."""

from __future__ import annotations

import pytest

import grammask
from grammask.errors import EmptyLanguageError, UnsupportedFeatureError
from grammask.grammar.expression import Expression, Literal, Seq, Token

TOKENS = [b"a", b"b", b"", b"", b"ab", b"", b""]
VOCABULARY = grammask.Vocabulary(TOKENS, eos_ids=[3], specials={"<think>": 2, "<end>": 3, "<tool>": 5})


def allowed(expression: Expression) -> list[int]:
    """The tokens that may come first."""
    ids: list[int] = grammask.compile(grammask.Grammar(expression), VOCABULARY).matcher().allowed_tokens().tolist()
    return ids


def test_a_special_token_is_named_or_numbered() -> None:
    """Name and id stand for the same token, and nothing that spells its name does."""
    assert allowed(Token(["<think>"])) == allowed(Token([2])) == [2]


def test_a_token_with_text_stands_for_its_text() -> None:
    """Its text may come in other tokens too: what matters is the text, not how it is tokenized."""
    assert allowed(Token([4])) == allowed(Token(["ab"])) == [0, 4]
    assert allowed(Token([4, "<tool>"])) == [0, 4, 5]


def test_all_special_tokens_but_some_are_never_end_tokens_nor_padding() -> None:
    """The other special tokens are those with a name; end tokens end, and ids without a name are never allowed."""
    assert allowed(Token(["<think>"], but=True)) == [5]
    assert allowed(Token([], but=True)) == [2, 5]
    with pytest.raises(EmptyLanguageError):
        allowed(Token(["<think>", "<tool>"], but=True))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("<thnik>", "'<thnik>' is not supported.*it has: <think>"),
        ("no", "no token of that name"),
        (7, "its ids are 0 to 6"),
        (-1, "its ids are 0 to 6"),
        ("<end>", "it ends every output; leave it out"),
        (3, "it ends every output; leave it out"),
    ],
    ids=str,
)
def test_tokens_that_cannot_be_are_refused(name: str | int, words: str) -> None:
    """An unknown name or id, and an end token inside a text, are errors when the grammar is compiled."""
    with pytest.raises(UnsupportedFeatureError, match=words):
        allowed(Seq([Literal(b"a"), Token([name])]))


def test_sets_of_tokens_are_told_apart() -> None:
    """A set and its complement are different nodes, and compile to different constraints."""
    assert Token(["<think>"]) is not Token(["<think>"], but=True)
    assert Token(["<think>"], but=True) is Token(["<think>"], but=True)
    assert allowed(Token(["<tool>"])) != allowed(Token(["<tool>"], but=True))
