"""An independent judge of small grammars: raw tables written out as productions, recognised by Earley's algorithm or enumerated.

Rule: nothing is taken from any kernel. A network's node is a nonterminal, an edge a production, so a fault in the tables'
meaning would have to be made twice. A TextTable is written out word by word and spelling by spelling, so it must be small.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from random import Random
from typing import Any

from grammask.kernel.tables import CALL, EPSILON, FIRST_SLOT, LITERAL, LITERALS, RANGE, Multiples, RuleTable, TextTable

Symbols = tuple[int, ...]
RightSide = tuple[Any, ...]  # names (int) and terminals (low, high)

SHORT_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}


def decimals_of(numbers: Multiples) -> list[bytes]:
    """Every string of a rule of multiples, tried one after the other; the upper bound must be small."""
    found = []
    for n_behind in range(numbers.behind + 1):
        for digits in range((numbers.high // 10**numbers.places + 1) * 10**n_behind):
            text = str(digits).zfill(n_behind + 1)
            text = f"{text[:-n_behind]}.{text[-n_behind:]}" if n_behind else text
            units = Fraction(text) * 10**numbers.places
            is_wanted = (units / numbers.divisor).denominator == 1 and all((units / number).denominator > 1 for number in numbers.excluded)
            if numbers.low <= units <= numbers.high and is_wanted:
                found.append(text.encode())
    return found


class Bnf:
    """A context-free grammar. Name 0 is the start; sides: name -> its right sides, none of which is barren.

    has_opaque_texts: a text stands for a quote alone, where only the shape of the rules matters.
    """

    def __init__(self, root: RuleTable, has_opaque_texts: bool = False) -> None:
        self.has_opaque_texts = has_opaque_texts
        self._names: dict[Any, int] = {}
        self.sides: list[list[RightSide]] = []
        self._todo: list[Any] = []
        self._name((root, 0))
        while self._todo:
            what = self._todo.pop()
            self.sides[self._names[what]] = list(dict.fromkeys(self._write_out(what)))
        self.heights = self._measure()
        for name, sides in enumerate(self.sides):
            self.sides[name] = [side for side in sides if all(isinstance(part, tuple) or part in self.heights for part in side)]

    def _name(self, what: Any) -> int:
        if what not in self._names:
            self._names[what] = len(self.sides)
            self.sides.append([])
            self._todo.append(what)
        return self._names[what]

    def _write_out(self, what: Any) -> Iterator[RightSide]:
        if isinstance(what, str):
            yield from (as_terminals(spelling) for spelling in spellings_of(what))
        elif isinstance(what, TextTable):
            for word in [""] if self.has_opaque_texts else words_of_text(what):
                yield (*(self._name(character) for character in word), (0x22, 0x22))
        elif what[0].multiples is not None:
            yield from map(as_terminals, decimals_of(what[0].multiples)) if what[1] == 0 else ((),)
        else:
            yield from self._write_out_node(*what) if what[0].unordered is None else self._write_out_members(*what)

    def _write_out_members(self, table: RuleTable, node: int, used: frozenset[int] = frozenset(), count: int = 0) -> Iterator[RightSide]:
        """A node of a rule that reads members in any order, beside the slots used so far and how many members there were."""
        memory = table.unordered
        assert memory is not None
        most = memory.minimum if memory.maximum is None else memory.maximum + 1
        if node == 1:
            yield ()
        for kind, a, b, *what in table.edges:
            slot = b - FIRST_SLOT
            now, so_many = (used | {slot} if slot < memory.n_slots else used, min(count + 1, most)) if slot >= 0 else (used, count)
            is_over = slot in used or (memory.maximum is not None and so_many > memory.maximum)
            if a != node or is_over or (b == 1 and not (memory.required <= used and count >= memory.minimum)):
                continue
            after = self._name((table, b, now, so_many))
            yield (after,) if kind == EPSILON else (self._name((what[0], 0) if isinstance(what[0], RuleTable) else what[0]), after)

    def _write_out_node(self, table: RuleTable, node: int) -> Iterator[RightSide]:
        if node == 1:
            yield ()
        for kind, a, b, *what in table.edges:
            if a == node:
                after = self._name((table, b))
                if kind == EPSILON:
                    yield (after,)
                elif kind == RANGE:
                    yield ((what[0], what[1]), after)
                elif kind == LITERAL:
                    yield (*as_terminals(what[0]), after)
                elif kind == LITERALS:
                    yield from ((*as_terminals(word), after) for word in what[0])
                elif kind == CALL:
                    yield (self._name((what[0], 0) if isinstance(what[0], RuleTable) else what[0]), after)

    def _measure(self) -> dict[int, int]:
        """name -> height of its lowest derivation tree; names that derive nothing are left out."""
        heights: dict[int, int] = {}
        while True:
            found = {
                name: 1 + min(max((heights[part] for part in side if not isinstance(part, tuple)), default=0) for side in fruitful)
                for name, sides in enumerate(self.sides)
                if (fruitful := [side for side in sides if all(isinstance(part, tuple) or part in heights for part in side)])
            }
            if found == heights:
                return heights
            heights = found

    @property
    def is_empty(self) -> bool:
        """Whether no string at all is derived."""
        return 0 not in self.heights

    def completes(self, table: RuleTable | TextTable, node: int = 0) -> bool:
        """Whether the end of a rule can be reached from its node."""
        if isinstance(table, RuleTable) and table.multiples is not None:
            return True
        if isinstance(table, TextTable) or table.unordered is None or node == 0:
            return isinstance(table, TextTable) or self._names.get((table, node)) in self.heights
        return any(name in self.heights for what, name in self._names.items() if isinstance(what, tuple) and what[:2] == (table, node))

    def matches_nothing(self, table: RuleTable | TextTable) -> bool:
        """Whether a rule derives the empty string."""
        return self._names.get((table, 0)) in self.nullable

    @cached_property
    def nullable(self) -> frozenset[int]:
        """The names that derive the empty string."""
        found: set[int] = set()
        while True:
            more = {name for name, sides in enumerate(self.sides) if any(all(part in found for part in side) for side in sides)}
            if more == found:
                return frozenset(found)
            found = more

    @property
    def has_nullable_rules(self) -> bool:
        """Whether some rule derives the empty string."""
        return any(name in self.nullable for name in self._starts())

    @property
    def is_left_recursive(self) -> bool:
        """Whether some rule can call itself before any symbol, through others or behind something empty."""
        left = {name: {part for side in sides for part in self._left_corners(side)} for name, sides in enumerate(self.sides)}
        for name in self._starts():
            reached, todo = set(), list(left[name])
            while todo:
                below = todo.pop()
                if below not in reached:
                    reached.add(below)
                    todo += left[below]
            if name in reached:
                return True
        return False

    def _starts(self) -> list[int]:
        return [name for what, name in self._names.items() if isinstance(what, tuple) and what[1] == 0]

    def _left_corners(self, side: RightSide) -> Iterator[int]:
        for part in side:
            if isinstance(part, tuple):
                return
            yield part
            if part not in self.nullable:
                return

    def sample(self, rng: Random, depth: int = 14) -> Symbols:
        """A random string of the language; below `depth` the lowest derivations are taken, so that it ends."""
        symbols: list[int] = []
        stack: list[tuple[Any, int]] = [(0, depth)]
        while stack:
            part, left = stack.pop()
            if isinstance(part, tuple):
                symbols.append(rng.randint(*part))
            else:
                side = rng.choice(self.sides[part]) if left > 0 else min(self.sides[part], key=self._height)
                stack += [(below, left - 1) for below in reversed(side)]
        return tuple(symbols)

    def _height(self, side: RightSide) -> int:
        return max((self.heights[part] for part in side if not isinstance(part, tuple)), default=0)

    def words(self, longest: int, alphabet: Iterable[int]) -> frozenset[Symbols]:
        """All strings of the language over an alphabet with at most so many symbols, by brute force."""
        letters = sorted(set(alphabet))
        words: list[frozenset[Symbols]] = [frozenset()] * len(self.sides)
        while True:
            found = [frozenset(string for side in sides for string in _strings(side, words, letters, longest)) for sides in self.sides]
            if found == words:
                return words[0]
            words = found


def _strings(side: RightSide, words: list[frozenset[Symbols]], letters: list[int], longest: int) -> set[Symbols]:
    strings: set[Symbols] = {()}
    for part in side:
        choices = [(c,) for c in letters if part[0] <= c <= part[1]] if isinstance(part, tuple) else words[part]
        strings = {string + choice for string in strings for choice in choices if len(string) + len(choice) <= longest}
    return strings


class Chart:
    """The items of one position. wanted: what comes next (a name, or a terminal) -> the items it moves."""

    def __init__(self) -> None:
        self.items: set[Any] = set()
        self.wanted: defaultdict[Any, list[Any]] = defaultdict(list)


class Earley:
    """Earley's recogniser over productions, one chart per prefix, all kept. Item: (name, right side, dot, position of origin)."""

    def __init__(self, bnf: Bnf) -> None:
        self.bnf = bnf
        self._charts: dict[Symbols, list[Chart]] = {}

    def is_viable(self, text: Symbols) -> bool:
        """Whether some string of the language begins with the text."""
        return bool(self._chart(text)[-1].items)

    def is_complete(self, text: Symbols) -> bool:
        """Whether the text is in the language."""
        return any((0, side, len(side), 0) in self._chart(text)[-1].items for side in self.bnf.sides[0])

    def _chart(self, text: Symbols) -> list[Chart]:
        if text not in self._charts:
            before = self._chart(text[:-1]) if text else []
            if text:
                seed = [
                    (name, side, dot + 1, origin)
                    for wanted, items in before[-1].wanted.items()
                    if isinstance(wanted, tuple) and wanted[0] <= text[-1] <= wanted[1]
                    for name, side, dot, origin in items
                ]
            else:
                seed = [(0, side, 0, 0) for side in self.bnf.sides[0]]
            self._charts[text] = [*before, self._close(before, seed)]
        return self._charts[text]

    def _close(self, before: list[Chart], seed: list[Any]) -> Chart:
        """Predict and complete; a name that may derive nothing is passed over as it is predicted (Aycock and Horspool 2002)."""
        here = len(before)
        chart = Chart()
        todo = seed
        while todo:
            item = todo.pop()
            if item in chart.items:
                continue
            chart.items.add(item)
            name, side, dot, origin = item
            if dot == len(side):
                if origin < here:
                    todo += [(n, s, d + 1, o) for n, s, d, o in before[origin].wanted[name]]
                continue
            chart.wanted[side[dot]].append(item)
            if not isinstance(side[dot], tuple):
                todo += [(side[dot], below, 0, here) for below in self.bnf.sides[side[dot]]]
                if side[dot] in self.bnf.nullable:
                    todo.append((name, side, dot + 1, origin))
        return chart


