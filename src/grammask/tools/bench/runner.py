"""Starts the benchmark script and reads what it wrote."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from grammask.tools.bench.rows import Result, constrains_text

__all__ = ["BenchmarkFailed", "read_results", "run_script"]


class BenchmarkFailed(Exception):
    """The benchmark script ended with an error; its last words are the text."""


def run_script(script: Path, arguments: Sequence[str], output: Path, progress: Callable[[int], None]) -> None:
    """Run `script`, which writes one JSON line for each schema to `output`; `progress` is told how many there are so far. Raises BenchmarkFailed."""
    command = [sys.executable, str(script), *arguments, "--out", str(output)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 - a file the user named
        while process.poll() is None:
            time.sleep(0.5)
            progress(_lines(output))
        words = process.stderr.read() if process.stderr else ""
    progress(_lines(output))
    if process.returncode != 0:
        raise BenchmarkFailed(words.strip().splitlines()[-1] if words.strip() else f"{script} ended with code {process.returncode}")


def read_results(output: Path, data: Path) -> list[Result]:
    """The results of a run, each joined with what its schema (from `data`) constrains."""
    raw = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    wanted = {entry["id"] for entry in raw}
    with lzma.open(data, "rt", encoding="utf-8") as lines:
        records = (json.loads(line) for line in lines)
        text = {record["id"]: constrains_text(record["schema"]) for record in records if record["id"] in wanted}
    return [Result(entry.pop("id"), text[name], entry) for entry in raw if (name := entry["id"]) in text]


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0
