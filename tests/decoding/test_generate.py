"""The generate loop: what comes out, why it ends, what it never does."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammask
from grammask import GenerateOptions, Sampling
from grammask.decoding import respelled, shortest
from grammask.errors import BudgetError, EngineError, GrammarStuck, PromptError, SamplingError, VocabularyError
from grammask.grammar.expression import ANY_CHARACTER, Chars, Ref, Repeat, Rule, Seq, Token, literal, seq
from grammask.grammar.expression import either as any_of
from grammask.vocabulary import Vocabulary

from .worlds import RandomModel, ScriptedModel, byte_vocabulary, law, texts, verdict_grammar, verdict_vocabulary

END = 256
GREEDY = Sampling(temperature=0)


def json_texts():
    """Lists and objects of short texts, nested without bound: a mouthful that a random model never ends by itself."""
    value = Rule("value")
    text = seq(literal('"'), Repeat(Chars([(ord("a"), ord("z"))])), literal('"'))
    items = seq(Ref(value), Repeat(seq(literal(","), Ref(value))))
    pair = seq(text, literal(":"), Ref(value))
    value.body = any_of(text, Seq([literal("["), Repeat(items, 0, 1), literal("]")]), Seq([literal("{"), pair, Repeat(seq(literal(","), pair)), literal("}")]))
    return grammask.Grammar(Ref(value), decode=json.loads)


def run(model, grammar=None, **options):
    """The result for a grammar, which is compiled for the model's vocabulary."""
    constraint = None if grammar is None else grammask.compile(grammar, model.vocabulary)
    return grammask.generate(model, [0], constraint, GenerateOptions(**options))


# --- whole outputs --------------------------------------------------------------------------------------------------


@law
@given(st.integers(2, 40), st.integers(0, 2**32 - 1))
def test_every_output_is_whole_within_any_budget(max_tokens, seed):
    """However small the budget, the output fits in it, parses, and is called complete."""
    model = RandomModel(byte_vocabulary('",', "]]", '{"', '":'), seed)
    result = run(model, json_texts(), max_tokens=max_tokens, seed=seed)
    assert len(result.token_ids) <= max_tokens
    assert result.finish_reason == "complete"
    assert result.value == json.loads(result.text)
    assert result.text.encode() == model.vocabulary.decode(result.token_ids)
    assert model.read == [0, *result.token_ids]


def test_a_token_that_could_not_be_paid_for_gives_way_to_the_models_next_choice():
    """`{` would need five more tokens and there are three, so the model's second choice is taken, though it is not the shortest way."""
    grammar = grammask.Grammar(any_of(seq(literal("{"), Repeat(literal("a"), 5, 5)), literal("bb"), literal("cccc")))
    model = RandomModel(byte_vocabulary(), prefers={ord("{"): 90.0, ord("c"): 50.0})
    result = run(model, grammar, max_tokens=4)
    assert (result.text, result.finish_reason, result.stats.closing_tokens) == ("cccc", "complete", 0)
    assert run(model, grammar, max_tokens=6).text == "{aaaaa"


def test_where_every_choice_is_too_dear_the_shortest_completion_closes():
    """A model that rules out what it could still pay for gets the shortest completion put in its place."""
    grammar = grammask.Grammar(any_of(seq(literal("{"), Repeat(literal("a"), 5, 5)), literal("bb")))
    model = RandomModel(byte_vocabulary(), prefers={ord("b"): -np.inf})
    result = run(model, grammar, max_tokens=4)
    assert (result.text, result.finish_reason, result.stats.closing_tokens) == ("bb", "complete", 2)


def test_a_budget_that_is_used_up_at_the_end_closes_nothing():
    """An output that is complete with its last token needs no closing."""
    result = run(ScriptedModel(byte_vocabulary(), [*b"ab"]), texts("ab", "abc"), max_tokens=2)
    assert (result.text, result.finish_reason, result.stats.closing_tokens) == ("ab", "complete", 0)


