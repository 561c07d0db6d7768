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

    def write_part(self, number: int, content: bytes) -> None:
        """Put a part there, at once. Raises BatchFolderError."""
        try:
            self._write(f"part-{number:06}.{self.kind}", content)
        except OSError as error:
            raise BatchFolderError(self.place, f"part {number} cannot be written: {error}") from error

    def _write(self, name: str, content: bytes) -> None:
        files, base = open_place(self.place)
        unfinished = f"{base}/.{name}.{uuid4().hex}.unfinished" if name.startswith("part-") else f"{base}/{name}"
        with files.open_output_stream(unfinished) as stream:
            stream.write(content)
        if name.startswith("part-"):
            files.move(unfinished, f"{base}/{name}")

    @classmethod
    def at(cls, target: Any, kind: str) -> Folder:
        """The folder of this path or URI."""
        return cls(as_path(target), kind)
