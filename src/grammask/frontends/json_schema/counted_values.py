"""How many values a schema has, as far as arrays of different items ask: exactly, or without end, or not known.

Rule: a finite number is exact, since an array may hold as many items and no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.numbers import is_empty_range, range_of, whole_numbers_in
from grammask.frontends.json_schema.references import Subschema
from grammask.frontends.json_schema.strings import TextShape, excluded_strings, matches, text_shape
from grammask.frontends.json_schema.values import ARRAY, BOOLEAN, FRACTION, NULL, NUMBER, OBJECT, STRING, equality_key, type_of
from grammask.grammar.character_automaton import CharacterAutomaton
from grammask.grammar.expression import And
from grammask.grammar.language import character_automaton

if TYPE_CHECKING:
    from grammask.frontends.json_schema.compiler import Compiler

__all__ = ["ENDLESS", "count_strings", "count_values", "has_endless"]

ENDLESS = 20_000  # so many values or more: no output that is told apart holds them all
MAX_SETS = 2_000  # of nodes, of the automaton of a finite language
DEEPEST = 4  # values inside values that are looked at

Leaves = tuple[Facts, ...]


def count_values(compiler: Compiler, schemas: Sequence[Subschema], depth: int = 0) -> int | None:
    """The number of values that all of these schemas allow; ENDLESS for so many or more, None where that is not known."""
    if not schemas:
        return ENDLESS
    counts = []
    seen = 0
    is_apart = True
    for types, leaves in compiler.shapes.together(schemas):
        counts.append(_count(compiler, types, leaves, depth))
        types = _types_of(types, leaves)
        is_apart = is_apart and not seen & types
        seen |= types
    if ENDLESS in counts:
        return ENDLESS
    if None in counts or not is_apart:
        return None
    return min(sum(count for count in counts if count is not None), ENDLESS)


def has_endless(compiler: Compiler, types: int, leaves: Leaves) -> bool:
    """Whether it is known that values without end are of these types and such that all leaves hold."""
    return bool(types) and _count(compiler, types, leaves, 0) == ENDLESS


def _types_of(types: int, leaves: Leaves) -> int:
    """The types of a conjunction's values, as far as lists of values tell."""
    for facts in leaves:
        if facts.literals is not None:
            listed = 0
            for value in facts.literals:
                listed |= type_of(value)
            types &= listed
    return types


def _count(compiler: Compiler, types: int, leaves: Leaves, depth: int) -> int | None:
    for facts in leaves:
        if facts.literals is not None:
            listed = {equality_key(value): value for value in facts.literals}
            return sum(bool(type_of(value) & types) and all(compiler.validity.holds(other, value) for other in leaves) for value in listed.values())
    counts: list[int | None] = [bool(types & NULL) + 2 * bool(types & BOOLEAN)]
    if types & NUMBER:
        counts.append(_count_numbers(compiler, types, leaves))
    if types & STRING:
        counts.append(_count_strings(compiler, leaves))
    if types & ARRAY:
        counts.append(_count_arrays(compiler, leaves, depth))
    if types & OBJECT:
        counts.append(_count_objects(compiler, leaves, depth))
    if ENDLESS in counts:
        return ENDLESS
    return None if None in counts else min(sum(count for count in counts if count is not None), ENDLESS)


def _count_numbers(compiler: Compiler, types: int, leaves: Leaves) -> int | None:
    """Fractions are capped in digits, of which there are enough between any two bounds that differ by much."""
    range_ = range_of(leaves, types, only_digits=compiler.only_digits)
    if is_empty_range(range_):
        return 0
    if range_.low is None or range_.high is None:
        return ENDLESS
    if range_.divisor is None and not range_.not_multiples:
        if not types & FRACTION:
            listed = whole_numbers_in(leaves, ENDLESS)
            return ENDLESS if listed is None else len(listed)
        if range_.high - range_.low >= 1:
            return ENDLESS
    return None


def _count_strings(compiler: Compiler, leaves: Leaves) -> int | None:
    return count_strings(text_shape(leaves, compiler.refuse), excluded_strings(leaves))


