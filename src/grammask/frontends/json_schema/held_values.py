"""The values of items that have been read: what tells them apart, and as much of them as their exclusion is written from.

Rule: keys are equal for equal values, however these are spelled and however deep they are; nothing here recurses into what a model has written.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any

from grammask.frontends.json_schema.values import equality_key, is_number, read_json

__all__ = ["DEEPEST", "Held", "held_value"]

DEEPEST = 20  # levels of arrays and objects that are looked into; what is below them is told apart by its type only

_PIECES = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|[^\s,:"\[\]{}]+', re.DOTALL)


class Held:
    """A value, cut off below DEEPEST levels, and the key of the whole."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any, key: Any) -> None:
        self.value, self.key = value, key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def held_value(text: bytes) -> Held:
    """The value of a JSON text of any depth. Cost: linear."""
    if text.count(b"[") + text.count(b"{") > DEEPEST:
        value, key, depth = _read_deep(text.decode())
        if depth > DEEPEST:
            return Held(value, key)
    else:
        value = read_json(text)
    return Held(value, equality_key(value))


Part = tuple[Any, bytes, int]  # a value, a digest of it, and how many levels it has


def _read_deep(text: str) -> Part:
    open_: list[list[Part]] = [[]]
    for piece in _PIECES.findall(text):
        if piece in "[{":
            open_.append([])
        elif piece in "]}":
            parts = open_.pop()
            open_[-1].append(_container(parts, len(open_), is_object=piece == "}"))
        else:
            value = read_json(piece)
            open_[-1].append((value, _digest(_plain(value)), 0))
    return open_[0][0]


def _container(parts: list[Part], level: int, *, is_object: bool) -> Part:
    """An array, or an object of names and values by turns, of which the last of a name counts."""
    named = {part[0]: value for part, value in zip(parts[::2], parts[1::2], strict=True)} if is_object else {}
    inner = list(named.values()) if is_object else parts
    digests = sorted((name, part[1]) for name, part in named.items()) if is_object else [part[1] for part in parts]
    value: Any = {} if is_object else []
    if level <= DEEPEST:
        value = {name: part[0] for name, part in named.items()} if is_object else [part[0] for part in parts]
    return value, _digest((is_object, digests)), 1 + max((part[2] for part in inner), default=0)


def _plain(value: Any) -> Any:
    """Numbers as what is equal for equal ones."""
    return value.as_integer_ratio() if is_number(value) else value


def _digest(facts: Any) -> bytes:
    return blake2b(repr(facts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
