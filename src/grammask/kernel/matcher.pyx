# cython: language_level=3
"""Matcher: one generation's place in a grammar, as a set of configurations (local state, stack, count).

Stacks are one graph: a stack node is the interned set of (state to come back to, node below) pairs, so callers that
called the same rule at the same place are one. A return that has nothing left to do but complete pushes nothing.
Positions are a linked list from the present back to the start: rollback follows it, a copy shares it.
Rule: nothing here changes a state or classification; those are asked for (and made under the engine's lock if missing).
Below: classify, text, store.  Source: Tomita 1985 for graph-structured stacks; Scott & Johnstone 2010 for merging calls.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
from operator import index

import numpy

from grammask.errors import DecodingError, FinishedError, LimitError, MaskShapeError, RollbackError, TokenOutOfRange, TokenRefused
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_WRITABLE, PyObject_GetBuffer, PyBuffer_Release
from grammask.kernel.automata cimport *
from grammask.kernel.classify cimport classified, write_parts
from grammask.kernel.store cimport Bound, Store
from grammask.kernel.text cimport BOUNDARY, TextRule, spell_text, text_cost
from grammask.kernel.trie cimport ROUGH_BELOW, Trie, children_end

MATCHER_BYTES = 1 << 30        # memory of the stacks and positions of one matcher and its copies
ROOMY = 1 << 23                # from so many bytes on a matcher leaves behind what it no longer needs
FORCED_BYTES = 1 << 16         # forced_bytes stops looking here

cdef enum:
    LONG_TEXT = 4096           # bytes
    LINEAR = 12                # up to so many configurations a list is searched, above that a table

cdef uint32_t NOT_CLAMPED = 0xFFFFFFFF

cdef int64_t ENDLESS = <int64_t>1 << 40


cdef struct Entry:
    State *back                # NULL: the bottom, where the whole text is complete
    Stack *below


cdef struct Stack:
    uint64_t hash              # of the structure, so that equal stacks of different matchers have equal hashes
    Stack *moved               # while a family is compacted: its copy
    int64_t cost               # least symbols to complete everything on it; -1: not known
    uint32_t n
    Entry *entries


cdef struct Configuration:
    State *state
    Stack *stack
    uint32_t count             # texts: characters read, for states that leave it open


cdef struct Position:
    Position *before
    uint32_t taken             # tokens since the start
    uint32_t n
    bint complete
    bint finished
    Configuration *at


cdef struct Configurations:
    Configuration *at
    uint32_t n
    uint32_t room
    uint32_t *table            # open addressing over `at`, 1 + index; used from LINEAR on
    uint32_t table_room


cdef struct Pending:
    # A call made at this place, before all its callers are known.
    State *start
    Entry entry


cdef struct Calls:
    Pending *at
    uint32_t n
    uint32_t room


cdef struct Visits:
    # (exit set, stack) pairs on the way up; `at` is both the list of work and of what was seen.
    void **at
    uint32_t n
    uint32_t room


cdef enum Outcome:
    REFUSED = 0
    TAKEN = 1
    FAULTED = 2


cdef class Family:
    """Stacks and positions of a matcher and the copies made of it. Freed with the last of them."""
    cdef Arena arena
    cdef Stack **stacks
    cdef uint32_t room
    cdef uint32_t n_stacks
    cdef PyThread_type_lock lock
    cdef Stack bottom
    cdef Entry bottom_entry
    cdef size_t roomy              # bytes from which on a member looks for what it no longer needs

    def __cinit__(self):
        self.arena.limit = MATCHER_BYTES
        self.roomy = ROOMY
        self.bottom_entry.back = NULL
        self.bottom_entry.below = NULL
        self.bottom.n = 1
        self.bottom.entries = &self.bottom_entry
        self.bottom.hash = 1
        self.lock = PyThread_allocate_lock()
        if self.lock == NULL:
            raise MemoryError()

    def __dealloc__(self):
        arena_drop(&self.arena)
        free(self.stacks)
        if self.lock != NULL:
            PyThread_free_lock(self.lock)

    cdef Stack *intern(self, Entry *entries, uint32_t n) noexcept nogil:
        """The stack node of these entries; sorts them and drops doubles. NULL when memory ends."""
        cdef uint64_t hash
        cdef uint32_t i, j, at, room, kept
        cdef Entry entry
        cdef Stack *stack
        cdef Stack **table
        if n > 1:
            sort_entries(entries, n)
            kept = 1
            for i in range(1, n):
                if entries[i].back != entries[kept - 1].back or entries[i].below != entries[kept - 1].below:
                    entries[kept] = entries[i]
                    kept += 1
            n = kept
        if n == 1 and entries[0].back == NULL:
            return &self.bottom
        hash = n
        for i in range(n):
            hash = mix(mix(hash, identity(entries[i].back) if entries[i].back != NULL else 0), entries[i].below.hash if entries[i].below != NULL else 0)
        if self.room:
            at = hash & (self.room - 1)
            while self.stacks[at] != NULL:
                stack = self.stacks[at]
                if stack.hash == hash and stack.n == n:
                    i = 0
                    while i < n and stack.entries[i].back == entries[i].back and stack.entries[i].below == entries[i].below:
                        i += 1
                    if i == n:
                        return stack
                at = (at + 1) & (self.room - 1)
        if self.n_stacks * 4 >= self.room * 3:
            room = self.room * 2 if self.room else 64
            table = <Stack **>calloc(room, sizeof(Stack *))
            if table == NULL:
                return NULL
            for i in range(self.room):
                if self.stacks[i] != NULL:
                    at = self.stacks[i].hash & (room - 1)
                    while table[at] != NULL:
                        at = (at + 1) & (room - 1)
                    table[at] = self.stacks[i]
            free(self.stacks)
            self.stacks = table
            self.room = room
        stack = <Stack *>arena_take(&self.arena, sizeof(Stack) + n * sizeof(Entry))
        if stack == NULL:
            return NULL
        stack.hash = hash
        stack.moved = NULL
        stack.cost = -1
        stack.n = n
        stack.entries = <Entry *>(stack + 1)
        memcpy(stack.entries, entries, n * sizeof(Entry))
        at = hash & (self.room - 1)
        while self.stacks[at] != NULL:
            at = (at + 1) & (self.room - 1)
        self.stacks[at] = stack
        self.n_stacks += 1
        return stack


    cdef bint adopt(self, Stack *stack, Pointers *touched) noexcept nogil:
        """Copy a stack node of another family, and all below it, unless that has been done; from a list of work, not by recursion."""
        cdef Pointers pending
        cdef bint good
        memset(&pending, 0, sizeof(pending))
        good = pointers_push(&pending, stack)
        while good and pending.n:
            stack = <Stack *>pending.at[pending.n - 1]
            if stack.moved == NULL:
                good = push_unmoved(stack, &pending)
                if not good or <Stack *>pending.at[pending.n - 1] != stack:
                    continue
                good = self.adopt_one(stack) and pointers_push(touched, stack)
            pending.n -= 1
        free(pending.at)
        return good

    cdef bint adopt_one(self, Stack *stack) noexcept nogil:
        """Copy a node whose entries' nodes have copies."""
        cdef Entry *entries = <Entry *>malloc(stack.n * sizeof(Entry))
        cdef uint32_t i
        if entries == NULL:
            return False
        for i in range(stack.n):
            entries[i].back = stack.entries[i].back
            entries[i].below = stack.entries[i].below.moved if stack.entries[i].below != NULL else NULL
        stack.moved = self.intern(entries, stack.n)
        free(entries)
        return stack.moved != NULL

    cdef Position *adopt_positions(self, Position *position, Pointers *touched) noexcept nogil:
        """Copy the chain of positions back to the start, with all their stacks; NULL when memory ends."""
        cdef Pointers chain
        cdef Position *before = NULL
        cdef Position *made = NULL
        cdef uint32_t i
        cdef bint good = True
        memset(&chain, 0, sizeof(chain))
        while good and position != NULL:
            good = pointers_push(&chain, position)
            position = position.before
        while good and chain.n:
            chain.n -= 1
            position = <Position *>chain.at[chain.n]
            made = <Position *>arena_take(&self.arena, sizeof(Position) + position.n * sizeof(Configuration))
            good = made != NULL
            if good:
                made[0] = position[0]
                made.before = before
                made.at = <Configuration *>(made + 1)
                copy_bytes(made.at, position.at, position.n * sizeof(Configuration))
                before = made
            i = 0
            while good and i < position.n:
                good = self.adopt(position.at[i].stack, touched)
                if good:
                    made.at[i].stack = position.at[i].stack.moved
                i += 1
        free(chain.at)
        return made if good else NULL


