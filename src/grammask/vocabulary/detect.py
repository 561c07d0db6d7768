"""Tells tokenizer files apart by their content, by their name only to say what is wrong with one, and calls the reader of their kind."""

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
from grammask.vocabulary.token_table import OTHER_KIND, TokenTable, checked_path, read_file

__all__ = ["read_any"]

# What a folder may hold, the first that is there wins: a tokenizer.json says more than a tokenizer.model beside it.
_IN_FOLDERS = ("tokenizer.json", "tekken.json", "tekken_*.json", "tokenizer.model", "*.tiktoken", "*.model", "*.gguf")

_KINDS = "the kinds known are tokenizer.json, tekken.json, sentencepiece models, tiktoken files and GGUF"
_LEAST_GGUF = 24  # bytes: magic, version, counts
_FIRST_PIECE = b"\n"  # field 1, as sentencepiece models begin
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_any(path: str | os.PathLike[str]) -> TokenTable:
    """The table of a file of any kind, or of the tokenizer in a folder. Raises TokenizerFormatError."""
    place = checked_path(path)
    if place.is_dir():
        place = _tokenizer_in(place)
    head, size = _head(place)
    if head.startswith(b"GGUF"):
        return read_gguf_tokenizer(place)
    _refuse_by_look(place, head, size)
    try:
        return _from_json(place) if _is_object(head) else read_tiktoken(place) if _is_rank_line(head) else read_sentencepiece(place)
    except TokenizerFormatError as error:
        if error.hint != OTHER_KIND:
            raise
        reason = error.reason if _is_object(head) or _is_rank_line(head) or head[:1] == _FIRST_PIECE else _otherwise(place)
        raise TokenizerFormatError(error.path, reason, _KINDS) from error


def _is_object(head: bytes) -> bool:
    return head.removeprefix(_BYTE_ORDER_MARK).lstrip()[:1] == b"{"


def _refuse_by_look(path: Path, head: bytes, size: int) -> None:
    """Raise TokenizerFormatError for what no reader has to look at."""
    if not size:
        raise TokenizerFormatError(str(path), "the file is empty", _KINDS)
    if head.startswith(b"version https://git-lfs"):
        raise TokenizerFormatError(str(path), "it is a Git LFS pointer, not the file that it stands for", "fetch that with `git lfs pull`")
    if b"GGUF".startswith(head) or (path.suffix == ".gguf" and size < _LEAST_GGUF):
        raise TokenizerFormatError(str(path), f"it is a GGUF file cut short: it has {size} {'byte' if size == 1 else 'bytes'}", "download or copy it again")


def _otherwise(path: Path) -> str:
    """What is wrong with a file of no kind that is known by its content, judged by its name."""
    if path.suffix == ".gguf":
        return "it is not a GGUF file, whatever its name says: those begin with GGUF"
    if path.suffix == ".json":
        return "it is not a JSON object, as a tokenizer.json is"
    if path.suffix == ".tiktoken":
        return "it is not a tiktoken file: its first line is not a token in base64 and a number"
    return "it is not a sentencepiece model" if path.suffix == ".model" else "it is not a tokenizer file of any kind known here"


def _tokenizer_in(folder: Path) -> Path:
    for pattern in _IN_FOLDERS:
        found = sorted(folder.glob(pattern))
        if found:
            return found[0]
    raise TokenizerFormatError(str(folder), "there is no tokenizer in this folder", f"looked for {', '.join(_IN_FOLDERS)}")


def _head(path: Path) -> tuple[bytes, int]:
    """The first bytes of a file, and its size in bytes."""
    if path.exists() and not path.is_file():
        raise TokenizerFormatError(str(path), "it is not a regular file")
    try:
        with path.open("rb") as file:
            return file.read(256), path.stat().st_size
    except ValueError as error:
        raise TokenizerFormatError(ascii(str(path)), f"no file can have this name ({error})") from error
    except OSError as error:
        raise TokenizerFormatError(str(path), error.strerror or str(error), "nothing is downloaded: give a local file or folder") from error


def _is_rank_line(head: bytes) -> bool:
    """Whether the first line is a token in base64, a space and a number."""
    encoded, _, rank = head.partition(b"\n")[0].strip().partition(b" ")
    return rank.isdigit() and encoded.rstrip(b"=").isascii() and encoded.decode("latin-1").rstrip("=").replace("+", "a").replace("/", "a").isalnum()


def _from_json(path: Path) -> TokenTable:
    source = str(path)
    data = read_file(path)
    try:
        content: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise TokenizerFormatError(source, f"it is not JSON ({error})", "it begins like a tokenizer.json: download or copy it again") from error
    if isinstance(content, dict) and isinstance(content.get("vocab"), list):
        return tekken_table(content, source)
    return read_huggingface(path)
