"""`python -m grammask.tools.bench.canonical TOKENIZER`: what canonical masks take off, what they take, and what they are good for.

Outputs are drawn uniformly from plain and from canonical masks; an output is *canonical* if its tokens are the tokenizer's for its text. Draws are seeded; the
times are this machine's.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any

import numpy as np

import grammask
from grammask.decoding.canonical import is_canonical
from grammask.errors import GrammaskError
from grammask.tools.bench.journal import progress_of
from grammask.tools.bench.record import circumstances, write_record
from grammask.tools.bench.tokenizer import add_tokenizer, tokenizer_of

__all__ = ["main", "measure"]

OBJECT = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "tags": {"type": "array", "items": {"enum": ["red", "green"]}}, "n": {"type": "integer"}},
    "required": ["name", "tags", "n"],
    "additionalProperties": False,
}
GRAMMARS = {
    "object": grammask.json_schema(OBJECT, grammask.JsonSchemaOptions(whitespace="spaced")),
    "words": grammask.regex("([a-z]{1,9} ){1,6}[A-Z]+"),
    "any text": grammask.regex("(?s:.){0,40}"),
}
LONGEST = 100  # tokens of an output; it ends at the next place where it may


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the tokenizer's file cannot be read, or has no canonical masks."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.canonical", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    add_tokenizer(parser)
    parser.add_argument("--draws", type=int, default=20, help="outputs of each grammar (default: %(default)s)")
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    try:
        vocabulary = tokenizer_of(options)
        with progress_of("grammars", len(GRAMMARS)) as tick:
            figures = {}
            for name, grammar in GRAMMARS.items():
                figures[name] = measure(grammask.compile(grammar, vocabulary), options.draws)
                tick()
    except (GrammaskError, OSError) as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    about = circumstances(["grammask"], {"vocabulary": len(vocabulary), "draws": options.draws})
    print(json.dumps(figures, indent=1))
    print(write_record(options.record, f"canonical-{about['date']}-{len(vocabulary)}", {**about, "figures": figures}))
    return 0


def measure(constraint: grammask.Constraint, draws: int) -> dict[str, Any]:
    """Canonical outputs of either kind of mask, the share of the allowed tokens that canonical masks take off, and their milliseconds."""
    vocabulary = constraint.vocabulary
    removed: list[float] = []
    times: list[float] = []
    plain = sum(is_canonical(vocabulary, _drawn(constraint.matcher(), constraint.matcher(), seed, [], [])) for seed in range(draws))
    masked = sum(is_canonical(vocabulary, _drawn(constraint.matcher(canonical=True), constraint.matcher(), seed, removed, times)) for seed in range(draws))
    share = {"plain": plain / draws, "canonical": masked / draws}
    milliseconds = {"median": median(times) * 1e3, "mean": mean(times) * 1e3, "most": max(times) * 1e3}
    return {"draws": draws, "canonical_outputs_by_mask": share, "removed_share": mean(removed), "milliseconds_a_mask": milliseconds}


def _drawn(matcher: grammask.Matcher, beside: grammask.Matcher, seed: int, removed: list[float], times: list[float]) -> list[int]:
    """Tokens drawn uniformly; a plain matcher goes along, to count what it would allow."""
    rng = np.random.default_rng(seed)
    ends = matcher.vocabulary.eos_ids
    token_ids: list[int] = []
    while True:
        started = perf_counter()
        allowed = matcher.allowed_tokens()
        times.append(perf_counter() - started)
        removed.append(1 - len(allowed) / beside.count())
        if len(token_ids) >= LONGEST and np.isin(ends, allowed).any():
            return token_ids
        token_id = int(rng.choice(allowed))
        if token_id in ends:
            return token_ids
        token_ids.append(token_id)
        matcher.advance(token_id)
        beside.advance(token_id)


if __name__ == "__main__":
    sys.exit(main())