cdef bint push_unmoved(const Stack *stack, Pointers *pending) noexcept nogil:
    cdef uint32_t i
    for i in range(stack.n):
        if stack.entries[i].below != NULL and stack.entries[i].below.moved == NULL and not pointers_push(pending, stack.entries[i].below):
            return False
    return True


cdef inline bint entry_before(const Entry *a, const Entry *b) noexcept nogil:
    cdef uint64_t x, y
    if a.back != b.back:
        if a.back == NULL or b.back == NULL:
            return a.back == NULL
        x = identity(a.back)
        y = identity(b.back)
        if x != y:
            return x < y
        return <size_t>a.back < <size_t>b.back
    x = a.below.hash if a.below != NULL else 0
    y = b.below.hash if b.below != NULL else 0
    if x != y:
        return x < y
    return <size_t>a.below < <size_t>b.below


cdef void sort_entries(Entry *entries, uint32_t n) noexcept nogil:
    """By state, then by the structure of the stack below, so that equal sets are equal whoever made them."""
    cdef uint32_t gap = 1, i, j
    cdef Entry entry
    while gap < n // 3:
        gap = gap * 3 + 1
    while gap:
        for i in range(gap, n):
            entry = entries[i]
            j = i
            while j >= gap and entry_before(&entry, &entries[j - gap]):
                entries[j] = entries[j - gap]
                j -= gap
            entries[j] = entry
        gap //= 3


cdef uint64_t configuration_hash(const Configuration *c) noexcept nogil:
    return mix(mix(mix(1, <uint64_t>c.state), <uint64_t>c.stack), c.count)


cdef bint add_configuration(Configurations *list_, State *state, Stack *stack, uint32_t count) noexcept nogil:
    """Add it unless it is there. False when memory ends."""
    cdef uint32_t i, at, room
    cdef void *moved
    cdef Configuration made
    made.state = state
    made.stack = stack
    made.count = count
    if list_.n <= LINEAR:
        for i in range(list_.n):
            if list_.at[i].state == state and list_.at[i].stack == stack and list_.at[i].count == count:
                return True
    else:
        if list_.table_room < 2 * list_.n + 2 or list_.n == LINEAR + 1:
            room = list_.table_room
            while room < 4 * list_.n + 4:
                room = room * 2 if room else 64
            if room != list_.table_room:
                free(list_.table)
                list_.table = <uint32_t *>malloc(room * sizeof(uint32_t))
                list_.table_room = room
                if list_.table == NULL:
                    list_.table_room = 0
                    return False
            memset(list_.table, 0, room * sizeof(uint32_t))
            for i in range(list_.n):
                at = configuration_hash(&list_.at[i]) & (room - 1)
                while list_.table[at]:
                    at = (at + 1) & (room - 1)
                list_.table[at] = i + 1
        at = configuration_hash(&made) & (list_.table_room - 1)
        while list_.table[at]:
            i = list_.table[at] - 1
            if list_.at[i].state == state and list_.at[i].stack == stack and list_.at[i].count == count:
                return True
            at = (at + 1) & (list_.table_room - 1)
        list_.table[at] = list_.n + 1
    if list_.n == list_.room:
        room = list_.room * 2 if list_.room else 16
        moved = realloc(list_.at, room * sizeof(Configuration))
        if moved == NULL:
            return False
        list_.at = <Configuration *>moved
        list_.room = room
    list_.at[list_.n] = made
    list_.n += 1
    return True


cdef uint32_t telling_count(const Configuration *c) noexcept nogil:
    """The characters read, as far as they matter to what may follow: in the middle of a character too."""
    cdef TextRule *text = <TextRule *>c.state.rule.text
    if text == NULL or text.clamp == NOT_CLAMPED:
        return 0
    if text.maximum < 0 and c.count > text.minimum:
        return <uint32_t>text.minimum
    return c.count


cdef bint is_whole_number(const char *format) noexcept nogil:
    """Whether a buffer's items are native integers (struct module's codes); no format: unsigned bytes, told apart by their size."""
    if format == NULL:
        return True
    if format[0] == c"@" or format[0] == c"=" or format[0] == c"<":
        format += 1
    return (format[0] == c"i" or format[0] == c"I" or format[0] == c"l" or format[0] == c"L") and format[1] == 0


