"""Counted repetition as tables: copies where they are few, rules that double where they are many.

Rule: `x{m,n}` costs at most MAX_COPIED nodes here, or a number of small rules that grows with the logarithm of the counts:
    twice[0] = x            twice[k] = twice[k-1] twice[k-1]            exactly 2**k times
    below[1] = x?           below[k] = below[k-1] | twice[k-1] below[k-1]    0 to 2**k - 1 times
Each number of times has exactly one derivation, so counting makes no grammar ambiguous.
"""

from __future__ import annotations

from grammask.grammar.construction import Construction
from grammask.grammar.distinct import Distinct, Recorded
from grammask.grammar.expression import EMPTY, NOTHING, Alt, Automaton, Chain, Chars, Expression, Literal, Multiples, Ref, Repeat, Seq, Text, Token, Unordered
from grammask.grammar.repetition import loop_parts, normal_repeat
from grammask.grammar.utf8 import byte_automaton
from grammask.kernel.tables import CALL, EPSILON, RuleTable

__all__ = ["build_repeat", "has_weight_over"]

MAX_COPIED = 256
LIGHT = (Literal, Chars, Distinct, Multiples, Recorded, Ref, Text, Token)


def build_repeat(made: Construction, node: Repeat, start: int, end: int) -> None:
    """Add a repetition between two nodes."""
    part, minimum, maximum = normal_repeat(node)
    if part is EMPTY or maximum == 0 or (part is NOTHING and minimum == 0):
        made.skip(start, end)
    elif part is NOTHING or (maximum is not None and maximum < minimum):
        made.nothing("a repetition has no count it can take")
    elif maximum == 1:
        if minimum == 0:
            made.skip(start, end)
        made.todo.append((part, start, end))
    elif maximum is None and minimum <= 1:
        made.skip(_loop(made, part, start, minimum), end)
    elif has_weight_over(part, MAX_COPIED // max(minimum, maximum or 1)):
        _build_doubled(made, part, minimum, maximum, start, end)
    else:
        _build_copies(made, part, minimum, maximum, start, end)


def _loop(made: Construction, part: Expression, start: int, minimum: int = 0) -> int:
    """Any number of parts from `start` on, at least `minimum` (0 or 1); gives the node where they may end."""
    hub = made.new_node()
    if minimum == 1 and type(part) in LIGHT:
        made.todo += [(part, start, hub), (part, hub, hub)]
        return hub
    made.skip(start, hub)
    if minimum == 0:
        made.todo += [(piece, hub, hub) for piece in loop_parts(part)]
        return hub
    last = made.new_node()
    made.todo.append((part, hub, last))
    made.skip(last, hub)
    return last


def _build_copies(made: Construction, part: Expression, minimum: int, maximum: int | None, start: int, end: int) -> None:
    for _ in range(minimum):
        middle = made.new_node()
        made.todo.append((part, start, middle))
        start = middle
    if maximum is None:
        start = _loop(made, part, start)
    for _ in range(0 if maximum is None else maximum - minimum):
        made.skip(start, end)
        middle = made.new_node()
        made.todo.append((part, start, middle))
        start = middle
    made.skip(start, end)


def _build_doubled(made: Construction, part: Expression, minimum: int, maximum: int | None, start: int, end: int) -> None:
    counted = made.part_table(part)
    for level in reversed(range(minimum.bit_length())):
        if minimum >> level & 1:
            middle = made.new_node()
            made.call(start, middle, _twice(made, counted, level))
            start = middle
    if maximum is None:
        start = _loop(made, part, start)
    rest = 0 if maximum is None else maximum - minimum
    while rest:
        level = rest.bit_length() - 1
        made.call(start, end, _below(made, counted, level)) if level else made.skip(start, end)
        middle = made.new_node()
        made.call(start, middle, _twice(made, counted, level))
        start, rest = middle, rest - (1 << level)
    made.skip(start, end)


def _twice(made: Construction, counted: RuleTable, level: int) -> RuleTable:
    """The rule for exactly 2**level times."""
    table = counted
    for height in range(1, level + 1):
        half, table = table, made.memo.get((counted, "twice", height)) or made.new_table(counted.place)
        if not table.edges:
            made.memo[counted, "twice", height] = table
            _fill(made, table, 3, [(CALL, 0, 2, half), (CALL, 2, 1, half)])
    return table


def _below(made: Construction, counted: RuleTable, level: int) -> RuleTable:
    """The rule for 0 to 2**level - 1 times, level at least 1."""
    table = made.memo.get((counted, "below", 1)) or made.new_table(counted.place)
    if not table.edges:
        made.memo[counted, "below", 1] = table
        _fill(made, table, 2, [(EPSILON, 0, 1), (CALL, 0, 1, counted)])
    for height in range(2, level + 1):
        smaller, table = table, made.memo.get((counted, "below", height)) or made.new_table(counted.place)
        if not table.edges:
            made.memo[counted, "below", height] = table
            _fill(made, table, 3, [(CALL, 0, 1, smaller), (CALL, 0, 2, _twice(made, counted, height - 1)), (CALL, 2, 1, smaller)])
    return table


def _fill(made: Construction, table: RuleTable, n_nodes: int, edges: list[tuple[int | RuleTable, ...]]) -> None:
    table.n_nodes = n_nodes
    table.edges += edges
    made.calls[table] += [edge for edge in edges if edge[0] == CALL]


def has_weight_over(part: Expression, bound: int) -> bool:
    """Whether one copy of the part would make more than `bound` nodes, about. Looks at no more nodes than that takes."""
    weight = 0
    work: list[tuple[Expression, int]] = [(part, 1)]
    steps = 2 * bound + 64
    while work and weight <= bound:
        node, times = work.pop()
        steps -= 1
        if times > bound or steps < 0:
            return True
        if isinstance(node, Seq | Alt):
            weight += times * len(node.parts)
            work += [(piece, times) for piece in node.parts[: bound + 1] if type(piece) is not Literal]
        elif isinstance(node, Repeat):
            work.append((node.part, times * max(1, node.maximum if node.maximum is not None else node.minimum + 1)))
        elif isinstance(node, Chars):
            weight += times * (byte_automaton(node)[0] - 1)
        elif isinstance(node, Chain | Unordered):
            weight += times * len(node.items)
            work += [(item, times) for item, _ in node.items[: bound + 1]]
            work.append((node.separator, times * (len(node.items) + 1)))
            if node.rest is not None:
                work.append((node.rest, times * max(1, node.maximum or node.minimum)))
        elif isinstance(node, Automaton):
            weight += times * len(node.edges)
        else:
            weight += times if type(node) in LIGHT else bound + 1
    return weight > bound
