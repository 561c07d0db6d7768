"""The kernel in plain Python: the same names and the same masks, worked out slowly from the definition.

Rule: nothing here is shared with the compiled kernel or with `grammar.prepare`. It takes the raw tables, left recursion
and nullable rules included (prepared tables mean the same language and do as well), so it can judge both. The tests use
it as their oracle, a reader as the explanation of what the compiled kernel computes; `GRAMMASK_KERNEL=reference`
selects it.

The definition. A grammar stands for a set L of strings, and V* is the set of strings that the vocabulary's tokens spell
one after the other. After a text, a token t is *allowed* if some w in V* makes text + t + w a string of L: what has been
written can still be completed, with the tokens there are. A vocabulary that has every byte as a token spells all
strings; a vocabulary of whole words does not, and then a token may fit the grammar and still lead nowhere:

    L = {xab, xac}, tokens {x, a, ab}:  "x" is allowed (then "ab"); after it "ab" is, "a" is not (no token begins with b).

How it is decided, one class for each step:

    Spelling      V* is a regular language: its least deterministic automaton.
    Network       the rules as one graph of plain nodes; a TextTable is spelled out, character by character.
    ItemSet       every way to read the text so far (Earley 1970).
    Completions   how a node can reach the end of its rule while the automaton of V* goes from one state to another: the
                  intersection of a context-free and a regular language (Bar-Hillel, Perles, Shamir 1961), shortest
                  strings first (Knuth 1977).

A token is then tried in the plainest way: read it symbol by symbol, and ask whether the items reached can be completed.
Cost: a mask tries every token: milliseconds for toy vocabularies, a tenth of a second and more for those of real models.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count, pairwise
from math import lcm
from operator import index
from typing import Any, Self

import numpy as np

from grammask.errors import (
    EmptyLanguageError,
    FinishedError,
    MaskShapeError,
    RollbackError,
    TokenOutOfRange,
    TokenRefused,
    UnspellableError,
    UnsupportedFeatureError,
)
from grammask.kernel.tables import CALL, EPSILON, FIRST_SLOT, LITERAL, LITERALS, RANGE, SPECIAL, Multiples, RuleTable, TextTable, Unordered

__all__ = ["Bound", "Matcher", "Store"]

Symbols = tuple[int, ...]  # bytes and SPECIAL + id
Range = tuple[int, int]  # both ends included
Pattern = tuple[tuple[Range, ...], ...]  # for each byte in turn, the ranges it may be out of
Item = tuple[int, "ItemSet"]  # (node, origin)
Kept = tuple[frozenset[int], int, bool]  # of members in any order: used slots, number of members, whether one comes next
Written = tuple[int, int | None, int, bool, tuple[int, int]]  # of a number: digits before and behind the point, worth, whether it is 0, order
Place = tuple[int, int, str | None]  # in a text: (node, characters so far, their beginning of an excluded string)


# --- 1. What the tokens can spell ---------------------------------------------------------------------------------


class Spelling:
    """The least deterministic automaton of V*. Its states are numbers; 0 is the start, with no token begun.

    next: state -> {byte: state}.  between: state -> whether a token may have ended here, so that the string is in V*.
    specials: the symbols of tokens without text, end tokens left out: they stand for nothing but the end. A special is a
    whole token, so it needs a state between tokens and leads to state 0. Byte-complete vocabularies have the one state 0.

    >>> Spelling([b"x", b"a", b"ab"], eos_ids=()).next      # state 1: after "a", which "ab" may go on from
    [{97: 1, 120: 0}, {97: 1, 98: 0, 120: 0}]
    """

    def __init__(self, tokens: Sequence[bytes], eos_ids: Iterable[int]) -> None:
        ends = frozenset(eos_ids)
        self.specials = sorted(SPECIAL + token_id for token_id, token in enumerate(tokens) if not token and token_id not in ends)
        texts = {token for token_id, token in enumerate(tokens) if token and token_id not in ends}
        steps, between = _subset_automaton(_indivisible(texts))
        self.next, self.between = _least_automaton(steps, between)
        self._before: dict[tuple[int, int, int], list[tuple[int, int]]] = {}

    def step(self, state: int, symbol: int) -> int | None:
        """The state after one more symbol; None if no tokens spell that."""
        if symbol < SPECIAL:
            return self.next[state].get(symbol)
        return 0 if self.between[state] and symbol in self.specials else None

    def before(self, state: int, low: int, high: int) -> list[tuple[int, int]]:
        """(earlier state, symbol) pairs: one symbol out of low..high that leads to `state`, the least for each earlier state."""
        key = state, low, high
        if key not in self._before:
            symbols = [*range(low, min(high, SPECIAL - 1) + 1), *(symbol for symbol in self.specials if low <= symbol <= high)]
            steps = ((earlier, symbol) for earlier in range(len(self.next)) for symbol in reversed(symbols) if self.step(earlier, symbol) == state)
            self._before[key] = list(dict(steps).items())
        return self._before[key]


def _indivisible(texts: Iterable[bytes]) -> frozenset[bytes]:
    """The tokens that are not several others in a row: they alone make V*, so the rest adds nothing to it.

    >>> sorted(_indivisible([b"a", b"b", b"abba", b"bc"]))
    [b'a', b'b', b'bc']
    """
    basis: set[bytes] = set()
    longest = 0
    for text in sorted(texts, key=len):
        reached = {0}  # places in `text` that tokens of the basis lead to, in a row
        for end in range(1, len(text) + 1):
            if any(start in reached and text[start:end] in basis for start in range(max(0, end - longest), end)):
                reached.add(end)
        if len(text) not in reached:
            basis.add(text)
            longest = len(text)
    return frozenset(basis)


def _subset_automaton(basis: frozenset[bytes]) -> tuple[list[dict[int, int]], list[bool]]:
    """V* as a deterministic automaton: a state is the set of the token beginnings that the last bytes may be.

    The beginning b"" is there where a token may just have ended.
    """
    begun = frozenset(text[:size] for text in basis for size in range(1, len(text)))
    numbers = {frozenset([b""]): 0}
    steps: list[dict[int, int]] = []
    for subset in (queue := list(numbers)):
        steps.append({})
        for byte, after in _one_byte_on(subset, begun, basis):
            if after not in numbers:
                numbers[after] = len(numbers)
                queue.append(after)
            steps[-1][byte] = numbers[after]
    return steps, [b"" in subset for subset in numbers]


def _one_byte_on(subset: frozenset[bytes], begun: frozenset[bytes], basis: frozenset[bytes]) -> Iterator[tuple[int, frozenset[bytes]]]:
    """(byte, beginnings after it) for every byte that some beginning goes on with."""
    for byte in range(256):
        longer = frozenset(beginning + bytes([byte]) for beginning in subset)
        after = longer & begun
        if longer & basis:
            after |= {b""}
        if after:
            yield byte, after


def _least_automaton(steps: list[dict[int, int]], between: list[bool]) -> tuple[list[dict[int, int]], list[bool]]:
    """Merge the states that no further string tells apart (Moore 1956). State 0 stays state 0."""
    kinds = [int(is_between != between[0]) for is_between in between]
    while (finer := _finer(steps, kinds)) != kinds:
        kinds = finer
    of_kind = {kind: state for state, kind in reversed(list(enumerate(kinds)))}  # kind -> its first state
    merged = [{byte: kinds[after] for byte, after in steps[of_kind[kind]].items()} for kind in range(len(of_kind))]
    return merged, [between[of_kind[kind]] for kind in range(len(of_kind))]


def _finer(steps: list[dict[int, int]], kinds: list[int]) -> list[int]:
    """Part states of one kind that some byte leads to different kinds. Kinds are numbered as they first come up."""
    numbers: dict[Any, int] = {}
    signatures = [(kind, *((byte, kinds[after]) for byte, after in row.items())) for kind, row in zip(kinds, steps, strict=True)]
    return [numbers.setdefault(signature, len(numbers)) for signature in signatures]


# --- 2. The rules as one graph ------------------------------------------------------------------------------------


class Network:
    """All rules that a root leads to, as one graph of nodes. Rule 0 is the root.

    epsilon: node -> nodes.   symbols: node -> (low, high, node).   calls: node -> (rule, node it returns to).
    start, end: rule -> node.   rule_of: node -> rule.
    """

    def __init__(self, root: RuleTable | TextTable) -> None:
        self.epsilon: list[list[int]] = []
        self.symbols: list[list[tuple[int, int, int]]] = []
        self.calls: list[list[tuple[int, int]]] = []
        self.rule_of: list[int] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self._rules: dict[RuleTable | TextTable, int] = {}
        self._rule(root)
        for table in (tables := [root]):  # grows as calls name further rules
            if isinstance(table, RuleTable):
                tables.extend(self._add_rule(table))
            else:
                self._add_text(table)

    def _rule(self, table: RuleTable | TextTable) -> bool:
        """Number a rule and make its start and end; False if it is known already."""
        if table in self._rules:
            return False
        rule = self._rules[table] = len(self.start)
        self.start.append(self._node(rule))
        self.end.append(self._node(rule))
        return True

    def _node(self, rule: int) -> int:
        self.epsilon.append([])
        self.symbols.append([])
        self.calls.append([])
        self.rule_of.append(rule)
        return len(self.rule_of) - 1

    def _add_rule(self, table: RuleTable) -> list[RuleTable | TextTable]:
        """Copy a rule's edges, literals as chains of single bytes; the rules named for the first time are returned."""
        rule = self._rules[table]
        if table.recorder is not None:
            raise UnsupportedFeatureError("items that all differ", "the reference kernel keeps no texts in mind", hint="use the compiled kernel")
        if table.unordered is not None:
            return self._add_members(table, table.unordered)
        if table.multiples is not None:
            return self._add_numbers(self._rules[table], table.multiples)
        nodes = [self._node(rule), self.end[rule], *(self._node(rule) for _ in range(2, table.n_nodes))]
        # The start is a node of its own: in a prepared table the empty string is a flag, and edges may lead back to node 0.
        self.epsilon[self.start[rule]] = [nodes[0], nodes[1]] if table.nullable else [nodes[0]]
        found: list[RuleTable | TextTable] = []
        for kind, a, b, *what in table.edges:
            here, there = nodes[a], nodes[b]
            if kind == EPSILON:
                self.epsilon[here].append(there)
            elif kind == RANGE:
                self.symbols[here].append((what[0], what[1], there))
            elif kind == LITERAL:
                self._add_literal(here, there, what[0])
            elif kind == LITERALS:
                for text in what[0]:
                    self._add_literal(here, there, text)
            elif kind == CALL:
                if self._rule(what[0]):
                    found.append(what[0])
                self.calls[here].append((self._rules[what[0]], there))
        return found

    def _add_members(self, table: RuleTable, memory: Unordered) -> list[RuleTable | TextTable]:
        """A node for every (set of used slots, number of members, before a member or after it), though there are 2**n sets."""
        rule = self._rules[table]
        calls = [(edge[2] - FIRST_SLOT, edge[3]) for edge in table.edges if edge[0] == CALL and edge[1] == 0]
        separator = next(edge[3] for edge in table.edges if edge[0] == CALL and edge[1] != 0)
        found = [callee for _, callee in [*calls, (0, separator)] if self._rule(callee)]
        nodes: dict[Kept, int] = {}

        def node(kept: Kept) -> int:
            if kept not in nodes:
                nodes[kept] = self._node(rule)
                todo.append(kept)
            return nodes[kept]

        todo: list[Kept] = []
        self.epsilon[self.start[rule]] = [node((frozenset(), 0, True))]
        most = memory.n_slots + memory.minimum if memory.maximum is None else memory.maximum
        while todo:
            used, count, is_before = kept = todo.pop()
            here = nodes[kept]
            if is_before:
                for slot, callee in calls:
                    if slot not in used and (memory.maximum is None or count < memory.maximum):
                        after = used | {slot} if slot < memory.n_slots else used
                        self.calls[here].append((self._rules[callee], node((after, min(count + 1, most), False))))
            else:
                self.calls[here].append((self._rules[separator], node((used, count, True))))
                if memory.required <= used and count >= memory.minimum:
                    self.epsilon[here].append(self.end[rule])
        return found

    def _add_numbers(self, rule: int, memory: Multiples) -> list[RuleTable | TextTable]:
        """A node for every (beginning of a number as far as it matters), though they are as many as the numbers have residues."""
        numbers = _Decimals(memory)
        nodes: dict[Written, int] = {}

        def node(written: Written) -> int:
            if written not in nodes:
                nodes[written] = self._node(rule)
                todo.append(written)
            return nodes[written]

        todo: list[Written] = []
        self.epsilon[self.start[rule]] = [node(numbers.first())]
        while todo:
            written = todo.pop()
            here = nodes[written]
            self.symbols[here] += [(symbol, symbol, node(after)) for symbol in b".0123456789" if (after := numbers.after(written, symbol)) is not None]
            if numbers.is_wanted(written):
                self.epsilon[here].append(self.end[rule])
        return []

    def _add_literal(self, here: int, there: int, text: bytes) -> None:
        path = [here, *(self._node(self.rule_of[here]) for _ in text[1:]), there]
        for byte, (a, b) in zip(text, pairwise(path), strict=True):
            self.symbols[a].append((byte, byte, b))

    def _add_text(self, table: TextTable) -> None:
        """Spell a text out: a node for every (place in the text, bytes still to come of a character's spelling)."""
        rule = self._rules[table]
        nodes: dict[Any, int] = {}

        def node(place: Place, rest: Pattern = ()) -> int:
            if (place, rest) not in nodes:
                nodes[place, rest] = self._node(rule)
                todo.append((place, rest))
            return nodes[place, rest]

        todo: list[tuple[Place, Pattern]] = []
        text = _TextPlaces(table)
        self.epsilon[self.start[rule]] = [node(place) for place in text.first()]
        while todo:
            place, rest = todo.pop()
            here = nodes[place, rest]
            if rest:
                self.symbols[here] += [(low, high, node(place, rest[1:])) for low, high in rest[0]]
            else:
                if text.may_close(place):
                    self.symbols[here].append((0x22, 0x22, self.end[rule]))
                for low, high, after in text.onward(place):
                    for ranges, *others in spellings(low, high):
                        self.symbols[here] += [(first, last, node(after, tuple(others))) for first, last in ranges]


