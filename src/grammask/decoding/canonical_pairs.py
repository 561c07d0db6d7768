"""Which tokens a byte-pair tokenizer may write side by side.

Joining goes on in each token by itself, as if the other were not there, unless a join across their border comes first. So whether two tokens stay two
depends on the two alone, and a sequence is the tokenizer's own exactly if each of its tokens is and each two neighbours may stand side by side (Berglund
and van der Merwe 2023; Vieira et al. 2025). Holds for tokenizers that do not cut a text into words first.
Rule: no table of all pairs is made; a token's row (what may follow it) or column (what it may follow) is worked out when asked for, and kept.
Below: vocabulary.  Above: canonical_matcher.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from grammask.vocabulary import Vocabulary
from grammask.vocabulary.encoders import MergeEncoder

__all__ = ["Flags", "Pairs", "packed", "pairs_of"]

_REMEMBERED = 512  # rows and columns, one byte for each token
_NEVER = float("inf")
_AT_ONCE = float("-inf")

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]


@dataclass(slots=True)
class _Spine:
    """What stands at one border of a token as its joins go on: parts, each with the levels at which it comes and goes.

    The level of a join is the highest rank among all joins up to it, and so orders the joins of tokens that are joined side by side. between: the
    highest rank of the joins behind the one that made the part, up to the one that uses it.
    """

    parts: list[bytes]
    born: list[float]
    gone: list[float]
    between: list[float]

    def changed(self, part: bytes, level: float, between: float) -> float:
        """Another part is there; the highest rank behind it, to begin with."""
        self.parts.append(part)
        self.born.append(level)
        self.gone.append(level)
        self.between.append(between)
        return _AT_ONCE


@dataclass(slots=True)
class _Holders:
    """The tokens that hold a part at one border, with its levels there."""

    token_ids: NDArray[np.int32]
    born: Numbers
    gone: Numbers
    between: Numbers


class Pairs:
    """Get it from `pairs_of`.

    own: the tokens that the tokenizer writes for their own text, in some text. Cost of making it: about 60 us a token; of a row or column some
    milliseconds, the first time.
    """

    def __init__(self, vocabulary: Vocabulary, encoder: MergeEncoder) -> None:
        self._size, self._encoder = len(vocabulary), encoder
        self.own: Flags = np.zeros(self._size, dtype=bool)
        self._left: dict[int, _Spine] = {}
        self._right: dict[int, _Spine] = {}
        for data, token_id in encoder.ids.items():
            self._add(data, token_id)
        self._left_holders, self._right_holders = _holders(self._left), _holders(self._right)
        self._joins_behind, self._joins_before = self._joins()
        self._none: Flags = np.zeros(self._size, dtype=bool)
        self._bytes = UnknownCharacters(encoder.ids) if encoder.by_character else None
        self._byte_ids = {token_id: byte for byte, token_id in encoder.single.items()} if encoder.by_character else {}
        self.ends = self.own.copy()  # tokens behind which a character may begin
        self.ends[list(self._byte_ids)] = True
        self._is_byte = self._none.copy()
        self._is_byte[list(self._byte_ids)] = True
        self._behind: dict[bytes, Flags] = {}
        self._rows: OrderedDict[tuple[int, bool], Flags] = OrderedDict()
        self._lock = threading.Lock()

    def next_to(self, token_ids: Sequence[int]) -> Flags:
        """For each token whether it may follow these, which are the tokenizer's own; read-only. A tokenizer that goes by characters writes those that

        it does not know as tokens of their bytes; inside one, only its next byte may follow.
        """
        begun = self._begun(token_ids)
        if begun or not token_ids or token_ids[-1] in self._byte_ids:
            return self._with_bytes(self.own if not begun else self._none, begun)
        return self._with_bytes(self.after(token_ids[-1]), b"")

    def is_inside(self, token_ids: Sequence[int]) -> bool:
        """Whether these tokens end inside a character that is written as bytes."""
        return token_ids[-1] in self._byte_ids and bool(self._begun(token_ids))

    def bytes_among(self, token_ids: NDArray[np.int32]) -> list[int]:
        """Those of some tokens that stand for a byte of a character written as bytes."""
        found: list[int] = token_ids[self._is_byte[token_ids]].tolist()
        return found

    def is_byte(self, token_id: int) -> bool:
        """Whether a token stands for a byte of such a character."""
        return token_id in self._byte_ids

    def written(self, data: bytes) -> list[int]:
        """The tokenizer's tokens for a text, which may begin inside a character."""
        return self._encoder.of_bytes(data)

    def after(self, token_id: int) -> Flags:
        """For each token whether it may follow this one; read-only."""
        return self._remembered(token_id, True)

    def before(self, token_id: int) -> Flags:
        """For each token that ends a character whether this one may follow it; read-only. Any token may follow a character written as bytes."""
        return self._remembered(token_id, False)

    def _begun(self, token_ids: Sequence[int]) -> bytes:
        """The bytes of a character that the last tokens have begun and not ended."""
        tail = bytes(self._byte_ids[token_id] for token_id in token_ids[-3:] if token_id in self._byte_ids)
        for size in range(1, len(tail) + 1):
            if tail[-size] >= 0xC0:
                return tail[-size:] if size < _length(tail[-size]) else b""
        return b""

    def _with_bytes(self, flags: Flags, begun: bytes) -> Flags:
        return flags if self._bytes is None else flags | self._bytes_behind(begun, self._bytes)

    def _bytes_behind(self, begun: bytes, unknown: UnknownCharacters) -> Flags:
        """The tokens of bytes that go on with what is begun of a character."""
        found = self._behind.get(begun)
        if found is None:
            found = self._none.copy()
            found[[token_id for token_id, byte in self._byte_ids.items() if unknown.begin_with(begun + bytes([byte]))]] = True
            if len(self._behind) < _REMEMBERED:
                self._behind[begun] = found
        return found

    def _remembered(self, token_id: int, is_after: bool) -> Flags:
        with self._lock:
            found = self._rows.get((token_id, is_after))
            if found is None:
                found = self._rows[token_id, is_after] = self._made(token_id, is_after)
                if len(self._rows) > _REMEMBERED:
                    self._rows.popitem(last=False)
            return found

    def _made(self, token_id: int, is_after: bool) -> Flags:
        flags = self.own.copy()
        if not self.own[token_id]:
            flags[:] = False
        spine = (self._right if is_after else self._left).get(token_id)
        if spine is not None:
            joins = self._joins_behind if is_after else self._joins_before
            holders = self._left_holders if is_after else self._right_holders
            for part, born, gone, between in zip(spine.parts, spine.born, spine.gone, spine.between, strict=True):
                for other, rank in joins.get(part, ()):
                    held = holders[other]
                    mine, theirs = (born, gone, between), (held.born, held.gone, held.between)
                    joined = _is_joined(rank, *mine, *theirs) if is_after else _is_joined(rank, *theirs, *mine)
                    flags[held.token_ids[joined]] = False
        if not is_after and self._byte_ids:
            flags[list(self._byte_ids)] = True
        flags.flags.writeable = False
        return flags

    def _add(self, data: bytes, token_id: int) -> None:
        left, right = _spines(self._encoder, self._encoder.symbols(data))
        if left.parts[-1] == data:
            self.own[token_id] = True
            self._left[token_id], self._right[token_id] = left, right

    def _joins(self) -> tuple[dict[bytes, list[tuple[bytes, float]]], dict[bytes, list[tuple[bytes, float]]]]:
        """For each part at the end of a token those that it may be joined with behind a border, with the rank; and the other way round."""
        behind, before = defaultdict(list), defaultdict(list)
        for data in self._encoder.ids:
            for cut in range(1, len(data)):
                left, right = data[:cut], data[cut:]
                if left in self._right_holders and right in self._left_holders:
                    rank = self._encoder.rank(left, right)
                    if rank is not None:
                        behind[left].append((right, float(rank)))
                        before[right].append((left, float(rank)))
        return dict(behind), dict(before)