cdef struct Filler:
    # What making a mask needs; one for each matcher, so that a batch can be filled without the interpreter.
    Engine *engine
    Position *position
    Pointers parts
    Visits visits
    int fault


cdef bint visit(Filler *filler, void *exits, Stack *stack) noexcept nogil:
    """Note work to do up the stack, once per pair."""
    cdef Visits *visits = &filler.visits
    cdef uint32_t i, room
    cdef void *moved
    for i in range(0, visits.n, 2):
        if visits.at[i] == exits and visits.at[i + 1] == <void *>stack:
            return True
    if visits.n + 2 > visits.room:
        room = visits.room * 2 if visits.room else 64
        moved = realloc(visits.at, room * sizeof(void *))
        if moved == NULL:
            return False
        visits.at = <void **>moved
        visits.room = room
    visits.at[visits.n] = exits
    visits.at[visits.n + 1] = <void *>stack
    visits.n += 2
    return True


cdef bint take(Filler *filler, Classification *made, Stack *stack) noexcept nogil:
    cdef uint32_t i
    for i in range(made.n_parts):
        if not pointers_push(&filler.parts, made.parts[i]):
            return False
    return made.exits == NULL or visit(filler, made.exits, stack)


cdef bint gather(Filler *filler) noexcept nogil:
    """Collect the parts of the present mask: of each configuration and, over its exits, of its callers up the stack."""
    cdef uint32_t i, j
    cdef Configuration *c
    cdef Classification *made
    cdef ExitSet *exits
    cdef Stack *stack
    cdef State *back
    filler.parts.n = 0
    filler.visits.n = 0
    for i in range(filler.position.n):
        c = &filler.position.at[i]
        made = classified(filler.engine, c.state, filler.engine.root, &filler.fault)
        if made == NULL or not take(filler, made, c.stack):
            return False
    i = 0
    while i < filler.visits.n:
        exits = <ExitSet *>filler.visits.at[i]
        stack = <Stack *>filler.visits.at[i + 1]
        i += 2
        for j in range(stack.n):
            back = stack.entries[j].back
            if back == NULL:
                continue
            made = classified(filler.engine, back, exits, &filler.fault)
            if made == NULL or not take(filler, made, stack.entries[j].below):
                return False
            if back.accepting and not visit(filler, exits, stack.entries[j].below):
                return False
    return True


cdef bint fill(Filler *filler, uint32_t *row) noexcept nogil:
    """The mask of the present position into a row."""
    cdef Trie *trie = filler.engine.trie
    cdef uint32_t i
    if filler.position.finished:
        memset(row, 0, trie.mask_words * sizeof(uint32_t))
        return True
    if not gather(filler):
        return False
    write_parts(filler.engine, <TokenSet **>filler.parts.at, filler.parts.n, row)
    if filler.position.complete:
        for i in range(trie.n_ends):
            row[trie.ends[i] >> 5] |= (<uint32_t>1) << (trie.ends[i] & 31)
    return True


cdef Trie no_trie
cdef Engine no_engine
cdef Position nowhere
memset(&no_trie, 0, sizeof(no_trie))
memset(&no_engine, 0, sizeof(no_engine))
memset(&nowhere, 0, sizeof(nowhere))
no_engine.trie = &no_trie
nowhere.complete = nowhere.finished = True


