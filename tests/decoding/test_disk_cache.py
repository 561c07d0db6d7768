"""A folder of compiled grammars: what is found there means the same, and what is not whole is made anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal

import pytest

import grammask
from grammask.decoding import disk_cache
from grammask.decoding.recalled import RecalledGrammar
from grammask.errors import GrammarTypeError, SchemaError
from grammask.grammar.expression import Token

from .worlds import byte_vocabulary

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer", "maximum": 30}, "b": {"type": "string", "pattern": "^x+$"}}, "required": ["a"]}
VALID = ['{"a": 1}', '{"a":30,"b":"xx"}']
INVALID = ['{"a": 31}', '{"b":"x"}', '{"a":1,"b":"y"}']
VOCABULARY = byte_vocabulary("abc", '":', "xx")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "grammars"


def accepts(constraint: grammask.Constraint, text: str) -> bool:
    matcher = constraint.matcher()
    return matcher.draft(text.encode()) == len(text) and all(matcher.advance(byte) is None for byte in text.encode()) and matcher.is_complete


def works(cache: grammask.Cache, schema: dict = SCHEMA) -> grammask.Constraint:
    """Compile over a vocabulary of its own, so that nothing comes from memory, and check what it takes."""
    constraint = grammask.compile(schema, byte_vocabulary("abc", '":', "xx"), cache=cache)
    assert [text for text in VALID + INVALID if accepts(constraint, text)] == VALID
    return constraint


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.grammar"))


# --- what is found --------------------------------------------------------------------------------------------------


def test_another_process_finds_what_one_has_compiled(folder):
    """The second cache of a folder makes nothing: same texts, same masks, same values and reports."""
    first = works(grammask.Cache(folder))
    cache = grammask.Cache(folder)
    second = works(cache)
    assert cache.statistics() == {"found": 1, "made": 0, "damaged": 0, "unwritten": 0}
    assert first.matcher().allowed_tokens().tolist() == second.matcher().allowed_tokens().tolist()
    assert second.grammar.value('{"a": 3}') == {"a": 3}
    assert list(second.report) == list(first.report)
    assert second.report.size == first.report.size
    assert second.grammar.source == SCHEMA
    assert second.grammar.kind == "json_schema"


def test_a_front_end_is_not_run_for_what_is_found(folder, monkeypatch):
    """Compiling and decoding need the tables alone; what else is asked for runs the front end once."""
    grammask.Cache(folder).grammar(grammask.json_schema, SCHEMA)
    runs = []
    again = disk_cache._Call.again
    monkeypatch.setattr(disk_cache._Call, "again", lambda call: runs.append(call) or again(call))
    constraint = works(grammask.Cache(folder))
    assert constraint.grammar.value("{}") == {}
    assert runs == []
    assert [constraint.grammar.source, len(constraint.grammar.report) > 0, constraint.grammar.source] == [SCHEMA, True, SCHEMA]
    assert len(runs) == 1


def test_what_the_caller_changes_later_does_not_matter(folder):
    """The grammar is that of the schema as it was."""
    schema = json.loads(json.dumps(SCHEMA))
    grammask.Cache(folder).grammar(grammask.json_schema, schema)
    grammar = grammask.Cache(folder).grammar(grammask.json_schema, schema)
    schema["properties"].clear()
    assert grammar.source == SCHEMA


@pytest.mark.parametrize(
    ("front_end", "arguments", "options", "text"),
    [
        (grammask.regex, ("a+b",), {"dialect": "ecma"}, "aab"),
        (grammask.choice, (["abc", "x"],), {}, "abc"),
        (grammask.gbnf, ('root ::= "a" root | "b"',), {}, "aab"),
        (grammask.json_schema, ('{"type": "integer"}', grammask.JsonSchemaOptions(whitespace=grammask.Indent(2))), {}, "12"),
        (grammask.json_schema, (), {"schema": True}, "[1]"),
    ],
    ids=["regex", "choice", "gbnf", "options", "keyword"],
)
def test_front_ends_are_kept_with_their_options(folder, front_end, arguments, options, text):
    """Every front end whose grammars depend on its arguments alone; other arguments are another file."""
    for round_ in range(2):
        cache = grammask.Cache(folder)
        grammar = cache.grammar(front_end, *arguments, **options)
        assert cache.statistics()["found"] == round_
        assert accepts(grammask.compile(grammar, VOCABULARY), text)
        assert grammar.value(text) == front_end(*arguments, **options).value(text)
    assert len(files(folder)) == 1


def test_keys_tell_all_arguments_apart(folder):
    """The order of properties, numbers and texts, options and their absence: different files."""
    cache = grammask.Cache(folder)
    calls = [
        (grammask.json_schema, {"properties": {"a": {}, "b": {}}}),
        (grammask.json_schema, {"properties": {"b": {}, "a": {}}}),
        (grammask.json_schema, {"const": 1}),
        (grammask.json_schema, {"const": "1"}),
        (grammask.json_schema, {"const": True}),
        (grammask.json_schema, {"const": 1.0}),
        (grammask.json_schema, '{"const": 1}'),
        (grammask.json_schema, {"const": 1}, grammask.JsonSchemaOptions(integers="digits")),
        (grammask.json_schema, {"const": 1}, grammask.JsonSchemaOptions(whitespace=grammask.Indent(1))),
        (grammask.json_schema, {"const": 1}, grammask.JsonSchemaOptions(whitespace=grammask.Indent(2))),
        (grammask.choice, ["a", "b"]),
        (grammask.choice, ["a, b"]),
        (grammask.regex, "a"),
    ]
    assert len({id(cache.grammar(*call)) for call in calls}) == len(calls)
    assert len(files(folder)) == len(calls)


def test_types_are_kept_by_their_schema(folder):
    """A Python type is compiled from the folder too, and read back as the type."""
    for _ in range(2):
        cache = grammask.Cache(folder)
        constraint = grammask.compile(Literal["a", "b"], VOCABULARY, cache=cache)
        assert accepts(constraint, '"a"')
        assert constraint.grammar.kind == "type"
        assert constraint.grammar.value('"b"') == "b"
    assert cache.statistics()["found"] == 1


def test_a_grammar_from_the_folder_composes(folder):
    """It is a grammar like any other: parts of it are read when they are needed."""
    for _ in range(2):
        grammar = grammask.seq("x", grammask.Cache(folder).grammar(grammask.regex, "a|b"))
        assert accepts(grammask.compile(grammar, VOCABULARY), "xb")


def test_errors_are_those_of_the_front_end(folder):
    """Nothing is kept for a schema that is wrong, and the error is the same each time."""
    cache = grammask.Cache(folder)
    for _ in range(2):
        with pytest.raises(SchemaError):
            grammask.compile({"type": "nothing"}, VOCABULARY, cache=cache)
    assert files(folder) == []


# --- what is not kept -----------------------------------------------------------------------------------------------


def test_what_json_cannot_hold_is_not_kept(folder):
    """Keys that are no texts, tuples, documents: read as always, and never confused with what JSON makes of them."""
    cache = grammask.Cache(folder)
    cache.grammar(grammask.choice, ("a", "b"))
    cache.grammar(grammask.json_schema, {"$ref": "urn:x"}, grammask.JsonSchemaOptions(documents={"urn:x": {"type": "null"}}))
    cache.grammar(grammask.json_schema, {"properties": {1: {"const": 1}}})
    assert files(folder) == []


def test_grammars_that_name_tokens_are_not_kept(folder, monkeypatch):
    """Their tables are those of one vocabulary."""
    monkeypatch.setattr(disk_cache._Call, "again", lambda call: grammask.Grammar(Token(["<a>"])))
    assert not isinstance(grammask.Cache(folder).grammar(grammask.regex, "a"), RecalledGrammar)
    assert files(folder) == []


def test_functions_of_others_are_refused(folder):
    """A cache cannot know what they depend on."""
    with pytest.raises(GrammarTypeError, match="json_schema"):
        grammask.Cache(folder).grammar(lambda: grammask.choice(["a"]))
    with pytest.raises(GrammarTypeError):
        grammask.Cache(folder).grammar(grammask.lark, 'start: "a"')


# --- files that are not what they should be -------------------------------------------------------------------------


def test_every_damaged_file_is_made_anew(folder):
    """Any byte changed, the file cut short anywhere, emptied, or that of another grammar: never used, and replaced."""
    works(grammask.Cache(folder))  # whoever comes first lowers what all JSON grammars share, and may write the tables in another order
    (path,) = files(folder)
    path.unlink()
    works(grammask.Cache(folder))
    whole = path.read_bytes()
    other = grammask.Cache(folder)
    other.grammar(grammask.regex, "zzz")
    (strange,) = [found for found in files(folder) if found != path]
    for data in [
        *(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :] for at in range(0, len(whole), 97)),
        b"",
        whole[:-1],
        whole[:40],
        strange.read_bytes(),
    ]:
        path.write_bytes(data)
        cache = grammask.Cache(folder)
        grammar = cache.grammar(grammask.json_schema, SCHEMA)
        assert cache.statistics() == {"found": 0, "made": 1, "damaged": 1, "unwritten": 0}
        assert isinstance(grammar, RecalledGrammar)
        assert path.read_bytes() == whole
    works(grammask.Cache(folder))


def test_a_file_that_was_sealed_with_nonsense_is_made_anew(folder):
    """Even where the digest is right, what makes no tables is not used."""
    works(grammask.Cache(folder))
    (path,) = files(folder)
    key = bytes.fromhex(path.stem)
    path.write_bytes(disk_cache._sealed(key, {"kind": "json_schema", "decodes_json": True}, b"\x05\x00\x00\x00hello"))
    cache = grammask.Cache(folder)
    works(cache)
    assert cache.statistics()["damaged"] == 1


def test_another_version_s_files_are_never_found(folder, monkeypatch):
    """Keys hold a digest of the sources that make tables, so any change of them is another version."""
    works(grammask.Cache(folder))
    monkeypatch.setattr(disk_cache, "_source_digest", lambda: b"other sources...")
    cache = grammask.Cache(folder)
    works(cache)
    assert cache.statistics()["found"] == 0
    assert len(files(folder)) == 2


def test_a_folder_that_cannot_be_written_costs_no_grammar(folder):
    """Reading and writing may fail for any reason of the system: grammars are made as without a cache."""
    cache = grammask.Cache(folder)
    folder.rmdir()
    folder.write_text("a file in its place")
    works(cache)
    assert cache.statistics()["unwritten"] == 1
    with pytest.raises(OSError, match="grammars"):
        grammask.Cache(folder)


def test_a_folder_in_place_of_a_file_costs_no_grammar(folder):
    """Whatever stands under a file's name."""
    works(grammask.Cache(folder))
    (path,) = files(folder)
    path.unlink()
    path.mkdir()
    cache = grammask.Cache(folder)
    works(cache)
    assert cache.statistics()["unwritten"] == 1


