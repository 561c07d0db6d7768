"""A bounded cache that computes each value once, whoever asks, and the key that names a grammar by its content.

Rule: a value is made outside the lock, by one thread; others that want the same one wait for that thread alone.
Below: grammar.expression.  Above: binding.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from grammask.grammar.distinct import Distinct, Recorded
from grammask.grammar.expression import (
    Alt,
    And,
    Automaton,
    Chain,
    Chars,
    Expression,
    Literal,
    Multiples,
    Not,
    ReadyAutomaton,
    Ref,
    Repeat,
    Seq,
    Text,
    Token,
    Unordered,
)
from grammask.grammar.free_text import FreeText, Marked

__all__ = ["SingleFlightCache", "content_key"]

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class SingleFlightCache(Generic[Key, Value]):
    """The `capacity` values used last. Callers that ask at once for the same missing key get the value that the first of them makes."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._values: dict[Key, Value] = {}  # in the order of their last use
        self._making: dict[Key, threading.Lock] = {}  # held by who makes the value
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of `key`, made by `make` if it is not kept. What `make` raises goes to its own caller; those who waited make it themselves."""
        while True:
            with self._lock:
                if key in self._values:
                    value = self._values[key] = self._values.pop(key)
                    return value
                made = self._making.get(key)
                if made is None:
                    self._making[key] = made_here = threading.Lock()
                    made_here.acquire()
            if made is None:
                return self._make(key, make)
            with made:
                pass

    def drop(self, key: Key, value: Value) -> None:
        """Forget the value of a key if it is still this one."""
        with self._lock:
            if self._values.get(key) is value:
                del self._values[key]

    def clear(self) -> None:
        """Forget all values; those in the making are kept when they are done."""
        with self._lock:
            self._values.clear()

    def _make(self, key: Key, make: Callable[[], Value]) -> Value:
        try:
            value = make()
        except BaseException:
            with self._lock:
                self._making.pop(key).release()
            raise
        with self._lock:
            self._values[key] = value
            self._making.pop(key).release()
            while len(self._values) > self._capacity:
                del self._values[next(iter(self._values))]
        return value


Fields = tuple[tuple[Any, ...], tuple[Expression, ...]]  # what a node says itself, and its child nodes in order


def _chain(node: Chain) -> Fields:
    required = tuple([required for _, required in node.items])
    rest = () if node.rest is None else (node.rest,)
    return (required, node.minimum, node.maximum, node.contiguous), (*[item for item, _ in node.items], node.separator, *rest)


def _unordered(node: Unordered) -> Fields:
    required = tuple([required for _, required in node.items])
    rest = () if node.rest is None else (node.rest,)
    return (required, node.minimum, node.maximum), (*[item for item, _ in node.items], node.separator, *rest)


def _text(node: Text) -> Fields:
    return (node.minimum, node.maximum, node.excluded), () if node.language is None else (node.language,)


def _free_text(node: FreeText) -> Fields:
    stops = tuple([(stop.text, stop.commit, stop.then is None, stop.again) for stop in node.stops])
    return (stops, node.ends_anywhere), tuple([stop.then for stop in node.stops if stop.then is not None])


def _reference(node: Ref) -> Fields:
    """A shared rule is one cell for all grammars, so the cell itself is its name."""
    rule = node.rule
    return ((rule,), ()) if rule.shared else ((rule.prunable,), (rule.body,))


_FIELDS: dict[type[Expression], Callable[[Any], Fields]] = {
    Alt: lambda node: ((), node.parts),
    And: lambda node: ((), node.parts),
    Automaton: lambda node: ((node.edges, node.ends), ()),
    Chain: _chain,
    Chars: lambda node: (node.ranges, ()),
    Distinct: lambda node: ((), (node.body,)),
    FreeText: _free_text,
    Literal: lambda node: ((node.data,), ()),
    Marked: lambda node: (tuple([text for text, _ in node.cases]), tuple([then for _, then in node.cases])),
    Multiples: lambda node: ((node.divisor, node.excluded, node.places, node.low, node.high, node.behind), ()),
    Not: lambda node: ((), (node.part,)),
    Recorded: lambda node: ((node.distinction,), (node.part,)),
    ReadyAutomaton: lambda node: ((node.text,), ()),
    Ref: _reference,
    Repeat: lambda node: ((node.minimum, node.maximum), (node.part,)),
    Seq: lambda node: ((), node.parts),
    Text: _text,
    Token: lambda node: ((node.names, node.but), ()),
    Unordered: _unordered,
}


def content_key(root: Expression) -> Hashable:
    """What an expression says, as a key: equal for grammars built alike, whatever their rules are called and wherever they lie in memory.

    One row a node: its class, its own fields, the numbers of its children, counted as a walk from the root first meets them;
    so recursion and sharing are spelled by number. Cost: about 1 us a node. Keeps no node alive, but for the cells of shared rules.
    """
    numbers = {root: 0}
    rows = []
    for node in (nodes := [root]):  # grows as children are met
        fields, children = _FIELDS[type(node)](node)
        row: list[Any] = [type(node), fields]
        for child in children:
            number = numbers.get(child)
            if number is None:
                number = numbers[child] = len(nodes)
                nodes.append(child)
            row.append(number)
        rows.append(tuple(row))
    return tuple(rows)
