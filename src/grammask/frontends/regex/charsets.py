"""Sets of characters as ranges of code points.

Rule: a set is a sorted tuple of disjoint, not adjacent (low, high) pairs, inclusive, without surrogates: what `Chars.ranges` holds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from grammask.grammar.expression import MAX_CODE_POINT, normalise_ranges

__all__ = ["EVERY", "Ranges", "complement", "contains", "count", "decode", "encode", "intersection", "union"]

Ranges = tuple[tuple[int, int], ...]

EVERY: Ranges = normalise_ranges([(0, MAX_CODE_POINT)])

_SURROGATES = (0xD800, 0xDFFF)
_NO_RANGE = (MAX_CODE_POINT + 1, MAX_CODE_POINT + 1)


def union(*sets: Iterable[tuple[int, int]]) -> Ranges:
    """What is in any of the sets; the ranges given may be in any order and overlap."""
    return normalise_ranges([pair for ranges in sets for pair in ranges])


@lru_cache(maxsize=1024)
def complement(ranges: Ranges) -> Ranges:
    """Every character that is not in the set."""
    gaps, start = [], 0
    for low, high in ranges:
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= MAX_CODE_POINT:
        gaps.append((start, MAX_CODE_POINT))
    return intersection(tuple(gaps), EVERY)


@lru_cache(maxsize=1024)
def intersection(left: Ranges, right: Ranges) -> Ranges:
    """What is in both sets. Cost: the number of ranges in both together, once."""
    if right == EVERY and (not left or left[-1][1] < _SURROGATES[0]):
        return left
    shared = []
    rest = iter(right)
    low, high = next(rest, _NO_RANGE)
    for left_low, left_high in left:
        while high < left_low:
            low, high = next(rest, _NO_RANGE)
        while low <= left_high:
            shared.append((max(low, left_low), min(high, left_high)))
            if high > left_high:
                break
            low, high = next(rest, _NO_RANGE)
    return tuple(shared)


def contains(ranges: Ranges, code_point: int) -> bool:
    """Whether the character is in the set."""
    at = bisect_right(ranges, (code_point, MAX_CODE_POINT)) - 1
    return at >= 0 and ranges[at][1] >= code_point


def count(ranges: Ranges) -> int:
    """How many characters the set holds."""
    return sum(high - low + 1 for low, high in ranges)


def encode(ranges: Iterable[tuple[int, int]]) -> str:
    """The set as text for a committed table: by turns how many code points to skip and how many to take, in hexadecimal."""
    words, end = [], 0
    for low, high in ranges:
        words += [f"{low - end:x}", f"{high - low + 1:x}"]
        end = high + 1
    return " ".join(words)


def decode(text: str) -> Ranges:
    """The set that `encode` wrote."""
    points = list(accumulate([int(word, 16) for word in text.split()]))
    return tuple(zip(points[::2], [end - 1 for end in points[1::2]], strict=True))
