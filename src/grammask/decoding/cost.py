"""The cost certificate of a grammar: how many ways of reading a text a matcher may have to follow at once, whatever the text.

A matcher holds configurations (local state, stack); a mask is put together from each of them. For most grammars a few are enough for every
text; for some their number grows with the text. Here a bound is worked out before any text is seen.

The stack has no bound, so only its top is looked at. A *control* is a set of configurations with their stacks down to a node that all of
them stand on, called the base; a *segment* is what such a node holds. A step that needs what is below the base goes on with every segment
that some text may have left there. If this comes to an end, the largest control met is the bound: every matcher's configurations are those
of one of the controls. It need not come to an end (palindromes), so it is given up after a stated effort, and then nothing is promised.

Rule: stacks are made and merged here as `kernel.matcher` makes and merges them; what differs can only be more.
Below: kernel.local_states, grammar.recursion.  Above: report.
Source: summaries of pushdown systems (Reps, Horwitz & Sagiv 1995), with sets of configurations in place of states.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal as OneOf
from typing import Protocol

from grammask.grammar.components import components

__all__ = ["EFFORT", "Cost", "cost_of"]

EFFORT = 500_000  # steps of one configuration by one run of symbols; about 10 us each
MOST_STATES = 1_000_000  # inside strings
MOST = 256  # configurations in a control: above that, no bound is looked for
DEEPEST = 24  # nodes on top of each other in a control
MOST_CHOICES = 27  # of what a symbol leads to in one control, where counts of characters decide


@dataclass(frozen=True, slots=True)
class Cost:
    """What a mask and an advance may come to, on any text of the grammar.

    kind: "flat" - rules do not nest, so there are finitely many positions, and an index exists;
    "nested" - rules nest, but the number of configurations is bounded whatever the text and however deep;
    "open" - no bound was found: the grammar may be ambiguous, and steps may cost more as the text grows.
    configurations: the most that a matcher holds at once, None if open. A mask looks at so many places and the callers that one token can
    return to; an advance takes so many steps for each byte.
    states: local states that texts lead to. Each is worked out once for all matchers, so this bounds what is not a look-up. None if open.
    reason: why it is open, else "".
    """

    kind: OneOf["flat", "nested", "open"]
    configurations: int | None
    states: int | None
    reason: str = ""


class States(Protocol):
    """What `kernel.local_states.LocalStates` offers, which see."""

    def __len__(self) -> int: ...
    def is_text(self, number: int, /) -> bool: ...
    def count_text(self, number: int, most: int, /) -> int: ...
    def look(self, number: int, /) -> tuple[int, bool, bool, tuple[tuple[int, int, tuple[int, ...]], ...], tuple[tuple[int, int], ...]]: ...


def cost_of(states: States, *, nests: bool, effort: int = EFFORT) -> Cost:
    """The certificate of the grammar whose states these are. Cost: some 10 us for each place in the grammar and run of symbols there."""
    search = _Search(states, effort)
    try:
        search.run()
    except _GivenUp as error:
        return Cost("open", None, None, str(error))
    return Cost("nested" if nests else "flat", search.most, len(states))


class _GivenUp(Exception):
    """No bound was found; the text says why."""


BASE = 0  # the node all stacks of a control stand on; other nodes are numbers too, of sets of entries
CLOSED = -2  # the state behind a text's closing quote
BELOW = -1  # in place of a state: the entry that stands for all entries of the base
Entry = tuple[int, int]  # (state to come back to, node below)
Control = frozenset[tuple[int, int]]  # (state, node) of each configuration
Step = tuple[Control, tuple[int, ...]]  # a control, and the segments that now lie below its base and above the former one


class _State:
    """A local state as it is looked at most."""

    __slots__ = ("accepting", "calls", "cuts", "first", "passive", "rank", "segments")

    def __init__(self, seen: tuple[int, bool, bool, tuple[tuple[int, int, tuple[int, ...]], ...], tuple[tuple[int, int], ...]]) -> None:
        self.rank, self.accepting, self.passive, self.segments, self.calls = seen
        self.cuts = {symbol for low, high, _ in self.segments for symbol in (low, high + 1)}
        self.first: dict[int, bool] = {}  # symbol -> whether it, or what it calls, takes it

    def after(self, symbol: int) -> tuple[int, ...]:
        """The states that a symbol may lead to; none if it is not taken."""
        low, high = 0, len(self.segments)
        while low < high:
            middle = (low + high) // 2
            if self.segments[middle][1] < symbol:
                low = middle + 1
            else:
                high = middle
        return self.segments[low][2] if low < len(self.segments) and self.segments[low][0] <= symbol else ()


class _Nodes:
    """Stack nodes by number: each a set of entries, equal sets one node."""

    def __init__(self) -> None:
        base = frozenset([(BELOW, BASE)])
        self.entries: list[frozenset[Entry]] = [base]
        self.height = [0]
        self._numbers = {base: BASE}

    def of(self, entries: Iterable[Entry]) -> int:
        held = frozenset(entries)
        number = self._numbers.get(held)
        if number is None:
            number = self._numbers[held] = len(self.entries)
            height = 1 + max(self.height[below] for _, below in held)
            if height > DEEPEST:
                raise _GivenUp(f"ways of reading a text stay apart over {DEEPEST} nested rules")
            self.entries.append(held)
            self.height.append(height)
        return number

    def below(self, node: int) -> set[int]:
        return {below for _, below in self.entries[node]}

    def moved(self, node: int, to: int, known: dict[int, int]) -> int:
        """The node with another in the base's place, whose entries take the place of BELOW. Depth is bounded by DEEPEST."""
        if node == BASE:
            return to
        found = known.get(node)
        if found is None:
            entries: set[Entry] = set()
            for back, below in self.entries[node]:
                if back == BELOW:
                    entries |= self.entries[to]
                else:
                    entries.add((back, self.moved(below, to, known)))
            found = known[node] = self.of(entries)
        return found

    def cut(self, node: int, at: int, known: dict[int, int]) -> int:
        """The node as it stands on another one, which all ways down from it pass, as base."""
        if node == at:
            return BASE
        found = known.get(node)
        if found is None:
            found = known[node] = self.of([(back, self.cut(below, at, known)) for back, below in self.entries[node]])
        return found

    def common(self, nodes: set[int]) -> int:
        """The highest node that all ways down from the nodes pass."""
        while len(nodes) > 1:
            highest = max(nodes, key=lambda node: self.height[node])
            nodes = (nodes - {highest}) | self.below(highest)
        return next(iter(nodes))


