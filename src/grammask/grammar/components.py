"""Strongly connected components and orders of visit, without recursion.

Source: Tarjan 1972.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["components", "visit_order"]

Item = TypeVar("Item")


def visit_order(seeds: Iterable[Item], following: Callable[[Item], Iterable[Item]]) -> list[Item]:
    """All items that can be reached, each once, in the order of a breadth-first walk."""
    order = list(dict.fromkeys(seeds))
    seen = set(order)
    for item in order:  # grows while it is read
        for other in following(item):
            if other not in seen:
                seen.add(other)
                order.append(other)
    return order


def components(seeds: Iterable[Item], following: Callable[[Item], Iterable[Item]]) -> list[list[Item]]:
    """The strongly connected components of what can be reached, each after all those it leads to. Cost: linear."""
    found: list[list[Item]] = []
    lowest: dict[Item, int] = {}  # the lowest number of visit that is known to be reachable within the open components
    open_items: list[Item] = []
    is_open: set[Item] = set()
    for seed in seeds:
        if seed in lowest:
            continue
        path: list[tuple[Item, int, Iterator[Item]]] = []
        _enter(seed, following, lowest, open_items, is_open, path)
        while path:
            item, number, rest = path[-1]
            for other in rest:
                if other not in lowest:
                    _enter(other, following, lowest, open_items, is_open, path)
                    break
                if other in is_open:
                    lowest[item] = min(lowest[item], lowest[other])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[item])
                if lowest[item] == number:
                    found.append(_closed(item, open_items, is_open))
    return found


def _enter(
    item: Item,
    following: Callable[[Item], Iterable[Item]],
    lowest: dict[Item, int],
    open_items: list[Item],
    is_open: set[Item],
    path: list[tuple[Item, int, Iterator[Item]]],
) -> None:
    number = lowest[item] = len(lowest)
    open_items.append(item)
    is_open.add(item)
    path.append((item, number, iter(following(item))))


def _closed(item: Item, open_items: list[Item], is_open: set[Item]) -> list[Item]:
    """Take the component of `item` off the open items, in order of visit."""
    start = len(open_items) - 1
    while open_items[start] is not item:
        start -= 1
    component = open_items[start:]
    del open_items[start:]
    is_open.difference_update(component)
    return component
