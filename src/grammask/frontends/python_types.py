"""Python types as grammars: what pydantic can describe as a JSON Schema, and read back from JSON.

Rule: the text of such a grammar validates strictly into an instance of the type. So objects have declared members only (unless the type
takes others), integers are digits, a discriminated union names its discriminator, and keys of dicts are written as their type reads them.
Checks that are Python code (validators) are not in the schema; they run when a text is read back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from grammask.errors import GrammarTypeError, SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema import JsonSchemaOptions, json_schema
from grammask.frontends.partial_types import partial_instance
from grammask.grammar.grammar import Grammar

__all__ = ["is_function", "is_type", "schema_of_type", "type_grammar"]

# Keywords whose values are data, not schemas.
DATA = frozenset({"const", "default", "enum", "example", "examples"})
# Formats of pydantic's own that not every text has, and that no draft defines.
UNREADABLE = frozenset({
    "base64url", "file-path", "ipv4interface", "ipv4network", "ipv6interface", "ipv6network", "ipvanyaddress", "ipvanyinterface", "ipvanynetwork",
    "json-string", "multi-host-uri", "name-email", "directory-path",
})  # fmt: skip
# Seconds begin with 0 to 5: datetime has no leap seconds.
NO_LEAP_SECOND = "^[^:]*:[^:]*:[0-5]"
DECIMAL_TEXT = r"^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?$"
INTEGER_KEY = "^(0|-?[1-9][0-9]{0,30})$"


def is_type(candidate: object) -> bool:
    """Whether this may be a Python type: a class, or a form of typing such as `list[int]`, `int | None` or `Annotated[...]`.

    A function counts too: it is no schema, and `schema_of_type` says that it is no type either.
    """
    import typing

    known = {"typing", "types", "typing_extensions"}
    return isinstance(candidate, type) or typing.get_origin(candidate) is not None or type(candidate).__module__ in known or is_function(candidate)


def is_function(candidate: object) -> bool:
    """Whether this is a function, a method or another object made to be called, and no type."""
    import functools
    import inspect

    return inspect.isroutine(candidate) or isinstance(candidate, functools.partial)


def type_grammar(kind: Any, options: JsonSchemaOptions | None = None, read: Callable[[Any, JsonSchemaOptions], Grammar] = json_schema) -> Grammar:
    """The grammar of the JSON texts that read as instances of a type; `Grammar.decode` reads them, strictly.

    read: makes a grammar of the type's schema.
    Raises GrammarTypeError for a type that has no JSON form, UnsupportedFeatureError without pydantic, and what `json_schema` raises.
    """
    schema, decode = schema_of_type(kind)
    grammar = read(schema, replace(options or JsonSchemaOptions(), integers="digits"))
    return grammar.revised(kind="type", source=schema, decode=decode)


def schema_of_type(kind: Any) -> tuple[dict[str, Any], Callable[[str], object]]:
    """The JSON Schema of a type, as strict as its own validation, and the function that reads a text back."""
    if is_function(kind):
        raise GrammarTypeError(type(kind).__name__, "that is neither a schema nor a type")
    try:
        import pydantic
        from pydantic.errors import PydanticUserError
    except ImportError:
        raise UnsupportedFeatureError("a Python type as a grammar", "pydantic is not installed", hint="pip install 'grammask[types]'") from None
    try:
        adapter: Any = pydantic.TypeAdapter(kind)
        schema = adapter.json_schema(schema_generator=_generator())
    except PydanticUserError as error:
        raise GrammarTypeError(f"{kind!r}, which has no JSON Schema", str(error).splitlines()[0]) from None
    except NameError as error:
        raise SchemaError(f"{kind!r} refers to a type that is not defined: {error}") from None
    _make_strict(schema)
    return schema, TypeReader(kind, adapter)


class TypeReader:
    """Reads texts as instances of a type, strictly; and values on their way there, without any check."""

    def __init__(self, kind: Any, adapter: Any) -> None:
        self._kind, self._adapter = kind, adapter

    def __call__(self, text: str) -> object:
        """The instance. Raises pydantic's ValidationError."""
        return self._adapter.validate_json(text, strict=True)

    def partial(self, value: object) -> object:
        """An instance as far as a value that still grows goes; see `partial_instance`."""
        return partial_instance(self._kind, value)


def _generator() -> Any:
    """pydantic's generator of schemas, made to say of keys and decimals what their validation demands."""
    from pydantic.json_schema import GenerateJsonSchema

    class Strict(GenerateJsonSchema):
        def dict_schema(self, schema: Any) -> dict[str, Any]:
            made = super().dict_schema(schema)
            keys = schema.get("keys_schema", {})
            if keys.get("type") == "int":
                made["propertyNames"] = {"pattern": INTEGER_KEY}
            return made

        def complex_schema(self, schema: Any) -> dict[str, Any]:  # noqa: ARG002  # pydantic's signature
            raise UnsupportedFeatureError("the type complex", "JSON has no complex numbers, and few strings read as one", hint="use two numbers of type float")

        def decimal_schema(self, schema: Any) -> dict[str, Any]:
            made = super().decimal_schema(schema)
            for branch in made.get("anyOf", ()):
                if branch.get("type") == "string":
                    branch["pattern"] = DECIMAL_TEXT
            return made

    return Strict


def _make_strict(schema: dict[str, Any]) -> None:
    """Say in the schema what validation demands beyond it, in every schema inside."""
    waiting: list[Any] = [schema]
    while waiting:
        place = waiting.pop()
        if isinstance(place, list):
            waiting += place
        elif isinstance(place, dict):
            _tighten(place)
            waiting += [value for keyword, value in place.items() if keyword not in DATA]


def _tighten(schema: dict[str, Any]) -> None:
    if schema.get("format") in UNREADABLE:
        raise UnsupportedFeatureError(f"format {schema['format']!r}", "texts of this kind cannot be described, so they might not read back")
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        schema.setdefault("additionalProperties", False)
    if schema.get("uniqueItems") is True and schema.get("minItems", 0) <= 1:
        del schema["uniqueItems"]  # a set is read from any list; equal items fall together
    if schema.get("format") in {"date-time", "time"} and schema.get("type") == "string":
        schema.setdefault("pattern", NO_LEAP_SECOND)
    tag = schema.get("discriminator")
    if isinstance(tag, dict) and isinstance(schema.get("oneOf"), list):
        schema["oneOf"] = [{"allOf": [branch], "required": [tag["propertyName"]]} for branch in schema["oneOf"]]
        del schema["discriminator"]