class _Region:
    """Controls, and where they lead.

    onward: controls on the same base.  pushes: controls on new segments.  returns: steps in which something returns below the base, not
    followed up.  tops: the segments that the base is.
    """

    __slots__ = ("onward", "pushes", "returns", "tops")

    def __init__(self) -> None:
        self.onward: set[Control] = set()
        self.pushes: set[Step] = set()
        self.returns: set[Control] = set()
        self.tops: set[int] = set()


class _Search:
    """All controls that texts lead to, each with what its base may hold."""

    def __init__(self, states: States, effort: int) -> None:
        self.kernel = states
        self.states = {CLOSED: _State((0, True, True, (), ()))}
        self.n_text_states = 0
        self.nodes = _Nodes()
        self.effort = effort
        self.most = 1
        self.steps_of: dict[Control, _Region] = {}
        self.normal_of: dict[Control, Step | None] = {}
        self.region_of: dict[Control, _Region] = {}
        self.work: list[tuple[_Region, int]] = []
        self.under: dict[int, set[int]] = {}  # segment -> segments that some text leaves below it; BASE: the end of the text
        self.waiting: dict[int, dict[Control, None]] = {}  # segment -> what has returned below it, before that was followed

    def state(self, number: int) -> _State:
        held = self.states.get(number)
        if held is None:
            held = self.states[number] = _State(self.kernel.look(number))
        return held

    def run(self) -> None:
        self.meet((frozenset([(0, BASE)]), ()), BASE)
        while self.work:
            region, top = self.work.pop()
            self.spend(1)
            for control in region.onward:
                self.enter(self.region(control), top)
            for step in region.pushes:
                self.meet(step, top)
            for stepped in region.returns:
                self.come_back(stepped, top)

    def spend(self, effort: int) -> None:
        self.effort -= effort
        if self.effort < 0:
            raise _GivenUp("the grammar is too large to look at all its places")

    def meet(self, step: Step, top: int) -> None:
        """A text leads to a control, with segments on top of a former one."""
        control, segments = step
        for segment in segments:
            held = self.under.setdefault(segment, set())
            if top not in held:
                held.add(top)
                for stepped in list(self.waiting.get(segment, ())):
                    self.go_below(stepped, segment, top)
            top = segment
        self.enter(self.region(control), top)

    def enter(self, region: _Region, top: int) -> None:
        if top not in region.tops:
            region.tops.add(top)
            self.work.append((region, top))

    def region(self, control: Control) -> _Region:
        """The controls that lead to one another with this one, as one."""
        found = self.region_of.get(control)
        if found is None:
            for members in components([control], lambda member: [after for after in self.steps(member).onward if after not in self.region_of]):
                held = _Region()
                for member in members:
                    self.region_of[member] = held
                    steps = self.steps(member)
                    held.onward |= steps.onward
                    held.pushes |= steps.pushes
                    held.returns |= steps.returns
                held.onward -= set(members)
            found = self.region_of[control]
        return found

    def come_back(self, stepped: Control, top: int) -> None:
        """A step has come to what is below its base: go on with everything that may be there, now and later."""
        if top == BASE:
            self.keep(stepped, BASE)
            return
        waiting = self.waiting.setdefault(top, {})
        if stepped not in waiting:
            waiting[stepped] = None
            for under in list(self.under[top]):
                self.go_below(stepped, top, under)

    def go_below(self, stepped: Control, top: int, under: int) -> None:
        """The same step with the base among what its stacks hold, on what is below it."""
        self.spend(1)
        known: dict[int, int] = {}
        wider = frozenset([(state, self.nodes.moved(node, top, known)) for state, node in stepped])
        if self.settled(wider)[1]:
            self.come_back(wider, under)
        else:
            self.keep(wider, under)

    def keep(self, stepped: Control, top: int) -> None:
        step = self.normal(stepped)
        if step is not None:
            self.meet(step, top)

    def steps(self, control: Control) -> _Region:
        """Where symbols take a control, whatever it stands on. Worked out once."""
        found = self.steps_of.get(control)
        if found is None:
            found = self.steps_of[control] = _Region()
            if len(control) == 1 and self.kernel.is_text(min(control)[0]):
                self.pass_text(control, found)
                return found
            for stepped in self.all_steps(control):
                self.spend(len(stepped))
                if self.settled(stepped)[1]:
                    found.returns.add(stepped)
                elif (step := self.normal(stepped)) is not None:
                    if step[1]:
                        found.pushes.add(step)
                    else:
                        found.onward.add(step[0])
        return found

    def pass_text(self, control: Control, found: _Region) -> None:
        """A text alone stays alone until its closing quote, after which it is complete: its states are only counted."""
        ((number, node),) = control
        self.n_text_states = self.kernel.count_text(number, MOST_STATES)
        if self.n_text_states > MOST_STATES:
            raise _GivenUp(f"its strings have over {MOST_STATES} states")
        found.returns.add(frozenset([(CLOSED, node)]))

    def normal(self, stepped: Control) -> Step | None:
        """Follow up a step, count what it has led to, and keep of the stacks what its configurations do not share; None if it only completes."""
        if stepped in self.normal_of:
            return self.normal_of[stepped]
        step: Step | None = None
        live = [(state, node) for state, node in self.settled(stepped)[0] if not (self.state(state).accepting and self.state(state).passive)]
        self.most = max(self.most, len(live))
        if self.most > MOST:
            raise _GivenUp(f"there are over {MOST} ways of reading a text at once")
        if live:
            self.spend(sum([self.nodes.height[node] for _, node in live]))
            cut = self.nodes.common({node for _, node in live})
            known: dict[int, int] = {}
            step = frozenset([(state, self.nodes.cut(node, cut, known)) for state, node in live]), self.segments(cut)
        self.normal_of[stepped] = step
        return step

    def segments(self, node: int) -> tuple[int, ...]:
        """A node taken apart at the nodes that all ways down pass, from below."""
        found = []
        while node != BASE:
            under = self.nodes.common(self.nodes.below(node))
            found.append(self.nodes.cut(node, under, {}))
            node = under
        return tuple(found[::-1])

    # -- one step, as matchers take it ---------------------------------------------------------------------------------

    def all_steps(self, control: Control) -> Iterable[Control]:
        """What symbols make of a control before anything returns, each set once."""
        if len(control) == 1:
            ((number, node),) = control
            state = self.state(number)
            if not state.calls:  # nothing runs beside it, so it does not matter which symbol leads where
                return [frozenset([(target, node)]) for target in {target for _, _, targets in state.segments for target in targets}]
        return {stepped for symbol in self.symbols(control) for stepped in self.stepped(control, symbol)}

    def symbols(self, control: Control) -> list[int]:
        """One of each run of symbols that act alike on a control."""
        reached = list(dict.fromkeys(state for state, _ in control))
        known = set(reached)
        cuts: set[int] = set()
        for number in reached:  # grows while it is read
            state = self.state(number)
            cuts.update(state.cuts)
            for start, _ in state.calls:
                if start not in known:
                    known.add(start)
                    reached.append(start)
        return sorted(cuts)[:-1]

    def stepped(self, control: Control, symbol: int) -> Iterator[Control]:
        """What one symbol may make of a control."""
        self.spend(len(control))
        moves: list[tuple[tuple[int, ...], int]] = []
        calls: dict[int, set[Entry]] = {}
        for number, node in control:
            self.move(self.state(number), node, symbol, moves, calls)
        while calls:
            start = max(calls, key=lambda number: self.state(number).rank) if len(calls) > 1 else next(iter(calls))
            entries = calls.pop(start)
            if self.can_start(start, symbol):
                self.move(self.state(start), self.nodes.of(entries), symbol, moves, calls)
        if math.prod([len(targets) for targets, _ in moves]) > MOST_CHOICES:
            raise _GivenUp("many strings with distant bounds of length are read side by side")
        if moves:
            for choice in product(*[targets for targets, _ in moves]):
                yield frozenset([(number, node) for number, (_, node) in zip(choice, moves, strict=True)])

    def move(self, state: _State, node: int, symbol: int, moves: list[tuple[tuple[int, ...], int]], calls: dict[int, set[Entry]]) -> None:
        """Note where a state's own symbols lead, and its calls with what is left to do after them."""
        targets = state.after(symbol)
        if targets:
            moves.append((targets, node))
        for start, back in state.calls:
            held = calls.setdefault(start, set())
            if self.state(back).passive:
                held |= self.nodes.entries[node]
            else:
                held.add((back, node))

    def can_start(self, number: int, symbol: int) -> bool:
        """Whether a state, or what it calls, takes a symbol."""
        state = self.state(number)
        known = state.first.get(symbol)
        if known is None:
            known = state.first[symbol] = bool(state.after(symbol)) or any(self.can_start(start, symbol) for start, _ in state.calls)
        return known

    def settled(self, stepped: Control) -> tuple[Control, bool]:
        """Follow what is complete to where it returns; and whether something returns below the base."""
        returns = False
        todo = list(stepped)
        reached = set(stepped)
        for number, node in todo:  # grows while it is read
            if not self.state(number).accepting:
                continue
            for entry in self.nodes.entries[node]:
                if entry[0] == BELOW:
                    returns = True
                elif entry not in reached:
                    reached.add(entry)
                    todo.append(entry)
        return frozenset(reached), returns
