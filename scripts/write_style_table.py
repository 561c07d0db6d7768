"""Writes the tables of tool styles into docs/reference/tool-styles.md, from the styles' data files.

Run from the root of the repository after a change to a file in src/grammask/frontends/tools/styles: python scripts/write_style_table.py
A test compares the page with the files.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from grammask.frontends.tools import Style, read_style, tool_styles  # noqa: E402 (the path is set above)

TARGET = ROOT / "docs/reference/tool-styles.md"
BEGIN, END = "<!-- styles begin -->\n", "<!-- styles end -->\n"
TEXT = {"before": "before the calls", "around": "around the calls", "never": "instead of calls"}


def code(text: str) -> str:
    """A text as code inside a table, line breaks as they are written in a string."""
    shown = text.replace("\n", "\\n").replace("|", "\\|")
    return f"``{shown}``" if "`" in shown else f"`{shown}`"


def call_of(style: Style) -> str:
    """One call as the style writes it, arguments as dots."""
    layout = style.calls[0]
    return layout.begin[0] + layout.call[0] + "…" + layout.call_end + layout.end


def row(name: str) -> str:
    style = read_style(name)
    several = "yes" if any(layout.many for layout in style.calls) else "no"
    reasoning = code(style.reasoning.begin + "…" + style.reasoning.end) if style.reasoning else ""
    return f"| `{name}` | {', '.join(style.models)} | {code(call_of(style))} | {several} | {TEXT[style.text.with_calls]} | {reasoning} |"


def tables() -> str:
    """What stands between the marks on the page."""
    names = tool_styles()
    lines = ["| style | models | a call | several | text | reasoning |", "|---|---|---|---|---|---|", *map(row, names), "", "Sources:", ""]
    lines += [f"- `{name}`: {'; '.join(read_style(name).sources)}." for name in names]
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """The page with its tables made anew."""
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + tables() + END + rest.partition(END)[2]


if __name__ == "__main__":
    TARGET.write_text(page(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