class _Decimals:
    """A rule of multiples, read digit by digit: what has been written is its digits before and behind the point, as far as they matter.

    Digits are kept as they are while they begin a bound; otherwise whether they are below or above it is kept. What they are worth is kept
    modulo all the numbers at once, in units of the last place that counts.
    """

    def __init__(self, memory: Multiples) -> None:
        self.memory = memory
        self.modulus = lcm(memory.divisor, *memory.excluded)
        self.bounds = [str(bound).zfill(memory.places + 1) for bound in (memory.low, memory.high)]
        self.n_whole = [len(bound) - memory.places for bound in self.bounds]

    def first(self) -> Written:
        return 0, None, 0, False, (0, 0)

    def after(self, written: Written, symbol: int) -> Written | None:
        """With one more digit or the point; None if numbers are not written so."""
        whole, behind, worth, is_zero, order = written
        digit = symbol - 0x30
        if symbol == 0x2E:
            return None if behind is not None or not whole or not self.memory.behind else (whole, 0, worth, False, order)
        if behind is None:
            if is_zero or whole == self.n_whole[1]:
                return None
            worth = worth * 10 + digit * 10**self.memory.places
            return whole + 1, None, worth % self.modulus, whole == 0 and digit == 0, self._ordered(order, digit, whole)
        if behind == self.memory.behind or (behind >= self.memory.places and digit):
            return None
        if behind < self.memory.places:
            worth += digit * 10 ** (self.memory.places - behind - 1)
            order = self._ordered(order, digit, whole + behind)
        return whole, behind + 1, worth % self.modulus, False, order

    def _ordered(self, order: tuple[int, int], digit: int, at: int) -> tuple[int, int]:
        """How the digits compare with as many of each bound: less (-1), the same (0) or greater (1)."""
        digits = [int(bound[at]) if at < len(bound) else 0 for bound in self.bounds]
        low, high = [known or (digit > other) - (digit < other) for known, other in zip(order, digits, strict=True)]
        return low, high

    def is_wanted(self, written: Written) -> bool:
        """Whether this is the whole of a number."""
        whole, behind, worth, _, (low, high) = written
        if whole < self.n_whole[0] or behind == 0 or worth % self.memory.divisor or any(worth % number == 0 for number in self.memory.excluded):
            return False
        if whole == self.n_whole[0] and low == 0 and self.bounds[0][whole + (behind or 0) :].strip("0"):
            return False
        return not ((whole == self.n_whole[0] and low < 0) or (whole == self.n_whole[1] and high > 0))


