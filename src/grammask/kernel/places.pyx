# cython: language_level=3
"""Places: what symbols and tokens lead to, as sets of configurations known by number, for those who look ahead.

`explore` lists all places of a grammar without recursion, for the materialised index; `successors_of` those after the tokens of a
position, for budgets.
Below: completions, matcher.  Above: decoding.index, decoding.budget (through Matcher.successors).
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
import numpy

from grammask.errors import LimitError, UnsupportedFeatureError
from grammask.kernel.automata cimport *
from grammask.kernel.completions cimport least_left, stack_cost
from grammask.kernel.costs cimport ENDLESS, frame_cost
from grammask.kernel.matcher cimport FAULTED, REFUSED, TAKEN, Matcher, Outcome
from grammask.kernel.stacks cimport *
from grammask.kernel.store cimport Bound
from grammask.kernel.text cimport BOUNDARY, TextRule
from grammask.kernel.trie cimport ROUGH_BELOW, Trie, children_end

cdef enum:
    COMPLETE = 1               # marks of a place: the text is in the language,
    RESTS = 2                  # and a token may end there

cdef size_t PLACE_BYTES = <size_t>1 << 30


cdef class Exploration:
    """The places that symbols lead to from the start of a grammar, as an automaton; for `explore`, which see."""
    cdef Matcher matcher
    cdef Configuration *held       # of all places, one after the other, each place's in order
    cdef size_t n_held
    cdef size_t room
    cdef Words first               # place -> offset in `held`, and one more
    cdef Words marks
    cdef Words edge_first
    cdef Words edges               # (low, high, place) of each
    cdef Words cuts
    cdef Pointers reached          # states whose symbols can come next
    cdef uint32_t *table           # open addressing, 1 + place
    cdef size_t table_room
    cdef size_t most
    cdef bint is_full              # more places than `most`

    def __dealloc__(self):
        free(self.held)
        free(self.first.at)
        free(self.marks.at)
        free(self.edge_first.at)
        free(self.edges.at)
        free(self.cuts.at)
        free(self.reached.at)
        free(self.table)

    cdef bint run(self) noexcept nogil:
        cdef size_t place = 0
        if not words_push(&self.first, 0) or not words_push(&self.edge_first, 0):
            return False
        self.matcher.next_.n = 0
        if not add_configuration(&self.matcher.next_, self.matcher.position_.at[0].state, self.matcher.position_.at[0].stack, 0):
            return False
        if self.intern(RESTS | (COMPLETE if self.matcher.position_.complete else 0)) < 0:
            return False
        while place < self.marks.n:
            if not self.leave(place):
                return False
            place += 1
        return True

    cdef bint leave(self, size_t place) noexcept nogil:
        """Step from a place by every symbol, once for each run of symbols that act alike."""
        cdef size_t i
        cdef uint32_t low, high
        cdef bint complete, rests
        cdef int64_t to
        cdef Outcome outcome
        if not self.load(place) or not self.cut():
            return False
        for i in range(1, self.cuts.n):
            low = self.cuts.at[i - 1]
            high = self.cuts.at[i] - 1
            outcome = self.matcher._step(low, &complete, &rests)
            if outcome == FAULTED:
                return False
            if outcome == TAKEN:
                to = self.intern((COMPLETE if complete else 0) | (RESTS if rests else 0))
                if to < 0 or not self.add_edge(low, high, <uint32_t>to):
                    return False
        return words_push(&self.edge_first, <uint32_t>(self.edges.n // 3))

    cdef bint add_edge(self, uint32_t low, uint32_t high, uint32_t to) noexcept nogil:
        cdef uint32_t *last
        if self.edges.n > 3 * <size_t>self.edge_first.at[self.edge_first.n - 1]:
            last = self.edges.at + self.edges.n - 3
            if last[1] + 1 == low and last[2] == to:
                last[1] = high
                return True
        return words_push(&self.edges, low) and words_push(&self.edges, high) and words_push(&self.edges, to)

    cdef bint load(self, size_t place) noexcept nogil:
        """The matcher's present configurations = those of a place."""
        cdef uint32_t i
        self.matcher.now.n = 0
        self.reached.n = 0
        for i in range(self.first.at[place], self.first.at[place + 1]):
            if not add_configuration(&self.matcher.now, self.held[i].state, self.held[i].stack, self.held[i].count) or not self.reach(self.held[i].state):
                return False
        return True

    cdef bint reach(self, State *state) noexcept nogil:
        cdef size_t i
        for i in range(self.reached.n):
            if self.reached.at[i] == <void *>state:
                return True
        return pointers_push(&self.reached, state)

    cdef bint cut(self) noexcept nogil:
        """The symbols at which what comes next may change, calls looked through."""
        cdef size_t i = 0
        cdef uint32_t j
        cdef State *state
        self.cuts.n = 0
        while i < self.reached.n:
            state = <State *>self.reached.at[i]
            i += 1
            if not ensure_expanded(self.matcher.engine, state, &self.matcher.fault):
                return False
            for j in range(state.n_segments):
                if not words_push(&self.cuts, state.segments[j].low) or not words_push(&self.cuts, state.segments[j].high + 1):
                    return False
            for j in range(state.n_calls):
                if not self.reach(state.calls[j].start):
                    return False
        self.cuts.n = unique_words(self.cuts.at, self.cuts.n)
        return True

    cdef int64_t intern(self, uint32_t marks) noexcept nogil:
        """The place of the matcher's next configurations; -1 when memory ends or there are too many."""
        cdef Configurations *found = &self.matcher.next_
        cdef uint32_t i, n
        cdef uint64_t hash
        cdef size_t at, place
        for i in range(found.n):
            found.at[i].count = telling_count(&found.at[i])
        n = ordered(found.at, found.n)
        hash = marks
        for i in range(n):
            hash = mix(hash, configuration_hash(&found.at[i]))
        if 2 * self.marks.n >= self.table_room and not self.grow():
            return -1
        at = hash & (self.table_room - 1)
        while self.table[at]:
            place = self.table[at] - 1
            if self.marks.at[place] == marks and self.same(place, found.at, n):
                return place
            at = (at + 1) & (self.table_room - 1)
        if self.marks.n >= self.most:
            self.is_full = True
            return -1
        self.table[at] = self.marks.n + 1
        return <int64_t>self.marks.n - 1 if self.keep(found.at, n, marks) else -1

    cdef bint same(self, size_t place, const Configuration *at, uint32_t n) noexcept nogil:
        cdef uint32_t first = self.first.at[place], i
        if self.first.at[place + 1] - first != n:
            return False
        for i in range(n):
            if self.held[first + i].state != at[i].state or self.held[first + i].stack != at[i].stack or self.held[first + i].count != at[i].count:
                return False
        return True

    cdef bint keep(self, const Configuration *at, uint32_t n, uint32_t marks) noexcept nogil:
        cdef void *moved
        if self.n_held + n > self.room:
            self.room = 2 * (self.n_held + n) + 64
            if self.room * sizeof(Configuration) > PLACE_BYTES:
                return False
            moved = realloc(self.held, self.room * sizeof(Configuration))
            if moved == NULL:
                return False
            self.held = <Configuration *>moved
        copy_bytes(self.held + self.n_held, at, n * sizeof(Configuration))
        self.n_held += n
        return words_push(&self.first, <uint32_t>self.n_held) and words_push(&self.marks, marks)

    cdef bint grow(self) noexcept nogil:
        cdef size_t room = self.table_room * 4 if self.table_room else 256, place, at
        cdef uint32_t *table = <uint32_t *>calloc(room, sizeof(uint32_t))
        cdef uint64_t hash
        cdef uint32_t i
        if table == NULL:
            return False
        for place in range(self.marks.n):
            hash = self.marks.at[place]
            for i in range(self.first.at[place], self.first.at[place + 1]):
                hash = mix(hash, configuration_hash(&self.held[i]))
            at = hash & (room - 1)
            while table[at]:
                at = (at + 1) & (room - 1)
            table[at] = <uint32_t>place + 1
        free(self.table)
        self.table = table
        self.table_room = room
        return True


