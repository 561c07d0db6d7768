"""Terminals' patterns as one program of threads, with the order in which `re` tries its alternatives.

Rule: a program says everything that `re` does with a pattern and nothing of how it is run; `scanning` runs it.
Characters are cut into classes that no pattern tells apart; a set of characters is a bit mask of classes.
Source: Pike 1987 for threads in order of preference.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from grammask.errors import LimitError
from grammask.grammar.expression import Chars

__all__ = ["NOBODY", "Accept", "Ahead", "Back", "Behind", "Char", "Enter", "Mode", "Program", "Ranges", "Split", "Step", "owner_of"]

Ranges = tuple[tuple[int, int], ...]
Mode = Literal["first", "shortest", "longest"]


class Char(NamedTuple):
    """Takes one character out of a set (an index into `Program.sets`)."""

    chars: int
    then: int


class Split(NamedTuple):
    """Goes on at each of the places; the first is tried first."""

    ways: tuple[int, ...]


class Enter(NamedTuple):
    """Begins a round of a loop whose body may match nothing."""

    loop: int
    then: int


class Back(NamedTuple):
    """Ends a round of a loop. A round that took nothing is the last: then on to `leave`, as `re` does."""

    loop: int
    again: int
    leave: int


class Ahead(NamedTuple):
    """Takes nothing; holds where the body matches what follows (does not match, if negative)."""

    body: int
    negative: bool
    then: int


class Behind(NamedTuple):
    """Takes nothing; holds where the text before ends in a match of the body (does not, if negative). condition: an index."""

    condition: int
    negative: bool
    then: int


class Accept(NamedTuple):
    """The end of a terminal, of the body of a lookahead (owner NOBODY) or of a condition on the text before."""

    owner: int


Step = Char | Split | Enter | Back | Ahead | Behind | Accept

NOBODY = -1


def owner_of(condition: int) -> int:
    """Whose the steps of a condition on the text before are."""
    return -2 - condition


class Program:
    """Steps of all patterns. `owner` says whose a step is: a terminal's index, NOBODY for lookaheads, `owner_of` for conditions on the text before.

    starts: first step of each terminal.  modes: which of its matches a terminal takes.  behinds: first step and width of each condition.
    ahead_of, behind_of: bodies of lookaheads and numbers of conditions that are about one character.
    After `finish`: masks (the classes each step takes, 0 for steps that take nothing) and classes (the ranges of each class).
    """

    def __init__(self, maximum_steps: int) -> None:
        self.steps: list[Step] = []
        self.owner: list[int] = []
        self.starts: list[int] = []
        self.modes: list[Mode] = []
        self.behinds: list[tuple[int, int]] = []
        self.sets: list[Ranges] = []
        self.masks: list[int] = []
        self.classes: list[Ranges] = []
        self.ahead_of: dict[Ranges, int] = {}
        self.behind_of: dict[Ranges, int] = {}
        self.n_loops = 0
        self.building = NOBODY
        self._class_bits: dict[str, int] = {}
        self._spellings: dict[int, tuple[Ranges, Chars | None]] = {}
        self._set_numbers: dict[Ranges, int] = {}
        self._maximum_steps = maximum_steps

    def add(self, step: Step) -> int:
        """A new step; gives its number. Raises LimitError when there are too many."""
        if len(self.steps) >= self._maximum_steps:
            raise LimitError("the size of the terminals' patterns, with counted repetitions written out,", None, self._maximum_steps, "lower their counts")
        self.steps.append(step)
        self.owner.append(self.building)
        return len(self.steps) - 1

    def char(self, ranges: Ranges, then: int) -> int:
        """A step that takes one character of a set."""
        number = self._set_numbers.get(ranges)
        if number is None:
            number = self._set_numbers[ranges] = len(self.sets)
            self.sets.append(ranges)
        return self.add(Char(number, then))

    def new_loop(self) -> int:
        self.n_loops += 1
        return self.n_loops

    def finish(self) -> None:
        """Cut the characters into classes. Cost: linear in the ranges of all sets, but for sorting."""
        self.classes, set_masks = cut_into_classes(self.sets)
        self.masks = [set_masks[step.chars] if isinstance(step, Char) else 0 for step in self.steps]

    def ranges_of(self, mask: int) -> Ranges:
        """The characters of a mask of classes."""
        return Chars([pair for number, ranges in enumerate(self.classes) if mask >> number & 1 for pair in ranges]).ranges

    def spelling_of(self, mask: int) -> tuple[Ranges, Chars | None]:
        """The characters of a mask: those of ASCII, which are bytes, and the others; None if there is no other. Kept."""
        if mask not in self._spellings:
            ranges = self.ranges_of(mask)
            wide = [(max(low, 0x80), high) for low, high in ranges if high > 0x7F]
            self._spellings[mask] = tuple([(low, min(high, 0x7F)) for low, high in ranges if low <= 0x7F]), Chars(wide) if wide else None
        return self._spellings[mask]

    def class_bit(self, character: str) -> int:
        """The bit of the class of a character; 0 if no pattern takes it."""
        bit = self._class_bits.get(character)
        if bit is None:
            code = ord(character)
            found = (1 << number for number, ranges in enumerate(self.classes) if any(low <= code <= high for low, high in ranges))
            bit = self._class_bits[character] = next(found, 0)
        return bit

    def mask_of_bytes(self, first_bytes: Iterable[int]) -> int:
        """The classes that hold a character whose spelling begins with one of the bytes."""
        wanted = set(first_bytes)
        return sum(1 << number for number, ranges in enumerate(self.classes) if any(_begins(pair, wanted) for pair in ranges))


def _begins(pair: tuple[int, int], first_bytes: set[int]) -> bool:
    low, high = pair
    if high <= 0x7F:
        return any(byte in first_bytes for byte in range(low, high + 1))
    return any(low_byte in first_bytes for low_byte in range(chr(low).encode()[0], chr(high).encode()[0] + 1))


def cut_into_classes(sets: list[Ranges]) -> tuple[list[Ranges], list[int]]:
    """Disjoint sets of characters that make up each of the given ones, and the mask of each. Characters in no set are in no class."""
    changes: dict[int, int] = {}
    for number, ranges in enumerate(sets):
        for low, high in ranges:
            changes[low] = changes.get(low, 0) ^ 1 << number
            changes[high + 1] = changes.get(high + 1, 0) ^ 1 << number
    members: dict[int, list[tuple[int, int]]] = {}
    points = sorted(changes)
    inside = 0
    if not points:
        return [], [0] * len(sets)
    for low, after in zip(points, [*points[1:], 0], strict=True):
        inside ^= changes[low]
        if inside:
            members.setdefault(inside, []).append((low, after - 1))
    masks = [0] * len(sets)
    for number, inside in enumerate(members):
        while inside:
            low_bit = inside & -inside
            masks[low_bit.bit_length() - 1] |= 1 << number
            inside ^= low_bit
    return [tuple(ranges) for ranges in members.values()], masks
