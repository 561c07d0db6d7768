"""Writes the tables of docs/reference/json-schema-support.md from a run of the official test suite.

Run from the root of the repository, with the suite in the shared data: python scripts/write_support_matrix.py
A test compares the page with a run.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.conformance.suite import FOLDERS, groups  # noqa: E402 (the path is set above)
from tests.conformance.test_suite import PARTS, gaps, verdicts  # noqa: E402 (likewise)

TARGET = ROOT / "docs/reference/json-schema-support.md"
BEGIN, END = "<!-- support begin -->\n", "<!-- support end -->\n"
TITLES = {"required": "Required tests", "optional": "Optional tests", "format": "Formats, asserted"}


def cell(counts: Counter[str]) -> str:
    """How many groups are exact, and what becomes of the others."""
    total = sum(counts.values())
    if counts["exact"] == total:
        return f"{total}" if total else ""
    others = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()) if kind != "exact")
    return f"**{counts['exact']} of {total}** ({others})"


def kind(said: str) -> str:
    """A verdict in a word or two."""
    head, _, rest = said.partition(": ")
    return f"refused: `{rest}`" if head == "refused" else {"rejects what is valid": "narrower", "accepts what is invalid": "wider"}.get(head, head)


def table(part: str) -> list[str]:
    """One row for each file of tests, which is called after a keyword or a format."""
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for draft in FOLDERS:
        for group in groups(draft, part):
            counts[group.file][draft][kind(verdicts(draft, part)[group.name])] += 1
    rows = [f"| `{file}` | " + " | ".join(cell(by_draft[draft]) for draft in FOLDERS) + " |" for file, by_draft in sorted(counts.items())]
    sums = [sum((by_draft[draft] for by_draft in counts.values()), Counter()) for draft in FOLDERS]
    last = "| all | " + " | ".join(f"{100 * each['exact'] / each.total():.1f} %" for each in sums) + " |"
    head = ["| tests of | " + " | ".join(FOLDERS) + " |", "|---|" + "---|" * len(FOLDERS)]
    return [f"## {TITLES[part]}", "", *head, *rows, last, ""]


def reasons() -> list[str]:
    """Every gap with its reason, those of all drafts together."""
    drafts: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for gap in gaps().values():
        draft, _, name = gap["group"].split("/", 2)
        drafts[name, kind(gap["verdict"]), gap["reason"]].append(draft)
    rows = [f"| {name.replace('|', '&#124;')} | {', '.join(which)} | {said} | {reason} |" for (name, said, reason), which in drafts.items()]
    return ["## What is not exact, and why", "", "| group | drafts | | reason |", "|---|---|---|---|", *rows, ""]


def page(text: str) -> str:
    """The page with its tables made anew."""
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + "\n".join([line for part in PARTS for line in table(part)] + reasons()) + END + rest.partition(END)[2]


if __name__ == "__main__":
    TARGET.write_text(page(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
