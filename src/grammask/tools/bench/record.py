"""Keeps the figures of a run with what they depend on: versions, machine, arguments, commit."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["circumstances", "write_record"]


def circumstances(engines: Sequence[str], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """When, on what and with which versions a run is made."""
    import grammask.kernel

    return {
        "date": datetime.now(UTC).date().isoformat(),
        "arguments": dict(arguments),
        "versions": {name: _version(name) for name in engines} | {"python": platform.python_version()},
        "kernel": grammask.kernel.KERNEL,
        "commit": _commit(),
        "machine": {"processor": _processor(), "cores": os.cpu_count(), "system": platform.platform()},
    }


def write_record(folder: Path, name: str, content: Mapping[str, Any]) -> Path:
    """Write `content` as indented JSON to `folder`/`name`.json, figures rounded to three decimals."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(_rounded(content), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    return value


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    try:
        command = ["git", "describe", "--always", "--dirty"]  # "-dirty": taken on sources that no commit holds
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor())
