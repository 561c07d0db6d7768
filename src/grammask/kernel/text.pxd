# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from grammask.kernel.automata cimport *


cdef struct CodeEdge:
    uint32_t low
    uint32_t high
    uint32_t to


cdef struct CodeSegment:
    uint32_t low
    uint32_t high
    uint32_t to                # index of a CharState; 0xFFFFFFFF: not asked for yet


cdef struct CharState:
    # A set of the language's nodes: where a text stands between two characters, its length aside.
    uint64_t hash
    uint32_t n
    uint32_t *nodes
    bint accepting
    bint expanded
    uint32_t n_segments
    CodeSegment *segments
    uint64_t *lengths          # bit l: some continuation of l characters is in the language (see TextRule.n_levels)
    uint32_t nearest           # characters of the shortest continuation
    uint32_t *futures          # by the characters to come: 1 + number of what may follow, 0: not known yet (see near.pyx)


cdef struct TextRule:
    uint32_t n_nodes           # 0: all strings
    uint32_t *edge_first
    CodeEdge *edges
    uint8_t *ends
    uint32_t *distance         # characters of the shortest continuation of each node
    uint32_t farthest          # the largest of these
    uint32_t solid             # every node has continuations of all lengths from here on; NEVER: not so
    CharState **states
    uint32_t n_states
    uint32_t room_states
    uint32_t *index            # open addressing over `states`, 1 + index
    uint32_t index_room
    uint32_t start
    int64_t minimum
    int64_t maximum            # -1: no bound
    uint32_t clamp             # counts from here on are one (NEVER: none are)
    uint32_t n_levels          # lengths 0 .. n_levels - 1 are kept; from `prefix` on they repeat
    uint32_t prefix
    uint64_t *levels           # n_levels sets of nodes
    # The excluded strings as a trie over characters, node 0 its root.
    uint32_t n_words
    uint32_t *word_first
    uint32_t *word_code
    uint32_t *word_child
    uint8_t *word_ends
    uint32_t longest_word      # characters
    void *futures              # Futures *, see near.pyx


cdef enum:
    LAST_CODE = 0x10FFFF


cdef enum TextMode:
    # How far the spelling of a character has come; v and r are the two words behind the mode in a state's key.
    # Stages of a surrogate pair once it is known to be one: 0, 1 the last two digits of the high one; 2 backslash; 3 u; 4 D;
    # 5 C to F; 6, 7 the last two digits of the low one.
    BOUNDARY = 0               # between two characters
    PREFIX = 1                 # v: the character's bits so far, r: continuation bytes to come
    TAIL = 2                   # r continuation bytes to come, whatever they are; the spot is the one after the character
    ESCAPE = 3                 # after a backslash
    HEX = 4                    # v: value of the r hexadecimal digits read
    HEX_TAIL = 5               # r digits to come, whatever they are; the spot is the one after
    PAIR = 6                   # v: high ten bits << 10 | low bits so far, r: stage
    PAIR_TAIL = 7              # r: stage; the spot is the one after
    DONE = 8                   # after the closing quote


cdef struct Spot:
    uint32_t chars             # index of a CharState
    uint32_t least             # characters still demanded
    uint32_t most              # characters still allowed; NEVER: no bound
    uint32_t word              # node in the trie of excluded strings, or OFF


cdef enum Verdict:
    DEAD = 0
    ALIKE = 1
    MIXED = 2
    FAILED = 3


cdef Verdict after_range(Engine *engine, Rule *rule, const Spot *spot, uint32_t low, uint32_t high, Spot *onward) noexcept nogil
cdef uint32_t alike_until(Engine *engine, Rule *rule, const Spot *spot, uint32_t low, uint32_t high) noexcept nogil
cdef bint can_end(const TextRule *text, const Spot *spot) noexcept nogil
cdef bint expand_chars(Engine *engine, Rule *rule, CharState *state) noexcept nogil
cdef uint32_t chars_after(Engine *engine, Rule *rule, CharState *state, CodeSegment *segment) noexcept nogil
cdef uint32_t chars_by(Engine *engine, Rule *rule, CharState *state, uint32_t code) noexcept nogil
cdef bint fits(const TextRule *text, const Spot *spot) noexcept nogil
cdef State *expand_text(Engine *engine, State *state) noexcept nogil
cdef State *text_state(Engine *engine, Rule *rule, uint32_t mode, uint32_t v, uint32_t r, const Spot *spot) noexcept nogil
cdef State *unbounded(Engine *engine, State *state, uint32_t height, bint raw) noexcept nogil
cdef State *settle_text(Engine *engine, State *state, uint32_t count) noexcept nogil
cdef uint32_t counted(const TextRule *text, int64_t bound, int64_t count) noexcept nogil
cdef uint32_t intern_chars(Engine *engine, Rule *rule, uint32_t *nodes, uint32_t n) noexcept nogil
