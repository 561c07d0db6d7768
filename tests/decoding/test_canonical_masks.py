"""Canonical masks: for tokenizers that join pairs and cut no words, exactly the tokens by which an output stays the tokenizer's own."""

from __future__ import annotations

import itertools
import random
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammask
from grammask import GenerateOptions
from grammask.decoding.canonical import is_canonical
from grammask.decoding.canonical_pairs import pairs_of
from grammask.errors import SamplingError
from grammask.vocabulary import Vocabulary
from grammask.vocabulary.encoders import MergeEncoder

from .tokenizing import gpt2
from .worlds import RandomModel, byte_vocabulary, law

SEEDS = st.integers(0, 2**32 - 1)
OBJECT = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "tags": {"type": "array", "items": {"enum": ["red", "green"]}}, "n": {"type": "integer"}},
    "required": ["name", "tags", "n"],
    "additionalProperties": False,
}
GRAMMARS = {
    "object": grammask.json_schema(OBJECT),
    "words": grammask.regex("([a-z]{1,9} ){1,6}[A-Z]+"),
    "characters that are no tokens": grammask.regex("[☃🎈€a]{3,9}"),
}


def joining(rng: random.Random) -> Vocabulary:
    """Up to three letters and some joins of them, ranked at random: by the token made, perhaps several alike, or by the pair."""
    tokens = [letter.encode() for letter in "abc"[: rng.randint(1, 3)]]
    pairs: dict[tuple[bytes, bytes], None] = {}
    for _ in range(rng.randint(1, 12)):
        left, right = rng.choice(tokens), rng.choice(tokens)
        if len(left + right) <= 6:
            tokens += [left + right] * (left + right not in tokens)
            pairs[left, right] = None
    ids = {token: token_id for token_id, token in enumerate(tokens)}
    if rng.random() < 0.5:
        encode = MergeEncoder(ids, ranks={token: rng.randrange(rng.choice([3, 50])) for token in tokens})
    else:
        order = rng.sample(list(pairs), len(pairs))
        merges = {f"{left.decode()} {right.decode()}": rank for rank, (left, right) in enumerate(order)}
        encode = MergeEncoder(ids, merges=merges, written=bytes.decode)
    return Vocabulary([*tokens, b""], eos_ids=[len(tokens)], encode=encode)


@cache
def mistral() -> Vocabulary:
    """Mistral 7B's 32,000 pieces: sentencepiece's BPE, which cuts no words, and writes characters that it does not know as bytes."""
    package = find_spec("mistral_common")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the package mistral_common is not installed (tests/tokenizers.txt)")
    return Vocabulary.from_path(Path(package.submodule_search_locations[0]) / "data" / "tokenizer.model.v1")


@law
@given(SEEDS)
def test_pairs_are_those_that_the_tokenizer_leaves_side_by_side(seed: int) -> None:
    """Rows and columns against the tokenizer, for each pair of a small vocabulary; and sequences are the tokenizer's if all their pairs are."""
    rng = random.Random(seed)
    vocabulary = joining(rng)
    pairs, n_tokens = pairs_of(vocabulary), len(vocabulary) - 1

    def is_own(*token_ids: int) -> bool:
        return list(vocabulary.encode(vocabulary.decode(token_ids).decode())) == list(token_ids)

    assert [is_own(token_id) for token_id in range(n_tokens)] == pairs.own[:n_tokens].tolist()
    for left in range(n_tokens):
        expected = [is_own(left, right) for right in range(n_tokens)]
        assert pairs.after(left)[:n_tokens].tolist() == expected
        assert [bool(pairs.before(right)[left]) for right in range(n_tokens)] == expected
    for _ in range(20):
        sequence = rng.choices(range(n_tokens), k=rng.randint(2, 6))
        assert is_own(*sequence) == all(pairs.after(left)[right] for left, right in itertools.pairwise(sequence))


@law
@given(SEEDS)
def test_masks_hold_exactly_what_leads_to_canonical_outputs(seed: int) -> None:
    """The outputs are listed: behind each of their beginnings the mask holds just the tokens by which they go on."""
    rng = random.Random(seed)
    vocabulary = joining(rng)
    letters = [token.decode() for token in vocabulary.tokens if len(token) == 1]
    texts = {"".join(rng.choices(letters, k=rng.randint(1, 7))) for _ in range(rng.randint(1, 6))}
    constraint = grammask.compile(grammask.choice(sorted(texts)), vocabulary)
    following: dict[tuple[int, ...], set[int]] = {}
    for text in texts:
        token_ids = [*vocabulary.encode(text), vocabulary.eos_ids[0]]
        for place, token_id in enumerate(token_ids):
            following.setdefault(tuple(token_ids[:place]), set()).add(token_id)
    for beginning, expected in following.items():
        matcher = constraint.matcher(canonical=True)
        assert matcher.advance_many(beginning) == len(beginning)
        assert set(matcher.allowed_tokens().tolist()) == expected
        assert matcher.is_canonical


def drawn(matcher: grammask.Matcher, rng: np.random.Generator, most: int = 120) -> list[int]:
    """Tokens drawn uniformly from the masks; after so many, those of the shortest completion that are in them, if any are."""
    token_ids: list[int] = []
    while True:
        allowed = matcher.allowed_tokens()
        assert len(allowed)
        if len(token_ids) > most and matcher.vocabulary.eos_ids[0] in allowed:
            return token_ids
        token_id = int(rng.choice(allowed))
        matcher.advance(token_id)
        if matcher.is_finished:
            return token_ids
        token_ids.append(token_id)


