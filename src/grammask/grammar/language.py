"""Regular expressions over characters as automata over code points, for texts whose spelling is somebody else's matter.

Rule: an automaton here has no epsilon edges, and every node of it can be reached and leads to an end (none at all: the empty language).
Work is counted, so that a hostile pattern stops with a LimitError after a fraction of a second.
Sources: Thompson 1968 for the construction, Rabin and Scott 1959 for products and subsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from grammask.errors import LimitError, UnsupportedFeatureError
from grammask.grammar.expression import MAX_CODE_POINT, Alt, And, Chars, Expression, Literal, Not, Repeat, Seq
from grammask.grammar.repetition import loop_parts, normal_repeat

__all__ = ["UNICODE", "CharacterAutomaton", "character_automaton", "restricted"]

Edge = tuple[int, int, int, int]  # from, to, lowest and highest code point

MAX_WORK = 400_000  # nodes and edges made for one language, in all stages together; some 0.4 s
PER_CONDITION = 100  # what each And and Not counts besides
UNICODE = ((0, 0xD7FF), (0xE000, MAX_CODE_POINT))


@dataclass(frozen=True, slots=True)
class CharacterAutomaton:
    """Strings that lead from a start to an end. Edges are sorted; two between the same nodes neither overlap nor touch."""

    n_nodes: int
    edges: tuple[Edge, ...]
    starts: tuple[int, ...]
    ends: frozenset[int]

    def leaving(self) -> list[list[tuple[int, int, int]]]:
        """For each node its edges as (to, low, high)."""
        out: list[list[tuple[int, int, int]]] = [[] for _ in range(self.n_nodes)]
        for source, target, low, high in self.edges:
            out[source].append((target, low, high))
        return out


class Work:
    """Counts what is made; raises LimitError past the bound."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAX_WORK

    def spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise LimitError("the size of a pattern's automaton", None, MAX_WORK, "use smaller counts or fewer alternatives")


def character_automaton(language: Expression) -> CharacterAutomaton:
    """The automaton of a regular expression over characters.

    Raises UnsupportedFeatureError for what is not one (Ref, Text, Token, bytes that are no UTF-8), LimitError if it grows too large.
    Cost: a few us per node for what has neither And nor Not; each And multiplies sizes and each Not may raise one to a power.
    """
    work = Work()
    built: dict[Expression, CharacterAutomaton] = {}
    for node in _conditions(language):
        work.spend(PER_CONDITION)
        parts = node.parts if isinstance(node, And) else (node.part,)
        automata = [_Construction(work, built).automaton(part) for part in parts]
        built[node] = _common(automata, work) if isinstance(node, And) else _complement(automata[0], work)
    return built[language] if language in built else _Construction(work, built).automaton(language)


def restricted(automaton: CharacterAutomaton, characters: tuple[tuple[int, int], ...]) -> CharacterAutomaton:
    """The strings of the automaton that hold only these characters. Raises LimitError."""
    return _product(automaton, CharacterAutomaton(1, tuple((0, 0, low, high) for low, high in characters), (0,), frozenset((0,))), Work())


def _conditions(language: Expression) -> list[And | Not]:
    """All And and Not nodes of the expression, inner ones first."""
    found: list[And | Not] = []
    work: list[tuple[Expression, bool]] = [(language, False)]
    seen: set[Expression] = set()
    while work:
        node, is_done = work.pop()
        if is_done and isinstance(node, And | Not):
            found.append(node)
        elif node not in seen:
            seen.add(node)
            if isinstance(node, And | Not):
                work.append((node, True))
            if isinstance(node, Seq | Alt | And):
                work += [(part, False) for part in node.parts if type(part) is not Literal]
            elif isinstance(node, Repeat | Not):
                work.append((node.part, False))
    return found


