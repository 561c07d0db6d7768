"""Objects and arrays that are spelled when somebody comes to them: nothing is learned later that should have been said at once."""

from __future__ import annotations

import json
import random
import threading
from typing import Any

import pytest
from tests.conformance.maskbench import VOCABULARY, records

import grammask
from grammask import JsonSchemaOptions
from grammask.errors import EmptyLanguageError, GrammaskError, LimitError, NoExitError, SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema import compiler
from grammask.frontends.json_schema.compiler import Compiler
from grammask.frontends.json_schema.references import References
from grammask.frontends.json_schema.report import Report
from grammask.frontends.json_schema.values import read_json
from grammask.grammar.expression import Expression

NEVER = 10**9
STRING = {"type": "string"}


def compiled(schema: Any, at_once: int, monkeypatch: pytest.MonkeyPatch, **options: Any) -> tuple[References, Expression]:
    """A schema with so many arrays and objects spelled at once."""
    chosen = JsonSchemaOptions(**options)
    with monkeypatch.context() as patch:
        patch.setattr(compiler, "AT_ONCE", at_once)
        references = References(read_json(json.dumps(schema)), chosen)
        return references, Compiler(references, chosen).compile()


def grammar_of(schema: Any, at_once: int, monkeypatch: pytest.MonkeyPatch, **options: Any) -> grammask.Grammar:
    references, expression = compiled(schema, at_once, monkeypatch, **options)
    return grammask.Grammar(expression, "json_schema", schema, Report(references), json.loads, ("postponed", json.dumps(schema), at_once, repr(options)))


def said(schema: Any, at_once: int, monkeypatch: pytest.MonkeyPatch, **options: Any) -> tuple[Any, ...]:
    """What comes of compiling a schema for a vocabulary: the error with its facts, or the report."""
    try:
        grammar = grammar_of(schema, at_once, monkeypatch, **options)
        grammask.compile(grammar, VOCABULARY)
    except GrammaskError as error:
        return type(error), str(error)
    return tuple(sorted((entry.pointer, entry.status, entry.effect) for entry in grammar.report))


def random_schema(rng: random.Random, depth: int, names: list[str]) -> Any:
    """Schemas of the harmless kind, now and then with something in them that is not."""
    kind = rng.randrange(16 if depth else 9)
    leaves: list[Any] = [
        STRING, {"type": "integer"}, {}, True, {"enum": ["a", "b"]}, {"type": "string", "maxLength": rng.randrange(5)}, {"type": ["null", "string"]},
        {"type": "integer", "minimum": 0, "maximum": rng.randrange(9)}, {"$ref": f"#/$defs/{rng.choice(names)}"},
    ]  # fmt: skip
    if kind < len(leaves):
        return leaves[kind]
    inner = [random_schema(rng, depth - 1, names) for _ in range(rng.randint(1, 3))]
    if kind < 13:
        found: dict[str, Any] = {"type": "object", "properties": dict(zip("abc", inner, strict=False))}
        if rng.random() < 0.4:
            found["required"] = rng.sample("abcd", rng.randint(1, 2))
        if rng.random() < 0.4:
            found["additionalProperties"] = rng.choice([False, STRING, inner[0]])
        return found
    if kind == 13:
        return {"type": "array", "items": inner[0]} | rng.choice([{}, {"minItems": 1}, {"maxItems": 2}, {"minItems": 2, "maxItems": 1}])
    if kind == 14:
        return {rng.choice(["anyOf", "oneOf"]): inner}
    return rng.choice([{"not": inner[0]}, False, {"allOf": inner}, {"type": "string", "pattern": "^a+$"}, {"type": "string", "format": "date"}])


