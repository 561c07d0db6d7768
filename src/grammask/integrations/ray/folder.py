"""The folder of a batch: one file for each part, which is there whole or not at all.

Rule: a part is written under another name and then moved, so its file's name says that it is done; whoever writes a part again writes it in the
same place. What batch the folder belongs to is in a file of its own, so that no other one is mixed into it.
Below: data_set.  Above: extractor, run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import uuid4

from grammask.errors import BatchFolderError
from grammask.integrations.ray.data_set import as_path, open_place

__all__ = ["Folder"]

# No suffix, and a first character that readers of data sets pass over.
IDENTITY: Final = "_grammask_batch"
_UNFINISHED: Final = re.compile(r"\.part-\d+\..*\.unfinished")


class Folder(NamedTuple):
    """Where parts go. place: the path or URI; kind: "parquet" or "jsonl", which the files are."""

    place: str
    kind: str

    def claim(self, identity: Mapping[str, str]) -> None:
        """Make the folder if it is not there, and note whose it is; take out what unfinished writers left.

        identity: what decides about the answers, as named digests. Raises BatchFolderError if it holds another batch, or cannot be written to.
        """
        try:
            held = self._held()
        except (OSError, ValueError) as error:
            raise BatchFolderError(self.place, f"it cannot be read: {error}") from error
        if held is None:
            try:
                self._write(IDENTITY, json.dumps(dict(identity), indent=1).encode())
            except OSError as error:
                raise BatchFolderError(self.place, f"it cannot be written to: {error}") from error
            return
        other = sorted(name for name in {*held, *identity} if held.get(name) != identity.get(name))
        if other:
            raise BatchFolderError(self.place, f"it holds a batch with another {' and another '.join(other)}", "give another folder, or remove this one")

    def _held(self) -> dict[str, Any] | None:
        """Whose the folder is; None if it is empty or not there."""
        from pyarrow.fs import FileSelector

        files, base = open_place(self.place)
        files.create_dir(base, recursive=True)
        names = {one.base_name for one in files.get_file_info(FileSelector(base))}
        if IDENTITY not in names:
            if any(not _UNFINISHED.fullmatch(name) for name in names):
                raise ValueError("there are files in it that are no batch's")
            return None
        for name in filter(_UNFINISHED.fullmatch, names):
            files.delete_file(f"{base}/{name}")
        with files.open_input_stream(f"{base}/{IDENTITY}") as stream:
            held = json.loads(stream.read())
        if not isinstance(held, dict):
            raise ValueError(f"its file {IDENTITY} is damaged")  # noqa: TRY004 -- of the file, not of an argument
        return held

    def done(self) -> set[int]:
        """The numbers of the parts that are there."""
        from pyarrow.fs import FileSelector

        files, base = open_place(self.place)
        pattern = re.compile(rf"part-(\d+)\.{self.kind}")
        found = [pattern.fullmatch(one.base_name) for one in files.get_file_info(FileSelector(base))]
        return {int(match[1]) for match in found if match}

    def has(self, number: int) -> bool:
        """Whether this part is there."""
        return self._is_there(self._part(number))

    def begin(self, number: int) -> int:
        """Note that a part is begun; how often it was before, by actors that died of it or beside it. Raises BatchFolderError."""
        times = 0
        while self._is_there(_mark(number, times)):
            times += 1
        self._written(number, _mark(number, times), b"")
        return times

    def write_part(self, number: int, content: bytes) -> None:
        """Put a part there, at once. Raises BatchFolderError."""
        unfinished = f".{self._part(number)}.{uuid4().hex}.unfinished"
        self._written(number, unfinished, content)
        files, base = open_place(self.place)
        times = 0
        try:
            files.move(f"{base}/{unfinished}", f"{base}/{self._part(number)}")
            while self._is_there(_mark(number, times)):
                files.delete_file(f"{base}/{_mark(number, times)}")
                times += 1
        except OSError as error:
            raise BatchFolderError(self.place, f"part {number} cannot be put in its place: {error}") from error

    def _part(self, number: int) -> str:
        return f"part-{number:06}.{self.kind}"

    def _is_there(self, name: str) -> bool:
        files, base = open_place(self.place)
        return bool(files.get_file_info(f"{base}/{name}").is_file)

    def _written(self, number: int, name: str, content: bytes) -> None:
        try:
            self._write(name, content)
        except OSError as error:
            raise BatchFolderError(self.place, f"part {number} cannot be written: {error}") from error

    def _write(self, name: str, content: bytes) -> None:
        files, base = open_place(self.place)
        with files.open_output_stream(f"{base}/{name}") as stream:
            stream.write(content)

    @classmethod
    def at(cls, target: Any, kind: str) -> Folder:
        """The folder of this path or URI."""
        return cls(as_path(target), kind)


def _mark(number: int, times: int) -> str:
    """The name of the note that a part was begun so many times before."""
    return f".part-{number:06}.{times}.unfinished"
