"""Mask rows applied to scores in numpy (in torch: test_device_mask), and rows filled for many matchers."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammask
from grammask.decoding.mask import allowed_ids, apply_mask, fill_masks
from grammask.errors import MaskShapeError, SamplingError

from .worlds import byte_vocabulary, law, texts


def row_of(ids, size, dtype=np.uint32):
    """A row that allows exactly these ids of a vocabulary of so many."""
    row = np.zeros((size + 31) // 32, dtype=np.uint32)
    for token_id in ids:
        row[token_id // 32] |= np.uint32(1) << np.uint32(token_id % 32)
    return row.view(dtype)


@st.composite
def sizes_and_ids(draw):
    """A vocabulary size and some ids in it: few, most, or anything between."""
    size = draw(st.integers(1, 9_000))
    seed, share = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([0.0, 0.001, 0.02, 0.5, 0.98, 1.0]))
    return size, np.flatnonzero(np.random.default_rng(seed).random(size) < share)


@law
@given(sizes_and_ids())
def test_allowed_ids_are_the_set_bits(case):
    """The ids listed are those whose bit is set, in ascending order, few or many."""
    size, ids = case
    assert allowed_ids(row_of(ids, size)).tolist() == ids.tolist()


@law
@given(sizes_and_ids(), st.sampled_from([np.float16, np.float32, np.float64]), st.integers(0, 70), st.sampled_from([np.uint32, np.int32]))
def test_apply_mask_keeps_allowed_scores_to_the_bit_and_rules_out_the_rest(case, dtype, padding, row_dtype):
    """Allowed scores are untouched, even NaN and infinities; all others become minus infinity, padding beyond the row too."""
    size, ids = case
    before = np.random.default_rng(size).normal(size=size + padding).astype(dtype)
    before[::7], before[1::11], before[2::13] = np.nan, np.inf, -np.inf
    scores = before.copy()
    apply_mask(scores, row_of(ids, size, row_dtype))
    expected = np.full_like(before, -np.inf)
    expected[ids] = before[ids]
    assert scores.tobytes() == expected.tobytes()


def test_apply_mask_takes_a_row_for_each_row_of_scores():
    """Two-dimensional scores are masked row by row."""
    scores = np.zeros((3, 50_000), dtype=np.float32)
    many = np.arange(0, 50_000, 2)
    apply_mask(scores, np.stack([row_of([5], 50_000), row_of(many, 50_000), row_of([], 50_000)]))
    assert [np.flatnonzero(line == 0).tolist() for line in scores] == [[5], many.tolist(), []]


def test_apply_mask_works_on_a_view_with_steps():
    """Scores that do not lie side by side in memory are masked in place all the same."""
    whole = np.zeros(20_000, dtype=np.float32)
    apply_mask(whole[::2], row_of(range(0, 10_000, 3), 10_000))
    assert np.flatnonzero(whole[::2] == 0).tolist() == list(range(0, 10_000, 3))
    assert not np.isinf(whole[1::2]).any()


@pytest.mark.parametrize(
    "logits", [[0.0, 1.0], np.zeros(4, dtype=np.int64), np.zeros((2, 2, 2)), np.float32(1), None], ids=["list", "integers", "3-d", "0-d", "none"]
)
def test_apply_mask_refuses_scores_it_cannot_write_minus_infinity_to(logits):
    """Scores of another kind are a SamplingError."""
    with pytest.raises(SamplingError):
        apply_mask(logits, row_of([0], 4))


def test_apply_mask_refuses_read_only_scores():
    """Read-only scores are a SamplingError that says so."""
    scores = np.zeros(4, dtype=np.float32)
    scores.flags.writeable = False
    with pytest.raises(SamplingError, match="writable"):
        apply_mask(scores, row_of([0], 4))


@pytest.mark.parametrize(
    "row",
    [np.zeros(2, dtype=np.float32), np.zeros(2, dtype=np.uint64), np.zeros((1, 2), dtype=np.uint32), row_of([70], 96), row_of([41], 64)],
    ids=["floats", "64-bit", "2-d", "too-many-words", "bit-without-score"],
)
def test_apply_mask_refuses_rows_that_do_not_fit(row):
    """A row of another type or shape, or one that allows ids without a score, is a MaskShapeError."""
    with pytest.raises(MaskShapeError):
        apply_mask(np.zeros(40, dtype=np.float32), row)


def test_apply_mask_refuses_rows_of_another_number():
    """As many rows as rows of scores, or a MaskShapeError."""
    with pytest.raises(MaskShapeError):
        apply_mask(np.zeros((2, 40), dtype=np.float32), np.zeros((3, 2), dtype=np.uint32))


def matchers_at(count):
    """Matchers of one constraint, the i-th after i tokens of a text, and what each allows."""
    constraint = grammask.compile(texts("abcdefghijklmnopqrstuvwxyz" * 2), byte_vocabulary())
    matchers = [constraint.matcher() for _ in range(count)]
    for index, matcher in enumerate(matchers):
        for byte in ("abcdefghijklmnopqrstuvwxyz" * 2).encode()[:index]:
            matcher.advance(byte)
    return matchers, [ord("a") + index % 26 for index in range(count)]


def allowed(rows):
    """The ids that each row allows."""
    return [allowed_ids(np.ascontiguousarray(row).view(np.uint32)).tolist() for row in rows]


@pytest.mark.parametrize("threads", [None, 0, 1, 2, 3, 100])
@pytest.mark.parametrize("count", [0, 1, 5, 40])
def test_fill_masks_fills_every_row_with_any_number_of_threads(count, threads):
    """Row i is the mask of matcher i, however many threads share the work, in signed and unsigned words, side by side or not."""
    matchers, expected = matchers_at(count)
    for rows in (np.zeros((count, 9), np.uint32), np.ones((count, 9), np.int32), np.ones((count, 12), np.uint32)[:, :9]):
        fill_masks(matchers, rows, threads=threads)
        assert allowed(rows) == [[token_id] for token_id in expected]


@pytest.mark.parametrize("threads", [1, 4])
def test_fill_masks_raises_what_a_matcher_raises(threads):
    """An error in any thread reaches the caller: here of a matcher whose rows would have to be longer."""
    matchers, _ = matchers_at(8)
    matchers[7] = grammask.compile(texts("a"), byte_vocabulary(*map(str, range(50)))).matcher()
    with pytest.raises(MaskShapeError):
        fill_masks(matchers, np.zeros((8, 9), np.uint32), threads=threads)


def test_fill_masks_can_be_called_from_many_threads_at_once():
    """Calls at once share the pool and do not wait for one another for ever."""
    work = [(*matchers_at(9), np.zeros((9, 9), np.uint32)) for _ in range(12)]
    callers = [threading.Thread(target=fill_masks, args=(matchers, rows, 4)) for matchers, _, rows in work]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(timeout=60)
    assert all(allowed(rows) == [[token_id] for token_id in expected] for _, expected, rows in work)


def test_fill_masks_refuses_a_matcher_listed_twice():
    """A matcher belongs to one thread at a time, so it cannot fill two rows."""
    matchers, _ = matchers_at(1)
    with pytest.raises(SamplingError, match="twice"):
        fill_masks(matchers * 2, np.zeros((2, 9), np.uint32))


def words(*shape, dtype=np.uint32, writeable=True):
    """A table of words."""
    table = np.zeros(shape, dtype)
    table.flags.writeable = writeable
    return table


@pytest.mark.parametrize(
    "rows",
    [
        words(3, 9),
        words(9),
        [[0] * 9] * 2,
        words(2, 9, dtype=np.float32),
        words(2, 8),
        words(2, 9, writeable=False),
        words(2, 9, dtype=">u4"),
        np.zeros(73, np.uint8)[1:].view(np.uint32).reshape(2, 9),
        np.lib.stride_tricks.as_strided(words(1, 10), (2, 9), (4, 4)),
    ],
    ids=["three", "1-d", "list", "floats", "short", "read-only", "big-endian", "unaligned", "overlapping"],
)
def test_fill_masks_refuses_rows_that_do_not_fit(rows):
    """Rows of another number, size or type, and lists that could not be written to, are a MaskShapeError that names the words needed."""
    with pytest.raises(MaskShapeError) as caught:
        fill_masks(matchers_at(2)[0], rows)
    assert caught.value.expected == 9
