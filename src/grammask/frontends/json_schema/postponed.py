"""Which objects and arrays can be spelled when a text first comes to them: those about which nothing can be found out by spelling them.

Rule: a schema is harmless if it and all schemas that it leads to say only what is listed here, in the form that is listed here. Such a schema
has a value, is not refused, meets no limit and is reported as it stands, so nobody learns anything later than at compile time. What is not
listed is not harmless, and is spelled at once.
Each schema is looked at once a compile, however many lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any

from grammask.frontends.json_schema.keywords import TYPES, Facts
from grammask.frontends.json_schema.references import References

__all__ = ["AT_ONCE", "Postponed"]

AT_ONCE = 16  # arrays and objects that are spelled without waiting, those near the root first
MAX_LOOKS = 20_000  # schemas that are looked at in one compile
MAX_REFERENCES = 20  # one behind another
MAX_NAMES = 256  # of one object, or in one enum
MAX_LENGTH = 1 << 20  # of a string
MAX_COUNT = 256  # of items
MAX_BRANCHES = 4  # of anyOf
MAX_NUMBER = 10**15
READY_FORMATS = frozenset({"date", "date-time", "duration", "ipv4", "ipv6", "time", "uri", "uri-reference", "uuid"})

Schema = dict[str, Any]
Found = tuple[list[Schema], list[Schema]]  # the schemas that one leads to, and those of them without a value of which it has none


class Postponed:
    """What is known of the schemas of one compile. Belongs to one thread at a time."""

    def __init__(self, references: References) -> None:
        options, root = references.options, references.root
        self.resource, self.root, self.draft = root.resource, root.value, root.resource.draft
        self.has_ready_formats = options.formats == "annotation" or not options.custom_formats
        self.is_off = options.property_order != "schema" or options.repeated_names != "allow" or self.resource.base is not None
        self.known: dict[int, bool] = {}  # by id of the schema, which the references keep alive
        self.n_looks = 0

    def may_wait(self, facts: Facts) -> bool:
        """Whether what these facts say is harmless: that of their schema, and of all schemas it leads to."""
        place = facts.subschema
        if self.is_off or place.facts is not facts or place.resource is not self.resource or type(place.value) is not dict:
            return False
        if id(place.value) not in self.known:
            self._look(place.value)
        return self.known.get(id(place.value), False)

    def _look(self, start: Schema) -> None:
        """Find out about a schema and all that it leads to."""
        callers: dict[int, list[int]] = {}
        needs: dict[int, list[int]] = {}
        harmful: list[int] = []
        todo = [start]
        while todo:
            schema = todo.pop()
            name = id(schema)
            if name in self.known:
                continue
            self.known[name] = True
            self.n_looks += 1
            found = self._inside(schema) if self.n_looks < MAX_LOOKS else None
            if found is None:
                harmful.append(name)
                continue
            for inner in found[0]:
                callers.setdefault(id(inner), []).append(name)
                if self.known.get(id(inner)) is False:
                    harmful.append(name)
            todo += found[0]
            if found[1]:
                needs[name] = list(map(id, found[1]))
        self._spread(harmful + _without_end(needs), callers)

    def _spread(self, harmful: list[int], callers: dict[int, list[int]]) -> None:
        """What leads to a schema that is not harmless is not harmless."""
        while harmful:
            name = harmful.pop()
            self.known[name] = False
            harmful += callers.pop(name, ())

    def _inside(self, schema: Schema) -> Found | None:
        """What a schema leads to; None if it says something that is not listed here."""
        draft = self.draft
        if draft.id_keyword in schema or ("$schema" in schema and schema is not self.root):
            return None
        if "$ref" in schema:
            return self._referred(schema)
        if draft.beyond_type.isdisjoint(schema):
            return ([], []) if "type" not in schema or _is_type(schema["type"]) else None
        found: Found = ([], [])
        for keyword, value in schema.items():
            if draft.table.get(keyword) is not None:
                look = _LOOKS.get(keyword)
                if look is None or not look(self, schema, value, found):
                    return None
        return found

    def _referred(self, schema: Schema) -> Found | None:
        """The schema behind a reference, if nothing counts beside it."""
        target = self.referred(schema)
        return None if target is None else ([target], [target])

    def referred(self, schema: Schema) -> Schema | None:
        """The schema itself, or what it refers to if it says nothing else, however often; None if that is not known."""
        for _ in range(MAX_REFERENCES):
            if "$ref" not in schema:
                return schema
            target = self._target(schema["$ref"])
            if type(target) is not dict or not (self.draft.overriding_ref or _says_only(self, schema, "$ref")):
                return None
            schema = target
        return None

    def _target(self, reference: Any) -> Any:
        """What stands at `#/$defs/name` or `#/definitions/name`, if the reference is one of these and nothing in it is escaped."""
        if type(reference) is not str or "~" in reference or "%" in reference:
            return None
        steps = reference.split("/")
        if len(steps) != 3 or steps[0] != "#" or steps[1] not in ("$defs", "definitions"):
            return None
        definitions = self.root.get(steps[1])
        return definitions.get(steps[2]) if type(definitions) is dict and self.draft.id_keyword not in definitions else None

    def lead_to(self, schemas: Iterable[Any], found: Found) -> bool:
        """Note schemas that are led to; False if one of them is `false` or no schema."""
        for schema in schemas:
            if type(schema) is dict:
                found[0].append(schema)
            elif schema is not True:
                return False
        return True


def _without_end(needs: dict[int, list[int]]) -> list[int]:
    """The schemas that need a value of one another, in a circle or before one."""
    users: dict[int, list[int]] = {}
    left = {name: sum(needed in needs for needed in needed_ones) for name, needed_ones in needs.items()}
    for name, needed_ones in needs.items():
        for needed in needed_ones:
            users.setdefault(needed, []).append(name)
    ready = [name for name, number in left.items() if not number]
    for name in ready:  # grows while it is read
        for user in users.get(name, ()):
            left[user] -= 1
            if not left[user]:
                ready.append(user)
    return [name for name, number in left.items() if number]


# ---- one function for each keyword: whether a schema says this in a harmless form -------------------------------------
def _is_type(value: Any) -> bool:
    if type(value) is list:
        return bool(value) and all(type(name) is str and name in TYPES for name in value)
    return type(value) is str and value in TYPES


def _type(_: Postponed, __: Schema, value: Any, ___: Found) -> bool:
    return _is_type(value)


def _properties(postponed: Postponed, _: Schema, value: Any, found: Found) -> bool:
    return type(value) is dict and _are_plain(value) and postponed.lead_to(value.values(), found)


def _additional(postponed: Postponed, _: Schema, value: Any, found: Found) -> bool:
    return value is False or postponed.lead_to((value,), found)


def _items(postponed: Postponed, _: Schema, value: Any, found: Found) -> bool:
    return postponed.lead_to((value,), found)


def _required(_: Postponed, schema: Schema, value: Any, found: Found) -> bool:
    """Members that are required need a value; those that are not declared are what additionalProperties says."""
    if type(value) is not list or not all(type(name) is str for name in value) or not _are_plain(value):
        return False
    declared, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in value if type(declared) is dict else ():
        inner = declared.get(name, others)
        if inner is False:
            return False
        if type(inner) is dict:
            found[1].append(inner)
    return True


def _counts(_: Postponed, schema: Schema, __: Any, found: Found) -> bool:
    """Bounds of the number of items that leave some; where there must be one, it needs a value."""
    least, most = schema.get("minItems", 0), schema.get("maxItems", MAX_COUNT)
    inner = schema.get("items")
    if least != 0 and type(inner) is dict:
        found[1].append(inner)
    return type(least) is int and type(most) is int and 0 <= least <= most <= MAX_COUNT


def _any_of(postponed: Postponed, schema: Schema, value: Any, found: Found) -> bool:
    """A few branches, none of which has branches itself."""
    if type(value) is not list or not 0 < len(value) <= MAX_BRANCHES or not _says_only(postponed, schema, "anyOf"):
        return False
    branches = [postponed.referred(branch) if type(branch) is dict else None for branch in value]
    found[1].extend(branch for branch in branches if branch is not None)
    return postponed.lead_to(value, found) and all(branch is not None and "anyOf" not in branch and "oneOf" not in branch for branch in branches)


def _one_of(postponed: Postponed, schema: Schema, value: Any, _: Found) -> bool:
    """Whole types, no two of which have a value in common."""
    if type(value) is not list or not value or not _says_only(postponed, schema, "oneOf"):
        return False
    masks = [_whole_type(postponed, branch) for branch in value]
    return all(masks) and sum(masks) == reduce(or_, masks)


def _whole_type(postponed: Postponed, branch: Any) -> int:
    """The type of which a schema allows all values and no others; 0 if it is none such."""
    if type(branch) is not dict or postponed.draft.id_keyword in branch or not postponed.draft.beyond_type.isdisjoint(branch):
        return 0
    name = branch.get("type")
    return TYPES.get(name, 0) if type(name) is str else 0


def _enum(postponed: Postponed, schema: Schema, value: Any, _: Found) -> bool:
    """Strings, of which no other keyword says more."""
    if type(value) is not list or not value or not all(type(text) is str for text in value) or not _are_plain(value):
        return False
    named = schema.get("type", "string")
    return (named == "string" or (type(named) is list and "string" in named)) and _says_only(postponed, schema, "enum", "type")


def _length(postponed: Postponed, schema: Schema, _: Any, __: Found) -> bool:
    """Bounds of the length of strings that leave some."""
    least, most = schema.get("minLength", 0), schema.get("maxLength", MAX_LENGTH)
    is_plain = type(least) is int and type(most) is int and 0 <= least <= most <= MAX_LENGTH
    return is_plain and schema.get("type") == "string" and _says_only(postponed, schema, "minLength", "maxLength", "type")


def _bound(postponed: Postponed, schema: Schema, _: Any, __: Found) -> bool:
    """Whole bounds of numbers that leave some."""
    least, most = schema.get("minimum", -MAX_NUMBER), schema.get("maximum", MAX_NUMBER)
    is_plain = type(least) is int and type(most) is int and -MAX_NUMBER <= least <= most <= MAX_NUMBER
    return is_plain and schema.get("type") in ("integer", "number") and _says_only(postponed, schema, "minimum", "maximum", "type")


def _format(postponed: Postponed, schema: Schema, value: Any, _: Found) -> bool:
    """A format of strings of which the automaton is there."""
    is_ready = type(value) is str and value in READY_FORMATS and postponed.has_ready_formats
    return is_ready and schema.get("type") == "string" and _says_only(postponed, schema, "format", "type")


def _are_plain(names: dict[str, Any] | list[str]) -> bool:
    """Whether these are not many, and all ASCII."""
    return len(names) <= MAX_NAMES and "".join(names).isascii()


def _says_only(postponed: Postponed, schema: Schema, *keywords: str) -> bool:
    """Whether no other keyword of a schema asserts anything."""
    table = postponed.draft.table
    return all(keyword in keywords for keyword in schema if table.get(keyword) is not None)


_LOOKS: dict[str, Callable[[Postponed, Schema, Any, Found], bool]] = {
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "required": _required,
    "items": _items,
    "minItems": _counts,
    "maxItems": _counts,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "enum": _enum,
    "minLength": _length,
    "maxLength": _length,
    "minimum": _bound,
    "maximum": _bound,
    "format": _format,
}
