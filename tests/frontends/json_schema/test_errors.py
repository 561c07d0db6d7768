"""Schemas that are malformed, impossible, hostile or not supported: each a typed error that says where."""

from __future__ import annotations

import json
from typing import Any

import pytest

import grammask
from grammask.errors import EmptyLanguageError, GrammarError, GrammarSyntaxError, LimitError, NoExitError, SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema import Indent, JsonSchemaOptions, json_schema

MALFORMED = [
    ({"type": "text"}, "/type"),
    ({"type": []}, "/type"),
    ({"type": ["string", 3]}, "/type"),
    ({"enum": "a"}, "/enum"),
    ({"properties": {"a": 3}}, "/properties/a"),
    ({"properties": []}, "/properties"),
    ({"properties": {"a/b": {"minimum": "3"}}}, "/properties/a~1b/minimum"),
    ({"required": "a"}, "/required"),
    ({"properties": {"a": {"required": True}}}, "/properties/a/required"),
    ({"required": ["a", 1]}, "/required"),
    ({"additionalProperties": "no"}, "/additionalProperties"),
    ({"items": 3}, "/items"),
    ({"$schema": "https://json-schema.org/draft/2020-12/schema", "items": [{}]}, "/items"),
    ({"prefixItems": []}, "/prefixItems"),
    ({"prefixItems": [{}, "x"]}, "/prefixItems/1"),
    ({"minItems": -1}, "/minItems"),
    ({"minItems": 1.5}, "/minItems"),
    ({"maxLength": "3"}, "/maxLength"),
    ({"maxLength": True}, "/maxLength"),
    ({"pattern": 3}, "/pattern"),
    ({"pattern": "(a"}, "/pattern"),
    ({"patternProperties": {"[": {}}}, "/patternProperties"),
    ({"format": []}, "/format"),
    ({"minimum": "1"}, "/minimum"),
    ({"minimum": True}, "/minimum"),
    ({"multipleOf": 0}, "/multipleOf"),
    ({"$schema": "https://json-schema.org/draft/2020-12/schema", "exclusiveMinimum": True}, "/exclusiveMinimum"),
    ({"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": 3}, "/exclusiveMinimum"),
    ({"uniqueItems": "yes"}, "/uniqueItems"),
    ({"anyOf": {}}, "/anyOf"),
    ({"anyOf": []}, "/anyOf"),
    ({"oneOf": [{}, 4]}, "/oneOf/1"),
    ({"allOf": [None]}, "/allOf/0"),
    ({"dependentRequired": {"a": "b"}}, "/dependentRequired"),
    ({"$ref": "#/$defs/nowhere"}, "/$ref"),
    ({"$ref": "#nowhere"}, "/$ref"),
    ({"$ref": 3}, "/$ref"),
    ({"$ref": "#/$defs/x/type", "$defs": {"x": {"type": "string"}}}, "/$ref"),
    ({"$ref": "#/$defs/x/enum/7", "$defs": {"x": {"enum": [{}]}}}, "/$ref"),
    ({"$schema": 4}, "/$schema"),
    ({"$ref": "#"}, ""),
    ({"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}, "/$defs/a"),
]
UNSUPPORTED = [
    (
        {
            "type": "object",
            "patternProperties": {"^[abc]$": {}},
            "additionalProperties": False,
            "allOf": [{"not": {"patternProperties": {f"{name}$": {"type": "null"}}}} for name in "ab"],
        },
        "patternProperties",
        "/allOf/1/not/patternProperties",
    ),
    ({"not": {"format": "idn-hostname"}}, "format", "/not/format"),
    ({"not": {"uniqueItems": True}}, "uniqueItems", "/not/uniqueItems"),
    ({"contains": {"type": "integer"}, "minContains": 1000}, "contains", "/contains"),
    ({"type": "array", "items": {"type": "number", "minimum": 0, "maximum": 0.5}, "uniqueItems": True}, "uniqueItems", "/uniqueItems"),
    ({"not": {"anyOf": [{"required": [f"{i}{j}" for j in range(9)]} for i in range(9)]}}, "not", "/not"),
    ({"oneOf": [{"required": [f"{i}{j}" for j in range(9)]} for i in range(9)]}, "oneOf", "/oneOf"),
    ({"anyOf": [{"properties": {name: {}}} for name in "abcdefghij"], "unevaluatedProperties": False}, "unevaluatedProperties", "/unevaluatedProperties"),
    ({"type": "object", "patternProperties": {"^[ab]$": {}}, "additionalProperties": False, "minProperties": 2}, "minProperties", "/minProperties"),
    ({"pattern": "(a)\\1"}, "pattern", "/pattern"),
    ({"multipleOf": 10**900 + 1, "allOf": [{"multipleOf": 10**900 + 3}]}, "multipleOf", "/multipleOf"),
    ({"$ref": "https://example.org/schema.json"}, "$ref", "/$ref"),
    ({"$schema": "https://example.org/own-dialect"}, "$schema", "/$schema"),
]
IMPOSSIBLE = [
    False,
    {"enum": []},
    {"type": "string", "enum": [1, 2]},
    {"type": "string", "minLength": 3, "maxLength": 2},
    {"type": "string", "pattern": "^a$", "allOf": [{"pattern": "^b$"}]},
    {"type": "integer", "minimum": 3.2, "maximum": 3.8},
    {"type": "number", "exclusiveMinimum": 1, "maximum": 1},
    {"type": "integer", "multipleOf": 7, "minimum": 8, "maximum": 13},
    {"type": "array", "minItems": 3, "maxItems": 2},
    {"type": "array", "prefixItems": [{}, False], "minItems": 2},
    {"type": "object", "required": ["a"], "properties": {"a": False}},
    {"type": "object", "required": ["a", "b"], "maxProperties": 1},
    {"type": "object", "required": ["a"], "additionalProperties": False},
    {"type": "object", "required": ["a"], "propertyNames": {"minLength": 2}},
    {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]},
    {"not": {}},
    {"allOf": [{"type": "string"}, {"type": "integer"}]},
]


def pointer_id(case: Any) -> str:
    return json.dumps(case)[:60]


@pytest.mark.parametrize(("schema", "pointer"), MALFORMED, ids=pointer_id)
def test_a_malformed_schema_is_refused_with_its_pointer(schema: Any, pointer: str) -> None:
    """A value that a keyword cannot have, and a reference to nothing, are SchemaErrors that point at the keyword."""
    with pytest.raises(SchemaError) as caught:
        json_schema(schema)
    assert caught.value.pointer == pointer
    assert caught.value.reason


@pytest.mark.parametrize(("schema", "feature", "pointer"), UNSUPPORTED, ids=pointer_id)
def test_what_cannot_be_enforced_is_refused_by_name(schema: Any, feature: str, pointer: str) -> None:
    """A keyword that is not enforced is named, with its JSON pointer, its reason and a way out."""
    with pytest.raises(UnsupportedFeatureError) as caught:
        json_schema(schema)
    assert (caught.value.feature, caught.value.pointer) == (feature, pointer)
    assert caught.value.reason
    assert caught.value.hint


@pytest.mark.parametrize(("schema", "feature", "pointer"), UNSUPPORTED, ids=pointer_id)
def test_on_request_it_is_left_out_and_reported(schema: Any, feature: str, pointer: str) -> None:
    """With unsupported="report" the same schemas compile, and the report says what was left out and in which direction."""
    grammar = json_schema(schema, JsonSchemaOptions(unsupported="report"))
    relaxed = [entry for entry in grammar.report if entry.status == "relaxed"]
    assert [(entry.keyword, entry.pointer) for entry in relaxed] == [(feature, pointer)]
    assert "more is allowed" in relaxed[0].effect or "read as draft" in relaxed[0].effect


@pytest.mark.parametrize("schema", IMPOSSIBLE, ids=pointer_id)
def test_a_schema_that_nothing_fits_is_an_error(schema: Any, byte_vocabulary: grammask.Vocabulary) -> None:
    """Keywords that exclude each other are found at compile time, at the latest when a vocabulary is bound."""
    with pytest.raises((EmptyLanguageError, NoExitError)):
        grammask.compile(json_schema(schema), byte_vocabulary)


def test_keywords_for_other_types_are_not_refused() -> None:
    """What says something about arrays only does not matter where no array can be."""
    json_schema({"type": "string", "uniqueItems": True, "contains": {}, "unevaluatedItems": False, "allOf": [{}]})


@pytest.mark.parametrize("value", [None, 3, 1.5, [{}], "[]", "3", "null"])
def test_a_schema_is_an_object_or_a_boolean(value: Any) -> None:
    """Anything else is refused at the top."""
    with pytest.raises(SchemaError) as caught:
        json_schema(value)
    assert caught.value.pointer == ""


def test_broken_json_is_shown_with_its_line() -> None:
    """Text that is not JSON is a syntax error with line, column and the spot."""
    with pytest.raises(GrammarSyntaxError) as caught:
        json_schema('{\n  "type": "string",\n  "minLength": ,\n}')
    assert (caught.value.line, caught.value.column) == (3, 16)
    assert "^" in str(caught.value)


@pytest.mark.parametrize("text", [b'\xff{"a":1}', "", "{", '{"minimum": NaN}', "'a'"])
def test_text_that_is_not_json_is_a_typed_error(text: str | bytes) -> None:
    """Broken UTF-8, cut texts and the constants that Python's json would take are refused."""
    with pytest.raises((GrammarSyntaxError, SchemaError)):
        json_schema(text)


@pytest.mark.parametrize("value", [{"enum": [float("nan")]}, {"a": {1, 2}}, {"default": object()}])
def test_values_that_json_cannot_write_are_refused(value: Any) -> None:
    """A Python value with something in it that is no JSON is a SchemaError."""
    with pytest.raises(SchemaError):
        json_schema(value)


def test_a_python_value_that_holds_itself_is_refused() -> None:
    """A circular dict is a SchemaError, not an endless loop."""
    schema: dict[str, Any] = {}
    schema["items"] = schema
    with pytest.raises(SchemaError):
        json_schema(schema)


def nested(depth: int, keyword: str, wrap: bool = False) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {keyword: [schema] if wrap else schema}
    return schema


HOSTILE = {
    "items 100,000 deep": '{"items":' * 100_000,
    "arrays 100,000 deep": "[" * 100_000,
    "allOf 400 deep": nested(400, "allOf", wrap=True),
    "a chain of references": {"$ref": "#/$defs/0", "$defs": {str(i): {"$ref": f"#/$defs/{i + 1}"} for i in range(1000)} | {"1000": {}}},
    "alternatives that multiply": {"allOf": [{"anyOf": [{"properties": {f"{i}{j}": {}}} for j in range(4)]} for i in range(12)]},
    "patterns that overlap": {"type": "object", "patternProperties": {f"[a-z]{{{i}}}": {"type": "string"} for i in range(10)}},
    "a number with many digits": '{"minimum": 1' + "0" * 5000 + "}",
    "a number with a huge exponent": '{"maximum": 1e999999999}',
    "references 400 deep under unevaluatedProperties": {
        "allOf": [{"$ref": "#/$defs/0"}],
        "unevaluatedProperties": False,
        "$defs": {str(n): {"$ref": f"#/$defs/{n + 1}"} for n in range(400)} | {"400": {}},
    },
    "branches that evaluate different things": {
        "anyOf": [{"anyOf": [{"properties": {f"{i}{j}": {}}} for j in range(6)]} for i in range(6)],
        "unevaluatedProperties": False,
    },
    "the same under a negation": {"not": {"anyOf": [{"properties": {f"{i}": {"type": "null"}}} for i in range(30)], "unevaluatedProperties": False}},
    "dynamic anchors bound in every order": {
        "$id": "https://example.org/root",
        "anyOf": [{"$ref": f"r{n}"} for n in range(14)],
        "$defs": {
            str(n): {
                "$id": f"r{n}",
                "$dynamicAnchor": "all",
                "properties": {str(m): {"$ref": f"r{m}"} for m in range(14)} | {"any": {"$dynamicRef": f"#own{n}"}},
                "$defs": {"own": {"$dynamicAnchor": f"own{n}"}, "all": {"$dynamicRef": "#all"}},
                "items": {"$dynamicRef": "#all"},
            }
            for n in range(14)
        },
    },
    "a constant 300 deep": {"const": json.loads("[" * 300 + "]" * 300)},
}


@pytest.mark.parametrize("schema", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_schema_ends_in_a_typed_error(schema: Any) -> None:
    """Depth, products and digits without end stop at a stated limit, not in Python's stack or memory."""
    with pytest.raises((LimitError, GrammarError)):
        json_schema(schema)


@pytest.mark.parametrize(
    "schema", [nested(300, "items"), nested(140, "allOf", wrap=True), nested(300, "additionalProperties")], ids=["items", "allOf", "members"]
)
def test_deep_nesting_within_the_limits_compiles(schema: Any, byte_vocabulary: grammask.Vocabulary) -> None:
    """Nesting of values costs no stack."""
    grammask.compile(json_schema(schema), byte_vocabulary)


def test_a_large_object_compiles() -> None:
    """The cost is linear in the number of members."""
    json_schema({"properties": {f"member {i}": {"type": "integer"} for i in range(5000)}, "required": [f"member {i}" for i in range(0, 5000, 2)]})


@pytest.mark.parametrize(
    "options",
    [{"whitespace": "none"}, {"property_order": "random"}, {"unsupported": "ignore"}, {"formats": True}, {"integers": 1}, {"draft": "3"}, {"documents": []}],
    ids=str,
)
def test_options_that_do_not_exist_are_refused(options: dict[str, Any]) -> None:
    """The error names the option and lists what can be chosen."""
    with pytest.raises(GrammarError, match=next(iter(options))):
        JsonSchemaOptions(**options)


@pytest.mark.parametrize("size", [0, -1, 17, 1.0, True])
def test_an_indentation_is_a_small_number(size: Any) -> None:
    """Indent takes 1 to 16 spaces."""
    with pytest.raises(GrammarError, match="Indent"):
        Indent(size)
