# cython: language_level=3
"""Costs: the least number of symbols from a place of a grammar to the end of its frame, and a spelling of such a way.

Rule: a cost is that of a string the grammar has, so a frame can be ended at it; of texts under patterns it may be a little more than the least.
Rule: called with the engine's lock held.
Below: automata, multiples, text_spelling, unordered.  Above: completions, places.  Source: Knuth 1977, Dijkstra's algorithm for grammars, by rounds.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
from grammask.kernel.automata cimport *
from grammask.kernel.multiples cimport multiples_cost, spell_multiples
from grammask.kernel.text cimport TextRule
from grammask.kernel.text_spelling cimport spell_text, text_cost
from grammask.kernel.unordered cimport Unordered, cheapest_call, unordered_cost

cdef enum:
    LONG_TEXT = 4096           # bytes
    WORTH_ORDER = 64           # nodes of a rule, from which on it is worth while to order them


cdef int64_t rule_cost(Engine *engine, Rule *rule) noexcept nogil:
    """The least symbols of a non-empty string of the rule, ENDLESS for one that needs a special token."""
    if rule.cost < 0:
        cost_rules(engine, rule)
    return rule.cost if rule.cost < DEAREST else ENDLESS


cdef bint cost_rules(Engine *engine, Rule *root) noexcept nogil:
    """Costs of all nodes of all rules that `root` reaches: rounds of relaxation until nothing changes, mostly a few."""
    cdef Pointers rules
    cdef Pointers orders       # for each rule its nodes in the order of relaxation, or NULL
    cdef size_t i = 0
    cdef uint32_t e, node
    cdef Rule *rule
    cdef bint changed = True, good = True
    memset(&rules, 0, sizeof(rules))
    memset(&orders, 0, sizeof(orders))
    good = open_costs(engine, root, &rules)
    while good and i < rules.n:
        rule = <Rule *>rules.at[i]
        i += 1
        good = pointers_push(&orders, nodes_backwards(rule) if rule.n_nodes >= WORTH_ORDER else NULL)
        if rule.text == NULL:
            for e in range(rule.edge_first[rule.n_nodes]):
                if rule.edges[e].callee != NULL and rule.edges[e].callee.cost < 0:
                    good = good and open_costs(engine, rule.edges[e].callee, &rules)
    while good and changed:
        changed = False
        i = rules.n
        while i > 0:
            i -= 1
            changed |= relax(<Rule *>rules.at[i], <uint32_t *>orders.at[i])
    for i in range(orders.n):
        free(orders.at[i])
    free(orders.at)
    free(rules.at)
    return good


cdef uint32_t *nodes_backwards(const Rule *rule) noexcept nogil:
    """A rule's nodes by the edges that are between them and the end, so that one round settles most; NULL when memory ends."""
    cdef uint32_t n_edges = rule.edge_first[rule.n_nodes], node, e, n = 1, done = 0
    cdef uint32_t *order = <uint32_t *>malloc(rule.n_nodes * sizeof(uint32_t))
    cdef uint32_t *first = <uint32_t *>calloc(rule.n_nodes + 2, sizeof(uint32_t))      # of the sources of edges, by target
    cdef uint32_t *source = <uint32_t *>malloc((n_edges + 1) * sizeof(uint32_t))
    cdef uint8_t *seen = <uint8_t *>calloc(rule.n_nodes, 1)
    if order != NULL and first != NULL and source != NULL and seen != NULL:
        for e in range(n_edges):
            first[rule.edges[e].to + 2] += 1
        for node in range(rule.n_nodes):
            first[node + 2] += first[node + 1]
        for node in range(rule.n_nodes):
            for e in range(rule.edge_first[node], rule.edge_first[node + 1]):
                source[first[rule.edges[e].to + 1]] = node
                first[rule.edges[e].to + 1] += 1
        order[0] = 1
        seen[1] = True
        while done < n:
            for e in range(first[order[done]], first[order[done] + 1]):
                if not seen[source[e]]:
                    seen[source[e]] = True
                    order[n] = source[e]
                    n += 1
            done += 1
        for node in range(rule.n_nodes):
            if not seen[node]:
                order[n] = node
                n += 1
    else:
        free(order)
        order = NULL
    free(first)
    free(source)
    free(seen)
    return order


