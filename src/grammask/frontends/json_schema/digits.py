"""Digit strings within bounds, as expressions: whole numbers and decimals from one bound to another, compared digit by digit.

Rule: bounds are strings of digits, so numbers of any size are exact; the expressions grow with the digits of the bounds, not their values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from grammask.grammar.expression import EMPTY, NOTHING, Chars, Expression, Literal, Repeat, either, optional, seq

__all__ = ["DIGIT", "NONZERO", "POINT", "Bound", "decimals", "digits", "fraction", "whole_numbers"]

DIGIT = Chars([(0x30, 0x39)])
NONZERO = Chars([(0x31, 0x39)])
POINT = Literal(b".")
ZERO = Literal(b"0")

MAX_WHOLE_DIGITS = 64
MAX_FRACTION_DIGITS = 32
SPARE_DIGITS = 4  # that may follow the digits of a bound that is longer than these


@dataclass(frozen=True, slots=True)
class Bound:
    """A non-negative bound: its digits before and behind the point ("0" and "" at least), and whether it is left out itself."""

    whole: str
    fraction: str = ""
    is_open: bool = False


ZERO_BOUND = Bound("0")


@lru_cache(maxsize=1024)
def digits(least: int, most: int) -> Expression:
    """That many digits, any."""
    return EMPTY if most <= 0 else DIGIT if least == most == 1 else Repeat(DIGIT, max(least, 0), most)


@lru_cache(maxsize=64)
def fraction(most: int = MAX_FRACTION_DIGITS) -> Expression:
    """A point and digits, or nothing."""
    return optional(seq(POINT, digits(1, most)))


@lru_cache(maxsize=128)
def _between(low: int, high: int) -> Expression:
    """One digit of a range, NOTHING if the range is empty."""
    return NOTHING if low > high else ZERO if low == high == 0 else Chars([(0x30 + low, 0x30 + high)])


def _from(low: str) -> Expression:
    """As many digits as `low` has, not below it."""
    tail: Expression = EMPTY
    for position in reversed(range(len(low))):
        digit, left = int(low[position]), len(low) - position - 1
        tail = either(seq(_between(digit + 1, 9), digits(left, left)), seq(_between(digit, digit), tail))
    return tail


def _up_to(high: str, least: int) -> Expression:
    """As many digits as `high` has, not above it, the first of them at least `least`."""
    tail: Expression = EMPTY
    for position in reversed(range(len(high))):
        digit, left = int(high[position]), len(high) - position - 1
        lowest = least if position == 0 else 0
        tail = either(seq(_between(lowest, digit - 1), digits(left, left)), seq(_between(digit, digit), tail))
    return tail


def _from_to(low: str, high: str) -> Expression:
    """Numbers of the same number of digits as both bounds."""
    shared = 0
    while shared < len(low) and low[shared] == high[shared]:
        shared += 1
    if shared == len(low):
        return Literal(low.encode())
    left = len(low) - shared - 1
    first, last = int(low[shared]), int(high[shared])
    inner = either(
        seq(_between(first, first), _from(low[shared + 1 :])),
        seq(_between(first + 1, last - 1), digits(left, left)),
        seq(_between(last, last), _up_to(high[shared + 1 :], 0)),
    )
    return seq(Literal(low[:shared].encode()), inner) if shared else inner


def whole_numbers(low: str, high: str | None) -> Expression:
    """Whole numbers from low to high, without leading zeros; `high` None is as many digits as are ever written."""
    if high is None:
        return either(*_with_all_lengths(low, max(MAX_WHOLE_DIGITS, len(low) + SPARE_DIGITS)))
    if (len(low), low) > (len(high), high):
        return NOTHING
    if len(low) == len(high):
        return _from_to(low, high)
    shorter = [] if len(high) == len(low) + 1 else [seq(NONZERO, digits(len(low), len(high) - 2))]
    return either(_from(low) if low != "0" else DIGIT, *shorter, _up_to(high, 1))


def _with_all_lengths(low: str, most: int) -> list[Expression]:
    if low == "0":
        return [ZERO, seq(NONZERO, digits(0, most - 1))]
    if low.strip("0") == "1" and low.startswith("1"):
        return [seq(NONZERO, digits(len(low) - 1, most - 1))]
    return [_from(low), seq(NONZERO, digits(len(low), most - 1))]


def decimals(low: Bound, high: Bound | None) -> Expression:
    """Decimals from low to high, with at most 32 digits behind the point or a few more than the bounds have; NOTHING if there are none.

    A decimal is inside by its whole part alone, or it has the whole part of a bound and its fraction decides.
    """
    is_low_inside = not low.fraction and not low.is_open
    first = low.whole if is_low_inside else str(int(low.whole) + 1)
    if high is None:
        inside = seq(whole_numbers(first, None), fraction(_most(low, None)))
        return inside if is_low_inside else either(seq(Literal(low.whole.encode()), _fractions(low, None)), inside)
    if low.whole == high.whole:
        return seq(Literal(low.whole.encode()), _fractions(low, high))
    at_low = NOTHING if is_low_inside else seq(Literal(low.whole.encode()), _fractions(low, None))
    last = str(int(high.whole) - 1) if high.whole != "0" else None
    inside = NOTHING if last is None else seq(whole_numbers(first, last), fraction(_most(low, high)))
    return either(at_low, inside, seq(Literal(high.whole.encode()), _fractions(ZERO_BOUND, high)))


def _most(low: Bound, high: Bound | None) -> int:
    return max(MAX_FRACTION_DIGITS, len(low.fraction) + SPARE_DIGITS, len(high.fraction) + SPARE_DIGITS if high else 0)


def _fractions(low: Bound, high: Bound | None) -> Expression:
    """What may follow the whole part that the bounds share: nothing, or a point and digits."""
    most = _most(low, high)
    low_binds = bool(low.fraction) or low.is_open
    if high is None:
        behind = _not_below(low, 0, most)
    elif not low_binds:
        behind = _not_above(high, 0, most, least=1)
    else:
        behind = _both(low, high, most)
    is_whole_allowed = not low_binds and (high is None or bool(high.fraction) or not high.is_open)
    behind = seq(POINT, behind)
    if not is_whole_allowed:
        return behind
    return EMPTY if behind is NOTHING else optional(behind)


def _not_below(low: Bound, position: int, most: int) -> Expression:
    """The digits that may follow when those so far, `position` of them, are those of the bound."""
    length = len(low.fraction)
    left = most - max(length, position)
    tail = seq(Repeat(ZERO, 0, left - SPARE_DIGITS), NONZERO, digits(0, SPARE_DIGITS - 1)) if low.is_open else digits(0, left)
    for place in reversed(range(position, length)):
        digit = int(low.fraction[place])
        tail = either(seq(_between(digit, digit), tail), seq(_between(digit + 1, 9), digits(0, most - place - 1)))
    return tail


def _not_above(high: Bound, position: int, most: int, least: int = 0) -> Expression:
    """The digits that may follow when those so far, `position` of them, are those of the bound; at least `least` (0 or 1) of them."""
    length = len(high.fraction)
    is_behind = position >= length
    tail: Expression = NOTHING if high.is_open else Repeat(ZERO, least if is_behind else 0, most - max(length, position))
    for place in reversed(range(position, length)):
        digit = int(high.fraction[place])
        smaller = seq(_between(0, digit - 1), digits(0, most - place - 1))
        tail = either(*(() if least and place == position else (EMPTY,)), seq(_between(digit, digit), tail), smaller)
    return tail


def _both(low: Bound, high: Bound, most: int) -> Expression:
    """The digits between two fractions, the lower of which is not zero or is left out itself."""
    length = max(len(low.fraction), len(high.fraction))
    lows, highs = low.fraction.ljust(length, "0"), high.fraction.ljust(length, "0")
    shared = 0
    while shared < length and lows[shared] == highs[shared]:
        shared += 1
    if not low.is_open and shared >= len(low.fraction):  # the bound itself is written, and whatever follows is above it
        return seq(Literal(low.fraction.encode()), _not_above(high, len(low.fraction), most))
    if shared == length:
        return NOTHING
    first, last = int(lows[shared]), int(highs[shared])
    inner = either(
        seq(_between(first, first), _not_below(low, shared + 1, most)),
        seq(_between(first + 1, last - 1), digits(0, most - shared - 1)),
        seq(_between(last, last), _not_above(high, shared + 1, most)),
    )
    return seq(Literal(lows[:shared].encode()), inner) if shared else inner
