"""Which tokens of a vocabulary spell a text: the fewest, or the longest one at each place.

Rule: tokens without text (end, special, padding) spell nothing; of several tokens with the same bytes the lowest id stands for all.
Above: binding, shortest, matcher.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Speller"]

_UNREACHABLE = 1 << 60
_REMEMBERED = 1 << 16  # bytes of the longest text that is kept in mind


class _Spelled(NamedTuple):
    """How a text is spelled, by the number of bytes left: the fewest tokens to the end, and the token to take with its size."""

    text: bytes
    costs: list[int]
    steps: list[tuple[int, int]]


class Speller:
    """The tokens of one vocabulary, found by their bytes.

    spells_every_byte: each of the 256 bytes is a token, so every text can be spelled. longest: bytes of the longest token.
    Cost of making one: about 30 ms and 10 MB for 128,000 tokens.
    """

    def __init__(self, tokens: Sequence[bytes]) -> None:
        backwards = dict(zip(reversed(tokens), range(len(tokens) - 1, -1, -1), strict=True))  # the lowest id of equal tokens comes last
        self._ids = {token: token_id for token, token_id in backwards.items() if token}
        self._longest = [0] * 256  # by first byte; bounds the look-ups at each place
        for token in self._ids:
            if len(token) > self._longest[token[0]]:
                self._longest[token[0]] = len(token)
        self.longest = max(self._longest)
        self._known = _Spelled(b"", [0], [(0, 0)])  # replaced whole, never changed, so threads may share it
        self.spells_every_byte = all(bytes([byte]) in self._ids for byte in range(256))

    def fewest(self, text: bytes) -> list[int] | None:
        """As few tokens as spell `text`, of those ways the one with the longest token first; None if no tokens spell it.

        Cost: at each place, one look-up for each token length that could lead to fewer tokens; none at the places of an ending that the text shares with
        the one asked for before, as the completions of one output do.
        """
        known = self._known
        shared = _shared_ending(known.text, text)
        costs, steps = known.costs[: shared + 1], known.steps[: shared + 1]
        for left in range(shared + 1, len(text) + 1):
            place = len(text) - left
            cost, step = _UNREACHABLE, (0, 0)
            for size in range(min(left, self._longest[text[place]]), 0, -1):
                if costs[left - size] + 1 < cost:
                    token_id = self._ids.get(text[place : place + size])
                    if token_id is not None:
                        cost, step = costs[left - size] + 1, (token_id, size)
            costs.append(cost)
            steps.append(step)
        if shared < len(text) <= _REMEMBERED:
            self._known = _Spelled(text, costs, steps)
        return _walked(steps) if costs[len(text)] < _UNREACHABLE else None

    def longest_first(self, text: bytes) -> list[int]:
        """The longest token at each place, as far as tokens fit: these may spell only the beginning of `text`."""
        token_ids: list[int] = []
        place = 0
        while place < len(text):
            found = next((end for end in range(self._furthest(text, place), place, -1) if text[place:end] in self._ids), None)
            if found is None:
                break
            token_ids.append(self._ids[text[place:found]])
            place = found
        return token_ids

    def _furthest(self, text: bytes, place: int) -> int:
        return min(len(text), place + self._longest[text[place]])


def _shared_ending(text: bytes, other: bytes) -> int:
    """The length of the longest ending that two texts share."""
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if text[-middle:] == other[-middle:]:
            low = middle
        else:
            high = middle - 1
    return low


def _walked(steps: Sequence[tuple[int, int]]) -> list[int]:
    token_ids = []
    left = len(steps) - 1
    while left:
        token_id, size = steps[left]
        token_ids.append(token_id)
        left -= size
    return token_ids
