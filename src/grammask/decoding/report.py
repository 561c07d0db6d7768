"""What compiling a grammar came to.

Rule: it only reads; what is not needed to compile is worked out when it is asked for, so that compiling does not pay for it.
Below: binding, cost, grammar.recursion, kernel.  Above: constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from grammask import kernel
from grammask.decoding.binding import bindings_of
from grammask.grammar.grammar import Grammar, ReportEntry
from grammask.grammar.multiples import is_small
from grammask.grammar.recursion import nesting_rules, tables_of
from grammask.kernel.tables import RuleTable
from grammask.vocabulary import Vocabulary

if TYPE_CHECKING:
    from grammask.decoding.cost import Cost

__all__ = ["Report", "Size"]


@dataclass(frozen=True, slots=True)
class Size:
    """How large a grammar's tables are: rules (with those for strings), nodes and edges of all of them."""

    rules: int
    nodes: int
    edges: int


@dataclass(frozen=True, eq=False)
class Report:
    """What is enforced exactly and what was relaxed on request, entry by entry; iterates over the entries."""

    _grammar: Grammar
    _vocabulary: Vocabulary = field(repr=False)
    _bind: Callable[[], kernel.Bound] | None = field(default=None, repr=False)  # not what it gives, which is let go once it is worn

    @property
    def entries(self) -> Sequence[ReportEntry]:
        """One for each keyword or construct that there is something to say about."""
        return self._grammar.report

    def __repr__(self) -> str:
        return f"<Report of {len(self)} entries>"

    def __iter__(self) -> Iterator[ReportEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def size(self) -> Size:
        """The size of the grammar's tables. Cost: that of lowering it."""
        tables = tables_of(bindings_of(self._vocabulary).lowered(self._grammar.expression))
        return Size(len(tables), sum(table.n_nodes for table in tables), sum(len(table.edges) for table in tables))

    @cached_property
    def cost(self) -> Cost:
        """A certificate of what masks and advances may come to, on any text: the most configurations, and the local states there are.

        Cost: a tenth of a second for most schemas, some seconds at most; nothing of it is needed to compile or to generate.
        """
        from grammask.decoding.cost import Cost, cost_of

        if kernel.KERNEL == "reference":
            return Cost("open", None, None, "the reference kernel promises nothing")
        from grammask.kernel.local_states import LocalStates

        bindings = bindings_of(self._vocabulary)
        prepared = bindings.prepared(self._grammar.expression)
        if any(isinstance(table, RuleTable) and table.multiples is not None and not is_small(table.multiples) for table in tables_of(prepared)):
            return Cost("open", None, None, "the residues of multipleOf are too many to look at them all")
        bound = bindings.bound(self._grammar.expression, self._grammar.key) if self._bind is None else self._bind()
        return cost_of(LocalStates(bound), nests=bool(nesting_rules(prepared)))
