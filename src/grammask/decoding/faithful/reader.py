"""The model as a distribution over what follows any beginning of an output, and the beginnings themselves.

Rule: every look at the model goes through a `Reader`, which counts; a `Path` is a beginning together with its matcher.
Below: decoding.constraint, decoding.generate.  Above: tokens, independent, adaptive, particles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from grammask.decoding.constraint import Constraint
from grammask.decoding.faithful.options import FaithfulOptions
from grammask.decoding.generate import LanguageModel
from grammask.decoding.mask import allowed_ids
from grammask.decoding.matcher import Matcher
from grammask.errors import SamplingError

__all__ = ["Path", "Probabilities", "Reader"]

Probabilities = NDArray[np.float64]


class Reader:
    """Probabilities of the next token behind any beginning, by one sequence of a model or several.

    Of several sequences the one is asked that has read the most of a beginning, so that less is read twice; of
    equals the one that has read the least else.
    passes, tokens_read, checks, masks: as in `FaithfulResult`.
    """

    def __init__(self, models: Sequence[LanguageModel], prompt_token_ids: Sequence[int], constraint: Constraint, options: FaithfulOptions) -> None:
        self.options = options
        self.constraint = constraint
        self.end_ids = np.array(constraint.vocabulary.eos_ids, dtype=np.intp)
        self.passes = self.tokens_read = self.checks = self.masks = 0
        self._models = models
        self._read: list[list[int]] = [[] for _ in models]
        self._row = np.zeros(constraint.mask_words, dtype=np.uint32)
        for model in models:
            model.begin(list(prompt_token_ids))

    def probabilities(self, token_ids: Sequence[int]) -> Probabilities:
        """For each id of the vocabulary, how probable it is behind these tokens; ids above it (padding) keep their part of 1."""
        number = max(range(len(self._models)), key=lambda place: (_shared(self._read[place], token_ids), -len(self._read[place])))
        model, read = self._models[number], self._read[number]
        shared = _shared(read, token_ids)
        if shared < len(read):
            model.rewind(len(read) - shared)
        for token_id in token_ids[shared:]:
            model.accept(token_id)
        self._read[number] = list(token_ids)
        self.tokens_read += len(token_ids) - shared
        self.passes += 1
        return _softmax(model.logits(), self.options.temperature)[: len(self.constraint.vocabulary)]

    def legal_ids(self, path: Path) -> NDArray[np.intp]:
        """The ids that may follow; at the last place only those that end."""
        self.masks += 1
        path.matcher.fill_mask(self._row)
        ids = allowed_ids(self._row)
        return ids[np.isin(ids, self.end_ids)] if path.is_full else ids

    def is_legal(self, path: Path, token_id: int) -> bool:
        """Whether one token may follow."""
        self.checks += 1
        return path.matcher.accepts(token_id) and (not path.is_full or token_id in self.end_ids)


def _shared(read: Sequence[int], asked: Sequence[int]) -> int:
    """The length of the beginning that both have."""
    return next((place for place, (one, other) in enumerate(zip(read, asked, strict=False)) if one != other), min(len(read), len(asked)))


def _softmax(scores: NDArray[np.float32], temperature: float) -> Probabilities:
    values = np.asarray(scores, dtype=np.float64)
    highest = float(values.max())
    if not -math.inf < highest < math.inf:
        raise SamplingError("logits", highest, "a model's scores hold a finite one and no NaN and no plus infinity")
    weights = np.exp((values - highest) / temperature)
    return np.asarray(weights / weights.sum())


class Path:
    """A beginning of an output: its tokens, its matcher, the logarithm of its weight. Done with an end token, or when nothing can follow."""

    __slots__ = ("is_done", "log_weight", "matcher", "max_tokens", "token_ids")

    def __init__(self, matcher: Matcher, max_tokens: int) -> None:
        self.matcher, self.max_tokens = matcher, max_tokens
        self.token_ids: list[int] = []
        self.log_weight = 0.0
        self.is_done = False
        self._settle()

    def copy(self) -> Self:
        """The same beginning, to go on from separately."""
        made = self.__class__.__new__(self.__class__)
        made.matcher, made.max_tokens, made.is_done = self.matcher.copy(), self.max_tokens, self.is_done
        made.token_ids, made.log_weight = list(self.token_ids), self.log_weight
        return made

    @property
    def is_full(self) -> bool:
        """Whether only an end token is still within max_tokens."""
        return len(self.token_ids) >= self.max_tokens

    def take(self, token_id: int) -> None:
        """Go on with a token; an end token ends the path."""
        self.matcher.advance(token_id)
        if self.matcher.is_finished:
            self.is_done = True
        else:
            self.token_ids.append(token_id)
            self._settle()

    def _settle(self) -> None:
        """Without end tokens, an output ends where nothing may follow, or where max_tokens lets nothing follow."""
        if not self.matcher.vocabulary.eos_ids and self.matcher.is_complete and (self.is_full or not self.matcher.count()):
            self.is_done = True

    def die(self) -> None:
        """Give it up: it has no weight."""
        self.log_weight, self.is_done = -math.inf, True
