"""The rules of a grammar as what remains of Lark's reading of it: symbols by number, and what the parser's table adds to them.

Rule: the sequences of terminals that the productions derive, heeding `barred`, are those that Lark's parser accepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grammask.grammar.components import components

__all__ = ["Network", "Production", "Sets", "Symbol", "merged", "productive", "sets_of"]


class Symbol(NamedTuple):
    """A terminal or a nonterminal by its number. lexer: of a terminal, the lexer that reads on behind it."""

    is_terminal: bool
    number: int
    lexer: int = 0


class Production(NamedTuple):
    """One way of making a nonterminal. barred: classes of terminals (see Network) that must not follow, as the parser then does something else."""

    symbols: tuple[Symbol, ...]
    barred: int = 0


class Network(NamedTuple):
    """Nonterminals by number: their productions and names. Number 0 is the start.

    first_lexer: the lexer at the beginning of a text.  promise: the class of each terminal, so that all of one class are barred alike;
    end_promise: that of the end of the text.
    """

    productions: tuple[tuple[Production, ...], ...]
    names: tuple[str, ...]
    first_lexer: int
    promise: tuple[int, ...]
    end_promise: int


class Sets(NamedTuple):
    """For nonterminals: nullable, and the terminals that may come first (bit masks). follow: for each terminal, those that may come next."""

    nullable: list[bool]
    first: list[int]
    follow: list[int]


def productive(network: Network) -> set[int]:
    """The nonterminals that derive anything at all."""
    users: dict[int, list[tuple[int, int]]] = {}  # nonterminal -> (nonterminal, number of a production) that needs it
    waiting: dict[tuple[int, int], int] = {}
    ready: list[int] = []
    for number, productions in enumerate(network.productions):
        for place, production in enumerate(productions):
            needed = {symbol.number for symbol in production.symbols if not symbol.is_terminal}
            waiting[number, place] = len(needed)
            for other in needed:
                users.setdefault(other, []).append((number, place))
            if not needed:
                ready.append(number)
    done: set[int] = set()
    while ready:
        number = ready.pop()
        for user in users.get(number, ()) if number not in done else ():
            waiting[user] -= 1
            if not waiting[user]:
                ready.append(user[0])
        done.add(number)
    return done


def sets_of(network: Network, n_terminals: int) -> Sets:
    """Nullable, first and follow sets, each component of rules after those it depends on (DeRemer and Pennello 1982 for the order)."""
    nullable = _nullable(network)
    own = [0] * len(network.productions)
    begins: list[list[int]] = [[] for _ in own]  # for each nonterminal, those it may begin with
    for number, productions in enumerate(network.productions):
        for production in productions:
            for symbol in production.symbols:
                if symbol.is_terminal:
                    own[number] |= 1 << symbol.number
                    break
                begins[number].append(symbol.number)
                if not nullable[symbol.number]:
                    break
    first = _spread(own, begins)
    return Sets(nullable, first, _follow(network, nullable, first, n_terminals))


def _nullable(network: Network) -> list[bool]:
    """Which nonterminals may match nothing."""
    bare = [[ways for ways in productions if not any(symbol.is_terminal for symbol in ways.symbols)] for productions in network.productions]
    done = productive(network._replace(productions=tuple([tuple(ways) for ways in bare])))
    return [number in done for number in range(len(network.productions))]


def _follow(network: Network, nullable: Sequence[bool], first: Sequence[int], n_terminals: int) -> list[int]:
    follow = [0] * n_terminals
    own = [0] * len(network.productions)  # for each nonterminal, the terminals that follow it in some production
    ends: list[list[int]] = [[] for _ in own]  # the nonterminals whose productions it may end
    last: list[list[int]] = [[] for _ in follow]  # the same for terminals
    for number, productions in enumerate(network.productions):
        for production in productions:
            trailer, is_last = 0, True
            for symbol in reversed(production.symbols):
                mine, enders = (follow, last) if symbol.is_terminal else (own, ends)
                mine[symbol.number] |= trailer
                if is_last:
                    enders[symbol.number].append(number)
                passes = not symbol.is_terminal and nullable[symbol.number]
                is_last &= passes
                trailer = (trailer if passes else 0) | (1 << symbol.number if symbol.is_terminal else first[symbol.number])
    after = _spread(own, ends)
    for terminal, numbers in enumerate(last):
        for number in numbers:
            follow[terminal] |= after[number]
    return follow


def _spread(own: Sequence[int], following: Sequence[Sequence[int]]) -> list[int]:
    """For each number the union of what it and all that it leads to have."""
    total = list(own)
    for component in components(range(len(own)), lambda number: following[number]):
        union = 0
        for number in component:
            union |= own[number]
            for other in following[number]:
                union |= total[other]
        for number in component:
            total[number] = union
    return total


def merged(network: Network) -> Network:
    """The same with equal nonterminals made one (Moore 1956), and without those that the start does not reach."""
    block = [0] * len(network.productions)
    n_blocks = -1
    names: dict[object, int] = {}
    while len(names) != n_blocks:
        n_blocks = len(names)
        names = {}
        block = [names.setdefault(_signature(number, network, block), len(names)) for number in range(len(network.productions))]
    return _renumbered(network, block)


def _signature(number: int, network: Network, block: Sequence[int]) -> object:
    ways = [(production.barred, tuple([_renamed(symbol, block) for symbol in production.symbols])) for production in network.productions[number]]
    return block[number], network.names[number], tuple(ways)


def _renamed(symbol: Symbol, names: Sequence[int]) -> Symbol:
    return symbol if symbol.is_terminal else symbol._replace(number=names[symbol.number])


def _renumbered(network: Network, block: Sequence[int]) -> Network:
    representative: dict[int, int] = {}
    for number, name in enumerate(block):
        representative.setdefault(name, number)
    number_of = {block[0]: 0}
    order = [block[0]]
    for name in order:  # grows while it is read
        for production in network.productions[representative[name]]:
            for symbol in production.symbols:
                if not symbol.is_terminal and block[symbol.number] not in number_of:
                    number_of[block[symbol.number]] = len(order)
                    order.append(block[symbol.number])
    final = [number_of.get(name, -1) for name in block]
    productions = []
    for name in order:
        ways = [
            production._replace(symbols=tuple([_renamed(s, final) for s in production.symbols])) for production in network.productions[representative[name]]
        ]
        productions.append(tuple(dict.fromkeys(ways)))
    return network._replace(productions=tuple(productions), names=tuple([network.names[representative[name]] for name in order]))
