"""The lengths of shortest texts, and walks over expressions."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from grammask.grammar.composing import free_text
from grammask.grammar.expression import NOTHING, Alt, Chain, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Text, Token
from grammask.grammar.findings import expression_findings
from grammask.grammar.free_text import Marked
from grammask.grammar.sizes import shortest_lengths
from grammask.grammar.walk import bottom_up, parts_of, rules_of

from .brute_force import language_of
from .random_grammars import random_expression, random_network


@pytest.mark.parametrize("seed", range(120))
def test_lengths_are_those_of_the_shortest_strings(seed: int) -> None:
    """Of the whole, against the enumeration of its strings; chains with counts may be called shorter than they are, never longer."""
    draw = random.Random(seed)
    root = random_network(draw) if seed % 2 else random_expression(draw, [], 3)
    strings = language_of(root, 5)
    length = shortest_lengths([root]).get(root)
    shortest = min(map(len, strings), default=None)
    has_chain = any(isinstance(node, Chain) for node in bottom_up([root, *[rule.body for rule in rules_of(root)]]))
    if shortest is not None:
        assert length is not None
        assert length <= shortest if has_chain else length == shortest
    else:
        assert length is None or length > 5 or has_chain


@pytest.mark.parametrize(
    ("node", "length"),
    [
        (NOTHING, None),
        (Chars([(0xE9, 0xE9)]), 2),
        (Repeat(NOTHING), 0),
        (Repeat(NOTHING, 1), None),
        (Text(None, 3), 4),
        (Token(["<t>"]), 1),
        (Token([]), None),
        (Marked([(b"<a>", Literal(b"bc")), (b"<longer>", Literal(b""))]), 5),
        (free_text("</a>").expression, 4),
        (free_text().expression, 0),
        (Chain([], Literal(b","), Literal(b"ab"), 10**12), 3 * 10**12 - 1),
        (Repeat(Repeat(Literal(b"a"), 10**9), 10**9), 10**18),
    ],
    ids=[
        "nothing", "characters", "any number of nothing", "one nothing", "string", "token", "no token", "markers", "free text to a stop", "free text", "chain",
        "counts in counts",
    ],
)  # fmt: skip
def test_lengths_of_single_nodes(node: Expression, length: int | None) -> None:
    """What can never complete has none; counts are multiplied, not written out."""
    assert shortest_lengths([node]).get(node) == length


def test_large_networks_take_linear_time() -> None:
    """A rule that names twenty thousand others, each of which names the next."""
    rules = [Rule(str(number)) for number in range(20_000)]
    for rule, following in pairwise(rules):
        rule.body = Seq([Literal(b"a"), Ref(following)])
    rules[-1].body = Literal(b"b")
    root = Alt([Ref(rule) for rule in rules])
    assert shortest_lengths([root])[root] == 1
    assert len(rules_of(root)) == 20_000


def test_walks_go_bottom_up_and_not_through_references() -> None:
    """Parts before what they are parts of, each node once; depth is no limit."""
    rule = Rule("r", Literal(b"x"))
    node: Expression = Seq([Literal(b"a"), Ref(rule)])
    deep = node
    for _ in range(50_000):
        deep = Repeat(deep, 2, 3)
    order = bottom_up([deep, node])
    assert order[:3] == [Literal(b"a"), Ref(rule), node]
    assert len(order) == 50_003
    place = {part: index for index, part in enumerate(order)}
    assert all(place[part] < place[node] for node in order for part in parts_of(node))


def test_findings_need_no_text() -> None:
    """For an expression of any origin, with the rule but without a place."""
    rule = Rule("spaces", Repeat(Chars([(32, 32), (9, 10)])))
    found = expression_findings(Seq([Repeat(Repeat(Literal(b"a"), 0, 1)), Ref(rule)]))
    assert [(finding.code, finding.rule, finding.line) for finding in found] == [("nullable-loop", "", None), ("endless-space", "spaces", None)]
