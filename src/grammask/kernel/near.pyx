# cython: language_level=3
"""Masks of pattern states that differ from those of another state in long tokens only.

Most tokens are short. A bound of length that is some way off, or a count of which much is left, can be noticed by the few hundred tokens
that are longer than that. So where two states of a pattern cannot be told apart within LONG characters, the mask of one is that of the
other with the long tokens asked one by one, character by character, which makes no states.
Which states are alike within so many characters is found by numbering futures: what may follow within k characters is whether the text may
end here, and by ranges of characters what may follow within k - 1 (Hopcroft and Ullman 1979, section 3.4, level by level, as far as asked).
Where a token ends the text and goes on behind it, its quotation mark must not be further away than that: no real vocabulary has such tokens.
Rule: two states get one number only if every string of so many characters does the same to both, so masks stay exact.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
from grammask.kernel.classify cimport classify, remember
from grammask.kernel.text cimport (
    BOUNDARY, CharState, Spot, TextRule, chars_after, can_end, chars_by, expand_chars, fits, text_state, unbounded,
)
from grammask.kernel.text_masks cimport LONG, Reading, classify_text, is_continuation, lead_need, reach_of, set_less

cdef enum:
    MAX_STEPS = 1024           # futures looked at for one state, beyond which a pattern is not worth it
    MAX_WORDS = 1 << 16        # that the futures of one pattern are written in

cdef uint32_t NEVER = 0xFFFFFFFF
cdef uint32_t OFF = 0xFFFFFFFF


cdef struct Future:
    uint64_t hash
    uint32_t n
    uint32_t *words            # whether the text may end, then low, high and number of what follows, by ranges
    State *state               # with this future over LONG characters, whose mask has been worked out as a whole; or NULL


cdef struct Futures:
    Future **made
    uint32_t n_made
    uint32_t *index            # open addressing over `made`, 1 + number
    uint32_t room
    uint32_t n_words
    uint32_t steps
    bint off                   # there are too many: masks are worked out state by state


cdef Classification *classify_pattern(Engine *engine, State *state, ExitSet *exits) noexcept nogil:
    """The classification of a boundary state of a text, remembered; NULL with a fault."""
    cdef TextRule *text = <TextRule *>state.rule.text
    cdef Reading *reading = <Reading *>engine.reading
    cdef uint32_t chars = NEVER, least = state.key[4]
    cdef Classification *made
    cdef Future *future
    cdef State *base
    if exits != engine.root or text.n_nodes == 0 or reading.quote_depth > LONG:
        return classify_text(engine, state, exits)
    base = unbounded(engine, state, LONG, least > reading.quote_depth)     # so much is demanded that no token may end the text
    if base == NULL:
        return NULL
    if base.key[4] or base.key[5] != NEVER or base.key[6] != OFF:
        return classify_text(engine, state, exits)
    if base != state:
        chars = NEVER if state.key[5] == NEVER else state.key[5] - (text.solid if least else text.farthest)
    future = future_of(engine, base)
    if engine.fault != FAULT_NONE:
        return NULL
    if future != NULL and future.state != NULL and future.state != state:
        chars = chars if chars < LONG else LONG
        base = future.state
    if base == state:
        made = classify_text(engine, state, exits)
        if made != NULL and future != NULL and can_change(made):
            future.state = state
        return made
    made = classify(engine, base, exits)
    if made == NULL or not can_change(made):
        return NULL if made == NULL else classify_text(engine, state, exits)
    return changed(engine, state, made, chars, least != 0)


# -- a mask by that of another state ------------------------------------------------------------------------------------


cdef bint can_change(const Classification *whole) noexcept nogil:
    """Whether tokens can be taken off its parts."""
    cdef uint32_t i
    for i in range(whole.n_parts):
        if whole.parts[i].whole != NULL:
            return False
    return True


cdef Classification *changed(Engine *engine, State *state, Classification *whole, uint32_t chars, bint endless) noexcept nogil:
    """The classification at the root of a state that is like another one, whose classification is `whole`, within so many characters.

    endless: but that no token may end the text.
    """
    cdef size_t tokens = engine.tokens.n
    cdef Classification *made = whole
    cdef Words gained, path
    memset(&gained, 0, sizeof(gained))
    memset(&path, 0, sizeof(path))
    ask_long(engine, state, whole, chars, &gained, &path)
    if endless and engine.fault == FAULT_NONE:
        ask_quoted(engine, state, whole, &path)
    if engine.fault == FAULT_NONE and (engine.tokens.n > tokens or gained.n or (endless and whole.exits != NULL)):
        made = rewritten(engine, state, whole, tokens, &gained)
        if made != NULL and endless:
            made.exits = NULL
    engine.tokens.n = tokens
    free(gained.at)
    free(path.at)
    return made if engine.fault == FAULT_NONE and remember(engine, state, engine.root, made) else NULL


cdef void ask_long(Engine *engine, State *state, const Classification *whole, uint32_t chars, Words *gained, Words *path) noexcept nogil:
    """Gather which of the tokens with more characters than this are lost, and which are gained."""
    cdef Reading *reading = <Reading *>engine.reading
    cdef bint is_all = chars <= LONG       # in the order of their bytes, so that what they begin with alike is read once
    cdef const uint32_t *tokens = reading.long_by_spelling if is_all else reading.long_tokens
    cdef uint32_t i = 0
    cdef bint lives
    while i < reading.n_long and (is_all or reach_of(reading, tokens[i]) > chars) and engine.fault == FAULT_NONE:
        lives = survives(engine, state, tokens[i], reading.long_shared[i] if is_all else 0, path)
        if lives != is_in(whole, tokens[i]) and not words_push(gained if lives else &engine.tokens, tokens[i]):
            engine.fault = FAULT_MEMORY
        i += 1


cdef void ask_quoted(Engine *engine, State *state, const Classification *whole, Words *path) noexcept nogil:
    """Gather which of the tokens that hold a quotation mark are lost."""
    cdef Reading *reading = <Reading *>engine.reading
    cdef uint32_t i = 0, token
    while i < reading.n_quoted and engine.fault == FAULT_NONE:
        token = reading.quoted_tokens[i]
        if is_in(whole, token) and not survives(engine, state, token, 0, path) and not words_push(&engine.tokens, token):
            engine.fault = FAULT_MEMORY
        i += 1


cdef Classification *rewritten(Engine *engine, State *state, const Classification *whole, size_t tokens, Words *gained) noexcept nogil:
    """A classification less the tokens gathered since the mark, and with those gained; NULL with a fault."""
    cdef Arena *arena = state.rule.arena
    cdef Classification *made = <Classification *>arena_zeroed(arena, sizeof(Classification) + (whole.n_parts + 1) * sizeof(TokenSet *))
    cdef uint32_t i
    if made == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    made.exits = whole.exits
    made.parts = <TokenSet **>(made + 1)
    for i in range(whole.n_parts):
        made.parts[i] = whole.parts[i] if engine.tokens.n == tokens else set_less(engine, arena, whole.parts[i], tokens)
        if made.parts[i] == NULL:
            return NULL
    made.n_parts = whole.n_parts
    if gained.n:
        made.parts[made.n_parts] = set_of(engine, arena, gained)
        made.n_parts += 1
    return made if engine.fault == FAULT_NONE else NULL


cdef TokenSet *set_of(Engine *engine, Arena *arena, Words *tokens) noexcept nogil:
    """A set of a few tokens; NULL with a fault."""
    cdef TokenSet *made = <TokenSet *>arena_zeroed(arena, sizeof(TokenSet))
    cdef uint32_t i, n = 0
    if made != NULL:
        made.pairs = <uint32_t *>arena_take(arena, 2 * tokens.n * sizeof(uint32_t))
    if made == NULL or made.pairs == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    sort_words(tokens.at, tokens.n)
    for i in range(<uint32_t>tokens.n):
        if n == 0 or made.pairs[2 * n - 2] != tokens.at[i] >> 5:
            made.pairs[2 * n] = tokens.at[i] >> 5
            made.pairs[2 * n + 1] = 0
            n += 1
        made.pairs[2 * n - 1] |= <uint32_t>1 << (tokens.at[i] & 31)
    made.n = n
    return made


cdef bint is_in(const Classification *whole, uint32_t token) noexcept nogil:
    """Whether a token is in one of the parts, of which none is another less something."""
    cdef uint32_t i, low, high, middle, word = token >> 5, bit = <uint32_t>1 << (token & 31)
    cdef const TokenSet *part
    for i in range(whole.n_parts):
        part = whole.parts[i]
        if part.dense != NULL:
            if part.dense[word] & bit:
                return True
            continue
        low = 0
        high = part.n
        while low < high:
            middle = (low + high) >> 1
            if part.pairs[2 * middle] < word:
                low = middle + 1
            else:
                high = middle
        if low < part.n and part.pairs[2 * low] == word and part.pairs[2 * low + 1] & bit:
            return True
    return False


cdef bint survives(Engine *engine, State *state, uint32_t token, uint32_t shared, Words *path) noexcept nogil:
    """Whether a token leads on from a boundary state, or to the end of its text. False with a fault, too.

    path: where the characters of the token asked before ended, and the nodes of the language after each; that token began with the same
    `shared` bytes, whose characters are not read again.
    """
    cdef const uint8_t *begin = engine.trie.spelling + engine.trie.byte_of_token[token]
    cdef const uint8_t *end = engine.trie.spelling + engine.trie.byte_of_token[token + 1]
    cdef TextRule *text = <TextRule *>state.rule.text
    cdef uint32_t code, length, n
    cdef const uint8_t *at
    cdef Spot spot
    while path.n and path.at[path.n - 2] > shared:
        path.n -= 2
    at = begin + path.at[path.n - 2] if path.n else begin
    spot.chars = path.at[path.n - 1] if path.n else state.key[3]
    spot.word = OFF
    while at < end and at[0] != 0x22:
        length = character(at, end, &code)
        if length == 0:
            return False
        if length == NEVER:
            break
        spot.chars = chars_by(engine, state.rule, text.states[spot.chars], code)
        if spot.chars == NEVER:
            return False
        at += length
        if not (words_push(path, <uint32_t>(at - begin)) and words_push(path, spot.chars)):
            engine.fault = FAULT_MEMORY
            return False
    n = <uint32_t>(path.n // 2)
    spot.least = left_of(text, state.key[4], n)
    spot.most = left_of(text, state.key[5], n)
    if (state.key[5] != NEVER and n > state.key[5]) or not fits(text, &spot):
        return False
    if at < end and at[0] == 0x22:
        return at + 1 == end and can_end(text, &spot)
    if at == end:
        return True
    state = text_state(engine, state.rule, BOUNDARY, 0, 0, &spot)
    return state != NULL and survives_begun(engine, unbounded(engine, state, <uint32_t>(end - at), False), at, end)


cdef inline uint32_t left_of(const TextRule *text, uint32_t count, uint32_t n) noexcept nogil:
    """A count after n characters."""
    if count == NEVER or count == text.clamp:
        return count
    return count - n if count > n else 0


cdef uint32_t character(const uint8_t *at, const uint8_t *end, uint32_t *code) noexcept nogil:
    """The bytes that spell the next character, by itself or by an escape; 0: it is none, NEVER: it is not whole."""
    cdef const char *names = b'"/\\bfnrt'
    cdef const char *codes = b'"/\\\b\f\n\r\t'
    cdef uint32_t i, need
    code[0] = at[0]
    if at[0] != 0x5C and at[0] < 0x80:
        return at[0] >= 0x20
    if at[0] == 0x5C:
        if end - at < 2:
            return NEVER
        if at[1] == c'u':
            return numbered(at, end, code)
        for i in range(8):
            if at[1] == <uint8_t>names[i]:
                code[0] = <uint8_t>codes[i]
                return 2
        return 0
    if not 0xC2 <= at[0] <= 0xF4:
        return 0
    need = lead_need(at[0])
    i = need & 7
    if end - at <= <int64_t>i:
        return NEVER
    code[0] = at[0] & (<uint32_t>0x3F >> i)
    for i in range(need & 7):
        if not is_continuation(at[1 + i], need):
            return 0
        code[0] = code[0] << 6 | (at[1 + i] & 0x3F)
        need &= 7
    return 1 + need


cdef uint32_t numbered(const uint8_t *at, const uint8_t *end, uint32_t *code) noexcept nogil:
    """The same for a character that is spelled by its number, or by those of a surrogate pair (RFC 8259 section 7)."""
    cdef int64_t low
    cdef int64_t high = hexadecimal(at + 2, end)
    if high < 0xD800 or high > 0xDFFF:
        code[0] = <uint32_t>high
        return 6 if high >= 0 else (NEVER if high == -1 else 0)
    if high > 0xDBFF or (end - at > 6 and at[6] != 0x5C) or (end - at > 7 and at[7] != c'u'):
        return 0
    if end - at < 12:
        return NEVER
    low = hexadecimal(at + 8, end)
    code[0] = 0x10000 + (<uint32_t>(high - 0xD800) << 10) + <uint32_t>(low - 0xDC00)
    return 12 if 0xDC00 <= low <= 0xDFFF else 0


cdef int64_t hexadecimal(const uint8_t *at, const uint8_t *end) noexcept nogil:
    """The number of four hexadecimal digits; -1: they are not all there, -2: one is none."""
    cdef int64_t value = 0
    cdef uint32_t i, digit
    for i in range(4):
        if at + i >= end:
            return -1
        digit = at[i]
        if 0x30 <= digit <= 0x39:
            digit -= 0x30
        elif 0x41 <= (digit & 0xDF) <= 0x46:
            digit = (digit & 0xDF) - 0x41 + 10
        else:
            return -2
        value = value << 4 | digit
    return value


cdef bint survives_begun(Engine *engine, State *state, const uint8_t *at, const uint8_t *end) noexcept nogil:
    """The same byte by byte, from a character on that is not whole."""
    cdef uint32_t i
    while at < end:
        if state == NULL or (not state.expanded and not expand(engine, state)):
            return False
        i = 0
        while i < state.n_segments and state.segments[i].high < at[0]:
            i += 1
        if i == state.n_segments or state.segments[i].low > at[0]:
            return False
        at += 1
        state = unbounded(engine, state.segments[i].to, <uint32_t>(end - at), False)
    return state != NULL


# -- what may follow ----------------------------------------------------------------------------------------------------


cdef Future *future_of(Engine *engine, State *state) noexcept nogil:
    """What may follow a state within LONG characters; NULL where the pattern has too many such futures, or with a fault."""
    cdef TextRule *text = <TextRule *>state.rule.text
    cdef Futures *futures = <Futures *>text.futures
    cdef uint32_t number
    cdef Words words
    if futures == NULL:
        futures = <Futures *>arena_zeroed(state.rule.arena, sizeof(Futures))
        if futures == NULL:
            engine.fault = FAULT_MEMORY
            return NULL
        text.futures = futures
    if futures.off:
        return NULL
    memset(&words, 0, sizeof(words))
    futures.steps = 0
    number = find_future(engine, state.rule, futures, state.key[3], LONG, &words)
    free(words.at)
    if number == NEVER:
        futures.off = True
        return NULL
    return futures.made[number]


cdef uint32_t find_future(Engine *engine, Rule *rule, Futures *futures, uint32_t chars, uint32_t depth, Words *words) noexcept nogil:
    """The number of what may follow within `depth` characters. NEVER: too many, or a fault."""
    cdef CharState *state = (<TextRule *>rule.text).states[chars]
    cdef uint32_t s, to, number = 0, first = <uint32_t>words.n
    if depth and state.futures == NULL:
        state.futures = <uint32_t *>arena_zeroed(rule.arena, (LONG + 1) * sizeof(uint32_t))
        if state.futures == NULL:
            engine.fault = FAULT_MEMORY
            return NEVER
    if depth and state.futures[depth]:
        return state.futures[depth] - 1
    futures.steps += 1
    if futures.steps > MAX_STEPS or not expand_chars(engine, rule, state):
        return NEVER
    if not words_push(words, state.accepting):
        engine.fault = FAULT_MEMORY
    for s in range(state.n_segments if depth else 0):
        to = chars_after(engine, rule, state, &state.segments[s])
        number = find_future(engine, rule, futures, to, depth - 1, words) if to != NEVER else NEVER
        if number == NEVER or not add_range(words, first, state.segments[s].low, state.segments[s].high, number):
            engine.fault = FAULT_MEMORY if number != NEVER else engine.fault
            return NEVER
    if engine.fault == FAULT_NONE:
        number = intern_future(engine, rule.arena, futures, words.at + first, <uint32_t>words.n - first)
    words.n = first
    if engine.fault != FAULT_NONE:
        return NEVER
    if depth and number != NEVER:
        state.futures[depth] = number + 1
    return number


cdef bint add_range(Words *words, uint32_t first, uint32_t low, uint32_t high, uint32_t number) noexcept nogil:
    """Add a range, joined with the one before it where the same follows both. False when memory ends."""
    if words.n > first + 1 and words.at[words.n - 1] == number and words.at[words.n - 2] + 1 == low:
        words.at[words.n - 2] = high
        return True
    return words_push(words, low) and words_push(words, high) and words_push(words, number)


cdef uint32_t intern_future(Engine *engine, Arena *arena, Futures *futures, const uint32_t *words, uint32_t n) noexcept nogil:
    """The number of a future with these words. NEVER: too many, or a fault."""
    cdef uint64_t hash = hash_words(words, n, 11)
    cdef uint32_t at, i
    cdef Future *future
    if futures.room:
        at = <uint32_t>hash & (futures.room - 1)
        while futures.index[at]:
            future = futures.made[futures.index[at] - 1]
            if future.hash == hash and future.n == n:
                i = 0
                while i < n and future.words[i] == words[i]:
                    i += 1
                if i == n:
                    return futures.index[at] - 1
            at = (at + 1) & (futures.room - 1)
    futures.n_words += n
    if futures.n_words > MAX_WORDS:
        return NEVER
    future = <Future *>arena_zeroed(arena, sizeof(Future) + n * sizeof(uint32_t))
    if future == NULL or (2 * futures.n_made >= futures.room and not grow_futures(arena, futures)):
        engine.fault = FAULT_MEMORY
        return NEVER
    future.hash = hash
    future.n = n
    future.words = <uint32_t *>(future + 1)
    memcpy(future.words, words, n * sizeof(uint32_t))
    futures.made[futures.n_made] = future
    futures.n_made += 1
    note_future(futures, futures.n_made - 1)
    return futures.n_made - 1


cdef bint grow_futures(Arena *arena, Futures *futures) noexcept nogil:
    """Room for twice as many futures. False when memory ends."""
    cdef uint32_t room = futures.room * 2 if futures.room else 64, i
    cdef uint32_t *index = <uint32_t *>arena_zeroed(arena, room * sizeof(uint32_t))
    cdef Future **made = <Future **>arena_take(arena, room * sizeof(Future *))
    if index == NULL or made == NULL:
        return False
    if futures.n_made:
        memcpy(made, futures.made, futures.n_made * sizeof(Future *))
    futures.index = index
    futures.made = made
    futures.room = room
    for i in range(futures.n_made):
        note_future(futures, i)
    return True


cdef void note_future(Futures *futures, uint32_t number) noexcept nogil:
    cdef uint32_t at = <uint32_t>futures.made[number].hash & (futures.room - 1)
    while futures.index[at]:
        at = (at + 1) & (futures.room - 1)
    futures.index[at] = number + 1
