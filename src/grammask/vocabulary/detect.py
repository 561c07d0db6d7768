"""Tells tokenizer files apart by their content, and calls the reader of their kind."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from grammask.errors import TokenizerFormatError
from grammask.vocabulary.gguf_tokenizer import read_gguf_tokenizer
from grammask.vocabulary.huggingface import read_huggingface
from grammask.vocabulary.sentencepiece import read_sentencepiece
from grammask.vocabulary.tekken import tekken_table
from grammask.vocabulary.tiktoken import read_tiktoken
from grammask.vocabulary.token_table import TokenTable, read_file

__all__ = ["read_any"]

# What a folder may hold, the first that is there wins: a tokenizer.json says more than a tokenizer.model beside it.
_IN_FOLDERS = ("tokenizer.json", "tekken.json", "tekken_*.json", "tokenizer.model", "*.tiktoken", "*.model", "*.gguf")


def read_any(path: str | os.PathLike[str]) -> TokenTable:
    """The table of a file of any kind, or of the tokenizer in a folder. Raises TokenizerFormatError."""
    place = Path(path)
    if place.is_dir():
        place = _tokenizer_in(place)
    head = _head(place)
    if head.startswith(b"GGUF"):
        return read_gguf_tokenizer(place)
    if head.lstrip()[:1] == b"{":
        return _from_json(place)
    return read_tiktoken(place) if _is_rank_line(head) else read_sentencepiece(place)


def _tokenizer_in(folder: Path) -> Path:
    for pattern in _IN_FOLDERS:
        found = sorted(folder.glob(pattern))
        if found:
            return found[0]
    raise TokenizerFormatError(str(folder), "there is no tokenizer in this folder", f"looked for {', '.join(_IN_FOLDERS)}")


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(256)
    except OSError as error:
        raise TokenizerFormatError(str(path), error.strerror or str(error), "nothing is downloaded: give a local file or folder") from error


def _is_rank_line(head: bytes) -> bool:
    """Whether the first line is a token in base64, a space and a number."""
    encoded, _, rank = head.partition(b"\n")[0].strip().partition(b" ")
    return rank.isdigit() and encoded.rstrip(b"=").isascii() and encoded.decode("latin-1").rstrip("=").replace("+", "a").replace("/", "a").isalnum()


def _from_json(path: Path) -> TokenTable:
    source = str(path)
    try:
        content: Any = json.loads(read_file(path))
    except (ValueError, RecursionError) as error:
        raise TokenizerFormatError(source, f"it is not JSON ({error})") from error
    if isinstance(content, dict) and isinstance(content.get("vocab"), list):
        return tekken_table(content, source)
    return read_huggingface(path)
