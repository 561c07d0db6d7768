"""Strings: pattern, format and lengths as one text of the small form.

Rule: languages are over characters; how characters are spelled in JSON is left to `Text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from grammask.errors import GrammarSyntaxError, LimitError, SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema.formats import format_at_most, format_named
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.references import Subschema
from grammask.grammar.expression import NOTHING, And, Expression, Literal, Not, Seq, Text
from grammask.grammar.language import character_automaton

__all__ = [
    "Refuse", "TextShape", "excluded_strings", "has_string", "have_common_string", "is_small", "language_of", "matches", "string_expression",
    "text_shape",
]  # fmt: skip

Refuse = Callable[[Subschema, str, str], None]
TextShape = tuple[tuple[Expression, ...], int, int | None]  # languages that must all hold, and the bounds of length

QUOTE = Literal(b'"')
ANY_STRING = Not(NOTHING)
NO_BOUND = 2**30  # characters: nobody writes so long a string, so a larger maxLength is no bound


@lru_cache(maxsize=4096)
def _pattern(text: str) -> Expression:
    from grammask.frontends.regex import pattern_language

    return pattern_language(text, dialect="ecma", search=True)


def language_of(subschema: Subschema, keyword: str, text: str, refuse: Refuse) -> tuple[Expression, int | None] | None:
    """The language of a pattern or format, with the longest string it takes (None: no bound); None if it was refused and left out.

    "not pattern" and "not format" are all other strings, however long. "format at most" is a format with all that may be valid, and what
    "not format" leaves out; for formats that leave out nothing it is the format.
    """
    if keyword == "format at most":
        widest = format_at_most(text)
        return (ANY_STRING, None) if widest is None else (widest.language, widest.max_length)
    if keyword == "not format":
        keyword = "not format at most"
    if keyword.startswith("not "):
        found_language = language_of(subschema, keyword[4:], text, refuse)
        return None if found_language is None else (Not(found_language[0]), None)
    if keyword == "format":
        found = format_named(text)
        return found.language, found.max_length
    try:
        return _pattern(text), None
    except GrammarSyntaxError as error:
        place = f"{subschema.pointer}/{keyword.rpartition(' ')[2]}"
        raise SchemaError(f"{text!r} is no regular expression of ECMA-262: {error.reason}, column {error.column}", place) from None
    except UnsupportedFeatureError as error:
        refuse(subschema, keyword.rpartition(" ")[2], f"{error.feature} in {text!r}")
        return None


def text_shape(leaves: Iterable[Facts], refuse: Refuse, *, at_most: bool = False) -> TextShape:
    """What all of these say about a string; at_most: where a format leaves out valid strings, with those and perhaps others, as proofs need."""
    languages: dict[Expression, None] = {}
    minimum, maximum = 0, None
    for facts in leaves:
        bounds = [facts.max_length]
        for keyword, text in facts.languages:
            found = language_of(facts.subschema, "format at most" if at_most and keyword == "format" else keyword, text, refuse)
            if found is not None:
                languages[found[0]] = None
                bounds.append(found[1])
        minimum = max(minimum, facts.min_length)
        maximum = min((bound for bound in (maximum, *bounds) if bound is not None), default=None)
    return tuple(languages), minimum, maximum


def excluded_strings(leaves: Iterable[Facts]) -> frozenset[str]:
    """The single strings that some of these exclude."""
    found: frozenset[str] = frozenset()
    for facts in leaves:
        if facts.excluded:
            found |= facts.excluded
    return found


@lru_cache(maxsize=2048)
def string_expression(shape: TextShape, excluded: frozenset[str] = frozenset()) -> Expression:
    """A string literal of this shape, quotes included; NOTHING if the lengths leave none."""
    languages, minimum, maximum = shape
    if maximum is not None and minimum > maximum:
        return NOTHING
    if maximum is not None and maximum > NO_BOUND:
        maximum = None
    language = None if not languages else languages[0] if len(languages) == 1 else And(languages)
    return Seq((QUOTE, Text(language, minimum, maximum, excluded)))


@lru_cache(maxsize=512)
def _steps(language: Expression) -> tuple[tuple[int, ...], list[list[tuple[int, int, int]]], frozenset[int]]:
    automaton = character_automaton(language)
    return automaton.starts, automaton.leaving(), automaton.ends


@lru_cache(maxsize=16384)
def matches(language: Expression, text: str) -> bool:
    """Whether a text is in a language over characters."""
    starts, leaving, ends = _steps(language)
    places = set(starts)
    for character in text:
        code = ord(character)
        places = {target for place in places for target, low, high in leaving[place] if low <= code <= high}
        if not places:
            return False
    return not places.isdisjoint(ends)


@lru_cache(maxsize=4096)
def have_common_string(languages: tuple[Expression, ...]) -> bool:
    """Whether some string is in all of these languages; True also where finding out would take too long."""
    try:
        return character_automaton(languages[0] if len(languages) == 1 else And(languages)).n_nodes > 0
    except LimitError:
        return True


def is_small(shape: TextShape) -> bool:
    """Whether the automaton of a shape's languages stays within the limit of its size."""
    languages = shape[0]
    try:
        character_automaton(languages[0] if len(languages) == 1 else And(languages))
    except LimitError:
        return False
    return True


def has_string(shape: TextShape) -> bool:
    """Whether some string has this shape; True also where finding out would take too long."""
    languages, minimum, maximum = shape
    if maximum is not None and minimum > maximum:
        return False
    return not languages or have_common_string(languages)
