"""The file of an index: plain arrays in an .npz archive, with a version and a digest over all of them.

Rule: no pickles; every array has the type and shape stated here, in little-endian order, or the file is refused.
Rule: a file appears under its name whole or not at all.
Above: index.
"""

from __future__ import annotations

import math
import os
import secrets
import zipfile
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammask.errors import IndexFileError

__all__ = ["VERSION", "read_arrays", "write_arrays"]

VERSION = 1
Arrays = dict[str, NDArray[Any]]

# Name -> type and number of dimensions. The digest is over the arrays in this order.
LAYOUT = {
    "version": ("<i8", 0),
    "vocabulary_size": ("<i8", 0),
    "vocabulary_fingerprint": ("|u1", 1),
    "end_ids": ("<i4", 1),
    "start": ("<i8", 0),
    "finals": ("<i4", 1),
    "row_start": ("<i8", 1),
    "token_ids": ("<i4", 1),
    "next_states": ("<i4", 1),
}


def write_arrays(path: str | os.PathLike[str], arrays: Arrays) -> None:
    """Write version, arrays and digest, and only then give the file its name."""
    arrays = {"version": np.asarray(np.int64(VERSION)), **arrays}
    laid_out: dict[str, Any] = {name: arrays[name].astype(kind, copy=False) for name, (kind, _) in LAYOUT.items()}
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as file:
            np.savez(file, digest=np.frombuffer(digest(laid_out), dtype=np.uint8), **laid_out)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def read_arrays(path: str | os.PathLike[str]) -> Arrays:
    """The arrays of a file whose version and digest are right. Raises IndexFileError, OSError if it cannot be opened."""
    name = os.fspath(path)
    with Path(path).open("rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                arrays = _members(archive)
        except (zipfile.BadZipFile, EOFError, KeyError, ValueError, TypeError, NotImplementedError, MemoryError, RuntimeError, OSError) as error:
            raise IndexFileError(name, f"it is damaged or no index ({type(error).__name__}: {error})") from None
    version = int(arrays["version"])
    if version != VERSION:
        raise IndexFileError(name, f"it is of version {version}, and this is version {VERSION}")
    if arrays["digest"].tobytes() != digest(arrays):
        raise IndexFileError(name, "it is damaged: its digest is not that of its arrays")
    return arrays


def _members(archive: zipfile.ZipFile) -> Arrays:
    """The arrays of an archive, if they are those of an index, stored as they are. Raises ValueError, and what reading an archive raises."""
    layout = {**LAYOUT, "digest": ("|u1", 1)}
    members = {member.filename: member for member in archive.infolist()}
    if set(members) != {f"{key}.npy" for key in layout} or any(member.compress_type != zipfile.ZIP_STORED for member in members.values()):
        raise ValueError("it does not hold the arrays of an index")
    return {key: _array(archive, members[f"{key}.npy"], *kind) for key, kind in layout.items()}


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo, kind: str, dimensions: int) -> NDArray[Any]:
    """One array. Its header is compared with what the member holds before anything of that size is made."""
    with archive.open(member) as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError(f"{member.filename} is of another format")
        shape, _, found = np.lib.format.read_array_header_1_0(file)
        if found != np.dtype(kind) or len(shape) != dimensions:
            raise ValueError(f"{member.filename} is {found} of shape {shape}")
        if math.prod(shape) * found.itemsize != member.file_size - file.tell():
            raise ValueError(f"{member.filename} is not as long as it says")
        return np.frombuffer(file.read(), dtype=found).reshape(shape)


def digest(arrays: Arrays) -> bytes:
    """16 bytes over names, shapes and contents."""
    state = blake2b(b"grammask index", digest_size=16)
    for name in LAYOUT:
        state.update(f"{name} {arrays[name].shape}".encode())
        state.update(np.ascontiguousarray(arrays[name]).data)
    return state.digest()