def test_free_text_closes_in_time():
    """Text without an end in sight gets its closing quote with the last token."""
    grammar = grammask.Grammar(seq(literal('"'), Repeat(Chars([(ord("a"), ord("z"))])), literal('"')), decode=json.loads)
    result = run(ScriptedModel(byte_vocabulary(), [ord('"'), ord("a")]), grammar, max_tokens=10)
    assert result.value == "a" * 8
    assert len(result.token_ids) == 10


def test_the_model_is_not_asked_where_nothing_but_the_end_remains():
    """After the last token of a fixed text the loop ends by itself."""
    model = ScriptedModel(verdict_vocabulary(), [0, 2, 3, 4, 1, 6])
    result = run(model, verdict_grammar())
    assert (result.text, result.value, result.finish_reason) == ('{"ok":true}', {"ok": True}, "complete")
    assert model._step == 5


def test_an_end_token_ends_an_output_that_could_go_on():
    """Where more may follow, the model's end token decides; it is not part of the output."""
    result = run(ScriptedModel(byte_vocabulary(), [*b"aa", END]), grammask.Grammar(Repeat(literal("a"), 1)), sampling=GREEDY)
    assert (result.text, result.token_ids, result.finish_reason) == ("aa", (97, 97), "complete")


def test_greedy_output_follows_the_model_within_the_grammar():
    """At temperature 0 the best legal token is taken at each step."""
    model = ScriptedModel(byte_vocabulary("yes", "no"), [257])
    assert run(model, texts("yes", "no"), sampling=GREEDY).text == "yes"


def test_outputs_that_end_in_special_tokens_are_whole_in_time():
    """A special token far off counts for the budget like any other; one that is too small names what is enough."""
    vocabulary = Vocabulary([bytes([97 + letter]) for letter in range(26)] + [b"", b""], eos_ids=[27], specials={"<done>": 26})
    constraint = grammask.compile(grammask.Grammar(seq(Repeat(Chars([(97, 122)]), 12), Token(["<done>"]))), vocabulary)
    with pytest.raises(BudgetError) as caught:
        grammask.generate(RandomModel(vocabulary, 3), [0], constraint, GenerateOptions(max_tokens=5))
    assert caught.value.achievable == 13
    result = grammask.generate(RandomModel(vocabulary, 3), [0], constraint, GenerateOptions(max_tokens=15))
    assert (result.finish_reason, result.token_ids[-1]) == ("complete", 26)


def test_outputs_that_name_more_special_tokens_than_bytes_to_spare_may_be_cut_and_say_so(monkeypatch):
    """Where no byte can stand for a special token, and no completion is found, the budget cuts, and the reason is not `complete`."""
    monkeypatch.setattr(shortest, "_SEARCH_TOKENS", 50)
    monkeypatch.setattr(respelled, "_SPARE", ())
    vocabulary = Vocabulary([bytes([97 + letter]) for letter in range(26)] + [b"", b""], eos_ids=[27], specials={"<done>": 26})
    grammar = grammask.Grammar(seq(Repeat(Chars([(97, 122)]), 12), Token(["<done>"])))
    result = grammask.generate(RandomModel(vocabulary, 3), [0], grammask.compile(grammar, vocabulary), GenerateOptions(max_tokens=5))
    assert (result.finish_reason, len(result.text), result.value) == ("length", 5, None)


def test_a_vocabulary_without_end_tokens_still_ends():
    """Without end tokens an output ends where nothing may follow, or with its budget, complete."""
    vocabulary = Vocabulary([b"a", b"b"], eos_ids=[])
    assert run(RandomModel(vocabulary), grammask.Grammar(seq(Repeat(literal("a"), 3, 3), literal("b")))).text == "aaab"
    result = run(RandomModel(vocabulary), grammask.Grammar(seq(literal("b"), Repeat(literal("a")))), max_tokens=7)
    assert (result.text, result.finish_reason) == ("baaaaaa", "complete")


@law
@given(st.integers(0, 2**32 - 1))
def test_outputs_repeat_with_the_seed(seed):
    """The same seed and scores give the same output."""
    results = [run(RandomModel(byte_vocabulary(), 5), json_texts(), max_tokens=30, seed=seed) for _ in range(2)]
    assert results[0] == results[1]


# --- without a constraint -------------------------------------------------------------------------------------------


