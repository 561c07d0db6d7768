"""Models over a few tokens whose outputs can be listed, so that their exact distribution given a grammar is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

import grammask
from grammask.vocabulary import Vocabulary

Probabilities = Callable[[tuple[int, ...]], Sequence[float]]


class TableModel:
    """A model given by a function from the tokens so far (the prompt left out) to the probabilities of the next one."""

    def __init__(self, vocabulary: Vocabulary, probabilities: Probabilities) -> None:
        self.vocabulary, self._probabilities, self._read = vocabulary, probabilities, []

    def begin(self, prompt_token_ids):
        self._read = []

    def logits(self):
        with np.errstate(divide="ignore"):
            return np.log(np.array(self._probabilities(tuple(self._read)), dtype=np.float64)).astype(np.float32)

    def accept(self, token_id):
        self._read.append(token_id)

    def rewind(self, n):
        del self._read[len(self._read) - n :]


@dataclass(frozen=True)
class World:
    """A model and a grammar. Token 0 to n - 2 are the letters from a on, the last one is the end."""

    name: str
    n_tokens: int
    probabilities: Probabilities
    constraint: grammask.Constraint
    max_tokens: int

    def model(self) -> TableModel:
        return TableModel(self.constraint.vocabulary, self.probabilities)


def world(name: str, n_tokens: int, pattern: str, probabilities: Probabilities, max_tokens: int) -> World:
    """A world whose grammar is a regex over the letters."""
    vocabulary = Vocabulary([*(bytes([97 + letter]) for letter in range(n_tokens - 1)), b""], eos_ids=[n_tokens - 1])
    return World(name, n_tokens, probabilities, grammask.compile(grammask.regex(pattern), vocabulary), max_tokens)


def random_probabilities(n_tokens: int, seed: int, sharpness: float) -> Probabilities:
    """Different at each beginning, and the same at each look."""

    @cache
    def at(token_ids: tuple[int, ...]) -> tuple[float, ...]:
        scores = np.random.default_rng([seed, *token_ids]).normal(size=n_tokens) * sharpness
        return tuple(np.exp(scores) / np.exp(scores).sum())

    return at


def _reluctant(token_ids: tuple[int, ...]) -> list[float]:
    """Begins with a (0.8), after which it hardly ever gives the c that must come; after b it nearly always does."""
    if not token_ids:
        return [0.8, 0.15, 0.03, 0.02]
    if token_ids[-1] == 2:
        return [0.1, 0.1, 0.1, 0.7]
    return [0.5, 0.4, 0.04, 0.06] if token_ids[0] == 0 else [0.05, 0.05, 0.85, 0.05]


BIASED = world("reluctant", 4, "ac|bc|acc|bcc", _reluctant, 3)
WORLDS = (
    world("loop", 4, "(a|b)*c", random_probabilities(4, 0, 1.2), 5),
    world("nested", 5, "a(b|c)*d|[bd]{1,4}|c[ab]{0,3}", random_probabilities(5, 11, 1.0), 5),
    world("counted", 4, "(ab|ba|cc){1,2}a?", random_probabilities(4, 11, 1.0), 5),
)


@cache
def exact(where: World) -> tuple[Mapping[tuple[int, ...], float], float]:
    """Every output of the grammar with its probability given the grammar, and the probability of the grammar; by listing all sequences."""
    end = where.n_tokens - 1
    found: dict[tuple[int, ...], float] = {}
    waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    for token_ids, probability in waiting:
        matcher = where.constraint.matcher()
        assert matcher.draft(token_ids) == len(token_ids)
        for token_id in token_ids:
            matcher.advance(token_id)
        following = where.probabilities(token_ids)
        if matcher.is_complete:
            found[token_ids] = probability * following[end]
        if len(token_ids) < where.max_tokens:
            waiting += [((*token_ids, token_id), probability * following[token_id]) for token_id in range(end) if matcher.accepts(token_id)]
    total = sum(found.values())
    return {token_ids: probability / total for token_ids, probability in found.items()}, total


def total_variation(one: Mapping[tuple[int, ...], float], other: Mapping[tuple[int, ...], float]) -> float:
    """Half the sum of differences: from 0 (equal) to 1 (nothing in common)."""
    return sum(abs(one.get(key, 0.0) - other.get(key, 0.0)) for key in {*one, *other}) / 2