cdef class Matcher:
    """A generation's position in a grammar: mask, advance, rollback.

    Belongs to one thread at a time (two that meet in it get a DecodingError); its Bound and Store belong to all.
    Masks and advances release the GIL.
    """
    cdef readonly Bound bound
    cdef Family family
    cdef Engine *engine
    cdef Position *position_
    cdef Configurations now
    cdef Configurations next_
    cdef Calls calls
    cdef Filler filler
    cdef int fault
    cdef const void *busy          # who is at work on it without the interpreter; NULL: nobody

    def __cinit__(self, *args, **kwargs):
        # Until it is made from a Bound it is finished, over a vocabulary without tokens.
        self.engine = &no_engine
        self.position_ = &nowhere

    def __init__(self, Bound bound not None):
        if self.bound is not None or bound.root == NULL:
            raise TypeError("a Matcher is made once, from a Bound")
        self.bound = bound
        self.engine = &bound.store.engine
        self.reset()

    def __dealloc__(self):
        free(self.now.at)
        free(self.now.table)
        free(self.next_.at)
        free(self.next_.table)
        free(self.calls.at)
        free(self.filler.parts.at)
        free(self.filler.visits.at)

    # -- state --------------------------------------------------------------------------------------------------------

    def reset(self):
        """Go back to the start; everything taken is forgotten."""
        cdef Rule *root
        cdef State *start
        cdef Family family = Family()
        cdef Position *made
        if self.bound is None:
            raise TypeError("a Matcher is made from a Bound")
        root = self.bound.root
        self._require_idle(NULL)
        with nogil:
            lock_engine(self.engine)
            start = start_of(self.engine, root)
            release(self.engine, &self.fault)
        if start == NULL:
            self._raise_fault()
        made = <Position *>arena_zeroed(&family.arena, sizeof(Position) + sizeof(Configuration))
        if made == NULL:
            raise MemoryError()
        made.n = 1
        made.complete = root.nullable
        made.at = <Configuration *>(made + 1)
        made.at[0].state = start
        made.at[0].stack = &family.bottom
        self.family = family
        self.position_ = made

    cdef bint _require_idle(self, const void *user) except False:
        """Refuse to work while another thread does: the interpreter is held here, so nobody can come in between."""
        if self.busy != NULL and self.busy != user:
            raise DecodingError("a matcher is used by two threads at once; give each its own copy()")
        return True

    cdef bint _make_room(self) except False:
        """Leave a family that has grown large for a fresh one that holds only what this matcher still needs.

        A family doubles between two such moves, so they cost a constant for each position kept; copies that stay behind
        keep the old one alive.
        """
        cdef Family family = self.family
        cdef Family fresh = Family()
        cdef Pointers touched
        cdef Position *made
        cdef size_t i
        memset(&touched, 0, sizeof(touched))
        self.busy = <void *>self
        with nogil:
            PyThread_acquire_lock(family.lock, 1)
            family.bottom.moved = &fresh.bottom
            made = fresh.adopt_positions(self.position_, &touched)
            for i in range(touched.n):
                (<Stack *>touched.at[i]).moved = NULL
            family.bottom.moved = NULL
            family.roomy = 2 * family.arena.total
            PyThread_release_lock(family.lock)
        free(touched.at)
        self.busy = NULL
        if made != NULL:
            fresh.roomy = max(<size_t>ROOMY, 2 * fresh.arena.total)
            self.family = fresh
            self.position_ = made
        return True

    cdef Position *_keep(self, bint complete, bint finished) noexcept nogil:
        """A new position out of self.next_."""
        cdef Position *made = <Position *>arena_take(&self.family.arena, sizeof(Position) + self.next_.n * sizeof(Configuration))
        if made == NULL:
            self.fault = FAULT_MEMORY
            return NULL
        made.before = self.position_
        made.taken = self.position_.taken + 1 if self.position_ != NULL else 0
        made.n = self.next_.n
        made.complete = complete
        made.finished = finished
        made.at = <Configuration *>(made + 1)
        copy_bytes(made.at, self.next_.at, made.n * sizeof(Configuration))
        return made

    def copy(self):
        """An independent matcher at the same position. Cost: constant; stacks are shared, never changed."""
        cdef Matcher made = type(self).__new__(type(self))
        made.bound = self.bound
        made.engine = self.engine
        made.family = self.family
        made.position_ = self.position_
        self._copied(made)
        return made

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def _copied(self, made):
        """Called with each fresh copy, for subclasses that hold more."""

    def rollback(self, n_tokens):
        """Undo the last `n_tokens` tokens (an end token counts as one). RollbackError if fewer were taken."""
        cdef uint32_t left
        try:
            wanted = index(n_tokens)
        except TypeError:
            raise RollbackError(n_tokens, self.position_.taken) from None
        if not 0 <= wanted <= self.position_.taken:
            raise RollbackError(n_tokens, self.position_.taken)
        left = wanted
        self._require_idle(NULL)
        while left:
            self.position_ = self.position_.before
            left -= 1

    @property
    def position(self):
        """How many tokens were taken."""
        return self.position_.taken

    @property
    def is_complete(self):
        """Whether the text so far is in the language, so that an end token is allowed."""
        return self.position_.complete

    @property
    def is_finished(self):
        """Whether an end token was taken."""
        return self.position_.finished

    @property
    def is_stuck(self):
        """Whether nothing is allowed though the text is not complete. Never so for a grammar that compiled."""
        return not self.position_.finished and not self.position_.complete and self.count() == 0

    def state_key(self):
        """Equal for equal states of matchers of one Bound, however the text was cut into tokens."""
        cdef uint32_t i
        cdef list key = []
        for i in range(self.position_.n):
            key.append((<size_t>self.position_.at[i].state, self.position_.at[i].stack.hash, telling_count(&self.position_.at[i])))
        key.sort()
        return (self.position_.complete, self.position_.finished, tuple(key))

    def place_key(self):
        """(key, counts): what `state_key` tells, the numbers of characters read apart.

        With larger counts at the same key the same tokens or fewer lead to the same places, where no more is left to be done.
        """
        cdef object complete
        cdef object finished
        complete, finished, key = self.state_key()
        return (complete, finished, tuple([part[:2] for part in key])), tuple([part[2] for part in key])

    def _configurations(self):
        """How many configurations the position holds, for tests and pictures."""
        return self.position_.n

    cdef _raise_fault(self):
        cdef int fault = self.fault
        self.fault = FAULT_NONE
        if fault == FAULT_STATES:
            raise LimitError("number of automaton states", None, 20_000_000, "simplify the grammar or split it")
        if fault == FAULT_DEPTH:
            raise LimitError("depth of nested calls inside one token", None, 6000, "simplify the grammar's chains of rules")
        raise LimitError("memory of a constraint or matcher in bytes", None, MATCHER_BYTES, "simplify the grammar, or drop unused constraints and matchers")

    # -- one symbol ---------------------------------------------------------------------------------------------------

    cdef bint _add_call(self, Call *call, Stack *stack) noexcept nogil:
        """Note a call at this place; one that only completes afterwards passes its stack's entries on."""
        cdef uint32_t i
        cdef Entry entry
        if not ensure_expanded(self.engine, call.back, &self.fault):
            return False
        if not call.back.passive:
            entry.back = call.back
            entry.below = stack
            return add_pending(&self.calls, call.start, entry)
        for i in range(stack.n):
            if not add_pending(&self.calls, call.start, stack.entries[i]):
                return False
        return True

    cdef bint _step_state(self, State *state, Stack *stack, uint32_t count, uint32_t symbol) noexcept nogil:
        """Move one configuration by a symbol, and note the calls that can start with it."""
        cdef Segment *segment
        cdef State *to
        cdef uint32_t i
        if not ensure_expanded(self.engine, state, &self.fault):
            return False
        segment = segment_of(state, symbol)
        if segment != NULL:
            to = target(self.engine, state, segment, &self.fault)
            if to == NULL:
                return False
            count += segment.counts
            if to.elastic:
                lock_engine(self.engine)
                to = self.engine.settle_text(self.engine, to, count)
                release(self.engine, &self.fault)
                if to == NULL:
                    return False
            if not add_configuration(&self.next_, to, stack, count if to.rule.text != NULL else 0):
                return False
        for i in range(state.n_calls):
            if can_start(state.calls[i].start, symbol) and not self._add_call(&state.calls[i], stack):
                return False
        return True

    cdef bint _step_calls(self, uint32_t symbol) noexcept nogil:
        """Start the noted calls, highest rank first, so that all callers of a rule are known before its stack is made."""
        cdef uint32_t i, n, kept, highest
        cdef State *start
        cdef Entry *entries
        cdef Stack *stack
        while self.calls.n:
            start = self.calls.at[0].start
            for i in range(1, self.calls.n):
                if self.calls.at[i].start.rule.rank > start.rule.rank:
                    start = self.calls.at[i].start
            entries = <Entry *>malloc(self.calls.n * sizeof(Entry))
            if entries == NULL:
                return False
            n = 0
            kept = 0
            for i in range(self.calls.n):
                if self.calls.at[i].start == start:
                    entries[n] = self.calls.at[i].entry
                    n += 1
                else:
                    self.calls.at[kept] = self.calls.at[i]
                    kept += 1
            self.calls.n = kept
            stack = self.family.intern(entries, n)
            free(entries)
            if stack == NULL or not self._step_state(start, stack, 0, symbol):
                return False
        return True

    cdef bint _settle(self, bint *complete, bint *rests) noexcept nogil:
        """Follow completions to where they return, note whether the whole text is complete, drop what cannot go on."""
        cdef uint32_t i = 0, j, kept = 0
        cdef Configuration c
        complete[0] = False
        rests[0] = False
        while i < self.next_.n:
            c = self.next_.at[i]
            if c.state.resting:
                rests[0] = True
            if c.state.accepting:
                for j in range(c.stack.n):
                    if c.stack.entries[j].back == NULL:
                        complete[0] = True
                    elif not add_configuration(&self.next_, c.stack.entries[j].back, c.stack.entries[j].below, 0):
                        return False
            i += 1
        for i in range(self.next_.n):
            if self.next_.at[i].state.accepting:
                if not ensure_expanded(self.engine, self.next_.at[i].state, &self.fault):
                    return False
                if self.next_.at[i].state.passive:
                    continue
            self.next_.at[kept] = self.next_.at[i]
            kept += 1
        self.next_.n = kept
        return True

    cdef Outcome _step(self, uint32_t symbol, bint *complete, bint *rests) noexcept nogil:
        """From self.now by one symbol to self.next_."""
        cdef uint32_t i
        self.next_.n = 0
        self.calls.n = 0
        for i in range(self.now.n):
            if not self._step_state(self.now.at[i].state, self.now.at[i].stack, self.now.at[i].count, symbol):
                return FAULTED
        if (self.calls.n and not self._step_calls(symbol)) or not self._settle(complete, rests):
            return FAULTED
        return TAKEN if self.next_.n or complete[0] else REFUSED

    cdef bint _load_now(self) noexcept nogil:
        """self.now = the present position's configurations."""
        cdef void *moved
        if self.now.room < self.position_.n:
            moved = realloc(self.now.at, self.position_.n * sizeof(Configuration))
            if moved == NULL:
                return False
            self.now.at = <Configuration *>moved
            self.now.room = self.position_.n
        copy_bytes(self.now.at, self.position_.at, self.position_.n * sizeof(Configuration))
        self.now.n = self.position_.n
        return True

    cdef Outcome _walk(self, const uint8_t *bytes_, size_t n, uint32_t special, bint *complete) noexcept nogil:
        """Read bytes (or, with n = 0, one special symbol) from self.now; the end is in self.next_."""
        cdef size_t i = 0
        cdef bint rests = False
        cdef State *state
        cdef State *to
        cdef Segment *segment
        cdef Configurations swap
        cdef Outcome outcome
        if n == 0:
            outcome = self._step(special, complete, &rests)
            return REFUSED if outcome == TAKEN and not rests else outcome
        while i < n:
            if self.now.n == 1:
                # One configuration that calls and completes nothing: most steps of most grammars.
                state = self.now.at[0].state
                while i < n and read_flag(state.expanded) and state.n_calls == 0:
                    segment = segment_of(state, bytes_[i])
                    if segment == NULL:
                        return REFUSED
                    to = <State *>read_pointer(segment.to)
                    if to == NULL or to.accepting or to.elastic:
                        break
                    self.now.at[0].count += segment.counts
                    state = to
                    i += 1
                self.now.at[0].state = state
                if i == n:
                    swap = self.now
                    self.now = self.next_
                    self.next_ = swap
                    complete[0] = False
                    return TAKEN if state.resting else REFUSED
            outcome = self._step(bytes_[i], complete, &rests)
            if outcome != TAKEN:
                return outcome
            i += 1
            if i == n:
                return TAKEN if rests else REFUSED
            swap = self.now
            self.now = self.next_
            self.next_ = swap
        return REFUSED

    cdef Outcome _try(self, int32_t token, bint *complete) noexcept nogil:
        """Read a token from the present position into self.next_."""
        cdef Trie *trie = self.engine.trie
        cdef int32_t first = trie.byte_of_token[token]
        if not self._load_now():
            return FAULTED
        return self._walk(trie.spelling + first, trie.byte_of_token[token + 1] - first, 256 + <uint32_t>token, complete)

    cdef int32_t _checked(self, token_id) except -1:
        cdef Py_ssize_t token
        try:
            token = token_id
        except (OverflowError, TypeError):
            token = -1
        if not 0 <= token < self.engine.trie.vocabulary_size:
            raise TokenOutOfRange(token_id, self.engine.trie.vocabulary_size)
        return token

    # -- tokens -------------------------------------------------------------------------------------------------------

    def advance(self, token_id):
        """Take a token. TokenRefused, TokenOutOfRange or FinishedError leave the state as it was.

        Cost: the token's bytes times the configurations; releases the GIL.
        """
        cdef int32_t token = self._checked(token_id)
        cdef bint complete = False
        cdef Outcome outcome
        cdef Position *made = NULL
        if self.position_.finished:
            raise FinishedError()
        self._require_idle(NULL)
        if self.family.arena.total > self.family.roomy:
            self._make_room()
        if self.engine.trie.is_end[token]:
            if not self.position_.complete:
                raise TokenRefused(token, b"", self.position_.taken)
            self.busy = <void *>self
            with nogil:
                PyThread_acquire_lock(self.family.lock, 1)
                self.next_.n = 0
                made = self._keep(True, True)
                PyThread_release_lock(self.family.lock)
            self.busy = NULL
            if made == NULL:
                self._raise_fault()
            self.position_ = made
            return
        self.busy = <void *>self
        with nogil:
            PyThread_acquire_lock(self.family.lock, 1)
            outcome = self._try(token, &complete)
            if outcome == TAKEN:
                made = self._keep(complete, False)
            PyThread_release_lock(self.family.lock)
        self.busy = NULL
        if made != NULL:
            self.position_ = made
        elif outcome == REFUSED:
            raise TokenRefused(token, self._spelling(token), self.position_.taken)
        else:
            self._raise_fault()

    cdef bytes _spelling(self, int32_t token):
        cdef Trie *trie = self.engine.trie
        cdef int32_t first = trie.byte_of_token[token]
        return (<const char *>trie.spelling + first)[:trie.byte_of_token[token + 1] - first]

    def accepts(self, token_id):
        """Whether a token may come next; no mask is made. An end token: whether the text is complete."""
        cdef int32_t token = self._checked(token_id)
        cdef bint complete = False
        cdef Outcome outcome
        if self.position_.finished:
            return False
        if self.engine.trie.is_end[token]:
            return self.position_.complete
        self._require_idle(NULL)
        self.busy = <void *>self
        with nogil:
            PyThread_acquire_lock(self.family.lock, 1)
            outcome = self._try(token, &complete)
            PyThread_release_lock(self.family.lock)
        self.busy = NULL
        if outcome == FAULTED:
            self._raise_fault()
        return outcome == TAKEN

    def draft(self, token_ids):
        """How many of the tokens, in order, would be taken; the state is unchanged. Ids out of range raise."""
        cdef uint32_t here = self.position_.taken
        cdef int taken = 0
        tokens = [self._checked(token_id) for token_id in token_ids]
        try:
            for token in tokens:
                self.advance(token)
                taken += 1
        except (TokenRefused, FinishedError):
            pass
        finally:
            while self.position_.taken > here:
                self.position_ = self.position_.before
        return taken

    # -- masks --------------------------------------------------------------------------------------------------------

    def fill_mask(self, row):
        """Write the mask of allowed tokens: bit t % 32 of word t // 32 is set iff token t may come next.

        row: a writable contiguous buffer of ceil(vocabulary / 32) 32-bit words, overwritten; MaskShapeError otherwise.
        Bits of end-of-sequence ids are set iff the text is complete; all bits are zero once finished.
        Cost: about a copy of the row once the states are known; releases the GIL.
        """
        cdef Py_buffer view
        cdef bint good
        cdef Py_ssize_t wanted = self.engine.trie.mask_words * sizeof(uint32_t)
        try:
            PyObject_GetBuffer(row, &view, PyBUF_WRITABLE | PyBUF_ND | PyBUF_FORMAT)
        except (BufferError, TypeError, ValueError) as error:
            raise MaskShapeError(self.engine.trie.mask_words, f"{type(row).__name__}: {error}") from None
        if view.len != wanted or view.itemsize != 4 or <size_t>view.buf & 3 or not is_whole_number(view.format):
            shape = f"{view.len} bytes of items of {view.itemsize} bytes" + ("" if view.format == NULL else f" (format {view.format.decode()!r})")
            PyBuffer_Release(&view)
            raise MaskShapeError(self.engine.trie.mask_words, shape)
        if self.busy != NULL:
            PyBuffer_Release(&view)
            self._require_idle(NULL)
        self.filler.engine = self.engine
        self.filler.position = self.position_
        self.busy = <void *>self
        with nogil:
            good = fill(&self.filler, <uint32_t *>view.buf)
        self.busy = NULL
        PyBuffer_Release(&view)
        if not good:
            self.fault = self.filler.fault
            self.filler.fault = FAULT_NONE
            self._raise_fault()

    def allowed_tokens(self):
        """The ids that may come next, increasing, as an int32 array. Cost: a mask and a pass over it."""
        row = numpy.zeros(self.engine.trie.mask_words, dtype=numpy.uint32)
        self.fill_mask(row)
        return numpy.flatnonzero(numpy.unpackbits(row.view(numpy.uint8), bitorder="little")).astype(numpy.int32)

    def count(self):
        """How many tokens may come next. Cost: a mask and a pass over it."""
        row = numpy.zeros(self.engine.trie.mask_words, dtype=numpy.uint32)
        self.fill_mask(row)
        return int(numpy.unpackbits(row.view(numpy.uint8)).sum())

    def successors(self, brief=False):
        """The tokens that may come next, by what they lead to: (token ids, bytes of a shortest completion after any of them) of each place.

        Ids are int32 arrays; end tokens are in none. The number is -1 inside texts whose states do not tell it (patterns, counted lengths),
        and where special tokens are needed, so that it has to be asked of a matcher there. brief: tokens that only go on with raw text in a text without a pattern may be missing, after
        which no more is left to be done than now.
        Cost: each trie node that lives once, some 10 ns, and each new step of a place about 1 us.
        """
        return successors_of(self, brief)

    # -- what must come -----------------------------------------------------------------------------------------------

    def forced_bytes(self):
        """The longest bytes that every completion starts with from here, at most FORCED_BYTES; b"" when complete."""
        cdef bytearray out = bytearray()
        cdef int symbol
        cdef bint complete = self.position_.complete, rests = False
        cdef Configurations swap
        if self.position_.finished:
            return b""
        self._require_idle(NULL)
        self.busy = <void *>self
        with nogil:
            PyThread_acquire_lock(self.family.lock, 1)
        try:
            if not self._load_now():
                raise MemoryError()
            while not complete and len(out) < FORCED_BYTES:
                symbol = self._only_byte()
                if symbol < 0:
                    break
                if self._step(symbol, &complete, &rests) != TAKEN:
                    break
                out.append(symbol)
                swap = self.now
                self.now = self.next_
                self.next_ = swap
        finally:
            PyThread_release_lock(self.family.lock)
            self.busy = NULL
        if self.fault != FAULT_NONE:
            self._raise_fault()
        return bytes(out)

    cdef int _only_byte(self) noexcept nogil:
        """The one byte that self.now can go on with; -1: none or several, or a special token."""
        cdef uint64_t first[4]
        cdef uint32_t i, j, found = 0
        cdef int byte = -1
        memset(first, 0, sizeof(first))
        for i in range(self.now.n):
            if not ensure_expanded(self.engine, self.now.at[i].state, &self.fault):
                return -1
            if self.now.at[i].state.first_special:
                return -1
            for j in range(4):
                first[j] |= self.now.at[i].state.first[j]
        for j in range(4):
            while first[j]:
                byte = 64 * j + lowest_bit(first[j])
                first[j] &= first[j] - 1
                found += 1
        return byte if found == 1 else -1

    def least_bytes(self):
        """About how many bytes a shortest completion has, without spelling it; 0 when complete, -1 from 2**30 on and where only special tokens lead on."""
        cdef uint32_t i
        cdef int64_t cost, least = ENDLESS
        if self.position_.complete:
            return 0
        self._require_idle(NULL)
        self.busy = <void *>self
        with nogil:
            lock_engine(self.engine)
            for i in range(self.position_.n):
                cost = frame_cost(self.engine, self.position_.at[i].state) + stack_cost(self.engine, self.position_.at[i].stack)
                if cost < least:
                    least = cost
            release(self.engine, &self.fault)
        self.busy = NULL
        if self.fault != FAULT_NONE:
            self._raise_fault()
        return least if least < ENDLESS else -1

    def shortest_bytes(self):
        """A short byte string that completes from here; b"" when complete, None if only special tokens could.

        It follows the configuration with the least left to do, so it is shortest up to the cost of characters in texts.
        Cost: linear in its length, after a first pass over the grammar's rules.
        """
        cdef Words out
        cdef bint good = False
        if self.position_.complete:
            return b""
        memset(&out, 0, sizeof(out))
        self._require_idle(NULL)
        self.busy = <void *>self
        with nogil:
            PyThread_acquire_lock(self.family.lock, 1)
            lock_engine(self.engine)
            good = self._spell(&out)
            release(self.engine, &self.fault)
            PyThread_release_lock(self.family.lock)
        self.busy = NULL
        try:
            if not good:
                if self.fault != FAULT_NONE:
                    self._raise_fault()
                return None
            return bytes([out.at[i] for i in range(out.n)])
        finally:
            free(out.at)

    cdef bint _spell(self, Words *out) noexcept nogil:
        cdef uint32_t i, best = 0
        cdef int64_t cost, least = ENDLESS
        cdef State *state
        cdef Stack *stack
        cdef uint32_t count
        for i in range(self.position_.n):
            cost = frame_cost(self.engine, self.position_.at[i].state) + stack_cost(self.engine, self.position_.at[i].stack)
            if cost < least:
                least = cost
                best = i
        if least >= ENDLESS:
            return False
        state = self.position_.at[best].state
        stack = self.position_.at[best].stack
        count = self.position_.at[best].count
        while True:
            if not spell_frame(self.engine, state, count, out):
                return False
            least = ENDLESS
            for i in range(stack.n):
                if stack.entries[i].back == NULL:
                    return True
                cost = frame_cost(self.engine, stack.entries[i].back) + stack_cost(self.engine, stack.entries[i].below)
                if cost < least:
                    least = cost
                    best = i
            if least >= ENDLESS:
                return False
            state = stack.entries[best].back
            stack = stack.entries[best].below
            count = 0


