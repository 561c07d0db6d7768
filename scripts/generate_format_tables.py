"""Writes the automata of the formats: src/grammask/frontends/json_schema/format_tables.py.

Run from the root of the repository after a change to a pattern in formats.py: python scripts/generate_format_tables.py
Reading them is cheaper than working them out when a format is first used. A test compares the file with the patterns.
"""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from grammask.frontends.json_schema.formats import PATTERNS, language_of_pattern  # noqa: E402 (the path is set above)
from grammask.grammar.language import character_automaton  # noqa: E402 (likewise)

TARGET = ROOT / "src/grammask/frontends/json_schema/format_tables.py"
HEAD = '''"""The formats over ASCII as automata: for each its end nodes, and from, to, low and high of each edge, one after the other.

Numbers stand in texts, of which only those of a format that is used are read: as numbers, Python would compile them all at the first use.
Written by scripts/generate_format_tables.py from the patterns in formats.py.
"""

# fmt: off
TABLES: dict[str, tuple[str, str]] = {
'''


def table(pattern: str) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The ends and edges of a pattern's automaton; None if it takes characters beyond ASCII."""
    automaton = character_automaton(language_of_pattern(pattern))
    edges = automaton.edges()
    if any(high > 0x7F for _, _, _, high in edges) or automaton.starts != (0,):
        return None
    return tuple(sorted(automaton.ends)), tuple(number for edge in edges for number in edge)


def main() -> None:
    """Write the file."""
    lines = []
    for name, pattern in PATTERNS.items():
        made = table(pattern)
        if made is not None:
            ends, edges = (" ".join(map(str, numbers)) for numbers in made)
            lines += [f'    "{name}": (', f'        "{ends}",', "        ("]
            lines += [f'            "{line} "' for line in wrap(edges, 144)]
            lines += ["        ),", "    ),"]
    TARGET.write_text(HEAD + "\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
