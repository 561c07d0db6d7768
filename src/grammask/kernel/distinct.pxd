# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from grammask.kernel.memory cimport *
from grammask.kernel.stacks cimport Position
from grammask.kernel.trie cimport Trie

cdef struct Reading:
    # The text up to here, read backwards: the bytes of the token in work, then those of the tokens taken.
    const Trie *trie
    Position *position
    const uint8_t *at
    size_t n                   # bytes left of those at `at`

cdef bint read_item(Reading *text, Words *out, bint is_member) noexcept nogil
cdef bint only_opens(uint32_t opens, const uint8_t *at, size_t n) noexcept nogil
