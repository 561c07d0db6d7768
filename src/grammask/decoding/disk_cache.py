"""A folder of compiled grammars, so that a process need not read and lower what another one has.

What is kept is vocabulary-independent: a grammar's raw tables, under a digest of the front end, its arguments and its own source. So files of
another version are never found, and a grammar that is bound to another vocabulary is the same file.
Rule: a file is used only if it is whole, of this version and of this very grammar; any other is taken away and made anew.
Rule: a file appears under its name whole or not at all, so processes may share a folder without talking to each other.
Rule: the folder is trusted: who can write to it decides what a grammar means, as with any code.
Below: recalled, cache, grammar.table_file, grammar.lower.  Above: api.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from grammask.arguments import path as path_kind
from grammask.arguments import takes, whole
from grammask.decoding.cache import SingleFlightCache
from grammask.decoding.recalled import RecalledGrammar
from grammask.errors import GrammarTypeError
from grammask.grammar.distinct import Recorded
from grammask.grammar.expression import Expression, Token
from grammask.grammar.free_text import FreeText, Marked
from grammask.grammar.grammar import Grammar
from grammask.grammar.lower import lower
from grammask.grammar.table_file import Known, pack_tables, unpack_tables
from grammask.grammar.walk import bottom_up, rules_of
from grammask.kernel.tables import RuleTable

__all__ = ["Cache"]

MAGIC = b"grammask grammar 1\n"
SUFFIX = ".grammar"
DIGEST = 16  # bytes
ROOM = 1 << 28
RECENT = 256  # grammars kept in memory
KNOWN = 2048  # shared tables kept in memory
LARGEST_SHARE = 8  # no file takes more than this part of the room
STALE_S = 3600.0  # a file in the making that is older was left by a process that died
CHECKED_EVERY = 64  # files written between two looks at what others have written
# Front ends whose grammars depend on their arguments alone (no files, no other packages).
FRONT_ENDS = ("choice", "gbnf", "json_schema", "regex")


class Cache:
    """A folder of compiled grammars. Opt in with `grammask.compile(schema, vocabulary, cache=cache)` or `cache.grammar(grammask.regex, ...)`.

    path: the folder, made if it is not there (readable by its owner alone). max_bytes: what its files may take together; those used
    longest ago go first. Any number of threads and processes may use one folder. Raises OSError if the folder cannot be made.
    """

    @takes(path=path_kind, max_bytes=whole())
    def __init__(self, path: str | os.PathLike[str], *, max_bytes: int = ROOM) -> None:
        self.path, self.max_bytes = Path(path), max_bytes
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._recent: SingleFlightCache[bytes, Grammar] = SingleFlightCache(RECENT)
        self._known: Known = {}
        self._lock = threading.Lock()
        self._bytes: int | None = None  # what the files take, as far as is known here
        self._until_check = CHECKED_EVERY
        self._counts = {"found": 0, "made": 0, "damaged": 0, "unwritten": 0}

    def grammar(self, front_end: Callable[..., Grammar], *arguments: Any, **options: Any) -> Grammar:
        """What `front_end(*arguments, **options)` gives, read from the folder if it was compiled before.

        front_end: `grammask.json_schema`, `regex`, `gbnf` or `choice`. Raises what it raises; GrammarTypeError for another one, whose grammars
        may depend on more than its arguments. Arguments that JSON cannot hold are not kept, nor
        grammars that name tokens or hold items without number that must differ.
        A folder that can no longer be read or written costs time, never an error.
        """
        if not getattr(front_end, "__module__", "").startswith(tuple(f"grammask.frontends.{name}" for name in FRONT_ENDS)):
            raise GrammarTypeError(getattr(front_end, "__name__", repr(front_end)), f"a cache keeps what {', '.join(FRONT_ENDS)} of grammask give")
        call = _frozen(front_end, arguments, options)
        if call is None:
            return front_end(*arguments, **options)
        return self._recent.get(call.key, lambda: self._recalled(call))

    def statistics(self) -> dict[str, int]:
        """How many grammars were found in the folder, made anew, found damaged, and could not be written, since this object was made."""
        with self._lock:
            return dict(self._counts)

    def clear(self) -> None:
        """Take all files of compiled grammars out of the folder, also those that others have written. Raises OSError for one that stays."""
        self._recent.clear()
        for path in self.path.glob(f"*{SUFFIX}"):
            path.unlink(missing_ok=True)
        with self._lock:
            self._bytes = 0

    def _count(self, what: str) -> None:
        with self._lock:
            self._counts[what] += 1

    def _recalled(self, call: _Call) -> Grammar:
        held = self._read(call.key)
        if held is not None:
            table, facts = held
            self._count("found")
            decoded = {"decode": json.loads} if facts["decodes_json"] else {}
            return RecalledGrammar(table, call.key, call.again, kind=facts["kind"], **decoded)
        grammar = call.again()
        self._count("made")
        if _is_no_data(grammar.expression):
            return grammar
        table = lower(grammar.expression)
        self._write(call.key, table, grammar)
        return RecalledGrammar(table, call.key, lambda: grammar)

    # -- files ---------------------------------------------------------------------------------------------------------

    def _file(self, key: bytes) -> Path:
        return self.path / f"{key.hex()}{SUFFIX}"

    def _read(self, key: bytes) -> tuple[RuleTable, dict[str, Any]] | None:
        """The tables kept for a key; a file that is not what it should be is taken away."""
        path = self._file(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        try:
            facts, tables = _opened(data, key)
            with self._lock:
                if len(self._known) > KNOWN:
                    self._known.clear()
                table = unpack_tables(tables, self._known)
        except ValueError:
            self._count("damaged")
            self._quietly(path.unlink)
            return None
        self._quietly(partial(os.utime, path))  # it was used just now
        return table, facts

    def _write(self, key: bytes, table: RuleTable, grammar: Grammar) -> None:
        data = _sealed(key, {"kind": grammar.kind, "decodes_json": grammar.decode is json.loads}, pack_tables(table))
        if len(data) > self.max_bytes // LARGEST_SHARE:
            return
        temporary = self.path / f".{key.hex()}.{os.getpid()}-{secrets.token_hex(4)}"
        try:
            temporary.write_bytes(data)
            temporary.replace(self._file(key))
        except OSError:
            self._count("unwritten")
            self._quietly(temporary.unlink)
            return
        self._make_room(len(data))

    @staticmethod
    def _quietly(do: Callable[[], object]) -> None:
        """Something that another process may have done first, or that this one may not do."""
        try:
            do()
        except OSError:
            return

    def _make_room(self, written: int) -> None:
        """Take away the files used longest ago if there are too many bytes; look at all of them now and then only."""
        with self._lock:
            self._until_check -= 1
            if self._bytes is not None and self._until_check > 0:
                self._bytes += written
                if self._bytes <= self.max_bytes:
                    return
            self._until_check = CHECKED_EVERY
            self._bytes = self._evict()

    def _evict(self) -> int:
        """Bytes of what is left after eviction: all of it, or four fifths of the room."""
        found: list[tuple[float, int, Path]] = []
        now = time.time()
        for path in self.path.iterdir():
            try:
                about = path.stat()
            except OSError:
                continue
            if path.suffix == SUFFIX:
                found.append((about.st_mtime, about.st_size, path))
            elif path.name.startswith(".") and now - about.st_mtime > STALE_S:
                self._quietly(path.unlink)
        total = sum(size for _, size, _ in found)
        if total > self.max_bytes:
            for _, size, path in sorted(found, key=lambda entry: entry[0]):
                self._quietly(path.unlink)
                total -= size
                if total <= self.max_bytes * 4 // 5:
                    break
        return total


# --- one file -------------------------------------------------------------------------------------------------------


def _sealed(key: bytes, facts: Mapping[str, Any], tables: bytes) -> bytes:
    """magic, digest of the rest, key, length of the facts, facts, tables."""
    head = json.dumps(facts).encode()
    rest = b"".join([key, len(head).to_bytes(4, "little"), head, tables])
    return b"".join([MAGIC, blake2b(rest, digest_size=DIGEST).digest(), rest])


def _opened(data: bytes, key: bytes) -> tuple[dict[str, Any], bytes]:
    """What was sealed under this key. Raises ValueError for anything else."""
    rest = data[len(MAGIC) + DIGEST :]
    if not data.startswith(MAGIC) or data[len(MAGIC) : len(MAGIC) + DIGEST] != blake2b(rest, digest_size=DIGEST).digest() or not rest.startswith(key):
        raise ValueError("not what was written")
    start = len(key) + 4
    end = start + int.from_bytes(rest[len(key) : start], "little")
    facts: dict[str, Any] = json.loads(rest[start:end])
    return facts, rest[end:]


# --- what names a grammar -------------------------------------------------------------------------------------------


class _Call:
    """A call of a front end, as it was made, and the digest that names it."""

    __slots__ = ("_arguments", "_front_end", "_options", "key")

    def __init__(self, front_end: Callable[..., Grammar], arguments: list[Any], options: dict[str, Any], key: bytes) -> None:
        self._front_end, self._arguments, self._options, self.key = front_end, arguments, options, key

    def again(self) -> Grammar:
        """Make the grammar; later changes of what the caller passed do not matter."""
        return self._front_end(*map(_thawed, self._arguments), **{name: _thawed(value) for name, value in self._options.items()})


class _Json(str):
    """A list or dict as it was, in JSON."""

    __slots__ = ()


def _thawed(value: Any) -> Any:
    return json.loads(value) if isinstance(value, _Json) else value


def _frozen(front_end: Callable[..., Grammar], arguments: tuple[Any, ...], options: dict[str, Any]) -> _Call | None:
    """The call, with a copy of its arguments; None for arguments that JSON does not give back as they are."""
    try:
        held = [_copied(value) for value in arguments]
        named = {name: _copied(value) for name, value in options.items()}
        parts = [front_end.__module__, front_end.__qualname__, *map(_spelled, held), *[f"{name}={_spelled(named[name])}" for name in sorted(named)]]
    except (TypeError, ValueError, RecursionError):
        return None
    state = blake2b(_source_digest(), digest_size=DIGEST)
    for part in parts:
        state.update(f"{len(part)} {part}".encode("utf-8", "surrogatepass"))
    return _Call(front_end, held, named, state.digest())


def _copied(value: Any) -> Any:
    """A value that nobody can change any more. Raises ValueError, TypeError for what has no JSON of its own."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, dict | list):
        text = json.dumps(value, separators=(",", ":"))
        if json.loads(text) != value:
            raise ValueError("JSON gives back something else")
        return _Json(text)
    if is_dataclass(value) and not isinstance(value, type):
        for part in [getattr(value, field.name) for field in fields(value)]:
            if isinstance(_copied(part), _Json) and part:
                raise TypeError("options that hold what somebody may change")
        return value
    raise TypeError(f"{type(value).__name__} has no JSON")