class _Construction:
    """One Thompson construction: nodes 0 (start) and 1 (end), edges over characters, edges over nothing.

    Fragments are built between two given nodes and add no edge into the first nor out of the second.
    """

    def __init__(self, work: Work, built: dict[Expression, CharacterAutomaton]) -> None:
        self.work, self.built = work, built
        self.n_nodes = 2
        self.edges: list[Edge] = []
        self.skips: list[tuple[int, int]] = []
        self.todo: list[tuple[Expression, int, int]] = []

    def automaton(self, language: Expression) -> CharacterAutomaton:
        self.todo.append((language, 0, 1))
        while self.todo:
            node, start, end = self.todo.pop()
            if node in self.built:
                self._embed(self.built[node], start, end)
                continue
            build = _BUILD.get(type(node))
            if build is None:
                raise UnsupportedFeatureError(f"{type(node).__name__} inside a pattern of characters", "only regular expressions over characters can be")
            build(self, node, start, end)
        return _without_skips(self.n_nodes, self.edges, self.skips, self.work)

    def new_node(self) -> int:
        self.work.spend(1)
        self.n_nodes += 1
        return self.n_nodes - 1

    def skip(self, start: int, end: int) -> None:
        self.work.spend(1)
        if start != end:
            self.skips.append((start, end))

    def spell(self, text: str, start: int, end: int) -> None:
        """Edges for a text of at least one character."""
        self.work.spend(len(text))
        for character in text[:-1]:
            node = self.new_node()
            self.edges.append((start, node, ord(character), ord(character)))
            start = node
        self.edges.append((start, end, ord(text[-1]), ord(text[-1])))

    def literal(self, node: Literal, start: int, end: int) -> None:
        text = _decoded(node.data)
        self.spell(text, start, end) if text else self.skip(start, end)

    def chars(self, node: Chars, start: int, end: int) -> None:
        self.work.spend(len(node.ranges))
        self.edges += [(start, end, low, high) for low, high in node.ranges]

    def seq(self, node: Seq, start: int, end: int) -> None:
        if not node.parts:
            self.skip(start, end)
            return
        for part in node.parts[:-1]:
            middle = self.new_node()
            self.todo.append((part, start, middle))
            start = middle
        self.todo.append((node.parts[-1], start, end))

    def alt(self, node: Alt, start: int, end: int) -> None:
        self.work.spend(len(node.parts))
        texts = [_decoded(part.data) for part in node.parts if isinstance(part, Literal)]
        ranges = [one for part in node.parts if isinstance(part, Chars) for one in part.ranges]
        ranges += [(ord(text), ord(text)) for text in texts if len(text) == 1]
        self.chars(Chars(ranges), start, end)
        self._trie([text for text in texts if len(text) != 1], start, end)
        self.todo += [(part, start, end) for part in node.parts if type(part) is not Literal and type(part) is not Chars]

    def _trie(self, texts: list[str], start: int, end: int) -> None:
        """Any one of the texts, with common beginnings shared."""
        steps: dict[tuple[int, str], int] = {}
        for text in texts:
            node = start
            for character in text[:-1]:
                target = steps.get((node, character))
                if target is None:
                    target = steps[node, character] = self.new_node()
                    self.edges.append((node, target, ord(character), ord(character)))
                node = target
            self.spell(text[-1], node, end) if text else self.skip(start, end)

    def repeat(self, node: Repeat, start: int, end: int) -> None:
        part, minimum, maximum = normal_repeat(node)
        for _ in range(minimum):
            middle = self.new_node()
            self.todo.append((part, start, middle))
            start = middle
        if maximum is None:
            start = self._loop(part, start)
        for _ in range(0 if maximum is None else maximum - minimum):
            self.skip(start, end)
            middle = self.new_node()
            self.todo.append((part, start, middle))
            start = middle
        self.skip(start, end)

    def _loop(self, part: Expression, start: int) -> int:
        hub = self.new_node()
        self.skip(start, hub)
        self.todo += [(piece, hub, hub) for piece in loop_parts(part)]
        return hub

    def _embed(self, automaton: CharacterAutomaton, start: int, end: int) -> None:
        first = self.n_nodes
        self.work.spend(automaton.n_nodes + len(automaton.edges))
        self.n_nodes += automaton.n_nodes
        self.edges += [(first + source, first + target, low, high) for source, target, low, high in automaton.edges]
        self.skips += [(start, first + node) for node in automaton.starts]
        self.skips += [(first + node, end) for node in automaton.ends]


