"""Multiples of numbers of any size: masks, completions and budgets by exact arithmetic, with the states that a text comes to and no others."""

from __future__ import annotations

import re
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from grammask.grammar.expression import Multiples
from grammask.grammar.multiples import first_multiple, whole_automaton
from grammask.kernel.tables import CALL, LITERAL, RANGE, RuleTable
from grammask.kernel.tables import Multiples as Memory

from .kernels import Kernel
from .random_grammars import FAMILIES
from .scale import n_cases

TOKENS = [bytes([byte]) for byte in range(256)] + [b"%03d" % n for n in range(1000)] + [b"%02d" % n for n in range(100)] + [b".5", b"0.", b"0,", b"12]", b""]
END = len(TOKENS) - 1


def rule_of(memory: Memory) -> RuleTable:
    edges = memory.edges()
    return RuleTable("numbers", 1 + max(edge[2] for edge in edges), edges, multiples=memory, prepared=True)


def in_list(rule: RuleTable) -> RuleTable:
    """Numbers between brackets, with commas."""
    return RuleTable("list", 4, [(LITERAL, 0, 2, b"["), (CALL, 2, 3, rule), (LITERAL, 3, 2, b","), (LITERAL, 3, 1, b"]")], prepared=True)


@st.composite
def large(draw: st.DrawFn) -> Memory:
    """Numbers of up to some hundred bits, bounds and conditions that may leave nothing out or nearly everything."""
    places = draw(st.integers(0, 12))
    divisor = draw(st.one_of(st.integers(1, 10**6), st.integers(10**15, 10**22), st.integers(10**30, 10**45), st.sampled_from([10**9, 2**70, 5**40])))
    factors = draw(st.sets(st.sampled_from([2, 3, 5, 7, 10, 11, 13, 10**12, 10**25 + 13]), max_size=4))
    low = draw(st.one_of(st.just(0), st.integers(0, 10**50)))
    first = first_multiple(Memory(divisor, tuple(divisor * factor for factor in factors), places, 0, 0, places), low)
    high = first + draw(st.one_of(st.integers(0, 10**3), st.integers(0, 10**50)))
    return Memory(divisor, tuple(sorted(divisor * factor for factor in factors)), places, low, high, places + draw(st.integers(0, 2)))


def completions(memory: Memory, text: str) -> int | None:
    """The fewest symbols that complete a text, by arithmetic on the interval of each number of digits to come; None if nothing does."""
    whole, point, behind = text.partition(".")
    is_written_wrong = (
        (len(whole) > 1 and whole[0] == "0") or len(behind) > memory.behind or behind[memory.places :].strip("0") or not re.fullmatch(r"[0-9]*\.?[0-9]*", text)
    )
    if is_written_wrong or (point and not (whole and memory.behind)):
        return None
    wholes = [0] if point or whole == "0" else range(not whole, len(str(memory.high)) + 1 - len(whole))
    fractions = range(max(1, len(behind)), memory.behind + 1) if point else range(memory.behind + 1)
    found = [(n + m - len(behind) + (m > 0 and not point), n, m) for n in wholes for m in fractions]
    return next((length for length, n, m in sorted(found) if _completes(memory, whole, behind[: memory.places], n, m)), None)


def _completes(memory: Memory, whole: str, behind: str, n_whole: int, n_behind: int) -> bool:
    """Whether some number has these digits, that many more before the point, and that many behind it in all."""
    counted = min(n_behind, memory.places)
    unit, to_come = 10 ** (memory.places - counted), n_whole + max(0, counted - len(behind))
    least = int(whole + behind or "0") * 10**to_come * unit
    most = least + (10**to_come - 1) * unit
    if not whole and n_whole > 1:
        least = 10 ** (n_whole - 1 + memory.places)
    return first_multiple(memory, max(least, memory.low), unit) <= min(most, memory.high)


