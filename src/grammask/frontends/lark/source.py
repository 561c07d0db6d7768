"""What the user gives as a Lark grammar: a text, or the path of a file."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from grammask.errors import GrammarError, GrammarSyntaxError, GrammarTypeError, LimitError
from grammask.frontends.lark.options import LarkOptions

__all__ = ["Source", "source_of"]

_DEFAULTS = LarkOptions()


class Source(NamedTuple):
    """A text with its options; those of a file name it as the place that imports are relative to."""

    text: str
    options: LarkOptions


def source_of(given: object, options: LarkOptions | None) -> Source:
    """The text. Raises GrammarTypeError, GrammarError for a file that cannot be read, GrammarSyntaxError for half a character, LimitError."""
    options = options or _DEFAULTS
    if isinstance(given, os.PathLike):
        options = replace(options, source_path=options.source_path or os.fspath(given))
    text = given if isinstance(given, str) else _read(given)
    if len(text) > options.maximum_length:
        raise LimitError("the length of the grammar", len(text), options.maximum_length)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise GrammarSyntaxError("a lone surrogate is no character", text, (error.start, error.end)) from None
    return Source(text, options)


def _read(given: object) -> str:
    if not isinstance(given, os.PathLike):
        raise GrammarTypeError(type(given).__name__, "lark takes a text, or the path of a file: lark(pathlib.Path('grammar.lark'))")
    try:
        return Path(given).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise GrammarError(f"cannot read {os.fspath(given)}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise GrammarError(f"cannot read {os.fspath(given)}: it is not UTF-8 text (byte {error.start})") from error
