"""What a linter has to say of a Lark grammar: all that is wrong with its names, the first of its other faults, and what is likely not meant."""

from __future__ import annotations

import os
from collections.abc import Iterator

from grammask.errors import EmptyLanguageError, GrammarError, GrammarSyntaxError, LimitError, NoExitError, SchemaError, UnsupportedFeatureError
from grammask.frontends.lark.extensions import read_extensions
from grammask.frontends.lark.loading import load
from grammask.frontends.lark.names import Names
from grammask.frontends.lark.options import LarkOptions
from grammask.frontends.lark.reading import Reading
from grammask.frontends.lark.scan import is_terminal_name
from grammask.frontends.lark.source import Source, source_of
from grammask.grammar.findings import Finding, Severity, line_and_column

__all__ = ["lint"]

CODES: tuple[tuple[type[Exception], str], ...] = (
    (GrammarSyntaxError, "syntax"),
    (UnsupportedFeatureError, "unsupported"),
    (NoExitError, "no-exit"),
    (EmptyLanguageError, "empty"),
    (SchemaError, "schema"),
    (LimitError, "limit"),
)


def lint(source: str | os.PathLike[str], start: str = "start", options: LarkOptions | None = None) -> list[Finding]:
    """Everything that can be said of a Lark grammar, in the order of its text.

    Raises only what is no finding about the text: GrammarTypeError, LimitError for a text that is too long, GrammarError for a file that
    cannot be read, ImportError without the package lark.
    """
    given = source_of(source, options)
    try:
        extended = read_extensions(given.text)
    except (GrammarError, LimitError) as error:
        return [_of_error(error, given)]
    names = Names(extended.tokens)
    found = list(_of_names(names, given.text))
    try:
        reading = Reading(load(extended, start, given.options), given.options)
        reading.expression()
        found += _hints(reading, names, start, given.text)
    except (GrammarError, LimitError) as error:
        if not found or not isinstance(error, GrammarSyntaxError) or "defined" not in error.reason:
            found.append(_of_error(error, given))
    return sorted(dict.fromkeys(found), key=lambda finding: (finding.line or 0, finding.column or 0))


def _of_names(names: Names, text: str) -> Iterator[Finding]:
    for token in names.doubles():
        hint = "to change what was imported or defined before, use %override or %extend"
        yield _at(f"double-{_kind(token.text)}", "error", f"{_kind(token.text)} {token.text!r} is defined twice", text, token.start, hint)
    for token in names.undefined():
        kind = _kind(token.text)
        close = names.close_to(token.text)
        hint = f"did you mean {close!r}?" if close else "define it, or import it" if kind == "terminal" else "define it"
        yield _at(f"undefined-{kind}", "error", f"{kind} {token.text!r} is used but not defined", text, token.start, hint)


def _hints(reading: Reading, names: Names, start: str, text: str) -> Iterator[Finding]:
    for definition in names.unreachable(start):
        name = definition.name.text
        kind = _kind(name)
        message = f"no text uses this {kind}: neither {start!r} nor what is ignored leads to it"
        yield _at(f"unreachable-{kind}", "warning", message, text, definition.name.start, "use it or take it out", name)
    for label, span in reading.unmatched():
        message = f"no text is ever read as {label}: other terminals, which go first, take it away"
        yield _at("never-matched", "warning", message, text, span[0] if span else None, "give it a priority, or change the terminals that begin like it")
    for label, span, before in reading.overruled():
        message = f"where {label!r} could end before {before}, the parser goes on in it instead, as Lark does"
        yield _at("settled-conflict", "hint", message, text, span[0] if span else None, "nothing to do, if that is meant", label)


def _at(code: str, severity: Severity, message: str, text: str, start: int | None, hint: str, rule: str = "") -> Finding:
    line, column = (None, None) if start is None else line_and_column(text, start)
    return Finding(code, severity, message, line, column, hint, rule)


def _of_error(error: GrammarError | LimitError, given: Source) -> Finding:
    code = next((code for kind, code in CODES if isinstance(error, kind)), "error")
    if isinstance(error, GrammarSyntaxError):
        code = "no-root" if error.reason.startswith("there is no rule") else code
        return Finding(code, "error", error.reason, error.line, error.column, error.hint)
    span = getattr(error, "span", None)
    if isinstance(error, NoExitError):
        message = "every alternative of this rule leads back into it, so it can never be completed"
        return _at(code, "error", message, given.text, span[0] if span else None, error.hint, error.rule)
    message = f"{error.feature} is not supported: {error.reason}" if isinstance(error, UnsupportedFeatureError) else str(error).partition("\n")[0]
    return _at(code, "error", message, given.text, span[0] if span else None, getattr(error, "hint", ""))


def _kind(name: str) -> str:
    return "terminal" if is_terminal_name(name) else "rule"
