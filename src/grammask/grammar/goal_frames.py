"""Left recursion made harmless: rules that call themselves before consuming anything become rules that do not.

Rule: the language of every rule stays, and so do tables that reach no left recursion. For each rule A of a component of rules that call each
other first (hidden behind nullable prefixes or not), and that something calls, a *goal frame* is built over all nodes of the component:
    its start stands for all nodes at which nothing is consumed yet: what A starts with, over calls inside the component as over epsilon;
    every other node stands for itself, with something consumed; there calls are calls, those into the component calls of goal frames;
    the end of a member X goes on by epsilon to wherever a call of X from the start returns; only the end of A is the frame's end.
This is the left-corner relation of Rosenkrantz and Lewis 1970 kept as a graph: linear in the component for each goal, where removing hidden
left recursion from the rules themselves (Paull's way) may double them again and again.
"""

from __future__ import annotations

from typing import Any

from grammask.errors import LimitError
from grammask.grammar.analysis import Calls, rank_by_first_calls, trim
from grammask.grammar.components import visit_order
from grammask.grammar.structure_key import digest
from grammask.grammar.unordered import unfolded_edges
from grammask.kernel.tables import CALL, EPSILON, RuleTable

__all__ = ["without_left_recursion"]

Edge = tuple[Any, ...]
Place = tuple[RuleTable, int]  # a node of a member of the component

MAX_EDGES = 1_000_000


def without_left_recursion(root: RuleTable) -> RuleTable:
    """The same network without left recursion. Tables that reach none are the same objects, the others are new.

    Raises LimitError if the goal frames have over 1,000,000 edges. Cost: linear but for the goals (component's size times entries into it).
    """
    if root.prepared:
        return root
    raw = visit_order([root], lambda table: [edge[3] for edge in table.edges if edge[0] == CALL and not edge[3].prepared])
    calls: Calls = {table: [edge for edge in table.edges if edge[0] == CALL] for table in raw}
    frames = _Frames(rank_by_first_calls(calls))
    result = frames.of(root)
    frames.build_all()
    new_calls = {table: [edge for edge in table.edges if edge[0] == CALL] for table in frames.made.values()}
    rank_by_first_calls(new_calls)
    for table in new_calls:
        table.prepared = True
    return result


class _Frames:
    """The new tables, made as they are asked for."""

    def __init__(self, looping: list[list[RuleTable]]) -> None:
        self.component = {table: members for members in map(frozenset, looping) for table in members}
        self.leaving: dict[Place, list[Edge]] = {}
        for table in self.component:
            for edge in table.edges if table.unordered is None else unfolded_edges(table)[0]:
                self.leaving.setdefault((table, edge[1]), []).append(edge)
        self.made: dict[RuleTable, RuleTable] = {}
        self.pending: list[RuleTable] = []
        self.edges_left = MAX_EDGES

    def of(self, table: RuleTable) -> RuleTable:
        """What is called in place of this table from now on."""
        if table.prepared:
            return table
        frame = self.made.get(table)
        if frame is None:
            key = None if table.key is None else digest(("frame", table.key))
            frame = self.made[table] = RuleTable(table.place, table.n_nodes, nullable=table.nullable, key=key)
            if table not in self.component:
                frame.unordered, frame.multiples = table.unordered, table.multiples
                frame.recorder = table.recorder
            self.pending.append(table)
        return frame

    def build_all(self) -> None:
        while self.pending:
            table = self.pending.pop()
            if table in self.component:
                self.build_frame(table)
            else:
                self.made[table].edges = [(*edge[:3], self.of(edge[3])) if edge[0] == CALL else edge for edge in table.edges]

    def build_frame(self, goal: RuleTable) -> None:
        members = self.component[goal]
        first, returns = self.start_of(goal, members)
        end: Place = (goal, 1)
        number: dict[Place, int] = {}
        order: list[Place] = []
        edges: list[Edge] = []

        def node(place: Place) -> int:
            if place not in number:
                number[place] = len(order) + 2
                order.append(place)
            return number[place]

        if goal.nullable:  # the empty string leads to the frame's end, which must not go on to where a call of the goal returns
            edges += [(EPSILON, 0, 1), (EPSILON, node(end), 1)]
        else:
            number[end] = 1
            order.append(end)

        for place in first:
            consuming = [edge for edge in self.leaving.get(place, ()) if edge[0] != EPSILON and not (edge[0] == CALL and edge[3] in members)]
            edges += [(edge[0], 0, node((place[0], edge[2])), *self.label(edge)) for edge in consuming]
        for place in order:  # grows while it is read
            table, source = place
            edges += [(edge[0], number[place], node((table, edge[2])), *self.label(edge)) for edge in self.leaving.get(place, ())]
            if source == 1:
                edges += [(EPSILON, number[place], node(after)) for after in returns.get(table, ()) if after != place]
        self.edges_left -= len(edges)
        if self.edges_left < 0:
            raise LimitError("the size of left-recursive rules", None, MAX_EDGES, "write them as repetitions")
        trim(self.made[goal], edges)

    def label(self, edge: Edge) -> tuple[Any, ...]:
        return (self.of(edge[3]),) if edge[0] == CALL else edge[3:]

    def start_of(self, goal: RuleTable, members: frozenset[RuleTable]) -> tuple[list[Place], dict[RuleTable, dict[Place, None]]]:
        """The places at which nothing is consumed yet, and where the calls of each member from there return."""
        returns: dict[RuleTable, dict[Place, None]] = {}
        first: list[Place] = [(goal, 0)]
        seen = set(first)
        for place in first:  # grows while it is read
            for edge in self.leaving.get(place, ()):
                after = (place[0], edge[2])
                if edge[0] == CALL and edge[3] in members:
                    returns.setdefault(edge[3], {})[after] = None
                    after = (edge[3], 0)
                elif edge[0] != EPSILON:
                    continue
                if after not in seen:
                    seen.add(after)
                    first.append(after)
        return first, returns
