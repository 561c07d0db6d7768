"""What can be known of a network of rule tables: which rules can complete, which match the empty string, and which call which first.

Rule: `prune` only takes away what cannot complete; `settle` only puts an epsilon edge beside each call of a nullable rule and fills in
nullable and rank. Neither changes a language. A text table always completes, and never with the empty string.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from collections.abc import Set as AbstractSet
from operator import itemgetter
from typing import Any

from grammask.errors import LimitError
from grammask.grammar.components import components
from grammask.kernel.tables import CALL, EPSILON, RuleTable

__all__ = ["UNRANKED", "Calls", "callees_first", "closure", "completing", "prune", "rank_by_first_calls", "settle", "spread", "trim"]

Edge = tuple[Any, ...]
Calls = dict[RuleTable, list[Edge]]  # the call edges of each table that is looked at; tables it calls besides are finished ones
Steps = dict[int, list[int]]

CALLEE = itemgetter(3)  # of a call edge
MAX_RANK = 1000
MAX_ROUNDS = 4
START_ALONE = frozenset((0,))
UNRANKED = -1  # the rank of a rule that calls itself first, or that calls such a rule first


def callees_first(calls: Calls) -> list[RuleTable] | None:
    """The tables, each after those it calls; None if some rule calls itself, through others or not (Kahn 1962)."""
    callers: dict[RuleTable, list[RuleTable]] = {}
    remaining = {}
    for table, edges in calls.items():
        callees = calls.keys() & map(CALLEE, edges) if edges else ()
        remaining[table] = len(callees)
        for callee in callees:
            callers.setdefault(callee, []).append(table)
    order = [table for table, count in remaining.items() if not count]
    for table in order:  # grows while it is read
        for caller in callers.get(table, ()):
            remaining[caller] -= 1
            if not remaining[caller]:
                order.append(caller)
    return order if len(order) == len(calls) else None


def completing(calls: Calls, dead: Container[RuleTable] | None = None, *, with_nothing: bool = False) -> set[RuleTable]:
    """The tables whose end can be reached from their start over calls of such tables; with_nothing: by the empty string.

    dead: the tables in which some node leads nowhere or cannot be reached, if that is known; all others complete once their callees do.
    Cost: linear. A few rounds settle nearly all tables at little cost; the rest are followed node by node.
    """
    done: set[RuleTable] = set()
    rest = list(reversed(calls))  # callees come after their callers, as a rule
    for _ in range(MAX_ROUNDS):
        left = [table for table in rest if not _completes_over(table, calls, done, dead, with_nothing=with_nothing)]
        if not left or len(left) == len(rest):
            return done
        rest = left
    return done | _followed({table: calls[table] for table in rest}, done, with_nothing=with_nothing)


def _completes_over(table: RuleTable, calls: Calls, done: set[RuleTable], dead: Container[RuleTable] | None, *, with_nothing: bool) -> bool:
    """Whether a table completes over the calls of tables that are done, or outside `calls`; adds it to those if so."""
    undone = {edge[3] for edge in calls[table] if edge[3] in calls and edge[3] not in done}
    if table.unordered is not None:
        if with_nothing or not table.unordered.is_met_by({edge[2] for edge in calls[table] if edge[3] not in undone}):
            return False
    elif undone or with_nothing or dead is None or table in dead:
        following: Steps = {}
        for edge in table.edges:
            if edge[0] == CALL:
                if edge[3] in undone or (with_nothing and edge[3] not in calls and not edge[3].nullable):
                    continue
            elif with_nothing and edge[0] != EPSILON:
                continue
            following.setdefault(edge[1], []).append(edge[2])
        if 1 not in closure((0,), following):
            return False
    done.add(table)
    return True


def _followed(calls: Calls, done: set[RuleTable], *, with_nothing: bool) -> set[RuleTable]:
    """The tables of `calls` that complete: each node is reached once and each call waits for its callee once."""
    leaving = {table: _leaving(table, calls, done, with_nothing=with_nothing) for table in calls}
    reached: dict[RuleTable, set[int]] = {table: {0} for table in calls}
    found: set[RuleTable] = set()
    waiting: dict[RuleTable, list[tuple[RuleTable, int]]] = {}
    work: list[tuple[RuleTable, int]] = [(table, 0) for table in calls]
    while work:
        table, node = work.pop()
        ready = [(table, target) for target, callee in leaving[table].get(node, ()) if callee is None or callee in found]
        for target, callee in leaving[table].get(node, ()):
            if callee is not None and callee not in found:
                waiting.setdefault(callee, []).append((table, target))
        if table.unordered is not None and table not in found and table.unordered.is_met_by(reached[table]):
            node = 1
        if node == 1 and table not in found:
            found.add(table)
            ready += waiting.pop(table, ())
        for other, target in ready:
            if target not in reached[other]:
                reached[other].add(target)
                work.append((other, target))
    return found


def _leaving(table: RuleTable, calls: Calls, done: set[RuleTable], *, with_nothing: bool) -> dict[int, list[tuple[int, RuleTable | None]]]:
    """Where edges lead, with the callee that must complete first; None where there is none to wait for."""
    steps: dict[int, list[tuple[int, RuleTable | None]]] = {}
    if table.unordered is not None:  # its end is reached once members enough are, see `_followed`
        known = [(edge, edge[3] if edge[3] in calls else None) for edge in calls[table] if edge[1] == 0]
        return {} if with_nothing else {0: [(edge[2], callee) for edge, callee in known]}
    for edge in table.edges:
        if edge[0] == CALL:
            if edge[3] in calls:
                steps.setdefault(edge[1], []).append((edge[2], edge[3]))
            elif not with_nothing or edge[3].nullable or edge[3] in done:
                steps.setdefault(edge[1], []).append((edge[2], None))
        elif edge[0] == EPSILON or not with_nothing:
            steps.setdefault(edge[1], []).append((edge[2], None))
    return steps


def prune(calls: Calls, done: set[RuleTable], dead: Container[RuleTable] | None = None) -> None:
    """Keep of the tables in `done` what can be reached and leads to the end, and take the other tables off `calls`. dead: see `completing`."""
    hopeless = calls.keys() - done
    for table in hopeless:
        del calls[table]
    for table, edges in calls.items():
        if dead is None or table in dead or any(edge[3] in hopeless for edge in edges):
            trim(table, [edge for edge in table.edges if edge[0] != CALL or edge[3] not in hopeless])
            calls[table] = [edge for edge in table.edges if edge[0] == CALL]


def trim(table: RuleTable, edges: list[Edge]) -> None:
    """Give the table those of the edges that lie on a path from its start to its end, and number its nodes anew.

    The nodes of rules that read members in any order are fixed: these keep the numbers, and all edges that are given.
    """
    if table.unordered is not None:
        table.edges = edges
        return
    useful = spread(0, edges, 1, 2) & spread(1, edges, 2, 1)
    number = {0: 0, 1: 1}
    for node in sorted(useful - {0, 1}):
        number[node] = len(number)
    table.n_nodes = len(number)
    table.edges = [(edge[0], number[edge[1]], number[edge[2]], *edge[3:]) for edge in edges if edge[1] in useful and edge[2] in useful]
    if table.resting is not None:
        table.resting = frozenset(number[node] for node in table.resting if node in number)


def spread(seed: int, edges: Iterable[Edge], source: int, target: int) -> set[int]:
    """The nodes that can be reached from one along the edges, or against them (source=2, target=1)."""
    following: Steps = {}
    for edge in edges:
        following.setdefault(edge[source], []).append(edge[target])
    return closure((seed,), following)


def closure(seeds: Iterable[int], following: Steps) -> set[int]:
    """The nodes that can be reached from the seeds."""
    reached = set(seeds)
    work = list(reached)
    while work:
        for node in following.get(work.pop(), ()):
            if node not in reached:
                reached.add(node)
                work.append(node)
    return reached


def settle(calls: Calls, order: list[RuleTable] | None, begun: AbstractSet[RuleTable] = frozenset()) -> None:
    """Fill in nullable and rank of all tables, which are new, and put an epsilon edge beside each call of a nullable rule.

    order: what `callees_first` gives for them. begun: tables of them that begin with bytes of their own, and have an edge beside each call
    of a finished nullable rule already: there is nothing to do for these, unless some new rule is nullable.
    Rules that call themselves first, or call one first that does, get the rank UNRANKED. Raises LimitError for ranks over 1,000.
    """
    if order is None:
        others = {table: edges for table, edges in calls.items() if table not in begun}
        nullable = completing(others, with_nothing=True)
        for table in nullable:
            table.nullable = True
        for table in calls if nullable else others:
            _first_nodes(table, calls[table])
        rank_by_first_calls(others)
        return
    is_settled: AbstractSet[RuleTable] = begun
    for table in order:
        if table in is_settled:
            continue
        edges = calls[table]
        first = _first_nodes(table, edges)
        table.nullable = 1 in first
        if table.nullable:
            is_settled = frozenset()
        table.rank = 1 + max([edge[3].rank for edge in edges if edge[1] in first], default=-1)
        if table.rank > MAX_RANK:
            _check_rank(table)


def _first_nodes(table: RuleTable, calls: list[Edge]) -> AbstractSet[int]:
    """The nodes that can be reached without consuming anything, over nullable callees; sets epsilon edges beside the calls of those."""
    for edge in calls:
        if edge[3].nullable:
            break
    else:
        if not [edge for edge in table.edges if edge[1] == 0 and edge[0] == EPSILON]:
            return START_ALONE
    skips: Steps = {}
    for edge in table.edges:
        if edge[0] == EPSILON:
            skips.setdefault(edge[1], []).append(edge[2])
    for _, source, target, callee in calls:
        if callee.nullable and source != target and target not in skips.get(source, ()):
            skips.setdefault(source, []).append(target)
            table.edges.append((EPSILON, source, target))
    return closure((0,), skips) if 0 in skips else START_ALONE


def first_calls(table: RuleTable, calls: list[Edge]) -> list[Edge]:
    """The calls before which the table can have consumed nothing. Epsilon edges stand beside nullable calls already."""
    if not calls:
        return []
    first = spread(0, [edge for edge in table.edges if edge[0] == EPSILON], 1, 2)
    return [edge for edge in calls if edge[1] in first]


def rank_by_first_calls(calls: Calls) -> list[list[RuleTable]]:
    """Fill in ranks of a network with cycles; gives the components of rules that call each other, or themselves, first."""
    first = {table: [edge[3] for edge in first_calls(table, edges)] for table, edges in calls.items()}
    inside = {table: [callee for callee in callees if callee in calls] for table, callees in first.items()}
    looping = []
    for component in components(calls, inside.__getitem__):
        table = component[0]
        if len(component) > 1 or table in first[table]:
            looping.append(component)
            for member in component:
                member.rank = UNRANKED
        else:
            ranks = [callee.rank for callee in first[table]]
            table.rank = UNRANKED if UNRANKED in ranks else 1 + max(ranks, default=-1)
            _check_rank(table)
    return looping


def _check_rank(table: RuleTable) -> None:
    if table.rank > MAX_RANK:
        raise LimitError(f"the depth of calls at the start of {table.place}", None, MAX_RANK, "flatten the rules that only begin with another rule")
