"""From the parsed pattern to one expression for all texts in which it matches.

How context is handled. Text before: `Positions` gives the few states that the pattern's conditions on it tell apart, and every
step below works on a *tuple of continuations*, one expression for each state: "what may follow if the text so far is in state s".
Text to come: a continuation *is* the language of all the text to come, so a condition on that is an intersection with it.
A pattern is translated from its end to its start: an expression e before continuations K becomes, for state s, the union over the
different k in K of (the strings of e that lead from s to a state with continuation k) then k. Unbounded loops are systems of
equations over states and pending conditions (module loops).

Rule: exact, or an error that names what is too much. Parts without context never get here; see nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grammask.errors import LimitError
from grammask.frontends.regex.algebra import ALL, SOME, all_then, negation, repeat, then
from grammask.frontends.regex.loops import outcomes
from grammask.frontends.regex.nodes import After, Before, Concat, Look, Loop, Node, Part, Union, concat, loop, union
from grammask.frontends.regex.options import RegexOptions
from grammask.frontends.regex.positions import Positions
from grammask.frontends.regex.restrict import both
from grammask.grammar.expression import EMPTY, NOTHING, Alt, And, Chars, Expression, Literal, Not, Repeat, Seq, either, seq

__all__ = ["translated"]

_MAXIMUM_SIZE = 50_000  # nodes of the result, counted as a tree
_MAXIMUM_WRITTEN_OUT = 1_000  # repetitions of a part with context
_MAXIMUM_STEPS = 20_000  # parts, once for each state and written-out repetition: some seconds at worst

Continuations = tuple[Expression, ...]


def translated(part: Node, open_left: bool, open_right: bool, options: RegexOptions) -> Expression:
    """All texts in which the pattern matches; from their start unless `open_left`, to their end unless `open_right`.

    Raises UnsupportedFeatureError where contexts are too many to work out, LimitError where the result is too large.
    """
    return _checked(_Translation(part, options).language(open_left, open_right))


class _Translation:
    """One pattern at work: its conditions on the text before, and the steps from continuations to continuations."""

    def __init__(self, part: Node, options: RegexOptions) -> None:
        self.options = options
        self.part = _without_lookbehinds(part, options)
        self.positions = Positions(list(_facts(self.part)))
        self.states = range(self.positions.count)
        self.steps = 0

    def language(self, open_left: bool, open_right: bool) -> Expression:
        after_match = (ALL if open_right else EMPTY,) * self.positions.count
        starts = self.step(self.part, after_match)
        return self._plain(ALL, starts)[0] if open_left else starts[0]

    def step(self, part: Part, following: Continuations) -> Continuations:
        """The continuations before the part, from those after it."""
        if isinstance(part, Expression):
            return self._plain(part, following)
        if isinstance(part, Before):
            return tuple([k if self.positions.holds(s, part.language) else NOTHING for s, k in enumerate(following)])
        if isinstance(part, After):
            return tuple([both(part.language, k) for k in following])
        if isinstance(part, Look):
            return tuple([both(condition, k) for condition, k in zip(self.conditions(part), following, strict=True)])
        if isinstance(part, Concat):
            for piece in reversed(part.parts):
                following = self.step(piece, following)
            return following
        if isinstance(part, Union):
            branches = [self.step(branch, following) for branch in part.parts]
            return tuple([_factored([branch[s] for branch in branches]) for s in self.states])
        assert isinstance(part, Loop)
        return self._loop(part, following)

    def conditions(self, look: Look) -> Continuations:
        """For each state, what a lookahead demands of the text to come."""
        found = self.step(look.body, (ALL,) * len(self.states))
        return tuple([negation(k) for k in found]) if look.negative else found

    def _plain(self, expression: Expression, following: Continuations) -> Continuations:
        self.steps += len(self.states)
        if self.steps > _MAXIMUM_STEPS:
            raise LimitError("the work on anchors and lookarounds", None, _MAXIMUM_STEPS, "lower repetition bounds around them")
        before = []
        for state in self.states:
            targets: dict[Expression, set[int]] = {}
            for s in self.positions.reachable(state):
                targets.setdefault(following[s], set()).add(s)
            targets.pop(NOTHING, None)
            shares = [(self.positions.share(state, expression, frozenset(states)), k) for k, states in targets.items()]
            before.append(either(*[all_then(k) if share is ALL else then(share, k) for share, k in shares if share is not NOTHING]))
        return tuple(before)

    def _loop(self, part: Loop, following: Continuations) -> Continuations:
        optional = (part.maximum or 0) - part.minimum
        if max(part.minimum, optional) > _MAXIMUM_WRITTEN_OUT:
            raise LimitError("the repetitions of a part that holds anchors or lookarounds", max(part.minimum, optional), _MAXIMUM_WRITTEN_OUT)
        current = self._unbounded(part, following) if part.maximum is None else following
        for _ in range(optional if part.maximum is not None else 0):
            step = self.step(part.part, current)
            extended = tuple([_factored([k, s]) for k, s in zip(following, step, strict=True)])
            if extended == current:
                break
            current = extended
        for _ in range(part.minimum):
            extended = self.step(part.part, current)
            if extended == current:
                break
            current = extended
        return current

    def _unbounded(self, part: Loop, following: Continuations) -> Continuations:
        whole = self._tempered(part.part, following)
        if whole is not None:
            return (whole,)
        star = Loop(part.part, 0, None)
        ends = outcomes(star, self.positions, self.conditions, self.options)
        return tuple([_factored([then(e, both(pending, following[s])) for (s, pending), e in ends[state].items()]) for state in self.states])

    def _tempered(self, body: Node, following: Continuations) -> Expression | None:
        """`(?:(?!x).)*` at the end of the text, without equations: no part of the text starts an x."""
        if len(self.states) > 1 or following[0] is not EMPTY or not isinstance(body, Concat) or len(body.parts) != 2:
            return None
        condition, character = body.parts
        if not isinstance(condition, After) or not (isinstance(character, Chars) or (isinstance(character, Literal) and len(character.data) == 1)):
            return None
        return both(negation(seq(ALL, both(SOME, negation(condition.language)))), repeat(character, 0, None))


def _factored(alternatives: Iterable[Expression]) -> Expression:
    """The union; alternatives that end alike share their end."""
    by_end: dict[Expression, list[Expression]] = {}
    for alternative in dict.fromkeys(alternatives):
        end = alternative.parts[-1] if isinstance(alternative, Seq) and alternative.parts else alternative
        by_end.setdefault(end, []).append(alternative)
    if all(len(group) == 1 for group in by_end.values()):
        return either(*[group[0] for group in by_end.values()])
    merged = []
    for end, group in by_end.items():
        heads = [seq(*piece.parts[:-1]) if isinstance(piece, Seq) and piece is not end else EMPTY for piece in group]
        merged.append(seq(_factored(heads), end) if len(group) > 1 else group[0])
    return either(*merged)


def _facts(part: Part) -> Iterator[Expression]:
    if isinstance(part, Before):
        yield part.language
    elif isinstance(part, (Concat, Union)):
        for piece in part.parts:
            yield from _facts(piece)
    elif isinstance(part, Look):
        yield from _facts(part.body)
    elif isinstance(part, Loop):
        yield from _facts(part.part)


def _without_lookbehinds(part: Node, options: RegexOptions) -> Node:
    """The same pattern, with every lookbehind replaced by conditions on the text before and the text to come."""
    replaced = _replaced(part, options)
    return replaced if isinstance(replaced, Node) else Concat((replaced,))


def _replaced(part: Part, options: RegexOptions) -> Part:
    if isinstance(part, Concat):
        return concat([_replaced(piece, options) for piece in part.parts])
    if isinstance(part, Union):
        return union([_replaced(piece, options) for piece in part.parts])
    if isinstance(part, Loop):
        return loop(_replaced(part.part, options), part.minimum, part.maximum)
    if isinstance(part, Look):
        body = _without_lookbehinds(part.body, options)
        return Look(body, True, part.negative) if part.ahead else _lookbehind(body, part.negative, options)
    return part


def _lookbehind(body: Node, negative: bool, options: RegexOptions) -> Part:
    """A lookbehind whose body has context itself, as conditions.

    It holds where, for some pending condition p of the body, the text before is in B(p) and the text to come is in p.
    """
    inside = _Translation(body, options)
    before: dict[Expression, list[Expression]] = {}
    ends = outcomes(body, inside.positions, inside.conditions, options)
    for state in inside.states:
        lead = inside.positions.leading(0, frozenset([state]))
        for (_, pending), e in ends[state].items():
            before.setdefault(pending, []).append(all_then(e) if lead is ALL else seq(lead, e))
    pairs = [(either(*languages), pending) for pending, languages in before.items()]
    if not negative:
        return union([concat([Before(language), After(pending)]) for language, pending in pairs]) if pairs else NOTHING
    return concat([union([Before(negation(language)), After(negation(pending))]) for language, pending in pairs])


def _checked(expression: Expression) -> Expression:
    if _size(expression) > _MAXIMUM_SIZE:  # it may have hundreds of digits: not for the error's text
        what = "the size of the pattern, with its anchors and lookarounds worked out,"
        raise LimitError(what, None, _MAXIMUM_SIZE, "use fewer of them, or lower repetition bounds around them")
    return expression


def _size(expression: Expression) -> int:
    """Nodes as a tree: what is shared counts each time."""
    known: dict[Expression, int] = {}
    stack = [expression]
    while stack:
        node = stack[-1]
        children = node.parts if isinstance(node, (Seq, Alt, And)) else (node.part,) if isinstance(node, (Repeat, Not)) else ()
        waiting = [child for child in children if child not in known]
        if waiting:
            stack += waiting
        else:
            known[node] = 1 + sum(known[child] for child in children)
            stack.pop()
    return known[expression]
