"""Texts from elsewhere as instances of a type: strict, with one stated policy for the case of enums."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

import grammask
from grammask.errors import GrammarTypeError


class Level(Enum):
    low = "low"
    high = "High"


class Mixed(Enum):
    small = "a"
    large = "A"


class Ticket(BaseModel):
    title: str
    level: Level
    channel: Literal["mail", "phone"] = "mail"
    more: list[Annotated[Level, Field()]] = []
    by_name: dict[str, Level] = {}
    parent: Ticket | None = None


def test_reading_is_strict_by_default():
    """Exact members pass, and nothing else does: no other case, no number, no null, no several members in one text."""
    assert grammask.read_value(Level, '"High"') is Level.high
    for text in ('"high"', '"HIGH"', "999", "null", '"low,High"', '" low"', '["low"]'):
        with pytest.raises(ValidationError):
            grammask.read_value(Level, text)
    for text in ('{"title": null, "level": "low"}', '{"title": 1, "level": "low"}', '{"title": "x"}', "{"):
        with pytest.raises(ValidationError):
            grammask.read_value(Ticket, text)


def test_any_case_bends_the_case_of_members_and_nothing_else():
    """Members that differ in case only are taken, wherever they stand; other texts keep their case; the rest stays strict."""
    text = '{"title": "LOW", "level": "hIGH", "channel": "MAIL", "more": ["LOW", "high"], "by_name": {"LOW": "Low"}, "parent": {"title": "é", "level": "LOW"}}'
    ticket = grammask.read_value(Ticket, text, enums="any_case")
    assert (ticket.title, ticket.level, ticket.channel, ticket.more) == ("LOW", Level.high, "mail", [Level.low, Level.high])
    assert ticket.by_name == {"LOW": Level.low}
    assert (ticket.parent.title, ticket.parent.level) == ("é", Level.low)
    for wrong in ("999", "null", '"low,high"', '" low"', '"lo"', "{"):
        with pytest.raises(ValidationError):
            grammask.read_value(Level, wrong, enums="any_case")
    with pytest.raises(ValidationError):
        grammask.read_value(Ticket, '{"title": null, "level": "LOW"}', enums="any_case")


def test_numbers_are_read_as_they_are_written():
    """Bending the case of members loses no digit of a number beside them."""
    text = '{"a": "%s", "b": 0.10000000000000000010, "c": 1e3}'
    bent, exact = grammask.read_value(dict[str, Level | float], text % "HIGH", enums="any_case"), grammask.read_value(dict[str, Level | float], text % "High")
    assert bent == exact
    assert grammask.read_value(dict[str, int], '{"b": 123456789012345678901234567890}', enums="any_case") == {"b": 123456789012345678901234567890}


def test_members_that_differ_in_case_alone_are_never_guessed():
    """With members a and A, each is itself."""
    assert grammask.read_value(Mixed, '"a"', enums="any_case") is Mixed.small
    assert grammask.read_value(Mixed, '"A"', enums="any_case") is Mixed.large


def test_what_is_no_type_and_no_policy_is_refused():
    """Both are GrammarTypeError."""
    with pytest.raises(GrammarTypeError):
        grammask.read_value(len, "1")
    with pytest.raises(GrammarTypeError):
        grammask.read_value(Level, '"low"', enums="loose")
