"""Texts from elsewhere, such as a hosted model's, read as instances of a Python type.

Rule: reading is strict. What a policy lets pass is written down here and changes the text before it is read, never the reading.
Below: python_types.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Literal

from grammask.arguments import instance, takes
from grammask.arguments import text as text_kind
from grammask.errors import GrammarTypeError
from grammask.frontends.python_types import is_type, schema_of_type

__all__ = ["read_value"]

# Schemas within schemas that are looked through. Values nest, so recursive types come to an end.
_DEEPEST = 200


@takes(text=instance(str), enums=text_kind)
def read_value(kind: Any, text: str, *, enums: Literal["exact", "any_case"] = "exact") -> object:
    """The instance of a type that a JSON text stands for, whoever wrote it.

    enums: how members of enums and Literals that are texts are compared. "exact" - as they are written; "any_case" - where no member
    is spelled just so, one that differs in upper and lower case only is taken, if there is one such.
    Nothing else is bent: no number for a text or a member, no null for what must be there, no list of members for one.
    Raises pydantic's ValidationError for other texts, GrammarTypeError for what is no type and for an unknown policy.
    """
    if enums not in ("exact", "any_case"):
        raise GrammarTypeError(repr(enums), 'enums is "exact" or "any_case"')
    if kind is not None and not is_type(kind):
        raise GrammarTypeError(type(kind).__name__, "give a type, such as a class or list[int]")
    schema, read = schema_of_type(kind)
    if enums == "any_case":
        with suppress(ValueError):  # what is no JSON is left to the reading
            text = _written(_normalised(_loaded(text), schema, schema, 0))
    return read(text)


class _Number:
    """A number, or NaN, as it is written, which no reading in between may change."""

    def __init__(self, literal: str) -> None:
        self.literal = literal


def _loaded(text: str) -> Any:
    return json.loads(text, parse_float=_Number, parse_int=_Number, parse_constant=_Number)


def _written(value: Any) -> str:
    if isinstance(value, _Number):
        return value.literal
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{_written(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_written, value)) + "]"
    return json.dumps(value)


def _normalised(value: Any, schema: Any, root: dict[str, Any], depth: int) -> Any:
    """The value with its texts spelled as the enums of the schema spell them."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return value
    if "$ref" in schema:
        value = _normalised(value, _resolved(schema["$ref"], root), root, depth + 1)
    if isinstance(value, str):
        value = _spelled(value, [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())])
    for branch in [branch for name in ("anyOf", "oneOf", "allOf") for branch in schema.get(name, ())]:
        value = _normalised(value, branch, root, depth + 1)
    if isinstance(value, dict):
        return {name: _normalised(member, _schema_of_member(schema, name), root, depth + 1) for name, member in value.items()}
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        return [_normalised(item, first[place] if place < len(first) else schema.get("items"), root, depth + 1) for place, item in enumerate(value)]
    return value


def _schema_of_member(schema: dict[str, Any], name: str) -> Any:
    properties = schema.get("properties", {})
    return properties[name] if name in properties else schema.get("additionalProperties")


def _resolved(reference: str, root: dict[str, Any]) -> Any:
    place: Any = root
    for step in reference.removeprefix("#").split("/")[1:]:
        place = place.get(step.replace("~1", "/").replace("~0", "~"), {}) if isinstance(place, dict) else {}
    return place


def _spelled(text: str, members: list[Any]) -> str:
    """The one member that differs in case only, unless the text is a member itself."""
    alike = {member for member in members if isinstance(member, str) and member.casefold() == text.casefold()}
    return alike.pop() if len(alike) == 1 and text not in members else text
