"""Which bytes the texts of an expression can begin with; more than they can, where that is not easily told."""

from __future__ import annotations

from collections.abc import Iterable

from grammask.grammar.expression import Alt, Automaton, Chain, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Token, Unordered
from grammask.grammar.utf8 import byte_automaton

__all__ = ["first_bytes"]

EVERY_BYTE = frozenset(range(256))


def first_bytes(expression: Expression) -> frozenset[int]:
    """The bytes; all of them for what begins with a string or a condition. Cost: linear in what may come first."""
    found: set[int] = set()
    _walk(expression, found, set())
    return frozenset(found)


def _walk_all(nodes: Iterable[Expression], found: set[int], seen: set[Rule]) -> bool:
    """Add the bytes of all nodes; gives whether any may match nothing."""
    return max([_walk(node, found, seen) for node in nodes], default=False)


def _walk(node: Expression, found: set[int], seen: set[Rule]) -> bool:
    """Add the bytes of a node; gives whether it may match nothing, so that what follows it may come first too."""
    if isinstance(node, Literal):
        found.update(node.data[:1])
        return not node.data
    if isinstance(node, Chars):
        found.update(byte for source, _, low, high in byte_automaton(node)[1] if source == 0 for byte in range(low, high + 1))
        return False
    if isinstance(node, Automaton):
        found.update(byte for source, _, low, high in node.edges if source == 0 for byte in range(low, high + 1))
        return 0 in node.ends
    if isinstance(node, Seq):
        return all(_walk(part, found, seen) for part in node.parts)
    if isinstance(node, Alt):
        return _walk_all(node.parts, found, seen)
    if isinstance(node, Repeat):
        return _walk(node.part, found, seen) or node.minimum == 0
    if isinstance(node, Ref):
        if node.rule in seen:
            return True
        seen.add(node.rule)
        return _walk(node.rule.body, found, seen)
    if isinstance(node, Chain | Unordered):
        parts = [item for item, _ in node.items] + ([node.rest] if node.rest is not None else [])
        return _walk_all([*parts, node.separator], found, seen)
    if isinstance(node, Token):
        return False
    found.update(EVERY_BYTE)  # Text, And, Not
    return True