class UnknownCharacters:
    """The characters that are no token, by how their UTF-8 begins."""

    def __init__(self, tokens: Iterable[bytes]) -> None:
        self._known = Counter(token[:size] for token in tokens if _is_character(token) for size in range(1, len(token) + 1))

    def begin_with(self, data: bytes) -> bool:
        """Whether there are any whose UTF-8 begins with these bytes."""
        return _n_characters(data) > self._known[data]


def _is_character(data: bytes) -> bool:
    return (data.isascii() and len(data) == 1) or (len(data) in (2, 3, 4) and data[0] >= 0xC0 and _length(data[0]) == len(data))


def _length(lead: int) -> int:
    """Bytes of a character that begins with this one."""
    return 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _n_characters(data: bytes) -> int:
    """How many characters there are whose UTF-8 begins with these bytes."""
    lead, rest = data[0], data[1:]
    more = _length(lead) - len(data)
    if 0x80 <= lead < 0xC2 or lead > 0xF4 or more < 0 or any(not 0x80 <= byte < 0xC0 for byte in rest):
        return 0
    value = lead & (0x7F, 0x1F, 0x0F, 0x07)[_length(lead) - 1]
    for byte in rest:
        value = value << 6 | byte & 0x3F
    first, last = value << 6 * more, (value + 1 << 6 * more) - 1
    least = (0, 0x80, 0x800, 0x10000)[_length(lead) - 1]
    return _overlap(first, last, least, 0x10FFFF) - _overlap(first, last, 0xD800, 0xDFFF)


