# cython: language_level=3
"""Matcher: one generation's place in a grammar, as a set of configurations (local state, stack, count): mask, advance, rollback.

A return that has nothing left to do but complete pushes nothing. Positions are a linked list from the present back to the start:
rollback follows it, a copy shares it.
Rule: nothing here changes a state or classification; those are asked for (and made under the engine's lock if missing).
Below: classify, completions, distinct, stacks, store.  Above: places.
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
from grammask.kernel.completions cimport Ahead, Look, add_completion, add_forced, least_left
from grammask.kernel.distinct cimport Reading, only_opens, read_item
from grammask.kernel.stacks cimport *
from grammask.kernel.stacks import MATCHER_BYTES, ROOMY
from grammask.kernel.store cimport Bound, Store
from grammask.kernel.text_masks cimport Reading as TokenTexts
from grammask.kernel.trie cimport Trie

cdef enum:
    MANY_STACKS = 2000         # looked at to find out whether an item may have been read before; where there are more, it is taken for granted


cdef bint is_whole_number(const char *format) noexcept nogil:
    """Whether a buffer's items are native integers (struct module's codes); no format: unsigned bytes, told apart by their size."""
    if format == NULL:
        return True
    if format[0] == c"@" or format[0] == c"=" or format[0] == c"<":
        format += 1
    return (format[0] == c"i" or format[0] == c"I" or format[0] == c"l" or format[0] == c"L") and format[1] == 0


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
    if made.n_doubts and not pointers_push(&filler.doubts, made):
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
    filler.doubts.n = 0
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


cdef bint is_in_loose(Filler *filler, bint *good) noexcept nogil:
    """Whether a token may end an item here that may turn out to have been read before: some frame that is open calls such items.

    Cost: a look at each stack, once something is loose.
    """
    cdef Visits *visits = &filler.visits
    cdef uint32_t i, j
    cdef Stack *stack
    visits.n = 0
    for i in range(filler.position.n):
        if filler.position.at[i].state.rule.has_loose:
            return True
        good[0] = good[0] and visit(filler, NULL, filler.position.at[i].stack)
    i = 0
    while good[0] and i < visits.n:
        stack = <Stack *>visits.at[i + 1]
        i += 2
        if i > MANY_STACKS:
            return True
        for j in range(stack.n):
            if stack.entries[j].back == NULL:
                continue
            if stack.entries[j].back.rule.has_loose:
                return True
            good[0] = good[0] and visit(filler, NULL, stack.entries[j].below)
    return False


cdef bint fill(Filler *filler, uint32_t *row) noexcept nogil:
    """The mask of the present position into a row."""
    cdef bint good = True
    cdef Trie *trie = filler.engine.trie
    cdef uint32_t i
    if filler.position.finished:
        memset(row, 0, trie.mask_words * sizeof(uint32_t))
        return True
    if not gather(filler):
        return False
    filler.is_loose = filler.has_loose[0] and is_in_loose(filler, &good)
    write_parts(filler.engine, <TokenSet **>filler.parts.at, filler.parts.n, row)
    if filler.position.complete:
        for i in range(trie.n_ends):
            row[trie.ends[i] >> 5] |= (<uint32_t>1) << (trie.ends[i] & 31)
    return good


cdef Trie no_trie
cdef Engine no_engine
cdef Position nowhere
cdef bint nothing_loose = False
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
        free(self.filler.doubts.at)
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

    cdef Position *_keep(self, bint complete, bint finished, int32_t token) noexcept nogil:
        """A new position out of self.next_."""
        cdef Position *made = <Position *>arena_take(&self.family.arena, sizeof(Position) + self.next_.n * sizeof(Configuration))
        if made == NULL:
            self.fault = FAULT_MEMORY
            return NULL
        made.before = self.position_
        made.token = token
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
        """Equal for equal states of matchers of one Bound, however the text was cut into tokens.

        Inside an item that must differ from others, it tells the whole text: what may follow the item depends on how it began.
        """
        key = self._key()
        return (*key, self._text()) if self.bound is not None and self.bound.tells_apart and self._is_inside_item() else key

    cdef tuple _key(self):
        """The same of states and stacks only."""
        cdef uint32_t i
        cdef list key = []
        for i in range(self.position_.n):
            key.append((<size_t>self.position_.at[i].state, self.position_.at[i].stack.hash, telling_count(&self.position_.at[i])))
        key.sort()
        return (self.position_.complete, self.position_.finished, tuple(key))

    cdef bint _is_inside_item(self) except -1:
        """Whether some stack leads back behind an item that is told apart."""
        cdef list stacks = [<size_t>self.position_.at[i].stack for i in range(self.position_.n)]
        cdef set seen = set(stacks)
        cdef Stack *stack
        cdef uint32_t i
        while stacks:
            stack = <Stack *><size_t>stacks.pop()
            for i in range(stack.n):
                if stack.entries[i].back == NULL:
                    continue
                if is_behind_item(stack.entries[i].back):
                    return True
                if <size_t>stack.entries[i].below not in seen:
                    seen.add(<size_t>stack.entries[i].below)
                    stacks.append(<size_t>stack.entries[i].below)
        return False

    cdef bytes _text(self):
        """The bytes since the start, or since a special token."""
        cdef Position *position = self.position_
        cdef list parts = []
        while position.before != NULL and self.engine.trie.byte_of_token[position.token] < self.engine.trie.byte_of_token[position.token + 1]:
            parts.append(self._spelling(position.token))
            position = position.before
        return b"".join(reversed(parts))

    def place_key(self):
        """(key, counts): what `state_key` tells of states and stacks, the numbers of characters read apart.

        With larger counts at the same key the same tokens or fewer lead to the same places, where no more is left to be done.
        """
        cdef object complete
        cdef object finished
        complete, finished, key = self._key()
        return (complete, finished, tuple([part[:2] for part in key])), tuple([part[2] for part in key])

    def _configurations(self):
        """How many configurations the position holds, for tests and pictures."""
        return self.position_.n

    cdef _raise_fault(self):
        cdef int fault = self.fault
        self.fault = FAULT_NONE
        if fault == FAULT_RAISED:
            raised, self.raised = self.raised, None
            raise raised
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
                    elif is_behind_item(c.stack.entries[j].back):
                        if not self._tell(c.stack.entries[j].back, c.stack.entries[j].below):
                            return False
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
        self.read_at = bytes_
        self.n_read = 0
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
            self.n_read = i + 1
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

    # -- items that all differ, see distinct.pyx ------------------------------------------------------------------------

    cdef bint _supplied(self) except -1:
        """Have made what a computation has stopped for, so that it is to be repeated; False if it has not."""
        if self.fault != FAULT_WANTED:
            return False
        self.fault = FAULT_NONE
        self.bound._supply()
        return True

    cdef bint _tell(self, State *back, Stack *below) noexcept nogil:
        """Return behind an item: nowhere if it has been read before, else with it in the memory."""
        cdef bint adds = not (self.is_trial and back.rule.richness)
        cdef int64_t memory
        cdef State *state
        if self.is_trial and back.key[1] == STALE_PENDING:
            self.needs_all = True
            return True
        memory = self._remembered(back, adds)
        if memory < 0:
            return self.fault == FAULT_NONE
        self.has_told = True
        if not adds and back.rule.richness != RICH:
            self.opens_at = self.opens_at or self.n_read
            self.opens &= back.rule.richness
        lock_engine(self.engine)
        state = retold(self.engine, back, <uint32_t>memory, FRESH if adds else PENDING)
        release(self.engine, &self.fault)
        return state != NULL and add_configuration(&self.next_, state, below, 0)

    cdef int64_t _remembered(self, State *back, bint adds) noexcept nogil:
        """The memory that the item just read leads to; -1: it is in it already, or a fault."""
        cdef Reading text
        cdef Words item
        cdef size_t i
        cdef int64_t memory = -1
        if not adds and back.key[0] == 0:      # the empty memory holds no value
            return 0
        text.trie = self.engine.trie
        text.position = self.position_
        text.at = self.read_at
        text.n = self.n_read
        memset(&item, 0, sizeof(item))
        if not read_item(&text, &item, back.rule.reads_members):
            self.fault = FAULT_MEMORY
        else:
            with gil:
                try:
                    memory = self._asked(back, bytes([item.at[i] for i in range(item.n)][::-1]), adds)
                except BaseException as error:
                    self.raised = error
                    self.fault = FAULT_RAISED
        free(item.at)
        return memory

    cdef int64_t _asked(self, State *back, bytes text, bint adds) except? -2:
        """The memory with a text's value. Many tokens that are tried in a row end the same item, so what was said last is kept."""
        cdef object memory
        if adds:
            return self.bound._remember(back.rule.teller, back.key[0], text, True)
        asked = (back.rule.teller, back.key[0], text)
        if self.tried is None or self.tried[0] != asked:
            memory = self.bound._remember(back.rule.teller, back.key[0], text, False)
            self.tried = (asked, memory)
        return self.tried[1]

    cdef Outcome _trial(self, int32_t token, bint *complete) noexcept nogil:
        """Whether a token could be read; what that leads to is not for keeping."""
        cdef Trie *trie = self.engine.trie
        cdef size_t n = trie.byte_of_token[token + 1] - trie.byte_of_token[token]
        cdef Outcome outcome
        self.is_trial = True
        self.needs_all = False
        self.opens_at = 0
        self.opens = RICH
        outcome = self._try(token, complete)
        self.is_trial = False
        if outcome == TAKEN and self.opens_at and not only_opens(self.opens, trie.spelling + trie.byte_of_token[token] + self.opens_at, n - self.opens_at):
            self.needs_all = True
        return self._try(token, complete) if self.needs_all and outcome != FAULTED else outcome

    cdef bint _decide(self, uint32_t *row) noexcept nogil:
        """Try the tokens that the classifications of the mask leave in doubt."""
        cdef Classification *made
        cdef uint32_t i, token
        cdef size_t c
        cdef bint complete
        cdef Outcome outcome
        for c in range(self.filler.doubts.n):
            made = <Classification *>self.filler.doubts.at[c]
            for i in range(made.n_doubts):
                token = made.doubts[i]
                if (row[token >> 5] >> (token & 31)) & 1:
                    continue
                outcome = self._trial(<int32_t>token, &complete)
                if outcome == FAULTED:
                    return False
                if outcome == TAKEN:
                    row[token >> 5] |= (<uint32_t>1) << (token & 31)
        return True

    cdef bint _try_allowed(self, uint32_t *row) noexcept nogil:
        """Take away tokens that end an item which was read before. Inside a string only a token with a quotation mark can end one."""
        cdef const TokenTexts *reading = <const TokenTexts *>self.engine.reading
        cdef bint is_text = True
        cdef uint32_t i, word
        for i in range(self.position_.n):
            is_text = is_text and self.position_.at[i].state.rule.text != NULL
        if is_text:
            for i in range(reading.n_quoted):
                if not self._try_one_allowed(row, reading.quoted_tokens[i]):
                    return False
            return True
        for i in range(self.engine.trie.mask_words):
            word = row[i]
            while word:
                if not self._try_one_allowed(row, 32 * i + lowest_bit(word)):
                    return False
                word &= word - 1
        return True

    cdef bint _try_one_allowed(self, uint32_t *row, uint32_t token) noexcept nogil:
        cdef bint complete
        cdef Outcome outcome
        if not (row[token >> 5] >> (token & 31)) & 1 or self.engine.trie.is_end[token]:
            return True
        outcome = self._trial(<int32_t>token, &complete)
        if outcome == REFUSED:
            row[token >> 5] &= ~((<uint32_t>1) << (token & 31))
        return outcome != FAULTED

    cdef _begin_mask(self):
        """Tell the filler what it is to work on."""
        self.filler.engine = self.engine
        self.filler.position = self.position_
        self.filler.has_loose = &nothing_loose if self.bound is None else &self.bound.has_loose

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
                made = self._keep(True, True, token)
                PyThread_release_lock(self.family.lock)
            self.busy = NULL
            if made == NULL:
                self._raise_fault()
            self.position_ = made
            return
        while True:
            self.busy = <void *>self
            with nogil:
                PyThread_acquire_lock(self.family.lock, 1)
                outcome = self._try(token, &complete)
                if outcome == TAKEN:
                    made = self._keep(complete, False, token)
                PyThread_release_lock(self.family.lock)
            self.busy = NULL
            if not self._supplied():
                break
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
        while True:
            self.busy = <void *>self
            with nogil:
                PyThread_acquire_lock(self.family.lock, 1)
                outcome = self._trial(token, &complete)
                PyThread_release_lock(self.family.lock)
            self.busy = NULL
            if not self._supplied():
                break
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
        self._begin_mask()
        try:
            self._fill(<uint32_t *>view.buf)
        finally:
            PyBuffer_Release(&view)

    cdef _fill(self, uint32_t *row):
        """The mask into a row, whatever has to be made for it."""
        cdef bint good
        while True:
            self.busy = <void *>self
            with nogil:
                good = fill(&self.filler, row)
                if good and (self.filler.doubts.n or self.filler.is_loose):
                    PyThread_acquire_lock(self.family.lock, 1)
                    good = self._decide(row) and (not self.filler.is_loose or self._try_allowed(row))
                    PyThread_release_lock(self.family.lock)
            self.busy = NULL
            if self.filler.fault != FAULT_NONE:
                self.fault = self.filler.fault
                self.filler.fault = FAULT_NONE
            if not self._supplied():
                break
        if not good:
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
        from grammask.kernel.places import successors_of      # it is above this module

        return successors_of(self, brief)

    # -- what must come -----------------------------------------------------------------------------------------------

    def forced_bytes(self):
        """The longest bytes that every completion starts with from here, at most 65,536; b"" when complete."""
        cdef bytearray out = bytearray()
        if self.position_.finished:
            return b""
        self._require_idle(NULL)
        self._look_ahead(add_forced, out)
        return bytes(out)

    def least_bytes(self):
        """About how many bytes a shortest completion has, without spelling it; 0 when complete, -1 from 2**30 on and where only special tokens lead on."""
        cdef int64_t least
        if self.position_.complete:
            return 0
        self._require_idle(NULL)
        self.bound.complete()
        while True:
            self.busy = <void *>self
            with nogil:
                least = least_left(self.engine, self.position_.at, self.position_.n, &self.fault)
            self.busy = NULL
            if not self._supplied():
                break
        if self.fault != FAULT_NONE:
            self._raise_fault()
        return least

    def shortest_bytes(self):
        """A short byte string that completes from here; b"" when complete, None if only special tokens could.

        It follows the configuration with the least left to do, so it is shortest up to the cost of characters in texts.
        Cost: linear in its length, after a first pass over the grammar's rules.
        """
        cdef bytearray out = bytearray()
        cdef bint is_all
        if self.position_.complete:
            return b""
        self._require_idle(NULL)
        self.bound.complete()
        is_all = self._look_ahead(add_completion, out)
        return bytes(out) if is_all else None

    cdef bint _look_ahead(self, Look look, bytearray out) except -1:
        """What `look` says of the bytes that it adds from the position on, whatever has to be made for it."""
        cdef Ahead ahead
        cdef bint found
        ahead.matcher = <void *>self
        ahead.step = step_ahead
        ahead.engine = self.engine
        ahead.now = &self.now
        ahead.fault = &self.fault
        while True:
            ahead.complete = self.position_.complete
            ahead.tells_apart = len(self.bound.recorders) > 0
            self.busy = <void *>self
            with nogil:
                PyThread_acquire_lock(self.family.lock, 1)
            try:
                if not self._load_now():
                    raise MemoryError()
                found = look(&ahead, out)
            finally:
                PyThread_release_lock(self.family.lock)
                self.busy = NULL
            if not self._supplied():
                break
            out.clear()
        if self.fault != FAULT_NONE:
            self._raise_fault()
        return found


cdef bint step_ahead(Ahead *ahead, uint32_t byte, bytearray read) except -1:
    """Step a matcher by the last of the bytes read since its position; False where that cannot be."""
    cdef Matcher matcher = <Matcher>ahead.matcher
    cdef bint rests = False
    cdef Configurations swap
    matcher.read_at = <const uint8_t *><char *>read
    matcher.n_read = len(read)
    matcher.has_told = False
    if matcher._step(byte, &ahead.complete, &rests) != TAKEN:
        return False
    swap = matcher.now
    matcher.now = matcher.next_
    matcher.next_ = swap
    ahead.has_told = matcher.has_told
    return True


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
