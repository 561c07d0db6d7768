"""The container of GGUF model files: metadata and the list of tensors, read with every bound checked.

Rule: a length in the file is never believed before it is compared with what the file still holds, and no file makes
this reader take more memory than about ten times the 64 MiB that a header may have.
Layout: magic, version, counts; key-value pairs; one entry per tensor; padding; the tensors' bytes.
Source: the GGUF specification of the ggml project. Versions 2 and 3, little-endian.
"""

from __future__ import annotations

import mmap
import os
import stat
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from struct import Struct, calcsize, unpack_from
from typing import Any

from grammask.errors import ModelFileError, ModelNotFoundError

__all__ = ["GgufHeader", "GgufTensor", "check_complete", "read_header", "read_metadata"]

MAX_HEADER_BYTES = 64 << 20  # the largest seen, of a vocabulary of 262,144 tokens with merges, is 16 MB
MAX_KEYS = 1 << 14
MAX_TENSORS = 1 << 18
MAX_DIMENSIONS = 8  # ggml has 4

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_LENGTH = Struct("<Q").unpack_from

# Type of a tensor -> (values per block, bytes per block).
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 16: (256, 66), 17: (256, 74),
    18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4),
    27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36), 41: (128, 18), 42: (64, 18),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """One tensor. byte_offset counts from the start of the tensors' bytes; byte_count is None for a type not known here."""

    name: str
    shape: tuple[int, ...]
    type_id: int
    byte_offset: int
    byte_count: int | None


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """All of a file but the tensors' bytes, which begin at byte `data_start`. Arrays of numbers are `array.array`s."""

    path: str
    version: int
    metadata: dict[str, Any]
    tensors: tuple[GgufTensor, ...]
    data_start: int
    file_bytes: int

    @property
    def needed_bytes(self) -> int:
        """The least size of the file that holds all tensors (a tensor of a type not known here counted as one byte)."""
        ends = [tensor.byte_offset + (1 if tensor.byte_count is None else tensor.byte_count) for tensor in self.tensors]
        return self.data_start + max(ends) if ends else 0