cdef bint add_pending(Calls *calls, State *start, Entry entry) noexcept nogil:
    cdef uint32_t room
    cdef void *moved
    if calls.n == calls.room:
        room = calls.room * 2 if calls.room else 16
        moved = realloc(calls.at, room * sizeof(Pending))
        if moved == NULL:
            return False
        calls.at = <Pending *>moved
        calls.room = room
    calls.at[calls.n].start = start
    calls.at[calls.n].entry = entry
    calls.n += 1
    return True


# Costs: the least number of symbols that end a frame. Called with the engine's lock held.


cdef int64_t rule_cost(Engine *engine, Rule *rule) noexcept nogil:
    """The least symbols of a non-empty string of the rule, ENDLESS for one that needs a special token."""
    if rule.cost < 0:
        cost_rules(engine, rule)
    return rule.cost if rule.cost < 0x3FFFFFFF else ENDLESS


cdef bint cost_rules(Engine *engine, Rule *root) noexcept nogil:
    """Costs of all nodes of all rules that `root` reaches: rounds of relaxation until nothing changes."""
    cdef Pointers rules
    cdef size_t i = 0
    cdef uint32_t e, node
    cdef Rule *rule
    cdef bint changed = True, good = True
    memset(&rules, 0, sizeof(rules))
    good = open_costs(engine, root, &rules)
    while good and i < rules.n:
        rule = <Rule *>rules.at[i]
        i += 1
        if rule.text == NULL:
            for e in range(rule.edge_first[rule.n_nodes]):
                if rule.edges[e].callee != NULL and rule.edges[e].callee.cost < 0:
                    good = good and open_costs(engine, rule.edges[e].callee, &rules)
    while good and changed:
        changed = False
        i = rules.n
        while i > 0:
            i -= 1
            changed |= relax(<Rule *>rules.at[i])
    free(rules.at)
    return good


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
    return <int32_t>cost if cost < 0x3FFFFFFF else 0x3FFFFFFF


