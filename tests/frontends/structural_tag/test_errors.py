"""What is wrong in a structural tag is refused by name, with its JSON pointer and the tag it belongs to."""

from __future__ import annotations

import json
from typing import Any

import pytest

import grammask
from grammask.errors import EmptyLanguageError, GrammarError, GrammarSyntaxError, LimitError, NoExitError, SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema import JsonSchemaOptions
from grammask.frontends.regex import regex
from grammask.frontends.structural_tag import Encoding, StructuralTagOptions, arguments, structural_tag

JSON = {"type": "json_schema", "json_schema": {"type": "object"}}
TAG = {"type": "tag", "begin": "<f=x>", "content": JSON, "end": "</f>"}
TRIGGERED = {"type": "triggered_tags", "triggers": ["<f="], "tags": [TAG]}
TOKEN = {"type": "token", "token": "<|t|>"}
IN_TAG = "the tag '<f=x>'"


def in_tag(content: Any) -> dict[str, Any]:
    return TAG | {"content": content}


WRONG: dict[str, tuple[Any, str, str]] = {
    "no format": ({"type": "structural_tag"}, "", "'format' is missing"),
    "a number": (3, "", "a format is needed"),
    "no type": ({"format": {}}, "/format", "'type' is missing"),
    "an unknown type": ({"format": {"type": "any_txt"}}, "/format/type", "there is no format 'any_txt'"),
    "an unknown key": (TRIGGERED | {"trigger": 1}, "", "unknown key 'trigger' .*did you mean 'triggers'"),
    "a key of another format": ({"type": "any_text", "value": "x"}, "", "unknown key 'value'"),
    "a missing key": ({"type": "const_string"}, "", "'value' is missing"),
    "a number for a text": ({"type": "const_string", "value": 3}, "/value", "a text is needed, got a number"),
    "a text for a list": ({"type": "any_text", "excludes": "x"}, "/excludes", "an array is needed, got a text"),
    "an empty text to exclude": ({"type": "any_text", "excludes": [""]}, "/excludes/0", "the text is empty"),
    "half a surrogate pair": ({"type": "const_string", "value": "\ud800"}, "/value", "surrogate"),
    "no elements": ({"type": "or", "elements": []}, "/elements", "no elements"),
    "bounds that are no range": ({"type": "repeat", "min": 3, "max": 1, "content": JSON}, "/max", "1 is less than min, 3"),
    "a bound below none": ({"type": "repeat", "min": -1, "max": 1, "content": JSON}, "/min", "-1 is less than 0"),
    "a number for a flag": (TRIGGERED | {"at_least_one": 1}, "/at_least_one", "true or false is needed"),
    "no triggers": (TRIGGERED | {"triggers": []}, "/triggers", "empty"),
    "a tag without a trigger": (TRIGGERED | {"triggers": ["<g="]}, "/tags/0/begin", "no trigger is the beginning"),
    "a tag with two triggers": (TRIGGERED | {"triggers": ["<f=", "<f"]}, "/tags/0/begin", "several triggers"),
    "a trigger behind an excluded text": (TRIGGERED | {"excludes": ["<"]}, "/triggers", "can never be reached.*excluded text"),
    "a trigger that is excluded": (TRIGGERED | {"excludes": ["<f="]}, "/triggers", "can never be reached"),
    "a trigger behind the end of a tag": ({"type": "tag", "begin": "[", "content": TRIGGERED, "end": "<"}, "/content/triggers", "the end of the tag around it"),
    "a trigger behind a trigger": (
        {"type": "triggered_tags", "triggers": ["<f=", "<f=x>y"], "tags": [TAG | {"begin": "<f=a>"}, TAG | {"begin": "<f=x>y"}]},
        "/tags/1/begin",
        "several triggers",
    ),
    "patterns that forestall": ({"type": "dispatch", "rules": [["<a", JSON], ["<ab", JSON]]}, "/rules", "another trigger"),
    "a token tag under a text trigger": (TRIGGERED | {"tags": [TAG | {"begin": TOKEN}]}, "/tags/0/begin", "token_triggered_tags"),
    "a text tag under a token trigger": ({"type": "token_triggered_tags", "trigger_tokens": ["a"], "tags": [TAG]}, "/tags/0/begin", "token format"),
    "a tag of another token": (
        {"type": "token_triggered_tags", "trigger_tokens": [7], "tags": [TAG | {"begin": TOKEN}]},
        "/tags/0/begin",
        "none of the trigger_tokens",
    ),
    "no tag where one is demanded": (TRIGGERED | {"tags": [], "at_least_one": True}, "/tags", "at least one tag"),
    "a begin that is a schema": (TAG | {"begin": JSON}, "/begin", "unknown key 'json_schema'|token"),
    "no ends": (TAG | {"end": []}, "/end", "no ends"),
    "a rule of three": ({"type": "dispatch", "rules": [["a", JSON, JSON]]}, "/rules/0", "a pair of a pattern and a format"),
    "a token that is a float": ({"type": "token", "token": 1.5}, "/token", "the name or the id of a token"),
    "an unknown style": (JSON | {"style": "yaml"}, "/style", "there is no style 'yaml'"),
    "a schema that is a list": ({"type": "json_schema", "json_schema": []}, "/json_schema", "an object or a boolean"),
    "a wrong schema in a tag": (
        in_tag({"type": "json_schema", "json_schema": {"properties": {"a/b": {"type": "strin"}}}}),
        "/content/json_schema/properties/a~1b/type",
        f"{IN_TAG}: type must be",
    ),
    "a wrong schema in a tag of a list": (
        {"format": TRIGGERED | {"tags": [TAG, TAG | {"begin": "<f=z>", "content": {"type": "json_schema", "json_schema": {"type": 3}}}]}},
        "/format/tags/1/content/json_schema/type",
        "the tag '<f=z>'",
    ),
    "a wrong schema of parameters": (
        in_tag({"type": "json_schema", "style": "glm_xml", "json_schema": {"properties": {"a": {"type": "x"}}}}),
        "/content/json_schema/properties/a/type",
        IN_TAG,
    ),
    "parameters that are no object": ({"type": "qwen_xml_parameter", "json_schema": {"type": "string"}}, "/json_schema/type", "arguments are an object"),
    "parameters that refer in a circle": (
        {"type": "qwen_xml_parameter", "json_schema": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}},
        "/json_schema/$defs/a",
        "refers back to itself",
    ),
    "a structure without a trigger": ({"structures": [{"begin": "<g>", "schema": True, "end": ""}], "triggers": ["<f"]}, "/structures/0/end", "empty"),
    "a structure with an unknown key": (
        {"structures": [{"begin": "<f>", "schema": True, "end": "x", "type": "tag"}], "triggers": ["<f"]},
        "/structures/0",
        "unknown key",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_tag_is_refused_with_its_place(name: str) -> None:
    """The pointer of the spot, and a text that says what is wrong there."""
    tag, pointer, text = WRONG[name]
    with pytest.raises(SchemaError, match=f"(?s){text}") as caught:
        structural_tag(tag)
    assert caught.value.pointer == pointer
    assert caught.value.owner


UNSUPPORTED: dict[str, tuple[Any, str, str]] = {
    "a count of tokens": (in_tag({"type": "any_text", "max_tokens": 5}), "/content/max_tokens", "max_tokens"),
    "exactly one token": ({"type": "exclude_token", "exclude_tokens": ["a"]}, "", "exactly one token"),
    "a count of whitespace": (JSON | {"max_whitespace_cnt": 2}, "/max_whitespace_cnt", "max_whitespace_cnt"),
    "a schema's keyword": (in_tag({"type": "json_schema", "json_schema": {"pattern": r"(a)\1"}}), "/content/json_schema/pattern", "pattern"),
    "patterns for parameters": (
        {"type": "json_schema", "style": "qwen_xml", "json_schema": {"patternProperties": {"a": {}}}},
        "/json_schema/patternProperties",
        "member by member",
    ),
    "a name that hides the marks": (
        {"type": "json_schema", "style": "qwen_xml", "json_schema": {"properties": {"a>b": {}}}},
        "/json_schema/properties/a>b",
        "parameter name",
    ),
    "a list where the style has none": (
        {"type": "json_schema", "style": "cohere_xml", "json_schema": {"properties": {"a": {"type": "array"}}}},
        "/json_schema/properties/a",
        "type array",
    ),
    "a value that holds its own end": (
        {"type": "json_schema", "style": "qwen_xml", "json_schema": {"properties": {"a": {"const": "x</parameter>y"}}}},
        "/json_schema/properties/a",
        "which ends it",
    ),
    "a required name that is no property": (
        {"type": "json_schema", "style": "qwen_xml", "json_schema": {"required": ["a"]}},
        "/json_schema/required",
        "no property",
    ),
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_what_cannot_be_enforced_is_refused_by_name(name: str) -> None:
    """Never a grammar that is silently wider."""
    tag, pointer, text = UNSUPPORTED[name]
    with pytest.raises(UnsupportedFeatureError, match=text) as caught:
        structural_tag(tag)
    assert caught.value.pointer == pointer


def test_texts_that_do_not_parse_show_the_spot() -> None:
    """Patterns, grammars and the JSON itself: line, column, and the tag."""
    for tag, where, column in (
        (in_tag({"type": "regex", "pattern": "ab(c"}), f"{IN_TAG}, /content/pattern", 3),
        (in_tag({"type": "grammar", "grammar": "root ::= b"}), f"{IN_TAG}, /content/grammar", 10),
        ('{"type": "any_text",}', "not JSON", 21),
        ('{"type": "any_text", "type": "or"}', "the key 'type' stands twice", 22),
    ):
        with pytest.raises(GrammarSyntaxError, match=where) as caught:
            structural_tag(tag)
        assert caught.value.column == column


def test_a_grammar_without_a_way_out_is_an_error_of_its_own() -> None:
    """As in the front end for grammars."""
    with pytest.raises(NoExitError, match="root"):
        structural_tag({"type": "grammar", "grammar": 'root ::= "a" root'})


def test_parameters_that_nothing_can_match_are_an_error() -> None:
    """A required parameter without a value; one that is not required is never written."""
    schema = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 3, "maximum": 1}}, "required": ["a"]}
    with pytest.raises(EmptyLanguageError):
        structural_tag({"type": "qwen_xml_parameter", "json_schema": schema})
    structural_tag({"type": "qwen_xml_parameter", "json_schema": schema | {"required": []}})


