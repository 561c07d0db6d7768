"""Automata over characters in their normal form, and the operations that make one of others.

Rule: an automaton here has no epsilon edges, and every node of it can be reached and leads to an end (no nodes: the empty language).
Between two nodes there is one arc at most, which carries a set of characters; sets are hash-consed, so comparing them costs nothing.
Work is counted, so that a hostile pattern stops with a LimitError after a fraction of a second.
Source: Rabin and Scott 1959 for products and subsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Any

from grammask.errors import LimitError
from grammask.grammar.expression import ANY_CHARACTER, Chars

__all__ = ["ALL_STRINGS", "UNICODE", "Arc", "CharacterAutomaton", "Work", "common", "complement", "given_automaton", "normal_automaton", "numbered_automaton"]

Arc = tuple[int, int, Chars]  # from, to, any one of these characters
Ranges = tuple[tuple[int, int], ...]

MAX_WORK = 400_000  # nodes, arcs and ranges handled for one language, in all stages together; some 0.4 s
UNICODE = ANY_CHARACTER.ranges
MAX_MERGES = 4


@dataclass(frozen=True, slots=True)
class CharacterAutomaton:
    """Strings that lead from a start to an end. Nodes are numbered in the order in which a walk from the starts meets them, arcs are sorted by them."""

    n_nodes: int
    arcs: tuple[Arc, ...]
    starts: tuple[int, ...]
    ends: frozenset[int]

    def leaving(self) -> list[list[tuple[int, int, int]]]:
        """For each node its arcs, range by range, as (to, low, high)."""
        return [[(target, low, high) for target, chars in arcs for low, high in chars.ranges] for arcs in self.arcs_leaving()]

    def arcs_leaving(self) -> list[list[tuple[int, Chars]]]:
        """For each node its arcs as (to, characters)."""
        out: list[list[tuple[int, Chars]]] = [[] for _ in range(self.n_nodes)]
        for source, target, chars in self.arcs:
            out[source].append((target, chars))
        return out


ALL_STRINGS = CharacterAutomaton(1, ((0, 0, ANY_CHARACTER),), (0,), frozenset((0,)))


class Work:
    """Counts what is made; raises LimitError past the bound."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAX_WORK

    def spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise LimitError("the size of a pattern's automaton", None, MAX_WORK, "use smaller counts or fewer alternatives")


def normal_automaton(arcs: Iterable[Arc], starts: Iterable[int], ends: set[int], *, is_merged: bool = False) -> CharacterAutomaton:
    """The normal form: useful nodes only, arcs between the same nodes joined, equal futures merged, numbered by first visit.

    is_merged: no two arcs join the same nodes, and merging is not worth its time.
    """
    arcs = list(dict.fromkeys(arcs))
    useful = _spread(starts, arcs, 0, 1) & _spread(ends, arcs, 1, 0)
    arcs = [arc for arc in arcs if arc[0] in useful and arc[1] in useful]
    arcs, names = (arcs, {}) if is_merged else _merged_futures(_joined(arcs), ends & useful)
    first = [names.get(node, node) for node in starts if node in useful]
    last = {names.get(node, node) for node in ends & useful}
    return _numbered(arcs, list(dict.fromkeys(first)), last)


def given_automaton(arcs: list[Arc], ends: AbstractSet[int]) -> CharacterAutomaton:
    """The normal form of arcs from node 0 to the ends, no two between the same nodes, merged as far as is worth it; it may be that already."""
    last = 0
    before = (-1, -1)
    for arc in arcs:
        source, target, _ = arc
        if arc[:2] <= before or source > last or target > last + 1:
            break
        before = arc[:2]
        last = max(last, target)
    else:
        if len(_spread(ends, arcs, 1, 0)) == last + 1:
            return CharacterAutomaton(last + 1, tuple(arcs), (0,), frozenset(ends))
    return normal_automaton(arcs, [0], set(ends), is_merged=True)


def numbered_automaton(leaving: Callable[[int], tuple[bool, dict[int, Chars]]], start: int) -> CharacterAutomaton:
    """The normal form of what a start leads to; `leaving` tells of a node whether it is an end, and its moves. All must be useful and merged."""
    number, order = {start: 0}, [start]
    arcs: list[Arc] = []
    ends = []
    for source, node in enumerate(order):  # grows while it is read
        is_end, moves = leaving(node)
        if is_end:
            ends.append(source)
        for target, chars in moves.items():
            to = number.setdefault(target, len(order))
            if to == len(order):
                order.append(target)
            arcs.append((source, to, chars))
    arcs.sort(key=itemgetter(0, 1))
    return CharacterAutomaton(len(order), tuple(arcs), (0,), frozenset(ends))


