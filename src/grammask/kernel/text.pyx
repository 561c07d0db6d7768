# cython: language_level=3
"""Text states: JSON strings under a pattern, lengths and excluded strings, never unrolled.

A text rule stands for every spelling (RFC 8259 section 7) of every allowed string, and the closing quote. Its automaton is
the product of
  the language's automaton over characters (a CharState, determinised lazily),
  how many characters are still demanded and still allowed (counts beyond what one token can pass are one, `clamp`;
  the exact count belongs to the configuration, and `settle_text` brings the state up to date with it),
  the place in the trie of excluded strings (OFF once the text has left it),
  and how far the spelling of one character has come (UTF-8 bytes, escapes, surrogate pairs).
Rule: a state exists only if some allowed string can still be completed from it.
Rule: a state that is free of a restriction is the same object as that of the text without it (`Engine.any_text`), so the
masks of string bodies are shared by all grammars; others point to it as their `base`.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *

cdef enum:
    KEY_WORDS = 7

cdef uint32_t NEVER = 0xFFFFFFFF
cdef uint32_t OFF = 0xFFFFFFFF


cdef struct Built:
    # Segments of one state in the making.
    Segment at[300]
    uint32_t n


# -- the language over characters ---------------------------------------------------------------------------------------


cdef uint32_t intern_chars(Engine *engine, Rule *rule, uint32_t *nodes, uint32_t n) noexcept nogil:
    """The index of the set of nodes, which are increasing; NEVER with a fault when memory ends."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef uint64_t hash = hash_words(nodes, n, 3)
    cdef uint32_t i, j, at
    cdef CharState *state
    cdef CharState **grown
    if text.index_room:
        at = hash & (text.index_room - 1)
        while text.index[at]:
            i = text.index[at] - 1
            state = text.states[i]
            if state.hash == hash and state.n == n:
                j = 0
                while j < n and state.nodes[j] == nodes[j]:
                    j += 1
                if j == n:
                    return i
            at = (at + 1) & (text.index_room - 1)
    if 2 * text.n_states >= text.index_room and not grow_index(rule):
        engine.fault = FAULT_MEMORY
        return NEVER
    state = <CharState *>arena_zeroed(rule.arena, sizeof(CharState) + n * sizeof(uint32_t))
    if state != NULL and text.n_states == text.room_states:
        i = text.room_states * 2 if text.room_states else 4
        grown = <CharState **>arena_take(rule.arena, i * sizeof(CharState *))
        if grown == NULL:
            state = NULL
        else:
            if text.n_states:
                memcpy(grown, text.states, text.n_states * sizeof(CharState *))
            text.states = grown
            text.room_states = i
    if state == NULL:
        engine.fault = FAULT_MEMORY
        return NEVER
    state.hash = hash
    state.n = n
    state.nodes = <uint32_t *>(state + 1)
    copy_bytes(state.nodes, nodes, n * sizeof(uint32_t))
    state.nearest = NEVER
    for i in range(n):
        if text.ends[nodes[i]]:
            state.accepting = True
        if text.distance[nodes[i]] < state.nearest:
            state.nearest = text.distance[nodes[i]]
    if text.n_levels and not note_lengths(engine, rule, state):
        return NEVER
    text.states[text.n_states] = state
    text.n_states += 1
    note_index(text, text.n_states - 1)
    return text.n_states - 1


cdef void note_index(TextRule *text, uint32_t i) noexcept nogil:
    cdef uint32_t at = text.states[i].hash & (text.index_room - 1)
    while text.index[at]:
        at = (at + 1) & (text.index_room - 1)
    text.index[at] = i + 1


cdef bint grow_index(Rule *rule) noexcept nogil:
    cdef TextRule *text = <TextRule *>rule.text
    cdef uint32_t i, room = text.index_room * 2 if text.index_room else 16
    cdef uint32_t *grown = <uint32_t *>arena_zeroed(rule.arena, room * sizeof(uint32_t))
    if grown == NULL:
        return False
    text.index = grown
    text.index_room = room
    for i in range(text.n_states):
        note_index(text, i)
    return True


