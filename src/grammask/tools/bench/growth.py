"""`python -m grammask.tools.bench.growth`: what large schemas cost to their first mask, and what many schemas leave in memory.

Sizes: the best of three schemas that differ in a comment, in time of this process's processor.
Memory: the process's resident set while MaskBench's schemas are compiled one after the other, with the masks along a
shortest completion; the vocabulary and the schemas' texts are in it from the start, and the first figure says how much that is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time_ns
from typing import Any

import numpy as np

import grammask
from grammask.tools.bench.record import circumstances, write_record
from grammask.tools.bench.startup import drawn
from grammask.tools.bench.tokenizer import add_tokenizer, tokenizer_of

__all__ = ["main", "memory", "sizes"]

DATA = Path("..") / "shared" / "data" / "maskbench.jsonl.xz"
LEVELS = 30


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the tokenizer's file or the schemas cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.growth", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    add_tokenizer(parser)
    parser.add_argument("--data", type=Path, default=DATA, help="MaskBench's schemas (default: %(default)s)")
    parser.add_argument("--schemas", type=int, default=10_000)
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    try:
        vocabulary = tokenizer_of(options)
        records = drawn(options.data, options.schemas)
    except (grammask.errors.GrammaskError, OSError) as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    figures = {"first_mask_ms": sizes(vocabulary), "resident_mib": memory(vocabulary, [record["schema"] for record in records], options.schemas)}
    about = circumstances(["grammask"], {"schemas": options.schemas, "vocabulary": len(vocabulary)})
    print(json.dumps(figures, indent=2))
    print(write_record(options.record, f"growth-{about['date']}-{options.schemas}", {**about, "figures": figures}))
    return 0


def sizes(vocabulary: grammask.Vocabulary) -> dict[str, float]:
    """Milliseconds from schema to first mask, by what is large."""
    row = np.zeros(-(-len(vocabulary) // 32), dtype=np.uint32)
    return {name: min(_first_mask({**schema, "$comment": str(turn)}, vocabulary, row) for turn in range(3)) for name, schema in large_schemas()}


def _first_mask(schema: dict[str, Any], vocabulary: grammask.Vocabulary, row: Any) -> float:
    text = json.dumps(schema)
    started = process_time_ns()
    grammask.compile(grammask.json_schema(text), vocabulary).matcher().fill_mask(row)
    return (process_time_ns() - started) / 1e6


def large_schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Schemas that are large in one way each."""
    described = _members(20, {"type": "string", "description": "x" * 60})
    references = {f"p{i}": {"$ref": f"#/$defs/d{i}"} for i in range(100)}
    yield "234 KB", {"type": "object", "$defs": {f"d{i}": described for i in range(100)}, "properties": references}
    for number in (100, 400):
        yield f"{number} tools", {"anyOf": [_tool(index) for index in range(number)]}
    for number in (1_000, 10_000):
        yield f"{number} enum values", {"enum": [f"value number {index}" for index in range(number)]}
    yield "maxLength 100000", {"type": "string", "maxLength": 100_000}
    yield "maxItems 10000", {"type": "array", "items": _members(1, {"type": "integer"}), "maxItems": 10_000}
    yield "64 optional properties", _members(64, {"type": "integer"})
    nested: dict[str, Any] = {"type": "string"}
    for _ in range(LEVELS):
        nested = {"type": "object", "properties": {"a": nested, "b": {"type": "array", "items": {"type": "number"}}}, "required": ["a"]}
    yield f"{LEVELS} levels", nested


def _members(number: int, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {f"property_{index}": schema for index in range(number)}}


def _tool(index: int) -> dict[str, Any]:
    arguments = {**_members(5, {"type": "string"}), "required": ["property_1"]}
    members = {"name": {"const": f"tool_{index}"}, "arguments": arguments}
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def memory(vocabulary: grammask.Vocabulary, schemas: list[Any], number: int) -> dict[str, float]:
    """MiB by how many schemas were compiled; where they run out they come again as others, with a comment."""
    row = np.zeros(-(-len(vocabulary) // 32), dtype=np.uint32)
    found = {"0": _resident()}
    for index in range(number):
        schema = schemas[index % len(schemas)]
        _used(schema if index < len(schemas) or not isinstance(schema, dict) else {**schema, "$comment": str(index)}, vocabulary, row)
        if (index + 1) % max(1, number // 10) == 0:
            found[str(index + 1)] = _resident()
    return found


def _used(schema: Any, vocabulary: grammask.Vocabulary, row: Any) -> None:
    """Compile a schema and spell its shortest completion, masks on the way; what is refused is passed over."""
    try:
        matcher = grammask.compile(grammask.json_schema(json.dumps(schema)), vocabulary).matcher()
    except grammask.errors.GrammaskError:
        return
    for token_id in (matcher.shortest_completion() or [])[:200]:
        matcher.fill_mask(row)
        matcher.advance(token_id)


def _resident() -> float:
    """This process's resident set, in MiB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 2**20


if __name__ == "__main__":
    sys.exit(main())