class _TextPlaces:
    """A TextTable as an automaton over characters: its states are places.

    A place's beginning is None where the characters so far begin no excluded string, and so never will again; its length
    stops at `minimum` where there is no maximum: from there on it decides nothing.
    """

    def __init__(self, table: TextTable) -> None:
        self.table = table
        self.begun = frozenset(text[:size] for text in table.excluded for size in range(len(text) + 1))
        self.edges: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
        for a, b, low, high in table.ranges() if table.n_nodes else [(0, 0, 0, 0x10FFFF)]:
            self.edges[a].append((b, low, high))

    def first(self) -> list[Place]:
        starts = self.table.starts if self.table.n_nodes else (0,)
        return [(start, 0, "" if self.begun else None) for start in starts]

    def may_close(self, place: Place) -> bool:
        """Whether the closing quote may come here: the characters so far are a string of the text."""
        node, length, beginning = place
        ends = self.table.ends if self.table.n_nodes else frozenset([0])
        return node in ends and self.table.minimum <= length and beginning not in self.table.excluded

    def onward(self, place: Place) -> Iterator[tuple[int, int, Place]]:
        """(low, high, place after): one more character out of low..high."""
        node, length, beginning = place
        length += 1
        if self.table.maximum is None:
            length = min(length, self.table.minimum)
        elif length > self.table.maximum:
            return
        for after, low, high in self.edges[node]:
            special = sorted(c for c in self._followers(beginning) if low <= c <= high)
            for c in special:
                yield c, c, (after, length, f"{beginning}{chr(c)}")
            for below, above in pairwise([low - 1, *special, high + 1]):
                if below + 1 < above:
                    yield below + 1, above - 1, (after, length, None)

    def _followers(self, beginning: str | None) -> set[int]:
        """The characters after which the text would still begin an excluded string."""
        if beginning is None:
            return set()
        return {ord(text[-1]) for text in self.begun if text and text[:-1] == beginning}


