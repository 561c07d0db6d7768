"""Pieces as sentencepiece types them, shared by its own model files and by GGUF.

A piece writes a space as U+2581 and, in models with byte fallback, a byte as <0x0A>.
Source: sentencepiece_model.proto; GGUF took over the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from grammask.vocabulary.encoders import MergeEncoder
from grammask.vocabulary.token_table import known_ends

__all__ = [
    "BYTE", "CONTROL", "NORMAL", "SPACE", "UNKNOWN", "UNUSED", "USER_DEFINED",
    "byte_of", "control_ends", "piece_bytes", "piece_encoder", "special_names",
]  # fmt: skip

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
SPACE = "\N{LOWER ONE EIGHTH BLOCK}"

_BYTE_PIECE = re.compile("<0x([0-9A-Fa-f]{2})>")


def byte_of(piece: str) -> bytes | None:
    """The byte that a piece like <0x0A> stands for; None for any other piece."""
    match = _BYTE_PIECE.fullmatch(piece)
    return bytes.fromhex(match[1]) if match else None


def piece_bytes(piece: str, kind: int, escaped: bool = True) -> bytes:
    """The text of a piece; b"" for pieces that carry none. escaped: U+2581 stands for a space."""
    if kind in (UNKNOWN, CONTROL, UNUSED):
        return b""
    if kind == BYTE:
        return byte_of(piece) or b""
    return (piece.replace(SPACE, " ") if escaped else piece).encode("utf-8", "surrogateescape")


def control_ends(pieces: Sequence[tuple[str, int]]) -> tuple[list[tuple[str, int]], tuple[int, ...]]:
    """The pieces with user-defined ones that are known to end outputs made control pieces, and the ids of all that end outputs."""
    ends = known_ends({piece: i for i, (piece, kind) in enumerate(pieces) if kind in (CONTROL, USER_DEFINED)})
    settled = list(pieces)
    for token_id in ends:
        settled[token_id] = (pieces[token_id][0], CONTROL)
    return settled, ends


def special_names(pieces: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """(name, id) of the pieces that carry no text. Unused ones too: who trains a model further gives them a meaning."""
    for token_id, (piece, kind) in enumerate(pieces):
        if kind in (UNKNOWN, CONTROL, UNUSED) and piece:
            yield piece, token_id


def piece_encoder(tokens: Sequence[bytes], kinds: Sequence[int], scores: Sequence[float]) -> MergeEncoder:
    """sentencepiece's BPE: of all neighbours, join those that make the piece of the highest score."""
    ids = {tokens[i]: i for i in reversed(range(len(tokens))) if kinds[i] == NORMAL}
    return MergeEncoder(
        ids=ids,
        ranks={token: -scores[i] for token, i in ids.items()},
        by_character=True,
        single={tokens[i][0]: i for i in range(len(tokens)) if kinds[i] == BYTE and tokens[i]},
        literals={tokens[i].decode(errors="replace"): i for i in range(len(tokens)) if kinds[i] == USER_DEFINED and tokens[i]},
    )
