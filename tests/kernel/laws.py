"""What holds at every position of every matcher, one function for each law, callable on any implementation.

Rule: a law takes a `Position` and a source of chance, asserts, and leaves the position's matcher as it found it.
`LAWS` holds them all; `positions` walks a matcher at random and stops at places to judge. Nothing here knows a kernel:
a class that derives from a Matcher is judged by handing in its matchers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import pytest

from grammask.errors import FinishedError, MaskShapeError, RollbackError, TokenOutOfRange, TokenRefused

SPECIAL = 256
Symbols = tuple[int, ...]


@dataclass
class Position:
    """A matcher somewhere on its way.

    fresh: makes a matcher of the same bound grammar at its start.  taken: the ids that led here.
    """

    matcher: Any
    fresh: Callable[[], Any]
    tokens: Sequence[bytes]
    eos_ids: Sequence[int]
    taken: list[int] = field(default_factory=list)

    @property
    def spells_all(self) -> bool:
        """Whether every byte in any token is a token itself, so that every text over those bytes is spelled."""
        texts = {token for token in self.tokens if token}
        return all(bytes([byte]) in texts for byte in set(b"".join(texts)))

    def symbols(self, token_ids: Sequence[int]) -> Symbols:
        """What tokens stand for: bytes, and SPECIAL + id for tokens without text."""
        return tuple(symbol for i in token_ids for symbol in (tuple(self.tokens[i]) or (SPECIAL + i,)))

    def split(self, symbols: Symbols, rng: Random) -> list[int] | None:
        """Tokens that spell the symbols, chosen at random; None if none do."""
        by_piece: dict[Symbols, list[int]] = {}
        for token_id in range(len(self.tokens)):
            if token_id not in self.eos_ids:
                by_piece.setdefault(self.symbols([token_id]), []).append(token_id)
        sizes = {len(piece) for piece in by_piece}
        ends_well = {len(symbols)}
        for start in range(len(symbols) - 1, -1, -1):
            if any(start + size in ends_well and symbols[start : start + size] in by_piece for size in sizes):
                ends_well.add(start)
        if 0 not in ends_well:
            return None
        token_ids, at = [], 0
        while at < len(symbols):
            size = rng.choice([size for size in sizes if at + size in ends_well and symbols[at : at + size] in by_piece])
            token_ids.append(rng.choice(by_piece[symbols[at : at + size]]))
            at += size
        return token_ids


def positions(matcher: Any, fresh: Callable[[], Any], tokens: Sequence[bytes], eos_ids: Sequence[int], rng: Random, steps: int = 5) -> Iterator[Position]:
    """The start and the places that some random allowed tokens lead to; the end token only where nothing else is allowed."""
    position = Position(matcher, fresh, tokens, eos_ids)
    for _ in range(steps):
        yield position
        onward = [i for i in matcher.allowed_tokens().tolist() if i not in eos_ids]
        if not onward:
            break
        position.taken.append(rng.choice(onward))
        matcher.advance(position.taken[-1])
    yield position


def mask_of(matcher: Any) -> np.ndarray[Any, np.dtype[np.uint32]]:
    """The matcher's mask, written over a row of ones."""
    row = np.full(_n_words(matcher), 0xFFFFFFFF, dtype=np.uint32)
    matcher.fill_mask(row)
    return row


def _n_words(matcher: Any) -> int:
    """How long the matcher wants its rows: the error for a wrong one says so."""
    try:
        matcher.fill_mask(np.zeros(0, dtype=np.uint32))
    except MaskShapeError as refusal:
        return refusal.expected
    return 0


def snapshot(matcher: Any) -> tuple[Any, ...]:
    """All that can be seen of a matcher without moving it."""
    return (
        matcher.state_key(), mask_of(matcher).tobytes(), matcher.is_complete, matcher.is_finished, matcher.is_stuck, matcher.position,
        matcher.forced_bytes(), matcher.shortest_bytes(),
    )  # fmt: skip


