# cython: language_level=3
"""Completions: what is left to be done from some configurations, at the least and where there is no choice.

Costs of frames are put together over stacks; a way is spelled by the configuration with the least left, frame by frame. Where what comes
next hangs on what was read (forced bytes, items that all differ), the matcher is asked to step.
Rule: a text with its completion is in the language, and every completion begins with the forced bytes.
Rule: a matcher that looks ahead holds its family's lock; costs are worked out under the engine's.
Below: costs, stacks.  Above: matcher, places.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset
from grammask.kernel.memory cimport *
from grammask.kernel.automata cimport *
from grammask.kernel.costs cimport ENDLESS, frame_cost, spell_frame
from grammask.kernel.stacks cimport *

cdef enum:
    FORCED_BYTES = 1 << 16     # forced bytes are looked for no further


# -- what is left at the least --------------------------------------------------------------------------------------------


cdef int64_t stack_cost(Engine *engine, Stack *stack) noexcept nogil:
    """Least symbols to complete all frames on a stack. Goes down first, so that it needs no recursion."""
    cdef Pointers path
    cdef Stack *at
    cdef uint32_t i
    cdef int64_t cost, least
    cdef bint ready
    if stack.cost >= 0:
        return stack.cost
    memset(&path, 0, sizeof(path))
    if not pointers_push(&path, stack):
        return ENDLESS
    while path.n:
        at = <Stack *>path.at[path.n - 1]
        ready = True
        least = ENDLESS
        for i in range(at.n):
            if at.entries[i].back == NULL:
                least = 0
            elif at.entries[i].below.cost < 0 and at.entries[i].below.n and at.entries[i].below != at:
                ready = False
                if not pointers_push(&path, at.entries[i].below):
                    free(path.at)
                    return ENDLESS
        if not ready:
            continue
        for i in range(at.n):
            if at.entries[i].back != NULL:
                cost = frame_cost(engine, at.entries[i].back) + at.entries[i].below.cost
                if cost < least:
                    least = cost
        at.cost = least
        path.n -= 1
    free(path.at)
    return stack.cost


cdef int64_t least_cost(Engine *engine, const Configuration *at, uint32_t n, uint32_t *best) noexcept nogil:
    """Least symbols from some configurations to the end of the text, and which of them has the least.

    One whose frame is complete is passed over: where that returns to is a configuration, too, and may know more of what was read.
    """
    cdef uint32_t i
    cdef int64_t cost, least = ENDLESS
    for i in range(n):
        if at[i].state.accepting and at[i].stack.entries[0].back != NULL:
            continue
        cost = frame_cost(engine, at[i].state) + stack_cost(engine, at[i].stack)
        if cost < least:
            least = cost
            best[0] = i
    return least


cdef int64_t least_left(Engine *engine, const Configuration *at, uint32_t n, int *fault) noexcept nogil:
    """Bytes that a shortest completion has, about: `least_cost`, -1 where there is none without special tokens. Takes the engine's lock."""
    cdef uint32_t best
    cdef int64_t least
    lock_engine(engine)
    least = least_cost(engine, at, n, &best)
    release(engine, fault)
    return least if least < ENDLESS else -1


# -- without a choice -----------------------------------------------------------------------------------------------------


cdef bint add_forced(Ahead *ahead, bytearray out) except -1:
    """Go on while one byte may come, and add it."""
    cdef int byte
    while not ahead.complete and len(out) < FORCED_BYTES:
        byte = only_byte(ahead.engine, ahead.now, ahead.fault)
        if byte < 0:
            break
        out.append(byte)
        if not ahead.step(ahead, byte, out):
            out.pop()
            break
    return True


cdef int only_byte(Engine *engine, const Configurations *now, int *fault) noexcept nogil:
    """The one byte that configurations can go on with; -1: none or several, or a special token."""
    cdef uint64_t first[4]
    cdef uint32_t i, j, found = 0
    cdef int byte = -1
    memset(first, 0, sizeof(first))
    for i in range(now.n):
        if not ensure_expanded(engine, now.at[i].state, fault):
            return -1
        if now.at[i].state.first_special:
            return -1
        for j in range(4):
            first[j] |= now.at[i].state.first[j]
    for j in range(4):
        while first[j]:
            byte = 64 * j + lowest_bit(first[j])
            first[j] &= first[j] - 1
            found += 1
    return byte if found == 1 else -1


# -- to the end -----------------------------------------------------------------------------------------------------------


cdef bint add_completion(Ahead *ahead, bytearray out) except -1:
    """Add a completion; False if there is none. Where items are told apart, each is read before what is behind it is spelled."""
    cdef Words spelling
    cdef bint good = False
    memset(&spelling, 0, sizeof(spelling))
    try:
        while not ahead.complete:
            spelling.n = 0
            with nogil:
                lock_engine(ahead.engine)
                good = spell(ahead.engine, ahead.now, &spelling)
                release(ahead.engine, ahead.fault)
            if not good:
                return False
            if not ahead.tells_apart:
                out += bytes([spelling.at[i] for i in range(spelling.n)])
                return True
            if not read_spelling(ahead, &spelling, out):
                return False
        return True
    finally:
        free(spelling.at)


cdef bint read_spelling(Ahead *ahead, const Words *spelling, bytearray out) except -1:
    """Step by a spelling until an item has been read; False where that cannot be."""
    cdef size_t i
    for i in range(spelling.n):
        out.append(spelling.at[i])
        if not ahead.step(ahead, spelling.at[i], out):
            return False
        if ahead.complete or ahead.has_told:
            break
    return True


cdef bint spell(Engine *engine, const Configurations *now, Words *out) noexcept nogil:
    """Spell a way from some configurations to the end."""
    cdef uint32_t i, count, best = 0
    cdef int64_t cost, least
    cdef State *state
    cdef Stack *stack
    if least_cost(engine, now.at, now.n, &best) >= ENDLESS:
        return False
    state = now.at[best].state
    stack = now.at[best].stack
    count = now.at[best].count
    while True:
        if not spell_frame(engine, state, count, out):
            return False
        least = ENDLESS
        for i in range(stack.n):
            if stack.entries[i].back == NULL:
                return True
            cost = frame_cost(engine, stack.entries[i].back) + stack_cost(engine, stack.entries[i].below)
            if cost < least:
                least = cost
                best = i
        if least >= ENDLESS:
            return False
        state = stack.entries[best].back
        stack = stack.entries[best].below
        count = 0
