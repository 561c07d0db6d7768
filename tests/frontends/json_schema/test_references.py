"""References: what they lead to, what they do not, and that nothing is fetched."""

from __future__ import annotations

import sys
from itertools import product
from typing import Any
from urllib.parse import urljoin

import pytest

from grammask.errors import SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema import JsonSchemaOptions, json_schema
from grammask.frontends.json_schema.options import JsonSchemaOptions as Options
from grammask.frontends.json_schema.references import References, _join
from grammask.grammar.expression import Ref

from .oracle import accepts

BASES = "http://h.x https://h.x:8/ http://h.x/a/b.json http://h.x?a=/b http://u@h.x/a http://[::1]/a file:///a/b HTTP://h.x/a /a"
ADDRESSES = (
    "/a /a/b-c_1 http://h.y/a/b https://h.y:80/a http://h.y "  # plain
    "# / /. /a/../b /a//b //h.y/a /a?b /a;b /a# a ../a http:a http:///a http://h.y/a? /é x:y"
)


def accepted(schema: Any, text: str, **options: Any) -> bool:
    return accepts(json_schema(schema, JsonSchemaOptions(**options)).expression, text)


def test_documents_are_those_the_caller_gives() -> None:
    """A reference to another document finds it among the given ones, with its own base for references inside."""
    documents = {
        "https://example.org/a.json": {"$defs": {"n": {"type": "integer"}}, "items": {"$ref": "b.json#/$defs/s"}, "type": "array"},
        "https://example.org/b.json": '{"$defs": {"s": {"anyOf": [{"type": "string"}, {"$ref": "a.json#/$defs/n"}]}}}',
    }
    schema = {"$ref": "https://example.org/a.json"}
    assert accepted(schema, '["x",1]', documents=documents)
    assert not accepted(schema, "[true]", documents=documents)


def test_a_document_that_is_not_given_is_named() -> None:
    """Nothing is fetched: the error says which document is missing."""
    with pytest.raises(UnsupportedFeatureError, match=r"other\.json"):
        json_schema({"$id": "https://example.org/x.json", "$ref": "other.json"})


def test_a_given_document_that_is_not_needed_is_not_read() -> None:
    """A broken document does no harm as long as nothing refers to it."""
    json_schema({"$ref": "#/$defs/a", "$defs": {"a": {}}}, JsonSchemaOptions(documents={"https://example.org/broken": "{"}))


def test_errors_in_other_documents_name_the_document() -> None:
    """A pointer into another document starts with its URI."""
    with pytest.raises(SchemaError) as caught:
        json_schema({"$ref": "https://example.org/a"}, JsonSchemaOptions(documents={"https://example.org/a": {"items": {"type": 3}}}))
    assert caught.value.pointer == "https://example.org/a#/items/type"


def test_a_definition_is_one_rule_wherever_it_is_used() -> None:
    """Every reference to an object leads to the same rule, so what is known of it is known everywhere."""
    schema = {"$defs": {"p": {"type": "object", "properties": {"x": {}}}}, "prefixItems": [{"$ref": "#/$defs/p"}, {"$ref": "#/$defs/p"}], "type": "array"}
    expression = json_schema(schema).expression
    assert isinstance(expression, Ref)
    chain = next(part for part in _all_parts(expression.rule.body) if hasattr(part, "items"))
    (first, _), (second, _) = chain.items
    assert first is second


def _all_parts(node: Any) -> list[Any]:
    return [node, *(inner for part in getattr(node, "parts", ()) for inner in _all_parts(part))]


def test_definitions_that_nobody_uses_are_not_read() -> None:
    """What is unsupported or malformed in a definition matters only if something refers to it."""
    json_schema({"type": "string", "$defs": {"a": {"not": {"minimum": "x"}}}})


def test_an_id_in_data_is_no_resource() -> None:
    """`$id` inside enum names nothing."""
    schema = {"$defs": {"e": {"enum": [{"$id": "https://example.org/in-enum", "type": "null"}]}}, "properties": {"a": {"$ref": "https://example.org/in-enum"}}}
    with pytest.raises(UnsupportedFeatureError, match="in-enum"):
        json_schema(schema)


