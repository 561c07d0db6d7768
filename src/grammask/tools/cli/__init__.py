"""The command `grammask`: one file per subcommand.

Rule: results go to standard output and nothing else does; notes and progress go to standard error, and only if that is a terminal;
an error is one readable line (a syntax error shows the spot below it). Exit codes: see `outcome.Exit`.
Needs the extra `cli` (typer and rich).
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process and exit."""
    try:
        from grammask.tools.cli.app import app
    except ImportError as error:
        optional = (error.name or "").partition(".")[0] in {"typer", "rich"}
        reason = "the command line needs the packages typer and rich: pip install 'grammask[cli]'" if optional else str(error)
        print(f"grammask: {reason}", file=sys.stderr)
        sys.exit(3)
    app()
