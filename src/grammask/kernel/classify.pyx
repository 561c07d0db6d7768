# cython: language_level=3
"""Compositional classification: what a local state makes of the tokens below a set of trie nodes, whoever its callers are.

`classify(d, E)` says which tokens below E end while d's frame, or what it calls, is alive or has just completed (*parts*,
sets of tokens held by reference), and at which trie nodes the frame completes in the middle of a token (*exits*).
A mask is the union of the parts of its configurations and, up their stacks, of the callers over the exits.
Rule: a frame never looks at its callers, so a classification holds for every grammar that shares the rule.
Rule: called with Engine.lock held; each nested call sits deeper in the trie or has a lower rank, so it never meets itself.
Cost: the trie nodes that the state's own symbols reach; calls are looked up.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
cdef enum:
    FLATTEN = 16               # parts of so few words are copied into their user's own set
    MANY_PARTS = 8             # with more parts than this, all sparse ones are


cdef ExitSet *intern_exits(Engine *engine, uint32_t *nodes, uint32_t n) noexcept nogil:
    """The exit set of these nodes, which are increasing. NULL with a fault when memory ends."""
    cdef uint64_t hash
    cdef uint32_t at, room, i
    cdef ExitSet *exits
    cdef ExitSet **table
    if n == 1 and engine.single[nodes[0]] != NULL:
        return engine.single[nodes[0]]
    hash = hash_words(nodes, n, 7)
    if n > 1 and engine.exit_room:
        at = hash & (engine.exit_room - 1)
        while engine.exit_sets[at] != NULL:
            exits = engine.exit_sets[at]
            if exits.hash == hash and exits.n == n and same_words(exits.nodes, nodes, n):
                return exits
            at = (at + 1) & (engine.exit_room - 1)
    exits = <ExitSet *>arena_zeroed(&engine.arena, sizeof(ExitSet) + n * sizeof(uint32_t))
    if exits == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    exits.n = n
    exits.hash = hash
    exits.nodes = <uint32_t *>(exits + 1)
    memcpy(exits.nodes, nodes, n * sizeof(uint32_t))
    if n == 1:
        engine.single[nodes[0]] = exits
        return exits
    if engine.n_exit_sets * 4 >= engine.exit_room * 3:
        room = engine.exit_room * 2 if engine.exit_room else 256
        table = <ExitSet **>calloc(room, sizeof(ExitSet *))
        if table == NULL:
            engine.fault = FAULT_MEMORY
            return NULL
        for i in range(engine.exit_room):
            if engine.exit_sets[i] != NULL:
                at = engine.exit_sets[i].hash & (room - 1)
                while table[at] != NULL:
                    at = (at + 1) & (room - 1)
                table[at] = engine.exit_sets[i]
        free(engine.exit_sets)
        engine.exit_sets = table
        engine.exit_room = room
    at = hash & (engine.exit_room - 1)
    while engine.exit_sets[at] != NULL:
        at = (at + 1) & (engine.exit_room - 1)
    engine.exit_sets[at] = exits
    engine.n_exit_sets += 1
    return exits


cdef bint same_words(const uint32_t *a, const uint32_t *b, uint32_t n) noexcept nogil:
    cdef uint32_t i
    for i in range(n):
        if a[i] != b[i]:
            return False
    return True


cdef bint index_exits(Engine *engine, ExitSet *exits) noexcept nogil:
    """Sort the children of an exit set's nodes by their label, so that a caller looks only at the symbols it takes."""
    cdef Trie *trie = engine.trie
    cdef uint32_t i, total = 0, n = 0, label, at
    cdef int32_t child
    cdef uint32_t *count
    if exits.n_labels:
        return True
    if exits.n == 1:
        # The trie's own arrays are the index.
        exits.n_labels = trie.nodes[exits.nodes[0]].n_children
        exits.labels = <uint32_t *>trie.label + trie.nodes[exits.nodes[0]].first
        note_follow(exits)
        return True
    # Labels of nodes below the root are bytes: only the root has special symbols.
    count = <uint32_t *>calloc(257, sizeof(uint32_t))
    if count == NULL:
        engine.fault = FAULT_MEMORY
        return False
    for i in range(exits.n):
        for child in range(trie.nodes[exits.nodes[i]].first, children_end(trie, exits.nodes[i])):
            count[trie.label[child]] += 1
            total += 1
    for label in range(256):
        n += count[label] != 0
    exits.labels = <uint32_t *>arena_take(&engine.arena, n * sizeof(uint32_t))
    exits.label_first = <uint32_t *>arena_take(&engine.arena, (n + 1) * sizeof(uint32_t))
    exits.followers = <uint32_t *>arena_take(&engine.arena, total * sizeof(uint32_t))
    if exits.labels == NULL or exits.label_first == NULL or exits.followers == NULL:
        free(count)
        engine.fault = FAULT_MEMORY
        return False
    n = 0
    at = 0
    for label in range(256):
        if count[label]:
            exits.labels[n] = label
            exits.label_first[n] = at
            n += 1
            i = count[label]
            count[label] = at
            at += i
    exits.label_first[n] = at
    for i in range(exits.n):
        for child in range(trie.nodes[exits.nodes[i]].first, children_end(trie, exits.nodes[i])):
            label = trie.label[child]
            exits.followers[count[label]] = child
            count[label] += 1
    free(count)
    exits.n_labels = n
    note_follow(exits)
    return True


