"""Mistral's tekken.json."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.errors import TokenizerFormatError
from grammask.vocabulary import Vocabulary

from . import real_tokenizers as real


def small(**changes: Any) -> dict[str, Any]:
    """A file of 300 ranks, of which 260 are used after 10 special ids."""
    tokens = [bytes([byte]) for byte in range(256)] + [b"ab", b"abc", b" a", b"bc"] + [b"unused%d" % i for i in range(40)]
    vocab = [{"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None} for rank, token in enumerate(tokens)]
    config = {"pattern": r"\S+|\s+", "num_vocab_tokens": 300, "default_vocab_size": 270, "default_num_special_tokens": 10, "version": "v3"}
    return {"config": config, "vocab": vocab} | changes


@cache
def tekken() -> Vocabulary:
    return Vocabulary.from_tekken(real.mistral_path("tekken_240911.json"))


def test_tekken_reads_in_full() -> None:
    """131,072 ids: 1,000 special ones, then the ranks; the end is </s>."""
    vocabulary = tekken()
    assert (vocabulary.size, vocabulary.eos_ids, len(vocabulary.specials)) == (131_072, (2,), 1_000)
    assert vocabulary.specials["[INST]"] == 3
    assert vocabulary.specials["<SPECIAL_999>"] == 999
    assert vocabulary.tokens[:1000] == [b""] * 1000
    assert vocabulary.tokens[1000:1256] == [bytes([byte]) for byte in range(256)]
    assert len(vocabulary.single_bytes) == 256

    @real.law
    @given(st.text())
    def law(text: str) -> None:
        assert vocabulary.encode is not None
        assert vocabulary.decode(vocabulary.encode(text)) == text.encode()

    law()


def test_own_encoding_of_tekken_equals_tiktokens() -> None:
    """Mistral's own reader hands the ranks and the pattern to tiktoken; the ids are the same, 1,000 higher."""
    tiktoken = pytest.importorskip("tiktoken", reason="tiktoken is not installed")
    path = real.mistral_path("tekken_240911.json")
    vocabulary = tekken()
    ranks = {token: token_id - 1000 for token_id, token in enumerate(vocabulary.tokens) if token}
    pattern = json.loads(path.read_bytes())["config"]["pattern"]
    theirs = tiktoken.Encoding(name="tekken", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    text = "CamelCase and SHOUTING, 12345 na\u00efve \u65e5\u672c\u8a9e e\u0301\n\n  /* x */ \U0001f469\U0001f3fd\u200d\U0001f680 </s>[INST]"
    assert vocabulary.encode is not None
    assert vocabulary.encode(text) == [rank + 1000 for rank in theirs.encode_ordinary(text)]


def test_special_tokens_that_a_file_lists_are_taken_from_it(tmp_path: Path) -> None:
    """Listed names at their ranks, filler names for the rest; a file without a list has the names of its time."""
    path = tmp_path / "tekken.json"
    listed = [{"rank": 0, "token_str": "<unk>", "is_control": True}, {"rank": 4, "token_str": "</s>", "is_control": True}]
    path.write_text(json.dumps(small(special_tokens=listed)))
    vocabulary = Vocabulary.from_tekken(path)
    assert vocabulary.specials == {"<unk>": 0, "</s>": 4} | {f"<SPECIAL_{i}>": i for i in (1, 2, 3, 5, 6, 7, 8, 9)}
    assert vocabulary.eos_ids == (4,)
    path.write_text(json.dumps(small()))
    assert Vocabulary.from_tekken(path).specials["</s>"] == 2


def test_ranks_beyond_the_vocabulary_size_are_not_tokens(tmp_path: Path) -> None:
    """The file lists more ranks than the model has ids."""
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps(small()))
    vocabulary = Vocabulary.from_tekken(path)
    assert vocabulary.size == 270
    assert vocabulary.tokens[266:] == [b"ab", b"abc", b" a", b"bc"]
    assert vocabulary.encode is not None
    assert vocabulary.encode("ab abc") == [266, 10 + 32, 267]


def test_a_pattern_that_cannot_be_run_leaves_no_encode(tmp_path: Path) -> None:
    """The bytes are exact without it."""
    path = tmp_path / "tekken.json"
    content = small()
    content["config"]["pattern"] = r"\p{Han}+"
    path.write_text(json.dumps(content))
    assert Vocabulary.from_tekken(path).encode is None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[", "not JSON"),
        ("[]", "no tekken.json"),
        ("{}", "no tekken.json"),
        (json.dumps(small(vocab=[{"rank": 0}])), "lists 1 tokens and uses 260"),
        (json.dumps(small(vocab=[{"rank": 0}] * 260)), "token_bytes"),
        (json.dumps(small(vocab=[{"rank": 5, "token_bytes": "AA=="}] * 300)), "entry 0 of vocab has rank 5"),
        (json.dumps(small(vocab=[{"rank": 0, "token_bytes": "?"}] * 300)), "no tekken.json"),
        (json.dumps(small(vocab={"a": 1})), "no tekken.json"),
        (json.dumps(small(config={"default_vocab_size": 1 << 60, "default_num_special_tokens": 10})), "no number of tokens"),
        (json.dumps(small(config={"default_vocab_size": 5, "default_num_special_tokens": 10})), "uses -5"),
        (json.dumps(small(special_tokens=[{"rank": 10, "token_str": "<x>"}])), "rank 10"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, content: str, says: str) -> None:
    """A TokenizerFormatError that names the file and the reason."""
    path = tmp_path / "tekken.json"
    path.write_text(content)
    with pytest.raises(TokenizerFormatError, match=says) as caught:
        Vocabulary.from_tekken(path)
    assert caught.value.path == str(path)
