"""`python -m grammask.tools.bench.budgets`: outputs of MaskBench's schemas within token budgets, drawn uniformly and by the embedded model.

For each schema the least budget that is taken (n), n + 1, one and a half n and three n. An output is *kept* if it is whole within its budget,
and *valid* if the validator `jsonschema` has nothing to say against it. The mask under an ample budget is compared with the plain one on the way.
Rule: draws are seeded, so the figures are the same on every machine, unless `--seconds` cuts the run short.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

import grammask
from grammask.errors import BudgetError, EmptyLanguageError, GrammaskError, UnsupportedFeatureError
from grammask.tools.bench.record import circumstances, write_record

__all__ = ["main", "outputs_of"]

SHARED = Path("..") / "shared" / "data" / "maskbench.jsonl.xz"
WAYS: dict[str, Callable[[int], int]] = {"n": lambda n: n, "n + 1": lambda n: n + 1, "1.5 n": lambda n: n + n // 2, "3 n": lambda n: 3 * n}
AMPLE = 1_000_000
COMPARED = 12  # steps at which the mask under an ample budget is compared with the plain one
LONGEST = 400  # tokens of a least budget; schemas with larger ones are counted apart
LONGEST_FOR_MODEL = 60  # tokens of a budget that the model is asked to fill
_WORDS = b'"}|": |", "|true|null|": "|{"|": {|[]|{}|12|", |the | a|\xe2\x82|\xc3\xa9|\n  |.5'.split(b"|")
SMALL = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), *_WORDS, b""], eos_ids=[256 + len(_WORDS)])

Draw = Callable[[grammask.Constraint, int], Sequence[int]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: all kept and valid; 1: not; 3: the data or the model cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.budgets", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    parser.add_argument("--data", type=Path, default=SHARED, help="MaskBench's schemas (default: %(default)s)")
    parser.add_argument("--schemas", type=int, default=1000, help="how many of them, drawn by a fixed seed")
    parser.add_argument("--by-model", type=int, default=0, metavar="N", help="have the embedded model fill budgets of so many of them, too")
    parser.add_argument("--small", action="store_true", help="over a vocabulary of bytes and a few words instead of the embedded model's, and without it")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no schema after so many seconds; the record says how many were done")
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    end = monotonic() + options.seconds
    try:
        schemas = _schemas(options.data, options.schemas)
        if options.small:
            figures = _figures(schemas, SMALL, end)
        else:
            with grammask.load_model(n_ctx=512, n_threads=1) as model, model.session() as session:
                prompt = model.prompt_token_ids("Give an example.")
                figures = _figures(schemas, model.vocabulary, end, options.by_model, lambda it, budget: _generated(session, prompt, it, budget))
    except (GrammaskError, OSError) as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    about = circumstances(["grammask", "jsonschema"], {"schemas": options.schemas, "by_model": options.by_model, "small": options.small})
    print(json.dumps(figures, indent=1))
    print(write_record(options.record, f"budgets-{about['date']}-{'small' if options.small else 'model'}", {**about, "figures": figures}))
    return int(bool(figures["faults"]))


def _schemas(data: Path, wanted: int) -> list[Any]:
    with lzma.open(data, "rt", encoding="utf-8") as lines:
        records = list(lines)
    random.Random(0).shuffle(records)
    return [json.loads(line) for line in records[:wanted]]


def _figures(records: Sequence[Any], vocabulary: grammask.Vocabulary, end: float, n_by_model: int = 0, by_model: Draw | None = None) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    uniform, model, masks = Counter[str](), Counter[str](), Counter[str]()
    faults: list[str] = []
    for record, constraint, least in _bound(records, vocabulary, masks):
        if monotonic() > end:
            break
        masks["schemas"] += 1
        same = _compared(constraint, rng)
        masks["compared"] += same or 0
        if same is None:
            faults.append(f"{record['id']}: masks differ under an ample budget")
        _try(record, constraint, least, lambda it, budget: _drawn(it, budget, rng), uniform, faults)
        if by_model is not None and model["schemas"] < n_by_model and 3 * least <= LONGEST_FOR_MODEL:
            model["schemas"] += 1
            _try(record, constraint, least, by_model, model, faults)
        if masks["schemas"] % 20 == 0:
            print(dict(masks), dict(uniform), len(faults), file=sys.stderr, flush=True)
    return {"masks": dict(masks), "uniform": dict(uniform), "by_model": dict(model), "faults": faults}


def _bound(records: Sequence[Any], vocabulary: grammask.Vocabulary, counts: Counter[str]) -> Iterator[tuple[Any, grammask.Constraint, int]]:
    """Those that compile, each with the least budget that it takes."""
    for record in records:
        try:
            constraint = grammask.compile(grammask.json_schema(json.dumps(record["schema"])), vocabulary)
        except (UnsupportedFeatureError, EmptyLanguageError):
            counts["refused"] += 1
            continue
        least = _least(constraint)
        if least > LONGEST:
            counts["too long"] += 1
            continue
        yield record, constraint, least


def _least(constraint: grammask.Constraint) -> int:
    try:
        constraint.matcher(max_tokens=1)
    except BudgetError as error:
        return error.achievable or 0
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


def outputs_of(constraint: grammask.Constraint, least: int, draw: Draw) -> Iterator[tuple[str, Sequence[int] | None]]:
    """For each way to choose the budget its name, and the tokens of an output if that is whole and within the budget."""
    for name, way in WAYS.items():
        token_ids = draw(constraint, way(least))
        matcher = constraint.matcher()
        whole = matcher.advance_many(token_ids) == len(token_ids) and matcher.is_complete
        yield name, token_ids if whole and len(token_ids) <= way(least) else None


def _try(record: Any, constraint: grammask.Constraint, least: int, draw: Draw, counts: Counter[str], faults: list[str]) -> None:
    for name, token_ids in outputs_of(constraint, least, draw):
        counts["outputs"] += 1
        if token_ids is None:
            faults.append(f"{record['id']}: budget {name} not kept")
            continue
        counts["kept"] += 1
        text = constraint.vocabulary.decode(token_ids).decode()
        said = _said(record["schema"], text)
        counts["valid"] += said is None
        if said is not None:
            faults.append(f"{record['id']}: {said[:200]} in {text[:200]}")


def _drawn(constraint: grammask.Constraint, budget: int, rng: np.random.Generator) -> list[int]:
    matcher = constraint.matcher(max_tokens=budget)
    token_ids: list[int] = []
    while True:
        token_id = int(rng.choice(matcher.allowed_tokens()))
        matcher.advance(token_id)
        if matcher.is_finished:
            return token_ids
        token_ids.append(token_id)


def _generated(session: Any, prompt: Sequence[int], constraint: grammask.Constraint, budget: int) -> Sequence[int]:
    options = grammask.GenerateOptions(budget, grammask.Sampling(temperature=1.0), seed=budget)
    return grammask.generate(session, prompt, constraint, options).token_ids


def _said(schema: Any, text: str) -> str | None:
    """What the validator says against a text; None for nothing. It divides floats in binary, so that is asked again in decimals."""
    validators = import_module("jsonschema.validators")
    errors = validators.validator_for(schema, default=validators.Draft202012Validator)(schema).iter_errors(json.loads(text))
    return next((error.message for error in errors if not _is_float_trouble(error)), None)


def _is_float_trouble(error: Any) -> bool:
    return error.validator == "multipleOf" and Decimal(str(error.instance)) % Decimal(str(error.validator_value)) == 0


if __name__ == "__main__":
    sys.exit(main())
