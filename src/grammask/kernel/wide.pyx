# cython: language_level=3
"""Masks of states that take nearly every character, such as free text up to a marker: most tokens are taken by the thousand.

The states of text_masks have a length, quotes and escapes; those here are local states of ordinary rules, over bytes. For a state d,
`survey_wide` finds a set X of classes of characters such that every string over X leads from d to a state in which a token may
rest, and on from there likewise. All tokens over X are one set, `within(X)`, shared by everything that asks for the same X. Only
subtrees of the trie with something outside X in them are walked. (Free text up to `<tool_call>`: X is all but the class of `>`.)
Rule: X only ever promises life, so masks stay exact whatever it is.
Rule: a frame that can complete over X and has callers is not for this module, because its exits would have to be told one by one.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from grammask.kernel.memory cimport *
from grammask.kernel.automata cimport *
from grammask.kernel.classify cimport conclude, follow_call, walk_calls
from grammask.kernel.text_masks cimport Reading, class_of, lead_need, weight_of, within
from grammask.kernel.trie cimport Trie, TrieNode, children_end

cdef enum:
    N_CLASSES = 56             # of text_masks, the quotation mark, the backslash and control characters among them
    PLACES = 192               # states that a survey tells apart
    WIDE_BYTES = 64            # of the 95 printable ones of ASCII, that a state must take to be worth a survey
    FEW = 24                   # tokens that are kept as a list beside those over X
    WORTH_SURVEY = 48          # tokens below a node from which a walk asks whether all of them live

cdef uint64_t ALL_CLASSES = (<uint64_t>1 << N_CLASSES) - 1
cdef uint32_t NEVER = 0xFFFFFFFF

cdef uint8_t class_bytes[256]          # ASCII characters and lead bytes, by class
cdef uint32_t class_first[N_CLASSES + 1]


cdef _sort_classes():
    """Fill the lists of bytes by class."""
    at = 0
    for c in range(N_CLASSES):
        class_first[c] = at
        for byte in range(256):
            if class_of(byte) == c:
                class_bytes[at] = byte
                at += 1
    class_first[N_CLASSES] = at


_sort_classes()


cdef struct Spread:
    # The states that strings over the classes lead to, and by which class each was met first.
    State *places[PLACES]
    uint8_t via[PLACES]
    uint32_t n
    uint32_t c                 # the class whose characters are followed
    bint dead                  # some character of it leads nowhere, or to where tokens cannot be taken together
    bint crowded


cdef bint is_wide(const State *state) noexcept nogil:
    """Whether an expanded state takes most printable characters by itself."""
    cdef uint32_t s, low, high, taken = 0
    for s in range(state.n_segments):
        low = state.segments[s].low
        high = state.segments[s].high
        if low > 0x7E or high < 0x20:
            continue
        taken += (high if high < 0x7E else 0x7E) - (low if low > 0x20 else 0x20) + 1
    return taken >= WIDE_BYTES


# -- surveying a state --------------------------------------------------------------------------------------------------


cdef bint come_to(Engine *engine, State *to, Spread *spread) noexcept nogil:
    """Note a state that a character has led to. False with a fault."""
    cdef uint32_t i
    if to == NULL or not expand(engine, to):
        return False
    if not to.resting or (not to.rule.alone and (to.accepting or to.n_calls)):
        spread.dead = True
        return True
    for i in range(spread.n):
        if spread.places[i] == to:
            return True
    if spread.n == PLACES:
        spread.crowded = True
        return True
    spread.places[spread.n] = to
    spread.via[spread.n] = <uint8_t>spread.c
    spread.n += 1
    return True


cdef bint follow_tail(Engine *engine, State *state, uint32_t low, uint32_t high, uint32_t need, Spread *spread) noexcept nogil:
    """Follow all continuation bytes low..high of a character, and those after them. False with a fault."""
    cdef uint32_t s, at = low
    cdef Segment *segment
    cdef State *to
    if not expand(engine, state):
        return False
    if state.n_calls:
        spread.dead = True
    for s in range(state.n_segments):
        segment = &state.segments[s]
        if segment.high < at or at > high:
            continue
        if segment.low > at:
            break
        to = target_locked(engine, state, segment)
        if to == NULL:
            return False
        if need == 1:
            if not come_to(engine, to, spread):
                return False
        elif not follow_tail(engine, to, 0x80, 0xBF, need - 1, spread):
            return False
        at = segment.high + 1
    if at <= high:
        spread.dead = True
    return True


cdef bint follow_byte(Engine *engine, State *state, uint32_t byte, Spread *spread) noexcept nogil:
    """Follow all characters that begin with a byte. False with a fault."""
    cdef Segment *segment = segment_of(state, byte)
    cdef State *to
    cdef uint32_t need, low = 0x80, high = 0xBF
    if segment == NULL:
        spread.dead = True
        return True
    to = target_locked(engine, state, segment)
    if to == NULL:
        return False
    if byte < 0x80:
        return come_to(engine, to, spread)
    need = lead_need(byte)
    if need >> 3 == 1:
        low = 0xA0
    elif need >> 3 == 2:
        high = 0x9F
    elif need >> 3 == 3:
        low = 0x90
    elif need >> 3 == 4:
        high = 0x8F
    return follow_tail(engine, to, low, high, need & 7, spread)


cdef bint survey_round(Engine *engine, State *state, uint64_t *classes, bint *good) noexcept nogil:
    """Follow all strings over the classes. False: some classes must go first, which have been taken off.

    Where a place cannot take a class, either that goes or the class that led to the place, whichever fewer tokens hold.
    """
    cdef Reading *reading = <Reading *>engine.reading
    cdef Spread spread
    cdef uint32_t i = 0, k
    cdef uint64_t dead
    spread.n = 1
    spread.places[0] = state
    spread.crowded = False
    while i < spread.n and not spread.crowded:
        dead = 0
        for spread.c in range(N_CLASSES):
            if not (classes[0] >> spread.c) & 1:
                continue
            spread.dead = False
            k = class_first[spread.c]
            while k < class_first[spread.c + 1] and not spread.dead:
                if not follow_byte(engine, spread.places[i], class_bytes[k], &spread):
                    good[0] = False
                    return False
                k += 1
            if spread.dead:
                dead |= <uint64_t>1 << spread.c
        if dead:
            if i and reading.weight[spread.via[i]] < weight_of(reading, dead):
                dead = <uint64_t>1 << spread.via[i]
            classes[0] &= ~dead
            return False
        i += 1
    if spread.crowded:
        classes[0] = 0
    return True


cdef bint survey_wide(Engine *engine, State *state) noexcept nogil:
    """Find X of an expanded state; kept in the state. False with a fault."""
    cdef uint64_t classes = ALL_CLASSES
    cdef bint good = True
    if state.surveyed:
        return True
    while classes and good and not survey_round(engine, state, &classes, &good):
        pass
    if not good:
        return False
    state.inside_classes = classes
    state.inside_chars = NEVER
    state.surveyed = True
    return True


# -- walking what is left -----------------------------------------------------------------------------------------------


cdef bint walk_wide(Engine *engine, uint64_t inside, State *state) noexcept nogil:
    """Walk from the root. `covered`: what has been read is over `inside`, whose tokens are held already; `need`: as in lead_need."""
    cdef Reading *reading = <Reading *>engine.reading
    cdef size_t base = engine.walk.n
    cdef uint32_t packed
    cdef int32_t node
    cdef TrieNode *place
    if not push_step(engine, state, 0, 0, True):
        return False
    while engine.walk.n > base:
        engine.walk.n -= 3
        state = <State *>engine.walk.at[engine.walk.n]
        node = <int32_t><size_t>engine.walk.at[engine.walk.n + 1]
        packed = <uint32_t><size_t>engine.walk.at[engine.walk.n + 2]
        if not state.expanded and not expand(engine, state):
            return False
        place = &engine.trie.nodes[node]
        if packed == 0 and place.token_end - place.token_first >= WORTH_SURVEY and is_wide(state):
            if not survey_wide(engine, state):
                return False
            if state.inside_classes and not reading.below[node] & ~state.inside_classes:
                if not take_tokens(engine, place.token_first + place.n_tokens, place.token_end):
                    return False
                continue
        if not walk_wide_children(engine, inside, state, node, packed >> 1, packed & 1):
            return False
        if node and state.n_calls and not walk_calls(engine, state, node):
            return False
    return True


cdef bint walk_wide_children(Engine *engine, uint64_t inside, State *state, int32_t node, uint32_t need, bint covered) noexcept nogil:
    cdef Trie *trie = engine.trie
    cdef Reading *reading = <Reading *>engine.reading
    cdef int32_t child = trie.nodes[node].first, end = children_end(trie, node)
    cdef uint32_t s = 0, n = state.n_segments, symbol, onward
    cdef bint still
    cdef State *to
    cdef TrieNode *place
    while child < end:
        symbol = trie.label[child]
        while s < n and state.segments[s].high < symbol:
            s += 1
        if s == n:
            return True
        if state.segments[s].low <= symbol:
            place = &trie.nodes[child]
            still = False
            onward = 0
            if symbol < 0x80:
                still = covered and need == 0 and (inside >> class_of(symbol)) & 1
            elif symbol < 0xC0:
                still = covered and need != 0
                onward = (need & 7) - 1 if need else 0
            elif symbol < 256 and class_of(symbol) < N_CLASSES:
                still = covered and need == 0 and (inside >> class_of(symbol)) & 1
                onward = lead_need(symbol)
            # Below is nothing that `inside` does not hold already.
            if still and onward == 0 and not reading.below[child] & ~inside:
                child += 1
                continue
            to = target_locked(engine, state, &state.segments[s])
            if to == NULL:
                return False
            if place.n_tokens and to.resting and not (still and onward == 0) and not take_tokens(engine, place.token_first, place.token_first + place.n_tokens):
                return False
            if place.n_children:
                if to.accepting and not to.rule.alone and not words_push(&engine.exits, child):
                    return False
                if not (read_flag(to.expanded) and to.passive) and not push_step(engine, to, child, onward, still):
                    return False
        child += 1
    return True


cdef Classification *classify_wide(Engine *engine, State *state) noexcept nogil:
    """The classification of a wide state at the trie's root, remembered; NULL with a fault, or without if this is no way to make it."""
    cdef size_t tokens = engine.tokens.n, outs = engine.exits.n, parts = engine.parts.n
    cdef TokenSet *shared
    cdef bint good = True
    cdef uint32_t i
    if not survey_wide(engine, state):
        return NULL
    if not state.inside_classes:
        return NULL
    shared = within(engine, state.inside_classes, NEVER, &good)
    if not good or not walk_wide(engine, state.inside_classes, state):
        if engine.fault == FAULT_NONE:
            engine.fault = FAULT_MEMORY
        return NULL
    for i in range(state.n_calls):
        if not follow_call(engine, &state.calls[i], engine.root):
            return NULL
    if shared != NULL and engine.tokens.n - tokens > FEW:
        shared = with_tokens(engine, state.rule.arena, shared, tokens)
    if shared != NULL and not pointers_push(&engine.parts, shared) and engine.fault == FAULT_NONE:
        engine.fault = FAULT_MEMORY
    if engine.fault != FAULT_NONE:
        return NULL
    return conclude(engine, state, engine.root, tokens, outs, parts)


cdef TokenSet *with_tokens(Engine *engine, Arena *arena, const TokenSet *dense, size_t tokens) noexcept nogil:
    """A dense set and the tokens gathered since the mark, which are taken off the list, as one: a mask is written from one set faster than from two."""
    cdef TokenSet *made = <TokenSet *>arena_zeroed(arena, sizeof(TokenSet))
    cdef size_t i, size = engine.trie.mask_words * sizeof(uint32_t)
    if made != NULL:
        made.dense = <uint32_t *>arena_take(arena, size)
    if made == NULL or made.dense == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    memcpy(made.dense, dense.dense, size)
    for i in range(tokens, engine.tokens.n):
        made.dense[engine.tokens.at[i] >> 5] |= (<uint32_t>1) << (engine.tokens.at[i] & 31)
    engine.tokens.n = tokens
    return made
