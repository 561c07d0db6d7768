# cython: language_level=3
"""Text rules as they are loaded: from the table of a text to its automaton over characters, its lengths and its excluded strings.

Rule: a table that grammar.lower did not make is a ValueError, never a fault of memory.
Below: automata, text.  Above: store.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
import sys

from grammask.errors import LimitError
from grammask.kernel.automata cimport *
from grammask.kernel.text cimport BOUNDARY, LAST_CODE, CharState, CodeEdge, CodeSegment, Spot, TextRule, counted, intern_chars, text_state

UTF_32 = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"

cdef uint32_t NEVER = 0xFFFFFFFF
cdef uint32_t OFF = 0xFFFFFFFF

LEVEL_BYTES = 1 << 26          # memory for the lengths of one pattern


cdef struct Language:
    # What a table says of its language, in numbers.
    Words sets                 # low and high of each range of each set
    Words set_first            # the range at which each set begins, and how many ranges there are
    Words first                # the edge at which those of each node begin, and how many edges there are
    Words to                   # where each edge leads
    Words chars                # and the number of its set


cdef int make_text(Engine *engine, Rule *rule, table) except -1:
    """Fill a rule from a TextTable: its language, its lengths and excluded strings, and its start state."""
    cdef TextRule *text
    cdef Spot spot
    text = <TextRule *>arena_zeroed(rule.arena, sizeof(TextRule))
    if text == NULL:
        raise MemoryError()
    rule.text = text
    rule.rank = 0
    text.minimum = table.minimum
    text.maximum = -1 if table.maximum is None else table.maximum
    if text.minimum > 1 << 30 or text.maximum > 1 << 30:
        raise LimitError("length of a string", max(text.minimum, text.maximum), 1 << 30)
    load_words(rule, table.excluded)
    if table.n_nodes:
        load_language(engine, rule, table)
    else:
        text.clamp = engine.trie.longest + 1
        text.states = (<TextRule *>engine.any_text.text).states
        text.n_states = 1
    spot.chars = text.start
    spot.least = counted(text, text.minimum, 0)
    spot.most = NEVER if text.maximum < 0 else counted(text, text.maximum, 0)
    spot.word = 0 if table.excluded else OFF
    return begin_text(engine, rule, &spot)


cdef int begin_text(Engine *engine, Rule *rule, const Spot *spot) except -1:
    """Make the start state."""
    cdef int fault = FAULT_NONE
    with nogil:
        lock_engine(engine)
        rule.start = text_state(engine, rule, BOUNDARY, 0, 0, spot)
        release(engine, &fault)
    if rule.start == NULL:
        raise fault_error(engine, fault)
    return 0


cdef int make_any_text(Engine *engine) except -1:
    """The text without restrictions: one set of nodes that every character leads back to."""
    cdef Rule *rule = <Rule *>arena_zeroed(&engine.arena, sizeof(Rule))
    cdef TextRule *text = <TextRule *>arena_zeroed(&engine.arena, sizeof(TextRule))
    cdef CharState *state = <CharState *>arena_zeroed(&engine.arena, sizeof(CharState))
    if rule == NULL or text == NULL or state == NULL:
        raise MemoryError()
    rule.arena = &engine.arena
    rule.text = text
    rule.shared = True
    rule.cost = -1
    text.maximum = -1
    text.clamp = engine.trie.longest + 1
    text.states = <CharState **>arena_take(&engine.arena, sizeof(CharState *))
    state.segments = <CodeSegment *>arena_take(&engine.arena, 2 * sizeof(CodeSegment))
    if text.states == NULL or state.segments == NULL:
        raise MemoryError()
    text.states[0] = state
    text.n_states = text.room_states = 1
    state.accepting = True
    state.expanded = True
    state.n_segments = 2
    state.segments[0].low = 0
    state.segments[0].high = 0xD7FF
    state.segments[0].to = 0
    state.segments[1].low = 0xE000
    state.segments[1].high = LAST_CODE
    state.segments[1].to = 0
    engine.any_text = rule
    cdef Spot spot
    spot.chars = spot.least = 0
    spot.most = NEVER
    spot.word = OFF
    return begin_text(engine, rule, &spot)


# -- excluded strings -----------------------------------------------------------------------------------------------------


cdef int load_words(Rule *rule, excluded) except -1:
    """The trie of the excluded strings, children sorted by code point."""
    cdef Words codes          # the last character of each node but the root, which is node 0
    cdef Words parents        # of those nodes
    cdef Words ends           # whether a word ends at each node
    cdef Words path           # the nodes along the word before
    cdef uint32_t length      # in characters
    cdef TextRule *text = <TextRule *>rule.text
    memset(&codes, 0, sizeof(codes))
    memset(&parents, 0, sizeof(parents))
    memset(&ends, 0, sizeof(ends))
    memset(&path, 0, sizeof(path))
    text.n_words = 0
    try:
        if not (words_push(&path, 0) and words_push(&ends, 0)):
            raise MemoryError()
        for word in sorted(excluded):
            length = <uint32_t>add_word(&codes, &parents, &ends, &path, word.encode(UTF_32, "surrogatepass"))
            if length > text.longest_word:
                text.longest_word = length
        lay_out_words(rule, &codes, &parents, &ends, &path)
        if excluded:
            text.n_words = ends.n
    finally:
        free(codes.at)
        free(parents.at)
        free(ends.at)
        free(path.at)
    return 0


cdef int add_word(Words *codes, Words *parents, Words *ends, Words *path, bytes word) except -1:
    """Add one word to the trie, not smaller than those before, so that children are made in order; gives its length in characters."""
    cdef const uint8_t *at = word
    cdef uint32_t n = len(word) // sizeof(uint32_t), i = 0, code
    while i < n and i + 1 < path.n:
        memcpy(&code, at + i * sizeof(uint32_t), sizeof(uint32_t))
        if codes.at[path.at[i + 1] - 1] != code:
            break
        i += 1
    path.n = i + 1
    while i < n:
        memcpy(&code, at + i * sizeof(uint32_t), sizeof(uint32_t))
        if not (words_push(codes, code) and words_push(parents, path.at[i]) and words_push(ends, 0) and words_push(path, codes.n)):
            raise MemoryError()
        i += 1
    ends.at[path.at[n]] = 1
    return n


cdef int lay_out_words(Rule *rule, const Words *codes, const Words *parents, const Words *ends, Words *cursor) except -1:
    """Copy the trie into the rule's arrays, by parent."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef size_t n = ends.n, i
    cdef uint32_t at
    text.word_first = <uint32_t *>arena_zeroed(rule.arena, (n + 1) * sizeof(uint32_t))
    text.word_code = <uint32_t *>arena_take(rule.arena, (codes.n + 1) * sizeof(uint32_t))
    text.word_child = <uint32_t *>arena_take(rule.arena, (codes.n + 1) * sizeof(uint32_t))
    text.word_ends = <uint8_t *>arena_take(rule.arena, n)
    cursor.n = 0
    if text.word_first == NULL or text.word_code == NULL or text.word_child == NULL or text.word_ends == NULL or not words_reserve(cursor, n):
        raise MemoryError()
    for i in range(codes.n):
        text.word_first[parents.at[i] + 1] += 1
    for i in range(n):
        text.word_first[i + 1] += text.word_first[i]
        cursor.at[i] = text.word_first[i]
        text.word_ends[i] = ends.at[i]
    for i in range(codes.n):
        at = cursor.at[parents.at[i]]
        cursor.at[parents.at[i]] = at + 1
        text.word_code[at] = codes.at[i]
        text.word_child[at] = i + 1
    return 0


