"""Members in any order, as a rule of its own whose frame keeps in mind which of them have been used.

Rule: an item that can match nothing has no slot, and a required one leaves nothing of the whole; the rest is the kernel's work (see
`kernel.tables.Unordered`), so the table is linear in the number of items whatever their number.
"""

from __future__ import annotations

from typing import Any

from grammask.errors import LimitError
from grammask.grammar.construction import Construction
from grammask.grammar.distinct import Recorded, recorded_table
from grammask.grammar.expression import NOTHING, Expression, Unordered
from grammask.kernel.tables import CALL, EPSILON, FIRST_SLOT, RuleTable, TextTable
from grammask.kernel.tables import Unordered as Memory

__all__ = ["build_unordered", "unfolded_edges"]

MAX_UNFOLDED = 20_000  # edges
MAX_STATES = 1_000_000  # that one output may visit: for each member, one for each that may follow

Edge = tuple[Any, ...]
Table = RuleTable | TextTable
Kept = tuple[frozenset[int], int]  # used slots, number of members


def build_unordered(made: Construction, node: Unordered, start: int, end: int) -> None:
    """Add a call of the members' rule between two nodes."""
    table = made.memo.get(node)
    if table is None:
        items = [(item, required) for item, required in node.items if item is not NOTHING or required]
        rest = None if node.rest is NOTHING else node.rest
        if not _can_be_met(items, rest, node):
            made.nothing("its counts of members cannot be met")
            return
        longest = len(items) if node.maximum is None else min(len(items), node.maximum)
        if len(items) * longest > MAX_STATES:
            raise LimitError(
                "members in any order, times those that one output may hold,", len(items) * longest, MAX_STATES, "bound their number or fix their order"
            )
        table = made.memo[node] = _members_table(made, node, items, rest)
    made.call(start, end, table)


def _can_be_met(items: list[tuple[Expression, bool]], rest: Expression | None, node: Unordered) -> bool:
    n_required = sum([required for _, required in items])
    is_enough = rest is not None or node.minimum <= len(items)
    return is_enough and (node.maximum is None or node.maximum >= max(n_required, node.minimum))


def _members_table(made: Construction, node: Unordered, items: list[tuple[Expression, bool]], rest: Expression | None) -> RuleTable:
    table = made.new_table(made.table.place)
    after = FIRST_SLOT
    for item, _ in [*items, *([] if rest is None else [(rest, False)])]:
        if isinstance(item, Recorded):
            made.frames.add(table)
        callee = recorded_table(made, item) if isinstance(item, Recorded) else made.part_table(item)
        made.calls[table].append((CALL, 0, after, callee))
        table.edges.append((EPSILON, after, 2))
        after += 1
    made.calls[table].append((CALL, 2, 0, made.part_table(node.separator)))
    table.edges += [*made.calls[table], (EPSILON, 2, 1)]
    table.n_nodes = FIRST_SLOT + len(items) + 1
    required = frozenset(slot for slot, (_, is_required) in enumerate(items) if is_required)
    table.unordered = Memory(len(items), required, node.minimum, node.maximum)
    return table


def unfolded_edges(table: RuleTable) -> tuple[list[Edge], int]:
    """The edges of an ordinary table with the same strings, and its number of nodes: one for each set of used slots, before a member and after one.

    For those who have to multiply rules with something else. Raises LimitError above 20,000 edges, which ten members have.
    """
    memory = table.unordered
    assert memory is not None
    calls = [(edge[2] - FIRST_SLOT, edge[3]) for edge in table.edges if edge[0] == CALL and edge[1] == 0]
    separators = [edge[3] for edge in table.edges if edge[0] == CALL and edge[1] != 0]
    nodes: dict[tuple[Kept, bool], int] = {((frozenset(), 0), True): 0}
    edges: list[Edge] = []
    for kept, is_before in (order := list(nodes)):  # grows while it is read
        here = nodes[kept, is_before]
        used, count = kept
        if not is_before and memory.required <= used and count >= memory.minimum:
            edges.append((EPSILON, here, 1))
        after = _kept_after(memory, calls, kept) if is_before else [(kept, separator) for separator in separators if _kept_after(memory, calls, kept)]
        for later, callee in after:
            if (later, not is_before) not in nodes:
                nodes[later, not is_before] = len(nodes) + 1
                order.append((later, not is_before))
            edges.append((CALL, here, nodes[later, not is_before], callee))
        if len(edges) > MAX_UNFOLDED:
            raise LimitError("the orders of members of an object, for a vocabulary that cannot spell every byte", None, MAX_UNFOLDED, "fix their order")
    return edges, len(nodes) + 1


def _kept_after(memory: Memory, calls: list[tuple[int, Table]], kept: Kept) -> list[tuple[Kept, Table]]:
    """What is kept in mind after each of the members that may come."""
    used, count = kept
    missing = len(memory.required - used)
    found: list[tuple[Kept, Table]] = []
    for slot, callee in calls:
        has_room = memory.maximum is None or count + 1 + missing - (slot in memory.required) <= memory.maximum
        if slot not in used and has_room:
            binds = memory.maximum if memory.maximum is not None else memory.minimum
            found.append(((used | {slot} if slot < memory.n_slots else used, min(count + 1, binds)), callee))
    return found
