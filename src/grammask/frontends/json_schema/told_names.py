"""Members that are told apart by their names: no name comes twice in one object, however it is spelled."""

from __future__ import annotations

from collections.abc import Callable

from grammask.frontends.json_schema.values import read_json
from grammask.grammar.distinct import Distinction, Others, Recorded
from grammask.grammar.expression import Expression

__all__ = ["told_member"]

SHORT = 90  # names of one character, at least


def told_member(members: Expression, without: Callable[[frozenset[str]], Expression], minimum: int = 0) -> Expression:
    """Members, recorded by name, for an object of at least so many. without: the same members less those of some names."""
    slack = 2 if minimum < SHORT else 8 * minimum
    return Recorded(members, Distinction(_name, _Without(without), is_member=True, slack=slack))


def _name(text: bytes) -> object:
    return read_json(text)


class _Without:
    def __init__(self, without: Callable[[frozenset[str]], Expression]) -> None:
        self.without = without

    def __call__(self, names: frozenset[object]) -> Others:
        return Others(self.without(frozenset(name for name in names if isinstance(name, str))))