_SHORT_ESCAPES = {0x22: '"', 0x5C: "\\", 0x2F: "/", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
_RAW = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF))
_ONE_UNIT = ((0, 0xD7FF), (0xE000, 0xFFFF))
_TWO_UNITS = ((0x10000, 0x10FFFF),)


def spellings(low: int, high: int) -> Iterator[Pattern]:
    """Every spelling inside a JSON string (RFC 8259 section 7) of the characters low..high. Lone surrogates have none.

    >>> list(spellings(0x2F, 0x2F))[:2]       # a solidus: raw, or after a backslash; then as \\u002F and \\u002f
    [(((47, 47),),), (((92, 92),), ((47, 47),))]
    """
    for first, last in _clip(low, high, _RAW):
        for ranges in products(tuple(chr(first).encode()), tuple(chr(last).encode()), 0x80, 0xBF):
            yield tuple((byte_range,) for byte_range in ranges)
    for character, letter in _SHORT_ESCAPES.items():
        if low <= character <= high:
            yield tuple(((byte, byte),) for byte in b"\\" + letter.encode())
    for first, last in _clip(low, high, _ONE_UNIT):
        yield from _unit_spellings(first, last)
    for first, last in _clip(low, high, _TWO_UNITS):
        for leading, trailing in products(_surrogates(first), _surrogates(last), 0xDC00, 0xDFFF):
            for unit in _unit_spellings(*leading):
                yield from (unit + other for other in _unit_spellings(*trailing))