@settings(max_examples=n_cases(25, 500), deadline=None)
@given(large(), st.randoms(use_true_random=False))
def test_numbers_of_any_size_are_exact(memory: Memory, rng: Random) -> None:
    """Each byte is allowed exactly if arithmetic finds a number to complete with, and completions are as short as that says."""
    compiled = Kernel("compiled")
    store = compiled.module.Store(TOKENS, [END])
    matcher = compiled.module.Matcher(compiled.module.Bound(store, rule_of(memory)))
    text = ""
    while True:
        allowed = set(matcher.allowed_tokens().tolist())
        expected = {ord(c) for c in "0123456789." if completions(memory, text + c) is not None}
        assert {token for token in allowed if token < 256} == expected, text
        assert all((completions(memory, text + TOKENS[token].decode()) is not None) == (token in allowed) for token in rng.sample(range(256, END), 6))
        left = completions(memory, text)
        assert matcher.is_complete is (left == 0) is (END in allowed)
        assert len(matcher.shortest_bytes()) == matcher.least_bytes() == left
        onward = sorted(allowed - {END})
        if not onward:
            break
        token = rng.choice(onward)
        matcher.advance(token)
        text += TOKENS[token].decode()
    assert matcher.is_complete


def written_out(memory: Memory) -> RuleTable:
    automaton = whole_automaton(Multiples(memory.divisor, memory.excluded, memory.places, memory.low, memory.high, memory.behind))
    edges = [(RANGE, source + 2 * (source > 0), target + 2, low, high) for source, target, low, high in automaton.edges]
    edges += [(RANGE, a, 1, low, high) for (_, a, b, low, high), (_, target, _, _) in zip(edges, automaton.edges, strict=True) if target in automaton.ends]
    return RuleTable("written out", max(edge[2] for edge in edges) + 1, edges, prepared=True)


def test_states_on_arrival_are_those_of_the_automaton(compiled: Kernel) -> None:
    """Masks along random walks equal those of the automaton written out, alone and inside a list, over tokens of several digits."""
    rng = Random(11)
    store = compiled.module.Store(TOKENS, [END])
    for _ in range(n_cases(40, 400)):
        rule = next(edge[3] for edge in _family(rng).edges if edge[0] == CALL)
        other = written_out(rule.multiples)
        for made in (lambda table: table, in_list):
            matchers = [compiled.module.Matcher(compiled.module.Bound(store, made(table))) for table in (rule, other)]
            for _ in range(10):
                one, two = [matcher.allowed_tokens().tolist() for matcher in matchers]
                assert one == two, rule.multiples
                assert len(matchers[0].shortest_bytes()) == len(matchers[1].shortest_bytes())
                onward = [token for token in one if token != END]
                if not onward:
                    break
                token = rng.choice(onward)
                for matcher in matchers:
                    matcher.advance(token)


def _family(rng: Random) -> RuleTable:
    made = FAMILIES["multiples"](rng)
    assert isinstance(made, RuleTable)
    return made


def test_masks_make_no_states_and_texts_few(compiled: Kernel) -> None:
    """A mask passes a thousand residues in one token and keeps none; a text of a hundred numbers leaves some states a number."""
    store = compiled.module.Store(TOKENS, [END])
    bound = compiled.module.Bound(store, in_list(rule_of(Memory(19_379_980_620_000, (), 0, 0, 10**20 - 1, 0))))
    matcher = compiled.module.Matcher(bound)
    matcher.advance(ord("["))
    before = store.statistics()["states"]
    assert matcher.count() > 1000
    assert store.statistics()["states"] <= before + 2
    rng = Random(3)
    for _ in range(100):
        while ord(",") not in (allowed := matcher.allowed_tokens().tolist()):
            matcher.advance(rng.choice([token for token in allowed if token != ord("]")]))
        matcher.advance(ord(","))
    assert store.statistics()["states"] < before + 3_000
    assert bound.statistics()["bytes"] < 16 << 20
