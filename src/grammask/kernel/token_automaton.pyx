# cython: language_level=3
"""From an automaton over symbols to the one over tokens: made minimal, then the token trie walked once for each state.

Rule: nothing here knows rules, stacks or matchers; a walk follows one table, states times classes of symbols.
Rule: a minimal automaton has one shape, and its states are numbered as walks of the trie meet them, so equal languages over equal
vocabularies give equal arrays, however their grammars are written.
Below: store, trie.  Source: Willard & Louf 2023 for the index; Valmari 2012 for the minimal automaton in m log n.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from cpython.buffer cimport PyBUF_ND, PyBUF_WRITABLE, PyObject_GetBuffer, PyBuffer_Release
from grammask.kernel.memory cimport *

import numpy

from grammask.errors import LimitError
from grammask.kernel.store cimport Store
from grammask.kernel.trie cimport Trie, TrieNode

TABLE_BYTES = 1 << 30          # memory of the table a walk follows

cdef enum:
    COMPLETE = 1               # marks, as `places.explore` gives them
    RESTS = 2
    SPECIAL = 256

cdef uint32_t NONE = 0xFFFFFFFF


cdef struct Partition:
    # Numbers 0 .. n - 1 in disjoint sets that can be cut in two: each set is a run of `elements`, its marked members first.
    uint32_t n_sets
    uint32_t n_touched
    uint32_t *elements
    uint32_t *place            # of each number in `elements`
    uint32_t *set_of
    uint32_t *first            # run of each set
    uint32_t *end
    uint32_t *n_marked
    uint32_t *touched          # sets with a marked member


cdef bint open_partition(Partition *p, uint32_t n) noexcept nogil:
    """All numbers in one set. False when memory ends; to be closed in any case."""
    cdef uint32_t i
    cdef size_t size = (<size_t>n + 1) * sizeof(uint32_t)
    memset(p, 0, sizeof(Partition))
    p.elements = <uint32_t *>malloc(size)
    p.place = <uint32_t *>malloc(size)
    p.set_of = <uint32_t *>calloc(n + 1, sizeof(uint32_t))
    p.first = <uint32_t *>calloc(n + 1, sizeof(uint32_t))
    p.end = <uint32_t *>calloc(n + 1, sizeof(uint32_t))
    p.n_marked = <uint32_t *>calloc(n + 1, sizeof(uint32_t))
    p.touched = <uint32_t *>malloc(size)
    if not (p.elements and p.place and p.set_of and p.first and p.end and p.n_marked and p.touched):
        return False
    for i in range(n):
        p.elements[i] = p.place[i] = i
    p.end[0] = n
    p.n_sets = 1 if n else 0
    return True


cdef void close_partition(Partition *p) noexcept nogil:
    free(p.elements)
    free(p.place)
    free(p.set_of)
    free(p.first)
    free(p.end)
    free(p.n_marked)
    free(p.touched)


cdef inline void mark(Partition *p, uint32_t number) noexcept nogil:
    """Move a number that is not marked yet to the marked ones of its set."""
    cdef uint32_t set_ = p.set_of[number], here = p.place[number], there = p.first[set_] + p.n_marked[set_], other
    if here < there:
        return
    other = p.elements[there]
    p.elements[here] = other
    p.place[other] = here
    p.elements[there] = number
    p.place[number] = there
    if p.n_marked[set_] == 0:
        p.touched[p.n_touched] = set_
        p.n_touched += 1
    p.n_marked[set_] += 1


cdef void split(Partition *p) noexcept nogil:
    """Cut every set with marked and other members in two, of which the smaller is the new one; nothing is marked any more."""
    cdef uint32_t set_, fresh, cut, i
    while p.n_touched:
        p.n_touched -= 1
        set_ = p.touched[p.n_touched]
        cut = p.first[set_] + p.n_marked[set_]
        fresh = p.n_sets
        if cut == p.end[set_]:
            p.n_marked[set_] = 0
            continue
        if 2 * p.n_marked[set_] <= p.end[set_] - p.first[set_]:
            p.first[fresh] = p.first[set_]
            p.end[fresh] = p.first[set_] = cut
        else:
            p.end[fresh] = p.end[set_]
            p.first[fresh] = p.end[set_] = cut
        for i in range(p.first[fresh], p.end[fresh]):
            p.set_of[p.elements[i]] = fresh
        p.n_marked[set_] = p.n_marked[fresh] = 0
        p.n_sets += 1


cdef struct Arrows:
    # Transitions by number: from, class, to; and by where they lead.
    uint32_t n
    uint32_t *tail
    uint32_t *label
    uint32_t *head
    uint32_t *into_first
    uint32_t *into


cdef class TokenAutomaton:
    """The automaton over tokens that comes of one over symbols; for `Constraint.index`.

    marks, edge_first, edges: as `places.explore` gives them. Raises LimitError for tables above TABLE_BYTES.
    Cost: of making it, m log n for m edges times classes; see the methods for the rest.
    """
    cdef Store store
    cdef Trie *trie
    cdef const uint32_t *marks
    cdef const uint32_t *edge_first
    cdef const uint32_t *edges
    cdef object held               # owns the three
    cdef uint32_t n_places
    cdef Words cuts                # class c: symbols cuts[c] .. cuts[c + 1] - 1
    cdef uint32_t n_classes
    cdef uint32_t class_of[256]    # NONE: no edge takes the byte
    cdef uint32_t n_blocks         # states of the minimal automaton
    cdef uint32_t *table           # block times class: block, or NONE
    cdef uint8_t *block_marks
    cdef Words order               # blocks by number of state
    cdef uint32_t *number          # block -> state, NONE: not met
    cdef Words sizes               # tokens of each state
    cdef size_t n_finals
    cdef size_t n_transitions
    cdef int32_t *target           # of the state in work: next state of each token
    cdef uint64_t *allowed         # its tokens as bits; all zero between walks
    cdef Words path                # of a walk: trie nodes to go on from, each with its block

    def __init__(self, Store store not None, bytes marks not None, bytes edge_first not None, bytes edges not None):
        if self.store is not None or store.engine.trie == NULL:
            raise TypeError("a TokenAutomaton is made once, of a Store")
        if len(marks) < 4 or len(edge_first) != len(marks) + 4:
            raise ValueError("an automaton has a start, and one offset more than places")
        self.store = store
        self.trie = store.engine.trie
        self.held = (marks, edge_first, edges)
        self.marks = <const uint32_t *><const char *>marks
        self.edge_first = <const uint32_t *><const char *>edge_first
        self.edges = <const uint32_t *><const char *>edges
        self.n_places = len(marks) // 4
        self._check(len(edges) // 12)
        self._cut()
        self._minimise()
        self._open_walk()

    def __dealloc__(self):
        free(self.cuts.at)
        free(self.table)
        free(self.block_marks)
        free(self.order.at)
        free(self.number)
        free(self.sizes.at)
        free(self.target)
        free(self.allowed)
        free(self.path.at)

    cdef _check(self, size_t n_edges):
        cdef uint32_t place
        cdef size_t i
        for place in range(self.n_places):
            if self.edge_first[place] > self.edge_first[place + 1]:
                raise ValueError("offsets of edges decrease")
        if self.edge_first[0] != 0 or self.edge_first[self.n_places] != n_edges:
            raise ValueError("offsets of edges do not cover them")
        for i in range(n_edges):
            if self.edges[3 * i] > self.edges[3 * i + 1] or self.edges[3 * i + 2] >= self.n_places:
                raise ValueError("an edge without symbols, or to nowhere")

    # -- the minimal automaton ----------------------------------------------------------------------------------------

    cdef _cut(self):
        """Cut all symbols into classes on which every edge acts alike."""
        cdef uint32_t i, n_edges = self.edge_first[self.n_places]
        cdef uint8_t byte_cut[257]
        cdef size_t c = 0
        cdef bint good = True
        memset(byte_cut, 0, 257)
        for i in range(n_edges):
            if self.edges[3 * i] < SPECIAL:
                byte_cut[self.edges[3 * i]] = 1
                byte_cut[min(self.edges[3 * i + 1] + 1, 256)] = 1
            if self.edges[3 * i + 1] >= SPECIAL:
                good = good and words_push(&self.cuts, max(self.edges[3 * i], 256)) and words_push(&self.cuts, self.edges[3 * i + 1] + 1)
                if self.cuts.n > 1 << 20:
                    self.cuts.n = unique_words(self.cuts.at, self.cuts.n)
        for i in range(257):
            good = good and (not byte_cut[i] or words_push(&self.cuts, i))
        if not good:
            raise MemoryError()
        self.cuts.n = unique_words(self.cuts.at, self.cuts.n)
        self.n_classes = self.cuts.n - 1 if self.cuts.n else 0
        for i in range(256):
            while c + 1 < self.cuts.n and self.cuts.at[c + 1] <= i:
                c += 1
            self.class_of[i] = c if c < self.n_classes and self.cuts.at[c] <= i else NONE

    cdef _minimise(self):
        """Merge the places that no string tells apart, and lay the rest out as a table."""
        cdef Partition blocks, cords
        cdef Arrows arrows
        cdef bint good
        memset(&blocks, 0, sizeof(blocks))
        memset(&cords, 0, sizeof(cords))
        memset(&arrows, 0, sizeof(arrows))
        cdef size_t n = self._count_arrows()
        if n * 4 > <size_t>TABLE_BYTES:
            raise LimitError("size of an automaton in bytes", 4 * n, TABLE_BYTES, "use masks, which need no list of all states")
        try:
            with nogil:
                good = self.draw(&arrows, n) and open_partition(&blocks, self.n_places) and open_partition(&cords, arrows.n)
                good = good and part_by_label(&cords, &arrows, self.n_classes)
                if good:
                    self.part_by_marks(&blocks)
                    refine(&blocks, &cords, &arrows)
            if not good:
                raise MemoryError()
            self._lay_out(&blocks, &arrows)
        finally:
            close_partition(&blocks)
            close_partition(&cords)
            free(arrows.tail)
            free(arrows.label)
            free(arrows.head)
            free(arrows.into_first)
            free(arrows.into)

    cdef inline uint32_t class_from(self, uint32_t symbol) noexcept nogil:
        """The class that begins with a symbol at which an edge begins."""
        cdef uint32_t low = 0, high = self.n_classes, middle
        if symbol < SPECIAL:
            return self.class_of[symbol]
        while low < high:
            middle = (low + high) >> 1
            if self.cuts.at[middle] < symbol:
                low = middle + 1
            else:
                high = middle
        return low

    cdef size_t _count_arrows(self) noexcept nogil:
        cdef size_t n = 0
        cdef uint32_t i, c
        for i in range(self.edge_first[self.n_places]):
            c = self.class_from(self.edges[3 * i])
            while c < self.n_classes and self.cuts.at[c] <= self.edges[3 * i + 1]:
                c += 1
                n += 1
        return n

    cdef bint draw(self, Arrows *arrows, size_t n) noexcept nogil:
        """All transitions, one for each edge and class, and the lists of those that lead into each place."""
        cdef uint32_t place, i, c, k = 0
        arrows.tail = <uint32_t *>malloc((n + 1) * sizeof(uint32_t))
        arrows.label = <uint32_t *>malloc((n + 1) * sizeof(uint32_t))
        arrows.head = <uint32_t *>malloc((n + 1) * sizeof(uint32_t))
        arrows.into_first = <uint32_t *>calloc(<size_t>self.n_places + 2, sizeof(uint32_t))
        arrows.into = <uint32_t *>malloc((n + 1) * sizeof(uint32_t))
        if not (arrows.tail and arrows.label and arrows.head and arrows.into_first and arrows.into):
            return False
        for place in range(self.n_places):
            for i in range(self.edge_first[place], self.edge_first[place + 1]):
                c = self.class_from(self.edges[3 * i])
                while c < self.n_classes and self.cuts.at[c] <= self.edges[3 * i + 1]:
                    arrows.tail[k] = place
                    arrows.label[k] = c
                    arrows.head[k] = self.edges[3 * i + 2]
                    arrows.into_first[arrows.head[k] + 2] += 1
                    c += 1
                    k += 1
        arrows.n = k
        for place in range(self.n_places):
            arrows.into_first[place + 1] += arrows.into_first[place]
        arrows.into_first[self.n_places + 1] = 0
        # into_first[p + 1] is now where those into p begin; filling moves it to where they end.
        for k in range(arrows.n):
            place = arrows.head[k]
            arrows.into[arrows.into_first[place + 1]] = k
            arrows.into_first[place + 1] += 1
        return True

    cdef void part_by_marks(self, Partition *blocks) noexcept nogil:
        cdef uint32_t place, bit
        for bit in range(2):
            for place in range(self.n_places):
                if (self.marks[place] >> bit) & 1:
                    mark(blocks, place)
            split(blocks)

    cdef _lay_out(self, const Partition *blocks, const Arrows *arrows):
        cdef uint32_t k, block
        cdef size_t cells = <size_t>blocks.n_sets * max(self.n_classes, 1), i
        if cells * 4 > <size_t>TABLE_BYTES:
            raise LimitError("size of an automaton in bytes", 4 * cells, TABLE_BYTES, "use masks, which need no list of all states")
        self.n_blocks = blocks.n_sets
        self.table = <uint32_t *>malloc(cells * sizeof(uint32_t))
        self.block_marks = <uint8_t *>malloc(self.n_blocks)
        self.number = <uint32_t *>malloc(self.n_blocks * sizeof(uint32_t))
        if not (self.table and self.block_marks and self.number):
            raise MemoryError()
        for i in range(cells):
            self.table[i] = NONE
        for block in range(self.n_blocks):
            self.block_marks[block] = self.marks[blocks.elements[blocks.first[block]]]
            self.number[block] = NONE
        for k in range(arrows.n):
            self.table[<size_t>blocks.set_of[arrows.tail[k]] * self.n_classes + arrows.label[k]] = blocks.set_of[arrows.head[k]]
        if not words_push(&self.order, blocks.set_of[0]):
            raise MemoryError()
        self.number[blocks.set_of[0]] = 0

    # -- tokens -------------------------------------------------------------------------------------------------------

    cdef _open_walk(self):
        self.target = <int32_t *>malloc(self.trie.vocabulary_size * sizeof(int32_t))
        self.allowed = <uint64_t *>calloc(self.trie.vocabulary_size // 64 + 1, sizeof(uint64_t))
        if not (self.target and self.allowed):
            raise MemoryError()

    cdef inline bint reach(self, uint32_t block) noexcept nogil:
        """Number a block that a token leads to."""
        if self.number[block] == NONE:
            self.number[block] = self.order.n
            return words_push(&self.order, block)
        return True

    cdef inline void allow(self, int32_t token, uint32_t state) noexcept nogil:
        self.target[token] = state
        self.allowed[token >> 6] |= (<uint64_t>1) << (token & 63)

    cdef int64_t walk(self, uint32_t block, bint keep) noexcept nogil:
        """How many tokens leave a state, end tokens aside; `keep`: note them and where they lead. -1 when memory ends."""
        cdef Trie *trie = self.trie
        cdef TrieNode *node = &trie.nodes[0]
        cdef TrieNode *below
        cdef int32_t child, i
        cdef uint32_t to, class_, at = block
        cdef uint32_t *row
        cdef int64_t n = 0
        self.path.n = 0
        while True:
            row = self.table + <size_t>at * self.n_classes
            child = node.first + node.n_children
            while child > node.first:      # so that the path gives them back in the order in which they lie
                child -= 1
                if trie.label[child] >= SPECIAL:
                    continue
                class_ = self.class_of[trie.label[child]]
                to = row[class_] if class_ != NONE else NONE
                if to == NONE:
                    continue
                below = &trie.nodes[child]
                if below.n_tokens and self.block_marks[to] & RESTS:
                    n += below.n_tokens
                    if not self.reach(to):
                        return -1
                    if keep:
                        for i in range(below.token_first, below.token_first + below.n_tokens):
                            self.allow(trie.token_ids[i], self.number[to])
                if below.n_children and not (words_push(&self.path, child) and words_push(&self.path, to)):
                    return -1
            if self.path.n == 0:
                return self.walk_specials(block, keep, n)
            self.path.n -= 2
            node = &trie.nodes[self.path.at[self.path.n]]
            at = self.path.at[self.path.n + 1]

    cdef int64_t walk_specials(self, uint32_t block, bint keep, int64_t n) noexcept nogil:
        cdef uint32_t c = self.n_classes, symbol, to
        cdef int32_t token
        while c > 0 and self.cuts.at[c - 1] >= SPECIAL:
            c -= 1
            to = self.table[<size_t>block * self.n_classes + c]
            if to == NONE or not self.block_marks[to] & RESTS:
                continue
            for symbol in range(self.cuts.at[c], self.cuts.at[c + 1]):
                token = symbol - SPECIAL
                if token >= self.trie.vocabulary_size:
                    break
                if self.trie.is_end[token] or self.trie.byte_of_token[token + 1] != self.trie.byte_of_token[token]:
                    continue
                n += 1
                if not self.reach(to):
                    return -1
                if keep:
                    self.allow(token, self.number[to])
        return n

    def measure(self, size_t most_transitions):
        """Find the states that tokens lead to: (states, transitions), the state behind the end tokens included.

        Stops above `most_transitions`, and the second number is above it then.
        Cost: a walk of the trie for each state; 3 ms for 128,000 tokens where most are allowed.
        """
        cdef size_t state = self.sizes.n
        cdef int64_t n = 0
        with nogil:
            while state < self.order.n and self.n_transitions <= most_transitions:
                n = self.walk(self.order.at[state], False)
                if n < 0:
                    break
                if self.block_marks[self.order.at[state]] & COMPLETE:
                    self.n_finals += 1
                    n += self.trie.n_ends
                if not words_push(&self.sizes, <uint32_t>n):
                    n = -1
                    break
                self.n_transitions += n
                state += 1
        if n < 0:
            raise MemoryError()
        return self.order.n + (self.trie.n_ends != 0), self.n_transitions

    def rows(self):
        """The arrays, once measured: (row_start int64, token_ids int32, next_states int32, finals int32). Cost: that of `measure`."""
        cdef size_t n = self.order.n
        if self.sizes.n != n or n == 0:
            raise TypeError("measure first")
        row_start = numpy.zeros(n + 1 + (self.trie.n_ends != 0), dtype=numpy.int64)
        numpy.cumsum(numpy.frombuffer((<const char *>self.sizes.at)[:4 * n], dtype=numpy.uint32), out=row_start[1:n + 1])
        row_start[n + 1:] = self.n_transitions
        token_ids = numpy.empty(self.n_transitions, dtype=numpy.int32)
        next_states = numpy.empty(self.n_transitions, dtype=numpy.int32)
        finals = numpy.empty(self.n_finals, dtype=numpy.int32)
        self._write(token_ids, next_states, finals)
        return row_start, token_ids, next_states, finals

    cdef _write(self, token_ids, next_states, finals):
        cdef Py_buffer tokens, targets, ends
        cdef bint good = True
        cdef size_t state = 0
        cdef int32_t *token
        cdef int32_t *to
        cdef int32_t *final
        PyObject_GetBuffer(token_ids, &tokens, PyBUF_WRITABLE | PyBUF_ND)
        PyObject_GetBuffer(next_states, &targets, PyBUF_WRITABLE | PyBUF_ND)
        PyObject_GetBuffer(finals, &ends, PyBUF_WRITABLE | PyBUF_ND)
        token = <int32_t *>tokens.buf
        to = <int32_t *>targets.buf
        final = <int32_t *>ends.buf
        with nogil:
            while state < self.order.n and good:
                good = self.walk(self.order.at[state], True) >= 0
                if good and self.block_marks[self.order.at[state]] & COMPLETE:
                    final[0] = <int32_t>state
                    final += 1
                    self.allow_ends()
                self.empty(token, to)
                token += self.sizes.at[state]
                to += self.sizes.at[state]
                state += 1
        PyBuffer_Release(&tokens)
        PyBuffer_Release(&targets)
        PyBuffer_Release(&ends)
        if not good:
            raise MemoryError()

    cdef void allow_ends(self) noexcept nogil:
        cdef uint32_t i
        for i in range(self.trie.n_ends):
            self.allow(self.trie.ends[i], self.order.n)

    cdef void empty(self, int32_t *token, int32_t *to) noexcept nogil:
        """Write what was noted, in order of tokens, and forget it."""
        cdef int32_t word, id_, n = 0
        cdef uint64_t bits
        for word in range(self.trie.vocabulary_size // 64 + 1):
            bits = self.allowed[word]
            self.allowed[word] = 0
            while bits:
                id_ = 64 * word + lowest_bit(bits)
                bits &= bits - 1
                token[n] = id_
                to[n] = self.target[id_]
                n += 1


cdef bint part_by_label(Partition *cords, const Arrows *arrows, uint32_t n_labels) noexcept nogil:
    """Transitions into one set for each class, by counting. False when memory ends."""
    cdef uint32_t *at = <uint32_t *>calloc(<size_t>n_labels + 1, sizeof(uint32_t))
    cdef uint32_t k, label
    if at == NULL:
        return False
    for k in range(arrows.n):
        at[arrows.label[k] + 1] += 1
    for label in range(n_labels):
        at[label + 1] += at[label]
    for k in range(arrows.n):
        label = arrows.label[k]
        cords.elements[at[label]] = k
        cords.place[k] = at[label]
        at[label] += 1
    free(at)
    cords.n_sets = 0
    for k in range(arrows.n):
        label = arrows.label[cords.elements[k]]
        if k == 0 or label != arrows.label[cords.elements[k - 1]]:
            cords.first[cords.n_sets] = k
            cords.n_sets += 1
        cords.set_of[cords.elements[k]] = cords.n_sets - 1
        cords.end[cords.n_sets - 1] = k + 1
    return True


cdef void refine(Partition *blocks, Partition *cords, const Arrows *arrows) noexcept nogil:
    """Cut blocks until transitions of one class from one block lead to one block.

    A cord is a set of transitions of one class into one block: the blocks it leaves from are cut into those that do and those that do not.
    Each block that comes of it cuts the cords in turn. The largest part of what was cut needs no second look.
    """
    cdef uint32_t block = 1, cord = 0, i, j, place
    while cord < cords.n_sets:
        for i in range(cords.first[cord], cords.end[cord]):
            mark(blocks, arrows.tail[cords.elements[i]])
        split(blocks)
        cord += 1
        while block < blocks.n_sets:
            for i in range(blocks.first[block], blocks.end[block]):
                place = blocks.elements[i]
                for j in range(arrows.into_first[place], arrows.into_first[place + 1]):
                    mark(cords, arrows.into[j])
            split(cords)
            block += 1
