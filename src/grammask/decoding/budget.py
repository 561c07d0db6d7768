"""Masks that leave room to finish: of the tokens a grammar allows, those after which the rest of a token budget still holds a completion.

Rule: the mask is the plain one while the budget is ample, and never empty: the first token of a completion that fits is always in it.
Costs are in tokens: the fewest that spell a shortest completion in bytes, so an upper bound on the fewest of any completion.
Below: matcher, shortest.  Above: constraint, generate.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from grammask import kernel
from grammask.decoding.matcher import Matcher
from grammask.decoding.respelled import Respelled
from grammask.vocabulary import Vocabulary

__all__ = ["BudgetedMatcher", "RespelledMatcher"]

_STATES_REMEMBERED = 20_000
_MOST_ASKED = 64  # tokens that lead to one place, where each may leave something else to be done
_TOLD_BYTES = 64  # by which what they leave may differ


@dataclass(slots=True)
class _Known:
    """What the copies of a matcher know together, by state; it depends on the state alone, so it holds after any rollback.

    completions: tokens that complete the output, the fewest that were found. ample: so many tokens are enough after any token, from
    these counts of characters on (see `place_key`).
    """

    completions: dict[Hashable, list[int]] = field(default_factory=dict)
    ample: dict[Hashable, tuple[tuple[int, ...], int]] = field(default_factory=dict)


class BudgetedMatcher(Matcher):
    """A matcher whose masks go by `max_tokens`, the end token not counted; get it from `Constraint.matcher(max_tokens=...)`.

    `fill_mask`, `count` and `allowed_tokens` leave out tokens after which the output could not be completed in what is left of the budget.
    `advance` takes any token of the grammar; past the budget no token but an end token is in the mask.
    Cost: about that of a plain mask while the budget is ample; else, and once for each new place, that of `successors`.
    """

    __slots__ = ("_known",)
    _known: _Known

    @classmethod
    def _budgeted(cls, matcher: Matcher, max_tokens: int) -> Self:
        made = cls._of(matcher.bound, matcher.vocabulary, matcher._bindings, max_tokens)
        made._known = _Known()
        return made

    def _copied(self, made: Self) -> None:
        super()._copied(made)
        made._known = self._known

    def fill_mask(self, row: Any) -> None:
        """The mask of the tokens after which the rest of the budget is enough; see `Matcher.fill_mask` for the row and its errors."""
        super().fill_mask(row)
        left = self.tokens_left
        if left is None or self.is_finished or self._is_ample(left - 1):
            return
        words = np.frombuffer(row, dtype=np.uint32)
        for token_ids in self._too_dear(left - 1):
            np.bitwise_and.at(words, token_ids >> 5, ~(np.uint32(1) << (token_ids & 31).astype(np.uint32)))

    def shortest_completion(self) -> list[int] | None:
        """Token ids that complete the output from here; see `Matcher.shortest_completion`. One that was found before may be shorter."""
        known = self._known.completions
        key = self.state_key()
        found = known.get(key)
        if found is None:
            found = Matcher.shortest_completion(self.without_budget())
            if found is None:
                return None
            _remember(known, key, found)
        return list(found)

    def _is_ample(self, left: int) -> bool:
        """Whether `left` tokens are enough after any token: what completes is spelled by tokens, and those are at most as many as its bytes."""
        key, counts = self.place_key()
        known = self._known.ample.get(key)
        if known is None or any(count < noted for count, noted in zip(counts, known[0], strict=True)):
            known = counts, self._most_bytes_left()
            _remember(self._known.ample, key, known)
        return left >= known[1]

    def _most_bytes_left(self) -> int:
        """The most bytes that a shortest completion takes after any of the allowed tokens, or before them."""
        most = _bytes_left(self) + _TOLD_BYTES * self._tells_apart
        for token_ids, least in self.successors(brief=True):
            bytes_left = least if least >= 0 else _bytes_left(self._after(token_ids))
            most = max(most, bytes_left + _TOLD_BYTES * self._tells_apart)
        return most

    def _too_dear(self, left: int) -> list[NDArray[np.int32]]:
        """The allowed tokens after which `left` more are not enough; the first one of a completion that fits is never among them."""
        completion = self.shortest_completion()
        if completion is None:  # none was found, so there is nothing to go by
            return []
        if completion and len(completion) <= left + 1:
            self._note_rest(completion)
        if self._tells_apart:
            first = completion[0] if completion and len(completion) <= left + 1 else -1
            return [self._too_dear_of(token_ids, left, first) for token_ids, least in self.successors() if not 0 <= least <= left]
        return [token_ids for token_ids, least in self.successors() if not self._completes_after(int(token_ids[0]), least, left)]

    @property
    def _tells_apart(self) -> bool:
        """Whether what is left to be done depends on the text itself, so that tokens that lead to one place may leave different things."""
        return bool(getattr(self.bound, "tells_apart", False))

    def _too_dear_of(self, token_ids: NDArray[np.int32], left: int, first: int) -> NDArray[np.int32]:
        """Those of some tokens after which `left` more are not enough, each asked for itself; and those past so many that there is no asking.

        first: one of which it is known that the rest is enough.
        """
        enough = {token_id for token_id in token_ids[:_MOST_ASKED].tolist() if self._completes_after(token_id, -1, left)} | {first}
        return np.array([token_id for token_id in token_ids.tolist() if token_id not in enough], dtype=np.int32)

    def _note_rest(self, completion: list[int]) -> None:
        """After the first token of a completion, the others complete the output: another one of as many bytes may take more tokens."""
        after = self.copy()
        after.advance(completion[0])
        key = after.state_key()
        known = self._known.completions.get(key)
        if known is None or len(known) > len(completion) - 1:
            _remember(self._known.completions, key, completion[1:])

    def _completes_after(self, token_id: int, least: int, left: int) -> bool:
        if 0 <= least <= left:
            return True
        after = self.copy()
        after.advance(token_id)
        completion = after.shortest_completion()
        return completion is not None and len(completion) <= left

    def _after(self, token_ids: NDArray[np.int32]) -> Matcher:
        after = self.copy()
        after.advance(int(token_ids[0]))
        return after


class RespelledMatcher(BudgetedMatcher):
    """A matcher of a grammar with special tokens that have bytes for texts in it (`respelled`), so that their costs are known."""

    __slots__ = ("_stand_ins",)
    _stand_ins: bytes

    @classmethod
    def _respelled(cls, grammar: Respelled, vocabulary: Vocabulary, max_tokens: int) -> Self:
        made = cls._of(grammar.bound, vocabulary, grammar.bindings, max_tokens)
        made._known, made._stand_ins = _Known(), grammar.stand_ins
        return made

    def _copied(self, made: Self) -> None:
        super()._copied(made)
        made._stand_ins = self._stand_ins

    def forced_bytes(self) -> bytes:
        """The text that every completion starts with, up to the first special token."""
        text = super().forced_bytes()
        return text[: next((place for place, byte in enumerate(text) if byte in self._stand_ins), len(text))]

    def shortest_bytes(self) -> bytes | None:
        """The bytes of a shortest completion; None if that takes special tokens."""
        text = super().shortest_bytes()
        return None if text is None or not set(self._stand_ins).isdisjoint(text) else text


def _bytes_left(matcher: Matcher) -> int:
    """The bytes of a shortest completion, one for each special token; more than any budget where only special tokens lead on."""
    text = kernel.Matcher.shortest_bytes(matcher)
    return 1 << 62 if text is None else len(text)


def _remember(known: dict[Any, Any], key: Hashable, value: Any) -> None:
    if len(known) >= _STATES_REMEMBERED:
        known.clear()
    known[key] = value
