"""Languages by enumeration: of expressions from what the small form says, of tables from what kernel.tables says, each on its own.

Everything is a set of byte strings up to a length, found by repeating the definitions until nothing is added. Shares no code with the room.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, permutations, product
from typing import Any

from grammask.grammar.expression import Alt, And, Automaton, Chain, Chars, Expression, Literal, Not, Ref, Repeat, Rule, Seq, Unordered
from grammask.kernel.tables import CALL, EPSILON, FIRST_SLOT, LITERAL, LITERALS, RANGE, RuleTable

Language = frozenset[bytes]


def joined(left: Language, right: Language, length: int) -> Language:
    return frozenset(a + b for a in left for b in right if len(a) + len(b) <= length)


# --- expressions --------------------------------------------------------------------------------------------------


def language_of(root: Expression, length: int, alphabet: bytes = b"abc") -> Language:
    """The strings of the expression up to a length. `alphabet` is what Not ranges over."""
    known: dict[Rule, Language] = {}
    while True:
        before = dict(known)
        language = _strings(root, length, known, alphabet)
        for rule in list(known):
            known[rule] = _strings(rule.body, length, known, alphabet)
        if known == before:
            return language


def _strings(node: Expression, length: int, known: dict[Rule, Language], alphabet: bytes) -> Language:
    def of(part: Expression) -> Language:
        return _strings(part, length, known, alphabet)

    if isinstance(node, Literal):
        return frozenset([node.data]) if len(node.data) <= length else frozenset()
    if isinstance(node, Chars):
        spelled = (chr(code).encode() for low, high in node.ranges for code in range(low, high + 1))
        return frozenset(data for data in spelled if len(data) <= length)
    if isinstance(node, Seq):
        found = frozenset([b""])
        for part in node.parts:
            found = joined(found, of(part), length)
        return found
    if isinstance(node, Alt):
        return frozenset().union(*[of(part) for part in node.parts])
    if isinstance(node, Repeat):
        return _repeated(of(node.part), node.minimum, node.maximum, length)
    if isinstance(node, Ref):
        return known.setdefault(node.rule, frozenset())
    if isinstance(node, And):
        sets = [of(part) for part in node.parts]
        return frozenset.intersection(*sets) if sets else everything(alphabet, length)
    if isinstance(node, Not):
        return everything(alphabet, length) - of(node.part)
    if isinstance(node, Automaton):
        return _accepted(node, length)
    if isinstance(node, Unordered):
        return _in_any_order(node, of, length)
    assert isinstance(node, Chain)
    return _chained(node, of, length)


def everything(alphabet: bytes, length: int) -> Language:
    return frozenset(bytes(word) for n in range(length + 1) for word in product(alphabet, repeat=n))


def _repeated(part: Language, minimum: int, maximum: int | None, length: int) -> Language:
    """Counts above what the length allows change nothing, but for the empty string, which is dealt with by counting on."""
    counts = [frozenset([b""])]
    found: set[bytes] = set()
    for count in range(minimum + length + 1 if maximum is None else min(maximum, minimum + length) + 1):
        if count >= len(counts):
            counts.append(joined(counts[-1], part, length))
        if count >= minimum:
            found |= counts[count]
    return frozenset(found)


def _accepted(node: Automaton, length: int) -> Language:
    found: set[bytes] = set()
    level = {(0, b"")}
    for _ in range(length + 1):
        found |= {data for state, data in level if state in node.ends}
        level = {
            (to, data + bytes([byte])) for state, data in level for source, to, low, high in node.edges if source == state for byte in range(low, high + 1)
        }
    return frozenset(found)


def _chained(node: Chain, of: Any, length: int) -> Language:
    """Every choice of present items, followed by every number of rest members."""
    found: set[bytes] = set()
    separator = of(node.separator)
    n = len(node.items)
    for present in product((False, True), repeat=n):
        if any(required and not here for (_, required), here in zip(node.items, present, strict=True)):
            continue
        if node.contiguous and not all(here or not any(present[i:]) for i, here in enumerate(present)):
            continue
        members = [of(item) for (item, _), here in zip(node.items, present, strict=True) if here]
        n_rest = 0 if node.rest is None or (node.contiguous and not all(present)) else length + node.minimum + 1
        for _ in range(n_rest + 1):
            if len(members) >= node.minimum and (node.maximum is None or len(members) <= node.maximum):
                found |= _separated(members, separator, length)
            if node.rest is not None:
                members = [*members, of(node.rest)]
    return frozenset(found)


def _in_any_order(node: Unordered, of: Any, length: int) -> Language:
    """Every order of every choice of items that holds the required ones, with members of the rest anywhere."""
    found: set[bytes] = set()
    numbers = range(len(node.items))
    for present in (choice for size in range(len(node.items) + 1) for choice in combinations(numbers, size)):
        if all(number in present for number, (_, is_required) in enumerate(node.items) if is_required):
            for n_rest in range(length + node.minimum + 1 if node.rest is not None else 1):
                count = len(present) + n_rest
                if max(node.minimum, 1) <= count <= (length + 1 if node.maximum is None else node.maximum) and count <= length + 1:
                    members = [of(node.items[number][0]) for number in present] + [of(node.rest) for _ in range(n_rest) if node.rest is not None]
                    found |= frozenset().union(*[_separated(list(order), of(node.separator), length) for order in set(permutations(members))])
    return frozenset(found)


def _separated(members: list[Language], separator: Language, length: int) -> Language:
    found = members[0] if members else frozenset([b""])
    for member in members[1:]:
        found = joined(joined(found, separator, length), member, length)
    return found


# --- tables -------------------------------------------------------------------------------------------------------


def tables_of(root: RuleTable) -> list[RuleTable]:
    found = [root]
    for table in found:
        found += [edge[3] for edge in table.edges if edge[0] == CALL and edge[3] not in found]
    return found


def language_of_tables(root: RuleTable, length: int, *, prepared: bool) -> Language:
    """The strings of a table up to a length; prepared: calls stand for non-empty strings, and `nullable` tells whether the empty one is in."""
    tables = tables_of(root)
    at: dict[tuple[RuleTable, Any], Language] = defaultdict(frozenset)
    steps = {table: _steps(table, length) for table in tables}
    for table in tables:
        at[table, 0] = frozenset([b""])
    changed = True
    while changed:
        changed = False
        for table in tables:
            for source, target, edge in steps[table]:
                new = joined(at[table, source], _label(edge, at, prepared), length) - at[table, target]
                if new:
                    at[table, target] |= new
                    changed = True
    found = at[root, 1]
    return (found - {b""}) | (frozenset([b""]) if root.nullable else frozenset()) if prepared else found


def _steps(table: RuleTable, length: int) -> list[tuple[Any, Any, tuple[Any, ...]]]:
    """The edges with their nodes; of members in any order, with what is kept in mind beside each node."""
    memory = table.unordered
    if memory is None:
        return [(edge[1], edge[2], edge) for edge in table.edges]
    found: list[tuple[Any, Any, tuple[Any, ...]]] = []
    most = memory.n_slots + length + memory.minimum + 1
    for node, used, count in (places := [(0, frozenset[int](), 0)]):  # grows while it is read
        for edge in (edge for edge in table.edges if edge[1] == node):
            slot = edge[2] - FIRST_SLOT
            after = (edge[2], used | {slot} if 0 <= slot < memory.n_slots else used, count + (slot >= 0))
            is_over = slot in used or after[2] > most or (memory.maximum is not None and after[2] > memory.maximum)
            if is_over or (edge[2] == 1 and not (memory.required <= used and count >= memory.minimum)):
                continue
            source, target = 0 if places[0] == (node, used, count) else (node, used, count), 1 if edge[2] == 1 else after
            found.append((source, target, edge))
            if target != 1 and after not in places:
                places.append(after)
    return found


def _label(edge: tuple[Any, ...], at: dict[tuple[RuleTable, Any], Language], prepared: bool) -> Language:
    if edge[0] == EPSILON:
        return frozenset([b""])
    if edge[0] == RANGE:
        return frozenset(bytes([byte]) for byte in range(edge[3], edge[4] + 1))
    if edge[0] == LITERAL:
        return frozenset([edge[3]])
    if edge[0] == LITERALS:
        return frozenset(edge[3])
    return at[edge[3], 1] - {b""} if prepared else at[edge[3], 1]


def broken_promises(root: RuleTable) -> list[str]:
    """What a prepared network does not keep of the promises in kernel.tables."""
    found = []
    tables = tables_of(root)
    first = {table: {edge[3] for edge in table.edges if edge[0] == CALL and edge[1] in _skipped(table)} for table in tables}
    for table in tables:
        expected = 1 + max((callee.rank for callee in first[table]), default=-1)
        if table.rank != expected:
            found.append(f"rank of {table.place} is {table.rank}, not {expected}")
        nodes = range(table.n_nodes)
        forward, backward = _reach(table, 0, 1, 2), _reach(table, 1, 2, 1)
        if table.unordered is None and table.multiples is None and table.edges and not all(node in forward and node in backward for node in nodes):
            found.append(f"{table.place} has useless nodes")
        if not table.prepared:
            found.append(f"{table.place} is not marked as prepared")
    return found


def _skipped(table: RuleTable) -> set[int]:
    return _closure({0}, [edge[1:3] for edge in table.edges if edge[0] == EPSILON])


def _reach(table: RuleTable, seed: int, source: int, target: int) -> set[int]:
    return _closure({seed}, [(edge[source], edge[target]) for edge in table.edges])


def _closure(seeds: set[int], pairs: list[tuple[int, ...]]) -> set[int]:
    reached = set(seeds)
    while True:
        more = {b for a, b in pairs if a in reached} - reached
        if not more:
            return reached
        reached |= more


# --- tokens -------------------------------------------------------------------------------------------------------


def spelled_by(tokens: list[bytes], length: int) -> Language:
    """Every string up to a length that some tokens spell one after the other."""
    found = frozenset([b""])
    while True:
        more = found | joined(found, frozenset(tokens), length)
        if more == found:
            return found
        found = more


Configuration = tuple[RuleTable, int, int, Any]  # table, node, position at which the table was entered, caller's configuration (or None)


def start_of(root: RuleTable) -> set[Configuration]:
    return _expanded({(root, 0, 0, None)}, 0)


def after(configurations: set[Configuration], byte: int, position: int) -> set[Configuration]:
    """The configurations after one more byte; `position` counts the bytes taken with it. Literals must have been laid out before."""
    moved = set()
    for table, node, entered, caller in configurations:
        for edge in table.edges:
            if edge[0] == RANGE and edge[1] == node and edge[3] <= byte <= edge[4]:
                moved.add((table, edge[2], entered, caller))
    return _expanded(moved, position)


def _expanded(configurations: set[Configuration], position: int) -> set[Configuration]:
    """With all that calls, returns of tables that consumed something, and epsilon edges add."""
    found = set(configurations)
    work = list(found)
    while work and len(found) < 3000:
        configuration = work.pop()
        table, node, entered, caller = configuration
        more: list[Configuration] = []
        for edge in table.edges:
            if edge[1] == node and edge[0] == EPSILON:
                more.append((table, edge[2], entered, caller))
            elif edge[1] == node and edge[0] == CALL:
                more.append((edge[3], 0, position, (table, edge[2], entered, caller)))
        if node == 1 and caller is not None and position > entered:
            more.append(caller)
        new = [one for one in more if one not in found]
        found.update(new)
        work += new
    return found


def laid_out(root: RuleTable) -> RuleTable:
    """The same network, changed in place so that literals are ranges of one byte after the other."""
    for table in tables_of(root):
        edges = []
        for edge in table.edges:
            if edge[0] not in (LITERAL, LITERALS):
                edges.append(edge)
                continue
            for data in (edge[3],) if edge[0] == LITERAL else edge[3]:
                nodes = [edge[1], *range(table.n_nodes, table.n_nodes + len(data) - 1), edge[2]]
                table.n_nodes += len(data) - 1
                edges += [(RANGE, nodes[at], nodes[at + 1], byte, byte) for at, byte in enumerate(data)]
        table.edges = edges
        if table.resting is not None:
            assert not any(edge[0] in (LITERAL, LITERALS) for edge in table.edges)
    return root
