# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from grammask.kernel.automata cimport *
from grammask.kernel.memory cimport *
from grammask.kernel.text_masks cimport TokenReading
from grammask.kernel.trie cimport TokenTrie


cdef class Store:
    cdef Engine engine
    cdef TokenTrie token_trie
    cdef TokenReading token_reading
    cdef readonly tuple eos_ids
    cdef dict shared
    cdef uint32_t serial
    cdef object loading
    cdef _open(self, tuple eos_ids)
    cdef Rule *shared_rule(self, bytes key) except? NULL


cdef class Bound:
    cdef Arena arena               # of the rules without a key
    cdef Arena loading             # of those with one, until the store has them
    cdef Pointers own              # the rules without a key
    cdef readonly Store store
    cdef Rule *root
    cdef uint32_t n_rules
    cdef size_t made_bytes         # of `arena` when the grammar was bound
    cdef State *wanted             # see distinct.pyx
    cdef list recorders            # of the rules with one: Rule.recorder - 1
    cdef list memories             # sets of values by number; 0 is empty
    cdef dict numbers              # set of values -> its number
    cdef object supplying          # lock
    cdef Arena late                # of rules made while texts are read, until they are there
    cdef bint is_late
    cdef bint has_loose            # some rule has (Rule.has_loose)
    cdef list awaited              # what makes the edges of rules that wait for them (Rule.awaited - 1) with the rule's address; None: made
    cdef uint32_t n_awaited
    cdef dict made                 # id of a table -> address of its rule, while rules wait
    cdef list held                 # those tables, without their edges
    cpdef complete(self)
    cdef _make_edges(self, uint32_t number)
    cdef void _join_late(self, uint32_t first) noexcept nogil
    cdef _keep(self, list fresh, dict made)
    cdef _supply_edge(self, State *state, Edge *edge)
    cdef object _lack_of_memory(self)
    cpdef int64_t _remember(self, uint32_t teller, uint32_t memory, bytes text, bint adds) except? -2
    cpdef _supply(self)
    cdef _make_without(self, Rule *caller, Rule *callee, uint32_t memory)
    cdef _tell_apart(self, Rule *rule, Rule *callee, recorder)
    cdef _load(self, root)
    cdef object _load_from(self, root, dict made, list fresh)
    cdef Rule *_load_late(self, table, dict made, list fresh) except NULL
    cdef _share(self, list rules)
    cdef object _blank(self, table, size_t number)
    cdef size_t _rule_of(self, table, dict made, list fresh) except 0
    cdef _fill(self, table, dict made, list fresh)
