"""Keywords that only narrow: without one of them a schema allows no less.

Held to be so at places under properties, items and the like, and in applicators that are not negated, for keywords that no neighbour reads
and that do not decide in which order members come.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

import grammask
from grammask.errors import GrammaskError

from .maskbench import VOCABULARY, accepts, compiled, random_document

LONG_NUMBER = re.compile("[0-9]{60}")  # within bounds numbers may have more digits than without: their spelling, not their value, is capped
N_SCHEMAS = 150
N_DOCUMENTS = 4
N_REMOVED = 4  # keywords of each schema
NARROWING = frozenset({
    "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern", "format", "multipleOf",
    "required", "uniqueItems", "not", "minItems", "maxItems", "minProperties", "maxProperties", "propertyNames", "additionalProperties", "allOf",
})  # fmt: skip
ONE, LISTED, NAMED = ("items", "additionalProperties", "contains"), ("allOf", "anyOf", "prefixItems"), ("properties", "patternProperties")
BRANCHING = frozenset({"$ref", "anyOf", "oneOf", "if", "dependencies", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"})


def places(schema: Any) -> Iterator[dict[str, Any]]:
    """The schema objects whose keywords narrow the whole; definitions are left out, as references to them may be negated."""
    if not isinstance(schema, dict):
        return
    yield schema
    if "$ref" in schema:  # up to draft 7 nothing beside it counts
        return
    for keyword in ONE:
        yield from places(schema.get(keyword))
    for keyword in LISTED:
        if isinstance(schema.get(keyword), list):
            for inner in schema[keyword]:
                yield from places(inner)
    for keyword in NAMED:
        if isinstance(schema.get(keyword), dict):
            for inner in schema[keyword].values():
                yield from places(inner)


def is_narrowing(schema: dict[str, Any], keyword: str) -> bool:
    """Whether the keyword only takes values away, and leaves the order of members as it is."""
    if keyword not in NARROWING:
        return False
    if keyword in {"enum", "const"}:
        return "{" not in json.dumps(schema[keyword])
    if keyword == "required":
        named = schema.get("properties", {})
        return isinstance(schema[keyword], list) and all(name in named for name in schema[keyword])
    if keyword in {"exclusiveMinimum", "minimum", "exclusiveMaximum", "maximum"}:
        return not isinstance(schema[keyword], bool) and not any(isinstance(schema.get("exclusive" + end), bool) for end in ("Minimum", "Maximum"))
    if keyword == "additionalProperties":  # names that are not declared may come in any order, those beside them not
        return not isinstance(schema[keyword], dict)
    return keyword != "allOf" or BRANCHING.isdisjoint(schema)


def removable(schema: Any) -> list[tuple[int, str]]:
    """Each place by its number, with a keyword that can go."""
    return [(number, keyword) for number, place in enumerate(places(schema)) for keyword in place if is_narrowing(place, keyword)]


def test_without_a_narrowing_keyword_no_less_is_allowed() -> None:
    """Random documents of a schema are accepted too once one of its narrowing keywords is gone."""
    random = Random(5)
    checked = 0
    for record, constraint in compiled(N_SCHEMAS, seed=17):
        schema = record["schema"]
        choices = removable(schema)
        texts = {random_document(constraint, rng) for rng in map(np.random.default_rng, range(N_DOCUMENTS))}
        texts = {text for text in texts if not LONG_NUMBER.search(text)}
        for number, keyword in random.sample(choices, min(N_REMOVED, len(choices))):
            wider = deepcopy(schema)
            del list(places(wider))[number][keyword]
            try:
                matcher = grammask.compile(grammask.json_schema(wider), VOCABULARY).matcher()
            except GrammaskError:  # too much to enforce without the keyword, uniqueItems over any value for one
                continue
            refused = [text for text in texts if not accepts(matcher, text)]
            assert not refused, f"{record['id']} without {keyword!r} at place {number} refuses {refused[0]}"
            checked += 1
    assert checked > N_SCHEMAS
