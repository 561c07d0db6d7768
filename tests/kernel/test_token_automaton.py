"""The automaton over tokens of a grammar without nesting rules, against the twin's masks; and its parts by themselves."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from grammask.errors import LimitError, UnspellableError
from grammask.grammar.recursion import nesting_rules
from grammask.kernel.tables import CALL, LITERAL, RANGE, SPECIAL, RuleTable, TextTable

from .kernels import Kernel
from .random_grammars import cases
from .scale import n_cases

END = -1


def automaton_of(compiled: Kernel, bound: Any, most: int = 20_000) -> Any:
    from grammask.kernel.places import explore
    from grammask.kernel.token_automaton import TokenAutomaton

    return TokenAutomaton(bound.store, *explore(bound, most))


class Rows:
    """The arrays as a mapping from states to tokens and next states."""

    def __init__(self, automaton: Any) -> None:
        self.states, self.transitions = automaton.measure(1 << 24)
        row_start, token_ids, next_states, finals = automaton.rows()
        assert len(row_start) == self.states + 1
        assert row_start[-1] == len(token_ids) == len(next_states) == self.transitions
        self.rows = [dict(zip(token_ids[a:b].tolist(), next_states[a:b].tolist(), strict=True)) for a, b in pairwise(row_start)]
        assert all(list(row) == sorted(row) for row in self.rows)
        self.finals = set(finals.tolist())


def places(rows: Rows, matcher: Any, rng: Random, tokens_each: int = 3) -> Iterator[tuple[int, Any]]:
    """(state, a matcher that stands there): every state, and for some tokens of each the state they lead to, however it was reached before."""
    seen = {0}
    yield 0, matcher
    for state, here in (queue := [(0, matcher)]):
        fresh: dict[int, int] = {}
        for token_id, after in rows.rows[state].items():
            if after not in seen:
                fresh.setdefault(after, token_id)
        some = rng.sample(sorted(rows.rows[state].items()), min(tokens_each, len(rows.rows[state])))
        for after, token_id in [*fresh.items(), *((after, token_id) for token_id, after in some)]:
            there = here.copy()
            there.advance(token_id)
            yield after, there
            if after not in seen:
                seen.add(after)
                queue.append((after, there))


def agree(rows: Rows, matcher: Any, rng: Random) -> None:
    """In every state the tokens of its row are those of a matcher there, and it is final where the matcher is complete."""
    reached = set()
    for state, here in places(rows, matcher, rng):
        reached.add(state)
        assert list(rows.rows[state]) == here.allowed_tokens().tolist(), state
        assert (state in rows.finals) == (here.is_complete and not here.is_finished), state
    assert reached == set(range(rows.states))


def test_rows_are_the_masks_of_the_twin(reference: Kernel, compiled: Kernel) -> None:
    """Random grammars without nesting, any vocabulary: each state's tokens are those that the definition allows, whatever led there."""
    n_judged = 0
    for number, case in enumerate(cases(n_cases(150, 1500), seed=31)):
        try:
            prepared = compiled.prepared(case.root, case.tokens, case.eos_ids)
            if nesting_rules(prepared):
                continue
            rows = Rows(automaton_of(compiled, compiled.bind(case.root, case.tokens, case.eos_ids)))
            twin = reference.matcher(case.root, case.tokens, case.eos_ids)
        except (LimitError, UnspellableError):
            continue
        if rows.states < 60:
            n_judged += 1
            agree(rows, twin, Random(number))
    assert n_judged >= n_cases(150, 1500) // 6


def test_rows_are_the_masks_of_long_texts(compiled: Kernel) -> None:
    """Counts of characters that are open for longer than a token are told apart, within characters too."""
    tokens = [*(bytes([byte]) for byte in range(256)), b"aa", b"aaaa", b'a"', "é".encode(), b"\\u00", b""]
    for least, most in [(0, 11), (9, 13), (10, None), (7, 7)]:
        text = TextTable("text", b"%d %d" % (least, most or 0), minimum=least, maximum=most)
        root = RuleTable("root", 3, [(LITERAL, 0, 2, b'"'), (CALL, 2, 1, text)])
        bound = compiled.bind(root, tokens, [len(tokens) - 1])
        agree(Rows(automaton_of(compiled, bound)), compiled.module.Matcher(bound), Random(least))


def test_state_keys_tell_open_counts_apart_inside_a_character(compiled: Kernel) -> None:
    """After one character and half of another, a matcher with a distant limit of length is not where it is after two and a half."""
    tokens = [*(bytes([byte]) for byte in range(256)), b""]
    root = RuleTable("root", 3, [(LITERAL, 0, 2, b'"'), (CALL, 2, 1, TextTable("text", b"far", maximum=1_000))])
    keys = []
    for text in (b'"a\xc3', b'"aa\xc3'):
        matcher = compiled.matcher(root, tokens, [256])
        for byte in text:
            matcher.advance(byte)
        keys.append(matcher.state_key())
    assert keys[0] != keys[1]


def test_equal_languages_have_equal_rows(compiled: Kernel) -> None:
    """`ab|ac` is `a(b|c)`, and no state is there twice."""
    tokens = [b"a", b"b", b"c", b"ab", b""]
    one = RuleTable("root", 4, [(LITERAL, 0, 1, b"ab"), (LITERAL, 0, 1, b"ac"), (RANGE, 2, 3, 97, 97)])
    other = RuleTable("root", 4, [(RANGE, 0, 3, 97, 97), (RANGE, 3, 2, 98, 99), (RANGE, 3, 1, 98, 98), (RANGE, 3, 1, 99, 99)])
    one.edges.pop()
    other.edges.pop(1)
    found = [Rows(automaton_of(compiled, compiled.bind(root, tokens, [4]))) for root in (one, other)]
    assert found[0].rows == found[1].rows == [{0: 1, 3: 2}, {1: 2, 2: 2}, {4: 3}, {}]
    assert found[0].finals == found[1].finals == {2}


