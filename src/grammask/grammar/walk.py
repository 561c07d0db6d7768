"""Walks over expressions that do not recurse, so that depth of nesting is no limit.

Rule: a reference to a rule is a leaf here; who wants what lies behind it asks for the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from grammask.grammar.distinct import Distinct, Recorded
from grammask.grammar.expression import Alt, And, Chain, Expression, Not, Ref, Repeat, Rule, Seq, Text, Unordered
from grammask.grammar.free_text import FreeText, Marked

Below = Callable[[Expression], tuple[Expression, ...]]

__all__ = ["bottom_up", "parts_of", "rules_in", "rules_of"]


def parts_of(node: Expression) -> tuple[Expression, ...]:
    """The nodes directly below a node."""
    find = _PARTS.get(type(node))
    return find(node) if find is not None else ()


def _chain_parts(node: Chain | Unordered) -> tuple[Expression, ...]:
    rest = () if node.rest is None else (node.rest,)
    return (*[item for item, _ in node.items], node.separator, *rest)


_PARTS: dict[type[Expression], Callable[[Any], tuple[Expression, ...]]] = {
    Alt: lambda node: node.parts,
    And: lambda node: node.parts,
    Chain: _chain_parts,
    Distinct: lambda node: (node.body,),
    FreeText: lambda node: tuple(stop.then for stop in node.stops if stop.then is not None),
    Marked: lambda node: tuple(then for _, then in node.cases),
    Not: lambda node: (node.part,),
    Recorded: lambda node: (node.part,),
    Repeat: lambda node: (node.part,),
    Seq: lambda node: node.parts,
    Text: lambda node: () if node.language is None else (node.language,),
    Unordered: _chain_parts,
}


def bottom_up(roots: Iterable[Expression], below: Below = parts_of) -> list[Expression]:
    """All nodes of the expressions, each once and behind those below it; `below` says which these are. Cost: linear."""
    order: list[Expression] = []
    seen: set[Expression] = set()
    work = [(root, False) for root in roots]
    work.reverse()
    while work:
        node, is_done = work.pop()
        if is_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            parts = below(node)
            if parts:
                work.append((node, True))
                work += [(part, False) for part in reversed(parts) if part not in seen]
            else:
                order.append(node)
    return order


def rules_in(root: Expression) -> list[Rule]:
    """The rules that an expression itself refers to, each once, in the order of the text."""
    return list(dict.fromkeys(node.rule for node in bottom_up([root]) if isinstance(node, Ref)))


def rules_of(root: Expression) -> list[Rule]:
    """All rules that can be reached from an expression, each once, in the order in which a walk over the references meets them."""
    found = rules_in(root)
    seen = set(found)
    for rule in found:  # grows while it is read
        fresh = [other for other in rules_in(rule.body) if other not in seen]
        seen.update(fresh)
        found += fresh
    return found
