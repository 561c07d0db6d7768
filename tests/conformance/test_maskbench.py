"""MaskBench: what is generated validates, what is valid is accepted, what is invalid is not."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import numpy as np
import pytest

import grammask
from grammask import JsonSchemaOptions

from . import llama
from .judges import Judge
from .maskbench import accepts, accepts_in_some_order, compiled, random_document

N_SCHEMAS = 500
N_DOCUMENTS = 20
N_LLAMA_DOCUMENTS = 5
N_LLAMA_SCHEMAS = 500 if os.environ.get("GRAMMASK_THOROUGH") == "1" else 100


@pytest.mark.parametrize("order", ["schema", "any"])
def test_random_documents_validate(order: Literal["schema", "any"]) -> None:
    """Every document that the masks allow is valid under the schema, by jsonschema and jsonschema-rs, each read exactly; none gets stuck."""
    assert n_valid(compiled(N_SCHEMAS, seed=11, options=JsonSchemaOptions(property_order=order)), N_DOCUMENTS) > N_SCHEMAS * N_DOCUMENTS * 0.8


def test_random_documents_of_llama_tokens_validate() -> None:
    """The same in Llama 3's tokens, each of which may cross any number of a schema's parts."""
    assert n_valid(compiled(N_LLAMA_SCHEMAS, seed=13, vocabulary=llama.vocabulary()), N_LLAMA_DOCUMENTS) > N_LLAMA_SCHEMAS * N_LLAMA_DOCUMENTS * 0.8


def n_valid(schemas: Iterable[tuple[dict[str, Any], grammask.Constraint]], n_documents: int) -> int:
    """How many documents were drawn, so many of each schema; fails at the first that is not valid."""
    seen = 0
    for record, constraint in schemas:
        judge, rng = Judge(record["schema"]), np.random.default_rng(7)
        for _ in range(n_documents):
            text = random_document(constraint, rng)
            verdict = judge.verdict(text)
            assert verdict.is_valid, f"{record['id']}: {text} {verdict}"
            seen += 1
    return seen


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