def _spelled(value: Any) -> str:
    """A copied value as a text that tells it from all others."""
    if isinstance(value, _Json):
        return f"json {value}"
    if is_dataclass(value) and not isinstance(value, type):
        held = [f"{field.name}={_spelled(_copied(getattr(value, field.name)))}" for field in fields(value)]
        return f"{type(value).__qualname__}({', '.join(held)})"
    return f"{type(value).__name__} {json.dumps(value)}"


@cache
def _source_digest() -> bytes:
    """A digest of everything that decides what a front end's tables are: this package's Python sources, Python's version, Unicode's."""
    folder = Path(__file__).parents[1]
    state = blake2b(f"{sys.version_info} {unicodedata.unidata_version} {sys.byteorder}".encode(), digest_size=DIGEST)
    for room in ("grammar", "frontends", "kernel"):
        for path in sorted((folder / room).rglob("*.py")):
            state.update(f"{path.relative_to(folder)} ".encode() + path.read_bytes())
    return state.digest()


def _is_no_data(root: Expression) -> bool:
    """Whether an expression names tokens, so that its tables are those of one vocabulary, or tells items apart, which takes its front end."""
    return any(isinstance(node, Token | FreeText | Marked | Recorded) for node in bottom_up([root, *(rule.body for rule in rules_of(root))]))
