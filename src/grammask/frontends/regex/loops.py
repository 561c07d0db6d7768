"""Loops around parts with context: systems of equations over (what is left of an iteration, state before, pending conditions).

A *pending condition* is a language that all the text to come must be in (a lookahead met on the way); passing a character takes its
derivative. A configuration has finitely many pending conditions, so the configurations form a finite graph whose edges carry
expressions; eliminating them one by one (Kleene, as Brzozowski and McCluskey do it) leaves, for each state at the start, an expression
for each outcome (state, pending condition) at the end.
Cost: at worst exponential in the number of configurations, which `RegexOptions.maximum_contexts` bounds; everyday loops have under ten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grammask.errors import UnsupportedFeatureError
from grammask.frontends.regex.algebra import ALL, as_starting, character_set, nullable, repeat
from grammask.frontends.regex.charsets import union
from grammask.frontends.regex.derivative import classes, derivative, refine
from grammask.frontends.regex.nodes import After, Before, Concat, Look, Loop, Node, Part, Union
from grammask.frontends.regex.options import RegexOptions
from grammask.frontends.regex.positions import Positions
from grammask.frontends.regex.restrict import both, keep_starting
from grammask.grammar.expression import EMPTY, NOTHING, Alt, Expression, Seq, either, seq

__all__ = ["outcomes"]

_MAXIMUM_PARTS = 2_000  # of one node, while equations are solved

End = tuple[int, Expression]
Conditions = Callable[[Look], tuple[Expression, ...]]


class _Configuration(NamedTuple):
    """What is still to be matched (innermost first), the state of the text before, and the condition on the text to come."""

    left: tuple[Part, ...]
    state: int
    pending: Expression


Edge = tuple[Expression, _Configuration]
Rows = dict[int, dict[int, Expression]]  # source -> target -> what leads there


def outcomes(part: Node, positions: Positions, conditions: Conditions, options: RegexOptions) -> list[dict[End, Expression]]:
    """For each state before the part: each (state after it, condition on what follows) -> the strings that lead there."""
    starts = [_Configuration((part,), state, ALL) for state in range(positions.count)]
    numbers, rows = _explored(starts, _Steps(positions, conditions), options)
    ends = {number: (at.state, at.pending) for at, number in numbers.items() if not at.left}
    _solve(rows, len(starts))
    return [{ends[target]: e for target, e in rows[start].items()} for start in range(len(starts))]


class _Steps:
    """The edges that leave a configuration."""

    def __init__(self, positions: Positions, conditions: Conditions) -> None:
        self.positions, self.conditions = positions, conditions
        self._looks: dict[Look, tuple[Expression, ...]] = {}
        self._shorter: dict[Loop, Loop] = {}

    def of(self, at: _Configuration) -> list[Edge]:
        head, rest = at.left[0], at.left[1:]
        if isinstance(head, Expression):
            return self._plain(head, rest, at)
        if isinstance(head, Before):
            holds = self.positions.holds(at.state, head.language)
            return [(EMPTY, _Configuration(rest, at.state, at.pending))] if holds else []
        if isinstance(head, (After, Look)):
            pending = both(head.language if isinstance(head, After) else self._condition(head, at.state), at.pending)
            return [(EMPTY, _Configuration(rest, at.state, pending))] if pending is not NOTHING else []
        if isinstance(head, Concat):
            return [(EMPTY, _Configuration(head.parts + rest, at.state, at.pending))]
        if isinstance(head, Union):
            return [(EMPTY, _Configuration((branch, *rest), at.state, at.pending)) for branch in head.parts]
        assert isinstance(head, Loop)
        again = (head.part, *rest) if head.maximum == 1 else (head.part, self._once_less(head), *rest)
        ways = [again] if head.minimum else [again, rest]
        return [(EMPTY, _Configuration(left, at.state, at.pending)) for left in ways]

    def _condition(self, look: Look, state: int) -> Expression:
        if look not in self._looks:
            self._looks[look] = self.conditions(look)
        return self._looks[look][state]

    def _once_less(self, loop: Loop) -> Loop:
        if loop.minimum == 0 and loop.maximum is None:
            return loop
        if loop not in self._shorter:
            self._shorter[loop] = Loop(loop.part, max(loop.minimum - 1, 0), None if loop.maximum is None else loop.maximum - 1)
        return self._shorter[loop]

    def _plain(self, head: Expression, rest: tuple[Part, ...], at: _Configuration) -> list[Edge]:
        form = as_starting(at.pending)
        if at.pending is not ALL and form is not None and not nullable(head):
            head = keep_starting(head, form[0], or_empty=False)
        elif at.pending is not ALL:
            return self._by_character(head, rest, at)
        shares = [(self.positions.share(at.state, head, frozenset([s])), s) for s in sorted(self.positions.reachable(at.state))]
        return [(share, _Configuration(rest, s, ALL)) for share, s in shares if share is not NOTHING]

    def _by_character(self, head: Expression, rest: tuple[Part, ...], at: _Configuration) -> list[Edge]:
        targets: dict[_Configuration, list[tuple[int, int]]] = {}
        for ranges in refine(classes(head, at.pending), self.positions.alphabet):
            character = chr(ranges[0][0])
            left, pending = derivative(head, character), derivative(at.pending, character)
            if left is not NOTHING and pending is not NOTHING:
                following = rest if left is EMPTY else (left, *rest)
                targets.setdefault(_Configuration(following, self.positions.after(at.state, character), pending), []).extend(ranges)
        edges = [(character_set(union(ranges)), target) for target, ranges in targets.items()]
        return [(EMPTY, _Configuration(rest, at.state, at.pending)), *edges] if nullable(head) else edges


def _explored(starts: list[_Configuration], steps: _Steps, options: RegexOptions) -> tuple[dict[_Configuration, int], Rows]:
    """A number for every configuration that can be reached, the starts first, and a row of edges for each with something left."""
    numbers = {start: number for number, start in enumerate(starts)}
    rows: Rows = {}
    pending = list(starts)
    for number, configuration in enumerate(pending):
        row: dict[int, Expression] = {}
        for expression, target in steps.of(configuration) if configuration.left else []:
            if target not in numbers:
                numbers[target] = len(pending)
                pending.append(target)
            at = numbers[target]
            row[at] = either(row[at], expression) if at in row else expression
        if configuration.left:
            rows[number] = row
        if len(pending) > options.maximum_contexts:
            raise _too_much(f"it needs more than {options.maximum_contexts} kinds of context")
    return numbers, rows


def _solve(rows: Rows, n_starts: int) -> None:
    """Leave in the rows of the starts only edges to ends. The others go first, those that make the fewest new edges foremost."""
    sources: dict[int, set[int]] = {number: set() for number in rows}
    for source, row in rows.items():
        for target in row:
            if target in sources:
                sources[target].add(source)
    inner = [number for number in rows if number >= n_starts]
    while inner:
        cheapest = min(inner, key=lambda number: len(rows[number]) * len(sources[number]))
        inner.remove(cheapest)
        _eliminate(cheapest, rows, sources)
        for target in rows.pop(cheapest):
            if target in sources:
                sources[target].discard(cheapest)
    for start in range(n_starts):
        _eliminate(start, rows, sources)


def _eliminate(middle: int, rows: Rows, sources: dict[int, set[int]]) -> None:
    """Arden's rule: X = a X | b is a* b; then every other row that uses X uses that instead."""
    around = repeat(rows[middle].pop(middle, EMPTY), 0, None)
    rows[middle] = {target: seq(around, e) for target, e in rows[middle].items()}
    for source in sorted(sources[middle] - {middle}):
        row = rows[source]
        lead = row.pop(middle)
        for target, e in rows[middle].items():
            row[target] = joined = either(*([row[target]] if target in row else []), seq(lead, e))
            if isinstance(joined, (Seq, Alt)) and len(joined.parts) > _MAXIMUM_PARTS:
                raise _too_much("the expression for it grows without measure")
            if target in sources:
                sources[target].add(source)
    sources[middle] = set()


def _too_much(reason: str) -> UnsupportedFeatureError:
    return UnsupportedFeatureError("this use of anchors or lookarounds inside a repetition", reason, hint="move them out of the repetition")
