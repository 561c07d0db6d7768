"""The grammars that introductions to the subject print: a SELECT-only part of SQL, and JSON. They run as printed.

The SQL one shows what a grammar promises: its texts are texts of the grammar, and no more. As printed it admits a column that is named
as a keyword, which sqlite3 does not read; with identifiers quoted and keywords taken out, sqlite3 reads everything that is generated.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3

import pytest

import grammask
from grammask.frontends.gbnf import gbnf

from .conftest import Accepts

PRINTED = """
# GBNF-style grammar constraining output to a SELECT-only SQL subset.
root        ::= select-stmt
select-stmt ::= "SELECT " columns " FROM " table where-clause? ";"
columns     ::= column (", " column)*
column      ::= [a-z_]+
table       ::= [a-z_]+
where-clause::= " WHERE " condition (" AND " condition)*
condition   ::= column " " op " " value
op          ::= "=" | ">" | "<" | ">=" | "<=" | "!="
value       ::= "'" [^']* "'" | [0-9]+
"""
QUOTED = """
root         ::= "SELECT " columns " FROM " name where-clause? ";"
columns      ::= name (", " name)*
name         ::= "\\"" [a-z_] [a-z0-9_]{0,30} "\\""
where-clause ::= " WHERE " condition (" AND " condition)*
condition    ::= name " " op " " value
op           ::= "=" | ">" | "<" | ">=" | "<=" | "!="
value        ::= "'" ([^'\\x00] | "''")* "'" | [0-9]{1,18}
"""
JSON = """
root   ::= object
value  ::= object | array | string | number | "true" | "false"
object ::= "{" ws ( string ":" ws value ( "," ws string ":" ws value )* )? "}" ws
array  ::= "[" ws ( value ( "," ws value )* )? "]" ws
string ::= "\\"" [^"\\\\]* "\\"" ws
number ::= "-"? [0-9]+ ( "." [0-9]+ )? ws
ws     ::= [ \\t\\n]{0,4}
"""
KEYWORDS = (
    "abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast check collate column commit "
    "conflict constraint create cross current current_date current_time current_timestamp database default deferrable deferred delete desc detach distinct do "
    "drop each else end escape except exclude exclusive exists explain fail filter first following for foreign from full generated glob group groups having if "
    "ignore immediate in index indexed initially inner insert instead intersect into is isnull join key last left like limit match materialized natural no not "
    "nothing notnull null nulls of offset on or order others outer over partition plan pragma preceding primary query raise range recursive references regexp "
    "reindex release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then ties to transaction trigger "
    "unbounded union unique update using vacuum values view virtual when where window with without"
)
WORDS = [b"SELECT ", b" FROM ", b" WHERE ", b" AND ", b", ", b"'", b"from", b"select", b"order", b"name", b"id", b"_x", b">=", b"!= ", b'", "', b'"', b"''"]
TOKENS = [*[bytes([byte]) for byte in range(256)], b"", *WORDS]
VOCABULARY = grammask.Vocabulary(TOKENS, eos_ids=[256])
N_GENERATIONS = 5_000 if os.environ.get("GRAMMASK_THOROUGH") else 300


def bare_names() -> grammask.Grammar:
    """The printed grammar with bare names out of which SQLite's keywords are taken, by composition."""
    name = grammask.regex(f"(?!(?:{'|'.join(KEYWORDS.split())})$)[a-z_][a-z0-9_]{{0,30}}")
    value = gbnf('root ::= "\'" ([^\'\\x00] | "\'\'")* "\'" | [0-9]{1,18}')
    condition = grammask.join(" ", [name, grammask.choice(["=", ">", "<", ">=", "<=", "!="]), value])
    where = grammask.seq(" WHERE ", condition.repeat(1, separator=" AND "))
    return grammask.seq("SELECT ", name.repeat(1, separator=", "), " FROM ", name, grammask.optional(where), ";")


def generated(grammar: grammask.Grammar, n_texts: int, seed: int) -> list[str]:
    """Texts out of random allowed tokens, completed after some; characters are whole."""
    draw = random.Random(seed)
    matcher = grammask.compile(grammar, VOCABULARY).matcher()
    texts = []
    for _ in range(n_texts):
        matcher.reset()
        taken: list[int] = []
        for _ in range(draw.randint(0, 60)):
            allowed = [token_id for token_id in matcher.allowed_tokens().tolist() if token_id != 256]
            words = [token_id for token_id in allowed if token_id > 256]
            if not allowed:
                break
            taken.append(draw.choice(words if words and draw.random() < 0.5 else allowed))
            matcher.advance(taken[-1])
        taken += matcher.shortest_completion() or []
        texts.append(b"".join(TOKENS[token_id] for token_id in taken).decode())
    return texts


def fault(statement: str) -> str:
    """What sqlite3's parser has against a statement; nothing if it only misses tables and columns."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(statement)
    except sqlite3.Error as error:
        return "" if str(error).startswith(("no such table", "no such column")) else str(error)
    finally:
        connection.close()
    return ""


def test_the_printed_grammar_admits_what_sqlite_does_not_read(accepts: Accepts) -> None:
    """A column named from in a table named select is a sentence of this grammar and an error of syntax in SQLite; DROP is no sentence of it."""
    grammar = gbnf(PRINTED)
    assert accepts(grammar, "SELECT from FROM select;")
    assert "syntax error" in fault("SELECT from FROM select;")
    assert accepts(grammar, "SELECT a, b_c FROM t WHERE a >= 12 AND b != 'x y';")
    assert not accepts(grammar, "DROP TABLE t;")
    assert not accepts(grammar, "SELECT a FROM t; DROP TABLE t;")


def test_the_printed_grammar_generates_texts_of_its_own(accepts: Accepts) -> None:
    """Random generations end, and each is a text of the grammar."""
    grammar = gbnf(PRINTED)
    texts = generated(grammar, 60, seed=1)
    assert all(accepts(grammar, text) for text in texts)
    assert len(set(texts)) > 50


@pytest.mark.parametrize("grammar", [gbnf(QUOTED), bare_names()], ids=["quoted names", "names that are no keywords"])
def test_what_the_second_version_generates_is_read_by_sqlite(grammar: grammask.Grammar) -> None:
    """Thousands of random generations (GRAMMASK_THOROUGH=1; some hundreds without), none of which sqlite3's parser refuses."""
    texts = generated(grammar, N_GENERATIONS, seed=2)
    assert [(text, fault(text)) for text in texts if fault(text)] == []
    assert sum(" WHERE " in text for text in texts) > N_GENERATIONS / 20


@pytest.mark.parametrize("grammar", [gbnf(QUOTED), bare_names()], ids=["quoted names", "names that are no keywords"])
def test_the_second_version_refuses_keywords_as_names(grammar: grammask.Grammar, accepts: Accepts) -> None:
    """The sentence that the printed grammar admits is none; a quoted keyword is a name."""
    assert not accepts(grammar, "SELECT from FROM select;")
    assert accepts(gbnf(QUOTED), 'SELECT "from" FROM "select";')
    assert accepts(bare_names(), "SELECT from_ FROM selected WHERE a = 'it''s';")


def test_the_printed_json_grammar_generates_json(accepts: Accepts) -> None:
    """Its numbers may begin with zeros and its strings hold control characters, which JSON does not take; else what it generates is JSON."""
    grammar = gbnf(JSON)
    assert accepts(grammar, '{"a": [1, -2.5, {"b": true}],\n "c": "d"}')
    assert not accepts(grammar, '{"a": null}')
    assert not accepts(grammar, '{"a": 1,}')
    texts = generated(gbnf(JSON.replace('"-"? [0-9]+', '"-"? ("0" | [1-9] [0-9]*)')), 100, seed=3)
    assert all(isinstance(json.loads(text, strict=False), dict) for text in texts)
