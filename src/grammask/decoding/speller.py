"""Which tokens of a vocabulary spell a text: the fewest, or the longest one at each place.

Rule: tokens without text (end, special, padding) spell nothing; of several tokens with the same bytes the lowest id stands for all.
Above: binding, shortest, matcher.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Speller"]

_UNREACHABLE = 1 << 60


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
        self.spells_every_byte = all(bytes([byte]) in self._ids for byte in range(256))

    def fewest(self, text: bytes) -> list[int] | None:
        """As few tokens as spell `text`, of those ways the one with the longest token first; None if no tokens spell it.

        Cost: at each place, one look-up for each token length that could lead to fewer tokens.
        """
        cost = [_UNREACHABLE] * len(text) + [0]  # by place: tokens from there to the end
        taken = [(0, 0)] * len(text)  # by place: the token to take there, and where it ends
        for place in range(len(text) - 1, -1, -1):
            for end in range(self._furthest(text, place), place, -1):
                if cost[end] + 1 < cost[place]:
                    token_id = self._ids.get(text[place:end])
                    if token_id is not None:
                        cost[place], taken[place] = cost[end] + 1, (token_id, end)
        return _walked(taken) if cost[0] < _UNREACHABLE else None

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


def _walked(taken: Sequence[tuple[int, int]]) -> list[int]:
    token_ids = []
    place = 0
    while place < len(taken):
        token_id, place = taken[place]
        token_ids.append(token_id)
    return token_ids
