# cython: language_level=3
from grammask.kernel.automata cimport *


cdef int make_any_text(Engine *engine) except -1
cdef int make_text(Engine *engine, Rule *rule, table) except -1
