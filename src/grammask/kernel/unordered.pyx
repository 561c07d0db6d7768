# cython: language_level=3
"""Members in any order: rules whose local states are sets of used slots, found as texts come there.

A state's key is, behind the two words of rules that tell members apart (see distinct.pyx),
  0: PHASE, before a member or after one,
  1: how many members there were, as far as it matters,
  2 ...: the used slots, a bit each.
It calls the rule of each member that may come (from after one: the separator), and its end is open once all required slots are used and
the count allows it. So the automaton of n members in any order, 2**n states in all, costs what is visited of it, n calls a state.
Rule: a state before a member has a member that may come, so none is ever stuck. Only as many optional members are let in as leave room
for the required ones.
Below: automata.  Above: store, costs.
"""
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from grammask.kernel import tables
from grammask.kernel.automata cimport *
from grammask.kernel.memory cimport *

cdef enum:
    READY = 0                  # phases
    CLOSED = 2
    FIRST_SLOT = 3             # nodes of the rule's table, see kernel.tables.Unordered
    HEAD = 2                   # words of a key before the set
    DEAREST = 0x3FFFFFFF       # as in costs.pxd, which is above

cdef uint32_t NEVER = 0xFFFFFFFF

assert tables.FIRST_SLOT == FIRST_SLOT


cdef int make_unordered(Rule *rule, table) except -1:
    """Give a rule, whose edges are there, its memory."""
    cdef Unordered *made = <Unordered *>arena_zeroed(rule.arena, sizeof(Unordered))
    cdef uint32_t slot, e, callable = 0
    if made == NULL:
        raise MemoryError()
    made.n_slots = table.n_slots
    made.n_words = (made.n_slots + 31) // 32
    made.required = <uint32_t *>arena_zeroed(rule.arena, (made.n_words + 1) * sizeof(uint32_t))
    if made.required == NULL:
        raise MemoryError()
    for slot in sorted(table.required):
        made.required[slot >> 5] |= <uint32_t>1 << (slot & 31)
    made.n_required = len(table.required)
    for e in range(rule.edge_first[0], rule.edge_first[1]):
        if rule.edges[e].to == FIRST_SLOT + made.n_slots:
            made.has_rest = True
        else:
            callable += 1
    made.minimum = table.minimum
    made.maximum = NEVER if table.maximum is None or (not made.has_rest and table.maximum >= callable) else table.maximum
    if made.maximum != NEVER:
        made.clamp = made.maximum
    elif made.minimum > 1 and made.minimum > made.n_required:
        made.clamp = made.minimum
    rule.unordered = made
    return 0


cdef inline bint has(const uint32_t *set_, uint32_t slot) noexcept nogil:
    return (set_[slot >> 5] >> (slot & 31)) & 1


cdef inline uint32_t n_missing(const Unordered *memory, const uint32_t *used) noexcept nogil:
    """How many required slots are not used."""
    cdef uint32_t i, n = 0
    for i in range(memory.n_words):
        n += popcount32(memory.required[i] & ~used[i])
    return n


cdef inline bint may_come(const Unordered *memory, uint32_t slot, const uint32_t *key, uint32_t missing) noexcept nogil:
    """Whether a member of this slot may be next."""
    if slot == memory.n_slots:
        return key[1] + 1 + missing <= memory.maximum if memory.maximum != NEVER else True
    if has(key + HEAD, slot):
        return False
    return memory.maximum == NEVER or has(memory.required, slot) or key[1] + 1 + missing <= memory.maximum


cdef inline uint32_t key_words(const Rule *rule) noexcept nogil:
    return rule.head + HEAD + (<Unordered *>rule.unordered).n_words


cdef inline const uint32_t *kept_of(const State *state) noexcept nogil:
    """A state's key from PHASE on."""
    return state.key + state.rule.head


cdef State *intern_unordered(Engine *engine, Rule *rule, const uint32_t *key) noexcept nogil:
    cdef Unordered *memory = <Unordered *>rule.unordered
    cdef State *state = intern_state(engine, rule, key, key_words(rule))
    key += rule.head
    if state != NULL and key[0] == CLOSED and n_missing(memory, key + HEAD) == 0:
        state.accepting = memory.clamp == 0 or key[1] >= memory.minimum
    return state


cdef State *start_unordered(Engine *engine, Rule *rule) noexcept nogil:
    cdef State *state = NULL
    cdef uint32_t *key = <uint32_t *>malloc(key_words(rule) * sizeof(uint32_t))
    if key == NULL:
        engine.fault = FAULT_MEMORY
        return NULL
    memset(key, 0, key_words(rule) * sizeof(uint32_t))
    state = intern_unordered(engine, rule, key)
    free(key)
    return state


cdef bint expand_unordered(Engine *engine, State *state) noexcept nogil:
    """Make a state's calls: of the members that may come, or of the separator."""
    cdef Edge **edges
    cdef uint32_t *key
    cdef bint good
    cdef uint32_t n, phase = kept_of(state)[0]
    if phase == CLOSED and not any_may_come(state):
        return True
    n = state.rule.edge_first[phase + 1] - state.rule.edge_first[phase]
    edges = <Edge **>malloc((n + 1) * sizeof(Edge *))
    key = <uint32_t *>malloc(key_words(state.rule) * sizeof(uint32_t))
    good = edges != NULL and key != NULL and make_calls(engine, state, edges, key)
    free(edges)
    free(key)
    return good


cdef bint any_may_come(const State *state) noexcept nogil:
    cdef Unordered *memory = <Unordered *>state.rule.unordered
    cdef const uint32_t *kept = kept_of(state)
    cdef uint32_t e, missing = n_missing(memory, kept + HEAD)
    for e in range(state.rule.edge_first[READY], state.rule.edge_first[READY + 1]):
        if may_come(memory, state.rule.edges[e].to - FIRST_SLOT, kept, missing):
            return True
    return False


