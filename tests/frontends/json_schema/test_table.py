"""The table of schemas and texts, for the front end in both ways of deciding membership, and for another validator."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grammask.frontends.json_schema import Indent, JsonSchemaOptions, json_schema

from .conftest import Accepts

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parents[2] / "data" / "json_schemas.toml").read_text())["case"]


def case_name(case: dict[str, Any]) -> str:
    return str(case["name"]).replace(" ", "-")


def options_of(case: dict[str, Any]) -> JsonSchemaOptions:
    chosen = dict(case.get("options", {}))
    if "indent" in chosen:
        chosen["whitespace"] = Indent(chosen.pop("indent"))
    return JsonSchemaOptions(**chosen)


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_exactly_the_listed_texts_are_accepted(case: dict[str, Any], accepts: Accepts) -> None:
    """Every case accepts its accepted texts, and neither the invalid ones nor those left out on purpose."""
    grammar = json_schema(case["schema"], options_of(case))
    verdicts = {text: accepts(grammar, text) for kind in ("accepted", "rejected", "valid_but_rejected") for text in case.get(kind, ())}
    assert verdicts == {text: text in case["accepted"] for text in verdicts}


@pytest.mark.parametrize("case", [case for case in CASES if "unchecked" not in case], ids=case_name)
def test_another_validator_agrees_with_the_table(case: dict[str, Any]) -> None:
    """What the table calls accepted or valid is valid for jsonschema, and what it calls rejected is no JSON or invalid."""
    schema = json.loads(case["schema"])
    validator = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)(schema, format_checker=jsonschema.FormatChecker(["date"]))
    for text in [*case["accepted"], *case.get("valid_but_rejected", ())]:
        assert validator.is_valid(json.loads(text)), text
    for text in case["rejected"]:
        assert not _is_valid(validator, text), text


def _is_valid(validator: Any, text: str) -> bool:
    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        value = json.loads(text, parse_constant=refuse)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # no lone surrogates, nothing beyond binary64
    except ValueError:
        return False
    return text == text.strip() and validator.is_valid(value) and not _repeats_a_name(text)


def _repeats_a_name(text: str) -> bool:
    repeated = False

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        repeated |= len(dict(members)) < len(members)
        return dict(members)

    json.loads(text, object_pairs_hook=pairs)
    return repeated
