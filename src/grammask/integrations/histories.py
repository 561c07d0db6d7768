"""Which place in its grammar each row of a host's batch stands at, for hosts that show a logits processor nothing but the tokens so far.

Such hosts reorder rows between steps (beams), copy them, score a text twice (drafts), and say neither where a prompt ends nor when an output
begins. Rule: a place depends on a row's tokens alone, never on its number in the batch; places are kept by a digest of the tokens. A row that
was asked for before but for its last token is that output, one token later; so is a row of the call before with some more tokens that its
grammar takes. Any other row is a new prompt.
Below: decoding.  Above: transformers, llama_cpp_python, mlx.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from enum import Enum
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammask.decoding.constraint import Constraint
from grammask.decoding.mask import fill_masks, words_for
from grammask.decoding.matcher import Matcher
from grammask.errors import DecodingError, GrammarStuck, GrammarTypeError, PromptError, TokenRefused, VocabularyError

if TYPE_CHECKING:
    from grammask.vocabulary import Vocabulary

__all__ = ["Histories", "RowMasks"]

# Places kept at least, some 500 bytes each; those asked for longest ago go first.
MOST_PLACES: Final = 16_384
# So many tokens may be taken between two calls, such as text that a caller's own loop puts there, and still be the same output going on.
LONGEST_STEP: Final = 64
_NOTE: Final = (
    "the masks had ruled it out, so something else chose it: have the grammar's processor be the last of the list. "
    "If this is a new prompt, which happens to be an earlier one and a token more, call reset() before it"
)


class _Elsewhere(Enum):
    """Where a row may be that stands at no place of a grammar."""

    FREE = "it has no grammar"
    ENDED = "an end token was taken; what follows is padding"
    OUTSIDE = "it took a token that was ruled out; searches with fewer choices than beams do, at a score of minus infinity"


_Place = Matcher | _Elsewhere
_Key = tuple[int, bytes]
_Ids = NDArray[np.int64]


class RowMasks(NamedTuple):
    """Masks for a batch, and the rows to be treated otherwise.

    rows: uint32 of shape (rows, words).  free: rows without a grammar, whose scores stay as they are.  over: rows that have ended, or cannot go
    on; their mask holds `end` alone, which is to get a finite score, so that whoever draws finds something to draw.
    """

    rows: NDArray[np.uint32]
    free: list[int]
    over: list[int]
    end: int


class Histories:
    """The places of the rows that were asked for of late; shared by threads.

    constraints: one for all rows; or several, None for no grammar, which belong to equal blocks of rows in turn, as hosts lay out beams and
    repeated samples.  max_tokens: the budget of each output, see `Constraint.matcher`.
    Raises GrammarTypeError for what is no constraint, VocabularyError if vocabularies differ or name no end token, BudgetError.
    """

    def __init__(self, constraints: Constraint | Sequence[Constraint | None], max_tokens: int | None = None) -> None:
        listed = _listed(constraints)
        self.vocabulary = _vocabulary_of(listed)
        self._starts = [_Elsewhere.FREE if one is None else one.matcher(max_tokens) for one in listed]
        self._places: OrderedDict[_Key, _Place] = OrderedDict()
        self._asked_before: set[_Key] = set()  # keys of the last call
        self._lock = threading.Lock()
        self._least_scores = 1 + max((at for at, token in enumerate(self.vocabulary.tokens) if token), default=0)

    def reset(self) -> None:
        """Take every row to come for a new prompt."""
        with self._lock:
            self._places.clear()
            self._asked_before.clear()

    def masks(self, token_ids: NDArray[np.integer[Any]], n_scores: int) -> RowMasks:
        """The masks for rows of tokens, shape (rows, length), prompts included, each of which has so many scores.

        Raises TokenRefused or GrammarStuck where no row can go on, PromptError if the rows do not divide among the constraints,
        VocabularyError for fewer scores than tokens. Cost beside the masks: 1 us for each row and 60 us for 4,000 tokens in it.
        """
        rows = np.ascontiguousarray(token_ids, dtype=np.int64)
        end = self.vocabulary.eos_ids[0]
        if n_scores < max(self._least_scores, end + 1):
            text = f"the vocabulary has {self._least_scores} tokens with text and the scores are of {n_scores}"
            raise VocabularyError(f"{text}: this is another model's vocabulary, or a model that drafts for this one with another tokenizer")
        with self._lock:
            asked_now: set[_Key] = set()
            places = [self._place(self._item(number, len(rows)), row, asked_now) for number, row in enumerate(rows)]
            self._asked_before = asked_now
            table = self._filled(places)
            self._forget_oldest(len(rows))
        free = [number for number, place in enumerate(places) if place is _Elsewhere.FREE]
        over = [number for number in np.flatnonzero(~table.any(axis=1)).tolist() if places[number] is not _Elsewhere.FREE]
        if over and len(over) + len(free) == len(rows):
            self._check_some_ended(places, rows)
        table[over, end >> 5] = np.uint32(1) << np.uint32(end & 31)
        return RowMasks(table[:, : words_for(n_scores)], free, over, end)

    # --- places -------------------------------------------------------------------------------------------------------

    def _item(self, number: int, n_rows: int) -> int:
        """Which constraint a row has."""
        if n_rows % len(self._starts):
            raise PromptError(
                f"the rows ({n_rows}) do not divide among {len(self._starts)} constraints", "give one for each prompt of the batch, or one for all"
            )
        return number * len(self._starts) // n_rows

    def _place(self, item: int, row: _Ids, asked_now: set[_Key]) -> _Place:
        start = self._starts[item]
        if not isinstance(start, Matcher):
            return start
        digest = blake2b(row[:-1].tobytes(), digest_size=16)
        before = self._places.get((item, digest.digest())) if row.size else None
        digest.update(row[-1:].tobytes())
        key = (item, digest.digest())
        place = self._places.get(key)
        if place is None:
            place = _after(before, int(row[-1])) if before is not None else self._several_tokens_on(item, row) or start
            self._places[key] = place
        self._places.move_to_end(key)
        asked_now.add(key)
        return place

    def _several_tokens_on(self, item: int, row: _Ids) -> _Place | None:
        """The place of a row of the call before with some tokens more, if its grammar takes them; else this is another prompt: None."""
        taken = row[-LONGEST_STEP:]
        digest = blake2b(row[: row.size - taken.size].tobytes(), digest_size=16)
        found: tuple[_Place, list[int]] | None = None
        for number, token_id in enumerate(taken):
            key = (item, digest.digest())
            if key in self._asked_before:
                found = self._places[key], taken[number:].tolist()
            digest.update(token_id.tobytes())
        if found is None:
            return None
        place, token_ids = found
        for token_id in token_ids:
            place = _after(place, token_id) if isinstance(place, Matcher) else _Elsewhere.OUTSIDE
        return place if isinstance(place, Matcher) else None

    def _forget_oldest(self, n_rows: int) -> None:
        while len(self._places) > max(MOST_PLACES, LONGEST_STEP * n_rows):
            self._places.popitem(last=False)

    # --- masks --------------------------------------------------------------------------------------------------------

    def _filled(self, places: list[_Place]) -> NDArray[np.uint32]:
        """A mask for each place; all zero where there is none. Rows with one history have one matcher."""
        matchers = list(dict.fromkeys(place for place in places if isinstance(place, Matcher)))
        table = np.zeros((len(matchers) + 1, words_for(len(self.vocabulary))), dtype=np.uint32)
        fill_masks(matchers, table[:-1])
        row_of = {matcher: number for number, matcher in enumerate(matchers)}
        return table[[row_of[place] if isinstance(place, Matcher) else len(matchers) for place in places]]

    def _check_some_ended(self, places: list[_Place], rows: _Ids) -> None:
        """Rows that cannot go on are no fault while others can: a search gives them up. Raises where all are like that."""
        if _Elsewhere.ENDED in places:
            return
        error: DecodingError = GrammarStuck()
        number = next((number for number, place in enumerate(places) if place is _Elsewhere.OUTSIDE), None)
        if number is not None and rows.shape[1]:
            token_id = int(rows[number, -1])
            error = TokenRefused(token_id, self.vocabulary.tokens[token_id] if 0 <= token_id < len(self.vocabulary) else b"", rows.shape[1] - 1)
            error.add_note(_NOTE)
        raise error


def _after(place: _Place, token_id: int) -> _Place:
    """The place one token later. The place itself stays as it is."""
    if not isinstance(place, Matcher):
        return place
    if not 0 <= token_id < len(place.vocabulary) or not place.accepts(token_id):
        return _Elsewhere.OUTSIDE
    later = place.copy()
    later.advance(token_id)
    return _Elsewhere.ENDED if later.is_finished else later


def _listed(constraints: Constraint | Sequence[Constraint | None]) -> list[Constraint | None]:
    listed: list[Constraint | None] = [constraints] if isinstance(constraints, Constraint) or not isinstance(constraints, Sequence) else list(constraints)
    for one in listed:
        if one is not None and not isinstance(one, Constraint):
            raise GrammarTypeError(type(one).__name__, "compile it first: grammask.compile(grammar, vocabulary)")
    return listed


def _vocabulary_of(constraints: list[Constraint | None]) -> Vocabulary:
    """The vocabulary that all of them were compiled for."""
    vocabularies = [one.vocabulary for one in constraints if one is not None]
    if not vocabularies:
        raise GrammarTypeError("no constraint at all", "give one, or leave the processor out")
    first = vocabularies[0]
    if any(other is not first and other.fingerprint != first.fingerprint for other in vocabularies):
        raise VocabularyError("the constraints were compiled for different vocabularies; a model has one")
    if not first.eos_ids:
        raise VocabularyError("the vocabulary names no end token, so no output would end; give it the model's: Vocabulary....(..., eos_ids=[...])")
    return first
