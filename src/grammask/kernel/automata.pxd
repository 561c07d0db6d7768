# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from cpython.pythread cimport PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock, PyThread_type_lock
from grammask.kernel.memory cimport *
from grammask.kernel.trie cimport Trie


cdef enum Fault:
    # Why a computation under `Engine.lock` gave up; kept in Engine.fault until the caller turns it into an exception.
    FAULT_NONE = 0
    FAULT_MEMORY = 1
    FAULT_STATES = 2
    FAULT_DEPTH = 3
    FAULT_WANTED = 4           # a rule that only Python can make is needed first, see distinct.pyx
    FAULT_RAISED = 5           # Python raised; the matcher holds what


cdef enum Told:
    # Second word of the key of a state that tells items apart, see distinct.pyx.
    FRESH = 0                  # all items read so far are in the memory
    STALE = 1                  # behind an item that is not
    PENDING = 2                # likewise, in a trial, which goes on without adding it
    STALE_PENDING = 3


cdef enum:
    DEEPEST = 6000             # nested classifications


cdef struct TokenSet:
    # Tokens as bits of a mask row: `dense` has mask_words words, or is NULL and `pairs` holds n (word, bits) pairs.
    # With `whole` set, the set is that one less the pairs.
    uint32_t n
    uint32_t *dense
    uint32_t *pairs
    TokenSet *whole


cdef struct ExitSet:
    # Trie nodes in increasing order, each with children: where tokens go on after a frame has completed.
    uint32_t n
    uint32_t n_labels          # 0: not indexed yet
    uint32_t *nodes
    uint32_t *labels           # symbols that follow, increasing
    uint32_t *label_first      # n_labels + 1 offsets into `followers`
    uint32_t *followers        # the children, by label
    uint64_t hash
    uint64_t follow[4]         # bytes among the labels
    bint follow_special


cdef struct Classification:
    # What a local state makes of the tokens below an exit set, whatever its callers are (design: masks).
    ExitSet *exits             # NULL: none
    uint32_t n_parts
    TokenSet **parts
    TokenSet *rough            # of the text without restrictions: its tokens that are not whole raw text
    uint32_t n_doubts
    uint32_t *doubts           # tokens of which only a trial can tell, see distinct.pyx; increasing


cdef struct Segment:
    uint32_t low               # symbols low..high
    uint32_t high
    State *to                  # NULL: not asked for yet
    bint counts                # completes a character of a text


cdef struct Call:
    State *start               # of the rule that is called
    State *back                # where the caller goes on
    bint doubtful              # what the callee is depends on an item that is not known here


cdef struct Memo:
    # State -> exit set -> classification; replaced whole when it grows, so readers need no lock.
    uint32_t room
    uint32_t n
    void **slots               # room pairs (ExitSet *, Classification *)


cdef struct State:
    # 160 bytes and the key: most of what grows while texts are read are states.
    Rule *rule
    State *base                # texts: the state of the text without restrictions that this one is taken off, or NULL
    uint64_t hash
    uint32_t *key              # sorted nodes of the rule's automaton; of others see text.pyx, unordered.pyx, multiples.pyx
    uint32_t n_key
    uint32_t serial            # number within the rule, for state_key
    uint32_t n_segments
    uint32_t n_calls
    Segment *segments
    Call *calls
    uint64_t first[4]          # bytes that can come next, callees included
    Classification *at_root
    Memo *memo
    int32_t cost               # least symbols to the end of the frame; -1: not known yet
    uint8_t expanded           # read with read_flag: segments, calls and first are there
    uint8_t cut                # segments and calls are there, those of its callees may not be
    uint8_t accepting
    uint8_t resting
    uint8_t passive            # nothing but completing is left to do
    uint8_t first_special
    uint8_t elastic            # texts: the key leaves the exact count open, see text.pyx
    uint8_t surveyed
    # Texts, see text_masks.pyx: any string over these classes of at most so many characters keeps the state alive.
    uint32_t inside_chars
    uint64_t inside_classes
    uint64_t outside_classes
    uint8_t *table             # 1 + number of the segment that takes a byte, 0: none; made when a walk comes by


cdef struct Edge:
    uint32_t low               # low > high: epsilon
    uint32_t high
    uint32_t to
    Rule *callee


cdef enum Richness:
    # Of strings that are told apart: which beginnings go on to others, whatever strings are taken away. None of these: it is not known of any.
    OPENS_OBJECT = 1           # an opening brace, with whitespace and a quotation mark behind it at most
    OPENS_ARRAY = 2            # an opening bracket, with whitespace behind it at most
    OPENS_STRING = 4           # a quotation mark
    RICH = 15                  # all beginnings