def count_strings(shape: TextShape, excluded: frozenset[str]) -> int | None:
    """The number of strings of a shape that are none of some; ENDLESS for so many or more, None where that is not known."""
    languages, minimum, maximum = shape
    if maximum is not None and minimum > maximum:
        return 0
    if not languages:
        return ENDLESS if maximum is None or maximum >= 1 else 1 - len(excluded)
    automaton = character_automaton(languages[0] if len(languages) == 1 else And(languages))
    found = _count_texts(automaton, minimum, maximum)
    return found if found is None or found >= ENDLESS else found - sum(_has_shape(shape, text) for text in excluded)


def _has_shape(shape: TextShape, text: str) -> bool:
    languages, minimum, maximum = shape
    return minimum <= len(text) and (maximum is None or len(text) <= maximum) and all(matches(language, text) for language in languages)


def _count_texts(automaton: CharacterAutomaton, minimum: int, maximum: int | None) -> int | None:
    """The number of strings of some lengths, each counted once: over sets of nodes, whose ways are strings."""
    leaving = automaton.leaving()
    at: dict[frozenset[int], int] = {frozenset(automaton.starts): 1}
    found = length = 0
    n_sets = 0
    while at and (maximum is None or length <= maximum):
        if length >= minimum:
            found += sum(number for nodes, number in at.items() if not nodes.isdisjoint(automaton.ends))
        if found >= ENDLESS or (maximum is None and length > automaton.n_nodes + minimum):
            return ENDLESS
        after: dict[frozenset[int], int] = {}
        for nodes, number in at.items():
            for low, high, target in _steps(leaving, nodes):
                after[target] = min(after.get(target, 0) + number * (high - low + 1), ENDLESS)
        n_sets += len(after)
        if n_sets > MAX_SETS:
            return ENDLESS if maximum is None else None
        at = after
        length += 1
    return found


def _steps(leaving: list[list[tuple[int, int, int]]], nodes: frozenset[int]) -> list[tuple[int, int, frozenset[int]]]:
    """Runs of characters that lead from a set of nodes to the same set."""
    arcs = [arc for node in nodes for arc in leaving[node]]
    cuts = sorted({cut for _, low, high in arcs for cut in (low, high + 1)})
    runs = ((low, high - 1, frozenset(target for target, first, last in arcs if first <= low <= last)) for low, high in pairwise(cuts))
    return [run for run in runs if run[2]]


def _count_arrays(compiler: Compiler, leaves: Leaves, depth: int) -> int | None:
    """Without end, or not known."""
    from grammask.frontends.json_schema.item_monitor import item_schemas

    maximum = min((facts.max_items for facts in leaves if facts.max_items is not None), default=None)
    if maximum == 0:
        return 1 if all(facts.min_items == 0 and not facts.contains for facts in leaves) else None
    if depth >= DEEPEST or any(facts.contains for facts in leaves):
        return None
    inner = count_values(compiler, item_schemas(leaves, 0), depth + 1)
    is_free = maximum is None and not any(facts.prefix or facts.unique for facts in leaves)
    if inner == ENDLESS or (inner and is_free):
        return ENDLESS
    return None


def _count_objects(compiler: Compiler, leaves: Leaves, depth: int) -> int | None:
    """Without end, or not known: some member whose value is free is enough."""
    if depth >= DEEPEST or any(facts.names or facts.some_names or facts.some_member or facts.max_properties is not None for facts in leaves):
        return None
    if all(facts.additional is None and not facts.patterns for facts in leaves):
        return ENDLESS
    if any(facts.patterns for facts in leaves):
        return None
    names = dict.fromkeys(name for facts in leaves for name in facts.properties)
    free = [name for name in names if all(name in facts.properties or facts.additional is None for facts in leaves)]
    schemas = ([facts.properties[name] for facts in leaves if name in facts.properties] for name in free)
    return ENDLESS if any(count_values(compiler, some, depth + 1) == ENDLESS for some in schemas) else None
