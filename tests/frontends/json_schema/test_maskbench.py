"""Real schemas with instances, and random documents drawn from the masks."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import jsonschema
import pytest

import grammask
from grammask.errors import GrammarError
from grammask.frontends.json_schema import json_schema

from .schema_order import in_schema_order
from .shared_data import MASKBENCH, maskbench, needs

EVERY = 20  # one schema in so many
END = 256


def is_accepted(constraint: grammask.Constraint, text: str) -> bool:
    matcher = constraint.matcher()
    for byte in text.encode("utf-8", "surrogatepass"):
        if not matcher.accepts(byte):
            return False
        matcher.advance(byte)
    return matcher.is_complete


def test_real_schemas_accept_their_valid_instances_and_no_others(byte_vocabulary: grammask.Vocabulary) -> None:
    """Valid instances are accepted as given or with their members in the schema's order; invalid ones never are."""
    needs(MASKBENCH)
    wrong, n_compiled, n_schemas = [], 0, 0
    for record in maskbench(EVERY, 3):
        n_schemas += 1
        try:
            constraint = grammask.compile(json_schema(json.dumps(record["schema"])), byte_vocabulary)
        except GrammarError:
            continue
        n_compiled += 1
        for test in record["tests"]:
            accepted = is_accepted(constraint, json.dumps(test["data"], ensure_ascii=False))
            if not accepted and test["valid"]:
                accepted = any(is_accepted(constraint, json.dumps(one, ensure_ascii=False)) for one in in_schema_order(record["schema"], test["data"]))
            if accepted != test["valid"]:
                wrong.append((record["id"], test))
    assert wrong == []
    assert n_compiled >= 0.88 * n_schemas


def drawn(constraint: grammask.Constraint, rng: Random, length: int) -> bytes | None:
    """A document drawn from the masks, hurried to an end after `length` bytes; None if it will not end.

    Characters are ASCII and not escaped: what a pattern's classes hold beyond that is not the same in Python and in ECMA-262.
    """
    matcher = constraint.matcher()
    text = bytearray()
    while len(text) < length + 5000:
        allowed = matcher.allowed_tokens().tolist()
        assert allowed, f"stuck after {bytes(text)!r}"
        hurried = [byte for byte in b'}]":10ltrue' if byte in allowed] if len(text) > length and rng.random() < 0.8 else []
        plain = [byte for byte in allowed if (byte < 0x80 and byte != 0x5C) or byte == END] or allowed
        byte = END if END in allowed and len(text) > length else hurried[0] if hurried else rng.choice(plain)
        if byte == END:
            return bytes(text)
        matcher.advance(byte)
        text.append(byte)
    return None


def is_valid(schema: Any, text: bytes) -> bool:
    validator = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)(schema)
    return bool(validator.is_valid(json.loads(text)))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_random_documents_are_valid(byte_vocabulary: grammask.Vocabulary) -> None:
    """Whatever completes is valid for another validator, and nothing gets stuck."""
    needs(MASKBENCH)
    rng = Random(11)
    invalid, n_documents = [], 0
    for record in maskbench(100, 7):
        text = json.dumps(record["schema"])
        if len(text) > 20_000:
            continue
        try:
            constraint = grammask.compile(json_schema(text), byte_vocabulary)
        except GrammarError:
            continue
        for _ in range(4):
            document = drawn(constraint, rng, rng.choice([20, 100, 250]))
            if document is not None:
                n_documents += 1
                if not is_valid(record["schema"], document):
                    invalid.append((record["id"], document))
    assert invalid == []
    assert n_documents > 100