def test_sizes_have_limits() -> None:
    """Nesting of formats, and characters of bounded text."""
    deep: Any = {"type": "any_text"}
    for _ in range(100):
        deep = {"type": "optional", "content": deep}
    with pytest.raises(LimitError, match="nesting"):
        structural_tag(deep)
    with pytest.raises(LimitError, match="nesting"):
        structural_tag('{"type": "optional", "content": ' * 100_000)
    with pytest.raises(LimitError, match="/json_schema/properties/a"):
        structural_tag({"type": "qwen_xml_parameter", "json_schema": {"properties": {"a": {"type": "string", "maxLength": 10**6}}}})
    with pytest.raises(LimitError, match="/max_chars"):
        structural_tag({"type": "any_text", "max_chars": 10**7})


def test_options_are_checked() -> None:
    """Wrong options are refused when they are made."""
    with pytest.raises(GrammarError, match="regex_dialect"):
        StructuralTagOptions(regex_dialect="perl")  # type: ignore[arg-type]
    with pytest.raises(GrammarError, match="JsonSchemaOptions"):
        StructuralTagOptions(json={})  # type: ignore[arg-type]
    with pytest.raises(GrammarError, match="key"):
        Encoding("<p>", "</p>")
    with pytest.raises(GrammarError, match="no end"):
        Encoding("<{key}>", " ")
    with pytest.raises(GrammarError, match="types"):
        Encoding("<{key}>", "</>", types={"text": "x"})


