"""Rules over bytes for vocabularies whose tokens do not spell everything: a text may only end where a token ends.

Rule: the new tables stand for the strings of the old ones that the tokens can spell, and every node of them knows where in the trie of tokens
it is. A rule becomes instances (rule, u, v): its non-empty strings that lead the trie from node u to node v, starting over at the root
wherever a token may have ended. A node *rests* if its place in the trie is the root: only there may a token end. As instances hold nothing
but what leads to their end, and the whole begins and ends at the root, a mask is exactly the tokens that some path spells up to a resting node.

Only tokens with a byte that is no token by itself matter: any other token is spelled by single bytes as well.
Source: the product of a context-free with a regular language (Bar-Hillel, Perles, Shamir 1961), reached by summaries of calls
(Reps, Horwitz, Sagiv 1995), so that only what can be reached and can complete is ever made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grammask.errors import UnspellableError
from grammask.grammar.analysis import closure, rank_by_first_calls, trim
from grammask.grammar.shortest import shortest_text
from grammask.kernel.tables import CALL, EPSILON, LITERAL, LITERALS, RANGE, SPECIAL, RuleTable

__all__ = ["TokenTrie", "token_product"]

Entry = tuple[RuleTable, int]  # a rule, entered at a place in the trie
State = tuple[int, int]  # a node of the rule, a place in the trie
Edge = tuple[Any, ...]

START: State = (-1, -1)  # nothing consumed yet
END: State = (-2, -2)
MAX_STATES = 200_000


class TokenTrie:
    """The trie of the tokens that matter; node 0 is the root and stands for the end of a token as well."""

    __slots__ = ("children", "ends", "memo")

    def __init__(self, tokens: Iterable[bytes], partial: frozenset[int]) -> None:
        self.children: list[dict[int, int]] = [{}]
        self.ends: set[int] = set()
        self.memo: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
        for token in tokens:
            if len(token) == 1 or not partial.isdisjoint(token):
                self._add(token)

    def _add(self, token: bytes) -> None:
        node = 0
        for byte in token:
            target = self.children[node].get(byte)
            if target is None:
                target = self.children[node][byte] = len(self.children)
                self.children.append({})
            node = target
        self.ends.add(node)

    def steps(self, node: int, low: int, high: int) -> list[tuple[int, int, int]]:
        """(low, high, place after it) for the bytes low..high that lead on from a place; a byte may lead to two places."""
        found = self.memo.get((node, low, high))
        if found is None:
            found = self.memo[node, low, high] = []
            open_runs: dict[int, int] = {}
            for byte in range(low, high + 2):
                targets = self._after(node, byte) if byte <= high else ()
                for target in [target for target in open_runs if target not in targets]:
                    found.append((open_runs.pop(target), byte - 1, target))
                for target in targets:
                    open_runs.setdefault(target, byte)
        return found

    def _after(self, node: int, byte: int) -> tuple[int, ...]:
        child = self.children[node].get(byte)
        if child is None:
            return ()
        inner = (child,) if self.children[child] else ()
        return (*inner, 0) if child in self.ends else inner


def token_product(root: RuleTable, trie: TokenTrie) -> RuleTable:
    """The root's strings that the trie's tokens can spell; see above. All tables are new, prepared, without keys.

    Raises UnspellableError if no string is left, or if there are too many places of rules and tokens to follow.
    """
    product = _Product(root, trie)
    product.explore()
    if not root.nullable and 0 not in product.exits[root, 0]:
        raise UnspellableError(shortest_text(root), "nor any other text of the grammar")
    table = product.instance(root, 0, 0)
    product.build_instances()
    rank_by_first_calls({made: [edge for edge in made.edges if edge[0] == CALL] for made in product.instances.values()})
    return table


class _Product:
    """Summaries of calls: `reached` holds the states of an entry with something consumed, `exits` where in the trie it can complete."""

    def __init__(self, root: RuleTable, trie: TokenTrie) -> None:
        self.root, self.trie = root, trie
        self.flat: dict[RuleTable, _Flat] = {}
        self.reached: dict[Entry, set[State]] = {}
        self.exits: dict[Entry, set[int]] = {}
        self.callers: dict[Entry, list[tuple[Entry, int]]] = {}
        self.work: list[tuple[Entry, State]] = []
        self.states_left = MAX_STATES
        self.instances: dict[tuple[RuleTable, int, int], RuleTable] = {}
        self.pending: list[tuple[RuleTable, int, int]] = []

    def explore(self) -> None:
        self.enter((self.root, 0))
        while self.work:
            entry, state = self.work.pop()
            for edge in self.edges_from(entry, state):
                if edge[0] == CALL:
                    callee = (edge[3], edge[4])
                    self.enter(callee)
                    self.callers[callee].append((entry, edge[2]))
                    for place in list(self.exits[callee]):
                        self.reach(entry, (edge[2], place))
                else:
                    self.reach(entry, edge[2])

    def enter(self, entry: Entry) -> None:
        if entry not in self.reached:
            if entry[0] not in self.flat:
                self.flat[entry[0]] = _Flat(entry[0])
            self.reached[entry], self.exits[entry], self.callers[entry] = set(), set(), []
            self.work.append((entry, START))

    def reach(self, entry: Entry, state: State) -> None:
        """Reach a state, and through the returns it makes possible others."""
        todo = [(entry, state)]
        while todo:
            entry, state = todo.pop()
            if state not in self.reached[entry]:
                self.spend(1)
                self.reached[entry].add(state)
                self.work.append((entry, state))
                if state[0] == 1:
                    self.exits[entry].add(state[1])
                    todo += [(caller, (node, state[1])) for caller, node in self.callers[entry]]

    def spend(self, amount: int) -> None:
        self.states_left -= amount
        if self.states_left < 0:
            reason = f"working out which of its texts can be takes more than {MAX_STATES} steps"
            raise UnspellableError(shortest_text(self.root), reason)

    def edges_from(self, entry: Entry, state: State) -> list[Edge]:
        """Edges of the product: (RANGE, state, state, low, high), (EPSILON, state, state), (CALL, state, node after it, rule, place before it)."""
        flat = self.flat[entry[0]]
        if state is START:
            place = entry[1]
            edges = [edge for node in flat.first for edge in flat.leaving.get(node, ()) if edge[0] != EPSILON]
        else:
            place = state[1]
            edges = flat.leaving.get(state[0], [])
        found: list[Edge] = []
        for edge in edges:
            if edge[0] == EPSILON:
                found.append((EPSILON, state, (edge[2], place)))
            elif edge[0] == CALL:
                found.append((CALL, state, edge[2], edge[3], place))
            elif edge[3] < SPECIAL:
                found += [(RANGE, state, (edge[2], after), low, high) for low, high, after in self.trie.steps(place, edge[3], edge[4])]
            elif place == 0:
                found.append((RANGE, state, (edge[2], 0), *edge[3:]))
        return found

    def instance(self, table: RuleTable, before: int, after: int) -> RuleTable:
        made = self.instances.get((table, before, after))
        if made is None:
            made = self.instances[table, before, after] = RuleTable(table.place, prepared=True)
            self.pending.append((table, before, after))
        return made

    def build_instances(self) -> None:
        while self.pending:
            table, before, after = self.pending.pop()
            made = self.instances[table, before, after]
            entry = (table, before)
            made.nullable = table.nullable and before == after
            # As in goal_frames, the empty string must not lead to an end that goes on: a nullable instance has an end of its own.
            number: dict[State, int] = {START: 0, END if made.nullable else (1, after): 1}
            for state in sorted(self.reached[entry]):
                number.setdefault(state, len(number))
            places = {START: before, END: after}
            made.resting = frozenset(node for state, node in number.items() if places.get(state, state[1]) == 0)
            edges = [edge for state in number for edge in self.numbered(entry, state, number)]
            if made.nullable:
                edges.append((EPSILON, 0, 1))
                edges += [(EPSILON, number[state], 1) for state in [(1, after)] if state in number]
            self.spend(len(edges))
            trim(made, edges)
            made.edges = [(*edge[:3], self.instance(*edge[3])) if edge[0] == CALL else edge for edge in made.edges]

    def numbered(self, entry: Entry, state: State, number: dict[State, int]) -> Iterable[Edge]:
        """The edges from a state between numbers; a call becomes one for each place at which its rule can complete."""
        if state not in self.reached[entry] and state is not START:
            return
        for edge in self.edges_from(entry, state):
            if edge[0] == CALL:
                node, callee, before = edge[2:]
                for after in sorted(self.exits[callee, before]):
                    yield (CALL, number[state], number[node, after], (callee, before, after))
            else:
                yield (edge[0], number[state], number[edge[2]], *edge[3:])


class _Flat:
    """A table with its literals laid out byte by byte. first: the nodes that can be reached without consuming anything."""

    __slots__ = ("first", "leaving", "n_nodes")

    def __init__(self, table: RuleTable) -> None:
        self.n_nodes = table.n_nodes
        self.leaving: dict[int, list[Edge]] = {}
        skips: dict[int, list[int]] = {}
        for edge in table.edges:
            if edge[0] == LITERAL or edge[0] == LITERALS:
                self.add_literals(edge[1], edge[2], (edge[3],) if edge[0] == LITERAL else edge[3])
                continue
            self.leaving.setdefault(edge[1], []).append(edge)
            if edge[0] == EPSILON:
                skips.setdefault(edge[1], []).append(edge[2])
        self.first = sorted(closure((0,), skips))

    def add_literals(self, start: int, end: int, literals: Iterable[bytes]) -> None:
        steps: dict[tuple[int, int], int] = {}
        for data in literals:
            node = start
            for byte in data[:-1]:
                target = steps.get((node, byte))
                if target is None:
                    target = steps[node, byte] = self.n_nodes
                    self.n_nodes += 1
                    self.leaving.setdefault(node, []).append((RANGE, node, target, byte, byte))
                node = target
            self.leaving.setdefault(node, []).append((RANGE, node, end, data[-1], data[-1]))
