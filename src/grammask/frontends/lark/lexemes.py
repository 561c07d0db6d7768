"""The lexemes of a terminal as languages: what a lexer takes for it, apart for each condition that it leaves on what follows.

Rule: a lexeme is in the language if and only if the lexer, having come to its first character, may give it this label and length; whether it
does then depends on what follows, and that is said by the pending conditions with which the lexeme ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from grammask.frontends.lark.program import Accept, Program
from grammask.frontends.lark.scanning import CLEAR, Pending, Scan, Scanner
from grammask.grammar.expression import NOTHING, Automaton, Chars, Expression, Literal, seq
from grammask.grammar.utf8 import byte_automaton

__all__ = ["Graph", "Kind", "explored", "expressions", "futures"]

MAX_REFINED = 400  # nodes

Edge = tuple[int, int, int]  # from, classes of characters, to
Trim = Callable[[Pending], Pending | None]


class Kind(NamedTuple):
    """How a terminal is lexed somewhere: the part of the lexer there that can have a say in it.

    label: the terminal.  is_gap: whether ignored text is meant.
    scanner: the terminals tried there, in order: itself, and those that come before it and may begin like it.
    unless: for terminals of `scanner`, the keywords that their texts are taken for, the first one first.
    gaps: those of `scanner` whose text is ignored.  keeps_rest: whether a lexeme must be as long as its pattern makes it in that text.
    """

    label: int
    is_gap: bool
    scanner: tuple[int, ...]
    unless: tuple[tuple[int, tuple[int, ...]], ...] = ()
    gaps: frozenset[int] = frozenset()
    keeps_rest: bool = True


class Graph(NamedTuple):
    """An automaton over classes of characters, node 0 the start; exits: node -> what is pending after a lexeme that ends there.

    Nodes have different futures and are numbered in the order in which a walk meets them, so equal languages have, as a rule, equal graphs.
    """

    edges: tuple[Edge, ...]
    exits: tuple[tuple[int, Pending], ...]


def explored(scanner: Scanner, kind: Kind, pending: Pending, trim: Trim) -> Graph:
    """The lexemes of a kind after what is pending. trim: what is left of a condition for what may follow; None: nothing can follow."""
    words = tuple(dict.fromkeys(word for _, keywords in kind.unless for word in keywords))
    starts = scanner.begin(kind.scanner, words, pending)
    number: dict[Scan, int] = {}
    order: list[Scan] = []
    edges: list[Edge] = []
    exits: dict[int, Pending] = {}

    def leave(node: int, scan: Scan) -> None:
        for mask, target in scanner.moves(scan):
            if target not in number:
                if not _may_become(scanner.program, kind, target):
                    continue
                number[target] = len(order) + 1
                order.append(target)
            edges.append((node, mask, number[target]))

    for start in starts:
        leave(0, start)
    for scan in order:  # grows while it is read
        if _ends(scanner.program, kind, scan):
            rest = trim(_after(kind, scan))
            if rest is not None:
                exits[number[scan]] = rest
        leave(number[scan], scan)
    return _normal(len(order) + 1, edges, exits)


def _may_become(program: Program, kind: Kind, scan: Scan) -> bool:
    """Whether the lexeme may still end as the kind's terminal."""
    owner, label = program.owner, kind.label
    return _ends(program, kind, scan) or any(owner[thread] == label for thread in (*scan.threads, *scan.words))


def _ends(program: Program, kind: Kind, scan: Scan) -> bool:
    """Whether a lexeme that ends here is one of the kind. Ignored text is ignored before it could be taken for a keyword."""
    if scan.accept < 0 or (scan.accept in kind.gaps) != kind.is_gap:
        return False
    ended = {program.owner[thread] for thread in scan.words if isinstance(program.steps[thread], Accept)}
    keywords = () if kind.is_gap else dict(kind.unless).get(scan.accept, ())
    return next((word for word in keywords if word in ended), scan.accept) == kind.label


