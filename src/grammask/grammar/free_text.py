"""Free text with markers in it, and markers alone: the nodes for them, and their automata.

Free text is any text up to the first of some *stops* (Aho and Corasick 1975, over the bytes of UTF-8); a marker is a piece of text that
a model may also write as a special token of that name. Both are built into the rule that they stand in: one state for each place in
the stops and for each way to be inside a character, whatever the number of stops.
Rule: special tokens are never free text. They stand only where a marker's text names them, and take the place of that piece of it.
Below: construction.  Above: lower.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple, Self

from grammask.grammar.construction import Construction
from grammask.grammar.expression import EMPTY, Expression, _hold
from grammask.kernel.tables import LITERAL, RANGE, SPECIAL

__all__ = ["FreeText", "Marked", "Stop", "build_free_text", "build_marked", "marker"]


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
    Raises ValueError for a stop that another one would always forestall, because its binding part begins with the other's.
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


class _Trie:
    """The stops' texts. Nodes are numbered in the order in which they are made, node 0 is the beginning of all."""

    def __init__(self, stops: Iterable[Stop], specials: dict[bytes, int]) -> None:
        self.children: list[dict[int, int]] = [{}]
        self.thens: dict[int, list[tuple[Expression, bool]]] = {}
        self.binding: set[int] = set()  # where the first `commit` bytes of a stop end
        self.jumps: dict[int, list[tuple[int, int]]] = {}  # node -> (symbol of a special token, node after its name)
        self.leads: set[int] = set()  # nodes from which a stop that leads somewhere can be completed
        for stop in stops:
            self._add(stop, specials)

    def _add(self, stop: Stop, specials: dict[bytes, int]) -> None:
        path = [0]
        for byte in stop.text:
            onward = self.children[path[-1]].get(byte)
            if onward is None:
                onward = self.children[path[-1]][byte] = len(self.children)
                self.children.append({})
            path.append(onward)
        self.binding.add(path[stop.commit])
        if stop.then is None:
            return
        self.leads.update(path)
        self.thens.setdefault(path[-1], []).append((stop.then, stop.again))
        for name, symbol in specials.items():
            at = stop.text.find(name)
            while at >= 0:
                jump = symbol, path[at + len(name)]
                if jump not in self.jumps.setdefault(path[at], []):
                    self.jumps[path[at]].append(jump)
                at = stop.text.find(name, at + 1)


def _specials_in(made: Construction, texts: Iterable[bytes]) -> dict[bytes, int]:
    """The special tokens whose names stand in one of the texts, as name -> symbol; end tokens are none of them."""
    made.uses_names = True
    joined = b"\xff".join(texts)  # a byte that no name holds
    found = {}
    for name, token_id in made.specials.items():
        spelled = name.encode("utf-8", "surrogatepass")
        if spelled in joined and token_id not in made.eos_ids:
            found[spelled] = SPECIAL + token_id
    return found


class _Builder:
    """One free text or marker that is built into a table."""

    def __init__(self, made: Construction, trie: _Trie, end: int) -> None:
        self.made, self.trie, self.end = made, trie, end
        self.again = end  # where a stop leads after which free text goes on
        self.bound: dict[int, int] = {}  # trie node that must be gone on from -> node of the table
        self.pending: list[int] = []

    def node_for(self, node: int) -> int:
        """The table's node for a place in a marker that has begun."""
        if node not in self.bound:
            self.bound[node] = self.made.new_node()
            self.pending.append(node)
        return self.bound[node]

    def finish(self) -> None:
        """Build all markers that can be reached, to their ends."""
        while self.pending:
            self._leave(self.pending.pop())

    def _leave(self, node: int) -> None:
        made, trie = self.made, self.trie
        source = self.bound[node]
        for then, again in trie.thens.get(node, ()):
            made.todo.append((then, source, self.again if again else self.end))
        self.jump(node, source)
        for byte, onward in trie.children[node].items():
            if onward in trie.leads:
                data, onward = self._chain(byte, onward)
                made.edges.append((LITERAL, source, self.node_for(onward), data))

    def jump(self, node: int, source: int) -> None:
        """The special tokens that may be taken at a place in the trie, from a node of the table."""
        for symbol, onward in self.trie.jumps.get(node, ()):
            self.made.edges.append((RANGE, source, self.node_for(onward), symbol, symbol))

    def _chain(self, byte: int, node: int) -> tuple[bytes, int]:
        """The bytes up to the next place where something else can happen."""
        trie = self.trie
        data = bytearray([byte])
        while node not in self.bound and node not in trie.thens and node not in trie.jumps and len(trie.children[node]) == 1:
            ((byte, node),) = trie.children[node].items()
            data.append(byte)
        return bytes(data), node


