"""Named parts of an output, found again after it was generated.

Rule: a capture leaves no trace in the expression, so that it costs nothing while generating; the finished output is read once more along
the composition of grammars. Parts without a capture inside are read as wholes, by a matcher over single bytes.
Where there are several readings, the one is taken that Python's `re` would take: see `Grammar.captures`.
Source: the reader is a backtracking machine that remembers where it failed, so that it takes no path twice (Cox 2010, after Thompson).
Below: grammar, lower, prepare, kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from grammask import kernel
from grammask.errors import GrammarError, LimitError, TokenOutOfRange, TokenRefused, UnspellableError, UnsupportedFeatureError
from grammask.grammar.expression import Literal
from grammask.grammar.grammar import Composition, Grammar
from grammask.grammar.lower import lower
from grammask.grammar.prepare import Spelling, prepare
from grammask.kernel.tables import SPECIAL, RuleTable
from grammask.vocabulary import Vocabulary

__all__ = ["Capture", "Captures", "find_captures"]

MAX_STEPS = 5_000_000  # places looked at in one reading; some 5 s
Symbols = Sequence[int]  # bytes, and SPECIAL + id for tokens without text


@dataclass(frozen=True)
class Capture:
    """What one named part took: output[start:end] in characters of the output's text; special tokens are not in it."""

    name: str
    text: str
    start: int
    end: int
    grammar: Grammar = field(repr=False, compare=False)

    @property
    def span(self) -> tuple[int, int]:
        """Start and end, in characters of the output."""
        return self.start, self.end

    @cached_property
    def value(self) -> object:
        """What the text stands for in the part's own grammar (see `Grammar.value`), such as an object for a JSON Schema."""
        return self.grammar.value(self.text)


class Captures(Mapping[str, Capture]):
    """The captures of one output by name. Of a name that took several parts, the last one, as in `re`; `every` has all of them.

    A part that the output does not have (an alternative not taken) has no entry.
    """

    def __init__(self, found: Sequence[Capture] = ()) -> None:
        self._found = tuple(found)
        self._last = {capture.name: capture for capture in found}

    def __getitem__(self, name: str) -> Capture:
        return self._last[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._last)

    def __len__(self) -> int:
        return len(self._last)

    def every(self, name: str | None = None) -> tuple[Capture, ...]:
        """All captures of a name, or of all names, in the order in which they ended; inner ones before outer ones."""
        return tuple(capture for capture in self._found if name is None or capture.name == name)

    def __repr__(self) -> str:
        return f"Captures({list(self._found)!r})"


def find_captures(grammar: Grammar, output: str | Sequence[int], vocabulary: Vocabulary | None = None) -> Captures:
    """The captures in a complete output; see `Grammar.captures`."""
    program = _Program(grammar)
    if not program.has_captures:
        return Captures()
    symbols = _symbols(output, vocabulary)
    events = _Reading(program, symbols, vocabulary).events()
    return Captures(_captures(events, symbols))


def _symbols(output: object, vocabulary: Vocabulary | None) -> Symbols:
    if isinstance(output, str):
        return output.encode("utf-8", "surrogatepass")
    if vocabulary is None:
        raise GrammarError("captures(token_ids) needs the vocabulary of the token ids: captures(token_ids, vocabulary); or give the text")
    symbols: list[int] = []
    for token_id in output:  # type: ignore[attr-defined]  # what cannot be iterated says so
        if not 0 <= token_id < len(vocabulary):
            raise TokenOutOfRange(token_id, len(vocabulary))
        if token_id not in vocabulary.eos_ids:
            symbols += vocabulary.tokens[token_id] or [SPECIAL + token_id]
    return symbols


class _Event(NamedTuple):
    """A capture that begins or ends behind so many symbols."""

    place: int
    is_end: bool
    name: str
    grammar: Grammar


def _captures(events: Sequence[_Event], symbols: Symbols) -> list[Capture]:
    text = bytes(symbol for symbol in symbols if symbol < SPECIAL)
    bytes_before = [0, *accumulate([symbol < SPECIAL for symbol in symbols])]
    characters_before = [0, *accumulate([byte & 0xC0 != 0x80 for byte in text])]  # the first bytes of characters
    found: list[Capture] = []
    begun: list[int] = []
    for event in events:
        if not event.is_end:
            begun.append(bytes_before[event.place])
            continue
        start, end = begun.pop(), bytes_before[event.place]
        taken = text[start:end].decode("utf-8", "replace")
        found.append(Capture(event.name, taken, int(characters_before[start]), int(characters_before[end]), event.grammar))
    return found


# --- the program ----------------------------------------------------------------------------------------------------

