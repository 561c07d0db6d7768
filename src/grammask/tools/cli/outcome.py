"""How a command ends: exit codes, and errors as one readable line."""

from __future__ import annotations

import os
import sys
import warnings
from enum import IntEnum
from typing import Any

import typer
from typer.core import TyperGroup

from grammask.errors import EngineError, GrammarStuck, GrammaskError, ModelError, PromptError

__all__ = ["Commands", "Exit", "Refusal"]

# Typer carries click within itself from some release on: the class is reached in a way that holds for both.
UsageError = typer.BadParameter.__mro__[1]


class Exit(IntEnum):
    """Exit codes, the same for all subcommands."""

    OK = 0
    INPUT = 1  # the grammar, tokenizer or text given is wrong, or cannot be enforced
    USAGE = 2  # the command line itself is wrong
    ENGINE = 3  # a model, its engine or a package is missing or fails
    INCOMPLETE = 4  # the output ended before it was complete
    INTERNAL = 70  # a fault in grammask
    INTERRUPTED = 130


class Refusal(Exception):
    """An input of the command line that cannot be used, where the library has no error for it: an unreadable file, a name that imports nothing."""


class Commands(TyperGroup):
    """The group of subcommands. Turns every exception into one line on standard error and an exit code."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Parse, run, exit. Never returns normally and never shows a traceback, unless GRAMMASK_TRACEBACK is set."""
        kwargs["standalone_mode"] = False
        warnings.showwarning = lambda message, *_, **__: print(f"grammask: warning: {message}", file=sys.stderr)
        try:
            code = super().main(*args, **kwargs)
        except Exception as error:  # the outermost frame: whatever it is becomes a line and a code
            if os.environ.get("GRAMMASK_TRACEBACK"):
                raise
            code = _tell(error)
        sys.exit(code if isinstance(code, int) else Exit.OK)


def _tell(error: Exception) -> Exit:
    code, text = _outcome(error)
    if text:
        print(f"grammask: {text}", file=sys.stderr)
    return code


def _outcome(error: Exception) -> tuple[Exit, str]:
    match error:
        case PromptError():
            return Exit.INPUT, str(error)
        case ModelError() | EngineError():
            return Exit.ENGINE, str(error)
        case GrammarStuck():
            return Exit.INCOMPLETE, str(error)
        case GrammaskError() | Refusal():
            return Exit.INPUT, str(error)
        case typer.Abort():
            return Exit.INTERRUPTED, "interrupted"
        case BrokenPipeError():
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - so that the flush at exit has somewhere to go
            return Exit.OK, ""
        case UnicodeEncodeError() if error.encoding != "utf-8":  # ours are all in UTF-8
            reason = f"standard output takes {error.encoding} only, and this output holds {error.object[error.start]!a}"
            return Exit.INPUT, f"{reason}; PYTHONIOENCODING=utf-8 makes it UTF-8"
        case ImportError():
            return Exit.ENGINE, str(error)
        case _ if isinstance(error, UsageError):
            return Exit.USAGE, _usage(error)
    return Exit.INTERNAL, f"internal error, please report it ({type(error).__name__}: {error}); GRAMMASK_TRACEBACK=1 shows where"


def _usage(error: Any) -> str:
    context = error.ctx
    where = f"; see `{context.command_path} --help`" if context is not None else ""
    return f"{error.format_message().rstrip('.')}{where}"
