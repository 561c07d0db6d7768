"""Whether a network of rules needs a stack without bound, and which rules are why.

Rule: a call in last place, after which nothing but completing is left to do, needs no stack: rules that call themselves in last place only
are loops. What calls itself with something left to do afterwards may nest without end.
Below: components, analysis, kernel.tables.  Above: decoding.index, decoding.cost.
"""

from __future__ import annotations

from grammask.grammar.analysis import closure
from grammask.grammar.components import components
from grammask.kernel.tables import CALL, EPSILON, RuleTable, TextTable

__all__ = ["nesting_rules", "tables_of"]

Table = RuleTable | TextTable


def tables_of(root: Table) -> list[Table]:
    """The tables that a root leads to, itself first."""
    found: dict[Table, None] = {root: None}
    for table in (order := [root]):  # grows while it is read
        fresh = dict.fromkeys(other for other in called(table) if other not in found)
        found.update(fresh)
        order.extend(fresh)
    return order


def called(table: Table) -> list[Table]:
    """The tables that a table calls, once for each call."""
    return [edge[3] for edge in table.edges if edge[0] == CALL] if isinstance(table, RuleTable) else []


def nesting_rules(root: RuleTable) -> list[str]:
    """The names of rules of the first circle of calls found in which something is left to do after a call; [] if there is none.

    root: a prepared table (in raw ones left recursion is a circle too). Cost: linear.
    """
    seeds: list[Table] = [root]
    for component in components(seeds, called):
        members = {table for table in component if isinstance(table, RuleTable)}
        if any(_goes_on(table, members) for table in members):
            return list(dict.fromkeys(table.place for table in component))
    return []


def _goes_on(table: RuleTable, members: set[RuleTable]) -> bool:
    """Whether a table does anything after some call of a member but complete."""
    returns = {edge[2] for edge in table.edges if edge[0] == CALL and edge[3] in members}
    if not returns:
        return False
    skips: dict[int, list[int]] = {}
    busy = set()
    for edge in table.edges:
        if edge[0] == EPSILON:
            skips.setdefault(edge[1], []).append(edge[2])
        else:
            busy.add(edge[1])
    return not closure(returns, skips).isdisjoint(busy)
