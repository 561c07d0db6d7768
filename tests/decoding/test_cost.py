"""The certificate of cost: its classes, its numbers, and where it promises nothing. The fuzz tests of the kernel hold matchers to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import grammask
from grammask.decoding.cost import Cost, cost_of
from grammask.grammar.expression import Ref, Rule, either, literal, seq
from grammask.kernel.local_states import LocalStates

from .worlds import byte_vocabulary, texts

VOCABULARY = byte_vocabulary()


def cost(grammar: object, **options: int) -> Cost:
    constraint = grammask.compile(grammar, VOCABULARY)
    return cost_of(LocalStates(constraint._bound), nests=True, **options) if options else constraint.report.cost


def recursive(body) -> grammask.Grammar:
    """The grammar of one rule, whose body is made from a reference to it."""
    rule = Rule("rule")
    rule.body = body(Ref(rule))
    return grammask.Grammar(Ref(rule))


def nested_in(opening: str, closing: str) -> grammask.Grammar:
    return recursive(lambda inside: either(literal("x"), seq(literal(opening), inside, literal(closing))))


def test_one_way_to_read_a_text():
    """A choice or a pattern is one automaton: one configuration, and finitely many places."""
    assert cost(texts("ab", "ac")) == Cost("flat", 1, 3)
    assert cost(grammask.regex(r"[a-z]+@[a-z]+\.(com|org)")).configurations == 1


def test_nesting_with_a_bound():
    """Brackets in brackets: as deep as one likes, and one configuration."""
    assert cost(nested_in("(", ")")) == Cost("nested", 1, 4)


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"properties": {"a": {"type": "integer"}, "b": {"items": {"maxLength": 900}}}}], ids=json.dumps)
def test_json_takes_two(schema):
    """While a number or a key may still go on or be something else, there are two ways to read it, and never more."""
    assert cost(schema).kind == "nested"
    assert cost(schema).configurations == 2


@pytest.mark.parametrize(
    "grammar",
    [
        recursive(lambda inside: either(literal("a"), seq(literal("a"), inside, literal("a")))),
        recursive(lambda inside: either(literal("a"), seq(inside, inside))),
        grammask.either(nested_in("(", ")"), nested_in("(", "]")),
    ],
    ids=["palindromes", "any grouping", "known at the end"],
)
def test_what_stays_open_is_not_promised(grammar):
    """Texts whose readings stay apart for as long as the text likes have no bound here, though some have one."""
    found = cost(grammar)
    assert (found.kind, found.configurations, found.states) == ("open", None, None)
    assert found.reason


def test_what_is_too_large_to_look_at_is_not_promised():
    """The effort is bounded, and running out of it is said."""
    assert "too large" in cost({"type": "object"}, effort=100).reason


def test_residues_too_many_to_look_at_are_not_promised():
    """Of a large divisor that is said at once; small ones are counted."""
    report = grammask.compile(grammask.json_schema({"type": "integer", "multipleOf": 1000003}), VOCABULARY).report
    assert (report.cost.kind, report.cost.configurations) == ("open", None)
    assert "residues" in report.cost.reason
    assert cost({"type": "integer", "multipleOf": 12}).configurations == 1


def test_decimals_that_miss_what_is_excluded_are_one_state():
    """Behind the point it does not matter by how much a number misses a multiple that must not be, or every decimal would be a state."""
    found = cost({"type": "number", "not": {"multipleOf": 3}})
    assert found.configurations == 1
    assert found.states < 1_000


def test_strings_side_by_side_are_counted_or_given_up():
    """Bounds of length that come within reach at different counts are followed for a few strings at once, not for twenty."""
    schemas = [{"minLength": 200 + size, "maxLength": 900 + size, "type": "string"} for size in range(20)]
    assert cost({"anyOf": schemas[:2]}).configurations == 2
    assert "side by side" in cost({"anyOf": schemas}).reason


def test_the_certificate_is_worked_out_once():
    """Asking again costs nothing; a report is one object."""
    report = grammask.compile(grammask.regex("a+"), VOCABULARY).report
    assert report.cost is report.cost


def test_the_reference_kernel_promises_nothing():
    """It reads every text in all ways at once."""
    code = "import grammask; print(grammask.compile(grammask.choice(['a']), grammask.Vocabulary([b'a'], [])).report.cost.kind)"
    env = {**os.environ, "PYTHONPATH": str(Path(grammask.__file__).parents[1]), "GRAMMASK_KERNEL": "reference"}
    assert subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout == b"open\n"
