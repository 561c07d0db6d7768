# cython: language_level=3
from libc.stdint cimport int64_t, uint32_t
from grammask.kernel.automata cimport *


cdef struct Unordered:
    uint32_t n_slots           # the slot n_slots stands for further members
    uint32_t n_words           # of the set of used slots
    uint32_t *required         # n_words
    uint32_t n_required
    uint32_t minimum
    uint32_t maximum           # NEVER: no bound that could bind
    uint32_t clamp             # counts from here on are one; 0: none matter
    bint has_rest


cdef State *start_unordered(Engine *engine, Rule *rule) noexcept nogil
cdef bint expand_unordered(Engine *engine, State *state) noexcept nogil
cdef int make_unordered(Rule *rule, table) except -1
cdef int64_t unordered_cost(const Rule *rule, const uint32_t *key) noexcept nogil
cdef Call *cheapest_call(const State *state) noexcept nogil
