"""What a vocabulary's tokens can spell, and a grammar's tables cut down to it.

Rule: a byte that is in no token is in no output, so every edge that needs it goes, and then what cannot complete without it. Where all
other bytes are tokens by themselves, every text of them can be spelled, and nothing more is to be done. Otherwise the tables are
multiplied with the tokens (token_product). Tables that need none of the missing bytes stay the same objects.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from grammask.errors import UnspellableError
from grammask.grammar.analysis import Calls, completing, prune, rank_by_first_calls, trim
from grammask.grammar.components import visit_order
from grammask.grammar.distinct import refuse_recorders
from grammask.grammar.multiples import written_out
from grammask.grammar.shortest import shortest_text
from grammask.grammar.structure_key import digest
from grammask.grammar.text_spelling import is_indifferent, spelled_out, text_bytes
from grammask.grammar.token_product import TokenTrie, token_product
from grammask.grammar.unordered import unfolded_edges
from grammask.kernel.tables import CALL, LITERAL, LITERALS, RANGE, RuleTable, TextTable

__all__ = ["Spelling", "spellable"]

Table = RuleTable | TextTable
Edge = tuple[Any, ...]


class _Bytes:
    """A set of bytes that is quick to look for in labels of edges."""

    __slots__ = ("as_bytes", "before", "members")

    def __init__(self, members: frozenset[int]) -> None:
        self.members = members
        self.as_bytes = bytes(sorted(members))
        self.before = [sum(member < byte for member in members) for byte in range(257)]  # how many are below each byte

    def in_range(self, low: int, high: int) -> bool:
        return low < 256 and self.before[min(high + 1, 256)] > self.before[low]

    def in_text(self, data: bytes) -> bool:
        return len(data.translate(None, self.as_bytes)) < len(data)


class Spelling:
    """The tokens of a vocabulary as far as grammars care. One serves for all grammars: it keeps what it found out about shared texts.

    missing: bytes that are no tokens by themselves. absent: those of them that are in no token at all. partial: the others.
    tokens: those with text, where any byte is missing; else they do not matter.
    """

    __slots__ = ("absent", "missing", "partial", "spared", "texts", "tokens", "trie")

    def __init__(self, tokens: Iterable[bytes]) -> None:
        tokens = list(tokens)
        missing = _missing_bytes(tokens)
        self.tokens = [token for token in tokens if token] if missing else []
        everything = b"".join(self.tokens)
        absent = frozenset(byte for byte in missing if byte not in everything)
        self.missing, self.absent, self.partial = _Bytes(missing), _Bytes(absent), _Bytes(missing - absent)
        self.texts: dict[bytes, RuleTable] = {}
        self.spared: set[bytes] = set()  # keys of shared tables that need no missing byte themselves
        self.trie: TokenTrie | None = None


def _missing_bytes(tokens: Iterable[bytes]) -> frozenset[int]:
    """The bytes that are no tokens by themselves. Tokens are looked at until all bytes were met, which most vocabularies begin with."""
    missing = set(range(256))
    for token in tokens:
        if len(token) == 1:
            missing.discard(token[0])
            if not missing:
                break
    return frozenset(missing)


def spellable(root: RuleTable, spelling: Spelling) -> RuleTable:
    """The prepared table of those strings of a prepared table that the tokens can spell; the same object if those are all or as good as all.

    Raises UnspellableError if none is left. Cost: nothing for vocabularies with all bytes as tokens; else a look at each edge, and a
    copy of the tables that need a missing byte, or call one that does.
    """
    if not spelling.missing.members:
        return root
    tables: list[Table] = visit_order([root], _callees)
    if not any(_needs_missing(table, spelling) for table in tables):
        return root
    refuse_recorders(tables, "the vocabulary's tokens do not spell every byte")
    if any(_needs(table, spelling.absent) for table in tables):
        root = _without_absent(root, tables, spelling)
    if any(_needs(table, spelling.missing) and _mentions(table, spelling.partial) for table in visit_order([root], _callees)):
        if spelling.trie is None:
            spelling.trie = TokenTrie(spelling.tokens, spelling.partial.members)
        root = token_product(_with_texts_spelled_out(root, spelling), spelling.trie)
    return root


def _callees(table: Any) -> list[Any]:
    return [] if isinstance(table, TextTable) else [edge[3] for edge in table.edges if edge[0] == CALL]


def _needs_missing(table: Table, spelling: Spelling) -> bool:
    if table.key is None:
        return _needs(table, spelling.missing)
    if table.key in spelling.spared:
        return False
    needs = _needs(table, spelling.missing)
    if not needs:
        spelling.spared.add(table.key)
    return needs


def _needs(table: Table, some: _Bytes) -> bool:
    """Whether masks of the table itself depend on these bytes."""
    if isinstance(table, TextTable):
        return not is_indifferent(table, some.members)
    return _mentions(table, some)


def _mentions(table: Table, some: _Bytes) -> bool:
    """Whether one of these bytes is in a string of the table itself."""
    if isinstance(table, TextTable):
        return not some.members.isdisjoint(text_bytes(table))
    for edge in table.edges:
        kind = edge[0]
        if kind == RANGE:
            if some.in_range(edge[3], edge[4]):
                return True
        elif kind == LITERAL:
            if some.in_text(edge[3]):
                return True
        elif kind == LITERALS and some.in_text(b"".join(edge[3])):
            return True
    return False


def _without_absent(root: RuleTable, tables: list[Table], spelling: Spelling) -> RuleTable:
    """Drop every edge that needs an absent byte, and what cannot complete without it; copies what changes and what calls it."""
    callers: dict[Table, list[Table]] = {}
    for table in tables:
        for callee in _callees(table):
            callers.setdefault(callee, []).append(table)
    affected = visit_order([table for table in tables if _needs(table, spelling.absent)], lambda table: callers.get(table, ()))
    new: dict[Table, RuleTable] = {table: replace(table) if isinstance(table, RuleTable) else _spelled_out(table, spelling) for table in affected}
    calls: Calls = {}
    for table, copy in new.items():
        if isinstance(table, TextTable):
            calls[copy] = []
        else:
            edges = table.edges
            if table.multiples is not None:
                edges, copy.n_nodes = written_out(table.multiples)
            copy.multiples = None
            copy.edges = [kept for edge in edges for kept in _edges_without(edge, new, spelling.absent.members)]
            copy.key = None if table.key is None else digest(("without", table.key, list(spelling.absent.as_bytes)))
            calls[copy] = [edge for edge in copy.edges if edge[0] == CALL]
    done = completing(calls)
    result = new.get(root, root)
    if result in calls and result not in done:
        raise UnspellableError(shortest_text(root), "nor any other text of the grammar, as some of its bytes are in no token")
    prune(calls, done)
    rank_by_first_calls(calls)
    return result


def _edges_without(edge: Edge, new: dict[Table, RuleTable], absent: frozenset[int]) -> list[Edge]:
    kind, source, target, *label = edge
    if kind == CALL:
        return [(CALL, source, target, new.get(label[0], label[0]))]
    if kind == RANGE:
        return _ranges_without(edge, absent)
    if kind == LITERAL:
        return [edge] if absent.isdisjoint(label[0]) else []
    if kind == LITERALS:
        kept = tuple(data for data in label[0] if absent.isdisjoint(data))
        return [(LITERALS, source, target, kept)] if kept else []
    return [edge]


def _ranges_without(edge: Edge, absent: frozenset[int]) -> list[Edge]:
    kind, source, target, low, high = edge
    kept = []
    for byte in sorted(byte for byte in absent if low <= byte <= high):
        if low < byte:
            kept.append((kind, source, target, low, byte - 1))
        low = byte + 1
    if low <= high:
        kept.append((kind, source, target, low, high))
    return kept


def _spelled_out(text: TextTable, spelling: Spelling) -> RuleTable:
    """The text as a rule over the bytes that are not absent, without edges if none of its strings can be spelled. Kept, as texts are shared."""
    assert text.key is not None  # those without one come up while texts are read, over vocabularies that spell everything
    rule = spelling.texts.get(text.key)
    if rule is None:
        rule = spelled_out(text, spelling.absent.members)
        trim(rule, rule.edges)
        rule.key = digest(("spelled out", text.key, list(spelling.absent.as_bytes)))
        rule.prepared = True
        spelling.texts[text.key] = rule
    return rule


def _with_texts_spelled_out(root: RuleTable, spelling: Spelling) -> RuleTable:
    """Copies of all tables in which texts are rules over bytes."""
    tables: list[Table] = visit_order([root], _callees)
    new: dict[Table, RuleTable] = {}
    for table in tables:
        new[table] = _spelled_out(table, spelling) if isinstance(table, TextTable) else replace(table, unordered=None, multiples=None)
    for table, copy in new.items():
        if isinstance(table, RuleTable):
            edges = table.edges
            if table.unordered is not None:
                edges, copy.n_nodes = unfolded_edges(table)
            elif table.multiples is not None:
                edges, copy.n_nodes = written_out(table.multiples)
            copy.edges = [(*edge[:3], new[edge[3]]) if edge[0] == CALL else edge for edge in edges]
    return new[root]
