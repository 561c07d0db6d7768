"""The parsed pattern: expressions of the small form wherever no context matters, and nodes for what depends on the text around.

Rule: the parser resolves all flags and builds expressions as it goes, so a part without anchors and lookarounds is finished
when it is read, and the nodes below hold only what the small form cannot say.
"""

from __future__ import annotations

from collections.abc import Sequence

from grammask.errors import LimitError
from grammask.frontends.regex.algebra import repeat
from grammask.grammar.expression import EMPTY, Expression, either, seq

__all__ = ["After", "Before", "Concat", "Look", "Loop", "Node", "Part", "Union", "check_nesting", "concat", "loop", "union"]


class Node:
    """A part of a pattern whose matches depend on the text around them. Immutable; equality is identity."""

    __slots__ = ()


Part = Expression | Node


_MAXIMUM_NESTING = 50  # groups within groups, where the tree is walked; more would need more stack than Python has by default


def check_nesting(height: int) -> None:
    """Raise LimitError if groups are nested deeper than a pattern with context may have them."""
    if height > _MAXIMUM_NESTING:
        raise LimitError("the nesting of groups in a pattern with lookarounds, or anchors inside,", height, _MAXIMUM_NESTING)


class Before(Node):
    """Consumes nothing; holds where all the text so far is in the language."""

    __slots__ = ("language",)

    def __init__(self, language: Expression) -> None:
        self.language = language


class After(Node):
    """Consumes nothing; holds where all the text still to come is in the language."""

    __slots__ = ("language",)

    def __init__(self, language: Expression) -> None:
        self.language = language


class Look(Node):
    """Consumes nothing; holds where the body matches (does not match, if `negative`) from here on, or up to here.

    Only for bodies that hold nodes; others become Before and After.
    """

    __slots__ = ("ahead", "body", "negative")

    def __init__(self, body: Node, ahead: bool, negative: bool) -> None:
        self.body, self.ahead, self.negative = body, ahead, negative


class Concat(Node):
    """The parts one after the other."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self.parts = parts


class Union(Node):
    """Any one of the parts."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self.parts = parts


class Loop(Node):
    """`minimum` to `maximum` times the part; `maximum` None is no bound."""

    __slots__ = ("maximum", "minimum", "part")

    def __init__(self, part: Node, minimum: int, maximum: int | None) -> None:
        self.part, self.minimum, self.maximum = part, minimum, maximum


def concat(parts: Sequence[Part]) -> Part:
    """The parts one after the other; neighbouring expressions are joined."""
    joined: list[Part] = []
    plain: list[Expression] = []
    for piece in [piece for part in parts for piece in (part.parts if isinstance(part, Concat) else (part,))]:
        if isinstance(piece, Expression):
            plain.append(piece)
        else:
            joined += [seq(*plain), piece] if plain else [piece]
            plain = []
    if not joined:
        return seq(*plain)
    joined += [seq(*plain)] if plain else []
    return joined[0] if len(joined) == 1 else Concat(tuple(joined))


def union(parts: Sequence[Part]) -> Part:
    """Any one of the parts; those that are expressions become one."""
    if len(parts) == 1:
        return parts[0]
    plain: list[Expression] = []
    others: list[Part] = []
    for part in parts:
        for piece in part.parts if isinstance(part, Union) else (part,):
            if isinstance(piece, Expression):
                plain.append(piece)
            else:
                others.append(piece)
    if not others:
        return either(*plain)
    return Union((either(*plain), *others)) if plain else Union(tuple(others))


def loop(part: Part, minimum: int, maximum: int | None) -> Part:
    """`minimum` to `maximum` times the part."""
    if isinstance(part, Expression):
        return repeat(part, minimum, maximum)
    if maximum == 0:
        return EMPTY
    return part if minimum == maximum == 1 else Loop(part, minimum, maximum)