cdef inline bint configuration_before(const Configuration *a, const Configuration *b) noexcept nogil:
    if a.state != b.state:
        return <size_t>a.state < <size_t>b.state
    if a.stack != b.stack:
        return <size_t>a.stack < <size_t>b.stack
    return a.count < b.count


cdef uint32_t ordered(Configuration *at, uint32_t n) noexcept nogil:
    """Sort and drop doubles; returns how many are left. The order is that of addresses, so it holds within one matcher only."""
    cdef uint32_t gap = 1, i, j, kept = 0
    cdef Configuration moved
    while gap < n // 3:
        gap = gap * 3 + 1
    while gap:
        for i in range(gap, n):
            moved = at[i]
            j = i
            while j >= gap and configuration_before(&moved, &at[j - gap]):
                at[j] = at[j - gap]
                j -= gap
            at[j] = moved
        gap //= 3
    for i in range(n):
        if kept == 0 or configuration_before(&at[kept - 1], &at[i]):
            at[kept] = at[i]
            kept += 1
    return kept


def explore(Bound bound not None, size_t most):
    """All places that symbols (bytes, special tokens) lead to from the start, as a deterministic automaton: (marks, edge_first, edges).

    Each is bytes of native uint32. marks[p]: bit 0, the text is in the language; bit 1, a token may end here. Place 0 is the start.
    edges: triples (low, high, to); those that leave p are edge_first[p] to edge_first[p + 1], increasing and disjoint.
    Only for grammars without recursion but in last place; others have places without end. Raises LimitError above `most` places.
    Cost: about 1 us for each place and run of symbols that act alike; releases the GIL.
    """
    cdef Exploration found = Exploration()
    cdef Matcher matcher = Matcher(bound)
    cdef bint good
    bound.complete()
    if bound.tells_apart:
        raise UnsupportedFeatureError("items that all differ", "what they lead to has no end of states", hint="use masks, which need no list of all states")
    found.matcher = matcher
    found.most = most if most < <size_t>1 << 28 else <size_t>1 << 28
    with nogil:
        PyThread_acquire_lock(matcher.family.lock, 1)
        good = found.run()
        PyThread_release_lock(matcher.family.lock)
    if not good:
        if found.is_full:
            raise LimitError("number of states", None, most, "raise the limit, shorten bounds of length, or use masks, which need no list of all states")
        matcher._raise_fault()
    return (
        (<const char *>found.marks.at)[:4 * found.marks.n],
        (<const char *>found.edge_first.at)[:4 * found.edge_first.n],
        (<const char *>found.edges.at)[:4 * found.edges.n] if found.edges.n else b"",
    )


