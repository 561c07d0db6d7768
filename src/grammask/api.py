"""Where front ends and decoding meet: from what a user calls a grammar to a constraint.

Rule: an object is taken for a grammar only where there is one way to read it.
Below: frontends, decoding.  Above: integrations, tools.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, get_origin

from grammask.arguments import Kind, flag, or_none, takes
from grammask.decoding.binding import bindings_of
from grammask.decoding.constraint import Constraint
from grammask.errors import GrammarError, GrammarTypeError, LimitError, VocabularyError
from grammask.grammar.collector import without_collecting
from grammask.grammar.grammar import Grammar
from grammask.vocabulary import Vocabulary

if TYPE_CHECKING:
    from concurrent.futures import Future

    from grammask.decoding.disk_cache import Cache

__all__ = ["as_grammar", "compile", "warm_up"]


@without_collecting
@takes(cache=or_none(Kind("a grammask.Cache", lambda value: type(value).__name__ == "Cache" and callable(getattr(value, "grammar", None)))))
def compile(grammar: object, vocabulary: Vocabulary, *, cache: Cache | None = None) -> Constraint:  # noqa: A001  # the public name
    """Compile a grammar for a vocabulary.

    grammar: a `Grammar`, or a JSON Schema as a dict, or a Python type (see `as_grammar`).
    cache: a folder in which schemas and types that were compiled before, by any process, are found; `Cache.grammar` does it for grammars.
    What was compiled is kept with the vocabulary: grammars with the same content are compiled once, also by several threads at
    once. Raises GrammarTypeError, VocabularyError for something else in its place, GrammarError (what and where), LimitError.
    """
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


# --- warm-up --------------------------------------------------------------------------------------------------------

# Schemas with what most schemas are made of, each with a text that comes to as many different places in them as it can.
_FORMATS = {
    "date": "2024-02-29", "time": "23:59:60.25Z", "date-time": "2024-12-31T10:05:00.5+01:00", "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "email": "a.b@x.example", "uri": "x+y://u@h-1.example:80/a?b=c%20#d",
}  # fmt: skip
_MEMBERS = ", ".join(f'"{name}": "{text}"' for name, text in _FORMATS.items())
_TYPES = {name: {"type": name} for name in ("string", "integer", "number", "boolean", "array", "null")}
_WARMING: tuple[tuple[dict[str, object], str], ...] = (
    ({}, '{"key": [12, -0.5e+10, true, false, null, "a b\\n\\u00e9\\ud83d\\ude00é中😀", {}], "k2":{"a":[],"b":""},\n  "c": "x"\n}'),
    ({"type": "object", "properties": {name: {"type": "string", "format": name} for name in _FORMATS}}, f'{{{_MEMBERS}, "other": 1}}'),
    ({"type": "object", "properties": _TYPES}, '{"string":"a","integer":-120,"number":-1.5e-3,"boolean":true,"array":["a",1],"null":null}'),
    ({"type": "array", "items": {"type": "string"}}, '["a", "b"]'),
)


@takes(background=flag)
def warm_up(vocabulary: Vocabulary, *, background: bool = False) -> Future[None]:
    """Work out beforehand what nearly all JSON grammars over a vocabulary share, so that the first request does not pay for it.

    That is the vocabulary's trie, and masks inside strings, numbers, spaces, dates, free JSON and the like. They are kept with the vocabulary.
    background: in a thread of its own; `result()` of what is returned waits for it. Grammars may be compiled and used meanwhile, but making
    the trie holds the interpreter for some 0.2 s.
    Raises VocabularyError for something else in its place. A vocabulary that cannot spell JSON is left as it is.
    Cost: some 0.3 s and 15 MB for 128,000 tokens, nearly all of it for the trie, which every first grammar needs.
    """
    if not isinstance(vocabulary, Vocabulary):
        raise VocabularyError(f"a grammask.Vocabulary is needed, got {type(vocabulary).__name__}")
    from concurrent.futures import Future

    done: Future[None] = Future()
    if background:
        threading.Thread(target=_warm, args=(vocabulary, done), name="grammask-warm-up", daemon=True).start()
    else:
        _warm(vocabulary, done)
        done.result()
    return done


def _warm(vocabulary: Vocabulary, done: Future[None]) -> None:
    try:
        for schema, text in _WARMING:
            try:
                _walk(compile(schema, vocabulary), text.encode())
            except (GrammarError, LimitError):  # no tokens for some of it
                continue
        done.set_result(None)
    except BaseException as error:
        done.set_exception(error)
        raise


def _walk(constraint: Constraint, text: bytes) -> None:
    """Fill the mask at every place of a text: behind each byte, where bytes are tokens."""
    import numpy as np

    speller = bindings_of(constraint.vocabulary).speller
    pieces = [text[at : at + 1] for at in range(len(text))] if speller.spells_every_byte else [text]
    matcher, row = constraint.matcher(), np.zeros(constraint.mask_words, dtype=np.uint32)
    for token_id in [token_id for piece in pieces for token_id in speller.longest_first(piece)]:
        matcher.fill_mask(row)
        if not matcher.accepts(token_id):
            return
        matcher.advance(token_id)
    matcher.fill_mask(row)
