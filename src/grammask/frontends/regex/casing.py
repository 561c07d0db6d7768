"""Which characters match each other when case is ignored.

Rule: in each dialect that is an equivalence, given by *orbits* (groups of characters); a set of characters under `i` is the set
with every orbit that it meets. Only sets as written in the pattern are completed; the classes of `re` are closed already.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from grammask.frontends.regex.charsets import Ranges, contains, count, union

__all__ = ["Completion", "complete_ascii", "complete_ecma", "complete_python"]

Orbits = tuple[tuple[int, ...], ...]
Completion = Callable[[Ranges], Ranges]

_FEW_CHARACTERS = 300  # up to here it is cheaper to look every character up than to try every orbit


def complete_python(ranges: Ranges) -> Ranges:
    """As `re` does for Unicode patterns: among others K, k and the Kelvin sign; s, S and the long s; I, i and both Turkish ones."""
    return _completed(_python_orbits, ranges)


def complete_ascii(ranges: Ranges) -> Ranges:
    """As `re` does under the flag ASCII: the letters A to Z alone."""
    return _completed(_ascii_orbits, ranges)


def complete_ecma(ranges: Ranges) -> Ranges:
    """As ECMA-262 does with the flag u: simple case folding."""
    return _completed(_ecma_orbits, ranges)


@lru_cache(maxsize=4096)
def _completed(orbits_of_dialect: Callable[[], Orbits], ranges: Ranges) -> Ranges:
    if count(ranges) <= _FEW_CHARACTERS:
        by_character = _by_character(orbits_of_dialect)
        met = [by_character.get(c, ()) for low, high in ranges for c in range(low, high + 1)]
    else:
        met = [orbit for orbit in orbits_of_dialect() if any(contains(ranges, c) for c in orbit)]
    return union(ranges, [(c, c) for orbit in met for c in orbit])


@cache
def _by_character(orbits_of_dialect: Callable[[], Orbits]) -> dict[int, tuple[int, ...]]:
    return {c: orbit for orbit in orbits_of_dialect() for c in orbit}


def _python_orbits() -> Orbits:
    from grammask.frontends.regex.python_sets import orbits

    return orbits()


def _ecma_orbits() -> Orbits:
    from grammask.frontends.regex.ecma_sets import orbits

    return orbits()


def _ascii_orbits() -> Orbits:
    return tuple((c, c + 32) for c in range(ord("A"), ord("Z") + 1))
