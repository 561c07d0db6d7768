"""Encoders of our own: byte-pair merging over exact bytes.

Byte-level BPE (GPT-2 and later) and sentencepiece's BPE are one algorithm: start from small symbols, join the
neighbours whose join ranks best, leftmost first, until none ranks. They differ in the symbols (bytes or characters) and
in what ranks a join (the pair, or the joined token). Both run here on bytes, so that the ids always spell the text.
Rule: no normalisation, no prefix space, no special tokens: `encode(text)` is about this text and nothing else.
Source: Sennrich et al. 2016 for the merging; checked against tiktoken, sentencepiece and tokenizers in the tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from grammask.vocabulary.byte_level import from_bytes
from grammask.vocabulary.pretokenize import split

__all__ = ["MergeEncoder"]


@dataclass(slots=True)
class MergeEncoder:
    """Text -> ids by merging.

    ids: bytes -> id, for tokens that merging may produce.
    ranks: rank of a join by the token it makes, lower first; or merges: rank of a join by its two sides with a space
    between, as tokenizer files list them, each side spelled by `written` (None: it has no spelling).
    patterns: cut the text before merging.  by_character: start from characters instead of bytes.
    whole: take a piece that is a token as it is, without merging.
    single: ids of single bytes for what merging leaves over; without one such a byte is dropped.
    literals: text -> id of tokens that are cut out first (longest first).
    """

    ids: Mapping[bytes, int]
    ranks: Mapping[bytes, float] | None = None
    merges: Mapping[str, int] | None = None
    written: Callable[[bytes], str | None] = from_bytes
    patterns: Sequence[re.Pattern[str]] = ()
    by_character: bool = False
    whole: bool = False
    single: Mapping[int, int] = field(default_factory=dict)
    literals: Mapping[str, int] = field(default_factory=dict)
    _cut: re.Pattern[str] | None = None

    def __post_init__(self) -> None:
        if self.literals:
            longest_first = sorted(self.literals, key=len, reverse=True)
            self._cut = re.compile("(" + "|".join(map(re.escape, longest_first)) + ")")

    def __call__(self, text: str) -> list[int]:
        """The ids. Cost: n log n in the length of a piece. Raises UnicodeEncodeError for a lone surrogate."""
        ids: list[int] = []
        for index, part in enumerate(self._cut.split(text) if self._cut else (text,)):
            if index % 2:
                ids.append(self.literals[part])
                continue
            for piece in split(part, self.patterns):
                ids.extend(self._piece(piece))
        return ids

    def _piece(self, piece: str) -> Iterable[int]:
        data = piece.encode()
        if self.whole and data in self.ids:
            return (self.ids[data],)
        return self._looked_up(self._merged(self.symbols(data)))

    @property
    def only_joins(self) -> bool:
        """Whether nothing is cut before merging, so that neighbours join wherever they stand in a text."""
        return not self.patterns and not self.whole and not self.literals

    def of_bytes(self, data: bytes) -> list[int]:
        """The ids of bytes that need not be whole characters, if nothing is cut before merging (`only_joins`)."""
        return list(self._looked_up(self._merged(self.symbols(data))))

    def symbols(self, data: bytes) -> list[bytes]:
        """What merging starts from, for the bytes of a text."""
        if self.by_character:
            return [c.encode("utf-8", "surrogateescape") for c in data.decode("utf-8", "surrogateescape")]
        return [data[i : i + 1] for i in range(len(data))]

    def _looked_up(self, symbols: Iterable[bytes]) -> Iterable[int]:
        for symbol in symbols:
            token_id = self.ids.get(symbol)
            if token_id is not None:
                yield token_id
            else:
                yield from (self.single[byte] for byte in symbol if byte in self.single)

    def rank(self, left: bytes, right: bytes) -> float | None:
        """The rank of a join, lower first; None if these two are not joined."""
        if self.ranks is not None:
            return self.ranks.get(left + right)
        return self.merges.get(f"{self.written(left)} {self.written(right)}") if self.merges is not None else None

    def _merged(self, symbols: list[bytes]) -> list[bytes]:
        """The symbols with all joins made. A joined symbol stays at its left end's place; the right end's holds b""."""
        n = len(symbols)
        following, before = list(range(1, n + 1)), list(range(-1, n - 1))
        queue = [(rank, i, symbols[i], symbols[i + 1]) for i in range(n - 1) if (rank := self.rank(symbols[i], symbols[i + 1])) is not None]
        heapify(queue)
        while queue:
            _, left, left_symbol, right_symbol = heappop(queue)
            right = following[left]
            if right >= n or symbols[left] is not left_symbol or symbols[right] is not right_symbol:
                continue  # one of the two has been joined to something else since
            symbols[left], symbols[right] = left_symbol + right_symbol, b""
            following[left] = after = following[right]
            if after < n:
                before[after] = left
                self._offer(queue, left, symbols[left], symbols[after])
            if before[left] >= 0:
                self._offer(queue, before[left], symbols[before[left]], symbols[left])
        return [symbol for symbol in symbols if symbol]

    def _offer(self, queue: list[tuple[float, int, bytes, bytes]], place: int, left: bytes, right: bytes) -> None:
        rank = self.rank(left, right)
        if rank is not None:
            heappush(queue, (rank, place, left, right))
