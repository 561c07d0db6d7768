"""Named parts of an output, found again after it was generated.

Rule: a capture leaves no trace in the expression, so that it costs nothing while generating; the finished output is read once more along
the composition of grammars. Parts without a capture inside are read as wholes, by a matcher over single bytes.
Where there are several readings, the one is taken that Python's `re` would take: see `Grammar.captures`.
Each part is read once from each place, whatever surrounds it, so that nesting multiplies nothing.
Source: backtracking that remembers what it has found, as packrat parsers do (Ford 2002), here with all ends of a part, best first.
Below: grammar, lower, prepare, kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from grammask import kernel
from grammask.arguments import instance, or_none, takes
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

    @takes(name=or_none(instance(str)))
    def every(self, name: str | None = None) -> tuple[Capture, ...]:
        """All captures of a name, or of all names, in the order in which they ended; inner ones before outer ones."""
        return tuple(capture for capture in self._found if name is None or capture.name == name)

    def __repr__(self) -> str:
        return f"Captures({list(self._found)!r})"


def find_captures(grammar: Grammar, output: str | Sequence[int], vocabulary: Vocabulary | None = None) -> Captures:
    """The captures in a complete output; see `Grammar.captures`."""
    root = _Parts(grammar).root
    if root is None:
        return Captures()
    symbols = _symbols(output, vocabulary)
    events = _Reading(root, symbols, vocabulary).events()
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


# --- the parts ------------------------------------------------------------------------------------------------------

Move = tuple["_Part | None", Any, Any]  # what to read (None: nothing), the state behind it, and that behind it if it took nothing
DONE = "done"


class _Part:
    """A part of a grammar as a small automaton: from state 0 to DONE, by moves in order of preference over the parts within it."""

    def __init__(self, grammar: Grammar, below: Sequence[_Part] = ()) -> None:
        self.grammar, self.below = grammar, below

    def moves(self, state: Any) -> Sequence[Move]:
        raise NotImplementedError


class _Whole(_Part):
    """A part without captures inside, which a matcher reads."""


class _Row(_Part):
    """Parts one after the other; the state is how many have been read. A capture is a row of one."""

    def __init__(self, grammar: Grammar, below: Sequence[_Part], name: str = "") -> None:
        super().__init__(grammar, below)
        self.name = name

    def moves(self, state: int) -> Sequence[Move]:
        if state == len(self.below):
            return ((None, DONE, DONE),)
        return ((self.below[state], state + 1, state + 1),)


class _Fork(_Part):
    """Any one of the parts."""

    def moves(self, _: int) -> Sequence[Move]:
        return [(part, DONE, DONE) for part in self.below]


class _Loop(_Part):
    """Rounds of a part, with another one between two. The state is the rounds so far, as far as they can matter, and what comes next."""

    def __init__(self, grammar: Grammar, below: Sequence[_Part], minimum: int, maximum: int | None) -> None:
        super().__init__(grammar, below)
        self.minimum, self.maximum = minimum, maximum
        self.top = max(minimum, 1) if maximum is None else maximum

    def moves(self, state: Any) -> Sequence[Move]:
        count, is_separated = state or (0, False)
        body = self.below[0]
        behind = min(count + 1, self.top)
        round_: Move = (body, (behind, False), DONE if behind >= self.minimum else (behind, False))  # rounds of nothing help no further
        if is_separated:
            return (round_,)
        leave: list[Move] = [(None, DONE, DONE)] if count >= self.minimum else []
        if self.maximum is not None and count >= self.maximum:
            return leave
        if count and len(self.below) > 1:
            return [(self.below[1], (count, True), (count, True)), *leave]
        return [round_, *leave]


class _Parts:
    """All parts of a grammar, each made once however often it is used. `root` is None if no capture is in the grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self.made: dict[int, _Part] = {}
        order = _bottom_up(grammar)
        has_captures = _with_captures(order)
        for node in order:
            self.made[id(node)] = self._part(node) if has_captures[id(node)] else _Whole(node)
        self.root = self.made[id(grammar)] if has_captures[id(grammar)] else None

    def _part(self, node: Grammar) -> _Part:
        source = node.source
        assert isinstance(source, Composition)
        below = [self.made[id(part)] for part in _below(node)]
        if source.operator == "repeat":
            return _Loop(node, below, source.minimum, source.maximum)
        if source.operator == "either":
            return _Fork(node, below)
        return _Row(node, below, source.name)


def _below(node: Grammar) -> tuple[Grammar, ...]:
    source = node.source
    if not isinstance(source, Composition):
        return ()
    return source.parts if source.separator is None else (*source.parts, source.separator)


def _bottom_up(root: Grammar) -> list[Grammar]:
    """The grammars of a composition, each once and behind its parts."""
    order: list[Grammar] = []
    seen: set[int] = set()
    work = [(root, False)]
    while work:
        node, is_done = work.pop()
        if is_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            work += [(node, True), *[(part, False) for part in _below(node)]]
    return order


