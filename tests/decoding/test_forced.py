"""Forced text: what the grammar leaves no choice about, in the tokens of the model's own tokenizer."""

from __future__ import annotations

import json
import lzma
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammask
from grammask import GenerateOptions, Sampling
from grammask.decoding.forced import encoded_after
from grammask.errors import EmptyLanguageError, SamplingError, UnsupportedFeatureError
from grammask.grammar.expression import Chars, Repeat, literal, seq

from .tokenizing import gpt2
from .worlds import RandomModel, byte_vocabulary, law, texts

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "maskbench.jsonl.xz"
RECORD = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 8}, "kind": {"enum": ["circle", "square"]}}, "required": ["name", "kind"]}


def compact(schema):
    """A schema's grammar without white space."""
    return grammask.json_schema(schema, grammask.JsonSchemaOptions(whitespace="compact"))


class DraftingModel(RandomModel):
    """Scores that depend on the tokens read alone, so that drafts can be checked against them."""

    passes = 0

    def logits(self):
        self.passes += 1
        return self._behind(self.read)

    def feed_all(self, token_ids):
        self.passes += 1
        rows = []
        for token_id in token_ids:
            self.read.append(token_id)
            rows.append(self._behind(self.read))
        return np.array(rows)

    def _behind(self, read):
        scores = np.random.default_rng([7, *read[-6:]]).normal(size=self._width).astype(np.float32)
        for token_id, bonus in self._prefers.items():
            scores[token_id] += bonus
        return scores


def instances(n: int, seed: int):
    """Schemas of MaskBench with a valid instance each."""
    if not DATA.is_file():
        pytest.skip(f"MaskBench is not here ({DATA.name} in the shared data)")
    with lzma.open(DATA, "rt", encoding="utf-8") as lines:
        chosen = list(lines)
    random.Random(seed).shuffle(chosen)
    for line in chosen[:n]:
        record = json.loads(line)
        valid = [test["data"] for test in record["tests"] if test["valid"]]
        if valid and len(json.dumps(valid[0])) < 2_000:
            yield record["schema"], valid[0]


def written(matcher: grammask.Matcher, text: str) -> tuple[list[int], int] | None:
    """A text by forced tokens and, between them, the tokens of its own tokenization; how many were forced. None where the grammar has it not."""
    vocabulary = matcher.vocabulary
    starts = {}
    place = 0
    for token_id in vocabulary.encode(text):
        starts[place] = token_id
        place += len(vocabulary.tokens[token_id])
    token_ids, forced_total, place = [], 0, 0
    while place < len(text.encode()):
        forced = matcher.forced_tokens(token_ids)
        forced_total += len(forced)
        for token_id in forced or [starts.get(place)]:
            if token_id is None or not matcher.accepts(token_id):
                return None
            matcher.advance(token_id)
            token_ids.append(token_id)
            place += len(vocabulary.tokens[token_id])
    return token_ids, forced_total


def test_forced_tokens_are_the_tokenizers_own_in_the_final_text():
    """For MaskBench's instances, 99 in 100 outputs with forced text are token for token what the tokenizer makes of the text."""
    vocabulary = gpt2()
    equal = total = forced = tokens = 0
    for schema, value in instances(260, seed=11):
        try:
            constraint = grammask.compile(compact(json.dumps(schema)), vocabulary)
        except (UnsupportedFeatureError, EmptyLanguageError):
            continue
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        bytewise = constraint.matcher()
        if bytewise.draft(vocabulary.encode(text)) < len(vocabulary.encode(text)):
            continue  # members in another order than the schema's
        found = written(constraint.matcher(), text)
        total += 1
        equal += found is not None and found[0] == vocabulary.encode(text)
        forced += found[1] if found is not None else 0
        tokens += len(vocabulary.encode(text))
    print(f"{equal} of {total} outputs, {forced / tokens:.1%} of {tokens} tokens forced")  # noqa: T201  # what was seen
    assert total > 50
    assert equal >= 0.99 * total
    assert forced > 0.05 * tokens


@pytest.mark.parametrize("mode", ["append", "draft"])
@pytest.mark.parametrize("seed", range(6))
def test_outputs_with_forced_text_obey_the_grammar_within_any_budget(mode, seed):
    """Whatever the mode, the output is whole and in budget, and what the model has read is what came out."""
    constraint = grammask.compile(compact(RECORD), gpt2())
    for max_tokens in (len(constraint.matcher().shortest_completion()), 14, 60):
        model = DraftingModel(gpt2(), seed)
        result = grammask.generate(model, [5], constraint, GenerateOptions(max_tokens, seed=seed, forced_text=mode))
        assert result.finish_reason == "complete"
        assert result.value == json.loads(result.text)
        assert len(result.token_ids) <= max_tokens
        assert model.read == [5, *result.token_ids]


