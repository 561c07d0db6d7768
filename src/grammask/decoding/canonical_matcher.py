"""Masks of canonical outputs, for vocabularies whose tokenizer joins pairs and cuts no words first: exact, and never stuck.

A token is in the mask if the grammar allows it, the tokenizer may write it behind the last one (`canonical_pairs`), and a completion has been seen that
the tokenizer writes behind it. As neighbours are all there is to ask about, such a completion is a text: what the tokenizer makes of it alone begins with
some token, and all tokens that this one may follow can go on so. So a handful of texts answer for all tokens that lead to one place.
Rule: what is in a mask has a proven way to the end, whose tokens are in the masks to come; where there is none at all, the masks are the grammar's, and
`is_canonical` says it.
Below: canonical, canonical_pairs, matcher.  Above: constraint.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from grammask.decoding.canonical import completions
from grammask.decoding.canonical_pairs import Flags, Pairs, packed
from grammask.decoding.matcher import Matcher

__all__ = ["CanonicalMatcher"]

_TRIES = 96  # texts that are tried as completions of one place
_FUEL = 400  # places looked into for tokens that none of these texts answers for
_NEAR = 3  # tokens of which a character may still be open
_PLACES_REMEMBERED = 1_000  # a byte for each token each

Tokens = NDArray[np.int32]


@dataclass(slots=True)
class _Place:
    """Completions of one place: the tokens behind which one was seen, those behind which none was found, and the texts yet to be tried."""

    proven: Flags
    untried: Iterator[list[int]]
    hopeless: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Known:
    """What the copies of a matcher know together, by state, so that it holds after any rollback. They may be in several threads."""

    places: dict[Hashable, _Place] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


class CanonicalMatcher(Matcher):
    """A matcher whose masks keep the output one that the tokenizer would write, token for token; get it from `Constraint.matcher(canonical=True)`.

    `advance` takes any token of the grammar. Once one was taken that the tokenizer would not write there, and where no canonical output exists, the masks
    are the grammar's alone, and `is_canonical` is False.
    Cost: that of `successors`, and some milliseconds for each token and place not seen before.
    """

    __slots__ = ("_known", "_pairs", "_taken")
    _pairs: Pairs | None  # None: a plain matcher, to look ahead with
    _known: _Known
    _taken: list[tuple[int, bool]]  # tokens, each with whether the output is canonical up to it; as many of them count as `position` says

    @classmethod
    def _canonical(cls, matcher: Matcher, pairs: Pairs) -> Self:
        made = cls._of(matcher.bound, matcher.vocabulary, matcher._bindings, None)
        made._pairs, made._known, made._taken = pairs, _Known(), []
        return made

    def _copied(self, made: Self) -> None:
        super()._copied(made)
        made._pairs, made._known, made._taken = self._pairs, self._known, self._taken[: self.position]

    @property
    def is_canonical(self) -> bool:
        """Whether the tokens so far are the tokenizer's own, and go on to a whole output that is. Cost: that of a mask."""
        return self._fits and (self.is_finished or self.is_complete or bool(self._following().any()))

    def advance(self, token_id: int) -> None:
        """Take a token of the grammar; see `Matcher.advance`."""
        place, pairs = self.position, self._pairs
        super().advance(token_id)
        if pairs is not None:
            fits = self._fits_at(place) and (self.is_finished or bool(pairs.next_to(self._tail(place))[token_id]))
            self._taken[place:] = [(token_id, fits)]

    def fill_mask(self, row: Any) -> None:
        """The mask of the tokens that keep the output canonical; see `Matcher.fill_mask` for the row and its errors."""
        super().fill_mask(row)
        if self._pairs is None or self.is_finished or not self._fits:
            return
        following = self._following()
        if following.any() or self.is_complete:
            following[list(self.vocabulary.eos_ids)] = True
            words = np.frombuffer(row, dtype=np.uint32)
            words &= packed(following)

    # --- how it is found ------------------------------------------------------------------------------------------

    @property
    def _fits(self) -> bool:
        return self._fits_at(self.position)

    def _fits_at(self, place: int) -> bool:
        """Whether so many of the tokens are the tokenizer's own."""
        return place == 0 or self._taken[place - 1][1]

    def _tail(self, place: int) -> list[int]:
        return [token_id for token_id, _ in self._taken[max(0, place - _NEAR) : place]]

    def _following(self) -> Flags:
        """The tokens, but for end tokens, that may come next."""
        pairs = self._pairs
        assert pairs is not None  # else nobody asks
        plain = self.copy()
        plain._pairs, plain._taken = None, []
        with self._known.lock:
            return _Search(pairs, self._known.places).following(plain, self._tail(self.position))


