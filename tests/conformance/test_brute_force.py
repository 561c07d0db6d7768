"""Every token of a real vocabulary, tried one by one: a mask's bit is set iff the matcher would take the token.

`accepts` reads a token's bytes and knows nothing of classifications, so it judges them where they matter: strings with
patterns, formats, lengths and excluded keys, numbers and nesting, at places along valid instances of public schemas.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

import grammask
from grammask.errors import TokenRefused, UnsupportedFeatureError

from .llama import by_bytes, split, vocabulary
from .maskbench import records

THOROUGH = os.environ.get("GRAMMASK_THOROUGH") == "1"
TELLING = ("pattern", "format", "Length", "enum", "additionalProperties", "multipleOf", "imum", "oneOf", "$ref")  # keywords worth their time

MADE_UP: list[tuple[dict[str, Any], list[str]]] = [
    ({"type": "string", "pattern": "^[a-z]{3,9}-\\d+$"}, ['"', '"abc', '"abcdefgh-1']),
    ({"type": "string", "pattern": "\\S", "minLength": 3, "maxLength": 12}, ['"', '" a', '"\\u00', '"\\ud83d', '"abcdefghijk']),
    ({"type": "string", "pattern": "^(é|日本|😀)+$", "maxLength": 5}, ['"', '"é', '"日本', '"\\']),
    (
        {"type": "object", "properties": {"name": {}, "nam": {}, "né": {}}, "additionalProperties": {"type": "number"}},
        ["{", '{"', '{"na', '{"name', '{"n\\u00'],
    ),
    ({"type": "string", "format": "date-time"}, ['"', '"2024-0', '"2024-02-29T']),
    ({"type": "string", "format": "uri", "maxLength": 30}, ['"', '"http', '"https://a.b/c']),
    ({"type": "string", "minLength": 2, "maxLength": 3}, ['"', '"a', '"\\n', '"\\ud83d\\ude00']),
    ({"not": {"enum": ["a", "ab", ""]}, "type": "string"}, ['"', '"a', '"\\u0061']),
]


def judge(matcher: grammask.Matcher, where: str) -> None:
    """Compare the mask with each token's own answer."""
    accepts = matcher.accepts
    tried = np.fromiter((accepts(token_id) for token_id in range(len(vocabulary()))), dtype=bool, count=len(vocabulary()))
    row = np.zeros(-(-len(vocabulary()) // 32), dtype=np.uint32)
    matcher.fill_mask(row)
    mask = np.unpackbits(row.view(np.uint8), bitorder="little")[: len(vocabulary())].astype(bool)
    wrong = [vocabulary().tokens[token_id] or token_id for token_id in np.flatnonzero(tried != mask)]
    assert not wrong, f"{len(wrong)} wrong bits, such as {wrong[:8]}, {where}"


def test_masks_over_strings_are_what_each_token_says() -> None:
    """Patterns, formats, lengths, excluded keys and values, at the beginnings of strings and inside characters and escapes."""
    for schema, beginnings in MADE_UP if THOROUGH else MADE_UP[:5]:
        constraint = grammask.compile(grammask.json_schema(schema), vocabulary())
        for beginning in beginnings if THOROUGH else beginnings[-2:]:
            matcher = constraint.matcher()
            for byte in beginning.encode():
                matcher.advance(by_bytes()[bytes([byte])])
            judge(matcher, f"after {beginning!r} of {schema}")


def places(n: int) -> Iterator[tuple[grammask.Matcher, str]]:
    """Matchers at random places of valid instances of telling schemas, two a schema."""
    rng = Random(2026)
    for record in records(30 * n, seed=41):
        text = json.dumps(record["schema"])
        instances = [json.dumps(test["data"], ensure_ascii=False).encode() for test in record["tests"] if test["valid"]]
        if not instances or not any(word in text for word in TELLING):
            continue
        try:
            matcher = grammask.compile(grammask.json_schema(text), vocabulary()).matcher()
        except UnsupportedFeatureError:
            continue
        token_ids = list(split(min(instances, key=len), rng))
        stops = set(rng.sample(range(len(token_ids)), min(2, len(token_ids))))
        for at, token_id in enumerate(token_ids):
            if at in stops:
                yield matcher, f"at {at} of {record['id']}"
            try:
                matcher.advance(token_id)
            except TokenRefused:  # an order of members that is not the schema's, for one
                break


def test_masks_along_real_instances_are_what_each_token_says() -> None:
    """A few dozen places of MaskBench's instances (GRAMMASK_THOROUGH=1: some four hundred)."""
    n = 400 if THOROUGH else 24
    judged = 0
    for matcher, where in places(n):
        judge(matcher, where)
        judged += 1
        if judged == n:
            return
    assert judged >= n // 2