cdef void note_follow(ExitSet *exits) noexcept nogil:
    cdef uint32_t i, label
    for i in range(exits.n_labels):
        label = exits.labels[i]
        if label < 256:
            exits.follow[label >> 6] |= (<uint64_t>1) << (label & 63)
        else:
            exits.follow_special = True


cdef inline bint meets(const State *state, const ExitSet *exits) noexcept nogil:
    """Whether some symbol that can start the state follows the exit set."""
    return ((state.first[0] & exits.follow[0]) | (state.first[1] & exits.follow[1]) | (state.first[2] & exits.follow[2]) | (state.first[3] & exits.follow[3])) != 0 \
        or (state.first_special and exits.follow_special)


cdef bint remember(Engine *engine, State *state, ExitSet *exits, Classification *made) noexcept nogil:
    """Publish a classification to readers that hold no lock."""
    cdef Memo *memo = state.memo
    cdef Memo *grown
    cdef uint32_t at, i
    if exits == engine.root:
        publish(state.at_root, made)
        return True
    if memo == NULL or memo.n * 4 >= memo.room * 3:
        i = memo.room * 2 if memo != NULL else 4
        grown = <Memo *>arena_zeroed(state.rule.arena, sizeof(Memo) + 2 * i * sizeof(void *))
        if grown == NULL:
            engine.fault = FAULT_MEMORY
            return False
        grown.room = i
        grown.slots = <void **>(grown + 1)
        if memo != NULL:
            for i in range(memo.room):
                if memo.slots[2 * i] != NULL:
                    at = (<ExitSet *>memo.slots[2 * i]).hash & (grown.room - 1)
                    while grown.slots[2 * at] != NULL:
                        at = (at + 1) & (grown.room - 1)
                    grown.slots[2 * at] = memo.slots[2 * i]
                    grown.slots[2 * at + 1] = memo.slots[2 * i + 1]
            grown.n = memo.n
        publish(state.memo, grown)
        memo = grown
    at = exits.hash & (memo.room - 1)
    while memo.slots[2 * at] != NULL:
        at = (at + 1) & (memo.room - 1)
    memo.slots[2 * at + 1] = made
    publish(memo.slots[2 * at], exits)
    memo.n += 1
    return True