# --- the mask -----------------------------------------------------------------------------------------------------


def mask_bit_is_set_iff_the_token_is_accepted(position: Position, rng: Random) -> None:
    mask = mask_of(position.matcher)
    for token_id in range(len(position.tokens)):
        assert bool(mask[token_id // 32] >> (token_id % 32) & 1) == position.matcher.accepts(token_id), f"token {token_id}"


def mask_overwrites_the_whole_row(position: Position, rng: Random) -> None:
    """Nothing of an earlier row is left, bits above the vocabulary are clear, and signed rows get the same bits."""
    mask = mask_of(position.matcher)
    signed = np.full(len(mask), rng.getrandbits(31), dtype=np.int32)
    position.matcher.fill_mask(signed)
    assert signed.tobytes() == mask.tobytes()
    assert len(mask) == -(-len(position.tokens) // 32)
    assert all(not mask[i // 32] >> (i % 32) & 1 for i in range(len(position.tokens), 32 * len(mask)))


def count_and_allowed_tokens_tell_what_the_mask_tells(position: Position, rng: Random) -> None:
    mask = mask_of(position.matcher)
    allowed = [token_id for token_id in range(len(position.tokens)) if mask[token_id // 32] >> (token_id % 32) & 1]
    assert position.matcher.allowed_tokens().tolist() == allowed
    assert position.matcher.allowed_tokens().dtype == np.int32
    assert position.matcher.count() == len(allowed)


def end_tokens_are_allowed_iff_complete(position: Position, rng: Random) -> None:
    for end in position.eos_ids:
        assert position.matcher.accepts(end) == (position.matcher.is_complete and not position.matcher.is_finished)


# --- moving and coming back ---------------------------------------------------------------------------------------


def advance_then_rollback_restores_everything(position: Position, rng: Random) -> None:
    """From here over a few tokens and back, in one step or in several."""
    before = snapshot(position.matcher)
    seen = [before]
    while len(seen) < 5 and position.matcher.count():
        position.matcher.advance(rng.choice(position.matcher.allowed_tokens().tolist()))
        seen.append(snapshot(position.matcher))
    while len(seen) > 1:
        n_back = rng.randint(1, len(seen) - 1)
        position.matcher.rollback(n_back)
        del seen[-n_back:]
        assert snapshot(position.matcher) == seen[-1]


def a_copy_is_independent(position: Position, rng: Random) -> None:
    before = snapshot(position.matcher)
    twin = position.matcher.copy()
    assert type(twin) is type(position.matcher)
    assert snapshot(twin) == before
    if position.matcher.count():
        token_id = rng.choice(position.matcher.allowed_tokens().tolist())
        twin.advance(token_id)
        assert snapshot(position.matcher) == before
        after = snapshot(twin)
        position.matcher.advance(token_id)
        assert snapshot(position.matcher) == after
        position.matcher.rollback(1)
        assert snapshot(twin) == after
    twin.reset()
    assert snapshot(position.matcher) == before


def a_fresh_replay_reaches_the_same_state(position: Position, rng: Random) -> None:
    replay = position.fresh()
    for token_id in position.taken:
        replay.advance(token_id)
    assert snapshot(replay) == snapshot(position.matcher)


def reset_goes_back_to_the_start(position: Position, rng: Random) -> None:
    trial = position.matcher.copy()
    trial.reset()
    assert snapshot(trial) == snapshot(position.fresh())


def another_split_of_the_text_reaches_the_same_state(position: Position, rng: Random) -> None:
    """The same text through other tokens: each of them is accepted, and nothing of the way is left in the state."""
    other = position.split(position.symbols(position.taken), rng)
    assert other is not None
    replay = position.fresh()
    for token_id in other:
        assert replay.accepts(token_id), f"token {token_id} of the split {other}"
        replay.advance(token_id)
    assert replay.state_key() == position.matcher.state_key()
    assert mask_of(replay).tobytes() == mask_of(position.matcher).tobytes()
    assert replay.is_complete == position.matcher.is_complete


def a_draft_is_as_long_as_the_tokens_one_could_take(position: Position, rng: Random) -> None:
    """Tokens mostly allowed: `draft` counts as many as `advance` takes in a row, and moves nothing."""
    trial = position.matcher.copy()
    offered: list[int] = []
    n_taken, refused = 0, False
    for _ in range(6):
        allowed = trial.allowed_tokens().tolist()
        token_id = rng.choice(allowed) if allowed and rng.random() < 0.8 else rng.randrange(len(position.tokens))
        offered.append(token_id)
        if not refused and trial.accepts(token_id):
            trial.advance(token_id)
            n_taken += 1
        else:
            refused = True
    before = snapshot(position.matcher)
    assert position.matcher.draft(offered) == n_taken
    assert position.matcher.draft([]) == 0
    assert snapshot(position.matcher) == before


# --- refusals -----------------------------------------------------------------------------------------------------


def a_refused_token_leaves_the_state(position: Position, rng: Random) -> None:
    if position.matcher.is_finished:
        return
    before = snapshot(position.matcher)
    allowed = set(position.matcher.allowed_tokens().tolist())
    refused = [token_id for token_id in range(len(position.tokens)) if token_id not in allowed]
    for token_id in rng.sample(refused, min(3, len(refused))):
        with pytest.raises(TokenRefused) as refusal:
            position.matcher.advance(token_id)
        assert (refusal.value.token_id, refusal.value.token, refusal.value.position) == (token_id, position.tokens[token_id], len(position.taken))
    assert snapshot(position.matcher) == before


def an_id_out_of_range_leaves_the_state(position: Position, rng: Random) -> None:
    before = snapshot(position.matcher)
    for token_id in (-1, len(position.tokens), 1 << 31):
        for call in (position.matcher.advance, position.matcher.accepts, lambda i: position.matcher.draft([i])):
            with pytest.raises(TokenOutOfRange) as refusal:
                call(token_id)
            assert (refusal.value.token_id, refusal.value.vocabulary_size) == (token_id, len(position.tokens))
    assert snapshot(position.matcher) == before


def a_rollback_too_far_leaves_the_state(position: Position, rng: Random) -> None:
    before = snapshot(position.matcher)
    for n_tokens in (position.matcher.position + 1, position.matcher.position + 100, -1):
        with pytest.raises(RollbackError) as refusal:
            position.matcher.rollback(n_tokens)
        assert (refusal.value.requested, refusal.value.available) == (n_tokens, position.matcher.position)
    position.matcher.rollback(0)
    assert snapshot(position.matcher) == before


def after_an_end_token_nothing_is_allowed(position: Position, rng: Random) -> None:
    if not position.matcher.is_complete or position.matcher.is_finished:
        return
    before = snapshot(position.matcher)
    position.matcher.advance(rng.choice(position.eos_ids))
    assert (position.matcher.is_finished, position.matcher.is_stuck, position.matcher.position) == (True, False, len(position.taken) + 1)
    assert not mask_of(position.matcher).any()
    assert position.matcher.forced_bytes() == position.matcher.shortest_bytes() == b""
    with pytest.raises(FinishedError):
        position.matcher.advance(0)
    position.matcher.rollback(1)
    assert snapshot(position.matcher) == before


# --- there is always a way on -------------------------------------------------------------------------------------


def _completion(position: Position, rng: Random, steps: int) -> tuple[Any, list[int]] | None:
    """A copy that was led to a complete text by random tokens, then a shortest string, and the ids it took.

    None if it ends where only special tokens lead on, or where no tokens spell the shortest string and others are far to seek.
    """
    trial = position.matcher.copy()
    taken: list[int] = []
    for _ in range(steps):
        onward = [token_id for token_id in trial.allowed_tokens().tolist() if token_id not in position.eos_ids]
        assert onward or trial.is_complete, f"stuck after {taken}"
        assert not trial.is_stuck
        if not onward:
            return trial, taken
        taken.append(rng.choice(onward))
        trial.advance(taken[-1])
    rest = trial.shortest_bytes()
    if rest is None:
        assert any(not position.tokens[token_id] for token_id in range(len(position.tokens))), "no shortest completion though nothing special is needed"
        return None
    way = position.split(tuple(rest), rng)
    if way is None:
        assert not position.spells_all, f"no tokens spell the completion {rest!r}"
        way = _searched(position, trial)
    if way is None:
        return None
    for token_id in way:
        assert trial.accepts(token_id), f"the completion {rest!r} is refused at {position.tokens[token_id]!r}"
        trial.advance(token_id)
    return trial, taken + way


def _searched(position: Position, matcher: Any, limit: int = 300) -> list[int] | None:
    """The fewest tokens that complete the text, each state once; None if they are not among the first states."""
    seen = {matcher.state_key()}
    for trial, way in (queue := [(matcher, list[int]())]):
        assert not trial.is_stuck, f"stuck after {way}"
        if trial.is_complete:
            return way
        for token_id in trial.allowed_tokens().tolist():
            after = trial.copy()
            after.advance(token_id)
            if after.state_key() not in seen and len(queue) < limit:
                seen.add(after.state_key())
                queue.append((after, [*way, token_id]))
    assert len(queue) >= limit, f"no tokens at all complete the text after {position.taken}"
    return None


def one_is_never_stuck(position: Position, rng: Random) -> None:
    """Wherever random tokens lead, `shortest_bytes` completes the text from there."""
    for steps in (0, rng.randint(1, 8)):
        led = _completion(position, rng, steps)
        assert led is None or led[0].is_complete
    assert (position.matcher.shortest_bytes() == b"") == position.matcher.is_complete


def forced_bytes_begin_every_completion(position: Position, rng: Random) -> None:
    forced = position.matcher.forced_bytes()
    if position.matcher.is_complete:
        assert forced == b""
    for steps in (0, 1, rng.randint(2, 6)):
        led = _completion(position, rng, steps)
        if led is not None:
            assert position.symbols(led[1])[: len(forced)] == tuple(forced)


def forced_bytes_are_the_longest_such(position: Position, rng: Random) -> None:
    """Behind them the text is complete, or goes on with one of several symbols or with a special token."""
    forced = position.matcher.forced_bytes()
    way = position.split(tuple(forced), rng)
    if not position.spells_all or way is None or position.matcher.is_finished:
        return
    trial = position.matcher.copy()
    for token_id in way:
        trial.advance(token_id)
    onward = {position.symbols([token_id])[0] for token_id in trial.allowed_tokens().tolist() if token_id not in position.eos_ids}
    assert trial.is_complete or len(onward) > 1 or min(onward) >= SPECIAL


LAWS: tuple[Callable[[Position, Random], None], ...] = (
    mask_bit_is_set_iff_the_token_is_accepted,
    mask_overwrites_the_whole_row,
    count_and_allowed_tokens_tell_what_the_mask_tells,
    end_tokens_are_allowed_iff_complete,
    advance_then_rollback_restores_everything,
    a_copy_is_independent,
    a_fresh_replay_reaches_the_same_state,
    reset_goes_back_to_the_start,
    another_split_of_the_text_reaches_the_same_state,
    a_draft_is_as_long_as_the_tokens_one_could_take,
    a_refused_token_leaves_the_state,
    an_id_out_of_range_leaves_the_state,
    a_rollback_too_far_leaves_the_state,
    after_an_end_token_nothing_is_allowed,
    one_is_never_stuck,
    forced_bytes_begin_every_completion,
    forced_bytes_are_the_longest_such,
)
