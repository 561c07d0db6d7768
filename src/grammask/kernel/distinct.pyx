# cython: language_level=3
"""Items that all differ: what a frame has to keep in mind of the texts it has read.

A rule that calls a rule with a recorder (see kernel.tables.Recorder) tells items apart. Its states are sets of nodes with two words
before them: the number of a *memory*, the set of the values read so far, and whether all that was read is in it (`Told`). From a state
with a memory it calls, in place of the rule that was written, that rule without the values of the memory: a grammar for it is asked for
when a text first comes there (FAULT_WANTED), so masks inside an item are exact and never stuck whatever was read before it.
What cannot be worked out ahead is a token that ends one item and begins the next: what the next may be depends on the first, which is
known only when the text is. Such tokens are *doubts* of a classification, and each is tried when a mask is made.
Rule: an item is one JSON value, or a member of an object, so that it can be found in the text from its end: a matcher keeps no beginnings.
Below: automata, memory, stacks, trie.  Above: matcher.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from grammask.kernel.automata cimport OPENS_ARRAY, OPENS_OBJECT, OPENS_STRING
from grammask.kernel.memory cimport *

cdef enum:
    QUOTE = 0x22
    BACKSLASH = 0x5C


cdef int read_back(Reading *text) noexcept nogil:
    """The byte before the last one read; -1: the text begins here, or a special token stands here."""
    cdef int32_t first
    while text.n == 0:
        if text.position == NULL or text.position.before == NULL:
            return -1
        first = text.trie.byte_of_token[text.position.token]
        text.at = text.trie.spelling + first
        text.n = text.trie.byte_of_token[text.position.token + 1] - first
        text.position = text.position.before
        if text.n == 0:
            return -1
    text.n -= 1
    return text.at[text.n]


cdef inline bint is_of_scalar(int byte) noexcept nogil:
    """Whether a number, true, false or null may contain a byte."""
    return 0x30 <= byte <= 0x39 or 0x61 <= byte <= 0x7A or byte == 0x45 or byte == 0x2B or byte == 0x2D or byte == 0x2E


cdef inline bint is_space(int byte) noexcept nogil:
    return byte == 0x20 or byte == 0x09 or byte == 0x0A or byte == 0x0D


cdef int skip_space(Reading *text, int byte) noexcept nogil:
    while is_space(byte):
        byte = read_back(text)
    return byte


cdef bint read_value(Reading *text, Words *out, int *byte) noexcept nogil:
    """The value whose last byte was read, backwards; leaves the byte before it. False when memory ends."""
    cdef int before
    cdef uint32_t depth = 0
    cdef bint inside = False
    while byte[0] >= 0:
        before = read_back(text)
        if not words_push(out, <uint32_t>byte[0]):
            return False
        if inside:
            inside = byte[0] != QUOTE or before == BACKSLASH
        elif byte[0] == QUOTE:
            inside = True
        elif byte[0] == 0x5D or byte[0] == 0x7D:
            depth += 1
        elif byte[0] == 0x5B or byte[0] == 0x7B:
            depth -= 1
        if not inside and depth == 0 and not (is_of_scalar(byte[0]) and is_of_scalar(before)):
            byte[0] = before
            return True
        byte[0] = before
    return True


cdef bint read_item(Reading *text, Words *out, bint is_member) noexcept nogil:
    """What tells the item that ends here apart, its value or the name of the member, from the last byte to the first. False when memory ends."""
    cdef int byte = read_back(text)
    if not read_value(text, out, &byte):
        return False
    if not is_member:
        return True
    out.n = 0
    byte = skip_space(text, byte)
    if byte != 0x3A:
        return True
    byte = skip_space(text, read_back(text))
    return read_value(text, out, &byte)


cdef bint only_opens(uint32_t opens, const uint8_t *at, size_t n) noexcept nogil:
    """Whether bytes behind an item close what is around it, or go on with no more than a comma and the opening of a next item. opens: see Richness."""
    cdef size_t i = 0
    while i < n and (is_space(at[i]) or at[i] == 0x5D or at[i] == 0x7D):
        i += 1
    if i == n or at[i] != 0x2C:
        return i == n
    i = skip_ahead(at, n, i + 1)
    if i < n and at[i] == 0x7B and opens & OPENS_OBJECT:
        i = skip_ahead(at, n, i + 1)
        return i == n or (at[i] == QUOTE and i + 1 == n)
    if i < n and at[i] == 0x5B and opens & OPENS_ARRAY:
        return skip_ahead(at, n, i + 1) == n
    if i < n and at[i] == QUOTE and opens & OPENS_STRING:
        i += 1
    return i == n


cdef size_t skip_ahead(const uint8_t *at, size_t n, size_t i) noexcept nogil:
    while i < n and is_space(at[i]):
        i += 1
    return i
