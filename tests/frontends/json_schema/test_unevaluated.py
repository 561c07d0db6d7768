"""unevaluatedProperties and unevaluatedItems, beside and inside applicators, against the jsonschema package over small values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

import grammask
from grammask.errors import EmptyLanguageError, UnsupportedFeatureError
from grammask.frontends.json_schema.compiler import Compiler
from grammask.frontends.json_schema.options import JsonSchemaOptions
from grammask.frontends.json_schema.references import References
from grammask.frontends.json_schema.values import read_json

jsonschema = pytest.importorskip("jsonschema")

N_SCHEMAS = 60
BYTES = grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""], eos_ids=[256])
NAMES, PARTS = ("a", "b", "x"), (1, "s")
OBJECTS: list[Any] = [dict(zip(chosen, parts, strict=True)) for n in range(4) for chosen in permutations(NAMES, n) for parts in product(PARTS, repeat=n)]
ARRAYS: list[Any] = [list(parts) for n in range(4) for parts in product((1, 2, "s"), repeat=n)]
INNER: list[Any] = [True, False, {"type": "string"}, {"type": "integer"}]


class Schemas:
    """Random schemas about members, or about items."""

    def __init__(self, seed: int, *, members: bool) -> None:
        self.random, self.members = Random(seed), members

    def holding(self) -> dict[str, Any]:
        """A schema with an unevaluated keyword at its top."""
        keyword = "unevaluatedProperties" if self.members else "unevaluatedItems"
        schema = {**self.applying(2), keyword: self.random.choice([False, False, {"type": "string"}])}
        return {"not": schema} if self.random.random() < 0.2 else schema

    def any(self, depth: int) -> Any:
        if self.random.random() < 0.1:
            return self.random.choice([True, False])
        if depth and self.random.random() < 0.5:
            return self.applying(depth - 1)
        return self.own()

    def own(self) -> dict[str, Any]:
        """Keywords that say something themselves."""
        choose = self.random.choice
        said: list[dict[str, Any]] = [
            {"properties": {choose(NAMES): choose(INNER)}},
            {"properties": {choose(NAMES): choose(INNER), choose(NAMES): True}},
            {"patternProperties": {choose(["a", "^[ab]$"]): choose(INNER)}},
            {"required": [choose(NAMES)]},
            {"additionalProperties": choose(INNER)},
            {"unevaluatedProperties": choose(INNER)},
        ]
        if not self.members:
            said = [
                {"prefixItems": [choose(INNER)]},
                {"prefixItems": [choose(INNER), True]},
                {"contains": choose([{"const": 1}, {"const": 2}, {"type": "string"}]), "minContains": choose([0, 1])},
                {"items": choose(INNER)},
                {"minItems": 2},
                {"unevaluatedItems": choose(INNER)},
            ]
        return choose(said)

    def applying(self, depth: int) -> dict[str, Any]:
        """A schema with applicators, perhaps with keywords beside them."""
        choose = self.random.choice
        schema = self.own() if self.random.random() < 0.4 else {}
        kind = choose(["allOf", "anyOf", "anyOf", "oneOf", "if", "not", "dependentSchemas", "$ref"])
        if kind in ("allOf", "anyOf", "oneOf"):
            schema[kind] = [self.any(depth) for _ in range(choose([2, 2, 3]))]
        elif kind == "if":
            schema["if"] = self.any(depth)
            schema |= {branch: self.any(depth) for branch in ("then", "else") if self.random.random() < 0.6}
        elif kind == "dependentSchemas" and self.members:
            schema[kind] = {choose(NAMES): self.any(depth)}
        elif kind == "$ref":
            schema["allOf"] = [{"$ref": "#/$defs/d"}]
        else:
            schema["not"] = self.any(depth)
        return schema


def judged_wrongly(schema: Any, values: list[Any]) -> Iterator[Any]:
    """The values that the grammar takes in some order and should not, or should and does not."""
    validator = jsonschema.Draft202012Validator(schema)
    try:
        matcher = grammask.compile(grammask.json_schema(schema), BYTES).matcher()
    except EmptyLanguageError:
        matcher = None
    verdicts: dict[str, tuple[Any, bool, bool]] = {}
    for value in values:
        text = json.dumps(value, separators=(",", ":"))
        accepted = matcher is not None and matcher.draft(list(text.encode())) == len(text) and _is_complete(matcher, text)
        key = json.dumps(value, sort_keys=True)
        verdicts[key] = value, validator.is_valid(value), accepted or (key in verdicts and verdicts[key][2])
    yield from (value for value, valid, accepted in verdicts.values() if valid != accepted)


def _is_complete(matcher: grammask.Matcher, text: str) -> bool:
    matcher.reset()
    for byte in text.encode():
        matcher.advance(byte)
    is_complete = matcher.is_complete
    matcher.reset()
    return is_complete


@pytest.mark.parametrize("members", [True, False], ids=["members", "items"])
@pytest.mark.parametrize("seed", range(N_SCHEMAS))
def test_what_is_evaluated_is_what_the_validator_says(seed: int, members: bool) -> None:
    """Over small values, grammar and validator agree on random schemas in which evaluation depends on what holds."""
    schemas = Schemas(seed, members=members)
    schema = {**schemas.holding(), "$defs": {"d": schemas.own()}}
    try:
        assert list(judged_wrongly(schema, OBJECTS if members else ARRAYS)) == [], schema
    except UnsupportedFeatureError as error:
        pytest.skip(f"refused: {error}")


@pytest.mark.parametrize("members", [True, False], ids=["members", "items"])
@pytest.mark.parametrize("seed", range(N_SCHEMAS))
def test_given_values_are_judged_alike(seed: int, members: bool) -> None:
    """A value of enum is valid under unevaluated* iff the validator says so."""
    schemas = Schemas(seed, members=members)
    schema = {**schemas.holding(), "$defs": {"d": schemas.own()}}
    options = JsonSchemaOptions()
    compiler = Compiler(References(read_json(schema), options), options)
    validator = jsonschema.Draft202012Validator(schema)
    for value in (OBJECTS if members else ARRAYS)[::3]:
        assert compiler.validity.valid(compiler.references.root, value) == validator.is_valid(value), (schema, value)
