"""Sets of characters as automata over the bytes of their UTF-8 spelling.

Rule: a template is the minimal deterministic automaton of its set, node 0 the start and node 1 the only end.
Source: RFC 3629 for the encoding; splitting ranges at the lengths' bounds and at full continuation blocks is how Thompson's
`grep` and every engine since builds byte automata for character classes.
"""

from __future__ import annotations

from grammask.grammar.expression import Chars

__all__ = ["Template", "byte_automaton", "byte_ranges"]

ByteRange = tuple[int, int]
Template = tuple[int, tuple[tuple[int, int, int, int], ...]]  # number of nodes, edges (from, to, low byte, high byte)

LAST_OF_LENGTH = (0x7F, 0x7FF, 0xFFFF, 0x10FFFF)


def byte_automaton(chars: Chars) -> Template:
    """The template of a character set, kept on the node. Cost: linear in the number of ranges, about 2 us each, once."""
    template: Template | None = chars.utf8
    if template is None:
        template = chars.utf8 = _minimal(_trie(chars.ranges))
    return template


def byte_ranges(low: int, high: int) -> list[tuple[ByteRange, ...]]:
    """Sequences of byte ranges, ascending and disjoint, that together spell exactly the characters low..high (no surrogates inside)."""
    found: list[tuple[ByteRange, ...]] = []
    for last in LAST_OF_LENGTH:
        if low <= last:
            _split(low, min(high, last), found)
            low = last + 1
            if low > high:
                break
    return found


def _split(low: int, high: int, found: list[tuple[ByteRange, ...]]) -> None:
    """Split low..high, all of one length, where their continuation bytes do not run over full blocks."""
    work = [(low, high)]
    while work:
        low, high = work.pop()
        cut = _block_cut(low, high)
        if cut is None:
            pairs = zip(chr(low).encode(), chr(high).encode(), strict=True)
            found.append(tuple(pairs))
        else:
            work += [(cut, high), (low, cut - 1)]


def _block_cut(low: int, high: int) -> int | None:
    """Where to cut low..high so that the first part ends, or the second begins, on a block of continuation bytes; None if it need not be."""
    if low <= 0x7F:
        return None
    for shift in (6, 12, 18):
        block = (1 << shift) - 1
        if low & ~block != high & ~block:
            if low & block:
                return (low | block) + 1
            if high & block != block:
                return high & ~block
    return None


class _Node(dict[ByteRange, "_Node"]):
    """A node of the trie of byte-range sequences; the end is the node without children."""

    __slots__ = ()


def _trie(ranges: tuple[tuple[int, int], ...]) -> _Node:
    root = _Node()
    for low, high in ranges:
        for sequence in byte_ranges(low, high):
            node = root
            for step in sequence:
                node = node.setdefault(step, _Node())
    return root


def _minimal(root: _Node) -> Template:
    """Merge equal nodes from the leaves up, and neighbouring ranges that lead to one node. The depth is four at most."""
    edges: list[tuple[int, int, int, int]] = []
    numbers: dict[tuple[tuple[int, int, int], ...], int] = {(): 1}

    def number_of(node: _Node) -> int:
        steps = _joined([(low, high, number_of(child)) for (low, high), child in sorted(node.items())])
        number = numbers.get(steps)
        if number is None:
            number = 0 if node is root else max(len(numbers) + 1, 2)
            numbers[steps] = number
            edges.extend((number, to, low, high) for low, high, to in steps)
        return number

    if root:
        number_of(root)
    return max(len(numbers), 2), tuple(edges)


def _joined(steps: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    joined: list[tuple[int, int, int]] = []
    for low, high, to in steps:
        if joined and joined[-1][2] == to and joined[-1][1] + 1 == low:
            joined[-1] = (joined[-1][0], high, to)
        else:
            joined.append((low, high, to))
    return tuple(joined)
