"""Free text with markers in it, and markers alone: the nodes for them, and their automata.

Free text is any text up to the first of some *stops* (Aho and Corasick 1975, over the bytes of UTF-8); a marker is a piece of text that
a model may also write as a special token of that name. Both are built into the rule that they stand in: one state for each place in
the stops and for each way to be inside a character, whatever the number of stops.
Rule: special tokens are never free text. They stand only where a marker's text names them, and take the place of that piece of it.
Below: construction.  Above: lower.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple, Self

from grammask.errors import LimitError
from grammask.grammar.construction import Construction
from grammask.grammar.expression import EMPTY, Expression, _hold
from grammask.kernel.tables import LITERAL, RANGE

__all__ = ["FreeText", "Marked", "Stop", "build_free_text", "build_marked", "marker"]

MAX_BINDING = 4_096  # bytes of a stop that bind; each has a state, and the text behind it is kept


class Stop(NamedTuple):
    """Where free text ends.

    text: in UTF-8; once its first `commit` bytes stand in the output, all of it must follow. then: what comes after it, or None: the
    first `commit` bytes may not occur in the text at all. again: after that, free text goes on.
    """

    text: bytes
    commit: int
    then: Expression | None = EMPTY
    again: bool = False


class FreeText(Expression):
    """Any text without a stop in it, or such a text, the first stop in it, and what that leads to.

    Of stops that end at one place the longest counts. The text may end wherever no stop has begun to be binding, if `ends_anywhere`;
    else only behind a stop.
    Raises ValueError for a stop that another one would always forestall, because its binding part begins with the other's, and LimitError
    for one of which more than MAX_BINDING bytes bind.
    """

    __slots__ = ("ends_anywhere", "stops")
    stops: tuple[Stop, ...]
    ends_anywhere: bool

    def __new__(cls, stops: Iterable[Stop] = (), ends_anywhere: bool = True) -> Self:
        stops = tuple(stops)
        key = (ends_anywhere, *[(stop.text, stop.commit, id(stop.then), stop.again) for stop in stops])
        held = _FREE_TEXTS.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            _check_stops(stops)
            node = object.__new__(cls)
            node.stops, node.ends_anywhere = stops, ends_anywhere
            return _hold(_FREE_TEXTS, key, node)
        return node


class Marked(Expression):
    """One of these texts, each with what follows it. Texts that begin alike are read as one until they part."""

    __slots__ = ("cases",)
    cases: tuple[tuple[bytes, Expression], ...]

    def __new__(cls, cases: Iterable[tuple[bytes, Expression]]) -> Self:
        cases = tuple(cases)
        key = tuple([(text, id(then)) for text, then in cases])
        held = _MARKED.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.cases = cases
            return _hold(_MARKED, key, node)
        return node


_FREE_TEXTS: dict[Any, Any] = {}
_MARKED: dict[Any, Any] = {}


def marker(text: str | bytes) -> Expression:
    """This text; where the vocabulary has special tokens whose names stand in it, they may spell those pieces."""
    data = text.encode() if isinstance(text, str) else text
    return Marked([(data, EMPTY)]) if data else EMPTY


def _check_stops(stops: tuple[Stop, ...]) -> None:
    binding = sorted({stop.text[: stop.commit] for stop in stops})
    if binding and not binding[0]:
        raise ValueError("a stop must bind at least one byte")
    if (longest := max(map(len, binding), default=0)) > MAX_BINDING:
        raise LimitError("the length of a text to stop at or to leave out, in bytes,", longest, MAX_BINDING, "a part of it that nothing else holds will do")
    for shorter, longer in pairwise(binding):
        if longer.startswith(shorter):
            raise ValueError(f"the stop {longer!r} can never be reached: {shorter!r} comes first")


# UTF-8 without surrogates, as a deterministic automaton (RFC 3629 section 4): state 0 is between characters, 1 to 3 wait for so many
# bytes, 4 to 7 come after E0, ED, F0 and F4.
_UTF8: tuple[tuple[tuple[int, int, int], ...], ...] = (
    ((0x00, 0x7F, 0), (0xC2, 0xDF, 1), (0xE0, 0xE0, 4), (0xE1, 0xEC, 2), (0xED, 0xED, 5), (0xEE, 0xEF, 2), (0xF0, 0xF0, 6), (0xF1, 0xF3, 3), (0xF4, 0xF4, 7)),
    ((0x80, 0xBF, 0),),
    ((0x80, 0xBF, 1),),
    ((0x80, 0xBF, 2),),
    ((0xA0, 0xBF, 1),),
    ((0x80, 0x9F, 1),),
    ((0x90, 0xBF, 2),),
    ((0x80, 0x8F, 2),),
)


def _utf8_after(state: int, byte: int) -> int:
    return next(after for low, high, after in _UTF8[state] if low <= byte <= high)


def _specials_in(made: Construction, texts: Iterable[bytes]) -> dict[bytes, int]:
    """The special tokens whose names stand in one of the texts, as name -> symbol; end tokens are none of them."""
    made.uses_names = True
    joined = b"\xff".join(texts)  # a byte that no name holds
    found = made.marks.get(joined)
    if found is None:
        found = made.marks[joined] = {name: symbol for name, symbol in made.special_symbols() if name in joined}
    return found


class _Markers:
    """Marker texts in the order of their bytes. Those that begin alike stand next to each other, so a place in them is (first, end, depth):
    the markers from first to end, which have the same `depth` bytes behind them."""

    def __init__(self, made: Construction, cases: Iterable[tuple[bytes, Expression, int]]) -> None:
        self.made = made
        self.cases = sorted(cases, key=lambda case: case[0])  # text, what follows it, the node of the table that this leads to
        self.texts = [text for text, _, _ in self.cases]
        self.specials = _specials_in(made, self.texts)
        self.jumps = [self._jumps_in(text) for text in self.texts] if self.specials else []
        self.number: dict[tuple[int, int, int], int] = {}  # place -> node of the table
        self.pending: list[tuple[int, int, int]] = []

    def _jumps_in(self, text: bytes) -> dict[int, list[tuple[bytes, int]]]:
        """Where the names of special tokens begin in a text."""
        found: dict[int, list[tuple[bytes, int]]] = {}
        for name, symbol in self.specials.items():
            at = text.find(name)
            while at >= 0:
                found.setdefault(at, []).append((name, symbol))
                at = text.find(name, at + 1)
        return found

    def beginning_with(self, text: bytes) -> tuple[int, int, int]:
        """The place behind a text, with no markers in it if none begins so."""
        first = bisect_left(self.texts, text)
        return first, bisect_left(self.texts, text + b"\xff", first), len(text)

    def node_for(self, place: tuple[int, int, int]) -> int:
        """The table's node for a place in markers that must be gone on with."""
        if place not in self.number:
            self.number[place] = self.made.new_node()
            self.pending.append(place)
        return self.number[place]

    def build(self) -> None:
        """Build all that is behind the places asked for so far."""
        while self.pending:
            first, end, depth = place = self.pending.pop()
            source = self.number[place]
            while first < end and len(self.texts[first]) == depth:
                _, then, target = self.cases[first]
                self.made.todo.append((then, source, target))
                first += 1
            self.jump(self.texts[first][:depth] if first < end else b"", first, end, source)
            while first < end:
                text = self.texts[first]
                last = bisect_left(self.texts, text[:depth] + bytes((text[depth] + 1,)), first, end)
                common = self._cut(first, last, depth)
                self.made.edges.append((LITERAL, source, self.node_for((first, last, common)), text[depth:common]))
                first = last

    def jump(self, behind: bytes, first: int, end: int, source: int) -> None:
        """The special tokens that may be taken at a place, from a node of the table."""
        depth = len(behind)
        for name, symbol in dict.fromkeys(one for at in range(first, end) if self.specials for one in self.jumps[at].get(depth, ())):
            target = self.node_for(self.beginning_with(behind + name))
            self.made.edges.append((RANGE, source, target, symbol, symbol))

    def _cut(self, first: int, end: int, depth: int) -> int:
        """How far some markers go on alike from a place, but no further than to where a special token begins or ends in one of them."""
        common = _common(self.texts[first], self.texts[end - 1])
        for at in range(first, end) if self.specials else ():
            for start, jumps in self.jumps[at].items():
                for cut in (start, *[start + len(name) for name, _ in jumps]):
                    if depth < cut < common:
                        common = cut
        return common


