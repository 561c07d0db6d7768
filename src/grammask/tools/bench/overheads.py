"""`python -m grammask.tools.bench.overheads TOKENIZER`: what budgets, healing, drafts and the rest of decoding cost where none of them is used.

Valid instances of MaskBench's schemas are taken token by token, with a mask at each, by a bare matcher of the kernel and by the matcher that users get.
Both take turns over each instance, so that a busy machine falls on both alike; the best of some rounds counts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

import grammask
from grammask import kernel
from grammask.errors import EmptyLanguageError, UnsupportedFeatureError
from grammask.tools.bench.instances import add_instances, tokenizer_and_instances
from grammask.tools.bench.journal import progress_of
from grammask.tools.bench.record import circumstances, write_record

__all__ = ["main", "measure"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the tokenizer's file or the data cannot be read, or it says not how a text is encoded."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.overheads", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    add_instances(parser, 200)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    found = tokenizer_and_instances(options)
    if found is None:
        return 3
    vocabulary, pairs = found
    figures = measure(vocabulary, pairs, options.rounds)
    about = circumstances(["grammask"], {"vocabulary": len(vocabulary), "schemas": options.schemas, "rounds": options.rounds})
    print(json.dumps(figures, indent=1))
    print(write_record(options.record, f"overheads-{about['date']}-{len(vocabulary)}", {**about, "figures": figures}))
    return 0


def measure(vocabulary: grammask.Vocabulary, pairs: Sequence[tuple[Any, Any]], rounds: int) -> dict[str, Any]:
    """Nanoseconds of a mask and of a step by either matcher, medians over the instances, and the ratios of those."""
    assert vocabulary.encode is not None  # the caller has looked
    times: list[dict[str, float]] = []
    with progress_of("instances", len(pairs)) as tick:
        for schema, value in pairs:
            found = _compiled(schema, vocabulary)
            token_ids = list(vocabulary.encode(json.dumps(value, ensure_ascii=False)))
            if found is not None and found.matcher().draft(token_ids) == len(token_ids):
                times.append(_times(found, token_ids, rounds))
            tick()
    per_token = {name: median(row[name] for row in times) for name in times[0]} if times else {}
    ratios = {what: median(row[f"{what}, users'"] / row[f"{what}, kernel's"] for row in times) for what in ("mask", "step")} if times else {}
    return {"instances": len(times), "nanoseconds_a_token": per_token, "users_over_kernels": ratios}


def _compiled(schema: Any, vocabulary: grammask.Vocabulary) -> grammask.Constraint | None:
    try:
        return grammask.compile(grammask.json_schema(json.dumps(schema)), vocabulary)
    except (UnsupportedFeatureError, EmptyLanguageError):
        return None


def _times(constraint: grammask.Constraint, token_ids: Sequence[int], rounds: int) -> dict[str, float]:
    row = np.zeros(constraint.mask_words, dtype=np.uint32)
    made: dict[str, Callable[[], kernel.Matcher]] = {"kernel's": lambda: kernel.Matcher(constraint.matcher().bound), "users'": constraint.matcher}
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, make in made.items():
            for what, spent in zip(("mask", "step"), _walked(make(), token_ids, row), strict=True):
                key = f"{what}, {name}"
                best[key] = min(best.get(key, float("inf")), spent / len(token_ids))
    return best


def _walked(matcher: kernel.Matcher, token_ids: Sequence[int], row: NDArray[np.uint32]) -> tuple[int, int]:
    """Nanoseconds in masks and in steps along the tokens."""
    in_masks = in_steps = 0
    for token_id in token_ids:
        started = perf_counter_ns()
        matcher.fill_mask(row)
        masked = perf_counter_ns()
        matcher.advance(token_id)
        in_steps += perf_counter_ns() - masked
        in_masks += masked - started
    return in_masks, in_steps


if __name__ == "__main__":
    sys.exit(main())
