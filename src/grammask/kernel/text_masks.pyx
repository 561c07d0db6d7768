# cython: language_level=3
"""Masks of text states, most of whose tokens are taken by the thousand.

Characters fall into some fifty classes (digits, a-f, each punctuation mark, blocks of scripts). For a state d of a text,
`survey` finds a set X of classes and a number k such that every string over X of at most k characters keeps d alive. All
tokens of that kind are one set, `within(X, k)`, computed by a pass over the vocabulary once and shared by everything that
asks for the same X and k. Only what lies outside is walked: subtrees that hold a class alive elsewhere (Y), a quotation
mark, a backslash, an unfinished character, or more than k characters. A walk takes whole subtrees by the same test.
Rule: X and k only ever promise life (classes that act unlike inside are left out), so masks stay exact whatever they are.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
from grammask.kernel.classify cimport assemble, classify, conclude, intern_exits, remember
from grammask.kernel.text cimport ALIKE, BOUNDARY, FAILED, Spot, TextRule, Verdict, after_range, alike_until, can_end, unbounded
from grammask.kernel.trie cimport QUOTE_BELOW, Trie, TrieNode, children_end

cdef enum:
    N_CLASSES = 53
    QUOTE = 53                 # marks: characters that a text cannot take raw, and (PARTIAL, 56) tokens that are not whole characters
    BACKSLASH = 54
    CONTROL = 55
    FIRST_WIDE = 37            # classes from here on are beyond ASCII
    LEVELS = 24
    SPOTS = 96
    WORTH_SURVEY = 48          # tokens below a node from which a walk asks whether all of them live
    WORTH_DROP = 16             # tokens with a class that are as well walked as one token with more characters than a survey allows
    RUNS = 12                  # kinds of characters in one class that a survey tells apart

cdef uint32_t NEVER = 0xFFFFFFFF
cdef uint32_t OFF = 0xFFFFFFFF
cdef uint64_t TEXT_CLASSES = (<uint64_t>1 << N_CLASSES) - 1
cdef uint64_t ROUGH = (<uint64_t>1 << QUOTE) | (<uint64_t>1 << BACKSLASH) | (<uint64_t>1 << CONTROL) | (<uint64_t>1 << PARTIAL)
cdef uint64_t WIDE = TEXT_CLASSES & ~((<uint64_t>1 << FIRST_WIDE) - 1)

cdef uint32_t class_low[N_CLASSES]
cdef uint32_t class_high[N_CLASSES]
cdef uint8_t class_of_byte[256]        # of ASCII characters and of lead bytes; 255: none


cdef _define_classes():
    """Fill the tables of classes."""
    spans = [(0x30, 0x39), (0x61, 0x66), (0x67, 0x7A), (0x41, 0x46), (0x47, 0x5A)]
    spans += [(c, c) for c in range(0x20, 0x80) if not chr(c).isalnum() and c not in (0x22, 0x5C)]
    wide = [0x80, 0xC0, 0x100, 0x2C0, 0x380, 0x400, 0x540, 0x800, 0x1000, 0x2000, 0x3000, 0x4000, 0xA000, 0xE000, 0x10000, 0x40000, 0x110000]
    assert len(spans) == FIRST_WIDE
    spans += [(low, high - 1) for low, high in zip(wide, wide[1:])]
    assert len(spans) == N_CLASSES
    memset(class_of_byte, 255, 256)
    for number, (low, high) in enumerate(spans):
        class_low[number] = low
        class_high[number] = 0xD7FF if high == 0xDFFF else high
        if high < 0x80:
            for c in range(low, high + 1):
                class_of_byte[c] = number
        else:
            for lead in range(chr(low).encode()[0], chr(class_high[number]).encode()[0] + 1):
                class_of_byte[lead] = number
    class_of_byte[0x22] = QUOTE
    class_of_byte[0x5C] = BACKSLASH
    for c in range(0x20):
        class_of_byte[c] = CONTROL


_define_classes()


cdef uint8_t class_of(uint32_t byte) noexcept nogil:
    """The class of the characters that begin with a byte; 255: none does."""
    return class_of_byte[byte]


# -- reading the vocabulary ---------------------------------------------------------------------------------------------


cdef class TokenReading:
    """What the tokens of a vocabulary are as texts. Made once and never changed; all stores of the vocabulary share it."""

    cdef int read(self, const Trie *trie) except -1:
        """Find classes and character counts of all tokens and nodes. Cost: two passes over the trie and three over the tokens."""
        cdef Reading *reading = &self.reading
        cdef uint64_t *path = <uint64_t *>calloc(trie.n_nodes, sizeof(uint64_t))
        cdef uint32_t *place = <uint32_t *>calloc(trie.n_nodes, sizeof(uint32_t))
        cdef bint good
        reading.below = <uint64_t *>calloc(trie.n_nodes, sizeof(uint64_t))
        reading.token_classes = <uint64_t *>calloc(trie.vocabulary_size, sizeof(uint64_t))
        reading.token_chars = <uint16_t *>calloc(trie.vocabulary_size, sizeof(uint16_t))
        try:
            if path == NULL or place == NULL or reading.below == NULL or reading.token_classes == NULL or reading.token_chars == NULL:
                raise MemoryError()
            with nogil:
                read_forward(trie, reading, path, place)
                read_backward(trie, reading, path, place)
                weigh(trie, reading)
                good = list_long(trie, reading) and sort_by_kind(trie, reading)
            if not good:
                raise MemoryError()
        finally:
            free(path)
            free(place)
        return 0

    def __dealloc__(self):
        free(self.reading.below)
        free(self.reading.token_classes)
        free(self.reading.token_chars)
        free(self.reading.by_kind)
        free(self.reading.kind_first)
        free(self.reading.kind_classes)
        free(self.reading.kind_chars)
        free(self.reading.long_tokens)
        free(self.reading.long_by_spelling)
        free(self.reading.long_shared)
        free(self.reading.quoted_tokens)


cdef void read_forward(const Trie *trie, Reading *reading, uint64_t *path, uint32_t *place) noexcept nogil:
    """Parents before children: classes on the path to each node; place: characters << 8 | continuation bytes still to come."""
    cdef int32_t node, child, i
    cdef uint32_t label, need, chars
    cdef uint64_t classes
    for node in range(trie.n_nodes):
        for i in range(trie.nodes[node].token_first, trie.nodes[node].token_first + trie.nodes[node].n_tokens):
            if node and trie.label[node] < 256:
                reading.token_classes[trie.token_ids[i]] = path[node] | ((<uint64_t>1 << PARTIAL) if place[node] & 0xFF else 0)
                chars = place[node] >> 8
                reading.token_chars[trie.token_ids[i]] = <uint16_t>(chars if chars < 65535 else 65535)
        for child in range(trie.nodes[node].first, children_end(trie, node)):
            label = trie.label[child]
            if label >= 256:
                continue
            classes = path[node]
            need = place[node] & 0xFF
            chars = place[node] >> 8
            if need:
                if not is_continuation(label, need):
                    classes |= <uint64_t>1 << PARTIAL
                    need = 0
                else:
                    need = (need & 7) - 1
                    chars += need == 0
            elif class_of_byte[label] == 255:
                classes |= <uint64_t>1 << PARTIAL
            else:
                classes |= <uint64_t>1 << class_of_byte[label]
                if label < 0x80:
                    chars += 1
                else:
                    need = lead_need(label)
            if class_of_byte[label] == QUOTE and place[node] >> 8 > reading.quote_depth:
                reading.quote_depth = place[node] >> 8
            path[child] = classes
            place[child] = chars << 8 | need


cdef uint32_t lead_need(uint32_t lead) noexcept nogil:
    """Continuation bytes after a lead byte; bits 3 up say which second bytes are forbidden (RFC 3629 section 4)."""
    if lead < 0xE0:
        return 1
    if lead < 0xF0:
        return 2 | (8 if lead == 0xE0 else (16 if lead == 0xED else 0))
    return 3 | (24 if lead == 0xF0 else (32 if lead == 0xF4 else 0))


cdef void read_backward(const Trie *trie, Reading *reading, uint64_t *path, uint32_t *place) noexcept nogil:
    """Children before parents: classes below each node."""
    cdef int32_t node = trie.n_nodes, child
    cdef uint64_t below
    while node > 0:
        node -= 1
        below = 0
        for child in range(trie.nodes[node].first, children_end(trie, node)):
            if trie.label[child] >= 256:
                continue
            below |= reading.below[child]
            if class_of_byte[trie.label[child]] != 255:
                below |= <uint64_t>1 << class_of_byte[trie.label[child]]
            if path[child] & (<uint64_t>1 << PARTIAL) or (trie.nodes[child].n_tokens and place[child] & 0xFF):
                below |= <uint64_t>1 << PARTIAL
        reading.below[node] = below


cdef void weigh(const Trie *trie, Reading *reading) noexcept nogil:
    cdef int32_t token
    cdef uint32_t level
    cdef uint64_t classes
    for token in range(trie.vocabulary_size):
        classes = reading.token_classes[token]
        for level in range(reading.token_chars[token] if reading.token_chars[token] <= LEVELS else LEVELS + 1):
            reading.longer[level] += 1
        while classes:
            reading.weight[lowest_bit(classes)] += 1
            classes &= classes - 1


cdef bint list_long(const Trie *trie, Reading *reading) noexcept nogil:
    """List the long tokens, those with most characters first, and those that hold a quotation mark. False when memory ends."""
    cdef uint32_t *first = <uint32_t *>calloc(65538, sizeof(uint32_t))     # by the characters that are left to 65,536
    cdef uint32_t token, i
    reading.long_tokens = <uint32_t *>calloc(trie.vocabulary_size, sizeof(uint32_t))
    reading.quoted_tokens = <uint32_t *>calloc(trie.vocabulary_size, sizeof(uint32_t))
    if first == NULL or reading.long_tokens == NULL or reading.quoted_tokens == NULL:
        free(first)
        return False
    for token in range(<uint32_t>trie.vocabulary_size):
        if reading.token_classes[token] >> QUOTE & 1:
            reading.quoted_tokens[reading.n_quoted] = token
            reading.n_quoted += 1
        if reach_of(reading, token) > LONG:
            first[65537 - reach_of(reading, token)] += 1
            reading.n_long += 1
    for i in range(1, 65538):
        first[i] += first[i - 1]
    for token in range(<uint32_t>trie.vocabulary_size):
        if reach_of(reading, token) > LONG:
            reading.long_tokens[first[65536 - reach_of(reading, token)]] = token
            first[65536 - reach_of(reading, token)] += 1
    free(first)
    return list_long_by_spelling(trie, reading)


cdef bint list_long_by_spelling(const Trie *trie, Reading *reading) noexcept nogil:
    """The long tokens in the order of their bytes, which is that of the trie. False when memory ends."""
    cdef uint32_t token, i, n = 0, before = 0
    reading.long_by_spelling = <uint32_t *>calloc(reading.n_long + 1, sizeof(uint32_t))
    reading.long_shared = <uint32_t *>calloc(reading.n_long + 1, sizeof(uint32_t))
    if reading.long_by_spelling == NULL or reading.long_shared == NULL:
        return False
    for i in range(<uint32_t>trie.nodes[0].token_end):
        token = <uint32_t>trie.token_ids[i]
        if reach_of(reading, token) > LONG:
            reading.long_by_spelling[n] = token
            reading.long_shared[n] = shared_bytes(trie, before, token) if n else 0
            before = token
            n += 1
    return True


cdef uint32_t shared_bytes(const Trie *trie, uint32_t one, uint32_t other) noexcept nogil:
    """How many bytes two tokens begin with alike."""
    cdef const uint8_t *a = trie.spelling + trie.byte_of_token[one]
    cdef const uint8_t *b = trie.spelling + trie.byte_of_token[other]
    cdef uint32_t n = 0, most = <uint32_t>(trie.byte_of_token[one + 1] - trie.byte_of_token[one])
    if most > <uint32_t>(trie.byte_of_token[other + 1] - trie.byte_of_token[other]):
        most = <uint32_t>(trie.byte_of_token[other + 1] - trie.byte_of_token[other])
    while n < most and a[n] == b[n]:
        n += 1
    return n


cdef bint sort_by_kind(const Trie *trie, Reading *reading) noexcept nogil:
    """List the tokens by kind, of which there are far fewer. False when memory ends."""
    cdef uint32_t size = <uint32_t>trie.vocabulary_size, room = 64, token, kind, at, n = 0
    while room < 2 * size:
        room *= 2
    cdef uint32_t *index = <uint32_t *>calloc(room, sizeof(uint32_t))              # open addressing, 1 + kind
    cdef uint32_t *kinds = <uint32_t *>malloc(size * sizeof(uint32_t))
    reading.by_kind = <uint32_t *>malloc(size * sizeof(uint32_t))
    reading.kind_classes = <uint64_t *>malloc(size * sizeof(uint64_t))
    reading.kind_chars = <uint16_t *>malloc(size * sizeof(uint16_t))
    reading.kind_first = <uint32_t *>calloc(<size_t>size + 2, sizeof(uint32_t))
    cdef bint good = index != NULL and kinds != NULL and reading.by_kind != NULL and reading.kind_classes != NULL
    good = good and reading.kind_chars != NULL and reading.kind_first != NULL
    for token in range(size if good else 0):
        if reading.token_classes[token] == 0:
            continue
        at = <uint32_t>mix(mix(7, reading.token_classes[token]), reading.token_chars[token]) & (room - 1)
        while index[at] and not is_of_kind(reading, token, index[at] - 1):
            at = (at + 1) & (room - 1)
        if index[at] == 0:
            reading.kind_classes[n] = reading.token_classes[token]
            reading.kind_chars[n] = reading.token_chars[token]
            n += 1
            index[at] = n
        kinds[token] = index[at] - 1
        reading.kind_first[index[at] + 1] += 1
    reading.n_kinds = n
    for kind in range(n if good else 0):
        reading.kind_first[kind + 1] += reading.kind_first[kind]
    # kind_first[kind + 1] is now where the kind begins; filling moves it to where it ends.
    for token in range(size if good else 0):
        if reading.token_classes[token]:
            reading.by_kind[reading.kind_first[kinds[token] + 1]] = token
            reading.kind_first[kinds[token] + 1] += 1
    free(index)
    free(kinds)
    return good


cdef inline bint is_of_kind(const Reading *reading, uint32_t token, uint32_t kind) noexcept nogil:
    return reading.kind_classes[kind] == reading.token_classes[token] and reading.kind_chars[kind] == reading.token_chars[token]


cdef uint32_t weight_of(const Reading *reading, uint64_t classes) noexcept nogil:
    """About how many tokens are lost with these classes."""
    cdef uint32_t total = 0
    while classes:
        total += reading.weight[lowest_bit(classes)]
        classes &= classes - 1
    return total


# -- sets by class and length -------------------------------------------------------------------------------------------


cdef bint open_reaches(Engine *engine) noexcept nogil:
    engine.reaches = calloc(1, sizeof(Reaches))
    return engine.reaches != NULL


cdef void drop_reaches(Engine *engine) noexcept nogil:
    if engine.reaches != NULL:
        free((<Reaches *>engine.reaches).at)
        free(engine.reaches)
        engine.reaches = NULL


cdef TokenSet *within(Engine *engine, uint64_t classes, uint32_t chars, bint *good) noexcept nogil:
    """The tokens over these classes with at most so many characters; NULL: none. Cost: one pass over the kinds of tokens, once."""
    cdef Reaches *reaches = <Reaches *>engine.reaches
    cdef uint32_t at
    cdef Reach *reach_
    if chars > <uint32_t>engine.trie.longest:
        chars = NEVER
    if reaches.n * 4 >= reaches.room * 3 and not grow_reaches(reaches):
        engine.fault = FAULT_MEMORY
        good[0] = False
        return NULL
    at = <uint32_t>mix(mix(5, classes), chars) & (reaches.room - 1)
    while reaches.at[at].classes:
        reach_ = &reaches.at[at]
        if reach_.classes == classes and reach_.chars == chars:
            return reach_.tokens
        at = (at + 1) & (reaches.room - 1)
    reach_ = &reaches.at[at]
    reach_.tokens = make_reach(engine, <Reading *>engine.reading, classes, chars)
    if reach_.tokens == NULL:
        good[0] = False
        return NULL
    reach_.classes = classes
    reach_.chars = chars
    reaches.n += 1
    return reach_.tokens


cdef bint grow_reaches(Reaches *reaches) noexcept nogil:
    cdef uint32_t room = reaches.room * 2 if reaches.room else 64, i, at
    cdef Reach *grown = <Reach *>calloc(room, sizeof(Reach))
    if grown == NULL:
        return False
    for i in range(reaches.room):
        if reaches.at[i].classes:
            at = <uint32_t>mix(mix(5, reaches.at[i].classes), reaches.at[i].chars) & (room - 1)
            while grown[at].classes:
                at = (at + 1) & (room - 1)
            grown[at] = reaches.at[i]
    free(reaches.at)
    reaches.at = grown
    reaches.room = room
    return True


cdef TokenSet *make_reach(Engine *engine, Reading *reading, uint64_t classes, uint32_t chars) noexcept nogil:
    cdef TokenSet *made = <TokenSet *>arena_zeroed(&engine.arena, sizeof(TokenSet))
    cdef uint32_t kind, i
    if made != NULL:
        made.dense = <uint32_t *>arena_zeroed(&engine.arena, engine.trie.mask_words * sizeof(uint32_t))
    if made == NULL or made.dense == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    for kind in range(reading.n_kinds):
        if reading.kind_classes[kind] & ~classes == 0 and reading.kind_chars[kind] <= chars:
            for i in range(reading.kind_first[kind], reading.kind_first[kind + 1]):
                made.dense[reading.by_kind[i] >> 5] |= <uint32_t>1 << (reading.by_kind[i] & 31)
    return made


# -- surveying a state --------------------------------------------------------------------------------------------------


cdef struct Survey:
    uint64_t inside            # X
    uint64_t outside           # Y, with marks
    uint32_t chars             # k; NEVER: no bound
    bint ends                  # the text can end at some spot on the way


cdef inline void spot_of(const State *state, Spot *spot) noexcept nogil:
    spot.chars = state.key[3]
    spot.least = state.key[4]
    spot.most = state.key[5]
    spot.word = state.key[6]


cdef inline bint is_any(const State *state) noexcept nogil:
    """Whether only the number of characters decides about raw text: every string, excluded ones being no dead ends."""
    cdef TextRule *text = <TextRule *>state.rule.text
    return text.n_nodes == 0 and (state.key[6] == OFF or state.key[5] == NEVER or state.key[5] == text.clamp)


cdef inline bint is_total(const State *state) noexcept nogil:
    """Whether a surveyed state of a pattern takes all characters for ever, so that only closing quotes tell it from any text."""
    return (<TextRule *>state.rule.text).n_nodes != 0 and state.inside_classes == TEXT_CLASSES and state.inside_chars == NEVER


cdef bint survey(Engine *engine, State *state) noexcept nogil:
    """Find X, k and Y of a boundary state; kept in the state. False with a fault."""
    cdef TextRule *text = <TextRule *>state.rule.text
    cdef uint64_t inside = TEXT_CLASSES
    cdef Survey found
    cdef State *base
    cdef bint good = True
    if state.surveyed:
        return True
    if is_any(state):
        state.inside_classes = TEXT_CLASSES
        state.outside_classes = ROUGH
        state.inside_chars = NEVER if state.key[5] == NEVER or state.key[5] == text.clamp else state.key[5]
        state.surveyed = True
        return True
    base = unbounded(engine, state, 1, False)
    if base == NULL:
        return False
    if base != state:
        return survey_by_base(engine, state, base)
    while good and not survey_round(engine, state, inside, &found, &good):
        inside = found.inside
    if not good:
        return False
    state.inside_classes = found.inside
    state.inside_chars = found.chars
    state.outside_classes = found.outside | (<uint64_t>1 << BACKSLASH)
    if found.ends or found.chars != NEVER:
        state.outside_classes |= <uint64_t>1 << QUOTE
    if (found.inside | found.outside) & WIDE:
        state.outside_classes |= <uint64_t>1 << PARTIAL
    state.surveyed = True
    return True


cdef bint survey_by_base(Engine *engine, State *state, State *base) noexcept nogil:
    """What holds without the bound of length, for as many characters as it cannot tell."""
    cdef uint32_t free_ = state.key[5] - (<TextRule *>state.rule.text).farthest
    if not survey(engine, base):
        return False
    state.inside_classes = base.inside_classes
    state.outside_classes = base.outside_classes | (<uint64_t>1 << QUOTE)
    state.inside_chars = base.inside_chars if base.inside_chars < free_ else free_
    state.surveyed = True
    return True


cdef struct Fate:
    # What the characters of a class do to a spot.
    bint some_alive
    bint some_dead             # or too many kinds of them to tell
    bint crowded               # their spots did not all fit into the list


cdef bint try_class(Engine *engine, State *state, const Spot *spot, uint32_t c, Spot *spots, uint32_t *n, Fate *fate) noexcept nogil:
    """Go over a class's characters in runs that act alike; the spots they lead to join the list. False with a fault."""
    cdef uint32_t low = class_low[c], high = class_high[c], last, runs = 0
    cdef Verdict verdict
    cdef Spot onward
    fate.some_alive = fate.some_dead = fate.crowded = False
    while low <= high:
        last = alike_until(engine, state.rule, spot, low, high)
        verdict = after_range(engine, state.rule, spot, low, last, &onward)
        if verdict == FAILED:
            return False
        if verdict == ALIKE:
            fate.some_alive = True
            if n != NULL and not add_spot(spots, n, &onward):
                fate.crowded = True
        else:
            fate.some_dead = True
        runs += 1
        if last == high:
            return True
        if runs == RUNS:
            fate.some_dead = True
            fate.some_alive = True
            return True
        low = last + 1
    return True


