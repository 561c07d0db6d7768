"""Members that all differ: a part whose strings are recorded, and the frame that keeps in mind which ones it has read.

Rule: recorded parts stand directly in the frame that tells them apart, so that what it keeps is its own and ends with it.
Below: construction, goal_frames.  Above: lower.  What the kernel makes of it: see `kernel.tables.Recorder`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from grammask.errors import EmptyLanguageError, LimitError, UnsupportedFeatureError
from grammask.grammar.components import visit_order
from grammask.grammar.expression import Expression
from grammask.kernel.tables import CALL, Recorder, RuleTable, TextTable

if TYPE_CHECKING:
    from grammask.grammar.construction import Construction

__all__ = ["Distinct", "Distinction", "Others", "Recorded", "build_distinct", "build_recorded", "recorded_table", "refuse_recorders"]

MAX_COUNTED = 64  # members of objects; of arrays, see chain


class Others(NamedTuple):
    """What is left of a recorded part without some values; is_loose: some of these may be in it still."""

    expression: Expression
    is_loose: bool = False


@dataclass(frozen=True, eq=False)
class Distinction:
    """How the strings of a recorded part are told apart. See `kernel.tables.Recorder` for the fields; `without` gives an expression here."""

    value: Callable[[bytes], object]
    without: Callable[[frozenset[object]], Others]
    is_rich: bool = False
    opens: bytes = b""
    is_member: bool = False
    slack: int = 0


class Recorded(Expression):
    """The strings of `part`, each a JSON value; those that stand in one `Distinct` around them all differ, as `distinction` tells."""

    __slots__ = ("distinction", "part")
    part: Expression
    distinction: Distinction

    def __new__(cls, part: Expression, distinction: Distinction) -> Self:
        node = object.__new__(cls)
        node.part, node.distinction = part, distinction
        return node


class Distinct(Expression):
    """The strings of `body` in which no two recorded parts have the same value."""

    __slots__ = ("body",)
    body: Expression

    def __new__(cls, body: Expression) -> Self:
        node = object.__new__(cls)
        node.body = body
        return node


def build_distinct(made: Construction, node: Distinct, start: int, end: int) -> None:
    """Add a call of the frame, which is a rule of its own."""
    table = made.memo.get(node)
    if table is None:
        table = made.memo[node] = made.new_table(made.table.place)
        made.frames.add(table)
        made.pending.append((table, node.body))
    made.call(start, end, table)


def build_recorded(made: Construction, node: Recorded, start: int, end: int) -> None:
    """Add a call of the recorded part. Raises LimitError where counting has taken it out of its frame."""
    if made.table not in made.frames:
        raise LimitError("the number of members that must differ", None, MAX_COUNTED, "lower their minimum and maximum")
    made.call(start, end, recorded_table(made, node))


def recorded_table(made: Construction, node: Recorded) -> RuleTable:
    """The table of a recorded part, for those who call it from a frame of their own."""
    table = made.memo.get(node)
    if table is None:
        table = made.memo[node] = made.new_table(made.table.place)
        table.recorder = _recorder(made, node.distinction, table.place)
        made.pending.append((table, node.part))
    return table


def _recorder(made: Construction, distinction: Distinction, place: str) -> Recorder:
    settings = {"place": place, "specials": made.specials, "tokens": made.tokens, "eos_ids": made.eos_ids}
    without = partial(_table_without, distinction, settings)
    return Recorder(distinction.value, without, distinction.is_rich, distinction.opens, distinction.is_member, distinction.slack)


def _table_without(distinction: Distinction, settings: dict[str, Any], values: frozenset[object]) -> RuleTable | None:
    """What is left, None for nothing. Its root is no shared rule: the kernel notes in it whose strings are told apart."""
    from grammask.grammar.goal_frames import without_left_recursion  # these two are above this module
    from grammask.grammar.lower import lower

    others = distinction.without(values)
    try:
        table = without_left_recursion(lower(others.expression, **settings))
    except EmptyLanguageError:
        return None
    except LimitError:
        others = Others(distinction.without(frozenset()).expression, is_loose=True)
        table = without_left_recursion(lower(others.expression, **settings))
    return _with_own_texts(replace(table, key=None, loose=others.is_loose) if table.key is not None or others.is_loose else table)


def _with_own_texts(root: RuleTable) -> RuleTable:
    """The same tables with texts that exclude strings as their own: of those that come and go with outputs a vocabulary's store keeps none."""
    own: dict[TextTable, TextTable] = {}
    for table in visit_order([root], lambda table: [edge[3] for edge in table.edges if edge[0] == CALL and isinstance(edge[3], RuleTable)]):
        if table.key is None and any(edge[0] == CALL and isinstance(edge[3], TextTable) and edge[3].excluded for edge in table.edges):
            table.edges = [_own(edge, own) for edge in table.edges]
    return root


def _own(edge: tuple[Any, ...], own: dict[TextTable, TextTable]) -> tuple[Any, ...]:
    if edge[0] != CALL or not isinstance(edge[3], TextTable) or not edge[3].excluded:
        return edge
    return (*edge[:3], own.setdefault(edge[3], replace(edge[3], key=None)))


def refuse_recorders(tables: list[Any], reason: str) -> None:
    """Raise UnsupportedFeatureError if some of the tables tell items apart: for those who multiply rules with something else."""
    if any(isinstance(table, RuleTable) and table.recorder is not None for table in tables):
        raise UnsupportedFeatureError("items that all differ", reason, hint="leave out uniqueItems, or bound the items to few values")
