# cython: language_level=3
"""Rules as lazily determinised automata: local states, their segments of symbols, their calls.

A *local state* is a set of nodes of one rule's automaton; it is made when some text or mask first reaches it.
Rule: a frame derives non-empty strings only, so a state's `accepting` is looked at after a symbol, never at a frame's start.
Rule: everything here that makes or completes a state runs under Engine.lock; readers see states only once published.
Below: memory, trie.  Above: text (the expansion of JSON strings), classify, matcher.
Source: Woods 1970 for the networks; Thompson 1968 and Rabin & Scott 1959 for the sets of nodes.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
from grammask.errors import LimitError


cdef object fault_error(const Engine *engine, int fault):
    """The exception for a fault of the kernel."""
    if fault == FAULT_STATES:
        return LimitError("number of automaton states", None, engine.state_limit, "simplify the grammar or split it")
    if fault == FAULT_DEPTH:
        return LimitError("depth of nested calls inside one token", None, DEEPEST, "simplify the grammar's chains of rules")
    return LimitError("memory of a constraint or matcher in bytes", None, engine.arena.limit, "simplify the grammar, or drop unused constraints and matchers")


cdef void lock_engine(Engine *engine) noexcept nogil:
    PyThread_acquire_lock(engine.lock, 1)


cdef void unlock_engine(Engine *engine) noexcept nogil:
    PyThread_release_lock(engine.lock)


cdef bint seen_reserve(Engine *engine, uint32_t n) noexcept nogil:
    """Room for stamps of n nodes."""
    cdef uint32_t room
    cdef void *moved
    if n <= engine.seen_room:
        return True
    room = n + n // 2 + 64
    moved = realloc(engine.seen, room * sizeof(uint32_t))
    if moved == NULL:
        engine.fault = FAULT_MEMORY
        return False
    engine.seen = <uint32_t *>moved
    memset(engine.seen + engine.seen_room, 0, (room - engine.seen_room) * sizeof(uint32_t))
    engine.seen_room = room
    return True


cdef uint32_t next_stamp(Engine *engine) noexcept nogil:
    engine.stamp += 1
    if engine.stamp == 0:
        memset(engine.seen, 0, engine.seen_room * sizeof(uint32_t))
        engine.stamp = 1
    return engine.stamp


cdef bint grow_states(Rule *rule) noexcept nogil:
    cdef uint32_t room = rule.room * 2 if rule.room else 4
    cdef State **states = <State **>arena_zeroed(rule.arena, room * sizeof(State *))
    cdef uint32_t i, at
    if states == NULL:
        return False
    for i in range(rule.room):
        if rule.states[i] != NULL:
            at = rule.states[i].hash & (room - 1)
            while states[at] != NULL:
                at = (at + 1) & (room - 1)
            states[at] = rule.states[i]
    rule.states = states
    rule.room = room
    return True


cdef State *intern_state(Engine *engine, Rule *rule, const uint32_t *key, uint32_t n) noexcept nogil:
    """The rule's state with this key, made if need be; NULL with a fault when a limit is reached."""
    cdef uint64_t hash = hash_words(key, n, 0)
    cdef uint32_t at, i
    cdef State *state
    if rule.room:
        at = hash & (rule.room - 1)
        while rule.states[at] != NULL:
            state = rule.states[at]
            if state.hash == hash and state.n_key == n:
                i = 0
                while i < n and state.key[i] == key[i]:
                    i += 1
                if i == n:
                    return state
            at = (at + 1) & (rule.room - 1)
    if engine.n_states >= engine.state_limit:
        engine.fault = FAULT_STATES
        return NULL
    if rule.n_states * 4 >= rule.room * 3 and not grow_states(rule):
        engine.fault = FAULT_MEMORY
        return NULL
    state = <State *>arena_zeroed(rule.arena, sizeof(State) + n * sizeof(uint32_t))
    if state == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    state.rule = rule
    state.hash = hash
    state.n_key = n
    state.key = <uint32_t *>(state + 1)
    memcpy(state.key, key, n * sizeof(uint32_t))
    state.cost = -1
    state.serial = rule.n_states
    state.resting = True
    if rule.text == NULL and rule.unordered == NULL and rule.multiples == NULL:
        state.resting = rule.rests == NULL
        for i in range(rule.head, n):
            if key[i] == 1:
                state.accepting = True
            if rule.rests != NULL and rule.rests[key[i]]:
                state.resting = True
    at = hash & (rule.room - 1)
    while rule.states[at] != NULL:
        at = (at + 1) & (rule.room - 1)
    rule.states[at] = state
    rule.n_states += 1
    engine.n_states += 1
    return state


