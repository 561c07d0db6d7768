"""`python -m grammask.tools.bench`: run MaskBench, show the figures, keep them with a plot in benchmarks/record/."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
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
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    passed = [f"--{name}={getattr(options, name)}" for name in ("engines", "limit", "seed", "repeat", "data")]
    from rich.console import Console

    with tempfile.TemporaryDirectory() as folder, Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        output = Path(folder) / "results.jsonl"
        task = progress.add_task("schemas", total=options.limit or None)
        run_script(options.script, passed, output, lambda done: progress.update(task, completed=done))
        return read_results(output, options.data)


def show(table: Mapping[str, Mapping[str, Any]], engines: Sequence[str]) -> None:
    """Print one line for each row of the table: verdicts, times and ratios."""
    from rich.console import Console
    from rich.table import Table

    first, others = engines[0], engines[1:]
    view = Table(title=f"microseconds for {first}; ratios {first} / other over schemas that all compile", title_justify="left")
    for heading in ("schemas", "n", "compiled by all"):
        view.add_column(heading, justify="left" if heading == "schemas" else "right")
    for engine in engines:
        view.add_column(f"{engine}: pass/refuse/over/under", justify="right")
    for heading in ("token avg", "p50", "p99", "p99.9", "first mask p50", *(f"ratio to {other}: avg p50 p99 p99.9 | first p50 p99" for other in others)):
        view.add_column(heading, justify="right")
    for name, row in table.items():
        verdicts = ["/".join(str(row[engine][key]) for key in ("passing", "refused", "wrongly_rejects", "wrongly_accepts")) for engine in engines]
        times = [f"{row[first].get(key, float('nan')):,.1f}" for key in ("token_avg_us", "token_p50_us", "token_p99_us", "token_p99.9_us", "first_mask_p50_us")]
        view.add_row(name, str(row["schemas"]), str(row["compiled_by_all"]), *verdicts, *times, *(_ratios(row["ratios"][other]) for other in others))
    Console(width=max(160, Console().width)).print(view)


def _ratios(ratios: Mapping[str, float]) -> str:
    token, first = ([f"{ratios.get(f'{what}_{key}_us', float('nan')):.2f}" for key in keys] for what, keys in _SHOWN)
    return f"{' '.join(token)} | {' '.join(first)}"


_SHOWN = (("token", ("avg", "p50", "p99", "p99.9")), ("first_mask", ("p50", "p99")))


if __name__ == "__main__":
    sys.exit(main())
