"""Automata over bytes as graphs over the characters that the bytes spell.

Rule: bytes that lead into the middle of a character, or to what is no character (overlong forms, surrogates), are an error: no notation of
characters can say them. Source: RFC 3629.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grammask.errors import UnsupportedFeatureError
from grammask.grammar.expression import Automaton, Chars
from grammask.grammar.notation.graph import Edge, Graph

__all__ = ["character_graph"]

# First bytes of characters: low, high, bits of the character in them, bytes that follow, the least second byte, the greatest.
LEADS = (
    (0x00, 0x7F, 0x7F, 0, 0x80, 0xBF),
    (0xC2, 0xDF, 0x1F, 1, 0x80, 0xBF),
    (0xE0, 0xE0, 0x0F, 2, 0xA0, 0xBF),
    (0xE1, 0xEC, 0x0F, 2, 0x80, 0xBF),
    (0xED, 0xED, 0x0F, 2, 0x80, 0x9F),
    (0xEE, 0xEF, 0x0F, 2, 0x80, 0xBF),
    (0xF0, 0xF0, 0x07, 3, 0x90, 0xBF),
    (0xF1, 0xF3, 0x07, 3, 0x80, 0xBF),
    (0xF4, 0xF4, 0x07, 3, 0x80, 0x8F),
)

ByteEdges = Mapping[int, Sequence[tuple[int, int, int]]]  # from a node: (to, low, high)
Span = tuple[int, int]


def character_graph(automaton: Automaton) -> Graph:
    """The same texts, each edge a set of characters. Raises UnsupportedFeatureError where some of the byte strings are no texts.

    Cost: for each node between characters the bytes that lead out of it, and for each of those the bytes that may follow.
    """
    leaving = _useful(automaton)
    edges: list[Edge] = []
    order = [0]
    seen = {0}
    for node in order:  # grows while it is read
        sets: dict[int, list[Span]] = {}
        for target, low, high in _steps(node, leaving, automaton.ends):
            sets.setdefault(target, []).append((low, high))
        edges += [(node, target, Chars(spans)) for target, spans in sets.items()]
        order += [target for target in sets if target not in seen]
        seen.update(sets)
    return Graph(edges, [0], [node for node in order if node in automaton.ends])


def _useful(automaton: Automaton) -> ByteEdges:
    """The edges from which an end can be reached."""
    entering: dict[int, list[int]] = {}
    for source, target, _, _ in automaton.edges:
        entering.setdefault(target, []).append(source)
    alive = set(automaton.ends)
    work = list(alive)
    while work:
        fresh = [source for source in entering.get(work.pop(), ()) if source not in alive]
        alive.update(fresh)
        work += fresh
    leaving: dict[int, list[tuple[int, int, int]]] = {}
    for source, target, low, high in automaton.edges:
        if target in alive:
            leaving.setdefault(source, []).append((target, low, high))
    return leaving


def _steps(node: int, leaving: ByteEdges, ends: frozenset[int]) -> Iterator[tuple[int, int, int]]:
    """Where single characters lead from a node: (to, first character, last character)."""
    for target, low, high in leaving.get(node, ()):
        n_seen = 0
        for first, last, bits, n_more, least, greatest in LEADS:
            begin, end = max(low, first), min(high, last)
            if begin > end:
                continue
            n_seen += end - begin + 1
            for behind, start, stop in _rest(target, leaving, ends, n_more, (least, greatest)):
                yield from ((behind, *span) for span in _joined((begin & bits, end & bits), (start, stop), n_more))
        if n_seen < high - low + 1:
            raise _no_text(low, high)


def _rest(node: int, leaving: ByteEdges, ends: frozenset[int], n_more: int, bounds: Span) -> Iterator[tuple[int, int, int]]:
    """Where so many more bytes of a character lead from a node inside it, with the bits that they hold."""
    if n_more == 0:
        yield node, 0, 0
        return
    if node in ends:
        raise _no_text(*bounds)
    for target, low, high in leaving.get(node, ()):
        if low < bounds[0] or high > bounds[1]:
            raise _no_text(low, high)
        for behind, start, stop in _rest(target, leaving, ends, n_more - 1, (0x80, 0xBF)):
            yield from ((behind, *span) for span in _joined((low & 0x3F, high & 0x3F), (start, stop), n_more - 1))


def _joined(first: Span, rest: Span, n_bytes: int) -> Iterator[Span]:
    """The numbers whose upper bits are in one span and whose lower bits, six a byte, are in another."""
    size = 1 << 6 * n_bytes
    if rest == (0, size - 1):
        yield first[0] * size, first[1] * size + rest[1]
        return
    for upper in range(first[0], first[1] + 1):
        yield upper * size + rest[0], upper * size + rest[1]


def _no_text(low: int, high: int) -> UnsupportedFeatureError:
    return UnsupportedFeatureError("a language of bytes in another notation", f"with a byte of {low:02X} to {high:02X} it is no text in UTF-8")