def test_options_reach_the_parts() -> None:
    """Whitespace of JSON, dialect of patterns, and what is left out of schemas on request, with the pointer from the whole."""
    options = StructuralTagOptions(JsonSchemaOptions(unsupported="report"), "python")
    grammar = structural_tag(in_tag({"type": "json_schema", "json_schema": {"type": "string", "pattern": r"(a)\1"}}), options)
    assert [(entry.pointer, entry.status) for entry in grammar.report] == [("/content/json_schema/type", "exact"), ("/content/json_schema/pattern", "relaxed")]
    assert len(grammar.report) == 2
    assert grammar.report[1].keyword == "pattern"
    structural_tag({"type": "regex", "pattern": r"(?P<n>a)"}, options)
    with pytest.raises(GrammarSyntaxError):
        structural_tag({"type": "regex", "pattern": r"(?P<n>a)"})


def test_a_grammar_may_stand_for_a_format() -> None:
    """In a dict any format may be one that another front end has made; its errors are its own."""
    grammar = structural_tag(in_tag(regex("[0-9]+")))
    assert grammar.key is None
    assert structural_tag({"type": "or", "elements": [regex("a"), {"type": "const_string", "value": "b"}]}).kind == "structural_tag"


def test_a_tag_given_again_is_the_same_object() -> None:
    """Requests repeat their tags; a changed one is another."""
    assert structural_tag(TRIGGERED) is structural_tag(json.loads(json.dumps(TRIGGERED)))
    assert structural_tag(TRIGGERED) is not structural_tag(TRIGGERED | {"at_least_one": True})


def test_arguments_are_a_grammar_of_their_own() -> None:
    """JSON, or member by member in any layout; errors carry the pointer and owner that the caller gives."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
    assert arguments(schema).kind == "json_schema"
    assert arguments(schema, Encoding("{key}=", ";")).kind == "arguments"
    for encoding in (None, Encoding("{key}=", ";")):
        with pytest.raises(SchemaError, match="the tool 'x'") as caught:
            arguments({"properties": {"a": {"type": 3}}}, encoding, pointer="/4", owner="the tool 'x'")
        assert caught.value.pointer == "/4/properties/a/type"
        with pytest.raises(SchemaError, match="a schema of an object"):
            arguments([], encoding)


def test_tokens_with_text_cannot_be_left_out_of_any_text() -> None:
    """Texts are told by their letters; that is found once the vocabulary is known. End tokens may be named: no text holds them."""
    vocabulary = grammask.Vocabulary([b"a", b"b", b"", b""], eos_ids=[3], specials={"<t>": 2, "</s>": 3})
    for token in ("a", 0):
        with pytest.raises(UnsupportedFeatureError, match="texts are told by their letters"):
            grammask.compile(structural_tag({"type": "any_tokens", "exclude_tokens": [token]}), vocabulary)
    with pytest.raises(UnsupportedFeatureError, match="no token of that name"):
        grammask.compile(structural_tag({"type": "any_tokens", "exclude_tokens": ["<x>"]}), vocabulary)
    matcher = grammask.compile(structural_tag({"type": "any_tokens", "exclude_tokens": ["</s>", "<t>"]}), vocabulary).matcher()
    assert matcher.allowed_tokens().tolist() == [0, 1, 3]
