# cython: language_level=3
"""Batch: the masks of many matchers at once, by any number of threads, without the interpreter.

What has to be looked at with the interpreter is looked at once for all threads. Each of them has rows of its own, the same ones in each batch of
the same size, which it may find in its cache; it takes some after the other, and when they run out some of the others', which may have come late.
Rule: the matchers of an open batch belong to it; who asks one for something meanwhile gets an error. It lets go of them when nobody holds it any
more, too, so that an interrupt leaves none behind.
Below: matcher.
"""
cimport cython
from libc.stdint cimport uint32_t
from libc.stdlib cimport free, malloc
from cpython.buffer cimport PyBUF_ND, PyBUF_WRITABLE, PyObject_GetBuffer, PyBuffer_Release
from grammask.kernel.memory cimport *

from grammask.errors import DecodingError, MaskShapeError
from grammask.kernel.matcher cimport Filler, Matcher, fill

cdef enum:
    ROWS_AT_A_TIME = 16


@cython.no_gc_clear            # its matchers are there until it has let go of them
cdef class Batch:
    """Matchers, and the rows of one 2-D buffer that their masks are written to, in the same order.

    threads: how many may call `fill`, 1 at least.
    rows: writable, C-contiguous, len(matchers) rows of ceil(vocabulary / 32) 32-bit words. All matchers share one vocabulary size.
    Raises MaskShapeError for other rows, TypeError for what is no matcher or makes its masks otherwise, ValueError for a matcher that is listed twice, DecodingError for one that is used by another thread.
    """

    cdef list matchers
    cdef Filler **fillers
    cdef Py_buffer view
    cdef bint has_view
    cdef size_t n
    cdef size_t n_threads
    cdef size_t n_begun        # threads that have begun to fill
    cdef size_t n_filling      # of these, those that have not ended; changed by who holds the interpreter
    cdef size_t *next_         # of the rows of each thread the first that none has taken, by thread
    cdef size_t words          # of a row

    def __init__(self, list matchers not None, rows not None, size_t threads=1):
        cdef size_t i
        if self.matchers is not None:
            raise TypeError("a Batch is made once")
        self.matchers = list(matchers)      # the caller's may change meanwhile
        self.n = len(self.matchers)
        self.n_threads = threads if threads else 1
        PyObject_GetBuffer(rows, &self.view, PyBUF_WRITABLE | PyBUF_ND)
        self.has_view = True
        self.fillers = <Filler **>malloc((self.n + 1) * sizeof(Filler *))
        self.next_ = <size_t *>malloc(self.n_threads * sizeof(size_t))
        if self.fillers == NULL or self.next_ == NULL:
            raise MemoryError()
        for i in range(self.n_threads):
            self.next_[i] = self.first_of(i)
        try:
            self._gather()
        except BaseException:
            self._let_go()
            raise

    def __dealloc__(self):
        self._let_go()
        free(self.fillers)
        free(self.next_)

    cdef inline size_t first_of(self, size_t thread) noexcept nogil:
        return self.n * thread // self.n_threads

    cdef _gather(self):
        """Take all matchers into possession, and note where each keeps what filling a mask needs."""
        cdef size_t i
        cdef Matcher matcher
        cdef object one, kind = None
        for i in range(self.n):
            one = self.matchers[i]
            if type(one) is not kind:
                kind = type(one)
                if not isinstance(one, Matcher) or kind.fill_mask is not Matcher.fill_mask:
                    raise TypeError(f"a Matcher of the kernel's own masks is needed for row {i}, got {kind.__name__}")
            matcher = <Matcher>one
            self.words = matcher.engine.trie.mask_words
            if <size_t>self.view.len != self.n * self.words * 4 or self.view.itemsize != 4 or <size_t>self.view.buf & 3:
                raise MaskShapeError(self.words, f"{self.view.len} bytes for {self.n} rows")
            if matcher.busy == <const void *>self:
                raise ValueError(f"the matcher of row {i} is listed twice")
            matcher._require_idle(NULL)
            matcher.busy = <const void *>self
            matcher._begin_mask()
            self.fillers[i] = &matcher.filler

    def fill(self):
        """Fill rows until none is left. Several threads may be at it; all rows are filled when the last of them is done."""
        cdef size_t turn, thread
        if not self.has_view:
            raise DecodingError("a batch was closed before it was filled")
        self.n_filling += 1
        try:
            with nogil:
                thread = take_numbers(self.n_begun, 1)
                for turn in range(self.n_threads):
                    self._fill_some((thread + turn) % self.n_threads)
        finally:
            self.n_filling -= 1

    cdef int _fill_some(self, size_t thread) except -1 nogil:
        """Fill what is left of the rows of one thread, together with others that do the same."""
        cdef size_t i, end, last = self.first_of(thread + 1)
        while True:
            i = take_numbers(self.next_[thread], ROWS_AT_A_TIME)
            if i >= last:
                return 0
            end = i + ROWS_AT_A_TIME if i + ROWS_AT_A_TIME < last else last
            while i < end:
                if not (fill(self.fillers[i], self.row(i)) and self.fillers[i].doubts.n == 0 and not self.fillers[i].is_loose):
                    with gil:
                        self._fill_with_interpreter(i)
                i += 1

    cdef inline uint32_t *row(self, size_t i) noexcept nogil:
        return <uint32_t *>self.view.buf + i * self.words

    cdef _fill_with_interpreter(self, size_t i):
        """A mask that takes more than putting parts together."""
        cdef Matcher matcher = <Matcher>self.matchers[i]
        try:
            matcher._fill(self.row(i))
        finally:
            matcher.busy = <const void *>self

    def close(self):
        """Let go of the matchers and the rows. Threads that are still filling leave what is left, and are waited for."""
        cdef size_t thread
        for thread in range(self.n_threads):
            take_numbers(self.next_[thread], self.n)
        while self.n_filling:
            with nogil:        # for them to end
                pass
        self._let_go()

    cdef _let_go(self):
        cdef object one
        for one in self.matchers or ():
            if isinstance(one, Matcher) and (<Matcher>one).busy == <const void *>self:
                (<Matcher>one).busy = NULL
        if self.has_view:
            self.has_view = False
            PyBuffer_Release(&self.view)
