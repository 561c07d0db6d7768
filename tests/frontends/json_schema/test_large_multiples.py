"""Divisors too large for an automaton: what is generated is divisible, what is divisible is accepted, and nothing gets stuck."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from math import lcm

import numpy as np
import pytest

import grammask
from grammask.errors import EmptyLanguageError, LimitError, TokenRefused

TOKENS = [bytes([byte]) for byte in range(256)] + [b"%03d" % n for n in range(1000)] + [b"%02d" % n for n in range(100)] + [b".0", b"-1", b""]
END = len(TOKENS) - 1
VOCABULARY = grammask.Vocabulary(TOKENS, eos_ids=[END])

Divisors = tuple[tuple[str, ...], tuple[str, ...]]  # of all of these it is a multiple, of none of these
CASES: list[tuple[Divisors, str | None, str | None]] = [
    ((("1000003",), ()), None, None),
    ((("19379980620000",), ()), None, None),
    ((("19379980620000",), ()), "-1e15", "1e14"),
    ((("6.75", "19", "9.5", "2.125"), ("2", "6.5", "5", "7", "11", "37")), None, None),
    ((("13.5",), ("2", "13", "5", "7", "11", "37")), "-1000", "-100"),
    ((("0.123456789",), ()), None, None),
    ((("1e-9",), ("0.007", "1000003")), "-2.5", "17.25"),
    ((("123456789012345678901234567891",), ()), None, None),
    (((), ("1000003", "0.0000007")), "0", "1e9"),
    ((("3000000019",), ("7", "11")), "3000000019", "300000001900"),
]


def schema_of(divisors: Divisors, low: str | None, high: str | None) -> str:
    wanted, unwanted = [", ".join(f'{{"multipleOf": {divisor}}}' for divisor in group) for group in divisors]
    parts = ['"type": "number"', f'"allOf": [{wanted}]' if wanted else "", f'"not": {{"anyOf": [{unwanted}]}}' if unwanted else ""]
    parts += [f'"{keyword}": {bound}' for keyword, bound in (("minimum", low), ("maximum", high)) if bound is not None]
    return f"{{{', '.join(part for part in parts if part)}}}"


def is_valid(value: Fraction, divisors: Divisors, low: str | None, high: str | None) -> bool:
    wanted, unwanted = divisors
    is_inside = (low is None or value >= Fraction(low)) and (high is None or value <= Fraction(high))
    return is_inside and all(value % Fraction(divisor) == 0 for divisor in wanted) and all(value % Fraction(divisor) for divisor in unwanted)


def constraint_of(divisors: Divisors, low: str | None, high: str | None) -> grammask.Constraint:
    return grammask.compile(grammask.json_schema(schema_of(divisors, low, high)), VOCABULARY)


def text_of(matcher: grammask.Matcher, tokens: list[int]) -> str:
    for token in tokens:
        matcher.advance(token)
    assert matcher.is_complete
    return b"".join(TOKENS[token] for token in tokens).decode()


def drawn(matcher: grammask.Matcher, rng: np.random.Generator, steps: int) -> list[int]:
    """Tokens drawn from the masks and then the shortest completion; the matcher is put back."""
    taken: list[int] = []
    for _ in range(steps):
        token = int(rng.choice(matcher.allowed_tokens()))
        if token == END:
            break
        matcher.advance(token)
        taken.append(token)
    completed = taken + list(matcher.shortest_completion())
    matcher.reset()
    return completed


@pytest.mark.parametrize(("divisors", "low", "high"), CASES)
def test_what_is_generated_is_divisible(divisors: Divisors, low: str | None, high: str | None) -> None:
    """By exact fractions, whatever is drawn and wherever it is cut short; nothing gets stuck."""
    constraint, rng = constraint_of(divisors, low, high), np.random.default_rng(5)
    assert [entry for entry in constraint.report if entry.status != "exact"] == []
    for steps in [*range(12), 40, 40]:
        matcher = constraint.matcher()
        text = text_of(matcher, drawn(matcher, rng, steps))
        assert is_valid(Fraction(text), divisors, low, high), text


@pytest.mark.parametrize(("divisors", "low", "high"), CASES)
def test_within_a_budget_numbers_get_finished(divisors: Divisors, low: str | None, high: str | None) -> None:
    """With few tokens left masks admit only what can still be finished."""
    constraint, rng = constraint_of(divisors, low, high), np.random.default_rng(6)
    for spare in (1, 2, 4, 7):
        budget = len(list(constraint.matcher().shortest_completion())) + spare
        matcher, taken = constraint.matcher(max_tokens=budget), list[int]()
        while (token := int(rng.choice(matcher.allowed_tokens()))) != END:
            matcher.advance(token)
            taken.append(token)
        assert len(taken) <= budget
        assert is_valid(Fraction(b"".join(TOKENS[token] for token in taken).decode()), divisors, low, high)


@pytest.mark.parametrize(("divisors", "low", "high"), CASES)
def test_what_is_divisible_is_accepted_and_what_is_beside_it_is_not(divisors: Divisors, low: str | None, high: str | None) -> None:
    """Multiples of all, one after the other from random places on, and numbers that miss by one unit."""
    constraint, rng = constraint_of(divisors, low, high), random.Random(7)
    unit = Decimal(10) ** min((int(Decimal(divisor).normalize().as_tuple().exponent) for group in divisors for divisor in group), default=0)
    unit = min(unit, Decimal(1))
    steps = [lcm(*[int(Decimal(divisor) / unit) for divisor in divisors[0]]), *[int(Decimal(divisor) / unit) for divisor in divisors[1]]]
    first, last = [int(Decimal(bound or default) / unit) for bound, default in ((low, "0"), (high, "1e17"))]
    seen = set()
    for _ in range(300):
        step = rng.choice(steps)
        units = rng.randint(first // step, last // step + 1) * step + rng.choice([0, 0, 0, 1, -1])
        text = format(units * unit, "f") if -(10**27) < units < 10**27 else str(units * int(unit))
        if is_short(text):
            expected = is_valid(Fraction(text), divisors, low, high) and text != "-0"
            assert accepts(constraint, text) is expected, text
            seen.add(expected)
    assert seen == {True, False}


def is_short(text: str) -> bool:
    return len(text.partition(".")[0].lstrip("-")) <= 20


def accepts(constraint: grammask.Constraint, text: str) -> bool:
    matcher = constraint.matcher()
    try:
        for byte in text.encode():
            matcher.advance(byte)
    except TokenRefused:
        return False
    return matcher.is_complete


def test_bounds_that_no_multiple_meets_are_an_empty_language() -> None:
    """However large the divisor: nothing between two multiples, nothing where every multiple is excluded."""
    for schema in (
        {"type": "integer", "multipleOf": 19379980620000, "minimum": 1, "maximum": 19379980619999},
        {"type": "number", "multipleOf": 1000003, "not": {"multipleOf": 1000003}},
        {"type": "number", "multipleOf": 6000018, "minimum": 1, "not": {"multipleOf": 1000003}},
    ):
        with pytest.raises(EmptyLanguageError):
            grammask.compile(grammask.json_schema(schema), VOCABULARY)


def test_a_grammar_that_has_gathered_states_is_bound_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule is the grammar's own, so what its texts leave behind goes with the grammar and not into what all share."""
    store = pytest.importorskip("grammask.kernel.store")
    constraint, rng = constraint_of(*CASES[1]), np.random.default_rng(1)
    before = constraint._bound
    assert before is not None
    made = before.statistics()["bytes"]
    for _ in range(50):
        drawn(constraint.matcher(), rng, 8)
    assert constraint._bound is before
    gathered = before.statistics()["bytes"] - made
    assert gathered > 0
    monkeypatch.setattr(store, "BOUND_WORN_BYTES", gathered - 1)
    matcher = constraint.matcher()
    assert is_valid(Fraction(text_of(matcher, drawn(matcher, rng, 8))), *CASES[1])
    assert constraint._bound is not before


def test_small_ones_can_be_written_out_and_large_ones_are_refused() -> None:
    """In notations that know no arithmetic residues are rules."""
    small = grammask.json_schema({"type": "integer", "multipleOf": 7, "maximum": 1000})
    again = grammask.compile(grammask.gbnf(small.to_gbnf()), VOCABULARY)
    assert [number for number in range(100) if accepts(again, str(number))] == list(range(0, 100, 7))
    with pytest.raises(LimitError, match="multipleOf"):
        grammask.json_schema({"type": "integer", "multipleOf": 1000003}).to_gbnf()