cdef bint survey_round(Engine *engine, State *state, uint64_t inside, Survey *found, bint *good) noexcept nogil:
    """Go level by level over all strings of the classes in `inside`. False: some classes must go first (found.inside).

    Where a spot cannot take all classes, either those go or the class that led to the spot, whichever holds fewer tokens.
    """
    cdef Reading *reading = <Reading *>engine.reading
    cdef Spot spots[SPOTS]
    cdef uint8_t via[SPOTS]
    cdef uint32_t n = 1, done = 0, level_end = 1, level = 0, c, i, before
    cdef uint64_t dead, drop, alive = 0
    cdef bint crowded = False
    cdef Fate fate
    spot_of(state, &spots[0])
    found.inside = inside
    found.ends = False
    while True:
        # All spots of this level, which are the ones not looked at yet.
        drop = 0
        for i in range(done, level_end):
            if can_end(<TextRule *>state.rule.text, &spots[i]):
                found.ends = True
            dead = 0
            for c in range(N_CLASSES):
                if not (inside >> c) & 1:
                    continue
                before = n
                if not try_class(engine, state, &spots[i], c, spots, &n, &fate):
                    good[0] = False
                    return False
                while before < n:
                    via[before] = <uint8_t>c
                    before += 1
                if fate.some_dead:
                    dead |= <uint64_t>1 << c
                crowded |= fate.crowded
            if dead and i and reading.weight[via[i]] < weight_of(reading, dead):
                dead = <uint64_t>1 << via[i]
            drop |= dead
        if drop and drop != inside and (level < 3 or weight_of(reading, drop) < WORTH_DROP * reading.longer[level]):
            found.inside = inside & ~drop
            return False
        if drop or level == LEVELS:
            found.chars = level
            break
        level += 1
        if crowded:
            found.chars = level
            break
        done = level_end
        level_end = n
        if done == level_end:
            found.chars = NEVER
            break
    found.outside = TEXT_CLASSES & ~inside
    if found.chars == NEVER:
        # The spots are all there are, so it can be told which other classes any of them takes.
        for i in range(n):
            for c in range(N_CLASSES):
                if (inside >> c) & 1 or (alive >> c) & 1:
                    continue
                if not try_class(engine, state, &spots[i], c, spots, NULL, &fate):
                    good[0] = False
                    return False
                if fate.some_alive:
                    alive |= <uint64_t>1 << c
        found.outside = alive
    return True


