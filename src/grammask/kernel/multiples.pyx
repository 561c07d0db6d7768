# cython: language_level=3
"""Multiples of a number: rules whose local states are residues, found as digits come there.

A state's key is
  0: PHASE, at the start, behind a leading 0, in the whole part, behind the point,
  1: how many digits of that part there were,
  2, 3: how the whole digits compare with as many digits of low and of high (0 less, 1 equal, 2 greater); behind the point: 1 if all digits
     so far are those of the bound,
  4 ...: the residues of the digits so far, read as one whole number V, n_words each; none behind the last place that counts.
With g decimal places to come V stands for V * 10**g, and a number n divides that if n / gcd(n, 10**g) divides V: these are the moduli.
Whether a state can be completed is arithmetic: digits to come are a span of whole numbers from V * 10**k on, and the first multiple in a
span is known. So 10**13 states cost those that texts visit, and a state is made only if it leads to an end.
Behind the point most residues of numbers that must not divide can never be 0 again, whatever comes: they are all written as the same one, so
that states which differ in nothing else are one.
Rule: all numbers are of n_words words, with room above the largest modulus, so that no step overflows.
Rule: called with the engine's lock held.
Below: automata, trie.  Above: store, costs.
"""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset
import sys
from math import gcd

from grammask.kernel.automata cimport *
from grammask.kernel.memory cimport *
from grammask.kernel.trie cimport Trie, TrieNode, children_end

cdef enum:
    START = 0                  # phases
    ZERO = 1
    WHOLE = 2
    FRACTION = 3
    LESS = 0                   # comparisons
    EQUAL = 1
    GREATER = 2
    HEAD = 4                   # words of a key before the residues
    POINT = 0x2E
    DIGIT = 0x30
    SYMBOLS = 11               # the digits, and the point as number 10
    SPARE_BITS = 24            # of a number above the largest modulus

cdef int64_t NEVER = 0x3FFFFFFF        # as DEAREST in costs.pxd, which is above
cdef uint32_t ALL_BITS = 0xFFFFFFFF


# -- from a table ---------------------------------------------------------------------------------------------------------


