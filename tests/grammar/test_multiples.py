"""Multiples of a number, written out and as a rule of their own, against exact arithmetic."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammask.errors import EmptyLanguageError, LimitError
from grammask.grammar.expression import Automaton, Literal, Multiples, Seq, optional
from grammask.grammar.lower import lower
from grammask.grammar.multiples import SMALL, first_multiple, is_small, shortest_length, whole_automaton, written_out
from grammask.grammar.structure_key import assign_keys
from grammask.grammar.table_file import pack_tables, unpack_tables
from grammask.kernel.tables import CALL, RuleTable

LARGE = Multiples(1_000_003, (), 0, 0, 10**20 - 1, 16)
DECIMAL = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]+)?")


@st.composite
def numbers(draw: st.DrawFn) -> Multiples:
    places = draw(st.integers(0, 3))
    divisor = draw(st.sampled_from([1, 2, 3, 5, 7, 8, 12, 25, 40, 99, 100, 125, 250]))
    excluded = draw(st.sets(st.sampled_from([2, 3, 5, 7, 10, 11, 100]), max_size=3))
    low = draw(st.one_of(st.just(0), st.integers(0, 40 * 10**places)))
    high = low + draw(st.integers(0, 500 * 10**places))
    return Multiples(divisor, sorted(divisor * number for number in excluded), places, low, high, places + draw(st.integers(0, 2)))


def is_string_of(node: Multiples, text: str) -> bool:
    """By the definition."""
    match = DECIMAL.fullmatch(text)
    if match is None or len(match[2] or ".") > node.behind + 1:
        return False
    units = Fraction(text) * 10**node.places
    return node.low <= units <= node.high and units % node.divisor == 0 and all(units % number for number in node.excluded)


def takes(automaton: Automaton, text: str) -> bool:
    state = {0}
    for byte in text.encode():
        state = {target for source, target, low, high in automaton.edges if source in state and low <= byte <= high}
    return bool(state & automaton.ends)


TEXTS = st.one_of(
    st.from_regex(r"(0|[1-9][0-9]{0,2})(\.[0-9]{1,5})?", fullmatch=True),
    st.from_regex(r"[0-9]{1,3}\.[05]{0,5}", fullmatch=True),
    st.from_regex(r"[0-9.]{0,4}", fullmatch=True),
)


@settings(max_examples=60, deadline=None)
@given(numbers(), st.lists(TEXTS, min_size=20, max_size=60), st.data())
def test_what_is_written_out_is_what_arithmetic_allows(node: Multiples, texts: list[str], data: st.DataObject) -> None:
    """The automaton takes a decimal exactly if its value, in exact fractions, is within the bounds and divisible as wanted."""
    automaton = whole_automaton(node)
    near = data.draw(st.lists(st.integers(node.low, node.high), max_size=20))
    texts = texts + [f"{value // 10**node.places}.{value % 10**node.places:0{node.places}d}".rstrip(".") for value in near]
    for text in texts:
        assert takes(automaton, text) is is_string_of(node, text), text


@settings(max_examples=80, deadline=None)
@given(numbers())
def test_the_shortest_string_is_as_long_as_is_said(node: Multiples) -> None:
    """`shortest_length` is that of the automaton's shortest way, None where there is none."""
    automaton = whole_automaton(node)
    reached, length = {0}, 0
    while reached and not reached & automaton.ends:
        reached, length = {target for source, target, _, _ in automaton.edges if source in reached}, length + 1
    assert shortest_length(node) == (length if reached else None)


@settings(max_examples=200, deadline=None)
@given(numbers(), st.integers(0, 3_000), st.sampled_from([1, 10, 100]))
def test_the_first_multiple_is_the_first(node: Multiples, low: int, step: int) -> None:
    """Found by trying one number after the other, far enough for all there may be."""
    wanted = (n for n in range(low, low + 30_000) if n % step == 0 and n % node.divisor == 0 and all(n % number for number in node.excluded))
    found = first_multiple(node, low, step)
    first = next(wanted, None)
    assert found == first if first is not None else found > node.high


def test_multiples_are_a_rule_that_is_called() -> None:
    """Whatever the divisor, a rule costs as much as its digits are long."""
    for node in (LARGE, Multiples(5, (), 0, 0, 999, 2), Multiples(1, (3 * 10**16,), 16, 0, 10**36 - 1, 16)):
        table = lower(Seq((optional(Literal(b"-")), node)))
        (callee,) = {edge[3] for edge in table.edges if edge[0] == CALL}
        assert callee.multiples is not None
        assert len(callee.edges) < 10
        assert not callee.nullable


@settings(max_examples=60, deadline=None)
@given(numbers())
def test_what_is_small_has_few_states(node: Multiples) -> None:
    """As many as are forecast, and again as many for how they compare with the bounds."""
    if is_small(node):
        assert len({edge[0] for edge in whole_automaton(node).edges}) <= 2 * SMALL
    assert not is_small(LARGE)


def test_keys_and_files_hold_all_of_it() -> None:
    """Rules of different numbers have different keys, and what is read back from a file is what was written."""
    tables = [
        lower(LARGE),
        lower(LARGE),
        lower(Multiples(1_000_003, (2_000_006,), 0, 0, 10**20 - 1, 16)),
        lower(Multiples(1_000_003, (), 1, 0, 10**20 - 1, 16)),
    ]
    for table in tables:
        callee = table.edges[0][3]
        assign_keys([callee], {callee: []})
    keys = [table.edges[0][3].key for table in tables]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3
    for table in tables:
        read = unpack_tables(pack_tables(table), {})
        assert read.edges[0][3].multiples == table.edges[0][3].multiples
        assert read.edges[0][3].edges == table.edges[0][3].edges


def test_none_within_the_bounds_is_an_empty_language() -> None:
    """Named when the grammar is lowered."""
    with pytest.raises(EmptyLanguageError):
        lower(Multiples(1_000_003, (), 0, 1, 1_000_000, 0))


def test_too_much_is_a_limit() -> None:
    """Numbers that are too many and too long to work with, and too many states to be written out."""
    with pytest.raises(LimitError, match="multipleOf"):
        lower(Multiples(7, [7 * number for number in range(1_000_003, 1_010_003)], 0, 0, 10**40, 0))
    with pytest.raises(LimitError, match="multipleOf"):
        written_out(_memory(LARGE))


def _memory(node: Multiples) -> object:
    (callee,) = {edge[3] for edge in lower(node).edges if edge[0] == CALL}
    assert isinstance(callee, RuleTable)
    return callee.multiples