cdef int32_t cost_of_text(Engine *engine, Rule *rule) noexcept nogil:
    """The bytes of a shortest text, closing quote included; about so many where that is too long to be spelled."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef Words out
    cdef int64_t cost = text_cost(engine, rule.start)
    if cost < text.minimum + 1:
        cost = text.minimum + 1
    if cost < LONG_TEXT and (text.n_nodes or text.n_words):
        memset(&out, 0, sizeof(out))
        if spell_text(engine, rule.start, 0, &out):
            cost = out.n
        free(out.at)
    return <int32_t>cost if cost < DEAREST else DEAREST


cdef bint open_costs(Engine *engine, Rule *rule, Pointers *rules) noexcept nogil:
    cdef uint32_t node
    if rule.text != NULL:
        rule.cost = cost_of_text(engine, rule)
        return True
    if rule.multiples != NULL:
        if start_of(engine, rule) == NULL:
            return False
        rule.cost = <int32_t>multiples_cost(rule, rule.start.key)
        return True
    rule.cost = DEAREST
    rule.node_cost = <int32_t *>arena_take(rule.arena, (rule.n_nodes + 1) * sizeof(int32_t))
    rule.node_next = <uint32_t *>arena_zeroed(rule.arena, (rule.n_nodes + 1) * sizeof(uint32_t))
    if rule.node_cost == NULL or rule.node_next == NULL or start_of(engine, rule) == NULL:
        engine.fault = FAULT_MEMORY
        rule.cost = -1
        return False
    for node in range(rule.n_nodes):
        rule.node_cost[node] = DEAREST
    rule.node_cost[1] = 0
    return pointers_push(rules, rule)


cdef int32_t edge_cost(const Rule *rule, const Edge *edge) noexcept nogil:
    """Symbols to the end of the frame over an edge that consumes."""
    cdef int64_t cost
    if edge.callee != NULL:
        cost = <int64_t>edge.callee.cost + edge.callee.slack + rule.node_cost[edge.to]
    elif edge.low > edge.high:
        cost = rule.node_cost[edge.to]
    elif edge.low > 255:
        return DEAREST
    else:
        cost = 1 + <int64_t>rule.node_cost[edge.to]
    return <int32_t>cost if cost < DEAREST else DEAREST


cdef bint relax(Rule *rule, const uint32_t *order) noexcept nogil:
    """One round over a rule's edges, nodes in an order or from the last to the first; whether anything got cheaper."""
    cdef int64_t whole
    cdef uint32_t node, e, i
    cdef bint changed = False
    cdef int32_t cost
    if rule.unordered != NULL:
        whole = unordered_cost(rule, rule.start.key + rule.head)
        changed = whole < rule.cost
        if changed:
            rule.cost = <int32_t>whole
        return changed
    for i in range(rule.n_nodes):
        node = order[i] if order != NULL else rule.n_nodes - 1 - i
        for e in range(rule.edge_first[node], rule.edge_first[node + 1]):
            cost = edge_cost(rule, &rule.edges[e])
            if cost < rule.node_cost[node]:
                rule.node_cost[node] = cost
                rule.node_next[node] = e
                changed = True
    cost = first_cost(rule)
    if cost < rule.cost:
        rule.cost = cost
        changed = True
    return changed


cdef int32_t first_cost(Rule *rule) noexcept nogil:
    """The cost of a whole frame, which is never empty: over the nodes that epsilon edges reach from the start."""
    cdef uint32_t i, e
    cdef int32_t cost, least = DEAREST
    cdef State *start = rule.start
    for i in range(rule.head, start.n_key):
        for e in range(rule.edge_first[start.key[i]], rule.edge_first[start.key[i] + 1]):
            if rule.edges[e].low <= rule.edges[e].high or rule.edges[e].callee != NULL:
                cost = edge_cost(rule, &rule.edges[e])
                if cost < least:
                    least = cost
    return least


cdef int64_t frame_cost(Engine *engine, State *state) noexcept nogil:
    """Least symbols from a state in the middle of a frame to the frame's end."""
    cdef uint32_t i
    if state.rule.text != NULL:
        return text_cost(engine, state)
    if state.cost < 0 and state.rule.multiples != NULL:
        state.cost = <int32_t>multiples_cost(state.rule, state.key)
    if state.cost < 0:
        rule_cost(engine, state.rule)
        if state.rule.unordered != NULL:
            state.cost = <int32_t>unordered_cost(state.rule, state.key + state.rule.head)
            return state.cost if state.cost < DEAREST else ENDLESS
        if state.rule.node_cost == NULL:
            return ENDLESS
        if state.rule.head and state.key[0] and state.key[1] == FRESH:
            return told_cost(engine, state)
        state.cost = DEAREST
        for i in range(state.rule.head, state.n_key):
            if state.rule.node_cost[state.key[i]] < state.cost:
                state.cost = state.rule.node_cost[state.key[i]]
    return state.cost if state.cost < DEAREST else ENDLESS


cdef int64_t told_cost(Engine *engine, State *state) noexcept nogil:
    """The same where items have been read that may not come again. ENDLESS with FAULT_WANTED where it is not known what is left."""
    cdef Rule *rule = state.rule
    cdef Rule *callee
    cdef uint32_t i, e
    cdef int64_t cost, least = DEAREST
    for i in range(rule.head, state.n_key):
        if state.key[i] == 1:
            least = 0
        for e in range(rule.edge_first[state.key[i]], rule.edge_first[state.key[i] + 1]):
            cost = DEAREST
            if rule.edges[e].callee == NULL or rule.edges[e].callee.recorder == 0:
                cost = edge_cost(rule, &rule.edges[e])
            else:
                callee = need_callee(engine, state, &rule.edges[e])
                if callee == NULL:
                    return ENDLESS
                if callee != <Rule *>NO_RULE:
                    cost = rule_cost(engine, callee) + rule.node_cost[rule.edges[e].to]
            if cost < least:
                least = cost
    state.cost = <int32_t>least
    return least if least < DEAREST else ENDLESS


