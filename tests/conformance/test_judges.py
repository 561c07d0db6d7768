"""Where validators reject what is valid, the cause is found; where they are right, nothing excuses it."""

from __future__ import annotations

from typing import Any

import pytest

from . import judges
from .judges import Judge, validators

RUST = pytest.mark.skipif("jsonschema-rs" not in validators(), reason="the package jsonschema-rs is not installed")


@pytest.mark.parametrize(
    ("schema", "text", "cause"),
    [
        ({"multipleOf": 0.01}, "654.57", "computes in binary"),
        ({"not": {"multipleOf": 8}}, "87731252919600401598.0", "computes in binary"),
        ({"pattern": "^a$", "type": "string", "maxLength": 1}, '"a"', None),
        ({"patternProperties": {"^a.*$": {"type": "string"}}}, r'{"a\n": 0}', "reads patterns as Python does"),
        ({"oneOf": [{"format": "ipv4"}, {"format": "ipv6"}]}, '"::1"', "does not assert formats"),
        ({"not": {"pattern": r"^\s+$", "format": "ipv6"}}, r'"\ufeff"', "does not assert formats"),
    ],
)
def test_what_is_valid_is_found_to_be(schema: Any, text: str, cause: str | None) -> None:
    """The fewest corrections with which jsonschema accepts are its cause."""
    verdict = Judge(schema).verdict(text)
    assert verdict.is_valid, verdict
    assert verdict.causes.get("jsonschema") == cause or "jsonschema" not in verdict.complaints


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"multipleOf": 0.01}, "654.575"),
        ({"multipleOf": 3}, "1e20"),
        ({"patternProperties": {"^a$": {"type": "string"}}}, '{"a": 0}'),
        ({"anyOf": [{"type": "array"}, {"minimum": 1, "type": "number"}]}, "0.99999999999999999"),
        ({"format": "ipv4", "minLength": 3}, '""'),
        ({"type": "integer"}, "1.5"),
    ],
)
def test_what_is_invalid_stays_invalid(schema: Any, text: str) -> None:
    """No correction makes a document valid that is not, unless nobody complains at all."""
    verdict = Judge(schema).verdict(text)
    assert not verdict.complaints or not verdict.is_valid, verdict


@RUST
def test_both_are_asked() -> None:
    """Each by its own name, and a schema that one cannot read is told and not held against documents."""
    verdict = Judge({"type": "string"}).verdict("1")
    assert set(verdict.complaints) == {"jsonschema", "jsonschema-rs"}
    judge = Judge({"type": "string", "pattern": "[["})
    assert "jsonschema-rs" in judge.unread
    assert "jsonschema-rs" not in judge.verdict('"a"').complaints


def test_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without jsonschema-rs the other decides alone."""
    monkeypatch.setattr(judges, "find_spec", lambda name: None if name == "jsonschema_rs" else object())
    assert validators() == ("jsonschema",)
    assert Judge({"multipleOf": 0.01}).verdict("654.57").is_valid
    assert not Judge({"multipleOf": 0.01}).verdict("654.575").is_valid