def _common(one: bytes, other: bytes) -> int:
    """How many bytes two texts begin with alike."""
    if other.startswith(one):
        return len(one)
    low, high = 0, len(one)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle)
    return low


def build_marked(made: Construction, node: Marked, start: int, end: int) -> None:
    """Add a choice of markers between two nodes."""
    if not node.cases:
        made.nothing("there is no marker to choose")
        return
    markers = _Markers(made, [(text, then, end) for text, then in node.cases])
    whole = (0, len(markers.cases), 0)
    if markers.texts[0]:
        markers.number[whole] = start
        markers.pending.append(whole)
    else:  # what follows an empty marker must not lead back into `start`
        made.skip(start, markers.node_for(whole))
    markers.build()


def build_free_text(made: Construction, node: FreeText, start: int, end: int) -> None:
    """Add free text between two nodes. Cost: linear in the binding parts of the stops, times the bytes that follow one another in them."""
    root = made.new_node()
    made.skip(start, root)
    markers = _Markers(made, [(stop.text, stop.then, root if stop.again else end) for stop in node.stops if stop.then is not None])
    _Automaton(made, markers, node.stops, root, end if node.ends_anywhere else None).build()
    markers.build()
    if not node.ends_anywhere and not any(stop.then is not None and not stop.again for stop in node.stops):
        made.nothing("free text that ends behind a stop has none to end behind")


