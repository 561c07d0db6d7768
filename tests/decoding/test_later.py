"""Rules that wait until a text comes to them: everything is as if they had not waited, and nothing is refused late."""

from __future__ import annotations

import json
import random
import sys
import threading
from typing import Any

import pytest
from tests.conformance.maskbench import END, TOKENS, VOCABULARY, records

import grammask
from grammask.decoding.binding import bindings_of
from grammask.errors import EmptyLanguageError, UnsupportedFeatureError
from grammask.grammar.later import Later
from grammask.grammar.lower import lower, lower_lazily
from grammask.grammar.prepare import prepare
from grammask.kernel import KERNEL, Bound, Matcher
from grammask.kernel.tables import CALL, RuleTable

pytestmark = pytest.mark.skipif(KERNEL != "compiled", reason="the plain kernel is given all rules at once")

PART = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string", "pattern": "^[a-z]{1,4}$"}}, "required": ["id"]}
SCHEMAS: dict[str, Any] = {
    "nested": {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "object", "properties": {"c": PART}}}}}},
    "recursive": {"$defs": {"n": {"type": "object", "properties": {"left": {"$ref": "#/$defs/n"}, "v": PART}, "required": ["v"]}}, "$ref": "#/$defs/n"},
    "chosen": {"anyOf": [{"type": "array", "items": PART}, {"type": "object", "properties": {"x": {"anyOf": [PART, {"type": "array", "items": PART}]}}}]},
    "without an end": {
        "$defs": {"n": {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}, "required": ["next"]}},
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/n"}}, "b": {"type": "object", "properties": {"c": {"$ref": "#/$defs/n"}, "d": PART}}},
    },
    "counted": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "array", "items": PART, "maxItems": 3}, "minItems": 2}}},
    "different": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}, "b": {"properties": {"c": PART}}}},
    "bounded": {"type": "object", "properties": {"o": {"type": "object", "additionalProperties": PART, "minProperties": 1, "maxProperties": 2}}},
    "texts": {
        "type": "object",
        "properties": {"o": {"properties": {"p": {"type": "string", "pattern": "^(ab|c)+$", "minLength": 3}, "q": {"type": "string", "pattern": "^x?y"}}}},
    },
}
MANY_LENGTHS = "^(" + "|".join(f"(a{{{prime}}})*" for prime in (7, 11, 13, 17, 19, 23, 29)) + ")$"
OPTIONS = {order: grammask.JsonSchemaOptions(property_order=order) for order in ("schema", "any")}


def at_once(grammar: grammask.Grammar) -> Bound:
    """The grammar with all its rules from the beginning."""
    bindings = bindings_of(VOCABULARY)
    return Bound(bindings.store, prepare(lower(grammar.expression), bindings.spelling))


def waiting(grammar: grammask.Grammar, first: int = 1) -> Bound:
    """The grammar with only its first rules from the beginning."""
    bindings = bindings_of(VOCABULARY)
    return Bound(bindings.store, prepare(lower_lazily(grammar.expression, {}, TOKENS, (END,), first), bindings.spelling))


def grammar_of(name: str, order: Any = "schema") -> grammask.Grammar:
    return grammask.json_schema(SCHEMAS[name], OPTIONS[order])


def walk_alike(one: Matcher, other: Matcher, rng: random.Random, steps: int) -> None:
    """Both take the same random tokens and allow the same after each."""
    for _ in range(steps):
        allowed = one.allowed_tokens().tolist()
        assert other.allowed_tokens().tolist() == allowed
        assert other.is_complete == one.is_complete
        if not allowed or one.is_finished:
            return
        token = rng.choice(allowed)
        one.advance(token)
        other.advance(token)


@pytest.mark.parametrize("order", OPTIONS)
@pytest.mark.parametrize("name", SCHEMAS)
def test_masks_are_those_of_all_rules_at_once(name: str, order: Any) -> None:
    """Along random texts, however many rules did not wait."""
    grammar = grammar_of(name, order)
    for seed in range(25):
        walk_alike(Matcher(at_once(grammar)), Matcher(waiting(grammar, 1 + seed % 4)), random.Random(seed), 60)


