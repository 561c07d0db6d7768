"""Ranges and multiples of numbers against exact arithmetic on the same spellings."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grammask
from grammask.errors import LimitError
from grammask.frontends.json_schema.numbers import Range, common_multiple, is_empty_range, number_expression
from grammask.grammar.expression import NOTHING

from .oracle import accepts

DECIMALS = st.one_of(
    st.integers(-150, 150),
    st.decimals(-30, 30, places=2),
    st.decimals(-2, 2, places=4),
    st.sampled_from([Decimal(text) for text in ("0", "0.5", "1E-5", "1E+3", "99.95", "-0.001", "9.99", "10", "1E+25", "-10", "0.10")]),
)
DIGITS = st.from_regex(r"(0|[1-9][0-9]{0,3})", fullmatch=True)
SPELLINGS = st.one_of(
    st.from_regex(r"-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?", fullmatch=True),
    st.from_regex(r"-?[1-9](\.[0-9]{1,3})?[eE]([+-]?0?[1-9]|0)", fullmatch=True),
    st.decimals(-31, 31, places=3).map(lambda number: format(number, "f")),
)
RANGES = st.builds(
    Range,
    low=st.none() | DECIMALS,
    low_open=st.booleans(),
    high=st.none() | DECIMALS,
    high_open=st.booleans(),
    whole=st.booleans(),
    divisor=st.sampled_from([None, None, None, 2, 3, 7, Decimal("0.01"), Decimal("0.25"), Decimal("2.5"), Decimal("0.3")]),
    only_digits=st.booleans(),
)


def is_inside(range_: Range, number: Fraction) -> bool:
    if range_.low is not None and (number < Fraction(range_.low) or (number == Fraction(range_.low) and range_.low_open)):
        return False
    if range_.high is not None and (number > Fraction(range_.high) or (number == Fraction(range_.high) and range_.high_open)):
        return False
    if range_.whole and number.denominator != 1:
        return False
    return range_.divisor is None or (number / Fraction(range_.divisor)).denominator == 1


def is_left_out(range_: Range, text: str) -> bool:
    """Spellings that the module's head says are not written."""
    if "e" in text.lower():
        return range_.whole or range_.divisor is not None or re.search("[eE]-0?0$", text) is not None
    is_negative_zero = text.startswith("-") and not float(text)
    has_negatives = range_.low is None or (ceil(range_.low) if range_.whole else range_.low) < 0
    return (is_negative_zero and not has_negatives) or (range_.whole and range_.only_digits and "." in text)


@settings(max_examples=150, deadline=None)
@given(range_=RANGES, texts=st.lists(SPELLINGS, min_size=10, max_size=10))
def test_a_spelling_is_accepted_if_its_number_is_in_the_range(range_: Range, texts: list[str]) -> None:
    """For all ranges and spellings: accepted exactly if the number is inside, but for the spellings that are left out."""
    expression = number_expression(range_)
    bounds = [format(Decimal(bound), "f") for bound in (range_.low, range_.high) if bound is not None and abs(bound) < 10**6]
    for text in [*texts, *bounds, *(bound + "1" for bound in bounds if "." in bound)]:
        inside = is_inside(range_, Fraction(text))
        if accepts(expression, text) != inside:
            assert inside, f"{text} is accepted outside {range_}"
            assert is_left_out(range_, text), f"{text} is refused inside {range_}"


@settings(max_examples=150, deadline=None)
@given(range_=RANGES)
def test_empty_ranges_are_known_to_be_empty(range_: Range) -> None:
    """A range is nothing exactly if it is told to be empty."""
    assert (number_expression(range_) is NOTHING) == is_empty_range(range_)


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [(4, 6, 12), (Decimal("0.25"), Decimal("0.1"), Decimal("0.5")), (Decimal("1.5"), 2, 6), (1, Decimal("0.01"), 1), (Decimal("1E+2"), 30, 300)],
)
def test_common_multiples_are_exact(one: Any, other: Any, least: Any) -> None:
    """The least common multiple of decimals is a decimal."""
    assert common_multiple(one, other) == least
    assert common_multiple(other, one) == least


def test_equal_ranges_are_one_rule() -> None:
    """Ranges repeat from schema to schema, and so do their rules: a vocabulary's masks for them are found again."""
    assert number_expression(Range(0, False, 100, whole=True)) is number_expression(Range(Decimal(0), False, Decimal("100.0"), whole=True))


def test_only_numbers_of_a_thousand_digits_are_a_limit() -> None:
    """A million residues are no matter, as the kernel makes the states that texts come to; numbers too long to work with are refused."""
    assert number_expression(Range(divisor=1_000_003)) is not NOTHING
    with pytest.raises(LimitError, match="multipleOf"):
        number_expression(Range(divisor=10**900 + 1, not_multiples=(10**900 + 3,)))


@pytest.mark.parametrize("schema", ['{"type":"number","minimum":-5,"maximum":-0.0}', '{"type":"number","minimum":-0.0,"maximum":0.0e1}', '{"const":-0.0}'])
def test_minus_zero_is_zero(schema: str) -> None:
    """As a bound, and as a value."""
    matcher = grammask.compile(grammask.json_schema(schema), grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), b""], eos_ids=[256])).matcher()
    assert matcher.draft(list(b"0")) == 1
    assert matcher.draft(list(b"0.1")) < 3
