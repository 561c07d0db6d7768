"""What the reference says of keywords and constructs is so."""

import re
from pathlib import Path

import pytest

import grammask
from grammask.errors import UnsupportedFeatureError

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "json-schema.md").read_text(encoding="utf-8")
AB = {"a": {"type": "integer"}, "b": {"type": "string"}}
SAMPLES: dict[str, object] = {
    "type": ["integer", "null"], "enum": [1, "a"], "const": 1, "anyOf": [{"type": "string"}], "allOf": [{"type": "string"}, {"maxLength": 3}],
    "$ref": "#/$defs/x", "$defs": {}, "$dynamicRef": "#/$defs/x", "$anchor": "here", "$id": "urn:example:root",
    "properties": AB, "required": ["a"], "additionalProperties": False, "patternProperties": {"^x": {"type": "integer"}}, "propertyNames": {"pattern": "^a"},
    "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": {"required": ["b"]}}, "unevaluatedProperties": False,
    "items": {"type": "integer"}, "prefixItems": [{"type": "integer"}], "minItems": 1, "maxItems": 2, "unevaluatedItems": False,
    "minLength": 1, "maxLength": 2, "pattern": "^a+$", "minimum": 1, "maximum": 2.5, "exclusiveMinimum": 0, "exclusiveMaximum": 9, "multipleOf": 0.5,
    "not": {"type": "null"}, "if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "else": {"maxProperties": 1},
    "oneOf": [{"type": "integer"}, {"minimum": 3}], "contains": {"type": "integer"}, "minContains": 2, "maxContains": 3, "uniqueItems": True,
}  # fmt: skip


BEYOND = {"pattern": r"^(.)\1$"}  # what is refused of a keyword


def section(title: str) -> str:
    """The text of one section of the page."""
    return re.split(r"^## ", PAGE.partition(f"\n## {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def names(text: str) -> list[str]:
    """Words in backticks."""
    return re.findall(r"`([$\w-]+)`", text)


ENFORCED = [name for line in section("Enforced").splitlines() if line.startswith("| ") for name in names(line)]
FORMATS = names(section("Enforced").partition("`format` is enforced for")[2].partition(";")[0])
REFUSED = names(section("Refused").partition(" are ")[0])


@pytest.mark.parametrize("keyword", ENFORCED)
def test_keywords_called_enforced_are(keyword: str) -> None:
    """A schema with the keyword compiles, and its report calls the keyword exact."""
    schema = {"$defs": {"x": {"type": "integer"}}, "properties": AB, keyword: SAMPLES[keyword]}
    if keyword in {"required", "dependentRequired", "dependentSchemas"}:
        schema["type"] = "object"
    statuses = {entry.status for entry in grammask.json_schema(schema).report if entry.keyword == keyword and entry.pointer == f"/{keyword}"}
    assert statuses <= {"exact", "annotation"}


@pytest.mark.parametrize("name", FORMATS)
def test_formats_called_enforced_are(name: str) -> None:
    """A string of the format compiles, and the report calls it exact."""
    report = grammask.json_schema({"type": "string", "format": name}).report
    assert {entry.status for entry in report if entry.keyword == "format"} == {"exact"}


@pytest.mark.parametrize("keyword", REFUSED)
def test_keywords_called_refused_are(keyword: str) -> None:
    """The keyword is an UnsupportedFeatureError with its pointer. One that is not any more belongs into another section."""
    with pytest.raises(UnsupportedFeatureError) as caught:
        grammask.json_schema({keyword: BEYOND[keyword]})
    assert caught.value.pointer == f"/{keyword}"


def test_every_public_name_is_in_the_reference() -> None:
    """No name that users may import is missing from the page on Python."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    missing = [name for name in grammask.__all__ if not re.search(rf":: grammask\.{name}$", page, re.MULTILINE)]
    assert missing == ["errors"]  # a page of its own


def test_the_page_is_read_by_these_tests() -> None:
    """The sections are found, so that the tests above are not empty."""
    assert len(ENFORCED) > 25
    assert len(FORMATS) == 19
    assert REFUSED == ["pattern"]
