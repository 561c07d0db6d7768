"""Arrays whose items all differ, where there are too many values to have a slot each: the kernel keeps in mind which have been read.

What it asks for while a text is read is the language of an item less some values. That is the item's schemas and one more, which is true
of all other values: it is written as a schema of alternatives, so that whatever the item's schemas say is joined with it as with any other.
Objects and arrays are told apart by one member after the other, as a tree: the alternatives are as many as the members of all values.
Rule: the language that is left is exact, and empty only if there are no other values.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

from grammask.errors import LimitError, UnsupportedFeatureError
from grammask.frontends.json_schema.counted_values import ENDLESS, count_values, has_endless
from grammask.frontends.json_schema.dialects import named_draft
from grammask.frontends.json_schema.held_values import DEEPEST, Held, held_value
from grammask.frontends.json_schema.item_monitor import few_values, item_schemas
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.references import Resource, Subschema
from grammask.frontends.json_schema.shapes import Conjunction
from grammask.frontends.json_schema.values import ALL, ARRAY, OBJECT, STRING, equality_key, type_of
from grammask.grammar.distinct import Distinction, Others, Recorded
from grammask.grammar.expression import NOTHING, Expression

if TYPE_CHECKING:
    from grammask.frontends.json_schema.compiler import Compiler

__all__ = ["can_all_differ", "distinct_item", "length_possible", "other_values"]

SHORT = 90  # characters of one byte, at least, so there are SHORT**n strings of n of them
MOST_TOLD = 64  # members of an object, or items of an array, that are looked at

OPENING = ((b"{"[0], OBJECT), (b"["[0], ARRAY), (b'"'[0], STRING))  # the byte with which values of a type begin

Schema = dict[str, Any] | bool


def can_all_differ(compiler: Compiler, leaves: tuple[Facts, ...], maximum: int | None) -> bool:
    """Whether it is known that an array goes on: that at each position there is a value more than there are items before it, or none at all.

    At positions of few values it may also be known which of them have been read.
    """
    n_prefix = max(len(facts.prefix) for facts in leaves)
    if any(facts.contains for facts in leaves):
        return False
    for position in range(n_prefix if maximum is None else min(n_prefix, maximum)):
        number = count_values(compiler, item_schemas(leaves, position))
        if number is None or (0 < number <= position and _are_apart(compiler, leaves, position) is None):
            return False
    if maximum is not None and maximum <= n_prefix:
        return True
    number = count_values(compiler, item_schemas(leaves, n_prefix))
    return number is not None and (n_prefix == 0 or number in (0, ENDLESS))


def _are_apart(compiler: Compiler, leaves: tuple[Facts, ...], position: int) -> bool | None:
    """Whether the values at a position can be at none before it; False: each of them must be at one, None: neither is known."""
    here = _keys_at(compiler, leaves, position)
    before = [_keys_at(compiler, leaves, other) for other in range(position)]
    if here is None or None in before:
        return None
    if all(here.isdisjoint(keys) for keys in before if keys is not None):
        return True
    fixed = set().union(*[keys for keys in before if keys is not None and len(keys) == 1])
    return False if here <= fixed else None


def _keys_at(compiler: Compiler, leaves: tuple[Facts, ...], position: int) -> set[object] | None:
    values = few_values(compiler, item_schemas(leaves, position))
    return None if values is None else {equality_key(value) for value in values}


def length_possible(compiler: Compiler, leaves: tuple[Facts, ...], maximum: int | None) -> int | None:
    """The number of items that can all differ, where fixed ones are equal; `maximum` where none are."""
    n_prefix = max(len(facts.prefix) for facts in leaves)
    for position in range(1, n_prefix if maximum is None else min(n_prefix, maximum)):
        if _are_apart(compiler, leaves, position) is False:
            return position
    return maximum


def distinct_item(compiler: Compiler, schemas: Sequence[Subschema], minimum: int) -> Expression:
    """The items of these schemas, recorded, for an array of at least so many; NOTHING if there are none."""
    item = compiler.value_of_all(schemas)
    if item is NOTHING:
        return NOTHING
    found = _Without(compiler, schemas)
    return Recorded(item, Distinction(held_value, found, found.is_rich, found.opens, slack=_slack(minimum, is_rich=found.is_rich)))


def _slack(minimum: int, *, is_rich: bool) -> int:
    """The bytes that one of so many items may take beyond the shortest, as the others are shorter."""
    if minimum < 2:
        return 0
    return next(length for length in count(1) if SHORT**length > minimum) if is_rich else 8 * minimum


class _Without:
    """The language of an item less some values: a compile of its own, which shares what is known of the schema."""

    def __init__(self, compiler: Compiler, schemas: Sequence[Subschema]) -> None:
        self.later = compiler.later
        self.schemas = tuple(schemas)
        self.place = schemas[0] if schemas else compiler.references.root
        self.resource = Resource("", named_draft("2020-12"), {})
        ways = compiler.shapes.together(schemas) if schemas else [(ALL, ())]
        self.is_rich = bool(schemas) and all(_is_rich(types, leaves) for types, leaves in ways)
        opens = [sign for sign, bit in OPENING if any(has_endless(compiler, bit & types, leaves) for types, leaves in ways)]
        self.opens = b"" if self.is_rich else bytes(opens)

    def __call__(self, values: frozenset[object]) -> Others:
        held = sorted((one for one in values if isinstance(one, Held)), key=lambda one: repr(one.key))
        try:
            others = self.later(lambda fresh: self._others(fresh, [one.value for one in held]))
            if others is not NOTHING or not any(is_cut(one.value) for one in held):
                return Others(others)
        except (LimitError, UnsupportedFeatureError):
            pass
        return Others(self.later(lambda fresh: fresh.value_of_all(self.schemas)), is_loose=True)

    def _others(self, compiler: Compiler, values: list[Any]) -> Expression:
        """Each way to be an item, without the values that are items in that way."""
        found: list[Conjunction] = []
        for types, leaves in compiler.shapes.together(self.schemas) if self.schemas else [(ALL, ())]:
            own = [value for value in values if type_of(value) & types and _may_be(compiler, leaves, value)]
            others = Subschema(other_values(own), self.place, ("uniqueItems",), self.resource)
            found += compiler.shapes.within_one((types, leaves), others)
        return compiler.spelled(found)


def _may_be(compiler: Compiler, leaves: tuple[Facts, ...], value: Any) -> bool:
    """Whether a value is one of these, or may be since it is not known whole."""
    return is_cut(value) or all(compiler.validity.holds(facts, value) for facts in leaves)


def is_cut(value: Any, levels: int = DEEPEST) -> bool:
    """Whether what is excluded for a value is more than that value: all that agree with it in so many levels, members and items."""
    if not isinstance(value, dict | list):
        return False
    inner = list(value.values()) if isinstance(value, dict) else value
    return levels == 0 or len(inner) > MOST_TOLD or any(is_cut(part, levels - 1) for part in inner)


def _is_rich(types: int, leaves: tuple[Facts, ...]) -> bool:
    """Whether these are strings whose length and letters are free, so that every beginning of one goes on to others without end."""
    return types == STRING and all(facts.literals is None and not facts.languages and facts.max_length is None for facts in leaves)


def other_values(values: Collection[Any], levels: int = DEEPEST) -> Schema:
    """A schema for all values that are none of these.

    Objects and arrays below so many levels, and those that agree with one of these in MOST_TOLD members, are left out with them: their
    number is what the model makes it, and what takes long would keep everybody waiting.
    """
    if not values:
        return True
    objects = [value for value in values if isinstance(value, dict)]
    arrays = [value for value in values if isinstance(value, list)]
    scalars = [value for value in values if not isinstance(value, dict | list)]
    named = [name for name, some in (("object", objects), ("array", arrays)) if some]
    plain: dict[str, Any] = {"type": [name for name in ("null", "boolean", "number", "string", "object", "array") if name not in named]}
    if scalars:
        plain["not"] = {"enum": scalars}
    found = [plain]
    if objects and levels:
        found += _other_objects(objects, {"type": "object"}, levels - 1)
    if arrays and levels:
        found += _other_arrays(arrays, levels - 1)
    return found[0] if len(found) == 1 else {"anyOf": found}


def _other_objects(objects: list[dict[str, Any]], said: dict[str, Any], levels: int) -> list[dict[str, Any]]:
    """Objects of which `said` is true, and which are none of these, told apart by the member in which most of them differ first."""
    names = dict.fromkeys(name for one in objects for name in one if name not in said.get("properties", {}))
    if not names:
        return [{**said, "not": {"propertyNames": {"enum": list(said.get("properties", {}))}}}]
    if sum(schema is not False for schema in said.get("properties", {}).values()) >= MOST_TOLD:
        return []
    name = max(names, key=lambda name: len({_key(one, name) for one in objects}))
    lacking = [one for one in objects if name not in one]
    having: dict[Any, list[dict[str, Any]]] = {}
    for one in objects:
        if name in one:
            having.setdefault(equality_key(one[name]), []).append(one)
    found = _other_objects(lacking, _with_member(said, name, False), levels) if lacking else [_with_member(said, name, False)]
    found.append(_with_member(said, name, other_values([group[0][name] for group in having.values()], levels)))
    for group in having.values():
        found += _other_objects(group, _with_member(said, name, {"const": group[0][name]}), levels)
    return found


def _key(one: dict[str, Any], name: str) -> Any:
    return equality_key(one[name]) if name in one else None


def _with_member(said: dict[str, Any], name: str, schema: Schema) -> dict[str, Any]:
    properties = {**said.get("properties", {}), name: schema}
    required = said.get("required", ())
    return {**said, "properties": properties, "required": [*required, name] if schema is not False else list(required)}


def _other_arrays(arrays: list[list[Any]], levels: int) -> list[dict[str, Any]]:
    """Arrays that are none of these: those of other lengths, and of each length those that differ at some place, the first of which is told."""
    lengths = sorted({len(one) for one in arrays})
    found: list[dict[str, Any]] = [{"type": "array", "minItems": lengths[-1] + 1}]
    between = [(before + 1, after - 1) for before, after in pairwise([-1, *lengths])]
    found += [{"type": "array", "minItems": least, "maxItems": most} for least, most in between if least <= most]
    for length in lengths:
        found += _others_of_length([one for one in arrays if len(one) == length], [], length, levels)
    return found


def _others_of_length(arrays: list[list[Any]], before: list[Any], length: int, levels: int) -> list[dict[str, Any]]:
    place = len(before)
    if place in (length, MOST_TOLD):
        return []
    groups: dict[Any, list[list[Any]]] = {}
    for one in arrays:
        groups.setdefault(equality_key(one[place]), []).append(one)
    first = [{"const": value} for value in before]
    others = {"type": "array", "prefixItems": [*first, other_values([group[0][place] for group in groups.values()], levels)]}
    found: list[dict[str, Any]] = [{**others, "minItems": length, "maxItems": length}]
    for group in groups.values():
        found += _others_of_length(group, [*before, group[0][place]], length, levels)
    return found
