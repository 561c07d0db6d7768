"""Faithful sampling: weighted outputs are distributed as the model's own outputs, given that they obey the grammar."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import grammask
from grammask import FaithfulOptions
from grammask.decoding.faithful.tokens import by_checks
from grammask.errors import BudgetError, PromptError, SamplingError, VocabularyError
from grammask.vocabulary import Vocabulary

from .faithful_worlds import BIASED, WORLDS, TableModel, World, exact, total_variation

METHODS = ("mask", "rejection", "asap", "smc", "awrs")


def sampled(world: World, method: str, runs: int, **options):
    """The mean of the outputs' shares over many runs, and of the evidence, and of the forward passes."""
    shares: Counter[tuple[int, ...]] = Counter()
    evidence, passes = [], []
    for seed in range(runs):
        result = grammask.sample_faithfully(world.model(), [0], world.constraint, FaithfulOptions(method, max_tokens=world.max_tokens, seed=seed, **options))
        for output, share in zip(result.outputs, result.probabilities, strict=True):
            shares[output.token_ids] += float(share) / runs
        passes.append(result.forward_passes)
        evidence.append(0.0 if result.log_evidence is None else math.exp(result.log_evidence))
    return shares, float(np.mean(evidence)), float(np.mean(passes))


def test_masking_is_off_by_more_than_three_tenths_and_the_others_are_not():
    """Where the model likes a beginning that it can only end in an unlikely way, a mask is far off for ever; weights put it right."""
    truth, _ = exact(BIASED)
    distances = {method: total_variation(sampled(BIASED, method, 10, particles=64)[0], truth) for method in METHODS}
    assert distances.pop("mask") > 0.3
    assert max(distances.values()) < 0.1


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
@pytest.mark.parametrize("method", ["rejection", "asap", "smc", "awrs"])
def test_weighted_outputs_have_the_exact_conditional_distribution(method, world):
    """The total-variation distance to the distribution worked out by enumeration falls to what the number of draws explains."""
    truth, _ = exact(world)
    shares, _, _ = sampled(world, method, 12, particles=64)
    assert total_variation(shares, truth) < 0.12


@pytest.mark.parametrize("method", ["rejection", "asap", "smc", "awrs"])
def test_the_evidence_is_the_probability_of_the_language(method):
    """The mean estimate is the probability that the free model's output obeys the grammar."""
    _, evidence = exact(BIASED)
    _, estimated, _ = sampled(BIASED, method, 15, particles=32)
    assert estimated == pytest.approx(evidence, rel=0.2)