cdef bint add_spot(Spot *spots, uint32_t *n, const Spot *spot) noexcept nogil:
    cdef uint32_t i
    for i in range(n[0]):
        if spots[i].chars == spot.chars and spots[i].least == spot.least and spots[i].most == spot.most and spots[i].word == spot.word:
            return True
    if n[0] == SPOTS:
        return False
    spots[n[0]] = spot[0]
    n[0] += 1
    return True


# -- walking what is left -----------------------------------------------------------------------------------------------


cdef bint walk_text(Engine *engine, State *whole, State *state, int32_t node, bint covered) noexcept nogil:
    """Walk a text state below a node. `covered`: tokens whose path is in within(X, k) of `whole` are held already."""
    cdef Reading *reading = <Reading *>engine.reading
    cdef size_t base = engine.walk.n
    cdef uint32_t depth
    cdef TrieNode *place
    if not push_step(engine, state, node, 0, covered):
        return False
    while engine.walk.n > base:
        engine.walk.n -= 3
        state = <State *>engine.walk.at[engine.walk.n]
        node = <int32_t><size_t>engine.walk.at[engine.walk.n + 1]
        depth = <uint32_t><size_t>engine.walk.at[engine.walk.n + 2]
        covered = depth & 1
        if not state.expanded and not expand(engine, state):
            return False
        place = &engine.trie.nodes[node]
        if state.key[0] == BOUNDARY and not covered and (state.surveyed or place.token_end - place.token_first >= WORTH_SURVEY):
            if not survey(engine, state):
                return False
            if not reading.below[node] & ~state.inside_classes and place.height <= state.inside_chars:
                if not take_tokens(engine, place.token_first + place.n_tokens, place.token_end):
                    return False
                continue
        if not walk_text_children(engine, whole, state, node, depth >> 1, covered):
            return False
    return True


