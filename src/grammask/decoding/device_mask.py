"""Scores on another device: the packed rows go there (an eighth of a byte a token) and are unpacked where the scores are.

Rule: torch is the one that the caller imported, Triton is used where it works and only for CUDA; both ways give the same scores to the bit.
Rule: nothing here waits for the device, so a mask is applied in the order of the stream.
Below: triton_mask.  Above: mask.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from grammask.errors import MaskShapeError

__all__ = ["apply_on_device", "unpack_and_fill"]

# Bits unpacked at a time where there is no kernel for it; four bytes each while they are unpacked.
_BITS = 1 << 24


def apply_on_device(logits: Any, rows: Any) -> None:
    """Set the scores that packed rows forbid to minus infinity, in place, on the device of the scores.

    logits: a torch tensor of shape (V,) or (n, V), any strides. rows: numpy or torch, on any device, (words,) or (n, words) of 32-bit words.
    Rows on the host are checked for ids that have no score; rows that are on a device already are not read, and such ids are passed over.
    Raises MaskShapeError for rows that do not fit.
    """
    scores = logits.detach()
    table = _on(scores, rows)
    _filler(scores.device.type)(scores if scores.ndim == 2 else scores.unsqueeze(0), table if table.ndim == 2 else table.unsqueeze(0))


def _on(scores: Any, rows: Any) -> Any:
    """The rows as int32 on the device of the scores. Raises MaskShapeError."""
    torch = sys.modules["torch"]
    n_scores = scores.shape[-1]
    expected = (n_scores + 31) // 32
    if not isinstance(rows, torch.Tensor):
        words = np.asarray(rows)
        if words.dtype.kind not in "iu" or words.dtype.itemsize != 4:
            raise MaskShapeError(expected, f"{words.dtype} of shape {words.shape}")
        beyond = words.ndim and words.shape[-1] == expected and n_scores % 32 and bool((words.view(np.uint32)[..., -1] >> n_scores % 32).any())
        if beyond:
            raise MaskShapeError(expected, f"rows that allow ids from {n_scores} on, which have no score")
        rows = torch.from_numpy(np.ascontiguousarray(words).view(np.int32))
    if rows.dtype not in (torch.int32, getattr(torch, "uint32", torch.int32)):
        raise MaskShapeError(expected, f"{rows.dtype} of shape {tuple(rows.shape)}")
    if rows.ndim != scores.ndim or tuple(rows.shape[:-1]) != tuple(scores.shape[:-1]) or rows.shape[-1] > expected:
        raise MaskShapeError(expected, f"shape {tuple(rows.shape)} for scores of shape {tuple(scores.shape)}")
    return rows.view(torch.int32).to(scores.device, non_blocking=True)


Filler = Callable[[Any, Any], None]


@cache
def _filler(device: str) -> Filler:
    """What fills on a kind of device: Triton's kernel for CUDA where Triton is installed and can compile it, else torch's own operations."""
    if device != "cuda":
        return unpack_and_fill
    try:
        from grammask.decoding.triton_mask import fill
    except ImportError:
        return unpack_and_fill
    return _first_tried(fill)


def _first_tried(fill: Filler) -> Filler:
    """Triton compiles at the first call, which fails where it finds no compiler: then torch's operations take over for good."""
    chosen: list[Filler] = []

    def run(scores: Any, rows: Any) -> None:
        if not chosen:
            try:
                fill(scores, rows)
            except (RuntimeError, OSError, ImportError):
                chosen.append(unpack_and_fill)
            else:
                chosen.append(fill)
                return
        chosen[0](scores, rows)

    return run


def unpack_and_fill(scores: Any, rows: Any) -> None:
    """With torch's operations alone: unpack some rows at a time to booleans, and fill. Both are of two dimensions and on one device."""
    torch = sys.modules["torch"]
    n_scores, n_words = scores.shape[1], rows.shape[1]
    covered = min(n_scores, 32 * n_words)
    shifts = torch.arange(32, dtype=torch.int32, device=rows.device)
    step = max(1, _BITS // max(1, 32 * n_words))
    for first in range(0, scores.shape[0], step):
        some = rows[first : first + step]
        forbidden = ((some.unsqueeze(-1) >> shifts) & 1).eq_(0).reshape(some.shape[0], 32 * n_words).to(torch.bool)
        scores[first : first + step, :covered].masked_fill_(forbidden[:, :covered], -math.inf)
    scores[:, covered:].fill_(-math.inf)
