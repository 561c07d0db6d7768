"""A constrained output inside a serving engine: its end tokens, drafts, failures."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import grammask
from grammask.integrations.generation import Generation, fill_rows

VOCABULARY = grammask.Vocabulary([*[bytes([byte]) for byte in range(256)], b"", b"ab", b""], eos_ids=[256, 258])
CONSTRAINT = grammask.compile(grammask.regex("(ab)+;?"), VOCABULARY)


def generation(*stops: int) -> Generation:
    return Generation(CONSTRAINT.matcher(), stops or None)


def allowed(one: Generation) -> set[int]:
    row = np.zeros(CONSTRAINT.mask_words, dtype=np.int32)
    one.fill(row)
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist())


def test_end_tokens_are_those_of_the_engine() -> None:
    """An end token of the vocabulary that the engine does not stop at is never allowed; the engine's own is, where the output is complete."""
    one = generation(256, ord(";"))
    assert allowed(one) == {ord("a"), 257}
    assert one.take(257)
    assert allowed(one) == {ord("a"), 257, 256, ord(";")}
    assert not one.copy().take(258)
    assert one.take(ord(";"))
    assert one.ended
    assert one.position == 2


def test_a_stop_token_inside_the_output_is_not_allowed_there() -> None:
    """A token whose text the grammar needs ends the engine's output all the same, so it is left out until the output is complete."""
    one = generation(256, 257)
    assert allowed(one) == {ord("a")}
    assert one.take(ord("a"))
    assert one.take(ord("b"))
    assert 257 in allowed(one)


def test_a_stop_token_that_alone_leads_on_is_kept() -> None:
    """A mask is never empty: where only a stop token fits the grammar, it stays."""
    one = Generation(grammask.compile(grammask.regex(";a"), VOCABULARY).matcher(), {256, ord(";")})
    assert allowed(one) == {ord(";")}


def test_rollback_takes_back_the_end_too() -> None:
    """The end token counts as a position, whoever's it is."""
    one = generation(256, ord(";"))
    for token_id in (257, 257, ord(";")):
        assert one.take(token_id)
    one.rollback(2)
    assert not one.ended
    assert one.position == 1
    one.rollback(9)
    assert one.position == 0


def test_a_draft_is_counted_and_leaves_no_trace() -> None:
    """Tokens behind the end or behind a wrong one do not count, and the position stays."""
    one = generation(256)
    assert one.accepts([257, 257, 256, 257]) == 3
    assert one.accepts([257, ord("x"), 257]) == 1
    assert one.accepts([999]) == 0
    assert one.position == 0
    assert one.accepts([]) == 0


def test_a_wrong_token_fails_this_output_alone(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever put the token there, the output may only end from then on, and the log says why, once."""
    one = generation(256)
    with caplog.at_level(logging.ERROR):
        assert not one.take(ord("x"), "r1")
        assert not one.take(ord("y"), "r1")
    assert [record.message for record in caplog.records] == [f"grammask: request r1: token {ord('x')} is not allowed at position 0; the output is ended here"]
    assert allowed(one) == {256}
    one.reset()
    assert allowed(one) == {ord("a"), 257}


def test_rows_are_filled_at_once_as_one_by_one() -> None:
    """One call for many rows says the same as many calls."""
    made = [generation(256) for _ in range(5)]
    for at, each in enumerate(made):
        for _ in range(at):
            each.take(257)
    made[3].fail("of a test")
    rows = np.zeros((5, CONSTRAINT.mask_words), dtype=np.int32)
    fill_rows(made, rows)
    for each, row in zip(made, rows, strict=True):
        single = np.zeros_like(row)
        each.fill(single)
        assert (row == single).all()
