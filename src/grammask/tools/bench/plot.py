"""Draws a run: how long a token takes, and the ratio to the other engine by family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grammask.tools.bench.rows import Result

__all__ = ["draw"]


def draw(path: Path, results: Sequence[Result], table: Mapping[str, Mapping[str, Any]], engines: Sequence[str], title: str) -> None:
    """Write a PNG with two panels: the share of tokens that take longer than a time, and ratios for each row of the table."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 6), layout="constrained")
    shared = [result for result in results if all("ttfm_ns" in result.runs[engine] for engine in engines)]
    for engine in engines:
        times = sorted(ns / 1e3 for result in shared for ns in result.runs[engine]["tbm_ns"])
        left.plot(times, [1 - place / len(times) for place in range(len(times))], label=engine)
    left.set(xscale="log", yscale="log", xlabel="mask + advance, microseconds", ylabel="share of tokens that take at least so long", title=title)
    left.grid(alpha=0.3)
    left.legend()
    if len(engines) > 1:
        _draw_ratios(right, table, engines)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _draw_ratios(axes: Any, table: Mapping[str, Mapping[str, Any]], engines: Sequence[str]) -> None:
    """Bars for the first engine's times as parts of the second's: mean, median, 99th percentile, one group for each row."""
    other = engines[1]
    rows = [(f"{name} ({row['compiled_by_all']})", row["ratios"][other]) for name, row in table.items() if row["ratios"][other]][::-1]
    for number, (label, key) in enumerate((("mean", "token_avg_us"), ("p50", "token_p50_us"), ("p99", "token_p99_us"))):
        places = [place + 0.27 * (1 - number) for place in range(len(rows))]
        axes.barh(places, [ratios.get(key, 0) for _, ratios in rows], height=0.25, label=label)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set(xlabel=f"time per token, {engines[0]} / {other}", title="less is faster; in brackets, schemas that both compile")
    axes.set_xlim(0, min(3, max([1.1, *(ratios.get("token_p99_us", 0) for _, ratios in rows)])))
    axes.legend()
