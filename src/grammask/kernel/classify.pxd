# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from grammask.kernel.automata cimport *
from grammask.kernel.memory cimport *
from grammask.kernel.trie cimport Trie, TrieNode, QUOTE_BELOW, ROUGH_BELOW, child_at, children_end

cdef Classification *classify(Engine *engine, State *state, ExitSet *exits) noexcept nogil
cdef Classification *assemble(Engine *engine, State *state, size_t tokens, size_t outs, size_t parts) noexcept nogil
cdef Classification *conclude(Engine *engine, State *state, ExitSet *exits, size_t tokens, size_t outs, size_t parts) noexcept nogil
cdef bint follow_call(Engine *engine, Call *call, ExitSet *exits) noexcept nogil
cdef bint walk_calls(Engine *engine, State *state, int32_t node) noexcept nogil
cdef bint remember(Engine *engine, State *state, ExitSet *exits, Classification *made) noexcept nogil
cdef ExitSet *intern_exits(Engine *engine, uint32_t *nodes, uint32_t n) noexcept nogil
cdef void write_parts(const Engine *engine, TokenSet **parts, size_t n, uint32_t *row) noexcept nogil


cdef inline Classification *known(const Engine *engine, State *state, ExitSet *exits) noexcept nogil:
    """The classification if it has been made, without a lock; else NULL."""
    cdef Memo *memo
    cdef uint32_t at
    cdef void *key
    if exits == engine.root:
        return <Classification *>read_pointer(state.at_root)
    memo = <Memo *>read_pointer(state.memo)
    if memo == NULL:
        return NULL
    at = (exits.hash & (memo.room - 1))
    while True:
        key = read_pointer(memo.slots[2 * at])
        if key == <void *>exits:
            return <Classification *>memo.slots[2 * at + 1]
        if key == NULL:
            return NULL
        at = (at + 1) & (memo.room - 1)


cdef inline Classification *classified(Engine *engine, State *state, ExitSet *exits, int *fault) noexcept nogil:
    """The classification, made under the lock if it is not there yet; NULL with a fault."""
    cdef Classification *made = known(engine, state, exits)
    if made != NULL:
        return made
    lock_engine(engine)
    made = classify(engine, state, exits)
    release(engine, fault)
    return made
