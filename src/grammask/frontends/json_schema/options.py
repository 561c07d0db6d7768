"""What a caller may choose about how JSON Schema is read and how JSON is laid out.

Rule: one frozen object, passed whole; every value is a name that says what it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from typing import Literal as OneOf

from grammask.errors import GrammarError

__all__ = ["Indent", "JsonSchemaOptions"]

MAX_INDENT = 16


@dataclass(frozen=True, slots=True)
class Indent:
    """One member a line, indented by a multiple of `size` spaces, as `json.dumps(value, indent=size)` writes it."""

    size: int = 2

    def __post_init__(self) -> None:
        if type(self.size) is not int or not 1 <= self.size <= MAX_INDENT:
            raise GrammarError(f"Indent({self.size!r}): give a number of spaces from 1 to {MAX_INDENT}")


@dataclass(frozen=True, slots=True)
class JsonSchemaOptions:
    """How `json_schema` reads a schema and writes JSON.

    whitespace: "flexible" admits what json.dumps writes with the usual separators and any indentation, compact form always included;
        "compact" admits none; "spaced" is the default form of json.dumps; Indent(n) that of json.dumps(indent=n).
    property_order: "schema", declared properties in the order of the schema, then others; "any", members in whatever order, each declared one once.
    repeated_names: of members that no schema declares, and of JSON without a schema: "allow" lets one come twice, which counts as JSON readers
        count it; "forbid" keeps in mind which have come, at the cost of a small compile for each such member.
    unsupported: "refuse" raises UnsupportedFeatureError for what cannot be enforced; "report" leaves it out and lists it in the report.
    formats: "assert" enforces `format`; "annotation" does not, as the specification's default vocabulary has it.
    custom_formats: regular expressions (ECMA-262) by the name of the format, which they define or replace: a whole string must match.
    integers: "json" lets an integer be written 1.0 and 1e2 too, as JSON Schema has it; "digits" digits alone.
    draft: the draft of a schema that does not name one by `$schema`: "2020-12", "2019-09", "7", "6" or "4".
    documents: schemas that `$ref` may lead to, by their URI; nothing is ever fetched.
    """

    whitespace: OneOf["flexible", "compact", "spaced"] | Indent = "flexible"
    property_order: OneOf["schema", "any"] = "schema"
    repeated_names: OneOf["allow", "forbid"] = "allow"
    unsupported: OneOf["refuse", "report"] = "refuse"
    formats: OneOf["assert", "annotation"] = "assert"
    integers: OneOf["json", "digits"] = "json"
    draft: OneOf["2020-12", "2019-09", "7", "6", "4"] = "2020-12"
    documents: Mapping[str, Any] = field(default_factory=dict, hash=False)
    custom_formats: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.whitespace, Indent):
            _one_of("whitespace", self.whitespace, ("flexible", "compact", "spaced"), " or Indent(n)")
        _one_of("property_order", self.property_order, ("schema", "any"))
        _one_of("repeated_names", self.repeated_names, ("allow", "forbid"))
        _one_of("unsupported", self.unsupported, ("refuse", "report"))
        _one_of("formats", self.formats, ("assert", "annotation"))
        _one_of("integers", self.integers, ("json", "digits"))
        _one_of("draft", self.draft, ("2020-12", "2019-09", "7", "6", "4"))
        if not isinstance(self.documents, Mapping):
            raise GrammarError("documents: give a mapping from URIs to schemas")
        custom: object = self.custom_formats
        if not isinstance(custom, Mapping) or not all(isinstance(part, str) for pair in custom.items() for part in pair):
            raise GrammarError("custom_formats: give a mapping from names to regular expressions")


def _one_of(name: str, value: object, allowed: tuple[str, ...], more: str = "") -> None:
    if not isinstance(value, str) or value not in allowed:
        raise GrammarError(f"{name}={value!r}: choose one of {', '.join(map(repr, allowed))}{more}")
