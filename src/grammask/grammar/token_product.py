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
from grammask.grammar.analysis import closure, rank_by_first_calls
from grammask.grammar.shortest import shortest_text
from grammask.kernel.tables import CALL, EPSILON, LITERAL, LITERALS, RANGE, SPECIAL, RuleTable

__all__ = ["TokenTrie", "token_product"]

Entry = tuple[RuleTable, int]  # a rule, entered at a place in the trie
State = tuple[int, int]  # a node of the rule, a place in the trie
Edge = tuple[Any, ...]

START: State = (-1, -1)  # nothing consumed yet
MAX_STEPS = 1_000_000  # states and edges made; some two seconds


class TokenTrie:
    """The tokens that matter, as the least automaton of what may follow: tokens with equal rests share nodes.

    Node 0 is the root and stands for the end of a token as well.
    """

    __slots__ = ("children", "ends", "memo")

    def __init__(self, tokens: Iterable[bytes], partial: frozenset[int]) -> None:
        children: list[dict[int, int]] = [{}]
        ends: set[int] = set()
        for token in tokens:
            if len(token) == 1 or not partial.isdisjoint(token):
                node = 0
                for byte in token:
                    target = children[node].get(byte)
                    if target is None:
                        target = children[node][byte] = len(children)
                        children.append({})
                    node = target
                ends.add(node)
        self.children, self.ends = _least(children, ends)
        self.memo: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}

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


def _least(children: list[dict[int, int]], ends: set[int]) -> tuple[list[dict[int, int]], set[int]]:
    """Merge nodes with equal rests. Children have higher numbers than their parents, so going backwards sees them first."""
    kept: list[dict[int, int]] = [{}]
    kept_ends: set[int] = set()
    by_rest: dict[tuple[bool, frozenset[tuple[int, int]]], int] = {}
    name = [0] * len(children)
    for node in reversed(range(1, len(children))):
        following = {byte: name[child] for byte, child in children[node].items()}
        name[node] = by_rest.setdefault((node in ends, frozenset(following.items())), len(kept))
        if name[node] == len(kept):
            kept.append(following)
            if node in ends:
                kept_ends.add(name[node])
    kept[0] = {byte: name[child] for byte, child in children[0].items()}
    return kept, kept_ends


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
        self.steps_left = MAX_STEPS
        self.instances: dict[tuple[RuleTable, int, int], RuleTable] = {}
        self.pending: list[tuple[RuleTable, int, int]] = []
        self.frames: dict[Entry, _Frame] = {}

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
        self.steps_left -= amount
        if self.steps_left < 0:
            reason = f"working out which of its texts can be takes more than {MAX_STEPS} steps"
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
            made.nullable = table.nullable and before == after
            frame = self.frame((table, before))
            end = frame.number.get((1, after), -1)
            useful = closure((end,), frame.sources)
            kept = [edge for edge in frame.edges if edge[2] in useful and edge[1] in useful]
            self.spend(len(kept))
            # As in goal_frames, the empty string must not lead to an end that goes on: a nullable instance has an end of its own.
            number = {0: 0} if made.nullable else {0: 0, end: 1}
            for node in sorted(useful - number.keys() - {-1}):
                number[node] = len(number) + made.nullable
            made.n_nodes = len(number) + made.nullable
            made.edges = [self.renamed(edge, number) for edge in kept]
            if made.nullable:
                made.edges += [(EPSILON, 0, 1)] + [(EPSILON, number[node], 1) for node in [end] if node in number]
            resting = {number[node] for node in frame.resting if node in number}
            made.resting = frozenset(resting | {1} if after == 0 else resting)

    def renamed(self, edge: Edge, number: dict[int, int]) -> Edge:
        label = (self.instance(*edge[3]),) if edge[0] == CALL else edge[3:]
        return (edge[0], number[edge[1]], number[edge[2]], *label)

    def frame(self, entry: Entry) -> _Frame:
        """All that can happen after an entry, whatever the exit; a call becomes one edge for each place at which its rule can complete."""
        frame = self.frames.get(entry)
        if frame is None:
            number = {START: 0}
            for state in sorted(self.reached[entry]):
                number[state] = len(number)
            edges: list[Edge] = []
            for state, source in number.items():
                for edge in self.edges_from(entry, state):
                    if edge[0] == CALL:
                        node, callee, before = edge[2:]
                        edges += [(CALL, source, number[node, after], (callee, before, after)) for after in sorted(self.exits[callee, before])]
                    else:
                        edges.append((edge[0], source, number[edge[2]], *edge[3:]))
            frame = self.frames[entry] = _Frame(entry, number, edges)
        return frame


class _Frame:
    """An entry's states by number (0 is the start), its edges between numbers, and for each node those that lead to it."""

    __slots__ = ("edges", "number", "resting", "sources")

    def __init__(self, entry: Entry, number: dict[State, int], edges: list[Edge]) -> None:
        self.number, self.edges = number, edges
        self.resting = [node for state, node in number.items() if (entry[1] if state is START else state[1]) == 0]
        self.sources: dict[int, list[int]] = {}
        for edge in edges:
            self.sources.setdefault(edge[2], []).append(edge[1])


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