# What tokens lead to: for budgets, which ask what each of them leaves to be done.


cdef class Prospect:
    """The places that the tokens allowed at a position lead to: the trie is walked with places, whose steps are worked out once each."""
    cdef Exploration places
    cdef Pointers moves            # of each place its steps by byte, int32_t[256] (see `after`); NULL until one is taken
    cdef bint brief                # leave out raw text inside a text without a pattern: it leaves no more to be done than there was
    cdef Words pending             # (node, place) of each trie node still to be walked
    cdef Words found               # (place, token) of each token

    def __dealloc__(self):
        cdef size_t i
        for i in range(self.moves.n):
            free(self.moves.at[i])
        free(self.moves.at)
        free(self.pending.at)
        free(self.found.at)

    cdef bint run(self) noexcept nogil:
        cdef uint32_t i
        cdef int64_t start
        cdef size_t place
        cdef int32_t node
        if not words_push(&self.places.first, 0):
            return False
        self.places.matcher.next_.n = 0
        for i in range(self.places.matcher.position_.n):
            if not add_configuration(&self.places.matcher.next_, self.places.matcher.position_.at[i].state, self.places.matcher.position_.at[i].stack, self.places.matcher.position_.at[i].count):
                return False
        start = self.places.intern(RESTS | (COMPLETE if self.places.matcher.position_.complete else 0))
        if start < 0 or not words_push(&self.pending, 0) or not words_push(&self.pending, <uint32_t>start):
            return False
        while self.pending.n:
            self.pending.n -= 2
            node = <int32_t>self.pending.at[self.pending.n]
            place = self.pending.at[self.pending.n + 1]
            if not self.walk(node, place):
                return False
        return True

    cdef bint walk(self, int32_t node, size_t place) noexcept nogil:
        """Go by each child of a node that the place can take."""
        cdef Trie *trie = self.places.matcher.engine.trie
        cdef int32_t child = children_end(trie, node) - 1, first = trie.nodes[node].first, i
        cdef uint32_t symbol
        cdef int64_t to
        while child >= first:
            symbol = <uint32_t>trie.label[child]
            if symbol < 256 or not trie.is_end[symbol - 256]:
                to = self.after(place, symbol)
                if to == -2:
                    return False
                if to >= 0:
                    if self.places.marks.at[to] & RESTS:
                        for i in range(trie.nodes[child].token_first, trie.nodes[child].token_first + trie.nodes[child].n_tokens):
                            if not words_push(&self.found, <uint32_t>to) or not words_push(&self.found, <uint32_t>trie.token_ids[i]):
                                return False
                    if trie.nodes[child].n_children and not (self.brief and self.is_plain(child, to)) and (not words_push(&self.pending, <uint32_t>child) or not words_push(&self.pending, <uint32_t>to)):
                        return False
            child -= 1
        return True

    cdef bint is_plain(self, int32_t node, size_t place) noexcept nogil:
        """Whether all below a node is raw text, and the place a text for which only the number of characters matters."""
        cdef State *state
        if self.places.matcher.engine.trie.nodes[node].flags & ROUGH_BELOW or self.places.first.at[place + 1] - self.places.first.at[place] != 1:
            return False
        state = self.places.held[self.places.first.at[place]].state
        return state.rule.text != NULL and (<TextRule *>state.rule.text).n_nodes == 0 and state.key[0] == BOUNDARY and state.key[6] == NOT_CLAMPED

    cdef int64_t after(self, size_t place, uint32_t symbol) noexcept nogil:
        """The place after a symbol; -1: it is refused, -2: a fault."""
        cdef int32_t *moves
        cdef int64_t to
        if symbol >= 256:
            return self.step(place, symbol)
        while self.moves.n <= place:
            if not pointers_push(&self.moves, NULL):
                return -2
        moves = <int32_t *>self.moves.at[place]
        if moves == NULL:
            moves = <int32_t *>calloc(256, sizeof(int32_t))    # 0: not known, 1: refused, 2 + place
            if moves == NULL:
                return -2
            self.moves.at[place] = moves
        if moves[symbol] == 0:
            to = self.step(place, symbol)
            if to == -2:
                return -2
            moves[symbol] = <int32_t>to + 2
        return moves[symbol] - 2

    cdef int64_t step(self, size_t place, uint32_t symbol) noexcept nogil:
        cdef bint complete, rests
        cdef Outcome outcome
        cdef uint32_t i
        cdef int64_t to
        self.places.matcher.now.n = 0
        for i in range(self.places.first.at[place], self.places.first.at[place + 1]):
            if not add_configuration(&self.places.matcher.now, self.places.held[i].state, self.places.held[i].stack, self.places.held[i].count):
                return -2
        outcome = self.places.matcher._step(symbol, &complete, &rests)
        if outcome == FAULTED:
            return -2
        if outcome == REFUSED:
            return -1
        to = self.places.intern((COMPLETE if complete else 0) | (RESTS if rests else 0))
        return to if to >= 0 else -2

    cdef int64_t least(self, size_t place) noexcept nogil:
        """Bytes of a shortest completion from a place; -1: not told by its states alone."""
        cdef Engine *engine = self.places.matcher.engine
        cdef int64_t least = ENDLESS, cost
        cdef Configuration *c
        cdef uint32_t i
        if self.places.marks.at[place] & COMPLETE:
            return 0
        lock_engine(engine)
        for i in range(self.places.first.at[place], self.places.first.at[place + 1]):
            c = &self.places.held[i]
            if c.state.rule.text != NULL and not is_told(c.state):
                least = ENDLESS
                break
            cost = frame_cost(engine, c.state) + stack_cost(engine, c.stack)
            if cost < least:
                least = cost
        release(engine, &self.places.matcher.fault)
        return least if least < ENDLESS else -1


