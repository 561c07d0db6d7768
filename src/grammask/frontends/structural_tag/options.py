"""The options of the structural-tag front end, passed whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as OneOf

from grammask.arguments import check_fields, text
from grammask.errors import GrammarError
from grammask.frontends.json_schema import JsonSchemaOptions

__all__ = ["StructuralTagOptions"]


@dataclass(frozen=True, slots=True)
class StructuralTagOptions:
    """How the parts of a structural tag are read.

    json: for `json_schema` formats; a format's own `any_order` overrides property_order.
    regex_dialect: of `regex` formats: "ecma", as XGrammar and JSON Schema have it, "python" or "rust".
    """

    json: JsonSchemaOptions = field(default_factory=JsonSchemaOptions)
    regex_dialect: OneOf["ecma", "python", "rust"] = "ecma"

    def __post_init__(self) -> None:
        if not isinstance(self.json, JsonSchemaOptions):
            raise GrammarError(f"json={self.json!r:.60}: give a grammask.JsonSchemaOptions")
        check_fields(self, regex_dialect=text)
        if self.regex_dialect not in {"ecma", "python", "rust"}:
            raise GrammarError(f"regex_dialect={self.regex_dialect!r}: choose 'ecma', 'python' or 'rust'")