def test_masks_of_real_schemas_are_those_of_all_rules_at_once() -> None:
    """Along their own instances, token by token, and at once for budgets: what a shortest completion takes."""
    rules = 0
    for record in records(120, 77):
        try:
            grammar = grammask.json_schema(json.dumps(record["schema"]))
            every = at_once(grammar)
        except (UnsupportedFeatureError, EmptyLanguageError):
            continue
        some = waiting(grammar)
        rules += every.statistics()["rules"] - some.statistics()["rules"]
        for test in record["tests"][:3]:
            one, other = Matcher(every), Matcher(some)
            for byte in json.dumps(test["data"], ensure_ascii=False).encode()[:400]:
                allowed = one.allowed_tokens().tolist()
                assert other.allowed_tokens().tolist() == allowed, record["id"]
                if byte not in allowed:
                    break
                one.advance(byte)
                other.advance(byte)
            assert other.forced_bytes() == one.forced_bytes(), record["id"]
            assert other.least_bytes() == one.least_bytes(), record["id"]
    assert rules > 500  # else nothing waited, and nothing was tested


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_looks_at_all_rules_finds_them(name: str) -> None:
    """Shortest completions, tokens by what they lead to, and forced bytes, each asked first of a fresh grammar."""
    grammar = grammar_of(name)
    every = at_once(grammar)
    for prefix in (b"", b'{"', b'{"a": {'):
        one = Matcher(every)
        if not taken(one, prefix):
            continue
        asked = [Matcher(waiting(grammar, first)) for first in (1, 2, 3)]
        assert all(taken(matcher, prefix) for matcher in asked)
        shortest = asked[0].shortest_bytes()
        assert shortest is not None
        assert len(shortest) == len(one.shortest_bytes() or b"")
        assert taken(asked[0], shortest)
        assert asked[0].is_complete
        assert asked[1].forced_bytes() == one.forced_bytes()
        groups = [sorted((tuple(ids.tolist()), least) for ids, least in matcher.successors()) for matcher in (one, asked[2])]
        assert groups[0] == groups[1]


def taken(matcher: Matcher, text: bytes) -> bool:
    return matcher.draft(list(text)) == len(text) and not any(matcher.advance(byte) for byte in text)


def test_rules_wait_until_a_text_comes() -> None:
    """Of two hundred parts, each with parts of its own, few are made for one that is read; all once all are asked for."""
    parts = {f"part{number}": {"type": "object", "properties": {f"p{number}": PART}} for number in range(200)}
    grammar = grammask.json_schema({"type": "object", "properties": parts})
    bound = waiting(grammar)
    matcher = Matcher(bound)
    matcher.allowed_tokens()
    bytes_before = bound.statistics()["bytes"]
    for byte in b'{"part150": {"p150": {"id": 7}}':
        matcher.allowed_tokens()
        matcher.advance(byte)
    bytes_read = bound.statistics()["bytes"]
    bound.complete()
    assert bytes_before < bytes_read < bound.statistics()["bytes"] // 3
    walk_alike(Matcher(at_once(grammar)), matcher.copy(), random.Random(1), 0)


@pytest.mark.parametrize("lengths", [{"minLength": 3, "maxLength": 40}, {"minLength": 3}])
def test_rules_wait_whose_patterns_are_soon_counted(lengths: dict[str, int]) -> None:
    """A pattern with bounds of length keeps no rule from waiting where its lengths are few, and masks are those of all rules at once."""
    texts = {f"t{number}": {"type": "string", "pattern": f"^[a-z]+(-{'x' * (number % 9)}[a-z]+)*$", **lengths} for number in range(40)}
    parts = {name: {"type": "object", "properties": {name: text}} for name, text in texts.items()}
    grammar = grammask.json_schema({"type": "object", "properties": parts})
    called = [edge[3] for edge in lower_lazily(grammar.expression, {}, TOKENS, (END,), 1).edges if edge[0] == CALL]
    assert sum(isinstance(table, RuleTable) and table.later is not None for table in called) == 40
    for seed in range(3):
        walk_alike(Matcher(at_once(grammar)), Matcher(waiting(grammar)), random.Random(seed), 12)


def test_what_cannot_be_is_said_when_compiling() -> None:
    """A contradiction, or a pattern that is too large, deep inside a schema is no surprise while a text is read."""
    inner: Any = {"type": "string", "pattern": "^(a{400}b{400}){700}$"}
    for level in range(5):
        inner = {"type": "object", "properties": {f"level{level}": inner}}
    with pytest.raises((UnsupportedFeatureError, grammask.errors.LimitError)):
        grammask.compile(grammask.json_schema(inner), VOCABULARY)
    endless = {"$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}}, "$ref": "#/$defs/n"}
    with pytest.raises(grammask.errors.GrammarError):
        grammask.compile(grammask.json_schema(endless), VOCABULARY)
    wrapped = {"$defs": endless["$defs"], "type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/n"}}}}}
    matcher = grammask.compile(grammask.json_schema(wrapped), VOCABULARY).matcher()
    assert matcher.shortest_completion() is not None