cdef bint make_table(Engine *engine, State *state) noexcept nogil:
    cdef uint32_t s, symbol
    cdef uint8_t *table = <uint8_t *>arena_zeroed(state.rule.arena, 256)
    if table == NULL:
        engine.fault = FAULT_MEMORY
        return False
    for s in range(state.n_segments):
        for symbol in range(state.segments[s].low, state.segments[s].high + 1):
            table[symbol] = <uint8_t>(s + 1)
    state.table = table
    return True


cdef bint walk_text_children(Engine *engine, State *whole, State *state, int32_t node, uint32_t depth, bint covered) noexcept nogil:
    cdef Trie *trie = engine.trie
    cdef Reading *reading = <Reading *>engine.reading
    # Backwards, so that what is pushed last, and walked next, lies next in memory.
    cdef int32_t child = children_end(trie, node) - 1, first = trie.nodes[node].first
    cdef uint32_t symbol, onward
    cdef uint8_t number
    cdef bint still
    cdef Segment *segment
    cdef State *to
    cdef TrieNode *place
    if state.table == NULL and not make_table(engine, state):
        return False
    while child >= first:
        symbol = trie.label[child]
        number = state.table[symbol] if symbol < 256 else 0
        if number:
            segment = &state.segments[number - 1]
            to = segment.to
            place = &trie.nodes[child]
            onward = depth + segment.counts
            # Still over X: ASCII and lead bytes say so; continuation bytes change nothing; escapes never are.
            still = covered and onward <= whole.inside_chars and (0x80 <= symbol < 0xC0 or (class_of_byte[symbol] < N_CLASSES and (whole.inside_classes >> class_of_byte[symbol]) & 1))
            if place.n_tokens and not (still and to.key[0] == BOUNDARY) and not take_tokens(engine, place.token_first, place.token_first + place.n_tokens):
                return False
            if place.n_children:
                if to.accepting:
                    if not words_push(&engine.exits, child):
                        return False
                elif not (still and not reading.below[child] & whole.outside_classes and (whole.inside_chars == NEVER or onward + place.height <= whole.inside_chars)):
                    to = unbounded(engine, to, place.height, not place.flags & QUOTE_BELOW)
                    if to == NULL or not push_step(engine, to, child, onward, still):
                        return False
        child -= 1
    return True


