"""What decides membership in the tests here: the slow recogniser of the small form, and the kernel over single bytes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import grammask
from grammask.grammar.grammar import Grammar

from .oracle import accepts as recogniser_accepts

Accepts = Callable[[Grammar, str], bool]


@pytest.fixture(scope="session")
def byte_vocabulary() -> grammask.Vocabulary:
    """256 tokens of one byte each, and an end."""
    return grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""], eos_ids=[256])


@pytest.fixture(params=["recogniser", "kernel"])
def accepts(request: pytest.FixtureRequest, byte_vocabulary: grammask.Vocabulary) -> Accepts:
    """Whether a whole text is in a grammar, in two ways that share no code."""
    if request.param == "recogniser":
        return lambda grammar, text: recogniser_accepts(grammar.expression, text)
    return lambda grammar, text: kernel_accepts(grammar, text, byte_vocabulary)


def kernel_accepts(grammar: Grammar, text: str, vocabulary: grammask.Vocabulary) -> bool:
    """Whether the masks let a text through byte by byte, to a complete end."""
    matcher = grammask.compile(grammar, vocabulary).matcher()
    return matcher.draft(list(text.encode())) == len(text.encode()) and _is_complete(matcher, text)


def _is_complete(matcher: grammask.Matcher, text: str) -> bool:
    for byte in text.encode():
        matcher.advance(byte)
    return matcher.is_complete
