"""What faithful sampling gives back: outputs with weights, and what they cost.

Above: sampler.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grammask.arguments import instance, or_none, takes
from grammask.decoding.faithful.options import Method
from grammask.errors import SamplingError
from grammask.grammar.grammar import Grammar

__all__ = ["FaithfulResult", "WeightedOutput", "log_mean", "shares"]


@dataclass(frozen=True)
class WeightedOutput:
    """One output.

    token_ids: without the end token. log_weight: the natural logarithm of its weight; minus infinity for an output that was cut at
    max_tokens or came to nothing, which has no share in the result.
    """

    text: str
    token_ids: tuple[int, ...]
    log_weight: float
    grammar: Grammar = field(repr=False, compare=False)

    @cached_property
    def value(self) -> object:
        """What the text stands for (`Grammar.value`); None without weight. Raises what the grammar's decoder raises."""
        return self.grammar.value(self.text) if self.log_weight > -math.inf else None


@dataclass(frozen=True)
class FaithfulResult:
    """Outputs whose weights make them a sample of the model's own distribution, conditioned on the grammar.

    log_evidence: the estimated logarithm of the probability that the model, left free, gives an output of the grammar within max_tokens;
    its exponential is unbiased for "asap", "smc" and "awrs". None for "mask".
    forward_passes: how often the model was asked for scores. tokens_read: tokens it was given, the prompt left out; more than its
    outputs hold where particles take turns on one sequence. checks: tokens tried one by one. masks: rows filled.
    """

    outputs: tuple[WeightedOutput, ...]
    method: Method
    log_evidence: float | None
    forward_passes: int
    tokens_read: int
    checks: int
    masks: int

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The outputs' shares, which sum to 1."""
        return shares([output.log_weight for output in self.outputs])

    @property
    def effective_size(self) -> float:
        """How many equally weighted outputs these are worth: from 1 to their number."""
        return float(1 / np.square(self.probabilities).sum())

    @takes(rng=or_none(instance(np.random.Generator)))
    def draw(self, rng: np.random.Generator | None = None) -> WeightedOutput:
        """One of the outputs, by their shares."""
        return self.outputs[int((rng or np.random.default_rng()).choice(len(self.outputs), p=self.probabilities))]


def shares(log_weights: list[float]) -> NDArray[np.float64]:
    """Weights over their sum. Raises SamplingError if all are zero."""
    logs = np.array(log_weights)
    if not logs.max() > -math.inf:
        raise SamplingError("particles", len(log_weights), "none of them came to an end within max_tokens; raise max_tokens or particles")
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def log_mean(log_weights: list[float]) -> float:
    """The logarithm of the mean weight."""
    highest = max(log_weights)
    if highest == -math.inf:
        return highest
    return highest + math.log(math.fsum(math.exp(weight - highest) for weight in log_weights) / len(log_weights))
