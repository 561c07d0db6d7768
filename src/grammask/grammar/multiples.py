"""Multiples of a number, and numbers that are none of others, as a rule whose frame keeps residues in mind.

Rule: the digits so far are kept modulo what still matters: with g decimal places to come, the whole of the digits V stands for V * 10**g, so
a number n divides what it stands for exactly if n / gcd(n, 10**g) divides V. That, and how V compares with the bounds, is a state.
The kernel makes the states that texts come to (see `kernel.tables.Multiples`), so the table is as long as the numbers have digits. All of them
are written out only for who cannot do with less: other notations, and vocabularies that lack bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd, lcm
from typing import Any

from grammask.errors import LimitError
from grammask.grammar.construction import Construction
from grammask.grammar.expression import Automaton, Multiples
from grammask.kernel.tables import EPSILON, RANGE
from grammask.kernel.tables import Multiples as Memory

__all__ = ["build_multiples", "check_size", "first_multiple", "is_small", "shortest_length", "whole_automaton", "written_out"]

SMALL = 4_000  # states, as far as they can be forecast: residues times whole digits
MOST_STATES = 50_000  # that are written out at all
MOST_WORK = 100_000  # numbers, times their words of 32 bits, times digits: what it takes to see whether digits lead to an end

Edge = tuple[int, int, int, int]
START, ZERO, WHOLE, FRACTION = range(4)
# A state: (phase, digits in it, comparison with low, with high, residue of each number, None where it can no longer be 0).
State = tuple[int, int, int, int, tuple[int | None, ...]]
FIRST: State = (START, 0, 0, 0, ())
Numbers = Multiples | Memory


def build_multiples(made: Construction, node: Multiples, start: int, end: int) -> None:
    """Add a call of the rule of multiples between two nodes. Raises LimitError if the numbers are too many and too long."""
    table = made.memo.get(node)
    if table is None:
        if first_multiple(node, node.low) > node.high:
            made.nothing("no multiple is within its bounds")
            return
        check_size(node)
        table = made.memo[node] = made.new_table(made.table.place)
        table.multiples = Memory(node.divisor, node.excluded, node.places, node.low, node.high, node.behind)
        table.edges = table.multiples.edges()
        table.n_nodes = 1 + max(edge[2] for edge in table.edges)
    made.call(start, end, table)


def check_size(numbers: Numbers) -> None:
    """Raise LimitError if the numbers are too many, and have too many digits, for a step to be quick."""
    n_words = max(number.bit_length() for number in (numbers.divisor, *numbers.excluded)) // 32 + 1
    work = (1 + len(numbers.excluded)) * n_words * (numbers.high.bit_length() * 3 // 10 + 1)
    if work > MOST_WORK:
        reason = "the numbers behind multipleOf, times their words, times the digits,"
        raise LimitError(reason, work, MOST_WORK, "use fewer and rounder divisors, or closer bounds")


def first_multiple(numbers: Numbers, low: int, step: int = 1) -> int:
    """The least value from `low` on that is a multiple of `step`, too, whatever the upper bound; one above that if there never is any.

    Cost: of n numbers excluded, no 2**n multiples of the divisor in a row are all taken away (Kanold 1967), and in practice hardly two.
    """
    divisor, excluded = lcm(numbers.divisor, step), [lcm(number, step) for number in numbers.excluded]
    if divisor in excluded:
        return max(low, numbers.high) + 1
    value = -(-low // divisor) * divisor
    while any(value % number == 0 for number in excluded):
        value += divisor
    return value


def shortest_length(numbers: Numbers) -> int | None:
    """The digits of a shortest string, its point included; None if there is none."""
    unit = 10**numbers.places
    best = None
    for n_digits in range(1, len(str(numbers.high // unit)) + 1):
        least = max(numbers.low, 0 if n_digits == 1 else 10 ** (n_digits - 1) * unit)
        most = min(numbers.high, 10**n_digits * unit - 1)
        for n_behind in range(numbers.places + 1):
            length = n_digits + n_behind + (n_behind > 0)
            if (best is None or length < best) and first_multiple(numbers, least, 10 ** (numbers.places - n_behind)) <= most:
                best = length
    return best


def is_small(numbers: Numbers) -> bool:
    """Whether there are so few states, as far as that can be forecast, that a vocabulary can keep what it gathers for them, for all grammars."""
    unit = 10**numbers.places
    moduli = [number // gcd(number, unit) for number in (numbers.divisor, *numbers.excluded)]
    return lcm(*moduli) * len(str(numbers.high // unit)) <= SMALL


# --- written out --------------------------------------------------------------------------------------------------


def whole_automaton(numbers: Numbers) -> Automaton:
    """The automaton of all strings. Raises LimitError above 50,000 states. Cost: linear in them."""
    reading = _Reading(numbers)
    number = {FIRST: 0}
    order = [FIRST]
    edges: list[Edge] = []
    for state in order:  # grows while it is read
        for low, high, target in reading.steps(state):
            if target not in number:
                number[target] = len(order)
                order.append(target)
            edges.append((number[state], number[target], low, high))
        if len(order) > MOST_STATES:
            raise LimitError("the residues of multipleOf, times the digits, written out", None, MOST_STATES, "use a rounder divisor or closer bounds")
    ends = {number[state] for state in order if reading.is_end(state)}
    useful = _leading_to(ends, edges)
    return Automaton([edge for edge in edges if edge[0] in useful and edge[1] in useful], ends)


def written_out(numbers: Memory) -> tuple[list[tuple[Any, ...]], int]:
    """The edges of an ordinary table with the same strings, and its number of nodes. Raises LimitError above 50,000 nodes."""
    automaton = whole_automaton(numbers)
    node = {0: 0}
    for source, target, _, _ in automaton.edges:
        for state in (source, target):
            node.setdefault(state, len(node) + 1 if node else 0)
    edges: list[tuple[Any, ...]] = [(RANGE, node[source], node[target], low, high) for source, target, low, high in automaton.edges]
    return [*edges, *[(EPSILON, node[state], 1) for state in sorted(automaton.ends)]], len(node) + 1


def _leading_to(ends: set[int], edges: list[Edge]) -> set[int]:
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
    return useful


class _Reading:
    """What each digit makes of a state."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers, self.places = numbers, numbers.places
        self.low, self.high = [str(bound).zfill(self.places + 1) for bound in (numbers.low, numbers.high)]
        self.n_low, self.n_high = len(self.low) - self.places, len(self.high) - self.places
        self.low_ends = len(self.low.rstrip("0"))
        self.all = (numbers.divisor, *numbers.excluded)
        self.moduli = [tuple(number // gcd(number, 10**left) for number in self.all) for left in range(self.places + 1)]

    def steps(self, state: State) -> Iterator[tuple[int, int, State]]:
        """Where each byte leads, neighbouring digits with the same target as one range."""
        first, target = 0, self.after(state, 0)
        for digit in range(1, 11):
            reached = self.after(state, digit) if digit < 10 else None
            if reached != target or digit == 10:
                if target is not None:
                    yield 0x30 + first, 0x2F + digit, target
                first, target = digit, reached
        point = self.point(state)
        if point is not None:
            yield 0x2E, 0x2E, point

    def after(self, state: State, digit: int) -> State | None:
        """The state after a digit; None if no digit may come, or this one is past a bound."""
        phase, count, low, high, residues = state
        if phase == FRACTION:
            return self._behind(state, digit)
        if phase == ZERO or count == self.n_high:
            return None
        low = 1 if count >= self.n_low else low or _compared(digit, self.low[count])
        high = high or _compared(digit, self.high[count])
        moduli = self.moduli[self.places]
        moved = tuple((10 * (residue or 0) + digit) % modulus for residue, modulus in zip(residues or (0,) * len(moduli), moduli, strict=True))
        return (ZERO if phase == START and digit == 0 else WHOLE, count + 1, low, high, moved)

    def _behind(self, state: State, digit: int) -> State | None:
        _, count, is_low, is_high, residues = state
        if count >= self.places:
            return (FRACTION, count + 1, 0, 0, ()) if digit == 0 and count < self.numbers.behind else None
        if is_low:
            if digit < int(self.low[self.n_low + count]):
                return None
            is_low = int(digit == int(self.low[self.n_low + count]))
        if is_high:
            if digit > int(self.high[self.n_high + count]):
                return None
            is_high = int(digit == int(self.high[self.n_high + count]))
        left = self.places - count - 1
        moved = [None if old is None else (10 * old + digit) % modulus for old, modulus in zip(residues, self.moduli[left], strict=True)]
        return self._in_fraction(count + 1, is_low, is_high, moved)

    def point(self, state: State) -> State | None:
        """The state after the point; None if none may come."""
        phase, count, low, high, residues = state
        if phase not in (ZERO, WHOLE) or not self.numbers.behind or not self._is_inside(count, low, high):
            return None
        return self._in_fraction(0, int(count == self.n_low and low == 0), int(count == self.n_high and high == 0), list(residues))

    def _in_fraction(self, count: int, is_low: int, is_high: int, residues: list[int | None]) -> State | None:
        """A state behind the point. Residues that can never be 0 again are forgotten; behind the last place that counts, so are all."""
        left = self.places - count
        if left == 0:
            return (FRACTION, count, 0, 0, ()) if self._is_wanted(residues) else None
        kept = [None if residue is None or -residue * 10**left % whole >= 10**left else residue for residue, whole in zip(residues, self.all, strict=True)]
        return (FRACTION, count, is_low, is_high, tuple(kept)) if kept[0] is not None else None

    def _is_inside(self, count: int, low: int, high: int) -> bool:
        """Whether so many whole digits, compared so, are those of numbers within the bounds, or may be."""
        return count >= self.n_low and (count > self.n_low or low >= 0) and (count < self.n_high or high <= 0)

    @staticmethod
    def _is_wanted(residues: list[int | None]) -> bool:
        return residues[0] == 0 and all(residue != 0 for residue in residues[1:])

    def is_end(self, state: State) -> bool:
        """Whether the number written so far is wanted."""
        phase, count, low, high, residues = state
        if phase == START:
            return False
        if phase == FRACTION:
            is_ready = count > 0 and (count >= self.places or self._is_wanted(list(residues)))
            return is_ready and not (low and count < self.places and self.low_ends > self.n_low + count)
        is_low = count == self.n_low and low == 0
        return self._is_inside(count, low, high) and self._is_wanted(list(residues)) and not (is_low and self.low_ends > self.n_low)


def _compared(digit: int, other: str) -> int:
    return (digit > int(other)) - (digit < int(other))
