# cython: language_level=3
"""The vocabulary's tokens in one trie over symbols, in flat arrays.

Rule: built once per vocabulary and never changed, so every thread reads it without a lock.
A token without bytes hangs below the root by its own symbol SPECIAL + id; end-of-sequence ids always do, whatever their bytes.
Cost: sorting the tokens, then linear in their bytes.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from grammask.errors import LimitError, VocabularyError

cdef int32_t SPECIAL = 256
VOCABULARY_BYTES = 1 << 30
LONGEST_TOKEN = 4096  # bytes; the deepest walk of a mask is as long


cdef inline uint32_t byte_at(const Trie *trie, int32_t token, uint32_t depth) noexcept nogil:
    """1 + the byte of a token at a depth; 0 behind its end."""
    cdef const uint8_t *at = trie.spelling + trie.byte_of_token[token] + depth
    return 1 + at[0] if at < trie.spelling + trie.byte_of_token[token + 1] else 0


cdef bint sort_spelled(const Trie *trie, int32_t *ids) noexcept nogil:
    """The ids of tokens that are spelled, in the order of their bytes and then of ids. False when memory ends.

    Multikey quicksort (Bentley and Sedgewick 1997): parted in three by one byte, and what has the same byte then by the next.
    """
    cdef Words parts
    cdef uint32_t first, end, depth, low, high, i, pivot, byte, n = 0
    cdef int32_t token
    cdef bint good
    memset(&parts, 0, sizeof(parts))
    for token in range(trie.vocabulary_size):
        if not trie.is_end[token] and trie.byte_of_token[token + 1] > trie.byte_of_token[token]:
            ids[n] = token
            n += 1
    good = push_part(&parts, 0, n, 0)
    while good and parts.n:
        parts.n -= 3
        first = parts.at[parts.n]
        end = parts.at[parts.n + 1]
        depth = parts.at[parts.n + 2]
        pivot = byte_at(trie, ids[first + (end - first) // 2], depth)
        low = i = first
        high = end
        while i < high:
            byte = byte_at(trie, ids[i], depth)
            if byte < pivot:
                exchange(ids, i, low)
                low += 1
                i += 1
            elif byte > pivot:
                high -= 1
                exchange(ids, i, high)
            else:
                i += 1
        if pivot == 0:
            sort_words(<uint32_t *>ids + low, high - low)      # the same bytes
        else:
            good = push_part(&parts, low, high, depth + 1)
        good = good and push_part(&parts, first, low, depth) and push_part(&parts, high, end, depth)
    free(parts.at)
    return good


cdef inline void exchange(int32_t *ids, uint32_t i, uint32_t j) noexcept nogil:
    cdef int32_t token = ids[i]
    ids[i] = ids[j]
    ids[j] = token


cdef inline bint push_part(Words *parts, uint32_t first, uint32_t end, uint32_t depth) noexcept nogil:
    """Note a part to be sorted from a depth on, unless there is nothing to sort. False when memory ends."""
    return end - first < 2 or (words_push(parts, first) and words_push(parts, end) and words_push(parts, depth))


cdef enum:
    GROWTH_ALIKE = 1           # what stops `grow`: too many ids with the same bytes
    GROWTH_SILENT = 2          # too many tokens without bytes
    GROWTH_MEMORY = 3


cdef struct Growth:
    # What a trie is made of, and notes by the way, per node.
    int32_t *sorted_ids        # of tokens with bytes
    int32_t *silent            # ids of tokens without
    int32_t n_sorted
    int32_t n_silent
    int32_t *low               # the run of sorted ids below each node
    int32_t *high
    int32_t *depth
    int32_t *pending           # nodes whose children are not made


cdef int grow(Trie *trie, Growth *growth) noexcept nogil:
    """Make the nodes, each with its tokens. 0, or what stops it."""
    cdef int32_t node, nodes = 1, n_pending = 1, at, run, token, filled = 0, child, i
    cdef TrieNode *place
    cdef uint8_t byte
    growth.low[0] = growth.depth[0] = growth.pending[0] = 0
    growth.high[0] = growth.n_sorted
    trie.label[0] = -1
    while n_pending:
        n_pending -= 1
        node = growth.pending[n_pending]
        place = &trie.nodes[node]
        place.token_first = filled
        place.first = nodes
        if trie.label[node] >= SPECIAL:
            trie.token_ids[filled] = trie.label[node] - SPECIAL
            place.n_tokens = 1
            filled += 1
            continue
        at = growth.low[node]
        while at < growth.high[node]:
            token = growth.sorted_ids[at]
            if trie.byte_of_token[token + 1] - trie.byte_of_token[token] > growth.depth[node]:
                break
            trie.token_ids[filled] = token
            filled += 1
            at += 1
            if place.n_tokens == 65535:
                return GROWTH_ALIKE
            place.n_tokens += 1
        while at < growth.high[node]:
            byte = trie.spelling[trie.byte_of_token[growth.sorted_ids[at]] + growth.depth[node]]
            run = at
            while at < growth.high[node] and trie.spelling[trie.byte_of_token[growth.sorted_ids[at]] + growth.depth[node]] == byte:
                at += 1
            trie.label[nodes] = byte
            growth.low[nodes] = run
            growth.high[nodes] = at
            growth.depth[nodes] = growth.depth[node] + 1
            nodes += 1
        if node == 0:
            for i in range(growth.n_silent):
                trie.label[nodes] = SPECIAL + growth.silent[i]
                growth.low[nodes] = growth.high[nodes] = 0
                growth.depth[nodes] = 1
                nodes += 1
            if nodes - place.first > 65535:
                return GROWTH_SILENT
        place.n_children = nodes - place.first
        child = nodes
        while child > place.first:
            child -= 1
            growth.pending[n_pending] = child
            n_pending += 1
    trie.n_nodes = nodes
    return 0


cdef bint note_subtrees(Trie *trie) noexcept nogil:
    """Heights, token ranges and flags. Children have higher numbers than their parents, so one pass backwards does. False when memory ends."""
    cdef int32_t node = trie.n_nodes, child
    cdef TrieNode *place
    cdef uint8_t *owed = owed_bytes(trie)
    if owed == NULL:
        return False
    while node > 0:
        node -= 1
        place = &trie.nodes[node]
        place.token_end = place.token_first + place.n_tokens
        for child in range(place.first, place.first + place.n_children):
            if trie.nodes[child].height + 1 > place.height:
                place.height = trie.nodes[child].height + 1
            if trie.nodes[child].token_end > place.token_end:
                place.token_end = trie.nodes[child].token_end
            place.flags |= trie.nodes[child].flags
            if trie.label[child] == 0x22 or trie.label[child] == 0x5C:
                place.flags |= QUOTE_BELOW | ROUGH_BELOW
            if trie.label[child] < 0x20 or trie.label[child] >= SPECIAL or (trie.nodes[child].n_tokens and owed[child]):
                place.flags |= ROUGH_BELOW
    free(owed)
    return True


cdef uint8_t *owed_bytes(const Trie *trie) noexcept nogil:
    """For each node, how many bytes of the last character on the way there are still to come; the caller frees it. NULL when memory ends."""
    cdef int32_t node, child, label
    cdef uint8_t *owed = <uint8_t *>calloc(trie.n_nodes, 1)
    for node in range(trie.n_nodes if owed != NULL else 0):
        for child in range(trie.nodes[node].first, trie.nodes[node].first + trie.nodes[node].n_children):
            label = trie.label[child]
            if 0x80 <= label < 0xC0:
                owed[child] = owed[node] - 1 if owed[node] else 0
            elif 0xC0 <= label < 0x100:
                owed[child] = 1 if label < 0xE0 else 2 if label < 0xF0 else 3
    return owed


cdef class TokenTrie:
    def __cinit__(self, list tokens not None, eos_ids):
        size = len(tokens)
        if size == 0 or size > 1 << 24:
            raise VocabularyError(f"a vocabulary has 1 to 16,777,216 tokens, got {size}")
        self.trie.vocabulary_size = size
        self.trie.mask_words = (size + 31) // 32
        self._copy_spelling(tokens)
        self.trie.is_end = <uint8_t *>calloc(size, 1)
        if self.trie.is_end == NULL:
            raise MemoryError()
        for token_id in eos_ids:
            if not 0 <= token_id < size:
                raise VocabularyError(f"end-of-sequence id {token_id} is outside the vocabulary (0 to {size - 1})")
            self.trie.is_end[<size_t>token_id] = 1
        ends = set(eos_ids)
        self.trie.ends = <int32_t *>malloc((len(ends) + 1) * sizeof(int32_t))
        if self.trie.ends == NULL:
            raise MemoryError()
        for token_id in sorted(ends):
            self.trie.ends[self.trie.n_ends] = token_id
            self.trie.n_ends += 1
        self._build([i for i in range(size) if not tokens[i] or i in ends])

    cdef _copy_spelling(self, list tokens):
        cdef size_t total = 0
        cdef Py_ssize_t i
        cdef bytes token
        for i in range(len(tokens)):
            if not isinstance(tokens[i], bytes):
                raise VocabularyError(f"token {i} is a {type(tokens[i]).__name__}, not bytes")
            token = tokens[i]
            if len(token) > LONGEST_TOKEN:
                raise LimitError("length of a token in bytes", len(token), LONGEST_TOKEN)
            if len(token) > self.trie.longest:
                self.trie.longest = len(token)
            total += len(token)
        if total > VOCABULARY_BYTES:
            raise LimitError("bytes of all tokens together", total, VOCABULARY_BYTES)
        self.trie.byte_of_token = <int32_t *>malloc((len(tokens) + 1) * sizeof(int32_t))
        self.trie.spelling = <uint8_t *>malloc(total + 1)
        if self.trie.byte_of_token == NULL or self.trie.spelling == NULL:
            raise MemoryError()
        cdef int32_t at = 0
        for i in range(len(tokens)):
            token = tokens[i]
            self.trie.byte_of_token[i] = at
            memcpy(self.trie.spelling + at, <const char *>token, len(token))
            at += len(token)
        self.trie.byte_of_token[len(tokens)] = at

    cdef _build(self, list silent):
        """Fill the arrays depth first: a node is a run of sorted tokens that share their first `depth` bytes."""
        cdef int32_t m = <int32_t>len(silent), i
        cdef Trie *trie = &self.trie
        cdef size_t bound = <size_t>trie.byte_of_token[trie.vocabulary_size] + m + 2
        cdef Growth growth
        cdef int fault
        memset(&growth, 0, sizeof(growth))
        growth.n_sorted = trie.vocabulary_size - m
        growth.n_silent = m
        growth.sorted_ids = <int32_t *>malloc((growth.n_sorted + 1) * sizeof(int32_t))
        growth.silent = <int32_t *>malloc((m + 1) * sizeof(int32_t))
        growth.low = <int32_t *>malloc(bound * sizeof(int32_t))
        growth.high = <int32_t *>malloc(bound * sizeof(int32_t))
        growth.depth = <int32_t *>malloc(bound * sizeof(int32_t))
        growth.pending = <int32_t *>malloc(bound * sizeof(int32_t))
        trie.nodes = <TrieNode *>calloc(bound, sizeof(TrieNode))
        trie.label = <int32_t *>malloc(bound * sizeof(int32_t))
        trie.token_ids = <int32_t *>malloc((growth.n_sorted + m + 1) * sizeof(int32_t))
        try:
            if not (growth.sorted_ids and growth.silent and growth.low and growth.high and growth.depth and growth.pending):
                raise MemoryError()
            if not (trie.nodes and trie.label and trie.token_ids):
                raise MemoryError()
            for i in range(m):
                growth.silent[i] = silent[i]
            with nogil:
                fault = GROWTH_MEMORY if not sort_spelled(trie, growth.sorted_ids) else grow(trie, &growth)
                if not fault and not note_subtrees(trie):
                    fault = GROWTH_MEMORY
            if fault == GROWTH_ALIKE:
                raise LimitError("number of ids with the same bytes", None, 65535)
            if fault == GROWTH_SILENT:
                raise LimitError("number of tokens without bytes", m, 65000)
            if fault:
                raise MemoryError()
        finally:
            free(growth.sorted_ids)
            free(growth.silent)
            free(growth.low)
            free(growth.high)
            free(growth.depth)
            free(growth.pending)
        trie.nodes = <TrieNode *>realloc(trie.nodes, trie.n_nodes * sizeof(TrieNode))
        trie.label = <int32_t *>realloc(trie.label, trie.n_nodes * sizeof(int32_t))

    def __dealloc__(self):
        free(self.trie.nodes)
        free(self.trie.label)
        free(self.trie.token_ids)
        free(self.trie.byte_of_token)
        free(self.trie.spelling)
        free(self.trie.is_end)
        free(self.trie.ends)

    @property
    def n_nodes(self):
        """How many nodes the trie has, its root included."""
        return self.trie.n_nodes