cdef inline bint reach(Engine *engine, State *to, int32_t node) noexcept nogil:
    """A walk has come to a trie node in state `to`: note its tokens, its exit, and go on below it."""
    cdef TrieNode *place = &engine.trie.nodes[node]
    cdef int32_t i
    if to.resting:
        for i in range(place.token_first, place.token_first + place.n_tokens):
            if not words_push(&engine.tokens, engine.trie.token_ids[i]):
                return False
    if place.n_children == 0:
        return True
    if to.accepting:
        if not to.rule.alone and not words_push(&engine.exits, node):
            return False
        if read_flag(to.expanded) and to.passive:
            return True
    return pointers_push(&engine.walk, <void *>to) and pointers_push(&engine.walk, <void *><size_t>node)


cdef bint walk_children(Engine *engine, State *state, int32_t node) noexcept nogil:
    """Step by every symbol that is both a child of the node and taken by the state: over whichever list is shorter."""
    cdef Trie *trie = engine.trie
    cdef int32_t low = trie.nodes[node].first, high = children_end(trie, node), child, left, right, middle
    cdef uint32_t s, n = state.n_segments
    cdef Segment *segment
    cdef State *to
    if n == 0 or low == high:
        return True
    if high - low <= <int32_t>(2 * n):
        s = 0
        for child in range(low, high):
            while s < n and state.segments[s].high < <uint32_t>trie.label[child]:
                s += 1
            if s == n:
                return True
            segment = &state.segments[s]
            if segment.low <= <uint32_t>trie.label[child]:
                to = target_locked(engine, state, segment)
                if to == NULL or not reach(engine, to, child):
                    return False
        return True
    left = low
    for s in range(n):
        segment = &state.segments[s]
        right = high
        while left < right:
            middle = (left + right) >> 1
            if <uint32_t>trie.label[middle] < segment.low:
                left = middle + 1
            else:
                right = middle
        while left < high and <uint32_t>trie.label[left] <= segment.high:
            to = target_locked(engine, state, segment)
            if to == NULL or not reach(engine, to, left):
                return False
            left += 1
        if left == high:
            return True
    return True


cdef bint walk_exits(Engine *engine, State *state, ExitSet *exits) noexcept nogil:
    """The first step of a walk, from all nodes of an exit set at once."""
    cdef uint32_t s, left = 0, right, middle, i
    cdef Segment *segment
    cdef State *to
    if exits.n == 1:
        return walk_children(engine, state, exits.nodes[0])
    for s in range(state.n_segments):
        segment = &state.segments[s]
        right = exits.n_labels
        while left < right:
            middle = (left + right) >> 1
            if exits.labels[middle] < segment.low:
                left = middle + 1
            else:
                right = middle
        while left < exits.n_labels and exits.labels[left] <= segment.high:
            to = target_locked(engine, state, segment)
            if to == NULL:
                return False
            for i in range(exits.label_first[left], exits.label_first[left + 1]):
                if not reach(engine, to, exits.followers[i]):
                    return False
            left += 1
    return True


cdef bint take_exits(Engine *engine, ExitSet *exits) noexcept nogil:
    cdef uint32_t n = exits.n
    if not words_reserve(&engine.exits, n):
        return False
    memcpy(engine.exits.at + engine.exits.n, exits.nodes, n * sizeof(uint32_t))
    engine.exits.n += n
    return True


cdef bint take_parts(Engine *engine, Classification *made) noexcept nogil:
    cdef uint32_t i
    for i in range(made.n_parts):
        if not pointers_push(&engine.parts, made.parts[i]):
            return False
    for i in range(made.n_doubts):
        if not words_push(&engine.doubts, made.doubts[i]):
            return False
    return True


