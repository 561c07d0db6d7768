"""Nodes of the small form: one object for one structure, and gone when nobody needs it."""

import copy
import gc
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from grammask.grammar import expression
from grammask.grammar.expression import Alt, And, Automaton, Chain, Chars, Literal, Not, Ref, Repeat, Rule, Seq, Text, Token, either, literal, optional, seq


def _a():
    return Literal(b"a")


MAKERS = {
    "literal": _a,
    "chars": lambda: Chars([(98, 99), (97, 97)]),
    "seq": lambda: Seq([_a(), Chars([(97, 99)])]),
    "alt": lambda: Alt([_a(), Seq(())]),
    "repeat": lambda: Repeat(_a(), 1, 3),
    "and": lambda: And([_a(), Chars([(97, 97)])]),
    "not": lambda: Not(_a()),
    "text": lambda: Text(_a(), 1, 3, frozenset({"b"})),
    "chain": lambda: Chain([(_a(), True)], Literal(b","), Literal(b"b"), 1, 2, True),
    "automaton": lambda: Automaton([(0, 1, 97, 98)], [1]),
    "token": lambda: Token(["<tool>", 7]),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_equal_structure_is_one_object(make):
    """Two nodes made alike are the same object while one of them lives."""
    assert make() is make()


def test_different_fields_are_different_nodes():
    """Counts, bounds and order of parts belong to the structure."""
    nodes = [
        Repeat(_a(), 0, 1),
        Repeat(_a(), 1, 1),
        Seq([_a(), Literal(b"b")]),
        Seq([Literal(b"b"), _a()]),
        Alt([_a(), Literal(b"b")]),
        Text(_a()),
        Text(_a(), 1),
    ]
    assert len(set(nodes)) == len(nodes)


def test_nodes_are_forgotten_with_their_last_user():
    """The tables of nodes hold nothing alive."""
    before = len(expression._SEQS)
    nodes = [Seq([Literal(b"%d" % number), _a()]) for number in range(50)]
    assert len(expression._SEQS) >= before + 50
    del nodes
    gc.collect()
    assert len(expression._SEQS) <= before


def test_recursive_rules_are_collected():
    """A rule that refers to itself does not keep itself alive through the tables of nodes."""
    gc.collect()
    before = len(expression._SEQS)
    for _ in range(20):
        rule = Rule("r")
        rule.body = Seq([Literal(b"a"), Ref(rule)])
    del rule
    gc.collect()
    assert len(expression._SEQS) <= before


def test_a_reference_is_one_object_for_its_rule():
    """Two references to one rule are equal, references to different rules are not."""
    one, other = Rule("x"), Rule("x")
    assert Ref(one) is Ref(one)
    assert Ref(one) is not Ref(other)


def test_threads_agree_on_nodes():
    """Nodes that threads make at the same time are the same objects."""
    with ThreadPoolExecutor(8) as pool:
        lists = list(pool.map(lambda _: [Seq([Literal(b"%d" % number), _a()]) for number in range(300)], range(8)))
    assert all(one is other for nodes in lists for one, other in zip(lists[0], nodes, strict=True))


def test_deep_nesting_can_be_dropped():
    """Dropping fifty thousand nested nodes needs no deep call stack."""
    node = _a()
    for _ in range(50_000):
        node = Seq((node, Literal(b"b")))
    del node
    gc.collect()


def test_helpers_flatten():
    """seq joins literals and vanishes with a part that matches nothing; either drops doubles; optional is a repetition."""
    assert seq(literal("a"), seq(literal("b"), Chars([(97, 97)]))) is Seq([Literal(b"ab"), Chars([(97, 97)])])
    assert seq(_a(), expression.NOTHING) is expression.NOTHING
    assert either(_a(), either(_a(), literal("b")), expression.NOTHING) is Alt([_a(), Literal(b"b")])
    assert optional(_a()) is Repeat(_a(), 0, 1)


def test_ranges_are_put_in_order_without_surrogates():
    """Sets of characters are sorted, joined where they touch, and hold no surrogates."""
    assert Chars([(0xD700, 0xE001), (98, 99), (97, 97)]).ranges == ((97, 99), (0xD700, 0xD7FF), (0xE000, 0xE001))
    with pytest.raises(ValueError, match="is not a range"):
        Chars([(5, 4)])


def test_a_copy_is_the_node_itself_and_pickling_says_what_to_do() -> None:
    """Nodes never change, so copies are free; a pickle would lose the sharing, so it is refused with a way out."""
    node = seq(literal("a"), optional(literal("b")))
    assert copy.deepcopy(node) is node
    assert copy.copy(node) is node
    with pytest.raises(TypeError, match="send the schema"):
        pickle.dumps(node)
