"""Small cases by hand, each of a kind that random grammars brought up: circles of nothing, sizes at their bounds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grammask.kernel.tables import CALL, EPSILON, LITERAL, LITERALS, RANGE, RuleTable

from .kernels import Kernel
from .random_grammars import network
from .text_tables import text_of

TOKENS = [b"a", b"b", b"c", b'"', b"/", b"ab", b"bc", b"cab", b""]
END = [len(TOKENS) - 1]


def table(n_nodes: int, *edges: tuple[Any, ...]) -> RuleTable:
    return RuleTable("root", n_nodes, list(edges))


def walked(kernel: Kernel, root: RuleTable, text: bytes) -> Any:
    """A matcher that took the text in tokens of one byte."""
    matcher = kernel.matcher(root, TOKENS, END)
    for byte in text:
        matcher.advance(TOKENS.index(bytes([byte])))
    return matcher


CIRCLES = {
    "a node and itself": [(EPSILON, 2, 2)],
    "two nodes": [(EPSILON, 2, 3), (EPSILON, 3, 2)],
    "over the end": [(EPSILON, 1, 2), (EPSILON, 2, 1)],
    "over the start": [(EPSILON, 2, 0), (EPSILON, 0, 2)],
}


@pytest.mark.parametrize("circle", CIRCLES.values(), ids=CIRCLES)
@pytest.mark.parametrize("first", [True, False], ids=["circle first", "circle last"])
def test_circles_of_nothing_lead_nowhere(kernel: Kernel, circle: list[tuple[Any, ...]], first: bool) -> None:
    """a b, with epsilon edges that go round: masks, forced bytes and completions do not go round with them."""
    path = [(LITERAL, 0, 2, b"a"), (LITERAL, 2, 1, b"b")]
    matcher = walked(kernel, table(4, *(circle + path if first else path + circle)), b"a")
    assert matcher.accepts(1)
    assert matcher.shortest_bytes() == (b"" if matcher.is_complete else b"b")
    assert b"b".startswith(matcher.forced_bytes())
    assert matcher.is_complete == (circle == CIRCLES["over the end"])


def test_rules_that_are_each_other_complete(kernel: Kernel) -> None:
    """A -> B "b" | C "cc", B -> C | A | "b", C -> B | "c": in the frame of A the ends of B and C go round, and neither way is the end."""
    a, b, c, by_b = (("rule", number) for number in range(4))
    root = network([("alt", by_b, ("seq", c, b"cc")), ("alt", c, a, b"b"), ("alt", b, b"c"), ("seq", b, b"b")])
    for first in (b"b", b"c"):
        assert walked(kernel, root, first).shortest_bytes() == b"b"


def test_a_rule_that_may_repeat_itself_after_nothing_completes(kernel: Kernel) -> None:
    """S -> empty | S S | "a" "b", as a loop on the end of S that calls S."""
    root = table(3, (EPSILON, 0, 1), (LITERAL, 0, 2, b"a"), (LITERAL, 2, 1, b"b"))
    root.edges.append((CALL, 1, 1, root))
    matcher = walked(kernel, root, b"a")
    assert (matcher.shortest_bytes(), matcher.forced_bytes()) == (b"b", b"b")
    matcher.advance(1)
    assert matcher.allowed_tokens().tolist() == [0, 5, *END]


def test_words_that_begin_each_other_are_all_words(kernel: Kernel) -> None:
    """A set of literals in which one is the beginning of another: complete after each, and open to the longer."""
    matcher = walked(kernel, table(2, (LITERALS, 0, 1, (b"a", b"ab", b"abc"))), b"a")
    assert matcher.is_complete
    assert matcher.allowed_tokens().tolist() == [1, 6, *END]
    assert (matcher.forced_bytes(), matcher.shortest_bytes()) == (b"", b"")


def test_overlapping_ranges_keep_both_ways(kernel: Kernel) -> None:
    """[a-b] then a, or [b-c] then b: after "b" both go on, after "a" and "c" one."""
    root = table(4, (RANGE, 0, 2, 97, 98), (LITERAL, 2, 1, b"a"), (RANGE, 0, 3, 98, 99), (LITERAL, 3, 1, b"b"))
    assert [walked(kernel, root, text).allowed_tokens().tolist() for text in (b"a", b"b", b"c")] == [[0], [0, 1], [1]]


def test_a_token_may_end_several_rules_and_begin_others(kernel: Kernel) -> None:
    """((c) a) b, each bracket a rule: "cab" ends two rules in its middle and is the whole text."""
    inner = table(2, (LITERAL, 0, 1, b"c"))
    middle = table(3, (CALL, 0, 2, inner), (LITERAL, 2, 1, b"a"))
    matcher = kernel.matcher(table(3, (CALL, 0, 2, middle), (LITERAL, 2, 1, b"b")), TOKENS, END)
    assert matcher.allowed_tokens().tolist() == [2, 7]
    matcher.advance(7)
    assert matcher.allowed_tokens().tolist() == END


def test_a_minimum_and_an_exclusion_leave_a_short_string(kernel: Kernel) -> None:
    """At least two of a and b, not "", not "aa": the completion steps around what is excluded."""
    text = text_of("text", b"two or more", 1, [(0, 0, 97, 98)], (0,), frozenset([0]), 2, None, frozenset(["", "aa"]))
    matcher = walked(kernel, table(3, (LITERAL, 0, 2, b'"'), (CALL, 2, 1, text)), b'"')
    assert matcher.shortest_bytes() in (b'ab"', b'ba"', b'bb"')
    matcher.advance(0)
    assert matcher.shortest_bytes() == b'b"'


def test_a_text_that_goes_on_through_one_node_to_another_completes(kernel: Kernel) -> None:
    """A NUL, then two or more slashes: the shortest string from the start, and behind the spelling of the NUL."""
    edges = [(0, 1, 0, 0), (1, 2, 47, 47), (2, 2, 47, 47)]
    text = text_of("text", b"slashes", 3, edges, (0,), frozenset([0, 2]), 3, None, frozenset([""]))
    tokens = [bytes([byte]) for byte in range(256)] + [b""]
    matcher = kernel.matcher(table(3, (LITERAL, 0, 2, b'"'), (CALL, 2, 1, text)), tokens, [256])
    assert matcher.forced_bytes() == rb'"\u0000'
    assert matcher.shortest_bytes() == rb'"\u0000//"'
    for byte in rb'"\u0000':
        matcher.advance(byte)
    assert matcher.shortest_bytes() == b'//"'


@pytest.mark.parametrize("minimum", [0, 3, 300])
@pytest.mark.parametrize("last", ['"', "\n", "\\"])
def test_a_character_that_needs_an_escape_is_reached(kernel: Kernel, last: str, minimum: int) -> None:
    """x* and then a character that is only spelled by an escape, its two bytes are no reason to go on with one more x."""
    text = text_of("text", f"{last!r} {minimum}".encode(), 2, [(0, 0, 120, 120), (0, 1, ord(last), ord(last))], (0,), frozenset([1]), minimum)
    tokens = [bytes([byte]) for byte in range(256)] + [b""]
    matcher = kernel.matcher(table(3, (LITERAL, 0, 2, b'"'), (CALL, 2, 1, text)), tokens, [256])
    written = matcher.shortest_bytes()
    assert json.loads(written) == "x" * max(0, minimum - 1) + last
    assert len(written) == max(0, minimum - 1) + 4


@pytest.mark.parametrize("size", [1, 31, 32, 33, 64, 65])
def test_vocabularies_of_every_size_fill_their_last_word(kernel: Kernel, size: int) -> None:
    """The last id of a vocabulary is a bit like the others, whether it ends a word of the mask or begins one."""
    tokens = [b"b"] * (size - 1) + [b"a"] + [b""]
    matcher = kernel.matcher(table(2, (LITERAL, 0, 1, b"a")), tokens, [size])
    assert matcher.allowed_tokens().tolist() == [size - 1]
    matcher.advance(size - 1)
    assert matcher.allowed_tokens().tolist() == [size]


def test_tokens_of_the_same_bytes_are_allowed_together(kernel: Kernel) -> None:
    """Two ids that spell the same: both or none, and either leads to the same state."""
    tokens = [b"a", b"b", b"a", b""]
    matcher = kernel.matcher(table(3, (LITERAL, 0, 2, b"a"), (LITERAL, 2, 1, b"b")), tokens, [3])
    assert matcher.allowed_tokens().tolist() == [0, 2]
    twin = matcher.copy()
    matcher.advance(0)
    twin.advance(2)
    assert matcher.state_key() == twin.state_key()


def test_a_special_token_is_known_by_its_id_alone(kernel: Kernel) -> None:
    """SPECIAL + id in a range of specials: just those ids, and none of them behind half a token."""
    tokens = [b"a", b"ab", b"", b"", b"", b""]
    root = table(3, (RANGE, 0, 2, 256 + 2, 256 + 3), (LITERAL, 2, 1, b"a"))
    matcher = kernel.matcher(root, tokens, [5])
    assert matcher.allowed_tokens().tolist() == [2, 3]
    matcher.advance(3)
    assert matcher.allowed_tokens().tolist() == [0]
    assert (matcher.forced_bytes(), matcher.shortest_bytes()) == (b"a", b"a")
