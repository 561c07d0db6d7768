"""What a long benchmark has found so far, kept in a file line by line, so that a run that breaks off is not lost; and its progress bar."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Journal", "progress_of"]


class Journal:
    """Entries with an `id` each, behind a line that says what they depend on. A file that says otherwise is begun anew.

    known: the entries by their id, those of an earlier run among them.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self._path = path
        self.known: dict[str, dict[str, Any]] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if lines and _read(lines[0]) == dict(about):
            entries = (_read(line) for line in lines[1:])
            self.known = {entry["id"]: entry for entry in entries if entry is not None}
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(about) + "\n", encoding="utf-8")

    def add(self, entry: Mapping[str, Any]) -> None:
        """Keep an entry, at once."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _read(line: str) -> Any:
    """A line's value; None for one that was cut off."""
    try:
        return json.loads(line)
    except ValueError:
        return None


@contextmanager
def progress_of(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error; call what it gives once for each of them."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