cdef State *close_and_intern(Engine *engine, Rule *rule, uint32_t memory, uint32_t told) noexcept nogil:
    """The state for the nodes in engine.stack (which is emptied) and all that epsilon edges reach from them.

    memory, told: for rules that tell items apart; others have no such words in their keys.
    """
    cdef uint32_t stamp, node, to
    cdef size_t i
    cdef bint keeps
    cdef Edge *edge
    if not seen_reserve(engine, rule.n_nodes):
        return NULL
    stamp = next_stamp(engine)
    engine.nodes.n = 0
    if rule.head and (not words_push(&engine.nodes, memory) or not words_push(&engine.nodes, told)):
        engine.fault = FAULT_MEMORY
        return NULL
    while engine.stack.n:
        engine.stack.n -= 1
        node = engine.stack.at[engine.stack.n]
        if engine.seen[node] == stamp:
            continue
        engine.seen[node] = stamp
        keeps = node == 1
        for i in range(rule.edge_first[node], rule.edge_first[node + 1]):
            edge = &rule.edges[i]
            if edge.low <= edge.high or edge.callee != NULL:
                keeps = True
            elif engine.seen[edge.to] != stamp and not words_push(&engine.stack, edge.to):
                engine.fault = FAULT_MEMORY
                return NULL
        if keeps and not words_push(&engine.nodes, node):
            engine.fault = FAULT_MEMORY
            return NULL
    sort_words(engine.nodes.at + rule.head, engine.nodes.n - rule.head)
    return intern_state(engine, rule, engine.nodes.at, engine.nodes.n)


cdef inline State *close_like(Engine *engine, const State *state) noexcept nogil:
    """The same for nodes that a state leads to without reading an item."""
    if state.rule.head:
        return close_and_intern(engine, state.rule, state.key[0], state.key[1])
    return close_and_intern(engine, state.rule, 0, 0)


cdef State *retold(Engine *engine, State *state, uint32_t memory, uint32_t told) noexcept nogil:
    """The state of the same nodes with another memory."""
    cdef uint32_t i
    cdef State *made
    engine.nodes.n = 0
    if not words_push(&engine.nodes, memory) or not words_push(&engine.nodes, told):
        engine.fault = FAULT_MEMORY
        return NULL
    for i in range(state.rule.head, state.n_key):
        if not words_push(&engine.nodes, state.key[i]):
            engine.fault = FAULT_MEMORY
            return NULL
    made = intern_state(engine, state.rule, engine.nodes.at, engine.nodes.n)
    if made != NULL:
        made.accepting = state.accepting
    return made


cdef Rule *callee_of(State *state, Edge *edge) noexcept nogil:
    """What an edge calls from a state: where items are told apart, the rule without those that were read. NULL: its edges must be made first; NO_RULE: nothing."""
    cdef Rule *callee = edge.callee
    if callee.awaited:
        return NULL
    if callee.recorder == 0 or state.key[1] != FRESH or state.key[0] == 0:
        return callee
    return callee.without[state.key[0]] if state.key[0] < callee.n_without else NULL


cdef State *start_of(Engine *engine, Rule *rule) noexcept nogil:
    if rule.start == NULL and rule.unordered != NULL:
        rule.start = engine.start_unordered(engine, rule)
    elif rule.start == NULL and rule.multiples != NULL:
        rule.start = engine.start_multiples(engine, rule)
    elif rule.start == NULL:
        engine.stack.n = 0
        if not words_push(&engine.stack, 0):
            engine.fault = FAULT_MEMORY
            return NULL
        rule.start = close_and_intern(engine, rule, 0, FRESH)
    return rule.start