LEAF, SPLIT, BEGIN, END, LOOP, DONE = range(6)


class _Program:
    """What to do, instruction by instruction; each names where to go on.

    (LEAF, grammar, next)   (SPLIT, [next, ...]) in order of preference   (BEGIN | END, name, grammar, next)   (DONE,)
    (LOOP, slot, minimum, maximum, body, exit): go round once more or on, by the count in the slot; a body leads back to it.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.code: list[tuple[Any, ...]] = [(DONE,)]
        self.n_slots = 0
        self.has_captures = False
        self.captured: dict[int, bool] = {}  # id of a composed grammar -> whether a capture is in it
        self._look_for_captures(grammar)
        self.start = self._compile(grammar) if self.has_captures else 0

    def _look_for_captures(self, grammar: Grammar) -> None:
        work = [(grammar, False)]
        while work:
            node, is_done = work.pop()
            source = node.source
            if not isinstance(source, Composition) or (id(node) in self.captured and not is_done):
                continue
            parts = source.parts if source.separator is None else (*source.parts, source.separator)
            if is_done:
                self.captured[id(node)] = source.operator == "capture" or any(self.captured.get(id(part), False) for part in parts)
            else:
                self.captured[id(node)] = False
                work += [(node, True), *[(part, False) for part in parts]]
        self.has_captures = self.captured.get(id(grammar), False)

    def _compile(self, grammar: Grammar) -> int:
        """Instructions from the end to the beginning. What is left to do waits on a stack: (grammar, the place where its first instruction goes)."""
        entry = self._reserve()
        work: list[tuple[Grammar, int, int]] = [(grammar, entry, 0)]
        while work:
            node, place, following = work.pop()
            if not self.captured.get(id(node), False):
                self.code[place] = (LEAF, node, following)
                continue
            source = node.source
            assert isinstance(source, Composition)
            work += getattr(self, f"_{source.operator}")(source, place, following)
        return entry

    def _reserve(self) -> int:
        self.code.append((DONE,))
        return len(self.code) - 1

    def _capture(self, source: Composition, place: int, following: int) -> list[tuple[Grammar, int, int]]:
        (part,) = source.parts
        inner, last = self._reserve(), self._reserve()
        self.code[place] = (BEGIN, source.name, part, inner)
        self.code[last] = (END, source.name, part, following)
        return [(part, inner, last)]

    def _seq(self, source: Composition, place: int, following: int) -> list[tuple[Grammar, int, int]]:
        places = [place, *[self._reserve() for _ in source.parts[1:]], following]
        return list(zip(source.parts, places, places[1:], strict=False))

    def _either(self, source: Composition, place: int, following: int) -> list[tuple[Grammar, int, int]]:
        places = [self._reserve() for _ in source.parts]
        self.code[place] = (SPLIT, places)
        return [(part, start, following) for part, start in zip(source.parts, places, strict=True)]

    def _repeat(self, source: Composition, place: int, following: int) -> list[tuple[Grammar, int, int]]:
        """A loop; with a separator, the first round is without it."""
        (part,) = source.parts
        if source.maximum == 0:
            self.code[place] = (SPLIT, [following])
            return []
        slot, self.n_slots = self.n_slots, self.n_slots + 1
        loop, first, inner = self._reserve(), self._reserve(), self._reserve()
        self.code[place] = (LOOP, slot, source.minimum, source.maximum, first, following, True)
        self.code[loop] = (LOOP, slot, source.minimum, source.maximum, inner if source.separator is None else self._reserve(), following, False)
        todo = [(part, first, loop), (part, inner, loop)]
        if source.separator is not None:
            todo.append((source.separator, self.code[loop][4], inner))
        return todo


# --- the reading ----------------------------------------------------------------------------------------------------

Counts = tuple[int, ...]
Trace = tuple[Any, ...]  # (event, the trace before it), () at the start


class _Reading:
    """One output read along a program, depth first in order of preference."""

    def __init__(self, program: _Program, symbols: Symbols, vocabulary: Vocabulary | None) -> None:
        self.program, self.symbols = program, symbols
        self.leaves = _Leaves(symbols, vocabulary)
        self.steps = MAX_STEPS

    def events(self) -> list[_Event]:
        code, symbols = self.program.code, self.symbols
        seen: set[tuple[int, int, Counts]] = set()
        work: list[tuple[int, int, Counts, Trace]] = [(self.program.start, 0, (0,) * self.program.n_slots, ())]
        while work:
            at, place, counts, trace = work.pop()
            if (at, place, counts) in seen:
                continue
            seen.add((at, place, counts))
            self._step()
            kind, *rest = code[at]
            if kind == DONE:
                if place == len(symbols):
                    return _listed(trace)
            elif kind == LEAF:
                work += [(rest[1], end, counts, trace) for end in self.leaves.ends(rest[0], place)]
            elif kind == SPLIT:
                work += [(start, place, counts, trace) for start in reversed(rest[0])]
            elif kind == LOOP:
                work += _rounds(rest, place, counts, trace)
            else:
                work.append((rest[2], place, counts, (_Event(place, kind == END, rest[0], rest[1]), trace)))
        raise GrammarError(f"the output is not a complete text of this grammar ({self.leaves.furthest} of {len(symbols)} bytes can be read)")

    def _step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise LimitError("the ways to read an output", None, MAX_STEPS, "make the grammar around the captures less ambiguous")


def _rounds(loop: list[Any], place: int, counts: Counts, trace: Trace) -> list[tuple[int, int, Counts, Trace]]:
    """Where a loop may go on, what is preferred last. Counts matter up to the bounds only, so that going round for nothing comes back to the same."""
    slot, minimum, maximum, body, following, is_first = loop
    count = 0 if is_first else counts[slot]
    limit = minimum if maximum is None else maximum
    ways = []
    if count >= minimum:
        ways.append((following, place, (*counts[:slot], 0, *counts[slot + 1 :]), trace))
    if maximum is None or count < maximum:
        ways.append((body, place, (*counts[:slot], min(count + 1, limit), *counts[slot + 1 :]), trace))
    return ways


def _listed(trace: Trace) -> list[_Event]:
    events = []
    while trace:
        event, trace = trace
        events.append(event)
    return events[::-1]


class _Leaves:
    """Where parts that are read as wholes can end, from any place on."""

    def __init__(self, symbols: Symbols, vocabulary: Vocabulary | None) -> None:
        self.symbols, self.vocabulary = symbols, vocabulary
        self.furthest = 0
        self.known: dict[tuple[int, int], list[int]] = {}
        self.matchers: dict[int, kernel.Matcher | None] = {}
        # The tokens to read with: special tokens with the ids that they have in the output (ids between them are not used and hold
        # any bytes, since a store takes few tokens without text), then one token for each byte.
        used = {symbol - SPECIAL for symbol in symbols if symbol >= SPECIAL}
        self.n_specials = max(used, default=-1) + 1
        self.tokens = [b"" if token_id in used else token_id.to_bytes(4) for token_id in range(self.n_specials)] + [bytes([byte]) for byte in range(256)]
        self._store: kernel.Store | None = None

    def ends(self, part: Grammar, start: int) -> list[int]:
        """All places where a text of the part that begins at `start` can end, in rising order."""
        key = id(part), start
        if key not in self.known:
            self.known[key] = self._literal_ends(part.expression, start) if isinstance(part.expression, Literal) else self._ends(part, start)
            self.furthest = max([self.furthest, *self.known[key][-1:]])
        return self.known[key]

    def _literal_ends(self, literal: Literal, start: int) -> list[int]:
        end = start + len(literal.data)
        return [end] if list(self.symbols[start:end]) == list(literal.data) else []

    def _ends(self, part: Grammar, start: int) -> list[int]:
        matcher = self._matcher(part)
        if matcher is None:
            return []
        matcher.reset()
        found = [start] if matcher.is_complete else []
        for place in range(start, len(self.symbols)):
            symbol = self.symbols[place]
            try:
                matcher.advance(symbol + self.n_specials if symbol < SPECIAL else symbol - SPECIAL)
            except TokenRefused:
                break
            self.furthest = max(self.furthest, place + 1)
            if matcher.is_complete:
                found.append(place + 1)
        return found

    def _matcher(self, part: Grammar) -> kernel.Matcher | None:
        """A matcher for a part; None if nothing but tokens that are not in the output would complete it."""
        if id(part) not in self.matchers:
            try:
                self.matchers[id(part)] = kernel.Matcher(kernel.Bound(self._held_store(), self._table(part)))
            except UnspellableError:
                self.matchers[id(part)] = None
        return self.matchers[id(part)]

    def _table(self, part: Grammar) -> RuleTable:
        known = self.vocabulary
        if known is None:
            try:
                table = lower(part.expression)
            except UnsupportedFeatureError as error:
                raise GrammarError(f"{error}; where a grammar names tokens, captures needs the token ids and their vocabulary") from None
        else:
            table = lower(part.expression, specials=known.specials, tokens=known.tokens, eos_ids=known.eos_ids)
        return prepare(table, Spelling(self.tokens)) if kernel.KERNEL == "compiled" else table

    def _held_store(self) -> kernel.Store:
        if self._store is None:
            self._store = kernel.Store(self.tokens, [])
        return self._store
