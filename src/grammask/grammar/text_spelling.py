"""How the characters of a JSON string are spelled in bytes, for vocabularies that lack some.

Rule: a character is spelled raw in UTF-8 (from U+0020 on, but quote and backslash), or by an escape of RFC 8259 section 7, in all its forms.
The kernel knows this by itself; here it is needed to say which texts a vocabulary that lacks bytes can spell at all, and to write a text as
a plain rule over bytes where tokens must be followed byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from grammask.errors import LimitError
from grammask.grammar.character_automaton import UNICODE
from grammask.grammar.expression import Chars, normalise_ranges
from grammask.grammar.lengths import excluded_trie, trie_steps
from grammask.grammar.utf8 import byte_automaton
from grammask.kernel.tables import EPSILON, LITERAL, RANGE, RuleTable, TextTable

__all__ = ["RAW", "SHORT_ESCAPES", "digit_ranges", "is_indifferent", "spelled_out", "text_bytes"]

Ranges = tuple[tuple[int, int], ...]
ByteRanges = tuple[tuple[int, int], ...]

QUOTE, BACKSLASH = 0x22, 0x5C
RAW = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x10FFFF))
SHORT_ESCAPES = {0x22: b'\\"', 0x5C: b"\\\\", 0x2F: b"\\/", 0x08: b"\\b", 0x0C: b"\\f", 0x0A: b"\\n", 0x0D: b"\\r", 0x09: b"\\t"}
HEX_DIGITS = frozenset(b"0123456789abcdefABCDEF")
ESCAPE_BYTES = HEX_DIGITS | frozenset(b'\\u"/bfnrt')
LEADS = frozenset(range(0xC2, 0xF5))
CONTINUATIONS = frozenset(range(0x80, 0xC0))
NEEDED = HEX_DIGITS | CONTINUATIONS | frozenset(b'"\\u')

MAX_NODES = 20_000


def text_bytes(table: TextTable) -> frozenset[int]:
    """The bytes that some spelling of some string of the text may need (of leads and continuations of UTF-8, all or none)."""
    ranges = _ranges(table)
    raw = {byte for low, high in ranges for byte in range(max(low, 0x20), min(high, 0x7F) + 1)}
    return ESCAPE_BYTES.union(raw, LEADS | CONTINUATIONS if any(high > 0x7F for _, high in ranges) else ())


def is_indifferent(table: TextTable, missing: frozenset[int]) -> bool:
    """Whether the masks of the text are the same whether or not these bytes are tokens by themselves.

    They are unless an escape by number or the end of a character that has begun may need one: every other spelling has an escape beside it.
    (The characters that the kernel itself writes when it completes a text, the first of each range, must be there too.)
    """
    missing &= text_bytes(table)
    if not missing.isdisjoint(NEEDED):
        return False
    return not missing or all(missing.isdisjoint(chr(low).encode()) for low, _ in _overlap(_ranges(table), RAW))


def _ranges(table: TextTable) -> Ranges:
    return tuple(chain.from_iterable(table.sets)) if table.n_nodes else UNICODE


def _overlap(ranges: Ranges, others: Ranges) -> list[tuple[int, int]]:
    return [(max(low, first), min(high, last)) for low, high in ranges for first, last in others if low <= last and first <= high]


def spelled_out(table: TextTable, absent: frozenset[int]) -> RuleTable:
    """The text as a rule over bytes, without these bytes; nodes of it may be useless. Raises LimitError over 20,000 nodes.

    Lengths and excluded strings are multiplied out: this is for small texts and small vocabularies.
    """
    return _SpelledOut(table, absent).rule


class _SpelledOut:
    """The product of the automaton, the length so far (as far as it matters) and the place in the trie of excluded strings."""

    def __init__(self, text: TextTable, absent: frozenset[int]) -> None:
        self.absent = absent
        self.rule = RuleTable(text.place)
        self.closing = self.new_node()
        self.add_bytes(self.closing, 1, ((QUOTE, QUOTE),))
        children, words = excluded_trie(text.excluded)
        leaving: dict[int, list[tuple[int, int, int]]] = {}
        for source, target, low, high in text.ranges() or [(0, 0, low, high) for low, high in UNICODE]:
            leaving.setdefault(source, []).append((target, low, high))
        top = text.maximum if text.maximum is not None else text.minimum
        numbers: dict[tuple[int, int, int | None], int] = {}
        order: list[tuple[int, int, int | None]] = []

        def number(state: tuple[int, int, int | None]) -> int:
            if state not in numbers:
                numbers[state] = self.new_node()
                order.append(state)
            return numbers[state]

        for start in text.starts or (0,):
            self.rule.edges.append((EPSILON, 0, number((start, 0, 0))))
        for node, length, place in order:  # grows while it is read
            source = numbers[node, length, place]
            if length >= text.minimum and (not text.n_nodes or node in text.ends) and place not in words:
                self.rule.edges.append((EPSILON, source, self.closing))
            if length == top and text.maximum is not None:
                continue
            targets: dict[int, list[tuple[int, int]]] = {}
            for to, low, high in leaving.get(node, ()):
                for child, ranges in trie_steps(children[place] if place is not None else {}, ((low, high),)):
                    targets.setdefault(number((to, min(length + 1, top), child)), []).extend(ranges)
            for target, ranges in targets.items():
                self.add_characters(source, target, normalise_ranges(ranges))

    def new_node(self) -> int:
        self.rule.n_nodes += 1
        if self.rule.n_nodes > MAX_NODES:
            raise LimitError("a text written out byte by byte, for a vocabulary that lacks bytes,", None, MAX_NODES, "use a vocabulary with single-byte tokens")
        return self.rule.n_nodes - 1

    def add_bytes(self, start: int, end: int, ranges: ByteRanges) -> None:
        for low, high in ranges:
            self.rule.edges += [(RANGE, start, end, byte, byte) for byte in range(low, high + 1) if byte not in self.absent]

    def add_characters(self, start: int, end: int, ranges: Ranges) -> None:
        """Every spelling of every character of the set."""
        self.add_raw(start, end, Chars(_overlap(ranges, RAW)))
        for character, escape in SHORT_ESCAPES.items():
            if any(low <= character <= high for low, high in ranges) and self.absent.isdisjoint(escape):
                self.rule.edges.append((LITERAL, start, end, escape))
        if self.absent.isdisjoint(b"\\u"):
            opened: dict[tuple[tuple[int, int], ...], int] = {}
            for low, high in ranges:
                for digits in digit_ranges(low, high):
                    self.add_digits(start, end, digits, opened)

    def add_raw(self, start: int, end: int, chars: Chars) -> None:
        n_nodes, edges = byte_automaton(chars)
        names = [start, end, *[self.new_node() for _ in range(n_nodes - 2)]]
        for source, target, low, high in edges:
            self.add_bytes(names[source], names[target], ((low, high),))

    def add_digits(self, start: int, end: int, digits: tuple[tuple[int, int], ...], opened: dict[tuple[tuple[int, int], ...], int]) -> None:
        """One escape by number, or a pair of them: ranges of four or of eight hexadecimal digits. Common beginnings share nodes."""
        node = start
        for length, (low, high) in enumerate(digits):
            if length % 4 == 0:
                node = self.opened(opened, (*digits[:length], (-1, -1)), node, b"\\u")
            is_last = length == len(digits) - 1
            known = None if is_last else opened.get(digits[: length + 1])
            target = end if is_last else known if known is not None else self.new_node()
            if known is None:
                self.add_bytes(node, target, _digit_bytes(low, high))
                if not is_last:
                    opened[digits[: length + 1]] = target
            node = target

    def opened(self, opened: dict[tuple[tuple[int, int], ...], int], key: tuple[tuple[int, int], ...], start: int, data: bytes) -> int:
        if key not in opened:
            opened[key] = self.new_node()
            self.rule.edges.append((LITERAL, start, opened[key], data))
        return opened[key]


def _digit_bytes(low: int, high: int) -> ByteRanges:
    """The hexadecimal digits for low..high, small and capital letters."""
    found = []
    if low <= 9:
        found.append((0x30 + low, 0x30 + min(high, 9)))
    if high >= 10:
        first, last = max(low, 10) - 10, high - 10
        found += [(0x61 + first, 0x61 + last), (0x41 + first, 0x41 + last)]
    return tuple(found)


def digit_ranges(low: int, high: int) -> Iterable[tuple[tuple[int, int], ...]]:
    """Sequences of ranges of hexadecimal digits that together write the code units of low..high: four digits, or two times four."""
    if low <= 0xFFFF:
        yield from _split_digits(low, min(high, 0xFFFF), 4)
    if high > 0xFFFF:
        first, last = max(low, 0x10000) - 0x10000, high - 0x10000
        for lead_low, lead_high, low_low, low_high in _split_pairs(first, last):
            for lead in _split_digits(0xD800 + lead_low, 0xD800 + lead_high, 4):
                for trail in _split_digits(0xDC00 + low_low, 0xDC00 + low_high, 4):
                    yield lead + trail


def _split_pairs(first: int, last: int) -> list[tuple[int, int, int, int]]:
    """(lowest and highest lead, lowest and highest trail) of ten bits each, for numbers of twenty bits first..last."""
    lead_low, lead_high = first >> 10, last >> 10
    if lead_low == lead_high:
        return [(lead_low, lead_low, first & 0x3FF, last & 0x3FF)]
    found = []
    if first & 0x3FF:
        found.append((lead_low, lead_low, first & 0x3FF, 0x3FF))
        lead_low += 1
    if last & 0x3FF != 0x3FF:
        found.append((lead_high, lead_high, 0, last & 0x3FF))
        lead_high -= 1
    if lead_low <= lead_high:
        found.append((lead_low, lead_high, 0, 0x3FF))
    return found


def _split_digits(low: int, high: int, n_digits: int) -> list[tuple[tuple[int, int], ...]]:
    """Ranges for each of `n_digits` hexadecimal digits, in sequences that together make up low..high."""
    if n_digits == 1:
        return [((low, high),)]
    shift = 4 * (n_digits - 1)
    block = (1 << shift) - 1
    first, last = low >> shift, high >> shift
    if first == last:
        return [((first, first), *rest) for rest in _split_digits(low & block, high & block, n_digits - 1)]
    found: list[tuple[tuple[int, int], ...]] = []
    if low & block:
        found += [((first, first), *rest) for rest in _split_digits(low & block, block, n_digits - 1)]
        first += 1
    if high & block != block:
        found += [((last, last), *rest) for rest in _split_digits(0, high & block, n_digits - 1)]
        last -= 1
    if first <= last:
        found.append(((first, last), *((0, 15),) * (n_digits - 1)))
    return found