def test_the_folder_is_its_owner_s(folder):
    """Nobody else may write grammars into it."""
    grammask.Cache(folder)
    assert folder.stat().st_mode & 0o077 == 0


# --- room -----------------------------------------------------------------------------------------------------------


def test_files_used_longest_ago_go_first(folder, monkeypatch):
    """The room is kept to, and what was found again counts as used."""
    monkeypatch.setattr(disk_cache, "LARGEST_SHARE", 1)
    cache = grammask.Cache(folder)
    paths = {number: cache._file(disk_cache._frozen(grammask.choice, ([f"text {number}"],), {}).key) for number in range(6)}
    for number in range(5):
        cache.grammar(grammask.choice, [f"text {number}"])
        os.utime(paths[number], (1000 + number, 1000 + number))
    grammask.Cache(folder).grammar(grammask.choice, ["text 0"])
    grammask.Cache(folder, max_bytes=4 * paths[0].stat().st_size).grammar(grammask.choice, ["text 5"])
    assert [number for number, path in paths.items() if path.exists()] == [0, 4, 5]


def test_a_grammar_too_large_for_the_room_is_not_kept(folder):
    """One grammar does not drive out all others."""
    cache = grammask.Cache(folder, max_bytes=1_000)
    works(cache)
    assert files(folder) == []


