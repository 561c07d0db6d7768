"""Raw tables as `grammar.lower` leaves them, made of any network: what `grammar.prepare` may count on."""

from __future__ import annotations

from grammask.kernel.tables import CALL, EPSILON, RuleTable

from .oracle import Bnf
from .random_grammars import tables_of


def tidied(root: RuleTable) -> RuleTable:
    """A copy of the same language without dead edges, with nullable filled in and an epsilon edge beside each call of a nullable rule."""
    bnf = Bnf(root, has_opaque_texts=True)
    copies = {
        table: RuleTable(table.place, table.n_nodes, unordered=table.unordered, multiples=table.multiples)
        for table in tables_of(root)
        if isinstance(table, RuleTable)
    }
    for table, copy in copies.items():
        copy.nullable = bnf.matches_nothing(table)
        alive = [edge for edge in table.edges if bnf.completes(table, edge[2]) and (edge[0] != CALL or bnf.completes(edge[3]))]
        reached = {0}
        for _ in range(table.n_nodes):
            reached |= {b for _, a, b, *_ in alive if a in reached}
        for kind, a, b, *what in alive:
            if a in reached:
                copy.edges.append((kind, a, b, copies.get(what[0], what[0])) if kind == CALL else (kind, a, b, *what))
                if kind == CALL and bnf.matches_nothing(what[0]):
                    copy.edges.append((EPSILON, a, b))
    return copies[root]
