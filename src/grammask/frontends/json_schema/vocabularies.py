"""What the specification itself supplies: its metaschemas, and which keywords a vocabulary of a custom dialect has.

Rule: metaschemas come from the package jsonschema-specifications if it is installed; nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from grammask.frontends.json_schema.dialects import Draft

__all__ = ["is_specified", "metaschemas", "narrowed"]

CORE = ("$schema", "$id", "$ref", "$anchor", "$defs", "$comment", "$vocabulary", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
        "definitions")  # fmt: skip
APPLICATOR = ("prefixItems", "items", "additionalItems", "contains", "additionalProperties", "properties", "patternProperties", "dependencies",
              "dependentSchemas", "propertyNames", "if", "then", "else", "allOf", "anyOf", "oneOf", "not")  # fmt: skip
UNEVALUATED = ("unevaluatedItems", "unevaluatedProperties")
VALIDATION = ("type", "const", "enum", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
              "maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties", "required",
              "dependentRequired")  # fmt: skip
META_DATA = ("title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples")
CONTENT = ("contentEncoding", "contentMediaType", "contentSchema")
DRAFT_2019, DRAFT_2020 = "https://json-schema.org/draft/2019-09/vocab/", "https://json-schema.org/draft/2020-12/vocab/"
VOCABULARIES: dict[str, tuple[str, ...]] = {
    DRAFT_2019 + "core": CORE,
    DRAFT_2019 + "applicator": (*APPLICATOR, *UNEVALUATED),
    DRAFT_2019 + "validation": VALIDATION,
    DRAFT_2019 + "meta-data": META_DATA,
    DRAFT_2019 + "format": ("format",),
    DRAFT_2019 + "content": CONTENT,
    DRAFT_2020 + "core": CORE,
    DRAFT_2020 + "applicator": APPLICATOR,
    DRAFT_2020 + "unevaluated": UNEVALUATED,
    DRAFT_2020 + "validation": VALIDATION,
    DRAFT_2020 + "meta-data": META_DATA,
    DRAFT_2020 + "format-annotation": ("format",),
    DRAFT_2020 + "format-assertion": ("format",),
    DRAFT_2020 + "content": CONTENT,
}


def is_specified(vocabulary: str) -> bool:
    """Whether a draft defines this vocabulary."""
    return vocabulary in VOCABULARIES


def narrowed(draft: Draft, vocabularies: Mapping[str, Any]) -> Draft:
    """The draft with the keywords of these vocabularies only; those that no draft defines add nothing."""
    keywords = {keyword for vocabulary in vocabularies for keyword in VOCABULARIES.get(vocabulary, ())} | set(CORE)
    return replace(draft, table={keyword: read for keyword, read in draft.table.items() if keyword in keywords})


def metaschemas(uri: str) -> dict[str, Any]:
    """The metaschema of this URI with all others of its draft, by URI; none if no draft has it, or the package is not installed."""
    if not uri.startswith(("http://json-schema.org/", "https://json-schema.org/")):
        return {}
    try:
        from jsonschema_specifications import REGISTRY
    except ImportError:
        return {}
    if uri not in REGISTRY:
        return {}
    draft = uri.partition("/schema")[0].partition("/meta/")[0]
    return {address: REGISTRY[address].contents for address in REGISTRY if address.startswith(draft + "/")}