cdef bint note_lengths(Engine *engine, Rule *rule, CharState *state) noexcept nogil:
    cdef TextRule *text = <TextRule *>rule.text
    cdef uint32_t level, i, words = (text.n_nodes + 63) // 64
    cdef uint64_t *set_
    state.lengths = <uint64_t *>arena_zeroed(rule.arena, ((text.n_levels + 63) // 64) * 8)
    if state.lengths == NULL:
        engine.fault = FAULT_MEMORY
        return False
    for level in range(text.n_levels):
        set_ = text.levels + <size_t>level * words
        for i in range(state.n):
            if (set_[state.nodes[i] >> 6] >> (state.nodes[i] & 63)) & 1:
                state.lengths[level >> 6] |= (<uint64_t>1) << (level & 63)
                break
    return True


cdef bint expand_chars(Engine *engine, Rule *rule, CharState *state) noexcept nogil:
    """Cut the code points that leave a set of nodes into segments on which they act alike."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef Words lows, ends
    cdef uint32_t i, e, n, at_low = 0, at_high = 0, open_ = 0, low, cut, made = 0
    cdef bint good = True
    if state.expanded:
        return True
    memset(&lows, 0, sizeof(lows))
    memset(&ends, 0, sizeof(ends))
    for i in range(state.n):
        for e in range(text.edge_first[state.nodes[i]], text.edge_first[state.nodes[i] + 1]):
            good = good and words_push(&lows, text.edges[e].low) and words_push(&ends, text.edges[e].high + 1)
    n = lows.n
    if good and n:
        sort_words(lows.at, n)
        sort_words(ends.at, n)
        state.segments = <CodeSegment *>arena_take(rule.arena, 2 * n * sizeof(CodeSegment))
        good = state.segments != NULL
    if good and n:
        low = lows.at[0]
        while at_high < n:
            cut = ends.at[at_high]
            if at_low < n and lows.at[at_low] < cut:
                cut = lows.at[at_low]
            if open_ and cut > low:
                state.segments[made].low = low
                state.segments[made].high = cut - 1
                state.segments[made].to = NEVER
                made += 1
            low = cut
            while at_low < n and lows.at[at_low] == cut:
                open_ += 1
                at_low += 1
            while at_high < n and ends.at[at_high] == cut:
                open_ -= 1
                at_high += 1
    free(lows.at)
    free(ends.at)
    if not good:
        engine.fault = FAULT_MEMORY
        return False
    state.n_segments = made
    state.expanded = True
    return True


cdef uint32_t chars_after(Engine *engine, Rule *rule, CharState *state, CodeSegment *segment) noexcept nogil:
    """The set of nodes after a character of the segment."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef uint32_t i, e, n, index
    if segment.to != NEVER:
        return segment.to
    engine.stack.n = 0
    for i in range(state.n):
        for e in range(text.edge_first[state.nodes[i]], text.edge_first[state.nodes[i] + 1]):
            if text.edges[e].low <= segment.low and segment.high <= text.edges[e].high and not words_push(&engine.stack, text.edges[e].to):
                engine.fault = FAULT_MEMORY
                return NEVER
    n = unique_words(engine.stack.at, engine.stack.n)
    index = intern_chars(engine, rule, engine.stack.at, n)
    segment.to = index
    return index


# -- what remains possible ----------------------------------------------------------------------------------------------


cdef bint has_length(const TextRule *text, const CharState *state, uint32_t least, uint32_t most) noexcept nogil:
    """Whether some continuation has `least` to `most` characters (NEVER: no bound), by the table of lengths."""
    cdef uint32_t level, last, period = text.n_levels - text.prefix
    if least > most:
        return False
    last = most if most < text.n_levels else text.n_levels - 1
    level = least
    while level <= last:
        if (state.lengths[level >> 6] >> (level & 63)) & 1:
            return True
        level += 1
    if most < text.n_levels or period == 0:
        return False
    # Lengths l >= n_levels stand for prefix + (l - prefix) % period.
    level = least if least >= text.n_levels else text.n_levels
    last = period
    while last > 0 and level <= most:
        if (state.lengths[(text.prefix + (level - text.prefix) % period) >> 6] >> ((text.prefix + (level - text.prefix) % period) & 63)) & 1:
            return True
        level += 1
        last -= 1
    return False


cdef uint32_t word_after(const TextRule *text, uint32_t word, uint32_t code) noexcept nogil:
    """The child of a node in the trie of excluded strings, or OFF."""
    cdef uint32_t low, high, middle, end
    if word == OFF:
        return OFF
    low = text.word_first[word]
    end = high = text.word_first[word + 1]
    while low < high:
        middle = (low + high) >> 1
        if text.word_code[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low < end and text.word_code[low] == code:
        return text.word_child[low]
    return OFF


cdef uint32_t next_word_code(const TextRule *text, uint32_t word, uint32_t code) noexcept nogil:
    """The smallest code point >= code by which the trie of excluded strings goes on, or NEVER."""
    cdef uint32_t low, high, middle, end
    if word == OFF:
        return NEVER
    low = text.word_first[word]
    end = high = text.word_first[word + 1]
    while low < high:
        middle = (low + high) >> 1
        if text.word_code[middle] < code:
            low = middle + 1
        else:
            high = middle
    return text.word_code[low] if low < end else NEVER


cdef bint can_end(const TextRule *text, const Spot *spot) noexcept nogil:
    return spot.least == 0 and text.states[spot.chars].accepting and (spot.word == OFF or not text.word_ends[spot.word])


cdef Spot after_char(const TextRule *text, const Spot *spot, uint32_t chars, uint32_t word) noexcept nogil:
    cdef Spot spot_after
    spot_after.chars = chars
    spot_after.least = spot.least if spot.least == 0 or spot.least == text.clamp else spot.least - 1
    spot_after.most = spot.most if spot.most == NEVER or spot.most == text.clamp else spot.most - 1
    spot_after.word = word
    return spot_after


cdef bint fits(const TextRule *text, const Spot *spot) noexcept nogil:
    """Whether the language, without the excluded strings, has a continuation of an allowed length."""
    cdef CharState *state = text.states[spot.chars]
    cdef uint32_t most = spot.most if spot.most != text.clamp else NEVER
    if text.n_levels == 0:
        return spot.least <= most
    return has_length(text, state, spot.least, most)


cdef bint escapes(Engine *engine, Rule *rule, const Spot *spot) noexcept nogil:
    """Whether the language has a string from here that is not excluded.

    A search down the trie of excluded strings for a place where a string may end or leave it; mostly the first place is one.
    A count that stands for any large one stays what it is on the way, which `clamp` allows for (see load_lengths).
    """
    cdef Words pending
    cdef Spot at
    cdef bint found = False
    memset(&pending, 0, sizeof(pending))
    at = spot[0]
    if not push_spot(&pending, &at):
        engine.fault = FAULT_MEMORY
    while pending.n and not found and engine.fault == FAULT_NONE:
        pending.n -= 4
        at.chars = pending.at[pending.n]
        at.least = pending.at[pending.n + 1]
        at.most = pending.at[pending.n + 2]
        at.word = pending.at[pending.n + 3]
        found = can_end(<TextRule *>rule.text, &at) or leaves(engine, rule, &at, &pending)
    free(pending.at)
    return found


cdef bint push_spot(Words *pending, const Spot *spot) noexcept nogil:
    return words_push(pending, spot.chars) and words_push(pending, spot.least) and words_push(pending, spot.most) and words_push(pending, spot.word)


cdef bint leaves(Engine *engine, Rule *rule, const Spot *spot, Words *pending) noexcept nogil:
    """Whether some character leaves the trie of excluded strings alive; else the spots deeper in it join those to be looked at."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef CharState *state = text.states[spot.chars]
    cdef uint32_t s, chars, inside, i = text.word_first[spot.word], end = text.word_first[spot.word + 1]
    cdef Spot onward
    if spot.most == 0 or not expand_chars(engine, rule, state):
        return False
    for s in range(state.n_segments):
        chars = chars_after(engine, rule, state, &state.segments[s])
        if chars == NEVER:
            return False
        while i < end and text.word_code[i] < state.segments[s].low:
            i += 1
        inside = i
        while i < end and text.word_code[i] <= state.segments[s].high:
            onward = after_char(text, spot, chars, text.word_child[i])
            if fits(text, &onward) and not push_spot(pending, &onward):
                engine.fault = FAULT_MEMORY
                return False
            i += 1
        onward = after_char(text, spot, chars, OFF)
        if state.segments[s].high - state.segments[s].low + 1 > i - inside and fits(text, &onward):
            return True
    return False


cdef bint is_alive(Engine *engine, Rule *rule, const Spot *spot) noexcept nogil:
    """Whether some allowed string can still be completed."""
    cdef TextRule *text = <TextRule *>rule.text
    if not fits(text, spot):
        return False
    if spot.word == OFF or (text.n_nodes == 0 and spot.most > 0):
        return True            # there are more characters than excluded strings
    return escapes(engine, rule, spot)


cdef inline uint32_t segment_from(const CharState *state, uint32_t code) noexcept nogil:
    """The first segment that does not end before a code point."""
    cdef uint32_t low = 0, high = state.n_segments, middle
    while low < high:
        middle = (low + high) >> 1
        if state.segments[middle].high < code:
            low = middle + 1
        else:
            high = middle
    return low


cdef uint32_t chars_by(Engine *engine, Rule *rule, CharState *state, uint32_t code) noexcept nogil:
    """The set of nodes after a character; NEVER if there is none, or with a fault."""
    cdef uint32_t s
    if not expand_chars(engine, rule, state):
        return NEVER
    s = segment_from(state, code)
    if s == state.n_segments or state.segments[s].low > code:
        return NEVER
    return chars_after(engine, rule, state, &state.segments[s])


cdef Verdict after_range(Engine *engine, Rule *rule, const Spot *spot, uint32_t low, uint32_t high, Spot *onward) noexcept nogil:
    """What one character out of low..high does: kill the text, lead to one and the same spot, or it depends."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef CharState *state = text.states[spot.chars]
    cdef uint32_t s, chars, code
    if spot.most == 0:
        return DEAD
    if not expand_chars(engine, rule, state):
        return FAILED
    s = segment_from(state, low)
    if s == state.n_segments or state.segments[s].low > high:
        return DEAD
    if state.segments[s].low > low or state.segments[s].high < high:
        return MIXED
    code = next_word_code(text, spot.word, low)
    if code <= high and low < high:
        return MIXED
    chars = chars_after(engine, rule, state, &state.segments[s])
    if chars == NEVER:
        return FAILED
    onward[0] = after_char(text, spot, chars, word_after(text, spot.word, low) if code == low else OFF)
    if is_alive(engine, rule, onward):
        return ALIKE
    return DEAD if engine.fault == FAULT_NONE else FAILED


cdef uint32_t alike_until(Engine *engine, Rule *rule, const Spot *spot, uint32_t low, uint32_t high) noexcept nogil:
    """The last code point of low..high that surely acts like `low`."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef CharState *state = text.states[spot.chars]
    cdef uint32_t s, code
    if not expand_chars(engine, rule, state):
        return high
    s = segment_from(state, low)
    if s < state.n_segments:
        if state.segments[s].low > low:
            high = state.segments[s].low - 1 if state.segments[s].low - 1 < high else high
        elif state.segments[s].high < high:
            high = state.segments[s].high
    code = next_word_code(text, spot.word, low)
    if code == low:
        return low
    return code - 1 if code <= high else high


cdef bint some_alive(Engine *engine, Rule *rule, const Spot *spot, uint32_t low, uint32_t high) noexcept nogil:
    """Whether some character out of low..high keeps the text alive. Surrogates are never in a language's segments."""
    cdef Spot onward
    cdef Verdict verdict
    cdef uint32_t last
    while low <= high:
        verdict = after_range(engine, rule, spot, low, high, &onward)
        if verdict != MIXED:
            return verdict == ALIKE
        last = alike_until(engine, rule, spot, low, high)
        verdict = after_range(engine, rule, spot, low, last, &onward)
        if verdict == ALIKE:
            return True
        if verdict == FAILED or last == high:
            return False
        low = last + 1
    return False


# -- states of the spelling ---------------------------------------------------------------------------------------------


cdef State *text_state(Engine *engine, Rule *rule, uint32_t mode, uint32_t v, uint32_t r, const Spot *spot) noexcept nogil:
    """The state for a spelling at this stage. Unrestricted ones belong to Engine.any_text, whichever rule asks."""
    cdef uint32_t key[KEY_WORDS]
    cdef TextRule *text = <TextRule *>rule.text
    cdef Rule *owner = rule
    cdef State *state
    cdef bint elastic = text.clamp != NEVER and (spot.least == text.clamp or spot.most == text.clamp)
    if text.n_nodes == 0 and spot.word == OFF and not elastic:
        owner = engine.any_text
    key[0] = mode
    key[1] = v
    key[2] = r
    key[3] = spot.chars
    key[4] = spot.least
    key[5] = spot.most
    key[6] = spot.word
    state = intern_state(engine, owner, key, KEY_WORDS)
    if state == NULL:
        return NULL
    state.elastic = elastic and mode == BOUNDARY
    if text.n_nodes == 0 and state.base == NULL and not (owner == engine.any_text and spot.least == 0 and spot.most == NEVER):
        key[4] = 0
        key[5] = NEVER
        key[6] = OFF
        state.base = intern_state(engine, engine.any_text, key, KEY_WORDS)
        if state.base == NULL:
            return NULL
    return state


cdef State *unbounded(Engine *engine, State *state, uint32_t height, bint raw) noexcept nogil:
    """The state of the same pattern without lengths if these cannot tell within `height` bytes, else the state itself; NULL with a fault.

    Where no more characters are demanded, and whatever comes may be followed by a shortest continuation, an upper bound says nothing. In
    bytes without quotation marks (`raw`) a lower one says nothing either, if continuations of all lengths follow. Otherwise each length of
    each state of the pattern would be a state.
    """
    cdef TextRule *text = <TextRule *>state.rule.text
    cdef uint32_t least = state.key[4], most = state.key[5], needed = text.farthest
    cdef Spot spot
    if text.n_nodes == 0 or state.key[6] != OFF or state.key[0] == DONE or (least == 0 and most == NEVER):
        return state
    if least:
        if not raw or text.solid == NEVER:
            return state
        needed = text.solid        # then one of as many characters as may come is long enough
    if most != NEVER and most < height + needed:
        return state
    if state.base == NULL:
        spot.chars = state.key[3]
        spot.least = 0
        spot.most = NEVER
        spot.word = OFF
        state.base = text_state(engine, state.rule, state.key[0], state.key[1], state.key[2], &spot)
    return state.base


cdef State *done_state(Engine *engine) noexcept nogil:
    cdef uint32_t key[KEY_WORDS]
    cdef State *state
    memset(key, 0, sizeof(key))
    key[0] = DONE
    state = intern_state(engine, engine.any_text, key, KEY_WORDS)
    if state != NULL:
        state.accepting = True
    return state


cdef inline void emit(Built *built, uint32_t low, uint32_t high, State *to, bint counts) noexcept nogil:
    """Add a segment, joined with the one before it where both lead to the same state."""
    cdef Segment *last
    if built.n:
        last = &built.at[built.n - 1]
        if last.to == to and last.high + 1 == low and last.counts == counts:
            last.high = high
            return
    last = &built.at[built.n]
    last.low = low
    last.high = high
    last.to = to
    last.counts = counts
    built.n += 1


cdef bint emit_chars(Engine *engine, Rule *rule, const Spot *spot, Built *built, uint32_t low, uint32_t high) noexcept nogil:
    """Characters low..high of ASCII, spelled as themselves."""
    cdef uint32_t last
    cdef Spot onward
    cdef Verdict verdict
    cdef State *to
    while low <= high:
        last = alike_until(engine, rule, spot, low, high)
        verdict = after_range(engine, rule, spot, low, last, &onward)
        if verdict == FAILED:
            return False
        if verdict == ALIKE:
            to = text_state(engine, rule, BOUNDARY, 0, 0, &onward)
            if to == NULL:
                return False
            emit(built, low, last, to, True)
        low = last + 1
    return True


cdef State *state_for_code_range(Engine *engine, Rule *rule, const Spot *spot, uint32_t v, uint32_t r, uint32_t low, uint32_t high, bint regular, bint *good) noexcept nogil:
    """The state that has r continuation bytes before it, after which the character is one of low..high; NULL: dead."""
    cdef Spot onward
    cdef Verdict verdict = after_range(engine, rule, spot, low, high, &onward)
    cdef State *to = NULL
    if verdict == FAILED:
        good[0] = False
    elif verdict == ALIKE and regular:
        to = text_state(engine, rule, TAIL, 0, r, &onward)
        good[0] = to != NULL
    elif verdict == ALIKE or (verdict == MIXED and some_alive(engine, rule, spot, low, high)):
        to = text_state(engine, rule, PREFIX, v, r, spot)
        good[0] = to != NULL
    if engine.fault != FAULT_NONE:
        good[0] = False
    return to


cdef bint emit_leads(Engine *engine, Rule *rule, const Spot *spot, Built *built) noexcept nogil:
    """First bytes of characters beyond ASCII (RFC 3629 section 4), in the order of the bytes."""
    return (
        emit_alike_leads(engine, rule, spot, built, 0xC2, 0xDF, 1, 0x80, 0x7FF)
        and emit_lead(engine, rule, spot, built, 0xE0, 2, 0x800, 0xFFF)
        and emit_alike_leads(engine, rule, spot, built, 0xE1, 0xEC, 2, 0x1000, 0xCFFF)
        and emit_lead(engine, rule, spot, built, 0xED, 2, 0xD000, 0xD7FF)
        and emit_alike_leads(engine, rule, spot, built, 0xEE, 0xEF, 2, 0xE000, 0xFFFF)
        and emit_lead(engine, rule, spot, built, 0xF0, 3, 0x10000, 0x3FFFF)
        and emit_alike_leads(engine, rule, spot, built, 0xF1, 0xF3, 3, 0x40000, 0xFFFFF)
        and emit_lead(engine, rule, spot, built, 0xF4, 3, 0x100000, LAST_CODE)
    )


cdef bint emit_lead(Engine *engine, Rule *rule, const Spot *spot, Built *built, uint32_t lead, uint32_t r, uint32_t low, uint32_t high) noexcept nogil:
    """A first byte that r bytes follow, of the characters low..high."""
    cdef bint good = True
    cdef uint32_t v = lead & (0x3F >> r)
    cdef State *to
    if engine.absent[lead]:
        return True
    to = state_for_code_range(engine, rule, spot, v, r, low, high, high - low + 1 == <uint32_t>1 << (6 * r), &good)
    if good and to != NULL:
        emit(built, lead, lead, to, False)
    return good


cdef bint emit_alike_leads(Engine *engine, Rule *rule, const Spot *spot, Built *built, uint32_t first, uint32_t last, uint32_t r, uint32_t low, uint32_t high) noexcept nogil:
    """First bytes each of which begins as many characters, low..high together: most texts take all of these characters or none."""
    cdef uint32_t lead, size = <uint32_t>1 << (6 * r)
    cdef Spot onward
    cdef State *to
    cdef Verdict verdict = after_range(engine, rule, spot, low, high, &onward)
    if verdict == FAILED:
        return False
    if verdict == ALIKE:
        to = text_state(engine, rule, TAIL, 0, r, &onward)
        if to == NULL:
            return False
    for lead in range(first, last + 1 if verdict != DEAD else first):
        if verdict == MIXED:
            if not emit_lead(engine, rule, spot, built, lead, r, low + (lead - first) * size, low + (lead - first + 1) * size - 1):
                return False
        elif not engine.absent[lead]:
            emit(built, lead, lead, to, False)
    return True


cdef bint emit_boundary(Engine *engine, Rule *rule, const Spot *spot, Built *built) noexcept nogil:
    cdef State *to
    cdef TextRule *text = <TextRule *>rule.text
    if not expand_chars(engine, rule, text.states[spot.chars]):
        return False
    if spot.most != 0 and not emit_chars(engine, rule, spot, built, 0x20, 0x21):
        return False
    if can_end(text, spot):
        to = done_state(engine)
        if to == NULL:
            return False
        emit(built, 0x22, 0x22, to, False)
    if spot.most == 0:
        return True
    if not emit_chars(engine, rule, spot, built, 0x23, 0x5B):
        return False
    if some_alive(engine, rule, spot, 0, LAST_CODE):
        to = text_state(engine, rule, ESCAPE, 0, 0, spot)
        if to == NULL:
            return False
        emit(built, 0x5C, 0x5C, to, False)
    return engine.fault == FAULT_NONE and emit_chars(engine, rule, spot, built, 0x5D, 0x7F) and emit_leads(engine, rule, spot, built)


cdef bint emit_prefix(Engine *engine, Rule *rule, uint32_t v, uint32_t r, const Spot *spot, Built *built) noexcept nogil:
    """Continuation bytes of a character whose value still matters."""
    cdef uint32_t byte, value, low, high, least = 0
    cdef bint good = True
    cdef State *to
    cdef Spot onward
    cdef Verdict verdict
    if r == 2 and v < 0x10:
        least = 0x800
    elif r == 3:
        least = 0x10000
    for byte in range(0x80, 0xC0):
        value = v << 6 | (byte & 0x3F)
        low = value << (6 * (r - 1))
        high = low + (1 << (6 * (r - 1))) - 1
        if high < least or low > LAST_CODE or (0xD800 <= low <= 0xDFFF):
            continue
        if r == 1:
            verdict = after_range(engine, rule, spot, value, value, &onward)
            if verdict == FAILED:
                return False
            if verdict == ALIKE:
                to = text_state(engine, rule, BOUNDARY, 0, 0, &onward)
                if to == NULL:
                    return False
                emit(built, byte, byte, to, True)
        else:
            to = state_for_code_range(engine, rule, spot, value, r - 1, low, high, True, &good)
            if not good:
                return False
            if to != NULL:
                emit(built, byte, byte, to, False)
    return True


cdef bint emit_escape(Engine *engine, Rule *rule, const Spot *spot, Built *built) noexcept nogil:
    """What may follow a backslash (RFC 8259 section 7), in the order of the bytes."""
    cdef const char *names = b'"/\\bfnrtu'
    cdef const char *codes = b'"/\\\b\f\n\r\t'
    cdef int i
    cdef Spot onward
    cdef Verdict verdict
    cdef State *to
    for i in range(9):
        to = NULL
        if names[i] == c'u':
            to = text_state(engine, rule, HEX, 0, 0, spot)
            if to == NULL:
                return False
        else:
            verdict = after_range(engine, rule, spot, <uint8_t>codes[i], <uint8_t>codes[i], &onward)
            if verdict == FAILED:
                return False
            if verdict == ALIKE:
                to = text_state(engine, rule, BOUNDARY, 0, 0, &onward)
                if to == NULL:
                    return False
        if to != NULL:
            emit(built, <uint8_t>names[i], <uint8_t>names[i], to, names[i] != c'u')
    return True


cdef void emit_digits(Built *built, State **to, bint counts) noexcept nogil:
    """Segments for hexadecimal digits that lead to to[0..15]; NULL: not allowed."""
    cdef uint32_t digit
    for digit in range(10):
        if to[digit] != NULL:
            emit(built, 0x30 + digit, 0x30 + digit, to[digit], counts)
    for digit in range(10, 16):
        if to[digit] != NULL:
            emit(built, 0x41 + digit - 10, 0x41 + digit - 10, to[digit], counts)
    for digit in range(10, 16):
        if to[digit] != NULL:
            emit(built, 0x61 + digit - 10, 0x61 + digit - 10, to[digit], counts)


cdef State *state_for_hex(Engine *engine, Rule *rule, const Spot *spot, uint32_t value, uint32_t read, bint *good) noexcept nogil:
    """The state after `read` hexadecimal digits with this value; NULL: no allowed character starts so."""
    cdef uint32_t left = 4 - read, low = value << (4 * left), high = low + (1 << (4 * left)) - 1
    cdef Spot onward
    cdef Verdict verdict
    cdef State *to = NULL
    if low >= 0xDC00 and high <= 0xDFFF:
        return NULL
    if low >= 0xD800 and high <= 0xDBFF:
        # A high surrogate: the character is one of 1 << (18 - ..) beyond the basic plane.
        low = 0x10000 + ((low - 0xD800) << 10)
        high = 0x10000 + ((high - 0xD800) << 10) + 0x3FF
        verdict = after_range(engine, rule, spot, 0x10000, LAST_CODE, &onward)
        if verdict == ALIKE:
            to = text_state(engine, rule, PAIR_TAIL, 0, read - 2, &onward)
        elif verdict == MIXED and some_alive(engine, rule, spot, low, high):
            to = text_state(engine, rule, PAIR if left == 0 else HEX, ((value - 0xD800) << 10) if left == 0 else value, 2 if left == 0 else read, spot)
        good[0] = engine.fault == FAULT_NONE
        return to
    verdict = after_range(engine, rule, spot, low, high, &onward)
    if verdict == ALIKE and left:
        to = text_state(engine, rule, HEX_TAIL, 0, left, &onward)
    elif verdict == ALIKE:
        to = text_state(engine, rule, BOUNDARY, 0, 0, &onward)
    elif verdict == MIXED and (some_alive(engine, rule, spot, low, high) or (low <= 0xD800 <= high and some_alive(engine, rule, spot, 0x10000, LAST_CODE))):
        to = text_state(engine, rule, HEX, value, read, spot)
    elif verdict == DEAD and low <= 0xD800 <= high and some_alive(engine, rule, spot, 0x10000, LAST_CODE):
        to = text_state(engine, rule, HEX, value, read, spot)
    good[0] = engine.fault == FAULT_NONE
    return to


cdef bint emit_hex(Engine *engine, Rule *rule, uint32_t v, uint32_t read, const Spot *spot, Built *built) noexcept nogil:
    cdef State *to[16]
    cdef uint32_t digit
    cdef bint good = True
    cdef bint whole = read == 3
    for digit in range(16):
        to[digit] = state_for_hex(engine, rule, spot, v << 4 | digit, read + 1, &good)
        if not good:
            return False
    # Four digits complete a character unless they are a high surrogate.
    emit_digits(built, to, whole and not 0xD80 <= v <= 0xDBF)
    return True


cdef bint emit_pair(Engine *engine, Rule *rule, uint32_t v, uint32_t stage, const Spot *spot, Built *built) noexcept nogil:
    """The rest of a surrogate pair whose value still matters. v: the 20 bits so far, those to come zero."""
    cdef State *to[16]
    cdef uint32_t digit, value, low, high, shift
    cdef Spot onward
    cdef Verdict verdict
    memset(to, 0, sizeof(to))
    if stage < 5:
        return emit_pair_mark(engine, rule, PAIR, v, stage, spot, built)
    shift = 8 if stage == 5 else (4 if stage == 6 else 0)
    for digit in range(16):
        if stage == 5 and digit < 0xC:
            continue
        value = v | ((digit & 3) if stage == 5 else digit) << shift
        low = 0x10000 + value
        high = low + (1 << shift) - 1
        if stage == 7:
            verdict = after_range(engine, rule, spot, low, low, &onward)
            if verdict == ALIKE:
                to[digit] = text_state(engine, rule, BOUNDARY, 0, 0, &onward)
        elif some_alive(engine, rule, spot, low, high):
            to[digit] = text_state(engine, rule, PAIR, value, stage + 1, spot)
        if engine.fault != FAULT_NONE:
            return False
    emit_digits(built, to, stage == 7)
    return True


cdef bint emit_pair_mark(Engine *engine, Rule *rule, uint32_t mode, uint32_t v, uint32_t stage, const Spot *spot, Built *built) noexcept nogil:
    """The backslash, the u and the D between the two halves of a surrogate pair."""
    cdef State *to = text_state(engine, rule, mode, v, stage + 1, spot)
    if to == NULL:
        return False
    if stage == 2:
        emit(built, 0x5C, 0x5C, to, False)
    elif stage == 3:
        emit(built, 0x75, 0x75, to, False)
    else:
        emit(built, 0x44, 0x44, to, False)
        emit(built, 0x64, 0x64, to, False)
    return True


cdef bint emit_pair_tail(Engine *engine, Rule *rule, uint32_t stage, const Spot *spot, Built *built) noexcept nogil:
    """The rest of a surrogate pair when any will do."""
    cdef State *to[16]
    cdef State *onward
    cdef uint32_t digit
    if 2 <= stage <= 4:
        return emit_pair_mark(engine, rule, PAIR_TAIL, 0, stage, spot, built)
    onward = text_state(engine, rule, BOUNDARY if stage == 7 else PAIR_TAIL, 0, 0 if stage == 7 else stage + 1, spot)
    if onward == NULL:
        return False
    for digit in range(16):
        to[digit] = NULL if stage == 5 and digit < 0xC else onward
    emit_digits(built, to, stage == 7)
    return True


cdef bint emit_hex_tail(Engine *engine, Rule *rule, uint32_t left, const Spot *spot, Built *built) noexcept nogil:
    cdef State *to[16]
    cdef State *onward = text_state(engine, rule, BOUNDARY if left == 1 else HEX_TAIL, 0, 0 if left == 1 else left - 1, spot)
    cdef uint32_t digit
    if onward == NULL:
        return False
    for digit in range(16):
        to[digit] = onward
    emit_digits(built, to, left == 1)
    return True


cdef bint emit_tail(Engine *engine, Rule *rule, uint32_t left, const Spot *spot, Built *built) noexcept nogil:
    cdef State *onward = text_state(engine, rule, BOUNDARY if left == 1 else TAIL, 0, 0 if left == 1 else left - 1, spot)
    if onward == NULL:
        return False
    emit(built, 0x80, 0xBF, onward, left == 1)
    return True


cdef State *expand_text(Engine *engine, State *state) noexcept nogil:
    """Fill in the segments of a text state; NULL with a fault when memory ends."""
    cdef Built built
    cdef Spot spot
    cdef Rule *rule = state.rule
    cdef uint32_t mode = state.key[0], v = state.key[1], r = state.key[2]
    cdef bint good = True
    built.n = 0
    spot.chars = state.key[3]
    spot.least = state.key[4]
    spot.most = state.key[5]
    spot.word = state.key[6]
    if mode == BOUNDARY:
        good = emit_boundary(engine, rule, &spot, &built)
    elif mode == PREFIX:
        good = emit_prefix(engine, rule, v, r, &spot, &built)
    elif mode == TAIL:
        good = emit_tail(engine, rule, r, &spot, &built)
    elif mode == ESCAPE:
        good = emit_escape(engine, rule, &spot, &built)
    elif mode == HEX:
        good = emit_hex(engine, rule, v, r, &spot, &built)
    elif mode == HEX_TAIL:
        good = emit_hex_tail(engine, rule, r, &spot, &built)
    elif mode == PAIR:
        good = emit_pair(engine, rule, v, r, &spot, &built)
    elif mode == PAIR_TAIL:
        good = emit_pair_tail(engine, rule, r, &spot, &built)
    if not good or engine.fault != FAULT_NONE:
        return NULL
    if built.n:
        state.segments = <Segment *>arena_take(rule.arena, built.n * sizeof(Segment))
        if state.segments == NULL:
            return NULL
        memcpy(state.segments, built.at, built.n * sizeof(Segment))
    state.n_segments = built.n
    return state


cdef State *settle_text(Engine *engine, State *state, uint32_t count) noexcept nogil:
    """The state that a boundary state with open counts is once `count` characters have been read; NULL with a fault.

    Takes no lock where nothing changes; else the caller must hold it.
    """
    cdef TextRule *text = <TextRule *>state.rule.text
    cdef Spot spot
    spot.chars = state.key[3]
    spot.word = state.key[6]
    spot.least = counted(text, text.minimum, count)
    spot.most = NEVER if text.maximum < 0 else counted(text, text.maximum, count)
    if spot.least == state.key[4] and spot.most == state.key[5]:
        return state
    return text_state(engine, state.rule, BOUNDARY, 0, 0, &spot)


cdef uint32_t counted(const TextRule *text, int64_t bound, int64_t count) noexcept nogil:
    cdef int64_t left = bound - count
    if left < 0:
        return 0
    return <uint32_t>left if left < text.clamp else text.clamp
