"""The data that several projects test with: the official suite and MaskBench; tests that need them are skipped where they are absent."""

from __future__ import annotations

import json
import lzma
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[4] / "shared" / "data"
SUITE = DATA / "json-schema-test-suite.tar.xz"
MASKBENCH = DATA / "maskbench.jsonl.xz"
REMOTES = "http://localhost:1234/"


def needs(path: Path) -> None:
    """Skip the test if a file of shared data is absent."""
    if not path.exists():
        pytest.skip(f"{path.name} is not beside this checkout")


@cache
def suite_files() -> dict[str, Any]:
    """All JSON files of the official suite, by path."""
    with tarfile.open(SUITE) as archive:
        files = [(member.name.removeprefix("./"), archive.extractfile(member)) for member in archive if member.name.endswith(".json")]
        return {name: json.load(file) for name, file in files if file is not None}


def suite_groups(folder: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The groups of a folder, files directly in it only, each with the name of its file."""
    for name, groups in sorted(suite_files().items()):
        path = Path(name)
        if str(path.parent).endswith(folder) and path.parent.as_posix().split("tests/", 1)[-1] == folder:
            yield from ((path.stem, group) for group in groups)


def suite_documents() -> dict[str, Any]:
    """The schemas that references in the suite lead to, by URI."""
    return {REMOTES + name.split("remotes/", 1)[1]: document for name, document in suite_files().items() if "remotes/" in name}


def maskbench(every: int, offset: int = 0) -> Iterator[dict[str, Any]]:
    """One in `every` records of MaskBench: id, schema, tests."""
    with lzma.open(MASKBENCH, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % every == offset:
                yield json.loads(line)