cdef bint open_costs(Engine *engine, Rule *rule, Pointers *rules) noexcept nogil:
    cdef uint32_t node
    if rule.text != NULL:
        rule.cost = cost_of_text(engine, rule)
        return True
    rule.cost = 0x3FFFFFFF
    rule.node_cost = <int32_t *>arena_take(rule.arena, (rule.n_nodes + 1) * sizeof(int32_t))
    rule.node_next = <uint32_t *>arena_zeroed(rule.arena, (rule.n_nodes + 1) * sizeof(uint32_t))
    if rule.node_cost == NULL or rule.node_next == NULL or start_of(engine, rule) == NULL:
        engine.fault = FAULT_MEMORY
        rule.cost = -1
        return False
    for node in range(rule.n_nodes):
        rule.node_cost[node] = 0x3FFFFFFF
    rule.node_cost[1] = 0
    return pointers_push(rules, rule)


cdef int32_t edge_cost(const Rule *rule, const Edge *edge) noexcept nogil:
    """Symbols to the end of the frame over an edge that consumes."""
    cdef int64_t cost
    if edge.callee != NULL:
        cost = <int64_t>edge.callee.cost + rule.node_cost[edge.to]
    elif edge.low > edge.high:
        cost = rule.node_cost[edge.to]
    elif edge.low > 255:
        return 0x3FFFFFFF
    else:
        cost = 1 + <int64_t>rule.node_cost[edge.to]
    return <int32_t>cost if cost < 0x3FFFFFFF else 0x3FFFFFFF