# -- classification -----------------------------------------------------------------------------------------------------


cdef Classification *classify_text(Engine *engine, State *state, ExitSet *exits) noexcept nogil:
    """The classification of a boundary state, remembered; NULL with a fault."""
    cdef size_t tokens = engine.tokens.n, outs = engine.exits.n
    cdef TokenSet *shared = NULL
    cdef bint good = True
    cdef uint32_t i
    if state.base != NULL and is_any(state):
        return classify_by_base(engine, state, state.base, exits)
    if not survey(engine, state):
        return NULL
    if is_total(state):
        return classify_by_base(engine, state, engine.any_text.start, exits)
    if exits != engine.root:
        i = 0
        while good and i < exits.n:
            good = walk_text(engine, state, state, exits.nodes[i], False)
            i += 1
    elif state.inside_chars and state.inside_classes:
        shared = within(engine, state.inside_classes, state.inside_chars, &good)
        good = good and walk_text(engine, state, state, 0, True)
    else:
        good = walk_text(engine, state, state, 0, False)
    if not good:
        if engine.fault == FAULT_NONE:
            engine.fault = FAULT_MEMORY
        return NULL
    if shared != NULL and is_any(state):
        return conclude_any(engine, state, exits, shared, tokens, outs)
    if shared != NULL and not pointers_push(&engine.parts, shared):
        engine.fault = FAULT_MEMORY
        return NULL
    return conclude(engine, state, exits, tokens, outs, engine.parts.n - (shared != NULL))


