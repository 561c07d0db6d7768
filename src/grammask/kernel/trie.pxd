# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from grammask.kernel.memory cimport *


cdef enum TrieFlag:
    QUOTE_BELOW = 1            # some byte below the node is a quotation mark or a backslash
    ROUGH_BELOW = 2            # some token below ends inside a character, or holds a quote, backslash or control byte


cdef struct TrieNode:
    # Children are contiguous and sorted by label; blocks of children lie in depth-first order, so a walk runs forward.
    int32_t first              # first child
    int32_t token_first        # tokens that end here are token_ids[token_first] ..
    int32_t token_end          # .. and those of the whole subtree go on to here
    uint16_t n_children
    uint16_t n_tokens
    uint16_t height            # most bytes below
    uint8_t flags


cdef struct Trie:
    int32_t n_nodes
    int32_t vocabulary_size
    int32_t mask_words
    int32_t longest            # bytes of the longest token
    TrieNode *nodes
    int32_t *label             # symbol on the edge to each node
    int32_t *token_ids         # in depth-first order
    int32_t *byte_of_token     # offset of each token's bytes in `spelling`, vocabulary_size + 1
    uint8_t *spelling
    uint8_t *is_end            # 1: end of sequence
    int32_t *ends              # the n_ends end-of-sequence ids
    uint32_t n_ends


cdef class TokenTrie:
    cdef Trie trie
    cdef _copy_spelling(self, list tokens)
    cdef _build(self, list silent)


cdef inline int32_t child_at(const Trie *trie, int32_t node, int32_t symbol) noexcept nogil:
    """The child of `node` by `symbol`, or -1."""
    cdef int32_t low = trie.nodes[node].first, high = low + trie.nodes[node].n_children, middle, end = high
    while low < high:
        middle = (low + high) >> 1
        if trie.label[middle] < symbol:
            low = middle + 1
        else:
            high = middle
    if low < end and trie.label[low] == symbol:
        return low
    return -1


cdef inline int32_t children_end(const Trie *trie, int32_t node) noexcept nogil:
    return trie.nodes[node].first + trie.nodes[node].n_children
