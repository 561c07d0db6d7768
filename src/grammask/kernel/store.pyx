# cython: language_level=3
"""Store: one vocabulary's trie and the rules that its grammars share. Bound: one grammar's own rules, bound to a store.

Ownership: a Store owns its trie, shared rules, exit sets and everything made of them; a Bound owns the rules of its
grammar that have no key, with their states and classifications, and keeps its Store alive. Dropping either frees it all.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from grammask.kernel.memory cimport *
import threading

from grammask.errors import LimitError
from grammask.kernel import tables
from grammask.kernel.automata cimport *
from grammask.kernel.classify cimport intern_exits
from grammask.kernel.near cimport classify_pattern
from grammask.kernel.multiples cimport expand_multiples, make_multiples, multiples_target, start_multiples, walk_multiples
from grammask.kernel.text cimport expand_text, settle_text
from grammask.kernel.text_loading cimport make_any_text, make_text
from grammask.kernel.text_masks cimport TokenReading, drop_reaches, open_reaches
from grammask.kernel.unordered cimport expand_unordered, make_unordered, start_unordered
from grammask.kernel.wide cimport classify_wide, is_wide

cdef enum:
    EPSILON = 0
    RANGE = 1
    LITERAL = 2
    LITERALS = 3
    CALL = 4
    LARGE = 1 << 24            # bytes that are worth while to be given back to the system at once

assert (tables.EPSILON, tables.RANGE, tables.LITERAL, tables.LITERALS, tables.CALL) == (EPSILON, RANGE, LITERAL, LITERALS, CALL)

STORE_BYTES = 1 << 30          # memory of one vocabulary's store
WORN_BYTES = 64 << 20          # memory past which grammars to come get a fresh store
BOUND_BYTES = 1 << 29          # memory of one constraint
BOUND_WORN_BYTES = 24 << 20    # memory, beyond what it was made with, past which matchers to come get the grammar bound afresh
STATES = 20_000_000            # local states of one store and its constraints
RULE_NODES = 50_000_000        # automaton nodes of one rule


cdef class Store:
    """The trie of a vocabulary's tokens and the rules that grammars over it share.

    tokens: bytes of each id, b"" for ids without text; eos_ids: the ids that end an output (their bytes are not looked at).
    Cost: about 0.2 s for 128,000 tokens. Safe to use from any number of threads.
    """

    def __init__(self, list tokens not None, eos_ids=()):
        if self.engine.trie != NULL:
            raise TypeError("a Store is made once")
        self.token_trie = TokenTrie(tokens, tuple(eos_ids))
        self.token_reading = TokenReading()
        self.token_reading.read(&self.token_trie.trie)
        self._open(tuple(eos_ids))

    def renewed(self):
        """An empty store for the same vocabulary, which shares what depends on the tokens alone. Cost: a look at each trie node."""
        cdef Store store = Store.__new__(Store)
        if self.engine.trie == NULL:
            raise TypeError("a Store is renewed after it was made")
        store.token_trie = self.token_trie
        store.token_reading = self.token_reading
        store._open(self.eos_ids)
        return store

    cdef _open(self, tuple eos_ids):
        cdef Engine *engine = &self.engine
        cdef uint32_t root = 0
        cdef int32_t i
        self.eos_ids = eos_ids
        self.shared = {}
        self.loading = threading.Lock()
        engine.trie = &self.token_trie.trie
        engine.reading = &self.token_reading.reading
        engine.arena.limit = STORE_BYTES
        engine.state_limit = STATES
        engine.expand_text = expand_text
        engine.settle_text = settle_text
        engine.classify_text = classify_pattern
        engine.classify_wide = classify_wide
        engine.is_wide = is_wide
        engine.start_unordered = start_unordered
        engine.expand_unordered = expand_unordered
        engine.start_multiples = start_multiples
        engine.expand_multiples = expand_multiples
        engine.multiples_target = multiples_target
        engine.walk_multiples = walk_multiples
        engine.lock = PyThread_allocate_lock()
        engine.single = <ExitSet **>calloc(engine.trie.n_nodes, sizeof(ExitSet *))
        engine.row = <uint32_t *>calloc(engine.trie.mask_words, sizeof(uint32_t))
        engine.marked = <uint64_t *>calloc(engine.trie.n_nodes // 64 + 1, sizeof(uint64_t))
        if engine.lock == NULL or engine.single == NULL or engine.row == NULL or engine.marked == NULL or not open_reaches(engine):
            raise MemoryError()
        memset(engine.absent, 1, 256)
        for i in range(1, engine.trie.n_nodes):
            if engine.trie.label[i] < 256:
                engine.absent[engine.trie.label[i]] = 0
        engine.root = intern_exits(engine, &root, 1)
        if engine.root == NULL:
            raise MemoryError()
        make_any_text(engine)

    def __dealloc__(self):
        cdef Engine *engine = &self.engine
        cdef bint is_large = engine.arena.total > LARGE
        drop_reaches(engine)
        arena_drop(&engine.arena)
        if engine.lock != NULL:
            PyThread_free_lock(engine.lock)
        free(engine.single)
        free(engine.row)
        free(engine.marked)
        free(engine.exit_sets)
        free(engine.seen)
        free(engine.nodes.at)
        free(engine.stack.at)
        free(engine.tokens.at)
        free(engine.exits.at)
        free(engine.doubts.at)
        free(engine.scratch.at)
        free(engine.parts.at)
        free(engine.walk.at)
        if is_large:
            give_back()

    cdef Rule *shared_rule(self, bytes key) except? NULL:
        cdef object held = self.shared.get(key)
        return NULL if held is None else <Rule *><size_t>held

    @property
    def is_worn(self):
        """Whether it has gathered so much that grammars to come had better get a fresh one."""
        return self.engine.arena.total > WORN_BYTES or self.engine.n_states > self.engine.state_limit // 2

    def statistics(self):
        """Sizes of the store: trie nodes, shared rules, local states (constraints' included), exit sets, bytes."""
        return {
            "trie_nodes": self.token_trie.n_nodes if self.token_trie is not None else 0,
            "shared_rules": len(self.shared or ()),
            "states": self.engine.n_states,
            "exit_sets": self.engine.n_exit_sets,
            "bytes": self.engine.arena.total,
        }


cdef class Bound:
    """A grammar's prepared tables bound to a vocabulary. Immutable to its users; any number of matchers share it.

    root: the RuleTable to start from (see kernel.tables). Raises LimitError when it is too large.
    Cost: linear in the tables; rules with a key are loaded only the first time the store sees them.
    """

    takes_prepared = True

    def __init__(self, Store store not None, root not None):
        if self.store is not None or store.loading is None:
            raise TypeError("a Bound is made once, of a Store")
        self.store = store
        self.recorders = []
        self.awaited = []
        self.memories = [frozenset()]
        self.numbers = {frozenset(): 0}
        self.supplying = threading.Lock()
        self.arena.limit = BOUND_BYTES
        self.late.limit = BOUND_BYTES
        self.loading.limit = BOUND_BYTES
        # Shared rules change the store's dictionary, so grammars load one at a time.
        with store.loading:
            try:
                self._load(root)
            except MemoryError:
                raise self._lack_of_memory() from None

    def __dealloc__(self):
        cdef size_t i
        if self.store is not None:
            for i in range(self.own.n):
                self.store.engine.n_states -= (<Rule *>self.own.at[i]).n_states
        free(self.own.at)
        arena_drop(&self.arena)
        arena_drop(&self.loading)
        arena_drop(&self.late)

    cdef _load(self, root):
        cdef dict made = {}     # id of a table -> address of its rule
        cdef list fresh = []
        self.root = <Rule *><size_t>self._load_from(root, made, fresh)
        self.n_rules = len(made)
        self.made_bytes = self.arena.total
        self._keep(fresh, made)

    cdef _keep(self, list fresh, dict made):
        """While rules wait, keep which table has which rule: the next ones may call the same. Tables are only known by being there."""
        if not self.n_awaited:
            self.made = self.held = None
            return
        if self.held is None:
            self.held = []
        self.made = made
        self.held += fresh
        for table in fresh:
            if type(table) is tables.RuleTable and table.key is None:
                table.edges = []

    cdef object _load_from(self, root, dict made, list fresh):
        """The address of a root's rule; it and all that it calls are made unless they are there."""
        cdef object table
        cdef object held
        if root.key is not None and (held := self.store.shared.get(root.key)) is not None:
            made[id(root)] = held
        else:
            made[id(root)] = self._blank(root, 0)
            (<Rule *><size_t>made[id(root)]).alone = root.key is None      # until a call of it is met
            fresh.append(root)
        for table in fresh:    # grows while it is read
            if type(table) is tables.RuleTable:
                self._fill(table, made, fresh)
            else:
                make_text(&self.store.engine, <Rule *><size_t>made[id(table)], table)
        self._share([made[id(table)] for table in fresh if table.key is not None])
        for table in fresh:
            if table.key is not None:
                self.store.shared[table.key] = made[id(table)]
        return made[id(root)]

    cdef _share(self, list rules):
        """Hand the rules with keys over to the store. Until here nobody else knew them, so loading them took no lock."""
        cdef Engine *engine = &self.store.engine
        cdef bint good
        with nogil:
            lock_engine(engine)
            good = arena_join(&engine.arena, &self.loading)
            unlock_engine(engine)
        if not good:
            raise LimitError("memory of a vocabulary's store in bytes", None, STORE_BYTES, "use a new Vocabulary, or simplify the grammars")
        for rule in rules:
            (<Rule *><size_t>rule).arena = &engine.arena

    cdef object _blank(self, table, size_t number):
        cdef Arena *own = &self.late if self.is_late else &self.arena
        cdef Arena *arena = own if table.key is None else &self.loading
        cdef Rule *rule = <Rule *>arena_zeroed(arena, sizeof(Rule))
        if rule == NULL:
            raise MemoryError()
        rule.arena = arena
        rule.shared = table.key is not None
        rule.nullable = table.nullable
        rule.rank = table.rank
        rule.cost = -1
        rule.wanted = &self.wanted
        if table.key is None and not pointers_push(&self.own, rule):
            raise MemoryError()
        self.store.serial += 1
        rule.serial = self.store.serial
        rule.name = name_of(table.key or b"%d" % (self.n_rules + number))
        return <size_t>rule

    cdef size_t _rule_of(self, table, dict made, list fresh) except 0:
        """The rule of a table that is called: a shared one, one made before, or a blank one that is put on the list."""
        cdef object key = table.key
        cdef object found = None if key is None else self.store.shared.get(key)
        if found is None:
            found = self._blank(table, len(made))
            fresh.append(table)
        made[id(table)] = found
        return found

    cdef _fill(self, table, dict made, list fresh):
        """Copy the edges of a RuleTable, literals spelled out, sorted by the node they leave."""
        cdef Words words          # from, low, high, to of each edge
        cdef Pointers callees
        cdef uint32_t n_nodes = table.n_nodes
        cdef list edges = table.edges
        cdef tuple edge
        cdef int kind
        cdef object callee
        cdef object found
        cdef size_t address
        cdef Rule *rule = <Rule *><size_t>made[id(table)]
        if table.later is not None:
            self.awaited.append((<size_t>rule, table.later))
            self.n_awaited += 1
            rule.awaited = <uint32_t>len(self.awaited)
        memset(&words, 0, sizeof(words))
        memset(&callees, 0, sizeof(callees))
        try:
            if not (words_reserve(&words, 32 * len(edges)) and pointers_reserve(&callees, 8 * len(edges))):
                raise MemoryError()
            for edge in edges:
                kind = edge[0]
                if kind == RANGE:
                    add_edge(&words, &callees, edge[1], edge[3], edge[4], edge[2], NULL)
                elif kind == LITERAL:
                    n_nodes = add_literal(&words, &callees, edge[1], edge[2], edge[3], n_nodes)
                elif kind == CALL:
                    callee = edge[3]
                    found = made.get(id(callee))
                    address = self._rule_of(callee, made, fresh) if found is None else <size_t>found
                    if (<Rule *>address).alone:
                        (<Rule *>address).alone = False
                    if type(callee) is tables.RuleTable and callee.recorder is not None:
                        self._tell_apart(rule, <Rule *>address, callee.recorder)
                    add_edge(&words, &callees, edge[1], 1, 0, edge[2], <Rule *>address)
                elif kind == EPSILON:
                    add_edge(&words, &callees, edge[1], 1, 0, edge[2], NULL)
                else:
                    n_nodes = add_literals(&words, &callees, edge[1], edge[2], edge[3], n_nodes)
            if n_nodes > RULE_NODES:
                raise LimitError("number of automaton nodes of a rule", n_nodes, RULE_NODES)
            lay_out(rule, &words, &callees, n_nodes)
            if table.unordered is not None:
                make_unordered(rule, table.unordered)
            if table.multiples is not None:
                make_multiples(rule, table.multiples)
            if table.resting is not None:
                rule.rests = <uint8_t *>arena_zeroed(rule.arena, n_nodes)
                if rule.rests == NULL:
                    raise MemoryError()
                for node in table.resting:
                    rule.rests[<size_t>node] = 1
        finally:
            free(words.at)
            free(callees.at)

    # -- items that all differ, see distinct.pyx ------------------------------------------------------------------------

    cdef _tell_apart(self, Rule *rule, Rule *callee, recorder):
        """Note that a rule calls one whose strings it tells apart."""
        cdef uint32_t richness = RICH
        if not recorder.is_rich:
            richness = OPENS_OBJECT * (b"{" in recorder.opens) | OPENS_ARRAY * (b"[" in recorder.opens) | OPENS_STRING * (b'"' in recorder.opens)
        rule.richness = richness if rule.head == 0 else rule.richness & richness
        rule.head = 2
        rule.reads_members = recorder.is_member
        if callee.recorder == 0:
            self.recorders.append(recorder)
            callee.recorder = <uint32_t>len(self.recorders)
            callee.slack = recorder.slack
        rule.teller = callee.recorder - 1

    cpdef int64_t _remember(self, uint32_t teller, uint32_t memory, bytes text, bint adds) except? -2:
        """The memory with the value of a text added to it; -1: it is in it. Without `adds`, the memory as it is."""
        value = self.recorders[teller].value(text)
        held = self.memories[memory]
        if value in held:
            return -1
        if not adds:
            return memory
        with self.supplying:
            held |= {value}
            number = self.numbers.get(held)
            if number is None:
                number = self.numbers[held] = len(self.memories)
                self.memories.append(held)
        return number

    cpdef _supply(self):
        """Make the rules that the frame of a state, which has stopped a computation, calls: with its memory, or those that wait."""
        cdef Engine *engine = &self.store.engine
        cdef State *state
        cdef Rule *rule
        cdef uint32_t e, i
        with self.supplying:
            with nogil:
                lock_engine(engine)
                state = self.wanted
                unlock_engine(engine)
            rule = state.rule
            if rule.head or rule.unordered != NULL:
                for e in range(rule.edge_first[rule.n_nodes]):
                    self._supply_edge(state, &rule.edges[e])
                return
            for i in range(state.n_key):
                for e in range(rule.edge_first[state.key[i]], rule.edge_first[state.key[i] + 1]):
                    self._supply_edge(state, &rule.edges[e])

    cdef _supply_edge(self, State *state, Edge *edge):
        if edge.callee == NULL or callee_of(state, edge) != NULL:
            return
        if edge.callee.awaited:
            self._make_edges(edge.callee.awaited - 1)
        else:
            self._make_without(state.rule, edge.callee, state.key[0])

    cdef _make_without(self, Rule *caller, Rule *callee, uint32_t memory):
        """Load the rule of a callee without the values of a memory, and let its caller find it."""
        cdef Engine *engine = &self.store.engine
        cdef Rule *made = <Rule *>NO_RULE
        cdef Rule **room
        cdef uint32_t n, first = <uint32_t>self.own.n, i
        cdef bint good
        table = self.recorders[callee.recorder - 1].without(self.memories[memory])
        if table is not None:
            made = self._load_late(table, {}, [])
            made.alone = False
            made.recorder = callee.recorder
            if table.loose:
                caller.has_loose = self.has_loose = True
        with nogil:
            lock_engine(engine)
            good = arena_join(&self.arena, &self.late)
            if good and memory >= callee.n_without:
                n = 2 * memory + 8
                room = <Rule **>arena_zeroed(&self.arena, n * sizeof(Rule *))
                good = room != NULL
                if good:
                    copy_bytes(room, callee.without, callee.n_without * sizeof(Rule *))
                    callee.without = room
                    callee.n_without = n
            if good:
                self._join_late(first)
                callee.without[memory] = made
            unlock_engine(engine)
        if not good:
            raise LimitError("memory of a constraint in bytes", None, BOUND_BYTES, "bound the number of items that must differ")

    cdef void _join_late(self, uint32_t first) noexcept nogil:
        """Hand over the rules that were made late, from one on, with the memory that has joined the others'."""
        cdef uint32_t i
        for i in range(first, <uint32_t>self.own.n):
            (<Rule *>self.own.at[i]).arena = &self.arena

    cpdef complete(self):
        """Make all rules that wait, for whoever has to look at every one of them."""
        cdef uint32_t number = 0
        while self.n_awaited and number < <uint32_t>len(self.awaited):    # grows while it is read
            with self.supplying:
                self._make_edges(number)
            number += 1

    cdef _make_edges(self, uint32_t number):
        """Load the edges of a rule that waits for them, unless they are there. Where that fails, all is as before, and it can be tried again."""
        cdef Engine *engine = &self.store.engine
        cdef uint32_t first = <uint32_t>self.own.n
        cdef Rule *rule
        cdef Rule *made
        cdef bint good
        cdef list fresh = []
        if self.awaited[number] is None:
            return
        address, later = self.awaited[number]
        rule = <Rule *><size_t>address
        table = later()
        try:
            made = self._load_late(table, self.made, fresh)
            with nogil:
                lock_engine(engine)
                good = arena_join(&self.arena, &self.late)
                if good:
                    self._join_late(first)     # before anybody can come to them: `late` is filled without the engine's lock
                    rule.n_nodes = made.n_nodes
                    rule.edge_first = made.edge_first
                    rule.edges = made.edges
                    rule.awaited = 0
                unlock_engine(engine)
            if not good:
                self.late.is_full = True
                raise self._lack_of_memory()
        except BaseException:
            for one in fresh:          # their rules have no edges, or are not to be found: the next time, they get others
                self.made.pop(id(one), None)
            raise
        self.awaited[number] = None
        self.n_awaited -= 1
        self._keep(fresh, self.made)

    cdef object _lack_of_memory(self):
        """The error for a grammar that does not fit, or for a machine that has no more memory."""
        if self.arena.is_full or self.late.is_full or self.loading.is_full:
            return LimitError("memory of a constraint in bytes", None, BOUND_BYTES, "simplify the grammar")
        return MemoryError()

    cdef Rule *_load_late(self, table, dict made, list fresh) except NULL:
        cdef object address
        cdef Py_ssize_t known = len(made)
        with self.store.loading:
            self.is_late = True
            try:
                address = self._load_from(table, made, fresh)
            except MemoryError:
                raise self._lack_of_memory() from None
            finally:
                self.is_late = False
        self.n_rules += len(made) - known
        return <Rule *><size_t>address

    @property
    def is_worn(self):
        """Whether it has gathered so much that matchers to come had better get the grammar bound afresh: orders of members have no end."""
        return self.arena.total > self.made_bytes + BOUND_WORN_BYTES or self.late.is_full

    @property
    def tells_apart(self):
        """Whether some of its items must all differ, so that what is allowed depends on texts read before."""
        return bool(self.recorders)

    def statistics(self):
        """Sizes of the constraint: rules (shared ones included), bytes of its own."""
        return {"rules": self.n_rules, "bytes": self.arena.total}


cdef uint64_t name_of(bytes key):
    cdef uint64_t name = len(key)
    cdef uint8_t byte
    for byte in key:
        name = mix(name, byte)
    return name


cdef int add_edge(Words *words, Pointers *callees, uint32_t a, uint32_t low, uint32_t high, uint32_t b, Rule *callee) except -1:
    if not (words_reserve(words, 4) and pointers_push(callees, callee)):
        raise MemoryError()
    words.at[words.n] = a
    words.at[words.n + 1] = low
    words.at[words.n + 2] = high
    words.at[words.n + 3] = b
    words.n += 4
    return 0


cdef uint32_t add_literal(Words *words, Pointers *callees, uint32_t a, uint32_t b, bytes data, uint32_t n_nodes) except 0:
    cdef const uint8_t *at = data
    cdef Py_ssize_t i, n = len(data)
    if n == 0:
        raise ValueError("a literal without bytes")
    for i in range(n - 1):
        add_edge(words, callees, a, at[i], at[i], n_nodes, NULL)
        a = n_nodes
        n_nodes += 1
    add_edge(words, callees, a, at[n - 1], at[n - 1], b, NULL)
    return n_nodes


cdef uint32_t add_literals(Words *words, Pointers *callees, uint32_t a, uint32_t b, literals, uint32_t n_nodes) except 0:
    """A trie of the literals, whose last bytes all lead to b."""
    cdef bytes previous = b""
    cdef bytes data
    cdef const uint8_t *at
    cdef const uint8_t *old
    cdef Py_ssize_t i, n, m, common
    cdef Words path           # path.at[i]: the node after i bytes of `previous`
    memset(&path, 0, sizeof(path))
    try:
        if not words_push(&path, a):
            raise MemoryError()
        for data in sorted(literals):
            at = data
            old = previous
            n = len(data)
            m = len(previous)
            common = 0
            if n == 0:
                raise ValueError("a literal without bytes")
            while common < n and common < m and at[common] == old[common]:
                common += 1
            # The node after all bytes of `previous` is b itself, so at most its first len - 1 bytes have nodes of their own.
            if common > n - 1:
                common = n - 1
            if common > <Py_ssize_t>path.n - 1:
                common = path.n - 1
            path.n = common + 1
            for i in range(common, n - 1):
                add_edge(words, callees, path.at[i], at[i], at[i], n_nodes, NULL)
                if not words_push(&path, n_nodes):
                    raise MemoryError()
                n_nodes += 1
            add_edge(words, callees, path.at[n - 1], at[n - 1], at[n - 1], b, NULL)
            previous = data
    finally:
        free(path.at)
    return n_nodes


cdef int lay_out(Rule *rule, Words *words, Pointers *callees, uint32_t n_nodes) except -1:
    """Sort the edges by the node they leave (counting sort) into the rule's arrays."""
    cdef size_t n = callees.n, i
    cdef uint32_t node, at
    rule.n_nodes = n_nodes
    rule.edge_first = <uint32_t *>arena_zeroed(rule.arena, (n_nodes + 2) * sizeof(uint32_t))
    rule.edges = <Edge *>arena_take(rule.arena, (n + 1) * sizeof(Edge))
    if rule.edge_first == NULL or rule.edges == NULL:
        raise MemoryError()
    for i in range(n):
        if words.at[4 * i] >= n_nodes or words.at[4 * i + 3] >= n_nodes:
            raise ValueError(f"an edge from node {words.at[4 * i]} to {words.at[4 * i + 3]} of a rule with {n_nodes} nodes")
        rule.edge_first[words.at[4 * i] + 2] += 1
    for node in range(n_nodes):
        rule.edge_first[node + 1] += rule.edge_first[node]
    rule.edge_first[n_nodes + 1] = 0
    # edge_first[node + 1] is now where node's edges begin; filling moves it to where they end.
    for i in range(n):
        node = words.at[4 * i]
        at = rule.edge_first[node + 1]
        rule.edges[at].low = words.at[4 * i + 1]
        rule.edges[at].high = words.at[4 * i + 2]
        rule.edges[at].to = words.at[4 * i + 3]
        rule.edges[at].callee = <Rule *>callees.at[i]
        rule.edge_first[node + 1] = at + 1
    return 0
