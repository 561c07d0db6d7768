"""Bad calls of a kernel: each a typed error with its facts, and nothing has changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grammask.errors import MaskShapeError, RollbackError, TokenOutOfRange
from grammask.kernel.tables import LITERAL, LITERALS, RuleTable

from .kernels import Kernel
from .laws import mask_of

TOKENS = [*(bytes([byte]) for byte in range(33)), b"yes", b"no", b"y", b""]
END = [len(TOKENS) - 1]


@pytest.fixture
def matcher(kernel: Kernel) -> Any:
    return kernel.matcher(RuleTable("root", 2, [(LITERALS, 0, 1, (b"yes", b"no"))]), TOKENS, END)


def read_only() -> Any:
    row = np.zeros(2, dtype=np.uint32)
    row.flags.writeable = False
    return row


@pytest.mark.parametrize(
    "row",
    [
        np.zeros(1, dtype=np.uint32),
        np.zeros(3, dtype=np.uint32),
        np.zeros(8, dtype=np.uint8),
        np.zeros(1, dtype=np.uint64),
        np.zeros(4, dtype=np.uint32)[::2],
        read_only(),
        bytes(8),
        [0, 0],
        None,
    ],
    ids=["short", "long", "bytes", "64-bit", "scattered", "read-only", "immutable", "a list", "None"],
)
def test_a_row_of_another_shape_is_refused(matcher: Any, row: Any) -> None:
    """A mask goes into a writable contiguous buffer of just the right number of 32-bit words; the error says how many."""
    with pytest.raises((MaskShapeError, TypeError)) as refusal:
        matcher.fill_mask(row)
    if row is not None:
        assert isinstance(refusal.value, MaskShapeError)
        assert refusal.value.expected == 2


@pytest.mark.parametrize(
    "row", [np.zeros(2, dtype=np.int32), np.zeros(2, dtype=np.uint32), memoryview(bytearray(8)).cast("I")], ids=["int32", "uint32", "memoryview"]
)
def test_any_buffer_of_words_takes_a_mask(matcher: Any, row: Any) -> None:
    """Signed, unsigned, or no array at all."""
    matcher.fill_mask(row)
    assert bytes(row) == mask_of(matcher).tobytes()


def test_a_row_of_a_two_dimensional_mask_takes_one(matcher: Any) -> None:
    """A batch's masks lie in one array; a row of it is filled and its neighbours are left alone."""
    rows = np.full((3, 2), 7, dtype=np.uint32)
    matcher.fill_mask(rows[1])
    assert rows.tolist() == [[7, 7], mask_of(matcher).tolist(), [7, 7]]


@pytest.mark.parametrize("token_id", [-1, 37, 1 << 40, -(1 << 70)])
def test_an_id_that_does_not_exist_names_the_range(matcher: Any, token_id: int) -> None:
    """TokenOutOfRange carries the id and the size of the vocabulary."""
    for call in (matcher.advance, matcher.accepts, lambda i: matcher.draft([33, i])):
        with pytest.raises(TokenOutOfRange) as refusal:
            call(token_id)
        assert (refusal.value.token_id, refusal.value.vocabulary_size) == (token_id, len(TOKENS))
    assert matcher.position == 0


def test_ids_of_numpy_are_ids(matcher: Any) -> None:
    """What `allowed_tokens` gives can be handed back."""
    assert matcher.accepts(np.int32(33))
    matcher.advance(np.int64(33))
    assert matcher.is_complete


def test_what_is_no_number_is_no_id(matcher: Any) -> None:
    """Names, fractions and None are outside every vocabulary; the error carries what was given."""
    for wrong in ("yes", 1.5, None):
        with pytest.raises(TokenOutOfRange) as refusal:
            matcher.advance(wrong)
        assert refusal.value.token_id == wrong


def test_a_rollback_beyond_the_start_says_how_far_it_could_go(matcher: Any) -> None:
    """RollbackError carries what was asked and what was there; the end token counts."""
    matcher.advance(33)
    matcher.advance(END[0])
    with pytest.raises(RollbackError) as refusal:
        matcher.rollback(3)
    assert (refusal.value.requested, refusal.value.available) == (3, 2)
    matcher.rollback(2)
    assert (matcher.position, matcher.is_finished) == (0, False)


def test_ids_without_text_are_never_allowed_unless_named(kernel: Kernel) -> None:
    """One word and three ids without text, one of them the end: a single bit at a time."""
    matcher = kernel.matcher(RuleTable("root", 2, [(LITERAL, 0, 1, b"yes")]), [b"", b"yes", b"", b""], [3])
    assert matcher.allowed_tokens().tolist() == [1]
    matcher.advance(1)
    assert matcher.allowed_tokens().tolist() == [3]
    matcher.advance(3)
    assert (matcher.count(), matcher.is_finished) == (0, True)


def test_every_end_token_ends(kernel: Kernel) -> None:
    """Vocabularies have several end tokens: all of them are allowed where the text is complete, and only there."""
    matcher = kernel.matcher(RuleTable("root", 2, [(LITERAL, 0, 1, b"yes")]), [b"", b"yes", b"", b""], [0, 3])
    assert matcher.allowed_tokens().tolist() == [1]
    matcher.advance(1)
    assert matcher.allowed_tokens().tolist() == [0, 3]
    for end in (0, 3):
        matcher.advance(end)
        assert matcher.is_finished
        matcher.rollback(1)
