"""Drafts and rollbacks: whatever was tried, the state is that of a fresh replay."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammask
from grammask.errors import MaskShapeError, TokenOutOfRange

from .worlds import byte_vocabulary, law, texts

WORDS = ('": ', '", "', '{"', "]}", "tru", "12", "[{")
VOCABULARY = byte_vocabulary(*WORDS)
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string", "maxLength": 5}, "maxItems": 3}, "any": {}},
    "required": ["name"],
}
CONSTRAINT = grammask.compile(grammask.json_schema(SCHEMA), VOCABULARY)


def mask(matcher: grammask.Matcher) -> np.ndarray:
    row = np.zeros(CONSTRAINT.mask_words, dtype=np.uint32)
    matcher.fill_mask(row)
    return row


def replayed(token_ids: list[int], max_tokens: int | None = None) -> grammask.Matcher:
    matcher = CONSTRAINT.matcher(max_tokens)
    for token_id in token_ids:
        matcher.advance(token_id)
    return matcher


def wander(seed: int, steps: int, max_tokens: int | None = None) -> None:
    """Draft, take, roll back and copy at random; after each, state and mask are those of a fresh matcher that took the same tokens."""
    rng = np.random.default_rng(seed)
    matcher, taken = CONSTRAINT.matcher(max_tokens), []
    for _ in range(steps):
        allowed = matcher.allowed_tokens()
        draft = [int(rng.choice(allowed))] if allowed.size else []
        after = matcher.copy()
        while draft and rng.random() < 0.8 and after.advance_many(draft[-1:]) and after.allowed_tokens().size:
            draft.append(int(rng.choice(after.allowed_tokens())) if rng.random() < 0.85 else int(rng.integers(len(VOCABULARY))))
        rows = np.full((len(draft) + 1, CONSTRAINT.mask_words), 7, dtype=np.uint32)
        good = matcher.draft(draft)
        assert matcher.fill_draft_masks(draft, rows) == good
        for place in range(good + 1):
            assert (rows[place] == mask(replayed([*taken, *draft[:place]], max_tokens))).all()
        assert not rows[good + 1 :].any()
        if rng.random() < 0.7:
            assert matcher.advance_many(draft) == good
            taken += draft[:good]
        if rng.random() < 0.4:
            back = int(rng.integers(len(taken) + 1))
            matcher.rollback(back)
            taken = taken[: len(taken) - back]
        if rng.random() < 0.2:
            matcher = matcher.copy()
        fresh = replayed(taken, max_tokens)
        assert matcher.position == len(taken)
        assert matcher.state_key() == fresh.state_key()
        assert (matcher.is_complete, matcher.is_finished) == (fresh.is_complete, fresh.is_finished)
        assert (mask(matcher) == mask(fresh)).all()


@law
@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 40]))
def test_drafts_and_rollbacks_leave_what_a_fresh_replay_gives(seed, max_tokens):
    """Random drafts, legal and not, taken or abandoned, and rollbacks over any number of tokens, with a budget and without."""
    wander(seed, 6, max_tokens)


def test_drafts_and_rollbacks_from_sixteen_threads():
    """The same from 16 threads on one constraint."""
    with ThreadPoolExecutor(16) as pool:
        for done in [pool.submit(wander, seed, 8) for seed in range(48)]:
            done.result()


def test_many_tokens_are_taken_up_to_the_first_that_is_not_allowed():
    """`advance_many` says how many it took; an end token is one of them, and nothing follows it."""
    matcher = grammask.compile(texts("ab", "abc"), VOCABULARY).matcher()
    assert matcher.advance_many(b"abx") == 2
    assert matcher.position == 2
    assert matcher.advance_many([256, 97]) == 1
    assert matcher.is_finished
    matcher.rollback(3)
    assert matcher.position == 0


def test_masks_for_a_draft_that_ends():
    """Behind an end token nothing is allowed; the state stays where it was."""
    matcher = grammask.compile(texts("a"), VOCABULARY).matcher()
    rows = np.ones((4, CONSTRAINT.mask_words), dtype=np.uint32)
    assert matcher.fill_draft_masks([97, 256, 97], rows) == 2
    assert not rows[2:].any()
    assert matcher.position == 0


def test_rows_that_do_not_fit_and_ids_out_of_range_are_refused():
    """A row for each token of the draft and one more; the state is unchanged by the error."""
    matcher = CONSTRAINT.matcher()
    with pytest.raises(MaskShapeError):
        matcher.fill_draft_masks([123], np.zeros((1, CONSTRAINT.mask_words), dtype=np.uint32))
    with pytest.raises(TokenOutOfRange):
        matcher.fill_draft_masks([123, 10**6], np.zeros((3, CONSTRAINT.mask_words), dtype=np.uint32))
    assert matcher.position == 0


def test_forced_text_is_a_free_draft():
    """What is forced is accepted as a whole."""
    matcher = CONSTRAINT.matcher()
    forced = matcher.forced_tokens()
    assert matcher.draft(forced) == len(forced)
