"""Outputs drawn side by side, weighted by what the grammar took from each, and drawn anew when few of them carry the weight.

Rule: before and after each step, the weighted particles stand for the model's beginnings that can still become outputs of the grammar.
Below: reader, tokens.  Above: sampler.
Source: Loula et al. 2025; systematic resampling by effective size as in Doucet & Johansen 2011; the estimate of the evidence is unbiased.
"""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from grammask.decoding.faithful.outputs import log_mean, shares
from grammask.decoding.faithful.reader import Path, Probabilities, Reader
from grammask.decoding.faithful.tokens import Drawn, by_checks, by_mask

__all__ = ["particles"]


def particles(reader: Reader, start: Path, rng: np.random.Generator) -> tuple[list[Path], float]:
    """The particles, each at its end, and the estimated logarithm of the probability of the language.

    Cost: one pass for each different beginning at each step.
    """
    paths = [start.copy() for _ in range(reader.options.particles)]
    log_evidence = 0.0
    while any(not path.is_done for path in paths):
        for group in _alike(paths):
            probabilities = reader.probabilities(group[0].token_ids)
            for path in group:
                _extend(path, _draw(reader, path, probabilities, rng))
        gained = log_mean([path.log_weight for path in paths])
        if gained == -math.inf:
            break
        if _is_uneven(paths, reader.options.resample_below):
            log_evidence += gained
            paths = _resampled(paths, rng)
    return paths, log_evidence + log_mean([path.log_weight for path in paths])


def _alike(paths: list[Path]) -> list[list[Path]]:
    """The particles under way, those with the same tokens together, in the order of their tokens, so that neighbours share beginnings."""
    groups: dict[tuple[int, ...], list[Path]] = defaultdict(list)
    for path in paths:
        if not path.is_done:
            groups[tuple(path.token_ids)].append(path)
    return [groups[key] for key in sorted(groups)]


def _draw(reader: Reader, path: Path, probabilities: Probabilities, rng: np.random.Generator) -> Drawn:
    if reader.options.method == "smc":
        return by_mask(probabilities, reader.legal_ids(path), rng)
    return by_checks(probabilities, lambda token_id: reader.is_legal(path, token_id), lambda: reader.legal_ids(path), rng, reader.options.max_rejections)


def _extend(path: Path, drawn: Drawn) -> None:
    if drawn.token_id is None:
        path.die()
    else:
        path.log_weight += drawn.log_weight
        path.take(drawn.token_id)


def _is_uneven(paths: list[Path], resample_below: float) -> bool:
    effective = 1 / float(np.square(shares([path.log_weight for path in paths])).sum())
    return effective < resample_below * len(paths)


def _resampled(paths: list[Path], rng: np.random.Generator) -> list[Path]:
    """As many particles of equal weight: copy i of n is the one at which the running sum of shares passes (i + u) / n, with one u for all."""
    n = len(paths)
    sums = shares([path.log_weight for path in paths]).cumsum()
    places = np.searchsorted(sums, (np.arange(n) + rng.random()) / n * sums[-1], side="right")
    drawn = [paths[min(int(place), n - 1)].copy() for place in places]
    for path in drawn:
        path.log_weight = 0.0
    return drawn