@pytest.mark.parametrize("method", ["asap", "smc", "awrs"])
def test_more_particles_come_closer(method):
    """A draw from few particles is biased towards what masks give; from many it is not."""
    truth, _ = exact(BIASED)
    few, many = (total_variation(sampled(BIASED, method, 200 // n, particles=n)[0], truth) for n in (1, 50))
    assert many < few - 0.2


@pytest.mark.parametrize("method", METHODS)
def test_every_method_repeats_with_its_seed(method):
    """The same seed gives the same outputs and weights."""
    world = WORLDS[0]
    options = FaithfulOptions(method, particles=8, max_tokens=world.max_tokens, seed=5)
    first, second = (grammask.sample_faithfully(world.model(), [0], world.constraint, options) for _ in range(2))
    assert first.outputs == second.outputs


@pytest.mark.parametrize("method", METHODS)
def test_outputs_obey_the_grammar_and_fit_the_budget(method):
    """An output with weight is whole, within max_tokens; one without says so and has no value."""
    world = WORLDS[1]
    result = grammask.sample_faithfully(world.model(), [0], world.constraint, FaithfulOptions(method, max_tokens=world.max_tokens, seed=1))
    for output in result.outputs:
        assert len(output.token_ids) <= world.max_tokens
        assert (output.token_ids in exact(world)[0]) == (output.log_weight > -math.inf) == (output.value is not None)
    assert result.probabilities.sum() == pytest.approx(1)
    assert 1 <= result.effective_size <= len(result.outputs)
    assert result.draw(np.random.default_rng(0)).log_weight > -math.inf


@pytest.mark.parametrize("limit", [1, 2, 64])
def test_a_token_drawn_by_checks_is_weighted_without_bias(limit):
    """However soon the mask takes over, the mean of weight on each token is the model's probability for it if it is legal, else 0."""
    probabilities = np.array([0.4, 0.05, 0.2, 0.25, 0.06, 0.02])  # the rest to 1 is padding
    legal = {1, 3, 5}
    rng = np.random.default_rng(7)
    sums = np.zeros(6)
    draws = 10_000
    for _ in range(draws):
        token_id, log_weight = by_checks(probabilities, legal.__contains__, lambda: np.array(sorted(legal)), rng, limit)
        sums[token_id] += math.exp(log_weight)
    assert sums / draws == pytest.approx([0, 0.05, 0, 0.25, 0, 0.02], abs=0.01)


def test_a_place_where_the_model_rules_out_all_that_is_legal_has_no_weight():
    """A particle that cannot go on dies, and if all do, it is an error that says so."""
    assert by_checks(np.array([1.0, 0.0]), lambda token_id: token_id == 1, lambda: np.array([1]), np.random.default_rng(0), 64) == (None, -math.inf)
    vocabulary = Vocabulary([b"a", b"b", b""], eos_ids=[2])
    constraint = grammask.compile(grammask.choice(["b"]), vocabulary)
    model = TableModel(vocabulary, lambda ids: [1.0, 0.0, 0.0])
    for method in ("rejection", "asap"):
        with pytest.raises(SamplingError, match="max_forward_passes"):
            grammask.sample_faithfully(model, [0], constraint, FaithfulOptions(method, max_forward_passes=50))
    for method in ("smc", "awrs"):
        result = grammask.sample_faithfully(model, [0], constraint, FaithfulOptions(method))
        assert result.log_evidence == -math.inf
        with pytest.raises(SamplingError, match="particles"):
            result.draw()


def test_checks_take_the_place_of_masks():
    """The method by checks fills no mask where few tokens are refused, and the one by masks checks nothing."""
    world = WORLDS[0]
    results = {
        method: grammask.sample_faithfully(world.model(), [0], world.constraint, FaithfulOptions(method, max_tokens=world.max_tokens, seed=2))
        for method in METHODS
    }
    assert (results["awrs"].masks, results["smc"].checks) == (0, 0)
    assert results["awrs"].checks
    assert results["smc"].masks


def test_several_sequences_spare_reading_twice():
    """With a sequence for each particle, beginnings are not read again and again; the outputs are the same."""
    world = WORLDS[1]
    options = FaithfulOptions("smc", particles=6, max_tokens=world.max_tokens, seed=3)
    alone = grammask.sample_faithfully(world.model(), [0], world.constraint, options)
    several = grammask.sample_faithfully([world.model() for _ in range(6)], [0], world.constraint, options)
    assert several.outputs == alone.outputs
    assert several.forward_passes == alone.forward_passes
    assert several.tokens_read < alone.tokens_read


def test_without_end_tokens_an_output_ends_where_nothing_may_follow():
    """A vocabulary without an end serves grammars that end by themselves."""
    vocabulary = Vocabulary([b"a", b"b"], eos_ids=[])
    constraint = grammask.compile(grammask.choice(["ab", "ba"]), vocabulary)
    model = TableModel(vocabulary, lambda ids: [0.9, 0.1])
    result = grammask.sample_faithfully(model, [0], constraint, FaithfulOptions("smc", seed=0))
    assert {output.text for output in result.outputs} <= {"ab", "ba"}
    assert math.exp(result.log_evidence) == pytest.approx(0.18, rel=0.5)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"method": "best"}, "method"),
        ({"particles": 0}, "particles"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"temperature": 0}, "temperature"),
        ({"seed": -1}, "seed"),
        ({"resample_below": 2}, "resample_below"),
        ({"max_rejections": 0}, "max_rejections"),
        ({"max_forward_passes": 1.5}, "max_forward_passes"),
    ],
)
def test_options_out_of_range_are_refused_by_name(options, name):
    """The error names the option."""
    with pytest.raises(SamplingError) as caught:
        FaithfulOptions(**options)
    assert caught.value.option == name


def test_what_does_not_fit_together_is_refused():
    """No model, an empty prompt, a constraint for another vocabulary: errors before the model is asked."""
    world = WORLDS[0]
    with pytest.raises(SamplingError):
        grammask.sample_faithfully([], [0], world.constraint)
    with pytest.raises(PromptError):
        grammask.sample_faithfully(world.model(), [], world.constraint)
    with pytest.raises(VocabularyError):
        grammask.sample_faithfully(TableModel(Vocabulary([b"x"], []), lambda ids: [1.0]), [0], world.constraint)


@pytest.mark.parametrize("method", ["mask", "rejection", "asap", "smc", "awrs"])
def test_a_budget_without_room_for_any_output_is_refused_at_once(method):
    """As by `generate`: the error names a number that is enough, and the model is not asked."""
    world = WORLDS[0]
    constraint = grammask.compile(grammask.choice(["aaa"]), world.constraint.vocabulary)
    with pytest.raises(BudgetError) as caught:
        grammask.sample_faithfully(world.model(), [0], constraint, FaithfulOptions(method, max_tokens=1))
    assert caught.value.achievable == 3