def build_marked(made: Construction, node: Marked, start: int, end: int) -> None:
    """Add a choice of markers between two nodes."""
    if not node.cases:
        made.nothing("there is no marker to choose")
        return
    trie = _Trie([Stop(text, 0, then) for text, then in node.cases], _specials_in(made, [text for text, _ in node.cases]))
    builder = _Builder(made, trie, end)
    if trie.thens.get(0):  # an empty marker: its rest must not lead back into `start`
        made.skip(start, builder.node_for(0))
    else:
        builder.bound[0] = start
        builder.pending.append(0)
    builder.finish()


def build_free_text(made: Construction, node: FreeText, start: int, end: int) -> None:
    """Add free text between two nodes. Cost: linear in the stops' bytes, times the bytes that follow one another in them."""
    trie = _Trie(node.stops, _specials_in(made, [stop.text for stop in node.stops]))
    builder = _Builder(made, trie, end)
    _Automaton(builder, node.ends_anywhere).build(start)
    builder.finish()
    if not node.ends_anywhere and not any(stop.then is not None and not stop.again for stop in node.stops):
        made.nothing("free text that ends behind a stop has none to end behind")


class _Automaton:
    """The automaton of Aho and Corasick in product with UTF-8. Its states are the places in the binding parts of the stops, and those
    inside a character that no stop goes on with."""

    def __init__(self, builder: _Builder, ends_anywhere: bool) -> None:
        self.builder, self.trie, self.made, self.ends_anywhere = builder, builder.trie, builder.made, ends_anywhere
        self.number: dict[int, int] = {}  # place in the trie -> node of the table
        self.fail: dict[int, int] = {0: 0}  # the longest end of a place's text that is a place too
        self.utf8: dict[int, int] = {0: 0}  # place -> how far it has come in a character
        self.rows: dict[int, dict[int, int]] = {}  # place -> the places that bytes lead to
        self.inside: dict[int, int] = {}  # state of UTF-8 -> node of the table
        self.waiting: list[int] = []

    def build(self, start: int) -> None:
        order = self._places()
        for place in order:
            self.number[place] = self.made.new_node()
        self.builder.again = self.inside[0] = self.number[0]
        self.made.skip(start, self.number[0])
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
            self.rows[place] = fallback | self.trie.children[place]
            for byte, onward in self.trie.children[place].items():
                self.fail[onward] = fallback.get(byte, 0)
                self.utf8[onward] = _utf8_after(self.utf8[place], byte)
                if self._stop_at(onward) is None:
                    order.append(onward)
        return order

    def _fallback(self, place: int) -> dict[int, int]:
        """Where bytes lead from the longest proper end of a place's text. Inside a character the beginning of all is no such end."""
        fail = self.fail[place]
        return self.rows[fail] if fail or (place and not self.utf8[place]) else {}

    def _stop_at(self, place: int) -> int | None:
        """The longest stop that ends here, if one does."""
        while place and place not in self.trie.binding:
            place = self.fail[place]
        return place or None

    def _leave(self, place: int) -> None:
        source = self.number[place]
        self._edges(source, self.utf8[place], {byte: self._stop_at(onward) or onward for byte, onward in self.rows[place].items()})
        if self.utf8[place]:
            return
        if self.ends_anywhere:
            self.made.skip(source, self.builder.end)
        while place:
            self.builder.jump(place, source)
            place = self.fail[place]
        self.builder.jump(0, source)

    def _edges(self, source: int, state: int, steps: dict[int, int]) -> None:
        """The bytes that may come in a state of UTF-8; those in `steps` lead to places of the trie."""
        bytes_ = sorted(steps)
        for low, high, after in _UTF8[state]:
            at = low
            for byte in bytes_:
                if low <= byte <= high:
                    self._range(source, at, byte - 1, after)
                    at = byte + 1
            self._range(source, at, high, after)
        for byte in bytes_:
            place = steps[byte]
            if place not in self.trie.binding:
                self.made.edges.append((RANGE, source, self.number[place], byte, byte))
            elif place in self.trie.leads:
                self.made.edges.append((RANGE, source, self.builder.node_for(place), byte, byte))

    def _range(self, source: int, low: int, high: int, state: int) -> None:
        if low <= high:
            if state not in self.inside:
                self.inside[state] = self.made.new_node()
                self.waiting.append(state)
            self.made.edges.append((RANGE, source, self.inside[state], low, high))
