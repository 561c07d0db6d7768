# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from grammask.kernel.automata cimport *
from grammask.kernel.stacks cimport *


cdef struct Ahead:
    # A matcher that looks ahead: what is used of it, and how it steps.
    void *matcher
    bint (*step)(Ahead *ahead, uint32_t byte, bytearray read) except -1     # by the last of the bytes read; False where that cannot be
    Engine *engine
    const Configurations *now  # where it stands
    bint complete              # the text is complete there
    bint has_told              # the last step has told an item apart
    bint tells_apart           # some steps do
    int *fault


ctypedef bint (*Look)(Ahead *ahead, bytearray out) except -1


cdef int64_t stack_cost(Engine *engine, Stack *stack) noexcept nogil
cdef int64_t least_left(Engine *engine, const Configuration *at, uint32_t n, int *fault) noexcept nogil
cdef bint add_forced(Ahead *ahead, bytearray out) except -1
cdef bint add_completion(Ahead *ahead, bytearray out) except -1