def _after(kind: Kind, scan: Scan) -> Pending:
    """What is pending after a lexeme that ends here: threads of higher preference must not come to their end."""
    pending = scan.pending
    return pending._replace(forbidden=pending.forbidden.union(scan.threads)) if kind.keeps_rest else pending


def futures(scanner: Scanner, pending: Pending, following: int) -> Graph:
    """What may follow under a condition: an automaton over classes, with an exit where a text may end; the first character is one of `following`.

    Once nothing is pending anything may follow: such nodes have no edges, and an exit that says so. No exits: nothing may follow.
    """
    number: dict[Pending, int] = {}
    order: list[Pending] = []
    edges: list[Edge] = []
    exits: dict[int, Pending] = {}

    def leave(node: int, place: Pending, characters: int) -> None:
        for mask, target in scanner.pending_moves(place, characters):
            if target not in number:
                number[target] = len(order) + 1
                order.append(target)
            edges.append((node, mask, number[target]))

    if not pending.required:
        exits[0] = _MAY_END
    leave(0, pending, following)
    everything = (1 << len(scanner.program.classes)) - 1
    for place in order:  # grows while it is read
        if not place.required:
            exits[number[place]] = _MAY_END if place.forbidden else CLEAR
        if place.forbidden or place.required:
            leave(number[place], place, everything)
    return _normal(len(order) + 1, edges, exits)


_MAY_END = CLEAR._replace(behind=frozenset([-1]))  # a mark, different from CLEAR


# -- normal form


def _normal(n_nodes: int, edges: list[Edge], exits: dict[int, Pending]) -> Graph:
    """Only what leads to an exit, with nodes of equal futures merged."""
    useful = _leading_to(exits, edges) | {0}
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(n_nodes)]
    for source, mask, target in edges:
        if source in useful and target in useful:
            leaving[source].append((mask, target))
    block = _merged(useful, leaving, exits)
    number = {block[0]: 0}
    order = [0]
    numbered = []
    for node in order:  # grows while it is read
        first = {block[target]: target for _, target in leaving[node]}
        for name, mask in sorted(_onward(leaving[node], block).items(), key=lambda move: (move[1] & -move[1], move[1])):
            if name not in number:
                number[name] = len(order)
                order.append(first[name])
            numbered.append((number[block[node]], mask, number[name]))
    return Graph(tuple(numbered), tuple([(index, exits[node]) for index, node in enumerate(order) if node in exits]))


def _leading_to(seeds: Iterable[int], edges: list[Edge]) -> set[int]:
    preceding: dict[int, list[int]] = {}
    for source, _, target in edges:
        preceding.setdefault(target, []).append(source)
    reached = set(seeds)
    todo = list(reached)
    while todo:
        for node in preceding.get(todo.pop(), ()):
            if node not in reached:
                reached.add(node)
                todo.append(node)
    return reached


def _merged(nodes: Iterable[int], leaving: list[list[tuple[int, int]]], exits: Mapping[int, Pending]) -> dict[int, int]:
    """A name for each node, equal for nodes with equal futures.

    From the ends backwards that is told at once; among nodes on longer cycles, or before them, by refinement (Moore 1956) if they are few.
    """
    known, rest = _named_backwards(sorted(nodes), leaving, exits)
    if len(rest) > MAX_REFINED:
        return known | {node: len(known) + index for index, node in enumerate(rest)}
    block = {node: len(known) for node in rest}
    n_blocks = 0
    while n_blocks != len(set(block.values())):
        n_blocks = len(set(block.values()))
        named = known | block
        found = _named({node: (block[node], exits.get(node), frozenset(_onward(leaving[node], named).items())) for node in rest})
        block = {node: len(known) + name for node, name in found.items()}
    return known | block


