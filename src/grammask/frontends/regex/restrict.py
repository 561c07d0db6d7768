"""Intersections, made without an And where the structure allows: conditions on the first or last character, and on few short words.

Rule: exact; where the structure does not help, the And stays.
"""

from __future__ import annotations

from grammask.frontends.regex.algebra import ALL, as_ending, as_starting, character_set, conjunction, ending, nullable, repeat, starting
from grammask.frontends.regex.charsets import Ranges, contains, intersection
from grammask.frontends.regex.derivative import is_member
from grammask.grammar.expression import EMPTY, NOTHING, Alt, And, Chars, Expression, Literal, Repeat, Seq, either, optional, seq

__all__ = ["both", "keep_ending", "keep_starting"]

# How many parts of a sequence may be written twice rather than kept under an And.
_DOUBLED_PARTS = 4
_FEW_WORDS = 4


def both(condition: Expression, language: Expression) -> Expression:
    """The strings of `language` that meet the condition."""
    if condition is language or condition is ALL:
        return language
    if language is ALL:
        return condition
    if condition is EMPTY or language is EMPTY:
        return conjunction(condition, language)
    for one, other in ((condition, language), (language, condition)):
        if (form := as_starting(one)) is not None:
            return keep_starting(other, *form)
        if (form := as_ending(one)) is not None:
            return keep_ending(other, *form)
        if (words := _few_words(one)) is not None:
            return either(*[word for word, text in words if is_member(other, text)])
    return conjunction(condition, language)


def _few_words(language: Expression) -> list[tuple[Expression, str]] | None:
    parts = language.parts if isinstance(language, Alt) else (language,)
    if len(parts) > _FEW_WORDS:
        return None
    words: list[tuple[Expression, str]] = []
    for part in parts:
        if part is not EMPTY and not isinstance(part, Literal):
            return None
        words.append((part, part.data.decode() if isinstance(part, Literal) else ""))
    return words


def keep_starting(language: Expression, ranges: Ranges, or_empty: bool) -> Expression:
    """The strings of the language that start with a character of the set; with the empty one if it has it and `or_empty`."""
    return _keep(language, ranges, or_empty, at=0)


def keep_ending(language: Expression, ranges: Ranges, or_empty: bool) -> Expression:
    """The strings of the language that end with a character of the set; with the empty one if it has it and `or_empty`."""
    return _keep(language, ranges, or_empty, at=-1)


def _keep(language: Expression, ranges: Ranges, or_empty: bool, at: int) -> Expression:
    if isinstance(language, Literal):
        return language if contains(ranges, ord(language.data.decode()[at])) else NOTHING
    if isinstance(language, Chars):
        kept = intersection(language.ranges, ranges)
        return language if kept == language.ranges else character_set(kept)
    if isinstance(language, Alt):
        return either(*[_keep(part, ranges, or_empty, at) for part in language.parts])
    if isinstance(language, And):
        return conjunction(_keep(language.parts[0], ranges, or_empty, at), *language.parts[1:])
    if isinstance(language, Repeat) and not nullable(language.part):
        return _keep_repeat(language, ranges, or_empty, at)
    if isinstance(language, Seq):
        return _keep_sequence(language, ranges, or_empty, at)
    return _intersected(language, ranges, or_empty, at)


def _intersected(language: Expression, ranges: Ranges, or_empty: bool, at: int) -> Expression:
    return conjunction((ending if at else starting)(ranges, or_empty), language)


def _keep_repeat(language: Repeat, ranges: Ranges, or_empty: bool, at: int) -> Expression:
    edge = _keep(language.part, ranges, False, at)
    empty_too = language.minimum == 0 and or_empty
    if edge is language.part:
        return language if empty_too or language.minimum else repeat(edge, 1, language.maximum)
    if edge is NOTHING:
        return EMPTY if empty_too else NOTHING
    rest = repeat(language.part, max(language.minimum - 1, 0), None if language.maximum is None else language.maximum - 1)
    kept = seq(rest, edge) if at else seq(edge, rest)
    return optional(kept) if empty_too else kept


def _keep_sequence(language: Seq, ranges: Ranges, or_empty: bool, at: int) -> Expression:
    if not language.parts:
        return EMPTY if or_empty else NOTHING
    edge = language.parts[at]
    rest = language.parts[:-1] if at else language.parts[1:]
    if nullable(edge) and len(rest) > _DOUBLED_PARTS:
        return _intersected(language, ranges, or_empty, at)
    kept = _keep(edge, ranges, False, at)
    whole = seq(*rest, kept) if at else seq(kept, *rest)
    if kept is edge and not nullable(edge):
        return language
    return either(whole, _keep(seq(*rest), ranges, or_empty, at)) if nullable(edge) else whole
