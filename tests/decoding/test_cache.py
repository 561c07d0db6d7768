"""Compiled grammars are kept by content and made once."""

import threading
import time

import pytest

from grammask.decoding.cache import _FIELDS, SingleFlightCache, content_key
from grammask.grammar import distinct, expression, free_text
from grammask.grammar.expression import ANY_CHARACTER, Alt, Chain, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Text, Token


def test_the_least_recently_used_value_goes_first():
    """Beyond its capacity the cache drops what was not used for longest."""
    made = []
    cache = SingleFlightCache(2)

    def get(key):
        return cache.get(key, lambda: made.append(key) or key.upper())

    assert [get(key) for key in "abacab"] == list("ABACAB")
    assert made == ["a", "b", "c", "b"]
    assert len(cache) == 2


def test_threads_that_ask_at_once_get_one_value_made_once():
    """Sixteen threads that want the same key wait for the first one and get its value."""
    cache, made, got = SingleFlightCache(4), [], []

    def make():
        time.sleep(0.02)
        made.append(1)
        return object()

    threads = [threading.Thread(target=lambda: got.append(cache.get("key", make))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len(set(map(id, got))) == 1
    assert len(got) == 16


def test_a_failure_is_not_kept_and_harms_nobody_who_waited():
    """What making a value raises reaches the thread that made it; one that waited makes the value itself."""
    cache, started, outcomes = SingleFlightCache(4), threading.Event(), []

    def fail():
        started.set()
        time.sleep(0.02)
        raise KeyError("no")

    def first():
        with pytest.raises(KeyError):
            cache.get("key", fail)
        outcomes.append("failed")

    thread = threading.Thread(target=first)
    thread.start()
    started.wait()
    outcomes.append(cache.get("key", lambda: "made"))
    thread.join()
    assert sorted(outcomes) == ["failed", "made"]


def list_grammar(separator=b",", shared=False):
    """A recursive grammar with its own cells: nested lists of text."""
    value = Rule("value", shared=shared)
    value.body = Alt([Literal(b"x"), Seq([Literal(b"["), Chain([], Literal(separator), Ref(value)), Literal(b"]")])])
    return Ref(value)


def test_equal_recursive_grammars_have_equal_keys_whatever_their_cells():
    """Two grammars built alike, each with its own rules, have one key; another separator makes another."""
    assert content_key(list_grammar()) == content_key(list_grammar())
    assert content_key(list_grammar()) != content_key(list_grammar(b";"))


def test_shared_rules_stand_for_themselves():
    """A shared rule is one cell for all grammars: its own cell is its key, and its inside is not looked at."""
    grammar = list_grammar(shared=True)
    assert content_key(Seq([grammar, Literal(b"!")])) == content_key(Seq([grammar, Literal(b"!")]))
    assert content_key(list_grammar(shared=True)) != content_key(list_grammar(shared=True))


def test_keys_tell_sharing_recursion_and_every_field_apart():
    """Grammars that differ in one place have different keys."""
    a, b = Literal(b"a"), Literal(b"b")
    loop, other = Rule("loop"), Rule("other")
    loop.body, other.body = Alt([a, Seq([b, Ref(loop)])]), Alt([a, Seq([b, Ref(loop)])])
    different = [
        a, b, Seq([a, b]), Seq([b, a]), Alt([a, b]), Seq([a, Seq([a, b])]), Seq([a, a]), Repeat(a), Repeat(a, 1), Repeat(a, 0, 1), ANY_CHARACTER,
        Chars([(97, 97)]), Text(), Text(minimum=1), Text(maximum=1), Text(excluded=frozenset(["a"])), Text(a), Token(["a"]), Token([1]), Token(["1"]),
        Chain([(a, True)], b), Chain([(a, False)], b), Chain([(a, True)], b, a), Chain([(a, True)], b, contiguous=True), Chain([(a, True), (b, True)], b),
        Ref(loop), Ref(other), Ref(Rule("leaf", a)),
    ]  # fmt: skip
    keys = [content_key(node) for node in different]
    assert len(set(keys)) == len(keys)


def test_every_node_of_the_small_form_has_its_fields_listed():
    """A new kind of node must be given a key, or grammars with it could not be compiled."""
    values = [value for module in (distinct, expression, free_text) for value in vars(module).values()]
    nodes = {value for value in values if isinstance(value, type) and issubclass(value, Expression)} - {Expression}
    assert nodes == set(_FIELDS)
