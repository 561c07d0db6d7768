"""The vocabulary of loaded weights, against the reader of GGUF files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.integrations.llama_cpp import Model
from grammask.vocabulary import Vocabulary


def test_bytes_are_those_that_the_file_reader_finds(model: Model, embedded_file: Path) -> None:
    """Engine and reader come to the same bytes by different ways."""
    read = Vocabulary.from_gguf(embedded_file)
    assert model.vocabulary.tokens == read.tokens
    assert model.vocabulary.specials == read.specials


def test_every_end_token_ends_an_output(model: Model) -> None:
    """The chat's end of turn ends an output as the end of text does."""
    specials = model.vocabulary.specials
    assert {specials["<|im_end|>"], specials["<|endoftext|>"]} <= set(model.vocabulary.eos_ids)


def test_21_bytes_have_no_token(model: Model) -> None:
    """The embedded model cannot spell every byte, which the grammar's masks have to know."""
    assert len(model.vocabulary.single_bytes) == 256 - 21


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"], max_codepoint=0xFFFF), max_size=40))
def test_encoding_spells_the_text(model: Model, text: str) -> None:
    """No space is added, nothing is normalised."""
    vocabulary = model.vocabulary
    assert vocabulary.encode is not None
    assert vocabulary.decode(vocabulary.encode(text)) == text.encode()


@pytest.mark.parametrize("name", ["<|im_end|>", "<|endoftext|>", "x<|im_start|>assistant\n"])
def test_encoding_takes_names_of_control_tokens_for_text(model: Model, name: str) -> None:
    """What a grammar forces as text stays text."""
    vocabulary = model.vocabulary
    assert vocabulary.encode is not None
    token_ids = vocabulary.encode(name)
    assert not set(token_ids) & set(vocabulary.specials.values())
    assert vocabulary.decode(token_ids) == name.encode()