cdef Classification *conclude_any(Engine *engine, State *state, ExitSet *exits, TokenSet *raw, size_t tokens, size_t outs) noexcept nogil:
    """For the text without restrictions: all its tokens in one set, and the rough ones (not whole raw text) by themselves."""
    cdef Classification *made = assemble(engine, state, tokens, outs, engine.parts.n)
    if made == NULL:
        return NULL
    if made.n_parts:
        made.rough = made.parts[0]
        made.parts[0] = union_of(engine, &engine.arena, raw, made.rough)
    else:
        made.n_parts = 1
        made.parts[0] = raw
    if made.parts[0] == NULL or not remember(engine, state, exits, made):
        return NULL
    return made


cdef TokenSet *union_of(Engine *engine, Arena *arena, const TokenSet *dense, const TokenSet *other) noexcept nogil:
    """A dense set together with another that is dense, a list of pairs, or such less a list."""
    cdef TokenSet *made = <TokenSet *>arena_zeroed(arena, sizeof(TokenSet))
    cdef uint32_t i, words = engine.trie.mask_words
    if made != NULL:
        made.dense = <uint32_t *>arena_take(arena, words * sizeof(uint32_t))
    if made == NULL or made.dense == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    memcpy(made.dense, dense.dense, words * sizeof(uint32_t))
    if other == NULL:
        return made
    if other.whole != NULL:
        for i in range(words):
            engine.row[i] = other.whole.dense[i]
        for i in range(other.n):
            engine.row[other.pairs[2 * i]] &= ~other.pairs[2 * i + 1]
        for i in range(words):
            made.dense[i] |= engine.row[i]
        memset(engine.row, 0, words * sizeof(uint32_t))
    elif other.dense != NULL:
        for i in range(words):
            made.dense[i] |= other.dense[i]
    else:
        for i in range(other.n):
            made.dense[other.pairs[2 * i]] |= other.pairs[2 * i + 1]
    return made