cdef struct Rule:
    Arena *arena               # of the owner: the vocabulary's store or one constraint
    void *text                 # TextRule *, or NULL
    void *unordered            # Unordered *, or NULL: of rules that read members in any order, whose states are no sets of nodes
    uint32_t head              # words of a key before the nodes: a memory and a Told where items are told apart, else 0
    uint32_t recorder          # 1 + number of what tells its strings apart, 0: nothing does
    uint32_t teller            # of a rule with a head: the number of what gives the values of items
    bint has_loose             # of a rule with a head: some rule that it calls, for some memory, may hold strings that were read before
    bint reads_members         # what is told apart is the name of a member, not a whole value
    uint32_t richness          # bits, see Richness: what is so for all strings that its callees' recorders tell apart
    Rule **without             # with a recorder: by memory, the rule without those strings; NULL: not made yet, NO_RULE: nothing left
    uint32_t n_without
    int32_t slack              # with a recorder: what one more string may cost beyond the least
    State **wanted             # of the owner: the state that gave FAULT_WANTED
    uint32_t awaited           # 1 + number of what makes its edges, 0: they are there
    void *multiples            # Multiples *, or NULL: of rules that read multiples of a number, likewise
    bint shared
    bint alone                 # no rule calls it, so nobody asks where in a token it completes
    bint nullable
    uint32_t rank
    uint32_t serial
    uint64_t name              # of its key or its place in its grammar: the same in every store, so that choices made by it are
    uint32_t n_nodes
    uint32_t *edge_first       # n_nodes + 1
    Edge *edges
    uint8_t *rests             # NULL: a token may end at every node
    int32_t *node_cost         # NULL until asked for
    uint32_t *node_next        # the edge each cost was found over: followed, they cannot lead in a circle
    int32_t cost
    State *start
    State **states             # open addressing, room a power of two
    uint32_t room
    uint32_t n_states


cdef struct Engine:
    # Everything that belongs to one vocabulary. Whatever changes it holds `lock`.
    Trie *trie
    Arena arena
    PyThread_type_lock lock
    int fault
    size_t n_states
    size_t state_limit
    int depth
    State *(*expand_text)(Engine *engine, State *state) noexcept nogil
    State *(*settle_text)(Engine *engine, State *state, uint32_t count) noexcept nogil
    Classification *(*classify_text)(Engine *engine, State *state, ExitSet *exits) noexcept nogil
    Classification *(*classify_wide)(Engine *engine, State *state) noexcept nogil
    bint (*is_wide)(const State *state) noexcept nogil
    State *(*start_unordered)(Engine *engine, Rule *rule) noexcept nogil
    bint (*expand_unordered)(Engine *engine, State *state) noexcept nogil
    State *(*start_multiples)(Engine *engine, Rule *rule) noexcept nogil
    bint (*expand_multiples)(Engine *engine, State *state) noexcept nogil
    State *(*multiples_target)(Engine *engine, State *state, Segment *segment) noexcept nogil
    bint (*walk_multiples)(Engine *engine, State *state, ExitSet *exits) noexcept nogil
    void *reading              # Reading *, see text_masks.pyx; other stores of the vocabulary have the same
    void *reaches              # Reaches *
    uint8_t absent[256]        # bytes that no token contains
    Rule *any_text
    ExitSet **exit_sets
    uint32_t exit_room
    uint32_t n_exit_sets
    ExitSet *root
    ExitSet **single           # per trie node
    uint32_t *seen             # stamps per automaton node, for closures
    uint32_t seen_room
    uint32_t stamp
    Words nodes
    Words stack
    Words tokens
    Words exits
    Words doubts
    size_t doubts_from         # those of the classification in the making
    Words scratch
    Pointers parts
    Pointers walk
    uint32_t *row              # mask_words zeros, to gather tokens in
    uint64_t *marked           # a bit for each trie node, all zero, to sort many of them by


cdef enum:
    MANY_NODES = 1024          # trie nodes from which on a bitmap sorts them faster than comparing


cdef inline size_t unique_nodes(Engine *engine, uint32_t *at, size_t n) noexcept nogil:
    """`unique_words` for nodes of the trie. Cost: linear in their number and that of the trie's nodes by 64, for many."""
    cdef size_t i, kept = 0, words = <size_t>engine.trie.n_nodes // 64 + 1
    cdef uint64_t bits
    if n < MANY_NODES:
        return unique_words(at, n)
    for i in range(n):
        engine.marked[at[i] >> 6] |= <uint64_t>1 << (at[i] & 63)
    for i in range(words):
        bits = engine.marked[i]
        if bits:
            engine.marked[i] = 0
        while bits:
            at[kept] = <uint32_t>(i << 6) | <uint32_t>lowest_bit(bits)
            kept += 1
            bits &= bits - 1
    return kept


