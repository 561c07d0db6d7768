"""from_path: kinds of tokenizer files told apart by their content."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("tokenizer.json", b"", "the file is empty"),
        ("junk.json", b"\x8f\x00\xffjunk" * 9, "it is not a JSON object"),
        ("list.json", b"[1, 2]", "it is not a JSON object"),
        ("cut.json", b'{"model": {', "it is not JSON"),
        ("other.json", b"{}", "it is no tokenizer.json"),
        ("tiny.gguf", b"abc", "GGUF file cut short: it has 3 bytes"),
        ("tiny.bin", b"GGU", "GGUF file cut short: it has 3 bytes"),
        ("page.gguf", b"<!doctype html><html></html>", "it is not a GGUF file"),
        ("page.tiktoken", b"<!doctype html><html></html>", "it is not a tiktoken file"),
        ("page.model", b"<!doctype html><html></html>", "it is not a sentencepiece model"),
        ("broken.model", b"\n\x0ebroken", "it is no sentencepiece model"),
        ("page.html", b"<!doctype html><html></html>", "it is not a tokenizer file of any kind"),
        ("tokenizer.model", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "it is a Git LFS pointer"),
    ],
)
def test_a_file_of_no_known_kind_is_refused_as_what_it_seems_to_be(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    """The reason follows from content and name; the way out never points back at the function that was called."""
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(TokenizerFormatError, match=reason) as raised:
        Vocabulary.from_path(path)
    assert raised.value.path == str(path)
    assert raised.value.hint
    assert "from_path" not in str(raised.value)


def test_a_byte_order_mark_does_not_hide_json(tmp_path: Path) -> None:
    """Some editors write one."""
    path = tmp_path / "tokenizer.json"
    path.write_bytes(b"\xef\xbb\xbf{nothing")
    with pytest.raises(TokenizerFormatError, match="it is not JSON"):
        Vocabulary.from_path(path)


@pytest.mark.parametrize("reader", [Vocabulary.from_path, Vocabulary.from_gguf, Vocabulary.from_tekken])
@pytest.mark.parametrize("path", [None, 3, b"tokenizer.json", ""], ids=repr)
def test_what_is_no_path_is_refused(reader: Callable[[Any], Vocabulary], path: object) -> None:
    """Also the empty text, which would otherwise be the working directory."""
    with pytest.raises(TokenizerFormatError, match="path"):
        reader(path)


def test_a_folder_is_no_gguf_file(tmp_path: Path) -> None:
    """It is an error about tokenizers, like every other file that holds none."""
    with pytest.raises(TokenizerFormatError, match="folder"):
        Vocabulary.from_gguf(tmp_path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Only a regular file can be looked at before it is read."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TokenizerFormatError, match="regular"):
        Vocabulary.from_path(tmp_path / "pipe")


@pytest.mark.parametrize("reader", [Vocabulary.from_path, Vocabulary.from_tekken, Vocabulary.from_huggingface])
@pytest.mark.parametrize("path", ["a\0b", "\ud800"], ids=["a zero byte", "a surrogate"])
def test_a_name_that_no_file_can_have_is_refused(reader: Callable[[Any], Vocabulary], path: str) -> None:
    """The name is shown with escapes."""
    with pytest.raises(TokenizerFormatError) as raised:
        reader(path)
    assert str(raised.value).isascii()
