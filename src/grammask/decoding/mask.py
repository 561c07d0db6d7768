"""Mask rows at work: which ids a row allows, scores with the others taken out, rows for many matchers at once.

A row holds one bit a token in 32-bit words: bit t % 32 of word t // 32 is set if token t is allowed.
Rule: nothing here loops over tokens in Python, and an id without a bit in the row is forbidden.
Above: sampling, generate.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammask.arguments import instance, or_none, takes, whole
from grammask.errors import MaskShapeError, SamplingError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from grammask.decoding.matcher import Matcher
    from grammask.kernel.batch import Batch

__all__ = ["allowed_ids", "apply_mask", "fill_masks", "is_sparse", "row_words", "words_for", "writable_rows"]

Words = NDArray[np.uint32]

# Below this number of words with a bit set, ids are listed; above it, every score is computed with.
_SPARSE_WORDS = 128
# Scores are masked by slices of so many (a multiple of 32), so that what is needed beside them stays in the cache.
_SLICE = 16_384
# A known mask takes a microsecond, handing work to a thread some fifty: a thread gets at least this many matchers.
_MATCHERS_PER_THREAD = 64


def words_for(n_tokens: int) -> int:
    """32-bit words in a row for so many tokens."""
    return (n_tokens + 31) // 32


def row_words(row: Any, n_scores: int) -> Words:
    """The row as uint32 words, without a copy. Raises MaskShapeError if it is no such row, or allows ids that have no score."""
    words = _host(row, words_for(n_scores))
    if not _is_words(words) or words.ndim != 1:
        raise MaskShapeError(words_for(n_scores), f"{words.dtype} of shape {words.shape}")
    words = np.ascontiguousarray(words).view(np.uint32)
    beyond = words.size > words_for(n_scores) or (words.size == words_for(n_scores) and n_scores % 32 and int(words[-1]) >> n_scores % 32)
    if beyond:
        raise MaskShapeError(words_for(n_scores), f"{words.size} words that allow ids from {n_scores} on, which have no score")
    return words


def _host(rows: Any, expected: int) -> NDArray[Any]:
    """Rows as an array. Raises MaskShapeError for a tensor on another device, whose scores are here."""
    try:
        return np.asarray(rows)
    except TypeError as error:
        raise MaskShapeError(expected, f"a {type(rows).__name__} that is no array here: {error}") from None


def _is_words(array: NDArray[Any]) -> bool:
    return array.dtype.kind in "iu" and array.dtype.itemsize == 4 and array.dtype.isnative


def is_sparse(words: Words) -> bool:
    """Whether a row allows so few tokens that listing their ids is the cheapest way to work with them."""
    return int(np.count_nonzero(words)) <= _SPARSE_WORDS


def allowed_ids(words: Words) -> NDArray[np.intp]:
    """The ids that a row allows, ascending. Cost for 128,000 tokens: 10 us if few are allowed, up to 250 us if most are."""
    if not is_sparse(words):
        return np.flatnonzero(_bits(words))
    live = np.flatnonzero(words)
    at, bit = np.nonzero(_bits(words[live]).reshape(-1, 32))
    return live[at] * 32 + bit


def _bytes(words: Words) -> NDArray[np.uint8]:
    return words.astype("<u4", copy=False).view(np.uint8)  # least significant byte first on every machine


def _bits(words: Words) -> NDArray[np.bool_]:
    return np.unpackbits(_bytes(words), bitorder="little").view(np.bool_)


# --- scores -------------------------------------------------------------------------------------------------------


def apply_mask(logits: Any, row: Any) -> None:
    """Set the scores of all tokens that `row` forbids to minus infinity, in place.

    logits: float16, float32 or float64 in numpy, any floating type in torch; shape (V,) with one row, or (n, V) with rows (n, words).
    Scores wider than the row (padding ids above the vocabulary) are forbidden. Allowed scores keep their bits, whatever they are.
    Scores on another device are masked there, by a Triton kernel on CUDA where Triton is installed; their rows may be on either side.
    Raises SamplingError for scores of another kind, MaskShapeError for rows that do not fit them.
    Cost: a pass over the row, most where about half of the tokens are allowed; on another device that of moving the row there.
    """
    scores = _in_memory(logits)
    if scores is None:
        from grammask.decoding.device_mask import apply_on_device

        apply_on_device(logits, row)
        return
    for raw, words in [(scores.raw, row)] if scores.raw.ndim == 1 else zip(scores.raw, _rows(row, len(scores.raw)), strict=True):
        _apply(raw, scores.infinity, row_words(words, raw.size))


class _RawScores(NamedTuple):
    """Scores as the bit patterns in which they are held, and the pattern of minus infinity among them."""

    raw: NDArray[np.unsignedinteger[Any]]
    infinity: int


_MINUS_INFINITY = {"float16": 0xFC00, "bfloat16": 0xFF80, "float32": 0xFF800000, "float64": 0xFFF0000000000000}


def _in_memory(logits: Any) -> _RawScores | None:
    """The memory of a numpy array or of a CPU tensor; None for scores that are elsewhere. Raises SamplingError for what are no scores."""
    kind = str(getattr(logits, "dtype", "no numbers")).removeprefix("torch.")
    is_tensor = hasattr(logits, "masked_fill_")
    if not (is_tensor or isinstance(logits, np.ndarray)) or kind not in _MINUS_INFINITY:
        raise SamplingError("logits", type(logits).__name__, f"scores to be masked in place are a torch tensor or a numpy array of floats, got {kind}")
    if logits.ndim not in (1, 2):
        raise SamplingError("logits", tuple(logits.shape), "scores are of shape (V,) or (n, V)")
    if is_tensor:
        if logits.device.type != "cpu":
            return None
        logits = logits.detach().view(_torch().int16).numpy() if kind == "bfloat16" else logits.detach().numpy()
    if not logits.flags.writeable:
        raise SamplingError("logits", logits.shape, "scores to be masked in place must be writable")
    return _RawScores(logits.view(f"u{logits.itemsize}"), _MINUS_INFINITY[kind])


def _torch() -> Any:
    return sys.modules["torch"]  # who holds a tensor has imported it; nobody else needs it


def _rows(rows: Any, n: int) -> NDArray[Any]:
    array = _host(rows, 0)
    if array.ndim != 2 or array.shape[0] != n:
        raise MaskShapeError(array.shape[-1] if array.ndim else 0, f"shape {array.shape} for {n} rows")
    return array


def _apply(raw: NDArray[Any], infinity: int, words: Words) -> None:
    if (forbid := _forbid()) is not None and raw.flags.c_contiguous and raw.flags.aligned:
        forbid(raw, words, raw.itemsize, infinity)
        return
    if is_sparse(words):
        ids = allowed_ids(words)
        kept = raw[ids]
        raw.fill(infinity)
        raw[ids] = kept
        return
    ones, infinities = _tables(raw.dtype.itemsize, infinity)
    eights = _bytes(words)
    for start in range(0, min(raw.size, words.size * 32), _SLICE):
        part, some = raw[start : start + _SLICE], eights[start // 8 : (start + _SLICE) // 8]
        covered = min(part.size, some.size * 8)
        part[:covered] &= ones.take(some, axis=0).reshape(-1)[:covered]
        part[:covered] |= infinities.take(some, axis=0).reshape(-1)[:covered]
    raw[words.size * 32 :] = infinity


@cache
def _forbid() -> Callable[[Any, Any, int, int], None] | None:
    """The compiled kernel's way to do it, on machines that hold words as it does."""
    from grammask import kernel

    if kernel.KERNEL != "compiled" or sys.byteorder != "little":
        return None
    from grammask.kernel.scores import forbid_scores

    return forbid_scores


