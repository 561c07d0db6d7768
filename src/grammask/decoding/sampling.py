"""Drawing one token from a model's scores under a mask row.

Rule: an id that the row forbids is never drawn, whatever the scores; where nothing can be drawn that is an error, never token 0.
Order: mask, temperature, top_k, top_p, min_p; each works on what the one before it left.
Below: mask.  Above: generate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, NoReturn, overload

import numpy as np
from numpy.typing import NDArray

from grammask.arguments import instance, is_whole, or_none, takes
from grammask.decoding.mask import Words, allowed_ids, apply_mask, is_sparse, row_words
from grammask.errors import GrammarStuck, SamplingError

__all__ = ["Sampling", "draw", "is_number", "logprobs_of", "mass_removed", "sample"]

Floats = NDArray[np.floating[Any]]
Places = NDArray[np.intp]  # indices into another array

# Quotients by less than this may leave the range of single precision, so they are taken in double.
_COOL = 1e-3
# Sign, exponent and, in single precision, three bits of the fraction: eight bins for each factor of two.
_BIN_BITS = 12
# Weights are summed up by blocks, and one by one only in the block that is drawn: summing all of them up costs 1 ms.
_BLOCK = 512
# Blocks of fewer values than this are too many to be a short cut.
_NARROWEST_BLOCK = 8


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a token is chosen among the allowed ones.

    temperature: divides the scores; 0 takes the highest, of equal ones the lowest id, whatever stands below.
    top_k: keep the k most probable. top_p: keep the fewest of the most probable that together have at least this probability.
    min_p: keep those at least this times as probable as the most probable. None keeps all; of equals the lowest ids stay.
    Raises SamplingError for values out of range.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None

    def __post_init__(self) -> None:
        if not (is_number(self.temperature) and 0 <= self.temperature < math.inf):
            raise SamplingError("temperature", self.temperature, "give a finite number from 0 up; 0 takes the highest score")
        if self.top_k is not None and not (is_whole(self.top_k) and self.top_k >= 1):
            raise SamplingError("top_k", self.top_k, "give a whole number from 1 up, or None for no bound")
        if self.top_p is not None and not (is_number(self.top_p) and 0 < self.top_p <= 1):
            raise SamplingError("top_p", self.top_p, "give a number above 0 and up to 1, or None for no bound")
        if self.min_p is not None and not (is_number(self.min_p) and 0 <= self.min_p <= 1):
            raise SamplingError("min_p", self.min_p, "give a number from 0 to 1, or None for no bound")


def is_number(value: object) -> bool:
    """Whether a value counts as a real number, numpy's included."""
    return isinstance(value, Real)


@takes(rng=or_none(instance(np.random.Generator)))
def sample(
    logits: Any,
    row: Any,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
    rng: np.random.Generator | None = None,
) -> int:
    """Draw the id of one token that `row` allows; see `Sampling` for the options.

    logits: shape (V,), floats, not changed; V may exceed the vocabulary: padding ids are forbidden. row: as `fill_mask` fills it.
    rng: where the randomness comes from, numpy.random.default_rng(seed); None uses one of the operating system's seeding.
    Raises GrammarStuck if the row allows nothing; SamplingError for NaN, for plus infinity, for minus infinity on every allowed
    token, and for options out of range; MaskShapeError if row and logits do not fit.
    Cost for 128,000 tokens: 30 us if few are allowed, 0.5 ms if many are; greedily 10 to 150 us.
    """
    return draw(logits, row, Sampling(temperature, top_k, top_p, min_p), rng)


_RANDOM = np.random.default_rng()


def draw(logits: Any, row: Any, sampling: Sampling, rng: np.random.Generator | None = None) -> int:
    """As `sample`, with the options as one object that is checked already."""
    scores = _scores(logits)
    words = row_words(row, scores.size)
    scores = scores[: words.size * 32]
    highest = _highest(scores)
    if sampling.temperature == 0 and scores[highest] > -math.inf and int(words[highest >> 5]) >> (highest & 31) & 1:
        return highest
    ids, kept = _allowed_scores(scores, words)
    best = int(kept.argmax()) if kept.size else 0
    if not kept.size or not kept[best] > -math.inf:
        _raise_nothing_to_draw(words)
    if sampling.temperature == 0:
        return int(ids[best])
    places, weights = _candidates(kept, float(kept[best]), sampling)
    return int(ids[places[_drawn(weights, (rng or _RANDOM).random())]])


