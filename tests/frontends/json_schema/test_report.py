"""The report: every keyword once, with what became of it."""

from __future__ import annotations

from typing import Any

from grammask.frontends.json_schema import JsonSchemaOptions, json_schema
from grammask.grammar.grammar import ReportEntry, seq


def statuses(schema: Any, **options: Any) -> dict[str, str]:
    return {entry.pointer: entry.status for entry in json_schema(schema, JsonSchemaOptions(**options)).report}


def test_every_keyword_is_listed() -> None:
    """Assertions are exact, descriptions and unknown keywords are annotations, and what only names things is not listed."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"n": {"type": "integer", "description": "a number"}},
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/n"}, "b": {"format": "color", "x-order": 3}},
    }
    assert statuses(schema) == {
        "/type": "exact",
        "/properties": "exact",
        "/properties/a/$ref": "exact",
        "/properties/b/format": "annotation",
        "/properties/b/x-order": "annotation",
        "/$defs/n/type": "exact",
        "/$defs/n/description": "annotation",
    }


def test_a_format_is_exact_only_if_it_is_asserted() -> None:
    """The option decides, and the report says so."""
    assert statuses({"format": "date"}) == {"/format": "exact"}
    assert statuses({"format": "date"}, formats="annotation") == {"/format": "annotation"}


def test_keywords_of_other_drafts_are_annotations() -> None:
    """What a draft does not have asserts nothing in it, and is listed."""
    assert statuses({"$schema": "http://json-schema.org/draft-04/schema#", "const": 3}) == {"/const": "annotation"}
    assert statuses({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a", "minimum": 3, "definitions": {"a": {}}}) == {
        "/$ref": "exact",
        "/minimum": "annotation",
    }


def test_relaxed_keywords_say_what_they_allow() -> None:
    """What is left out on request is listed with its direction."""
    grammar = json_schema({"items": {"pattern": "(a)\\1"}}, JsonSchemaOptions(unsupported="report"))
    effect = "left out, so that more is allowed: a back-reference in '(a)\\\\1'"
    assert grammar.report[-1] == ReportEntry("/items/pattern", "pattern", "relaxed", effect)


def test_reports_of_parts_are_joined() -> None:
    """A composed grammar reports on its parts."""
    grammar = seq(json_schema({"type": "null"}), " ", json_schema({"type": "boolean", "title": "t"}))
    assert [entry.keyword for entry in grammar.report] == ["type", "type", "title"]


def test_a_grammar_remembers_its_schema_and_reads_its_texts() -> None:
    """The source is what the user gave, a dict as a copy that later changes of it do not touch; decode reads JSON."""
    schema = {"type": "array"}
    grammar = json_schema(schema)
    schema["type"] = "string"
    assert grammar.source == {"type": "array"}
    assert grammar.kind == "json_schema"
    assert grammar.value('[1, 2.5, "a"]') == [1, 2.5, "a"]