def test_a_property_called_id_is_a_property() -> None:
    """`$id` as a name under properties does not change where references lead."""
    assert accepted({"properties": {"$id": {"type": "integer"}, "a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "null"}}}, '{"$id":1,"a":null}')


def test_draft_4_calls_it_id() -> None:
    """In draft 4 `id` opens a resource and `$id` says nothing."""
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "id": "http://example.org/root.json",
        "definitions": {"a": {"id": "a.json", "type": "integer"}, "b": {"id": "#b", "type": "string"}},
        "properties": {"x": {"$ref": "a.json"}, "y": {"$ref": "#b"}},
    }
    assert accepted(schema, '{"x":1,"y":"s"}')
    assert not accepted(schema, '{"x":"s"}')
    assert not accepted(schema, '{"y":1}')


TREE = {
    "$id": "https://example.org/tree",
    "$dynamicAnchor": "node",
    "type": "object",
    "properties": {"value": True, "next": {"$dynamicRef": "#node"}},
}
STRICT_TREE = {
    "$id": "https://example.org/strict-tree",
    "$dynamicAnchor": "node",
    "$ref": "tree",
    "unevaluatedProperties": False,
    "$defs": {"tree": TREE},
}


def test_a_dynamic_reference_with_one_possible_end_is_a_reference() -> None:
    """`$dynamicRef` is followed as `$ref` is where only one resource has the anchor."""
    schema = {"$dynamicAnchor": "node", "type": "object", "properties": {"next": {"$dynamicRef": "#node"}}, "additionalProperties": False}
    assert accepted(schema, '{"next":{"next":{}}}')
    assert not accepted(schema, '{"next":{"next":1}}')


def test_a_dynamic_reference_leads_to_the_outermost_anchor_on_the_way() -> None:
    """A tree that is used by a stricter one is strict at every level, and by itself it is not."""
    assert accepted(STRICT_TREE, '{"next":{"next":{"value":1}}}')
    assert not accepted(STRICT_TREE, '{"next":{"next":{"valeu":1}}}')
    both = {"properties": {"strict": {"$ref": "https://example.org/strict-tree"}, "open": {"$ref": "https://example.org/tree"}}, "$defs": {"s": STRICT_TREE}}
    assert accepted(both, '{"strict":{"next":{}},"open":{"next":{"valeu":1}}}')
    assert not accepted(both, '{"strict":{"next":{"valeu":1}}}')


def test_a_recursive_reference_leads_to_the_outermost_anchor_on_the_way() -> None:
    """Draft 2019-09 says the same by `$recursiveRef` to schemas with `$recursiveAnchor`."""
    tree = {"$id": "tree", "$recursiveAnchor": True, "type": "object", "properties": {"next": {"$recursiveRef": "#"}}}
    schema = {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "$id": "https://example.org/strict",
        "$recursiveAnchor": True,
        "allOf": [{"$ref": "tree"}],
        "unevaluatedProperties": False,
        "$defs": {"tree": tree},
    }
    assert accepted(schema, '{"next":{"next":{}}}')
    assert not accepted(schema, '{"next":{"value":1}}')


def test_the_report_lists_a_place_once_however_many_ways_lead_to_it() -> None:
    """With scopes a place is read once for each, and reported once."""
    pointers = [entry.pointer for entry in json_schema(STRICT_TREE).report]
    assert "/$defs/tree/properties/next/$dynamicRef" in pointers
    assert len(pointers) == len(set(pointers))


def test_the_metaschemas_are_known_where_their_package_is() -> None:
    """A reference to the schema of a draft needs no document, if jsonschema-specifications is installed."""
    pytest.importorskip("jsonschema_specifications")
    options = JsonSchemaOptions(unsupported="report", formats="annotation")
    grammar = json_schema({"$ref": "https://json-schema.org/draft/2020-12/schema"}, options)
    assert accepts(grammar.expression, '{"properties":{"a":{"type":"string","minLength":1}}}')
    assert not accepts(grammar.expression, '{"properties":{"a":{"type":"text"}}}')


def test_a_metaschema_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package a reference to a metaschema is refused, with what to install."""
    monkeypatch.setitem(sys.modules, "jsonschema_specifications", None)
    with pytest.raises(UnsupportedFeatureError, match="install jsonschema-specifications"):
        json_schema({"$ref": "https://json-schema.org/draft/2020-12/schema"})


def dialect(vocabularies: dict[str, bool]) -> dict[str, Any]:
    return {"https://example.org/dialect": {"$schema": "https://json-schema.org/draft/2020-12/schema", "$vocabulary": vocabularies}}


def test_a_dialect_has_the_keywords_of_its_vocabularies() -> None:
    """A metaschema among the documents says which keywords count; the others assert nothing."""
    schema = {"$schema": "https://example.org/dialect", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
    vocabulary = "https://json-schema.org/draft/2020-12/vocab/applicator"
    assert accepted(schema, '{"a":1}', documents=dialect({vocabulary: True}))
    assert accepted(schema, "{}", documents=dialect({vocabulary: True, "https://example.org/vocabulary": False}))
    assert not accepted(schema, '{"b":1}', documents=dialect({vocabulary: True}))


def test_a_vocabulary_that_is_required_and_not_known_is_refused() -> None:
    """A dialect that cannot be read in full is refused by name, or reported on request."""
    documents = dialect({"https://example.org/vocabulary": True})
    with pytest.raises(UnsupportedFeatureError, match=r"example\.org/vocabulary"):
        json_schema({"$schema": "https://example.org/dialect"}, JsonSchemaOptions(documents=documents))
    grammar = json_schema({"$schema": "https://example.org/dialect"}, JsonSchemaOptions(documents=documents, unsupported="report"))
    assert [entry.status for entry in grammar.report] == ["relaxed"]


@pytest.mark.parametrize("pointer", ["#/$defs/a/0", "#/$defs/a/1/x", "#/$defs/a/2", "#/$defs/a/-", "#/$defs/a/00"])
def test_pointers_into_lists_are_exact(pointer: str) -> None:
    """A list is entered by the number of an element that is there and is a schema."""
    schema = {"$defs": {"a": [{"type": "null"}, 3]}, "$ref": pointer}
    if pointer == "#/$defs/a/0":
        assert accepted(schema, "null")
    else:
        with pytest.raises(SchemaError):
            json_schema(schema)


def test_pointers_of_places_escape_names() -> None:
    """The pointer of a place leads back to it."""
    references = References({"properties": {"a/b~": {"items": {}}}}, Options())
    inner = references.child(references.root, ("properties", "a/b~"), references.root.value["properties"]["a/b~"])
    assert inner.pointer == "/properties/a~1b~0"
    assert references.resolve(references.root, "$ref", "#" + inner.pointer) is inner


def test_a_plain_reference_to_a_dynamic_anchor_is_plain() -> None:
    """`$ref` takes a `$dynamicAnchor` for an `$anchor`, whatever the way here has bound (the package referencing does not)."""
    inner = {"$id": "https://example.org/inner", "$defs": {"n": {"$dynamicAnchor": "n", "type": "object"}}, "properties": {"d": {"$dynamicRef": "#n"}}}
    schema = {
        "$id": "https://example.org/outer",
        "$dynamicAnchor": "n",
        "type": ["object", "null"],
        "properties": {"plain": {"$ref": "inner#n"}, "inner": {"$ref": "inner"}},
        "$defs": {"inner": inner},
    }
    assert accepted(schema, '{"inner":{"d":null}}')
    assert not accepted(schema, '{"plain":null}')


def test_plain_addresses_are_joined_as_all_others() -> None:
    """The short ways for an absolute address and for a path from the root lead where `urljoin` leads, and what is not plain goes through it."""
    for base, reference in product(["", *BASES.split()], ["", "/a\n", *ADDRESSES.split()]):
        assert _join(base, reference) == urljoin(base, reference).removesuffix("#"), (base, reference)
