"""Streaming partial values: what a beginning says, growing until it is the result's value."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

import grammask
from grammask import GenerateOptions
from grammask.decoding.partial_json import NOTHING_YET, PartialJson

from .worlds import RandomModel, byte_vocabulary, law

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 8},
        "tags": {"type": "array", "items": {"type": ["string", "integer", "boolean", "null"], "maxLength": 4}, "maxItems": 3},
        "inner": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "string", "maxLength": 3}}, "additionalProperties": False},
        "any": {},
    },
    "required": ["name", "tags"],
    "additionalProperties": False,
}
VOCABULARY = byte_vocabulary('": ', '", "', '{"', "]}", "true", "12", "[{", "\\u00e9", "name", "é")


def values_of(text: str) -> list[object]:
    """The value at every character of a text, where there is one, and the last one."""
    partial, seen = PartialJson(), []
    for character in text:
        partial.push(character)
        if partial.value() is not NOTHING_YET:
            seen.append(partial.value())
    return [*seen, partial.finish()]


def grows(before: object, after: object) -> bool:
    """The partial rule: texts, lists and objects are extended at their ends; all else stays as it was."""
    if isinstance(before, str) and isinstance(after, str):
        return after.startswith(before)
    if isinstance(before, list) and isinstance(after, list):
        kept = after[: len(before)]
        return len(kept) == len(before) and kept[:-1] == before[:-1] and (not before or grows(before[-1], kept[-1]))
    if isinstance(before, dict) and isinstance(after, dict):
        names = list(before)
        return list(after)[: len(names)] == names and all(grows(before[n], after[n]) if n == names[-1] else before[n] == after[n] for n in names)
    return type(before) is type(after) and before == after


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", NOTHING_YET), (" \n", NOTHING_YET), ("{", {}), ('{"a', {}), ('{"a"', {}), ('{"a":', {}), ('{"a": "', {"a": ""}), ('{"a": "x', {"a": "x"}),
        ('{"a": 1', {}), ('{"a": 1,', {"a": 1}), ('{"a": 1 ', {"a": 1}), ('{"a": 1, "b', {"a": 1}), ('{"a": tru', {}), ('{"a": true}', {"a": True}),
        ("[", []), ("[1", []), ("[1,", [1]), ("[[", [[]]), ('["a", {"b": [nul', ["a", {"b": []}]), ('["a\\', ["a"]), ('["a\\u00', ["a"]),
        ('["a\\u00e9', ["aé"]), ('["\\ud83d', [""]), ('["\\ud83d\\ude', [""]), ('["\\ud83d\\ude00', ["😀"]), ('["\\"', ['"']), ('"x', "x"), ("12", NOTHING_YET),
        ('{"a": "{[', {"a": "{["}), ('["}"', ["}"]), ("[-1.5e3]", [-1500.0]), ('{"a": {}}', {"a": {}}), ('{"a":[],"b":"', {"a": [], "b": ""}),
    ],
)  # fmt: skip
def test_what_a_beginning_says(text, value):
    """Texts grow, scalars are whole or not there, members come with their values, half an escape says nothing."""
    partial = PartialJson()
    partial.push(text)
    assert partial.value() == value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@law
@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_every_beginning_of_any_json_grows_to_its_value(value, ascii_only, indent):
    """For any value, however it is written, each beginning's value is a beginning of the next one's, and the last is the value."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    seen = values_of(text)
    assert all(grows(before, after) for before, after in pairwise(seen))
    assert seen[-1] == value


def test_the_values_of_200_outputs_grow_to_the_result():
    """For outputs drawn at random: each value shown grows from the one before, and the last one is the result's."""
    constraint = grammask.compile(grammask.json_schema(SCHEMA), VOCABULARY)
    shown = 0
    for seed in range(200):
        stream = grammask.Stream(RandomModel(VOCABULARY, seed), [0], constraint, GenerateOptions(45, seed=seed))
        seen = list(stream.values())
        shown += len(seen)
        assert all(grows(before, after) and before != after for before, after in pairwise(seen))
        assert seen[-1] == stream.result.value
    assert shown > 1000


class Colour(Enum):
    red = "red"
    green = "green"


@dataclass
class Point:
    x: float
    label: str = "none"
    marks: list[int] = field(default_factory=list)


class Shape(BaseModel):
    name: str = Field(alias="shapeName", max_length=6)
    colour: Colour
    points: list[Point] = Field(max_length=2)
    parent: Shape | None = None


def test_values_of_a_type_are_instances_on_their_way():
    """Models and dataclasses are made as soon as they open; what is not there yet has its default, or None; the last one is checked."""
    decode = grammask.json_schema(Shape).decode
    text = '{"shapeName": "tri", "colour": "red", "points": [{"x": 1.5, "label": "a", "marks": [1]}], "parent": null}'
    seen = [decode.partial(value) for value in values_of(text)]
    assert all(isinstance(shape, Shape) for shape in seen)
    assert (seen[0].name, seen[0].colour, seen[0].points, seen[0].parent) == (None, None, None, None)
    assert "tr" in [shape.name for shape in seen]
    assert {shape.colour for shape in seen} == {None, "", "r", "re", Colour.red}
    point = next(shape.points[0] for shape in seen if shape.points)
    assert (type(point), point.x, point.label, point.marks) == (Point, None, "none", [])
    assert seen[-1] == decode(text)


def test_streamed_values_of_a_type_end_with_the_checked_instance():
    """The stream gives instances all along, and the result's value at last."""
    constraint = grammask.compile(grammask.json_schema(Shape), VOCABULARY)
    stream = grammask.Stream(RandomModel(VOCABULARY, 1), [0], constraint, GenerateOptions(80, seed=1))
    seen = list(stream.values())
    assert all(isinstance(shape, Shape) for shape in seen)
    assert seen[-1] is stream.result.value or seen[-1] == stream.result.value


def test_a_text_that_is_no_json_has_its_value_at_the_end():
    """For other grammars there is one value, that of the result."""
    constraint = grammask.compile(grammask.choice(["yes", "no"]), VOCABULARY)
    stream = grammask.Stream(RandomModel(VOCABULARY, 1), [0], constraint)
    assert list(stream.values()) == [stream.result.value]