def random_schemas(seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    names = ["x", "y", "z"]
    return {"$defs": {name: random_schema(rng, 3, names) for name in names}, "type": "object", "properties": {"p": random_schema(rng, 4, names)}}


def test_random_schemas_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same refusal, or the same report and the same masks along random texts, however much was postponed."""
    n_postponed = 0
    for seed in range(700):
        schema = random_schemas(seed)
        assert said(schema, 0, monkeypatch) == said(schema, NEVER, monkeypatch), schema
        try:
            every, some = grammar_of(schema, NEVER, monkeypatch), grammar_of(schema, 0, monkeypatch)
        except GrammaskError:
            continue
        n_postponed += len(compiled(schema, 0, monkeypatch)[0].postponed)
        one, other = grammask.compile(every, VOCABULARY).matcher(), grammask.compile(some, VOCABULARY).matcher()
        rng = random.Random(seed)
        for _ in range(40):
            allowed = one.allowed_tokens().tolist()
            assert other.allowed_tokens().tolist() == allowed, schema
            if not allowed or one.is_finished:
                break
            token = rng.choice(allowed)
            one.advance(token)
            other.advance(token)
    assert n_postponed > 300  # else nothing was tested


@pytest.mark.parametrize(
    "options", [{}, {"property_order": "any"}, {"repeated_names": "forbid"}, {"formats": "annotation"}, {"unsupported": "report"}], ids=str
)
def test_real_schemas_come_to_the_same(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is postponed in them can be written, and then the report is that of all at once."""
    n_postponed = 0
    for record in records(100, 3):
        schema = record["schema"]
        first = said(schema, 0, monkeypatch, **options)
        assert first == said(schema, NEVER, monkeypatch, **options), record["id"]
        if not (first and isinstance(first[0], type)):
            references, _ = compiled(schema, 0, monkeypatch, **options)
            n_postponed += len(references.postponed)
            references.finish()
            assert not references.postponed
    assert (n_postponed > 100) == ("property_order" not in options and "repeated_names" not in options)


def deep(inner: Any) -> dict[str, Any]:
    """Something at the end of forty objects, where all before it are harmless."""
    for level in range(40):
        inner = {"type": "object", "properties": {f"p{level}": inner}}
    return {"$defs": {"endless": {"type": "object", "properties": {"e": {"$ref": "#/$defs/endless"}}, "required": ["e"]}}} | inner


@pytest.mark.parametrize(
    "inner",
    [
        {"type": "strin"}, {"type": []}, {"type": "string", "pattern": "("}, {"$ref": "#/$defs/missing"}, {"$ref": 5}, {"properties": []},
        {"properties": {"a": 5}}, {"required": "a"}, {"items": 7}, {"enum": "a"}, {"minItems": -1}, {"anyOf": []}, {"minLength": "1"}, {"format": 5},
        {"type": "string", "pattern": "(?<=a)b|\\1"}, {"additionalProperties": 3}, {"minimum": "a"},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_deep_inside_is_said_at_once(inner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Malformed keywords, references to nothing and patterns that are none, at the end of forty harmless objects."""
    monkeypatch.setattr(compiler, "AT_ONCE", 0)
    with pytest.raises((SchemaError, UnsupportedFeatureError, EmptyLanguageError)) as caught:
        grammask.json_schema(deep(inner))
    assert "p0" in str(caught.value) or isinstance(caught.value, EmptyLanguageError)


@pytest.mark.parametrize(
    "inner",
    [
        False, {"$ref": "#/$defs/endless"}, {"type": "string", "minLength": 2, "maxLength": 1}, {"type": "integer", "minimum": 2, "maximum": 1},
        {"type": "object", "additionalProperties": False, "required": ["a"]}, {"type": "array", "items": False, "minItems": 1}, {"enum": []},
        {"type": "integer", "enum": ["a"]}, {"type": "array", "minItems": 3, "maxItems": 2}, {"type": "object", "properties": {"a": False}, "required": ["a"]},
    ],
    ids=str,
)  # fmt: skip
def test_members_without_a_value_are_left_out(inner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never begun, so that no text gets stuck in one; and where one is required, the schema is refused at once."""
    monkeypatch.setattr(compiler, "AT_ONCE", 0)
    schema = {
        "type": "object",
        "properties": {"a": {"type": "object", "properties": {"b": inner, "c": STRING}, "additionalProperties": False}},
        "additionalProperties": False,
    }
    defs = deep(True)["$defs"]
    matcher = grammask.compile(grammask.json_schema({"$defs": defs, **schema}), VOCABULARY).matcher()
    for byte in b'{"a": {"':
        matcher.advance(byte)
    assert ord("b") not in matcher.allowed_tokens()
    assert ord("c") in matcher.allowed_tokens()
    schema["properties"]["a"]["required"] = ["b"]
    schema["required"] = ["a"]
    with pytest.raises((EmptyLanguageError, NoExitError)):
        grammask.compile(grammask.json_schema({"$defs": defs, **schema}), VOCABULARY)


def test_the_report_lists_what_was_postponed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every keyword of every schema, the unused ones of unread objects included."""
    schema = deep({"type": "string", "title": "the end"})
    report = grammar_of(schema, 0, monkeypatch).report
    assert any(entry.pointer.endswith("/properties/p0/title") for entry in report)


def test_many_threads_ask_for_one_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """All get the same expression, over two vocabularies at once."""
    parts = {f"part{number}": {"type": "object", "properties": {f"p{number}": STRING}} for number in range(60)}
    grammar = grammar_of({"type": "object", "properties": parts}, 0, monkeypatch)
    vocabularies = [VOCABULARY, grammask.Vocabulary(VOCABULARY.tokens, eos_ids=VOCABULARY.eos_ids)]
    wrong: list[Any] = []

    def read(seed: int) -> None:
        matcher = grammask.compile(grammar, vocabularies[seed % 2]).matcher()
        number = random.Random(seed // 2).randrange(60)
        for byte in b'{"part%d": {"p%d": "x"}}' % (number, number):
            if byte not in matcher.allowed_tokens():
                wrong.append((seed, bytes([byte])))
                return
            matcher.advance(byte)
        if not matcher.is_complete:
            wrong.append(seed)

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def read_on(matcher: grammask.Matcher, text: bytes) -> None:
    for byte in text:
        matcher.advance(byte)
        matcher.allowed_tokens()


def test_an_interrupt_leaves_the_body_to_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever interrupts the writing finds the matcher where it was, and the next one writes it anew."""
    parts = {f"part{number}": {"type": "object", "properties": {"p": {"type": "object", "properties": {f"q{number}": STRING}}}} for number in range(60)}
    matcher = grammask.compile(grammar_of({"type": "object", "properties": parts}, 0, monkeypatch), VOCABULARY).matcher()
    text = b'{"part59": {"p": {"q59": "x"}}}'
    for byte in text[:9]:
        matcher.advance(byte)
    with monkeypatch.context() as patch:

        def interrupted(*_: Any) -> Expression:
            raise KeyboardInterrupt

        patch.setattr("grammask.frontends.json_schema.objects._object", interrupted)
        with pytest.raises(KeyboardInterrupt):
            read_on(matcher, text[9:12])
    for byte in text[matcher.position :]:
        assert byte in matcher.allowed_tokens()
        matcher.advance(byte)
    assert matcher.is_complete


def ways_to_write() -> dict[str, Any]:
    """What writes the bodies that were postponed, between a compile and the reading of a text."""
    other = grammask.Vocabulary([*VOCABULARY.tokens[:256], b"xx", b""], eos_ids=[257])
    return {
        "nothing": lambda grammar, constraint: None,
        "the report": lambda grammar, constraint: list(constraint.report),
        "the grammar's report": lambda grammar, constraint: list(grammar.report),
        "another notation": lambda grammar, constraint: grammar.to_gbnf(),
        "a budget": lambda grammar, constraint: constraint.matcher(max_tokens=10_000),
        "another vocabulary": lambda grammar, constraint: grammask.compile(grammar, other).matcher().shortest_completion(),
    }


PATTERN_WITH_LENGTH = {"type": "string", "format": "email"}
LATE = {
    "beside an unlisted keyword": {"type": "array", "items": {"type": "object", "properties": {"c": PATTERN_WITH_LENGTH}}},
    "in one of two kinds": {"anyOf": [{"type": "object", "properties": {"c": PATTERN_WITH_LENGTH}}, {"type": "object", "properties": {"d": STRING}}]},
    "in many parts": {"anyOf": [{"type": "object", "properties": {f"c{kind}_{name}": STRING for name in range(900)}} for kind in range(16)]},
}


@pytest.mark.parametrize(("name", "way"), [(name, way) for name in LATE for way in ways_to_write() if (name, way) != ("in many parts", "another notation")])
def test_no_limit_is_met_while_a_text_is_read(name: str, way: str) -> None:
    """Whoever has written the postponed bodies in the meantime, and whatever stands in them."""
    many = {f"f{number}": {"type": "object", "properties": {f"x{number}": {"type": "integer"}}} for number in range(20)}
    schema = {"type": "object", "properties": {**many, "q": {"type": "object", "properties": {"z": LATE[name]}}}}
    grammar = grammask.json_schema(schema)
    constraint = grammask.compile(grammar, VOCABULARY)
    ways_to_write()[way](grammar, constraint)
    matcher = constraint.matcher()
    texts = {"beside an unlisted keyword": b'[{"c": "a@b.de"}]', "in one of two kinds": b'{"c": "a@b.de"}', "in many parts": b'{"c3_899": "x"}'}
    read_on(matcher, b'{"q": {"z": ' + texts[name] + b"}}")
    assert matcher.is_complete


def test_the_limit_of_rules_is_none_of_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is met when compiling or never."""
    monkeypatch.setattr(compiler, "MAX_RULES", 100)
    kinds = {"type": ["array", "object"], "additionalProperties": False, "maxItems": 0}
    properties = {f"m{number}": {"type": "object", "properties": {f"p{inner}": dict(kinds) for inner in range(20)}} for number in range(10)}
    schema = {"type": "object", "properties": properties}
    with pytest.raises(LimitError):
        compiled(schema, NEVER, monkeypatch)
    matcher = grammask.compile(grammar_of(schema, 0, monkeypatch), VOCABULARY).matcher()
    read_on(matcher, b"{" + b", ".join(b'"m%d": {"p%d": []}' % (number, number) for number in range(10)) + b"}")
    assert matcher.is_complete
