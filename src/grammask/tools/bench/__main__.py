"""`python -m grammask.tools.bench`: run MaskBench, show the figures, keep them with a plot in benchmarks/record/."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path
from typing import Any

from grammask.tools.bench.plot import draw
from grammask.tools.bench.record import circumstances, write_record
from grammask.tools.bench.rows import Result, tabulate
from grammask.tools.bench.runner import BenchmarkFailed, read_results, run_script

SHARED = Path("..") / "shared"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 3: the script, its data or an engine is missing or fails."""
    options = _parser().parse_args(arguments)
    for path in (options.script, options.data):
        if not path.exists():
            print(f"grammask bench: {path} is not there; name it with --script and --data", file=sys.stderr)
            return 3
    engines = options.engines.split(",")
    try:
        results = _measure(options)
    except BenchmarkFailed as error:
        print(f"grammask bench: {error}", file=sys.stderr)
        return 3
    table = tabulate(results, engines)
    show(table, engines)
    about = circumstances(engines, {"engines": engines, "limit": options.limit, "seed": options.seed, "repeat": options.repeat})
    name = f"maskbench-{about['date']}-{len(results)}{'-warm' if options.repeat else ''}"
    record = write_record(options.record, name, {**about, "rows": table})
    picture = record.with_suffix(".png")
    draw(picture, results, table, engines, f"MaskBench, {len(results)} schemas, {about['date']}")
    print(f"{record}\n{picture}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grammask.tools.bench", description="MaskBench, several engines side by side in one run.")
    parser.add_argument("--engines", default="grammask,llguidance", help="the first is compared with each of the others (default: %(default)s)")
    parser.add_argument("--limit", type=int, default=500, help="schemas, drawn at random (0: all; default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeat", type=int, choices=(0, 1), default=0, help="1: time the second pass over each schema")
    parser.add_argument("--script", type=Path, default=SHARED / "bench" / "maskbench.py")
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "maskbench.jsonl.xz")
    parser.add_argument("--record", type=Path, default=Path("benchmarks") / "record", help="folder for the figures and the plot")
    return parser


def _measure(options: argparse.Namespace) -> list[Result]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    passed = [f"--{name}={getattr(options, name)}" for name in ("engines", "limit", "seed", "repeat", "data")]
    with tempfile.TemporaryDirectory() as folder, Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        output = Path(folder) / "results.jsonl"
        task = progress.add_task("schemas", total=options.limit or None)
        run_script(options.script, passed, output, lambda done: progress.update(task, completed=done))
        return read_results(output, options.data)


def show(table: Mapping[str, Mapping[str, Any]], engines: Sequence[str]) -> None:
    """Print verdicts of all engines over all schemas, then times of the first and their ratios to the others' over those that all compile."""
    first, others = engines[0], engines[1:]
    verdicts = [[str(row["schemas"]), *(str(row[engine][key]) for engine in engines for key in _VERDICTS.values())] for row in table.values()]
    _print("Schemas", table, ["n", *(f"{engine}\n{name}" for engine in engines for name in _VERDICTS)], verdicts)
    times = [[str(row["compiled_by_all"]), *(f"{row[first].get(key, nan):,.1f}" for key in _TIMES.values())] for row in table.values()]
    _print(f"Microseconds of {first}, over the schemas that all compile", table, ["n", *_TIMES], times)
    for other in others:
        ratios = [[str(row["compiled_by_all"]), *(f"{row['ratios'][other].get(key, nan):.2f}" for key in _TIMES.values())] for row in table.values()]
        _print(f"{first} / {other}, over the schemas that all compile", table, ["n", *_TIMES], ratios)
    memory = {engine: table["all"][engine].get("peak_rss_mib") for engine in engines} if "all" in table else {}
    for engine, peak in memory.items():
        if peak is not None:
            print(f"{engine}: at most {peak:,.0f} MiB of memory, all schemas in one process")


def _print(title: str, table: Mapping[str, object], headings: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table

    view = Table(title=title, title_justify="left", box=None)
    view.add_column("", no_wrap=True)
    for heading in headings:
        view.add_column(heading, justify="right", vertical="bottom", no_wrap=True)
    for name, row in zip(table, cells, strict=True):
        view.add_row(name, *row)
    Console(width=max(150, Console().width)).print(view)


_VERDICTS = {"pass": "passing", "refuse": "refused", "over": "wrongly_rejects", "under": "wrongly_accepts"}
_TIMES = {
    "token\nmean": "token_avg_us",
    "token\np50": "token_p50_us",
    "token\np99": "token_p99_us",
    "token\np99.9": "token_p99.9_us",
    "first mask\np50": "first_mask_p50_us",
    "first mask\np99": "first_mask_p99_us",
}


if __name__ == "__main__":
    sys.exit(main())
