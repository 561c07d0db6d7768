"""A grammar's lowered tables as bytes, and back: JSON for what is said once a table, arrays of numbers for edges, no pickles.

A file is cut into groups: the tables of the grammar's own are one, each table with a key is another, so that those which are known already,
as most strings, numbers and spaces are, need not be read again.
Rule: what is read back is equal to what was written, edge by edge in the same order, so that nothing depends on where tables come from.
Rule: bytes that are no tables are a ValueError. Numbers of nodes are left to the kernel, which checks them for every table.
Below: kernel.tables.  Above: decoding.disk_cache.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import astuple
from itertools import accumulate, chain, islice, pairwise, repeat
from typing import Any

from grammask.grammar.recursion import Table, tables_of
from grammask.kernel.tables import CALL, EPSILON, LITERAL, LITERALS, RANGE, Multiples, RuleTable, TextTable, Unordered

__all__ = ["pack_tables", "unpack_tables"]

WIDTHS = {EPSILON: 2, RANGE: 4, LITERAL: 3, LITERALS: 4, CALL: 3}  # numbers held for an edge of each kind
RULE_FACTS, TEXT_FACTS = 8, 10
Known = MutableMapping[bytes, Table]


# --- to bytes -------------------------------------------------------------------------------------------------------


def pack_tables(root: RuleTable) -> bytes:
    """The root and all that it leads to. They must be raw ones: none says where tokens may end. Cost: about 1 us an edge."""
    tables = tables_of(root)
    own: list[Table] = [table for table in tables if table.key is None]
    groups: list[list[Table]] = [own, *[[table] for table in tables if table.key is not None]]
    number = {table: index for index, table in enumerate(table for group in groups for table in group)}
    packed = [_packed_group(group, number) for group in groups]
    header = {"byteorder": sys.byteorder, "root": number[root], "groups": [facts for facts, _ in packed]}
    start = json.dumps(header, separators=(",", ":")).encode()
    return b"".join([len(start).to_bytes(4, "little"), start, *[body for _, body in packed]])


def _packed_group(group: list[Table], number: dict[Table, int]) -> tuple[dict[str, Any], bytes]:
    texts: list[bytes] = []
    kinds = bytearray()
    columns: dict[int, array[int]] = {kind: array("i") for kind in WIDTHS}
    places = array("i")
    for table in group:
        if isinstance(table, TextTable):
            places.extend(value for edge in table.edges for value in edge)
            continue
        for kind, a, b, *what in table.edges:
            kinds.append(kind)
            columns[kind].extend((a, b, *_numbers(kind, what, number, texts)))
    lengths = array("i", map(len, texts))
    body = b"".join([kinds, *[column.tobytes() for column in columns.values()], places.tobytes(), lengths.tobytes(), *texts])
    counts = [len(kinds), *map(len, columns.values()), len(places), len(texts)]
    return {"tables": [_facts(table) for table in group], "counts": counts, "size": len(body)}, body


def _numbers(kind: int, what: Sequence[Any], number: dict[Table, int], texts: list[bytes]) -> tuple[int, ...]:
    """What an edge says beside its nodes, as numbers; texts are put on a list and named by their place there."""
    if kind == RANGE:
        return what[0], what[1]
    if kind == CALL:
        return (number[what[0]],)
    first = len(texts)
    if kind == LITERAL:
        texts.append(what[0])
        return (first,)
    if kind == LITERALS:
        texts += what[0]
        return first, len(what[0])
    return ()


def _facts(table: Table) -> list[Any]:
    """What is said of a table but its edges. JSON keeps lone surrogates as well."""
    key = None if table.key is None else table.key.hex()
    if isinstance(table, RuleTable):
        if table.resting is not None:
            raise ValueError("a table that is bound to a vocabulary")
        if table.recorder is not None:
            raise ValueError("a table that tells items apart: what it needs for that is no data")
        memory = table.unordered
        kept = None if memory is None else [memory.n_slots, sorted(memory.required), memory.minimum, memory.maximum]
        multiples = None if table.multiples is None else astuple(table.multiples)
        return [table.place, key, table.n_nodes, len(table.edges), table.nullable, table.rank, table.prepared, [kept, multiples]]
    ends = sorted(table.ends)
    sets = [list(chain.from_iterable(ranges)) for ranges in table.sets]
    return [table.place, key, table.n_nodes, len(table.edges), sets, list(table.starts), ends, table.minimum, table.maximum, sorted(table.excluded)]


# --- and back -------------------------------------------------------------------------------------------------------


def unpack_tables(data: bytes, known: Known) -> RuleTable:
    """The root of what `pack_tables` wrote. Raises ValueError for other bytes.

    known: tables by key, which are taken as they are; those that are read are added. Cost: about 0.3 us for each edge that is read.
    """
    try:
        return _unpacked(data, known)
    except (KeyError, IndexError, TypeError, StopIteration, RecursionError, OverflowError, AttributeError) as error:
        raise ValueError(f"no tables of a grammar ({type(error).__name__}: {error})") from None


def _unpacked(data: bytes, known: Known) -> RuleTable:
    at = 4 + int.from_bytes(data[:4], "little")
    header = json.loads(data[4:at])
    if header["byteorder"] != sys.byteorder:
        raise ValueError("numbers of another machine")
    tables: list[Table] = []
    groups = []
    for group in header["groups"]:
        held = [_table(facts, known) for facts in group["tables"]]
        tables += [table for table, _ in held]
        if any(is_fresh for _, is_fresh in held):
            groups.append((group, [table for table, _ in held], at))
        at += group["size"]
    if at != len(data):
        raise ValueError("it is longer or shorter than it says")
    for group, members, start in groups:
        _fill(group, members, memoryview(data)[start : start + group["size"]], tables)
    root = tables[header["root"]]
    if header["root"] < 0 or not isinstance(root, RuleTable):
        raise ValueError("the root is no rule")
    known.update({table.key: table for table in tables if table.key is not None})
    return root


def _table(facts: list[Any], known: Known) -> tuple[Table, bool]:
    """A table, and whether it was made here and has no edges yet."""
    place, key, n_nodes = facts[:3]
    held = None if key is None else bytes.fromhex(key)
    table = known.get(held) if held is not None else None
    if table is not None:
        return table, False
    if len(facts) == RULE_FACTS:
        _, nullable, rank, prepared, kept = facts[3:]
        return RuleTable(place, n_nodes, nullable=nullable, rank=rank, key=held, prepared=prepared, **_memories(*kept)), True
    if len(facts) != TEXT_FACTS or held is None:
        raise ValueError("a table of no kind")
    _, points, starts, ends, minimum, maximum, excluded = facts[3:]
    sets = tuple([tuple(zip(flat[::2], flat[1::2], strict=True)) for flat in points])
    return TextTable(place, held, n_nodes, [], sets, tuple(starts), frozenset(ends), minimum, maximum, frozenset(excluded)), True


def _memories(members: list[Any] | None, numbers: list[Any] | None) -> dict[str, Any]:
    """What a rule keeps in mind, if it does, by the names of the table's fields."""
    made: dict[str, Any] = {}
    if members is not None:
        n_slots, required, minimum, maximum = members
        made["unordered"] = Unordered(n_slots, frozenset(required), minimum, maximum)
    if numbers is not None:
        divisor, excluded, places, low, high, behind = numbers
        made["multiples"] = Multiples(divisor, tuple(excluded), places, low, high, behind)
    return made