def _named_backwards(nodes: list[int], leaving: list[list[tuple[int, int]]], exits: Mapping[int, Pending]) -> tuple[dict[int, int], list[int]]:
    """Names for the nodes that lead to no cycle but loops from a node to itself; and the other nodes."""
    entering: dict[int, set[int]] = {}
    for node in nodes:
        for _, target in leaving[node]:
            if target != node:
                entering.setdefault(target, set()).add(node)
    waiting = {node: len({target for _, target in leaving[node] if target != node}) for node in nodes}
    ready = [node for node in nodes if not waiting[node]]
    names: dict[object, int] = {}
    known: dict[int, int] = {}
    for node in ready:  # grows while it is read
        future = frozenset(_onward(leaving[node], known | {node: -1}).items() if len(leaving[node]) else ())
        known[node] = names.setdefault((exits.get(node), future), len(names))
        for source in entering.get(node, ()):
            waiting[source] -= 1
            if not waiting[source]:
                ready.append(source)
    return known, [node for node in nodes if node not in known]


def _onward(moves: list[tuple[int, int]], block: Mapping[int, int]) -> dict[int, int]:
    """Name of a block -> the classes of characters that lead to it."""
    onward: dict[int, int] = {}
    for mask, target in moves:
        onward[block[target]] = onward.get(block[target], 0) | mask
    return onward


def _named(signatures: Mapping[int, object]) -> dict[int, int]:
    names: dict[object, int] = {}
    return {node: names.setdefault(signature, len(names)) for node, signature in signatures.items()}


# -- expressions


def expressions(program: Program, graph: Graph) -> dict[Pending, Expression]:
    """For each condition with which lexemes of the graph end, their language."""
    ends: dict[Pending, set[int]] = {}
    for node, pending in graph.exits:
        ends.setdefault(pending, set()).add(node)
    return {pending: _expression(program, graph.edges, nodes) for pending, nodes in ends.items()}


def _expression(program: Program, edges: tuple[Edge, ...], ends: set[int]) -> Expression:
    useful = _leading_to(ends, list(edges))
    kept = [edge for edge in edges if edge[0] in useful and edge[2] in useful]
    return _chain(program, kept, ends) or _automaton(program, kept, ends)


def _chain(program: Program, edges: list[Edge], ends: set[int]) -> Expression | None:
    """A sequence of characters, if that is all."""
    onward = {source: (mask, target) for source, mask, target in edges}
    if len(onward) != len(edges) or len(ends) > 1:
        return None
    parts: list[Expression] = []
    node = 0
    while node in onward and len(parts) <= len(edges):
        mask, node = onward[node]
        parts.append(_one_of(program, mask))
    return seq(*parts) if len(parts) == len(edges) and node in ends else None


def _one_of(program: Program, mask: int) -> Expression:
    ranges = program.ranges_of(mask)
    return Literal(chr(ranges[0][0]).encode()) if len(ranges) == 1 and ranges[0][0] == ranges[0][1] else Chars(ranges)


def _automaton(program: Program, edges: list[Edge], ends: set[int]) -> Expression:
    """The automaton over the bytes of UTF-8.

    The bytes behind the first one of a character are written once for each set of characters beyond ASCII and each node they lead to: a
    terminal with many keywords has many nodes that take all the same letters.
    """
    n_nodes = 1 + max([0, *[max(source, target) for source, _, target in edges]])
    inside: dict[tuple[Chars, int], int] = {}  # -> number of the first inner node
    spelled = []
    for source, mask, target in edges:
        ascii_ranges, wide = program.spelling_of(mask)
        spelled += [(source, target, low, high) for low, high in ascii_ranges]
        if wide is None:
            continue
        n_inner, template = byte_automaton(wide)
        if (wide, target) not in inside:
            inside[wide, target] = n_nodes - 2
            spelled += [(n_nodes + a - 2, target if b == 1 else n_nodes + b - 2, low, high) for a, b, low, high in template if a]
            n_nodes += n_inner - 2
        first = inside[wide, target]
        spelled += [(source, first + b, low, high) for a, b, low, high in template if not a]
    return Automaton(spelled, ends) if ends else NOTHING