# -- the language -----------------------------------------------------------------------------------------------------------


cdef int load_language(Engine *engine, Rule *rule, table) except -1:
    """The language's automaton and the lengths it allows."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef Language language
    cdef int fault = FAULT_NONE
    memset(&language, 0, sizeof(language))
    check_nodes(table)
    try:
        read_sets(&language, table.sets)
        read_edges(&language, table)
        lay_out_edges(rule, &language, table)
        text.clamp = text.solid = NEVER
        load_distances(rule, &language)
        if text.minimum > 0 or text.maximum >= 0 or table.excluded:
            load_lengths(engine, rule, &language)
    finally:
        free(language.sets.at)
        free(language.set_first.at)
        free(language.first.at)
        free(language.to.at)
        free(language.chars.at)
    cdef list starts = sorted(table.starts)
    cdef uint32_t n = <uint32_t>len(starts), i
    cdef uint32_t *nodes = <uint32_t *>malloc((n + 1) * sizeof(uint32_t))
    if nodes == NULL:
        raise MemoryError()
    for i in range(n):
        nodes[i] = starts[i]
    with nogil:
        lock_engine(engine)
        text.start = intern_chars(engine, rule, nodes, n)
        release(engine, &fault)
    free(nodes)
    if text.start == NEVER:
        raise fault_error(engine, fault)
    return 0


cdef int check_nodes(table) except -1:
    """Whether starts and ends are nodes. ValueError, here and where sets and edges are read: a table was not made by `grammar.lower`."""
    cdef int64_t n = table.n_nodes, node
    for node in (*table.starts, *table.ends):
        if not 0 <= node < n:
            raise ValueError(f"no node of a text with {n} nodes: {node}")
    return 0


cdef int read_sets(Language *language, sets) except -1:
    cdef int64_t low, high
    cdef bint good = True
    for ranges in sets:
        good = good and words_push(&language.set_first, <uint32_t>(language.sets.n // 2))
        for low, high in ranges:
            if not 0 <= low <= high <= LAST_CODE or (low <= 0xDFFF and high >= 0xD800):
                raise ValueError(f"no range of characters: {(low, high)}")
            good = good and words_push(&language.sets, <uint32_t>low) and words_push(&language.sets, <uint32_t>high)
    if not (good and words_push(&language.set_first, <uint32_t>(language.sets.n // 2))):
        raise MemoryError()
    return 0


cdef int read_edges(Language *language, table) except -1:
    """The edges, sorted by the node they leave."""
    cdef int64_t n = table.n_nodes, n_sets = len(table.sets), a, b, chars
    cdef bint good = words_reserve(&language.to, len(table.edges)) and words_reserve(&language.chars, len(table.edges))
    for a, b, chars in sorted(table.edges):
        if not (0 <= a < n and 0 <= b < n and 0 <= chars < n_sets):
            raise ValueError(f"no edge of a text with {n} nodes and {n_sets} sets: {(a, b, chars)}")
        while good and <int64_t>language.first.n <= a:
            good = words_push(&language.first, <uint32_t>language.to.n)
        good = good and words_push(&language.to, <uint32_t>b) and words_push(&language.chars, <uint32_t>chars)
    while good and <int64_t>language.first.n <= n:
        good = words_push(&language.first, <uint32_t>language.to.n)
    if not good:
        raise MemoryError()
    return 0


cdef int lay_out_edges(Rule *rule, const Language *language, table) except -1:
    """The edges range by range, and the ends."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef uint32_t n = table.n_nodes, node, e, i, at = 0
    cdef const uint32_t *first = language.set_first.at
    cdef size_t total = 0
    for i in range(language.chars.n):
        total += first[language.chars.at[i] + 1] - first[language.chars.at[i]]
    text.n_nodes = n
    text.edge_first = <uint32_t *>arena_take(rule.arena, (n + 1) * sizeof(uint32_t))
    text.edges = <CodeEdge *>arena_take(rule.arena, (total + 1) * sizeof(CodeEdge))
    text.ends = <uint8_t *>arena_zeroed(rule.arena, n)
    if text.edge_first == NULL or text.edges == NULL or text.ends == NULL:
        raise MemoryError()
    for node in table.ends:
        text.ends[node] = 1
    for node in range(n):
        text.edge_first[node] = at
        for e in range(language.first.at[node], language.first.at[node + 1]):
            for i in range(first[language.chars.at[e]], first[language.chars.at[e] + 1]):
                text.edges[at].low = language.sets.at[2 * i]
                text.edges[at].high = language.sets.at[2 * i + 1]
                text.edges[at].to = language.to.at[e]
                at += 1
    text.edge_first[n] = at
    return 0


