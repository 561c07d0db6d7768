# cython: language_level=3
"""Scores: those of tokens that a row forbids become minus infinity, in place.

Rule: only what is forbidden is written, word by word of the row, so a row that forbids little or much costs little; nothing is known here of
how a number is held but its size.
Source: iteration over the set bits of a word, Kernighan & Ritchie 1978, exercise 2-9.
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyObject_GetBuffer, PyBuffer_Release
from grammask.kernel.memory cimport lowest_bit, popcount32

ctypedef fused Number:
    uint16_t
    uint32_t
    uint64_t


cdef void forbid(Number *scores, size_t n, const uint32_t *row, size_t n_words, Number infinity) noexcept nogil:
    cdef size_t word, start, i, here
    cdef uint32_t allowed, bits
    cdef Number kept[32]
    for word in range(n_words):
        start = 32 * word
        if start >= n:
            return
        here = n - start if n - start < 32 else 32
        allowed = row[word] if here == 32 else row[word] & ((<uint32_t>1 << here) - 1)
        if popcount32(allowed) > 16:
            bits = ~allowed if here == 32 else ~allowed & ((<uint32_t>1 << here) - 1)
            while bits:
                scores[start + lowest_bit(bits)] = infinity
                bits &= bits - 1
            continue
        bits = allowed
        while bits:
            i = lowest_bit(bits)
            kept[i] = scores[start + i]
            bits &= bits - 1
        for i in range(here):
            scores[start + i] = infinity
        while allowed:
            i = lowest_bit(allowed)
            scores[start + i] = kept[i]
            allowed &= allowed - 1
    for i in range(32 * n_words, n):
        scores[i] = infinity


def forbid_scores(scores not None, row not None, size_t itemsize, uint64_t infinity):
    """Write a bit pattern over the scores of all tokens that a row forbids, and of those beyond the row.

    scores: a writable contiguous buffer of numbers of 2, 4 or 8 bytes. row: a contiguous buffer of 32-bit words, bit t % 32 of word t // 32
    for token t. Raises BufferError or ValueError for other buffers, ValueError for numbers of another size. Cost: a pass over the row, and a write
    for each score that is forbidden; releases the GIL.
    """
    cdef Py_buffer view
    cdef Py_buffer words
    cdef size_t n, n_words
    if itemsize != 2 and itemsize != 4 and itemsize != 8:
        raise ValueError(f"scores are numbers of 2, 4 or 8 bytes, not {itemsize}")
    PyObject_GetBuffer(scores, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
    try:
        PyObject_GetBuffer(row, &words, PyBUF_SIMPLE)
    except BaseException:
        PyBuffer_Release(&view)
        raise
    n = view.len // itemsize
    n_words = words.len // sizeof(uint32_t)
    with nogil:
        if itemsize == 2:
            forbid(<uint16_t *>view.buf, n, <const uint32_t *>words.buf, n_words, <uint16_t>infinity)
        elif itemsize == 4:
            forbid(<uint32_t *>view.buf, n, <const uint32_t *>words.buf, n_words, <uint32_t>infinity)
        else:
            forbid(<uint64_t *>view.buf, n, <const uint32_t *>words.buf, n_words, infinity)
    PyBuffer_Release(&words)
    PyBuffer_Release(&view)
