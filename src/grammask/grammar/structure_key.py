"""Keys by structure: equal rules of different grammars get equal keys, so that a vocabulary keeps what it knows of them once.

Rule: a key is a digest of a rule's own edges with the keys of what it calls in place of the callees. In a component of rules that call
each other, callees inside it are named by their number in the order in which a walk from that rule first meets them.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from dataclasses import astuple
from hashlib import blake2b
from typing import Any

from grammask.grammar.analysis import Calls
from grammask.grammar.components import components, visit_order
from grammask.kernel.tables import CALL, RuleTable

__all__ = ["assign_keys", "digest"]


def digest(facts: Any) -> bytes:
    """16 bytes that stand for numbers, bytes, and tuples and lists of them. Format 2 of marshal writes equal values alike."""
    return blake2b(marshal.dumps(facts, 2), digest_size=16).digest()


def assign_keys(shared: Iterable[RuleTable], calls: Calls) -> None:
    """Give keys to these tables and to all they call. Cost: linear, but for cycles, where it is squared in their number of rules."""

    def inside(table: RuleTable) -> list[RuleTable]:
        return [edge[3] for edge in calls[table] if edge[3] in calls]

    for component in components(shared, inside):
        members = set(component)
        keys = [_key(table, members, inside) for table in component]
        for table, key in zip(component, keys, strict=True):
            table.key = key


def _key(table: RuleTable, members: set[RuleTable], inside: Any) -> bytes:
    walk = visit_order([table], lambda member: [callee for callee in inside(member) if callee in members])
    number = {member: index for index, member in enumerate(walk)}
    facts = []
    for member in walk:
        edges = [(*edge[:3], number.get(edge[3], edge[3].key)) if edge[0] == CALL else edge for edge in member.edges]
        memory = member.unordered
        kept: tuple[Any, ...] = () if memory is None else (memory.n_slots, sorted(memory.required), memory.minimum, memory.maximum)
        if member.multiples is not None:
            kept = astuple(member.multiples)
        facts.append((member.n_nodes, edges, kept))
    return digest(("rule", facts))