# A restricted text (fewer lengths, some strings excluded) differs from the text without restrictions only where a
# restriction bites: at closing quotes that come too early, and past the last character. So it is classified by what to
# take off. Raw text within a length is a set of its own, so at the root only rough tokens need be compared.


cdef bint bites(const Reading *reading, const Trie *trie, const State *to, int32_t node, bint covered) noexcept nogil:
    """Whether a restricted state can still differ from its base below a node. covered: no escape led here.

    A pattern that takes all characters for ever need not take those that only escapes can spell, nor all that comes behind them.
    """
    cdef TextRule *text = <TextRule *>to.rule.text
    if text.n_nodes and not covered:
        return True
    if (to.key[4] or to.key[6] != OFF or text.n_nodes) and reading.below[node] & ((<uint64_t>1 << QUOTE) | (<uint64_t>1 << BACKSLASH)):
        return True
    if text.n_nodes or to.key[5] == NEVER or to.key[5] == text.clamp or trie.nodes[node].height <= to.key[5]:
        return False
    return not covered or reading.below[node] & ROUGH != 0


cdef bint drop_at(Engine *engine, State *base_to, int32_t child, bint covered) noexcept nogil:
    """Gather what the base makes of a child that the restricted state cannot take."""
    cdef Reading *reading = <Reading *>engine.reading
    cdef TrieNode *place = &engine.trie.nodes[child]
    if place.n_tokens and not (covered and base_to.key[0] == BOUNDARY) and not take_tokens(engine, place.token_first, place.token_first + place.n_tokens):
        return False
    if place.n_children == 0:
        return True
    if base_to.accepting:
        return words_push(&engine.exits, child)
    if covered and not reading.below[child] & ROUGH:
        return True
    return walk_text(engine, engine.any_text.start, base_to, child, covered)


cdef bint differ_at(Engine *engine, State *state, State *base, int32_t node, bint covered, Pointers *pending) noexcept nogil:
    """Compare two expanded states over the children of a node; where they part for good gather what the base has more."""
    cdef Trie *trie = engine.trie
    cdef Reading *reading = <Reading *>engine.reading
    cdef int32_t child = trie.nodes[node].first, end = children_end(trie, node)
    cdef uint32_t s = 0, b = 0, symbol
    cdef bint still
    cdef State *to
    cdef State *base_to
    while child < end:
        symbol = trie.label[child]
        while b < base.n_segments and base.segments[b].high < symbol:
            b += 1
        if b == base.n_segments:
            return True
        if base.segments[b].low <= symbol:
            while s < state.n_segments and state.segments[s].high < symbol:
                s += 1
            base_to = base.segments[b].to
            to = NULL
            if s < state.n_segments and state.segments[s].low <= symbol:
                to = state.segments[s].to
            still = covered and symbol != 0x5C
            if to == NULL:
                if not drop_at(engine, base_to, child, still):
                    return False
            elif to != base_to and trie.nodes[child].n_children and bites(reading, trie, to, child, still):
                if not (pointers_push(pending, to) and pointers_push(pending, base_to) and pointers_push(pending, <void *><size_t>(<uint32_t>child << 1 | still))):
                    return False
        child += 1
    return True


cdef bint differ(Engine *engine, State *state, State *base, ExitSet *exits) noexcept nogil:
    """Gather the tokens and exits that the base has and the state has not."""
    cdef Pointers pending
    cdef State *one
    cdef State *other
    cdef uint32_t i = 0, place
    cdef bint good = True
    memset(&pending, 0, sizeof(pending))
    while good and i < exits.n:
        good = differ_at(engine, state, base, exits.nodes[i], exits == engine.root, &pending)
        while good and pending.n:
            pending.n -= 3
            one = <State *>pending.at[pending.n]
            other = <State *>pending.at[pending.n + 1]
            place = <uint32_t><size_t>pending.at[pending.n + 2]
            good = expand(engine, one) and expand(engine, other) and differ_at(engine, one, other, place >> 1, place & 1, &pending)
        i += 1
    free(pending.at)
    return good


cdef Classification *classify_by_base(Engine *engine, State *state, State *base, ExitSet *exits) noexcept nogil:
    """The base's classification less the tokens and exits that the restriction forbids."""
    cdef Classification *whole = classify(engine, base, exits)
    cdef size_t tokens = engine.tokens.n, outs = engine.exits.n
    cdef Classification *made
    cdef bint bounded = (<TextRule *>state.rule.text).n_nodes == 0 and state.key[5] != NEVER and state.key[5] != (<TextRule *>state.rule.text).clamp
    if whole == NULL:
        return NULL
    if not expand(engine, state) or not differ(engine, state, base, exits):
        if engine.fault == FAULT_NONE:
            engine.fault = FAULT_MEMORY
        return NULL
    if engine.tokens.n == tokens and engine.exits.n == outs and not (bounded and exits == engine.root):
        made = whole
    else:
        made = less(engine, state, whole, tokens, outs, bounded and exits == engine.root)
    if made == NULL or not remember(engine, state, exits, made):
        return NULL
    return made


