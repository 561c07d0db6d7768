"""`python -m grammask.tools.bench.decoding`: what a constraint costs in real decoding with a local model.

The same outputs are decoded in four ways, which take turns: the model alone, with its scores drawn from without a mask; with the mask
filled between two steps; with the mask filled by a second thread while the model runs; and by `generate`. The tokens are those that the
constraint leads to, so that the model does the same work in all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import grammask
from grammask.decoding.constraint import Constraint
from grammask.decoding.generate import GenerateOptions, LanguageModel, generate
from grammask.tools.bench.record import circumstances, write_record

PROMPTS = (
    "Order: two pizzas and a cola for Anna, to be brought to Mill Street 4 by noon.",
    "Ticket: the printer on the second floor prints empty pages since Monday; urgent, says Tom.",
    "Event: garden party at the Kents', Saturday the 8th, three in the afternoon, bring a cake.",
)
SCHEMA = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["order", "ticket", "event"]},
        "who": {"type": "string", "maxLength": 40},
        "what": {"type": "array", "items": {"type": "string", "maxLength": 40}, "minItems": 1, "maxItems": 4},
        "urgent": {"type": "boolean"},
        "priority": {"type": "integer", "minimum": 1, "maximum": 5},
    },
    "required": ["kind", "who", "what", "urgent", "priority"],
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: no model."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.decoding", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    parser.add_argument("--model", help="a GGUF file (default: the embedded model)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    try:
        model = grammask.load_model(options.model) if options.model else grammask.load_model()
    except grammask.errors.GrammaskError as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    with model:
        constraint = grammask.compile(grammask.json_schema(SCHEMA), model.vocabulary)
        prompts = [model.prompt_token_ids(f"{prompt}\nAnswer in JSON: kind, who, what, urgent, priority.") for prompt in PROMPTS]
        with model.session() as session:
            figures = measure(session, constraint, prompts, options.rounds)
    about = circumstances(["grammask", "xllamacpp"], {"prompts": len(PROMPTS), "rounds": options.rounds})
    print(json.dumps(figures, indent=2))
    print(write_record(options.record, f"decoding-{about['date']}", {**about, "figures": figures}))
    return 0


def measure(session: LanguageModel, constraint: Constraint, prompts: Sequence[list[int]], rounds: int) -> dict[str, Any]:
    """Milliseconds a token of each way, the best of some rounds, and what a constraint adds."""
    outputs = [list(generate(session, prompt, constraint).token_ids) for prompt in prompts]
    ways: dict[str, Callable[[list[int], list[int]], float]] = {
        "without": lambda prompt, output: _without(session, prompt, output),
        "mask between steps": lambda prompt, output: _between(session, constraint, prompt, output),
        "mask while the model runs": lambda prompt, output: _hidden(session, constraint, prompt, output),
        "generate": lambda prompt, _: _generated(session, constraint, prompt),
    }
    best = {way: [float("inf")] * len(prompts) for way in ways}
    for _ in range(rounds):
        for index, (prompt, output) in enumerate(zip(prompts, outputs, strict=True)):
            for way, run in ways.items():
                best[way][index] = min(best[way][index], run(prompt, output) * 1e3 / len(output))
    per_token = {way: sum(times) / len(times) for way, times in best.items()}
    return {
        "tokens": sum(map(len, outputs)),
        "milliseconds_a_token": per_token,
        "tokens_a_second": {way: 1e3 / time for way, time in per_token.items()},
        "over_without": {way: time / per_token["without"] for way, time in per_token.items()},
    }


def _without(model: LanguageModel, prompt: list[int], output: list[int]) -> float:
    model.begin(prompt)
    model.logits()
    started = perf_counter()
    for token_id in output:
        model.accept(token_id)
        np.argmax(model.logits().copy())
    return perf_counter() - started


def _between(model: LanguageModel, constraint: Constraint, prompt: list[int], output: list[int]) -> float:
    matcher, row = constraint.matcher(), np.zeros(constraint.mask_words, dtype=np.uint32)
    model.begin(prompt)
    model.logits()
    started = perf_counter()
    for token_id in output:
        model.accept(token_id)
        matcher.advance(token_id)
        matcher.fill_mask(row)
        scores = model.logits().copy()
        grammask.apply_mask(scores, row)
        np.argmax(scores)
    return perf_counter() - started


def _hidden(model: LanguageModel, constraint: Constraint, prompt: list[int], output: list[int]) -> float:
    matcher, row = constraint.matcher(), np.zeros(constraint.mask_words, dtype=np.uint32)
    model.begin(prompt)
    model.logits()
    with ThreadPoolExecutor(1) as second:
        started = perf_counter()
        for token_id in output:
            matcher.advance(token_id)
            filled = second.submit(matcher.fill_mask, row)
            model.accept(token_id)
            scores = model.logits().copy()
            filled.result()
            grammask.apply_mask(scores, row)
            np.argmax(scores)
        return perf_counter() - started


def _generated(model: LanguageModel, constraint: Constraint, prompt: list[int]) -> float:
    stats = generate(model, prompt, constraint, GenerateOptions()).stats
    return stats.seconds - (stats.first_token_seconds or 0.0)


if __name__ == "__main__":
    sys.exit(main())
