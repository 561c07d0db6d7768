"""Just enough of the protobuf wire format to read a sentencepiece model: fields of one message, in order.

Source: the encoding page of the protocol buffers documentation. Groups (long deprecated) are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import unpack_from

__all__ = ["WireError", "fields", "float32", "signed"]


class WireError(ValueError):
    """Bytes that are no message. Never leaves this package."""


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(number, value) of every field: a varint or fixed-width field as int, a length-delimited one as bytes.

    Floats come as the bits of their fixed32. Raises WireError where the bytes end early or make no sense.
    """
    at, end = 0, len(data)
    while at < end:
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        value: int | bytes
        if wire == 0:
            value, at = _varint(data, at)
        elif wire == 2:
            length, at = _varint(data, at)
            value, at = data[at : at + length], at + length
        elif wire in (1, 5):
            width = 8 if wire == 1 else 4
            value, at = int.from_bytes(data[at : at + width], "little"), at + width
        else:
            raise WireError(f"wire type {wire} at byte {at}")
        if at > end or number == 0:
            raise WireError(f"field {number} ends at byte {at} of {end}")
        yield number, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise WireError(f"a number is cut off at byte {at}")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise WireError(f"a number of more than ten bytes before byte {at}")


def signed(value: int) -> int:
    """An int32 or int64 out of its varint."""
    return value - (1 << 64) if value >= 1 << 63 else value


def float32(bits: int) -> float:
    """A float out of the bits of a fixed32."""
    return float(unpack_from("<f", bits.to_bytes(4, "little"))[0])
