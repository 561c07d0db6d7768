"""Numbers as text: any number, any integer, and those within bounds or multiples of something, by exact decimal arithmetic.

Rule: every spelling accepted stands for an allowed number, digits are bounded, and values stay finite in binary64.
Without bounds: digits, a fraction, an exponent. Within bounds: digits and a fraction; exponents only behind one digit other than 0 (the
form in which json.dumps and JavaScript write them), and not for multiples; integers with bounds have none. A negative zero is written
only where negative numbers are allowed. The values whose spellings are left out can all be written otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import lcm

from grammask.errors import LimitError
from grammask.frontends.json_schema.digits import DIGIT, MAX_WHOLE_DIGITS, NONZERO, POINT, Bound, decimals, fraction, whole_numbers
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.multiples import MAX_ZEROS, Divisibility, multiples
from grammask.frontends.json_schema.values import FRACTION as FRACTION_TYPE
from grammask.frontends.json_schema.values import INTEGER as INTEGER_TYPE
from grammask.frontends.json_schema.values import MAX_NUMBER_DIGITS
from grammask.grammar.expression import NOTHING, Alt, Chars, Expression, Literal, Multiples, Ref, Repeat, Rule, Seq, either, optional, seq
from grammask.grammar.multiples import is_small
from grammask.grammar.walk import bottom_up

__all__ = ["INTEGER_DIGITS", "INTEGER_RULE", "NUMBER_RULE", "Range", "common_multiple", "is_empty_range", "number_expression", "range_of", "whole_numbers_in"]

Number = int | Decimal

FAR = 10**308  # the largest number that is written where there is no bound
MAX_EXPONENT = 307  # of one digit before the point: below the largest binary64 number

E = Chars([(0x45, 0x45), (0x65, 0x65)])
MINUS, PLUS = Literal(b"-"), optional(Literal(b"+"))
WHOLE = Alt((Literal(b"0"), Seq((NONZERO, Repeat(DIGIT, 0, MAX_WHOLE_DIGITS - 1)))))
FRACTION = fraction()
ZEROS = optional(Seq((POINT, Repeat(Literal(b"0"), 1, MAX_ZEROS))))
UP_TO_307 = Alt((Repeat(DIGIT, 1, 2), Seq((Chars([(0x30, 0x32)]), DIGIT, DIGIT)), Seq((Literal(b"30"), Chars([(0x30, 0x37)])))))
LARGEST_POWER = Seq((Literal(b"1"), E, PLUS, Literal(b"308")))
NEGATIVE_EXPONENT = Seq((MINUS, Repeat(DIGIT, 1, 3)))


def _number() -> Expression:
    """Up to 64 digits, a fraction, and an exponent as large as the digits allow."""
    one_digit = Seq((DIGIT, FRACTION, optional(Seq((E, Alt((Seq((PLUS, UP_TO_307)), NEGATIVE_EXPONENT)))))))
    exponent = optional(Seq((E, Alt((Seq((PLUS, Repeat(DIGIT, 1, 2))), NEGATIVE_EXPONENT)))))
    more_digits = Seq((NONZERO, Repeat(DIGIT, 1, MAX_WHOLE_DIGITS - 1), FRACTION, exponent))
    return Seq((optional(MINUS), Alt((one_digit, more_digits, LARGEST_POWER))))


def _integer() -> Expression:
    """Up to 64 digits with zeros behind the point, or digits with an exponent."""
    powers = Seq((NONZERO, Alt((Seq((E, PLUS, UP_TO_307)), Seq((Repeat(DIGIT, 1, 19), E, PLUS, Repeat(DIGIT, 1, 2)))))))
    return Seq((optional(MINUS), Alt((Seq((WHOLE, ZEROS)), powers, LARGEST_POWER))))


NUMBER_RULE = Rule("any number", _number(), shared=True)
INTEGER_RULE = Rule("any integer", _integer(), shared=True)
INTEGER_DIGITS = Rule("any integer in digits", Seq((optional(MINUS), WHOLE)), shared=True)


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from low to high (None: no bound), the ends left out if open; integers only, if whole; multiples of `divisor`, if given.

    not_multiples: of none of these is it a multiple.  only_digits: integers are written in digits alone.
    """

    low: Number | None = None
    low_open: bool = False
    high: Number | None = None
    high_open: bool = False
    whole: bool = False
    divisor: Number | None = None
    only_digits: bool = False
    not_multiples: tuple[Number, ...] = ()


