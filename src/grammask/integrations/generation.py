"""One constrained output inside a serving engine: a matcher, and what such engines add to it.

Engines have end tokens of their own for each request, throw tokens away and take them back, and must never be brought down by one request.
Rule: nothing here raises for what a model or an engine does; an output that cannot go on allows its end tokens only, and says so by `failed`.
Below: decoding.  Above: vllm, sglang.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammask.decoding.mask import fill_masks
from grammask.decoding.matcher import Matcher
from grammask.errors import GrammaskError

__all__ = ["Generation", "fill_rows"]

Rows = NDArray[np.int32]


class Generation:
    """The position of one output.

    stops: the tokens at which the engine ends this output. They are allowed exactly where the output is complete, whatever their text; an end
    token of the vocabulary that is not among them is never allowed. None: those of the vocabulary.
    """

    __slots__ = ("_also", "_log", "_never", "_stopped", "_stops", "failed", "matcher")
    # _also, _never: the engine's end tokens that the vocabulary does not know as such, and the vocabulary's that the engine does not end at.

    def __init__(self, matcher: Matcher, stops: Iterable[int] | None = None, log: logging.Logger | None = None) -> None:
        ends, size = frozenset(matcher.vocabulary.eos_ids), len(matcher.vocabulary)
        asked = ends if stops is None else frozenset(stop for stop in stops if 0 <= stop < size) or ends
        self.matcher = matcher
        self.failed = False
        self._stops = asked
        self._also, self._never = asked - ends, ends - asked
        self._stopped = False
        self._log = log or logging.getLogger(__name__)

    @property
    def position(self) -> int:
        """Tokens taken, an end token among them."""
        return self.matcher.position + self._stopped

    @property
    def ended(self) -> bool:
        """Whether an end token was taken."""
        return self._stopped or self.matcher.is_finished

    def take(self, token_id: int, name: str = "") -> bool:
        """Take a token. False, with a line in the log, if it is not allowed; the output has failed then."""
        if not self.failed and self._takes(token_id):
            return True
        self.fail(f"token {token_id} is not allowed at position {self.position}", name)
        return False

    def _takes(self, token_id: int) -> bool:
        if self._stopped:
            return False
        if token_id in self._also:
            self._stopped = self.matcher.is_complete
            return self._stopped
        if token_id in self._never:
            return False
        try:
            self.matcher.advance(token_id)
        except GrammaskError:
            return False
        return True

    def accepts(self, token_ids: Sequence[int]) -> int:
        """How many of these tokens are allowed in a row. The position is unchanged."""
        if self.failed:
            return 0
        before, taken = self.position, 0
        for token_id in token_ids:
            if not self._takes(token_id):
                break
            taken += 1
        self.rollback(self.position - before)
        return taken

    def rollback(self, n_tokens: int) -> None:
        """Take back the last tokens, at most all of them."""
        n_tokens = min(n_tokens, self.position)
        if n_tokens and self._stopped:
            self._stopped = False
            n_tokens -= 1
        self.matcher.rollback(n_tokens)

    def reset(self) -> None:
        """Back to the start."""
        self.failed = self._stopped = False
        self.matcher.reset()

    def copy(self) -> Generation:
        """Another generation at the same position."""
        made = Generation(self.matcher.copy(), self._stops, self._log)
        made.failed, made._stopped = self.failed, self._stopped
        return made

    def fail(self, reason: str, name: str = "") -> None:
        """From now on only end tokens are allowed."""
        if not self.failed:
            self._log.error("grammask: %s%s; the output is ended here", f"request {name}: " if name else "", reason)
        self.failed = True

    def fill(self, row: Rows) -> None:
        """Write the mask of the next token."""
        if not self.failed:
            try:
                self.matcher.fill_mask(row)
            except GrammaskError as error:
                self.fail(str(error))
        self.finish(row)

    def finish(self, row: Rows) -> None:
        """Put the engine's end tokens into a row that the matcher has filled."""
        if self.failed:
            row[:] = 0
            _set(row, self._stops)
            return
        if self._also:
            before = row.copy()
            _clear(row, self._also)
            if self.matcher.is_complete:
                _set(row, self._also)
            elif not row.any():  # nothing but a token that ends the output here leads on
                row[:] = before
        if self._never:
            _clear(row, self._never)


def _set(row: Rows, ids: Iterable[int]) -> None:
    words = row.view(np.uint32)
    for token_id in ids:
        words[token_id >> 5] |= np.uint32(1 << (token_id & 31))


def _clear(row: Rows, ids: Iterable[int]) -> None:
    words = row.view(np.uint32)
    for token_id in ids:
        words[token_id >> 5] &= np.uint32(~(1 << (token_id & 31)) & 0xFFFFFFFF)


def fill_rows(generations: Sequence[Generation], rows: Any) -> None:
    """Fill row i with the mask of generation i, all by one call of the kernel. One that hits a limit fails alone."""
    try:
        fill_masks([each.matcher for each in generations], rows)
    except GrammaskError:
        for each, row in zip(generations, rows, strict=True):
            each.fill(row)
        return
    for each, row in zip(generations, rows, strict=True):
        each.finish(row)
