"""The tool that times a folder of grammars and the warm-up, on a few schemas."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
from pathlib import Path

import grammask
from grammask.tools.bench.startup import drawn, fill

TOKENIZER = Path(__file__).parents[1] / "data" / "byte-tokenizer.json"
RECORDS = [
    {"id": "one", "schema": {"type": "object", "properties": {"a": {"type": "integer"}}}, "tests": [{"data": {"a": 1}, "valid": True}]},
    {"id": "two", "schema": {"type": "nothing"}, "tests": []},
    {"id": "three", "schema": {"enum": ["x", "y"]}, "tests": [{"data": "z", "valid": False}, {"data": "x", "valid": True}]},
]


def data(folder: Path) -> Path:
    path = folder / "schemas.jsonl.xz"
    path.write_bytes(lzma.compress("".join(json.dumps(record) + "\n" for record in RECORDS).encode()))
    return path


def test_schemas_that_do_not_compile_or_are_not_kept_are_left_out(tmp_path: Path) -> None:
    """What is compared is what both ways can do."""
    schemas = [record["schema"] for record in RECORDS]
    schemas.append({"type": "array", "items": {"type": "string"}, "uniqueItems": True})  # never kept in a folder
    assert fill(str(tmp_path / "folder"), schemas) == [0, 2]
    assert len(list((tmp_path / "folder").glob("*.grammar"))) == 2
    assert {record["id"] for record in drawn(data(tmp_path), 3)} == {"one", "two", "three"}


def test_the_tool_prints_tables_and_keeps_a_record(tmp_path: Path) -> None:
    """Both ways are timed over the same schemas."""
    command = [sys.executable, "-m", "grammask.tools.bench.startup", str(TOKENIZER), "--eos-ids", "256", "--rounds", "1", "--record", str(tmp_path)]
    done = subprocess.run([*command, "--data", str(data(tmp_path))], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (record,) = tmp_path.glob("startup-*.json")
    figures = json.loads(record.read_text("utf-8"))["figures"]
    assert figures["loading"]["found"]["schemas"] == figures["loading"]["compiled"]["schemas"] == 2
    assert figures["warming"]["cold"]["warm_up"] == 0 < figures["warming"]["warm"]["warm_up"]
    assert grammask.__version__ in record.read_text("utf-8")
    assert subprocess.run([*command, "--data", str(tmp_path / "none")], capture_output=True, check=False).returncode == 3
