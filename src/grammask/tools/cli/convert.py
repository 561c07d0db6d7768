"""`grammask convert`: a grammar in another notation."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

import grammask
from grammask.tools.cli.grammar_options import KindOption, OrderOption, UnsupportedOption, read_of_any_kind, read_text_as

__all__ = ["convert"]


def convert(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A grammar of any kind: a file, - for standard input, or a JSON Schema written out.")],
    to: Annotated[Literal["gbnf", "lark"], typer.Option("--to", help="The notation to write.")],
    kind: KindOption = None,
    unsupported: UnsupportedOption = "refuse",
    property_order: OrderOption = "schema",
) -> None:
    """Write a grammar in another notation: the same texts, or an error that names what that notation cannot say."""
    options = grammask.JsonSchemaOptions(unsupported=unsupported, property_order=property_order)
    found, text = read_of_any_kind(file, kind)
    grammar = read_text_as(found, text, options)
    print(grammar.to_gbnf() if to == "gbnf" else grammar.to_lark(), end="")