def test_special_tokens_and_no_end_tokens(compiled: Kernel) -> None:
    """A special token is a transition of its own; without end tokens nothing lies behind a complete output."""
    tokens = [b"a", b"", b"", b"b"]
    root = RuleTable("root", 3, [(RANGE, 0, 2, SPECIAL + 1, SPECIAL + 2), (LITERAL, 2, 1, b"ab")])
    rows = Rows(automaton_of(compiled, compiled.bind(root, tokens, [])))
    assert rows.rows == [{1: 1, 2: 1}, {0: 2}, {3: 3}, {}]
    assert rows.finals == {3}


def test_places_without_end_are_a_limit(compiled: Kernel) -> None:
    """Rules that nest have places without end: exploring them stops at the limit."""
    nested = RuleTable("nested", 3, [])
    nested.edges += [(LITERAL, 0, 2, b"("), (CALL, 2, 3, nested), (LITERAL, 3, 1, b")"), (LITERAL, 0, 1, b"x")]
    nested.n_nodes = 4
    bound = compiled.bind(nested, [b"(", b")", b"x", b""], [3])
    with pytest.raises(LimitError) as caught:
        automaton_of(compiled, bound, most=100)
    assert caught.value.bound == 100
    assert nesting_rules(nested) == ["nested"]


def test_calls_in_last_place_are_no_nesting(compiled: Kernel) -> None:
    """A rule that calls itself last is a loop with finitely many places."""
    loop = RuleTable("loop", 3, [])
    loop.edges += [(LITERAL, 0, 2, b"ab"), (CALL, 2, 1, loop), (LITERAL, 0, 1, b"c")]
    assert nesting_rules(loop) == []
    rows = Rows(automaton_of(compiled, compiled.bind(loop, [b"a", b"b", b"c", b"abab", b""], [4])))
    assert rows.rows == [{0: 2, 2: 1, 3: 0}, {4: 3}, {1: 0}, {}]


def test_counting_stops_where_there_are_too_many(compiled: Kernel) -> None:
    """What is over the bound is said, and the rest not counted."""
    root = RuleTable("root", 2, [(RANGE, 0, 1, 0, 255)])
    automaton = automaton_of(compiled, compiled.bind(root, [bytes([byte]) for byte in range(256)], []))
    assert automaton.measure(100)[1] > 100


@pytest.mark.parametrize(
    ("marks", "edge_first", "edges"),
    [([], [0], []), ([1], [0], []), ([1], [0, 1], []), ([1], [0, 1], [(5, 4, 0)]), ([1], [0, 1], [(1, 4, 1)]), ([1, 1], [0, 2, 1], [(1, 4, 1)])],
    ids=["no-start", "one-offset", "no-edge", "no-symbol", "nowhere", "decreasing"],
)
def test_what_is_no_automaton_is_refused(compiled: Kernel, marks: list[int], edge_first: list[int], edges: list[tuple[int, int, int]]) -> None:
    """Arrays that do not fit each other are a ValueError, never followed."""
    from grammask.kernel.token_automaton import TokenAutomaton

    store = compiled.module.Store([b"a"], [])
    with pytest.raises(ValueError, match=r"automaton|edge"):
        TokenAutomaton(store, *(struct.pack(f"={len(flat)}I", *flat) for flat in (marks, edge_first, [number for edge in edges for number in edge])))


def random_automaton(rng: Random) -> tuple[list[int], list[dict[int, int]]]:
    """Marks, and for each place a map from a few bytes to places; every place is complete or leads to one that is."""
    n = rng.randint(1, 12)
    marks = [2 + (rng.random() < 0.3) for _ in range(n)]
    marks[-1] = 3
    return marks, [{byte: rng.randrange(n) for byte in range(97, 101) if rng.random() < 0.5} | {97: min(place + 1, n - 1)} for place in range(n)]


def test_minimal_automata_are_those_of_moore(compiled: Kernel) -> None:
    """Random automata: as many states as there are classes when places are told apart round by round, in the plainest way."""
    from grammask.kernel.token_automaton import TokenAutomaton

    store = compiled.module.Store([b"a", b"b", b"c", b"d"], [])
    for seed in range(n_cases(200, 3000)):
        marks, arrows = random_automaton(Random(seed))
        edges = [[(byte, byte, to) for byte, to in sorted(row.items())] for row in arrows]
        offsets = np.cumsum([0, *map(len, edges)]).tolist()
        flat = [number for row in edges for edge in row for number in edge]
        automaton = TokenAutomaton(store, *(struct.pack(f"={len(numbers)}I", *numbers) for numbers in (marks, offsets, flat)))
        kinds = [mark & 1 for mark in marks]
        while True:
            finer = [(kind, *sorted((byte, kinds[to]) for byte, to in row.items())) for kind, row in zip(kinds, arrows, strict=True)]
            numbers = {signature: number for number, signature in enumerate(dict.fromkeys(finer))}
            if len(numbers) == len(set(kinds)):
                break
            kinds = [numbers[signature] for signature in finer]
        reached = {0}
        for place in (queue := [0]):
            fresh = set(arrows[place].values()) - reached
            reached |= fresh
            queue.extend(fresh)
        assert automaton.measure(1 << 20)[0] == len({kinds[place] for place in reached}), seed
