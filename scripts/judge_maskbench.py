"""Judges every instance of MaskBench under its schema, members in the order of the schema and in any order, and random documents too.

Run from the root of the repository, with MaskBench in the shared data: python scripts/judge_maskbench.py [NUMBER OF SCHEMAS]
Writes benchmarks/record/maskbench-verdicts.json: how many schemas pass in each order, and each that does not, with its cause.
Cost: about a quarter of an hour on one core for all 7,984 schemas.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import numpy as np
from jsonschema.exceptions import best_match
from jsonschema.validators import Draft202012Validator, validator_for
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.conformance.maskbench import VOCABULARY, accepts, random_document, records  # noqa: E402 (likewise)
from tests.conformance.test_maskbench import ODD_SPACES  # noqa: E402 (likewise)

import grammask  # noqa: E402 (the path is set above)
from grammask.errors import EmptyLanguageError, GrammaskError, UnsupportedFeatureError  # noqa: E402 (likewise)

TARGET = ROOT / "benchmarks/record/maskbench-verdicts.json"
ORDERS: tuple[Literal["schema", "any"], ...] = ("schema", "any")
DOCUMENTS = 5  # drawn for each schema and order


def constraint_of(schema: Any, order: Literal["schema", "any"]) -> grammask.Constraint | str | None:
    """The constraint, the reason why there is none, or None for a schema that nothing meets."""
    options = grammask.JsonSchemaOptions(property_order=order)
    try:
        return grammask.compile(grammask.json_schema(json.dumps(schema), options), VOCABULARY)
    except EmptyLanguageError:
        return None
    except UnsupportedFeatureError as error:
        return f"refused: {error.feature}: {error.reason}"
    except GrammaskError as error:
        return f"refused: {type(error).__name__}: {error}"


def judged(constraint: grammask.Constraint | None, record: dict[str, Any]) -> list[str]:
    """What is wrong with the verdicts on a record's instances, members as they are given."""
    wrong = []
    for test in record["tests"]:
        taken = constraint is not None and accepts(constraint.matcher(), json.dumps(test["data"], ensure_ascii=False))
        if taken != test["valid"]:
            wrong.append("accepts what is invalid" if taken else "rejects what is valid")
    return wrong


def drawn(constraint: grammask.Constraint, schema: Any) -> tuple[Counter[str], list[str]]:
    """Random documents and what jsonschema says of them; what it says against those that it rejects."""
    validator = validator_for(schema, default=Draft202012Validator)(schema)
    rng = np.random.default_rng(7)
    found: Counter[str] = Counter()
    complaints = []
    for _ in range(DOCUMENTS):
        text = random_document(constraint, rng)
        try:
            is_valid = validator.is_valid(json.loads(text))
        except Exception as error:  # noqa: BLE001 (whatever the validator raises is noted, it is not ours)
            found[f"jsonschema raises {type(error).__name__}"] += 1
            continue
        found["valid" if is_valid else "odd space" if ODD_SPACES & set(text) else "invalid"] += 1
        if not is_valid:
            error = best_match(validator.iter_errors(json.loads(text)))
            complaints.append(f"{text!a}: {error.message}" if error is not None else ascii(text))
    return found, complaints


def main() -> None:
    sys.setrecursionlimit(10_000)
    chosen = records(int(sys.argv[1]) if len(sys.argv) > 1 else 10**6, seed=1)
    started = time.monotonic()
    passing: Counter[str] = Counter()
    documents: dict[str, Counter[str]] = {order: Counter() for order in ORDERS}
    others: list[dict[str, str]] = []
    for record in track(chosen, description="judging"):
        wrong: dict[str, list[str]] = {}
        for order in ORDERS:
            constraint = constraint_of(record["schema"], order)
            if isinstance(constraint, str):
                wrong[order] = [constraint]
                continue
            wrong[order] = judged(constraint, record)
            if constraint is not None:
                said, complaints = drawn(constraint, record["schema"])
                documents[order] += said
                cause = "a random document that jsonschema rejects"
                others += [{"schema": record["id"], "order": order, "cause": cause, "jsonschema": complaint[:500]} for complaint in complaints]
        for order in ORDERS:
            passing[order] += not wrong[order]
            for cause in dict.fromkeys(wrong[order]):
                is_order = order == "schema" and cause == "rejects what is valid" and not wrong["any"]
                others.append({"schema": record["id"], "order": order, "cause": "a valid instance has its members in another order" if is_order else cause})
    report = {
        "schemas": len(chosen),
        "passing": {order: passing[order] for order in ORDERS},
        "share": {order: round(passing[order] / len(chosen), 4) for order in ORDERS},
        "random documents": {order: dict(documents[order]) for order in ORDERS},
        "causes": dict(Counter(f"{other['order']}: {other['cause'].split(' (')[0][:120]}" for other in others).most_common()),
        "seconds": round(time.monotonic() - started),
        "others": others,
    }
    TARGET.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps({key: value for key, value in report.items() if key != "others"}, indent=1))


if __name__ == "__main__":
    main()
