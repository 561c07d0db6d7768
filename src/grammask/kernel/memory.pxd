# cython: language_level=3
"""Arenas, growing vectors, hashing and publication: the few memory tools all kernel modules share.

Rule: an Arena never moves or frees a block before it is dropped whole, so pointers into it stay good for its life.
A structure that other threads may read without a lock is filled first and then published with `publish`.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset


cdef extern from *:
    """
    #define GM_PUBLISH(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELEASE)
    #define GM_READ(place) __atomic_load_n(&(place), __ATOMIC_ACQUIRE)
    #define GM_CTZ(word) __builtin_ctzll(word)
    #define GM_POPCOUNT(word) __builtin_popcount(word)
    #define GM_TAKE(place, n) __atomic_fetch_add(&(place), (n), __ATOMIC_RELAXED)
    #define GM_PREFETCH(place) __builtin_prefetch(place)
    #ifdef GRAMMASK_CHECKED
    #define GM_SEPARATE 1
    #else
    #define GM_SEPARATE 0
    #endif
    #ifdef __GLIBC__
    #include <malloc.h>
    #define GM_GIVE_BACK() malloc_trim(0)
    #else
    #define GM_GIVE_BACK() 0
    #endif
    """
    const bint SEPARATE "GM_SEPARATE"      # in the checked build each block is one of the system's, so that a sanitizer sees its ends
    void publish "GM_PUBLISH"(void *place, void *value) noexcept nogil
    void publish_flag "GM_PUBLISH"(uint8_t place, uint8_t value) noexcept nogil
    void *read_pointer "GM_READ"(void *place) noexcept nogil
    uint8_t read_flag "GM_READ"(uint8_t place) noexcept nogil
    size_t take_numbers "GM_TAKE"(size_t place, size_t n) noexcept nogil      # the next n of a row of numbers, for one of several threads
    int lowest_bit "GM_CTZ"(uint64_t word) noexcept nogil
    int popcount32 "GM_POPCOUNT"(uint32_t word) noexcept nogil
    int give_back "GM_GIVE_BACK"() noexcept nogil      # memory that was freed to the system, where its C library keeps it else


cdef struct Chunk:
    Chunk *older
    size_t size
    size_t used


cdef struct Arena:
    Chunk *newest
    size_t total          # bytes taken from the system
    size_t limit          # no more than this many; 0: no limit
    bint is_full          # something was refused because of the limit


cdef inline void *arena_take(Arena *arena, size_t size) noexcept nogil:
    """`size` bytes, aligned to 8, not cleared; NULL when the arena's limit or the system's memory is reached."""
    cdef Chunk *chunk = arena.newest
    cdef size_t wanted
    cdef void *block
    size = (size + 7) & ~(<size_t>7)
    if SEPARATE or chunk == NULL or chunk.used + size > chunk.size:
        wanted = 2048 if chunk == NULL else (chunk.size * 2 if chunk.size < 262144 else 262144)
        if SEPARATE or wanted < size:
            wanted = size
        if arena.limit and arena.total + wanted > arena.limit:
            arena.is_full = True
            return NULL
        chunk = <Chunk *>malloc(sizeof(Chunk) + wanted)
        if chunk == NULL:
            return NULL
        if arena.newest != NULL and size > 65536 and arena.newest.used + 4096 < arena.newest.size:
            # A large block of its own: keep filling the chunk before it.
            chunk.older = arena.newest.older
            arena.newest.older = chunk
        else:
            chunk.older = arena.newest
            arena.newest = chunk
        chunk.size = wanted
        chunk.used = 0
        arena.total += wanted
    block = <uint8_t *>(chunk + 1) + chunk.used
    chunk.used += size
    return block


cdef inline void *arena_zeroed(Arena *arena, size_t size) noexcept nogil:
    cdef void *block = arena_take(arena, size)
    if block != NULL:
        memset(block, 0, size)
    return block


cdef inline void arena_drop(Arena *arena) noexcept nogil:
    cdef Chunk *chunk = arena.newest
    cdef Chunk *older
    while chunk != NULL:
        older = chunk.older
        free(chunk)
        chunk = older
    arena.newest = NULL
    arena.total = 0


cdef inline bint arena_join(Arena *arena, Arena *other) noexcept nogil:
    """Take over all blocks of another arena, which is empty then. False if that is past the limit; nothing has changed then."""
    cdef Chunk *oldest = other.newest
    if oldest == NULL:
        return True
    if arena.limit and arena.total + other.total > arena.limit:
        return False
    while oldest.older != NULL:
        oldest = oldest.older
    if arena.newest == NULL:
        arena.newest = other.newest
    else:
        oldest.older = arena.newest.older
        arena.newest.older = other.newest
    arena.total += other.total
    other.newest = NULL
    other.total = 0
    return True


cdef inline void copy_bytes(void *to, const void *source, size_t n) noexcept nogil:
    """memcpy that takes NULL for nothing."""
    if n:
        memcpy(to, source, n)


cdef struct Words:
    # A growing vector of uint32.
    uint32_t *at
    size_t n
    size_t room


cdef inline bint words_reserve(Words *words, size_t more) noexcept nogil:
    cdef size_t room
    cdef void *moved
    if words.n + more > words.room:
        room = words.room * 2 if words.room else 64
        while room < words.n + more:
            room *= 2
        moved = realloc(words.at, room * sizeof(uint32_t))
        if moved == NULL:
            return False
        words.at = <uint32_t *>moved
        words.room = room
    return True


cdef inline bint words_push(Words *words, uint32_t value) noexcept nogil:
    if words.n == words.room and not words_reserve(words, 1):
        return False
    words.at[words.n] = value
    words.n += 1
    return True


cdef struct Pointers:
    # A growing vector of pointers.
    void **at
    size_t n
    size_t room


cdef inline bint pointers_reserve(Pointers *pointers, size_t more) noexcept nogil:
    cdef size_t room
    cdef void *moved
    if pointers.n + more > pointers.room:
        room = pointers.room * 2 if pointers.room else 32
        while room < pointers.n + more:
            room *= 2
        moved = realloc(pointers.at, room * sizeof(void *))
        if moved == NULL:
            return False
        pointers.at = <void **>moved
        pointers.room = room
    return True


cdef inline bint pointers_push(Pointers *pointers, void *value) noexcept nogil:
    if pointers.n == pointers.room and not pointers_reserve(pointers, 1):
        return False
    pointers.at[pointers.n] = value
    pointers.n += 1
    return True


cdef inline uint64_t mix(uint64_t h, uint64_t value) noexcept nogil:
    h = (h ^ value) * <uint64_t>0x9E3779B97F4A7C15ULL
    return h ^ (h >> 29)


cdef inline uint64_t hash_words(const uint32_t *at, size_t n, uint64_t seed) noexcept nogil:
    cdef uint64_t h = seed ^ n
    cdef size_t i
    for i in range(n):
        h = mix(h, at[i])
    return mix(h, n)


cdef inline void sort_words(uint32_t *at, size_t n) noexcept nogil:
    """Heap sort above 24 elements, insertion below: no recursion and no allocation."""
    cdef size_t i, j, root, child, end
    cdef uint32_t value
    if n <= 24:
        for i in range(1, n):
            value = at[i]
            j = i
            while j > 0 and at[j - 1] > value:
                at[j] = at[j - 1]
                j -= 1
            at[j] = value
        return
    i = 1
    while i < n and at[i - 1] <= at[i]:
        i += 1
    if i == n:
        return
    i = n // 2
    end = n
    while True:
        if i > 0:
            i -= 1
            value = at[i]
        else:
            end -= 1
            if end == 0:
                return
            value = at[end]
            at[end] = at[0]
        root = i
        child = root * 2 + 1
        while child < end:
            if child + 1 < end and at[child + 1] > at[child]:
                child += 1
            if at[child] <= value:
                break
            at[root] = at[child]
            root = child
            child = root * 2 + 1
        at[root] = value


cdef inline size_t unique_words(uint32_t *at, size_t n) noexcept nogil:
    """Sort and drop doubles; returns how many are left."""
    cdef size_t i, kept
    if n < 2:
        return n
    sort_words(at, n)
    kept = 1
    for i in range(1, n):
        if at[i] != at[kept - 1]:
            at[kept] = at[i]
            kept += 1
    return kept
