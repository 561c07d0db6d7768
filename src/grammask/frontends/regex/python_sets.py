"""The classes \\d, \\s and \\w of Python's `re`, and which characters it takes for equal when case is ignored.

Rule: what `re` does in the running interpreter is the definition. The committed tables hold it for one version of Unicode;
under any other version the same sets are found by scanning, once per process (some 0.1 s).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from grammask.frontends.regex.charsets import Ranges, decode

__all__ = ["character_class", "orbits", "scan_classes", "scan_orbits"]

_SURROGATES = range(0xD800, 0xE000)


@cache
def character_class(letter: str) -> Ranges:
    """The characters that \\d, \\s or \\w matches in a Unicode pattern, by its letter."""
    table = _committed()
    return decode(table[letter]) if table else scan_classes()[letter]


@cache
def orbits() -> tuple[tuple[int, ...], ...]:
    """Groups of characters of which each matches each when case is ignored in a Unicode pattern."""
    table = _committed()
    if not table:
        return scan_orbits()
    return tuple(tuple(int(word, 16) for word in orbit.split()) for orbit in table["orbits"].split(","))


def _committed() -> dict[str, str]:
    from grammask.frontends.regex import python_tables  # loaded on first need: few patterns need it

    return python_tables.SETS if unicodedata.unidata_version == python_tables.UNICODE_VERSION else {}


@cache
def scan_classes() -> dict[str, Ranges]:
    """The classes by asking `re` about every character. Cost: some 50 ms."""
    text = "".join([chr(c) for c in range(0x110000) if c not in _SURROGATES])
    classes = {}
    for letter in "dsw":
        runs = [m.group() for m in re.finditer(rf"\{letter}+", text)]
        classes[letter] = tuple((ord(run[0]), ord(run[-1])) for run in runs)
    return classes


def scan_orbits() -> tuple[tuple[int, ...], ...]:
    """The groups from the rule of `re`: equal lower case, or lower cases with an equal upper case. Cost: some 20 ms."""
    groups: dict[str, list[int]] = {}
    for start in range(0, 0x110000, 256):
        block = [] if start in _SURROGATES else [chr(c) for c in range(start, start + 256)]
        text = "".join(block)
        if text.lower() != text or text.upper() != text:  # few blocks hold cased characters
            for character in block:
                # U+0130 alone has a lower case of two characters; `re` takes the simple one, which is the first of them.
                groups.setdefault(character.lower()[0].upper(), []).append(ord(character))
    return tuple(sorted(tuple(orbit) for orbit in groups.values() if len(orbit) > 1))
