"""Negation by brute force: `not`, `oneOf`, `if`, contains and uniqueItems against another validator, on all values of a small space."""

from __future__ import annotations

import json
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import jsonschema
import pytest

from grammask.errors import EmptyLanguageError, UnsupportedFeatureError
from grammask.frontends.json_schema import JsonSchemaOptions, json_schema
from grammask.grammar.expression import NOTHING

from .oracle import accepts

SCALARS: list[Any] = [None, True, False, 0, 1, 2, 3, 6, -4, 1.5, 0.25, "", "a", "b", "ab", "ba", "abc"]
SMALL: list[Any] = [None, False, 1, 2, "a"]
ARRAYS: list[Any] = [list(items) for length in range(4) for items in product(SMALL, repeat=length)]
OBJECTS: list[Any] = [
    dict(zip(names, values, strict=True))
    for length in range(4)
    for names in combinations("abc", length)
    for values in product([1, "a"], repeat=length)
]  # fmt: skip
VALUES = SCALARS + ARRAYS + OBJECTS

SCHEMAS: list[Any] = [
    {"type": "integer"},
    {"type": ["number", "object"]},
    {"enum": [1, "a", None, True]},
    {"const": 1.5},
    {"const": []},
    {"const": [1, "a"]},
    {"const": {}},
    {"const": {"a": 1, "b": "a"}},
    {"enum": [[1], [2, 1], {"a": 1}, {"b": 1}]},
    {"type": "boolean", "enum": [True, 1]},
    {"minimum": 1, "exclusiveMaximum": 3},
    {"multipleOf": 2},
    {"multipleOf": 0.5, "minimum": 0},
    {"type": "integer", "multipleOf": 3},
    {"minLength": 1, "maxLength": 2},
    {"pattern": "^a"},
    {"type": "string", "pattern": "b"},
    {"format": "uuid"},
    {"minItems": 1, "maxItems": 2},
    {"items": {"type": "integer"}},
    {"prefixItems": [{"type": "integer"}, {"const": "a"}], "items": {"enum": [1, False]}},
    {"prefixItems": [{}, {}], "items": False},
    {"contains": {"type": "integer"}},
    {"contains": {"const": 1}, "minContains": 2, "maxContains": 2},
    {"contains": {"type": "integer"}, "minContains": 0, "maxContains": 1},
    {"required": ["a", "b"]},
    {"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
    {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"], "additionalProperties": False},
    {"minProperties": 1, "properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": False},
    {"propertyNames": {"pattern": "^[ab]$"}},
    {"propertyNames": {"enum": ["a", "c"]}},
    {"patternProperties": {"^a": False}},
    {"properties": {"b": {}}, "patternProperties": {"^a": {}}, "additionalProperties": False},
    {"additionalProperties": {"type": "integer"}},
    {"properties": {"a": {}}, "patternProperties": {"^[ab]": {"type": "integer"}}, "additionalProperties": {"type": "string"}},
    {"dependentRequired": {"a": ["b"]}},
    {"anyOf": [{"type": "string"}, {"minimum": 2}, {"required": ["a"]}]},
    {"allOf": [{"type": "object"}, {"required": ["a"]}]},
    {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
    {"oneOf": [{"required": ["a"]}, {"required": ["b"]}, {"required": ["c"]}]},
    {"oneOf": [{"maxItems": 1}, {"items": {"type": "integer"}}]},
    {"oneOf": [{}, {"type": "string"}]},
    {"not": {"type": "string"}},
    {"not": {"not": {"minimum": 2}}},
    {"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": ["number", "array"]}},
    {"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}},
    {"if": {"minimum": 2}, "else": {"type": "object"}},
    {"$ref": "#/$defs/n", "$defs": {"n": {"items": {"$ref": "#/$defs/n"}, "type": ["integer", "array"]}}},
]
UNIQUE: list[Any] = [
    {"items": {"enum": [1, 2, "a"]}, "uniqueItems": True},
    {"items": {"type": ["boolean", "null"]}, "uniqueItems": True, "type": "array"},
    {"items": {"type": "integer", "minimum": 1, "maximum": 2}, "uniqueItems": True, "minItems": 2},
    {"prefixItems": [{"const": 1}], "items": {"enum": [1, 2, "a"]}, "uniqueItems": True, "contains": {"const": 2}},
    {"uniqueItems": True, "maxItems": 1},
]


def agrees(schema: Any) -> None:
    """Compare both verdicts on every value."""
    validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
    try:
        expression = json_schema(schema).expression
    except EmptyLanguageError:
        assert [value for value in VALUES if validator.is_valid(value)] == []
        return
    wrong = [value for value in VALUES if in_some_order(expression, value) != validator.is_valid(value)]
    assert wrong == []


def in_some_order(expression: Any, value: Any) -> bool:
    orders = [dict(members) for members in permutations(value.items())] if isinstance(value, dict) else [value]
    return any(accepts(expression, json.dumps(order)) for order in orders)


@pytest.mark.parametrize("schema", SCHEMAS + UNIQUE, ids=json.dumps)
def test_a_schema_allows_what_is_valid(schema: Any) -> None:
    """The schemas negated below, and those that must remember items, are exact themselves."""
    agrees(schema)


@pytest.mark.parametrize("schema", [schema for schema in SCHEMAS if "properties" in json.dumps(schema).lower() or "required" in schema], ids=json.dumps)
@pytest.mark.parametrize("is_negated", [False, True], ids=["itself", "negated"])
def test_in_any_order_every_order_is_allowed(schema: Any, is_negated: bool) -> None:
    """With property_order "any", members of what is valid may come in each of their orders, and of what is invalid in none."""
    asked = {"$defs": schema.get("$defs", {}), "not": schema} if is_negated else schema
    try:
        expression = json_schema(asked, JsonSchemaOptions(property_order="any")).expression
    except UnsupportedFeatureError as refusal:
        pytest.skip(f"refused: {refusal}")
    except EmptyLanguageError:
        expression = NOTHING
    validator = jsonschema.Draft202012Validator(asked)
    for value in OBJECTS:
        orders = [dict(members) for members in permutations(value.items())]
        assert {accepts(expression, json.dumps(order)) for order in orders} == {validator.is_valid(value)}, value


@pytest.mark.parametrize("schema", SCHEMAS, ids=json.dumps)
def test_a_negated_schema_allows_what_is_invalid(schema: Any) -> None:
    """`not` is the exact complement."""
    agrees({"$defs": schema.get("$defs", {}), "not": schema})


@pytest.mark.parametrize("one", SCHEMAS[::3], ids=json.dumps)
@pytest.mark.parametrize("other", SCHEMAS[1::9], ids=json.dumps)
def test_exactly_one_of_two_schemas_holds(one: Any, other: Any) -> None:
    """oneOf is exact for branches that overlap in any way."""
    agrees({"$defs": one.get("$defs", {}) | other.get("$defs", {}), "oneOf": [one, other]})


def test_conditions_choose_by_a_member() -> None:
    """A row of conditions on one member, as in tagged unions written with `if`, stays small."""
    kinds = [{"if": {"properties": {"kind": {"const": f"k{i}"}}}, "then": {"required": [f"m{i}"]}} for i in range(12)]
    schema = {"type": "object", "properties": {"kind": {"enum": [f"k{i}" for i in range(12)]}}, "required": ["kind"], "allOf": kinds}
    expression = json_schema(schema).expression
    assert accepts(expression, '{"kind":"k3","m3":1}')
    assert not accepts(expression, '{"kind":"k3","m4":1}')


def test_names_that_some_member_must_have_are_asked_for_once() -> None:
    """Members that are not declared meet negated patterns in any order, one of them or several."""
    expression = json_schema({"type": "object", "allOf": [{"not": {"patternProperties": {name: False}}} for name in ("x", "y")]}).expression
    for text in ('{"x":1,"y":2}', '{"y":1,"a":3,"x":2}', '{"xy":1}', '{"a":1,"xy":1,"b":2}'):
        assert accepts(expression, text), text
    for text in ("{}", '{"x":1}', '{"a":1,"y":2}'):
        assert not accepts(expression, text), text


def test_a_member_that_breaks_a_keyword_is_the_last_of_its_name() -> None:
    """Whoever reads an object twice with one name takes the last value: that one must break what is negated."""
    expression = json_schema({"type": "object", "not": {"additionalProperties": {"type": "integer"}}}).expression
    assert accepts(expression, '{"a":1,"b":"x"}')
    assert not accepts(expression, '{"b":"x","b":1}')


def test_a_negated_integer_of_draft_4_is_no_whole_number() -> None:
    """What a reader of draft 4 may take for an integer is left out."""
    expression = json_schema({"not": {"type": "integer"}}, JsonSchemaOptions(draft="4")).expression
    assert accepts(expression, "1.5")
    assert not accepts(expression, "1")
    assert not accepts(expression, "1.0")


def test_items_whose_number_of_values_is_not_known_are_not_told_apart() -> None:
    """uniqueItems over values that may run out, nobody knows when, is refused by name."""
    with pytest.raises(UnsupportedFeatureError, match="uniqueItems"):
        json_schema({"type": "array", "items": {"type": "number", "minimum": 0, "maximum": 0.5}, "uniqueItems": True})


@pytest.mark.parametrize("is_required", [True, False], ids=["required", "optional"])
def test_many_conditions_on_one_member_exclude_each_other(is_required: bool) -> None:
    """Thirty conditions, each on another value of one member, are thirty alternatives and not two to the thirtieth."""
    conditions = [
        {
            "if": {"properties": {"kind": {"const": f"k{number}"}}, "required": ["kind"] if is_required else []},
            "then": {"properties": {"extra": {"const": number}}, "required": ["extra"]},
        }
        for number in range(30)
    ]
    schema = {"type": "object", "properties": {"kind": {"type": "string"}}, "additionalProperties": {"type": "integer"}, "allOf": conditions}
    expression = json_schema(schema).expression
    validator = jsonschema.Draft202012Validator(schema)
    for value in ({"kind": "k7", "extra": 7}, {"kind": "k7", "extra": 8}, {"kind": "k29"}, {"kind": "other"}, {"extra": 3}, {}):
        assert accepts(expression, json.dumps(value)) is validator.is_valid(value), value


def branch_of(rng: Random) -> dict[str, Any]:
    """One way to be an object over the names a, b and c, as branches of oneOf are written."""
    values: list[Any] = [True, False, {"type": "integer"}, {"type": "string"}, {"const": 1}, {"enum": ["a", 2]}, {"not": {"const": "a"}}]
    names = rng.sample("abc", rng.randrange(4))
    branch: dict[str, Any] = {"properties": {name: rng.choice(values) for name in names}, "required": [name for name in "abc" if rng.random() < 0.3]}
    if rng.random() < 0.4:
        branch["additionalProperties"] = rng.choice([False, False, {"type": "integer"}])
    if rng.random() < 0.3:
        branch["patternProperties"] = {rng.choice(["^a$", "^[ab]$", "[bc]"]): rng.choice(values)}
    if rng.random() < 0.15:
        branch[rng.choice(["maxProperties", "minProperties"])] = rng.randrange(1, 3)
    return branch if rng.random() < 0.85 else {"anyOf": [branch, branch_of(rng)]}


@pytest.mark.parametrize("seed", range(160))
def test_several_overlapping_objects_exclude_each_other(seed: int) -> None:
    """oneOf, `not` of anyOf and `if` over three to five object schemas that overlap in any way are exact."""
    rng = Random(seed)
    branches = [branch_of(rng) for _ in range(rng.randrange(3, 6))]
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": False}
    if rng.random() < 0.3:
        schema = {"type": "object", "patternProperties": {"^[abc]$": {}}, "additionalProperties": False}
    schema |= rng.choice([{"oneOf": branches}, {"oneOf": branches}, {"not": {"anyOf": branches}}, {"not": {"oneOf": branches}},
                          {"if": branches[0], "then": {"oneOf": branches[1:]}, "else": {"not": branches[-1]}}])  # fmt: skip
    try:
        agrees(schema)
    except UnsupportedFeatureError as refusal:
        pytest.skip(f"refused: {refusal}")


NAMES = ["a", "b", "ab", "c", "abc"]
OPEN_OBJECTS: list[Any] = [
    dict(zip(names, values, strict=True)) for n in range(3) for names in combinations(NAMES, n) for values in product([1, "a"], repeat=n)
] + [{"a": 1, "b": 1, "c": 1}, {"c": "a", "ab": 1, "b": 1}, {"abc": "a", "a": "a", "c": 1}]  # fmt: skip


def demanding(rng: Random) -> dict[str, Any]:
    """An object of which several negations demand that some member has a name, and perhaps a value, of some kind."""
    some: list[Any] = [{"pattern": "a"}, {"pattern": "b"}, {"pattern": "c$"}, {"enum": ["a", "c"]}, {"enum": ["b", "ab"]}, {"pattern": "^(a|bc?)$"}]
    demands: list[dict[str, Any]] = [{"propertyNames": {"not": rng.choice(some)}} for _ in range(rng.randrange(4))]
    demands += [{"patternProperties": {rng.choice(["a", "b$", "^(a|c)$"]): rng.choice([False, {"type": "integer"}])}} for _ in range(rng.randrange(2))]
    demands += [{"properties": {rng.choice(NAMES): {}, rng.choice(NAMES): True}, "additionalProperties": rng.choice([False, {"type": "string"}])}]
    schema: dict[str, Any] = {"type": "object", "not": {"anyOf": rng.sample(demands, rng.randrange(1, len(demands) + 1))}}
    if rng.random() < 0.5:
        schema["properties"] = {rng.choice(NAMES): rng.choice([{}, {"type": "integer"}])}
    if rng.random() < 0.3:
        schema["required"] = [rng.choice(NAMES)]
    if rng.random() < 0.3:
        schema |= {"patternProperties": {rng.choice(["a", "^[abc]$", "b"]): {}}, "additionalProperties": False}
    if rng.random() < 0.4:
        schema["maxProperties"] = rng.randrange(1, 4)
    return schema


@pytest.mark.parametrize("seed", range(40))
def test_members_meet_what_negations_demand_of_names(seed: int) -> None:
    """Demands on names and values of members, declared or not, few or many, together with bounds on the number of members, are exact."""
    schema = demanding(Random(seed))
    validator = jsonschema.Draft202012Validator(schema)
    for order in ("schema", "any"):
        try:
            expression = json_schema(schema, JsonSchemaOptions(property_order=order)).expression  # type: ignore[arg-type]
        except UnsupportedFeatureError as refusal:
            pytest.skip(f"refused: {refusal}")
        except EmptyLanguageError:
            expression = NOTHING
        for value in OPEN_OBJECTS:
            found = {accepts(expression, json.dumps(dict(members))) for members in permutations(value.items())}
            assert True in found if validator.is_valid(value) and order == "schema" else found == {validator.is_valid(value)}, (order, value)


def test_many_kinds_told_apart_by_an_optional_member_are_few_alternatives() -> None:
    """Thirty objects of which exactly one must hold, each with its kind, which need not be there, and with members of its own."""
    kinds = [
        {"properties": {"kind": {"const": f"k{number}"}, "text": {"type": "string"}, f"own{number}": {"type": "integer"}}, "additionalProperties": False}
        for number in range(30)
    ]
    schema = {"type": "object", "oneOf": kinds}
    expression = json_schema(schema).expression
    validator = jsonschema.Draft202012Validator(schema)
    for value in ({"kind": "k7", "text": ""}, {"kind": "k7", "own7": 1}, {"kind": "k7", "own8": 1}, {"own9": 1}, {"text": ""}, {}, {"text": 1}):
        assert accepts(expression, json.dumps(value)) is validator.is_valid(value), value


def test_what_stands_beside_a_oneof_keeps_it_small() -> None:
    """Kinds that need not be told by the branches, but are asked for beside the reference to them."""
    kinds = [{"properties": {"kind": {"const": f"k{n}"}, "own": {"properties": {f"p{n}": {"type": "integer"}}, "required": [f"p{n}"]}}} for n in range(40)]
    schema = {"type": "object", "required": ["kind"], "properties": {"name": {"type": "string"}}, "allOf": [{"$ref": "#/$defs/kinds"}]}
    schema |= {"$defs": {"kinds": {"oneOf": kinds}}}
    expression = json_schema(schema).expression
    validator = jsonschema.Draft202012Validator(schema)
    for value in ({"kind": "k7", "own": {"p7": 1}}, {"kind": "k7", "own": {"p8": 1}}, {"kind": "k39"}, {"kind": "k40"}, {"own": {"p7": 1}}, {}):
        assert accepts(expression, json.dumps(value)) is validator.is_valid(value), value


def test_objects_of_no_kind_at_all_are_few_alternatives() -> None:
    """An item that is none of ten kinds of objects, each with several members of its own, is described kind by kind."""
    kinds = [
        {
            "type": "object",
            "properties": {"kind": {"enum": [f"k{n}"]}, "label": {"type": "string"}} | {f"p{n}{m}": {"type": "integer"} for m in range(5)},
            "required": ["kind", "label"],
            "additionalProperties": False,
        }
        for n in range(10)
    ]
    schema = {"not": {"oneOf": kinds}}
    expression = json_schema(schema).expression
    validator = jsonschema.Draft202012Validator(schema)
    fine = {"kind": "k7", "label": "", "p70": 1}
    for value in (fine, fine | {"p71": "a"}, fine | {"p80": 1}, fine | {"kind": "k8"}, fine | {"kind": 1}, {"kind": "k7"}, {"label": ""}, {}, 5):
        assert in_some_order(expression, value) is validator.is_valid(value), value


def test_values_excluded_one_by_one_are_excluded_together() -> None:
    """A number that is none of twenty values, each excluded by a schema of its own, is not two to the twentieth alternatives."""
    schema = {"properties": {"a": {"allOf": [{"not": {"enum": [n, f"n{n}"]}} for n in range(20)]}}, "required": ["a"], "type": "object"}
    other = {"type": "object", "oneOf": [{"properties": {"a": {"const": n}, "b": {"const": n}}, "required": ["a"]} for n in range(10)]}
    for asked in (schema, {"type": "object", "not": other}):
        expression = json_schema(asked).expression
        validator = jsonschema.Draft202012Validator(asked)
        for value in ({"a": 3}, {"a": 3, "b": 3}, {"a": 3, "b": 4}, {"a": 20}, {"a": 2.5}, {"a": "n3"}, {"a": "n20"}, {"b": 3}, {"a": None}):
            assert in_some_order(expression, value) is validator.is_valid(value), value
