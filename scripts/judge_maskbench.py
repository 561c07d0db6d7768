"""Judges every instance of MaskBench under its schema, members in the order of the schema and in any order, and random documents too.

Run from the root of the repository, with MaskBench in the shared data: python scripts/judge_maskbench.py [NUMBER OF SCHEMAS]
Writes benchmarks/record/maskbench-verdicts.json: how many schemas pass in each order, and each that does not, with its cause; and each
random document that jsonschema or jsonschema-rs rejects, with what decides. 500 schemas are drawn from in Llama 3's tokens, too.
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
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.conformance import llama  # noqa: E402 (the path is set above)
from tests.conformance.judges import Judge, validators  # noqa: E402 (likewise)
from tests.conformance.maskbench import VOCABULARY, accepts, random_document, records  # noqa: E402 (likewise)

import grammask  # noqa: E402 (the path is set above)
from grammask.errors import EmptyLanguageError, GrammaskError, UnsupportedFeatureError  # noqa: E402 (likewise)

TARGET = ROOT / "benchmarks/record/maskbench-verdicts.json"
ORDERS: tuple[Literal["schema", "any"], ...] = ("schema", "any")
DOCUMENTS = 5  # drawn for each schema and order
LLAMA_SCHEMAS = 500  # whose documents are drawn in Llama 3's tokens, too
INVALID = "a random document that is invalid"


def constraint_of(schema: Any, order: Literal["schema", "any"], vocabulary: grammask.Vocabulary = VOCABULARY) -> grammask.Constraint | str | None:
    """The constraint, the reason why there is none, or None for a schema that nothing meets."""
    options = grammask.JsonSchemaOptions(property_order=order)
    try:
        return grammask.compile(grammask.json_schema(json.dumps(schema), options), vocabulary)
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


def drawn(constraint: grammask.Constraint, judge: Judge) -> tuple[Counter[str], list[dict[str, str]]]:
    """Random documents and what they are, and each that a validator rejects, with the cause that decides.

    jsonschema and, if it is installed, jsonschema-rs are asked. What one rejects is settled by exact decimals and the specification's
    text: see `tests.conformance.judges`.
    """
    rng = np.random.default_rng(7)
    found: Counter[str] = Counter()
    cases = []
    for _ in range(DOCUMENTS):
        text = random_document(constraint, rng)
        verdict = judge.verdict(text)
        found["valid" if verdict.is_valid else "invalid"] += 1
        if verdict.complaints:
            causes = "; ".join(f"{name} {cause}" for name, cause in verdict.causes.items())
            cause = f"a random document that is valid, though {causes}" if verdict.is_valid else INVALID
            cases.append({"cause": cause, "document": ascii(text)[:500], "said": ascii(str(verdict))[:500]})
    return found, cases


def drawn_in_llama_tokens(chosen: list[dict[str, Any]]) -> tuple[Counter[str], list[dict[str, str]]]:
    """The same for some of the schemas in Llama 3's tokens. Nothing if the package with the tokens is absent."""
    found: Counter[str] = Counter()
    cases: list[dict[str, str]] = []
    try:
        vocabulary = llama.vocabulary()
    except BaseException as skipped:  # noqa: BLE001 (pytest's way to say that a package is absent)
        print(skipped)
        return found, cases
    for record in track(chosen[:LLAMA_SCHEMAS], description="in Llama 3's tokens"):
        constraint = constraint_of(record["schema"], "schema", vocabulary)
        if isinstance(constraint, grammask.Constraint):
            said, more = drawn(constraint, Judge(record["schema"]))
            found += said
            cases += [{"schema": record["id"], "order": "schema, Llama 3's tokens", **case} for case in more]
    return found, cases


def main() -> None:
    sys.setrecursionlimit(10_000)
    chosen = records(int(sys.argv[1]) if len(sys.argv) > 1 else 10**6, seed=1)
    started = time.monotonic()
    passing: Counter[str] = Counter()
    documents: dict[str, Counter[str]] = {order: Counter() for order in ORDERS}
    others: list[dict[str, str]] = []
    unread: Counter[str] = Counter()
    for record in track(chosen, description="judging"):
        wrong: dict[str, list[str]] = {}
        judge = Judge(record["schema"])
        unread.update(judge.unread.keys())
        for order in ORDERS:
            constraint = constraint_of(record["schema"], order)
            if isinstance(constraint, str):
                wrong[order] = [constraint]
                continue
            wrong[order] = judged(constraint, record)
            if constraint is not None:
                said, cases = drawn(constraint, judge)
                documents[order] += said
                others += [{"schema": record["id"], "order": order, **case} for case in cases]
        for order in ORDERS:
            passing[order] += not wrong[order]
            for cause in dict.fromkeys(wrong[order]):
                is_order = order == "schema" and cause == "rejects what is valid" and not wrong["any"]
                others.append({"schema": record["id"], "order": order, "cause": "a valid instance has its members in another order" if is_order else cause})
    documents["schema, Llama 3's tokens"], cases = drawn_in_llama_tokens(chosen)
    others += cases
    report = {
        "schemas": len(chosen),
        "passing": {order: passing[order] for order in ORDERS},
        "share": {order: round(passing[order] / len(chosen), 4) for order in ORDERS},
        "random documents": {kind: dict(found) for kind, found in documents.items()},
        "validators": list(validators()),
        "schemas that a validator cannot read": dict(unread),
        "causes": dict(Counter(f"{other['order']}: {other['cause'].split(' (')[0][:120]}" for other in others).most_common()),
        "seconds": round(time.monotonic() - started),
        "others": others,
    }
    TARGET.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps({key: value for key, value in report.items() if key != "others"}, indent=1))


if __name__ == "__main__":
    main()
