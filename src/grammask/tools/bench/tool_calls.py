"""`python -m grammask.tools.bench.tool_calls`: what many tools in one grammar cost, and free text beside the copy of a mask row.

Rule: every figure is the best of several runs of one process, so that neighbours on the machine blur them least; ratios are what to look at.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import grammask
from grammask.tools.bench.record import circumstances, write_record

__all__ = ["main"]

PATTERN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
VERBS = ("get", "list", "create", "update", "delete", "search", "send", "cancel", "approve", "archive")
NOUNS = ("user", "order", "invoice", "ticket", "message", "file", "event", "task", "note", "customer", "payment", "refund", "address", "review")
TEXT = 'I will look that up: first the order <b>history</b> & a "quoted" word; then x < y, naïve café 東京.\n\n'


def example_tools(number: int) -> list[dict[str, Any]]:
    """Tools as services offer them: an id, a bounded number, text, a list, a choice of its own."""
    tools = []
    for index in range(number):
        noun = NOUNS[index // len(VERBS) % len(NOUNS)]
        properties = {
            f"{noun}_id": {"type": "string", "description": "which one"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "note": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "mode": {"enum": ["fast", "exact", f"mode{index}"]},
        }
        schema = {"type": "object", "properties": properties, "required": [f"{noun}_id"], "additionalProperties": False}
        tools.append({"name": f"{VERBS[index % len(VERBS)]}_{noun}_{index}", "description": "An example.", "parameters": schema})
    return tools


def as_structural_tag(tools: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One tag a tool, in free text."""
    tags = [
        {
            "type": "tag",
            "begin": f'<tool_call>\n{{"name": "{tool["name"]}", "arguments": ',
            "content": {"type": "json_schema", "json_schema": tool["parameters"]},
            "end": "}\n</tool_call>",
        }
        for tool in tools
    ]
    return {"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<tool_call>"], "tags": tags}}


def example_output(tools: Sequence[dict[str, Any]], chance: random.Random) -> str:
    """Text, and calls of some of the tools in it."""
    parts = [TEXT]
    for tool in chance.sample(list(tools), min(6, len(tools))):
        first = next(iter(tool["parameters"]["properties"]))
        arguments = {first: f"abc-{chance.randrange(1000)}", "limit": 7, "note": "price < 30", "tags": ["new", "sale"], "mode": "exact"}
        parts.append("<tool_call>\n" + json.dumps({"name": tool["name"], "arguments": arguments}) + "\n</tool_call>\n" + TEXT)
    return "".join(parts)


def best_ms(runs: int, work: Callable[[], object]) -> float:
    """Milliseconds of the fastest of some runs."""
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times) * 1e3


def fresh_vocabulary(path: Path) -> grammask.Vocabulary:
    """The vocabulary with what all grammars share already made, as in a server that runs."""
    vocabulary = grammask.Vocabulary.from_tiktoken(path, [128_001, 128_009], pattern=PATTERN, size=128_256)
    fill(grammask.compile({"type": "object", "properties": {"a": {"type": "string"}}}, vocabulary))
    return vocabulary


def fill(constraint: grammask.Constraint) -> None:
    constraint.matcher().fill_mask(np.zeros(constraint.mask_words, dtype=np.uint32))


def step_times(constraint: grammask.Constraint, tokens: Sequence[int]) -> list[float]:
    """Microseconds of mask and advance for each token."""
    matcher, row, times = constraint.matcher(), np.zeros(constraint.mask_words, dtype=np.uint32), []
    for token in tokens:
        started = time.perf_counter()
        matcher.fill_mask(row)
        matcher.advance(token)
        times.append((time.perf_counter() - started) * 1e6)
    return times


def free_text_beside_copy(constraint: grammask.Constraint, vocabulary: grammask.Vocabulary) -> tuple[float, float]:
    """Microseconds of a mask in free text that has been seen before, and of copying a row, both called from Python."""
    assert vocabulary.encode is not None
    matcher, row = constraint.matcher(), np.zeros(constraint.mask_words, dtype=np.uint32)
    for token in vocabulary.encode("I will look"):
        matcher.advance(token)
    source = np.ones_like(row)

    def masks() -> None:
        for _ in range(500):
            matcher.fill_mask(row)

    def copies() -> None:
        for _ in range(500):
            np.copyto(row, source)

    return best_ms(9, masks) * 2, best_ms(9, copies) * 2


def measure(path: Path, number: int, runs: int) -> dict[str, float]:
    """All figures for one number of tools."""
    tools = example_tools(number)
    walls, cpus = [], []
    for _ in range(runs):
        vocabulary = fresh_vocabulary(path)
        tag = as_structural_tag(tools)
        random.shuffle(tag["format"]["tags"])  # another order is another grammar: nothing is remembered
        wall, cpu = time.perf_counter(), time.process_time()
        grammask.compile(grammask.structural_tag(tag), vocabulary)
        walls.append((time.perf_counter() - wall) * 1e3)
        cpus.append((time.process_time() - cpu) * 1e3)
    constraint = grammask.compile(grammask.structural_tag(as_structural_tag(tools)), vocabulary)
    assert vocabulary.encode is not None
    tokens = vocabulary.encode(example_output(tools, random.Random(0)))
    cold = step_times(constraint, tokens)
    warm = np.min([step_times(constraint, tokens) for _ in range(3)], axis=0)
    mask, copy = free_text_beside_copy(constraint, vocabulary)
    return {
        "compile_ms": min(walls),
        "compile_cpu_ms": min(cpus),
        "tokens": len(tokens),
        "cold_mean_us": float(np.mean(cold)),
        "cold_p50_us": float(np.percentile(cold, 50)),
        "cold_p99_us": float(np.percentile(cold, 99)),
        "warm_p50_us": float(np.percentile(warm, 50)),
        "warm_p99_us": float(np.percentile(warm, 99)),
        "free_text_us": mask,
        "copy_us": copy,
        "free_text_over_copy": mask / copy,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the tokenizer is missing."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.tool_calls", description="Many tools in one structural tag.")
    parser.add_argument("--tools", type=int, default=400)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tokenizer", type=Path, help="Llama 3's tokenizer.model (default: that of the package llama_models)")
    parser.add_argument("--record", type=Path, help="folder to keep the figures in")
    options = parser.parse_args(arguments)
    spec = find_spec("llama_models")
    path = options.tokenizer or (Path(spec.submodule_search_locations[0]) / "llama3" / "tokenizer.model" if spec and spec.submodule_search_locations else None)
    if path is None or not path.exists():
        print("the tokenizer is not there: install llama_models or name it with --tokenizer", file=sys.stderr)
        return 3
    figures = measure(path, options.tools, options.runs)
    for name, figure in figures.items():
        print(f"{name:22}{figure:12,.2f}")
    if options.record:
        about = circumstances(["grammask"], {"tools": options.tools, "runs": options.runs})
        print(write_record(options.record, f"tool-calls-{about['date']}-{options.tools}", {**about, "figures": figures}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
