"""Masks of many matchers at once: every row is its matcher's mask, whoever fills it, and what a batch refuses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import numpy as np
import pytest

from grammask.errors import DecodingError, MaskShapeError

from .kernels import Kernel
from .laws import mask_of
from .random_grammars import network

BRACKETS = ("alt", ("seq", b"a", ("rule", 0), b"b"), b"c")
TOKENS = [b"a", b"aa", b"b", b"bb", b"c", b"acb", b"ca", b"cb", b""]
END = [8]


def batch_of(matchers: list[Any], rows: Any, threads: int = 1) -> Any:
    return __import__("grammask.kernel.batch", fromlist=["Batch"]).Batch(matchers, rows, threads)


def some(kernel: Kernel, number: int) -> tuple[list[Any], Any]:
    """Matchers at places of their own, none of which has filled a mask, and rows for them."""
    bound = kernel.bind(network([BRACKETS]), TOKENS, END)
    matchers = [kernel.module.Matcher(bound) for _ in range(number)]
    for seed, matcher in enumerate(matchers):
        for _ in range(Random(seed).randrange(30)):
            matcher.advance(0)
        if seed % 3 == 0:
            matcher.advance(4)
    return matchers, np.full((number, 1), 0xFFFFFFFF, dtype=np.uint32)


@pytest.mark.parametrize("threads", [1, 2, 3, 7, 200])
@pytest.mark.parametrize("number", [0, 1, 15, 16, 17, 100])
def test_every_row_is_the_mask_of_its_matcher(compiled: Kernel, number: int, threads: int) -> None:
    """However many threads there are, more than rows too, and however many of them come."""
    matchers, rows = some(compiled, number)
    batch = batch_of(matchers, rows, threads)
    with ThreadPoolExecutor(4) as pool:
        for filling in [pool.submit(batch.fill) for _ in range(min(threads, 4))]:
            filling.result()
    batch.close()
    assert rows.tolist() == [mask_of(matcher).tolist() for matcher in matchers]


def test_one_thread_fills_all_rows_where_others_do_not_come(compiled: Kernel) -> None:
    matchers, rows = some(compiled, 50)
    batch = batch_of(matchers, rows, 5)
    batch.fill()
    batch.close()
    assert rows.tolist() == [mask_of(matcher).tolist() for matcher in matchers]


def test_the_matchers_of_an_open_batch_belong_to_it(compiled: Kernel) -> None:
    """Who asks one for something, or puts it into another batch, gets an error, and nothing is lost by it."""
    matchers, rows = some(compiled, 20)
    batch = batch_of(matchers, rows)
    for ask in (lambda: matchers[3].advance(0), lambda: mask_of(matchers[3]), lambda: batch_of(matchers[3:], rows[3:])):
        with pytest.raises(DecodingError):
            ask()
    batch.fill()
    batch.close()
    assert rows.tolist() == [mask_of(matcher).tolist() for matcher in matchers]


def test_what_a_batch_refuses_leaves_the_matchers_free(compiled: Kernel) -> None:
    """What is no matcher, rows of another size, a matcher listed twice; those before it can be used again."""
    matchers, rows = some(compiled, 3)
    for wrong, size, error in (
        ([*matchers[:2], None], 3, TypeError),
        (matchers, 2, MaskShapeError),
        ([*matchers[:2], matchers[0]], 3, ValueError),
    ):
        with pytest.raises(error):
            batch_of(wrong, rows[:size])
        assert [matcher.copy().position for matcher in matchers] == [matcher.position for matcher in matchers]
        for matcher in matchers:
            mask_of(matcher)


def test_a_closed_batch_fills_nothing(compiled: Kernel) -> None:
    """Nor does closing it twice do harm; the caller's list may change while it is open."""
    matchers, rows = some(compiled, 3)
    given = list(matchers)
    batch = batch_of(given, rows)
    given.clear()
    batch.fill()
    batch.close()
    batch.close()
    with pytest.raises(DecodingError):
        batch.fill()
    assert rows.tolist() == [mask_of(matcher).tolist() for matcher in matchers]


def test_a_batch_that_nobody_holds_any_more_lets_go_of_its_matchers(compiled: Kernel) -> None:
    """As after an interrupt between its making and its filling; a batch to come, which may lie where this one lay, takes them."""
    matchers, rows = some(compiled, 20)
    for _ in range(3):
        batch_of(matchers, rows)
    batch = batch_of(matchers, rows)
    batch.fill()
    batch.close()
    assert rows.tolist() == [mask_of(matcher).tolist() for matcher in matchers]


def test_closing_waits_for_who_is_filling(compiled: Kernel) -> None:
    """Then no thread writes to the rows any more, and the matchers are free."""
    matchers, rows = some(compiled, 5_000)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(20):
            batch = batch_of(matchers, rows, 2)
            fillings = [pool.submit(batch.fill) for _ in range(2)]
            batch.close()
            rows[:] = 0
            mask_of(matchers[0])
            assert not rows.any()
            assert all(filling.exception() is None or isinstance(filling.exception(), DecodingError) for filling in fillings)
            assert not rows.any()
