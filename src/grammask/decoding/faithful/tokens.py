"""Drawing the next token with a weight: by a mask, or by checking few tokens.

Rule: with p the model's probabilities and L the legal tokens, a draw of token t with weight w has E[w; t] = p(t) for t in L, and is never
outside L.  Above: adaptive, particles.
Source: Lipkin et al. 2025 for drawing without replacement; the estimate of the weight is worked out below.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammask.decoding.faithful.reader import Probabilities

__all__ = ["Drawn", "by_checks", "by_mask", "place_of"]


class Drawn(NamedTuple):
    """A token and the logarithm of its weight; None and minus infinity where no legal token has any probability."""

    token_id: int | None
    log_weight: float


NOTHING = Drawn(None, -math.inf)


def place_of(weights: Probabilities, rng: np.random.Generator) -> int:
    """A place drawn by weights that need not sum to 1; one of them is above zero."""
    sums = weights.cumsum()
    place = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
    return place if place < sums.size else int(np.flatnonzero(weights)[-1])


def by_mask(probabilities: Probabilities, legal_ids: NDArray[np.intp], rng: np.random.Generator) -> Drawn:
    """A legal token by its probability; the weight is the probability of all legal ones together."""
    legal = probabilities[legal_ids]
    total = float(legal.sum())
    return Drawn(int(legal_ids[place_of(legal, rng)]), math.log(total)) if total > 0 else NOTHING


def by_checks(
    probabilities: Probabilities,
    is_legal: Callable[[int], bool],
    legal_ids: Callable[[], NDArray[np.intp]],
    rng: np.random.Generator,
    max_rejections: int,
) -> Drawn:
    """A legal token by its probability, with an unbiased estimate of the probability of all legal ones, from two legal draws.

    Tokens are drawn from those not refused yet until two were legal (they may be the same). The first is the token. Let M_0, M_1, ...,
    M_k be the probability that was left after 0, 1, ..., k refusals, k being their number at the end. Given the order of the refusals,
    the first legal token came after a of them with probability proportional to 1 / M_a. Whether the first draw of all was legal, times
    M_0, is an unbiased estimate of the legal probability Z; so is its mean given the refusals: 1 / (1/M_0 + ... + 1/M_k). It is never
    zero, and does not depend on which legal tokens were drawn.
    After `max_rejections` a mask tells Z. By then at most one draw was legal, and the mean is Z / (1 + Z (1/M_0 + ... + 1/M_(k-1))).
    """
    left = probabilities.copy()
    mass = float(left.sum())
    chosen: int | None = None
    spent, verdicts = 0.0, dict[int, bool]()  # spent: the sum of 1/M but for the last
    while len(verdicts) - (chosen is not None) < max_rejections and mass > 0:
        token_id = place_of(left, rng)
        if token_id not in verdicts:
            verdicts[token_id] = is_legal(token_id)
        if verdicts[token_id]:
            if chosen is not None:
                return Drawn(chosen, -math.log(spent + 1 / mass))
            chosen = token_id
        else:
            spent += 1 / mass
            left[token_id] = 0
            mass = float(left.sum())
    if mass <= 0:
        return NOTHING
    return _by_mask_after_all(probabilities, legal_ids(), rng, chosen, spent)


def _by_mask_after_all(probabilities: Probabilities, legal_ids: NDArray[np.intp], rng: np.random.Generator, chosen: int | None, spent: float) -> Drawn:
    token_id, log_total = by_mask(probabilities, legal_ids, rng)
    if token_id is None:
        return NOTHING
    return Drawn(token_id if chosen is None else chosen, log_total - math.log1p(math.exp(log_total) * spent))
