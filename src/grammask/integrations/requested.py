"""What a request of a serving engine asks for, as a grammar.

Rule: a request names exactly one kind of grammar; what it says besides is refused by name, so that no wish is dropped in silence.
Below: frontends.  Above: vllm, sglang.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from grammask.api import as_grammar
from grammask.errors import GrammarError, GrammarSyntaxError
from grammask.frontends.choice import choice
from grammask.frontends.gbnf import gbnf
from grammask.frontends.json_schema import json_schema
from grammask.frontends.regex import regex
from grammask.frontends.structural_tag import StructuralTagOptions, structural_tag
from grammask.grammar.grammar import Grammar

__all__ = ["KINDS", "as_request", "grammar_of", "notation_grammar", "requested_grammar"]


def notation_grammar(text: str) -> Grammar:
    """A grammar in GBNF or in Lark's notation, told apart by `::=`, which Lark has not. Raises what their front ends raise."""
    if any("::=" in line.split("#", 1)[0] for line in text.splitlines()):
        return gbnf(text)
    return _lark(text)


def _lark(text: str) -> Grammar:
    from grammask.frontends.lark import lark

    try:
        return lark(text)
    except ImportError as error:
        raise GrammarError(f"grammars in Lark's notation need the package lark: {error}; install grammask[lark], or write the grammar in GBNF") from None


def _json(schema: Any, options: StructuralTagOptions) -> Grammar:
    return as_grammar(schema) if isinstance(schema, type | Grammar) else json_schema(schema, options.json)


_READERS: Final[Mapping[str, Callable[[Any, StructuralTagOptions], Grammar]]] = {
    "json_schema": _json,
    "json_object": lambda _, options: json_schema({"type": "object"}, options.json),
    "regex": lambda pattern, options: regex(pattern, dialect=options.regex_dialect),
    "choice": lambda texts, _: choice(texts),
    "gbnf": lambda text, _: gbnf(text),
    "lark": lambda text, _: _lark(text),
    "grammar": lambda text, _: notation_grammar(text),
    "structural_tag": structural_tag,
}
KINDS: Final = tuple(_READERS)


def grammar_of(kind: str, content: Any, options: StructuralTagOptions) -> Grammar:
    """The grammar of one kind. Raises GrammarError and what is below it, LimitError."""
    if kind not in _READERS:
        raise GrammarError(f"there is no kind of grammar {kind!r}; it is one of {', '.join(KINDS)}")
    return _READERS[kind](content, options)


def as_request(value: Any) -> Mapping[str, Any]:
    """A request as a mapping. Some servers only let texts through, so JSON text will do. Raises GrammarError, GrammarSyntaxError."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            at = getattr(error, "pos", 0)
            raise GrammarSyntaxError(f"a request in text is JSON, and this is not: {getattr(error, 'msg', error)}", value, (at, at + 1)) from None
    if not isinstance(value, Mapping):
        raise GrammarError(f"a request is an object such as {{'json_schema': ...}}, got {type(value).__name__}")
    return value


def requested_grammar(request: Mapping[str, Any], options: StructuralTagOptions, others: Sequence[str] = ()) -> Grammar:
    """The grammar that a request names.

    others: keys it may have besides. Raises GrammarError for no kind, for several, for unknown keys; and what the front ends raise.
    """
    named = [key for key in request if key in _READERS]
    unknown = [str(key) for key in request if key not in _READERS and key not in others]
    if unknown:
        raise GrammarError(f"unknown key {unknown[0]!r} in a request; it takes one of {', '.join(KINDS)}" + (f", and {', '.join(others)}" if others else ""))
    if len(named) != 1:
        raise GrammarError(f"a request names one kind of grammar, and this one names {', '.join(named) or 'none'}; there are {', '.join(KINDS)}")
    return grammar_of(named[0], request[named[0]], options)
