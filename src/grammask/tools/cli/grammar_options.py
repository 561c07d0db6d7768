"""The options that name a grammar, the same for all subcommands, and what they stand for."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand

import grammask
from grammask.tools.cli.grammar_kinds import KIND_NAMES, KINDS, GrammarKind, is_kind, kind_of
from grammask.tools.cli.outcome import Refusal

if TYPE_CHECKING:
    from grammask.grammar.grammar import Grammar

__all__ = [
    "ChoiceOption", "GrammarOption", "KindOption", "RegexOption", "SchemaOption", "SeveralChoices", "TypeOption", "UnsupportedOption",
    "in_unicode", "read_grammar", "read_of_any_kind", "read_text", "read_text_as",
]  # fmt: skip

PANEL = "Grammar (give exactly one)"
SchemaOption = Annotated[
    str | None, typer.Option("--schema", metavar="FILE", rich_help_panel=PANEL, help="A JSON Schema: a file, - for standard input, or the JSON itself.")
]
GrammarOption = Annotated[
    str | None,
    typer.Option("--grammar", metavar="FILE", rich_help_panel=PANEL, help="A grammar of any kind (GBNF, Lark, ...): a file, or - for stdin."),
]
KindOption = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help=f"What the file holds, where its name and text do not tell: {', '.join(KIND_NAMES)}; a variant follows a colon: regex:rust, lark:dynamic.",
    ),
]
RegexOption = Annotated[str | None, typer.Option("--regex", metavar="PATTERN", rich_help_panel=PANEL, help="A regular expression, in Python's dialect.")]
ChoiceOption = Annotated[
    list[str] | None, typer.Option("--choice", metavar="TEXT", rich_help_panel=PANEL, help="One of these texts: --choice yes no, or --choice yes --choice no.")
]
TypeOption = Annotated[
    str | None,
    typer.Option("--type", metavar="MODULE:NAME", rich_help_panel=PANEL, help="A Python type: a pydantic model, dataclass, TypedDict, Enum, Literal, ..."),
]

UnsupportedOption = Annotated[
    Literal["refuse", "report"],
    typer.Option("--unsupported", help="What becomes of keywords of a schema that cannot be enforced: an error, or left out and reported as relaxed."),
]

OrderOption = Annotated[
    Literal["schema", "any"],
    typer.Option("--property-order", help="Members of objects in the order of the schema, or in any order."),
]


class SeveralChoices(TyperCommand):
    """A command in which `--choice` may be followed by several texts.

    The texts run to the next option. Where an argument of the command is still to come, `--choice` takes one text, as usual.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Write `--choice A B` as `--choice A --choice B`, then parse."""
        return super().parse_args(ctx, self._spread(args))

    def _spread(self, args: list[str]) -> list[str]:
        valued = {name for option in self.params for name in option.opts if name.startswith("-") and not getattr(option, "is_flag", False)}
        waiting = sum(parameter.param_type_name == "argument" and parameter.required for parameter in self.params)
        spread: list[str] = []
        previous = ""
        choosing = False
        for place, word in enumerate(args):
            if word == "--":
                return spread + args[place:]
            option = word.startswith("-") and word != "-" and previous not in valued
            value = previous in valued
            if option:
                choosing = word == "--choice" and waiting <= 0
            elif not value and choosing:
                spread.append("--choice")
            elif not value:
                waiting -= 1
            spread.append(word)
            previous = word if option else ""
        return spread


def read_grammar(
    schema: str | None,
    regex: str | None,
    choice: list[str] | None,
    type_name: str | None,
    grammar: str | None,
    kind: str | None,
    options: grammask.JsonSchemaOptions,
) -> Grammar:
    """The grammar that exactly one of the command line's options names; options: of schemas and types.

    Raises the front ends' errors, Refusal for what cannot be read, BadParameter otherwise.
    """
    options_given = (("--schema", schema), ("--regex", regex), ("--choice", choice), ("--type", type_name), ("--grammar", grammar))
    given = [name for name, value in options_given if value not in (None, [])]
    if len(given) != 1:
        found = f"not {' and '.join(given)} together" if given else "none was given"
        raise typer.BadParameter(f"exactly one of --schema, --regex, --choice, --type and --grammar is needed, {found}")
    if grammar is not None:
        found_kind, text = read_of_any_kind(grammar, kind)
        return read_text_as(found_kind, text, options)
    if schema is not None:
        return grammask.json_schema(read_schema(schema), options)
    if regex is not None:
        if kind is not None and not (is_kind(kind) and kind.startswith("regex")):
            raise typer.BadParameter(f"--kind {kind} with --regex: it takes regex:python, regex:ecma or regex:rust there")
        return kind_of("", "", kind or "regex").read(in_unicode(regex, "--regex"))
    if choice:
        return grammask.choice([in_unicode(text, "--choice") for text in choice])
    return grammask.json_schema(_import(in_unicode(str(type_name), "--type")), options)


def read_of_any_kind(place: str, kind: str | None) -> tuple[GrammarKind, str]:
    """What a file or standard input holds, or JSON written out: its kind and its text. Raises Refusal, and BadParameter for a kind that there is not."""
    if kind is not None and not is_kind(kind):
        hint = ", ".join([name + f"[:{'|'.join(one.variants)}]" * bool(one.variants) for one in KINDS for name in (one.name,)])
        raise typer.BadParameter(f"there is no kind {kind!r}; --kind takes one of {hint}")
    if not place.strip():
        raise Refusal("the grammar is empty: give a file, or - for standard input")
    text = in_unicode(place, "the grammar") if _is_inline(place) else read_text(place, "grammar")
    return kind_of("standard input" if place == "-" else place, text, kind), text


def read_text_as(kind: GrammarKind, text: str, options: grammask.JsonSchemaOptions) -> Grammar:
    """The grammar of a text of that kind; options: if it is a schema."""
    return kind.read(text, options) if kind.name == "json_schema" else kind.read(text)


def read_schema(place: str) -> str:
    """JSON text of a schema: `place` itself if it reads like JSON, else what the file holds."""
    if not place.strip():
        raise Refusal("the schema is empty: give a file, - for standard input, or the JSON itself")
    return in_unicode(place, "the schema") if _is_inline(place) else read_text(place, "schema")


def _is_inline(place: str) -> bool:
    """Whether this is JSON itself. What begins like an array or a string may be the name of a file too, such as [id].json."""
    return place in {"true", "false", "null"} or place.lstrip()[0] == "{" or (place.lstrip()[0] in '["' and not os.path.isfile(place))  # noqa: PTH113 - never raises


def in_unicode(text: str, what: str) -> str:
    """`text`, if it was UTF-8 when it came: Python takes in other bytes as surrogates. Raises Refusal, which names the first such byte."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Refusal(f"{what} is not UTF-8 text (byte {len(text[: error.start].encode())})") from error
    return text