def test_free_output_ends_by_an_end_token():
    """Without a constraint an end token is `stop`, and there is no value."""
    result = run(ScriptedModel(byte_vocabulary(), [*b"hi", END]), sampling=GREEDY)
    assert (result.text, result.finish_reason, result.value) == ("hi", "stop", None)


def test_free_output_ends_by_its_length():
    """Without an end in sight max_tokens cuts, and says so."""
    result = run(ScriptedModel(byte_vocabulary(), [*b"hi"]), sampling=GREEDY, max_tokens=5)
    assert (result.text, result.finish_reason) == ("hiiii", "length")


def test_free_output_ends_before_a_stop_string():
    """A stop string ends the output and is not in the text; its tokens are in token_ids."""
    result = run(ScriptedModel(byte_vocabulary("D!"), [*b"abEN", 257]), sampling=GREEDY, stop=("END",))
    assert (result.text, result.finish_reason) == ("ab", "stop")
    assert result.token_ids == (*b"abEN", 257)


def test_padding_ids_are_never_drawn_without_a_constraint_either():
    """Ids without text, inside the vocabulary or above it, are not drawn; special tokens may be."""
    vocabulary = Vocabulary([b"a", b"", b"", b""], eos_ids=[3], specials={"<x>": 2}, size=40)
    prefers = dict.fromkeys([1, *range(4, 50)], 50.0)
    for seed in range(5):
        result = run(RandomModel(vocabulary, seed, prefers, padding=10), max_tokens=10)
        assert set(result.token_ids) <= {0, 2}


# --- streams --------------------------------------------------------------------------------------------------------


def test_pieces_make_the_text_and_split_no_character():
    """The pieces of a stream are whole characters and make up the result's text, though each token is one byte."""
    model = ScriptedModel(byte_vocabulary(), [*"né€😀!".encode(), END])
    stream = grammask.Stream(model, [0], grammask.compile(grammask.Grammar(Repeat(ANY_CHARACTER)), model.vocabulary), GenerateOptions(sampling=GREEDY))
    assert list(stream) == ["n", "é", "€", "😀", "!"]
    assert stream.result.text == stream.text == "né€😀!"


def test_a_stream_can_be_watched_and_finished_at_any_time():
    """Text, tokens and figures are there after each piece; `result` generates what is missing."""
    stream = grammask.Stream(ScriptedModel(byte_vocabulary(), [*b"abc"]), [0], None, GenerateOptions(sampling=GREEDY, max_tokens=6))
    assert (next(stream), stream.text, stream.token_ids, stream.finish_reason) == ("a", "a", (97,), None)
    assert stream.stats.tokens == 1
    assert stream.result.text == "abcccc"
    assert stream.result.finish_reason == "length"
    assert list(stream) == []


def test_figures_add_up():
    """Counts are exact, times are parts of the whole, shares lie between 0 and 1."""
    result = run(RandomModel(byte_vocabulary(), 1), json_texts(), max_tokens=30, mass_removed=True, seed=3)
    stats = result.stats
    assert (stats.prompt_tokens, stats.tokens) == (1, len(result.token_ids))
    assert 0 < stats.model_seconds + stats.mask_seconds <= stats.seconds
    assert 0 < stats.first_token_seconds <= stats.seconds
    assert 0 < stats.mask_share < 1
    assert stats.tokens_per_second == pytest.approx(stats.tokens / stats.seconds)
    assert len(stats.mass_removed) >= stats.tokens - stats.closing_tokens
    assert all(0 <= mass <= 1 for mass in stats.mass_removed)


def test_mass_removed_is_measured_only_on_request():
    """Without asking there is no figure rather than a wrong one."""
    assert run(RandomModel(byte_vocabulary()), texts("a")).stats.mass_removed is None


