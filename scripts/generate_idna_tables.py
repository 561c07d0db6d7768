"""Writes the classes of characters of internationalised host names: src/grammask/frontends/json_schema/idna_tables.py.

Run from the root of the repository, with the package idna installed: python scripts/generate_idna_tables.py
Left out, so that whatever is made of these characters is in normal form C and short in Punycode: characters beyond the basic plane, and
those that may compose with what stands before them. Characters that are allowed only in a context are written out in idn_formats.py.
Sources: RFC 5892 for what is allowed (through the package idna), the Unicode database for the rest.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import wrap

from idna.idnadata import codepoint_classes, scripts
from idna.intranges import intranges_contain

TARGET = Path(__file__).resolve().parent.parent / "src/grammask/frontends/json_schema/idna_tables.py"
HEAD = '''"""The characters beyond ASCII of internationalised host names, by what may be done with them: first and last of each range, alternating.

letters: from left to right, at any place; marks: behind a letter; ordered: marks of which one may stand in a row; viramas: those of them that
a joiner may follow; rtl and rtl_marks: from right to left; greek, hebrew and japanese: letters of these scripts, for the contexts of others.
Written by scripts/generate_idna_tables.py.
"""

# fmt: off
IDNA: dict[str, tuple[int, ...]] = {
'''


def composing() -> set[int]:
    """The characters that may compose with one before them."""
    found = {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}  # vowels and finals of Hangul
    for code in range(0x10000):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            found.add(int(parts[1], 16))
    return found


def classes() -> dict[str, list[int]]:
    """The code points of each class."""
    never = composing()
    found: dict[str, list[int]] = {name: [] for name in ("letters", "marks", "ordered", "viramas", "rtl", "rtl_marks", "greek", "hebrew", "japanese")}
    for code in range(0x80, 0x10000):
        character = chr(code)
        category, bidi, order = unicodedata.category(character), unicodedata.bidirectional(character), unicodedata.combining(character)
        if not intranges_contain(code, codepoint_classes["PVALID"]) or code in never or category == "Cn":
            continue
        if unicodedata.normalize("NFC", character) != character:
            continue
        if category.startswith("L") and bidi == "L":
            found["letters"].append(code)
        elif category.startswith("L") and bidi in ("R", "AL"):
            found["rtl"].append(code)
        elif category.startswith("M") and bidi in ("L", "NSM") and not order:
            found["marks"].append(code)
        elif category == "Mn" and bidi == "NSM":
            found["ordered"].append(code)
            is_rtl = 0x590 <= code <= 0x8FF or code == 0xFB1E
            if is_rtl:
                found["rtl_marks"].append(code)
            if order == 9:
                found["viramas"].append(code)
        for name, wanted in (("greek", ("Greek",)), ("hebrew", ("Hebrew",)), ("japanese", ("Hiragana", "Katakana", "Han"))):
            if category.startswith("L") and any(intranges_contain(code, scripts[script]) for script in wanted):
                found[name].append(code)
    return found


def ranges(codes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Neighbours as ranges."""
    codes = sorted(codes)
    starts = [codes[0], *(after for before, after in pairwise(codes) if after != before + 1)]
    ends = [*(before for before, after in pairwise(codes) if after != before + 1), codes[-1]]
    yield from zip(starts, ends, strict=True)


def main() -> None:
    """Write the file."""
    lines = []
    for name, codes in classes().items():
        text = ", ".join(f"0x{low:X}, 0x{high:X}" for low, high in ranges(codes)) + ","
        lines += [f'    "{name}": (', *wrap(text, 158, initial_indent=" " * 8, subsequent_indent=" " * 8), "    ),"]
    TARGET.write_text(HEAD + "\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
