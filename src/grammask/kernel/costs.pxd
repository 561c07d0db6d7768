# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint32_t
from grammask.kernel.automata cimport *
from grammask.kernel.memory cimport Words

cdef enum:
    DEAREST = 0x3FFFFFFF       # from here on a cost is not told

cdef extern from *:
    """
    #define GM_ENDLESS ((int64_t)1 << 40)
    """
    const int64_t ENDLESS "GM_ENDLESS"     # the cost of what only special tokens complete


cdef int64_t frame_cost(Engine *engine, State *state) noexcept nogil
cdef bint spell_frame(Engine *engine, State *state, uint32_t count, Words *out) noexcept nogil
