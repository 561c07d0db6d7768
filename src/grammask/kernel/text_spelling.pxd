# cython: language_level=3
from libc.stdint cimport int64_t, uint32_t
from grammask.kernel.automata cimport *


cdef int64_t text_cost(Engine *engine, State *state) noexcept nogil
cdef bint spell_text(Engine *engine, State *state, uint32_t count, Words *out) noexcept nogil
