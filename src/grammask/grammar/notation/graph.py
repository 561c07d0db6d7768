"""Graphs whose edges carry expressions, and how they are written as rules: one for each node that several edges lead to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from grammask.errors import LimitError
from grammask.grammar.expression import EMPTY, Chain, Expression, Ref, Repeat, Rule, Seq

__all__ = ["Graph", "chain_graph"]

MAX_NODES = 50_000

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
    """The graph of a chain. Raises LimitError where items times counts make too many nodes."""
    return _ChainGraph(chain).graph()


START, END = 0, 1
Place = tuple[bool, int, int]  # whether a member has just ended (else one must come), items passed, members so far


class _ChainGraph:
    """Places of a chain, in the order in which they are met; members are counted as far as that can matter."""

    def __init__(self, chain: Chain) -> None:
        self.chain, self.n_items = chain, len(chain.items)
        self.top = chain.minimum if chain.maximum is None else chain.maximum
        self.last_required = max([index for index, (_, is_required) in enumerate(chain.items) if is_required], default=-1)
        self.number: dict[Place, int] = {}
        self.edges: list[Edge] = []

    def graph(self) -> Graph:
        chain = self.chain
        if chain.minimum == 0 and self.last_required < 0:
            self.edges.append((START, END, EMPTY))
        if chain.maximum != 0:
            self.edges.append((START, self.node((False, 0, 0)), EMPTY))
        order = self.number
        done = 0
        while done < len(order):
            for place in list(order)[done:]:
                done += 1
                self.leave(place)
        return Graph(self.edges, [START], [END])

    def node(self, place: Place) -> int:
        if place not in self.number:
            self.number[place] = len(self.number) + 2
            if len(self.number) > MAX_NODES:
                raise LimitError("items times counts of a chain written out", None, MAX_NODES, "use fewer members or looser counts")
        return self.number[place]

    def leave(self, place: Place) -> None:
        has_ended, index, count = place
        if has_ended:
            self.leave_member(place)
        elif index < self.n_items:
            item, is_required = self.chain.items[index]
            self.edges.append((self.number[place], self.node((True, index + 1, min(count + 1, self.top))), item))
            if not is_required and not self.chain.contiguous:
                self.edges.append((self.number[place], self.node((False, index + 1, count)), EMPTY))
        elif self.chain.rest is not None:
            self.edges.append((self.number[place], self.node((True, index, min(count + 1, self.top))), self.chain.rest))

    def leave_member(self, place: Place) -> None:
        _, index, count = place
        chain, source = self.chain, self.number[place]
        if index == self.n_items and chain.rest is not None:
            more = Repeat(Seq((chain.separator, chain.rest)), max(0, chain.minimum - count), None if chain.maximum is None else chain.maximum - count)
            self.edges.append((source, END, more))
            return
        if count >= chain.minimum and index > self.last_required:
            self.edges.append((source, END, EMPTY))
        if index < self.n_items and (chain.maximum is None or count < chain.maximum):
            self.edges.append((source, self.node((False, index, count)), chain.separator))
