"""Whether any string is left when a language over characters is cut down by bounds of length and by excluded strings.

Rule: the answer is exact. Lengths are followed as sets of nodes, one step a character, which repeat after a while: `^(aaa)*$`
with lengths 4 to 5 has no string though it has shorter and longer ones. Excluded strings are taken off by a product with their trie.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cache
from operator import itemgetter

from grammask.errors import LimitError
from grammask.grammar.character_automaton import UNICODE, CharacterAutomaton
from grammask.grammar.packed_automaton import Numbered

__all__ = ["excluded_trie", "has_length", "has_string", "trie_steps"]

Ranges = tuple[tuple[int, int], ...]
Following = Callable[[int], list[int]]

MAX_WORK = 1_000_000  # nodes stepped over; some 0.2 s
EASY_STEPS = 64
N_CHARACTERS = sum(high - low + 1 for low, high in UNICODE)


def has_string(automaton: CharacterAutomaton | None, minimum: int, maximum: int | None, excluded: frozenset[str]) -> bool:
    """Whether a string of minimum..maximum characters is in the language (None: all strings) and not excluded.

    Raises LimitError where lengths are too many to follow. Cost: some us for each node that texts up to the one that answers it pass.
    """
    if maximum is not None and maximum < minimum:
        return False
    if automaton is None:
        return _has_any(minimum, maximum, excluded)
    if not has_length(automaton, minimum, maximum):
        return False
    if not excluded or (maximum is None and _has_cycle([[target for target, _ in arcs] for arcs in automaton.arcs_leaving()])):
        return True
    return _has_unexcluded(automaton, minimum, maximum, excluded)


def _has_any(minimum: int, maximum: int | None, excluded: frozenset[str]) -> bool:
    """The same for all strings: only counts matter."""
    if maximum is None or (maximum > 0 and len(excluded) < N_CHARACTERS):
        return True
    inside = sum(minimum <= len(text) <= maximum for text in excluded)
    available: int = sum([pow(N_CHARACTERS, length) for length in range(minimum, min(maximum, minimum + 3) + 1)])
    return inside < available


def has_length(automaton: CharacterAutomaton | Numbered, minimum: int, maximum: int | None) -> bool:
    """Whether some path of minimum..maximum steps leads from a start to an end. All nodes are useful, and arcs sorted by the node they leave."""
    starts = (0,) if isinstance(automaton, Numbered) else automaton.starts
    if not starts or (minimum == 0 and maximum is None):
        return bool(starts)
    following = _following(automaton)
    return _has_easy_length(following, starts[0], automaton.ends, minimum, maximum) or _has_length(following, starts, automaton.ends, minimum, maximum)


def _following(automaton: CharacterAutomaton | Numbered) -> Following:
    """Where the arcs of a node lead, found when it is asked for: of a large automaton few nodes are."""
    arcs, source = automaton.arcs, itemgetter(0)

    @cache
    def following(node: int) -> list[int]:
        return [arc[1] for arc in arcs[bisect_left(arcs, node, key=source) : bisect_left(arcs, node + 1, key=source)]]

    return following


def _has_easy_length(following: Following, node: int, ends: frozenset[int], minimum: int, maximum: int | None) -> bool:
    """Whether one path has such a length: the one that goes to the node met last, and so away from the start. Most automata have one."""
    for length in range(1 + (EASY_STEPS if maximum is None else min(EASY_STEPS, maximum))):
        if length >= minimum and node in ends:
            return True
        targets = following(node)
        if not targets:
            return False
        node = max(targets)
    return False


def _has_length(following: Following, starts: tuple[int, ...], ends: frozenset[int], minimum: int, maximum: int | None) -> bool:
    """Whether some path of minimum..maximum steps leads from a start to an end."""
    current = frozenset(starts)
    seen: dict[frozenset[int], int] = {}
    accepted: list[int] = []  # lengths below the minimum
    length = work = 0
    while current and (maximum is None or length <= maximum):
        if not current.isdisjoint(ends):
            if length >= minimum:
                return True
            accepted.append(length)
        if current in seen:
            return _returns(accepted, seen[current], length, minimum, maximum)
        seen[current] = length
        current = frozenset().union(*map(following, current))
        length += 1
        work += len(current) + 1
        if work > MAX_WORK:
            raise LimitError("the lengths of a pattern's texts", None, MAX_WORK, "use a pattern or a minimum length that is simpler")
    return False


def _returns(accepted: list[int], first: int, again: int, minimum: int, maximum: int | None) -> bool:
    """Whether a length of the cycle first..again, repeated for ever, falls into minimum..maximum."""
    period = again - first
    for length in accepted:
        if first <= length < again:
            next_length = length + -(-(minimum - length) // period) * period
            if maximum is None or next_length <= maximum:
                return True
    return False


def _has_cycle(leaving: list[list[int]]) -> bool:
    """Whether a path can go on for ever (Kahn 1962: nodes without entry are taken away until none is left)."""
    entries = [0] * len(leaving)
    for targets in leaving:
        for target in targets:
            entries[target] += 1
    free = [node for node, count in enumerate(entries) if not count]
    for node in free:  # grows while it is read
        for target in leaving[node]:
            entries[target] -= 1
            if not entries[target]:
                free.append(target)
    return len(free) < len(leaving)


def _has_unexcluded(automaton: CharacterAutomaton, minimum: int, maximum: int | None, excluded: frozenset[str]) -> bool:
    """The product with the trie of the excluded strings: (node, trie node), or (node, None) once off the trie."""
    children, words = excluded_trie(excluded)
    steps = automaton.arcs_leaving()
    order: list[tuple[int, int | None]] = [(node, 0) for node in automaton.starts]
    number = {state: index for index, state in enumerate(order)}
    leaving: list[list[int]] = []
    for node, trie_node in order:  # grows while it is read
        targets = []
        for target, chars in steps[node]:
            for child, _ in trie_steps(children[trie_node] if trie_node is not None else {}, chars.ranges):
                state = number.setdefault((target, child), len(order))
                if state == len(order):
                    order.append((target, child))
                targets.append(state)
        leaving.append(targets)
        if len(order) > MAX_WORK:
            raise LimitError("excluded strings times a pattern's size", None, MAX_WORK)
    ends = frozenset(index for index, (node, trie_node) in enumerate(order) if node in automaton.ends and trie_node not in words)
    return _has_length(leaving.__getitem__, tuple(range(len(automaton.starts))), ends, minimum, maximum)


def trie_steps(children: dict[int, int], ranges: Ranges) -> list[tuple[int | None, list[tuple[int, int]]]]:
    """Where the characters of some ranges lead: (trie node, its character), and (None, all others) for those that leave the trie."""
    steps: list[tuple[int | None, list[tuple[int, int]]]] = []
    others = []
    for low, high in ranges:
        for character in sorted(character for character in children if low <= character <= high):
            steps.append((children[character], [(character, character)]))
            if low < character:
                others.append((low, character - 1))
            low = character + 1
        if low <= high:
            others.append((low, high))
    return [*steps, (None, others)] if others else steps


def excluded_trie(texts: Iterable[str]) -> tuple[list[dict[int, int]], set[int | None]]:
    """Children by code point of each node (0 is the root), and the nodes at which a text ends."""
    children: list[dict[int, int]] = [{}]
    words: set[int | None] = set()
    for text in texts:
        node = 0
        for character in map(ord, text):
            target = children[node].get(character)
            if target is None:
                target = children[node][character] = len(children)
                children.append({})
            node = target
        words.add(node)
    return children, words
