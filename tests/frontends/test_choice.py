"""A choice of texts."""

from __future__ import annotations

from typing import Any

import pytest

import grammask
from grammask.errors import EmptyLanguageError, GrammarError, GrammarTypeError


@pytest.fixture(scope="module")
def vocabulary() -> grammask.Vocabulary:
    return grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""], eos_ids=[256])


def is_accepted(grammar: grammask.Grammar, text: str, vocabulary: grammask.Vocabulary) -> bool:
    matcher = grammask.compile(grammar, vocabulary).matcher()
    for byte in text.encode():
        if not matcher.accepts(byte):
            return False
        matcher.advance(byte)
    return matcher.is_complete


def test_exactly_the_texts_are_allowed(vocabulary: grammask.Vocabulary) -> None:
    """Prefixes, other cases and continuations are not."""
    grammar = grammask.choice(["yes", "no", "no way", "é"])
    accepted = [text for text in ["yes", "no", "no way", "é", "", "ye", "No", "no wa", "yes "] if is_accepted(grammar, text, vocabulary)]
    assert accepted == ["yes", "no", "no way", "é"]


def test_texts_given_twice_count_once(vocabulary: grammask.Vocabulary) -> None:
    """Doubles do no harm, and any iterable will do."""
    assert grammask.choice(iter(["a", "a"])).expression is grammask.choice(("a",)).expression


def test_the_empty_text_is_a_choice(vocabulary: grammask.Vocabulary) -> None:
    """Nothing at all may be one of the texts."""
    assert is_accepted(grammask.choice(["", "a"]), "", vocabulary)


def test_no_texts_are_no_choice() -> None:
    """An empty list is an empty language."""
    with pytest.raises(EmptyLanguageError):
        grammask.choice([])


@pytest.mark.parametrize("texts", ["yes", b"yes", 3, None, ["a", 1], [None], [["a"]]])
def test_what_is_no_list_of_texts_is_refused(texts: Any) -> None:
    """A single text is not a list of its letters, and values other than texts belong into an enum."""
    with pytest.raises(GrammarTypeError) as raised:
        grammask.choice(texts)
    assert "got a " not in str(raised.value)  # the name of a type has no article: "a int"


def test_a_lone_surrogate_cannot_be_spelled() -> None:
    """UTF-8 has no bytes for it."""
    with pytest.raises(GrammarError, match="surrogate"):
        grammask.choice(["a", "\ud800"])
