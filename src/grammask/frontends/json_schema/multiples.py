"""Multiples of a number as text, and numbers that are none: decimals by what divides them, within bounds, as an automaton over residues.

Rule: a state is what matters of the digits so far (how they compare with those of the bounds, and the residue), so the automaton is exact;
its size is the divisor times the digits, and is limited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import lcm

from grammask.errors import LimitError
from grammask.frontends.json_schema.digits import Bound
from grammask.grammar.expression import NOTHING, Automaton, Expression

__all__ = ["MAX_ZEROS", "Divisibility", "multiples"]

MAX_STATES = 8192
USUAL_STATES = 4096  # digits beyond what is needed are allowed as long as there are no more
MAX_WHOLE_DIGITS = 20
MAX_ZEROS = 16

# A state while a number is written: ("whole", digits so far, comparison with low, with high, residue), the digits so far compared with
# as many digits of the bound (-1, 0, 1); ("zero", ...) the same for a leading 0, which takes no more digits; ("fraction", digits so far,
# whether all digits so far are those of low, of high, residue).
State = tuple[str, int, int, int, int]
START: State = ("start", 0, 0, 0, 0)
BEYOND = -1  # the residue of a number with more decimal places than all divisors: none of them divides it
SPARE_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Divisibility:
    """Multiples of divisor / 10**places (None: of nothing in particular) that are no multiples of any excluded / 10**places."""

    divisor: int | None
    excluded: tuple[int, ...]
    places: int

    def allows(self, residue: int) -> bool:
        """Whether numbers of this residue are wanted, counted in units of 10**-places and modulo all the divisors."""
        return self.may_be_reached(residue) and (residue == BEYOND or all(residue % number for number in self.excluded))

    def may_be_reached(self, residue: int) -> bool:
        """Whether the divisor divides numbers of this residue."""
        return self.divisor is None or (residue != BEYOND and residue % self.divisor == 0)


def multiples(low: Bound, high: Bound | None, wanted: Divisibility, n_zeros: int) -> Expression:
    """Decimals from low to high that are wanted, NOTHING if there are none; behind the decimal places of a divisor stand at most n_zeros zeros.

    Raises LimitError if there would be more than 8,192 states. Cost: some 20 us a state.
    """
    return _Multiples(low, high, wanted, n_zeros).automaton()


class _Multiples:
    """Finds the automaton by following digits. Residues are of number * 10**places modulo `modulus`."""

    def __init__(self, low: Bound, high: Bound | None, wanted: Divisibility, zeros: int) -> None:
        self.low, self.high = low, high
        self.high_whole = high.whole if high else ""
        self.wanted, self.places = wanted, wanted.places
        modulus = self.modulus = lcm(wanted.divisor or 1, *wanted.excluded)
        needed = len(high.whole) if high else max(len(low.whole), len(str(modulus))) + 1
        room = max(USUAL_STATES // modulus, needed)
        if needed * modulus > MAX_STATES:
            raise LimitError("the residues of multipleOf, times the digits,", modulus * needed, MAX_STATES, "use a rounder divisor or closer bounds")
        self.max_whole = len(high.whole) if high else min(max(MAX_WHOLE_DIGITS, needed), room)
        self.max_fraction = max(self.places, zeros)
        if wanted.divisor is None:
            self.max_fraction = max(self.max_fraction, len(low.fraction) + SPARE_DIGITS, len(high.fraction) + SPARE_DIGITS if high else 0)
        self.n_decisive = max(len(self.low.whole), len(self.high_whole)) + 1  # with so many digits, the bounds no longer matter
        self.free: dict[int, list[tuple[int, int, int]]] = {}

    def automaton(self) -> Expression:
        """The automaton of all multiples in the range, NOTHING if there is none."""
        number = {START: 0}
        order = [START]
        edges: list[tuple[int, int, int, int]] = []
        for state in order:  # grows while it is read
            for low, high, target in self.steps(state):
                node = number.get(target)
                if node is None:
                    node = number[target] = len(order)
                    order.append(target)
                edges.append((number[state], node, low, high))
        return _useful(edges, {number[state] for state in order if self.is_allowed(state)})

    def steps(self, state: State) -> Iterator[tuple[int, int, State]]:
        """Where each byte leads, as ranges of bytes with the same target."""
        kind, n_digits = state[:2]
        if kind == "whole" and self.n_decisive <= n_digits < self.max_whole:
            for low, high, residue in self._free_steps(state[4]):
                yield low, high, ("whole", n_digits + 1, 1, -1, residue)
        elif kind == "start" or (kind == "whole" and n_digits < self.max_whole):
            yield from _grouped(state, self._whole)
        elif kind == "fraction" and n_digits < self.max_fraction:
            yield from _grouped(state, self._fraction)
        if kind in {"whole", "zero"} and self.max_fraction:
            low, high = self._whole_compared(state)
            if low >= 0 and high <= 0 and (self.places or self.wanted.may_be_reached(state[4])):
                yield 0x2E, 0x2E, ("fraction", 0, int(low == 0), int(high == 0), state[4])

    def _free_steps(self, residue: int) -> list[tuple[int, int, int]]:
        """Where the digits of a whole part lead that is already longer than both bounds."""
        known = self.free.get(residue)
        if known is None:
            steps = _grouped(("whole", self.n_decisive, 1, -1, residue), self._whole)
            known = self.free[residue] = [(low, high, target[4]) for low, high, target in steps]
        return known

    def _whole(self, state: State, digit: int) -> State | None:
        kind, n_digits, low, high, residue = state
        low = _compared(low, self.low.whole, n_digits, digit)
        high = _compared(high, self.high_whole, n_digits, digit) if self.high else -1
        if self.high and n_digits + 1 >= len(self.high_whole) and high > 0:
            return None
        if n_digits >= len(self.low.whole) and n_digits >= len(self.high_whole):
            low, high = 1, -1
        residue = (residue * 10 + digit * 10**self.places) % self.modulus
        return ("zero" if kind == "start" and digit == 0 else "whole", n_digits + 1, low, high, residue)

    def _whole_compared(self, state: State) -> tuple[int, int]:
        """The whole part compared with those of low and of high."""
        _, n_digits, low, high, _ = state
        return -1 if n_digits < len(self.low.whole) else low, -1 if n_digits < len(self.high_whole) or not self.high else high

    def _fraction(self, state: State, digit: int) -> State | None:
        kind, n_digits, at_low, at_high, residue = state
        if digit and n_digits >= self.places:
            residue = BEYOND
        if at_low:
            bound = int(self.low.fraction[n_digits : n_digits + 1] or "0")
            if digit < bound:
                return None
            at_low = int(digit == bound)
        if at_high and self.high:
            bound = int(self.high.fraction[n_digits : n_digits + 1] or "0")
            if digit > bound:
                return None
            at_high = int(digit == bound)
        if n_digits < self.places:
            residue = (residue + digit * 10 ** (self.places - n_digits - 1)) % self.modulus
        if n_digits + 1 >= self.places and not self.wanted.may_be_reached(residue):
            return None
        return (kind, n_digits + 1, at_low, at_high, residue)

    def is_allowed(self, state: State) -> bool:
        """Whether the number written so far is in the range and divisible."""
        kind, n_digits, at_low, at_high, residue = state
        if kind == "start" or not self.wanted.allows(residue) or (kind == "fraction" and not n_digits):
            return False
        if kind != "fraction":
            low, high = self._whole_compared(state)
            if low < 0 or high > 0:
                return False
            n_digits, at_low, at_high = 0, int(low == 0), int(high == 0)
        if at_low and (n_digits < len(self.low.fraction) or self.low.is_open):
            return False
        return not (at_high and self.high and n_digits >= len(self.high.fraction) and self.high.is_open)


def _grouped(state: State, step: Callable[[State, int], State | None]) -> Iterator[tuple[int, int, State]]:
    """Neighbouring digits with the same target as one range of bytes."""
    first, target = 0, step(state, 0)
    for digit in range(1, 11):
        reached = step(state, digit) if digit < 10 else None
        if reached != target or digit == 10:
            if target is not None:
                yield 0x30 + first, 0x2F + digit, target
            first, target = digit, reached


def _compared(so_far: int, bound: str, position: int, digit: int) -> int:
    """The comparison after one more digit: the first digit that differs decides, and more digits than the bound has are more."""
    if position >= len(bound):
        return 1
    if so_far:
        return so_far
    other = int(bound[position])
    return (digit > other) - (digit < other)


def _useful(edges: list[tuple[int, int, int, int]], ends: set[int]) -> Expression:
    """The automaton without nodes from which nothing completes."""
    sources: dict[int, list[int]] = {}
    for source, target, _, _ in edges:
        sources.setdefault(target, []).append(source)
    useful = set(ends)
    work = list(ends)
    while work:
        for source in sources.get(work.pop(), ()):
            if source not in useful:
                useful.add(source)
                work.append(source)
    if 0 not in useful:
        return NOTHING
    return Automaton([edge for edge in edges if edge[0] in useful and edge[1] in useful], ends)
