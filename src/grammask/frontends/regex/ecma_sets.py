"""The character sets that ECMA-262 patterns can name: Unicode properties, categories and scripts.

Rule: names are spelled exactly as ECMA-262 lists them. The tables are loaded when a pattern first needs one.
"""

from __future__ import annotations

from functools import cache

from grammask.frontends.regex.charsets import Ranges, decode, union
from grammask.frontends.regex.ecma_tables import BINARY, CATEGORIES, SCRIPTS, SETS

__all__ = ["known_values", "orbits", "property_set"]

# Categories that are unions of others: name -> initial letter of its parts, or the parts.
_GROUPS = {
    "C": "C", "Other": "C", "L": "L", "Letter": "L", "M": "M", "Mark": "M", "Combining_Mark": "M", "N": "N", "Number": "N", "P": "P",
    "Punctuation": "P", "punct": "P", "S": "S", "Symbol": "S", "Z": "Z", "Separator": "Z", "LC": "LC", "Cased_Letter": "LC",
}  # fmt: skip
_CASED = ("Lu", "Ll", "Lt")


@cache
def property_set(name: str, value: str | None) -> Ranges | None:
    """The characters of \\p{name=value}, or of \\p{name} if there is no value; None if there is no such property."""
    if value is None:
        return decode(SETS[f"bin:{BINARY[name]}"]) if name in BINARY else _category(name)
    if name in ("General_Category", "gc"):
        return _category(value)
    if value not in SCRIPTS or name not in ("Script", "sc", "Script_Extensions", "scx"):
        return None
    script = SCRIPTS[value]
    return decode(SETS[f"sc:{script}"] if name in ("Script", "sc") else SETS.get(f"scx:{script}", SETS[f"sc:{script}"]))


def _category(name: str) -> Ranges | None:
    group = _GROUPS.get(name)
    if group is not None:
        parts = _CASED if group == "LC" else tuple(dict.fromkeys(c for c in CATEGORIES.values() if c[0] == group))
        return union(*[decode(SETS[f"gc:{part}"]) for part in parts])
    return decode(SETS[f"gc:{CATEGORIES[name]}"]) if name in CATEGORIES else None


def known_values(name: str) -> list[str]:
    """The names that may stand after `name=`, or alone if `name` is empty: for hints."""
    if name in ("Script", "sc", "Script_Extensions", "scx"):
        return list(SCRIPTS)
    categories = [*CATEGORIES, *_GROUPS]
    return categories if name else [*categories, *BINARY]


def orbits() -> tuple[tuple[int, ...], ...]:
    """Groups of characters that match each other under the flag i."""
    return tuple(tuple(int(word, 16) for word in orbit.split()) for orbit in SETS["orbits"].split(","))