def products(low: Symbols, high: Symbols, least: int, greatest: int) -> list[tuple[Range, ...]]:
    """The numerals from low to high, equally long, as a few products of digit ranges; later digits run from least to greatest.

    >>> products((1, 7), (3, 2), 0, 9)        # 17 to 32: 17-19, 20-29, 30-32
    [((1, 1), (7, 9)), ((2, 2), (0, 9)), ((3, 3), (0, 2))]
    """
    if not low:
        return [()]
    if low[0] == high[0]:
        return [((low[0], low[0]), *rest) for rest in products(low[1:], high[1:], least, greatest)]
    (a, *low_rest), (b, *high_rest) = low, high
    all_least, all_greatest = (least,) * len(low_rest), (greatest,) * len(low_rest)
    head: list[tuple[Range, ...]] = []
    tail: list[tuple[Range, ...]] = []
    if tuple(low_rest) != all_least:
        head = [((a, a), *rest) for rest in products(tuple(low_rest), all_greatest, least, greatest)]
        a += 1
    if tuple(high_rest) != all_greatest:
        tail = [((b, b), *rest) for rest in products(all_least, tuple(high_rest), least, greatest)]
        b -= 1
    whole = [((a, b), *((least, greatest) for _ in low_rest))] if a <= b else []
    return [*head, *whole, *tail]


def _unit_spellings(low: int, high: int) -> Iterator[Pattern]:
    """The code units low..high as a backslash, u and four hexadecimal digits of either case."""
    for digits in products(_hex_digits(low), _hex_digits(high), 0, 15):
        yield ((0x5C, 0x5C),), ((0x75, 0x75),), *(tuple(_digit_bytes(*digit)) for digit in digits)


def _hex_digits(unit: int) -> Symbols:
    return tuple(unit >> shift & 15 for shift in (12, 8, 4, 0))


def _digit_bytes(low: int, high: int) -> Iterator[Range]:
    if low <= 9:
        yield ord("0") + low, ord("0") + min(high, 9)
    if high >= 10:
        for ten in b"Aa":
            yield ten + max(low, 10) - 10, ten + high - 10


def _surrogates(character: int) -> Symbols:
    offset = character - 0x10000
    return 0xD800 + (offset >> 10), 0xDC00 + (offset & 0x3FF)


def _clip(low: int, high: int, ranges: Iterable[Range]) -> Iterator[Range]:
    for first, last in ranges:
        if max(low, first) <= min(high, last):
            yield max(low, first), min(high, last)


# --- 3. Every way to read the text so far -------------------------------------------------------------------------


class ItemSet:
    """The items of one text: (node, origin) for every node that a rule called at the text `origin` may be at by now.

    `origin` is the item set of the text at which the rule was called, so items point back through the callers that are
    open: a chart without positions. Equal sets of items are one object, so equality of states is `is`.
    waiting: rule -> the items that go on once the rule, called here, ends.
    """

    __slots__ = ("after", "allowed", "items", "shortest", "waiting")

    def __init__(self, network: Network, moved: Iterable[Item], is_first: bool = False) -> None:
        self.items: set[Item] = set()
        self.waiting: defaultdict[int, set[Item]] = defaultdict(set)
        self.after: dict[int, ItemSet] = {}  # symbol -> the item set of the text with it
        self.shortest: dict[int, Symbols | None] = {}  # state of the spelling -> Completions.of
        self.allowed: list[int] | None = None
        todo = [(network.start[0], self)] if is_first else list(moved)
        while todo:
            item = todo.pop()
            if item not in self.items:
                self.items.add(item)
                todo += self._follow(network, *item)

    def _follow(self, network: Network, node: int, origin: ItemSet) -> Iterator[Item]:
        """The items that hold because this one does, without reading anything."""
        for there in network.epsilon[node]:
            yield there, origin
        for rule, back in network.calls[node]:
            self.waiting[rule].add((back, origin))
            yield network.start[rule], self
            if (network.end[rule], self) in self.items:  # it has already been seen to match the empty string
                yield back, origin
        if node == network.end[network.rule_of[node]]:
            yield from origin.waiting.get(network.rule_of[node], ())

    def moved(self, network: Network, symbol: int) -> frozenset[Item]:
        """The items that reading one symbol leads to."""
        return frozenset((there, origin) for node, origin in self.items for low, high, there in network.symbols[node] if low <= symbol <= high)


# --- 4. What can still be completed -------------------------------------------------------------------------------


