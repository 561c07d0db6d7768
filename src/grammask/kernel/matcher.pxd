# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from grammask.kernel.automata cimport *
from grammask.kernel.completions cimport Look
from grammask.kernel.memory cimport *
from grammask.kernel.stacks cimport *
from grammask.kernel.store cimport Bound


cdef struct Pending:
    # A call made at this place, before all its callers are known.
    State *start
    Entry entry


cdef struct Calls:
    Pending *at
    uint32_t n
    uint32_t room


cdef struct Visits:
    # (exit set, stack) pairs on the way up; `at` is both the list of work and of what was seen.
    void **at
    uint32_t n
    uint32_t room


cdef enum Outcome:
    REFUSED = 0
    TAKEN = 1
    FAULTED = 2


cdef struct Filler:
    # What making a mask needs; one for each matcher, so that a batch can be filled without the interpreter.
    Engine *engine
    Position *position
    Pointers parts
    Pointers doubts            # classifications with tokens to be tried
    Visits visits
    const bint *has_loose      # of the Bound
    bint is_loose              # the mask may allow tokens that end an item which was read before
    int fault


cdef class Matcher:
    cdef readonly Bound bound
    cdef Family family
    cdef Engine *engine
    cdef Position *position_
    cdef Configurations now
    cdef Configurations next_
    cdef Calls calls
    cdef Filler filler
    cdef int fault
    cdef object raised             # with FAULT_RAISED
    cdef const uint8_t *read_at    # what was read since the position
    cdef size_t n_read
    cdef bint is_trial             # a token is only tried, so that items need not be remembered
    cdef bint needs_all            # but this trial has come to a second item, or too far into it
    cdef size_t opens_at           # bytes read where the first item ended, if no more of the next than its opening may be read so; 0: none
    cdef uint32_t opens            # and what may open it, see Richness
    cdef tuple tried               # what `Bound._remember` was asked last in a trial, and said
    cdef bint has_told             # an item was told apart
    cdef const void *busy          # who is at work on it without the interpreter; NULL: nobody
    cdef bint _require_idle(self, const void *user) except False
    cdef bint _make_room(self) except False
    cdef Position *_keep(self, bint complete, bint finished, int32_t token) noexcept nogil
    cdef bint _supplied(self) except -1
    cdef bint _tell(self, State *back, Stack *below) noexcept nogil
    cdef int64_t _remembered(self, State *back, bint adds) noexcept nogil
    cdef int64_t _asked(self, State *back, bytes text, bint adds) except? -2
    cdef Outcome _trial(self, int32_t token, bint *complete) noexcept nogil
    cdef bint _decide(self, uint32_t *row) noexcept nogil
    cdef bint _try_allowed(self, uint32_t *row) noexcept nogil
    cdef bint _try_one_allowed(self, uint32_t *row, uint32_t token) noexcept nogil
    cdef _begin_mask(self)
    cdef _fill(self, uint32_t *row)
    cdef bint _look_ahead(self, Look look, bytearray out) except -1
    cdef _raise_fault(self)
    cdef bint _add_call(self, Call *call, Stack *stack) noexcept nogil
    cdef bint _step_state(self, State *state, Stack *stack, uint32_t count, uint32_t symbol) noexcept nogil
    cdef bint _step_calls(self, uint32_t symbol) noexcept nogil
    cdef bint _settle(self, bint *complete, bint *rests) noexcept nogil
    cdef Outcome _step(self, uint32_t symbol, bint *complete, bint *rests) noexcept nogil
    cdef bint _load_now(self) noexcept nogil
    cdef Outcome _walk(self, const uint8_t *bytes_, size_t n, uint32_t special, bint *complete) noexcept nogil
    cdef Outcome _try(self, int32_t token, bint *complete) noexcept nogil
    cdef int32_t _checked(self, token_id) except -1
    cdef bytes _spelling(self, int32_t token)
    cdef tuple _key(self)
    cdef bint _is_inside_item(self) except -1
    cdef bytes _text(self)


cdef bint fill(Filler *filler, uint32_t *row) noexcept nogil