@cache
def _tables(itemsize: int, infinity: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each byte of a row, the patterns to AND and to OR eight scores with: all ones and zero where allowed, zero and minus infinity elsewhere."""
    allowed = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.bool_)
    pattern = np.dtype(f"u{itemsize}").type
    return np.where(allowed, ~pattern(0), pattern(0)), np.where(allowed, pattern(0), pattern(infinity))


# --- many rows ----------------------------------------------------------------------------------------------------


@takes(matchers=instance(Sequence, words="a list of matchers"), threads=or_none(whole()))
def fill_masks(matchers: Sequence[Matcher], rows: Any, threads: int | None = None) -> None:
    """Fill row i of `rows` with the mask of matcher i.

    rows: writable, shape (len(matchers), words), 32-bit words, each row contiguous; a numpy array or a CPU tensor.
    threads: how many to use at most, the caller's among them; None chooses by the number of matchers. The kernel works without
    the interpreter's lock. A matcher belongs to one thread at a time, so none may be listed twice.
    Raises MaskShapeError for rows that do not fit, SamplingError for a matcher listed twice, and what a matcher raises
    (LimitError), when all threads are done; rows after it may be unfilled then.
    """
    matchers = list(matchers)
    _require_matchers(matchers[:1])
    table = writable_rows(matchers, rows)
    n_threads = min(os.cpu_count() or 1, len(matchers) // _MATCHERS_PER_THREAD) if threads is None else min(threads, len(matchers))
    batch = _batch(matchers, table, max(1, n_threads))
    if batch is None:
        _fill_others(matchers, table, n_threads)
        return
    try:
        _together([batch.fill] * max(1, n_threads))
    finally:
        batch.close()


def _require_matchers(matchers: list[Any]) -> None:
    for index, matcher in enumerate(matchers):
        if not hasattr(matcher, "fill_mask"):
            raise SamplingError("matchers", type(matcher).__name__, f"place {index} holds no matcher")


def _batch(matchers: list[Any], table: NDArray[Any], n_threads: int) -> Batch | None:
    """What fills all rows at once; None if some masks are not the compiled kernel's, or rows have gaps. What it looks at threads cannot share."""
    from grammask import kernel

    if kernel.KERNEL != "compiled" or not table.flags.c_contiguous:
        return None
    from grammask.kernel.batch import Batch

    try:
        return Batch(matchers, table, n_threads)
    except TypeError:
        return None
    except MaskShapeError:
        raise
    except ValueError:
        raise _listed_twice(matchers) from None


def _fill_others(matchers: list[Any], table: NDArray[Any], n_threads: int) -> None:
    """The same, each thread its part of them."""
    _require_matchers(matchers)
    if len(set(map(id, matchers))) < len(matchers):
        raise _listed_twice(matchers)
    size = -(-len(matchers) // max(1, n_threads))
    _together([partial(_fill, matchers, table, start, min(start + size, len(matchers))) for start in range(0, len(matchers), size or 1)])


def _listed_twice(matchers: list[Any]) -> SamplingError:
    return SamplingError("matchers", len(matchers), "a matcher is listed twice; make one for each row with matcher.copy()")


def _together(works: list[Callable[[], None]]) -> None:
    """Do pieces of work at the same time, the first in this thread; an error is raised when all are done."""
    try:
        others = [_pool().submit(work) for work in works[1:]]
    except BaseException:
        _pool.cache_clear()  # an interrupt in there may leave its locks as they are
        raise
    try:
        for work in works[:1]:
            work()
    finally:
        errors = [other.exception() for other in others]
    for error in errors:
        if error is not None:
            raise error


def _fill(matchers: list[Any], table: NDArray[Any], start: int, end: int) -> None:
    for index in range(start, end):
        matchers[index].fill_mask(table[index])


def writable_rows(matchers: Sequence[Matcher], rows: Any) -> NDArray[Any]:
    """The rows as an array, one for each matcher, without a copy. Raises MaskShapeError for what cannot take their masks."""
    expected = words_for(len(matchers[0].vocabulary)) if matchers else 0
    if isinstance(rows, (list, tuple)):  # numpy would copy these, and the masks would be lost
        raise MaskShapeError(expected, f"a {type(rows).__name__}")
    table = np.asarray(rows)
    if table.ndim != 2 or table.shape[0] != len(matchers) or not _is_words(table) or not table.flags.writeable:
        raise MaskShapeError(expected, f"{'' if table.flags.writeable else 'read-only '}{table.dtype} of shape {table.shape} for {len(matchers)} matchers")
    if not table.flags.aligned:
        raise MaskShapeError(expected, "rows at an address that is no multiple of 4")
    if len(table) > 1 and abs(table.strides[0]) < table.shape[1] * 4:
        raise MaskShapeError(expected, f"rows that overlap, {table.strides[0]} bytes apart")
    return table


@cache
def _pool() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="grammask-masks")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork
