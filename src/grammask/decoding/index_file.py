"""The file of an index: plain arrays in an .npz archive, with a version and a digest over all of them.

Rule: no pickles; every array has the type and shape stated here, in little-endian order, or the file is refused.
Rule: a file appears under its name whole or not at all.
Above: index.
"""

from __future__ import annotations

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
                _check_members(name, archive)
            with np.load(file, allow_pickle=False) as stored:
                arrays = {key: stored[key] for key in (*LAYOUT, "digest")}
        except IndexFileError:
            raise
        except (zipfile.BadZipFile, EOFError, KeyError, ValueError, NotImplementedError, MemoryError, RuntimeError, OSError) as error:
            raise IndexFileError(name, f"it is damaged or no index ({type(error).__name__}: {error})") from None
    for key, (kind, dimensions) in LAYOUT.items():
        if arrays[key].dtype != np.dtype(kind) or arrays[key].ndim != dimensions:
            raise IndexFileError(name, f"its array {key!r} is {arrays[key].dtype} of shape {arrays[key].shape}")
    if arrays["digest"].tobytes() != digest(arrays):
        raise IndexFileError(name, "it is damaged: its digest is not that of its arrays")
    return arrays


def _check_members(name: str, archive: zipfile.ZipFile) -> None:
    """Refuse what would unpack to more than the file holds, before anything is unpacked, and files of another version."""
    wanted = {f"{key}.npy" for key in (*LAYOUT, "digest")}
    members = {member.filename: member for member in archive.infolist()}
    if set(members) != wanted or any(member.compress_type != zipfile.ZIP_STORED for member in members.values()):
        raise IndexFileError(name, "it does not hold the arrays of an index")
    with archive.open("version.npy") as file:
        version = np.lib.format.read_array(file, allow_pickle=False)
    if version.shape != () or version.dtype.kind != "i" or int(version) != VERSION:
        raise IndexFileError(name, f"it is of version {version.tolist()!r:.20}, and this is version {VERSION}")


def digest(arrays: Arrays) -> bytes:
    """16 bytes over names, shapes and contents."""
    state = blake2b(b"grammask index", digest_size=16)
    for name in LAYOUT:
        state.update(f"{name} {arrays[name].shape}".encode())
        state.update(np.ascontiguousarray(arrays[name]).data)
    return state.digest()
