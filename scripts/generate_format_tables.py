"""Writes the automata of the formats: src/grammask/frontends/json_schema/format_tables.py.

Run from the root of the repository after a change to format_patterns.py or idn_formats.py: python scripts/generate_format_tables.py
Reading them is cheaper than working them out when a format is first used. A test compares the file with the patterns.
"""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from grammask.frontends.json_schema.format_patterns import PATTERNS, language_of_pattern  # noqa: E402 (the path is set above)
from grammask.frontends.json_schema.idn_formats import IDN_FORMATS  # noqa: E402 (likewise)
from grammask.grammar.language import character_automaton  # noqa: E402 (likewise)
from grammask.grammar.packed_automaton import packed  # noqa: E402 (likewise)

TARGET = ROOT / "src/grammask/frontends/json_schema/format_tables.py"
HEAD = '''"""The formats as automata over characters, as grammar.packed_automaton writes them.

Written by scripts/generate_format_tables.py from the patterns in format_patterns.py and the languages in idn_formats.py.
"""

# fmt: off
TABLES: dict[str, str] = {
'''


def main() -> None:
    """Write the file."""
    languages = {name: language_of_pattern(pattern) for name, pattern in PATTERNS.items()}
    languages |= {name: language() for name, language in IDN_FORMATS.items()}
    lines = []
    for name, language in languages.items():
        lines += [f'    "{name}": """', *wrap(packed(character_automaton(language)), 158), '""",']
    TARGET.write_text(HEAD + "\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
