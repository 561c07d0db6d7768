"""One sequence of one model: what it has read, what waits to be read, and the scores for the next token.

Rule: tokens wait until scores are asked for, so that forced tokens and prompts are evaluated in one batch; only this module
decides what stays in the key-value cache.  Implements decoding.generate.LanguageModel.
Above: the integrations that run models.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from grammask.errors import EngineError, LimitError, PromptError, RollbackError, TokenOutOfRange

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from grammask.vocabulary import Vocabulary

__all__ = ["Context", "Session"]


class Context(Protocol):
    """One key-value cache of one engine, for a single sequence of at most `size` tokens.

    engine: its name, for errors.
    """

    @property
    def engine(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def is_closed(self) -> bool: ...

    def decode(self, token_ids: Sequence[int], position: int, every: bool = False) -> NDArray[np.float32]:
        """Evaluate tokens that follow the first `position` ones; scores of shape (1, V) behind the last, or (n, V) behind each of them.

        The result is the caller's own. Raises EngineError if the engine fails; what the cache holds is then unknown.
        """
        ...

    def cut(self, length: int) -> bool:
        """Forget all but the first `length` tokens; False if the cache cannot, which then is empty."""
        ...

    def close(self) -> None:
        """Free the cache. Closing twice is fine."""
        ...


class Session:
    """A sequence that a model reads, with its own key-value cache; made by `Model.session()`, closed by `close` or `with`.

    Threads: each call holds the session's lock, so calls never corrupt it and `close` waits for a running evaluation; but two
    threads that generate on one session spoil each other's text. Give each its own session: they share the weights.
    Raises EngineError from any call after `close`.
    """

    def __init__(self, context: Context, vocabulary: Vocabulary, n_scores: int) -> None:
        self.vocabulary = vocabulary
        self._context = context
        self._vocabulary_size = n_scores
        self._lock = threading.RLock()
        self._read: list[int] = []  # tokens in the cache
        self._waiting: list[int] = []  # tokens behind them, not yet evaluated
        self._row: NDArray[np.float32] | None = None  # scores behind the last token read
        self._is_dirty = False  # an evaluation did not return: the cache may hold more than `_read`

    @property
    def context_tokens(self) -> int:
        """How many tokens the sequence can hold, the prompt included."""
        return self._context.size

    @property
    def token_ids(self) -> tuple[int, ...]:
        """The sequence so far, the prompt included."""
        return (*self._read, *self._waiting)

    @property
    def n_past(self) -> int:
        """The length of the sequence in tokens."""
        return len(self._read) + len(self._waiting)

    @property
    def is_closed(self) -> bool:
        """Whether the cache is freed."""
        return self._context.is_closed

    def begin(self, prompt_token_ids: Sequence[int]) -> None:
        """Start over with this prompt. The tokens that it shares with the sequence so far, from the first on, are not evaluated again.

        Raises PromptError for an empty prompt, LimitError if it leaves no room for a token of output, TokenOutOfRange.
        """
        prompt = list(prompt_token_ids)
        self._check_ids(prompt)
        if not prompt:
            raise PromptError("the prompt holds no token", "give a text, or start with a beginning-of-sequence token")
        if len(prompt) >= self.context_tokens:
            raise LimitError("length of the prompt in tokens", len(prompt), self.context_tokens - 1, "shorten it, or load the model with a larger n_ctx")
        with self._opened():
            shared = self.shared_with(prompt)
            self._cut(shared)
            self._waiting = prompt[len(self._read) :]

    def shared_with(self, token_ids: Sequence[int]) -> int:
        """How many tokens from the first on are both in the cache and in these ids."""
        shared = 0
        for held, asked in zip(self._read, token_ids, strict=False):
            if held != asked:
                break
            shared += 1
        return shared

    def accept(self, token_id: int) -> None:
        """Append a token; it is evaluated when scores are asked for. Raises TokenOutOfRange, LimitError if the context is full."""
        self._extend([token_id])

    def feed(self, token_ids: Sequence[int]) -> NDArray[np.float32]:
        """Append tokens and return the scores behind the last one, as `logits` does. Raises as `accept`."""
        with self._opened():
            self._extend(token_ids)
            return self.logits()

    def feed_all(self, token_ids: Sequence[int]) -> NDArray[np.float32]:
        """Append tokens and return the scores behind each of them, float32 of shape (n, V), to check a draft at once. Raises as `accept`."""
        with self._opened():
            if self._waiting:
                self._evaluate(every=False)
            self._extend(token_ids)
            if not self._waiting:
                return np.empty((0, self._vocabulary_size), dtype=np.float32)
            return self._evaluate(every=True)

    def logits(self) -> NDArray[np.float32]:
        """Scores for the next token, float32 of shape (V,), read-only; a copy of the engine's, so it stays as it is.

        Evaluates what waits; asked twice, the second answer is free. After a rewind the last token is evaluated anew.
        Raises PromptError before any token was given.
        """
        with self._opened():
            if not self._waiting and self._row is None:
                if not self._read:
                    raise PromptError("there is no token to score from", "call begin with a prompt first")
                self._redo_last()
            if self._waiting:
                self._evaluate(every=False)
            assert self._row is not None
            return self._row

    def rewind(self, n: int) -> None:
        """Take the last `n` tokens back, those of the prompt too. Raises RollbackError if there are fewer."""
        with self._opened():
            if not 0 <= n <= self.n_past:
                raise RollbackError(n, self.n_past)
            unread = min(n, len(self._waiting))
            del self._waiting[len(self._waiting) - unread :]
            if n > unread:
                self._cut(len(self._read) - (n - unread))

    def close(self) -> None:
        """Free the cache, after a running evaluation. Closing twice is fine."""
        with self._lock:
            self._context.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """The lock, on a session that is still open. What a broken-off evaluation left is swept out of the cache first."""
        with self._lock:
            if self._context.is_closed:
                raise EngineError(self._context.engine, "the session is closed", "make a new one with model.session()")
            if self._is_dirty:
                self._row = None
                self._cut(len(self._read))
                self._is_dirty = False
            yield

    def _check_ids(self, token_ids: Sequence[int]) -> None:
        for token_id in token_ids:
            if not 0 <= token_id < self._vocabulary_size:
                raise TokenOutOfRange(token_id, self._vocabulary_size)

    def _extend(self, token_ids: Sequence[int]) -> None:
        self._check_ids(token_ids)
        with self._opened():
            length = self.n_past + len(token_ids)
            if length > self.context_tokens:
                raise LimitError("length of the sequence in tokens", length, self.context_tokens, "load the model with a larger n_ctx")
            self._waiting += token_ids

    def _evaluate(self, every: bool) -> NDArray[np.float32]:
        """Read what waits. If it is broken off, the sequence is as before and the cache is mended at the next call."""
        self._is_dirty = True
        rows = self._context.decode(self._waiting, len(self._read), every)
        rows.flags.writeable = False
        self._read += self._waiting
        self._waiting, self._row = [], rows[-1]
        self._is_dirty = False
        return rows

    def _redo_last(self) -> None:
        last = self._read[-1]
        self._cut(len(self._read) - 1)
        self._waiting.append(last)

    def _cut(self, length: int) -> None:
        """Keep the first `length` tokens read. Where the engine cannot take tokens back they all wait to be read anew."""
        if length == len(self._read) and self._row is not None:
            return
        kept = self._read[:length]
        self._row = None
        if self._context.cut(length):
            self._read = kept
        else:
            self._read, self._waiting = [], kept + self._waiting
