"""Scores that a row forbids: the compiled kernel's way to write over them, beside numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from grammask import apply_mask
from grammask.decoding import mask

from .kernels import Kernel

KINDS = (np.float16, np.float32, np.float64)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.5, 0.7, 0.99, 1.0])
@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_masked_as_numpy_does_it(compiled: Kernel, kind: type[np.floating], share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever share is allowed, wherever the scores end in a word or beyond the row; allowed ones keep their bits, NaN and all."""
    assert mask._forbid() is not None
    chance = np.random.default_rng(round(100 * share))
    for size in (1, 31, 32, 33, 64, 95, 1000, 4097):
        for beyond in (0, 1, 32, 70):
            allowed = chance.random(size) < share
            row = np.zeros(-(-size // 32), dtype=np.uint32)
            row.view(np.uint8)[: -(-size // 8)] = np.packbits(allowed, bitorder="little")
            scores = chance.standard_normal(size + beyond).astype(kind)
            scores[chance.random(size + beyond) < 0.1] = np.nan
            by_kernel, by_numpy = scores.copy(), scores.copy()
            apply_mask(by_kernel, row)
            with monkeypatch.context() as patched:
                patched.setattr(mask, "_forbid", lambda: None)
                apply_mask(by_numpy, row)
            assert by_kernel.tobytes() == by_numpy.tobytes()
            assert by_kernel.tobytes() == np.where(np.append(allowed, np.zeros(beyond, bool)), scores, kind(-np.inf)).tobytes()


def test_scores_with_gaps_between_them_are_masked_too(compiled: Kernel) -> None:
    """Every second score of an array, and those of a column; what stands between them is left alone."""
    table = np.ones((70, 6), dtype=np.float32)
    apply_mask(table[::2, 3], np.array([0xFFFFFFFE, 7], dtype=np.uint32))
    assert np.argwhere(np.isinf(table)).tolist() == [[0, 3]]


def test_what_are_no_scores_is_refused(compiled: Kernel) -> None:
    """Numbers of another size, buffers that cannot be written to or have gaps."""
    forbid_scores = __import__("grammask.kernel.scores", fromlist=["forbid_scores"]).forbid_scores
    row = np.zeros(1, dtype=np.uint32)
    with pytest.raises(ValueError, match="2, 4 or 8 bytes"):
        forbid_scores(bytearray(32), row, 1, 0)
    for scores in (bytes(32), np.zeros(16, dtype=np.uint16)[::2]):
        with pytest.raises((BufferError, ValueError)):
            forbid_scores(scores, row, 2, 0)
    with pytest.raises(TypeError):
        forbid_scores(bytearray(32), None, 2, 0)
