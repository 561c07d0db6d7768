"""Automata over characters as short texts, for languages that are worked out beforehand and kept in a generated file.

Rule: what is unpacked is taken as it is (see ReadyAutomaton), so only `packed` writes such texts, and a test compares each with its source.
The text is base64 of zlib's of 32-bit numbers, low byte first: how many ends, sets and arcs there are; the ends; how many ranges each set has;
the first and last characters of these, from one to the next; and the arcs in three columns: steps from source to source, from target to
target, and numbers of sets. A few constants of Python, so a file of them is compiled and read in no time, and only what is used is unpacked.
Below: character_automaton, expression.  Above: the formats of frontends.json_schema, and scripts/generate_format_tables.py.
"""

from __future__ import annotations

import sys
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable
from itertools import accumulate, islice
from typing import NamedTuple
from zlib import compress, decompress

from grammask.grammar.character_automaton import CharacterAutomaton
from grammask.grammar.expression import Chars

__all__ = ["Numbered", "numbered", "packed", "unpacked"]

Ranges = tuple[tuple[int, int], ...]


def packed(automaton: CharacterAutomaton) -> str:
    """The text of an automaton in normal form with one start."""
    if automaton.starts != (0,):
        raise ValueError("an automaton with one start is expected")
    number: dict[Chars, int] = {}
    for _, _, chars in automaton.arcs:
        number.setdefault(chars, len(number))
    numbers = [len(automaton.ends), len(number), len(automaton.arcs), *sorted(automaton.ends), *[len(chars.ranges) for chars in number]]
    for chars in number:
        numbers += _steps(point for one in chars.ranges for point in one)
    numbers += _steps(source for source, _, _ in automaton.arcs)
    numbers += _steps(target for _, target, _ in automaton.arcs)
    numbers += [number[chars] for _, _, chars in automaton.arcs]
    return b2a_base64(compress(_low_byte_first(array("i", numbers)).tobytes(), 9), newline=False).decode("ascii")


class Numbered(NamedTuple):
    """An automaton as a kernel's table of a text has it: node 0 is the start, arcs are (from, to, number of the set of characters)."""

    arcs: list[tuple[int, int, int]]
    sets: tuple[Ranges, ...]
    ends: frozenset[int]

    @property
    def n_nodes(self) -> int:
        return 1 + max([target for _, target, _ in self.arcs], default=0)


def numbered(text: str) -> Numbered:
    """The automaton of a text that `packed` wrote; line breaks in it do not matter. Cost: linear in its arcs and ranges."""
    numbers = _low_byte_first(array("i", decompress(a2b_base64(text)))).tolist()
    n_ends, n_sets, n_arcs = numbers[:3]
    at_sizes, at_sets, at_arcs = 3 + n_ends, 3 + n_ends + n_sets, len(numbers) - 3 * n_arcs
    points = iter(numbers[at_sets:at_arcs])
    sets = tuple([_ranges(list(accumulate(islice(points, 2 * size)))) for size in numbers[at_sizes:at_sets]])
    sources, targets = accumulate(numbers[at_arcs : at_arcs + n_arcs]), accumulate(numbers[at_arcs + n_arcs : at_arcs + 2 * n_arcs])
    return Numbered(list(zip(sources, targets, numbers[at_arcs + 2 * n_arcs :], strict=True)), sets, frozenset(numbers[3:at_sizes]))


def unpacked(text: str) -> CharacterAutomaton:
    """The same with its sets of characters as nodes of the small form. Cost: twice as much."""
    given = numbered(text)
    sets = [Chars(ranges) for ranges in given.sets]
    return CharacterAutomaton(given.n_nodes, tuple([(source, target, sets[number]) for source, target, number in given.arcs]), (0,), given.ends)


def _ranges(points: list[int]) -> Ranges:
    return tuple(zip(points[::2], points[1::2], strict=True))


def _steps(numbers: Iterable[int]) -> list[int]:
    """The first number, and from each to the next."""
    listed = list(numbers)
    return [number - before for number, before in zip(listed, [0, *listed], strict=False)]


def _low_byte_first(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