cdef bint follow_call(Engine *engine, Call *call, ExitSet *exits) noexcept nogil:
    """The tokens and exits of a callee and, where it completes, of the state that the caller goes on in."""
    cdef Classification *inner
    cdef Classification *after
    if not index_exits(engine, exits):
        return False
    if not meets(call.start, exits):
        return True
    if call.doubtful:
        return doubt(engine, call.start, exits)
    inner = classify(engine, call.start, exits)
    if inner == NULL or not take_parts(engine, inner):
        return False
    if inner.exits == NULL:
        return True
    if call.back.accepting and not call.back.rule.alone and not take_exits(engine, inner.exits):
        return False
    if not expand(engine, call.back):
        return False
    if call.back.passive:
        return True
    after = classify(engine, call.back, inner.exits)
    if after == NULL or not take_parts(engine, after):
        return False
    return after.exits == NULL or take_exits(engine, after.exits)


cdef bint doubt(Engine *engine, const State *start, const ExitSet *exits) noexcept nogil:
    """Note the tokens that go on from an exit set with a symbol that can start a state: what it is depends on the text before."""
    cdef Trie *trie = engine.trie
    cdef uint32_t i
    cdef int32_t child, at
    for i in range(exits.n):
        for child in range(trie.nodes[exits.nodes[i]].first, children_end(trie, exits.nodes[i])):
            if can_start(start, trie.label[child]):
                for at in range(trie.nodes[child].token_first, trie.nodes[child].token_end):
                    if not words_push(&engine.doubts, <uint32_t>trie.token_ids[at]):
                        return False
    return True


cdef ExitSet *single_exit(Engine *engine, uint32_t node) noexcept nogil:
    if engine.single[node] != NULL:
        return engine.single[node]
    return intern_exits(engine, &node, 1)


cdef bint walk_calls(Engine *engine, State *state, int32_t node) noexcept nogil:
    """Calls of a state that a walk has reached in the middle of a token."""
    cdef Trie *trie = engine.trie
    cdef uint32_t i
    cdef int32_t child
    cdef ExitSet *exits
    cdef bint met
    for i in range(state.n_calls):
        met = False
        for child in range(trie.nodes[node].first, children_end(trie, node)):
            if can_start(state.calls[i].start, trie.label[child]):
                met = True
                break
        if met:
            exits = single_exit(engine, node)
            if exits == NULL or not follow_call(engine, &state.calls[i], exits):
                return False
    return True


cdef TokenSet *own_tokens(Engine *engine, Arena *arena, size_t first, size_t first_part) noexcept nogil:
    """The tokens gathered since `first`, with the small ones of the parts, as one set; NULL when there are none."""
    cdef size_t i, j, kept = first_part, n_parts = engine.parts.n - first_part
    cdef uint32_t word, bits
    cdef TokenSet *part
    cdef TokenSet *made
    cdef uint32_t *row = engine.row
    engine.scratch.n = 0
    for i in range(first, engine.tokens.n):
        word = engine.tokens.at[i] >> 5
        if row[word] == 0 and not words_push(&engine.scratch, word):
            engine.fault = FAULT_MEMORY
            break
        row[word] |= (<uint32_t>1) << (engine.tokens.at[i] & 31)
    for i in range(first_part, engine.parts.n):
        part = <TokenSet *>engine.parts.at[i]
        if part.dense == NULL and part.whole == NULL and (part.n <= FLATTEN or n_parts > MANY_PARTS):
            for j in range(part.n):
                word = part.pairs[2 * j]
                if row[word] == 0 and not words_push(&engine.scratch, word):
                    engine.fault = FAULT_MEMORY
                    break
                row[word] |= part.pairs[2 * j + 1]
        else:
            engine.parts.at[kept] = part
            kept += 1
    engine.parts.n = kept
    if engine.scratch.n == 0:
        return NULL
    made = <TokenSet *>arena_zeroed(arena, sizeof(TokenSet))
    if made == NULL:
        engine.fault = FAULT_MEMORY
    elif engine.scratch.n * 6 > <size_t>engine.trie.mask_words and engine.scratch.n > 64:
        made.dense = <uint32_t *>arena_zeroed(arena, engine.trie.mask_words * sizeof(uint32_t))
        if made.dense == NULL:
            engine.fault = FAULT_MEMORY
    else:
        made.n = engine.scratch.n
        made.pairs = <uint32_t *>arena_take(arena, 2 * made.n * sizeof(uint32_t))
        if made.pairs == NULL:
            engine.fault = FAULT_MEMORY
        else:
            sort_words(engine.scratch.at, engine.scratch.n)
    for i in range(engine.scratch.n):
        word = engine.scratch.at[i]
        if engine.fault == FAULT_NONE:
            if made.dense != NULL:
                made.dense[word] = row[word]
            else:
                made.pairs[2 * i] = word
                made.pairs[2 * i + 1] = row[word]
        row[word] = 0
    return made