cdef State *segment_target(Engine *engine, State *state, Segment *segment) noexcept nogil:
    """Where a segment leads; computed once, under the lock."""
    cdef Rule *rule = state.rule
    cdef uint32_t i
    cdef size_t e
    cdef Edge *edge
    cdef State *to
    if rule.multiples != NULL:
        to = engine.multiples_target(engine, state, segment)
        publish(segment.to, to)
        return to
    engine.stack.n = 0
    for i in range(rule.head, state.n_key):
        for e in range(rule.edge_first[state.key[i]], rule.edge_first[state.key[i] + 1]):
            edge = &rule.edges[e]
            if edge.callee == NULL and edge.low <= segment.low and segment.high <= edge.high and not words_push(&engine.stack, edge.to):
                engine.fault = FAULT_MEMORY
                return NULL
    to = close_like(engine, state)
    publish(segment.to, to)
    return to


cdef bint cut_segments(Engine *engine, State *state) noexcept nogil:
    """Cut the symbols that leave the state's nodes into the coarsest segments on which they act alike."""
    cdef Rule *rule = state.rule
    cdef uint32_t i, n = 0, open_ = 0, at_low = 0, at_high = 0, low, cut
    cdef size_t e, room
    cdef Edge *edge
    cdef uint32_t *lows
    cdef uint32_t *ends
    cdef Segment *segments
    engine.nodes.n = 0
    engine.stack.n = 0
    for i in range(rule.head, state.n_key):
        for e in range(rule.edge_first[state.key[i]], rule.edge_first[state.key[i] + 1]):
            edge = &rule.edges[e]
            if edge.callee == NULL and edge.low <= edge.high:
                if not words_push(&engine.nodes, edge.low) or not words_push(&engine.stack, edge.high + 1):
                    return False
    n = engine.nodes.n
    if n == 0:
        return True
    lows = engine.nodes.at
    ends = engine.stack.at
    if n == 1:
        state.segments = <Segment *>arena_zeroed(rule.arena, sizeof(Segment))
        if state.segments == NULL:
            return False
        state.segments[0].low = lows[0]
        state.segments[0].high = ends[0] - 1
        state.n_segments = 1
        return True
    sort_words(lows, n)
    sort_words(ends, n)
    room = 2 * n
    segments = <Segment *>malloc(room * sizeof(Segment))
    if segments == NULL:
        return False
    i = 0
    low = lows[0]
    while at_high < n:
        cut = ends[at_high]
        if at_low < n and lows[at_low] < cut:
            cut = lows[at_low]
        if open_ and cut > low:
            segments[i].low = low
            segments[i].high = cut - 1
            segments[i].to = NULL
            segments[i].counts = False
            i += 1
        low = cut
        while at_low < n and lows[at_low] == cut:
            open_ += 1
            at_low += 1
        while at_high < n and ends[at_high] == cut:
            open_ -= 1
            at_high += 1
    state.segments = <Segment *>arena_take(rule.arena, i * sizeof(Segment))
    if state.segments != NULL:
        memcpy(state.segments, segments, i * sizeof(Segment))
        state.n_segments = i
    free(segments)
    return state.segments != NULL


cdef bint group_calls(Engine *engine, State *state) noexcept nogil:
    """One Call for each rule the state's nodes call, with the set of nodes to come back to; highest rank first."""
    cdef Rule *rule = state.rule
    cdef uint32_t i, n = 0
    cdef size_t e
    cdef Edge **calls
    cdef bint good
    for i in range(rule.head, state.n_key):
        for e in range(rule.edge_first[state.key[i]], rule.edge_first[state.key[i] + 1]):
            n += rule.edges[e].callee != NULL
    if n == 0:
        return True
    calls = <Edge **>malloc(n * sizeof(Edge *))
    if calls == NULL:
        return False
    n = 0
    for i in range(rule.head, state.n_key):
        for e in range(rule.edge_first[state.key[i]], rule.edge_first[state.key[i] + 1]):
            if rule.edges[e].callee != NULL:
                calls[n] = &rule.edges[e]
                n += 1
    sort_calls(calls, n)
    state.calls = <Call *>arena_zeroed(rule.arena, n * sizeof(Call))
    good = state.calls != NULL and make_calls(engine, state, calls, n)
    free(calls)
    return good


