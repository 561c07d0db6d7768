"""Numbers that others have published for constrained decoding, reproduced."""

import numpy as np
import pytest

import grammask
from grammask.errors import NoExitError, TokenRefused

from .worlds import WORDS, RandomModel, endless_age, gpt2, record_grammar, record_vocabulary, spelled, texts, verdict_grammar, verdict_vocabulary


def row_for(constraint):
    """An empty mask row."""
    return np.zeros(constraint.mask_words, dtype=np.uint32)


def softmax(scores):
    """Probabilities of scores, in double precision."""
    weights = np.exp(scores.astype(np.float64) - scores.max())
    return weights / weights.sum()


@pytest.fixture(scope="module")
def true_or_false():
    """`true|false` over GPT-2."""
    return grammask.compile(texts("true", "false"), gpt2())


def test_seven_of_gpt2s_tokens_may_begin_true_or_false(true_or_false):
    """Of 50,257 tokens exactly f, t, tr, true, false, fa and fal are legal at the start."""
    matcher = true_or_false.matcher()
    assert matcher.allowed_tokens().tolist() == [69, 83, 2213, 7942, 9562, 13331, 42932]
    assert matcher.count() == 7


def test_gpt2s_tokens_lead_from_the_start_where_they_should(true_or_false):
    """`true` is complete, `tr` and `t` are on their way, ` true` with its space is refused and changes nothing."""
    for token_id, complete in ((7942, True), (2213, False), (83, False)):
        matcher = true_or_false.matcher()
        matcher.advance(token_id)
        assert matcher.is_complete is complete
        assert not matcher.is_stuck
    matcher = true_or_false.matcher()
    assert not matcher.accepts(2081)
    with pytest.raises(TokenRefused):
        matcher.advance(2081)
    assert matcher.count() == 7


def test_the_mask_moves_gpt2s_probabilities_as_published(true_or_false):
    """The favourite ` maybe` goes from 0.4908 to nothing, and `true` from 0.3636 to 0.8527."""
    scores = {" maybe": 8.2, "true": 7.9, " yes": 6.4, "false": 6.1, "tr": 3.0, " I": 2.5}
    ids = [spelled(gpt2(), text) for text in scores]
    logits = np.full(50_257, -30.0, dtype=np.float32)
    logits[ids] = list(scores.values())
    row = row_for(true_or_false)
    true_or_false.matcher().fill_mask(row)
    before = softmax(logits)[ids]
    grammask.apply_mask(logits, row)
    after = softmax(logits)[ids]
    assert [f"{value:.4f}" for value in before] == ["0.4908", "0.3636", "0.0811", "0.0601", "0.0027", "0.0016"]
    assert [f"{value:.4f}" for value in after] == ["0.0000", "0.8527", "0.0000", "0.1410", "0.0063", "0.0000"]


def test_the_record_has_so_many_legal_tokens_at_its_four_places():
    """1, 2, 9 and 11 of the 21 tokens: the brace, the two names, a first digit, then a digit or the brace."""
    matcher = grammask.compile(record_grammar(), record_vocabulary()).matcher()
    counts = {}
    for word in ["{", '"', "name", '"', ":", '"', "Ravi", '"', ",", '"', "age", '"', ":", "5", "1", "}"]:
        counts[matcher.position] = matcher.count()
        matcher.advance(WORDS.index(word))
    assert [counts[place] for place in (0, 6, 13, 14)] == [1, 2, 9, 11]
    assert matcher.allowed_tokens().tolist() == [WORDS.index("</s>")]


def test_greedy_decoding_of_the_record_gives_what_was_published():
    """Under the random scores of numpy's seed 11, with a taste for ` Sure,` and for ending, greedy decoding writes Ravi, 51."""
    model = RandomModel(record_vocabulary(), seed=11, prefers={WORDS.index(" Sure,"): 3.0, WORDS.index("</s>"): 1.0})
    constraint = grammask.compile(record_grammar(), model.vocabulary)
    result = grammask.generate(model, [0], constraint, grammask.GenerateOptions(sampling=grammask.Sampling(temperature=0)))
    assert result.text == '{"name":"Ravi","age":51}'
    assert result.value == {"name": "Ravi", "age": 51}
    assert result.finish_reason == "complete"


def test_the_record_with_a_loop_that_has_no_exit_does_not_compile():
    """Digits that only lead to more digits are refused when compiling, and the error names the loop."""
    with pytest.raises(NoExitError, match="digits of the age") as caught:
        grammask.compile(record_grammar(endless_age()), record_vocabulary())
    assert caught.value.rule == "digits of the age"


def test_only_the_two_verdicts_ever_come_out():
    """10,000 seeded draws over eight tokens, with `yes` the model's favourite, give the two legal texts and nothing else."""
    vocabulary = verdict_vocabulary()
    constraint = grammask.compile(verdict_grammar(), vocabulary)
    row, rng, seen = row_for(constraint), np.random.default_rng(4), {}
    for _ in range(10_000):
        matcher, text = constraint.matcher(), b""
        while not matcher.is_finished:
            matcher.fill_mask(row)
            logits = rng.normal(scale=2, size=8)
            logits[6] += 9.0
            token_id = grammask.sample(logits, row, rng=rng)
            matcher.advance(token_id)
            text += vocabulary.tokens[token_id]
        seen[text] = seen.get(text, 0) + 1
    assert set(seen) == {b'{"ok":true}', b'{"ok":false}'}
    assert min(seen.values()) > 4_000
