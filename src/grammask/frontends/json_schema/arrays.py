"""Arrays: the items by their positions, then all others, between two numbers of items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.references import Subschema
from grammask.grammar.expression import NOTHING, Chain, Expression

if TYPE_CHECKING:
    from grammask.frontends.json_schema.compiler import Compiler

__all__ = ["array_expression", "item_bounds", "item_schemas"]


def item_bounds(leaves: tuple[Facts, ...]) -> tuple[int, int | None]:
    """The least and the largest number of items that all of these allow."""
    bounds = [facts.max_items for facts in leaves if facts.max_items is not None]
    return max([facts.min_items for facts in leaves], default=0), min(bounds, default=None)


def item_schemas(leaves: tuple[Facts, ...], position: int) -> list[Subschema]:
    """The schemas for the item at a position."""
    found = [facts.prefix[position] if position < len(facts.prefix) else facts.items for facts in leaves]
    return [schema for schema in found if schema is not None]


def array_expression(compiler: Compiler, leaves: tuple[Facts, ...]) -> Expression:
    """Arrays for which all of these hold, NOTHING if there are none."""
    minimum, maximum = item_bounds(leaves)
    for facts in leaves:
        if facts.unique and (maximum is None or maximum > 1):
            compiler.refuse(facts.subschema, "uniqueItems", "remembering the items of an array is not implemented")
    n_prefix = max(len(facts.prefix) for facts in leaves)
    items: list[tuple[Expression, bool]] = []
    rest: Expression | None = None
    for position in range(n_prefix if maximum is None else min(n_prefix, maximum)):
        item = compiler.value_of_all(item_schemas(leaves, position))
        if item is NOTHING:
            maximum = position
            break
        items.append((item, False))
    if maximum is None or maximum > n_prefix:
        rest = compiler.value_of_all(item_schemas(leaves, n_prefix))
        if rest is NOTHING:
            rest, maximum = None, n_prefix
    if maximum is not None and minimum > maximum:
        return NOTHING
    members = NOTHING if maximum == 0 else Chain(items, compiler.layout.separator, rest, max(minimum, 1), maximum, contiguous=True)
    return compiler.layout.brackets(b"[", members, b"]", may_be_empty=minimum == 0)
