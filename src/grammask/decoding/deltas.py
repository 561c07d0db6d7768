"""The bytes of tokens as pieces of text: no piece splits a character, and none holds a stop string or the beginning of one.

Rule: the pieces put together are the text, up to the first stop string. Bytes that are no UTF-8 become U+FFFD.
Above: generate.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence

__all__ = ["TextDeltas"]


class TextDeltas:
    """Feed the bytes of one token after the other to `push`; `is_stopped` says that a stop string was met, which ends the text."""

    def __init__(self, stop: Sequence[str] = ()) -> None:
        self._stop = tuple(stop)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self.is_stopped = False

    def push(self, token: bytes) -> str:
        """What the token adds to the text for certain; "" while that cannot be told."""
        self._held += self._decoder.decode(token)
        found = [place for text in self._stop if (place := self._held.find(text)) >= 0]
        if found:
            self.is_stopped = True
            return self._release(min(found), then="")
        return self._release(len(self._held) - self._unsettled())

    def finish(self) -> str:
        """What was held back, at the end of the output; "" if a stop string ended it."""
        self._held += "" if self.is_stopped else self._decoder.decode(b"", final=True)
        return self._release(len(self._held))

    def _release(self, size: int, then: str | None = None) -> str:
        text, rest = self._held[:size], self._held[size:]
        self._held = rest if then is None else then
        return text

    def _unsettled(self) -> int:
        """Characters at the end of what is held that may be the beginning of a stop string."""
        longest = max(map(len, self._stop), default=0) - 1
        return next((size for size in range(min(longest, len(self._held)), 0, -1) if any(text.startswith(self._held[-size:]) for text in self._stop)), 0)
