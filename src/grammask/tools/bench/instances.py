"""What a benchmark over written outputs is asked to run over: a tokenizer that encodes, and valid instances of MaskBench's schemas."""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grammask
from grammask.errors import GrammaskError
from grammask.tools.bench.tokenizer import add_tokenizer, tokenizer_of

__all__ = ["add_instances", "instances", "tokenizer_and_instances"]

SHARED = Path("..") / "shared" / "data" / "maskbench.jsonl.xz"
LONGEST = 4_000  # characters of an instance


def add_instances(parser: argparse.ArgumentParser, schemas: int) -> None:
    """The arguments that name a tokenizer and the schemas; `schemas`: how many, where nothing is said."""
    add_tokenizer(parser)
    parser.add_argument("--data", type=Path, default=SHARED, help="MaskBench's schemas (default: %(default)s)")
    parser.add_argument("--schemas", type=int, default=schemas, help="how many of them, drawn by a fixed seed")


def tokenizer_and_instances(options: argparse.Namespace) -> tuple[grammask.Vocabulary, list[tuple[Any, Any]]] | None:
    """What the arguments name, the vocabulary with an encoder. None, with the reason on standard error, if a file cannot be read or says not how to encode."""
    try:
        vocabulary = tokenizer_of(options)
        pairs = list(instances(options.data, options.schemas))
    except (GrammaskError, OSError) as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return None
    if vocabulary.encode is None:
        print("grammask bench: the file does not say how a text is encoded; give one that does, such as tokenizer.json", file=sys.stderr)
        return None
    return vocabulary, pairs


def instances(data: Path, wanted: int) -> Iterator[tuple[Any, Any]]:
    """Schemas with a valid instance each, drawn by a fixed seed."""
    with lzma.open(data, "rt", encoding="utf-8") as lines:
        records = list(lines)
    random.Random(0).shuffle(records)
    for line in records[:wanted]:
        record = json.loads(line)
        valid = next((test["data"] for test in record["tests"] if test["valid"]), None)
        if valid is not None and len(json.dumps(valid)) <= LONGEST:
            yield record["schema"], valid
