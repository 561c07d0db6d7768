"""Draws a run: how long a token takes, and the ratio to the other engine by family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grammask.tools.bench.rows import Result

__all__ = ["draw"]


def draw(path: Path, results: Sequence[Result], table: Mapping[str, Mapping[str, Any]], engines: Sequence[str], title: str) -> None:
    """Write a PNG with two panels: the share of tokens served within a time, and mean-time ratios for each row of the table."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 5), layout="constrained")
    shared = [result for result in results if all("ttfm_ns" in result.runs[engine] for engine in engines)]
    for engine in engines:
        times = sorted(ns / 1e3 for result in shared for ns in result.runs[engine]["tbm_ns"])
        left.plot(times, [(place + 1) / len(times) for place in range(len(times))], label=engine)
    left.set(xscale="log", xlabel="mask + advance, microseconds", ylabel="share of tokens within that time", title=title)
    left.grid(alpha=0.3, which="both")
    left.legend()
    other = engines[-1]
    rows = [(name, row["ratios"].get(other, {}).get("token_avg_us")) for name, row in table.items()] if len(engines) > 1 else []
    rows = [(f"{name} ({table[name]['compiled_by_all']})", ratio) for name, ratio in rows if ratio is not None][::-1]
    right.barh([name for name, _ in rows], [ratio for _, ratio in rows])
    right.axvline(1, color="black", linewidth=0.8)
    right.set(xlabel=f"mean time per token, {engines[0]} / {other}", title="less is faster; schemas that both compile in brackets")
    figure.savefig(path, dpi=110)
    plt.close(figure)
