"""What a grammar is said to want."""

from __future__ import annotations

import json

import pytest

import grammask
from grammask.integrations.describing import described, description

SMALL, LARGE = 135_000_000, 8_000_000_000


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer"}, "Answer in JSON."),
        ({"enum": ["low", "high", 3]}, "Answer in JSON with low, high or 3."),
        ({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}, "Answer in JSON with the keys a, b."),
        ({"type": "object", "properties": {"a": {"enum": ["x", "y"], "description": "Which"}}}, "Answer in JSON with the keys a (Which; x or y)."),
        ({"type": "array", "items": {"type": "string"}}, "Answer with a JSON list."),
        (
            {"type": "array", "items": {"$ref": "#/$defs/P"}, "$defs": {"P": {"type": "object", "properties": {"n": {"type": ["string", "null"]}}}}},
            "Answer with a JSON list of objects with the keys n.",
        ),
        ({"anyOf": [{"type": "null"}, {"type": "object", "properties": {"a": {}}}]}, "Answer in JSON with the keys a."),
    ],
)
def test_small_models_are_told_the_keys(schema: dict[str, object], words: str) -> None:
    """They copy a schema instead of filling it in."""
    assert description(grammask.json_schema(schema), SMALL) == words


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        {"$ref": "#/$defs/N", "$defs": {"N": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]}}}}},
    ],
    ids=["several shapes", "recursive"],
)
def test_schemas_beyond_a_list_of_keys_are_shown(schema: dict[str, object]) -> None:
    """What few words do not describe is given as it is."""
    told = description(grammask.json_schema(schema), SMALL)
    assert told is not None
    assert json.dumps(schema) in told


def test_large_models_are_shown_the_schema() -> None:
    """They make use of types and bounds."""
    told = description(grammask.json_schema({"type": "integer", "minimum": 3}), LARGE)
    assert told is not None
    assert '"minimum": 3' in told


def test_choices_and_patterns_are_told() -> None:
    """A short list is told, a long one would only distract; a pattern is given as written."""
    assert description(grammask.choice(["yes", "no"]), SMALL) == "Answer with yes or no."
    assert description(grammask.choice([str(number) for number in range(100)]), SMALL) is None
    assert description(grammask.regex("[0-9]+"), SMALL) == "Answer with a text that matches the regular expression [0-9]+"


def test_grammars_are_shown_to_large_models_if_they_are_short() -> None:
    """Small models would copy them; long ones would only distract."""
    grammar = grammask.gbnf('root ::= "yes" | "no"\n')
    assert description(grammar, LARGE) == 'Answer with a text of this grammar, which is written in GBNF:\nroot ::= "yes" | "no"'
    assert description(grammar, SMALL) is None
    assert description(grammask.gbnf('root ::= "a"\n' + "# more\n" * 1_000), LARGE) is None


def test_description_joins_the_systems_message() -> None:
    """It makes one if there is none, and leaves the others alone."""
    grammar = grammask.choice(["yes", "no"])
    user = ("user", "Well?")
    assert described([user], grammar, SMALL) == [("system", "Answer with yes or no."), user]
    assert described([("system", "Be brief."), user], grammar, SMALL) == [("system", "Be brief.\n\nAnswer with yes or no."), user]
    assert described([user], grammask.seq("a", "b"), SMALL) == [user]


def test_schema_in_text_is_described_like_the_same_schema_as_a_dict() -> None:
    """How a schema was handed over makes no difference to what the model is told."""
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    assert description(grammask.json_schema(json.dumps(schema)), SMALL) == description(grammask.json_schema(schema), SMALL)
