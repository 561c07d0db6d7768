"""What remains of a language after a character: Brzozowski's derivatives over the small form, from either end.

Rule: regular languages of characters only. Sets of characters are never taken apart: `classes` says which characters need not be told apart.
Source: Owens, Reppy, Turon 2009 for the classes.
"""

from __future__ import annotations

from collections.abc import Iterable

from grammask.frontends.regex.algebra import conjunction, negation, nullable, repeat
from grammask.frontends.regex.charsets import EVERY, Ranges, complement, contains, intersection
from grammask.grammar.expression import EMPTY, NOTHING, Alt, And, Chars, Expression, Literal, Not, Repeat, Seq, either, seq

__all__ = ["alphabet", "classes", "derivative", "is_member", "refine"]


def derivative(language: Expression, character: str, backward: bool = False) -> Expression:
    """The strings that with `character` before them (after them, if `backward`) are in the language."""
    if isinstance(language, Literal):
        return _literal_derivative(language, character, backward)
    if isinstance(language, Chars):
        return EMPTY if contains(language.ranges, ord(character)) else NOTHING
    if isinstance(language, Seq):
        return _sequence_derivative(language, character, backward)
    if isinstance(language, Alt):
        return either(*[derivative(part, character, backward) for part in language.parts])
    if isinstance(language, Repeat):
        one = derivative(language.part, character, backward)
        more = repeat(language.part, max(language.minimum - 1, 0), None if language.maximum is None else language.maximum - 1)
        return seq(more, one) if backward else seq(one, more)
    if isinstance(language, And):
        return conjunction(*[derivative(part, character, backward) for part in language.parts])
    assert isinstance(language, Not), f"no regular language of characters: {language!r}"
    return negation(derivative(language.part, character, backward))


def _literal_derivative(language: Literal, character: str, backward: bool) -> Expression:
    data, piece = language.data, character.encode()
    if not (data.endswith(piece) if backward else data.startswith(piece)):
        return NOTHING
    rest = data[: -len(piece)] if backward else data[len(piece) :]
    return Literal(rest) if rest else EMPTY


def _sequence_derivative(language: Seq, character: str, backward: bool) -> Expression:
    found: list[Expression] = []
    parts = language.parts
    order = range(len(parts) - 1, -1, -1) if backward else range(len(parts))
    for at in order:
        one = derivative(parts[at], character, backward)
        found.append(seq(*parts[:at], one) if backward else seq(one, *parts[at + 1 :]))
        if not nullable(parts[at]):
            break
    return either(*found)


def classes(*languages: Expression, backward: bool = False) -> list[Ranges]:
    """Sets of characters, disjoint and together all of them: those of one set have the same derivative of each language."""
    sets: dict[Ranges, None] = {}
    for language in languages:
        _collect(language, backward, sets)
    return refine([EVERY], sets)


def alphabet(languages: Iterable[Expression]) -> list[Ranges]:
    """Sets of characters, disjoint and together all of them, that no language tells apart wherever they stand."""
    sets: dict[Ranges, None] = {}
    pending = list(languages)
    for language in pending:
        if isinstance(language, Literal):
            sets |= dict.fromkeys(((ord(c), ord(c)),) for c in language.data.decode())
        elif isinstance(language, Chars):
            sets[language.ranges] = None
        elif isinstance(language, (Seq, Alt, And)):
            pending += language.parts
        elif isinstance(language, (Repeat, Not)):
            pending.append(language.part)
    return refine([EVERY], sets)


def refine(partition: list[Ranges], sets: Iterable[Ranges]) -> list[Ranges]:
    """The partition with every set of it cut along the borders of the given ones."""
    for ranges in sets:
        outside = complement(ranges)
        partition = [piece for block in partition for piece in (intersection(block, ranges), intersection(block, outside)) if piece]
    return partition


def _collect(language: Expression, backward: bool, sets: dict[Ranges, None]) -> None:
    if isinstance(language, Literal) and language.data:
        code_point = ord(language.data.decode()[-1 if backward else 0])
        sets[((code_point, code_point),)] = None
    elif isinstance(language, Chars):
        sets[language.ranges] = None
    elif isinstance(language, Seq):
        for part in reversed(language.parts) if backward else language.parts:
            _collect(part, backward, sets)
            if not nullable(part):
                break
    elif isinstance(language, (Alt, And)):
        for part in language.parts:
            _collect(part, backward, sets)
    elif isinstance(language, (Repeat, Not)):
        _collect(language.part, backward, sets)


def is_member(language: Expression, text: str) -> bool:
    """Whether the text is in the language."""
    for character in text:
        language = derivative(language, character)
    return nullable(language)