def as_terminals(text: bytes) -> RightSide:
    """One terminal for each byte."""
    return tuple((byte, byte) for byte in text)


def spellings_of(character: str) -> Iterator[bytes]:
    """Every spelling of a character inside a JSON string, one by one."""
    if character >= " " and character not in '"\\':
        yield character.encode()
    if character in SHORT_ESCAPES:
        yield b"\\" + SHORT_ESCAPES[character].encode()
    units = character.encode("utf-16-be").hex()
    for cased in product(*(sorted({digit, digit.upper()}) for digit in units)):
        digits = "".join(cased)
        yield "".join(rf"\u{digits[at : at + 4]}" for at in range(0, len(digits), 4)).encode()


def words_of_text(table: TextTable, longest: int | None = None) -> list[str]:
    """The strings of a text, shortest first, by trying all over its alphabet up to its maximum (or a stated length)."""
    bound = table.maximum if longest is None else longest
    if bound is None or not table.n_nodes:
        raise ValueError("only texts with a maximum and an automaton can be written out")
    alphabet = sorted({chr(code) for _, _, low, high in table.ranges() for code in range(low, high + 1)})
    found = []
    reached: dict[str, frozenset[int]] = {"": frozenset(table.starts)}
    for length in range(bound + 1):
        if length >= table.minimum and (table.maximum is None or length <= table.maximum):
            found += [word for word, nodes in reached.items() if nodes & table.ends and word not in table.excluded]
        after = {
            word + c: frozenset(b for a, b, low, high in table.ranges() if a in nodes and low <= ord(c) <= high)
            for word, nodes in reached.items()
            for c in alphabet
        }
        reached = {word: nodes for word, nodes in after.items() if nodes}
    return found