def _with_captures(order: Sequence[Grammar]) -> dict[int, bool]:
    """Of each grammar, by its id, whether a capture is in it; parts come before what they are parts of."""
    found: dict[int, bool] = {}
    for node in order:
        is_capture = isinstance(node.source, Composition) and node.source.operator == "capture"
        found[id(node)] = is_capture or any(found[id(part)] for part in _below(node))
    return found


# --- the reading ----------------------------------------------------------------------------------------------------

Trace = tuple[Any, ...]  # (the ends of a part, which of them, the trace before it), () at the start
Asked = tuple["_Ends", int]


class _Ends:
    """Where a part that begins at a place can end, best first: found one by one, when they are asked for, and kept.

    traces: for each end, what was read within the part.  run: finds the next one; None when there are no more.
    """

    def __init__(self, part: _Part, start: int, known: Sequence[int] = (), run: Generator[Asked | None, int | None, None] | None = None) -> None:
        self.part, self.start = part, start
        self.found: list[int] = list(known)
        self.traces: list[Trace] = [()] * len(self.found)
        self.run = run


class _Reading:
    """One output read along the parts of a grammar.

    The ends of a part from a place are the same whatever surrounds it, and are worked out once; so the cost is polynomial: parts times the cube of
    the output's length at worst. Parts that wait for those within them wait on a list, not on Python's stack.
    """

    def __init__(self, root: _Part, symbols: Symbols, vocabulary: Vocabulary | None) -> None:
        self.root, self.symbols = root, symbols
        self.leaves = _Leaves(symbols, vocabulary)
        self.steps = MAX_STEPS
        self.known: dict[tuple[_Part, int], _Ends] = {}

    def events(self) -> list[_Event]:
        """The captures of the best reading."""
        ends, number = self._ends(self.root, 0), 0
        while (end := self._end(ends, number)) is not None:
            if end == len(self.symbols):
                return _events(ends, number)
            number += 1
        raise GrammarError(f"the output is not a complete text of this grammar ({self.leaves.furthest} of {len(self.symbols)} bytes can be read)")

    def _ends(self, part: _Part, start: int) -> _Ends:
        ends = self.known.get((part, start))
        if ends is None:
            if isinstance(part, _Whole):
                ends = _Ends(part, start, self.leaves.ends(part.grammar, start)[::-1])
            else:
                ends = _Ends(part, start)
                ends.run = self._search(ends)
            self.known[part, start] = ends
        return ends

    def _end(self, ends: _Ends, number: int) -> int | None:
        """The end of that number, from 0 for the best; None if there are not so many."""
        waiting = [(ends, number)]
        answer: int | None = None
        while waiting:
            ends, number = waiting[-1]
            if number < len(ends.found) or ends.run is None:
                answer = ends.found[number] if number < len(ends.found) else None
                waiting.pop()
                if waiting:
                    self._go_on(waiting, answer)
            else:
                self._go_on(waiting, None)
        return answer

    def _go_on(self, waiting: list[Asked], answer: int | None) -> None:
        """Have the last one that waits search on, up to its next end or question."""
        self.steps -= 1
        if self.steps < 0:
            raise LimitError("the ways to read an output", None, MAX_STEPS, "make the grammar around the captures less ambiguous")
        ends = waiting[-1][0]
        assert ends.run is not None
        try:
            asked = ends.run.send(answer)
        except StopIteration:
            ends.run = None
            return
        if asked is not None:
            waiting.append(asked)

    def _search(self, ends: _Ends) -> Generator[Asked | None, int | None, None]:
        """Depth first along the moves of a part, each state at each place once. Yields what it has to know, and None when it has found an end."""
        seen: set[tuple[Any, int]] = set()
        work: list[tuple[Any, int, Trace] | tuple[_Part, int, int, Any, Any, Trace]] = [(0, ends.start, ())]
        while work:
            item = work.pop()
            if len(item) == 6:
                part, place, number, behind, behind_nothing, trace = item
                inner = self._ends(part, place)
                end = yield inner, number
                if end is not None:
                    work.append((part, place, number + 1, behind, behind_nothing, trace))
                    work.append((behind if end > place else behind_nothing, end, (inner, number, trace)))
                continue
            state, place, trace = item
            if (state, place) in seen:
                continue
            seen.add((state, place))
            if state == DONE:
                ends.found.append(place)
                ends.traces.append(trace)
                yield None
                continue
            for read, behind, behind_nothing in reversed(ends.part.moves(state)):
                work.append((behind, place, trace) if read is None else (read, place, 0, behind, behind_nothing, trace))


def _events(ends: _Ends, number: int) -> list[_Event]:
    """Where captures begin and end in one way to read a part."""
    events: list[_Event] = []
    work: list[tuple[_Ends, int, bool]] = [(ends, number, False)]
    while work:
        ends, number, is_read = work.pop()
        if isinstance(ends.part, _Row) and ends.part.name:
            inner = ends.part.below[0].grammar
            events.append(_Event(ends.found[number] if is_read else ends.start, is_read, ends.part.name, inner))
            if not is_read:
                work.append((ends, number, True))
        if not is_read:
            trace = ends.traces[number]
            while trace:  # from the last to the first, so that the first lies on top
                work.append((trace[0], trace[1], False))
                trace = trace[2]
    return events


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
