"""Values of schemas: what is copied as it is equals what is written and read."""

from __future__ import annotations

import json
from collections import OrderedDict
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.errors import LimitError, SchemaError
from grammask.frontends.json_schema.values import exact, read_json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3), max_leaves=12)


def typed(value: Any) -> Any:
    """The value with the types of its numbers."""
    if isinstance(value, dict):
        return {name: typed(member) for name, member in value.items()}
    return [typed(item) for item in value] if isinstance(value, list) else (type(value), value)


@given(VALUES)
def test_a_copy_is_what_writing_and_reading_gives(value: Any) -> None:
    """Floats become the same Decimal, all else stays."""
    assert typed(exact(value)) == typed(read_json(json.dumps(value)))


@pytest.mark.parametrize("value", [(1,), {1: 2}, {"a": {1}}, OrderedDict(a=1), Decimal(1), b"x", [10**2000]], ids=repr)
def test_what_is_no_plain_json_is_left_to_others(value: Any) -> None:
    """Values that JSON would write as something else, or not at all, are not copied."""
    with pytest.raises(TypeError):
        exact(value)


@pytest.mark.parametrize("value", [float("nan"), [float("-inf")]], ids=repr)
def test_numbers_without_a_spelling_are_refused(value: Any) -> None:
    """NaN and the infinities are no JSON."""
    with pytest.raises(SchemaError, match="no JSON number"):
        exact(value)


def test_a_float_keeps_its_digits() -> None:
    """0.1 is a tenth."""
    assert exact([0.1, 1e300]) == [Decimal("0.1"), Decimal("1e300")]
    with pytest.raises(LimitError):
        read_json("1e-2000")
