"""The rules of a grammar as what remains of Lark's reading of it: symbols by number, and what the parser's table adds to them.

Rule: the sequences of terminals that the productions derive, heeding `barred`, are those that Lark's parser accepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

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
    """Nullable, first and follow sets, by iteration to the least fixpoint (Aho and Ullman 1972)."""
    size = len(network.productions)
    sets = Sets([False] * size, [0] * size, [0] * n_terminals)
    while _first_round(network, sets):
        pass
    after = [0] * size  # for each nonterminal, the terminals that may follow
    while _follow_round(network, sets, after):
        pass
    return sets


def _first_round(network: Network, sets: Sets) -> bool:
    changed = False
    for number, productions in enumerate(network.productions):
        for production in productions:
            first, nullable = first_of(production.symbols, sets)
            if first & ~sets.first[number] or (nullable and not sets.nullable[number]):
                sets.first[number] |= first
                sets.nullable[number] |= nullable
                changed = True
    return changed


def first_of(symbols: Iterable[Symbol], sets: Sets) -> tuple[int, bool]:
    """The terminals that may come first in a sequence of symbols, and whether it can be empty."""
    first = 0
    for symbol in symbols:
        if symbol.is_terminal:
            return first | 1 << symbol.number, False
        first |= sets.first[symbol.number]
        if not sets.nullable[symbol.number]:
            return first, False
    return first, True


def _follow_round(network: Network, sets: Sets, after: list[int]) -> bool:
    changed = False
    for number, productions in enumerate(network.productions):
        for production in productions:
            trailer = after[number]
            for symbol in reversed(production.symbols):
                known = sets.follow if symbol.is_terminal else after
                if trailer & ~known[symbol.number]:
                    known[symbol.number] |= trailer
                    changed = True
                trailer = 0 if symbol.is_terminal or not sets.nullable[symbol.number] else trailer
                trailer |= 1 << symbol.number if symbol.is_terminal else sets.first[symbol.number]
    return changed


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
