"""A choice of texts as a grammar."""

from __future__ import annotations

from collections.abc import Iterable

from grammask.errors import EmptyLanguageError, GrammarError, GrammarTypeError
from grammask.grammar.expression import Literal, either
from grammask.grammar.grammar import Grammar

__all__ = ["choice"]


def choice(texts: Iterable[str]) -> Grammar:
    """The grammar of exactly these texts, as they are: no quotes, no escapes.

    Raises EmptyLanguageError for no texts at all, GrammarTypeError for what is no list of texts, GrammarError for a text that UTF-8 cannot
    spell (a lone surrogate).

    >>> choice(["yes", "no"]).source
    ['yes', 'no']
    """
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise GrammarTypeError(type(texts).__name__, "choice takes a list of texts: choice(['yes', 'no'])")
    listed = list(texts)
    for text in listed:
        if not isinstance(text, str):
            raise GrammarTypeError(f"{type(text).__name__} in a list of choices", "choices are texts; for other values use json_schema({'enum': [...]})")
    if not listed:
        raise EmptyLanguageError("choice([])", "there is no text to choose")
    try:
        literals = [Literal(text.encode()) for text in listed]
    except UnicodeEncodeError as error:
        raise GrammarError(f"{error.object!r} holds a lone surrogate, which UTF-8 cannot spell; take it out of the choices") from None
    return Grammar(either(*literals), "choice", listed)