cdef Classification *conclude(Engine *engine, State *state, ExitSet *exits, size_t tokens, size_t outs, size_t parts) noexcept nogil:
    """Turn what was gathered since the marks into a classification, and remember it."""
    cdef Classification *made = assemble(engine, state, tokens, outs, parts)
    return made if made != NULL and remember(engine, state, exits, made) else NULL


cdef Classification *assemble(Engine *engine, State *state, size_t tokens, size_t outs, size_t parts) noexcept nogil:
    """A classification of what was gathered since the marks, which nobody else sees yet."""
    cdef Arena *arena = state.rule.arena
    cdef TokenSet *own
    cdef Classification *made
    cdef size_t i, j, n
    cdef bint doubled
    n = parts
    for i in range(parts, engine.parts.n):
        doubled = False
        for j in range(parts, n):
            if engine.parts.at[j] == engine.parts.at[i]:
                doubled = True
                break
        if not doubled:
            engine.parts.at[n] = engine.parts.at[i]
            n += 1
    engine.parts.n = n
    own = own_tokens(engine, arena, tokens, parts)
    if engine.fault != FAULT_NONE:
        return NULL
    n = engine.parts.n - parts
    made = <Classification *>arena_zeroed(arena, sizeof(Classification) + (n + 1) * sizeof(TokenSet *))
    if made == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    made.parts = <TokenSet **>(made + 1)
    copy_bytes(made.parts, engine.parts.at + parts, n * sizeof(TokenSet *))
    made.n_parts = n
    if own != NULL:
        made.parts[n] = own
        made.n_parts += 1
    n = unique_nodes(engine, engine.exits.at + outs, engine.exits.n - outs)
    if n:
        made.exits = intern_exits(engine, engine.exits.at + outs, n)
        if made.exits == NULL:
            return NULL
    engine.tokens.n = tokens
    engine.exits.n = outs
    engine.parts.n = parts
    return made if keep_doubts(engine, made, arena) else NULL


cdef bint keep_doubts(Engine *engine, Classification *made, Arena *arena) noexcept nogil:
    cdef size_t n = engine.doubts.n - engine.doubts_from
    if n == 0:
        return True
    n = unique_words(engine.doubts.at + engine.doubts_from, n)
    made.doubts = <uint32_t *>arena_take(arena, n * sizeof(uint32_t))
    if made.doubts == NULL:
        engine.fault = FAULT_MEMORY
        return False
    copy_bytes(made.doubts, engine.doubts.at + engine.doubts_from, n * sizeof(uint32_t))
    made.n_doubts = <uint32_t>n
    return True


cdef bint run_walk(Engine *engine, size_t base) noexcept nogil:
    """Visit all (state, node) pairs above `base` on the walk stack, and what they lead to."""
    cdef State *state
    cdef int32_t node
    while engine.walk.n > base:
        engine.walk.n -= 2
        state = <State *>engine.walk.at[engine.walk.n]
        node = <int32_t><size_t>engine.walk.at[engine.walk.n + 1]
        if not state.expanded and not expand(engine, state):
            return False
        if not walk_children(engine, state, node):
            return False
        if state.n_calls and not walk_calls(engine, state, node):
            return False
    return True


