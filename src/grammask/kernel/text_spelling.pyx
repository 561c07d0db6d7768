# cython: language_level=3
"""Short completions of texts: how many bytes are left at the least, and a spelling of a shortest way to after the closing quote.

A search from a state over single bytes takes up first the places from which the whole way may be shortest, by the characters that are to come
there at the least; each takes a byte or more, so the way that is found is a shortest one. Of places that promise alike the last comes first.
Rule: called with the engine's lock held.
Below: automata, text.  Above: costs.  Source: Hart, Nilsson & Raphael 1968 (A*).
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset
from grammask.kernel.memory cimport *
from grammask.kernel.automata cimport *
from grammask.kernel.text cimport BOUNDARY, DONE, TAIL, CharState, TextRule, settle_text

cdef enum:
    FAR = 64                   # characters to come, beyond which a shortest spelling is found in pieces
    SEARCHED_WHOLE = 1 << 12   # places looked at to find it as a whole
    SEARCHED = 1 << 18         # and for one piece


cdef int64_t text_cost(Engine *engine, State *state) noexcept nogil:
    """About how many bytes the shortest completion has: characters still needed, the quote, the rest of a character."""
    cdef TextRule *text = <TextRule *>state.rule.text
    cdef uint32_t mode = state.key[0], least = state.key[4], nearest
    if mode == DONE:
        return 0
    nearest = text.states[state.key[3]].nearest
    return <int64_t>(least if least > nearest else nearest) + 1 + (0 if mode == BOUNDARY else (4 if mode <= TAIL else 12))


cdef bint spell_text(Engine *engine, State *state, uint32_t count, Words *out) noexcept nogil:
    """Append a shortest spelling from a state to after the closing quote.

    Where that is too far to seek it is found piece by piece, each a shortest one that leaves fewer characters, so it may be longer.
    """
    if to_come(state, count) <= FAR and search_spelling(engine, &state, &count, True, out):
        return True
    while engine.fault == FAULT_NONE and state.key[0] != DONE:
        if not search_spelling(engine, &state, &count, False, out):
            return False
    return engine.fault == FAULT_NONE


cdef int64_t to_come(State *state, uint32_t count) noexcept nogil:
    """Characters that are demanded still after `count`, by the length and by the pattern."""
    cdef TextRule *text = <TextRule *>state.rule.text
    cdef CharState *chars = text.states[state.key[3]]
    cdef int64_t least = state.key[4]
    if state.key[4] == text.clamp:
        least = text.minimum - <int64_t>count
    if least < chars.nearest:
        least = chars.nearest
    if chars.lengths != NULL:
        while least < text.n_levels and not (chars.lengths[least >> 6] >> (least & 63)) & 1:
            least += 1
    return least


# -- the search -----------------------------------------------------------------------------------------------------------


cdef struct Place:
    State *state
    uint32_t count             # characters read
    uint32_t before            # number of the place before
    uint32_t byte              # between that one and this
    uint32_t n_bytes           # from the first place to this one
    uint32_t next              # 1 + number of another that may lead to as short a way


cdef struct Search:
    # The places that it came to, by number; the first is 0.
    Place *at
    uint32_t n
    uint32_t room
    uint32_t *table            # open addressing by state and count, 1 + number of the place with the fewest bytes
    uint32_t table_room
    Words open                 # by the bytes of a whole way beyond the least: 1 + number of the place added last
    uint32_t beyond            # the least of these that has places to be taken up
    int64_t left               # characters to come, fewer than which are wanted; -1: the text's end is
    int64_t least              # bytes of a whole way from the first place, at the least


cdef int64_t bytes_to_come(const Search *search, State *state, uint32_t count) noexcept nogil:
    """Bytes to the end of the search, at the least; one more byte makes it smaller by one at most."""
    cdef int64_t left
    if search.left < 0:
        return 0 if state.key[0] == DONE else to_come(state, count) + 1
    left = to_come(state, count) - search.left + 1
    return left if left > 0 else 0


cdef bint is_found(const Search *search, State *state, uint32_t count) noexcept nogil:
    return state.key[0] == DONE or (state.key[0] == BOUNDARY and to_come(state, count) < search.left)


cdef uint32_t *slot_of(Search *search, State *state, uint32_t count) noexcept nogil:
    """Where the table has the place with this state and count, or has room for it."""
    cdef uint32_t at = mix(mix(1, <uint64_t>state), count) & (search.table_room - 1)
    while search.table[at] and (search.at[search.table[at] - 1].state != state or search.at[search.table[at] - 1].count != count):
        at = (at + 1) & (search.table_room - 1)
    return &search.table[at]


cdef bint grow_search(Search *search) noexcept nogil:
    """Make room for one more place. False when memory ends."""
    cdef uint32_t i, room = 2 * search.room if search.room else 64
    cdef Place *grown
    if search.n < search.room:
        return True
    grown = <Place *>realloc(search.at, room * sizeof(Place))
    if grown == NULL:
        return False
    search.at = grown
    free(search.table)
    search.table = <uint32_t *>calloc(2 * room, sizeof(uint32_t))
    search.room = search.table_room = 0
    if search.table == NULL:
        return False
    search.room = room
    search.table_room = 2 * room
    for i in range(search.n):
        slot_of(search, search.at[i].state, search.at[i].count)[0] = i + 1     # of places alike the later one has fewer bytes
    return True


cdef bint add_place(Search *search, State *state, uint32_t count, uint32_t before, uint32_t byte) noexcept nogil:
    """Note a place unless the search has been there with as few bytes. False when memory ends."""
    cdef uint32_t *slot
    cdef Place *place
    cdef int64_t beyond
    cdef uint32_t n_bytes = search.at[before].n_bytes + 1 if search.n else 0
    if not grow_search(search):
        return False
    slot = slot_of(search, state, count)
    if slot[0] and search.at[slot[0] - 1].n_bytes <= n_bytes:
        return True
    beyond = n_bytes + bytes_to_come(search, state, count) - search.least
    if beyond < search.beyond:
        beyond = search.beyond
    while search.open.n <= <size_t>beyond:
        if not words_push(&search.open, 0):
            return False
    place = &search.at[search.n]
    place.state = state
    place.count = count
    place.before = before
    place.byte = byte
    place.n_bytes = n_bytes
    place.next = search.open.at[beyond]
    search.n += 1
    search.open.at[beyond] = slot[0] = search.n
    return True


cdef bint take_place(Search *search, uint32_t *number) noexcept nogil:
    """The place to be taken up next; False if none is left. One that was reached with fewer bytes since is passed over."""
    cdef Place *place
    while search.beyond < search.open.n:
        if not search.open.at[search.beyond]:
            search.beyond += 1
            continue
        number[0] = search.open.at[search.beyond] - 1
        place = &search.at[number[0]]
        search.open.at[search.beyond] = place.next
        if slot_of(search, place.state, place.count)[0] == number[0] + 1:
            return True
    return False


cdef bint search_spelling(Engine *engine, State **start, uint32_t *start_count, bint whole, Words *out) noexcept nogil:
    """A shortest way to the text's end, or unless `whole` is wanted to where fewer characters are to come.

    Appends the bytes and moves the start to where they lead. False with a fault, or when too many places were come to.
    """
    cdef Search search
    cdef uint32_t number
    cdef uint32_t limit = SEARCHED_WHOLE if whole else SEARCHED
    cdef bint good, found = False
    memset(&search, 0, sizeof(search))
    search.left = -1 if whole else to_come(start[0], start_count[0])
    search.least = bytes_to_come(&search, start[0], start_count[0])
    good = add_place(&search, start[0], start_count[0], 0, 0)
    while good and search.n < limit and take_place(&search, &number):
        if is_found(&search, search.at[number].state, search.at[number].count):
            found = write_way(&search, number, out)
            start[0] = search.at[number].state
            start_count[0] = search.at[number].count
            break
        good = go_on(engine, &search, number)
    if not good and engine.fault == FAULT_NONE:
        engine.fault = FAULT_MEMORY
    free(search.at)
    free(search.table)
    free(search.open.at)
    return found


cdef bint go_on(Engine *engine, Search *search, uint32_t number) noexcept nogil:
    """Add the places that are one byte behind this one. False with a fault, or when memory ends."""
    cdef State *state = search.at[number].state
    cdef State *to
    cdef uint32_t s, count
    if not expand(engine, state):
        return False
    for s in range(state.n_segments):
        to = state.segments[s].to
        count = search.at[number].count + state.segments[s].counts
        if to.elastic:
            to = settle_text(engine, to, count)
        if to == NULL or not add_place(search, to, count, number, state.segments[s].low):
            return False
    return True


cdef bint write_way(const Search *search, uint32_t number, Words *out) noexcept nogil:
    """Append the bytes from the first place to this one. False when memory ends."""
    cdef size_t n = search.at[number].n_bytes
    if not words_reserve(out, n):
        return False
    out.n += n
    n = out.n
    while number:
        n -= 1
        out.at[n] = search.at[number].byte
        number = search.at[number].before
    return True