def _spread(seeds: Iterable[int], arcs: list[Arc], source: int, target: int) -> set[int]:
    """What can be reached from the seeds along the arcs, or against them (source=1, target=0)."""
    following: dict[Any, list[Any]] = {}
    for arc in arcs:
        following.setdefault(arc[source], []).append(arc[target])
    reached = set(seeds)
    todo = list(reached)
    while todo:
        for node in following.get(todo.pop(), ()):
            if node not in reached:
                reached.add(node)
                todo.append(node)
    return reached


def _joined(arcs: list[Arc]) -> list[Arc]:
    """One arc between two nodes, with the union of the sets."""
    sets: dict[tuple[int, int], list[Chars]] = {}
    for source, target, chars in arcs:
        sets.setdefault((source, target), []).append(chars)
    if len(sets) == len(arcs):
        return arcs
    return [(*pair, parts[0] if len(parts) == 1 else Chars([one for part in parts for one in part.ranges])) for pair, parts in sets.items()]


def _merged_futures(arcs: list[Arc], ends: set[int]) -> tuple[list[Arc], dict[int, int]]:
    """Merge nodes with equal futures; gives the arcs that stay, and the node that stands for each one that went.

    From the ends backwards all such nodes are found, loops from a node to itself included; where nodes lie on longer cycles, or
    before them, a few rounds find most.
    """
    leaving: dict[int, list[tuple[int, Chars]]] = {node: [] for node in ends}
    entering: dict[int, list[int]] = {}
    for source, target, chars in arcs:
        leaving.setdefault(source, []).append((target, chars))
        entering.setdefault(target, []).append(source)
    waiting = {node: sum([target != node for target, _ in outgoing]) for node, outgoing in leaving.items()}
    ready = [node for node in sorted(leaving) if not waiting[node]]
    names: dict[int, int] = {}
    by_future: dict[tuple[bool, frozenset[tuple[int, Chars]]], int] = {}
    for node in ready:  # grows while it is read
        future = _future(node, leaving[node], names)
        kept = by_future.setdefault((node in ends, future), node)
        if kept != node:
            names[node] = kept
        elif any(target == node for target, _ in leaving[node]):  # the same future as seen by a node that leads into the loop
            by_future[node in ends, frozenset([(node if name == -1 else name, chars) for name, chars in future])] = node
        for source in entering.get(node, ()):
            waiting[source] -= source != node
            if source != node and not waiting[source]:
                ready.append(source)
    if names:
        arcs = _renamed(arcs, names)
    for _ in range(MAX_MERGES if len(ready) < len(leaving) else 0):
        same = _same_now(arcs, {names.get(node, node) for node in ends})
        if not same:
            break
        arcs = _renamed(arcs, same)
        names = {**{old: same.get(new, new) for old, new in names.items()}, **same}
    return arcs, names


def _future(node: int, leaving: list[tuple[int, Chars]], names: dict[int, int]) -> frozenset[tuple[int, Chars]]:
    """Where a node leads, by the names of nodes that stay; -1 is the node itself."""
    future: dict[int, Chars] = {}
    for target, chars in leaving:
        name = -1 if target == node else names.get(target, target)
        future[name] = chars if name not in future else Chars(future[name].ranges + chars.ranges)
    return frozenset(future.items())


def _same_now(arcs: list[Arc], ends: set[int]) -> dict[int, int]:
    """Nodes whose arcs and acceptance are equal as they stand, and the first node of the kind."""
    leaving: dict[int, list[tuple[int, Chars]]] = {node: [] for node in ends}
    for source, target, chars in arcs:
        leaving.setdefault(source, []).append((target, chars))
    by_future: dict[tuple[bool, frozenset[tuple[int, Chars]]], int] = {}
    same = {}
    for node in sorted(leaving):
        kept = by_future.setdefault((node in ends, frozenset(leaving[node])), node)
        if kept != node:
            same[node] = kept
    return same


def _renamed(arcs: list[Arc], names: dict[int, int]) -> list[Arc]:
    return _joined(list(dict.fromkeys([(source, names.get(target, target), chars) for source, target, chars in arcs if source not in names])))


def _numbered(arcs: list[Arc], starts: list[int], ends: set[int]) -> CharacterAutomaton:
    """Numbers in the order in which a breadth-first walk meets the nodes, so that equal constructions give equal automata."""
    leaving: dict[int, list[int]] = {}
    for source, target, _ in arcs:
        leaving.setdefault(source, []).append(target)
    number = {node: index for index, node in enumerate(starts)}
    order = list(starts)
    for node in order:  # grows while it is read
        for target in leaving.get(node, ()):
            if target not in number:
                number[target] = len(order)
                order.append(target)
    renamed = sorted([(number[source], number[target], chars) for source, target, chars in arcs], key=lambda arc: arc[:2])
    return CharacterAutomaton(len(order), tuple(renamed), tuple(range(len(starts))), frozenset(number[node] for node in ends))