cdef struct Spelt:
    # Where a spelling stands: a node of a rule's automaton, or a state of a rule that reads members in any order.
    Rule *rule
    uint32_t node
    State *state
    State *told                # where it began, if items were told apart there


cdef bint push_spelt(Pointers *frames, const Spelt *at) noexcept nogil:
    return pointers_push(frames, at.rule) and pointers_push(frames, <void *><size_t>at.node) and pointers_push(frames, at.state) and pointers_push(frames, at.told)


cdef void pop_spelt(Pointers *frames, Spelt *at) noexcept nogil:
    frames.n -= 4
    at.rule = <Rule *>frames.at[frames.n]
    at.node = <uint32_t><size_t>frames.at[frames.n + 1]
    at.state = <State *>frames.at[frames.n + 2]
    at.told = <State *>frames.at[frames.n + 3]


cdef inline bint is_spelt(const Spelt *at) noexcept nogil:
    return at.node == 1 if at.state == NULL else at.state.accepting


cdef bint spell_frame(Engine *engine, State *state, uint32_t count, Words *out) noexcept nogil:
    """Append a shortest way from a state to the end of its frame; callees are spelled from a list of work, not by recursion."""
    cdef Pointers frames       # to go on with
    cdef Spelt at
    cdef uint32_t i
    cdef bint good = True
    if state.rule.text != NULL:
        return spell_text(engine, state, count, out)
    if state.rule.multiples != NULL:
        return spell_multiples(state, out)
    memset(&frames, 0, sizeof(frames))
    at.rule = state.rule
    at.state = NULL
    at.told = state if state.rule.head else NULL
    at.node = 0
    if state.rule.unordered != NULL:
        at.state = state
    else:
        at.node = state.key[state.rule.head]
        for i in range(state.rule.head, state.n_key):
            if state.rule.node_cost[state.key[i]] < state.rule.node_cost[at.node]:
                at.node = state.key[i]
    while good:
        if not is_spelt(&at):
            good = spell_call(engine, &at, &frames, out) if at.state != NULL else spell_edge(engine, &at, &frames, out)
        elif frames.n:
            pop_spelt(&frames, &at)
        else:
            break
    free(frames.at)
    return good


cdef bint spell_edge(Engine *engine, Spelt *at, Pointers *frames, Words *out) noexcept nogil:
    """Take the edge that gets nearer to the end; a call pushes where to go on and enters the callee."""
    cdef Edge *edge = &at.rule.edges[at.rule.node_next[at.node]]
    cdef Rule *callee = edge.callee
    at.node = edge.to
    if callee == NULL:
        return edge.low > edge.high or words_push(out, edge.low)
    if callee.recorder and at.told != NULL:
        callee = need_callee(engine, at.told, edge)
        if callee == NULL or callee == <Rule *>NO_RULE or rule_cost(engine, callee) >= ENDLESS:
            return False
        at.told = NULL             # what comes behind one more item is found out when that has been read
    return spell_callee(engine, callee, at, frames, out)


cdef bint spell_call(Engine *engine, Spelt *at, Pointers *frames, Words *out) noexcept nogil:
    """Take the member, or the separator, with which the least is left to be done."""
    cdef Call *call
    cdef uint32_t i
    if not expand(engine, at.state):
        return False
    for i in range(at.state.n_calls):
        rule_cost(engine, at.state.calls[i].start.rule)
    call = cheapest_call(at.state)
    if call == NULL:
        return False
    at.state = call.back
    return spell_callee(engine, call.start.rule, at, frames, out)


cdef bint spell_callee(Engine *engine, Rule *callee, Spelt *at, Pointers *frames, Words *out) noexcept nogil:
    """Spell a text, or enter another rule and keep for later where to go on."""
    if callee.text != NULL:
        return spell_text(engine, callee.start, 0, out)
    if callee.multiples != NULL:
        return spell_multiples(callee.start, out)
    if not push_spelt(frames, at):
        return False
    at.rule = callee
    at.state = NULL
    at.told = NULL
    if callee.unordered != NULL:
        at.state = callee.start
        return True
    return enter(callee, &at.node)


cdef bint enter(Rule *callee, uint32_t *node) noexcept nogil:
    """The node of a callee's start from which the cheapest consuming edge leaves: its target, once that is spelled, is nearer to the end."""
    cdef uint32_t i, e
    cdef State *start = callee.start
    for i in range(callee.head, start.n_key):
        for e in range(callee.edge_first[start.key[i]], callee.edge_first[start.key[i] + 1]):
            if (callee.edges[e].low <= callee.edges[e].high or callee.edges[e].callee != NULL) and edge_cost(callee, &callee.edges[e]) == callee.cost:
                node[0] = start.key[i]
                return True
    return False
