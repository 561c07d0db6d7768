"""Tables of texts, written edge by edge as tests like them."""

from __future__ import annotations

from collections.abc import Iterable

from grammask.kernel.tables import TextTable


def text_of(
    place: str,
    key: bytes,
    n_nodes: int,
    edges: Iterable[tuple[int, int, int, int]],
    starts: tuple[int, ...],
    ends: frozenset[int],
    minimum: int = 0,
    maximum: int | None = None,
    excluded: frozenset[str] = frozenset(),
) -> TextTable:
    """A text over edges (a, b, low, high): those between the same two nodes are one, equal sets are one."""
    ranges: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
    for a, b, low, high in edges:
        ranges[a, b] = (*ranges.get((a, b), ()), (low, high))
    number: dict[tuple[tuple[int, int], ...], int] = {}
    arcs = [(a, b, number.setdefault(chars, len(number))) for (a, b), chars in ranges.items()]
    return TextTable(place, key, n_nodes, arcs, tuple(number), starts, ends, minimum, maximum, excluded)
