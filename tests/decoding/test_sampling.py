"""Drawing a token: what may come out, how often, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.decoding.sampling import Sampling, mass_removed, sample
from grammask.errors import GrammarStuck, MaskShapeError, SamplingError

from .worlds import law


def row_of(ids, size):
    """A row that allows exactly these ids of a vocabulary of so many."""
    bits = np.zeros(-(-size // 32) * 32, dtype=np.uint8)
    bits[list(ids)] = 1
    return np.packbits(bits, bitorder="little").view("<u4").astype(np.uint32)


class At(np.random.Generator):
    """A source of randomness that gives one number for ever."""

    def __init__(self, number):
        super().__init__(np.random.PCG64(0))
        self.number = number

    def random(self):
        return self.number


def expected_probabilities(logits, allowed, options):
    """The distribution by the definition, one token at a time, in plain Python: id -> probability."""
    left = sorted(allowed, key=lambda token_id: (-logits[token_id], token_id))
    highest = logits[left[0]]
    weight = {token_id: math.exp((logits[token_id] - highest) / options.temperature) for token_id in left}
    left = left[: options.top_k]
    if options.top_p is not None and options.top_p < 1:
        total, running, count = math.fsum(weight[token_id] for token_id in left), 0.0, 0
        while running < options.top_p * total * (1 - 1e-12) and count < len(left):
            running += weight[left[count]]
            count += 1
        left = left[:count]
    if options.min_p is not None:
        left = [token_id for token_id in left if weight[token_id] >= options.min_p * weight[left[0]]]
    total = math.fsum(weight[token_id] for token_id in left)
    return {token_id: weight[token_id] / total for token_id in left}


# Scores are multiples of 1/4, so that equal ones are common and no comparison hangs on rounding.
scores = st.lists(st.integers(-40, 40).map(lambda quarter: quarter / 4), min_size=1, max_size=70)
options = st.builds(
    Sampling,
    temperature=st.sampled_from([0.25, 0.7, 1.0, 2.0, 50.0]),
    top_k=st.none() | st.integers(1, 80),
    top_p=st.none() | st.sampled_from([0.03, 0.31, 0.77, 0.96, 1.0]),
    min_p=st.none() | st.sampled_from([0.0, 0.013, 0.37, 1.0]),
)


@law
@given(scores, st.data(), options)
def test_frequencies_are_those_of_the_definition(logits, data, chosen):
    """Over evenly spread randomness each token comes as often as mask, temperature, top-k, top-p and min-p together say."""
    allowed = data.draw(st.sets(st.integers(0, len(logits) - 1), min_size=1))
    steps = 100
    drawn = [
        sample(np.array(logits), row_of(allowed, len(logits)), chosen.temperature, chosen.top_k, chosen.top_p, chosen.min_p, At((step + 0.5) / steps))
        for step in range(steps)
    ]
    for token_id, probability in expected_probabilities(logits, allowed, chosen).items():
        assert abs(drawn.count(token_id) / steps - probability) <= 1 / steps + 1e-9
    assert set(drawn) <= allowed


@law
@given(scores, st.data())
def test_temperature_zero_takes_the_highest_score_and_the_lowest_id_of_equals(logits, data):
    """Greedy choice is the first highest among the allowed ids, whatever the other options say."""
    allowed = data.draw(st.sets(st.integers(0, len(logits) - 1), min_size=1))
    best = max(logits[token_id] for token_id in allowed)
    chosen = sample(np.array(logits, dtype=np.float32), row_of(allowed, len(logits)), 0, top_k=5, top_p=0.1, rng=At(0.99))
    assert chosen == min(token_id for token_id in allowed if logits[token_id] == best)


@law
@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-300, 1e-38, 1e-5, 1e-3, 1.0, 1e300]), st.sampled_from([np.float16, np.float32, np.float64]))
def test_any_temperature_and_type_of_score_gives_an_allowed_token(seed, temperature, dtype):
    """No temperature, however small or large, and no size of scores leads to NaN or out of the allowed set."""
    rng = np.random.default_rng(seed)
    logits = (rng.normal(size=3_000) * rng.choice([1e-3, 1.0, 1e4])).astype(dtype)
    logits[rng.random(3_000) < 0.2] = -np.inf
    allowed = np.flatnonzero((rng.random(3_000) < rng.choice([0.01, 0.9])) & (logits > -np.inf))
    token_id = sample(logits, row_of(allowed, 3_000), temperature, rng=rng)
    assert token_id in allowed
    if temperature <= 1e-38:
        assert logits[token_id] == logits[allowed].max()


@pytest.mark.parametrize("uniform", [0.0, 0.5, 1 - 2**-53], ids=["lowest", "middle", "highest"])
@pytest.mark.parametrize("size", [3, 511, 512, 513, 20_000])
def test_the_ends_of_the_random_range_draw_tokens_with_weight(size, uniform):
    """The first and the last random number give a token of positive probability, also over several blocks of weights."""
    logits = np.full(size, -np.inf, dtype=np.float32)
    logits[[1, size - 2]] = [2.0, 2.5]
    assert sample(logits, row_of(range(size), size), rng=At(uniform)) in (1, size - 2)


def test_the_nucleus_is_found_beyond_the_first_tries():
    """A nucleus of thousands of equally probable tokens is exact: so many are kept, those with the lowest ids."""
    logits, row = np.zeros(50_000, dtype=np.float32), row_of(range(50_000), 50_000)
    for wanted in (0, 1, 511, 512, 2_500, 4_999):
        assert sample(logits, row, top_p=0.1, rng=At((wanted + 0.5) / 5_000)) == wanted


def test_draws_repeat_with_the_seed():
    """The same seed gives the same draws."""
    logits, row = np.random.default_rng(3).normal(size=500), row_of(range(0, 500, 3), 500)
    draws = [[sample(logits, row, rng=rng) for _ in range(50)] for rng in (np.random.default_rng(5), np.random.default_rng(5))]
    assert draws[0] == draws[1]
    assert len(set(draws[0])) > 10


def test_without_a_source_of_randomness_draws_differ():
    """rng=None does not start over at each call."""
    logits, row = np.zeros(1_000), row_of(range(1_000), 1_000)
    assert len({sample(logits, row) for _ in range(20)}) > 1


def test_scores_are_not_changed():
    """Sampling reads the scores and leaves them as they are."""
    logits = np.random.default_rng(3).normal(size=500)
    before = logits.copy()
    sample(logits, row_of(range(0, 500, 2), 500), 0.7, 20, 0.9, 0.1)
    assert (logits == before).all()


@pytest.mark.parametrize("temperature", [0, 1.0])
def test_an_empty_mask_raises_and_never_gives_token_zero(temperature):
    """Where nothing is allowed there is no token: GrammarStuck, greedy or not."""
    with pytest.raises(GrammarStuck):
        sample(np.zeros(40), row_of([], 40), temperature)


@pytest.mark.parametrize("temperature", [0, 1.0])
def test_padding_ids_are_never_drawn(temperature):
    """Scores beyond the row stand for no token, however high they are, and whatever they hold."""
    logits = np.zeros(100, dtype=np.float32)
    logits[64:] = [1e9] * 12 + [np.nan] * 12 + [np.inf] * 12
    assert sample(logits, row_of([2, 50], 64), temperature) in (2, 50)


@pytest.mark.parametrize("temperature", [0, 1.0])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_broken_scores_raise(bad, temperature):
    """NaN and plus infinity mean a broken model, on a forbidden token too, and name the token."""
    logits = np.zeros(40)
    logits[33] = bad
    with pytest.raises(SamplingError, match="token 33"):
        sample(logits, row_of([0, 1], 40), temperature)


@pytest.mark.parametrize("temperature", [0, 1.0])
def test_allowed_tokens_that_the_model_rules_out_raise(temperature):
    """If every allowed token has the score minus infinity there is nothing to draw by: an error, not the first id."""
    logits = np.zeros(40)
    logits[[3, 4]] = -np.inf
    with pytest.raises(SamplingError, match="rules out"):
        sample(logits, row_of([3, 4], 40), temperature)
    with pytest.raises(SamplingError, match="rules out"):
        sample(np.full(40, -np.inf), row_of([3, 4], 40), temperature)


@pytest.mark.parametrize(
    "changed",
    [
        {"temperature": -0.1}, {"temperature": math.nan}, {"temperature": math.inf}, {"temperature": "1"}, {"temperature": None},
        {"top_k": 0}, {"top_k": -1}, {"top_k": 1.5}, {"top_p": 0.0}, {"top_p": 1.01}, {"top_p": math.nan}, {"min_p": -0.1}, {"min_p": 1.1},
    ],
    ids=str,
)  # fmt: skip
def test_options_out_of_range_raise(changed):
    """An option out of range is a SamplingError that names it."""
    (name,) = changed
    with pytest.raises(SamplingError) as caught:
        sample(np.zeros(4), row_of([0], 4), **changed)
    assert caught.value.option == name


@pytest.mark.parametrize(
    "logits", [np.zeros((1, 4)), np.zeros(4, dtype=np.int64), np.zeros(0), [["a"]], None], ids=["2-d", "integers", "empty", "texts", "none"]
)
def test_scores_of_another_shape_or_type_raise(logits):
    """Scores are floats of shape (V,), or a SamplingError."""
    with pytest.raises(SamplingError):
        sample(logits, row_of([0], 4))


def test_rows_for_a_larger_vocabulary_raise():
    """A row that allows ids without a score is a MaskShapeError; one that has room for them but does not is fine."""
    with pytest.raises(MaskShapeError):
        sample(np.zeros(40), row_of([50], 64))
    with pytest.raises(MaskShapeError):
        sample(np.zeros(40), row_of([3], 96))
    assert sample(np.zeros(40), row_of([3], 64)) == 3


@law
@given(scores, st.data())
def test_mass_removed_is_the_probability_of_the_forbidden(logits, data):
    """What the mask takes away is the softmax over all scores, summed over the forbidden ids."""
    allowed = data.draw(st.sets(st.integers(0, len(logits) - 1)))
    weights = np.exp(np.array(logits) - max(logits))
    forbidden = [token_id for token_id in range(len(logits)) if token_id not in allowed]
    assert mass_removed(np.array(logits), row_of(allowed, len(logits))) == pytest.approx(weights[forbidden].sum() / weights.sum(), abs=1e-6)
