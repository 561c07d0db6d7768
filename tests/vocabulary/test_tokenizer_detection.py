"""from_path: kinds of tokenizer files told apart by their content."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grammask.errors import ModelFileError, TokenizerFormatError
from grammask.vocabulary import Vocabulary
from grammask.vocabulary.byte_level import CHARACTERS

from . import real_tokenizers as real


def huggingface() -> bytes:
    pieces = {character: byte for byte, character in enumerate(CHARACTERS)} | {"</s>": 256}
    return json.dumps(real.byte_level_json(pieces, [], ["</s>"])).encode()


def gguf() -> bytes:
    return real.gguf_file({"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": ["a", "</s>"], "tokenizer.ggml.eos_token_id": 1})


def sentencepiece() -> bytes:
    return real.piece("<unk>", 2) + real.piece("</s>", 3) + real.piece("a", 1) + real.message(2, b"\x18\x02")


@pytest.mark.parametrize(
    ("data", "n_tokens"),
    [
        (huggingface(), 257),
        (b" \n" + huggingface(), 257),
        (gguf(), 2),
        (real.rank_file([b"a", b"+/", b"\xff\xff\xff"]), 3),
        (sentencepiece(), 3),
    ],
    ids=["tokenizer.json", "with space before", "gguf", "tiktoken", "sentencepiece"],
)
def test_the_name_of_a_file_does_not_matter(tmp_path: Path, data: bytes, n_tokens: int) -> None:
    """Every kind is known by its first bytes."""
    path = tmp_path / "some.file"
    path.write_bytes(data)
    assert Vocabulary.from_path(path, eos_ids=[0]).size == n_tokens


def test_real_files_are_told_apart() -> None:
    """Both of these are called tokenizer.model."""
    assert Vocabulary.from_path(real.llama3_path(), eos_ids=[]).size == 128_000
    assert Vocabulary.from_path(real.mistral_path("tokenizer.model.v1")).size == 32_000


def test_a_folder_is_searched(tmp_path: Path) -> None:
    """tokenizer.json before the others; a folder without any is refused with what was looked for."""
    with pytest.raises(TokenizerFormatError, match=r"looked for tokenizer.json, tekken.json"):
        Vocabulary.from_path(tmp_path)
    (tmp_path / "model.gguf").write_bytes(gguf())
    assert Vocabulary.from_path(tmp_path).size == 2
    (tmp_path / "tokenizer.json").write_bytes(huggingface())
    assert Vocabulary.from_path(tmp_path).size == 257


def test_other_files_are_refused(tmp_path: Path) -> None:
    """Plain text, an image, broken JSON, a missing file, a GGUF cut short."""
    path = tmp_path / "some.file"
    for data in (b"", b"hello world", b"\x89PNG\r\n\x1a\n" + b"\0" * 64, b"{nothing", b"{}"):
        path.write_bytes(data)
        with pytest.raises(TokenizerFormatError):
            Vocabulary.from_path(path)
    with pytest.raises(TokenizerFormatError, match="nothing is downloaded"):
        Vocabulary.from_path(tmp_path / "none")
    path.write_bytes(b"GGUF\x03")
    with pytest.raises(ModelFileError):
        Vocabulary.from_path(path)