class _Automaton:
    """The automaton of Aho and Corasick in product with UTF-8. Its states are the places in the binding parts of the stops, and those
    inside a character that no stop goes on with. Place 0 is the beginning of all. end: where text may end, None if only behind a stop."""

    def __init__(self, made: Construction, markers: _Markers, stops: Iterable[Stop], root: int, end: int | None) -> None:
        self.made, self.markers, self.end = made, markers, end
        self.texts = [b""]  # what has been read at a place
        self.children: list[dict[int, int]] = [{}]
        self.binding: set[int] = set()
        for text in {stop.text[: stop.commit] for stop in stops}:
            self._add(text)
        self.fail = {0: 0}  # the longest end of a place's text that is a place too
        self.stop = {0: 0}  # the longest stop that ends at a place, 0 for none
        self.jumping = {0: 0}  # the longest end of a place's text, itself included, from which special tokens go on; 0 at last
        self.utf8 = {0: 0}  # place -> how far it has come in a character
        self.rows: dict[int, dict[int, int]] = {}  # place -> the places that bytes lead to
        self.number = {0: root}  # place -> node of the table
        self.inside = {0: root}  # state of UTF-8 -> node of the table
        self.waiting: list[int] = []

    def _add(self, text: bytes) -> None:
        place = 0
        for length, byte in enumerate(text, start=1):
            onward = self.children[place].get(byte)
            if onward is None:
                onward = self.children[place][byte] = len(self.children)
                self.children.append({})
                self.texts.append(text[:length])
            place = onward
        self.binding.add(place)

    def build(self) -> None:
        order = self._places()
        for place in order[1:]:
            self.number[place] = self.made.new_node()
        for place in order:
            self._leave(place)
        while self.waiting:
            state = self.waiting.pop()
            self._edges(self.inside[state], state, {})

    def _places(self) -> list[int]:
        """The places at which nothing is binding yet, shorter texts first."""
        order = [0]
        for place in order:  # grows while it is read
            fallback = self._fallback(place)
            self.rows[place] = fallback | self.children[place]
            for byte, onward in self.children[place].items():
                self.fail[onward] = fallback.get(byte, 0)
                self.stop[onward] = onward if onward in self.binding else self.stop[self.fail[onward]]
                self.jumping[onward] = onward if self._can_jump(onward) else self.jumping[self.fail[onward]]
                self.utf8[onward] = _utf8_after(self.utf8[place], byte)
                if not self.stop[onward]:
                    order.append(onward)
        return order

    def _fallback(self, place: int) -> dict[int, int]:
        """Where bytes lead from the longest proper end of a place's text. Inside a character the beginning of all is no such end."""
        fail = self.fail[place]
        return self.rows[fail] if fail or (place and not self.utf8[place]) else {}

    def _can_jump(self, place: int) -> bool:
        """Whether a special token goes on with a stop from here."""
        if not self.markers.specials:
            return False
        first, end, depth = self.markers.beginning_with(self.texts[place])
        return any(depth in self.markers.jumps[at] for at in range(first, end))

    def _leave(self, place: int) -> None:
        source = self.number[place]
        self._edges(source, self.utf8[place], {byte: self.stop[onward] or onward for byte, onward in self.rows[place].items()})
        if self.utf8[place]:
            return
        if self.end is not None:
            self.made.skip(source, self.end)
        place = self.jumping[place]
        while place:
            self._jump(place, source)
            place = self.jumping[self.fail[place]]
        self._jump(0, source)

    def _jump(self, place: int, source: int) -> None:
        """The special tokens that go on with the stops from a place."""
        if self.markers.specials:
            first, end, _ = self.markers.beginning_with(self.texts[place])
            self.markers.jump(self.texts[place], first, end, source)

    def _edges(self, source: int, state: int, steps: dict[int, int]) -> None:
        """The bytes that may come in a state of UTF-8; those in `steps` lead to places."""
        bytes_ = sorted(steps)
        for low, high, after in _UTF8[state]:
            at = low
            for byte in bytes_:
                if low <= byte <= high:
                    self._range(source, at, byte - 1, after)
                    at = byte + 1
            self._range(source, at, high, after)
        for byte in bytes_:
            target = self._node_for(steps[byte])
            if target is not None:
                self.made.edges.append((RANGE, source, target, byte, byte))

    def _node_for(self, place: int) -> int | None:
        """The node for a place, free or binding; None for a stop that leads nowhere."""
        if place not in self.binding:
            return self.number[place]
        behind = self.markers.beginning_with(self.texts[place])
        return self.markers.node_for(behind) if behind[0] < behind[1] else None

    def _range(self, source: int, low: int, high: int, state: int) -> None:
        if low <= high:
            if state not in self.inside:
                self.inside[state] = self.made.new_node()
                self.waiting.append(state)
            self.made.edges.append((RANGE, source, self.inside[state], low, high))