def read_metadata(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The key-value pairs of a file, in its order. Raises ModelNotFoundError, ModelFileError. Cost: some 0.2 s per million strings."""
    return read_header(path).metadata


def check_complete(path: str | os.PathLike[str]) -> GgufHeader:
    """The header of a file that holds all the tensors it declares.

    Raises ModelNotFoundError, ModelFileError: not GGUF, damaged, or cut short (and by how much). Reads no tensor.
    """
    header = read_header(path)
    if header.needed_bytes > header.file_bytes:
        reason = f"it is cut short: its header declares tensors up to byte {header.needed_bytes}, the file has {header.file_bytes}"
        raise ModelFileError(header.path, reason, "download or copy it again")
    return header


def read_header(path: str | os.PathLike[str]) -> GgufHeader:
    """Metadata and tensor list of a file. Raises ModelNotFoundError, ModelFileError."""
    source = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise ModelFileError(source, "it is not a regular file")
            if status.st_size < 24:
                raise ModelFileError(source, f"it has {status.st_size} bytes, too few for a GGUF file", "download or copy it again")
            with mmap.mmap(file.fileno(), min(status.st_size, MAX_HEADER_BYTES), access=mmap.ACCESS_READ) as view:
                return _Reader(view, source, status.st_size).header()
    except FileNotFoundError:
        raise ModelNotFoundError(source) from None
    except IsADirectoryError:
        raise ModelFileError(source, "it is a folder", "give the .gguf file in it") from None
    except OSError as error:
        raise ModelFileError(source, error.strerror or str(error)) from error


class _Reader:
    """A position in the bytes of a file, and the values read at it."""

    __slots__ = ("at", "bytes", "end", "file_bytes", "source")

    def __init__(self, view: mmap.mmap, source: str, file_bytes: int) -> None:
        self.bytes, self.source, self.file_bytes = view, source, file_bytes
        self.at, self.end = 0, len(view)

    def header(self) -> GgufHeader:
        version = self._version()
        n_tensors, n_keys = self._count("tensors", MAX_TENSORS, 24), self._count("keys", MAX_KEYS, 13)
        metadata = self._metadata(n_keys)
        alignment = metadata.get("general.alignment", 32)
        if type(alignment) is not int or not 0 < alignment <= 1 << 20 or alignment & (alignment - 1):
            raise self._broken(f"general.alignment is {alignment!r}, not a power of two")
        tensors = tuple([self._tensor() for _ in range(n_tensors)])
        data_start = -(-self.at // alignment) * alignment
        return GgufHeader(self.source, version, metadata, tensors, data_start, self.file_bytes)

    def _version(self) -> int:
        if self._take(4, "the magic number") != b"GGUF":
            raise ModelFileError(self.source, f"it is no GGUF file (it begins with {self.bytes[:4]!r})")
        version = int(self._number("I", "the version"))
        if version & 0xFFFF == 0:
            raise ModelFileError(self.source, "it is a big-endian GGUF file", "convert it on the machine it is for")
        if version not in (2, 3):
            raise ModelFileError(self.source, f"it is GGUF version {version}; 2 and 3 can be read")
        return version

    def _metadata(self, n_keys: int) -> dict[str, Any]:
        metadata: dict[str, Any] = {}
        for _ in range(n_keys):
            key = self._string("a key")
            if key in metadata:
                raise self._broken(f"the key {key!r} is there twice")
            metadata[key] = self._value(key)
        return metadata

    def _value(self, key: str) -> Any:
        kind = self._number("I", key)
        if kind == _STRING:
            return self._string(key)
        if kind == _ARRAY:
            return self._array(key)
        if kind not in _SCALARS:
            raise self._broken(f"the value of {key!r} has the unknown type {kind}")
        return self._number(_SCALARS[kind], key)

    def _array(self, key: str) -> Sequence[Any]:
        kind, length = self._number("I", key), self._number("Q", key)
        if kind == _STRING:
            self._check(length * 8, key)
            return self._strings(length, key)
        if kind not in _SCALARS:
            raise self._broken(f"the array {key!r} has elements of the unknown or nested type {kind}")
        code = _SCALARS[kind]
        data = self._take(length * calcsize(code), key)
        return [byte != 0 for byte in data] if code == "?" else array(code, data)

    def _strings(self, length: int, key: str) -> list[str]:
        """The inner loop of loading a model: no calls that can be spared."""
        view, at, end = self.bytes, self.at, self.end
        last = end - 8
        texts = []
        for _ in range(length):
            if at > last:
                raise self._short(f"the array {key!r}")
            (n_bytes,) = _LENGTH(view, at)
            start = at + 8
            at = start + n_bytes
            if at > end:
                raise self._short(f"the array {key!r}")
            texts.append(view[start:at].decode("utf-8", "surrogateescape"))
        self.at = at
        return texts

    def _tensor(self) -> GgufTensor:
        name = self._string("a tensor's name")
        n_dimensions = self._number("I", name)
        if n_dimensions > MAX_DIMENSIONS:
            raise self._broken(f"tensor {name!r} has {n_dimensions} dimensions")
        shape = tuple([self._number("Q", name) for _ in range(n_dimensions)])
        type_id, byte_offset = self._number("I", name), self._number("Q", name)
        return GgufTensor(name, shape, type_id, byte_offset, self._tensor_bytes(name, shape, type_id))

    def _tensor_bytes(self, name: str, shape: tuple[int, ...], type_id: int) -> int | None:
        if type_id not in _BLOCKS:
            return None
        values, width = _BLOCKS[type_id]
        if shape and shape[0] % values:
            raise self._broken(f"tensor {name!r} has rows of {shape[0]} values, which are no whole blocks of {values}")
        return prod(shape) // values * width

    def _count(self, what: str, limit: int, least_bytes: int) -> int:
        count = int(self._number("Q", f"the number of {what}"))
        if count > limit:
            raise self._broken(f"it claims {count} {what}, over the limit of {limit}")
        self._check(count * least_bytes, f"its {count} {what}")
        return count

    def _string(self, what: str) -> str:
        length = self._number("Q", what)
        return self._take(length, what).decode("utf-8", "surrogateescape")

    def _number(self, code: str, what: str) -> Any:
        return unpack_from("<" + code, self._take(calcsize("<" + code), what))[0]

    def _take(self, n_bytes: int, what: str) -> bytes:
        self._check(n_bytes, what)
        start = self.at
        self.at += n_bytes
        return self.bytes[start : self.at]

    def _check(self, n_bytes: int, what: str) -> None:
        if n_bytes > self.end - self.at:
            raise self._short(what)

    def _short(self, what: str) -> ModelFileError:
        if self.end < self.file_bytes:
            return self._broken(f"its header is larger than {MAX_HEADER_BYTES} bytes, or a length in {what} is wrong")
        return ModelFileError(self.source, f"it is cut short or damaged: {what} does not fit into its {self.end} bytes", "download or copy it again")

    def _broken(self, reason: str) -> ModelFileError:
        return ModelFileError(self.source, f"its header is damaged at byte {self.at}: {reason}", "download or copy it again")
