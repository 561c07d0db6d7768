"""The same schema given again is the same grammar, and never another one's."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from grammask.errors import SchemaError
from grammask.frontends.json_schema import JsonSchemaOptions, json_schema
from grammask.frontends.json_schema.options import Indent


@pytest.mark.parametrize("schema", [{"type": "integer", "minimum": 1.5}, True, '{"type": "integer"}', b'{"type": "integer"}'], ids=str)
def test_a_schema_given_again_is_the_same_grammar(schema: Any) -> None:
    """Equal dicts, booleans and texts give one object, with and without options that say the same."""
    assert json_schema(schema) is json_schema(schema, JsonSchemaOptions())
    assert isinstance(schema, bytes) or json_schema(schema).source == schema


def test_options_documents_and_order_are_told_apart() -> None:
    """Other options, another order of properties, a dict for a text, and documents each give a grammar of their own."""
    schema = {"properties": {"a": {}, "b": {}}, "additionalProperties": False}
    other = {"properties": {"b": {}, "a": {}}, "additionalProperties": False}
    documents = {"https://example.org/a": {}}
    grammars = [
        json_schema(schema),
        json_schema(other),
        json_schema(schema, JsonSchemaOptions(whitespace="compact")),
        json_schema(schema, JsonSchemaOptions(whitespace=Indent(4))),
        json_schema(schema, JsonSchemaOptions(documents=documents)),
        json_schema(schema, JsonSchemaOptions(documents=documents)),
        json_schema('{"properties": {"a": {}, "b": {}}, "additionalProperties": false}'),
    ]
    assert len({id(grammar) for grammar in grammars}) == len(grammars)


def test_an_integer_is_not_a_boolean_nor_a_float() -> None:
    """Values that Python calls equal are different schemas."""
    assert json_schema({"const": 1}) is not json_schema({"const": True})
    assert json_schema({"const": 1}) is not json_schema({"const": 1.0})


def test_a_changed_dict_is_another_schema() -> None:
    """What is remembered goes by content, not by object."""
    schema = {"const": 1}
    first = json_schema(schema)
    schema["const"] = 2
    assert json_schema(schema) is not first
    assert json_schema({"const": 1}) is first


def test_an_error_is_raised_each_time() -> None:
    """A schema that failed fails again."""
    for _ in range(2):
        with pytest.raises(SchemaError):
            json_schema({"type": "text"})


def test_threads_may_ask_at_once() -> None:
    """Concurrent calls give grammars of the right schema."""
    schemas = [{"const": number % 7} for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert [grammar.source for grammar in pool.map(json_schema, schemas)] == schemas
