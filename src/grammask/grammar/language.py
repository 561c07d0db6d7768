"""Regular expressions over characters as automata over characters, for texts whose spelling is somebody else's matter.

Rule: an expression is built in front of what follows it, so a state is what is still to come: states with equal futures are one state from
the start, equal parts before equal continuations are built once, and there are no edges over nothing to take out again.
Source: Antimirov 1996 for states that are what is still to come; Daciuk and others 2000 for making them unique from the end on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

from grammask.errors import UnsupportedFeatureError
from grammask.grammar.character_automaton import CharacterAutomaton, Work, common, complement, given_automaton, normal_automaton, numbered_automaton
from grammask.grammar.expression import Alt, And, Automaton, Chars, Expression, Literal, Not, ReadyAutomaton, Repeat, Seq
from grammask.grammar.lengths import excluded_trie
from grammask.grammar.packed_automaton import unpacked
from grammask.grammar.repetition import loop_parts, normal_repeat

__all__ = ["character_automaton"]

MAX_KEPT_ARCS = 2_000
MAX_KEPT_STATES = 10_000
LAST_ASCII = 0x7F
PER_CONDITION = 100  # the work that each And and Not counts besides its size


def character_automaton(language: Expression) -> CharacterAutomaton:
    """The automaton of a regular expression over characters. The last few hundred of moderate size are kept.

    Raises UnsupportedFeatureError for what is not one (Ref, Text, Token, bytes that are no UTF-8), LimitError if it grows too large.
    Cost: a few us per node for what has neither And nor Not; each And multiplies sizes and each Not may raise one to a power.
    """
    if isinstance(language, ReadyAutomaton):
        return _ready(language)
    kept = _kept(language)
    if kept:
        return kept[0]
    automaton = _made(language)
    if len(automaton.arcs) <= MAX_KEPT_ARCS:
        kept.append(automaton)
    return automaton


@lru_cache(maxsize=256)
def _kept(_language: Expression) -> list[CharacterAutomaton]:
    """The place where the automaton of a language is kept once it is made."""
    return []


def _made(language: Expression) -> CharacterAutomaton:
    work = Work()
    if isinstance(language, Automaton):
        return _given(language)
    built: dict[Expression, CharacterAutomaton] = {}
    for node in _conditions(language):
        work.spend(PER_CONDITION)
        parts = node.parts if isinstance(node, And) else (node.part,)
        automata = [_constructed(part, work, built) for part in parts]
        built[node] = common(automata, work) if isinstance(node, And) else complement(automata[0], work)
    return built[language] if language in built else _constructed(language, work, built)


def _constructed(language: Expression, work: Work, built: dict[Expression, CharacterAutomaton]) -> CharacterAutomaton:
    """By the construction that goes on from one language to the next: what ends alike is there already. It starts anew when it is large."""
    if isinstance(language, ReadyAutomaton):
        return _ready(language)
    with _LOCK:
        construction = _CURRENT.pop() if _CURRENT else _Construction()
        automaton = construction.automaton(language, work, built)
        if len(construction.states) < MAX_KEPT_STATES and not construction.has_dead:
            _CURRENT.append(construction)
        return automaton


def _conditions(language: Expression) -> list[And | Not]:
    """All And and Not nodes of the expression, inner ones first."""
    found: list[And | Not] = []
    work: list[tuple[Expression, bool]] = [(language, False)]
    seen: set[Expression] = set()
    while work:
        node, is_done = work.pop()
        if is_done and isinstance(node, And | Not):
            found.append(node)
        elif node not in seen:
            seen.add(node)
            if isinstance(node, And | Not):
                work.append((node, True))
            if isinstance(node, Seq | Alt | And):
                work += [(part, False) for part in node.parts if type(part) is not Literal]
            elif isinstance(node, Repeat | Not):
                work.append((node.part, False))
    return found


class _State(NamedTuple):
    """What may come: the end, a character that leads to another state, or whatever may come at a loop that is not finished yet."""

    is_end: bool
    moves: dict[int, Chars]
    loops: frozenset[int]


Key = tuple[bool, frozenset[tuple[int, Chars]], frozenset[int]]
# A state to be copied: whether it is an end, its moves, its loops inside the copies and others, and whether it is a loop itself.
_Place = tuple[bool, tuple[tuple[int, Chars], ...], frozenset[int], frozenset[int], bool]
NO_LOOPS: frozenset[int] = frozenset()
DEAD, END = 0, 1


def _key(state: tuple[bool, dict[int, Chars], frozenset[int]]) -> Key:
    return (state[0], frozenset(state[1].items()), state[2])


def _shifted(state: _State, oldest: int, by: int) -> _State:
    """The state with all numbers from `oldest` on raised."""
    moves = {target + by if target >= oldest else target: chars for target, chars in state.moves.items()}
    return _State(state.is_end, moves, frozenset([loop + by if loop >= oldest else loop for loop in state.loops]) if state.loops else NO_LOOPS)


class _Made:
    """Copies of a part made one in front of the other: how many states there were before each, and what each is put in front of."""

    __slots__ = ("starts", "states")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.states: list[int] = []

    def note(self, start: int, state: int) -> None:
        self.starts.append(start)
        self.states.append(state)

    def shift(self) -> int:
        """By how much the numbers of the last three copies differ, each from those of the one before; 0: not alike."""
        starts, states = self.starts[-4:], self.states[-3:]
        if len(starts) < 4:
            return 0
        by = starts[3] - starts[2]
        return by if starts[2] - starts[1] == by == starts[1] - starts[0] and states[2] - states[1] == by == states[1] - states[0] else 0


class _Construction:
    """One construction. Continuations are taken off a stack and what was built in front of them is put back, so nesting costs no stack of Python's."""

    work: Work
    built: dict[Expression, CharacterAutomaton]

    def __init__(self) -> None:
        self.states: list[_State] = [_State(False, {}, NO_LOOPS), _State(True, {}, NO_LOOPS)]
        self.known: dict[Key, int] = {(False, frozenset(), NO_LOOPS): DEAD, (True, frozenset(), NO_LOOPS): END}
        self.open: set[int] = set()  # loops that are not finished
        self.done: dict[tuple[Expression, int], int] = {}
        self.stack: list[int] = []
        self.todo: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self.has_dead = False

    def automaton(self, language: Expression, work: Work, built: dict[Expression, CharacterAutomaton]) -> CharacterAutomaton:
        """built: the automata of the conditions (And and Not) inside."""
        self.work, self.built = work, built
        self.stack.append(END)
        self.build(language)
        while self.todo:
            step, arguments = self.todo.pop()
            step(*arguments)
        start = self.stack.pop()
        if self.has_dead:
            leaving = [self._closed(index) for index in range(len(self.states))]
            arcs = [(source, target, chars) for source, (_, moves) in enumerate(leaving) for target, chars in moves.items()]
            return normal_automaton(arcs, [start], {index for index, (is_end, _) in enumerate(leaving) if is_end})
        return numbered_automaton(self._closed, start)

    def _closed(self, index: int) -> tuple[bool, dict[int, Chars]]:
        """Whether a state may end, and its moves, those of the loops it stands before put in."""
        state = self.states[index]
        if state.loops:
            for loop in _closure(state.loops, self.states):
                inner = self.states[loop]
                state = _State(state.is_end or inner.is_end, _joined(state.moves, inner.moves), NO_LOOPS)
            self.states[index] = state
        return state.is_end, state.moves

    # ---- states ----
    def state(self, is_end: bool, moves: dict[int, Chars], loops: frozenset[int] = NO_LOOPS) -> int:
        key = _key((is_end, moves, loops))
        found = self.known.get(key)
        if found is None:
            self.work.spend(1 + len(moves))
            found = self.known[key] = len(self.states)
            self.states.append(_State(is_end, moves, loops))
        return found

    def before(self, chars: Chars, following: int) -> int:
        """One of the characters, then what follows."""
        if following == DEAD or not chars.ranges:
            self.has_dead = True
            return DEAD
        return self.state(False, {following: chars})

    def text_before(self, text: str, following: int) -> int:
        for character in reversed(text):
            following = self.before(_single(character), following)
        return following

    def union(self, states: Iterable[int]) -> int:
        """Whatever may come at one of the states."""
        states = list(dict.fromkeys(states))
        if len(states) == 1:
            return states[0]
        is_end, loops = False, NO_LOOPS
        moves: dict[int, Chars] = {}
        for index in states:
            if index in self.open:
                loops |= {index}
                continue
            state = self.states[index]
            is_end, moves, loops = is_end or state.is_end, _joined(moves, state.moves), loops | state.loops
            self.work.spend(1 + len(state.moves))
        return self.state(is_end, moves, loops)

    def new_loop(self) -> int:
        loop = len(self.states)
        self.states.append(_State(False, {}, NO_LOOPS))
        self.open.add(loop)
        self.work.spend(1)
        return loop

    def close_loop(self, loop: int, states: list[int]) -> None:
        state = self.states[self.union([*states, DEAD])]
        self.states[loop] = _State(state.is_end, state.moves, state.loops - {loop})
        self.open.remove(loop)

    # ---- expressions ----
    def build(self, node: Expression) -> None:
        """Put the node in front of the continuation on top of the stack."""
        if isinstance(node, Chars):
            self.stack[-1] = self.before(node, self.stack[-1])
        elif isinstance(node, Literal):
            self.stack[-1] = self.text_before(_decoded(node.data), self.stack[-1])
        else:
            key = node, self.stack[-1]
            found = self.done.get(key)
            if found is not None:
                self.stack[-1] = found
                return
            self.todo.append((self._keep, (key,)))
            self._build_compound(node)

    def _build_compound(self, node: Expression) -> None:
        if node in self.built:
            self._embed(self.built[node])
            return
        build = _BUILD.get(type(node))
        if build is None:
            raise UnsupportedFeatureError(f"{type(node).__name__} inside a pattern of characters", "only regular expressions over characters can be")
        build(self, node)

    def _keep(self, key: tuple[Expression, int]) -> None:
        self.done[key] = self.stack[-1]

    def seq(self, node: Seq) -> None:
        self.work.spend(len(node.parts))
        self.todo += [(self.build, (part,)) for part in node.parts]

    def alt(self, node: Alt) -> None:
        self.work.spend(len(node.parts))
        following = self.stack.pop()
        texts = [_decoded(part.data) for part in node.parts if type(part) is Literal]
        ranges = [one for part in node.parts if type(part) is Chars for one in part.ranges]
        parts = [part for part in node.parts if type(part) is not Literal and type(part) is not Chars]
        direct = [self._any_text(texts, following)] if texts else []
        direct += [self.before(Chars(ranges), following)] if ranges else []
        self._join_later(parts, following, direct)

    def _join_later(self, parts: list[Expression], following: int, direct: list[int]) -> None:
        """Build each of the parts in front of what follows, and then the choice between them all."""
        self.todo.append((self._join, (len(parts), direct)))
        for part in parts:
            self.todo.append((self.build, (part,)))
            self.todo.append((self.stack.append, (following,)))

    def _join(self, n_parts: int, direct: list[int]) -> None:
        self.stack.append(self.union([*self._taken(n_parts), *direct] or [DEAD]))
        self.has_dead |= self.stack[-1] == DEAD

    def _taken(self, n_parts: int) -> list[int]:
        parts = self.stack[len(self.stack) - n_parts :]
        del self.stack[len(self.stack) - n_parts :]
        return parts

    def _any_text(self, texts: list[str], following: int) -> int:
        """Any one of the texts, with common beginnings shared."""
        children, words = excluded_trie(texts)
        made: dict[int, int] = {}
        for node in range(len(children) - 1, -1, -1):  # children have higher numbers
            ranges: dict[int, list[tuple[int, int]]] = {}
            for code, child in children[node].items():
                ranges.setdefault(made[child], []).append((code, code))
            ways = [self.before(Chars(one), target) for target, one in ranges.items()]
            made[node] = self.union([*ways, following] if node in words else ways)
        return made[0]

    def repeat(self, node: Repeat) -> None:
        part, minimum, maximum = normal_repeat(node)
        if maximum is not None and maximum < minimum:
            self.has_dead = True
            self.stack[-1] = DEAD
            return
        if minimum:
            self.todo.append((self._copies, (part, minimum, _Made())))
        if maximum is None:
            self._loop(part)
        elif maximum > minimum:
            self._options(part, self.stack[-1], maximum - minimum, _Made())

    def _copies(self, part: Expression, left: int, made: _Made) -> None:
        """The part so many times."""
        made.note(len(self.states), self.stack[-1])
        left -= self._copied(made, left)
        if left > 1:
            self.todo.append((self._copies, (part, left - 1, made)))
        if left:
            self.build(part)

    def _options(self, part: Expression, following: int, left: int, made: _Made) -> None:
        """The part at most so many times, or what follows."""
        made.note(len(self.states), self.stack[-1])
        left -= self._copied(made, left)
        if left:
            self.todo.append((self._option, (part, following, left - 1, made)))
            self.build(part)

    def _option(self, part: Expression, following: int, left: int, made: _Made) -> None:
        self.stack[-1] = self.union([self.stack[-1], following])
        if left:
            self._options(part, following, left, made)

    def _copied(self, made: _Made, left: int) -> int:
        """Add the copies that are left, if they are the last one with other numbers; how many it added.

        A copy depends on the one before it by what may come there, not by numbers. So once two copies in a row differ by a shift of those
        numbers that are their own, each to come does too, and need not be built.
        """
        by = made.shift()
        if left < 2 or not by or not self._is_shifted(made.starts[-3], made.starts[-2], by):
            return 0
        oldest = made.starts[-4]
        places = self._places(made.starts[-2], oldest)
        for n in range(1, left + 1):
            self._add_copy(places, oldest, by * n)
        self.stack[-1] += by * left
        return left

    def _is_shifted(self, first: int, last: int, by: int) -> bool:
        """Whether the copy behind the one of these states is the same but for numbers."""
        oldest = first - by
        return all(self.states[index + by] == _shifted(self.states[index], oldest, by) for index in range(first, last))

    def _places(self, first: int, oldest: int) -> list[_Place]:
        """The states from `first` on, as what copies of them are made of."""
        places = []
        for index in range(first, len(self.states)):
            state = self.states[index]
            own_loops = frozenset([loop for loop in state.loops if loop >= oldest])
            is_open = self.known.get(_key(state)) != index  # a loop, which is not looked for
            places.append((state.is_end, tuple(state.moves.items()), own_loops, state.loops - own_loops, is_open))
        return places

    def _add_copy(self, places: list[_Place], oldest: int, by: int) -> None:
        """Add these states with all numbers from `oldest` on raised. None is there already: each leads to one that is new."""
        states, known = self.states, self.known
        self.work.spend(2 * len(places))
        for is_end, ways, own_loops, loops, is_open in places:
            moves = {target + by if target >= oldest else target: chars for target, chars in ways}
            if own_loops:
                loops = loops | {loop + by for loop in own_loops}
            if not is_open:
                known[is_end, frozenset(moves.items()), loops] = len(states)
            states.append(_State(is_end, moves, loops))

    def _loop(self, part: Expression) -> None:
        parts = loop_parts(part)
        following, loop = self.stack[-1], self.new_loop()
        self.stack[-1] = loop
        self.todo.append((self._close, (loop, following, len(parts))))
        for piece in parts:
            self.todo.append((self.build, (piece,)))
            self.todo.append((self.stack.append, (loop,)))

    def _close(self, loop: int, following: int, n_parts: int) -> None:
        self.close_loop(loop, [*self._taken(n_parts), following])

    def _embed(self, automaton: CharacterAutomaton) -> None:
        following = self.stack[-1]
        loops = [self.new_loop() for _ in range(automaton.n_nodes)]
        for node, leaving in enumerate(automaton.arcs_leaving()):
            ways = [self.before(chars, loops[target]) for target, chars in leaving]
            self.close_loop(loops[node], [*ways, following] if node in automaton.ends else ways)
        self.stack[-1] = self.union([loops[node] for node in automaton.starts] or [DEAD])
        self.has_dead |= not automaton.n_nodes or following == DEAD


