"""The official JSON Schema test suite: what compiles never accepts an invalid instance, and rejects a valid one only as listed."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from grammask.errors import EmptyLanguageError, UnsupportedFeatureError
from grammask.frontends.json_schema import JsonSchemaOptions, json_schema
from grammask.grammar.grammar import Grammar

from .oracle import accepts
from .schema_order import in_schema_order
from .shared_data import SUITE, needs, suite_documents, suite_groups

DRAFTS = {"draft2020-12": "2020-12", "draft2019-09": "2019-09", "draft7": "7", "draft6": "6", "draft4": "4"}

# Valid instances that are rejected, by the group they are in, and why.
LEFT_OUT = {
    "const with object": "members of a constant are written in its order",
    "validation of A-label (punycode) host names": "no regular language knows which encoded labels are valid",
    "validation of host names": "labels with -- in third and fourth place are left out",
    "validation of internationalized host names": "encoded labels are left out, and some that are not encoded",
    "validation of separators in internationalized host names": "labels beyond ASCII have at most 12 characters",
    "all integers are multiples of 0.5, if overflow is handled": "multiples are not written with exponents",
}

# How many groups are exact, at least: a number that may only rise.
EXACT = {
    ("draft2020-12", ""): 375,
    ("draft2020-12", "/optional"): 48,
    ("draft2020-12", "/optional/format"): 25,
    ("draft2019-09", ""): 364,
    ("draft7", ""): 250,
    ("draft7", "/optional/format"): 23,
    ("draft6", ""): 225,
    ("draft4", ""): 154,
}


def compiled(group: dict[str, Any], file: str, draft: str) -> Grammar | None:
    """The grammar of a group, or None for a schema that nothing fits."""
    formats: Any = "annotation" if file == "format" else "assert"
    documents = suite_documents() if "localhost:1234" in json.dumps(group["schema"]) else {}
    options = JsonSchemaOptions(draft=DRAFTS[draft], formats=formats, documents=documents)  # type: ignore[arg-type]
    try:
        return json_schema(group["schema"], options)
    except EmptyLanguageError:
        return None


def is_accepted(grammar: Grammar | None, schema: Any, instance: Any, draft: str) -> bool:
    """Whether an instance is accepted as given or in the order of the schema, in either of json.dumps's common forms."""
    if grammar is None:
        return False
    if any(accepts(grammar.expression, text) for text in (json.dumps(instance), json.dumps(instance, ensure_ascii=False, separators=(",", ":")))):
        return True
    options = JsonSchemaOptions(draft=DRAFTS[draft], documents=suite_documents())  # type: ignore[arg-type]
    return any(accepts(grammar.expression, json.dumps(one)) for one in in_schema_order(schema, instance, options))


@pytest.mark.parametrize(("draft", "folder"), EXACT, ids=lambda part: part.replace("/", "-") or "required")
def test_no_verdict_on_what_compiles_is_wrong(draft: str, folder: str) -> None:
    """Invalid instances are rejected and valid ones accepted; the rest is refused by name."""
    needs(SUITE)
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    for file, group in suite_groups(draft + folder):
        if folder and f"{folder}/{file}" == "/optional/content":
            continue
        try:
            grammar = compiled(group, file, draft)
        except UnsupportedFeatureError as error:
            counts[f"refused: {error.feature}"] += 1
            continue
        is_exact = True
        for test in group["tests"]:
            accepted = is_accepted(grammar, group["schema"], test["data"], draft)
            if accepted != test["valid"]:
                is_exact = False
                if accepted or group["description"] not in LEFT_OUT:
                    wrong.append(f"{file}: {group['description']}: {test['description']}")
        counts["exact"] += is_exact
    assert wrong == []
    assert counts["exact"] >= EXACT[draft, folder], counts