cdef inline bint is_told(const State *state) noexcept nogil:
    """Whether the state of a text tells what is left to be done: between two characters, without a pattern or excluded strings near."""
    cdef TextRule *text = <TextRule *>state.rule.text
    return state.accepting or (state.key[0] == BOUNDARY and text.n_nodes == 0 and text.clamp == NOT_CLAMPED and state.key[6] == NOT_CLAMPED)


def successors_of(Matcher matcher not None, bint brief):
    """See `Matcher.successors`."""
    cdef Prospect prospect = Prospect()
    cdef bint good
    cdef list groups = []
    cdef int64_t least
    if matcher.position_.finished:
        return groups
    matcher._require_idle(NULL)
    matcher.bound.complete()
    if matcher.bound.tells_apart:
        return _told_successors(matcher)
    prospect.brief = brief
    prospect.places = Exploration()
    prospect.places.matcher = matcher
    prospect.places.most = <size_t>1 << 28
    matcher.busy = <void *>matcher
    with nogil:
        PyThread_acquire_lock(matcher.family.lock, 1)
        good = prospect.run()
        PyThread_release_lock(matcher.family.lock)
    matcher.busy = NULL
    if not good:
        matcher._raise_fault()
    if prospect.found.n == 0:
        return groups
    pairs = numpy.frombuffer((<const char *>prospect.found.at)[:4 * prospect.found.n], dtype=numpy.uint32).reshape(-1, 2)
    order = numpy.argsort(pairs[:, 0], kind="stable")
    places, first = numpy.unique(pairs[order, 0], return_index=True)
    for place, ids in zip(places.tolist(), numpy.split(pairs[order, 1].astype(numpy.int32), first[1:])):
        least = prospect.least(place)
        if matcher.fault != FAULT_NONE:
            matcher._raise_fault()
        groups.append((ids, least))
    return groups


