"""MaskBench under token budgets: whatever the masks allow is whole, in time and valid."""

from __future__ import annotations

import os

import numpy as np
import pytest

import grammask
from grammask.tools.bench.judge import complaint

from .maskbench import TOKENS, VOCABULARY, compiled

N_SCHEMAS = 1_000 if os.environ.get("GRAMMASK_THOROUGH") == "1" else 60
END = VOCABULARY.eos_ids[0]


def drawn(matcher: grammask.Matcher, rng: np.random.Generator) -> list[int]:
    """Tokens drawn uniformly from the masks, the end token last."""
    taken = list[int]()
    while not matcher.is_finished:
        taken.append(int(rng.choice(matcher.allowed_tokens())))
        matcher.advance(taken[-1])
    return taken


def achievable(constraint: grammask.Constraint) -> int:
    """The least budget that is taken: 1, or what the error for 1 says."""
    try:
        constraint.matcher(max_tokens=1)
    except grammask.errors.BudgetError as error:
        least = error.achievable or 0
    else:
        least = 1
    constraint.matcher(max_tokens=least)
    return least


@pytest.mark.parametrize("way", ["achievable", "one more", "half more", "three times"])
def test_outputs_within_a_budget_are_whole_and_valid(way: str) -> None:
    """From the number that the error names on, every uniformly drawn output completes within the budget and validates."""
    seen = 0
    for record, constraint in compiled(N_SCHEMAS, seed=17):
        least = achievable(constraint)
        budget = {"achievable": least, "one more": least + 1, "half more": least + least // 2, "three times": 3 * least}[way]
        taken = drawn(constraint.matcher(max_tokens=budget), np.random.default_rng(3))
        assert len(taken) - 1 <= budget
        assert taken[-1] == END
        text = b"".join(TOKENS[token] for token in taken[:-1]).decode()
        said = complaint(record["schema"], text)
        assert said is None, f"{record['id']}: {text} {said}"
        seen += 1
    assert seen > N_SCHEMAS * 0.8