def common(automata: list[CharacterAutomaton], work: Work) -> CharacterAutomaton:
    """The strings that all of the automata take; no automata: all strings."""
    result = automata[0] if automata else ALL_STRINGS
    for other in automata[1:]:
        result = _product(result, other, work)
    return result


def _product(one: CharacterAutomaton, other: CharacterAutomaton, work: Work) -> CharacterAutomaton:
    left, right = one.arcs_leaving(), other.arcs_leaving()
    order = [(a, b) for a in one.starts for b in other.starts]
    number = {pair: index for index, pair in enumerate(order)}
    known: dict[tuple[Chars, Chars], Chars] = {}
    arcs: list[Arc] = []
    for a, b in order:  # grows while it is read
        work.spend(len(left[a]) * len(right[b]) + 1)
        for to_a, chars_a in left[a]:
            for to_b, chars_b in right[b]:
                both = known.get((chars_a, chars_b))
                if both is None:
                    work.spend(len(chars_a.ranges) + len(chars_b.ranges))
                    both = known[chars_a, chars_b] = Chars(_overlaps(chars_a.ranges, chars_b.ranges))
                if both.ranges:
                    target = number.setdefault((to_a, to_b), len(order))
                    if target == len(order):
                        order.append((to_a, to_b))
                    arcs.append((number[a, b], target, both))
    ends = {index for index, (a, b) in enumerate(order) if a in one.ends and b in other.ends}
    return normal_automaton(arcs, range(len(one.starts) * len(other.starts)), ends)


def _overlaps(one: Ranges, other: Ranges) -> list[tuple[int, int]]:
    """What two sorted lists of ranges have in common."""
    found = []
    at_one = at_other = 0
    while at_one < len(one) and at_other < len(other):
        low, high = max(one[at_one][0], other[at_other][0]), min(one[at_one][1], other[at_other][1])
        if low <= high:
            found.append((low, high))
        if one[at_one][1] < other[at_other][1]:
            at_one += 1
        else:
            at_other += 1
    return found


def complement(automaton: CharacterAutomaton, work: Work) -> CharacterAutomaton:
    """The strings of characters (no surrogates) that the automaton does not take, by subsets of its nodes."""
    leaving = automaton.arcs_leaving()
    number: dict[frozenset[int], int] = {frozenset(automaton.starts): 0}
    order = list(number)
    arcs: list[Arc] = []
    for subset in order:  # grows while it is read
        steps = _subset_steps([move for node in subset for move in leaving[node]], work)
        for target, ranges in steps.items():
            to = number.setdefault(target, len(order))
            if to == len(order):
                order.append(target)
            arcs.append((number[subset], to, Chars(ranges)))
    ends = {index for index, subset in enumerate(order) if not subset & automaton.ends}
    return normal_automaton(arcs, [0], ends)


def _subset_steps(moves: list[tuple[int, Chars]], work: Work) -> dict[frozenset[int], list[tuple[int, int]]]:
    """For each set of nodes (maybe the empty one) that some characters lead to by these moves, the ranges of those characters."""
    targets = [target for target, _ in moves]
    if len(set(targets)) < len(targets):
        return _cut(moves, work)
    spent, pieces = _cut_by(tuple([chars for _, chars in moves]))
    work.spend(spent)
    return {frozenset([targets[index] for index in subset]): ranges for subset, ranges in pieces}


@lru_cache(maxsize=1024)
def _cut_by(sets: tuple[Chars, ...]) -> tuple[int, list[tuple[frozenset[int], list[tuple[int, int]]]]]:
    """What `_cut` gives where sets of characters lead to nodes of their own, numbered in order, and the work of it: most nodes are alike."""
    work = Work()
    steps = _cut(list(enumerate(sets)), work)
    return MAX_WORK - work.left, list(steps.items())


def _cut(moves: list[tuple[int, Chars]], work: Work) -> dict[frozenset[int], list[tuple[int, int]]]:
    changes: dict[int, dict[int, int]] = {point: {} for low, high in UNICODE for point in (low, high + 1)}
    for target, chars in moves:
        work.spend(len(chars.ranges))
        for low, high in chars.ranges:
            for point, change in ((low, 1), (high + 1, -1)):
                at_point = changes.setdefault(point, {})
                at_point[target] = at_point.get(target, 0) + change
    active: dict[int, int] = {}
    steps: dict[frozenset[int], list[tuple[int, int]]] = {}
    for low, after in pairwise(sorted(changes)):
        for target, change in changes[low].items():
            active[target] = active.get(target, 0) + change
            if not active[target]:
                del active[target]
        work.spend(len(active) + 1)
        if not 0xD800 <= low <= 0xDFFF:
            steps.setdefault(frozenset(active), []).append((low, after - 1))
    return steps