_BUILD: dict[type, Callable[[_Construction, Any, int, int], None]] = {
    Literal: _Construction.literal,
    Chars: _Construction.chars,
    Seq: _Construction.seq,
    Alt: _Construction.alt,
    Repeat: _Construction.repeat,
}


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UnsupportedFeatureError(f"the bytes {data!r} inside a pattern of characters", "they are not UTF-8") from error


def _without_skips(n_nodes: int, edges: list[Edge], skips: list[tuple[int, int]], work: Work) -> CharacterAutomaton:
    """The same language without edges over nothing: only the start and the targets of characters stay."""
    leaving: list[list[tuple[int, int, int]]] = [[] for _ in range(n_nodes)]
    for source, target, low, high in edges:
        leaving[source].append((target, low, high))
    skipping: dict[int, list[int]] = {}
    for source, target in skips:
        skipping.setdefault(source, []).append(target)
    kept: list[Edge] = []
    ends = set()
    for node in {0, *(edge[1] for edge in edges)}:
        reached = _skip_closure(node, skipping)
        if 1 in reached:
            ends.add(node)
        for inner in reached:
            work.spend(len(leaving[inner]) + 1)
            kept += [(node, target, low, high) for target, low, high in leaving[inner]]
    return _trimmed(kept, [0], ends)


def _skip_closure(node: int, skipping: dict[int, list[int]]) -> Iterable[int]:
    if node not in skipping:
        return (node,)
    reached = {node}
    todo = [node]
    while todo:
        for target in skipping.get(todo.pop(), ()):
            if target not in reached:
                reached.add(target)
                todo.append(target)
    return sorted(reached)


def _trimmed(edges: list[Edge], starts: Iterable[int], ends: set[int]) -> CharacterAutomaton:
    """Useful nodes only, equal futures merged, numbered in order of first visit, edges in normal form."""
    useful = _spread(starts, edges, 0, 1) & _spread(ends, edges, 1, 0)
    edges = [edge for edge in edges if edge[0] in useful and edge[1] in useful]
    edges, names = _merged_futures(edges, ends & useful)
    first = [names.get(node, node) for node in starts if node in useful]
    last = {names.get(node, node) for node in ends & useful}
    return _numbered(_joined(edges), list(dict.fromkeys(first)), last)


def _spread(seeds: Iterable[int], edges: list[Edge], source: int, target: int) -> set[int]:
    """What can be reached from the seeds along the edges, or against them (source=1, target=0)."""
    following: dict[int, list[int]] = {}
    for edge in edges:
        following.setdefault(edge[source], []).append(edge[target])
    reached = set(seeds)
    todo = list(reached)
    while todo:
        for node in following.get(todo.pop(), ()):
            if node not in reached:
                reached.add(node)
                todo.append(node)
    return reached


def _merged_futures(edges: list[Edge], ends: set[int]) -> tuple[list[Edge], dict[int, int]]:
    """Merge nodes with the same edges and the same acceptance, up to four rounds: `x*` becomes one node, equal tails one tail."""
    names: dict[int, int] = {}
    for _ in range(4):
        leaving: dict[int, list[tuple[int, int, int]]] = {node: [] for node in ends}
        for source, target, low, high in edges:
            leaving.setdefault(source, []).append((target, low, high))
        by_future: dict[tuple[Any, ...], int] = {}
        same = {}
        for node in sorted(leaving):
            kept = by_future.setdefault((node in ends, *sorted(set(leaving[node]))), node)
            if kept != node:
                same[node] = kept
        if not same:
            break
        edges = [(source, same.get(target, target), low, high) for source, target, low, high in edges if source not in same]
        ends = {same.get(node, node) for node in ends}
        names = {**{old: same.get(new, new) for old, new in names.items()}, **same}
    return edges, names


def _joined(edges: list[Edge]) -> list[Edge]:
    """Sorted; ranges between the same two nodes joined where they overlap or touch."""
    joined: list[Edge] = []
    for source, target, low, high in sorted(edges):
        if joined and joined[-1][:2] == (source, target) and low <= joined[-1][3] + 1:
            joined[-1] = (source, target, joined[-1][2], max(high, joined[-1][3]))
        else:
            joined.append((source, target, low, high))
    return joined