def _fill(group: dict[str, Any], members: list[Table], body: memoryview, tables: list[Table]) -> None:
    """Give the tables of a group their edges."""
    n_edges, *counts = group["counts"]
    kinds = bytes(body[:n_edges])
    flat = iter(body[n_edges : n_edges + 4 * sum(counts)].cast("i").tolist())
    *columns, places, lengths = [list(islice(flat, count)) for count in counts]
    written = bytes(body[n_edges + 4 * sum(counts) :])
    ends = list(accumulate(lengths, initial=0))
    if ends[-1] != len(written) or min(lengths, default=1) < 1:
        raise ValueError("texts that are not there")
    texts = [written[start:end] for start, end in pairwise(ends)]
    streams = {kind: _edges(kind, column, tables, texts) for kind, column in zip(WIDTHS, columns, strict=True)}
    edges = iter([next(streams[kind]) for kind in kinds])
    arcs = iter(list(zip(places[::3], places[1::3], places[2::3], strict=True)))
    for table, facts in zip(members, group["tables"], strict=True):
        table.edges = list(islice(edges if isinstance(table, RuleTable) else arcs, facts[3]))
    if next(edges, None) is not None or next(arcs, None) is not None or any(next(stream, None) is not None for stream in streams.values()):
        raise ValueError("edges of no table")


def _edges(kind: int, flat: list[int], tables: list[Table], texts: list[bytes]) -> Iterator[tuple[Any, ...]]:
    """The edges of one kind, in order."""
    width = WIDTHS[kind]
    columns: list[Any] = [flat[place::width] for place in range(width)]
    if kind in (LITERAL, LITERALS, CALL) and min(columns[2], default=0) < 0:
        raise ValueError("an edge that names nothing")
    if kind == CALL:
        columns[2] = [tables[index] for index in columns[2]]
    elif kind == LITERAL:
        columns[2] = [texts[index] for index in columns[2]]
    elif kind == LITERALS:
        columns[2:] = [[_together(texts, first, count) for first, count in zip(columns[2], columns[3], strict=True)]]
    return zip(repeat(kind, len(columns[0])), *columns, strict=True)


def _together(texts: list[bytes], first: int, count: int) -> tuple[bytes, ...]:
    if not 0 < count <= len(texts) - first:
        raise ValueError("a set of texts that is not there")
    return tuple(texts[first : first + count])
