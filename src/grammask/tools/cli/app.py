"""The command with its subcommands put together."""

from __future__ import annotations

from typing import Annotated

import typer

from grammask import __version__
from grammask.tools.cli.check import check
from grammask.tools.cli.convert import convert
from grammask.tools.cli.generate import generate
from grammask.tools.cli.grammar_options import SeveralChoices
from grammask.tools.cli.mask import mask
from grammask.tools.cli.outcome import Commands

__all__ = ["app"]

EXIT_CODES = (
    "Exit codes: 0 done; 1 the grammar, tokenizer or text is wrong or cannot be enforced; 2 wrong usage; "
    "3 a model, its engine or a package is missing or fails; 4 the output ended before it was complete; 130 interrupted."
)

app = typer.Typer(cls=Commands, epilog=EXIT_CODES, no_args_is_help=True, add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"grammask {__version__}")
        raise typer.Exit


@app.callback()
def grammask(_version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")] = False) -> None:
    """Make a language model's output obey a grammar."""


app.command(cls=SeveralChoices)(generate)
app.command(cls=SeveralChoices)(mask)
app.command(cls=SeveralChoices)(check)
app.command()(convert)