def _numbered(edges: list[Edge], starts: list[int], ends: set[int]) -> CharacterAutomaton:
    """Nodes renumbered in the order in which a breadth-first walk meets them, so that equal constructions give equal automata."""
    leaving: dict[int, list[tuple[int, int, int]]] = {}
    for source, target, low, high in edges:
        leaving.setdefault(source, []).append((target, low, high))
    number = {node: index for index, node in enumerate(starts)}
    order = list(starts)
    for node in order:  # grows while it is read
        for target, _, _ in leaving.get(node, ()):
            if target not in number:
                number[target] = len(order)
                order.append(target)
    renamed = sorted((number[source], number[target], low, high) for source, target, low, high in edges)
    return CharacterAutomaton(len(order), tuple(renamed), tuple(range(len(starts))), frozenset(number[node] for node in ends))


def _common(automata: list[CharacterAutomaton], work: Work) -> CharacterAutomaton:
    """The strings that all of the automata take; no automata: all strings."""
    if not automata:
        return CharacterAutomaton(1, tuple((0, 0, low, high) for low, high in UNICODE), (0,), frozenset((0,)))
    result = automata[0]
    for other in automata[1:]:
        result = _product(result, other, work)
    return result


def _product(one: CharacterAutomaton, other: CharacterAutomaton, work: Work) -> CharacterAutomaton:
    left, right = one.leaving(), other.leaving()
    order = [(a, b) for a in one.starts for b in other.starts]
    number = {pair: index for index, pair in enumerate(order)}
    edges: list[Edge] = []
    for a, b in order:  # grows while it is read
        work.spend(len(left[a]) * len(right[b]) + 1)
        for to_a, low_a, high_a in left[a]:
            for to_b, low_b, high_b in right[b]:
                low, high = max(low_a, low_b), min(high_a, high_b)
                if low <= high:
                    target = number.setdefault((to_a, to_b), len(order))
                    if target == len(order):
                        order.append((to_a, to_b))
                    edges.append((number[a, b], target, low, high))
    ends = {index for index, (a, b) in enumerate(order) if a in one.ends and b in other.ends}
    return _trimmed(edges, range(len(one.starts) * len(other.starts)), ends)


def _complement(automaton: CharacterAutomaton, work: Work) -> CharacterAutomaton:
    """The strings of characters (no surrogates) that the automaton does not take, by subsets of its nodes."""
    leaving = automaton.leaving()
    number: dict[frozenset[int], int] = {frozenset(automaton.starts): 0}
    order = list(number)
    edges: list[Edge] = []
    for subset in order:  # grows while it is read
        steps = _subset_steps(subset, leaving)
        work.spend(len(steps) + sum(len(target) for _, _, target in steps) + 1)
        for low, high, target in steps:
            to = number.setdefault(target, len(order))
            if to == len(order):
                order.append(target)
            edges.append((number[subset], to, low, high))
    ends = {index for index, subset in enumerate(order) if not subset & automaton.ends}
    return _trimmed(edges, [0], ends)


def _subset_steps(subset: frozenset[int], leaving: list[list[tuple[int, int, int]]]) -> list[tuple[int, int, frozenset[int]]]:
    """All characters, cut into ranges on each of which the subset has one successor set (maybe an empty one)."""
    moves = [move for node in subset for move in leaving[node]]
    cuts = sorted({low for low, _ in UNICODE} | {high + 1 for _, high in UNICODE} | {low for _, low, _ in moves} | {high + 1 for _, _, high in moves})
    opening: dict[int, list[int]] = {}
    closing: dict[int, list[int]] = {}
    for target, low, high in moves:
        opening.setdefault(low, []).append(target)
        closing.setdefault(high + 1, []).append(target)
    active: dict[int, int] = {}
    steps: list[tuple[int, int, frozenset[int]]] = []
    for low, after in pairwise(cuts):
        for target in opening.get(low, ()):
            active[target] = active.get(target, 0) + 1
        for target in closing.get(low, ()):
            active[target] -= 1
            if not active[target]:
                del active[target]
        if not 0xD800 <= low <= 0xDFFF:
            steps.append((low, after - 1, frozenset(active)))
    return steps
