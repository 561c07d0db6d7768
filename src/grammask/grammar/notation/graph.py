"""Graphs whose edges carry expressions, and how they are written as rules: one for each node that several edges lead to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from grammask.grammar.chain import build_chain
from grammask.grammar.expression import EMPTY, Chain, Expression, Ref, Rule

__all__ = ["Graph", "chain_graph"]

Edge = tuple[int, int, Expression]  # from, to, what is read on the way
Join = Callable[[list[Expression]], Expression]


class Graph:
    """The texts that are read on a way from one of the starts to one of the ends."""

    def __init__(self, edges: Sequence[Edge], starts: Sequence[int], ends: Collection[int]) -> None:
        self.edges, self.starts, self.ends = edges, starts, frozenset(ends)

    def expression(self, place: str, sequence: Join, choice: Join, repeated: Callable[[Expression, int, int | None], Expression]) -> Expression:
        """The same as an expression over rules, which are named after `place`."""
        leaving: dict[int, list[tuple[int, Expression]]] = {}
        entering: dict[int, int] = dict.fromkeys(self.starts, 0)
        for source, target, label in self.edges:
            leaving.setdefault(source, []).append((target, label))
            entering[target] = entering.get(target, 0) + (source != target)
        order = list(dict.fromkeys(self.starts))
        seen = set(order)
        for node in order:  # grows while it is read
            fresh = [target for target, _ in leaving.get(node, ()) if target not in seen]
            order += dict.fromkeys(fresh)
            seen.update(fresh)
        rules = {node: Rule(place) for node in order if entering.get(node, 0) > 1 or (node in self.starts and entering.get(node, 0))}
        bodies: dict[int, Expression] = {}
        for node in reversed(order):
            onward = [sequence([label, _of(target, rules, bodies)]) for target, label in leaving.get(node, ()) if target != node]
            rest = choice([*onward, EMPTY] if node in self.ends else onward)
            loop = choice([label for target, label in leaving.get(node, ()) if target == node])
            body = sequence([repeated(loop, 0, None), rest])
            if node in rules:
                rules[node].body = body
            bodies[node] = body
        return choice([_of(start, rules, bodies) for start in self.starts])


def _of(node: int, rules: dict[int, Rule], bodies: dict[int, Expression]) -> Expression:
    return Ref(rules[node]) if node in rules else bodies[node]


def chain_graph(chain: Chain) -> Graph:
    """The graph of a chain, as `grammar.chain` builds it."""
    recorder = _Recorder()
    build_chain(recorder, chain, 0, 1)  # type: ignore[arg-type]  # as much of a Construction as that needs
    return Graph(recorder.finished(), [0], [1])


class _Recorder:
    """Takes down what a form asks of a Construction."""

    def __init__(self) -> None:
        self.n_nodes = 2
        self.edges: list[Edge] = []
        self.todo: list[tuple[Expression, int, int]] = []

    def new_node(self) -> int:
        self.n_nodes += 1
        return self.n_nodes - 1

    def skip(self, start: int, end: int) -> None:
        if start != end:
            self.edges.append((start, end, EMPTY))

    def seq(self, node: Expression, start: int, end: int) -> None:
        self.edges.append((start, end, node))

    def part_table(self, part: Expression) -> Expression:
        return part

    def call(self, start: int, end: int, callee: Any) -> None:
        self.edges.append((start, end, callee))

    def nothing(self, reason: str) -> None:
        """What cannot be completed is found later."""

    def finished(self) -> list[Edge]:
        return self.edges + [(start, end, part) for part, start, end in self.todo]
