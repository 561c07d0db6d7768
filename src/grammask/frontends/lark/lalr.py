"""The LALR(1) table of a grammar, with Lark's preferences, and the grammar with the table's states written into it.

A nonterminal of that grammar is a pair: a symbol and the state in which the parser begins it. So each terminal knows the state behind it,
and with that the lexer that reads on. Where the table prefers one action to another, the production that loses is barred before the
terminals in question. What is derived then is what the parser accepts.
Rule: a shift goes before a reduction, as in Lark; of two reductions the rule of higher priority goes first, and without one that is a Conflict.
Source: DeRemer and Pennello 1982 for the lookaheads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from grammask.errors import LimitError
from grammask.frontends.lark.network import Network, Production, Symbol
from grammask.grammar.components import components

__all__ = ["Conflict", "Rule", "Table"]

State = int
Transition = tuple[State, int]  # a state and a nonterminal that the parser may begin there


class Rule(NamedTuple):
    """A rule of the plain grammar: what it makes, of which symbols, and its priority."""

    origin: int
    symbols: tuple[Symbol, ...]
    priority: int = 0


class Conflict(Exception):
    """Two rules (by number) end at the same place before the same terminal (its number, that after the last one for the end of the text).

    Not an error for users: it becomes one where the text of the grammar is at hand.
    """

    def __init__(self, rules: tuple[int, int], terminal: int) -> None:
        super().__init__()
        self.rules, self.terminal = rules, terminal


class Table:
    """The table of some rules, of which nonterminal 0 is the start. Raises Conflict; LimitError if its states hold over `maximum_items` places.

    accepted: for each state, a bit mask of the terminals that the parser has an action for; the bit after the last terminal is the end.
    """

    def __init__(self, rules: Sequence[Rule], n_terminals: int, maximum_items: int) -> None:
        self.rules, self.n_terminals = rules, n_terminals
        self._by_origin: dict[int, list[int]] = {}
        for number, rule in enumerate(rules):
            self._by_origin.setdefault(rule.origin, []).append(number)
        self._nullable = _nullable(rules)
        self._corners: dict[int, dict[int, None]] = {}
        self._maximum_items = self._room = maximum_items
        self.gotos: list[dict[Symbol, State]] = []
        self._complete: list[list[int]] = []
        self._find_states()
        self._lookaheads = self._find_lookaheads()
        self.overruled: dict[tuple[State, int], int] = {}
        self.accepted = [self._actions(state) for state in range(len(self.gotos))]

    # -- states

    def _find_states(self) -> None:
        """States are sets of places (rule, symbols passed) that something was passed in; -1 stands for the rule of the whole text."""
        start = frozenset([(-1, 0)])
        number = {start: 0}
        order = [start]
        for kernel in order:  # grows while it is read
            moves, complete = self._moves(kernel)
            self._spend(1 + sum(len(places) for places in moves.values()))
            gotos: dict[Symbol, State] = {}
            for symbol, places in moves.items():
                target = frozenset(places)
                if target not in number:
                    number[target] = len(order)
                    order.append(target)
                gotos[symbol] = number[target]
            self.gotos.append(gotos)
            self._complete.append(complete)

    def _spend(self, amount: int) -> None:
        self._room -= amount
        if self._room < 0:
            hint = 'use fewer rules, or LarkOptions(lexer="dynamic"), which needs no table'
            raise LimitError("the size of the LALR table", None, self._maximum_items, hint)

    def _moves(self, kernel: frozenset[tuple[int, int]]) -> tuple[dict[Symbol, list[tuple[int, int]]], list[int]]:
        """What each symbol leads to from the places of a state and of all rules that may begin there; and the rules that end there."""
        moves: dict[Symbol, list[tuple[int, int]]] = {}
        complete = []
        begun: dict[int, None] = {}
        for rule, passed in sorted(kernel):
            symbols = self.rules[rule].symbols if rule >= 0 else (Symbol(False, 0),)
            if passed == len(symbols):
                complete += [rule] if rule >= 0 else []
                continue
            moves.setdefault(symbols[passed], []).append((rule, passed + 1))
            if not symbols[passed].is_terminal:
                begun |= self._left_corners(symbols[passed].number)
        for rule in [rule for origin in begun for rule in self._by_origin.get(origin, ())]:
            symbols = self.rules[rule].symbols
            if symbols:
                moves.setdefault(symbols[0], []).append((rule, 1))
            else:
                complete.append(rule)
        return moves, complete

    def _left_corners(self, origin: int) -> dict[int, None]:
        """The nonterminals that the parser may begin with this one: itself, and the first symbols of their rules."""
        if origin not in self._corners:
            order = [origin]
            reached = dict.fromkeys(order)
            for other in order:  # grows while it is read
                for rule in self._by_origin.get(other, ()):
                    first = self.rules[rule].symbols[:1]
                    if first and not first[0].is_terminal and first[0].number not in reached:
                        reached[first[0].number] = None
                        order.append(first[0].number)
            self._corners[origin] = reached
            self._spend(len(reached))
        return self._corners[origin]

    # -- lookaheads

    def _find_lookaheads(self) -> dict[tuple[State, int], int]:
        """(state, rule that ends there) -> the terminals before which it may end."""
        begun = [(state, symbol.number) for state, gotos in enumerate(self.gotos) for symbol in gotos if not symbol.is_terminal]
        read = self._spread(begun, self._direct, self._reads)
        included: dict[Transition, list[Transition]] = {transition: [] for transition in begun}
        ends: list[tuple[Transition, State, int]] = []
        for transition in begun:
            for rule in self._by_origin.get(transition[1], ()):
                self._walk(transition, rule, included, ends)
        follow = self._spread(begun, read.__getitem__, included.__getitem__)
        lookaheads: dict[tuple[State, int], int] = {}
        for transition, state, rule in ends:
            lookaheads[state, rule] = lookaheads.get((state, rule), 0) | follow[transition]
        return lookaheads

    def _direct(self, transition: Transition) -> int:
        state, number = transition
        after = self.gotos[state][Symbol(False, number)]
        direct = 1 << self.n_terminals if state == 0 and number == 0 else 0
        for symbol in self.gotos[after]:
            if symbol.is_terminal:
                direct |= 1 << symbol.number
        return direct

    def _reads(self, transition: Transition) -> list[Transition]:
        after = self.gotos[transition[0]][Symbol(False, transition[1])]
        return [(after, symbol.number) for symbol in self.gotos[after] if not symbol.is_terminal and symbol.number in self._nullable]

    def _walk(self, transition: Transition, rule: int, included: Mapping[Transition, list[Transition]], ends: list[tuple[Transition, State, int]]) -> None:
        """Follow a rule from where it begins; what follows its nonterminal follows the last of its symbols, too."""
        state = transition[0]
        symbols = self.rules[rule].symbols
        last_needed = max([index for index, symbol in enumerate(symbols) if symbol.is_terminal or symbol.number not in self._nullable], default=-1)
        for index, symbol in enumerate(symbols):
            if not symbol.is_terminal and index >= last_needed:
                included[state, symbol.number].append(transition)
            state = self.gotos[state][symbol]
        ends.append((transition, state, rule))

    def _spread(self, items: list[Transition], own: Callable[[Transition], int], following: Callable[[Transition], list[Transition]]) -> dict[Transition, int]:
        """For each item the union of what it and all that it leads to have."""
        total: dict[Transition, int] = {}
        for component in components(items, following):
            union = 0
            for item in component:
                union |= own(item)
                for other in following(item):
                    union |= total.get(other, 0)
            for item in component:
                total[item] = union
        return total

    # -- actions

    def _actions(self, state: State) -> int:
        """The terminals that have an action; notes the rules that are overruled, and before which terminals."""
        shifted = 0
        for symbol in self.gotos[state]:
            if symbol.is_terminal:
                shifted |= 1 << symbol.number
        accepted = shifted
        ending = sorted(self._complete[state], key=lambda rule: -self.rules[rule].priority)
        for index, rule in enumerate(ending):
            ahead = self._lookaheads.get((state, rule), 0)
            for other in ending[:index]:
                both = ahead & self._lookaheads.get((state, other), 0) & ~self._claimed(state, ending, self.rules[rule].priority)
                if both and self.rules[other].priority == self.rules[rule].priority:
                    raise Conflict((min(rule, other), max(rule, other)), (both & -both).bit_length() - 1)
            if ahead & accepted:
                self.overruled[state, rule] = ahead & accepted
            accepted |= ahead
        return accepted

    def _claimed(self, state: State, ending: list[int], priority: int) -> int:
        """The terminals before which a rule of higher priority ends."""
        claimed = 0
        for rule in ending:
            if self.rules[rule].priority > priority:
                claimed |= self._lookaheads.get((state, rule), 0)
        return claimed

    # -- the grammar with states

    def network(self, names: Sequence[str], lexer_of: Callable[[State], int]) -> Network:
        """The grammar over pairs of state and symbol; it still holds many equal nonterminals."""
        promise = _classes(sorted(set(self.overruled.values())), self.n_terminals + 1)
        number: dict[Transition, int] = {(0, 0): 0}
        order = [(0, 0)]
        productions = []
        for begun in order:  # grows while it is read
            ways = []
            for rule in self._by_origin.get(begun[1], ()):
                symbols, state = [], begun[0]
                for symbol in self.rules[rule].symbols:
                    after = self.gotos[state][symbol]
                    if symbol.is_terminal:
                        symbols.append(Symbol(True, symbol.number, lexer_of(after)))
                    else:
                        key = (state, symbol.number)
                        if key not in number:
                            number[key] = len(order)
                            order.append(key)
                        symbols.append(Symbol(False, number[key]))
                    state = after
                ways.append(Production(tuple(symbols), _barred(self.overruled.get((state, rule), 0), promise)))
            productions.append(tuple(ways))
        return Network(tuple(productions), tuple([names[symbol] for _, symbol in order]), lexer_of(0), tuple(promise[:-1]), promise[-1])


def _nullable(rules: Sequence[Rule]) -> set[int]:
    nullable: set[int] = set()
    users: dict[int, list[Rule]] = {}
    for rule in rules:
        for symbol in rule.symbols:
            if not symbol.is_terminal:
                users.setdefault(symbol.number, []).append(rule)
    todo = [rule for rule in rules if not rule.symbols]
    while todo:
        rule = todo.pop()
        if rule.origin in nullable:
            continue
        nullable.add(rule.origin)
        todo += [user for user in users.get(rule.origin, ()) if all(not s.is_terminal and s.number in nullable for s in user.symbols)]
    return nullable


def _classes(sets: Sequence[int], size: int) -> list[int]:
    """Numbers for terminals, equal for those that are in the same sets."""
    names: dict[tuple[int, ...], int] = {}
    return [names.setdefault(tuple([one >> number & 1 for one in sets]), len(names)) for number in range(size)]


def _barred(terminals: int, promise: Sequence[int]) -> int:
    barred = 0
    while terminals:
        barred |= 1 << promise[(terminals & -terminals).bit_length() - 1]
        terminals &= terminals - 1
    return barred