def range_of(leaves: Iterable[Facts], types: int, *, only_digits: bool) -> Range:
    """What all of these say about a number; types: whether it may be an integer, and whether it may be none."""
    low: Number | None = None
    high: Number | None = None
    low_open = high_open = False
    divisor: Number | None = None
    not_multiples: dict[Number, None] = {} if types & INTEGER_TYPE else {1: None}
    whole = not types & FRACTION_TYPE
    for facts in leaves:
        if facts.low is not None and (low is None or facts.low > low or (facts.low == low and facts.low_open)):
            low, low_open = facts.low, facts.low_open
        if facts.high is not None and (high is None or facts.high < high or (facts.high == high and facts.high_open)):
            high, high_open = facts.high, facts.high_open
        for multiple in facts.multiples:
            divisor = multiple if divisor is None else common_multiple(divisor, multiple)
        if facts.not_multiples:
            not_multiples.update(dict.fromkeys(facts.not_multiples))
    return Range(low, low_open, high, high_open, whole, divisor, whole and only_digits, tuple(not_multiples))


def common_multiple(one: Number, other: Number) -> Number:
    """The least number of which both are divisors, exactly. Raises LimitError for numbers with too many digits."""
    if type(one) is int and type(other) is int:
        return lcm(one, other)
    places = max(_places(one), _places(other))
    return _shifted(lcm(_scaled(one, places), _scaled(other, places)), -places)


def _digits(number: Number) -> tuple[str, str]:
    """The digits of a non-negative number before and behind the point, without zeros that say nothing."""
    if isinstance(number, int):
        if number.bit_length() > MAX_NUMBER_DIGITS * 3:
            raise LimitError("the digits of a bound", None, MAX_NUMBER_DIGITS)
        return str(number), ""
    whole, _, fraction = format(number, "f").partition(".")
    return whole.lstrip("0") or "0", fraction.rstrip("0")


def _negated(number: Number) -> Number:
    return -number if isinstance(number, int) else number.copy_negate()


def _absolute(number: Number) -> Number:
    return _negated(number) if number < 0 else number


def _shifted(number: Number, places: int) -> Decimal:
    """number * 10**places, not rounded."""
    sign, digits, exponent = Decimal(number).as_tuple()
    return Decimal((sign, digits, int(exponent) + places))


def _places(number: Number) -> int:
    """How many digits behind the point a number has, at least 0."""
    return 0 if isinstance(number, int) else max(0, -int(number.as_tuple().exponent))


def _scaled(number: Number, places: int) -> int:
    """number * 10**places, which is whole."""
    whole, fraction = _digits(number)
    return int(whole + fraction.ljust(places, "0"))


def _floor(number: Number) -> int:
    truncated = int(number)
    return truncated - 1 if truncated > number else truncated


def _tightened(range_: Range) -> Range:
    """The same numbers: bounds of integers made whole and closed, `whole` and the divisor joined."""
    if not range_.whole:
        return range_
    low, high, divisor = range_.low, range_.high, range_.divisor
    if low is not None:
        floor = _floor(low)
        low = floor if floor == low and not range_.low_open else floor + 1
    if high is not None:
        floor = _floor(high)
        high = floor - 1 if floor == high and range_.high_open else floor
    if divisor is not None:
        divisor = int(common_multiple(divisor, 1))
    return replace(range_, low=low, low_open=False, high=high, high_open=False, divisor=None if divisor == 1 else divisor)


def _without_far_bounds(range_: Range) -> Range:
    """The same without bounds that nothing written here can pass, such as the largest binary64 number."""
    if range_.low is not None and range_.low < -FAR:
        range_ = replace(range_, low=None, low_open=False)
    if range_.high is not None and range_.high > FAR:
        range_ = replace(range_, high=None, high_open=False)
    return range_


