"""The small form: the one tree that every front end produces and everything below reads.

Rule: nodes are immutable and hash-consed, so equal structure is one object and `is` compares languages' spelling.
A node says what strings it stands for; nothing here knows a vocabulary, a syntax or a kernel.
`Rule` is the only name: a mutable cell, so that grammars can recurse; `Ref(rule)` stands for its body.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Literal as OneOf
from weakref import ref

__all__ = [
    "ANY_CHARACTER", "EMPTY", "NOTHING",
    "Alt", "And", "Chars", "Expression", "Literal", "Not", "Ref", "Repeat", "Rule", "Seq", "Text", "Token",
    "either", "literal", "optional", "seq",
]  # fmt: skip

MAX_CODE_POINT = 0x10FFFF


class Expression:
    """Base of all nodes. Equality is identity: structurally equal nodes are the same object while one of them lives."""

    __slots__ = ("__weakref__",)
    _nodes: ClassVar[dict[tuple[Any, ...], ref[Any]]] = {}


def _interned(cls: type[Any], *fields: Any) -> Any:
    key = (cls, *fields)
    held = Expression._nodes.get(key)
    node = held() if held is not None else None
    if node is None:
        node = object.__new__(cls)
        for name, value in zip(cls.__slots__, fields, strict=True):
            object.__setattr__(node, name, value)
        nodes = Expression._nodes

        def forget(dead: ref[Any]) -> None:
            if nodes.get(key) is dead:
                del nodes[key]

        nodes[key] = ref(node, forget)
    return node


class Literal(Expression):
    """Exactly these bytes."""

    __slots__ = ("data",)
    data: bytes

    def __new__(cls, data: bytes) -> Literal:
        return _interned(cls, data)


class Chars(Expression):
    """One character out of a set, spelled in UTF-8.

    ranges: sorted, disjoint, not adjacent (lo, hi) code points, inclusive, surrogates left out.
    """

    __slots__ = ("ranges",)
    ranges: tuple[tuple[int, int], ...]

    def __new__(cls, ranges: Iterable[tuple[int, int]]) -> Chars:
        return _interned(cls, normalise_ranges(ranges))


class Seq(Expression):
    """The parts one after the other; no parts is the empty string."""

    __slots__ = ("parts",)
    parts: tuple[Expression, ...]

    def __new__(cls, parts: Iterable[Expression]) -> Seq:
        return _interned(cls, tuple(parts))


class Alt(Expression):
    """Any one of the parts; no parts is the empty language, which matches nothing."""

    __slots__ = ("parts",)
    parts: tuple[Expression, ...]

    def __new__(cls, parts: Iterable[Expression]) -> Alt:
        return _interned(cls, tuple(parts))


class Repeat(Expression):
    """`minimum` to `maximum` times the part; `maximum` None is no bound."""

    __slots__ = ("maximum", "minimum", "part")
    part: Expression
    minimum: int
    maximum: int | None

    def __new__(cls, part: Expression, minimum: int = 0, maximum: int | None = None) -> Repeat:
        return _interned(cls, maximum, minimum, part)


class And(Expression):
    """Strings that are in every part. Parts are regular and over characters (no Ref, Text or Token below)."""

    __slots__ = ("parts",)
    parts: tuple[Expression, ...]

    def __new__(cls, parts: Iterable[Expression]) -> And:
        return _interned(cls, tuple(parts))


class Not(Expression):
    """Strings of characters that are not in the part, which is regular."""

    __slots__ = ("part",)
    part: Expression

    def __new__(cls, part: Expression) -> Not:
        return _interned(cls, part)


class Text(Expression):
    """The inside of a JSON string with its closing quote: every spelling of every allowed string, then `"`.

    language: a regular expression over characters (Literal holds their UTF-8), or None for all strings;
    minimum, maximum: bounds of the length in characters; excluded: strings that are not allowed.
    A character may be spelled raw (from U+0020 on, but `"` and the backslash) or by any escape of RFC 8259 section 7;
    comparisons, lengths and `excluded` are of characters, whatever their spelling. Lone surrogates are left out.
    """

    __slots__ = ("excluded", "language", "maximum", "minimum")
    language: Expression | None
    minimum: int
    maximum: int | None
    excluded: frozenset[str]

    def __new__(cls, language: Expression | None = None, minimum: int = 0, maximum: int | None = None, excluded: frozenset[str] = frozenset()) -> Text:
        return _interned(cls, excluded, language, maximum, minimum)


class Token(Expression):
    """One special token out of a set, named by `Vocabulary.specials` (str) or by id (int). It carries no text."""

    __slots__ = ("names",)
    names: tuple[str | int, ...]

    def __new__(cls, names: Iterable[str | int]) -> Token:
        return _interned(cls, tuple(names))


class Rule:
    """A named cell for an expression, so that grammars can recurse.

    place: what errors call it: a rule name of a grammar text, or a JSON pointer.
    shared: its structure is the same in many grammars (whitespace, numbers, free JSON), so a vocabulary keeps its masks for all.
    """

    __slots__ = ("__weakref__", "body", "lowered", "place", "shared")

    def __init__(self, place: str, body: Expression | None = None, shared: bool = False) -> None:
        self.place, self.shared = place, shared
        self.body: Expression = NOTHING if body is None else body
        self.lowered: Any = None  # the kernel table, kept by grammar.lower for shared rules

    def __repr__(self) -> str:
        return f"<Rule {self.place}>"


class Ref(Expression):
    """The body of a rule. Two references are equal if they name the same cell."""

    __slots__ = ("rule",)
    rule: Rule

    def __new__(cls, rule: Rule) -> Ref:
        return _interned(cls, rule)


def normalise_ranges(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Sorted, joined, without surrogates. Raises ValueError for a range that is no range of code points."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if not 0 <= low <= high <= MAX_CODE_POINT:
            raise ValueError(f"({low}, {high}) is not a range of code points")
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    kept = []
    for low, high in joined:
        if low < 0xD800:
            kept.append((low, min(high, 0xD7FF)))
        if high > 0xDFFF:
            kept.append((max(low, 0xE000), high))
    return tuple(kept)


EMPTY = Seq(())
NOTHING = Alt(())
ANY_CHARACTER = Chars([(0, MAX_CODE_POINT)])


def literal(text: str | bytes) -> Literal:
    """The literal for a text (in UTF-8) or for bytes."""
    return Literal(text.encode() if isinstance(text, str) else text)


def seq(*parts: Expression) -> Expression:
    """`Seq` without needless nesting: flattens, drops EMPTY, joins neighbouring literals, is NOTHING if a part is."""
    flat: list[Expression] = []
    for part in parts:
        for piece in part.parts if isinstance(part, Seq) else (part,):
            if piece is NOTHING:
                return NOTHING
            if isinstance(piece, Literal) and flat and isinstance(flat[-1], Literal):
                flat[-1] = Literal(flat[-1].data + piece.data)
            else:
                flat.append(piece)
    return flat[0] if len(flat) == 1 else Seq(flat)


def either(*parts: Expression) -> Expression:
    """`Alt` without needless nesting: flattens, drops NOTHING and doubles."""
    flat: dict[Expression, None] = {}
    for part in parts:
        for piece in part.parts if isinstance(part, Alt) else (part,):
            flat[piece] = None
    return next(iter(flat)) if len(flat) == 1 else Alt(flat)


def optional(part: Expression) -> Expression:
    """The part or nothing."""
    return Repeat(part, 0, 1)


Direction = OneOf["wider", "narrower"]
