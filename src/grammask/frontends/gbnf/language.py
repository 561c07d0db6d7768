"""The two ways into the GBNF front end: a text as a grammar, and what a linter has to say of it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from grammask.arguments import instance, or_none, takes
from grammask.arguments import text as text_kind
from grammask.errors import GrammarError, GrammarSyntaxError, GrammarTypeError, NoExitError, UnsupportedFeatureError
from grammask.frontends.gbnf.options import GbnfOptions
from grammask.frontends.gbnf.parser import Parser, Span
from grammask.frontends.gbnf.rules import RuleBook
from grammask.grammar.expression import Expression, Rule
from grammask.grammar.findings import NULLABLE_LOOP, Finding, expression_findings, line_and_column
from grammask.grammar.grammar import Grammar, ReportEntry

__all__ = ["gbnf", "lint"]

_DEFAULTS = GbnfOptions()


@takes(root=text_kind, options=or_none(instance(GbnfOptions)))
def gbnf(source: str | os.PathLike[str], root: str = "root", options: GbnfOptions | None = None) -> Grammar:
    """The grammar that a text in GBNF, the notation of llama.cpp, stands for.

    source: the text, or the path of a file in UTF-8 (a `pathlib.Path`; a str is always the text itself).
    root: the rule to start with. Left recursion is fine. Rules that the start does not lead to are checked for syntax and reported.
    Raises GrammarSyntaxError with line and column (a name without a rule, a rule defined twice, what does not parse), NoExitError for a
    rule in use that can never be completed, UnsupportedFeatureError for `!<token>` that is to be exactly one token, LimitError for
    sizes beyond `options`, GrammarTypeError for what is no text, GrammarError for a file that cannot be read.

    >>> gbnf('root ::= greeting "!"\\ngreeting ::= "hello" | "hi"').kind
    'gbnf'
    """
    options = options or _DEFAULTS
    text = _text_of(source)
    parser = Parser(text, options)
    parser.parse()
    book = RuleBook(parser, root)
    for problem in book.problems(options.maximum_unrolled):
        raise problem
    report = [
        ReportEntry(definition.rule.place, "unreachable", "annotation", f"no text uses this rule of line {text.count(chr(10), 0, definition.span[0]) + 1}")
        for definition in book.unreachable()
    ]
    return Grammar(book.start, "gbnf", text, tuple(report), key=("gbnf", text, root, options))


def lint(source: str | os.PathLike[str], root: str = "root", options: GbnfOptions | None = None) -> list[Finding]:
    """Everything that can be said of a text in GBNF: all its errors, in the order of the text, and hints at what is ambiguous or dear.

    After a syntax error, reading goes on with the next line that begins a rule. Raises only what is no finding about the text:
    GrammarTypeError, LimitError for a text that is too long, GrammarError for a file that cannot be read.
    """
    options = options or _DEFAULTS
    parser = Parser(_text_of(source), options, recovers=True)
    parser.parse()
    book = RuleBook(parser, root)
    found = [_finding(problem, parser.source, "syntax") for problem in parser.problems]
    found += [Finding("limit", "error", str(problem), *line_and_column(parser.source, place)) for problem, place in parser.limits]
    is_whole = not found
    for code, check in (("double-rule", book.double), ("undefined-rule", book.undefined), ("no-root", book.missing_root)):
        found += [_finding(problem, parser.source, code) for problem in check() if is_whole or not _may_be_there(problem, parser.source, root)]
    if not found:
        found += [_finding(problem, parser.source, "no-exit") for problem in book.without_exit()]
        found += [Finding("limit", "error", str(problem)) for problem in book.too_long(options.maximum_unrolled)]
        found += _hints(parser, book)
    return sorted(dict.fromkeys(found), key=lambda finding: (finding.line or 0, finding.column or 0))


def _may_be_there(problem: GrammarSyntaxError, source: str, root: str) -> bool:
    """Whether a rule that seems to be missing may be among what could not be read: a line begins with its name and some sign of definition."""
    start, end = problem.span
    name = root if problem.reason.startswith("there is no rule") else source[start:end]
    return re.search(rf"(?m)^[ \t]*{re.escape(name)}[ \t]*[:=]", source) is not None and "defined before" not in problem.reason


def _text_of(source: object) -> str:
    if isinstance(source, str):
        return source
    if not isinstance(source, os.PathLike):
        raise GrammarTypeError(type(source).__name__, "gbnf takes a text, or the path of a file: gbnf(pathlib.Path('grammar.gbnf'))")
    try:
        return Path(source).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise GrammarError(f"cannot read {os.fspath(source)}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise GrammarError(f"cannot read {os.fspath(source)}: it is not UTF-8 text (byte {error.start})") from error


def _finding(problem: GrammarError, source: str, code: str) -> Finding:
    match problem:
        case GrammarSyntaxError():
            return Finding(code, "error", problem.reason, problem.line, problem.column, problem.hint)
        case UnsupportedFeatureError() if problem.span is not None:
            message = f"{problem.feature} is not supported: {problem.reason}"
            return Finding("unsupported", "error", message, *line_and_column(source, problem.span[0]), problem.hint)
        case NoExitError() if problem.span is not None:
            message = "every alternative of this rule leads back into it, so it can never be completed"
            return Finding(code, "error", message, *line_and_column(source, problem.span[0]), problem.hint, problem.rule)
    return Finding("empty", "error", str(problem))


def _hints(parser: Parser, book: RuleBook) -> list[Finding]:
    source = parser.source

    def at(code: str, message: str, span: Span, hint: str, rule: str = "") -> Finding:
        return Finding(code, "warning", message, *line_and_column(source, span[0]), hint, rule)

    def locate(rule: Rule | None, node: Expression | None) -> tuple[int, int] | None:
        span = parser.spans.get(node) if node is not None else None
        if span is None and rule is not None:
            span = book.span_of(rule)
        return None if span is None else line_and_column(source, span[0])

    found = [
        at("unreachable-rule", f"no text uses this rule: {book.root!r} does not lead to it", definition.span, "use it or take it out", definition.rule.place)
        for definition in book.unreachable()
    ]
    found += [at("equal-alternatives", "this choice offers the same twice", span, "take one out") for span in parser.doubles]
    found += [
        at("empty-alternative", "a | at the beginning makes a first alternative that is no text at all", span, 'take it out, or write "" if that is meant')
        for span in parser.empty_first
    ]
    found += [
        at("token-or-rule", f"{name} is a special token, though there is a rule {name[1:-1]!r}", span, "write the rule without angle brackets")
        for name, span in parser.tokens
        if name[1:-1] in book.by_name
    ]
    loops = [Finding("nullable-loop", "warning", NULLABLE_LOOP.message, *line_and_column(source, span[0]), NULLABLE_LOOP.hint) for span in parser.nothings]
    return found + loops + expression_findings(book.start, locate)