def test_many_threads_come_to_the_same_rules() -> None:
    """Sixteen threads read texts of one grammar at once, each mask as if it were alone."""
    grammar = grammar_of("recursive")
    every, some = at_once(grammar), waiting(grammar)
    failures: list[BaseException] = []

    def read(seed: int) -> None:
        try:
            walk_alike(Matcher(every), Matcher(some), random.Random(seed), 80)
        except BaseException as failure:  # noqa: BLE001 (a thread's failure is the test's)
            failures.append(failure)

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_rule_that_was_interrupted_is_made_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever interrupts the making of a rule finds the matcher where it was, and what was half made is made anew."""
    grammar = grammar_of("nested")
    matcher = Matcher(waiting(grammar))
    build = "grammask.grammar.lower._build_all"
    made = []

    def interrupted(*arguments: Any) -> None:
        made.append(arguments)
        raise KeyboardInterrupt

    for byte in b'{"a":':
        matcher.advance(byte)
    with monkeypatch.context() as patch:
        patch.setattr(build, interrupted)
        with pytest.raises(KeyboardInterrupt):
            matcher.allowed_tokens()
    assert made
    other = Matcher(at_once(grammar))
    for byte in b'{"a":':
        other.advance(byte)
    walk_alike(other, matcher, random.Random(3), 60)


def test_parts_that_need_one_another_may_be_many() -> None:
    """A chain of three hundred required objects, in which each needs the next, compiles and completes."""
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(300):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"], "additionalProperties": False}
    matcher = Matcher(waiting(grammask.json_schema(schema)))
    shortest = matcher.shortest_bytes()
    assert shortest is not None
    assert shortest.count(b"{") == 300
    assert taken(matcher, shortest)


@pytest.mark.parametrize(
    "member",
    [
        {"type": "string", "minLength": 2_000_000_000},
        {"type": "string", "minLength": 2**63},
        {"type": "string", "minLength": 1, "pattern": MANY_LENGTHS},
        {"type": "array", "minItems": 2, "items": {"type": "string", "minLength": 1, "pattern": MANY_LENGTHS}},
        {"const": [{"a": str(number)} for number in range(170_000)]},
    ],
    ids=["length", "length of many digits", "lengths of a pattern", "lengths in a rule that cannot wait", "one rule"],
)
def test_limits_that_only_the_kernel_meets_are_met_when_compiling(member: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep inside a schema as at its root, though all rules but one may wait."""
    monkeypatch.setattr("grammask.decoding.binding._AT_ONCE", 1)
    schema = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": member}}}}
    with pytest.raises(grammask.errors.LimitError):
        grammask.compile(grammask.json_schema(schema), VOCABULARY)


def test_memory_that_runs_out_is_a_typed_error_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that does not fit leaves the matcher where it was; others of the vocabulary go on, and the grammar is bound afresh for those to come."""
    monkeypatch.setattr("grammask.kernel.store.BOUND_BYTES", 100_000)
    monkeypatch.setattr("grammask.decoding.binding._AT_ONCE", 1)
    vocabulary = grammask.Vocabulary(TOKENS, eos_ids=[END])
    parts = {f"k{number}": {"type": "object", "properties": {f"a{number}": {"type": "integer"}}} for number in range(1_500)}
    constraint = grammask.compile(grammask.json_schema({"type": "object", "properties": {"a": {"type": "object", "properties": parts}}}), vocabulary)
    matcher = constraint.matcher()
    for byte in b'{"a":':
        matcher.advance(byte)
    for _ in range(3):
        with pytest.raises(grammask.errors.LimitError):
            matcher.allowed_tokens()
    assert matcher.position == 5
    other = grammask.compile(grammask.json_schema(SCHEMAS["nested"]), vocabulary).matcher()
    assert taken(other, b'{"a": {"b": {"c": {"id": 1}}}}')
    monkeypatch.undo()
    again = constraint.matcher()
    assert taken(again, b'{"a": {"k7": {"a7": 1}}}')


def test_interrupts_at_any_moment_leave_no_trace() -> None:
    """An interrupt at any call while a rule is lowered: the next mask is as if there had been none."""
    grammar = grammar_of("recursive")
    every = Matcher(at_once(grammar))
    assert taken(every, b'{"left":')
    expected = every.allowed_tokens().tolist()
    calls, n_interrupted = 0, 0

    def interrupt(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls -= event == "call"
        if calls < 0:
            sys.setprofile(None)
            raise KeyboardInterrupt

    for calls_before in range(400):
        matcher = Matcher(waiting(grammar))
        assert taken(matcher, b'{"left": {"v":')
        calls = calls_before
        sys.setprofile(interrupt)
        try:
            matcher.allowed_tokens()
        except KeyboardInterrupt:
            n_interrupted += 1
        finally:
            sys.setprofile(None)
        assert taken(matcher, b'{"id": 1}, "left":') or matcher.allowed_tokens().size
        if n_interrupted <= calls_before:
            break
    assert n_interrupted > 20
    fresh = Matcher(waiting(grammar))
    assert taken(fresh, b'{"left":')
    assert fresh.allowed_tokens().tolist() == expected


class Poison:
    """A callee that interrupts whoever asks for its key."""

    @property
    def key(self) -> bytes:
        raise KeyboardInterrupt


def test_an_interrupt_while_a_rule_is_loaded_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of the kernel's own work: what was half loaded is not found again."""
    grammar = grammar_of("nested")
    filled = Later._filled
    poisoned = 3

    def poison(later: Later, rule: Any) -> RuleTable:
        nonlocal poisoned
        table = filled(later, rule)
        poisoned -= 1
        if poisoned >= 0:
            table.edges.append((CALL, 0, 1, Poison()))
        return table

    monkeypatch.setattr(Later, "_filled", poison)
    matcher = Matcher(waiting(grammar))
    assert taken(matcher, b'{"a":')
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            matcher.allowed_tokens()
    every = Matcher(at_once(grammar))
    assert taken(every, b'{"a":')
    walk_alike(every, matcher, random.Random(4), 60)
