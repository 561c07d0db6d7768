"""MaskBench: what is generated validates, what is valid is accepted, what is invalid is not."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Literal

import numpy as np
import pytest
from jsonschema.validators import Draft202012Validator, validator_for

from grammask import JsonSchemaOptions

from .maskbench import accepts, accepts_in_some_order, compiled, random_document

N_SCHEMAS = 500
N_DOCUMENTS = 20

# Where jsonschema departs from the specification that a schema names, not grammask: pattern's \s is Python's there, ECMA's here.
ODD_SPACES = set("\ufeff\x1c\x1d\x1e\x1f\x85")


@pytest.mark.parametrize("order", ["schema", "any"])
def test_random_documents_validate(order: Literal["schema", "any"]) -> None:
    """Every document that the masks allow is valid under the schema, by jsonschema; none gets stuck."""
    seen = 0
    for record, constraint in compiled(N_SCHEMAS, seed=11, options=JsonSchemaOptions(property_order=order)):
        schema = record["schema"]
        validator = validator_for(schema, default=Draft202012Validator)(schema)
        rng = np.random.default_rng(7)
        for _ in range(N_DOCUMENTS):
            text = random_document(constraint, rng)
            if ODD_SPACES & set(text):
                continue
            errors = [error.message for error in validator.iter_errors(json.loads(text))]
            assert not errors, f"{record['id']}: {text} {errors[0]}"
            seen += 1
    assert seen > N_SCHEMAS * N_DOCUMENTS * 0.8


def test_in_any_order_instances_are_judged_as_they_are() -> None:
    """With property_order "any" a valid instance is accepted with its members as they come, and no invalid one is."""
    for record, constraint in compiled(N_SCHEMAS, seed=12, options=JsonSchemaOptions(property_order="any")):
        matcher = constraint.matcher()
        for test in record["tests"]:
            text = json.dumps(test["data"], ensure_ascii=False)
            assert accepts(matcher, text) is test["valid"], f"{record['id']}: {text}"


@pytest.fixture
def deep_recursion() -> Iterator[None]:
    """Room for the search through deep instances; other tests get the limit back that they know."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("deep_recursion")
def test_instances_get_the_right_verdict() -> None:
    """No invalid instance is accepted; each valid one is, in some order of its members."""
    verdicts, unknown = {True: 0, False: 0}, 0
    for record, constraint in compiled(N_SCHEMAS, seed=12):
        matcher = constraint.matcher()
        for test in record["tests"]:
            text = json.dumps(test["data"], ensure_ascii=False)
            accepted = accepts(matcher, text)
            assert accepted <= test["valid"], f"{record['id']} accepts {text}"
            if test["valid"] and not accepted:
                found = accepts_in_some_order(matcher, test["data"])
                assert found is not False, f"{record['id']} rejects {text}"
                unknown += found is None
            verdicts[test["valid"]] += 1
    assert unknown < N_SCHEMAS * 0.02
    assert min(verdicts.values()) > N_SCHEMAS