def _overlap(first: int, last: int, start: int, end: int) -> int:
    return max(0, min(last, end) - max(first, start) + 1)


def _spines(encoder: MergeEncoder, symbols: list[bytes]) -> tuple[_Spine, _Spine]:
    """Join the symbols of a token, and note what stands at its left and at its right border. Both end with the token, or b"" if it falls apart."""
    left, right = (_Spine([end], [_AT_ONCE], [], []) for end in (symbols[0], symbols[-1]))
    ranks = [_rank(encoder, *pair) for pair in pairwise(symbols)]
    level, since_left, since_right = _AT_ONCE, _AT_ONCE, _AT_ONCE
    while ranks and (rank := min(ranks)) < _NEVER:
        at = ranks.index(rank)
        level, since_left, since_right = max(level, rank), max(since_left, rank), max(since_right, rank)
        is_first, is_last = at == 0, at == len(ranks) - 1
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
        del ranks[at]
        if not is_first:
            ranks[at - 1] = _rank(encoder, symbols[at - 1], symbols[at])
        else:
            since_left = left.changed(symbols[at], level, since_left)
        if not is_last:
            ranks[at] = _rank(encoder, symbols[at], symbols[at + 1])
        else:
            since_right = right.changed(symbols[at], level, since_right)
    for spine in (left, right):
        spine.gone.append(_NEVER)
        spine.between.append(_NEVER)
        if len(symbols) > 1:
            spine.parts[-1] = b""
    return left, right


def _rank(encoder: MergeEncoder, left: bytes, right: bytes) -> float:
    rank = encoder.rank(left, right)
    return _NEVER if rank is None else float(rank)


def _holders(spines: dict[int, _Spine]) -> dict[bytes, _Holders]:
    parts = [part for spine in spines.values() for part in spine.parts]
    number_of = {part: number for number, part in enumerate(dict.fromkeys(parts))}
    numbers = np.array([number_of[part] for part in parts], dtype=np.int64)
    order = np.argsort(numbers, kind="stable")
    token_ids = np.repeat(np.array(list(spines), dtype=np.int32), [len(spine.parts) for spine in spines.values()])
    levels = [np.array(list(chain.from_iterable(column)), dtype=np.float64)[order] for column in zip(*map(_levels, spines.values()), strict=True)]
    bounds = np.searchsorted(numbers[order], np.arange(len(number_of) + 1)).tolist()
    token_ids = token_ids[order]
    return {part: _held(token_ids, levels, bounds[at], bounds[at + 1]) for part, at in number_of.items()}


def _held(token_ids: NDArray[np.int32], levels: Sequence[Numbers], start: int, end: int) -> _Holders:
    return _Holders(token_ids[start:end], *(column[start:end] for column in levels))


def _levels(spine: _Spine) -> tuple[list[float], list[float], list[float]]:
    return spine.born, spine.gone, spine.between


def _is_joined(rank: float, born_x: Any, gone_x: Any, between_x: Any, born_y: Any, gone_y: Any, between_y: Any) -> Any:
    """Whether a part x at the end of a token and a part y at the beginning of the next are joined across the border, by a join of this rank.

    Of joins of one rank the leftmost comes first, so those of the left token come before this one and those of the right token behind it.
    """
    level = np.maximum(born_x, born_y)
    low = (gone_x > rank) & ((gone_y > rank) | (np.where(born_y < rank, gone_y, between_y) >= rank))
    made_left = (gone_y >= level) & ((gone_x > level) | (between_x > rank))
    made_right = (gone_x > level) & ((gone_y > level) | (between_y >= rank))
    return np.where(level <= rank, low, np.where(born_x > born_y, made_left, made_right))


def packed(flags: Flags) -> NDArray[np.uint32]:
    """Flags of tokens as the words of a mask."""
    padding = np.zeros(-len(flags) % 32, dtype=bool)
    words: NDArray[np.uint32] = np.packbits(np.concatenate([flags, padding]), bitorder="little").view(np.uint32)
    return words


_LOCK = threading.Lock()
_MADE: WeakKeyDictionary[Vocabulary, Pairs | None] = WeakKeyDictionary()


def pairs_of(vocabulary: Vocabulary) -> Pairs | None:
    """The pairs of a vocabulary whose `encode` is known to do nothing but join; None for any other. Made once a vocabulary."""
    with _LOCK:
        if vocabulary not in _MADE:
            encoder = vocabulary.encode
            known = isinstance(encoder, MergeEncoder) and encoder.only_joins
            _MADE[vocabulary] = Pairs(vocabulary, encoder) if known and isinstance(encoder, MergeEncoder) else None
        return _MADE[vocabulary]
