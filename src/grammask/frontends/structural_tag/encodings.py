"""How models write the members of an arguments object where they do not write JSON: one named encoding each.

Rule: an encoding is data. Whoever knows another layout gives it as an `Encoding`; no code asks for one by name.
Sources: the layouts named in XGrammar's documentation of `json_schema` formats (style).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from typing import Literal as OneOf

from grammask.errors import GrammarError

__all__ = ["ENCODINGS", "JSON_TYPES", "Encoding"]

JSON_TYPES = ("string", "number", "boolean", "null", "object", "array")


@dataclass(frozen=True, slots=True)
class Encoding:
    """The layout of one member after another.

    before, after: what stands around a value; `{key}` in `before` is the member's name, `{type}` the word for the value's JSON type.
    between: what may stand between two members, any one of these; pad: what may stand on each side of a value, the same on both or not.
    strings: "raw" writes a string as it is, up to the first occurrence of `after`; "json" as JSON. Other values are JSON.
    constants: "both" admits True, False and None too, as the values of members.
    types: JSON type -> the word for `{type}`; a type without a word cannot be written.
    """

    before: str
    after: str
    between: tuple[str, ...] = ("",)
    pad: tuple[str, ...] = ("",)
    strings: OneOf["raw", "json"] = "raw"
    constants: OneOf["json", "both"] = "json"
    types: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if "{key}" not in self.before:
            raise GrammarError("an encoding needs {key} in `before`")
        if self.strings == "raw" and not self.closing:
            raise GrammarError("an encoding with raw strings needs a mark in `after`, or they would have no end")
        if not set(self.types) <= set(JSON_TYPES) or ("{type}" in self.before) != bool(self.types):
            raise GrammarError(f"`types` gives the words for {{type}} in `before`, for some of {', '.join(JSON_TYPES)}")
        object.__setattr__(self, "types", MappingProxyType(dict(self.types)))

    @property
    def closing(self) -> str:
        """The mark at which a raw string ends."""
        return self.after.strip()

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Encoding:
        """From a table of a data file."""
        fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
        return cls(**fields)


_EACH = {kind: kind for kind in JSON_TYPES}
_DSML = "\N{FULLWIDTH VERTICAL LINE}DSML\N{FULLWIDTH VERTICAL LINE}"

ENCODINGS: Mapping[str, Encoding] = {
    "qwen_xml": Encoding("<parameter={key}>", "</parameter>", ("", "\n"), ("", "\n"), constants="both"),
    "minimax_xml": Encoding('<parameter name="{key}">', "</parameter>", ("", "\n")),
    "glm_xml": Encoding("<arg_key>{key}</arg_key><arg_value>", "</arg_value>", ("", "\n")),
    "deepseek_xml": Encoding(
        f'<{_DSML}parameter name="{{key}}" string="{{type}}">',
        f"</{_DSML}parameter>",
        ("", "\n"),
        types=dict.fromkeys(JSON_TYPES, "false") | {"string": "true"},
    ),
    "deepseek_v4_1_xml": Encoding(
        f'<{_DSML} parameter name="{{key}}" string="{{type}}">',
        f"</{_DSML} parameter>",
        ("", "\n"),
        types=dict.fromkeys(JSON_TYPES, "false") | {"string": "true"},
    ),
    "cohere_xml": Encoding(
        '<cofl:value name="{key}" type="{type}">', "</cofl:value>", types={"string": "raw", "number": "json", "boolean": "json", "null": "json"}
    ),
    "kimi_k3_xml": Encoding('<|open|>argument key="{key}" type="{type}"<|sep|>', "<|close|>argument<|sep|>", types=_EACH),
}