class Completions:
    """best[node][u][v]: the shortest string from a node to the end of its rule that takes the spelling from state u to v.

    No entry, no string. Shortest means the fewest special tokens, then the fewest bytes, so a special appears only where
    the grammar demands one. Found in order of length (Knuth 1977): a string is the shortest of its kind when it comes
    up, because every string is made of parts that are no longer than itself.
    """

    def __init__(self, network: Network, spelling: Spelling) -> None:
        self.network, self.spelling = network, spelling
        self.best: list[defaultdict[int, dict[int, Symbols]]] = [defaultdict(dict) for _ in network.rule_of]
        into = _Into(network)
        heap: list[tuple[int, int, Symbols, int, int, int]] = [(0, 0, (), end, state, state) for end in network.end for state in range(len(spelling.next))]
        while heap:
            *_, string, node, u, v = heappop(heap)
            if v not in self.best[node][u]:
                self.best[node][u][v] = string
                for found in self._longer(into, string, node, u, v):
                    heappush(heap, (*_weight(found[0]), *found))

    def _longer(self, into: _Into, string: Symbols, node: int, u: int, v: int) -> Iterator[tuple[Symbols, int, int, int]]:
        """The strings that end in this one, or begin with it, and are one edge longer."""
        for before in into.epsilon[node]:
            yield string, before, u, v
        for low, high, before in into.symbols[node]:
            for earlier, symbol in self.spelling.before(u, low, high):
                yield (symbol, *string), before, earlier, v
        for rule, before in into.returns[node]:
            for earlier, middle in list(self.best[self.network.start[rule]].items()):
                if u in middle:
                    yield middle[u] + string, before, earlier, v
        rule = self.network.rule_of[node]
        if node == self.network.start[rule]:
            for before, back in into.callers[rule]:
                for later, rest in self.best[back][v].items():
                    yield string + rest, before, u, later

    def of(self, items: ItemSet, first: ItemSet, state: int = 0) -> Symbols | None:
        """The shortest string in V* (from a state of the spelling) that completes some item up to the root's end; None if none does.

        A walk up through the open callers, shortest first. Kept in the item set.
        """
        if state not in items.shortest:
            items.shortest[state] = self._search(items, first, state)
        return items.shortest[state]

    def _search(self, items: ItemSet, first: ItemSet, state: int) -> Symbols | None:
        """Dijkstra's search over (item, state of the spelling); the item None is the end of the root."""
        numbers = count()  # one in each entry of the heap, so that items are never compared
        weights: dict[tuple[Item | None, int], tuple[int, int]] = {(item, state): (0, 0) for item in items.items}
        heap: list[tuple[tuple[int, int], int, Symbols, Item | None, int]] = [((0, 0), next(numbers), (), item, state) for item in items.items]
        while heap:
            weight, _, string, item, u = heappop(heap)
            if item is None:
                return string
            if weight > weights[item, u]:
                continue
            rule, origin = self.network.rule_of[item[0]], item[1]
            for v, more in self.best[item[0]].get(u, {}).items():
                longer = string + more
                heavier = _weight(longer)
                for caller in self._callers(rule, origin, first, v):
                    if heavier < weights.get((caller, v), _ENDLESS):
                        weights[caller, v] = heavier
                        heappush(heap, (heavier, next(numbers), longer, caller, v))
        return None

    def _callers(self, rule: int, origin: ItemSet, first: ItemSet, v: int) -> list[Item | None]:
        """Where a rule that was called at a text returns to; None stands for the end of the root, where a token must end too."""
        ends_all = rule == 0 and origin is first and self.spelling.between[v]
        return [*([None] if ends_all else []), *origin.waiting.get(rule, ())]


class _Into:
    """A network's edges by the node they lead to.

    epsilon: node -> nodes.   symbols: node -> (low, high, node before).   returns: node -> (rule, node that calls it).
    callers: rule -> (calling node, node it returns to).
    """

    def __init__(self, network: Network) -> None:
        self.epsilon: defaultdict[int, list[int]] = defaultdict(list)
        self.symbols: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
        self.returns: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self.callers: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for node in range(len(network.rule_of)):
            for there in network.epsilon[node]:
                self.epsilon[there].append(node)
            for low, high, there in network.symbols[node]:
                self.symbols[there].append((low, high, node))
            for rule, there in network.calls[node]:
                self.returns[there].append((rule, node))
                self.callers[rule].append((node, there))


_ENDLESS = (1 << 60, 0)


def _weight(string: Symbols) -> tuple[int, int]:
    """(special tokens, symbols) of a string."""
    return sum(symbol >= SPECIAL for symbol in string), len(string)


# --- The kernel's names -------------------------------------------------------------------------------------------


class Store:
    """What belongs to a vocabulary: its tokens, its end tokens and what its tokens can spell.

    tokens: index = id; b"" carries no text and is allowed only where a grammar names it (SPECIAL + id).
    eos_ids: allowed exactly where the text is complete, and for nothing else.
    """

    is_worn = False  # it gathers nothing

    def __init__(self, tokens: Sequence[bytes], eos_ids: Sequence[int]) -> None:
        self.tokens = list(tokens)
        self.eos_ids = frozenset(eos_ids)
        self.spelling = Spelling(self.tokens, self.eos_ids)

    def renewed(self) -> Store:
        """A store for the same vocabulary: this one, which gathers nothing."""
        return self

    def symbols(self, token_id: int) -> Symbols:
        """What a token is to a grammar: its bytes, or without any the special symbol of its id."""
        return tuple(self.tokens[token_id]) or (SPECIAL + token_id,)