def _allowed_scores(scores: Floats, words: Words) -> tuple[Places | _Itself, Floats]:
    """Allowed ids and their scores; where many are allowed, all ids, with minus infinity for the others, which costs less than listing them."""
    if is_sparse(words):
        ids = allowed_ids(words)
        return ids, scores[ids]
    masked = scores.copy()
    apply_mask(masked, words)
    return _ITSELF, masked


def _raise_nothing_to_draw(words: Words) -> NoReturn:
    n_allowed = allowed_ids(words).size
    if not n_allowed:
        raise GrammarStuck
    raise SamplingError("logits", "minus infinity", f"the model rules out each of the {n_allowed} allowed tokens")


class _Itself:
    """The list 0, 1, 2, ... of any length."""

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: Places) -> Places: ...
    def __getitem__(self, place: int | Places) -> int | Places:
        return place


_ITSELF = _Itself()


def _scores(logits: Any) -> Floats:
    scores = np.asarray(logits)
    if scores.dtype.kind != "f" or scores.ndim != 1 or not scores.size:
        raise SamplingError("logits", scores.shape, f"scores are floats of shape (V,), got {scores.dtype}")
    return scores


def _highest(scores: Floats) -> int:
    """The place of the highest score; raises SamplingError for NaN and plus infinity, which are the highest by numpy's order."""
    highest = int(scores.argmax())
    if not scores[highest] < math.inf:
        raise SamplingError("logits", float(scores[highest]), f"token {highest} has this score; the model or its engine is broken")
    return highest


def _candidates(kept: Floats, highest: float, sampling: Sampling) -> tuple[Places | _Itself, Floats]:
    """What may be drawn: places in `kept`, and their probabilities but for a common factor."""
    places: Places | _Itself = _ITSELF
    if sampling.top_k is not None and sampling.top_k < kept.size:
        places = _largest(kept, sampling.top_k)
        kept = kept[places]
    weights = _weights(kept, highest, sampling.temperature)
    if sampling.top_p is not None and sampling.top_p < 1:
        nucleus = _nucleus(weights, sampling.top_p)
        places, weights = places[nucleus], weights[nucleus]
    if sampling.min_p:
        probable = np.flatnonzero(weights >= sampling.min_p * weights.max())
        places, weights = places[probable], weights[probable]
    return places, weights


def _weights(kept: Floats, highest: float, temperature: float) -> Floats:
    """exp(score / temperature) over that of the highest score: one of them is 1, so their sum is neither zero nor infinite.

    Worked out in place if the precision allows, for a fresh array of this size costs as much as the work; `kept` is spent then.
    """
    precision = np.dtype(np.float64 if temperature < _COOL or kept.dtype == np.float64 else np.float32)
    weights: Floats = kept.astype(precision, copy=False)
    with np.errstate(over="ignore", under="ignore"):
        weights -= precision.type(highest)
        if temperature != 1:
            weights /= precision.type(temperature)
        np.exp(weights, out=weights)
    return weights


def _largest(values: Floats, count: int) -> Places:
    """The places of the `count` largest values, largest first, of equal ones the lowest place first."""
    places = np.flatnonzero(values >= _bound_on_largest(values, count))
    among = values[places]
    if count < among.size:
        least = np.partition(among, among.size - count)[among.size - count]
        above = np.flatnonzero(among > least)
        chosen = np.concatenate((above, np.flatnonzero(among == least)[: count - above.size]))
        places, among = places[chosen], among[chosen]
    return places[np.argsort(-among, kind="stable")]