cdef bint relax(Rule *rule) noexcept nogil:
    """One round over a rule's edges, nodes from the last to the first; whether anything got cheaper."""
    cdef uint32_t node = rule.n_nodes, e
    cdef bint changed = False
    cdef int32_t cost
    while node > 0:
        node -= 1
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
    cdef int32_t cost, least = 0x3FFFFFFF
    cdef State *start = rule.start
    for i in range(start.n_key):
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
    if state.cost < 0:
        rule_cost(engine, state.rule)
        if state.rule.node_cost == NULL:
            return ENDLESS
        state.cost = 0x3FFFFFFF
        for i in range(state.n_key):
            if state.rule.node_cost[state.key[i]] < state.cost:
                state.cost = state.rule.node_cost[state.key[i]]
    return state.cost if state.cost < 0x3FFFFFFF else ENDLESS


cdef int64_t stack_cost(Engine *engine, Stack *stack) noexcept nogil:
    """Least symbols to complete all frames on a stack. Goes down first, so that it needs no recursion."""
    cdef Pointers path
    cdef Stack *at
    cdef uint32_t i
    cdef int64_t cost, least
    cdef bint ready
    if stack.cost >= 0:
        return stack.cost
    memset(&path, 0, sizeof(path))
    if not pointers_push(&path, stack):
        return ENDLESS
    while path.n:
        at = <Stack *>path.at[path.n - 1]
        ready = True
        least = ENDLESS
        for i in range(at.n):
            if at.entries[i].back == NULL:
                least = 0
            elif at.entries[i].below.cost < 0 and at.entries[i].below.n and at.entries[i].below != at:
                ready = False
                if not pointers_push(&path, at.entries[i].below):
                    free(path.at)
                    return ENDLESS
        if not ready:
            continue
        for i in range(at.n):
            if at.entries[i].back != NULL:
                cost = frame_cost(engine, at.entries[i].back) + at.entries[i].below.cost
                if cost < least:
                    least = cost
        at.cost = least
        path.n -= 1
    free(path.at)
    return stack.cost


