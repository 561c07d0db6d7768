"""A grammar with special tokens as one over bytes alone: each special token gets, for its text, a byte that no text of the grammar holds.

What a completion costs is known to the kernel in bytes only. Written so, a completion through special tokens is a text like any other, and budgets
are kept across them. The ids, and the masks, are those of the grammar as it is.
Rule: a byte stands for a token only if the grammar's tables never take it; where these bytes do not go round, nothing is respelled.
Below: binding, cache, recalled, kernel.tables.  Above: budget, constraint.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from grammask import kernel
from grammask.decoding.binding import Bindings, bindings_of
from grammask.decoding.cache import content_key
from grammask.decoding.recalled import RecalledGrammar
from grammask.grammar.expression import Token
from grammask.grammar.free_text import FreeText, Marked
from grammask.grammar.grammar import Grammar
from grammask.grammar.recursion import Table, called, tables_of
from grammask.kernel.tables import CALL, LITERAL, LITERALS, RANGE, SPECIAL, RuleTable
from grammask.vocabulary import Vocabulary

__all__ = ["Respelled", "may_name_specials", "respelled"]

# UTF-8 has no use for the first of these, so that only grammars of raw bytes take them; the others are control characters, which JSON does not take.
_SPARE = (*range(0xF5, 0x100), 0xC0, 0xC1, *range(9), *range(14, 32))


class Respelled(NamedTuple):
    """The grammar bound anew. stand_ins: the bytes that stand for special tokens."""

    bound: kernel.Bound
    bindings: Bindings
    stand_ins: bytes


def respelled(grammar: Grammar, vocabulary: Vocabulary) -> Respelled | None:
    """The grammar over bytes alone; None if it names no special token, or more of them than there are bytes to spare.

    Cost: of the first question for a grammar a walk over it, and if it names special tokens that of compiling it; for the first such
    grammar a store of its own (tens of ms, as large as the vocabulary's).
    """
    known = _known_of(vocabulary)
    key = content_key(grammar.expression) if grammar.key is None else grammar.key
    with known.lock:
        if key not in known.grammars:
            if len(known.grammars) >= _GRAMMARS:
                known.grammars.clear()
            known.grammars[key] = _made(grammar, vocabulary, known)
        return known.grammars[key]


_GRAMMARS = 256


class _Known:
    """What was respelled for one vocabulary: by grammar, and the vocabularies by what stands for what."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.grammars: dict[object, Respelled | None] = {}
        self.vocabularies: dict[tuple[tuple[int, int], ...], Vocabulary] = {}


_LOCK = threading.Lock()
_KNOWN: WeakKeyDictionary[Vocabulary, _Known] = WeakKeyDictionary()


def _known_of(vocabulary: Vocabulary) -> _Known:
    with _LOCK:
        return _KNOWN.setdefault(vocabulary, _Known())


def _made(grammar: Grammar, vocabulary: Vocabulary, known: _Known) -> Respelled | None:
    if isinstance(grammar, RecalledGrammar):
        root = grammar.table
    elif not vocabulary.specials or not may_name_specials(grammar):
        return None
    else:
        root = bindings_of(vocabulary).lowered(grammar.expression)
    tables = tables_of(root)
    stand_ins = _stand_ins(tables)
    if not stand_ins:
        return None
    assigned = tuple(sorted(stand_ins.items()))
    if assigned not in known.vocabularies:
        known.vocabularies[assigned] = _vocabulary(vocabulary, stand_ins)
    bindings = bindings_of(known.vocabularies[assigned])
    written = _written(tables, stand_ins)
    return Respelled(bindings.bound_as(object(), lambda: written[root]), bindings, bytes(stand_ins.values()))


def may_name_specials(grammar: Grammar) -> bool:
    """Whether the grammar holds what may come to special tokens. Cost: a walk over it."""
    rows = content_key(grammar.expression)
    return any(row[0] in (Token, FreeText, Marked) for row in rows)  # type: ignore[attr-defined]  # a row a node, the class first


def _stand_ins(tables: Sequence[Table]) -> dict[int, int] | None:
    """A byte for each special token that the tables name; None if they are too few."""
    specials: set[int] = set()
    taken: set[int] = set()
    for table in tables:
        for edge in table.edges if isinstance(table, RuleTable) else ():
            if edge[0] == RANGE:
                specials.update(range(max(edge[3], SPECIAL), edge[4] + 1))
                taken.update(byte for byte in _SPARE if edge[3] <= byte <= edge[4])
            elif edge[0] in (LITERAL, LITERALS):
                texts = (edge[3],) if edge[0] == LITERAL else edge[3]
                taken.update(byte for byte in _SPARE if any(byte in text for text in texts))
    spare = [byte for byte in _SPARE if byte not in taken]
    return dict(zip(sorted(symbol - SPECIAL for symbol in specials), spare, strict=False)) if len(specials) <= len(spare) else None


def _vocabulary(vocabulary: Vocabulary, stand_ins: Mapping[int, int]) -> Vocabulary:
    """The special tokens with their bytes for texts; what else holds these bytes is without a text."""
    used = set(stand_ins.values())
    tokens = [token if used.isdisjoint(token) else b"" for token in vocabulary.tokens]
    for token_id, byte in stand_ins.items():
        tokens[token_id] = bytes([byte])
    return Vocabulary(tokens, vocabulary.eos_ids)


def _written(tables: Sequence[Table], stand_ins: Mapping[int, int]) -> dict[Table, RuleTable]:
    """Tables with bytes for special tokens, by the tables as they were; those that lead to no such token stay as they are."""
    rules = [table for table in tables if isinstance(table, RuleTable)]
    changed: set[Table] = {table for table in rules if any(edge[0] == RANGE and edge[4] >= SPECIAL for edge in table.edges)}
    while calling := {table for table in rules if table not in changed and not changed.isdisjoint(called(table))}:
        changed |= calling
    made: dict[Table, RuleTable] = {
        table: RuleTable(table.place, table.n_nodes, nullable=table.nullable, resting=table.resting, unordered=table.unordered)
        for table in rules
        if table in changed
    }
    for table, new in made.items():
        new.edges = [_edge(edge, made, stand_ins) for edge in table.edges]
    return made


def _edge(edge: tuple[Any, ...], made: Mapping[Table, RuleTable], stand_ins: Mapping[int, int]) -> tuple[Any, ...]:
    kind, source, target, *rest = edge
    if kind == CALL:
        return (CALL, source, target, made.get(rest[0], rest[0]))
    if kind == RANGE and rest[1] >= SPECIAL:
        return (LITERALS, source, target, tuple(bytes([stand_ins[symbol - SPECIAL]]) for symbol in range(rest[0], rest[1] + 1)))
    return edge
