# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from cpython.pythread cimport PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock, PyThread_type_lock
from grammask.kernel.automata cimport *
from grammask.kernel.memory cimport *

cdef enum:
    NOT_CLAMPED = 0xFFFFFFFF


cdef struct Entry:
    State *back                # NULL: the bottom, where the whole text is complete
    Stack *below


cdef struct Stack:
    uint64_t hash              # of the structure, so that equal stacks of different matchers have equal hashes
    Stack *moved               # while a family is compacted: its copy
    int64_t cost               # least symbols to complete everything on it; -1: not known
    uint32_t n
    Entry *entries


cdef struct Configuration:
    State *state
    Stack *stack
    uint32_t count             # texts: characters read, for states that leave it open


cdef struct Position:
    Position *before
    uint32_t taken             # tokens since the start
    int32_t token              # the last of them
    uint32_t n
    bint complete
    bint finished
    Configuration *at


cdef struct Configurations:
    Configuration *at
    uint32_t n
    uint32_t room
    uint32_t *table            # open addressing over `at`, 1 + index; used from LINEAR on
    uint32_t table_room


cdef class Family:
    cdef Arena arena
    cdef Stack **stacks
    cdef uint32_t room
    cdef uint32_t n_stacks
    cdef PyThread_type_lock lock
    cdef Stack bottom
    cdef Entry bottom_entry
    cdef size_t roomy              # bytes from which on a member looks for what it no longer needs
    cdef Stack *intern(self, Entry *entries, uint32_t n) noexcept nogil
    cdef bint adopt(self, Stack *stack, Pointers *touched) noexcept nogil
    cdef bint adopt_one(self, Stack *stack) noexcept nogil
    cdef Position *adopt_positions(self, Position *position, Pointers *touched) noexcept nogil


cdef uint64_t configuration_hash(const Configuration *c) noexcept nogil
cdef bint add_configuration(Configurations *list_, State *state, Stack *stack, uint32_t count) noexcept nogil
cdef uint32_t telling_count(const Configuration *c) noexcept nogil
