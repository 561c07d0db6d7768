"""The character sets that patterns of the regex crate can name: Unicode properties by loose names, and the classes \\d, \\s and \\w.

Rule: names are matched as the crate matches them (case, blanks, - and _ make no difference, nor does "is" in front); the sets are those
of ecma_tables, which are loaded when a pattern first needs one.
"""

from __future__ import annotations

import re
from functools import cache

from grammask.frontends.regex.charsets import Ranges, union
from grammask.frontends.regex.ecma_sets import known_values, property_set

__all__ = ["POSIX", "VALUED", "WITHOUT_TABLE", "character_class", "loose", "loose_property", "spelled_alone"]

# The classes in [: :], which hold ASCII only.
POSIX: dict[str, Ranges] = {
    "alnum": ((0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)), "alpha": ((0x41, 0x5A), (0x61, 0x7A)), "ascii": ((0, 0x7F),), "blank": ((9, 9), (0x20, 0x20)),
    "cntrl": ((0, 0x1F), (0x7F, 0x7F)), "digit": ((0x30, 0x39),), "graph": ((0x21, 0x7E),), "lower": ((0x61, 0x7A),), "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)), "space": ((9, 13), (0x20, 0x20)), "upper": ((0x41, 0x5A),),
    "word": ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)), "xdigit": ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
}  # fmt: skip

# Properties that take a value: loose name -> the name ecma_sets has.
VALUED = {
    "gc": "gc", "generalcategory": "gc", "sc": "sc", "script": "sc", "scx": "scx", "scriptextensions": "scx",
}  # fmt: skip

# What the crate has and the tables have not, by loose name.
_UNLISTED = """
age gcb graphemeclusterbreak wb wordbreak sb sentencebreak hyphen grlink graphemelink pcm prependedconcatenationmark oalpha otheralphabetic odi
otherdefaultignorablecodepoint ogrext othergraphemeextend oids otheridstart oidc otheridcontinue olower otherlowercase omath othermath oupper
otheruppercase incb mcm modifiercombiningmark idcompatmathstart idcompatmathcontinue idsu idsunaryoperator"""
WITHOUT_TABLE = frozenset(_UNLISTED.split())

_NOT_IN_THE_CRATE = {"cwkcf", "changeswhennfkccasefolded", "cs", "surrogate", "zzzz", "unknown"}
_WHOLE = {"any": "Any", "assigned": "Assigned", "ascii": "ASCII"}  # which the crate counts among the categories
_IGNORED = re.compile(r"[\s_-]+")


def loose(name: str) -> str:
    """The name without what makes no difference."""
    plain = _IGNORED.sub("", name).lower()
    return plain.removeprefix("is") if plain != "isc" else plain


def loose_property(name: str, value: str | None) -> Ranges | None:
    """The characters of \\p{name=value}, or of \\p{name} (a property, a category or a script); None if the crate has no such thing."""
    if value is not None:
        own = VALUED.get(loose(name))
        if own == "gc" and loose(value) in _WHOLE:
            return property_set(_WHOLE[loose(value)], None)
        exact = own and _spellings("gc" if own == "gc" else "sc").get(loose(value))
        return property_set(own, exact) if own and exact else None
    exact = _spellings("").get(loose(name))
    if exact is not None:
        return property_set(exact, None)
    exact = _spellings("sc").get(loose(name))
    return property_set("sc", exact) if exact is not None else None


@cache
def _spellings(name: str) -> dict[str, str]:
    names = {loose(known): known for known in known_values(name)}
    return {known: exact for known, exact in names.items() if known not in _NOT_IN_THE_CRATE}


def spelled_alone() -> list[str]:
    """Every name that may stand alone, as Unicode spells it: for hints."""
    return [*_spellings("").values(), *_spellings("sc").values()]


@cache
def character_class(letter: str) -> Ranges:
    """The characters that \\d, \\s or \\w matches in Unicode mode, by its letter: what Unicode's advice on regular expressions gives."""
    names = {"d": ("Nd",), "s": ("White_Space",), "w": ("Alphabetic", "M", "Nd", "Pc", "Join_Control")}[letter]
    return union(*[property_set(name, None) or () for name in names])
