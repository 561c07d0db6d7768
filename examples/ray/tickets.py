"""Sort tickets, one JSON object with a "text" a line, into a folder of answers, on this machine or on the cluster that RAY_ADDRESS names.

    python examples/ray/tickets.py tickets.jsonl answers

Stopped in between, the same command goes on where it was.
"""

import sys
from dataclasses import dataclass
from typing import Literal

import grammask


@dataclass
class Ticket:
    """What the model is to find in a ticket."""

    area: Literal["hardware", "network", "account", "other"]
    urgent: bool


def show(report: grammask.BatchReport) -> None:
    """A line for each part."""
    print(f"{report.rows_done} of {report.rows} rows, {report.errors} errors, {report.seconds:.0f} s", flush=True)


if __name__ == "__main__":
    source, target = sys.argv[1:]
    grammask.batch(
        source,
        target,
        Ticket,
        prompt=lambda row: f"Which area is this about, and is it urgent?\n\n{row['text']}",
        actors=2,
        rows_per_part=10,
        max_tokens=40,
        on_progress=show,
    )
