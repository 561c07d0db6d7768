"""Styles: how a family of models writes tool calls and reasoning, read from data files.

Rule: a style is data and nothing else; neither the grammar nor the reading of finished outputs asks for a style by name.
The files are in `styles/`, one a style, and name the documents they were written from.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar
from typing import Literal as OneOf

from grammask.errors import GrammarError
from grammask.frontends.structural_tag import Encoding

__all__ = ["CallLayout", "Preamble", "Reasoning", "Style", "TextLayout", "pieces", "read_style", "style_names"]

Made = TypeVar("Made")
PLACEHOLDER = re.compile(r"(\{name\}|\{number\})")


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What a model thinks before it answers: `begin`, any text, `end`, and one of `gap` before what follows. many: several in a row."""

    begin: str
    end: str
    gap: tuple[str, ...] = ("",)
    many: bool = False


@dataclass(frozen=True, slots=True)
class TextLayout:
    """What a model says to its user: `begin`, any text, `end`.

    with_calls: where it may stand in an output with calls: "before" them, "around" them and between, or "never".
    first: a set in brackets that its first character is of, where that tells it from a call.
    """

    begin: str = ""
    end: str = ""
    with_calls: OneOf["before", "around", "never"] = "around"
    first: str = ""


@dataclass(frozen=True, slots=True)
class Preamble:
    """What a model may say before its calls, where that has marks of its own."""

    begin: str
    end: str


@dataclass(frozen=True, slots=True)
class CallLayout:
    """Calls one after another: one of `begin`, the calls with `separator` between them, `end`.

    call: what may stand before the arguments of a call, any one of these; {name} is the tool's name, {number} any number.
    call_end: what stands after them.  trigger: the beginning of it all after which there is no way back to text.
    many: whether there may be several calls.
    """

    trigger: str
    call: tuple[str, ...]
    call_end: str = ""
    begin: tuple[str, ...] = ("",)
    end: str = ""
    separator: str = ""
    many: bool = True


@dataclass(frozen=True, slots=True)
class Style:
    """One style.

    title, models, sources: for people. special_tokens: markers that are special tokens in these models' vocabularies; end_tokens: what ends a turn.
    arguments: how arguments are written, or None for one JSON object.
    """

    name: str
    title: str
    models: tuple[str, ...]
    sources: tuple[str, ...]
    calls: tuple[CallLayout, ...]
    special_tokens: tuple[str, ...] = ()
    end_tokens: tuple[str, ...] = ()
    text: TextLayout = field(default_factory=TextLayout)
    reasoning: Reasoning | None = None
    preamble: Preamble | None = None
    arguments: Encoding | None = None

    @classmethod
    def of(cls, name: str, table: Mapping[str, Any]) -> Style:
        """From the tables of a data file. Raises GrammarError, which says what is wrong in it."""
        try:
            parts: dict[str, Any] = dict(table)
            parts["calls"] = tuple(_made(CallLayout, call, "calls") for call in table.get("calls", ()))
            for key, kind in (("text", TextLayout), ("reasoning", Reasoning), ("preamble", Preamble)):
                if key in table:
                    parts[key] = _made(kind, table[key], key)
            if "arguments" in table:
                parts["arguments"] = Encoding.of(table["arguments"])
            style = _made(cls, {"name": name, **parts}, "the style")
        except (TypeError, ValueError) as error:
            raise GrammarError(f"the style {name!r} cannot be used: {error}") from None
        _check(style)
        return style


def _made(kind: type[Made], table: Mapping[str, Any], place: str) -> Made:
    """An instance of a dataclass from a table, lists as tuples. Raises ValueError for keys that are missing or unknown."""
    known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]  # only dataclasses are asked for
    unknown = [key for key in table if key not in known]
    missing = [name for name, one in known.items() if name not in table and one.default is MISSING and one.default_factory is MISSING]
    if unknown or missing:
        raise ValueError(f"{place}: " + (f"unknown key {unknown[0]!r}" if unknown else f"{missing[0]!r} is missing"))
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})


def _check(style: Style) -> None:
    if not style.calls:
        raise GrammarError(f"the style {style.name!r} has no calls")
    for layout in style.calls:
        for form in layout.call:
            if form.count("{name}") != 1:
                raise GrammarError(f"the style {style.name!r}: {form!r} must hold {{name}} once")
            for begin in layout.begin:
                if not layout.trigger or not pieces(begin + form)[0].startswith(layout.trigger):
                    raise GrammarError(f"the style {style.name!r}: calls must begin with their trigger, {layout.trigger!r}")


def pieces(template: str) -> list[str]:
    """A template cut at its placeholders, which are pieces too.

    >>> pieces("functions.{name}:{number}<args>")
    ['functions.', '{name}', ':', '{number}', '<args>']
    """
    return [piece for piece in PLACEHOLDER.split(template) if piece]


@lru_cache(maxsize=1)
def style_names() -> tuple[str, ...]:
    """The names of the styles that come with the package, in order."""
    names = [entry.name.removesuffix(".toml") for entry in files("grammask.frontends.tools").joinpath("styles").iterdir() if entry.name.endswith(".toml")]
    return tuple(sorted(names))


def read_style(style: str | os.PathLike[str] | Style) -> Style:
    """A style by the name of one that comes with the package, or from a TOML file (a `pathlib.Path`), or itself.

    Raises GrammarError for an unknown name (with those that are close) and for a file that is no style.
    """
    if isinstance(style, Style):
        return style
    if isinstance(style, str):
        return _packaged(style)
    if not isinstance(style, os.PathLike):
        raise GrammarError(f"a style is a name, the path of a TOML file or a Style, got {type(style).__name__}")
    path = Path(style)
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise GrammarError(f"cannot read a style from {path}: {error}") from None
    return Style.of(path.stem, table)


@lru_cache(maxsize=64)
def _packaged(name: str) -> Style:
    if name not in style_names():
        close = get_close_matches(name.lower().replace("-", "_").replace(".", "_"), style_names(), 3)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(style_names())}"
        raise GrammarError(f"there is no style {name!r}; {hint}")
    return Style.of(name, tomllib.loads(files("grammask.frontends.tools").joinpath("styles", f"{name}.toml").read_text("utf-8")))
