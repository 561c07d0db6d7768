"""The automata of the formats that are kept ready are those of their patterns."""

from __future__ import annotations

import subprocess
import sys

import pytest

from grammask.frontends.json_schema.format_patterns import PATTERNS, language_of_pattern
from grammask.frontends.json_schema.format_tables import TABLES
from grammask.frontends.json_schema.formats import AT_MOST, MAX_LENGTHS, RENAMED, format_named, is_defined
from grammask.frontends.json_schema.idn_formats import IDN_FORMATS
from grammask.grammar.expression import Expression
from grammask.grammar.language import character_automaton
from grammask.grammar.packed_automaton import packed


def language_behind(name: str) -> Expression:
    return IDN_FORMATS[name]() if name in IDN_FORMATS else language_of_pattern(PATTERNS[name])


@pytest.mark.parametrize("name", [*PATTERNS, *IDN_FORMATS])
def test_a_table_says_what_its_pattern_says(name: str) -> None:
    """Whoever changes a pattern runs scripts/generate_format_tables.py: here the two are compared, arc by arc, and the text with what is written."""
    automaton = character_automaton(language_behind(name))
    assert character_automaton(format_named(name).language) == automaton
    assert TABLES[name].replace("\n", "") == packed(automaton)


def test_tables_and_names_agree() -> None:
    """Every table has its source, every name its table, and only what drafts define is a format."""
    assert set(TABLES) == {*PATTERNS, *IDN_FORMATS}
    assert {*MAX_LENGTHS, *RENAMED.values(), *AT_MOST, *filter(None, AT_MOST.values())} <= set(TABLES)
    assert [name for name in TABLES if not is_defined(name)] == ["hostname of RFC 1123", *[name for name in TABLES if name.endswith(" at most")]]


def test_a_schema_with_formats_reads_no_pattern() -> None:
    """Neither the patterns nor the parser of regular expressions are loaded for formats, their complements included."""
    code = """
import sys, grammask
from grammask.grammar.lower import lower
for part in {"format": "email"}, {"format": "idn-hostname"}, {"not": {"format": "date-time"}}:
    lower(grammask.json_schema({"type": "string", **part}).expression)
loaded = [name for name in ("frontends.json_schema.format_patterns", "frontends.json_schema.idn_formats", "frontends.regex.parser")
          if f"grammask.{name}" in sys.modules]
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
