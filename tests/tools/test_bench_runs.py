"""The benchmarks of batches and of decoding run on small things and say what they promise to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import grammask
from grammask.tools.bench import batch, decoding, growth

TOKENS = [bytes([byte]) for byte in range(256)] + [b'": "', b'{"', b"name", b""]
VOCABULARY = grammask.Vocabulary(TOKENS, eos_ids=[259])


class FlatModel:
    """A model that scores all tokens alike and counts what it was asked to run."""

    vocabulary = VOCABULARY

    def __init__(self) -> None:
        self.runs = 0

    def begin(self, prompt_token_ids: Sequence[int]) -> None:
        """Nothing to do."""

    def accept(self, token_id: int) -> None:
        """Count."""
        self.runs += 1

    def rewind(self, n: int) -> None:
        """Nothing to do."""

    def logits(self) -> NDArray[np.float32]:
        """All alike."""
        return np.zeros(len(TOKENS), dtype=np.float32)


def test_batch_compares_numbers_of_threads() -> None:
    """Each number of threads has a time, and a speedup over the first."""
    figures = batch.measure(VOCABULARY, 16, [1, 2], 2)
    assert figures["speedup"]["1 threads"] == 1.0
    assert figures["speedup"]["2 threads"] == figures["milliseconds"]["1 threads"] / figures["milliseconds"]["2 threads"]
    assert figures["mask_over_copy_of_its_row"] > 0
    steps = figures["step_over_copy"]
    assert steps["ratio"] == steps["step_us"] / steps["copy_us"] > 0


def test_batch_places_differ() -> None:
    """The matchers of a batch stand at places of their own, none past its end."""
    matchers = [batch.at_some_place(matcher, seed) for seed, matcher in enumerate(batch.fresh_matchers(VOCABULARY, 64))]
    assert len({matcher.position for matcher in matchers}) > 8
    assert not any(matcher.is_finished for matcher in matchers)


def test_decoding_compares_four_ways_over_the_same_tokens() -> None:
    """All ways run the model over the same tokens, and each has a time."""
    model = FlatModel()
    constraint = grammask.compile(grammask.json_schema({"enum": ["a", "bc"]}), VOCABULARY)
    figures = decoding.measure(model, constraint, [[1], [2]], 1)
    assert set(figures["milliseconds_a_token"]) == {"without", "mask between steps", "mask while the model runs", "generate"}
    assert figures["over_without"]["without"] == 1.0
    assert model.runs >= 4 * figures["tokens"]


def test_batch_names_a_tokenizer_it_cannot_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 3, with a word why."""
    assert batch.main(["/nowhere/tokenizer.json"]) == 3
    assert "grammask bench:" in capsys.readouterr().err


def test_growth_measures_sizes_and_memory() -> None:
    """Each large schema has a time, and memory is told as schemas go by; what is refused is passed over."""
    assert all(time > 0 for time in growth.sizes(VOCABULARY).values())
    told = growth.memory(VOCABULARY, [{"type": "string"}, {"uniqueItems": True}], 10)
    assert list(told) == [str(number) for number in range(11)]
    assert all(size > 0 for size in told.values())
