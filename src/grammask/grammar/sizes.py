"""How short the texts of an expression can be, and with it which parts can complete at all.

Rule: lengths are in bytes, a token without text counts as one, and what can never complete has no length.
Source: Knuth 1977, Dijkstra's algorithm for grammars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush
from typing import Any

from grammask.grammar.distinct import Distinct, Recorded
from grammask.grammar.expression import Alt, And, Automaton, Chain, Chars, Expression, Literal, Multiples, Ref, Repeat, Seq, Text, Token, Unordered
from grammask.grammar.free_text import FreeText, Marked
from grammask.grammar.multiples import shortest_length
from grammask.grammar.walk import bottom_up, parts_of

__all__ = ["shortest_lengths"]

Lengths = Mapping[Expression, int]


def shortest_lengths(roots: Iterable[Expression]) -> dict[Expression, int]:
    """The length of a shortest text of every node in the roots and the rules they lead to; what can never complete is left out.

    What And, Not and Text leave of their parts is not looked at: they count as short as their kind could be.
    Cost: linear, times the logarithm of the size; squared in the number of items of one Chain.
    """
    return _Search(roots).lengths


class _Search:
    """What leads to no rule is settled at once; other nodes settle in the order of their length, and are looked at when a part of them has."""

    def __init__(self, roots: Iterable[Expression]) -> None:
        self.lengths: dict[Expression, int] = {}
        self.heap: list[tuple[int, int, Expression]] = []
        self.above: dict[Expression, list[Expression]] = {}
        self.waiting: dict[Expression, int] = {}
        self.n_offers = 0
        for node in self._all(roots):
            self._settle(node)
        for node in self.waiting:
            open_parts = [part for part in dict.fromkeys(_below(node)) if part not in self.lengths]
            self.waiting[node] = len(open_parts)
            for part in open_parts:
                self.above.setdefault(part, []).append(node)
            self._offer(node)
        while self.heap:
            length, _, node = heappop(self.heap)
            if node not in self.lengths:
                self.lengths[node] = length
                for user in self.above.get(node, ()):
                    self.waiting[user] -= 1
                    self._offer(user)

    def _settle(self, node: Expression) -> None:
        """Settle a node below which there is no reference; others have to wait."""
        below = parts_of(node)
        if isinstance(node, Ref) or any(part in self.waiting for part in below):
            self.waiting[node] = 0
        elif not isinstance(node, Seq | And) or all(part in self.lengths for part in below):
            length = _length(node, self.lengths)
            if length is not None:
                self.lengths[node] = length

    def _all(self, roots: Iterable[Expression]) -> list[Expression]:
        bodies = dict.fromkeys(roots)
        nodes: dict[Expression, None] = {}
        for body in (order := list(bodies)):  # grows while it is read
            if body in nodes:
                continue
            for node in bottom_up([body]):
                if node not in nodes:
                    nodes[node] = None
                    if isinstance(node, Ref) and node.rule.body not in bodies:
                        bodies[node.rule.body] = None
                        order.append(node.rule.body)
        return list(nodes)

    def _offer(self, node: Expression) -> None:
        if node in self.lengths:
            return
        needs_all = isinstance(node, Seq | And | Ref)
        if needs_all and self.waiting[node]:
            return
        length = _length(node, self.lengths)
        if length is not None:
            self.n_offers += 1
            heappush(self.heap, (length, self.n_offers, node))


def _below(node: Expression) -> tuple[Expression, ...]:
    return (node.rule.body,) if isinstance(node, Ref) else parts_of(node)


def _length(node: Expression, lengths: Lengths) -> int | None:
    """From the lengths of the parts: all of them are known for Seq and And, the known ones count for others."""
    measure = _MEASURES.get(type(node))
    return measure(node, lengths) if measure is not None else 0


def _chars(node: Chars, _: Lengths) -> int | None:
    return len(chr(node.ranges[0][0]).encode()) if node.ranges else None


def _marked(node: Marked, lengths: Lengths) -> int | None:
    return min([len(text) + lengths[then] for text, then in node.cases if then in lengths], default=None)


def _free_text(node: FreeText, lengths: Lengths) -> int | None:
    """Behind a marker after which the text goes on there may be another one; that such a text is longer is all that matters."""
    ends = [len(stop.text) + lengths[stop.then] for stop in node.stops if stop.then is not None and not stop.again and stop.then in lengths]
    return 0 if node.ends_anywhere else min(ends, default=None)


def _repeated(node: Repeat, lengths: Lengths) -> int | None:
    length = lengths.get(node.part)
    if node.maximum is not None and node.maximum < node.minimum:
        return None
    if node.minimum == 0:
        return 0
    return None if length is None else length * node.minimum


def _chained(node: Chain | Unordered, lengths: Lengths) -> int | None:
    """Required items, and for a higher minimum the shortest others; where items must not be left out, that may be too short."""
    needed = [lengths.get(item, -1) for item, is_required in node.items if is_required]
    missing = max(0, node.minimum - len(needed))
    rest = None if node.rest is None else lengths.get(node.rest)
    free = sorted(lengths[item] for item, is_required in node.items if not is_required and item in lengths)
    chosen = [length for length in free if rest is None or length < rest][:missing]
    left = missing - len(chosen)
    n_members = len(needed) + missing
    if -1 in needed or (left and rest is None) or (n_members > 1 and node.separator not in lengths):
        return None
    return sum(needed) + sum(chosen) + left * (rest or 0) + max(0, n_members - 1) * lengths.get(node.separator, 0)


def _steps(node: Automaton, _lengths: Lengths) -> int | None:
    leaving: dict[int, list[int]] = {}
    for source, target, _, _ in node.edges:
        leaving.setdefault(source, []).append(target)
    reached = {0: 0}
    for state in (order := [0]):  # grows while it is read
        if state in node.ends:
            return reached[state]
        fresh = dict.fromkeys(target for target in leaving.get(state, ()) if target not in reached)
        reached |= dict.fromkeys(fresh, reached[state] + 1)
        order += fresh
    return None


_MEASURES: dict[type[Expression], Callable[[Any, Lengths], int | None]] = {  # of others, such as Not, the empty text may be one
    Alt: lambda node, lengths: min([lengths[part] for part in node.parts if part in lengths], default=None),
    And: lambda node, lengths: max([lengths[part] for part in node.parts], default=0),
    Automaton: _steps,
    Chain: _chained,
    Chars: _chars,
    Distinct: lambda node, lengths: lengths.get(node.body),
    FreeText: _free_text,
    Literal: lambda node, _: len(node.data),
    Marked: _marked,
    Recorded: lambda node, lengths: lengths.get(node.part),
    Multiples: lambda node, _: shortest_length(node),
    Ref: lambda node, lengths: lengths[node.rule.body],
    Repeat: _repeated,
    Seq: lambda node, lengths: sum([lengths[part] for part in node.parts]),
    Text: lambda node, _: node.minimum + 1,
    Token: lambda node, _: 1 if node.names or node.but else None,
    Unordered: _chained,
}
