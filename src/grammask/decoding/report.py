"""What compiling a grammar came to.

Rule: it only reads; asking for a size lowers the grammar once more, so that compiling does not pay for it.
Below: grammar.lower, kernel.tables.  Above: constraint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from grammask.grammar.grammar import Grammar, ReportEntry
from grammask.grammar.lower import lower
from grammask.kernel.tables import CALL, RuleTable, TextTable
from grammask.vocabulary import Vocabulary

__all__ = ["Report", "Size"]


@dataclass(frozen=True, slots=True)
class Size:
    """How large a grammar's tables are: rules (with those for strings), nodes and edges of all of them."""

    rules: int
    nodes: int
    edges: int


@dataclass(frozen=True)
class Report:
    """What is enforced exactly and what was relaxed on request, entry by entry; iterates over the entries."""

    entries: Sequence[ReportEntry]
    _grammar: Grammar = field(repr=False, compare=False)
    _vocabulary: Vocabulary = field(repr=False, compare=False)

    def __iter__(self) -> Iterator[ReportEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def size(self) -> Size:
        """The size of the grammar's tables. Cost: that of lowering it."""
        vocabulary = self._vocabulary
        root = lower(self._grammar.expression, specials=vocabulary.specials, tokens=vocabulary.tokens, eos_ids=vocabulary.eos_ids)
        tables: dict[RuleTable | TextTable, None] = {root: None}
        for table in (order := list(tables)):  # grows as calls lead to further tables
            called = [edge[3] for edge in table.edges if edge[0] == CALL] if isinstance(table, RuleTable) else []
            fresh = [other for other in dict.fromkeys(called) if other not in tables]
            tables.update(dict.fromkeys(fresh))
            order.extend(fresh)
        return Size(len(tables), sum(table.n_nodes for table in tables), sum(len(table.edges) for table in tables))
