"""The options of tool grammars, passed whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as OneOf

from grammask.arguments import check_fields, text
from grammask.errors import GrammarError
from grammask.frontends.json_schema import JsonSchemaOptions

__all__ = ["ToolOptions"]


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """How tools are read.

    on_bad_tool: "raise" for a tool that cannot be used; "skip" leaves it out, so that it cannot be called, and lists it in the report.
    extra_arguments: "schema" allows arguments that are not declared where the schema does (by default it does); "forbid" never.
    json: how schemas are read and JSON is laid out.
    """

    on_bad_tool: OneOf["raise", "skip"] = "raise"
    extra_arguments: OneOf["schema", "forbid"] = "schema"
    json: JsonSchemaOptions = field(default_factory=JsonSchemaOptions)

    def __post_init__(self) -> None:
        check_fields(self, on_bad_tool=text, extra_arguments=text)
        if self.on_bad_tool not in {"raise", "skip"}:
            raise GrammarError(f"on_bad_tool={self.on_bad_tool!r}: choose 'raise' or 'skip'")
        if self.extra_arguments not in {"schema", "forbid"}:
            raise GrammarError(f"extra_arguments={self.extra_arguments!r}: choose 'schema' or 'forbid'")
        if not isinstance(self.json, JsonSchemaOptions):
            raise GrammarError(f"json={self.json!r:.60}: give a grammask.JsonSchemaOptions")
