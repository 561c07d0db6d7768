"""The tokens of a vocabulary in the order of their bytes: which of them begin with a text, and where a text can be cut safely.

Rule: tokens without text are not here. Made once a vocabulary, on first use, and dropped with it.
Below: vocabulary.  Above: healing, forced.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Collection
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from grammask.vocabulary import Vocabulary

__all__ = ["TokenPrefixes", "prefixes_of"]

# Stands for the first byte of a token without text.
_NO_BYTE = 256


class TokenPrefixes:
    """Get it from `prefixes_of`.

    longest: bytes of the longest token.
    Cost of making it: about 0.2 s and 12 MB for 128,000 tokens; of a question, about a microsecond for each length tried.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        pairs = sorted((token, token_id) for token_id, token in enumerate(vocabulary.tokens) if token)
        self._texts = [token for token, _ in pairs]
        self._ids = np.array([token_id for _, token_id in pairs], dtype=np.intp)
        self.longest = max(map(len, self._texts), default=0)
        self._first_bytes: NDArray[np.uint16] = np.array([token[0] if token else _NO_BYTE for token in vocabulary.tokens], dtype=np.uint16)

    def first_bytes_of(self, token_ids: NDArray[np.integer[Any]]) -> list[int]:
        """The bytes that these tokens begin with, each once, ascending."""
        return np.flatnonzero(np.bincount(self._first_bytes[token_ids], minlength=256)[:256]).tolist()

    def first_byte_of(self, token_ids: NDArray[np.integer[Any]]) -> NDArray[np.uint16]:
        """The byte that each of these tokens begins with; 256 for one without text."""
        found: NDArray[np.uint16] = self._first_bytes[token_ids]
        return found

    def starting_with(self, text: bytes) -> NDArray[np.intp]:
        """The ids of the tokens that begin with a text, or are it."""
        return self._ids[bisect_left(self._texts, text) : self._after(text)]

    def within(self, text: bytes) -> list[NDArray[np.intp]]:
        """For each length from 1 up, the ids of the tokens that are the beginning of the text of that length; short of the whole text."""
        found = []
        for size in range(1, min(len(text), self.longest + 1)):
            start = bisect_left(self._texts, text[:size])
            found.append(self._ids[start : bisect_left(self._texts, text[:size] + b"\0")])
        return found

    def open_end(self, text: bytes, following: Collection[int] | None = None) -> int:
        """How many bytes at the end of a text some token begins with and goes on behind, by a byte of `following` if that is given.

        A tokenizer that is given more text may put that token there, so it may cut the text at another place from there on; what is
        before it, it cuts the same way by any measure a vocabulary gives. 0 if no token crosses the end.
        """
        for size in range(min(len(text), self.longest - 1), 0, -1):
            if self._goes_on(text[-size:], following):
                return size
        return 0

    def _goes_on(self, text: bytes, following: Collection[int] | None) -> bool:
        start, end = bisect_left(self._texts, text + b"\0"), self._after(text)
        if start >= end or following is None:
            return start < end
        longer = [text + bytes([byte]) for byte in following]
        places = [bisect_left(self._texts, one, start, end) for one in longer]
        return any(place < end and self._texts[place].startswith(one) for place, one in zip(places, longer, strict=True))

    def _after(self, text: bytes) -> int:
        """The place behind the last token that begins with a text."""
        return bisect_left(self._texts, text + b"\xff" * (self.longest + 1))


_LOCK = threading.Lock()
_MADE: WeakKeyDictionary[Vocabulary, TokenPrefixes] = WeakKeyDictionary()


def prefixes_of(vocabulary: Vocabulary) -> TokenPrefixes:
    """The order of this vocabulary's tokens, made if this is the first question."""
    with _LOCK:
        made = _MADE.get(vocabulary)
        if made is None:
            made = _MADE[vocabulary] = TokenPrefixes(vocabulary)
        return made