cdef bint spell_frame(Engine *engine, State *state, uint32_t count, Words *out) noexcept nogil:
    """Append a shortest way from a state to the end of its frame; callees are spelled from a list of work, not by recursion."""
    cdef Pointers rules        # frames to go on with: rule, node
    cdef Rule *rule = state.rule
    cdef uint32_t node, i
    cdef bint good = True
    if rule.text != NULL:
        return spell_text(engine, state, count, out)
    memset(&rules, 0, sizeof(rules))
    node = state.key[0]
    for i in range(state.n_key):
        if rule.node_cost[state.key[i]] < rule.node_cost[node]:
            node = state.key[i]
    while good:
        if node == 1:
            if rules.n == 0:
                break
            rules.n -= 2
            rule = <Rule *>rules.at[rules.n]
            node = <uint32_t><size_t>rules.at[rules.n + 1]
            continue
        good = spell_edge(engine, &rule, &node, &rules, out)
    free(rules.at)
    return good


cdef bint spell_edge(Engine *engine, Rule **rule, uint32_t *node, Pointers *rules, Words *out) noexcept nogil:
    """Take the edge that gets nearer to the end; a call pushes where to go on and enters the callee."""
    cdef Rule *here = rule[0]
    cdef Rule *callee
    cdef Edge *edge = &here.edges[here.node_next[node[0]]]
    if edge.callee == NULL:
        node[0] = edge.to
        return edge.low > edge.high or words_push(out, edge.low)
    callee = edge.callee
    if callee.text != NULL:
        node[0] = edge.to
        return spell_text(engine, callee.start, 0, out)
    if not (pointers_push(rules, here) and pointers_push(rules, <void *><size_t>edge.to)):
        return False
    rule[0] = callee
    return enter(callee, node, rules, out)


cdef bint enter(Rule *callee, uint32_t *node, Pointers *rules, Words *out) noexcept nogil:
    """The node of a callee's start from which the cheapest consuming edge leaves."""
    cdef uint32_t i, e
    cdef State *start = callee.start
    for i in range(start.n_key):
        for e in range(callee.edge_first[start.key[i]], callee.edge_first[start.key[i] + 1]):
            if (callee.edges[e].low <= callee.edges[e].high or callee.edges[e].callee != NULL) and edge_cost(callee, &callee.edges[e]) == callee.cost:
                node[0] = start.key[i]
                return True
    return False


def fill_rows(list matchers not None, rows not None, Py_ssize_t first, Py_ssize_t end):
    """Masks of matchers first .. end - 1 into the rows of the same numbers of one 2-D buffer, without the interpreter.

    rows: writable, C-contiguous, len(matchers) rows of ceil(vocabulary / 32) 32-bit words. All matchers share one vocabulary size.
    Another thread may fill other rows at the same time. A matcher must not be used elsewhere meanwhile.
    """
    cdef Py_buffer view
    cdef Py_ssize_t i, n = len(matchers), words = 0
    cdef list held
    cdef Matcher matcher
    cdef Filler **fillers
    cdef bint good = True
    if not 0 <= first <= end <= n:
        raise ValueError(f"rows {first} to {end} are not among {n} matchers")
    if first == end:
        return
    held = matchers[first:end]     # the caller's list may change meanwhile
    PyObject_GetBuffer(rows, &view, PyBUF_WRITABLE | PyBUF_ND)
    fillers = <Filler **>malloc((end - first) * sizeof(Filler *))
    try:
        if fillers == NULL:
            raise MemoryError()
        for i in range(end - first):
            if not isinstance(held[i], Matcher):
                raise TypeError(f"a Matcher is needed for row {first + i}, got {type(held[i]).__name__}")
            matcher = held[i]
            words = matcher.engine.trie.mask_words
            if view.len != n * words * 4 or view.itemsize != 4 or <size_t>view.buf & 3:
                raise MaskShapeError(words, f"{view.len} bytes for {n} rows")
            matcher._require_idle(fillers)
            matcher.busy = fillers
            matcher.filler.engine = matcher.engine
            matcher.filler.position = matcher.position_
            fillers[i] = &matcher.filler
        with nogil:
            i = 0
            while good and i < end - first:
                good = fill(fillers[i], <uint32_t *>view.buf + (first + i) * words)
                i += 1
        if not good:
            matcher = held[i - 1]
            matcher.fault = matcher.filler.fault
            matcher.filler.fault = FAULT_NONE
            matcher._raise_fault()
    finally:
        for one in held:
            if isinstance(one, Matcher) and (<Matcher>one).busy == <const void *>fillers:
                (<Matcher>one).busy = NULL
        free(fillers)
        PyBuffer_Release(&view)


def work_of(Matcher matcher not None):
    """What the present mask is put together from: (configurations, (exit set, stack) pairs looked at, trie nodes in those exit sets).

    Cost: that of a mask.
    """
    cdef size_t i, nodes = 0
    matcher.count()                # the pairs that filling a mask has noted are there until the next one
    if matcher.position_.finished:
        return 0, 0, 0
    for i in range(0, matcher.filler.visits.n, 2):
        nodes += (<ExitSet *>matcher.filler.visits.at[i]).n
    return matcher.position_.n, matcher.filler.visits.n // 2, nodes


# -- all places at once ---------------------------------------------------------------------------------------------------


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


cdef list successors_of(Matcher matcher, bint brief):
    cdef Prospect prospect = Prospect()
    cdef bint good
    cdef list groups = []
    cdef int64_t least
    if matcher.position_.finished:
        return groups
    matcher._require_idle(NULL)
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
