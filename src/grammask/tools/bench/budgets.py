"""`python -m grammask.tools.bench.budgets DRAWS`: outputs of MaskBench's schemas within token budgets, drawn uniformly or by the embedded model.

For each schema the least budget that is taken (n), n + 1, one and a half n and three n. An output is *kept* if it is whole within its budget,
and *valid* if the validator `jsonschema` has nothing to say against it. The mask under an ample budget is compared with the plain one on the way.
Schemas are taken in an order drawn by a fixed seed until there are so many; those refused, and those whose shortest output is too long, are counted.
The model, which takes a hundred times as long, judges those with the least budgets first, and as many as `--seconds` allow.
Rule: what is drawn depends on the schema and the seed alone, so the figures are the same on every machine, and a run goes on where one broke off.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any
from zlib import crc32

import numpy as np

import grammask
from grammask.errors import BudgetError, EmptyLanguageError, GrammaskError, UnsupportedFeatureError
from grammask.tools.bench.journal import Journal, progress_of
from grammask.tools.bench.judge import complaint
from grammask.tools.bench.record import circumstances, write_record

__all__ = ["figures_of", "judged", "main"]

SHARED = Path("..") / "shared" / "data" / "maskbench.jsonl.xz"
WAYS: dict[str, Callable[[int], int]] = {"n": lambda n: n, "n + 1": lambda n: n + 1, "1.5 n": lambda n: n + n // 2, "3 n": lambda n: 3 * n}
AMPLE = 1_000_000
COMPARED = 12  # steps at which the mask under an ample budget is compared with the plain one
LONGEST = 400  # tokens of a least budget; schemas with larger ones are counted apart
N_CTX = 2048  # room for a prompt and the largest budget
_SCORES_REMEMBERED = 2_000  # rows of scores, 0.2 MB each
_WORDS = b'"}|": |", "|true|null|": "|{"|": {|[]|{}|12|", |the | a|\xe2\x82|\xc3\xa9|\n  |.5'.split(b"|")
SMALL = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), *_WORDS, b""], eos_ids=[256 + len(_WORDS)])

Draw = Callable[[grammask.Constraint, int, int], Sequence[int]]  # an output of a constraint within a budget, by a seed


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: all kept and valid; 1: not; 3: the data or the model cannot be read."""
    options = _parser().parse_args(arguments)
    about = circumstances(["grammask", "jsonschema"], {"draws": options.draws, "schemas": options.schemas})
    try:
        with ExitStack() as stack:
            vocabulary, draw = _source(options.draws, stack)
            journal = Journal(options.journal or Path("build") / f"budgets-{options.draws}.jsonl", {"commit": about["commit"], "draws": options.draws})
            tick = stack.enter_context(progress_of("schemas judged", options.schemas))
            taken, counts = _taken(_records(options.data), options.schemas, vocabulary)
            if options.draws == "model":
                taken.sort(key=lambda item: item[1])
            entries = [_entry(record, vocabulary, draw, journal, tick) for record, _ in _in_time(taken, options.seconds)]
    except (GrammaskError, OSError) as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    figures = figures_of(entries, counts)
    print(json.dumps(figures, indent=1))
    print(write_record(options.record, f"budgets-{about['date']}-{options.draws}", {**about, "figures": figures}))
    return int(bool(figures["faults"]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.budgets", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    helped = "'small': uniformly over a vocabulary of bytes and a few words; 'uniform': over the embedded model's; 'model': by the embedded model"
    parser.add_argument("draws", choices=("small", "uniform", "model"), help=helped)
    parser.add_argument("--data", type=Path, default=SHARED, help="MaskBench's schemas (default: %(default)s)")
    parser.add_argument("--schemas", type=int, default=1000, help="how many to judge (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no schema after so many; the record says how many were judged")
    parser.add_argument("--journal", type=Path, help="where each schema is noted as it is judged (default: build/budgets-DRAWS.jsonl)")
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    return parser


def _source(draws: str, stack: ExitStack) -> tuple[grammask.Vocabulary, Draw]:
    """The vocabulary and the way to draw; the model stays open as long as the stack."""
    if draws == "small":
        return SMALL, _drawn
    model = stack.enter_context(grammask.load_model(n_ctx=N_CTX, n_threads=1))
    if draws == "uniform":
        return model.vocabulary, _drawn
    session, prompt = _Remembering(stack.enter_context(model.session())), model.prompt_token_ids("Give an example.")
    return model.vocabulary, lambda constraint, budget, seed: _generated(session, prompt, constraint, budget, seed)


def _records(data: Path) -> list[Any]:
    with lzma.open(data, "rt", encoding="utf-8") as lines:
        records = list(lines)
    random.Random(0).shuffle(records)
    return records


def _taken(records: Sequence[str], wanted: int, vocabulary: grammask.Vocabulary) -> tuple[list[tuple[Any, int]], Counter[str]]:
    """So many schemas that compile, each with its least budget, and what became of all that were looked at."""
    found: list[tuple[Any, int]] = []
    counts = Counter[str]()
    for line in records:
        if len(found) == wanted:
            break
        record = json.loads(line)
        least = _least_of(record["schema"], vocabulary)
        outcome = "refused" if least is None else "too long" if least > LONGEST else "taken"
        counts[outcome] += 1
        if least is not None and outcome == "taken":
            found.append((record, least))
    return found, counts


def _least_of(schema: Any, vocabulary: grammask.Vocabulary) -> int | None:
    """The least budget of a schema; None for one that is refused."""
    try:
        return _least(_compiled(schema, vocabulary))
    except (UnsupportedFeatureError, EmptyLanguageError):
        return None


def _compiled(schema: Any, vocabulary: grammask.Vocabulary) -> grammask.Constraint:
    return grammask.compile(grammask.json_schema(json.dumps(schema)), vocabulary)


def _in_time(items: Sequence[Any], seconds: float) -> Iterator[Any]:
    end = monotonic() + seconds
    for item in items:
        if monotonic() > end:
            break
        yield item


def _entry(record: Mapping[str, Any], vocabulary: grammask.Vocabulary, draw: Draw, journal: Journal, tick: Callable[[], None]) -> dict[str, Any]:
    """What is found for a schema, or was found by a run that broke off."""
    entry = journal.known.get(record["id"])
    if entry is None:
        entry = {"id": record["id"], **judged(record, vocabulary, draw)}
        journal.add(entry)
    tick()
    return entry


def judged(record: Mapping[str, Any], vocabulary: grammask.Vocabulary, draw: Draw) -> dict[str, Any]:
    """The outputs of one schema that compiles, and the faults in them."""
    started = perf_counter()
    constraint = _compiled(record["schema"], vocabulary)
    least = _least(constraint)
    seed = crc32(record["id"].encode())
    compared = _compared(constraint, np.random.default_rng(seed))
    outputs = [_output(record["schema"], constraint, name, way(least), draw, seed) for name, way in WAYS.items()]
    faults = [output["fault"] for output in outputs if output["fault"]] + (["masks differ under an ample budget"] if compared is None else [])
    counted = {"outputs": len(outputs), **{key: sum(output[key] for output in outputs) for key in ("tokens", "kept", "valid")}}
    return {"n": least, "compared": compared or 0, **counted, "faults": faults, "seconds": round(perf_counter() - started, 3)}


def figures_of(found: Sequence[Mapping[str, Any]], counts: Mapping[str, int]) -> dict[str, Any]:
    """The sums over all schemas, how the least budgets lie, and every fault with its schema."""
    leasts = sorted(entry["n"] for entry in found)
    return {
        "schemas": {**counts, "judged": len(found)},
        **{key: sum(entry[key] for entry in found) for key in ("outputs", "kept", "valid", "tokens", "compared")},
        "n": {name: leasts[int(len(leasts) * part)] for name, part in (("median", 0.5), ("p90", 0.9), ("p99", 0.99))} | {"most": leasts[-1]} if leasts else {},
        "faults": [f"{entry['id']}: {fault}" for entry in found for fault in entry["faults"]],
    }


def _least(constraint: grammask.Constraint) -> int:
    try:
        constraint.matcher(max_tokens=1)
    except BudgetError as error:
        return error.achievable or sys.maxsize
    return 1


def _compared(constraint: grammask.Constraint, rng: np.random.Generator) -> int | None:
    """How many masks under an ample budget were found to be the plain ones; None if one was not."""
    plain, ample = constraint.matcher(), constraint.matcher(max_tokens=AMPLE)
    rows = np.zeros((2, constraint.mask_words), dtype=np.uint32)
    for step in range(COMPARED):
        plain.fill_mask(rows[0])
        ample.fill_mask(rows[1])
        if (rows[0] != rows[1]).any():
            return None
        token_id = int(rng.choice(plain.allowed_tokens()))
        plain.advance(token_id)
        ample.advance(token_id)
        if plain.is_finished:
            return step + 1
    return COMPARED


def _output(schema: Any, constraint: grammask.Constraint, name: str, budget: int, draw: Draw, seed: int) -> dict[str, Any]:
    """One output and what is wrong with it."""
    token_ids = draw(constraint, budget, seed)
    matcher = constraint.matcher()
    kept = len(token_ids) <= budget and matcher.advance_many(token_ids) == len(token_ids) and matcher.is_complete
    text = constraint.vocabulary.decode(token_ids).decode(errors="replace")
    fault = _complaint(schema, text) if kept else "not kept"
    return {"tokens": len(token_ids), "kept": kept, "valid": fault is None, "fault": fault and f"budget {name}: {fault[:200]} in {text[:200]}"}


def _complaint(schema: Any, text: str) -> str | None:
    try:
        return complaint(schema, text)
    except (re.error, ValueError, LookupError) as error:
        return f"the validator fails, {type(error).__name__}: {error}"


def _drawn(constraint: grammask.Constraint, budget: int, seed: int) -> list[int]:
    rng = np.random.default_rng([seed, budget])
    matcher = constraint.matcher(max_tokens=budget)
    token_ids: list[int] = []
    while True:
        token_id = int(rng.choice(matcher.allowed_tokens()))
        matcher.advance(token_id)
        if matcher.is_finished:
            return token_ids
        token_ids.append(token_id)


class _Remembering:
    """A session that evaluates no beginning twice in a row: the outputs of one schema begin alike, and the model is nearly all of the time."""

    def __init__(self, session: Any) -> None:
        self.vocabulary = session.vocabulary
        self._session = session
        self._token_ids: list[int] = []
        self._scores: dict[tuple[int, ...], Any] = {}

    def begin(self, prompt_token_ids: Sequence[int]) -> None:
        self._token_ids = list(prompt_token_ids)

    def accept(self, token_id: int) -> None:
        self._token_ids.append(token_id)

    def rewind(self, n: int) -> None:
        del self._token_ids[len(self._token_ids) - n :]

    def logits(self) -> Any:
        key = tuple(self._token_ids)
        if key not in self._scores:
            if len(self._scores) >= _SCORES_REMEMBERED:
                self._scores.clear()
            self._session.begin(self._token_ids)
            self._scores[key] = self._session.logits()
        return self._scores[key]


def _generated(session: Any, prompt: Sequence[int], constraint: grammask.Constraint, budget: int, seed: int) -> Sequence[int]:
    options = grammask.GenerateOptions(budget, grammask.Sampling(temperature=1.0), seed=seed)
    return grammask.generate(session, prompt, constraint, options).token_ids


if __name__ == "__main__":
    sys.exit(main())
