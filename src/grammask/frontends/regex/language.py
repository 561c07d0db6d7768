"""The two ways into the regex front end: a pattern as a grammar, and as the language of all strings that it is found in."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from typing import Literal as OneOf

from grammask.arguments import instance, or_none, takes, whole
from grammask.arguments import text as text_kind
from grammask.errors import GrammarError, GrammarTypeError, UnsupportedFeatureError
from grammask.frontends.regex.dialects import Flags
from grammask.frontends.regex.options import RegexOptions
from grammask.frontends.regex.parser import Parser
from grammask.frontends.regex.whole_texts import whole_texts
from grammask.grammar.expression import Expression
from grammask.grammar.grammar import Grammar

__all__ = ["DialectName", "pattern_language", "regex"]

DialectName = OneOf["python", "ecma", "rust"]

_PARSERS = {"python": "PythonParser", "ecma": "EcmaParser", "rust": "RustParser"}  # of a module of their own each, loaded when it is needed
_DEFAULTS = RegexOptions()


@takes(dialect=text_kind, flags=whole(), options=or_none(instance(RegexOptions)))
def regex(pattern: str | re.Pattern[str], *, dialect: DialectName = "python", flags: int = 0, options: RegexOptions | None = None) -> Grammar:
    """The grammar of all texts that the pattern matches from start to end, as `re.fullmatch` does.

    pattern: text, or a compiled pattern of `re`, whose flags then hold.
    dialect: "python" (module `re`), "ecma" (ECMA-262 with the flag u, as JSON Schema has it) or "rust" (the regex crate, as llguidance
    and the custom tools of OpenAI have it; RE2 but for what docs/reference/regex.md lists).  flags: as for `re.compile`.
    Raises GrammarTypeError for anything else as a pattern; GrammarSyntaxError with the place; UnsupportedFeatureError for what is
    not regular (back-references, conditional groups, atomic groups and possessive repetitions with a choice); LimitError for sizes
    beyond `options`.
    """
    text = pattern
    if isinstance(pattern, re.Pattern):
        text, flags = pattern.pattern, pattern.flags
    return Grammar(_language(text, dialect, flags, options or _DEFAULTS, searched=False), "regex", text)


def pattern_language(pattern: str, *, dialect: DialectName = "ecma", search: bool = True, flags: int = 0, options: RegexOptions | None = None) -> Expression:
    """The strings that the pattern is found in (`search`), or that it matches as a whole, as a regular expression over characters.

    The result is made of Literal, Chars, Seq, Alt, Repeat, And and Not only. Errors are those of `regex`.
    Cost: some 3 us for a construct of the pattern; anchors and lookarounds within the pattern cost more.
    """
    return _language(pattern, dialect, flags, options or _DEFAULTS, searched=search)


def _language(pattern: object, dialect: str, flags: int, options: RegexOptions, searched: bool) -> Expression:
    if dialect not in _PARSERS:
        raise GrammarError(f"there is no regex dialect {dialect!r}; use {', '.join(map(repr, _PARSERS))}")
    if isinstance(pattern, bytes):
        raise UnsupportedFeatureError("a pattern of bytes", "texts are Unicode here", hint="decode it")
    if not isinstance(pattern, str):
        raise GrammarTypeError(type(pattern).__name__, "a pattern is a str or a compiled pattern of re")
    parser = _parser_of(dialect)(pattern, _initial_flags(dialect, flags), options)
    part = parser.parse()
    try:
        return whole_texts(part, searched, parser.height, options)
    except UnsupportedFeatureError as error:
        if error.span is not None:
            raise
        raise UnsupportedFeatureError(error.feature, error.reason, source=pattern, span=(0, len(pattern)), hint=error.hint) from None


def _parser_of(dialect: str) -> type[Parser]:
    parser: type[Parser] = getattr(import_module(f"grammask.frontends.regex.{dialect}_syntax"), _PARSERS[dialect])
    return parser


@lru_cache(maxsize=64)
def _initial_flags(dialect: str, flags: int) -> Flags:
    fields = {}
    for bit, field in _parser_of(dialect).dialect.flag_bits.items():
        if flags & bit:
            fields[field] = True
            flags &= ~bit
    fields.pop("", None)
    if flags:
        raise UnsupportedFeatureError(f"the flag {re.RegexFlag(flags)!r}", f"it has no meaning in the dialect {dialect}")
    return Flags(**fields)
