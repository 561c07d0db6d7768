"""What each keyword says: one small function per keyword, named and spelled as in the specification.

Rule: a function notes what its keyword says in the `Facts` of its schema and looks at nothing but that schema object; it raises
SchemaError if the keyword's value is not what the specification allows. Which draft has which function is in `dialects`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn

from grammask.errors import SchemaError
from grammask.frontends.json_schema.values import ALL, ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, OBJECT, STRING, equality_key, is_number

if TYPE_CHECKING:
    from grammask.frontends.json_schema.references import References, Subschema

TYPES = {"null": NULL, "boolean": BOOLEAN, "integer": INTEGER, "number": NUMBER, "string": STRING, "array": ARRAY, "object": OBJECT}

# Applicators that look at the same value: unevaluated* takes into account what they evaluate.
IN_PLACE = frozenset({"$dynamicRef", "$recursiveRef", "$ref", "allOf", "anyOf", "dependencies", "dependentSchemas", "if", "oneOf"})
UNEVALUATED = frozenset({"unevaluatedItems", "unevaluatedProperties"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """A keyword that shapes cannot express. types: the values it says something about; only if such are possible does it matter."""

    types: int
    keyword: str
    reason: str


@dataclass(frozen=True, slots=True)
class Group:
    """Branches of which at least one must hold ("anyOf"), exactly one ("oneOf"), not the one there is ("not"), or by the first ("if").

    "unevaluatedProperties" and "unevaluatedItems" have one: the schema of the parts that nothing else evaluates.
    """

    keyword: str
    branches: tuple[Subschema, ...]


@dataclass(frozen=True, slots=True)
class Contains:
    """From the item at `start` on, the schema holds for at least `least` and at most `most` items (None: no bound)."""

    start: int
    schema: Subschema
    least: int
    most: int | None


class Facts:
    """What one schema object says by itself, references and branches apart. Absent keywords leave the defaults of the class.

    types: the types it allows; constrained: those of which it says more.  literals: enum and const.
    low, high: bounds of numbers, with low_open and high_open if they are exclusive; multiples: of multipleOf.
    languages: (keyword, text) of pattern and format, and of "custom format" the pattern.
    prefix, items: the schemas of an array's items, `items` for those after the prefix.
    properties, patterns, additional, names, required: of objects.  also: schemas that must hold too (allOf, $ref); groups: one of several.
    For unevaluated*: evaluates, the types all of whose parts are evaluated, though it does not show elsewhere; contained, the schema that
    evaluates items by `contains`; condition, an `if` without then and else; looks_around, whether groups has an unevaluated*.
    What no keyword says, but what is left when one does not hold: not_multiples, excluded (strings), languages called "not pattern" and
    "not format", some_names (schemas of names, each of which the name of some member obeys), some_member (schemas of the name and of the
    value of some member; for a negated keyword, which is named third).
    """

    types = ALL
    constrained = 0
    literals: list[Any] | None = None
    low: int | Decimal | None = None
    high: int | Decimal | None = None
    low_open = high_open = False
    multiples: tuple[int | Decimal, ...] = ()
    not_multiples: tuple[int | Decimal, ...] = ()
    min_length = 0
    max_length: int | None = None
    languages: tuple[tuple[str, str], ...] = ()
    excluded: frozenset[str] = frozenset()
    prefix: tuple[Subschema, ...] = ()
    items: Subschema | None = None
    min_items = 0
    max_items: int | None = None
    unique = False
    contains: tuple[Contains, ...] = ()
    properties: dict[str, Subschema] = {}  # noqa: RUF012 (a default that is replaced, never changed)
    patterns: tuple[tuple[str, Subschema], ...] = ()
    additional: Subschema | None = None
    names: Subschema | None = None
    some_names: tuple[Subschema, ...] = ()
    some_member: tuple[Subschema, Subschema, str] | None = None
    required: tuple[str, ...] = ()
    min_properties = 0
    max_properties: int | None = None
    also: tuple[Subschema, ...] = ()
    groups: tuple[Group, ...] = ()
    evaluates = 0
    contained: Subschema | None = None
    condition: Subschema | None = None
    looks_around = False
    refusals: tuple[Refusal, ...] = ()

    def __init__(self, subschema: Subschema) -> None:
        self.subschema = subschema

    def is_plain(self, bit: int) -> bool:
        """Whether something is said about this type, and nothing that lists values or cannot be expressed."""
        return bool(self.constrained & bit) and self.literals is None and not self.refusals


def read_facts(subschema: Subschema, references: References) -> Facts:
    """Read the keywords of one schema. Raises SchemaError for a keyword whose value the specification does not allow."""
    facts = subschema.facts = Facts(subschema)
    schema = subschema.value
    if type(schema) is bool:
        if not schema:
            facts.types = 0
        return facts
    draft = subschema.resource.draft
    if draft.overriding_ref and "$ref" in schema:
        ref(facts, schema["$ref"], subschema, references)
        return facts
    table = draft.table
    for keyword, value in schema.items():
        read = table.get(keyword)
        if read is not None:
            read(facts, value, subschema, references)
    return facts


def _malformed(subschema: Subschema, keyword: str, rule: str, hint: str = "") -> NoReturn:
    raise SchemaError(f"{keyword} must be {rule}", f"{subschema.pointer}/{keyword}", hint)


def _count(value: Any, subschema: Subschema, keyword: str) -> int:
    if type(value) is not int:
        if type(value) is not Decimal or value != value.to_integral_value() or value.adjusted() > 18:
            _malformed(subschema, keyword, "a non-negative integer")
        value = int(value)
    if value < 0:
        _malformed(subschema, keyword, "a non-negative integer")
    return int(value)


def _schemas(value: Any, subschema: Subschema, keyword: str, references: References) -> tuple[Subschema, ...]:
    if type(value) is not list or not value:
        _malformed(subschema, keyword, "a list of at least one schema")
    return tuple(references.child(subschema, (keyword, index), schema) for index, schema in enumerate(value))


def _schema_map(value: Any, subschema: Subschema, keyword: str, references: References) -> dict[str, Subschema]:
    if type(value) is not dict:
        _malformed(subschema, keyword, "an object of schemas")
    return references.children(subschema, keyword, value)


def _names(value: Any, subschema: Subschema, keyword: str, hint: str = "") -> tuple[str, ...]:
    if type(value) is not list or not all(type(name) is str for name in value):
        _malformed(subschema, keyword, "a list of property names", hint)
    return tuple(dict.fromkeys(value))


# ---- any type -------------------------------------------------------------------------------------------------------
def type_(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:
    """`type`: the name of a type, or a list of names."""
    mask = TYPES.get(value, 0) if type(value) is str else 0
    if type(value) is list and value:
        for name in value:
            bits = TYPES.get(name, 0) if type(name) is str else 0
            if not bits:
                mask = 0
                break
            mask |= bits
    if not mask:
        _malformed(subschema, "type", f"one of {', '.join(TYPES)}, or a list of them")
    facts.types &= mask


def enum(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:
    """`enum`: a list of allowed values."""
    if type(value) is not list:
        _malformed(subschema, "enum", "a list of values")
    _allow(facts, value)


def const(facts: Facts, value: Any, _: Subschema, __: References) -> None:
    """`const`: the one allowed value."""
    _allow(facts, [value])


def _allow(facts: Facts, values: list[Any]) -> None:
    if facts.literals is not None:
        kept = set(map(equality_key, facts.literals))
        values = [value for value in values if equality_key(value) in kept]
    facts.literals = values


# ---- numbers --------------------------------------------------------------------------------------------------------
def _number(value: Any, subschema: Subschema, keyword: str) -> int | Decimal:
    if not is_number(value):
        _malformed(subschema, keyword, "a number")
    number: int | Decimal = value or 0  # -0.0 is 0
    return number


def _at_least(facts: Facts, bound: int | Decimal, is_open: bool) -> None:
    facts.constrained |= NUMBER
    if facts.low is None or bound > facts.low or (bound == facts.low and is_open):
        facts.low, facts.low_open = bound, is_open


def _at_most(facts: Facts, bound: int | Decimal, is_open: bool) -> None:
    facts.constrained |= NUMBER
    if facts.high is None or bound < facts.high or (bound == facts.high and is_open):
        facts.high, facts.high_open = bound, is_open


def minimum(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:
    """`minimum`: an inclusive bound."""
    _at_least(facts, _number(value, subschema, "minimum"), is_open=False)


def maximum(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:
    """`maximum`: an inclusive bound."""
    _at_most(facts, _number(value, subschema, "maximum"), is_open=False)


def exclusiveMinimum(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`exclusiveMinimum` from draft 6 on: a bound."""
    hint = "true and false are the spelling of draft 4: name it by $schema" if type(value) is bool else ""
    if hint:
        _malformed(subschema, "exclusiveMinimum", "a number", hint)
    _at_least(facts, _number(value, subschema, "exclusiveMinimum"), is_open=True)


