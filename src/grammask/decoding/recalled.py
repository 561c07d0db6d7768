"""A grammar whose tables are at hand, so that neither its text has to be read nor its expression lowered to compile it.

Rule: everything else about it is what its front end says; the front end is run when somebody asks for it, and then once.
Below: grammar.grammar.  Above: disk_cache, constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Self

from grammask.grammar.grammar import Grammar
from grammask.kernel.tables import RuleTable

__all__ = ["RecalledGrammar"]

_FIELDS = ("expression", "kind", "source", "report", "decode")


class RecalledGrammar(Grammar):
    """A grammar with its raw tables, which hold for every vocabulary.

    read: gives the grammar as its front end makes it. known: those of its fields that are known without that.
    """

    __slots__ = ("_read", "table")
    table: RuleTable
    _read: Callable[[], Grammar]

    def __init__(self, table: RuleTable, key: Hashable, read: Callable[[], Grammar], **known: Any) -> None:
        for name, value in {"table": table, "key": key, "_read": read, **known}.items():
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """A field that nobody has asked for before: slots that are empty lead here."""
        if name not in _FIELDS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        grammar = self._read()
        for field in _FIELDS:
            try:
                object.__getattribute__(self, field)
            except AttributeError:
                object.__setattr__(self, field, getattr(grammar, field))
        return object.__getattribute__(self, name)

    def revised(self, **changes: Any) -> Self:
        """The same grammar with other words about it."""
        known = {}
        for field in _FIELDS:
            try:
                known[field] = object.__getattribute__(self, field)
            except AttributeError:
                continue
        return type(self)(self.table, self.key, self._read, **known | changes)
