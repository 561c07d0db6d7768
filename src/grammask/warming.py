"""What nearly all JSON grammars over a vocabulary share, worked out before the first of them.

Rule: it changes when something is worked out and nothing else. Large vocabularies are warmed up as they are loaded, by one thread in the
background that nobody waits for; GRAMMASK_WARM_UP=0 in the environment leaves it to callers of `warm_up`.
Below: api, decoding. Above: integrations, tools; `grammask` itself tells it of vocabularies.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING

from grammask.arguments import flag, takes
from grammask.errors import GrammarError, LimitError, VocabularyError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from grammask.decoding.constraint import Constraint
    from grammask.vocabulary import Vocabulary

__all__ = ["warm_up", "warm_up_soon"]

# Ids from which on a vocabulary is warmed up as it is loaded: with fewer, the first schema hardly pays for it.
_LARGE = 8_192
# Seconds that a fork waits for the thread at most.
_PATIENCE_S = 10.0
# Seconds before the thread begins: callers in a hurry are not slowed down by it, and vocabularies only read to make others of them are let go.
_HEAD_START_S = 0.25

# Schemas with what most schemas are made of, each with a text that comes to as many different places in them as it can.
_FORMATS = {
    "date": "2024-02-29", "time": "23:59:60.25Z", "date-time": "2024-12-31T10:05:00.5+01:00", "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "email": "a.b@x.example", "uri": "x+y://u@h-1.example:80/a?b=c%20#d",
}  # fmt: skip
_MEMBERS = ", ".join(f'"{name}": "{text}"' for name, text in _FORMATS.items())
_TYPES = {name: {"type": name} for name in ("string", "integer", "number", "boolean", "array", "null")}
_USUAL: dict[str, object] = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]+$"},
        "kind": {"enum": ["a", "b"]},
        "size": {"type": "integer", "minimum": 0, "maximum": 100},
        "name": {"type": "string", "minLength": 1, "maxLength": 40},
        "one": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/one"}]},
        "tags": {"type": "array", "items": {"const": "x"}, "minItems": 1},
    },
    "required": ["code", "tags"],
    "additionalProperties": False,
    "$defs": {"one": {"type": "object", "properties": {"two": {"$ref": "#/$defs/one"}}, "additionalProperties": {"type": "number"}}},
}
_WARMING: tuple[tuple[dict[str, object], str], ...] = (
    ({}, '{"key": [12, -0.5e+10, true, false, null, "a b\\n\\u00e9\\ud83d\\ude00é中😀", {}], "k2":{"a":[],"b":""},\n  "c": "x"\n}'),
    ({"type": "object", "properties": {name: {"type": "string", "format": name} for name in _FORMATS}}, f'{{{_MEMBERS}, "other": 1}}'),
    ({"type": "object", "properties": _TYPES}, '{"string":"a","integer":-120,"number":-1.5e-3,"boolean":true,"array":["a",1],"null":null}'),
    ({"type": "array", "items": {"type": "string"}}, '["a", "b"]'),
    (_USUAL, '{"code": "AB-12", "kind": "b", "size": 42, "name": "some one", "one": {"two": {}, "three": 3.5}, "tags": ["x", "x"]}'),
)


@takes(background=flag)
def warm_up(vocabulary: Vocabulary, *, background: bool = False) -> Future[None]:
    """Work out beforehand what nearly all JSON grammars over a vocabulary share, so that the first request does not pay for it.

    That is the vocabulary's trie, and masks inside strings, numbers, spaces, dates, free JSON and the like. They are kept with the vocabulary.
    Vocabularies of 8,192 ids and more are warmed up in the background anyway; this is to have it done, or done for a small one.
    background: in a thread of its own; `result()` of what is returned waits for it. Grammars may be compiled and used meanwhile.
    Raises VocabularyError for something else in its place. A vocabulary that cannot spell JSON is left as it is.
    Cost: some 0.15 s for 128,000 tokens, nearly all of it for the trie, which every first grammar needs.
    """
    from concurrent.futures import Future

    from grammask.vocabulary import Vocabulary

    if not isinstance(vocabulary, Vocabulary):
        raise VocabularyError(f"a grammask.Vocabulary is needed, got {type(vocabulary).__name__}")
    done: Future[None] = Future()
    if background:
        threading.Thread(target=_settle, args=(vocabulary, done), name="grammask-warm-up", daemon=True).start()
    else:
        _settle(vocabulary, done)
        done.result()
    return done


def _settle(vocabulary: Vocabulary, done: Future[None]) -> None:
    try:
        _warm(vocabulary)
    except BaseException as error:  # noqa: BLE001  # whoever waits for the result gets it
        done.set_exception(error)
    else:
        done.set_result(None)


def _warm(vocabulary: Vocabulary) -> None:
    for schema, text in _WARMING:
        _follow(vocabulary, schema, text)


def _follow(vocabulary: Vocabulary, schema: dict[str, object], text: str) -> None:
    from grammask.api import compile as compiled

    with suppress(GrammarError, LimitError):  # no tokens for some of it
        _walk(compiled(schema, vocabulary), text.encode())


def _walk(constraint: Constraint, text: bytes) -> None:
    """Fill the mask at every place of a text: behind each byte, where bytes are tokens."""
    import numpy as np

    from grammask.decoding.binding import bindings_of

    speller = bindings_of(constraint.vocabulary).speller
    pieces = [text[at : at + 1] for at in range(len(text))] if speller.spells_every_byte else [text]
    matcher, row = constraint.matcher(), np.zeros(constraint.mask_words, dtype=np.uint32)
    for token_id in [token_id for piece in pieces for token_id in speller.longest_first(piece)]:
        matcher.fill_mask(row)
        if not matcher.accepts(token_id):
            return
        matcher.advance(token_id)
    matcher.fill_mask(row)


# --- as vocabularies are loaded -------------------------------------------------------------------------------------


class _Warmer:
    """A thread for all vocabularies that were loaded, the newest first. It ends when there are none left, and holds none that nobody else holds."""

    def __init__(self) -> None:
        self._changed = threading.Condition()  # with a lock that its holder may take again
        self._waiting: list[weakref.ref[Vocabulary]] = []
        self._is_running = False

    def add(self, vocabulary: Vocabulary) -> None:
        with self._changed:
            self._waiting.append(weakref.ref(vocabulary))
            if self._is_running:
                return
            self._is_running = True
        try:
            threading.Thread(target=self._run, name="grammask-warm-up", daemon=True).start()
        except RuntimeError:  # no more threads, or the interpreter is shutting down: the first grammar will do it
            self._stop()

    def wait(self) -> None:
        """Until nothing is left to do: a process that forks meanwhile would leave its child locks that nobody opens."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_running, _PATIENCE_S)

    def reset(self) -> None:
        """Begin anew, in the child of a fork: the thread is not there."""
        self.__init__()  # type: ignore[misc]  # the same object, for the hooks hold it

    def _run(self) -> None:
        time.sleep(_HEAD_START_S)
        while (vocabulary := self._next()) is not None:
            with suppress(Exception):  # whatever it is, what is compiled for this vocabulary meets it and tells its caller
                _warm_unless_used(vocabulary)
            del vocabulary  # or it would be held while the next is waited for

    def _next(self) -> Vocabulary | None:
        with self._changed:
            while self._waiting:
                vocabulary = self._waiting.pop()()
                if vocabulary is not None and vocabulary._store is None:
                    return vocabulary
            self._stop()  # with the lock held, so that nobody adds one to a thread that ends
            return None

    def _stop(self) -> None:
        with self._changed:
            self._waiting.clear()
            self._is_running = False
            self._changed.notify_all()


def _warm_unless_used(vocabulary: Vocabulary) -> None:
    """What every grammar needs, then the rest until there are grammars of somebody's own: two threads would only slow each other."""
    from grammask.decoding.binding import bindings_of
    from grammask.kernel import KERNEL

    if KERNEL != "compiled":  # the plain twin would take minutes
        return
    bindings = bindings_of(vocabulary)
    bindings.prepare()
    for n_followed, (schema, text) in enumerate(_WARMING):
        if bindings.n_bound > n_followed:
            return
        _follow(vocabulary, schema, text)


_WARMER = _Warmer()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_WARMER.wait, after_in_child=_WARMER.reset)


def warm_up_soon(vocabulary: Vocabulary) -> None:
    """Have a vocabulary that was loaded warmed up in the background, if it is large and the environment does not forbid it."""
    if vocabulary.size >= _LARGE and os.environ.get("GRAMMASK_WARM_UP") != "0":
        _WARMER.add(vocabulary)
