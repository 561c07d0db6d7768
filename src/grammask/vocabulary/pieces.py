"""Pieces as sentencepiece types them, shared by its own model files and by GGUF.

A piece writes a space as U+2581 and, in models with byte fallback, a byte as <0x0A>.
Pieces come as two lists, texts and kinds: hundreds of thousands of pairs would keep the garbage collector busy.
Source: sentencepiece_model.proto; GGUF took over the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grammask.vocabulary.encoders import MergeEncoder
from grammask.vocabulary.token_table import known_ends

__all__ = [
    "BYTE", "CONTROL", "NORMAL", "SPACE", "UNKNOWN", "UNUSED", "USER_DEFINED",
    "byte_of", "byte_tokens", "literal_tokens", "piece_bytes", "piece_encoder", "settle_ends", "space_marked", "special_names",
]  # fmt: skip

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
SPACE = "\N{LOWER ONE EIGHTH BLOCK}"

_WITHOUT_TEXT = (UNKNOWN, CONTROL, UNUSED)
_BYTE_PIECE = re.compile("<0x([0-9A-Fa-f]{2})>")


def byte_of(piece: str) -> bytes | None:
    """The byte that a piece like <0x0A> stands for; None for any other piece."""
    match = _BYTE_PIECE.fullmatch(piece) if piece.startswith("<0x") else None
    return bytes.fromhex(match[1]) if match else None


def piece_bytes(piece: str, kind: int = NORMAL, escaped: bool = True) -> bytes:
    """The text of a piece; b"" for pieces that carry none. escaped: U+2581 stands for a space."""
    if kind in _WITHOUT_TEXT:
        return b""
    if kind == BYTE:
        return byte_of(piece) or b""
    return (piece.replace(SPACE, " ") if escaped else piece).encode("utf-8", "surrogateescape")


def space_marked(token: bytes) -> str | None:
    """The piece that stands for these bytes, the inverse of `piece_bytes`; None for a real U+2581, which has no piece."""
    piece = token.decode("utf-8", "surrogateescape")
    return None if SPACE in piece else piece.replace(" ", SPACE)


def settle_ends(texts: Sequence[str], kinds: list[int]) -> tuple[int, ...]:
    """The ids known to end outputs, among control and user-defined pieces; user-defined ones become control pieces in `kinds`."""
    ends = known_ends({texts[i]: i for i, kind in enumerate(kinds) if kind in (CONTROL, USER_DEFINED)})
    for token_id in ends:
        kinds[token_id] = CONTROL
    return ends


def special_names(texts: Sequence[str], kinds: Sequence[int]) -> dict[str, int]:
    """Name -> id of the pieces that carry no text. Unused ones too: who trains a model further gives them a meaning."""
    return {texts[i]: i for i, kind in enumerate(kinds) if kind in _WITHOUT_TEXT and texts[i]}


def byte_tokens(tokens: Sequence[bytes], kinds: Sequence[int], of_kinds: tuple[int, ...] = (BYTE,)) -> dict[int, int]:
    """Byte -> id of the pieces of these kinds that stand for one byte."""
    return {tokens[i][0]: i for i, kind in enumerate(kinds) if kind in of_kinds and len(tokens[i]) == 1}


def literal_tokens(tokens: Sequence[bytes], kinds: Sequence[int]) -> dict[str, int]:
    """Text -> id of the user-defined pieces, which are found in a text before anything else."""
    return {tokens[i].decode(errors="replace"): i for i, kind in enumerate(kinds) if kind == USER_DEFINED and tokens[i]}


def piece_encoder(tokens: Sequence[bytes], kinds: Sequence[int], scores: Sequence[float]) -> MergeEncoder:
    """sentencepiece's BPE: of all neighbours, join those that make the piece of the highest score."""
    ids = {tokens[i]: i for i in reversed(range(len(tokens))) if kinds[i] == NORMAL}
    return MergeEncoder(
        ids=ids,
        ranks={token: -scores[i] for token, i in ids.items()},
        by_character=True,
        single=byte_tokens(tokens, kinds),
        literals=literal_tokens(tokens, kinds),
    )
