"""The drafts of JSON Schema: which keywords each has, and how `$schema` names it.

Rule: a draft is one table from keyword to the function that reads it; None stands for keywords that assert nothing.
Keywords that a draft does not have are not in its table: as the specification says, they then assert nothing either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from grammask.frontends.json_schema import keywords

if TYPE_CHECKING:
    from grammask.frontends.json_schema.references import References, Subschema

__all__ = ["Draft", "draft_of", "named_draft"]

Keyword = Callable[["keywords.Facts", Any, "Subschema", "References"], None]

METADATA = ("$schema", "title", "description", "default")
METADATA_6 = ("examples", "$id")
METADATA_7 = ("$comment", "readOnly", "writeOnly", "contentMediaType", "contentEncoding")
METADATA_2019 = ("$anchor", "$defs", "$vocabulary", "deprecated", "contentSchema", "minContains", "maxContains")

DRAFT_4: dict[str, Keyword | None] = {
    "type": keywords.type_,
    "enum": keywords.enum,
    "properties": keywords.properties,
    "patternProperties": keywords.patternProperties,
    "additionalProperties": keywords.additionalProperties,
    "required": keywords.required,
    "minProperties": keywords.minProperties,
    "maxProperties": keywords.maxProperties,
    "dependencies": keywords.dependencies,
    "items": keywords.items_or_prefix,
    "additionalItems": keywords.additionalItems,
    "minItems": keywords.minItems,
    "maxItems": keywords.maxItems,
    "uniqueItems": keywords.uniqueItems,
    "minLength": keywords.minLength,
    "maxLength": keywords.maxLength,
    "pattern": keywords.pattern,
    "format": keywords.format_,
    "minimum": keywords.minimum_or_exclusive,
    "maximum": keywords.maximum_or_exclusive,
    "exclusiveMinimum": keywords.exclusive_flag,
    "exclusiveMaximum": keywords.exclusive_flag,
    "multipleOf": keywords.multipleOf,
    "allOf": keywords.allOf,
    "anyOf": keywords.anyOf,
    "oneOf": keywords.oneOf,
    "not": keywords.not_,
    "$ref": keywords.ref,
    "definitions": None,
    "id": None,
    **dict.fromkeys(METADATA),
}
DRAFT_6: dict[str, Keyword | None] = {
    **{keyword: read for keyword, read in DRAFT_4.items() if keyword != "id"},
    "const": keywords.const,
    "contains": keywords.contains,
    "propertyNames": keywords.propertyNames,
    "minimum": keywords.minimum,
    "maximum": keywords.maximum,
    "exclusiveMinimum": keywords.exclusiveMinimum,
    "exclusiveMaximum": keywords.exclusiveMaximum,
    **dict.fromkeys(METADATA_6),
}
DRAFT_7: dict[str, Keyword | None] = {**DRAFT_6, "if": keywords.if_, "then": None, "else": None, **dict.fromkeys(METADATA_7)}
DRAFT_2019: dict[str, Keyword | None] = {
    **DRAFT_7,
    "dependentRequired": keywords.dependentRequired,
    "dependentSchemas": keywords.dependentSchemas,
    "unevaluatedProperties": keywords.unevaluatedProperties,
    "unevaluatedItems": keywords.unevaluatedItems,
    "$recursiveRef": keywords.recursiveRef,
    "$recursiveAnchor": None,
    **dict.fromkeys(METADATA_2019),
}
DRAFT_2020: dict[str, Keyword | None] = {
    **{keyword: read for keyword, read in DRAFT_2019.items() if keyword not in {"additionalItems", "$recursiveRef", "$recursiveAnchor"}},
    "prefixItems": keywords.prefixItems,
    "items": keywords.items,
    "$dynamicRef": keywords.dynamicRef,
    "$dynamicAnchor": None,
}
# A schema without `$schema` is read as draft 2020-12, and spellings of older drafts that can mean nothing else there are understood.
UNNAMED: dict[str, Keyword | None] = {
    **DRAFT_2020,
    "items": keywords.items_or_prefix,
    "additionalItems": keywords.additionalItems,
    "minimum": keywords.minimum_or_exclusive,
    "maximum": keywords.maximum_or_exclusive,
    "exclusiveMinimum": keywords.exclusive_flag_or_minimum,
    "exclusiveMaximum": keywords.exclusive_flag_or_maximum,
}


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """One draft as it is read here.

    id_keyword: "$id", or "id" in draft 4.  overriding_ref: keywords beside `$ref` are ignored (up to draft 7).
    spelled_integers: an integer is a number written without point and exponent (draft 4).
    contains_evaluates: unevaluatedItems leaves alone what `contains` holds for (from draft 2020-12 on).
    beyond_type: all keywords but `type` that assert or apply something, and `type` where it does not.
    """

    name: str
    table: dict[str, Keyword | None]
    id_keyword: str = "$id"
    overriding_ref: bool = False
    spelled_integers: bool = False
    contains_evaluates: bool = False
    beyond_type: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        saying = frozenset(keyword for keyword, read in self.table.items() if read is not None)
        object.__setattr__(self, "beyond_type", saying ^ {"type"})


DRAFTS = {
    "4": Draft("4", DRAFT_4, "id", overriding_ref=True, spelled_integers=True),
    "6": Draft("6", DRAFT_6, overriding_ref=True),
    "7": Draft("7", DRAFT_7, overriding_ref=True),
    "2019-09": Draft("2019-09", DRAFT_2019),
    "2020-12": Draft("2020-12", DRAFT_2020, contains_evaluates=True),
}
UNNAMED_2020 = Draft("2020-12", UNNAMED, contains_evaluates=True)
ADDRESSES = {
    "json-schema.org/draft-04/schema": "4",
    "json-schema.org/draft-06/schema": "6",
    "json-schema.org/draft-07/schema": "7",
    "json-schema.org/draft/2019-09/schema": "2019-09",
    "json-schema.org/draft/2020-12/schema": "2020-12",
    "json-schema.org/schema": "2020-12",
}


@cache
def draft_of(address: str) -> Draft | None:
    """The draft that a value of `$schema` names, or None for one that is not known here."""
    scheme, _, rest = address.rstrip("#").partition("://")
    name = ADDRESSES.get(rest) if scheme in {"http", "https"} else None
    return DRAFTS[name] if name else None


def named_draft(name: str) -> Draft:
    """The draft for schemas that name none; "2020-12" also takes spellings of older drafts there."""
    return UNNAMED_2020 if name == "2020-12" else DRAFTS[name]
