"""Reader for the tokenizer inside a GGUF file's metadata.

tokenizer.ggml.model says how a token is written: `gpt2` byte-level, `llama`, `t5` and `gemma4` like sentencepiece,
`rwkv` with escapes. tokenizer.ggml.token_type says which carry text.
Rule: bytes as llama.cpp prints them; a kind of tokenizer whose tokens have no bytes of their own is refused.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from grammask.errors import TokenizerFormatError
from grammask.vocabulary import byte_level
from grammask.vocabulary.encoders import MergeEncoder
from grammask.vocabulary.gguf import read_metadata
from grammask.vocabulary.pieces import (
    BYTE,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    byte_of,
    byte_tokens,
    literal_tokens,
    piece_bytes,
    piece_encoder,
    settle_ends,
    space_marked,
    special_names,
)
from grammask.vocabulary.pretokenize import compile_pattern, named_patterns
from grammask.vocabulary.token_table import Encode, TokenTable, checked_path

__all__ = ["gguf_table", "read_gguf_tokenizer"]

_BYTE_LEVEL = ("gpt2", "hybriddna")
_SPACE_MARKED = ("llama", "t5", "gemma4")
_END_KEYS = ("eos", "eot", "eom", "fim_pad", "fim_rep", "fim_sep")
# Control tokens with which a model goes on to another file or repository. llama.cpp ends the output there; so that a file
# has the same ends whoever reads it, we do too.
_FILE_BORDERS = ("<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>", "<|file_sep|>")
_KINDS = range(NORMAL, BYTE + 1)
_PADDING = re.compile(r"\[PAD\d+\]")


def read_gguf_tokenizer(path: str | os.PathLike[str], encode: Encode | None = None) -> TokenTable:
    """The table of a file. `encode`: the engine's own tokenizer, else one is made. Raises ModelNotFoundError, ModelFileError, TokenizerFormatError."""
    if checked_path(path).is_dir():
        raise TokenizerFormatError(os.fspath(path), "it is a folder", "give the .gguf file in it")
    return gguf_table(read_metadata(path), os.fspath(path), encode)


def gguf_table(metadata: dict[str, Any], source: str, encode: Encode | None = None) -> TokenTable:
    """The table of a file's metadata, read already."""
    model = metadata.get("tokenizer.ggml.model")
    if model not in (*_BYTE_LEVEL, *_SPACE_MARKED, "rwkv"):
        raise _refused(model, source)
    texts, kinds = _texts(metadata, source), _kinds(metadata, source)
    known = settle_ends(texts, kinds)
    tokens = _tokens(model, texts, kinds)
    specials = {name: i for name, i in special_names(texts, kinds).items() if not _PADDING.fullmatch(name)}
    borders = tuple(specials[name] for name in _FILE_BORDERS if name in specials)
    ends = tuple(dict.fromkeys(_ends(metadata, len(texts)) + known + borders))
    return TokenTable(source, tokens, specials, ends, encode or _encoder(model, metadata, texts, kinds, tokens))


def _refused(model: Any, source: str) -> TokenizerFormatError:
    if model is None or model in ("none", "no_vocab"):
        return TokenizerFormatError(source, "the file holds no tokenizer (no tokenizer.ggml.model)")
    known = ", ".join((*_BYTE_LEVEL, *_SPACE_MARKED, "rwkv"))
    why = "its tokens have no exact bytes: spaces between them come and go" if model == "bert" else "this kind is not known here"
    return TokenizerFormatError(source, f"tokenizer.ggml.model is {model!r}: {why}", f"known kinds: {known}")


def _texts(metadata: dict[str, Any], source: str) -> list[str]:
    texts = metadata.get("tokenizer.ggml.tokens")
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise TokenizerFormatError(source, "tokenizer.ggml.tokens is missing, empty or no list of strings")
    return texts


