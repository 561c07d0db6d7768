"""Arrays: the items by their positions, then all others, between two numbers of items."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from grammask.frontends.json_schema.counted_values import ENDLESS, count_values
from grammask.frontends.json_schema.distinct_items import can_all_differ, distinct_item, length_possible
from grammask.frontends.json_schema.item_monitor import TooManyStates, few_values, item_schemas, monitored_items
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.literals import value_expression
from grammask.grammar.distinct import Distinct
from grammask.grammar.expression import NOTHING, Chain, Expression, Unordered

if TYPE_CHECKING:
    from grammask.frontends.json_schema.compiler import Compiler
    from grammask.frontends.json_schema.references import Subschema

MAX_CHOICE = 2000  # values that an array may hold once each
UNTOLD = "it is not known how many values these items have, so an array of different ones might not be completed"

__all__ = ["array_expression", "item_bounds", "item_schemas"]


def item_bounds(leaves: tuple[Facts, ...]) -> tuple[int, int | None]:
    """The least and the largest number of items that all of these allow."""
    bounds = [facts.max_items for facts in leaves if facts.max_items is not None]
    return max([facts.min_items for facts in leaves], default=0), min(bounds, default=None)


def array_expression(compiler: Compiler, leaves: tuple[Facts, ...]) -> Expression:
    """Arrays for which all of these hold, NOTHING if there are none."""
    facts = leaves[0]
    if len(leaves) == 1 and facts.max_items is None and not (facts.min_items or facts.prefix or facts.unique or facts.contains):
        return _any_number(compiler, facts.items)
    minimum, maximum = item_bounds(leaves)
    is_unique = (maximum is None or maximum > 1) and any(facts.unique for facts in leaves)
    if is_unique and not any(facts.prefix or facts.contains for facts in leaves):
        values = few_values(compiler, item_schemas(leaves, 0), MAX_CHOICE)
        if values is not None:
            return _choice_without_doubles(compiler, values, minimum, maximum)
    if is_unique or any(facts.contains for facts in leaves):
        try:
            members, may_be_empty = monitored_items(compiler, leaves, (minimum, maximum), is_unique=is_unique)
        except TooManyStates:
            pass
        else:
            return compiler.layout.brackets(b"[", members, b"]", may_be_empty=may_be_empty)
    if is_unique:
        if can_all_differ(compiler, leaves, maximum):
            return _of_different_items(compiler, leaves, minimum, maximum)
        _refuse(compiler, [facts for facts in leaves if facts.unique], "uniqueItems", UNTOLD)
    _refuse(compiler, [facts for facts in leaves if facts.contains], "contains", "counting these items takes too many states")
    members = _items_in_order(compiler, leaves, minimum, maximum, compiler.value_of_all)
    return members if members is NOTHING and minimum else compiler.layout.brackets(b"[", members, b"]", may_be_empty=minimum == 0)


def _items_in_order(
    compiler: Compiler, leaves: tuple[Facts, ...], minimum: int, maximum: int | None, item_of: Callable[[list[Subschema]], Expression]
) -> Expression:
    """At least one item, by their positions, with the separators between them; NOTHING if there are none or too few of them."""
    n_prefix = max(len(facts.prefix) for facts in leaves)
    items: list[tuple[Expression, bool]] = []
    rest: Expression | None = None
    for position in range(n_prefix if maximum is None else min(n_prefix, maximum)):
        item = item_of(item_schemas(leaves, position))
        if item is NOTHING:
            maximum = position
            break
        items.append((item, False))
    if maximum is None or maximum > n_prefix:
        rest = item_of(item_schemas(leaves, n_prefix))
        if rest is NOTHING:
            rest, maximum = None, n_prefix
    if maximum is not None and (minimum > maximum or maximum == 0):
        return NOTHING
    return Chain(items, compiler.layout.separator, rest, max(minimum, 1), maximum, contiguous=True)


def _of_different_items(compiler: Compiler, leaves: tuple[Facts, ...], minimum: int, maximum: int | None) -> Expression:
    """Arrays of items without number, which are told apart by what has been read. There are no more items than values."""
    if not any(facts.prefix for facts in leaves):
        number = count_values(compiler, item_schemas(leaves, 0))
        assert number is not None
        maximum = number if maximum is None or maximum > number else maximum
        maximum = None if maximum >= ENDLESS else maximum
    maximum = length_possible(compiler, leaves, maximum)
    if maximum is not None and minimum > maximum:
        return NOTHING
    members = _items_in_order(compiler, leaves, minimum, maximum, lambda schemas: distinct_item(compiler, schemas, minimum))
    if members is NOTHING:
        return NOTHING if minimum else compiler.layout.brackets(b"[", NOTHING, b"]", may_be_empty=True)
    return compiler.layout.brackets(b"[", Distinct(members), b"]", may_be_empty=minimum == 0)


def _refuse(compiler: Compiler, leaves: list[Facts], keyword: str, reason: str) -> None:
    for facts in leaves:
        compiler.refuse(facts.subschema, keyword, reason)


def _any_number(compiler: Compiler, schema: Subschema | None) -> Expression:
    """Arrays of any number of items that a schema allows."""
    item = compiler.layout.value if schema is None else compiler.value(schema)
    members = NOTHING if item is NOTHING else Chain((), compiler.layout.separator, item, 1, contiguous=True)
    return compiler.layout.brackets(b"[", members, b"]", may_be_empty=True)


def _choice_without_doubles(compiler: Compiler, values: list[Any], minimum: int, maximum: int | None) -> Expression:
    """Arrays of some of these values, which all differ, in any order."""
    if len(values) < minimum:
        return NOTHING
    items = [(value_expression(compiler, value), False) for value in values]
    members = NOTHING if maximum == 0 or not items else Unordered(items, compiler.layout.separator, None, max(minimum, 1), maximum)
    return compiler.layout.brackets(b"[", members, b"]", may_be_empty=minimum == 0)
