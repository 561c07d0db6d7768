"""The automata of the formats that are kept ready are those of their patterns."""

from __future__ import annotations

import pytest

from grammask.frontends.json_schema.format_tables import TABLES
from grammask.frontends.json_schema.formats import PATTERNS, format_named, language_of_pattern
from grammask.grammar.language import character_automaton


@pytest.mark.parametrize("name", PATTERNS)
def test_a_table_says_what_its_pattern_says(name: str) -> None:
    """Whoever changes a pattern runs scripts/generate_format_tables.py: here the two are compared, edge by edge."""
    automaton = character_automaton(language_of_pattern(PATTERNS[name]))
    found = format_named(name)
    assert found is not None
    assert character_automaton(found.language) == automaton
    beyond_ascii = any(high > 0x7F for _, _, _, high in automaton.edges())
    assert (name in TABLES) is not beyond_ascii
