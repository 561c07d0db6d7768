"""Raw results of a MaskBench run, and the figures drawn from them.

Rule: every figure names the set it is over. Verdicts are counted over all schemas of a row, times over those that every engine compiled.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["PERCENTILES", "Result", "constrains_text", "family", "figures", "tabulate"]

PERCENTILES = (0.5, 0.9, 0.99, 0.999)
TEXT_KEYWORDS = ("pattern", "format", "minLength", "maxLength")


@dataclass(frozen=True, slots=True)
class Result:
    """One schema: its name, whether it constrains strings, and for each engine what the benchmark script wrote."""

    name: str
    constrains_text: bool
    runs: Mapping[str, Mapping[str, Any]]


def family(name: str) -> str:
    """The collection a schema comes from: the part of its name before the first separator ("Github_easy---o1" -> "Github")."""
    return re.split(r"_|---", name, maxsplit=1)[0]


def constrains_text(schema: object) -> bool:
    """Whether a schema says anything about the inside of strings, at any depth."""
    if isinstance(schema, dict):
        return any((key in TEXT_KEYWORDS and not isinstance(value, dict)) or constrains_text(value) for key, value in schema.items())
    return isinstance(schema, list) and any(map(constrains_text, schema))


def tabulate(results: Sequence[Result], engines: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Figures for all schemas, for those with and without constraints on strings, and for each family, largest first."""
    groups: dict[str, list[Result]] = {
        "all": list(results),
        "strings under pattern, format or length": [result for result in results if result.constrains_text],
        "other schemas": [result for result in results if not result.constrains_text],
    }
    for name, _ in Counter(family(result.name) for result in results).most_common():
        groups[name] = [result for result in results if family(result.name) == name]
    return {name: figures(group, engines) for name, group in groups.items() if group}


def figures(results: Sequence[Result], engines: Sequence[str]) -> dict[str, Any]:
    """Verdicts and times of each engine over `results`, and the ratios of the first engine's times to each other engine's."""
    shared = [result for result in results if all("ttfm_ns" in result.runs[engine] for engine in engines)]
    row: dict[str, Any] = {"schemas": len(results), "compiled_by_all": len(shared)}
    for engine in engines:
        runs = [result.runs[engine] for result in results]
        row[engine] = _verdicts(runs) | _memory(runs) | _times(result.runs[engine] for result in shared)
    first = row[engines[0]]
    row["ratios"] = {other: {key: first[key] / row[other][key] for key in first if key.endswith("_us") and row[other].get(key)} for other in engines[1:]}
    return row


def _verdicts(runs: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    counts = dict.fromkeys(("passing", "refused", "wrongly_rejects", "wrongly_accepts", "crashed", "timeout"), 0)
    for run in runs:
        tests = run.get("tests", [])
        for failure in ("refused", "crashed", "timeout"):
            counts[failure] += failure in run
        counts["wrongly_rejects"] += any(valid and not accepted for valid, accepted in tests)
        counts["wrongly_accepts"] += any(accepted and not valid for valid, accepted in tests)
        counts["passing"] += "ttfm_ns" in run and all(valid == accepted for valid, accepted in tests)
    return counts


def _memory(runs: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """The most memory that the engine's process held at the end of one of these, in MiB: schema after schema goes through one process."""
    peaks = [run["rss_kib"] / 1024 for run in runs if "rss_kib" in run]
    return {"peak_rss_mib": max(peaks)} if peaks else {}


def _times(runs: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    kept = list(runs)
    times = _summary("first_mask", sorted(run["ttfm_ns"] / 1e3 for run in kept))
    return times | _summary("token", sorted(ns / 1e3 for run in kept for ns in run["tbm_ns"]))


def _summary(label: str, ordered: Sequence[float]) -> dict[str, float]:
    if not ordered:
        return {}
    summary = {f"{label}_avg_us": sum(ordered) / len(ordered), f"{label}_max_us": ordered[-1]}
    for part in PERCENTILES:
        summary[f"{label}_p{100 * part:g}_us"] = ordered[min(len(ordered) - 1, int(part * len(ordered)))]
    return summary