cdef int load_distances(Rule *rule, const Language *language) except -1:
    """For each node the characters of its shortest continuation: breadth first, from the ends backwards."""
    cdef TextRule *text = <TextRule *>rule.text
    cdef uint32_t e, round_ = 0
    cdef int64_t node
    cdef bint changed = True
    text.distance = <uint32_t *>arena_take(rule.arena, text.n_nodes * sizeof(uint32_t))
    if text.distance == NULL:
        raise MemoryError()
    for node in range(text.n_nodes):
        text.distance[node] = 0 if text.ends[node] else NEVER
    # Nodes of an unrolled repetition are numbered along it, so going backwards settles most in one round.
    while changed and round_ <= text.n_nodes:
        changed = False
        round_ += 1
        for node in range(text.n_nodes - 1, -1, -1):
            for e in range(language.first.at[node], language.first.at[node + 1]):
                if text.distance[language.to.at[e]] != NEVER and text.distance[language.to.at[e]] + 1 < text.distance[node]:
                    text.distance[node] = text.distance[language.to.at[e]] + 1
                    changed = True
    for node in range(text.n_nodes):
        if text.distance[node] != NEVER and text.distance[node] > text.farthest:
            text.farthest = text.distance[node]
    return 0


cdef int load_lengths(Engine *engine, Rule *rule, const Language *language) except -1:
    """For each length the nodes with a continuation of it: a sequence of sets that repeats in the end.

    Source: the lengths of a regular language are ultimately periodic (Parikh 1966 for one letter).
    """
    cdef TextRule *text = <TextRule *>rule.text
    cdef uint32_t words = (text.n_nodes + 63) // 64, node, e
    cdef dict seen = {}
    cdef list levels = []
    cdef bytes level
    cdef size_t size = words * 8, bound = LEVEL_BYTES // size
    cdef uint64_t *now = <uint64_t *>calloc(words, 8)
    cdef uint64_t *before = <uint64_t *>calloc(words, 8)
    cdef uint64_t *moved
    cdef bint repeats = False
    if now == NULL or before == NULL:
        free(now); free(before)
        raise MemoryError()
    try:
        for node in range(text.n_nodes):
            if text.ends[node]:
                now[node >> 6] |= (<uint64_t>1) << (node & 63)
        while True:
            level = (<char *>now)[:size]
            if level in seen:
                text.prefix = seen[level]
                repeats = True
                break
            if text.maximum >= 0 and len(levels) > text.maximum:
                break
            if len(levels) >= bound:
                raise LimitError("lengths of a pattern with length bounds", None, bound, "simplify the pattern or the length")
            seen[level] = len(levels)
            levels.append(level)
            memset(before, 0, size)
            for node in range(text.n_nodes):
                for e in range(language.first.at[node], language.first.at[node + 1]):
                    if (now[language.to.at[e] >> 6] >> (language.to.at[e] & 63)) & 1:
                        before[node >> 6] |= (<uint64_t>1) << (node & 63)
                        break
            moved = now
            now = before
            before = moved
    finally:
        free(now)
        free(before)
    joined = b"".join(levels)
    text.n_levels = len(levels)
    if not repeats:
        text.prefix = text.n_levels
    text.levels = <uint64_t *>arena_take(rule.arena, len(joined) + 8)
    if text.levels == NULL:
        raise MemoryError()
    memcpy(text.levels, <const char *>joined, len(joined))
    if repeats:
        find_solid(text)
    # Counts may be clamped where a window that is far away is as good as any other: it holds a whole period.
    if repeats and (text.maximum < 0 or text.maximum - text.minimum + 1 >= <int64_t>(text.n_levels - text.prefix)):
        # Counts do not move while `escapes` goes down an excluded string, so there is room for one.
        text.clamp = engine.trie.longest + 1 + 2 * text.n_levels + text.longest_word
    return 0


cdef void find_solid(TextRule *text) noexcept nogil:
    """From which length on every node has continuations of all lengths."""
    cdef uint32_t words = (text.n_nodes + 63) // 64, level = text.n_levels, word
    cdef uint64_t full
    while level > 0:
        for word in range(words):
            full = ~<uint64_t>0 if 64 * (word + 1) <= text.n_nodes else (<uint64_t>1 << (text.n_nodes & 63)) - 1
            if (text.levels + <size_t>(level - 1) * words)[word] != full:
                if level <= text.prefix:
                    text.solid = level
                return
        level -= 1
    text.solid = 0
