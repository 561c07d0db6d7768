"""Languages of characters: the small form's nodes, built without needless structure, and what can be told from them at once.

Rule: every function here keeps the language exactly; what it returns is only a shorter spelling.
Below: grammar.expression.  Above: derivative, restrict, nodes.
"""

from __future__ import annotations

from grammask.frontends.regex.charsets import EVERY, Ranges, complement
from grammask.grammar.expression import ANY_CHARACTER, EMPTY, NOTHING, Alt, And, Chars, Expression, Literal, Not, Repeat, Seq, either, seq

__all__ = [
    "ALL", "SOME", "all_then", "as_ending", "as_starting", "character_set", "conjunction", "ending", "negation", "nullable", "repeat", "starting", "then",
]  # fmt: skip

ALL = Repeat(ANY_CHARACTER, 0, None)
SOME = Repeat(ANY_CHARACTER, 1, None)


def character_set(ranges: Ranges) -> Expression:
    """One character out of the set; a literal if there is only one, NOTHING if there is none."""
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return Literal(chr(ranges[0][0]).encode())
    return Chars(ranges) if ranges else NOTHING


def repeat(part: Expression, minimum: int, maximum: int | None) -> Expression:
    """`minimum` to `maximum` times the part; repetitions of repetitions are joined where their counts leave no gap."""
    if maximum == 0 or part is EMPTY or part is ALL:
        return part if part is ALL and maximum != 0 else EMPTY
    if part is NOTHING:
        return EMPTY if minimum == 0 else NOTHING
    if minimum == 1 and maximum == 1:
        return part
    if isinstance(part, Repeat) and part.minimum <= 1 and (part.maximum is None or part.maximum == 1):
        bound = None if part.maximum is None else maximum
        return Repeat(part.part, part.minimum * minimum, bound)
    return Repeat(part, minimum, maximum)


def nullable(expression: Expression) -> bool:
    """Whether the empty string is in the language. Cost: linear; does not recurse, so depth is no limit."""
    if isinstance(expression, (Literal, Chars)):
        return False
    known: dict[Expression, bool] = {}
    stack = [expression]
    while stack:
        node = stack[-1]
        waiting = [child for child in _children(node) if child not in known]
        if waiting:
            stack += waiting
        else:
            known[node] = _nullable_from(node, known)
            stack.pop()
    return known[expression]


def _children(node: Expression) -> tuple[Expression, ...]:
    if isinstance(node, (Seq, Alt, And)):
        return node.parts
    if isinstance(node, (Repeat, Not)):
        return (node.part,)
    return ()


def _nullable_from(node: Expression, known: dict[Expression, bool]) -> bool:
    if isinstance(node, Literal):
        return not node.data
    if isinstance(node, (Seq, And)):
        return all(known[part] for part in node.parts)
    if isinstance(node, Alt):
        return any(known[part] for part in node.parts)
    if isinstance(node, Repeat):
        return node.minimum == 0 or known[node.part]
    return isinstance(node, Not) and not known[node.part]


def starting(ranges: Ranges, or_empty: bool) -> Expression:
    """All strings that start with a character of the set; with the empty one if `or_empty`."""
    if ranges == EVERY:
        return ALL if or_empty else SOME
    if not ranges:
        return EMPTY if or_empty else NOTHING
    return either(Seq((Chars(ranges), ALL)), *([EMPTY] if or_empty else []))


def ending(ranges: Ranges, or_empty: bool) -> Expression:
    """All strings that end with a character of the set; with the empty one if `or_empty`."""
    if ranges == EVERY or not ranges:
        return starting(ranges, or_empty)
    return either(Seq((ALL, Chars(ranges))), *([EMPTY] if or_empty else []))


def as_starting(language: Expression) -> tuple[Ranges, bool] | None:
    """(ranges, or_empty) if `starting` made this language, else None."""
    return _as_one_character(language, 0)


def as_ending(language: Expression) -> tuple[Ranges, bool] | None:
    """(ranges, or_empty) if `ending` made this language, else None."""
    return _as_one_character(language, 1)


def _as_one_character(language: Expression, at: int) -> tuple[Ranges, bool] | None:
    if language is ALL or language is SOME:
        return EVERY, language is ALL
    or_empty = isinstance(language, Alt) and len(language.parts) == 2 and language.parts[1] is EMPTY
    body = language.parts[0] if or_empty and isinstance(language, Alt) else language
    if isinstance(body, Seq) and len(body.parts) == 2 and body.parts[1 - at] is ALL:
        character = body.parts[at]
        if isinstance(character, Chars):
            return character.ranges, or_empty
    return None


def negation(language: Expression) -> Expression:
    """All strings of characters that are not in the language."""
    if language is EMPTY or language is NOTHING:
        return SOME if language is EMPTY else ALL
    if isinstance(language, Not):
        return language.part
    if (form := as_starting(language)) is not None:
        return starting(complement(form[0]), not form[1])
    if (form := as_ending(language)) is not None:
        return ending(complement(form[0]), not form[1])
    return Not(language)


def conjunction(*languages: Expression) -> Expression:
    """Strings that are in all the languages."""
    parts: dict[Expression, None] = {}
    for language in languages:
        for part in language.parts if isinstance(language, And) else (language,):
            if part is NOTHING:
                return NOTHING
            if part is not ALL:
                parts[part] = None
    if EMPTY in parts:
        return EMPTY if all(nullable(part) for part in parts) else NOTHING
    if len(parts) <= 1:
        return next(iter(parts), ALL)
    return And(parts)


def then(left: Expression, right: Expression) -> Expression:
    """`left` and then `right`; before ALL, what may be left out or repeated is written once or not at all."""
    opening = right.parts[0] if isinstance(right, Seq) and right.parts else right
    return seq(_absorbed(left, last=True), right) if opening is ALL else seq(left, right)


def all_then(right: Expression) -> Expression:
    """Any string and then `right`, whose repetitions at the start are cut likewise."""
    return seq(ALL, _absorbed(right, last=False))


def _absorbed(part: Expression, last: bool) -> Expression:
    """A shorter expression that makes the same language beside ALL on its last (or first) side."""
    parts = list(part.parts) if isinstance(part, Seq) else [part]
    edge = -1 if last else 0
    while parts and nullable(parts[edge]):
        parts.pop(edge)
    if parts and isinstance(parts[edge], Repeat):
        repeated = parts[edge]
        assert isinstance(repeated, Repeat)
        parts[edge] = repeat(repeated.part, repeated.minimum, repeated.minimum)
    return seq(*parts)