def is_spelled(text: Symbols, tokens: Sequence[bytes], eos_ids: Sequence[int] = ()) -> bool:
    """Whether tokens in a row spell the symbols, those without bytes as the special of their id."""
    pieces = {tuple(token) if token else (256 + i,) for i, token in enumerate(tokens) if i not in eos_ids}
    sizes = {len(piece) for piece in pieces}
    reached = {0}
    for end in range(1, len(text) + 1):
        if any(end - size in reached and text[end - size : end] in pieces for size in sizes):
            reached.add(end)
    return len(text) in reached


class TokenOracle:
    """Which tokens may come next, by the definition, as far as a search goes.

    Exact for vocabularies that spell every string (`spells_all`): then a token is allowed if its text is viable. Otherwise
    `completions` gives all words up to a length, and a token that begins one of them (the rest spelled by tokens) is allowed;
    the converse holds only if the language has no longer words.
    """

    def __init__(self, root: RuleTable, tokens: Sequence[bytes], eos_ids: Sequence[int]) -> None:
        self.bnf = Bnf(root)
        self.earley = Earley(self.bnf)
        self.tokens, self.eos_ids = tokens, eos_ids

    def text(self, token_ids: Iterable[int]) -> Symbols:
        """The symbols that tokens stand for."""
        return tuple(symbol for i in token_ids for symbol in (tuple(self.tokens[i]) or (256 + i,)))

    def viable_tokens(self, text: Symbols) -> list[int]:
        """The ids whose text keeps a completion over all strings possible; end tokens where the text is complete."""
        complete = self.earley.is_complete(text)
        return [i for i in range(len(self.tokens)) if (complete if i in self.eos_ids else self._keeps_viable(text, i))]

    def _keeps_viable(self, text: Symbols, token_id: int) -> bool:
        for symbol in self.text([token_id]):
            text += (symbol,)
            if not self.earley.is_viable(text):
                return False
        return True

    def spelled_tokens(self, text: Symbols, words: Iterable[Symbols]) -> list[int]:
        """The ids that begin, after the text, one of the words, with the rest of it spelled by tokens."""
        rests = [word[len(text) :] for word in words if word[: len(text)] == text]
        begun: set[Symbols] = set()
        for rest in rests:
            begun |= {rest[:at] for at in range(1, len(rest) + 1) if is_spelled(rest[at:], self.tokens, self.eos_ids)}
        return [i for i in range(len(self.tokens)) if (() in rests if i in self.eos_ids else self.text([i]) in begun)]