def read_text(place: str, what: str) -> str:
    """The text of a file in UTF-8, of standard input for `-`. Raises Refusal."""
    try:
        return in_unicode(sys.stdin.read(), f"the {what}") if place == "-" else Path(place).read_text(encoding="utf-8-sig")
    except IsADirectoryError as error:
        raise Refusal(f"cannot read the {what} {place}: it is a folder, give a file") from error
    except OSError as error:
        raise Refusal(f"cannot read the {what} {place}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise Refusal(f"cannot read the {what} {place}: it is not UTF-8 text (byte {error.start})") from error


def _import(name: str) -> object:
    module_name, colon, attribute = name.partition(":")
    if not (module_name and colon and attribute):
        raise typer.BadParameter(f"--type takes MODULE:NAME, for example shop.orders:Order, not {name!r}")
    sys.path.insert(0, str(Path.cwd()))  # a type of the project one stands in
    try:
        found: object = importlib.import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except AttributeError as error:
        raise Refusal(f"module {module_name} has no {attribute}: --type takes MODULE:NAME") from error
    except Exception as error:  # the module is the user's: whatever its import raises is told as the reason
        raise Refusal(f"cannot import {module_name} for --type: {type(error).__name__}: {error}") from error
    return _type_or_schema(found, name)


def _type_or_schema(found: object, name: str) -> object:
    from grammask.frontends.python_types import is_function, is_type

    if isinstance(found, dict | bool) or (is_type(found) and not is_function(found)):
        return found
    raise Refusal(f"--type {name}: an object of type {type(found).__name__} is neither a type nor a schema")