cdef Classification *classify(Engine *engine, State *state, ExitSet *exits) noexcept nogil:
    """The classification of (state, exits); NULL with engine.fault set when a limit is reached."""
    cdef Classification *made = known(engine, state, exits)
    cdef size_t tokens, outs, parts, walk, doubts
    cdef uint32_t i
    cdef bint good
    if made != NULL:
        return made
    if not expand(engine, state) or not index_exits(engine, exits):
        return NULL
    if engine.depth >= DEEPEST:
        engine.fault = FAULT_DEPTH
        return NULL
    engine.depth += 1
    tokens = engine.tokens.n
    outs = engine.exits.n
    parts = engine.parts.n
    walk = engine.walk.n
    doubts = engine.doubts_from
    engine.doubts_from = engine.doubts.n
    if state.rule.multiples != NULL:
        if engine.walk_multiples(engine, state, exits):
            made = conclude(engine, state, exits, tokens, outs, parts)
        elif engine.fault == FAULT_NONE:
            engine.fault = FAULT_MEMORY
    elif state.rule.text != NULL and state.key[0] == 0:
        made = engine.classify_text(engine, state, exits)
    elif exits == engine.root and state.rule.text == NULL and engine.is_wide(state):
        made = engine.classify_wide(engine, state)
    if made == NULL and engine.fault == FAULT_NONE:
        good = walk_exits(engine, state, exits) and run_walk(engine, walk)
        i = 0
        while good and i < state.n_calls:
            good = follow_call(engine, &state.calls[i], exits)
            i += 1
        if good:
            made = conclude(engine, state, exits, tokens, outs, parts)
        elif engine.fault == FAULT_NONE:
            engine.fault = FAULT_MEMORY
    engine.tokens.n = tokens
    engine.exits.n = outs
    engine.parts.n = parts
    engine.walk.n = walk
    engine.doubts.n = engine.doubts_from
    engine.doubts_from = doubts
    engine.depth -= 1
    return made


cdef void write_parts(const Engine *engine, TokenSet **parts, size_t n, uint32_t *row) noexcept nogil:
    """Set a mask row to the union of the parts. The first dense part is copied, so the row is written once."""
    cdef size_t i, w, chosen = n, words = engine.trie.mask_words
    cdef uint32_t j
    cdef uint32_t *dense
    cdef TokenSet *part
    for i in range(n):
        if parts[i].whole != NULL or (chosen == n and parts[i].dense != NULL):
            chosen = i
            if parts[i].whole != NULL:
                break
    if chosen == n:
        memset(row, 0, words * sizeof(uint32_t))
    elif parts[chosen].whole != NULL:
        part = parts[chosen]
        memcpy(row, part.whole.dense, words * sizeof(uint32_t))
        for j in range(part.n):
            row[part.pairs[2 * j]] &= ~part.pairs[2 * j + 1]
    else:
        memcpy(row, parts[chosen].dense, words * sizeof(uint32_t))
    for i in range(n):
        if i == chosen:
            continue
        part = parts[i]
        if part.whole != NULL:
            or_less(part, row, words)
        elif part.dense != NULL:
            dense = part.dense
            for w in range(words):
                row[w] |= dense[w]
        else:
            for j in range(part.n):
                row[part.pairs[2 * j]] |= part.pairs[2 * j + 1]


cdef void or_less(const TokenSet *part, uint32_t *row, size_t words) noexcept nogil:
    """Add a set given as another less some pairs, which are in order of their words."""
    cdef uint32_t j = 0, bits
    cdef size_t w
    cdef uint32_t *dense = part.whole.dense
    for w in range(words):
        bits = dense[w]
        if j < part.n and part.pairs[2 * j] == w:
            bits &= ~part.pairs[2 * j + 1]
            j += 1
        row[w] |= bits