def test_files_left_in_the_making_are_taken_away(folder):
    """A process that died while it wrote leaves nothing for ever; one that is at work is left alone."""
    cache = grammask.Cache(folder)
    old, new = folder / ".left", folder / ".at-work"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 2 * disk_cache.STALE_S,) * 2)
    works(cache)
    assert not old.exists()
    assert new.exists()


def test_clearing_leaves_an_empty_folder(folder):
    """All grammars go, other people's files stay."""
    cache = grammask.Cache(folder)
    works(cache)
    (folder / "notes.txt").write_text("mine")
    cache.clear()
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    works(cache)


# --- many at once ---------------------------------------------------------------------------------------------------


def test_threads_that_ask_for_one_grammar_get_one(folder):
    """Sixteen at once: one makes it, all get the same object."""
    cache = grammask.Cache(folder)
    found: list[grammask.Grammar] = []
    barrier = threading.Barrier(16)

    def ask() -> None:
        barrier.wait()
        found.append(cache.grammar(grammask.json_schema, SCHEMA))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(grammar) for grammar in found}) == 1
    assert cache.statistics()["made"] == 1


WORKER = """
import sys, json, random, grammask
folder, seed = sys.argv[1], int(sys.argv[2])
rng = random.Random(seed)
vocabulary = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), b""], [256])
for _ in range(25):
    cache = grammask.Cache(folder, max_bytes=60_000)
    size = rng.randrange(12)
    constraint = grammask.compile({"type": "string", "minLength": size, "maxLength": size}, vocabulary, cache=cache)
    matcher = constraint.matcher()
    for byte in json.dumps("a" * size).encode():
        matcher.advance(byte)
    assert matcher.is_complete
    if rng.random() < 0.2:
        for path in list(cache.path.glob("*.grammar"))[:2]:
            try:
                path.write_bytes(path.read_bytes()[: rng.randrange(400)])
            except OSError:
                pass
assert cache.statistics()["unwritten"] == 0
"""


def test_processes_share_a_folder(folder):
    """Four processes compile, evict and damage in one folder at once: every grammar is right, and nothing is left half-made."""
    environment = {**os.environ, "PYTHONPATH": str(Path(grammask.__file__).parents[1])}
    command = [sys.executable, "-c", WORKER, str(folder)]
    workers = [subprocess.Popen([*command, str(seed)], env=environment, stderr=subprocess.PIPE, text=True) for seed in range(4)]
    for worker in workers:
        _, words = worker.communicate(timeout=120)
        assert worker.returncode == 0, words
    assert [path.name for path in folder.iterdir() if path.suffix != ".grammar"] == []
    assert sum(path.stat().st_size for path in files(folder)) < 120_000