# --- what goes wrong ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("max_tokens", "achievable"), [(0, 5), (4, 5), (-3, 5)])
def test_a_budget_without_room_for_any_output_is_refused_at_once(max_tokens, achievable):
    """BudgetError comes before the model is asked, and names a number that works."""
    model = ScriptedModel(verdict_vocabulary(), [0])
    constraint = grammask.compile(verdict_grammar(), model.vocabulary)
    with pytest.raises(BudgetError) as caught:
        grammask.Stream(model, [0], constraint, GenerateOptions(max_tokens=max_tokens))
    assert caught.value.achievable == achievable
    assert model.read == []
    assert run(model, verdict_grammar(), max_tokens=achievable).finish_reason == "complete"


def test_zero_tokens_are_refused_without_a_constraint_too():
    """Nothing can be generated in no tokens."""
    with pytest.raises(BudgetError):
        run(ScriptedModel(byte_vocabulary(), [97]), max_tokens=0)


@pytest.mark.parametrize(
    "changed",
    [{"max_tokens": 1.5}, {"max_tokens": True}, {"max_tokens": "9"}, {"seed": -1}, {"seed": 0.5}, {"stop": "END"}, {"stop": ("",)}, {"stop": (b"a",)}],
    ids=str,
)
def test_options_out_of_range_are_refused(changed):
    """An option out of range is a SamplingError that names it."""
    (name,) = changed
    with pytest.raises(SamplingError) as caught:
        GenerateOptions(**changed)
    assert caught.value.option == name


def test_an_empty_prompt_is_refused():
    """There is nothing to continue."""
    with pytest.raises(PromptError):
        grammask.generate(ScriptedModel(byte_vocabulary(), [97]), [])


def test_a_stop_string_beside_a_constraint_is_refused():
    """It would cut the document."""
    with pytest.raises(SamplingError, match="grammar"):
        run(ScriptedModel(byte_vocabulary(), [97]), texts("a"), stop=("a",))


def test_a_constraint_for_another_vocabulary_is_refused():
    """Masks of another vocabulary would allow the wrong ids; an equal vocabulary is fine."""
    constraint = grammask.compile(texts("a"), byte_vocabulary())
    with pytest.raises(VocabularyError, match="another vocabulary"):
        grammask.generate(ScriptedModel(verdict_vocabulary(), [0]), [0], constraint)
    assert grammask.generate(ScriptedModel(byte_vocabulary(), [97]), [0], constraint).text == "a"


class BrokenModel(RandomModel):
    """Breaks down, or scores with NaN, at its third token."""

    def __init__(self, vocabulary, failure=None):
        super().__init__(vocabulary)
        self.failure = failure

    def logits(self):
        if len(self.read) < 3:
            return super().logits()
        if self.failure is not None:
            raise self.failure
        return np.full(self._width, np.nan, dtype=np.float32)


def test_an_engine_that_fails_breaks_the_stream_off_for_good():
    """What was generated stays to be read, and asking for more raises the same error again."""
    model = BrokenModel(byte_vocabulary(), EngineError("engine", "out of memory"))
    stream = grammask.Stream(model, [0], grammask.compile(grammask.Grammar(Repeat(literal("a"), 9)), model.vocabulary))
    with pytest.raises(EngineError):
        list(stream)
    assert stream.text == "aa"
    with pytest.raises(EngineError):
        _ = stream.result


def test_scores_that_are_no_numbers_are_an_error():
    """NaN scores end the output with an error, not with some token."""
    with pytest.raises(SamplingError, match="broken"):
        run(BrokenModel(byte_vocabulary()), grammask.Grammar(Repeat(literal("a"), 9)))


def test_scores_for_fewer_tokens_than_the_vocabulary_are_an_error():
    """A model whose scores are too short cannot be masked."""
    model = RandomModel(byte_vocabulary())
    model._width = 64
    with pytest.raises(grammask.errors.MaskShapeError):
        run(model, texts("a"))


def test_a_stuck_matcher_raises_with_the_text_so_far(monkeypatch):
    """If ever nothing is allowed and the output is not complete, that is GrammarStuck with the text, and no token 0."""
    monkeypatch.setattr(grammask.Matcher, "fill_mask", lambda self, row: row[:8].fill(0xFFFFFFFF if self.position < 2 else 0))
    with pytest.raises(GrammarStuck) as caught:
        run(ScriptedModel(byte_vocabulary(), [*b"ab"]), texts("abc"))
    assert caught.value.text == "ab"