cdef Classification *less(Engine *engine, State *state, Classification *whole, size_t tokens, size_t outs, bint bounded) noexcept nogil:
    """`whole` less what was gathered since the marks; `bounded`: raw text only up to the state's number of characters."""
    cdef Arena *arena = state.rule.arena
    cdef Classification *made = <Classification *>arena_zeroed(arena, sizeof(Classification) + sizeof(TokenSet *))
    cdef TokenSet *kept = NULL
    cdef TokenSet *raw
    cdef bint good = True
    if made == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    made.parts = <TokenSet **>(made + 1)
    if bounded and state.key[5] >= LONG:
        if not gather_longer(engine, state.key[5]):
            return NULL
        made.parts[0] = set_less(engine, arena, whole.parts[0], tokens)
        made.n_parts = 1
    elif bounded:
        kept = whole.rough
        if engine.tokens.n > tokens:
            kept = set_less(engine, arena, whole.rough, tokens)
            if kept == NULL:
                return NULL
        raw = within(engine, TEXT_CLASSES, state.key[5], &good)
        if not good:
            return NULL
        made.parts[0] = union_of(engine, arena, raw, kept)
        made.n_parts = 1
    elif whole.n_parts:
        made.parts[0] = whole.parts[0] if engine.tokens.n == tokens else set_less(engine, arena, whole.parts[0], tokens)
        made.n_parts = 1
    if made.n_parts and made.parts[0] == NULL:
        return NULL
    return made if exits_less(engine, whole.exits, outs, &made.exits) else NULL


cdef bint gather_longer(Engine *engine, uint32_t chars) noexcept nogil:
    """Gather the raw tokens with more characters than this, LONG or more. False with a fault."""
    cdef Reading *reading = <Reading *>engine.reading
    cdef uint32_t i = 0
    while i < reading.n_long and reach_of(reading, reading.long_tokens[i]) > chars:
        if reading.token_classes[reading.long_tokens[i]] & ROUGH == 0 and not words_push(&engine.tokens, reading.long_tokens[i]):
            engine.fault = FAULT_MEMORY
            return False
        i += 1
    return True


cdef bint exits_less(Engine *engine, ExitSet *whole, size_t outs, ExitSet **left) noexcept nogil:
    """An exit set less the nodes gathered since the mark."""
    cdef uint32_t *outside
    cdef size_t n_out, n, i = 0
    left[0] = whole
    n_out = unique_nodes(engine, engine.exits.at + outs, engine.exits.n - outs)
    if n_out == 0 or whole == NULL:
        return True
    outside = engine.exits.at + outs
    engine.scratch.n = 0
    for n in range(whole.n):
        while i < n_out and outside[i] < whole.nodes[n]:
            i += 1
        if i < n_out and outside[i] == whole.nodes[n]:
            continue
        if not words_push(&engine.scratch, whole.nodes[n]):
            engine.fault = FAULT_MEMORY
            return False
    left[0] = NULL
    if engine.scratch.n:
        left[0] = intern_exits(engine, engine.scratch.at, engine.scratch.n)
        return left[0] != NULL
    return True


cdef TokenSet *set_less(Engine *engine, Arena *arena, TokenSet *whole, size_t tokens) noexcept nogil:
    """A set of tokens less those gathered since the mark (all of which are in it)."""
    cdef uint32_t *row = engine.row
    cdef uint32_t word, i, n
    cdef size_t t
    cdef TokenSet *made = <TokenSet *>arena_zeroed(arena, sizeof(TokenSet))
    if made == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    engine.scratch.n = 0
    for t in range(tokens, engine.tokens.n):
        word = engine.tokens.at[t] >> 5
        if row[word] == 0 and not words_push(&engine.scratch, word):
            engine.fault = FAULT_MEMORY
            break
        row[word] |= (<uint32_t>1) << (engine.tokens.at[t] & 31)
    if whole.dense != NULL and engine.scratch.n * 4 < <size_t>engine.trie.mask_words:
        made.whole = whole
        made.n = engine.scratch.n
        sort_words(engine.scratch.at, engine.scratch.n)
        made.pairs = <uint32_t *>arena_take(arena, 2 * made.n * sizeof(uint32_t))
        if made.pairs == NULL:
            engine.fault = FAULT_MEMORY
        else:
            for i in range(made.n):
                word = engine.scratch.at[i]
                made.pairs[2 * i] = word
                made.pairs[2 * i + 1] = row[word]
    elif whole.dense != NULL:
        made.dense = <uint32_t *>arena_take(arena, engine.trie.mask_words * sizeof(uint32_t))
        if made.dense == NULL:
            engine.fault = FAULT_MEMORY
        else:
            for i in range(<uint32_t>engine.trie.mask_words):
                made.dense[i] = whole.dense[i] & ~row[i]
    else:
        made.pairs = <uint32_t *>arena_take(arena, 2 * whole.n * sizeof(uint32_t) + 8)
        if made.pairs == NULL:
            engine.fault = FAULT_MEMORY
        else:
            n = 0
            for i in range(whole.n):
                word = whole.pairs[2 * i]
                if whole.pairs[2 * i + 1] & ~row[word]:
                    made.pairs[2 * n] = word
                    made.pairs[2 * n + 1] = whole.pairs[2 * i + 1] & ~row[word]
                    n += 1
            made.n = n
    for i in range(<uint32_t>engine.scratch.n):
        row[engine.scratch.at[i]] = 0
    return made if engine.fault == FAULT_NONE else NULL
