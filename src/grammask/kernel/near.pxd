# cython: language_level=3
from grammask.kernel.automata cimport *


cdef Classification *classify_pattern(Engine *engine, State *state, ExitSet *exits) noexcept nogil