def test_appended_text_asks_the_model_less():
    """Forced tokens cost no forward pass, and the statistics say how many there were."""
    constraint = grammask.compile(compact(RECORD), gpt2())
    plain, saving = (DraftingModel(gpt2(), 3) for _ in range(2))
    ordinary = grammask.generate(plain, [5], constraint, GenerateOptions(60, seed=1))
    appended = grammask.generate(saving, [5], constraint, GenerateOptions(60, seed=1, forced_text="append"))
    assert ordinary.stats.forced_tokens == 0
    assert appended.stats.forced_tokens > 3
    assert saving.passes <= len(appended.token_ids) + 1 - appended.stats.forced_tokens


@law
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_drafts_change_nothing_but_the_passes(seed, greedy):
    """With forced text as drafts the output is that of sampling as ever: the same tokens for the same seed and scores."""
    vocabulary = byte_vocabulary("name", '":"', "circle", encode=lambda text: list(text.encode()))
    constraint = grammask.compile(compact(RECORD), vocabulary)
    settings = {"sampling": Sampling(temperature=0 if greedy else 1.0), "seed": seed, "logprobs": True, "mass_removed": True}
    plain, drafting = DraftingModel(vocabulary, 0), DraftingModel(vocabulary, 0)
    ordinary = grammask.generate(plain, [5], constraint, GenerateOptions(60, **settings))
    drafted = grammask.generate(drafting, [5], constraint, GenerateOptions(60, forced_text="draft", **settings))
    assert drafted == ordinary
    assert drafted.logprobs == ordinary.logprobs
    assert drafted.stats.mass_removed == ordinary.stats.mass_removed
    assert drafted.stats.agreed_tokens <= drafted.stats.drafted_tokens
    assert drafting.read == plain.read


def test_drafts_that_the_model_agrees_with_save_passes():
    """Where the tokenizer's tokens are the model's too, a whole draft takes one pass more than none."""
    vocabulary = byte_vocabulary(encode=lambda text: list(text.encode()))
    constraint = grammask.compile(grammask.choice(["abcdefgh1", "abcdefgh2"]), vocabulary)
    model = DraftingModel(vocabulary)
    result = grammask.generate(model, [5], constraint, GenerateOptions(forced_text="draft", seed=0))
    assert (result.stats.drafted_tokens, result.stats.agreed_tokens) == (8, 8)
    assert model.passes <= 3


def test_models_that_read_no_drafts_are_asked_as_ever():
    """Without `feed_all` a draft is no use, and the output is the ordinary one."""
    constraint = grammask.compile(compact(RECORD), gpt2())
    results = [grammask.generate(RandomModel(gpt2(), 4), [5], constraint, GenerateOptions(60, seed=2, forced_text=mode)) for mode in ("sample", "draft")]
    assert results[0] == results[1]


def test_a_token_that_what_follows_could_join_is_held_back():
    """`12` may become `123`, so it is not forced where digits may follow; it is where letters must."""
    vocabulary = byte_vocabulary("12", "123", "ab", encode=None)
    digits = grammask.Grammar(seq(literal("ab12"), Repeat(Chars([(ord("0"), ord("9"))]), 1, 3)))
    letters = grammask.Grammar(seq(literal("ab12"), Repeat(Chars([(ord("x"), ord("z"))]), 1, 3)))
    assert grammask.compile(digits, vocabulary).matcher().forced_tokens() == [259]
    assert grammask.compile(letters, vocabulary).matcher().forced_tokens() == [259, 257]


def test_the_tokens_before_decide_how_forced_text_is_cut():
    """GPT-2 cuts off a word's blank by what stands before it: the tokenizer is shown the context, and cuts as it does in the whole text."""
    vocabulary = gpt2()
    for text in ("x = '  y", "It isn't", "a  b", "1234567"):
        whole = vocabulary.encode(text)
        for cut in range(1, len(whole)):
            rest = vocabulary.decode(whole[cut:])
            assert encoded_after(vocabulary, vocabulary.encode, whole[:cut], rest) == whole[cut:]


def test_an_unknown_mode_is_refused():
    """The error lists the modes."""
    with pytest.raises(SamplingError, match="sample, append, draft"):
        GenerateOptions(forced_text="always")


def test_nothing_is_forced_where_there_is_a_choice():
    """At a choice between texts only what they share is forced."""
    vocabulary = byte_vocabulary()
    assert grammask.compile(texts("abc", "abd"), vocabulary).matcher().forced_tokens() == list(b"ab")
    assert grammask.compile(texts("abc", "xyz"), vocabulary).matcher().forced_tokens() == []


def test_a_draft_the_model_rules_out_is_an_error_as_ever():
    """Where the model gives no allowed token any probability, a draft makes no difference: the same tokens, the same error."""
    vocabulary = byte_vocabulary(encode=lambda text: list(text.encode()))
    constraint = grammask.compile(grammask.choice(["abcdef"]), vocabulary)
    for mode in ("sample", "draft"):
        stream = grammask.Stream(DraftingModel(vocabulary, prefers={ord("d"): -np.inf}), [5], constraint, GenerateOptions(forced_text=mode, mass_removed=True))
        with pytest.raises(SamplingError, match="rules out"):
            _ = stream.result
        assert stream.text == "abc"
        assert len(stream.stats.mass_removed) == 3