class _Search:
    """Looks for completions that the tokenizer writes, with plain matchers."""

    def __init__(self, pairs: Pairs, places: dict[Hashable, _Place]) -> None:
        self._pairs, self._places = pairs, places

    def following(self, here: Matcher, before: Sequence[int]) -> Flags:
        """The tokens by which an output goes on that ends with some tokens of the tokenizer's own."""
        found = np.zeros(len(here.vocabulary), dtype=bool)
        for there, token_ids in self._by_place(here, before):
            whole, inside = self._parted(before, token_ids)
            found[whole if there.is_complete else self._proven(there, whole)] = True
            found[[token_id for token_id in inside if self._goes_on(there, [*before, token_id], [_FUEL])]] = True
        return found

    def _by_place(self, here: Matcher, before: Sequence[int]) -> Iterator[tuple[Matcher, Tokens]]:
        """The tokens that grammar and tokenizer allow here, by the places that they lead to."""
        row = self._pairs.next_to(before)
        for token_ids, _ in here.successors():
            fitting = token_ids[row[token_ids]]
            if len(fitting):
                there = here.copy()
                there.advance(int(fitting[0]))
                yield there, fitting

    def _parted(self, before: Sequence[int], token_ids: Tokens) -> tuple[Tokens, list[int]]:
        """Those of some tokens that end characters, and those behind which one goes on that is written as bytes."""
        inside = [token_id for token_id in self._pairs.bytes_among(token_ids) if self._pairs.is_inside([*before, token_id])]
        return (np.setdiff1d(token_ids, inside).astype(np.int32) if inside else token_ids), inside

    def _proven(self, there: Matcher, token_ids: Tokens) -> Tokens:
        """Those of some tokens, which end characters and lead to one place, behind which a completion is found."""
        place = self._place(there)
        while not place.proven[token_ids].all():
            completion = next(place.untried, None)
            if completion is None:
                break
            self._prove(there, completion)
        for token_id in token_ids[~place.proven[token_ids]].tolist():
            if token_id not in place.hopeless:
                if self._goes_on(there, [token_id], [_FUEL]):
                    place.proven[token_id] = True
                else:
                    place.hopeless.add(token_id)
        return token_ids[place.proven[token_ids]]

    def _goes_on(self, there: Matcher, before: Sequence[int], fuel: list[int]) -> bool:
        """Whether a completion is found behind these tokens in particular, by looking at all ways to go on until one is seen."""
        fuel[0] -= 1
        if fuel[0] <= 0:
            return False
        before = before[-_NEAR:]
        ways = list(self._by_place(there, before))
        if any(beyond.is_complete or self._is_proven(beyond, before, token_ids) for beyond, token_ids in ways):
            return True
        return any(self._goes_on(beyond, [*before, int(token_id)], fuel) for beyond, token_ids in ways for token_id in token_ids)

    def _is_proven(self, there: Matcher, before: Sequence[int], token_ids: Tokens) -> bool:
        """Whether a completion is proven behind any of some tokens that lead to one place, and end characters."""
        whole, _ = self._parted(before, token_ids)
        place = self._place(there)
        while len(whole) and not place.proven[whole].any():
            completion = next(place.untried, None)
            if completion is None:
                return False
            self._prove(there, completion)
        return bool(len(whole))

    def _place(self, there: Matcher) -> _Place:
        key = there.state_key()
        found = self._places.get(key)
        if found is None:
            if len(self._places) >= _PLACES_REMEMBERED:
                self._places.pop(next(iter(self._places)))
            proven = np.zeros(len(there.vocabulary), dtype=bool)
            found = self._places[key] = _Place(proven, islice(completions(there.copy()), _TRIES))
        return found

    def _prove(self, there: Matcher, completion: Sequence[int]) -> None:
        """Note what a completion proves, written as the tokenizer does: behind which tokens it may come, and its own on the way."""
        token_ids = self._pairs.written(there.vocabulary.decode(completion))
        here = there.copy()
        steps = []
        for token_id in token_ids:
            if here.is_finished or not here.accepts(token_id):
                return
            steps.append((self._place(here), token_id))
            here.advance(token_id)
        if not here.is_complete:
            return
        for number, (place, token_id) in enumerate(steps):
            if number:
                place.proven[token_ids[number - 1]] = True
            elif not self._pairs.is_byte(token_id):
                place.proven |= self._pairs.before(token_id)
            else:
                place.proven |= self._pairs.ends
