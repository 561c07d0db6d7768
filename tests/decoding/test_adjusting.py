"""Penalties, biases, a least length, and logprobs, together with a grammar."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import grammask
from grammask import Adjustments, GenerateOptions, Sampling
from grammask.decoding.adjusting import Adjuster
from grammask.errors import SamplingError, TokenOutOfRange
from grammask.grammar.expression import Chars, Repeat, literal
from grammask.vocabulary import Vocabulary

from .worlds import RandomModel, ScriptedModel, byte_vocabulary, texts

END = 256
LETTERS = grammask.Grammar(Repeat(Chars([(97, 122)])))


def generated(model, grammar=None, **options):
    """The result for a grammar, compiled for the model's vocabulary."""
    constraint = None if grammar is None else grammask.compile(grammar, model.vocabulary)
    return grammask.generate(model, [0], constraint, GenerateOptions(**options))


def adjusted(adjustments, scores, prompt, output):
    vocabulary = Vocabulary([b"a", b"b", b"c", b""], eos_ids=[3])
    return Adjuster(adjustments, vocabulary, prompt).adjusted(np.array(scores, dtype=np.float32), output).tolist()


def test_penalties_are_those_of_their_definitions():
    """Repetition divides or multiplies, in prompt and output; presence counts once, frequency each time, in the output; biases are added."""
    assert adjusted(Adjustments(repetition_penalty=2), [4, -4, 3, 0], [0], [1, 1]) == [2, -8, 3, 0]
    assert adjusted(Adjustments(presence_penalty=1), [4, 4, 4, 4], [0], [1, 1, 2]) == [4, 3, 3, 4]
    assert adjusted(Adjustments(frequency_penalty=0.5), [4, 4, 4, 4], [0], [1, 1, 2]) == [4, 3, 3.5, 4]
    assert adjusted(Adjustments(logit_bias={0: -1.5, 2: -math.inf}), [4, 4, 4, 4], [0], []) == [2.5, 4, -math.inf, 4]
    assert adjusted(Adjustments(min_tokens=2), [4, 4, 4, 4], [0], [1]) == [4, 4, 4, -math.inf]
    assert adjusted(Adjustments(min_tokens=2), [4, 4, 4, 4], [0], [1, 1]) == [4, 4, 4, 4]


def test_the_models_scores_are_not_written_to():
    """Adjusted scores are a fresh array, at each step from the model's own."""
    vocabulary = byte_vocabulary()
    adjuster = Adjuster(Adjustments(frequency_penalty=1), vocabulary, [])
    scores = np.zeros(257, dtype=np.float32)
    scores.flags.writeable = False
    assert adjuster.adjusted(scores, [5])[5] == -1
    assert adjuster.adjusted(scores, [5, 5])[5] == -2
    assert not scores.any()


def test_penalties_under_a_grammar_warn_unless_told_not_to():
    """A grammar's punctuation has to repeat, so penalties under a grammar are questioned; without one, and for biases, they are not."""
    model = RandomModel(byte_vocabulary(), 1)
    with pytest.warns(UserWarning, match="brackets, quotes and commas") as caught:
        generated(model, texts("aa"), adjustments=Adjustments(presence_penalty=1))
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        generated(model, texts("aa"), adjustments=Adjustments(presence_penalty=1, warn=False))
        generated(model, texts("aa"), adjustments=Adjustments(logit_bias={97: 1.0}, min_tokens=1))
        generated(model, max_tokens=3, adjustments=Adjustments(presence_penalty=1))


def test_a_grammar_holds_whatever_the_adjustments():
    """Biases that want another token, and penalties on the only one, change nothing about what is legal."""
    model = RandomModel(byte_vocabulary(), 1)
    heavy = Adjustments(repetition_penalty=9, frequency_penalty=50, logit_bias={ord("b"): 100.0}, warn=False)
    assert generated(model, texts("aaaaaa"), adjustments=heavy).text == "aaaaaa"


def test_the_least_length_holds_where_the_grammar_lets_it():
    """An output that could end goes on to min_tokens; one that must end does."""
    model = ScriptedModel(byte_vocabulary(), [END])
    assert len(generated(model, LETTERS, max_tokens=20, adjustments=Adjustments(min_tokens=7), sampling=Sampling(temperature=0)).token_ids) == 7
    assert generated(model, texts("ab"), adjustments=Adjustments(min_tokens=7)).text == "ab"
    assert len(generated(model, max_tokens=20, adjustments=Adjustments(min_tokens=5), sampling=Sampling(temperature=0)).token_ids) == 5


def test_a_frequency_penalty_spreads_the_tokens():
    """A model that always wants one letter gives others, too."""
    model = ScriptedModel(byte_vocabulary(), [97])
    plain = generated(model, LETTERS, max_tokens=12, sampling=Sampling(temperature=0))
    spread = generated(model, LETTERS, max_tokens=12, sampling=Sampling(temperature=0), adjustments=Adjustments(frequency_penalty=8.0, warn=False))
    assert set(plain.text) == {"a"}
    assert len(set(spread.text)) > 5


def test_logprobs_are_before_and_after_the_mask():
    """Before: the model's own; after: that over what the mask left. What is not drawn has none."""
    grammar = grammask.Grammar(Repeat(literal("a"), 2, 2))
    model = RandomModel(byte_vocabulary(), 4)
    result = generated(model, grammar, logprobs=True, mass_removed=True, seed=0)
    assert [noted.token_id for noted in result.logprobs] == [97, 97]
    for noted, removed in zip(result.logprobs, result.stats.mass_removed, strict=True):
        assert noted.after == pytest.approx(0, abs=1e-6)
        assert noted.before == pytest.approx(math.log1p(-removed), abs=1e-3)
    assert generated(model, grammar).logprobs is None


def test_logprobs_keep_their_places_beside_tokens_that_were_not_drawn():
    """Forced tokens have None, and each of the others the entry of its own token."""
    vocabulary = byte_vocabulary(encode=lambda text: list(text.encode()))
    result = generated(RandomModel(vocabulary, 4), texts("abcx", "abcy"), logprobs=True, forced_text="append", seed=0)
    assert [noted and noted.token_id for noted in result.logprobs] == [None, None, None, result.token_ids[3]]
    assert len(result.logprobs) == len(result.token_ids)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("repetition_penalty", 0), ("repetition_penalty", "x"), ("presence_penalty", math.inf), ("frequency_penalty", math.nan),
        ("logit_bias", [1]), ("logit_bias", {"a": 1}), ("logit_bias", {1: math.inf}), ("min_tokens", -1),
    ],
)  # fmt: skip
def test_adjustments_out_of_range_are_refused_by_name(option, value):
    """The error names the option."""
    with pytest.raises(SamplingError) as caught:
        Adjustments(**{option: value})
    assert caught.value.option == option


def test_a_bias_on_an_unknown_token_is_refused():
    """An id that the vocabulary does not have is an error before the model is asked."""
    with pytest.raises(TokenOutOfRange):
        generated(RandomModel(byte_vocabulary()), texts("a"), adjustments=Adjustments(logit_bias={999: 1.0}))
