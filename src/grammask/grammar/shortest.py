"""A shortest text of a network of rule tables, to show in an error.

Source: Knuth 1977, Dijkstra's algorithm for grammars.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from grammask.kernel.tables import CALL, EPSILON, LITERAL, LITERALS, RANGE, SPECIAL, RuleTable

__all__ = ["shortest_text"]

SHOWN = 60  # bytes of a text that are kept; its length is followed exactly


def shortest_text(root: RuleTable) -> bytes:
    """The beginning of a shortest text of the root. A text table counts as its closing quote, special tokens as nothing."""
    search = _Search()
    search.reach(0, b"", root, 0)
    while search.heap:
        length, _, text, table, node = heappop(search.heap)
        if (table, node) in search.done:
            continue
        search.done.add((table, node))
        if node == 1:
            if table is root:
                return text
            search.complete(table, length, text)
        for edge in search.leaving(table).get(node, ()):
            search.follow(length, text, table, edge)
    return b""


class _Search:
    def __init__(self) -> None:
        self.heap: list[tuple[int, int, bytes, RuleTable, int]] = []
        self.n_reached = 0
        self.done: set[tuple[RuleTable, int]] = set()
        self.cost: dict[RuleTable, tuple[int, bytes]] = {}
        self.waiting: dict[RuleTable, list[tuple[int, bytes, RuleTable, int]]] = {}
        self.edges: dict[RuleTable, dict[int, list[tuple[Any, ...]]]] = {}

    def leaving(self, table: RuleTable) -> dict[int, list[tuple[Any, ...]]]:
        if table not in self.edges:
            self.edges[table] = {}
            for edge in table.edges:
                self.edges[table].setdefault(edge[1], []).append(edge)
        return self.edges[table]

    def reach(self, length: int, text: bytes, table: RuleTable, node: int) -> None:
        self.n_reached += 1
        heappush(self.heap, (length, self.n_reached, text[:SHOWN], table, node))

    def complete(self, table: RuleTable, length: int, text: bytes) -> None:
        self.cost[table] = (length, text)
        for before, start, caller, target in self.waiting.pop(table, ()):
            self.reach(before + length, start + text, caller, target)

    def follow(self, length: int, text: bytes, table: RuleTable, edge: tuple[Any, ...]) -> None:
        kind, target = edge[0], edge[2]
        if kind == CALL and isinstance(edge[3], RuleTable):
            self.call(length, text, table, target, edge[3])
        elif kind == EPSILON:
            self.reach(length, text, table, target)
        elif kind == RANGE:
            self.reach(length + 1, text + (bytes((edge[3],)) if edge[3] < SPECIAL else b""), table, target)
        else:
            more = edge[3] if kind == LITERAL else min(edge[3], key=len) if kind == LITERALS else b'"'
            self.reach(length + len(more), text + more, table, target)

    def call(self, length: int, text: bytes, table: RuleTable, target: int, callee: RuleTable) -> None:
        if callee in self.cost:
            extra, more = self.cost[callee]
            self.reach(length + extra, text + more, table, target)
        else:
            self.waiting.setdefault(callee, []).append((length, text, table, target))
            if (callee, 0) not in self.done:
                self.reach(0, b"", callee, 0)
