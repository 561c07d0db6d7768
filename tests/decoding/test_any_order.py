"""Members in any order: what a constraint is for, over and over."""

from __future__ import annotations

import gc
import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import grammask
from grammask.kernel import KERNEL, Bound

TOKENS = [bytes([byte]) for byte in range(256)] + [b'": ', b', "', b""]
END = len(TOKENS) - 1
ANY = grammask.JsonSchemaOptions(property_order="any")


def constraint(schema: Any) -> grammask.Constraint:
    return grammask.compile(grammask.json_schema(schema, ANY), grammask.Vocabulary(TOKENS, eos_ids=[END]))


def written(matcher: grammask.Matcher, text: str) -> bool:
    """Whether a text is taken byte by byte, each of which is in its mask."""
    for byte in text.encode():
        if byte not in matcher.allowed_tokens():
            return False
        matcher.advance(byte)
    return matcher.is_complete


def test_every_order_is_one_grammar() -> None:
    """Sixty-four members come in any order, each once, though they have more orders than there are atoms."""
    names = [f"name-{number}" for number in range(64)]
    schema = {"type": "object", "properties": {name: {"type": "integer"} for name in names}, "required": names[::2], "additionalProperties": False}
    whole = constraint(schema)
    rng = Random(5)
    for _ in range(5):
        drawn = rng.sample(names, 64)
        assert written(whole.matcher(), json.dumps(dict.fromkeys(drawn, 1)))
        optional = [name for name in drawn if name in names[::2] or rng.random() < 0.5]
        assert written(whole.matcher(), json.dumps(dict.fromkeys(optional, 1)))
        assert not written(whole.matcher(), json.dumps(dict.fromkeys(drawn[:20], 1)))
        assert not written(whole.matcher(), json.dumps(dict.fromkeys(drawn, 1))[:-1] + f', "{drawn[0]}": 1}}')


def test_a_budget_counts_the_members_that_are_missing() -> None:
    """In a budget the required members come in time, in whichever order the others took the room."""
    properties = {name: {"type": "boolean"} for name in "abcdef"}
    whole = constraint({"type": "object", "properties": properties, "required": ["b", "e"], "additionalProperties": False})
    rng = Random(6)
    for _ in range(20):
        matcher = whole.matcher(max_tokens=40)
        taken = []
        while not matcher.is_finished:
            taken.append(int(rng.choice(matcher.allowed_tokens().tolist())))
            matcher.advance(taken[-1])
        value = json.loads(b"".join(TOKENS[token] for token in taken))
        assert {"b", "e"} <= set(value)
        assert len(taken) <= 41


def test_different_values_come_once_each_in_any_order() -> None:
    """uniqueItems over a choice of hundreds, with bounds."""
    whole = constraint({"type": "array", "items": {"enum": list(range(300))}, "uniqueItems": True, "minItems": 2, "maxItems": 5})
    assert written(whole.matcher(), "[299, 1, 0, 17, 200]")
    for text in ("[1]", "[1, 1]", "[1, 2, 1.0]", "[1, 2, 3, 4, 5, 6]", "[300, 1]"):
        assert not written(whole.matcher(), text)


@pytest.mark.skipif(KERNEL != "compiled", reason="the reference kernel keeps no states")
def test_a_constraint_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders have no end, and each leaves states behind; a constraint that has gathered too many goes on with none, and matchers are none the wiser."""
    monkeypatch.setattr("grammask.kernel.store.BOUND_WORN_BYTES", 1 << 18)
    names = [f"n{number}" for number in range(24)]
    before = n_bound()
    whole = constraint({"type": "object", "properties": {name: {"type": "integer"} for name in names}, "additionalProperties": False})
    rng = Random(7)
    sizes = []
    for _ in range(40):
        early = whole.matcher()
        early.advance(ord("{"))
        assert written(whole.matcher(), json.dumps(dict.fromkeys(rng.sample(names, 24), 1)))
        assert ord('"') in early.allowed_tokens()
        sizes.append(whole._bound.statistics()["bytes"])
    assert max(sizes[20:]) < 3 << 18
    assert any(after < before for before, after in pairwise(sizes))
    del early
    assert n_bound() <= before + 1, "what is worn is let go"


def n_bound() -> int:
    """How many grammars are bound at all."""
    gc.collect()
    return sum(type(one) is Bound for one in gc.get_objects())


def test_a_completion_is_known_wherever_a_text_has_come() -> None:
    """Behind a separator, too, with more members read than the least number and a required one still missing."""
    properties = {name: {"type": "boolean"} for name in "abcde"}
    whole = constraint({"type": "object", "properties": properties, "required": ["d"], "minProperties": 3, "additionalProperties": False})
    for text in ('{"a": true, "b": true, "c": true, ', '{"a": true, "b": true, "c": true', '{"a": true, "b": true, "c": true, "e": false, '):
        matcher = whole.matcher()
        assert not written(matcher, text)
        completion = matcher.shortest_completion()
        assert completion is not None
        value = json.loads(text.encode() + b"".join(TOKENS[token] for token in completion))
        assert value["d"] in (True, False)
        assert whole.matcher(max_tokens=200).draft(list(text.encode())) == len(text)
