"""`python -m grammask.tools.bench.stack`: under a grammar of any JSON, how many tokens depend on the stack, and what a step looks at.

A token depends on the stack at a place if it is allowed there under some nesting of arrays and objects, and not under another: masks under
all nestings to a depth say so. A token *leaves its rule* if the rule ends in the middle of it: only of such tokens are callers asked at all.
Rule: what is counted comes from masks and from the kernel's own classifications, not from a model of either.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

import grammask
from grammask.decoding.binding import bindings_of
from grammask.tools.bench.record import circumstances, write_record
from grammask.tools.bench.tokenizer import add_tokenizer, tokenizer_of

__all__ = ["dependent_tokens", "main", "measure"]

# What comes last at a place, as a value or as a key; each in every nesting.
PLACES = {
    "inside a string": ('"x', '{"x', '{"k":1,"x'),
    "after a backslash": ('"x\\', '{"x\\'),
    "after a string": ('"x"', '{"x"'),
    "inside a number": ("12",),
    "after a point": ("1.5",),
    "after true": ("true",),
    "before a value": ("",),
}
DEPTH = 4
SHARED = Path("..") / "shared" / "data" / "maskbench.jsonl.xz"
DOCUMENTS: list[Any] = [
    {"name": "Asha", "age": 34, "tags": ["a", "b c"], "address": {"street": "Hauptstra\u00dfe 1", "zip": None}, "ok": True},
    [[1, -2.5e3, []], {"a": {"b": {"c": [{"d": '\n"quoted"'}]}}}, "", "\u00e9t\u00e9", False],
    {"steps": [{"explanation": "Add 3 to both sides, then halve.", "output": "2x = 8"}, {"explanation": "So x is 4.", "output": "x = 4"}], "answer": "4"},
]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the tokenizer's file cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench.stack", description=(__doc__ or "").partition("\n")[0].partition(": ")[2])
    add_tokenizer(parser)
    parser.add_argument("--data", type=Path, default=SHARED, help="MaskBench's schemas, whose valid instances are the texts (default: %(default)s)")
    parser.add_argument("--texts", type=int, default=200, help="how many of them")
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record")
    options = parser.parse_args(arguments)
    try:
        vocabulary = tokenizer_of(options)
    except grammask.errors.GrammaskError as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    figures = measure(vocabulary, list(texts(options.data, options.texts)))
    show(figures, len(vocabulary))
    about = circumstances(["grammask"], {"vocabulary": len(vocabulary), "texts": options.texts, "depth": DEPTH})
    print(write_record(options.record, f"stack-{about['date']}-{len(vocabulary)}", {**about, "figures": figures}))
    return 0


def texts(data: Path, wanted: int) -> Iterator[str]:
    """Valid instances of schemas drawn by a fixed seed, compact and indented in turn; a few documents of our own where there are none."""
    found = DOCUMENTS
    if data.is_file():
        with lzma.open(data, "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        random.Random(0).shuffle(records)
        found = [test["data"] for record in records for test in record["tests"] if test["valid"]][:wanted]
    for number, document in enumerate(found):
        yield json.dumps(document, ensure_ascii=False, indent=None if number % 2 else 2)


def measure(vocabulary: grammask.Vocabulary, documents: Sequence[str]) -> dict[str, Any]:
    """All figures: by place, by rule state, by step."""
    constraint = grammask.compile(grammask.json_schema(schema=True), vocabulary)
    return {"places": dependent_tokens(constraint), "rule_states": leaving_tokens(constraint), "steps": steps(constraint, documents)}


def dependent_tokens(constraint: grammask.Constraint) -> dict[str, dict[str, int]]:
    """For each place: tokens allowed under every nesting, and those allowed under some but not under all; "anywhere" for all places together."""
    nestings = ["".join(parts) for depth in range(DEPTH + 1) for parts in product(("[", '{"k":'), repeat=depth)]
    figures: dict[str, dict[str, int]] = {}
    anywhere = np.zeros(32 * constraint.mask_words, dtype=np.bool_)
    for place, endings in PLACES.items():
        masks = [_mask_after(constraint, nesting + ending) for nesting in nestings for ending in endings]
        always = np.logical_and.reduce(masks)
        depends = np.logical_or.reduce(masks) & ~always
        anywhere |= depends
        figures[place] = {"always": int(always.sum()), "depends": int(depends.sum())}
    figures["anywhere"] = {"depends": int(anywhere.sum())}
    return figures


def _mask_after(constraint: grammask.Constraint, text: str) -> NDArray[np.bool_]:
    """The allowed tokens as booleans, end tokens left out: those are a matter of completeness."""
    matcher = constraint.matcher()
    _take(matcher, text)
    mask = np.zeros(32 * constraint.mask_words, dtype=np.bool_)
    mask[matcher.allowed_tokens()] = True
    mask[list(constraint.vocabulary.eos_ids)] = False
    return mask


def _take(matcher: grammask.Matcher, text: str) -> None:
    speller = bindings_of(matcher.vocabulary).speller
    for byte in text.encode():
        matcher.advance(speller.longest_first(bytes([byte]))[0])


def leaving_tokens(constraint: grammask.Constraint) -> dict[str, Any]:
    """Of all local states that JSON texts lead to: how many tokens leave their rule, and at how many trie nodes."""
    from grammask.kernel.local_states import LocalStates

    states = LocalStates(constraint._bound)
    rows, together = [], set[int]()
    for number in _reachable(states):
        stay, exits, leaving = states.leaving_tokens(number)
        rows.append({"stay": stay, "exit_nodes": exits, "leave": len(leaving), "in_text": states.is_text(number)})
        together.update(leaving.tolist())
    return {
        "states": len(rows),
        "states_that_tokens_leave": sum(row["leave"] > 0 for row in rows),
        "tokens_that_leave_some_rule": len(together),
        "string_body": max(rows, key=lambda row: (row["in_text"], row["stay"])),
        "most": max(rows, key=lambda row: row["leave"]),
    }


def _reachable(states: Any) -> list[int]:
    found = [0]
    seen = {0}
    for number in found:  # grows while it is read
        *_, segments, calls = states.look(number)
        for other in [*(to for _, _, targets in segments for to in targets), *(state for call in calls for state in call)]:
            if other not in seen:
                seen.add(other)
                found.append(other)
    return found


def steps(constraint: grammask.Constraint, documents: Sequence[str]) -> dict[str, Any]:
    """Over texts cut into tokens: configurations, callers asked, and trie nodes of exits looked at, by step."""
    from grammask.kernel.matcher import work_of

    rows: list[tuple[int, int, int]] = []
    for text in documents:
        matcher = constraint.matcher()
        for token_id in _encoded(constraint.vocabulary, text):
            rows.append(work_of(matcher))
            matcher.advance(token_id)
    columns = dict(zip(("configurations", "callers", "exit_nodes"), zip(*rows or [(0, 0, 0)], strict=True), strict=True))
    return {"steps": len(rows)} | {name: {"mean": fmean(column), "most": max(column), **_percentiles(column)} for name, column in columns.items()}


def _encoded(vocabulary: grammask.Vocabulary, text: str) -> list[int]:
    return list(vocabulary.encode(text)) if vocabulary.encode is not None else bindings_of(vocabulary).speller.longest_first(text.encode())


def _percentiles(column: Sequence[int]) -> dict[str, float]:
    return {f"p{part:g}": float(np.percentile(column, part)) for part in (50, 99)}


def show(figures: dict[str, Any], size: int) -> None:
    """The figures as two tables."""
    print(f"{'under any JSON, ' + format(size, ',') + ' tokens':32}{'always':>10}{'by stack':>10}")
    for place, row in figures["places"].items():
        print(f"{place:32}{row.get('always', ''):>10}{row['depends']:>10}")
    states = figures["rule_states"]
    print(f"\n{'rule state':32}{'stay':>10}{'leave':>10}{'exit nodes':>12}")
    for name, row in (("string body", states["string_body"]), ("the most that leave", states["most"])):
        print(f"{name:32}{row['stay']:>10}{row['leave']:>10}{row['exit_nodes']:>12}")
    print(f"{'any of ' + str(states['states']):32}{'':>10}{states['tokens_that_leave_some_rule']:>10}")
    print(f"\n{'a step, over ' + format(figures['steps']['steps'], ',') + ' of them':32}{'mean':>10}{'p50':>10}{'p99':>10}{'most':>10}")
    for name in ("configurations", "callers", "exit_nodes"):
        row = figures["steps"][name]
        print(f"{name.replace('_', ' '):32}{row['mean']:>10.2f}{row['p50']:>10.0f}{row['p99']:>10.0f}{row['most']:>10}")


if __name__ == "__main__":
    sys.exit(main())
