"""`python -m grammask.tools.bench.batch`: masks for a whole batch, on one thread and on several; masks and steps beside a plain copy of a row.

What is measured: `fill_masks` over matchers of many schemas, each at a place of its own, all seen before; the best of several rounds,
with the numbers of threads taking turns, so that a busy machine falls on all alike.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

import grammask
from grammask.decoding.matcher import Matcher
from grammask.tools.bench.record import circumstances, write_record
from grammask.tools.bench.tokenizer import add_tokenizer, tokenizer_of

STEPPING, STEPS = 256, 60  # matchers that are led over texts, and tokens of each
SCHEMA = {"type": "object", "properties": {}, "required": ["name"]}
KINDS: tuple[dict[str, Any], ...] = (
    {"type": "string"}, {"type": "string", "maxLength": 40}, {"type": "string", "pattern": "^[a-z]+-[0-9]{2,6}$"}, {"type": "string", "format": "date-time"},
    {"type": "integer", "minimum": 0}, {"type": "number"}, {"type": "array", "items": {"type": "string"}}, {"enum": ["low", "middle", "high"]},
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the tokenizer's file cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.batch", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    add_tokenizer(parser)
    parser.add_argument("--rows", type=int, default=1024)
    parser.add_argument("--threads", default="1,2", help="numbers of threads to compare (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    try:
        vocabulary = tokenizer_of(options)
    except grammask.errors.GrammaskError as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    figures = measure(vocabulary, options.rows, [int(number) for number in options.threads.split(",")], options.rounds)
    about = circumstances(["grammask"], {"rows": options.rows, "threads": options.threads, "rounds": options.rounds, "vocabulary": len(vocabulary)})
    print(json.dumps(figures, indent=2))
    print(write_record(options.record, f"batch-{about['date']}-{options.rows}", {**about, "figures": figures}))
    return 0


def measure(vocabulary: grammask.Vocabulary, n_rows: int, threads: list[int], rounds: int) -> dict[str, Any]:
    """Milliseconds of a batch by number of threads, and how often the first number's time the others take; one mask over one copy."""
    matchers = [at_some_place(matcher, seed) for seed, matcher in enumerate(fresh_matchers(vocabulary, n_rows))]
    rows = np.zeros((n_rows, -(-len(vocabulary) // 32)), dtype=np.uint32)
    runs: dict[str, Callable[[], object]] = {f"{number} threads": _filling(matchers, rows, number) for number in threads}
    runs["copy"] = lambda: np.copyto(rows[: n_rows // 2], rows[n_rows // 2 : n_rows // 2 * 2])
    times = {name: min(column) / 1e6 for name, column in _in_turns(runs, rounds).items()}
    first = times[f"{threads[0]} threads"]
    return {
        "milliseconds": times,
        "speedup": {name: first / time for name, time in times.items() if name.endswith("threads")},
        "mask_over_copy_of_its_row": (first / n_rows) / (times["copy"] / (n_rows // 2)),
        "step_over_copy": step_over_copy(fresh_matchers(vocabulary, min(n_rows, STEPPING))),
    }


def step_over_copy(matchers: list[Matcher]) -> dict[str, float]:
    """The median of a mask and an advance over texts seen before, that of a copy of a mask's row made after each, in us, and their ratio."""
    rows = np.zeros((2, -(-len(matchers[0].vocabulary) // 32)), dtype=np.uint32)
    steps, copies = list[int](), list[int]()
    for seed, matcher in enumerate(matchers):
        for token_id in take_some(matcher.copy(), random.Random(seed), STEPS):
            started = perf_counter_ns()
            matcher.fill_mask(rows[0])
            matcher.advance(token_id)
            stepped = perf_counter_ns()
            np.copyto(rows[1], rows[0])
            copies.append(perf_counter_ns() - stepped)
            steps.append(stepped - started)
    step, copy = np.median(steps) / 1e3, np.median(copies) / 1e3
    return {"step_us": float(step), "copy_us": float(copy), "ratio": float(step / copy)}


def _filling(matchers: list[Matcher], rows: NDArray[np.uint32], number: int) -> Callable[[], object]:
    return lambda: grammask.fill_masks(matchers, rows, threads=number)


def _in_turns(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[int]]:
    """Nanoseconds of each run in each round."""
    times: dict[str, list[int]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            started = perf_counter_ns()
            run()
            times[name].append(perf_counter_ns() - started)
    return times


def fresh_matchers(vocabulary: grammask.Vocabulary, number: int) -> list[Matcher]:
    """Matchers of 64 schemas with one to eight members of all kinds, round about."""
    constraints = []
    for index in range(64):
        members = {f"field_{index}_{place}": KINDS[(index + place) % len(KINDS)] for place in range(1 + index % 8)}
        constraints.append(grammask.compile(grammask.json_schema({**SCHEMA, "properties": {"name": {"type": "string"}, **members}}), vocabulary))
    return [constraints[index % len(constraints)].matcher() for index in range(number)]


def at_some_place(matcher: Matcher, seed: int) -> Matcher:
    """The matcher after some random tokens of its grammar."""
    chance = random.Random(seed)
    take_some(matcher, chance, chance.randrange(24))
    return matcher


def take_some(matcher: Matcher, chance: random.Random, most: int) -> list[int]:
    """Random tokens that the matcher has taken, up to the end of its output."""
    taken: list[int] = []
    while len(taken) < most:
        allowed = matcher.allowed_tokens()
        token_id = int(allowed[chance.randrange(len(allowed))]) if len(allowed) else -1
        if token_id < 0 or token_id in matcher.vocabulary.eos_ids:
            break
        matcher.advance(token_id)
        taken.append(token_id)
    return taken


if __name__ == "__main__":
    sys.exit(main())