class Bound:
    """A grammar bound to a vocabulary: the network, its completions, and the item sets seen so far.

    Raises EmptyLanguageError if no string at all is in the language, and UnspellableError if tokens spell none of it.
    Threads may share one: what they add to it depends on nothing but the text.
    """

    takes_prepared = False  # the raw tables are what it is there for
    is_worn = False  # it gathers little

    def __init__(self, store: Store, root: RuleTable) -> None:
        self.store = store
        self.network = Network(root)
        self.completions = Completions(self.network, store.spelling)
        self.first = ItemSet(self.network, (), is_first=True)
        self._sets: dict[frozenset[Item], ItemSet] = {}
        if not self.is_live(self.first):
            raise self._refusal(root.place)

    def _refusal(self, place: str) -> EmptyLanguageError | UnspellableError:
        every_byte = Spelling([bytes([byte]) for byte in range(256)], ())
        every_byte.specials = sorted({low for edges in self.network.symbols for low, _, _ in edges if low >= SPECIAL})
        text = Completions(self.network, every_byte).best[self.network.start[0]].get(0, {}).get(0)
        if text is None:
            return EmptyLanguageError(place)
        return UnspellableError(bytes(symbol for symbol in text if symbol < SPECIAL))

    def after(self, items: ItemSet, symbol: int) -> ItemSet:
        """The item set of the text with one more symbol."""
        if symbol not in items.after:
            moved = items.moved(self.network, symbol)
            if moved not in self._sets:
                self._sets.setdefault(moved, ItemSet(self.network, moved))
            items.after[symbol] = self._sets[moved]
        return items.after[symbol]

    def after_token(self, items: ItemSet, token_id: int) -> ItemSet:
        """The item set of the text with one more token."""
        for symbol in self.store.symbols(token_id):
            items = self.after(items, symbol)
        return items

    def is_complete(self, items: ItemSet) -> bool:
        """Whether the text is in the language."""
        return (self.network.end[0], self.first) in items.items

    def is_live(self, items: ItemSet) -> bool:
        """Whether tokens can complete the text: the definition that everything here is about."""
        return self.completions.of(items, self.first) is not None

    def allows(self, items: ItemSet, token_id: int) -> bool:
        """Whether a token may come next."""
        if token_id in self.store.eos_ids:
            return self.is_complete(items)
        return self.is_live(self.after_token(items, token_id))

    def allowed(self, items: ItemSet) -> list[int]:
        """The ids of all tokens that may come next, in order. Every one is tried; the answer is kept."""
        if items.allowed is None:
            items.allowed = [token_id for token_id in range(len(self.store.tokens)) if self.allows(items, token_id)]
        return items.allowed

    def forced(self, items: ItemSet) -> bytes:
        """The longest byte string that every completion in V* begins with."""
        forced = bytearray()
        spelling, state = self.store.spelling, 0
        while not (self.is_complete(items) and spelling.between[state]):
            onward = self._onward(items, state)
            if len(onward) != 1 or onward[0][0] >= SPECIAL:
                break
            ((symbol, items, state),) = onward
            forced.append(symbol)
        return bytes(forced)

    def _onward(self, items: ItemSet, state: int) -> list[tuple[int, ItemSet, int]]:
        """(symbol, items, state of the spelling) for every symbol that some completion goes on with."""
        found = []
        for symbol in sorted({symbol for node, _ in items.items for low, high, _ in self.network.symbols[node] for symbol in range(low, high + 1)}):
            after = self.store.spelling.step(state, symbol)
            if after is not None and self.completions.of(self.after(items, symbol), self.first, after) is not None:
                found.append((symbol, self.after(items, symbol), after))
        return found