cdef int make_multiples(Rule *rule, table) except -1:
    """Give a rule its memory."""
    cdef Multiples *made = <Multiples *>room_for(rule, sizeof(Multiples))
    numbers = (table.divisor, *table.excluded)
    made.places = table.places
    made.behind = table.behind
    made.n_numbers = len(numbers)
    made.n_words = max(2, (max(numbers).bit_length() + SPARE_BITS + 31) // 32)
    made.n_key = HEAD + made.n_numbers * made.n_words
    made.low = digits_of(rule, table.low, made.places, &made.n_low)
    made.high = digits_of(rule, table.high, made.places, &made.n_high)
    made.low_ends = len(str(table.low).zfill(table.places + 1).rstrip("0"))
    made.ample = len(str(table.divisor << len(table.excluded)))
    made.spare = <uint32_t *>room_for(rule, (6 * (made.n_key + made.n_words) + made.n_words) * sizeof(uint32_t))
    write_moduli(rule, made, numbers)
    write_spent(rule, made, numbers)
    rule.multiples = made
    return 0


cdef void *room_for(Rule *rule, size_t size) except NULL:
    cdef void *room = arena_zeroed(rule.arena, size)
    if room == NULL:
        raise MemoryError()
    return room


cdef uint8_t *digits_of(Rule *rule, number, uint32_t places, uint32_t *n_whole) except NULL:
    """The digits of a bound as numbers, at least one before the point."""
    cdef bytes digits = str(number).zfill(places + 1).encode()
    cdef uint8_t *at = <uint8_t *>room_for(rule, len(digits))
    cdef Py_ssize_t i
    for i in range(len(digits)):
        at[i] = digits[i] - DIGIT
    n_whole[0] = len(digits) - places
    return at


cdef int write_moduli(Rule *rule, Multiples *made, tuple numbers) except -1:
    cdef uint32_t left, i
    cdef size_t size = made.n_words * sizeof(uint32_t)
    cdef uint8_t *at
    cdef const uint8_t *data
    made.moduli = <uint32_t *>room_for(rule, (made.places + 1) * made.n_numbers * size)
    made.barren = <uint8_t *>room_for(rule, made.places + 1)
    at = <uint8_t *>made.moduli
    for left in range(made.places + 1):
        moduli = [number // gcd(number, 10**left) for number in numbers]
        made.barren[left] = moduli[0] in moduli[1:]
        for number in moduli:
            written = in_words(number, made.n_words)
            data = written
            memcpy(at, data, size)
            at += size
    return 0


cdef bytes in_words(number, uint32_t n_words):
    return b"".join([(number >> (32 * i) & 0xFFFFFFFF).to_bytes(4, sys.byteorder) for i in range(n_words)])


cdef int write_spent(Rule *rule, Multiples *made, tuple numbers) except -1:
    """For each number and g decimal places to come: how far above a multiple V * 10**g must be, at most, for the next to be out of reach, and the
    residue that stands for all such V; 0 and 0 where every V may become a multiple.
    """
    cdef uint32_t left
    cdef size_t size = 2 * made.n_words * sizeof(uint32_t)
    cdef uint8_t *at
    cdef const uint8_t *data
    made.spent = <uint32_t *>room_for(rule, (made.places + 1) * made.n_numbers * size)
    at = <uint8_t *>made.spent
    for left in range(made.places + 1):
        for number in numbers:
            common = gcd(number, 10**left)
            farthest = number - 10**left
            if farthest >= common:  # the least that V * 10**g can be above a multiple
                written = in_words(farthest, made.n_words) + in_words(pow(10**left // common, -1, number // common), made.n_words)
                data = written
                memcpy(at, data, size)
            at += size
    return 0


# -- numbers --------------------------------------------------------------------------------------------------------------


cdef inline bint is_zero(const uint32_t *number, uint32_t n) noexcept nogil:
    cdef uint32_t i
    for i in range(n):
        if number[i]:
            return False
    return True


cdef inline bint is_less(const uint32_t *one, const uint32_t *other, uint32_t n) noexcept nogil:
    cdef uint32_t i = n
    while i:
        i -= 1
        if one[i] != other[i]:
            return one[i] < other[i]
    return False


cdef inline void add(uint32_t *number, const uint32_t *other, uint32_t n) noexcept nogil:
    cdef uint32_t i
    cdef uint64_t carry = 0
    for i in range(n):
        carry += <uint64_t>number[i] + other[i]
        number[i] = <uint32_t>carry
        carry >>= 32


cdef inline void subtract(uint32_t *number, const uint32_t *other, uint32_t n) noexcept nogil:
    cdef uint32_t i
    cdef int64_t carry = 0
    for i in range(n):
        carry += <int64_t>number[i] - <int64_t>other[i]
        number[i] = <uint32_t>carry
        carry = -1 if carry < 0 else 0


cdef inline void append_digit(uint32_t *number, uint32_t digit, uint32_t n) noexcept nogil:
    cdef uint32_t i
    cdef uint64_t carry = digit
    for i in range(n):
        carry += <uint64_t>number[i] * 10
        number[i] = <uint32_t>carry
        carry >>= 32


cdef inline void append_modulo(uint32_t *residue, uint32_t digit, const uint32_t *modulus, uint32_t n) noexcept nogil:
    """residue = (10 * residue + digit) % modulus; the residue is less than ten times the modulus divided by ten, or than the modulus."""
    cdef uint64_t value, divisor
    if n == 2:
        value = (<uint64_t>residue[1] << 32 | residue[0]) * 10 + digit
        divisor = <uint64_t>modulus[1] << 32 | modulus[0]
        value %= divisor
        residue[0] = <uint32_t>value
        residue[1] = <uint32_t>(value >> 32)
        return
    append_digit(residue, digit, n)
    while not is_less(residue, modulus, n):
        subtract(residue, modulus, n)


cdef inline uint32_t *spare_key(const Multiples *memory, uint32_t number) noexcept nogil:
    """Room for a key, 0 or 1; what lies before them is for residues, see `open_ahead`."""
    return memory.spare + (4 + number) * (memory.n_key + memory.n_words)


cdef inline const uint32_t *moduli_at(const Multiples *memory, uint32_t left) noexcept nogil:
    return memory.moduli + left * memory.n_numbers * memory.n_words


cdef inline void append_to_all(const Multiples *memory, uint32_t *residues, uint32_t digit, uint32_t left) noexcept nogil:
    """One more digit, after which `left` decimal places are to come."""
    cdef const uint32_t *moduli = moduli_at(memory, left)
    cdef uint32_t i
    for i in range(memory.n_numbers):
        append_modulo(residues + i * memory.n_words, digit, moduli + i * memory.n_words, memory.n_words)


cdef bint is_wanted(const Multiples *memory, const uint32_t *residues) noexcept nogil:
    """Whether the divisor divides what has been read, and none of the others does."""
    cdef uint32_t i
    if not is_zero(residues, memory.n_words):
        return False
    for i in range(1, memory.n_numbers):
        if is_zero(residues + i * memory.n_words, memory.n_words):
            return False
    return True


# -- what a symbol makes of a key -----------------------------------------------------------------------------------------


cdef inline uint32_t compared(uint32_t so_far, uint32_t digit, uint32_t other) noexcept nogil:
    if so_far != EQUAL:
        return so_far
    return GREATER if digit > other else LESS if digit < other else EQUAL


cdef inline bint is_inside(const Multiples *memory, const uint32_t *key) noexcept nogil:
    """Whether the whole digits of a key are those of numbers within the bounds, or may be."""
    if key[1] < memory.n_low or (key[1] == memory.n_low and key[2] == LESS):
        return False
    return key[1] < memory.n_high or key[3] != GREATER


cdef bint step(const Multiples *memory, const uint32_t *key, uint32_t symbol, uint32_t *out) noexcept nogil:
    """The key after a symbol; False if it may not come, whatever else would. It may still lead to nothing."""
    if symbol == POINT:
        return step_point(memory, key, out)
    if symbol < DIGIT or symbol > DIGIT + 9:
        return False
    if key[0] == FRACTION:
        return step_fraction(memory, key, symbol - DIGIT, out)
    if key[0] == ZERO or key[1] == memory.n_high:
        return False
    memcpy(out, key, memory.n_key * sizeof(uint32_t))
    out[0] = ZERO if key[0] == START and symbol == DIGIT else WHOLE
    out[1] += 1
    out[2] = GREATER if key[1] >= memory.n_low else compared(key[2], symbol - DIGIT, memory.low[key[1]])
    out[3] = compared(key[3], symbol - DIGIT, memory.high[key[1]])
    append_to_all(memory, out + HEAD, symbol - DIGIT, memory.places)
    return True


cdef bint step_point(const Multiples *memory, const uint32_t *key, uint32_t *out) noexcept nogil:
    if (key[0] != ZERO and key[0] != WHOLE) or memory.behind == 0 or not is_inside(memory, key):
        return False
    memcpy(out, key, memory.n_key * sizeof(uint32_t))
    out[0] = FRACTION
    out[1] = 0
    out[2] = key[1] == memory.n_low and key[2] == EQUAL
    out[3] = key[1] == memory.n_high and key[3] == EQUAL
    return settle_fraction(memory, out)


cdef bint step_fraction(const Multiples *memory, const uint32_t *key, uint32_t digit, uint32_t *out) noexcept nogil:
    cdef uint32_t low, high
    if key[1] >= memory.places:
        if digit or key[1] >= memory.behind:
            return False
        memcpy(out, key, memory.n_key * sizeof(uint32_t))
        out[1] += 1
        return True
    low = memory.low[memory.n_low + key[1]] if key[2] else 0
    high = memory.high[memory.n_high + key[1]] if key[3] else 9
    if digit < low or digit > high:
        return False
    memcpy(out, key, memory.n_key * sizeof(uint32_t))
    out[1] += 1
    out[2] = key[2] and digit == low
    out[3] = key[3] and digit == high
    append_to_all(memory, out + HEAD, digit, memory.places - out[1])
    return settle_fraction(memory, out)


cdef bint settle_fraction(const Multiples *memory, uint32_t *key) noexcept nogil:
    """Behind the last place that counts nothing but the number of digits matters any more; before it, not by how much a number is missed."""
    cdef uint32_t i
    if key[1] < memory.places:
        for i in range(1, memory.n_numbers):
            forget_spent(memory, key + HEAD + i * memory.n_words, i, memory.places - key[1])
        return True
    if not is_wanted(memory, key + HEAD):
        return False
    memset(key + 2, 0, (memory.n_key - 2) * sizeof(uint32_t))
    return True


cdef bint is_end(const Multiples *memory, const uint32_t *key) noexcept nogil:
    """Whether the number so far is wanted."""
    if key[0] == START:
        return False
    if key[0] == FRACTION:
        if key[1] == 0 or key[1] >= memory.places:
            return key[1] > 0
        return is_wanted(memory, key + HEAD) and not (key[2] and memory.low_ends > memory.n_low + key[1])
    if not is_inside(memory, key) or not is_wanted(memory, key + HEAD):
        return False
    return not (key[1] == memory.n_low and key[2] == EQUAL and memory.low_ends > memory.n_low)


cdef void forget_spent(const Multiples *memory, uint32_t *residue, uint32_t number, uint32_t left) noexcept nogil:
    """Write a residue that can never be 0 again, with `left` decimal places to come, as the one that stands for all of them."""
    cdef uint32_t n = memory.n_words, i
    cdef const uint32_t *spent = memory.spent + 2 * (left * memory.n_numbers + number) * n
    cdef uint32_t *above = memory.spare + 6 * (memory.n_key + n)  # V * 10**left, above a multiple
    if is_zero(spent, n):
        return
    memcpy(above, residue, n * sizeof(uint32_t))
    for i in range(left):
        append_modulo(above, 0, moduli_at(memory, 0) + number * n, n)
    if not is_zero(above, n) and not is_less(spent, above, n):
        memcpy(residue, spent + n, n * sizeof(uint32_t))


# -- whether a key can be completed, and how soon -------------------------------------------------------------------------


cdef struct Ahead:
    # Digits to come: whole numbers from one with these residues on, `span` further ones (all bits set: as many as matter).
    const Multiples *memory
    uint32_t *residues
    uint32_t *span
    const uint8_t *low         # the next digit of the least number; NULL: zeros
    const uint8_t *high        # of the greatest; NULL: nines
    uint32_t *others           # room
    uint32_t *offset


cdef bint is_huge(const uint32_t *number, uint32_t n) noexcept nogil:
    cdef uint32_t i
    for i in range(n):
        if number[i] != ALL_BITS:
            return False
    return True


cdef void look_further(Ahead *ahead, uint32_t left) noexcept nogil:
    """One more digit, after which `left` decimal places are to come."""
    cdef uint32_t low = 0, high = 9, n = ahead.memory.n_words, one
    if ahead.low != NULL:
        low = ahead.low[0]
        ahead.low += 1
    if ahead.high != NULL:
        high = ahead.high[0]
        ahead.high += 1
    append_to_all(ahead.memory, ahead.residues, low, left)
    if is_huge(ahead.span, n):
        return
    if ahead.span[n - 1] >= 0x10000000:
        memset(ahead.span, 0xFF, n * sizeof(uint32_t))
        return
    # span * 10 + high - low, which is not negative: numbers with more digits in common have low digits below high ones.
    if high >= low:
        append_digit(ahead.span, high - low, n)
    else:
        append_digit(ahead.span, 0, n)
        memset(ahead.offset, 0, n * sizeof(uint32_t))
        ahead.offset[0] = low - high
        subtract(ahead.span, ahead.offset, n)


cdef bint has_wanted(Ahead *ahead, uint32_t left, bint is_first_out) noexcept nogil:
    """Whether a number of the span, the first one left out if that is said, is wanted, with `left` decimal places of zeros behind it."""
    cdef const Multiples *memory = ahead.memory
    cdef const uint32_t *moduli = moduli_at(memory, left)
    cdef uint32_t *offset = ahead.offset
    cdef uint32_t n = memory.n_words, i, size = memory.n_words * sizeof(uint32_t)
    cdef bint is_excluded
    if memory.barren[left]:
        return False
    if is_zero(ahead.residues, n):
        memset(offset, 0, size)
        if is_first_out:
            memcpy(offset, moduli, size)
    else:
        memcpy(offset, moduli, size)
        subtract(offset, ahead.residues, n)
    for i in range(1, memory.n_numbers):
        memcpy(ahead.others + i * n, ahead.residues + i * n, size)
        add(ahead.others + i * n, offset, n)
        if not is_less(ahead.others + i * n, moduli + i * n, n):
            subtract(ahead.others + i * n, moduli + i * n, n)
    while not is_less(ahead.span, offset, n):
        is_excluded = False
        for i in range(1, memory.n_numbers):
            is_excluded |= is_zero(ahead.others + i * n, n)
        if not is_excluded:
            return True
        add(offset, moduli, n)
        for i in range(1, memory.n_numbers):
            add(ahead.others + i * n, moduli, n)
            if not is_less(ahead.others + i * n, moduli + i * n, n):
                subtract(ahead.others + i * n, moduli + i * n, n)
    return False


cdef void open_ahead(const Multiples *memory, const uint32_t *residues, Ahead *ahead, uint32_t number) noexcept nogil:
    """Nothing to come yet. Two of them, 0 and 1, may be open at once."""
    cdef uint32_t n = memory.n_key - HEAD
    ahead.memory = memory
    ahead.residues = memory.spare + number * 2 * (memory.n_key + memory.n_words)
    ahead.others = ahead.residues + n
    ahead.span = ahead.others + n
    ahead.offset = ahead.span + memory.n_words
    ahead.low = ahead.high = NULL
    memcpy(ahead.residues, residues, n * sizeof(uint32_t))
    memset(ahead.span, 0, memory.n_words * sizeof(uint32_t))


cdef bint is_plenty(const Multiples *memory, const uint32_t *key) noexcept nogil:
    """Whether so many digits may come, with nothing to bound them, that one of the numbers is surely wanted."""
    cdef uint32_t total
    if key[0] == FRACTION:
        return not key[2] and not key[3] and key[1] + memory.ample <= memory.places
    if key[0] != WHOLE:
        return False
    total = memory.n_high if key[3] == LESS else memory.n_high - 1
    return total >= key[1] and total - key[1] + memory.places >= memory.ample and (total > memory.n_low or (total == memory.n_low and key[2] == GREATER))


cdef int64_t multiples_cost(const Rule *rule, const uint32_t *key) noexcept nogil:
    """The least symbols from a key to an end; NEVER (which is DEAREST) if there is none."""
    cdef Multiples *memory = <Multiples *>rule.multiples
    if key[0] == START:
        return cost_of_start(rule, memory, key)
    if is_end(memory, key):
        return 0
    if key[0] == FRACTION:
        return 1 if key[1] >= memory.places else cost_of_fraction(memory, key)
    return cost_of_whole(memory, key)


cdef int64_t cost_of_start(const Rule *rule, const Multiples *memory, const uint32_t *key) noexcept nogil:
    cdef int64_t cost, least = NEVER
    cdef uint32_t digit
    cdef uint32_t *after = spare_key(memory, 1)
    for digit in range(10):
        if step(memory, key, DIGIT + digit, after):
            cost = 1 + multiples_cost(rule, after)
            if cost < least:
                least = cost
    return least


cdef int64_t cost_of_fraction(const Multiples *memory, const uint32_t *key) noexcept nogil:
    cdef Ahead ahead
    cdef uint32_t more
    open_ahead(memory, key + HEAD, &ahead, 0)
    if key[2]:
        ahead.low = memory.low + memory.n_low + key[1]
    if key[3]:
        ahead.high = memory.high + memory.n_high + key[1]
    for more in range(1, memory.places - key[1] + 1):
        look_further(&ahead, memory.places - key[1] - more)
        if has_wanted(&ahead, memory.places - key[1] - more, key[2] and memory.low_ends > memory.n_low + key[1] + more):
            return more
    return NEVER


cdef int64_t cost_of_whole(const Multiples *memory, const uint32_t *key) noexcept nogil:
    """The least over all numbers of whole digits to come. Where no bound decides, one number of digits goes on from the one before."""
    cdef Ahead free
    cdef Ahead ahead
    cdef uint32_t more, i, total, most = 0 if key[0] == ZERO else memory.n_high - key[1]
    cdef int64_t cost, least = NEVER
    cdef bint is_low, is_high
    open_ahead(memory, key + HEAD, &free, 1)
    for more in range(most + 1):
        total = key[1] + more
        if more >= least or (total == memory.n_high and key[3] == GREATER):
            break
        if more:
            look_further(&free, memory.places)
        if total < memory.n_low or (total == memory.n_low and key[2] == LESS):
            continue
        is_low = total == memory.n_low and key[2] == EQUAL
        is_high = total == memory.n_high and key[3] == EQUAL
        open_ahead(memory, key + HEAD if is_low or is_high else free.residues, &ahead, 0)
        if is_low or is_high:
            ahead.low = memory.low + key[1] if is_low else NULL
            ahead.high = memory.high + key[1] if is_high else NULL
            for i in range(more):
                look_further(&ahead, memory.places)
        else:
            memcpy(ahead.span, free.span, memory.n_words * sizeof(uint32_t))
        cost = more + cost_of_rest(&ahead, is_low)
        if cost < least:
            least = cost
    return least


cdef int64_t cost_of_rest(Ahead *ahead, bint is_low) noexcept nogil:
    """The least symbols behind the whole digits; is_low: they may be those of the low bound."""
    cdef const Multiples *memory = ahead.memory
    cdef uint32_t i
    if has_wanted(ahead, memory.places, is_low and memory.low_ends > memory.n_low):
        return 0
    for i in range(1, memory.places + 1):
        look_further(ahead, memory.places - i)
        if has_wanted(ahead, memory.places - i, is_low and memory.low_ends > memory.n_low + i):
            return 1 + i
    return NEVER


cdef inline bint is_alive(const Rule *rule, const uint32_t *key) noexcept nogil:
    return is_plenty(<Multiples *>rule.multiples, key) or multiples_cost(rule, key) < NEVER


# -- states ---------------------------------------------------------------------------------------------------------------


cdef State *intern_multiples(Engine *engine, Rule *rule, const uint32_t *key) noexcept nogil:
    cdef Multiples *memory = <Multiples *>rule.multiples
    cdef State *state = intern_state(engine, rule, key, memory.n_key)
    if state != NULL:
        state.accepting = is_end(memory, key)
    return state


cdef State *start_multiples(Engine *engine, Rule *rule) noexcept nogil:
    cdef Multiples *memory = <Multiples *>rule.multiples
    cdef uint32_t *key = spare_key(memory, 0)
    memset(key, 0, memory.n_key * sizeof(uint32_t))
    key[2] = key[3] = EQUAL
    return intern_multiples(engine, rule, key)


cdef inline uint32_t symbol_of(uint32_t number) noexcept nogil:
    """The symbols in increasing order: the point, then the digits."""
    return POINT if number == 0 else DIGIT + number - 1


cdef bint expand_multiples(Engine *engine, State *state) noexcept nogil:
    """A state's segments: the symbols after which there is an end; where they lead is worked out when it is asked for."""
    cdef Rule *rule = state.rule
    cdef Multiples *memory = <Multiples *>rule.multiples
    cdef uint32_t *key = spare_key(memory, 0)
    cdef Segment segments[SYMBOLS]
    cdef uint32_t i, n = 0
    memset(segments, 0, sizeof(segments))
    for i in range(SYMBOLS):
        if step(memory, state.key, symbol_of(i), key) and is_alive(rule, key):
            segments[n].low = segments[n].high = symbol_of(i)
            n += 1
    if n:
        state.segments = <Segment *>arena_take(rule.arena, n * sizeof(Segment))
        if state.segments == NULL:
            return False
        memcpy(state.segments, segments, n * sizeof(Segment))
    state.n_segments = n
    return True


cdef State *multiples_target(Engine *engine, State *state, Segment *segment) noexcept nogil:
    """Where a segment leads, which is a single symbol."""
    cdef Multiples *memory = <Multiples *>state.rule.multiples
    cdef uint32_t *key = spare_key(memory, 0)
    step(memory, state.key, segment.low, key)
    return intern_multiples(engine, state.rule, key)


# -- tokens ---------------------------------------------------------------------------------------------------------------


cdef bint walk_multiples(Engine *engine, State *state, ExitSet *exits) noexcept nogil:
    """The walk of a classification, from all nodes of an exit set. It makes no states: a token of three digits passes a thousand."""
    cdef Multiples *memory = <Multiples *>state.rule.multiples
    cdef Words pending         # a node and its key, one after the other
    cdef uint32_t *key = <uint32_t *>malloc((memory.n_key + 1) * sizeof(uint32_t))
    cdef uint32_t i
    cdef bint good = key != NULL
    memset(&pending, 0, sizeof(pending))
    for i in range(exits.n):
        good = good and push_key(&pending, exits.nodes[i], state.key, memory.n_key)
    while good and pending.n:
        pending.n -= memory.n_key + 1
        memcpy(key, pending.at + pending.n, (memory.n_key + 1) * sizeof(uint32_t))
        good = walk_node(engine, state.rule, key[0], key + 1, &pending)
    free(key)
    free(pending.at)
    return good


cdef bint push_key(Words *pending, uint32_t node, const uint32_t *key, uint32_t n) noexcept nogil:
    if not words_reserve(pending, n + 1):
        return False
    pending.at[pending.n] = node
    memcpy(pending.at + pending.n + 1, key, n * sizeof(uint32_t))
    pending.n += n + 1
    return True


cdef bint walk_node(Engine *engine, const Rule *rule, uint32_t node, const uint32_t *key, Words *pending) noexcept nogil:
    """Take the tokens of a node's children that the digits lead to, note exits, and put on the list what goes on."""
    cdef Trie *trie = engine.trie
    cdef Multiples *memory = <Multiples *>rule.multiples
    cdef uint32_t *after = spare_key(memory, 0)
    cdef int32_t child
    cdef TrieNode *place
    for child in range(trie.nodes[node].first, children_end(trie, node)):
        if <uint32_t>trie.label[child] > DIGIT + 9:
            break
        if <uint32_t>trie.label[child] < POINT or not step(memory, key, trie.label[child], after) or not is_alive(rule, after):
            continue
        place = &trie.nodes[child]
        if not take_tokens(engine, place.token_first, place.token_first + place.n_tokens):
            return False
        if place.n_children == 0:
            continue
        if not rule.alone and is_end(memory, after) and not words_push(&engine.exits, child):
            return False
        if not push_key(pending, child, after, memory.n_key):
            return False
    return True


# -- a shortest way to an end ---------------------------------------------------------------------------------------------


cdef bint spell_multiples(const State *state, Words *out) noexcept nogil:
    """Append the symbols of a shortest way to an end, each the least of those that come nearer to it."""
    cdef Multiples *memory = <Multiples *>state.rule.multiples
    cdef size_t size = memory.n_key * sizeof(uint32_t)
    cdef uint32_t *key = <uint32_t *>malloc(2 * size)
    cdef uint32_t *after = key + memory.n_key
    cdef uint32_t i
    cdef int64_t left
    cdef bint good = key != NULL
    if not good:
        return False
    memcpy(key, state.key, size)
    left = multiples_cost(state.rule, key)
    while good and left > 0 and left < NEVER:
        for i in range(SYMBOLS):
            if step(memory, key, symbol_of(i), after) and multiples_cost(state.rule, after) == left - 1:
                break
        good = words_push(out, symbol_of(i))
        memcpy(key, after, size)
        left -= 1
    free(key)
    return good
