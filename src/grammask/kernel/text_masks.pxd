# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from grammask.kernel.automata cimport *
from grammask.kernel.memory cimport *
from grammask.kernel.trie cimport Trie


cdef struct Reach:
    # Set of the tokens over some classes of characters with at most so many characters.
    uint64_t classes
    uint32_t chars
    TokenSet *tokens           # NULL: none


cdef struct Reading:
    # What the tokens are as texts: classes of characters and how many, per trie node and per token.
    uint64_t *below            # per node: classes of the characters and marks on the paths below it
    uint64_t *token_classes    # per token id; no bits: not a text (special tokens)
    uint16_t *token_chars
    uint32_t *by_kind          # the ids of tokens with text, kind by kind: those with the same classes and as many characters
    uint32_t *kind_first       # where each kind begins, and how many ids there are
    uint64_t *kind_classes
    uint16_t *kind_chars
    uint32_t n_kinds
    uint32_t weight[64]        # tokens that hold a class
    uint32_t longer[32]        # tokens with more characters than this
    uint32_t *long_tokens      # those with more than LONG characters (see reach_of), most first
    uint32_t *long_by_spelling # the same in the order of their bytes
    uint32_t *long_shared      # how many bytes each of these has in common with the one before it
    uint32_t n_long
    uint32_t *quoted_tokens    # those that hold a quotation mark
    uint32_t n_quoted
    uint32_t quote_depth       # most characters of a token in front of a quotation mark


cdef struct Reaches:
    # The sets of one store that are made already.
    Reach *at                  # open addressing, room a power of two
    uint32_t room
    uint32_t n


cdef class TokenReading:
    cdef Reading reading
    cdef int read(self, const Trie *trie) except -1


cdef enum:
    LONG = 16                  # characters; most tokens have fewer
    PARTIAL = 56               # a mark among the classes: a token that is not whole characters


cdef inline uint32_t reach_of(const Reading *reading, uint32_t token) noexcept nogil:
    """The characters of a token, one that is begun included."""
    return reading.token_chars[token] + <uint32_t>(reading.token_classes[token] >> PARTIAL & 1)


cdef inline bint is_continuation(uint32_t byte, uint32_t need) noexcept nogil:
    cdef uint32_t kind = need >> 3
    if not 0x80 <= byte <= 0xBF:
        return False
    return not ((kind == 1 and byte < 0xA0) or (kind == 2 and byte > 0x9F) or (kind == 3 and byte < 0x90) or (kind == 4 and byte > 0x8F))


cdef uint8_t class_of(uint32_t byte) noexcept nogil
cdef uint32_t lead_need(uint32_t lead) noexcept nogil
cdef uint32_t weight_of(const Reading *reading, uint64_t classes) noexcept nogil
cdef TokenSet *within(Engine *engine, uint64_t classes, uint32_t chars, bint *good) noexcept nogil
cdef bint open_reaches(Engine *engine) noexcept nogil
cdef void drop_reaches(Engine *engine) noexcept nogil
cdef Classification *classify_text(Engine *engine, State *state, ExitSet *exits) noexcept nogil
cdef TokenSet *set_less(Engine *engine, Arena *arena, TokenSet *whole, size_t tokens) noexcept nogil