def _kinds(metadata: dict[str, Any], source: str) -> list[int]:
    """The type of every token. Files without types: all normal, but the unknown token and byte pieces.

    Converters pad the vocabulary with [PAD50430] at id 50430, and older ones call that a user-defined token.
    """
    texts, kinds = metadata["tokenizer.ggml.tokens"], metadata.get("tokenizer.ggml.token_type")
    if kinds is None:
        guessed = [BYTE if byte_of(text) else NORMAL for text in texts]
        unknown = metadata.get("tokenizer.ggml.unknown_token_id")
        if type(unknown) is int and 0 <= unknown < len(texts):
            guessed[unknown] = UNKNOWN
        return guessed
    if not isinstance(kinds, array) or len(kinds) != len(texts):
        raise TokenizerFormatError(source, f"tokenizer.ggml.token_type does not have one number for each of the {len(texts)} tokens")
    return [UNUSED if kind not in _KINDS or (kind == USER_DEFINED and texts[i] == f"[PAD{i}]") else kind for i, kind in enumerate(kinds)]


def _ends(metadata: dict[str, Any], n_tokens: int) -> tuple[int, ...]:
    """The ids under the end keys; converters write ids out of range for "none"."""
    ids = [metadata.get(f"tokenizer.ggml.{name}_token_id") for name in _END_KEYS]
    return tuple(token_id for token_id in ids if type(token_id) is int and 0 <= token_id < n_tokens)


def _tokens(model: str, texts: Sequence[str], kinds: Sequence[int]) -> list[bytes]:
    """The bytes of every token."""
    normal: Callable[[str], bytes] = _unescaped if model == "rwkv" else byte_level.to_bytes if model in _BYTE_LEVEL else piece_bytes
    marked = model in _SPACE_MARKED
    return [normal(text) if kind == NORMAL else piece_bytes(text, kind, marked) for text, kind in zip(texts, kinds, strict=True)]


_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r"}


def _unescaped(piece: str) -> bytes:
    r"""The bytes of a piece with \t, \n, \r and \xff escapes; a backslash before anything else stands for that."""
    parts, at = [], 0
    for match in _ESCAPE.finditer(piece):
        parts.append(piece[at : match.start()].encode("utf-8", "surrogateescape"))
        parts.append(bytes.fromhex(match[1]) if match[1] else _ESCAPED.get(match[2], match[2]).encode("utf-8", "surrogateescape"))
        at = match.end()
    parts.append(piece[at:].encode("utf-8", "surrogateescape"))
    return b"".join(parts)


def _mergeable(texts: Sequence[str], kinds: Sequence[int], tokens: Sequence[bytes], written: Callable[[bytes], str | None]) -> dict[bytes, int]:
    """Bytes -> id of normal tokens; of several with the same bytes, the one that is written as merges write it."""
    ids: dict[bytes, int] = {}
    for token_id, token in enumerate(tokens):
        if kinds[token_id] == NORMAL and ids.setdefault(token, token_id) != token_id and written(token) == texts[token_id]:
            ids[token] = token_id
    return ids


def _encoder(model: str, metadata: dict[str, Any], texts: list[str], kinds: list[int], tokens: list[bytes]) -> Encode | None:
    if model == "llama":
        scores = metadata.get("tokenizer.ggml.scores")
        return piece_encoder(tokens, kinds, scores) if isinstance(scores, array) and len(scores) == len(tokens) else None
    merges = metadata.get("tokenizer.ggml.merges")
    named = ((r"[^\n]+|\n+",), False) if model == "gemma4" else named_patterns(str(metadata.get("tokenizer.ggml.pre", "")))
    if model not in ("gpt2", "gemma4") or named is None or not isinstance(merges, list):
        return None
    patterns, whole = named
    written = byte_level.from_bytes if model == "gpt2" else space_marked
    return MergeEncoder(
        ids=_mergeable(texts, kinds, tokens, written),
        merges={merge: rank for rank, merge in enumerate(merges)},
        written=written,
        patterns=[compile_pattern(pattern) for pattern in patterns],
        by_character=model == "gemma4",
        whole=whole,
        single=byte_tokens(tokens, kinds, (NORMAL, BYTE)),
        literals=literal_tokens(tokens, kinds),
    )