cdef bint make_calls(Engine *engine, State *state, Edge **edges, uint32_t *key) noexcept nogil:
    cdef Rule *rule = state.rule
    cdef Unordered *memory = <Unordered *>rule.unordered
    cdef const uint32_t *kept = kept_of(state)
    cdef uint32_t i, e, n = 0, missing = n_missing(memory, kept + HEAD)
    cdef Call *calls
    cdef Rule *callee
    for e in range(rule.edge_first[kept[0]], rule.edge_first[kept[0] + 1]):
        if rule.edges[e].callee != NULL and (kept[0] == CLOSED or may_come(memory, rule.edges[e].to - FIRST_SLOT, kept, missing)):
            callee = need_callee(engine, state, &rule.edges[e])
            if callee == NULL:
                return False
            if callee != <Rule *>NO_RULE:
                edges[n] = &rule.edges[e]
                n += 1
    sort_calls(edges, n)       # the same rule may be called for several slots; matchers merge what is equal
    calls = <Call *>arena_zeroed(rule.arena, n * sizeof(Call))
    if calls == NULL:
        return False
    for i in range(n):
        note_member(memory, state, edges[i], key)
        calls[i].doubtful = edges[i].callee.recorder and is_behind_item(state)
        calls[i].start = start_of(engine, callee_of(state, edges[i]))
        calls[i].back = intern_unordered(engine, rule, key)
        if calls[i].start == NULL or calls[i].back == NULL:
            return False
    state.calls = calls
    state.n_calls = n
    return True


cdef void note_member(const Unordered *memory, const State *state, const Edge *edge, uint32_t *key) noexcept nogil:
    """The key of the state behind a call."""
    cdef uint32_t slot = edge.to - FIRST_SLOT
    copy_bytes(key, state.key, key_words(state.rule) * sizeof(uint32_t))
    if edge.callee.recorder:
        key[1] = told_behind(state)
    key += state.rule.head
    key[0] = CLOSED if kept_of(state)[0] == READY else READY
    if kept_of(state)[0] == READY:
        if key[1] < memory.clamp:
            key[1] += 1
        if slot < memory.n_slots:
            key[HEAD + (slot >> 5)] |= <uint32_t>1 << (slot & 31)


# -- costs ----------------------------------------------------------------------------------------------------------------


cdef int64_t unordered_cost(const Rule *rule, const uint32_t *key) noexcept nogil:
    """The least symbols from a state to the end: the missing members, the cheapest others up to the minimum, and what separates them."""
    cdef Unordered *memory = <Unordered *>rule.unordered
    cdef uint32_t e, slot, members = 0
    cdef int64_t separator = 0, cost = 0, more = memory.minimum
    for e in range(rule.edge_first[CLOSED], rule.edge_first[CLOSED + 1]):
        if rule.edges[e].callee != NULL:
            separator = rule.edges[e].callee.cost
    for e in range(rule.edge_first[READY], rule.edge_first[READY + 1]):
        slot = rule.edges[e].to - FIRST_SLOT
        if slot < memory.n_slots and has(memory.required, slot) and not has(key + HEAD, slot):
            cost += <int64_t>rule.edges[e].callee.cost + rule.edges[e].callee.slack
            members += 1
    more = 0 if memory.clamp == 0 else more - key[1] - members
    if more < 0:
        more = 0
    if key[0] == READY and more + members < 1:
        more = 1
    if more > 0:
        cost += cost_of_others(rule, key, <uint32_t>more)
        members += <uint32_t>more
    if members:
        cost += separator * (members - (key[0] == READY))
    return cost if cost < DEAREST else DEAREST


cdef inline int64_t callee_cost(const Rule *rule, uint32_t e) noexcept nogil:
    return <int64_t>rule.edges[e].callee.cost + rule.edges[e].callee.slack


cdef int64_t cost_of_others(const Rule *rule, const uint32_t *key, uint32_t n) noexcept nogil:
    """The least cost of n further members that are not required. Time: n times the slots."""
    cdef Unordered *memory = <Unordered *>rule.unordered
    cdef uint32_t e, slot, least_slot, last_slot = 0, taken = 0
    cdef int64_t cost = 0, least, last = -1
    while taken < n:
        least = DEAREST
        least_slot = 0
        for e in range(rule.edge_first[READY], rule.edge_first[READY + 1]):
            slot = rule.edges[e].to - FIRST_SLOT
            if slot < memory.n_slots and (has(key + HEAD, slot) or has(memory.required, slot)):
                continue
            # Those after the last one taken, by (cost, slot); further members are never used up.
            if (callee_cost(rule, e) > last or (callee_cost(rule, e) == last and slot > last_slot)) and callee_cost(rule, e) < least:
                least = callee_cost(rule, e)
                least_slot = slot
        if least >= DEAREST:
            return DEAREST
        if least_slot == memory.n_slots:
            return cost + least * (n - taken)
        cost += least
        last = least
        last_slot = least_slot
        taken += 1
    return cost


cdef Call *cheapest_call(const State *state) noexcept nogil:
    """The call of an expanded state after which the least is left to be done, itself included; NULL if there is none."""
    cdef uint32_t i
    cdef Call *best = NULL
    cdef int64_t cost, least = DEAREST
    for i in range(state.n_calls):
        cost = <int64_t>state.calls[i].start.rule.cost + unordered_cost(state.rule, kept_of(state.calls[i].back))
        if cost < least:
            least = cost
            best = &state.calls[i]
    return best
