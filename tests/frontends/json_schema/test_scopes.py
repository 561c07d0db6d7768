"""Dynamic references over random sets of resources, against the jsonschema package."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import Any

import pytest

import grammask
from grammask.errors import EmptyLanguageError, NoExitError

jsonschema = pytest.importorskip("jsonschema")

N_SCHEMAS = 80
N_RESOURCES = 4
BYTES = grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""], eos_ids=[256])
LEAVES: list[Any] = [{}, {"x": 1}, {"a": 1}, 1]
ONCE: list[Any] = [{name: leaf} for name, leaf in product("ab", LEAVES)]
VALUES: list[Any] = [*LEAVES, *ONCE, *({name: inner} for name, inner in product("ab", ONCE)), {"a": {}, "b": {"x": 1}}, {"a": {"b": {}}, "b": {"b": {"a": {}}}}]


def resource(number: int, random: Random) -> dict[str, Any]:
    """A schema of objects whose members lead elsewhere, with an anchor `n` at its top or inside, dynamic or not."""
    inner = {"$dynamicRef": "#n"}
    leading = [inner, inner, {"$ref": f"r{random.randrange(N_RESOURCES)}"}, {"$dynamicRef": f"r{random.randrange(N_RESOURCES)}#n"}, True]
    schema: dict[str, Any] = {"$id": f"https://example.org/r{number}", "properties": {"a": random.choice(leading), "b": random.choice(leading)}}
    schema |= random.choice([{}, {"type": "object"}, {"required": ["b"]}, {"additionalProperties": False}, {"type": ["object", "integer"]}])
    if number + 1 < N_RESOURCES and random.random() < 0.5:
        schema["allOf"] = [{"$ref": f"r{random.randrange(number + 1, N_RESOURCES)}"}]
    anchor = random.choice([{"$dynamicAnchor": "n"}, {"$dynamicAnchor": "n"}, {"$anchor": "n"}])
    if random.random() < 0.5:
        return schema | anchor
    said = random.choice([{"type": "object"}, {"type": "integer"}, {"maxProperties": 1}, {"properties": {"a": inner}}])
    return schema | {"$defs": {"n": anchor | said}}


@pytest.mark.parametrize("seed", range(N_SCHEMAS))
def test_dynamic_references_lead_where_the_validator_says(seed: int) -> None:
    """Over small nested objects grammar and validator agree, whatever way leads to a reference."""
    random = Random(seed)
    first, *others = [resource(number, random) for number in range(N_RESOURCES)]
    schema = first | {"$defs": first.get("$defs", {}) | {f"r{number}": other for number, other in enumerate(others)}}
    validator = jsonschema.Draft202012Validator(schema)
    try:
        matcher = grammask.compile(grammask.json_schema(schema), BYTES).matcher()
    except (EmptyLanguageError, NoExitError):
        matcher = None
    wrong = [value for value in VALUES if (matcher is not None and is_accepted(matcher, value)) != validator.is_valid(value)]
    assert wrong == [], json.dumps(schema)


def is_accepted(matcher: grammask.Matcher, value: Any) -> bool:
    matcher.reset()
    text = json.dumps(value, separators=(",", ":")).encode()
    if matcher.draft(list(text)) < len(text):
        return False
    for byte in text:
        matcher.advance(byte)
    return matcher.is_complete
