"""Reader for the tokenizer inside a GGUF file's metadata.

tokenizer.ggml.model says how a token is written: `gpt2` byte-level, `llama`, `t5` and `gemma4` like sentencepiece,
`rwkv` with escapes. tokenizer.ggml.token_type says which carry text.
Rule: bytes as llama.cpp prints them; a kind of tokenizer whose tokens have no bytes of their own is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from grammask.errors import TokenizerFormatError
from grammask.vocabulary import byte_level
from grammask.vocabulary.encoders import MergeEncoder
from grammask.vocabulary.gguf import read_metadata
from grammask.vocabulary.pieces import BYTE, NORMAL, UNKNOWN, UNUSED, USER_DEFINED, byte_of, control_ends, piece_bytes, piece_encoder, special_names
from grammask.vocabulary.pretokenize import compile_pattern, named_patterns
from grammask.vocabulary.token_table import Encode, TokenTable

__all__ = ["gguf_table", "read_gguf_tokenizer"]

_BYTE_LEVEL = ("gpt2", "hybriddna")
_SPACE_MARKED = ("llama", "t5", "gemma4")
_END_KEYS = ("eos", "eot", "eom")


def read_gguf_tokenizer(path: str | os.PathLike[str]) -> TokenTable:
    """The table of a file. Raises ModelNotFoundError, ModelFileError, TokenizerFormatError."""
    return gguf_table(read_metadata(path), os.fspath(path))


def gguf_table(metadata: dict[str, Any], source: str) -> TokenTable:
    """The table of a file's metadata, read already."""
    kind = metadata.get("tokenizer.ggml.model")
    if kind not in (*_BYTE_LEVEL, *_SPACE_MARKED, "rwkv"):
        raise _refused(kind, source)
    pieces, ends = control_ends(_pieces(metadata, source))
    ends = _ends(metadata, len(pieces)) + ends
    tokens = [_token_bytes(kind, piece, what) for piece, what in pieces]
    encode = _encoder(kind, metadata, pieces, tokens)
    return TokenTable(source, tokens, dict(special_names(pieces)), tuple(dict.fromkeys(ends)), encode)


def _refused(kind: Any, source: str) -> TokenizerFormatError:
    if kind is None or kind in ("none", "no_vocab"):
        return TokenizerFormatError(source, "the file holds no tokenizer (no tokenizer.ggml.model)")
    known = ", ".join((*_BYTE_LEVEL, *_SPACE_MARKED, "rwkv"))
    why = "its tokens have no exact bytes: spaces between them come and go" if kind == "bert" else "this kind is not known here"
    return TokenizerFormatError(source, f"tokenizer.ggml.model is {kind!r}: {why}", f"known kinds: {known}")


def _pieces(metadata: dict[str, Any], source: str) -> list[tuple[str, int]]:
    """(text, type) of every token. Files without types: all normal, but the unknown token and byte pieces."""
    texts = metadata.get("tokenizer.ggml.tokens")
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise TokenizerFormatError(source, "tokenizer.ggml.tokens is missing, empty or no list of strings")
    kinds = metadata.get("tokenizer.ggml.token_type")
    if kinds is None:
        kinds = [BYTE if byte_of(text) else NORMAL for text in texts]
        unknown = metadata.get("tokenizer.ggml.unknown_token_id")
        if type(unknown) is int and 0 <= unknown < len(texts):
            kinds[unknown] = UNKNOWN
    if isinstance(kinds, str) or not hasattr(kinds, "__len__") or len(kinds) != len(texts):
        raise TokenizerFormatError(source, f"tokenizer.ggml.token_type does not have one entry for each of the {len(texts)} tokens")
    return [(text, kind if kind in range(NORMAL, BYTE + 1) else UNUSED) for text, kind in zip(texts, kinds, strict=True)]


def _ends(metadata: dict[str, Any], n_tokens: int) -> tuple[int, ...]:
    """The ids under the end keys; converters write ids out of range for "none"."""
    ids = [metadata.get(f"tokenizer.ggml.{name}_token_id") for name in _END_KEYS]
    return tuple(token_id for token_id in ids if type(token_id) is int and 0 <= token_id < n_tokens)


def _token_bytes(kind: str, piece: str, what: int) -> bytes:
    if what == NORMAL and kind in _BYTE_LEVEL:
        return byte_level.to_bytes(piece)
    if what == NORMAL and kind == "rwkv":
        return _unescaped(piece)
    return piece_bytes(piece, what, escaped=kind in _SPACE_MARKED)


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


def _encoder(kind: str, metadata: dict[str, Any], pieces: Sequence[tuple[str, int]], tokens: Sequence[bytes]) -> Encode | None:
    kinds = [what for _, what in pieces]
    if kind == "llama":
        scores = metadata.get("tokenizer.ggml.scores")
        return piece_encoder(tokens, kinds, scores) if scores is not None and len(scores) == len(tokens) else None
    merges, patterns = metadata.get("tokenizer.ggml.merges"), named_patterns(str(metadata.get("tokenizer.ggml.pre", "")))
    if not isinstance(merges, list) or (kind == "gpt2" and patterns is None) or kind not in ("gpt2", "gemma4"):
        return None
    read = byte_level.to_bytes if kind == "gpt2" else lambda piece: piece_bytes(piece, NORMAL)
    sides = [merge.partition(" ") for merge in merges]
    return MergeEncoder(
        ids={tokens[i]: i for i in reversed(range(len(tokens))) if kinds[i] == NORMAL},
        pairs={(read(left), read(right)): rank for rank, (left, _, right) in reversed(list(enumerate(sides)))},
        patterns=[compile_pattern(pattern) for pattern in patterns or (r"[^\n]+|\n+",)],
        by_character=kind == "gemma4",
        whole=True,
        single={tokens[i][0]: i for i in range(len(tokens)) if len(tokens[i]) == 1 and kinds[i] in (NORMAL, BYTE)},
        literals={tokens[i].decode(errors="replace"): i for i in range(len(tokens)) if kinds[i] == USER_DEFINED and tokens[i]},
    )
