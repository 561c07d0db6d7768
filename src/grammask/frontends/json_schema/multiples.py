"""Multiples of a number as text, and numbers that are none, within bounds: all of it in whole numbers of one unit, exactly.

Rule: what comes out is in its smallest terms (the coarsest unit, no condition twice), so that equal languages are one expression, as a rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import lcm

from grammask.errors import LimitError
from grammask.frontends.json_schema.digits import Bound
from grammask.grammar.expression import NOTHING, Expression, Multiples
from grammask.grammar.multiples import check_size, first_multiple

__all__ = ["MAX_ZEROS", "Divisibility", "multiples"]

MAX_WHOLE_DIGITS = 20
FINITE_DIGITS = 308  # of a number that is finite in binary64
MAX_ZEROS = 16
SPARE_DIGITS = 4
MAX_BITS = 4_000  # of a number


@dataclass(frozen=True, slots=True)
class Divisibility:
    """Multiples of divisor / 10**places (None: of nothing in particular) that are no multiples of any excluded / 10**places."""

    divisor: int | None
    excluded: tuple[int, ...]
    places: int


def multiples(low: Bound, high: Bound | None, wanted: Divisibility, n_zeros: int) -> Expression:
    """Decimals from low to high that are wanted, NOTHING if there are none; behind the decimal places of a divisor stand at most n_zeros zeros.

    Without a divisor there are at most n_zeros decimal places, or a few more than the bounds have. Without an upper bound there are at most
    20 whole digits, or one more than the divisor and the lower bound have. Raises LimitError for too many numbers with too many digits.
    """
    places, divisor, behind = wanted.places, wanted.divisor, max(wanted.places, n_zeros)
    if divisor is None:
        digits_of_bounds = [len(bound.fraction) + SPARE_DIGITS for bound in (low, high) if bound is not None]
        places = behind = max(behind, *digits_of_bounds)
        divisor = 1
    excluded = {lcm(divisor, number * 10 ** (places - wanted.places)) for number in wanted.excluded}
    longest = max(divisor, *excluded).bit_length() if excluded else divisor.bit_length()
    if longest > MAX_BITS:
        raise LimitError("the bits of a common multiple of the numbers behind multipleOf", longest, MAX_BITS, "use rounder divisors")
    divisor, excluded, places = _coarsest(divisor, excluded, places)
    if divisor in excluded:
        return NOTHING
    least, most = _units(low, places, is_low=True), _most(low, divisor, places) if high is None else _units(high, places, is_low=False)
    node = Multiples(divisor, sorted(_least(excluded)), places, least, most, behind)
    check_size(node)
    return NOTHING if first_multiple(node, least) > most else node


def _coarsest(divisor: int, excluded: set[int], places: int) -> tuple[int, set[int], int]:
    """The same in a unit as coarse as can be: each of the excluded is a multiple of the divisor."""
    shift = 0
    while shift < places and divisor % 10 ** (shift + 1) == 0:
        shift += 1
    return divisor // 10**shift, {number // 10**shift for number in excluded}, places - shift


def _least(numbers: set[int]) -> Iterable[int]:
    """Those that are no multiples of others: to be a multiple of none is then the same."""
    return [number for number in numbers if not any(number != other and number % other == 0 for other in numbers)]


def _units(bound: Bound, places: int, *, is_low: bool) -> int:
    """The first number of units that is not below a low bound, or the last that is not above a high one."""
    kept, beyond = bound.fraction[:places].ljust(places, "0"), bound.fraction[places:].strip("0")
    units = int(bound.whole + kept)
    if is_low:
        return units + (bool(beyond) or bound.is_open)
    return units - (bound.is_open and not beyond)


def _most(low: Bound, divisor: int, places: int) -> int:
    """The largest number that is written where there is no bound."""
    n_digits = max(MAX_WHOLE_DIGITS, len(low.whole) + 1, len(str(divisor // 10**places)) + 1)
    largest: int = 10 ** (min(n_digits, FINITE_DIGITS) + places) - 1
    return largest
