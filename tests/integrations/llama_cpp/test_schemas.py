"""What the embedded model writes under a schema is valid, complete and in the schema's order, at temperature 1 and whatever the seed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import grammask
from grammask.integrations.llama_cpp import Model

# A support ticket sorted into categories, and a decision that is reasoned about before it is taken.
TICKET: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "description": "One or two sentences"},
        "category": {"type": "string", "enum": ["billing", "bug", "feature_request", "other"]},
        "priority": {"type": "integer", "minimum": 1, "maximum": 4},
        "summary": {"type": "string"},
        "order_id": {"type": "string", "pattern": "^ORD-[0-9]+$"},
    },
    "required": ["reasoning", "category", "priority", "summary"],
    "additionalProperties": False,
}
DECISION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "description": "Work through the analysis here before answering. Multiple sentences."},
        "answer": {"type": "string", "enum": ["approve", "reject", "escalate"]},
        "confidence": {"type": "string", "enum": ["low", "medium", "high"]},
    },
    "required": ["reasoning", "answer", "confidence"],
    "additionalProperties": False,
}
CASES = {
    "ticket": (TICKET, "I was charged twice for order ORD-1182 and nobody answers my mails. Please give the money back."),
    "decision": (DECISION, "A customer asks for a refund of 40 euros, 35 days after buying. The policy allows 30 days. Should we approve it?"),
}
SEEDS = 10
ALL_SEEDS = 200


def check(model: Model, case: str, seed: int) -> None:
    """One generation: it completes, parses, validates, and its members stand in the schema's order."""
    schema, prompt = CASES[case]
    result = model.generate(prompt, grammask.json_schema(schema), temperature=1.0, seed=seed, max_tokens=120)
    assert result.finish_reason == "complete", (case, seed, result.text)
    value = json.loads(result.text)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(value)] == [], (case, seed)
    declared = list(schema["properties"])
    assert list(value) == sorted(value, key=declared.index), (case, seed)
    assert result.value == value


@pytest.mark.parametrize("case", CASES)
def test_ten_seeds_are_all_valid(model: Model, case: str) -> None:
    """Ten draws at temperature 1 each."""
    for seed in range(SEEDS):
        check(model, case, seed)


@pytest.mark.model
@pytest.mark.parametrize("case", CASES)
def test_two_hundred_seeds_are_all_valid(model: Model, case: str) -> None:
    """The other draws, up to two hundred."""
    for seed in range(SEEDS, ALL_SEEDS):
        check(model, case, seed)