cdef bint make_calls(Engine *engine, State *state, Edge **calls, uint32_t n) noexcept nogil:
    """The calls of sorted edges: edges that call the same rule are one."""
    cdef uint32_t i = 0, j
    cdef Rule *callee
    cdef Call *made
    while i < n:
        engine.stack.n = 0
        j = i
        while j < n and calls[j].callee == calls[i].callee:
            if not words_push(&engine.stack, calls[j].to):
                return False
            j += 1
        callee = need_callee(engine, state, calls[i])
        if callee == NULL:
            return False
        if callee != <Rule *>NO_RULE:
            made = &state.calls[state.n_calls]
            made.doubtful = calls[i].callee.recorder and is_behind_item(state)
            if calls[i].callee.recorder:
                made.back = close_and_intern(engine, state.rule, state.key[0], told_behind(state))
            else:
                made.back = close_like(engine, state)
            made.start = start_of(engine, callee)
            if made.back == NULL or made.start == NULL:
                return False
            state.n_calls += 1
        i = j
    return True


cdef bint call_before(const Rule *a, const Rule *b) noexcept nogil:
    """The order of calls: by rank of the callee, highest first, then by what is the same in every store."""
    if a.rank != b.rank:
        return a.rank > b.rank
    if a.name != b.name:
        return a.name < b.name
    return a.serial < b.serial


cdef void sort_calls(Edge **calls, uint32_t n) noexcept nogil:
    """By rank of the callee, highest first, then by callee; merge sort by halves in place of recursion: Shell's gaps."""
    cdef uint32_t gap = 1, i, j
    cdef Edge *edge
    while gap < n // 3:
        gap = gap * 3 + 1
    while gap:
        for i in range(gap, n):
            edge = calls[i]
            j = i
            while j >= gap and call_before(edge.callee, calls[j - gap].callee):
                calls[j] = calls[j - gap]
                j -= gap
            calls[j] = edge
        gap //= 3


cdef void note_first(State *state) noexcept nogil:
    """Fill in which symbols can come next, through calls too (their states are expanded)."""
    cdef uint32_t i, j, symbol, high
    for i in range(state.n_segments):
        if state.segments[i].high >= 256:
            state.first_special = True
        symbol = state.segments[i].low
        high = state.segments[i].high if state.segments[i].high < 256 else 255
        while symbol <= high:
            state.first[symbol >> 6] |= (<uint64_t>1) << (symbol & 63)
            symbol += 1
    for i in range(state.n_calls):
        for j in range(4):
            state.first[j] |= state.calls[i].start.first[j]
        state.first_special |= state.calls[i].start.first_special


cdef bint expand(Engine *engine, State *state) noexcept nogil:
    """Make a state's segments and calls, and first those of the starts that it calls, from a list of work; False with a fault."""
    cdef Pointers pending
    cdef bint good
    if state.expanded:
        return True
    if state.rule.text != NULL:
        return expand_alone(engine, state) and finish(state)
    memset(&pending, 0, sizeof(pending))
    good = pointers_push(&pending, state)
    while good and pending.n:
        state = <State *>pending.at[pending.n - 1]
        if state.expanded or state.cut:
            pending.n -= 1
            good = state.expanded or finish(state)
        else:
            good = expand_alone(engine, state) and push_starts(state, &pending)
            state.cut = good
    while pending.n:
        pending.n -= 1
        (<State *>pending.at[pending.n]).cut = False       # to be tried again
    free(pending.at)
    if not good and engine.fault == FAULT_NONE:
        engine.fault = FAULT_MEMORY
    return good


cdef bint push_starts(const State *state, Pointers *pending) noexcept nogil:
    cdef uint32_t i
    for i in range(state.n_calls):
        if not state.calls[i].start.expanded and not pointers_push(pending, state.calls[i].start):
            return False
    return True


cdef bint expand_alone(Engine *engine, State *state) noexcept nogil:
    """Make a state's segments and calls. False, with a fault or for want of memory, leaves it as if never tried."""
    cdef bint good
    state.n_segments = state.n_calls = 0
    if state.rule.text != NULL:
        good = engine.expand_text(engine, state) != NULL
    elif state.rule.unordered != NULL:
        good = engine.expand_unordered(engine, state)
    elif state.rule.multiples != NULL:
        good = engine.expand_multiples(engine, state)
    else:
        good = cut_segments(engine, state) and group_calls(engine, state)
    if not good:
        state.n_segments = state.n_calls = 0
        if engine.fault == FAULT_NONE:
            engine.fault = FAULT_MEMORY
    return good


cdef bint finish(State *state) noexcept nogil:
    """Publish a state whose callees' starts are expanded."""
    note_first(state)
    state.passive = state.accepting and state.n_segments == 0 and state.n_calls == 0 and state.rule.head == 0
    publish_flag(state.expanded, 1)
    return True
