"""The way into the Lark front end: a grammar's text as a grammar.

text -> extensions (what is not Lark's own) -> loading (Lark's loader) -> lalr (the parser's table) or the plain rules -> lexers and lexing
(lexemes with what they leave pending) -> product (rules times contexts) -> the small form.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from grammask.arguments import instance, or_none, takes
from grammask.arguments import text as text_kind
from grammask.frontends.lark.extensions import Extended, read_extensions
from grammask.frontends.lark.loading import load
from grammask.frontends.lark.names import Names
from grammask.frontends.lark.options import LarkOptions
from grammask.frontends.lark.reading import Reading
from grammask.frontends.lark.source import source_of
from grammask.grammar.grammar import Grammar, ReportEntry

__all__ = ["lark"]


@takes(start=text_kind, options=or_none(instance(LarkOptions)))
def lark(source: str | os.PathLike[str], start: str = "start", options: LarkOptions | None = None) -> Grammar:
    """The grammar of all texts that Lark's parser accepts.

    source: the text of a grammar as for `lark.Lark`, or the path of a file in UTF-8 (a `pathlib.Path`); with llguidance's additions
    (special tokens, `%json`, `[lazy]`, `&`, ...).  start: the rule to start with.
    options: above all which lexer splits texts into terminals; by default Lark's contextual one, with its LALR parser.
    Needs the package lark. Raises GrammarSyntaxError with line and column; UnsupportedFeatureError for what cannot be enforced, rules that
    are not LALR(1) included; NoExitError; EmptyLanguageError where lexing leaves no text; LimitError beyond `options`; GrammarTypeError
    for what is no text; GrammarError for a file that cannot be read; ImportError without the package lark.

    >>> lark('start: "hello" NAME\\nNAME: /[a-z]+/\\n%ignore " "').kind
    'lark'
    """
    given = source_of(source, options)
    extended = read_extensions(given.text)
    loaded = load(extended, start, given.options)
    expression = Reading(loaded, given.options).expression()
    key = None if loaded.reads_files else ("lark", given.text, start, given.options)
    return Grammar(expression, "lark", given.text, _report(extended, start, given.options), key=key)


def _report(extended: Extended, start: str, options: LarkOptions) -> Sequence[ReportEntry]:
    effect = "a text completes exactly if Lark's parser accepts it with this lexer"
    if not extended.is_plain:
        effect = "as Lark's parser would, with what Lark does not have itself as a terminal or rule beside its own"
    report = [ReportEntry(start, f"lexer={options.lexer!r}", "exact", effect), *extended.report]
    for definition in Names(extended.tokens).unreachable(start):
        line = extended.rewriting.source.count("\n", 0, definition.name.start) + 1
        report.append(ReportEntry(definition.name.text, "unreachable", "annotation", f"no text uses this definition of line {line}"))
    return tuple(report)
