"""Where front ends and decoding meet: from what a user calls a grammar to a constraint.

Rule: an object is taken for a grammar only where there is one way to read it.
Below: frontends, decoding.  Above: integrations, tools.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, get_origin

from grammask.arguments import Kind, check, or_none
from grammask.decoding.constraint import Constraint
from grammask.errors import GrammarTypeError, VocabularyError
from grammask.grammar.collector import without_collecting
from grammask.grammar.grammar import Grammar
from grammask.vocabulary import Vocabulary

if TYPE_CHECKING:
    from grammask.decoding.disk_cache import Cache

__all__ = ["as_grammar", "compile"]


CACHE = or_none(Kind("a grammask.Cache", lambda value: type(value).__name__ == "Cache" and callable(getattr(value, "grammar", None))))


@without_collecting
def compile(grammar: object, vocabulary: Vocabulary, *, cache: Cache | None = None) -> Constraint:  # noqa: A001  # the public name
    """Compile a grammar for a vocabulary.

    grammar: a `Grammar`, or a JSON Schema as a dict, or a Python type (see `as_grammar`).
    cache: a folder in which schemas and types that were compiled before, by any process, are found; `Cache.grammar` does it for grammars.
    What was compiled is kept with the vocabulary: grammars with the same content are compiled once, also by several threads at
    once. Raises GrammarTypeError, VocabularyError for something else in its place, GrammarError (what and where), LimitError.
    """
    check("compile", "cache", cache, CACHE)
    if not isinstance(vocabulary, Vocabulary):
        raise VocabularyError(f"a grammask.Vocabulary is needed, got {type(vocabulary).__name__}; make one with grammask.Vocabulary.from_...")
    return Constraint.of(as_grammar(grammar, cache), vocabulary)


def as_grammar(grammar: object, cache: Cache | None = None) -> Grammar:
    """A grammar as it is; a dict as a JSON Schema; a Python type (a class, `list[int]`, `Literal[...]`, ...) through its schema.

    With a cache, schemas are looked for there.
    Raises GrammarTypeError for anything else: a text could be a schema, a regex or a choice, so it has to be said which.
    """
    if isinstance(grammar, Grammar):
        return grammar
    if isinstance(grammar, (dict, type)) or get_origin(grammar) is not None:
        from grammask.frontends.json_schema import json_schema  # only callers without a grammar pay for it

        if cache is None:
            return json_schema(grammar)
        if isinstance(grammar, dict):
            return cache.grammar(json_schema, grammar)
        from grammask.frontends.python_types import type_grammar

        return type_grammar(grammar, read=partial(cache.grammar, json_schema))
    hint = "give a grammask.Grammar, a JSON Schema as a dict, or a type"
    if isinstance(grammar, str):
        readers = ("json_schema", "regex", "gbnf", "lark", "structural_tag")
        hint = f"say what the text is: {', '.join([f'grammask.{reader}(text)' for reader in readers])} or grammask.choice([text])"
    elif isinstance(grammar, (list, tuple)):
        hint = "a choice of texts is written grammask.choice(texts)"
    raise GrammarTypeError(type(grammar).__name__, hint)
