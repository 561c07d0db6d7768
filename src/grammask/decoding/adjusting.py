"""Changes to a model's scores before a token is drawn: penalties for repetition, biases, a least length.

Rule: the model's scores are never written to; what is measured (mass removed, logprobs) is measured before.
Below: sampling.  Above: generate.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from grammask.arguments import check_fields, flag, is_whole
from grammask.decoding.sampling import is_number
from grammask.errors import SamplingError, TokenOutOfRange
from grammask.vocabulary import Vocabulary

__all__ = ["Adjuster", "Adjustments"]


@dataclass(frozen=True, slots=True)
class Adjustments:
    """What to do to the scores, in this order.

    repetition_penalty: divides the positive scores of tokens in prompt and output, multiplies the negative ones; 1 does nothing.
    presence_penalty: taken off the score of each token of the output; frequency_penalty: that for each time it is there.
    logit_bias: token id -> what to add; minus infinity rules a token out.
    min_tokens: no end token before so many tokens of output, unless the grammar allows nothing else.
    warn: under a grammar, penalties fall on brackets, quotes and commas, which have to repeat; say so by a warning.
    Raises SamplingError for values out of range.
    """

    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    min_tokens: int = 0
    warn: bool = True

    def __post_init__(self) -> None:
        check_fields(self, warn=flag)
        if not (is_number(self.repetition_penalty) and 0 < self.repetition_penalty < math.inf):
            raise SamplingError("repetition_penalty", self.repetition_penalty, "give a finite number above 0; 1 does nothing")
        for name in ("presence_penalty", "frequency_penalty"):
            value = getattr(self, name)
            if not (is_number(value) and math.isfinite(value)):
                raise SamplingError(name, value, "give a finite number; 0 does nothing")
        if not _are_biases(self.logit_bias):
            raise SamplingError("logit_bias", self.logit_bias, "give a mapping from token ids to finite numbers, or minus infinity to rule a token out")
        if not (is_whole(self.min_tokens) and self.min_tokens >= 0):
            raise SamplingError("min_tokens", self.min_tokens, "give a whole number from 0 up")

    @property
    def penalises(self) -> bool:
        """Whether tokens are penalised for having been there."""
        return self.repetition_penalty != 1 or self.presence_penalty != 0 or self.frequency_penalty != 0


def _are_biases(biases: object) -> bool:
    return isinstance(biases, Mapping) and all(is_whole(token_id) and is_number(bias) and -math.inf <= bias < math.inf for token_id, bias in biases.items())


class Adjuster:
    """The adjustments at work on one output. Raises TokenOutOfRange for a bias on an id that the vocabulary does not have."""

    def __init__(self, adjustments: Adjustments, vocabulary: Vocabulary, prompt_token_ids: Sequence[int]) -> None:
        for token_id in adjustments.logit_bias:
            if not 0 <= token_id < len(vocabulary):
                raise TokenOutOfRange(token_id, len(vocabulary))
        self._wanted = adjustments
        self._biased = np.array(list(adjustments.logit_bias), dtype=np.intp)
        self._biases = np.array(list(adjustments.logit_bias.values()), dtype=np.float64)
        self._end_ids = np.array(vocabulary.eos_ids, dtype=np.intp)
        self._counts: Counter[int] = Counter()
        self._prompt = set(prompt_token_ids)
        self._counted = 0

    def adjusted(self, scores: NDArray[np.float32], token_ids: Sequence[int]) -> NDArray[np.float32]:
        """Fresh scores for the token behind these ones of the output. Cost: a copy, and that of a look at each token that was used."""
        self._counts.update(token_ids[self._counted :])
        self._counted = len(token_ids)
        fresh = np.array(scores)
        if self._wanted.repetition_penalty != 1:
            seen = np.array(sorted(self._prompt | self._counts.keys()), dtype=np.intp)
            fresh[seen] = np.where(fresh[seen] > 0, fresh[seen] / self._wanted.repetition_penalty, fresh[seen] * self._wanted.repetition_penalty)
        if self._counts:
            used = np.array(list(self._counts), dtype=np.intp)
            fresh[used] -= self._wanted.presence_penalty + self._wanted.frequency_penalty * np.array(list(self._counts.values()))
        fresh[self._biased] += self._biases
        if len(token_ids) < self._wanted.min_tokens:
            fresh[self._end_ids] = -math.inf
        return fresh