def is_empty_range(range_: Range) -> bool:
    """Whether no number at all is in the range."""
    range_ = _tightened(range_)
    low, high = range_.low, range_.high
    if low is None or high is None:
        return False
    if low > high or (low == high and (range_.low_open or range_.high_open)):
        return True
    if range_.divisor is None:
        return False
    places = max(map(_places, (low, high, range_.divisor)))
    step, first, last = (_scaled(_absolute(number), places) * (-1 if number < 0 else 1) for number in (range_.divisor, low, high))
    multiple = -(-first // step) * step
    if multiple == first and range_.low_open:
        multiple += step
    return multiple > last or (multiple == last and range_.high_open)


def whole_numbers_in(leaves: Iterable[Facts], most: int) -> list[int] | None:
    """The integers between the bounds of all these, None if there are more than `most`."""
    range_ = _tightened(range_of(leaves, INTEGER_TYPE, only_digits=False))
    if range_.low is None or range_.high is None or range_.high - range_.low >= most:
        return None
    return list(range(int(range_.low), int(range_.high) + 1))


@lru_cache(maxsize=4096)
def number_expression(range_: Range) -> Expression:
    """All numbers in the range, as a shared rule; NOTHING if there is none. Raises LimitError for huge bounds and divisors.

    Cost: some 0.1 to 0.5 ms the first time, then a look-up: ranges repeat from schema to schema.
    """
    if is_empty_range(range_):
        return NOTHING
    range_ = _without_far_bounds(_tightened(range_))
    low, high = range_.low, range_.high
    if low is None and high is None and range_.divisor is None and not range_.not_multiples:
        return Ref(NUMBER_RULE if not range_.whole else INTEGER_DIGITS if range_.only_digits else INTEGER_RULE)
    parts = []
    if high is None or high > 0 or (high == 0 and not range_.high_open):
        positive = replace(range_, low=0, low_open=False) if low is None or low < 0 else range_
        parts.append(_magnitudes(positive))
    if low is None or low < 0:
        negated = replace(range_, low=0, low_open=high == 0 and range_.high_open, high=None if low is None else _negated(low), high_open=range_.low_open)
        if high is not None and high < 0:
            negated = replace(negated, low=_negated(high), low_open=range_.high_open)
        magnitudes = _magnitudes(negated)
        parts.append(NOTHING if magnitudes is NOTHING else Seq((MINUS, magnitudes)))
    body = either(*parts)
    return body if body is NOTHING else Ref(Rule(_words(range_), body, shared=not _gathers_states(body)))


def _gathers_states(body: Expression) -> bool:
    """Whether what a vocabulary gathers for it has no end: then each grammar keeps its own, and it goes with the grammar."""
    return any(isinstance(node, Multiples) and not is_small(node) for node in bottom_up([body]))


def _words(range_: Range) -> str:
    kind = "integer" if range_.whole else "number"
    low = "" if range_.low is None else f" {'>' if range_.low_open else '>='} {range_.low}"
    high = "" if range_.high is None else f" {'<' if range_.high_open else '<='} {range_.high}"
    divisor = "" if range_.divisor is None else f" multiple of {range_.divisor}"
    return f"{kind}{low}{high}{divisor}" + "".join(f" not multiple of {number}" for number in range_.not_multiples)


def _bound(number: Number, *, is_open: bool) -> Bound:
    return Bound(*_digits(number), is_open)


@lru_cache(maxsize=1024)
def _magnitudes(range_: Range) -> Expression:
    """The numbers of a range that starts at 0 or above, without a sign."""
    low = _bound(range_.low or 0, is_open=range_.low_open)
    high = None if range_.high is None else _bound(range_.high, is_open=range_.high_open)
    if range_.divisor is not None or range_.not_multiples:
        divisor = 1 if range_.divisor is None and range_.whole else range_.divisor
        places = max(map(_places, range_.not_multiples if divisor is None else (divisor, *range_.not_multiples)))
        excluded = tuple(_scaled(number, places) for number in range_.not_multiples)
        n_zeros = 0 if range_.whole and range_.only_digits else MAX_ZEROS
        return multiples(low, high, Divisibility(None if divisor is None else _scaled(divisor, places), excluded, places), n_zeros)
    if range_.whole:
        wholes = whole_numbers(low.whole, high.whole if high else None)
        return wholes if range_.only_digits else seq(wholes, ZEROS)
    return either(decimals(low, high), *_with_exponent(range_))


def _with_exponent(range_: Range) -> Iterator[Expression]:
    """Numbers written d.ddde+x with d other than 0: all mantissas for the exponents between the bounds' own, some at those."""
    low, high = range_.low or 0, range_.high
    first = Decimal(low).adjusted() if low else -MAX_EXPONENT
    last = MAX_EXPONENT if high is None else Decimal(high).adjusted() if high else first - 1
    inner_first = first + 1 if low else first
    inner_last = last if high is None else last - 1
    if inner_first <= inner_last <= MAX_EXPONENT:
        yield Seq((NONZERO, fraction(), E, _exponents(inner_first, inner_last)))
    for exponent in sorted({exponent for exponent, bound in ((first, low), (last, high)) if bound and first <= exponent <= min(last, MAX_EXPONENT)}):
        mantissa = decimals(
            _bound(_shifted(low, -exponent), is_open=range_.low_open) if low and exponent == first else Bound("1"),
            _bound(_shifted(high, -exponent), is_open=range_.high_open) if high and exponent == last else Bound("10", is_open=True),
        )
        yield seq(mantissa, E, _exponents(exponent, exponent))


@lru_cache(maxsize=1024)
def _exponents(first: int, last: int) -> Expression:
    """Exponents from first to last; + and a leading zero may be written."""
    zero = optional(Literal(b"0"))
    parts: list[Expression] = []
    if last >= 0:
        parts.append(Seq((PLUS, zero, whole_numbers(str(max(first, 0)), str(last)))))
    if first < 0:
        parts.append(Seq((MINUS, zero, whole_numbers(str(max(1, -last)), str(-first)))))
    return either(*parts)
