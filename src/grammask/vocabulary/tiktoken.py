"""Reader for tiktoken: `Encoding` objects, objects like them, and rank files.

Rule: tokens are bytes here already, so nothing is decoded; special tokens have names, and carry no text.
"""

from __future__ import annotations

import binascii
import os
from collections.abc import Mapping
from typing import Any

from grammask.errors import TokenizerFormatError, VocabularyError
from grammask.vocabulary.encoders import MergeEncoder
from grammask.vocabulary.pretokenize import UnknownPatternError, compile_pattern
from grammask.vocabulary.token_table import TokenTable, dense, known_ends, read_file

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
    ranks = _first_attribute(encoding, ("_mergeable_ranks", "_ranks"))
    specials = _first_attribute(encoding, ("_special_tokens", "_special"))
    encode = getattr(encoding, "encode_ordinary", None)
    if not isinstance(ranks, Mapping) or not isinstance(specials, Mapping):
        raise TokenizerFormatError(source, "it is no tiktoken encoding (no ranks of tokens found)", "pass a tiktoken.Encoding or the path of a rank file")
    return _table(source, ranks, dict(specials), encode)


def _first_attribute(thing: Any, names: tuple[str, ...]) -> Any:
    return next((getattr(thing, name) for name in names if hasattr(thing, name)), None)


def _from_file(path: str | os.PathLike[str], specials: dict[str, int], pattern: str | None) -> TokenTable:
    source = os.fspath(path)
    ranks = parse_ranks(read_file(path, "tiktoken's own encodings have no path: pass tiktoken.get_encoding(name)"), source)
    encode = None
    if pattern is not None:
        try:
            encode = MergeEncoder(ids=ranks, ranks=ranks, patterns=(compile_pattern(pattern),), whole=True)
        except UnknownPatternError as error:
            raise VocabularyError(f"the pattern cannot be run here: {error}; leave it out, or pass a tiktoken.Encoding") from error
    return _table(source, ranks, specials, encode)


def _table(source: str, ranks: Mapping[bytes, int], specials: dict[str, int], encode: Any) -> TokenTable:
    special_ids = frozenset(specials.values())
    tokens = dense({rank: token for token, rank in ranks.items() if rank not in special_ids}, source, special_ids)
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
            raise TokenizerFormatError(source, reason, "grammask.Vocabulary.from_path tells kinds of files apart") from None
    if len(set(ranks.values())) != len(ranks):
        raise TokenizerFormatError(source, "two tokens have the same rank")
    return ranks
