"""Character sets as automata over bytes."""

import random

import pytest

from grammask.grammar.expression import ANY_CHARACTER, Chars
from grammask.grammar.utf8 import byte_automaton

BORDERS = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000, 0x10FFFF]


def random_set(seed):
    """Some ranges with ends at and near the borders of UTF-8's lengths and blocks."""
    draw = random.Random(seed)
    ranges = []
    for _ in range(draw.randint(1, 5)):
        low = max(0, min(0x10FFFF, draw.choice([*BORDERS, draw.randrange(0x110000)]) + draw.randint(-2, 2)))
        ranges.append((low, min(0x10FFFF, low + draw.choice([0, 1, 63, 64, 5_000, 1_000_000]))))
    return Chars(ranges)


def transitions(chars):
    """(node, byte) -> node; fails if a byte leads to two nodes."""
    found = {}
    for source, target, low, high in byte_automaton(chars)[1]:
        for byte in range(low, high + 1):
            assert (source, byte) not in found
            found[source, byte] = target
    return found


@pytest.mark.parametrize("seed", range(40))
def test_automata_take_exactly_the_characters_of_the_set(seed):
    """A character is taken if and only if it is in the set, and nothing but single characters is."""
    chars = random_set(seed)
    step = transitions(chars)
    counts = {1: 1}

    def count(node):
        if node not in counts:
            counts[node] = sum(count(to) for (source, _), to in step.items() if source == node)
        return counts[node]

    assert count(0) == sum(high - low + 1 for low, high in chars.ranges)
    for low, high in chars.ranges:
        for code in (low, high, (low + high) // 2):
            if not 0xD800 <= code <= 0xDFFF:
                node = 0
                for byte in chr(code).encode():
                    node = step[node, byte]
                assert node == 1


def test_automata_are_minimal():
    """No two nodes have the same future: any character takes nine nodes."""
    n_nodes, edges = byte_automaton(ANY_CHARACTER)
    assert n_nodes == 9
    futures = [frozenset((to, low, high) for source, to, low, high in edges if source == node) for node in range(n_nodes)]
    assert len(set(futures)) == n_nodes


def test_automata_are_kept_on_their_set():
    """Asking again gives the same object."""
    chars = Chars([(0x400, 0x4FF)])
    assert byte_automaton(chars) is byte_automaton(Chars([(0x400, 0x4FF)]))


def test_an_empty_set_has_no_edges():
    """A set without characters leads nowhere."""
    assert byte_automaton(Chars([])) == (2, ())
