# cython: language_level=3
from grammask.kernel.automata cimport *

cdef Classification *classify_wide(Engine *engine, State *state) noexcept nogil
cdef bint is_wide(const State *state) noexcept nogil