cdef inline bint push_step(Engine *engine, State *state, int32_t node, uint32_t count, bint covered) noexcept nogil:
    """Note a pair of state and trie node to be walked, with a count and a mark."""
    return pointers_push(&engine.walk, <void *>state) and pointers_push(&engine.walk, <void *><size_t>node) \
        and pointers_push(&engine.walk, <void *><size_t>(count << 1 | covered))


cdef inline bint take_tokens(Engine *engine, int32_t first, int32_t end) noexcept nogil:
    """Note a range of tokens in depth-first order."""
    cdef int32_t i
    if not words_reserve(&engine.tokens, end - first):
        return False
    for i in range(first, end):
        engine.tokens.at[engine.tokens.n] = engine.trie.token_ids[i]
        engine.tokens.n += 1
    return True


cdef void lock_engine(Engine *engine) noexcept nogil
cdef void unlock_engine(Engine *engine) noexcept nogil
cdef object fault_error(const Engine *engine, int fault)
cdef State *intern_state(Engine *engine, Rule *rule, const uint32_t *key, uint32_t n) noexcept nogil
cdef bint expand(Engine *engine, State *state) noexcept nogil
cdef State *segment_target(Engine *engine, State *state, Segment *segment) noexcept nogil
cdef bint seen_reserve(Engine *engine, uint32_t n) noexcept nogil
cdef State *start_of(Engine *engine, Rule *rule) noexcept nogil
cdef State *retold(Engine *engine, State *state, uint32_t memory, uint32_t told) noexcept nogil
cdef Rule *callee_of(State *state, Edge *edge) noexcept nogil
cdef void sort_calls(Edge **calls, uint32_t n) noexcept nogil


cdef extern from *:
    """
    #define NO_RULE ((void *)1)
    """
    void *NO_RULE


cdef inline uint64_t identity(const State *state) noexcept nogil:
    """A hash of what the state is, not of where it lies."""
    return mix(state.rule.name, state.hash)


cdef inline bint is_behind_item(const State *state) noexcept nogil:
    """Whether an item has been read that is not in the state's memory."""
    return state.rule.head and state.key[1] & 1


cdef inline uint32_t told_behind(const State *state) noexcept nogil:
    """What is told in the state behind an item that a state calls."""
    return STALE if state.key[1] == FRESH else STALE_PENDING


cdef inline Rule *need_callee(Engine *engine, State *state, Edge *edge) noexcept nogil:
    """`callee_of`, with FAULT_WANTED at this state where that is NULL."""
    cdef Rule *callee = callee_of(state, edge)
    if callee == NULL:
        state.rule.wanted[0] = state
        engine.fault = FAULT_WANTED
    return callee


cdef inline void release(Engine *engine, int *fault) noexcept nogil:
    """Unlock, handing a fault over to the thread that met it."""
    if engine.fault != FAULT_NONE:
        fault[0] = engine.fault
        engine.fault = FAULT_NONE
    unlock_engine(engine)


cdef inline bint ensure_expanded(Engine *engine, State *state, int *fault) noexcept nogil:
    """Make sure that a state's segments are there; takes the lock only if they are not."""
    cdef bint done
    if read_flag(state.expanded):
        return True
    lock_engine(engine)
    done = expand(engine, state)
    release(engine, fault)
    return done


cdef inline bint can_start(const State *state, uint32_t symbol) noexcept nogil:
    if symbol < 256:
        return (state.first[symbol >> 6] >> (symbol & 63)) & 1
    return state.first_special


cdef inline Segment *segment_of(State *state, uint32_t symbol) noexcept nogil:
    """The segment of an expanded state that holds the symbol, or NULL."""
    cdef uint32_t low = 0, high = state.n_segments, middle
    cdef Segment *segments = state.segments
    while low < high:
        middle = (low + high) >> 1
        if segments[middle].high < symbol:
            low = middle + 1
        else:
            high = middle
    if low < state.n_segments and segments[low].low <= symbol:
        return &segments[low]
    return NULL


cdef inline State *target_locked(Engine *engine, State *state, Segment *segment) noexcept nogil:
    if segment.to != NULL:
        return segment.to
    return segment_target(engine, state, segment)


cdef inline State *target(Engine *engine, State *state, Segment *segment, int *fault) noexcept nogil:
    """Where a segment of an expanded state leads; takes the lock only the first time."""
    cdef State *to = <State *>read_pointer(segment.to)
    if to != NULL:
        return to
    lock_engine(engine)
    to = target_locked(engine, state, segment)
    release(engine, fault)
    return to