def exclusiveMaximum(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`exclusiveMaximum` from draft 6 on: a bound."""
    hint = "true and false are the spelling of draft 4: name it by $schema" if type(value) is bool else ""
    if hint:
        _malformed(subschema, "exclusiveMaximum", "a number", hint)
    _at_most(facts, _number(value, subschema, "exclusiveMaximum"), is_open=True)


def minimum_or_exclusive(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:
    """`minimum` of draft 4, which `exclusiveMinimum: true` makes exclusive."""
    _at_least(facts, _number(value, subschema, "minimum"), is_open=subschema.value.get("exclusiveMinimum") is True)


def maximum_or_exclusive(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:
    """`maximum` of draft 4, which `exclusiveMaximum: true` makes exclusive."""
    _at_most(facts, _number(value, subschema, "maximum"), is_open=subschema.value.get("exclusiveMaximum") is True)


def exclusive_flag(_: Facts, value: Any, subschema: Subschema, __: References) -> None:
    """`exclusiveMinimum` and `exclusiveMaximum` of draft 4: booleans, read together with the bounds."""
    if type(value) is not bool:
        keyword = "exclusiveMinimum" if value is subschema.value.get("exclusiveMinimum") else "exclusiveMaximum"
        _malformed(subschema, keyword, "true or false in draft 4", "a number there is the spelling of draft 6 and later")


def exclusive_flag_or_minimum(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`exclusiveMinimum` in a schema that names no draft: a bound, or the flag of draft 4."""
    if type(value) is not bool:
        exclusiveMinimum(facts, value, subschema, references)


def exclusive_flag_or_maximum(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`exclusiveMaximum` in a schema that names no draft: a bound, or the flag of draft 4."""
    if type(value) is not bool:
        exclusiveMaximum(facts, value, subschema, references)


def multipleOf(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`multipleOf`: a positive number."""
    if _number(value, subschema, "multipleOf") <= 0:
        _malformed(subschema, "multipleOf", "a number above 0")
    facts.constrained |= NUMBER
    facts.multiples += (value,)


# ---- strings --------------------------------------------------------------------------------------------------------
def minLength(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`minLength`: in characters."""
    facts.min_length = _count(value, subschema, "minLength")
    facts.constrained |= STRING


def maxLength(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`maxLength`: in characters."""
    facts.max_length = _count(value, subschema, "maxLength")
    facts.constrained |= STRING


def pattern(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:
    """`pattern`: a regular expression that must match somewhere in the string."""
    if type(value) is not str:
        _malformed(subschema, "pattern", "a regular expression in a string")
    facts.languages += (("pattern", value),)
    facts.constrained |= STRING


def format_(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`format`: asserted if the options say so and a draft, or the options, define that name; else it says nothing."""
    if type(value) is not str:
        _malformed(subschema, "format", "a string")
    custom = references.options.custom_formats
    if custom and value in custom and references.options.formats == "assert":
        facts.languages += (("custom format", f"^(?:{custom[value]})$"),)
        facts.constrained |= STRING
    elif references.options.formats == "assert":
        from grammask.frontends.json_schema.formats import RENAMED, is_defined

        if is_defined(value):
            facts.languages += (("format", RENAMED.get((subschema.resource.draft.name, value), value)),)
            facts.constrained |= STRING


# ---- arrays ---------------------------------------------------------------------------------------------------------
def prefixItems(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`prefixItems`: the schemas of the first items."""
    facts.prefix = _schemas(value, subschema, "prefixItems", references)
    facts.constrained |= ARRAY


def items(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`items` of draft 2020-12: the schema of all items after the prefix."""
    if type(value) is list:
        _malformed(subschema, "items", "a schema", "a list of schemas is called prefixItems in draft 2020-12")
    facts.items = references.child(subschema, ("items",), value)
    facts.constrained |= ARRAY


def items_or_prefix(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`items` of older drafts: the schema of all items, or a list with the schemas of the first."""
    facts.constrained |= ARRAY
    if type(value) is not list:
        facts.items = references.child(subschema, ("items",), value)
        return
    facts.prefix = tuple(references.child(subschema, ("items", index), schema) for index, schema in enumerate(value))
    if "additionalItems" in subschema.value:
        facts.items = references.child(subschema, ("additionalItems",), subschema.value["additionalItems"])


def additionalItems(_: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`additionalItems` of older drafts: the schema of items after those in a list under `items`, which reads it."""
    references.child(subschema, ("additionalItems",), value)


def minItems(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`minItems`."""
    facts.min_items = _count(value, subschema, "minItems")
    facts.constrained |= ARRAY


def maxItems(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`maxItems`."""
    facts.max_items = _count(value, subschema, "maxItems")
    facts.constrained |= ARRAY


def uniqueItems(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`uniqueItems`: true asks that no two items be equal."""
    if type(value) is not bool:
        _malformed(subschema, "uniqueItems", "true or false")
    if value:
        facts.unique = True
        facts.constrained |= ARRAY


def contains(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`contains`, with minContains and maxContains: how many items a schema must hold for."""
    schema = references.child(subschema, ("contains",), value)
    bounds: dict[str, int | None] = {"minContains": 1, "maxContains": None}
    for keyword in bounds if "minContains" in subschema.resource.draft.table else ():
        if keyword in subschema.value:
            bounds[keyword] = _count(subschema.value[keyword], subschema, keyword)
    least, most = bounds["minContains"] or 0, bounds["maxContains"]
    if subschema.resource.draft.contains_evaluates:
        facts.contained = schema
    if least or most is not None:
        facts.contains = (Contains(0, schema, least, most),)
        facts.constrained |= ARRAY


def unevaluatedItems(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`unevaluatedItems`: as `items` where no other applicator looks at the same array."""
    schema = subschema.value
    unevaluated = references.child(subschema, ("unevaluatedItems",), value)
    if value is True or ("items" in schema and (type(schema["items"]) is not list or "additionalItems" in schema)):
        facts.evaluates |= ARRAY
    elif "contains" in schema or not IN_PLACE.isdisjoint(schema):
        _look_around(facts, "unevaluatedItems", unevaluated)
    else:
        facts.items = unevaluated
        facts.constrained |= ARRAY


def _look_around(facts: Facts, keyword: str, unevaluated: Subschema) -> None:
    facts.looks_around = True
    facts.groups += (Group(keyword, (unevaluated,)),)


# ---- objects --------------------------------------------------------------------------------------------------------
def properties(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`properties`: the schemas of members by name."""
    facts.properties = _schema_map(value, subschema, "properties", references)
    facts.constrained |= OBJECT


def patternProperties(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`patternProperties`: the schemas of members whose name a pattern matches."""
    facts.patterns = tuple(_schema_map(value, subschema, "patternProperties", references).items())
    facts.constrained |= OBJECT


def additionalProperties(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`additionalProperties`: the schema of all other members."""
    facts.additional = references.child(subschema, ("additionalProperties",), value)
    facts.constrained |= OBJECT


def unevaluatedProperties(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`unevaluatedProperties`: as `additionalProperties` where no other applicator looks at the same object."""
    schema = subschema.value
    unevaluated = references.child(subschema, ("unevaluatedProperties",), value)
    if value is True or "additionalProperties" in schema:
        facts.evaluates |= OBJECT
    elif not IN_PLACE.isdisjoint(schema):
        _look_around(facts, "unevaluatedProperties", unevaluated)
    else:
        facts.additional = unevaluated
        facts.constrained |= OBJECT


def propertyNames(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`propertyNames`: a schema for the names of all members."""
    facts.names = references.child(subschema, ("propertyNames",), value)
    facts.constrained |= OBJECT


def required(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:
    """`required`: names of members that must be there."""
    hint = "list the names in the schema of the object" if type(value) is bool else ""
    facts.required = _names(value, subschema, "required", hint)
    if value:
        facts.constrained |= OBJECT


def minProperties(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`minProperties`."""
    facts.min_properties = _count(value, subschema, "minProperties")
    facts.constrained |= OBJECT


def maxProperties(facts: Facts, value: Any, subschema: Subschema, _: References) -> None:  # noqa: N802
    """`maxProperties`."""
    facts.max_properties = _count(value, subschema, "maxProperties")
    facts.constrained |= OBJECT


def dependentRequired(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`dependentRequired`: names that must be there if another one is."""
    if type(value) is not dict:
        _malformed(subschema, "dependentRequired", "an object of lists of names")
    for name, names in value.items():
        _depend(facts, subschema, ("dependentRequired", name), {"required": list(_names(names, subschema, "dependentRequired"))}, references)


def dependentSchemas(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`dependentSchemas`: schemas that must hold if a name is there."""
    for name, schema in _schema_map(value, subschema, "dependentSchemas", references).items():
        _depend(facts, subschema, ("dependentSchemas", name), schema, references)


def dependencies(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`dependencies` of older drafts: either of the two above, by the type of the value."""
    if type(value) is not dict:
        _malformed(subschema, "dependencies", "an object of lists of names and of schemas")
    for name, needed in value.items():
        key = ("dependencies", name)
        if type(needed) is list:
            _depend(facts, subschema, key, {"required": list(_names(needed, subschema, "dependencies"))}, references)
        else:
            _depend(facts, subschema, key, references.child(subschema, key, needed), references)


def _depend(facts: Facts, subschema: Subschema, key: tuple[str | int, ...], needed: Subschema | dict[str, Any], references: References) -> None:
    """Either the name is not there, or it is and what it needs holds: two branches that exclude each other."""
    name = key[-1]
    absent = references.invented(subschema, key, {"properties": {name: False}})
    if isinstance(needed, dict):
        present = references.invented(subschema, key, {"type": "object", "required": [name, *needed["required"]]})
    else:
        present = references.invented(subschema, key, {"type": "object", "required": [name], "allOf": [needed.value]})
    facts.groups += (Group("anyOf", (absent, present)),)


# ---- the same value once more ---------------------------------------------------------------------------------------
def ref(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`$ref`: the schema it names must hold too."""
    _refer(facts, "$ref", references.resolve(subschema, "$ref", value), value)


def _refer(facts: Facts, keyword: str, target: Subschema | None, value: Any) -> None:
    if target is None:
        way_out = "; install jsonschema-specifications, or give it in documents" if "://json-schema.org/" in value else ""
        facts.refusals += (Refusal(ALL, keyword, f"no document was given for {value!r}{way_out}"),)
    else:
        facts.also += (target,)


def dynamicRef(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`$dynamicRef`: as `$ref`, but to a `$dynamicAnchor` it leads to the outermost schema on the way here that has one of that name."""
    name = value.partition("#")[2] if type(value) is str else ""
    _refer(facts, "$dynamicRef", references.resolve_dynamic(subschema, "$dynamicRef", value, name or "#"), value)


def recursiveRef(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`$recursiveRef`: as `$ref`, but to a schema with `$recursiveAnchor` it leads to the outermost one on the way here."""
    _refer(facts, "$recursiveRef", references.resolve_dynamic(subschema, "$recursiveRef", value, ""), value)


def allOf(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`allOf`: all of the schemas must hold."""
    facts.also += _schemas(value, subschema, "allOf", references)


def anyOf(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`anyOf`: at least one of the schemas must hold."""
    facts.groups += (Group("anyOf", _schemas(value, subschema, "anyOf", references)),)


def oneOf(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:  # noqa: N802
    """`oneOf`: exactly one of the schemas must hold."""
    facts.groups += (Group("oneOf", _schemas(value, subschema, "oneOf", references)),)


def not_(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`not`: the schema must not hold."""
    negated = references.child(subschema, ("not",), value)
    if value is True or value == {}:
        facts.types = 0
    elif value is not False:
        facts.groups += (Group("not", (negated,)),)


def if_(facts: Facts, value: Any, subschema: Subschema, references: References) -> None:
    """`if`, with then and else: which of the two must hold."""
    condition = references.child(subschema, ("if",), value)
    if "then" in subschema.value or "else" in subschema.value:
        then, otherwise = (references.child(subschema, (keyword,), subschema.value.get(keyword, True)) for keyword in ("then", "else"))
        facts.groups += (Group("if", (condition, then, otherwise)),)
    else:
        facts.condition = condition
