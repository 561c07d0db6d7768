"""`python -m grammask.tools.bench.startup`: what a folder of compiled grammars and a warmed-up vocabulary save.

Loading: each schema is found in a folder that another process filled, and then compiled; neither was seen in this process before, and both
end with the grammar bound to the vocabulary.
Warm-up: the first schemas over a vocabulary seen for the first time, with and without `grammask.warm_up` before, in turn.
Times are of this process's processor, so that a busy machine counts less; files come from the system's cache, as after a restart of one process.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time_ns
from typing import Any

import numpy as np

import grammask
from grammask.decoding.binding import bindings_of
from grammask.tools.bench.record import circumstances, write_record
from grammask.tools.bench.runner import BenchmarkFailed
from grammask.tools.bench.tokenizer import add_tokenizer, tokenizer_of

__all__ = ["loading", "main", "warming"]

SHARED = Path("..") / "shared" / "data" / "maskbench.jsonl.xz"
FIRST = 5  # schemas over a fresh vocabulary


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the tokenizer's file or the schemas cannot be read, or the run is void."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.startup", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    add_tokenizer(parser)
    parser.add_argument("--data", type=Path, default=SHARED, help="MaskBench's schemas (default: %(default)s)")
    parser.add_argument("--schemas", type=int, default=250)
    parser.add_argument("--rounds", type=int, default=5, help="fresh vocabularies of each kind")
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    try:
        vocabulary = tokenizer_of(options)
        records = drawn(options.data, options.schemas)
    except (grammask.errors.GrammaskError, OSError) as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    try:
        figures = {"loading": loading(vocabulary, [record["schema"] for record in records]), "warming": warming(vocabulary, records, options.rounds)}
    except BenchmarkFailed as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    show(figures)
    about = circumstances(["grammask"], {"vocabulary": len(vocabulary), "schemas": options.schemas, "rounds": options.rounds})
    print(write_record(options.record, f"startup-{about['date']}-{len(vocabulary)}", {**about, "figures": figures}))
    return 0


def drawn(data: Path, wanted: int) -> list[dict[str, Any]]:
    """Schemas by a fixed seed."""
    with lzma.open(data, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    random.Random(0).shuffle(records)
    return list({json.dumps(record["schema"]): record for record in records[:wanted]}.values())  # each schema once


# --- loading --------------------------------------------------------------------------------------------------------

FILL = "import json, sys; from grammask.tools.bench.startup import fill; print(json.dumps(fill(sys.argv[1], json.load(sys.stdin))))"


def fill(folder: str, schemas: Sequence[Any]) -> list[int]:
    """Keep all schemas in the folder that compile, and say which are there: those whose items must differ are left out of such folders.

    Run in a process of its own, so that the one that measures has seen none.
    """
    cache, kept = grammask.Cache(folder), []
    vocabulary = grammask.Vocabulary([bytes([byte]) for byte in range(256)], [])
    for number, schema in enumerate(schemas):
        try:
            grammask.compile(cache.grammar(grammask.json_schema, schema), vocabulary)
        except grammask.errors.GrammaskError:
            continue
        other = grammask.Cache(folder)
        other.grammar(grammask.json_schema, schema)
        if other.statistics()["found"]:
            kept.append(number)
    return kept


def loading(vocabulary: grammask.Vocabulary, schemas: Sequence[Any]) -> dict[str, dict[str, float]]:
    """Milliseconds from a schema seen for the first time to its constraint, found in the folder and then compiled, schema by schema."""
    grammask.warm_up(vocabulary)
    times: dict[str, list[float]] = {"found": [], "compiled": []}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        filled = subprocess.run([sys.executable, "-c", FILL, folder], input=json.dumps(schemas), text=True, check=True, env=environment, capture_output=True)  # noqa: S603
        cache = grammask.Cache(folder)
        cache.grammar(grammask.choice, [""])  # reads the sources for their digest, once a process
        for number in json.loads(filled.stdout):
            times["found"].append(_ms(partial(_compile, vocabulary, partial(cache.grammar, grammask.json_schema), schemas[number])))
            times["compiled"].append(_ms(partial(_compile, vocabulary, grammask.json_schema, schemas[number])))
    if cache.statistics()["made"] > 1:  # the choice above
        raise BenchmarkFailed("grammars were not found in the folder: the sources have changed meanwhile")
    return {name: _summary(column) for name, column in times.items()}


def _compile(vocabulary: grammask.Vocabulary, read: Callable[[Any], grammask.Grammar], schema: Any) -> None:
    grammask.compile(read(schema), vocabulary)


def _summary(column: Sequence[float]) -> dict[str, float]:
    return {"mean": float(np.mean(column)), **{f"p{part}": float(np.percentile(column, part)) for part in (50, 90, 99)}, "schemas": float(len(column))}


# --- warm-up --------------------------------------------------------------------------------------------------------


def warming(vocabulary: grammask.Vocabulary, records: Sequence[dict[str, Any]], rounds: int) -> dict[str, Any]:
    """Milliseconds of the warm-up beyond the trie, and of the first schemas with all masks of an instance; medians over fresh vocabularies."""
    chosen = [(record["schema"], next(test["data"] for test in record["tests"] if test["valid"])) for record in records if _has_instance(record)][:FIRST]
    rows: dict[str, list[dict[str, float]]] = {"cold": [], "warm": []}
    for _ in range(rounds):
        for name, row in rows.items():
            row.append(_first_schemas(vocabulary, chosen, warm=name == "warm"))
    return {name: {key: float(np.median([row[key] for row in column])) for key in column[0]} for name, column in rows.items()}


def _has_instance(record: dict[str, Any]) -> bool:
    return any(test["valid"] for test in record["tests"])


def _generate_all(vocabulary: grammask.Vocabulary, chosen: Sequence[tuple[Any, Any]]) -> None:
    for schema, instance in chosen:
        _generate(vocabulary, schema, instance)


def _first_schemas(model: grammask.Vocabulary, chosen: Sequence[tuple[Any, Any]], *, warm: bool) -> dict[str, float]:
    fresh = grammask.Vocabulary(model.tokens, model.eos_ids, model.specials)
    row: dict[str, float] = {}
    row["trie"] = _ms(lambda: (bindings_of(fresh).store, bindings_of(fresh).spelling, bindings_of(fresh).speller))
    row["warm_up"] = _ms(lambda: grammask.warm_up(fresh)) if warm else 0.0
    row["first_schema"] = _ms(lambda: _generate(fresh, *chosen[0]))
    row["first_schemas"] = row["first_schema"] + _ms(lambda: _generate_all(fresh, chosen[1:]))
    return row


def _generate(vocabulary: grammask.Vocabulary, schema: Any, instance: Any) -> None:
    """Compile, and fill the mask before each token of an instance."""
    constraint = grammask.compile(grammask.json_schema(schema), vocabulary)
    matcher, mask = constraint.matcher(), np.zeros(constraint.mask_words, dtype=np.uint32)
    for token_id in bindings_of(vocabulary).speller.longest_first(json.dumps(instance, ensure_ascii=False).encode()):
        matcher.fill_mask(mask)
        if not matcher.accepts(token_id):
            return
        matcher.advance(token_id)


def _ms(run: Callable[[], object]) -> float:
    started = process_time_ns()
    run()
    return (process_time_ns() - started) / 1e6


def show(figures: dict[str, Any]) -> None:
    """The figures as two tables."""
    for title, table in figures.items():
        names = list(next(iter(table.values())))
        print(f"{title + ', milliseconds':28}" + "".join(f"{name.replace('_', ' '):>15}" for name in names))
        for name, row in table.items():
            print(f"{name:28}" + "".join(f"{row[key]:>15.3f}" for key in names))
        print()


if __name__ == "__main__":
    sys.exit(main())