def _bound_on_largest(values: Floats, count: int) -> float:
    """A value that at least `count` values reach, and not many more if they differ: that of the block whose maximum comes in `count`th place.

    Partitioning all of 128,000 values takes 0.2 ms, and 2 ms where most of them are equal; the maxima of blocks take 30 us.
    """
    width = values.size // (2 * count)
    if width < _NARROWEST_BLOCK:
        return -math.inf
    maxima = values[: values.size // width * width].reshape(-1, width).max(axis=1)
    return float(np.partition(maxima, maxima.size - count)[maxima.size - count])


def _nucleus(weights: Floats, top_p: float) -> Places:
    """The places of the fewest of the largest weights that sum to `top_p` of all; of equal ones the lowest places."""
    total = float(weights.sum(dtype=np.float64))
    # All weights below this together are less than what may be left out, so none of them is in the nucleus.
    places = np.flatnonzero(weights >= (1 - top_p) * total / weights.size)
    among = weights[places]
    bins = _bins(among)
    sums = np.bincount(bins, weights=among)[::-1].cumsum()  # of all weights in the last bin, in the last two, ...
    n_whole = int(np.searchsorted(sums, top_p * total))  # bins that are needed as a whole
    border = sums.size - 1 - n_whole
    at_border = np.flatnonzero(bins == border)
    at_border = at_border[np.argsort(-among[at_border], kind="stable")]
    missing = top_p * total - (float(sums[n_whole - 1]) if n_whole else 0.0)
    n_more = int(np.searchsorted(among[at_border].cumsum(dtype=np.float64), missing)) + 1
    return places[np.concatenate((np.flatnonzero(bins > border), at_border[:n_more]))]


def _bins(weights: Floats) -> Places:
    """A number for each weight that never falls as weights rise: floats from 0 up are ordered as their bit patterns are."""
    return (weights.view(f"u{weights.itemsize}") >> (8 * weights.itemsize - _BIN_BITS)).astype(np.intp)


def _drawn(weights: Floats, uniform: float) -> int:
    """The place at which the running sum of the weights passes `uniform` (from 0 up to 1) of their total."""
    if weights.size <= _BLOCK:
        return _passed(weights, uniform * float(weights.sum(dtype=np.float64)))[0]
    blocks = np.add.reduceat(weights, np.arange(0, weights.size, _BLOCK), dtype=np.float64)
    block, rest = _passed(blocks, uniform * float(blocks.sum()))
    place, _ = _passed(weights[block * _BLOCK : (block + 1) * _BLOCK], rest)
    return block * _BLOCK + place


def _passed(weights: Floats, level: float) -> tuple[int, float]:
    """The place at which the running sum first exceeds `level`, and what of the level is left there. Its weight is never zero."""
    sums = weights.cumsum(dtype=np.float64)
    place = int(np.searchsorted(sums, level, side="right"))
    if place == sums.size:  # the level is the whole sum but for rounding
        place = int(np.flatnonzero(weights)[-1])
    return place, level - (float(sums[place - 1]) if place else 0.0)


def mass_removed(logits: Any, row: Any) -> float:
    """The probability that the model gave, at temperature 1, to the tokens that the row forbids: from 0 to 1.

    Ids without a bit in the row are padding and count as removed. Raises as `sample` does. Cost for 128,000 tokens: about 0.3 ms.
    """
    scores = _scores(logits)
    ids = allowed_ids(row_words(row, scores.size))
    highest = float(scores[_highest(scores)])
    if highest == -math.inf:
        return 0.0
    weights = _weights(scores.copy(), highest, 1.0)
    return 1.0 - float(weights[ids].sum(dtype=np.float64)) / float(weights.sum(dtype=np.float64))


def logprobs_of(logits: Any, row: Any, token_id: int) -> tuple[float, float]:
    """The natural logarithm of a token's probability at temperature 1: of all tokens, and of those that the row allows alone.

    Minus infinity for a token that the model rules out. Raises as `sample` does. Cost for 128,000 tokens: about 0.3 ms.
    """
    scores = _scores(logits)
    ids = allowed_ids(row_words(row, scores.size))
    highest = float(scores[_highest(scores)])
    weights = _weights(scores.copy(), highest, 1.0)
    own = float(scores[token_id]) - highest
    of_all, of_allowed = (float(part.sum(dtype=np.float64)) for part in (weights, weights[ids]))
    return min(0.0, own - math.log(of_all)), min(0.0, own - math.log(of_allowed)) if of_allowed else -math.inf