_LOCK = Lock()
_CURRENT: list[_Construction] = []  # the construction that goes on, unless somebody is at it

_BUILD: dict[type, Callable[[_Construction, Any], None]] = {
    Seq: _Construction.seq,
    Alt: _Construction.alt,
    Repeat: _Construction.repeat,
    Automaton: lambda made, node: made._embed(_given(node)),
    ReadyAutomaton: lambda made, node: made._embed(_ready(node)),
}


def _ready(node: ReadyAutomaton) -> CharacterAutomaton:
    """The automaton that a node holds; it is kept there."""
    automaton: CharacterAutomaton | None = node.automaton
    if automaton is None:
        automaton = node.automaton = unpacked(node.text)
    return automaton


def _given(node: Automaton) -> CharacterAutomaton:
    """The automaton that an expression is. Raises UnsupportedFeatureError for bytes that are no characters by themselves."""
    ranges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for source, target, low, high in node.edges:
        if high > LAST_ASCII:
            raise UnsupportedFeatureError("an automaton over bytes beyond ASCII inside a pattern of characters", "they are no characters by themselves")
        ranges.setdefault((source, target), []).append((low, high))
    return given_automaton([(*pair, Chars(found)) for pair, found in ranges.items()], node.ends)


def _joined(one: dict[int, Chars], other: dict[int, Chars]) -> dict[int, Chars]:
    """The moves of both."""
    if not one:
        return other
    moves = dict(one)
    for target, chars in other.items():
        known = moves.get(target, chars)
        moves[target] = chars if known is chars else Chars(known.ranges + chars.ranges)
    return moves


def _closure(loops: Iterable[int], states: list[_State]) -> list[int]:
    """The loops, and those that stand at their start."""
    order = sorted(loops)
    for loop in order:  # grows while it is read
        order += [inner for inner in states[loop].loops if inner not in order]
    return order


@lru_cache(maxsize=1024)
def _single(character: str) -> Chars:
    code_point = ord(character)
    return Chars(((code_point, code_point),))


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UnsupportedFeatureError(f"the bytes {data!r} inside a pattern of characters", "they are not UTF-8") from error
