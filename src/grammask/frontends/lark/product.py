"""The rules of a grammar times the contexts between lexemes: an expression for exactly the texts that Lark accepts.

A *goal* is a nonterminal begun in a context. First all contexts that each goal can end in are found, together (as Earley's parser finds what
is complete); then each pair of goal and end that the text needs becomes a rule. Goals that cannot tell their contexts apart are one goal.
Source: Bar-Hillel, Perles and Shamir 1961 for the product of a context-free grammar and an automaton.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from grammask.errors import LimitError
from grammask.frontends.lark.lexing import Context, Lexing
from grammask.frontends.lark.network import Network, Production, Sets, Symbol
from grammask.frontends.lark.scanning import CLEAR
from grammask.grammar.expression import EMPTY, NOTHING, Expression, Literal, Ref, Rule, either, seq

__all__ = ["Product"]

MAX_STEPS = 5_000_000

Places = list[dict["Context", None]]  # for each number of symbols passed, the contexts in which that may be


class Goal:
    """A nonterminal begun in a context: the contexts it can end in, who waits for them, and how far each production comes."""

    __slots__ = ("context", "ends", "nonterminal", "places", "waiting")

    def __init__(self, nonterminal: int, context: Context, productions: Iterable[Production]) -> None:
        self.nonterminal, self.context = nonterminal, context
        self.ends: dict[Context, None] = {}
        self.waiting: list[Step] = []
        self.places: list[Places] = [[{} for _ in range(len(production.symbols) + 1)] for production in productions]


class Step(NamedTuple):
    """A place in a production of a goal: symbols passed."""

    goal: Goal
    production: int
    passed: int


class Product:
    """One network with its lexing. Raises LimitError for over `maximum_goals` goals or rules."""

    def __init__(self, network: Network, lexing: Lexing, sets: Sets, maximum_goals: int) -> None:
        self.network, self.lexing, self.sets = network, lexing, sets
        self._maximum_goals = maximum_goals
        self._promises = range(max([*network.promise, network.end_promise]) + 1)
        self._goals: dict[Hashable, Goal] = {}
        self._rules: dict[tuple[Goal, Context], Rule] = {}
        self._pending: list[tuple[Goal, Context, Rule]] = []
        self._todo: list[tuple[Step, Context]] = []
        self._rests: dict[Expression, Rule] = {}
        self._terminal_keys: dict[Hashable, int] = {}

    def expression(self) -> Expression:
        """All texts from the start to the end; NOTHING if there is none."""
        starts = [self._goal(0, Context(self.network.first_lexer, CLEAR, promise)) for promise in self._promises]
        self._run()
        ways = []
        for goal in dict.fromkeys(starts):
            for context in goal.ends:
                rest = self.lexing.at_end(context.lexer, context.pending) if context.promise == self.network.end_promise else None
                if rest is not None:
                    ways.append(seq(self._reference(goal, context), rest))
        self._write_rules()
        return either(*ways) if ways else NOTHING

    # -- which contexts a goal can end in

    def _goal(self, nonterminal: int, context: Context) -> Goal:
        key = nonterminal, self._view(nonterminal, context)
        goal = self._goals.get(key)
        if goal is None:
            if len(self._goals) >= self._maximum_goals:
                raise LimitError("the size of the grammar, apart for each way of lexing it,", None, self._maximum_goals, "use fewer rules or terminals")
            goal = self._goals[key] = Goal(nonterminal, context, self.network.productions[nonterminal])
            for number in range(len(goal.places)):
                self._todo.append((Step(goal, number, 0), context))
        return goal

    def _view(self, nonterminal: int, context: Context) -> Hashable:
        """What a nonterminal can see of the context it begins in: the lexemes that may come first; all of it, if it can match nothing."""
        if self.sets.nullable[nonterminal]:
            return context
        first = self.sets.first[nonterminal]
        seen = []
        while first:
            number = (first & -first).bit_length() - 1
            first &= first - 1
            if self.network.promise[number] == context.promise:
                ways = frozenset(self.lexing.after(context.lexer, context.pending, number).items())
                seen.append((number, self._terminal_keys.setdefault(ways, len(self._terminal_keys))))
        return tuple(seen)

    def _run(self) -> None:
        steps = MAX_STEPS
        while self._todo:
            steps -= 1
            if steps < 0:
                raise LimitError("the work on the rules, apart for each way of lexing them,", None, MAX_STEPS, "use fewer rules or terminals")
            step, context = self._todo.pop()
            goal, number, passed = step
            reached = goal.places[number][passed]
            if context in reached:
                continue
            reached[context] = None
            production = self.network.productions[goal.nonterminal][number]
            if passed == len(production.symbols):
                self._end(goal, production, context)
                continue
            onward = step._replace(passed=passed + 1)
            symbol = production.symbols[passed]
            if symbol.is_terminal:
                self._todo += [(onward, after) for after in self._over(symbol, context)]
            else:
                inner = self._goal(symbol.number, context)
                inner.waiting.append(onward)
                self._todo += [(onward, end) for end in inner.ends]

    def _end(self, goal: Goal, production: Production, context: Context) -> None:
        if context not in goal.ends and not production.barred >> context.promise & 1:
            goal.ends[context] = None
            self._todo += [(waiting, context) for waiting in goal.waiting]

    def _over(self, symbol: Symbol, context: Context) -> dict[Context, Expression]:
        """The contexts behind a terminal, with the languages of the texts that lead there."""
        if self.network.promise[symbol.number] != context.promise:
            return {}
        ways = self.lexing.after(context.lexer, context.pending, symbol.number)
        return {Context(symbol.lexer, rest, promise): language for rest, language in ways.items() for promise in self._promises}

    # -- rules

    def _reference(self, goal: Goal, end: Context) -> Expression:
        rule = self._rules.get((goal, end))
        if rule is None:
            if len(self._rules) >= self._maximum_goals:
                raise LimitError("the size of the grammar, apart for each way of lexing it,", None, self._maximum_goals, "use fewer rules or terminals")
            rule = self._rules[goal, end] = Rule(self.network.names[goal.nonterminal])
            self._pending.append((goal, end, rule))
        return Ref(rule)

    def _write_rules(self) -> None:
        while self._pending:
            goal, end, rule = self._pending.pop()
            productions = self.network.productions[goal.nonterminal]
            rule.body = either(*[
                self._body(goal, number, end) for number, production in enumerate(productions) if not production.barred >> end.promise & 1
            ])  # fmt: skip

    def _body(self, goal: Goal, number: int, end: Context) -> Expression:
        """The ways of one production from the goal's context to an end, made from the last symbol to the first."""
        symbols = self.network.productions[goal.nonterminal][number].symbols
        places = goal.places[number]
        following: dict[Context, Expression] = {end: EMPTY} if end in places[-1] else {}
        for passed in range(len(symbols) - 1, -1, -1):
            if not following:
                return NOTHING
            steps = {context: self._between(symbols[passed], context, following) for context in places[passed]}
            uses = Counter([following[after] for found in steps.values() for after, _ in found])
            rest = {after: self._named(goal, expression) if uses[expression] > 1 else expression for after, expression in following.items()}
            following = {context: either(*[seq(language, rest[after]) for after, language in found]) for context, found in steps.items() if found}
        return following.get(goal.context, NOTHING)

    def _between(self, symbol: Symbol, context: Context, following: Iterable[Context]) -> list[tuple[Context, Expression]]:
        if symbol.is_terminal:
            over = self._over(symbol, context)
            return [(after, over[after]) for after in following if after in over]
        inner = self._goal(symbol.number, context)
        return [(after, self._reference(inner, after)) for after in following if after in inner.ends]

    def _named(self, goal: Goal, expression: Expression) -> Expression:
        """A rest of a production as a rule, as it is the rest in several contexts."""
        if isinstance(expression, Ref | Literal) or expression is EMPTY:
            return expression
        if expression not in self._rests:
            self._rests[expression] = Rule(self.network.names[goal.nonterminal], expression)
        return Ref(self._rests[expression])
