# cython: language_level=3
from libc.stdint cimport int64_t, uint8_t, uint32_t
from grammask.kernel.automata cimport *
from grammask.kernel.memory cimport Words


cdef struct Multiples:
    uint32_t places            # decimal places that count
    uint32_t behind            # digits behind the point there may be
    uint32_t n_low             # whole digits of the bounds
    uint32_t n_high
    uint8_t *low               # their digits, n_low + places and n_high + places
    uint8_t *high
    uint32_t low_ends          # the digits of low from here on are zeros
    uint32_t n_numbers         # the divisor, then those excluded
    uint32_t n_words           # of each number
    uint32_t *moduli           # with g places to come, number n divides V * 10**g if moduli[g][n] divides V
    uint8_t *barren            # with g places to come: all multiples of the divisor are excluded
    uint32_t n_key
    uint32_t ample             # with so many digits to come, all places included, there is always a number that is wanted
    uint32_t *spent            # with g places to come, for number n: two numbers, see `write_spent`
    uint32_t *spare            # room for residues and keys, used under the engine's lock


cdef State *start_multiples(Engine *engine, Rule *rule) noexcept nogil
cdef bint expand_multiples(Engine *engine, State *state) noexcept nogil
cdef State *multiples_target(Engine *engine, State *state, Segment *segment) noexcept nogil
cdef bint walk_multiples(Engine *engine, State *state, ExitSet *exits) noexcept nogil
cdef int make_multiples(Rule *rule, table) except -1
cdef int64_t multiples_cost(const Rule *rule, const uint32_t *key) noexcept nogil
cdef bint spell_multiples(const State *state, Words *out) noexcept nogil
