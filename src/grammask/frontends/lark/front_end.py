"""The way into the Lark front end: a grammar's text as a grammar.

text -> extensions (what is not Lark's own) -> loading (Lark's loader) -> lalr (the parser's table) or the plain rules -> lexers and lexing
(lexemes with what they leave pending) -> product (rules times contexts) -> the small form.
"""

from __future__ import annotations

from collections.abc import Sequence

from grammask.errors import GrammarSyntaxError, GrammarTypeError, LimitError
from grammask.frontends.lark.extensions import Extended, read_extensions
from grammask.frontends.lark.loading import load
from grammask.frontends.lark.options import LarkOptions
from grammask.frontends.lark.reading import Reading
from grammask.grammar.grammar import Grammar, ReportEntry

__all__ = ["lark"]

_DEFAULTS = LarkOptions()


def lark(text: str, start: str = "start", options: LarkOptions | None = None) -> Grammar:
    """The grammar of all texts that Lark's parser accepts for a grammar of its kind.

    text: as for `lark.Lark`, with llguidance's additions (special tokens, `%json`, `[lazy]`, `&`, ...).  start: the rule to start with.
    options: above all which lexer splits texts into terminals; the default is Lark's contextual one, with its LALR parser.
    Needs the package lark. Raises GrammarSyntaxError with the place; UnsupportedFeatureError for what cannot be enforced, rules that are
    not LALR(1) included; NoExitError and EmptyLanguageError; LimitError beyond `options`; GrammarTypeError for what is no text.
    """
    if not isinstance(text, str):
        raise GrammarTypeError(type(text).__name__, "a Lark grammar is given as its text: Path(...).read_text()")
    options = options or _DEFAULTS
    if len(text) > options.maximum_length:
        raise LimitError("the length of the grammar", len(text), options.maximum_length)
    _check_characters(text)
    extended = read_extensions(text)
    reading = Reading(load(extended, start, options), options)
    return Grammar(reading.expression(), "lark", text, _report(extended, options), key=("lark", text, start, options))


def _check_characters(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise GrammarSyntaxError("a lone surrogate is no character", text, (error.start, error.end)) from None


def _report(extended: Extended, options: LarkOptions) -> Sequence[ReportEntry]:
    effect = "a text completes exactly if Lark's parser accepts it with this lexer"
    if not extended.is_plain:
        effect = "as Lark's parser would, with what Lark does not have itself as a terminal or rule beside its own"
    return (ReportEntry("", f"lexer={options.lexer!r}", "exact", effect), *extended.report)