def _told_successors(Matcher matcher not None):
    """The same where what a place allows depends on the texts that led there, so that each token is read by itself. Cost: 1 to 2 us a token."""
    cdef dict groups = {}
    cdef dict least = {}
    cdef Matcher trial = matcher.copy()
    cdef uint32_t i
    cdef bint complete
    cdef Outcome outcome
    cdef int32_t number
    cdef uint32_t[::1] row = numpy.zeros(matcher.engine.trie.mask_words, dtype=numpy.uint32)
    matcher._begin_mask()
    matcher._fill(&row[0])
    for number in range(matcher.engine.trie.vocabulary_size):
        if not (row[number >> 5] >> (number & 31)) & 1 or matcher.engine.trie.is_end[number]:
            continue
        while True:
            with nogil:
                PyThread_acquire_lock(trial.family.lock, 1)
                outcome = trial._try(number, &complete)
                PyThread_release_lock(trial.family.lock)
            if not trial._supplied():
                break
        if outcome == FAULTED:
            trial._raise_fault()
        key = (complete, tuple(sorted([(<size_t>trial.next_.at[i].state, <size_t>trial.next_.at[i].stack, telling_count(&trial.next_.at[i])) for i in range(trial.next_.n)])))
        if key not in groups:
            groups[key] = []
            least[key] = told_least(trial, complete)
        groups[key].append(number)
    return [(numpy.array(tokens, dtype=numpy.int32), least[key]) for key, tokens in groups.items()]


cdef int64_t told_least(Matcher trial, bint complete) except -2:
    """Bytes of a shortest completion from trial.next_; -1: not told by its states alone."""
    cdef int64_t least
    cdef uint32_t i
    if complete:
        return 0
    for i in range(trial.next_.n):
        if trial.next_.at[i].state.rule.text != NULL and not is_told(trial.next_.at[i].state):
            return -1
    while True:
        least = least_left(trial.engine, trial.next_.at, trial.next_.n, &trial.fault)
        if not trial._supplied():
            break
    if trial.fault != FAULT_NONE:
        trial._raise_fault()
    return least
