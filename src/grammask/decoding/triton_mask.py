"""A Triton kernel that reads packed rows and writes minus infinity where they forbid: one pass, no temporaries.

Rule: imported only by who has a CUDA tensor (or runs Triton's interpreter), since it needs Triton.
Above: device_mask.
"""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl

__all__ = ["fill"]

BLOCK_WORDS = 64  # 2,048 scores a program


@triton.jit  # type: ignore[untyped-decorator]  # Triton carries no types
def _fill_kernel(  # type: ignore[no-untyped-def]  # pointers and numbers of the device's
    scores,
    rows,
    n_scores,
    n_words,
    score_row_stride,
    score_stride,
    word_row_stride,
    word_stride,
    BLOCK: tl.constexpr,  # noqa: N803  # a constant
):
    row = tl.program_id(0).to(tl.int64)
    at_word = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    words = tl.load(rows + row * word_row_stride + at_word * word_stride, mask=at_word < n_words, other=0)
    bit = tl.arange(0, 32)
    forbidden = ((words[:, None] >> bit[None, :]) & 1) == 0
    token = at_word[:, None] * 32 + bit[None, :]
    place = scores + row * score_row_stride + token.to(tl.int64) * score_stride
    tl.store(place, -float("inf"), mask=forbidden & (token < n_scores))


def fill(scores: Any, rows: Any) -> None:
    """Set the scores that the rows forbid, and those above the rows, to minus infinity. Both are of two dimensions and on one device, any strides."""
    n, n_scores = scores.shape
    if n == 0 or n_scores == 0:
        return
    grid = (n, triton.cdiv((n_scores + 31) // 32, BLOCK_WORDS))
    _fill_kernel[grid](scores, rows, n_scores, rows.shape[1], *scores.stride(), *rows.stride(), BLOCK=BLOCK_WORDS)
