"""The formats of JSON Schema as languages over characters, kept ready.

Rule: everything in a language here is a valid instance of its format; what is valid and left out is told in `format_patterns` and
`idn_formats`, from which scripts/generate_format_tables.py makes the automata. They are never read while a schema is compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from grammask.frontends.json_schema.format_tables import TABLES
from grammask.grammar.expression import ReadyAutomaton

__all__ = ["AT_MOST", "RENAMED", "Format", "format_at_most", "format_named", "is_defined"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format's language, and the longest string it takes, in characters (None: no bound)."""

    language: ReadyAutomaton
    max_length: int | None = None


# Formats of which some valid strings are left out: where a language is that leaves out none. None: nothing but all strings is known.
AT_MOST = {
    "date": "date at most",
    "time": "time at most",
    "date-time": "date-time at most",
    "email": "email at most",
    "hostname": "hostname of RFC 1123",
    "idn-email": None,
    "idn-hostname": None,
    "regex": None,
}
MAX_LENGTHS = {"hostname": 253, "hostname of RFC 1123": 253, "idn-hostname": 253, "email": 254, "idn-email": 254}
RENAMED = {(draft, "hostname"): "hostname of RFC 1123" for draft in ("4", "6")}  # before draft 7 encoded labels were labels like others


def is_defined(name: str) -> bool:
    """Whether some draft defines a format of this name; others say nothing about strings."""
    return name in TABLES and name not in AT_MOST.values()


@lru_cache(maxsize=64)
def format_named(name: str) -> Format:
    """A language of the tables. Its automaton costs below a millisecond, once; a few for what is international."""
    return Format(ReadyAutomaton(TABLES[name]), MAX_LENGTHS.get(name))


def format_at_most(name: str) -> Format | None:
    """A language that holds every valid string of a format that is defined, if perhaps others too; None if none is known."""
    widest = AT_MOST.get(name, name)
    return None if widest is None else format_named(widest)