class Matcher:
    """One generation's place in a bound grammar. The history is a list of item sets, so rollback and copy are slices of it."""

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self._history = [bound.first]
        self._finished = False

    def copy(self) -> Self:
        """An independent matcher at the same place."""
        twin = type(self).__new__(type(self))
        twin.bound, twin._history, twin._finished = self.bound, list(self._history), self._finished
        self._copied(twin)
        return twin

    def _copied(self, made: Self) -> None:
        """Called with each fresh copy, for subclasses that hold more."""

    def reset(self) -> None:
        """Go back to the start."""
        self._history, self._finished = [self.bound.first], False

    @property
    def position(self) -> int:
        """How many tokens were taken, the end token included."""
        return len(self._history) - 1 + self._finished

    @property
    def is_finished(self) -> bool:
        """Whether an end token was taken."""
        return self._finished

    @property
    def is_complete(self) -> bool:
        """Whether the text so far is in the language."""
        return self.bound.is_complete(self._history[-1])

    @property
    def is_stuck(self) -> bool:
        """Whether no token is allowed though the text is not complete."""
        return not self.is_complete and not self._allowed()

    def _allowed(self) -> list[int]:
        return [] if self._finished else self.bound.allowed(self._history[-1])

    def fill_mask(self, row: Any) -> None:
        """Set bit t % 32 of word t // 32 for every allowed token t, clear the others; all zero once finished.

        row: writable contiguous buffer of ceil(vocabulary / 32) 32-bit words; else MaskShapeError.
        """
        words = _words(row, -(-len(self.bound.store.tokens) // 32))
        bits = [0] * len(words)
        for token_id in self._allowed():
            bits[token_id // 32] |= 1 << token_id % 32
        for place, word in enumerate(bits):
            words[place] = word

    def count(self) -> int:
        """How many tokens are allowed."""
        return len(self._allowed())

    def allowed_tokens(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The ids of the allowed tokens, in order."""
        return np.array(self._allowed(), dtype=np.int32)

    def accepts(self, token_id: int) -> bool:
        """Whether a token is allowed. Raises TokenOutOfRange for an id that does not exist."""
        token_id = self._checked(token_id)
        return not self._finished and self.bound.allows(self._history[-1], token_id)

    def advance(self, token_id: int) -> None:
        """Take a token. Raises TokenOutOfRange, FinishedError or TokenRefused, and then nothing has changed."""
        token_id = self._checked(token_id)
        if self._finished:
            raise FinishedError
        if not self.accepts(token_id):
            raise TokenRefused(token_id, self.bound.store.tokens[token_id], self.position)
        if token_id in self.bound.store.eos_ids:
            self._finished = True
        else:
            self._history.append(self.bound.after_token(self._history[-1], token_id))

    def draft(self, token_ids: Iterable[int]) -> int:
        """How many of the tokens could be taken in a row; the matcher stays where it is."""
        trial = Matcher(self.bound)
        trial._history, trial._finished = list(self._history), self._finished
        for taken, token_id in enumerate(checked := [self._checked(token_id) for token_id in token_ids]):
            if not trial.accepts(token_id):
                return taken
            trial.advance(token_id)
        return len(checked)

    def rollback(self, n_tokens: int) -> None:
        """Take back the last tokens. Raises RollbackError if fewer were taken, or if the number is negative."""
        if not 0 <= n_tokens <= self.position:
            raise RollbackError(n_tokens, self.position)
        kept = self.position - n_tokens
        if n_tokens:
            self._finished = False
        del self._history[kept + 1 :]

    def place_key(self) -> tuple[Hashable, tuple[int, ...]]:
        """The state, and no counts."""
        return self.state_key(), ()

    def successors(self, brief: bool = False) -> list[tuple[np.ndarray[Any, np.dtype[np.int32]], int]]:  # noqa: ARG002 - nothing is left out here
        """The allowed tokens, end tokens apart, by the states they lead to, with the bytes of a shortest completion from there (-1: not by bytes)."""
        groups: dict[ItemSet, list[int]] = {}
        for token_id in self._allowed():
            if token_id not in self.bound.store.eos_ids:
                groups.setdefault(self.bound.after_token(self._history[-1], token_id), []).append(token_id)
        return [(np.array(ids, dtype=np.int32), self._bytes_left(items)) for items, ids in groups.items()]

    def _bytes_left(self, items: ItemSet) -> int:
        string = self.bound.completions.of(items, self.bound.first)
        return -1 if string is None or max(string, default=0) >= SPECIAL else len(string)

    def forced_bytes(self) -> bytes:
        """The longest string that every completion must go on with; b"" when complete or finished."""
        return self.bound.forced(self._history[-1])

    def least_bytes(self) -> int:
        """How many symbols a shortest completion has."""
        return len(self.bound.completions.of(self._history[-1], self.bound.first) or ())

    def shortest_bytes(self) -> bytes | None:
        """A shortest string that completes the text, spelled by tokens; b"" if it is complete, None if only special tokens could."""
        string = self.bound.completions.of(self._history[-1], self.bound.first)
        return None if string is None or max(string, default=0) >= SPECIAL else bytes(string)

    def state_key(self) -> tuple[ItemSet, bool]:
        """Equal for equal states of the matchers of one Bound."""
        return self._history[-1], self._finished

    def _configurations(self) -> int:
        """How many items the state holds."""
        return len(self._history[-1].items)

    def _checked(self, token_id: int) -> int:
        try:
            number = index(token_id)
        except TypeError:
            number = -1
        if not 0 <= number < len(self.bound.store.tokens):
            raise TokenOutOfRange(token_id, len(self.bound.store.tokens))
        return number


def _words(row: Any, expected: int) -> memoryview:
    """The 32-bit words of a mask row. Raises MaskShapeError if it is no writable contiguous buffer of so many."""
    try:
        view = memoryview(row)
    except TypeError:
        raise MaskShapeError(expected, type(row).__name__) from None
    is_words = view.itemsize == 4 and view.format.lstrip("@=<") in tuple("iIlL")
    if view.readonly or not view.c_contiguous or not is_words or view.nbytes != 4 * expected:
        kind = f"{'read-only ' if view.readonly else ''}{'' if view.c_contiguous else 'scattered '}"
        raise MaskShapeError(expected, f"a {kind}buffer of shape {view.shape} and format {view.format!r}")
    return view.cast("B").cast("I")
