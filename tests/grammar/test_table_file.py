"""Lowered tables as bytes: what is read back is what was written, and other bytes are refused."""

from __future__ import annotations

import json
import random

import pytest

import grammask
from grammask.grammar.lower import lower
from grammask.grammar.recursion import tables_of
from grammask.grammar.table_file import pack_tables, unpack_tables
from grammask.kernel.tables import CALL, LITERAL, RuleTable, TextTable

SCHEMAS = [
    {},
    {"type": "object", "properties": {"a": {"type": "string", "pattern": "^[a-z\u00e9]+$", "maxLength": 9}, "\ud800": {"enum": [1, "x", None]}}},
    {"$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}}, "$ref": "#/$defs/t"},
    {"type": "object", "additionalProperties": {"format": "date"}, "propertyNames": {"maxLength": 4}},
]  # fmt: skip
GRAMMARS = [*map(grammask.json_schema, SCHEMAS), grammask.regex(r"(a|bc)*[^d]{2,40}"), grammask.choice(["one", "two", ""])]


def spelled(root: RuleTable) -> list[object]:
    """All tables, with numbers in place of callees, in the order of a walk."""
    tables = tables_of(root)
    number = {table: index for index, table in enumerate(tables)}
    rows = []
    for table in tables:
        facts = {name: getattr(table, name) for name in table.__slots__ if name != "edges"}
        rows.append((facts, [(*edge[:3], number[edge[3]]) if isinstance(table, RuleTable) and edge[0] == CALL else edge for edge in table.edges]))
    return rows


@pytest.mark.parametrize("grammar", GRAMMARS, ids=range(len(GRAMMARS)))
def test_tables_are_read_back_as_they_were(grammar):
    """Every fact and every edge, in order; a second time with shared tables taken from those that are known."""
    root = lower(grammar.expression)
    packed = pack_tables(root)
    known = {}
    first = unpack_tables(packed, known)
    assert spelled(first) == spelled(root)
    assert set(known) == {table.key for table in tables_of(root) if table.key is not None}
    again = unpack_tables(packed, known)
    assert spelled(again) == spelled(root)
    shared = {table for table in tables_of(first) if table.key is not None}
    assert shared == {table for table in tables_of(again) if table.key is not None}


def test_known_tables_are_not_read_again():
    """What is known is taken as it is: the file's own copy of it is passed over."""
    root = lower(grammask.json_schema({"type": "array", "items": {"type": "string"}}).expression)
    (text,) = [table for table in tables_of(root) if isinstance(table, TextTable)]
    known = {text.key: text}
    assert text in tables_of(unpack_tables(pack_tables(root), known))


def test_tables_of_one_vocabulary_are_not_packed():
    """Tables that say where a vocabulary's tokens may end mean nothing to another."""
    with pytest.raises(ValueError, match="vocabulary"):
        pack_tables(RuleTable("rule", 2, [(LITERAL, 0, 1, b"a")], resting=frozenset([1])))


@pytest.mark.parametrize("grammar", GRAMMARS[:2], ids=range(2))
def test_other_bytes_are_refused_or_still_tables(grammar):
    """Bytes changed, cut off or added at random places: a ValueError, or tables, never another error."""
    packed = pack_tables(lower(grammar.expression))
    rng = random.Random(7)
    for _ in range(400):
        at = rng.randrange(len(packed))
        changed = rng.choice([packed[:at], packed[:at] + bytes([rng.randrange(256)]) + packed[at + 1 :], packed[:at] + packed[at + 1 :], packed + packed[:at]])
        try:
            assert isinstance(unpack_tables(changed, {}), RuleTable)
        except ValueError:
            continue


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.update(byteorder="other"),
        lambda header: header.update(root=99),
        lambda header: header.update(root=-1),
        lambda header: header["groups"].pop(),
        lambda header: header["groups"][0]["counts"].__setitem__(0, 7),
        lambda header: header["groups"][0]["tables"][0].__setitem__(3, 0),
        lambda header: header["groups"][0]["tables"][0].pop(),
        lambda header: header["groups"][0].update(size=3),
        lambda header: header.pop("root"),
    ],
    ids=["byte order", "no root", "negative root", "no group", "counts", "edges", "facts", "size", "nothing"],
)
def test_headers_that_lie_are_refused(change):
    """A header that does not fit what follows it."""
    packed = pack_tables(lower(grammask.json_schema({"type": "string", "enum": ["a", "b"]}).expression))
    size = int.from_bytes(packed[:4], "little")
    header = json.loads(packed[4 : 4 + size])
    change(header)
    start = json.dumps(header).encode()
    with pytest.raises(ValueError, match=r"."):
        unpack_tables(len(start).to_bytes(4, "little") + start + packed[4 + size :], {})
