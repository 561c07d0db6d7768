"""The characters that byte-level BPE writes bytes as.

GPT-2 stores tokens as text: each of the 256 bytes has a printable character of its own, itself where it is printable
in Latin-1, else the next one from U+0100 on (so a space is U+0120). Everybody who came after kept the table.
"""

from __future__ import annotations

__all__ = ["CHARACTERS", "from_bytes", "to_bytes"]


def _characters() -> list[str]:
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return [chr(byte) if byte in printable else chr(next(spare)) for byte in range(256)]


CHARACTERS = _characters()  # byte -> character


class _Bytes(dict[int, str]):
    """Character -> the Latin-1 character of its byte; any other to one that Latin-1 does not have."""

    def __missing__(self, code_point: int) -> str:
        return "\uffff"


_TO_LATIN_1 = _Bytes({ord(character): chr(byte) for byte, character in enumerate(CHARACTERS)})


def to_bytes(piece: str) -> bytes:
    """The bytes that `piece` stands for; its own UTF-8 if it holds a character outside the table (as `tokenizers` does).

    >>> to_bytes("\\u0120true")
    b' true'
    """
    try:
        return piece.translate(_TO_LATIN_1).encode("latin-1")
    except UnicodeEncodeError:
        return piece.encode("utf-8", "surrogateescape")


def from_bytes(token: bytes) -> str:
    """The piece that stands for these bytes; the inverse of `to_bytes` on pieces of the table."""
    return "".join([CHARACTERS[byte] for byte in token])
