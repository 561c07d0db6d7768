# cython: language_level=3
"""Stacks and configurations: where a generation stands, as a set of (local state, stack, count).

Stacks are one graph: a stack node is the interned set of (state to come back to, node below) pairs, so callers that
called the same rule at the same place are one. They belong to a family, a matcher with the copies made of it, and never change.
Below: automata, text.  Above: completions, matcher, places.
Source: Tomita 1985 for graph-structured stacks; Scott & Johnstone 2010 for merging calls.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
from grammask.kernel.automata cimport *
from grammask.kernel.text cimport TextRule

MATCHER_BYTES = 1 << 30        # memory of the stacks and positions of one matcher and its copies
ROOMY = 1 << 23                # from so many bytes on a matcher leaves behind what it no longer needs

cdef enum:
    LINEAR = 12                # up to so many configurations a list is searched, above that a table


cdef class Family:
    """Stacks and positions of a matcher and the copies made of it. Freed with the last of them."""

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
