"""What the front end gives to those who tell items apart: how many values there are, and the schema of all others."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grammask import JsonSchemaOptions
from grammask.frontends.json_schema.compiler import Compiler
from grammask.frontends.json_schema.counted_values import ENDLESS, count_values
from grammask.frontends.json_schema.distinct_items import other_values
from grammask.frontends.json_schema.references import References
from grammask.frontends.json_schema.values import read_json

COUNTED: list[tuple[Any, int | None]] = [
    (True, ENDLESS),
    (False, 0),
    ({"type": "string"}, ENDLESS),
    ({"type": "string", "maxLength": 0}, 1),
    ({"type": "string", "pattern": "^[ab]{1,2}$"}, 6),
    ({"type": "string", "pattern": "^[ab]{1,2}$", "not": {"enum": ["a", "c"]}}, 5),
    ({"type": "string", "pattern": "^(a|a)b?$"}, 2),
    ({"type": "string", "pattern": "^a+$"}, ENDLESS),
    ({"type": "string", "pattern": "^a+$", "maxLength": 30}, 30),
    ({"type": "string", "pattern": "^[0-9]{3}$"}, 1000),
    ({"type": "boolean"}, 2),
    ({"type": ["null", "boolean"]}, 3),
    ({"type": "integer", "minimum": 3, "maximum": 7}, 5),
    ({"type": "integer", "minimum": 3}, ENDLESS),
    ({"type": "number", "minimum": 0, "maximum": 0.5}, None),
    ({"enum": [1, 1.0, "a", [2]]}, 3),
    ({"enum": [1, "a"], "type": "string"}, 1),
    ({"anyOf": [{"const": 1}, {"type": "string", "pattern": "^a?$"}]}, 3),
    ({"anyOf": [{"type": "string", "pattern": "^a?$"}, {"type": "string", "pattern": "^[ab]?$"}]}, None),
    ({"type": "array", "items": {"type": "boolean"}}, ENDLESS),
    ({"type": "array", "items": {"type": "boolean"}, "maxItems": 2}, None),
    ({"type": "array", "maxItems": 0}, 1),
    ({"type": "object"}, ENDLESS),
    ({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}, ENDLESS),
    ({"type": "object", "properties": {"a": {"type": "boolean"}}, "additionalProperties": False}, None),
]
VALUES: list[Any] = [
    None, True, 0, 1, 1.5, "", "a", [], [1], [1, 2], [1, [2]], [2, 1], {}, {"a": 1}, {"a": 2}, {"b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": {"a": 1}},
    {"a": [1]}, {"a": {"a": 1}, "c": "x"},
]  # fmt: skip


@pytest.mark.parametrize(("schema", "number"), COUNTED, ids=[json.dumps(schema) for schema, _ in COUNTED])
def test_values_are_counted_exactly_or_not_at_all(schema: Any, number: int | None) -> None:
    """A number is the number of different values; where it is not known, none is given."""
    options = JsonSchemaOptions()
    references = References(read_json(json.dumps(schema)), options)
    assert count_values(Compiler(references, options), [references.root]) == number


@pytest.mark.parametrize("seed", range(20))
def test_the_schema_of_other_values_holds_for_just_those(seed: int) -> None:
    """jsonschema finds it true of every value but those that are left out."""
    chosen = random.Random(seed).sample(VALUES, 6)
    validator = Draft202012Validator(other_values(chosen))
    wanted = [value for value in VALUES if not any(same(value, other) for other in chosen)]
    assert [value for value in VALUES if validator.is_valid(value)] == wanted


def same(one: Any, other: Any) -> bool:
    """Equality of JSON: true is not 1."""
    return bool(json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))


def test_the_schema_of_others_grows_with_the_members_of_all_values() -> None:
    """Many objects of many members are told apart by a tree, not by a product."""
    objects = [{"id": number, "name": f"name {number}", "tags": [number, "x"], "flag": True} for number in range(200)]
    fewer, more = (len(json.dumps(other_values(objects[:number]))) for number in (100, 200))
    assert more < 2.2 * fewer
