"""The index of a regular grammar over a vocabulary: every state's tokens and next states, worked out beforehand, as plain arrays.

Rule: an index says what masks say; it is for engines that cannot call a library at each step. Masks need none of it, and far less memory.
Rule: a file is read as arrays of the stated types, and used only if its digest and all offsets and numbers in it are sound.
Below: kernel, grammar.recursion, index_file.  Above: constraint.  Source: Willard & Louf 2023.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from operator import index as whole
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from grammask import kernel
from grammask.arguments import instance, or_none, takes
from grammask.arguments import path as path_kind
from grammask.decoding.index_file import read_arrays, write_arrays
from grammask.decoding.mask import words_for
from grammask.errors import IndexFileError, LimitError, MaskShapeError, StateOutOfRange, TokenOutOfRange, TokenRefused, UnsupportedFeatureError
from grammask.grammar.recursion import nesting_rules
from grammask.kernel.tables import RuleTable
from grammask.vocabulary import Vocabulary

__all__ = ["Index", "IndexForecast", "forecast_of", "index_of"]


class IndexForecast(NamedTuple):
    """How large an index would be: states, the one behind the end tokens included; (state, token) pairs; bytes of its arrays, at most."""

    states: int
    transitions: int
    n_bytes: int


class Index:
    """All states of a grammar over a vocabulary; get it from `Constraint.index` or `Index.load`. Immutable.

    start: the state of an empty output.  states: how many there are; they count from 0.
    finals: the states in which the output is complete, increasing; there, and only there, end tokens are allowed.
    finished: the state that end tokens lead to, in which nothing is allowed; None for a vocabulary without end tokens.
    row_start, token_ids, next_states: the tokens allowed in state s are token_ids[row_start[s]:row_start[s + 1]], increasing, and
    next_states holds where each of them leads. All arrays are read-only.
    vocabulary_size, end_ids, fingerprint: of the vocabulary it was made for.
    """

    __slots__ = ("end_ids", "finals", "fingerprint", "finished", "next_states", "row_start", "start", "token_ids", "vocabulary_size")
    start: int
    finals: NDArray[np.int32]
    finished: int | None
    row_start: NDArray[np.int64]
    token_ids: NDArray[np.int32]
    next_states: NDArray[np.int32]
    vocabulary_size: int
    end_ids: tuple[int, ...]
    fingerprint: str

    @classmethod
    def _of(cls, arrays: Rows, vocabulary: Vocabulary) -> Self:
        index = cls.__new__(cls)
        for array in arrays:
            array.flags.writeable = False
        index.row_start, index.token_ids, index.next_states, index.finals = arrays
        index.start, index.vocabulary_size = 0, len(vocabulary)
        index.end_ids, index.fingerprint = tuple(sorted(vocabulary.eos_ids)), vocabulary.fingerprint
        index.finished = index.states - 1 if index.end_ids else None
        return index

    @property
    def states(self) -> int:
        """How many states there are, `finished` included."""
        return len(self.row_start) - 1

    @property
    def n_bytes(self) -> int:
        """Memory of all arrays."""
        return self.row_start.nbytes + self.token_ids.nbytes + self.next_states.nbytes + self.finals.nbytes

    def allowed_tokens(self, state: int) -> NDArray[np.int32]:
        """The ids that may come next in a state, increasing, end tokens among them. Raises StateOutOfRange. Cost: constant, no copy."""
        begin, end = self._row(state)
        return self.token_ids[begin:end]

    def next_state(self, state: int, token_id: int) -> int:
        """Where a token leads. Raises TokenRefused if it is not allowed, StateOutOfRange, TokenOutOfRange. Cost: a binary search."""
        begin, end = self._row(state)
        token = _number(token_id)
        if not 0 <= token < self.vocabulary_size:
            raise TokenOutOfRange(token_id, self.vocabulary_size)
        at = begin + int(self.token_ids[begin:end].searchsorted(token))
        if at == end or int(self.token_ids[at]) != token:
            raise TokenRefused(token, state=int(state))
        return int(self.next_states[at])

    def is_final(self, state: int) -> bool:
        """Whether the output is complete in a state. Raises StateOutOfRange."""
        self._row(state)
        at = int(self.finals.searchsorted(state))
        return at < len(self.finals) and int(self.finals[at]) == state

    def fill_mask(self, state: int, row: Any) -> None:
        """Write a state's mask as `Matcher.fill_mask` does: ceil(vocabulary / 32) words, overwritten. Raises StateOutOfRange, MaskShapeError."""
        words = np.asarray(row)
        expected = words_for(self.vocabulary_size)
        if words.shape != (expected,) or words.dtype.kind not in "iu" or words.itemsize != 4 or not words.flags.writeable:
            raise MaskShapeError(expected, f"{words.dtype} of shape {words.shape}")
        bits = np.zeros(32 * expected, dtype=np.bool_)
        bits[self.allowed_tokens(state)] = True
        words[...] = np.packbits(bits, bitorder="little").view("<u4").astype(words.dtype, copy=False).view(words.dtype)

    def _row(self, state: int) -> tuple[int, int]:
        number = _number(state)
        if not 0 <= number < self.states:
            raise StateOutOfRange(state, self.states)
        return int(self.row_start[number]), int(self.row_start[number + 1])

    @takes(path=path_kind)
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to a file of plain arrays (.npz without compression or pickles; see the reference on saved indexes).

        The file appears whole or not at all. Raises OSError. Cost: 8 bytes for each transition.
        """
        write_arrays(path, {name: np.asarray(value) for name, value in self._facts().items()})

    def _facts(self) -> dict[str, Any]:
        return {
            "vocabulary_size": np.int64(self.vocabulary_size),
            "vocabulary_fingerprint": np.frombuffer(bytes.fromhex(self.fingerprint), dtype=np.uint8),
            "end_ids": np.array(self.end_ids, dtype=np.int32),
            "start": np.int64(self.start),
            "finals": self.finals,
            "row_start": self.row_start,
            "token_ids": self.token_ids,
            "next_states": self.next_states,
        }

    @classmethod
    @takes(path=path_kind, vocabulary=or_none(instance(Vocabulary)))
    def load(cls, path: str | os.PathLike[str], vocabulary: Vocabulary | None = None) -> Self:
        """Read a saved index. With a vocabulary, its fingerprint is compared.

        Raises IndexFileError for a file that is damaged, cut short, of another version or of another vocabulary, OSError for one that
        cannot be read. Cost: reading it, and a digest at about 1 GB a second.
        """
        facts = read_arrays(path)
        index = cls.__new__(cls)
        index.vocabulary_size, index.start = int(facts["vocabulary_size"]), int(facts["start"])
        index.fingerprint = facts["vocabulary_fingerprint"].tobytes().hex()
        index.end_ids = tuple(facts["end_ids"].tolist())
        index.finals, index.row_start = _frozen(facts["finals"]), _frozen(facts["row_start"])
        index.token_ids, index.next_states = _frozen(facts["token_ids"]), _frozen(facts["next_states"])
        reason = index._fault()
        if reason:
            raise IndexFileError(os.fspath(path), reason)
        index.finished = index.states - 1 if index.end_ids else None
        if vocabulary is not None and index.fingerprint != vocabulary.fingerprint:
            raise IndexFileError(os.fspath(path), "it was made for another vocabulary")
        return index

    def _fault(self) -> str:
        """What makes the arrays no index; "" if nothing does. Its digest has been found right, so this is about who wrote it."""
        n, rows = len(self.token_ids), np.diff(self.row_start)
        within = rows.cumsum()[:-1] if len(rows) else rows
        rises = np.diff(self.token_ids) > 0
        rises[within[(within > 0) & (within < n)] - 1] = True
        faults = {
            "it has no states": len(rows) == 0 or not 0 <= self.start < len(rows),
            "its rows do not cover its tokens": len(self.next_states) != n or self.row_start[0:1].tolist() != [0] or self.row_start[-1:].tolist() != [n],
            "its rows overlap": bool((rows < 0).any()),
            "its tokens are no ids of the vocabulary, in order": n > 0 and not (_within(self.token_ids, self.vocabulary_size) and bool(rises.all())),
            "it leads to states that it does not have": not _within(self.next_states, len(rows)) or not _within(self.finals, len(rows)),
            "its final states are not in order": bool((np.diff(self.finals) <= 0).any()),
            "its end tokens are no ids of the vocabulary": not _within(np.array(self.end_ids, dtype=np.int64), self.vocabulary_size),
        }
        return next((reason for reason, is_so in faults.items() if is_so), "")

    def __repr__(self) -> str:
        return f"<Index of {self.states} states, {len(self.token_ids)} transitions, {len(self.finals)} final>"


Rows = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _within(numbers: NDArray[Any], bound: int) -> bool:
    return not numbers.size or (int(numbers.min()) >= 0 and int(numbers.max()) < bound)


def _number(value: int) -> int:
    try:
        return whole(value)
    except TypeError:
        return -1


# --- making one -----------------------------------------------------------------------------------------------------


def forecast_of(bound: kernel.Bound, table: RuleTable, max_states: int, max_bytes: int) -> IndexForecast:
    """The size of the index of a grammar, counted exactly. See `Constraint.index_forecast`."""
    measure, _ = _explored(bound, table, max_states)
    return _measured(measure, max_bytes)


def index_of(bound: kernel.Bound, table: RuleTable, vocabulary: Vocabulary, max_states: int, max_bytes: int) -> Index:
    """The index of a grammar. See `Constraint.index`."""
    measure, rows = _explored(bound, table, max_states)
    _measured(measure, max_bytes)
    return Index._of(rows(), vocabulary)


Measure = Callable[[int], tuple[int, int]]


def _explored(bound: kernel.Bound, table: RuleTable, max_states: int) -> tuple[Measure, Callable[[], Rows]]:
    """Two functions: one that counts states and transitions up to a bound, one that writes the arrays."""
    nested = nesting_rules(table)
    if nested:
        names = ", ".join(nested[:3]) + (", ..." if len(nested) > 3 else "")
        circle = f"{names} nests in itself" if len(nested) == 1 else f"{names} nest in one another"
        raise UnsupportedFeatureError("an index of a grammar with nesting rules", f"{circle}, so there are states without end; masks need no index")
    if kernel.KERNEL == "reference":
        return _driven(kernel.Matcher(bound), max_states)
    from grammask.kernel.places import explore
    from grammask.kernel.token_automaton import TokenAutomaton

    automaton = TokenAutomaton(bound.store, *explore(bound, max_states))
    return automaton.measure, automaton.rows


def _measured(measure: Measure, max_bytes: int) -> IndexForecast:
    """Count, and refuse what would take too many bytes."""
    states, transitions = measure(max_bytes // 8)
    forecast = IndexForecast(states, transitions, 8 * transitions + 12 * states + 8)
    if forecast.n_bytes > max_bytes:
        counted = None if transitions > max_bytes // 8 else forecast.n_bytes  # counting stops where there are too many
        raise LimitError("size of the index in bytes", counted, max_bytes, "raise max_bytes, shorten bounds of length, or use masks, which need no index")
    return forecast


def _driven(start: kernel.Matcher, max_states: int) -> tuple[Measure, Callable[[], Rows]]:
    """By driving matchers, token by token, breadth first: the plain way, for the plain kernel."""
    matchers = [start]
    numbers = {start.state_key(): 0}
    rows: list[list[tuple[int, int]]] = []
    for here in matchers:  # grows while it is read
        row = []
        for token_id in here.allowed_tokens().tolist():
            after = here.copy()
            after.advance(token_id)
            key = "finished" if after.is_finished else after.state_key()
            if key not in numbers:
                numbers[key] = len(matchers)
                matchers.append(after)
                if len(matchers) > max_states:
                    raise LimitError("number of states", None, max_states, "raise the limit, or use masks, which need no list of all states")
            row.append((token_id, numbers[key]))
        rows.append(row)
    last = len(rows) - 1
    end = numbers.get("finished", last)
    swapped = {end: last, last: end}  # the state behind the end tokens is the last
    order = [swapped.get(state, state) for state in range(len(rows))]
    return lambda _: (len(rows), sum(map(len, rows))), lambda: _laid_out([rows[state] for state in order], swapped, [matchers[state] for state in order])


def _laid_out(rows: list[list[tuple[int, int]]], swapped: dict[int, int], matchers: list[kernel.Matcher]) -> Rows:
    row_start = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    token_ids = np.array([token_id for row in rows for token_id, _ in row], dtype=np.int32)
    next_states = np.array([swapped.get(state, state) for row in rows for _, state in row], dtype=np.int32)
    finals = np.array([state for state, matcher in enumerate(matchers) if matcher.is_complete and not matcher.is_finished], dtype=np.int32)
    return row_start, token_ids, next_states, finals
