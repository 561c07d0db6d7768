"""The sets of characters, over all of Unicode: classes and case of `re`, properties and case of an ECMAScript engine."""

from __future__ import annotations

import re
import unicodedata

import pytest

from grammask.frontends.regex import pattern_language, python_sets, regex
from grammask.frontends.regex.charsets import EVERY, complement, contains, decode, encode, intersection, union
from grammask.frontends.regex.ecma_sets import property_set
from grammask.frontends.regex.ecma_tables import BINARY, CATEGORIES, SCRIPTS
from grammask.grammar.expression import Chars

from .oracles import ask_node

EVERY_CHARACTER = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)


def ranges_of(pattern: str, flags: int = 0) -> tuple[tuple[int, int], ...]:
    expression = regex(pattern, flags=flags).expression
    return expression.ranges if isinstance(expression, Chars) else ((ord(pattern), ord(pattern)),)


@pytest.mark.parametrize("pattern", [r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", ".", r"[\d_]", r"[^\w-]"])
@pytest.mark.parametrize("flags", [0, re.A], ids=["unicode", "ascii"])
def test_a_class_holds_exactly_what_re_finds(pattern: str, flags: int) -> None:
    """Every character of Unicode, in the version of the running interpreter."""
    assert ranges_of(pattern, flags) == found_by_re(pattern, flags)


def found_by_re(pattern: str, flags: int) -> tuple[tuple[int, int], ...]:
    runs = [run.group() for run in re.compile(f"(?:{pattern})+", flags).finditer(EVERY_CHARACTER)]
    return intersection(union([(ord(run[0]), ord(run[-1])) for run in runs]), EVERY)  # a run may go past the surrogates


def test_the_committed_tables_are_what_scanning_finds() -> None:
    """So either may serve; the tables hold one version of Unicode and scanning serves the others."""
    assert {letter: python_sets.character_class(letter) for letter in "dsw"} == python_sets.scan_classes()
    assert python_sets.orbits() == python_sets.scan_orbits()


CASED = [c for c in EVERY_CHARACTER if c.lower() != c or c.upper() != c]


def test_a_character_with_case_ignored_matches_what_re_matches() -> None:
    """Every seventh cased character against all of them, and those with special cases."""
    cased = "".join(CASED)
    for character in [*CASED[::7], *"kKſsiIİıσςΣµßẞǅ\u0345ιΐӏ"]:
        found = re.compile(character, re.IGNORECASE).findall(cased)
        re.purge()
        ranges = ranges_of(character, re.IGNORECASE)
        assert [c for c in CASED if contains(ranges, ord(c))] == found, character


@pytest.mark.parametrize("pattern", ["[a-k]", "[^a-k]", "[À-ſ]", "[^K]", r"[\u0345x]", r"[\W1]", r"[\w]", "[α-ω]", r"[\U00010428-\U00010430]", r"[^\d]"])
@pytest.mark.parametrize("flags", [re.I, re.I | re.A], ids=["unicode", "ascii"])
def test_a_class_with_case_ignored_holds_exactly_what_re_finds(pattern: str, flags: int) -> None:
    """Ranges, negation, classes inside classes."""
    assert ranges_of(pattern, flags) == found_by_re(pattern, flags)


PROPERTIES = [
    "Lu",
    "L",
    "LC",
    "Letter",
    "gc=Nd",
    "P",
    "Cn",
    "Alphabetic",
    "ASCII",
    "Any",
    "Emoji",
    "White_Space",
    "Script=Greek",
    "sc=Hani",
    "scx=Hira",
    "scx=Zyyy",
]


def test_a_property_holds_exactly_what_node_finds() -> None:
    """A character at either side of every border of the set; skipped where node has another version of Unicode."""
    cases = []
    for name in PROPERTIES:
        ranges = property_set(*(name.split("=") if "=" in name else (name, None)))  # type: ignore[arg-type]
        assert ranges is not None
        borders = {c for low, high in ranges for c in (low - 1, low, high, high + 1) if 0 <= c < 0x110000 and not 0xD800 <= c < 0xE000}
        cases.append((rf"^\p{{{name}}}$", "", [chr(c) for c in sorted(borders)]))
    if ask_node([(r"^\p{L}$", "", ["\U00016ea0"])]) != [[[True, True]]]:
        pytest.skip("this node has an older Unicode than the tables, which hold version 17")
    for (pattern, _, texts), answers in zip(cases, ask_node(cases), strict=True):
        language = pattern_language(pattern)
        assert isinstance(language, Chars)
        assert answers == [[contains(language.ranges, ord(text))] * 2 for text in texts], pattern


def test_case_in_ecma_is_what_node_has() -> None:
    """Every fifth cased character against its neighbours in the order of lower case."""
    cased = sorted(CASED, key=lambda c: (c.lower(), c))
    cases = [(f"^{c}$", "i", [*cased[max(at - 6, 0) : at + 6], *"kKſsσςΣßẞİı"]) for at, c in list(enumerate(cased))[::5]]
    if unicodedata.unidata_version > "17":
        pytest.skip("the cased characters of this Python are newer than the tables")
    for (pattern, _, texts), answers in zip(cases, ask_node(cases), strict=True):
        language = pattern_language(pattern, flags=re.I)
        ranges = language.ranges if isinstance(language, Chars) else ((ord(pattern[1]), ord(pattern[1])),)
        assert answers == [[contains(ranges, ord(text))] * 2 for text in texts], pattern


def test_every_name_of_a_property_has_a_set() -> None:
    """Short and long names, of categories, scripts, script extensions and binary properties."""
    assert all(property_set(name, None) for name in [*BINARY, *(set(CATEGORIES) - {"Cs", "Surrogate"})])
    assert all(property_set("sc", name) and property_set("scx", name) for name in SCRIPTS)
    assert property_set("Script", "Greek") == property_set("sc", "Grek")
    assert property_set("Letter", None) == property_set("gc", "L") == property_set("General_Category", "Letter")


def test_sets_are_an_algebra() -> None:
    """Complement and intersection keep the normal form, and committed text gives back the set."""
    word = python_sets.character_class("w")
    assert complement(complement(word)) == word
    assert intersection(word, complement(word)) == ()
    assert union(word, complement(word)) == EVERY
    assert decode(encode(word)) == word
