"""What a state may hold: the compiled kernel's configurations must not multiply where readings merge."""

from __future__ import annotations

import pytest

from .kernels import Kernel
from .random_grammars import Expression, network

TOKENS = [b"a", b"b", b"c", b""]
END = [3]
X, Y = ("rule", 0), ("rule", 1)

RIGHT = [("alt", ("seq", b"a", X), b"a")]
RIGHT_THROUGH_OTHERS = [("seq", b"a", ("rule", 1)), ("alt", b"b", ("seq", b"a", ("rule", 2))), ("alt", b"c", ("seq", b"a", ("rule", 0)))]
RIGHT_BEFORE_NOTHING = [("alt", ("seq", b"a", X, ("rule", 1)), b"a"), ("alt", ("seq",), b"b")]
LEFT = [("alt", ("seq", X, b"a"), b"a")]
HIDDEN_LEFT = [("alt", ("seq", ("opt", b"b"), X, b"a"), b"a")]
MUTUALLY_AMBIGUOUS = [("alt", ("seq", b"a", X, b"b"), ("seq", b"a", Y, b"c"), b"b"), ("alt", ("seq", b"a", X, b"c"), ("seq", b"a", Y, b"b"), b"b")]
PALINDROMES = [("alt", ("seq", b"a", X, b"a"), b"a")]
NESTED = [("alt", ("seq", b"a", X, b"b"), b"c")]
DOUBLING = [("alt", ("seq", X, X), b"a")]


def configurations(kernel: Kernel, rules: list[Expression], text: bytes, at: tuple[int, ...] = (10, 20, 40, 80)) -> list[int]:
    """How many configurations the state holds after so many bytes of a text that is repeated."""
    matcher = kernel.matcher(network(rules), TOKENS, END)
    counts = []
    for taken in range(max(at)):
        matcher.advance(text[taken % len(text)] - ord("a"))
        if taken + 1 in at:
            counts.append(matcher._configurations())
    return counts


@pytest.mark.parametrize("rules", [RIGHT, RIGHT_THROUGH_OTHERS, LEFT, NESTED], ids=["right", "right through others", "left", "nested"])
def test_a_deterministic_grammar_keeps_one_configuration(compiled: Kernel, rules: list[Expression]) -> None:
    """Tail calls push nothing, left recursion stays in its frame, and nesting only grows the stack below."""
    assert configurations(compiled, rules, b"a") == [1, 1, 1, 1]


@pytest.mark.parametrize("rules", [RIGHT_BEFORE_NOTHING, DOUBLING, PALINDROMES], ids=["right before something nullable", "doubling", "palindromes"])
def test_what_may_have_ended_anywhere_holds_one_configuration_for_each_place(compiled: Kernel, rules: list[Expression]) -> None:
    """Where every byte so far may have been the middle, or the end of one half, states are linear in the text and no more."""
    counts = configurations(compiled, rules, b"a")
    assert all(count <= length + 2 for count, length in zip(counts, (10, 20, 40, 80), strict=True)), counts


def test_hidden_left_recursion_stays_bounded(compiled: Kernel) -> None:
    """S -> [b] S a | a: what no first symbol shows does not pile up."""
    counts = configurations(compiled, HIDDEN_LEFT, b"a")
    assert max(counts) <= 4
    assert len(set(counts)) == 1


def test_mutually_ambiguous_readings_merge(compiled: Kernel) -> None:
    """X -> aXb | aYc | b, Y -> aXc | aYb | b: 2 to the power of the depth many readings, two configurations at every depth."""
    assert configurations(compiled, MUTUALLY_AMBIGUOUS, b"a") == [2, 2, 2, 2]


def test_right_recursion_can_go_on_for_long(compiled: Kernel) -> None:
    """20,000 tokens of S -> a S | a: still one configuration, and a rollback over all of them."""
    matcher = compiled.matcher(network(RIGHT), TOKENS, END)
    for _ in range(20_000):
        matcher.advance(0)
    assert matcher._configurations() == 1
    matcher.rollback(20_000)
    assert matcher.position == 0
    assert matcher.allowed_tokens().tolist() == [0]


def test_deep_nesting_comes_back_up(compiled: Kernel) -> None:
    """S -> a S b | c: 5,000 deep and out again, complete at the very end and not before."""
    matcher = compiled.matcher(network(NESTED), TOKENS, END)
    for token_id in [0] * 5_000 + [2] + [1] * 4_999:
        matcher.advance(token_id)
    assert not matcher.is_complete
    assert matcher.shortest_bytes() == b"b"
    matcher.advance(1)
    assert matcher.is_complete
    assert matcher.allowed_tokens().tolist() == END