@pytest.mark.parametrize("grammar", GRAMMARS)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_drawn_from_canonical_masks_is_the_tokenizers_own(grammar: str, seed: int) -> None:
    """A real vocabulary, uniform draws: no output gets stuck, and each is token for token what the tokenizer makes of its text."""
    constraint = grammask.compile(GRAMMARS[grammar], mistral())
    matcher = constraint.matcher(canonical=True)
    token_ids = drawn(matcher, np.random.default_rng(seed))
    assert list(mistral().encode(mistral().decode(token_ids).decode())) == token_ids
    assert matcher.is_canonical


def test_canonical_masks_are_what_makes_outputs_canonical() -> None:
    """What they are for: without them not one of the same draws is the tokenizer's own."""
    constraint = grammask.compile(GRAMMARS["object"], mistral())
    outputs = [drawn(constraint.matcher(), np.random.default_rng(seed), most=10**9) for seed in range(6)]
    assert not any(is_canonical(mistral(), output) for output in outputs)


def test_rollbacks_copies_and_batches_know_the_last_token() -> None:
    """The mask at a place is the same however it was reached, and the same in a batch."""
    constraint = grammask.compile(GRAMMARS["object"], mistral())
    matcher = constraint.matcher(canonical=True)
    token_ids = drawn(matcher.copy(), np.random.default_rng(5))[:8]
    fresh = []
    for place in range(len(token_ids)):
        there = constraint.matcher(canonical=True)
        assert there.advance_many(token_ids[:place]) == place
        fresh.append(there.allowed_tokens().tolist())
    assert matcher.draft(token_ids) == len(token_ids)
    matcher.advance_many(token_ids)
    rows = np.zeros((1, constraint.mask_words), dtype=np.uint32)
    for place in reversed(range(len(token_ids))):
        matcher.rollback(1)
        assert matcher.copy().allowed_tokens().tolist() == fresh[place]
        grammask.fill_masks([matcher], rows)
        assert grammask.decoding.mask.allowed_ids(rows[0]).tolist() == fresh[place]


def test_copies_in_several_threads_know_what_one_of_them_knows() -> None:
    """Eight copies drawn from at once: all outputs are the tokenizer's own."""
    matcher = grammask.compile(GRAMMARS["words"], mistral()).matcher(canonical=True)
    with ThreadPoolExecutor(8) as pool:
        outputs = list(pool.map(lambda seed: drawn(matcher.copy(), np.random.default_rng(seed), most=15), range(8)))
    assert all(is_canonical(mistral(), output) for output in outputs)


def test_a_token_that_is_not_canonical_ends_canonical_masks_and_is_told() -> None:
    """`advance` takes what the grammar allows; from there on the masks are the grammar's, until it is rolled back."""
    vocabulary = Vocabulary([b"a", b"b", b"ab", b""], eos_ids=[3], encode=MergeEncoder({b"a": 0, b"b": 1, b"ab": 2}, ranks={b"ab": 0}))
    matcher = grammask.compile(grammask.regex("[ab]{2}"), vocabulary).matcher(canonical=True)
    assert matcher.allowed_tokens().tolist() == [0, 1, 2]
    matcher.advance(0)
    assert (matcher.allowed_tokens().tolist(), matcher.is_canonical) == ([0], True)
    matcher.advance(1)
    assert (matcher.allowed_tokens().tolist(), matcher.is_canonical) == ([3], False)
    matcher.rollback(1)
    assert (matcher.allowed_tokens().tolist(), matcher.is_canonical) == ([0], True)


def test_without_any_canonical_output_the_masks_are_the_grammars_and_it_is_told() -> None:
    """The tokenizer never writes z, which is a token of the vocabulary: nothing is canonical, so everything is allowed."""
    vocabulary = Vocabulary([b"a", b"z", b""], eos_ids=[2], encode=MergeEncoder({b"a": 0}, ranks={}))
    matcher = grammask.compile(grammask.regex("a?z"), vocabulary).matcher(canonical=True)
    assert (matcher.allowed_tokens().tolist(), matcher.is_canonical) == ([0, 1], False)


@pytest.mark.parametrize("seed", range(3))
def test_generate_masks_what_no_text_would_hold(seed: int) -> None:
    """With such a tokenizer hardly any draw is in vain, and the output is canonical within its budget."""
    constraint = grammask.compile(GRAMMARS["object"], mistral())
    result = grammask.generate(RandomModel(mistral(), seed), [1], constraint, GenerateOptions(40, seed=seed, canonical=True))
    assert (result.finish_reason, result.canonical) == ("complete", True)
    assert list(result.token_ids) == list(mistral().encode(result.text))


def test_what_has_no_canonical_masks_is_refused_by_name() -> None:
    """Tokenizers that cut words, encoders that are not known, budgets, and special tokens; each says what to do instead."""
    for vocabulary in (gpt2(), byte_vocabulary(), byte_vocabulary(encode=lambda text: list(text.encode()))):
        with pytest.raises(SamplingError, match="join pairs"):
            grammask.compile(grammask.choice(["a"]), vocabulary).matcher(canonical=True)
    with pytest.raises(SamplingError, match="budget"):
        grammask.compile(grammask.choice(["a"]), mistral()).matcher(5, canonical=True)
    with pytest.raises(SamplingError, match="special tokens"):
        grammask.compile(grammask.seq(grammask.choice(["a"]), grammask.token("<s>")), mistral()).matcher(canonical=True)
