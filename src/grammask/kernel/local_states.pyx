# cython: language_level=3
"""The automaton that a grammar's texts move through, one local state at a time, for those who reason about grammars.

Rule: numbers, never addresses: a local state is known by the number in which it was first asked for; 0 is the start of the root rule.
Rule: looking makes states as matchers do, and changes nothing else.
Below: automata, classify, text, store.  Above: decoding.cost, tools.bench.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset
from grammask.kernel.automata cimport *
from grammask.kernel.classify cimport classified, write_parts
from grammask.kernel.memory cimport *
from grammask.kernel.store cimport Bound
from grammask.kernel.text cimport TextRule
from grammask.kernel.trie cimport TrieNode

import numpy

cdef uint32_t NEVER = 0xFFFFFFFF


cdef class LocalStates:
    """The local states of one grammar, found as they are asked for. Belongs to one thread at a time."""
    cdef readonly Bound bound
    cdef Engine *engine
    cdef Pointers states
    cdef dict numbers
    cdef set within                # addresses of states of texts that were counted

    def __init__(self, Bound bound not None):
        cdef int fault = FAULT_NONE
        cdef State *start
        if self.bound is not None or bound.root == NULL:
            raise TypeError("LocalStates are made once, from a Bound")
        bound.complete()
        self.bound = bound
        self.engine = &bound.store.engine
        self.numbers = {}
        self.within = set()
        lock_engine(self.engine)
        start = start_of(self.engine, bound.root)
        release(self.engine, &fault)
        self._number(start, fault)

    def __dealloc__(self):
        free(self.states.at)

    def __len__(self):
        """How many were found, those counted within texts among them."""
        return len(self.within | self.numbers.keys())

    cdef size_t _number(self, State *state, int fault) except? 0xFFFFFFFF:
        if state == NULL:
            raise fault_error(self.engine, fault)
        key = <size_t>state
        if key not in self.numbers:
            if not pointers_push(&self.states, state):
                raise MemoryError()
            self.numbers[key] = self.states.n - 1
        return self.numbers[key]

    cdef State *_state(self, size_t number) except NULL:
        cdef int fault = FAULT_NONE
        cdef State *state
        if number >= self.states.n:
            raise ValueError(f"no state has the number {number} yet")
        state = <State *>self.states.at[number]
        if not ensure_expanded(self.engine, state, &fault):
            raise fault_error(self.engine, fault)
        return state

    def look(self, size_t number):
        """(rank of its rule, accepting, passive, segments, calls) of a state.

        accepting: its frame may end here.  passive: and nothing else is left to do.
        segments: (low, high, states): symbols low..high lead to one of the states; to which, if there are several, depends on how many
        characters have been read.  calls: (start of the rule that is called, state to come back to).
        """
        cdef State *state = self._state(number)
        cdef uint32_t i
        cdef list segments = []
        cdef list calls = []
        cdef State *to
        cdef int fault
        for i in range(state.n_segments):
            fault = FAULT_NONE
            to = target(self.engine, state, &state.segments[i], &fault)
            segments.append((state.segments[i].low, state.segments[i].high, self._settled(to, fault)))
        for i in range(state.n_calls):
            calls.append((self._number(state.calls[i].start, 0), self._number(state.calls[i].back, 0)))
        return state.rule.rank, bool(state.accepting), bool(state.passive), tuple(segments), tuple(calls)

    cdef tuple _settled(self, State *to, int fault):
        """The numbers of a state and of those that open counts may turn it into."""
        cdef State *others[2]
        cdef dict found = {self._number(to, fault): None}
        cdef int i
        self._turned(to, others)
        for i in range(2):
            if others[i] != NULL:
                found[self._number(others[i], 0)] = None
        return tuple(found)

    def is_text(self, size_t number):
        """Whether a state is one of a text: alone on its stack it stays alone until its closing quote."""
        return self._state(number).rule.text != NULL

    def count_text(self, size_t number, size_t most):
        """How many states of texts were counted so far, after those that a text's state leads to; stops above `most`. Cost: 1 us each."""
        cdef Pointers pending
        cdef State *state = self._state(number)
        cdef size_t i
        cdef bint good = True
        memset(&pending, 0, sizeof(pending))
        try:
            good = self._reach_text(state, &pending)
            while good and pending.n and <size_t>len(self.within) <= most:
                pending.n -= 1
                good = self._leave_text(<State *>pending.at[pending.n], &pending)
            if not good:
                raise MemoryError()
        finally:
            free(pending.at)
        return len(self.within)

    cdef bint _reach_text(self, State *state, Pointers *pending) except -1:
        if <size_t>state in self.within:
            return True
        self.within.add(<size_t>state)
        return pointers_push(pending, state)

    cdef bint _leave_text(self, State *state, Pointers *pending) except -1:
        cdef int fault = FAULT_NONE
        cdef uint32_t i
        cdef State *to
        cdef State *others[2]
        cdef bint good = True
        if not ensure_expanded(self.engine, state, &fault):
            raise fault_error(self.engine, fault)
        for i in range(state.n_segments):
            to = target(self.engine, state, &state.segments[i], &fault)
            if to == NULL:
                raise fault_error(self.engine, fault)
            good = good and self._reach_text(to, pending)
            self._turned(to, others)
            good = good and (others[0] == NULL or self._reach_text(others[0], pending))
            good = good and (others[1] == NULL or self._reach_text(others[1], pending))
        return good

    cdef int _turned(self, State *to, State **others) except -1:
        """What open counts may turn a state into, beside itself: a bound of length comes within reach of one token at one count."""
        cdef TextRule *text = <TextRule *>to.rule.text
        cdef int64_t bounds[2]
        cdef int fault = FAULT_NONE
        cdef int i
        others[0] = others[1] = NULL
        if not to.elastic or text.clamp == NEVER:
            return 0
        bounds[0] = text.minimum
        bounds[1] = text.maximum
        for i in range(2):
            if bounds[i] >= text.clamp:
                lock_engine(self.engine)
                others[i] = self.engine.settle_text(self.engine, to, <uint32_t>(bounds[i] - text.clamp + 1))
                release(self.engine, &fault)
                if others[i] == NULL:
                    raise fault_error(self.engine, fault)
        return 0

    def leaving_tokens(self, size_t number):
        """(tokens that stay, trie nodes at which the frame ends within a token, ids of the tokens that go on there).

        The first are allowed whatever is on the stack; of the last, the stack decides. Ids that are among the first already are left out.
        Cost: that of a mask, cold, and a pass over it.
        """
        cdef State *state = self._state(number)
        cdef int fault = FAULT_NONE
        cdef Classification *made = classified(self.engine, state, self.engine.root, &fault)
        cdef uint32_t i
        cdef int32_t at
        cdef TrieNode *node
        if made == NULL:
            raise fault_error(self.engine, fault)
        row = numpy.zeros(self.engine.trie.mask_words, dtype=numpy.uint32)
        write_parts(self.engine, made.parts, made.n_parts, <uint32_t *><size_t>row.ctypes.data)
        stays = numpy.unpackbits(row.view(numpy.uint8), bitorder="little")
        cdef set leaving = set()
        if made.exits != NULL:
            for i in range(made.exits.n):
                node = &self.engine.trie.nodes[made.exits.nodes[i]]
                for at in range(node.token_first + node.n_tokens, node.token_end):
                    leaving.add(self.engine.trie.token_ids[at])
        ids = numpy.array(sorted(leaving), dtype=numpy.int32)
        return int(stays.sum()), 0 if made.exits == NULL else made.exits.n, ids[stays[ids] == 0]
