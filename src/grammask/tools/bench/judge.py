"""What the validator `jsonschema` says against an output, with two of its habits corrected.

It reads patterns as Python does, while JSON Schema's are ECMAScript's: `\\s`, `\\w`, `.` and `$` differ, so patterns are written anew first.
And it divides floats in binary, so a failing `multipleOf` is asked again in decimals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from importlib import import_module
from typing import Any

__all__ = ["complaint", "python_pattern", "with_python_patterns"]

_LINE_ENDS = r"\n\r\u2028\u2029"
_BLANKS = r"\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NOT_BLANKS = r"\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
_PIECE = re.compile(r"\\(?:u\{[0-9a-fA-F]+\}|.)|\(\?<(?![=!])|[\[\]$.]|[^\\(\[\]$.]+|\(", re.DOTALL)
_MAPS = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
_VALUES = {"enum", "const", "default", "examples"}


def complaint(schema: Any, text: str) -> str | None:
    """What is wrong with a text; None for nothing. Raises re.error for a pattern that Python cannot read."""
    validators = import_module("jsonschema.validators")
    kind = validators.validator_for(schema, default=validators.Draft202012Validator)
    errors = kind(with_python_patterns(schema)).iter_errors(json.loads(text))
    return next((error.message for error in errors if not _is_float_trouble(error)), None)


def python_pattern(pattern: str) -> str:
    """A pattern of ECMAScript as Python's `re` reads it to the same effect. Covers what differs and is in use, not the whole language."""
    return "(?a:" + "".join(_pieces(pattern)) + ")"


def _pieces(pattern: str) -> Iterator[str]:
    in_class = False
    for piece in _PIECE.findall(pattern):
        if piece in {r"\s", r"\S"}:
            ranges = _BLANKS if piece == r"\s" else _NOT_BLANKS
            yield ranges if in_class else f"[{ranges}]"
        elif piece.startswith(r"\u{"):
            yield rf"\U{int(piece[3:-1], 16):08x}"
        elif piece == "(?<":
            yield "(?P<"
        elif piece in {"$", "."} and not in_class:
            yield r"\Z" if piece == "$" else f"[^{_LINE_ENDS}]"
        elif piece == "[" and in_class:
            yield r"\["
        else:
            in_class = (in_class or piece == "[") and piece != "]"
            yield piece


def with_python_patterns(schema: Any) -> Any:
    """The schema with its patterns written anew."""
    if isinstance(schema, list):
        return [with_python_patterns(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {keyword: _value_for_python(keyword, value) for keyword, value in schema.items()}


def _value_for_python(keyword: str, value: Any) -> Any:
    if keyword in _VALUES:
        return value
    if keyword == "pattern" and isinstance(value, str):
        return python_pattern(value)
    if keyword in _MAPS and isinstance(value, Mapping):
        return {python_pattern(name) if keyword == "patternProperties" else name: with_python_patterns(item) for name, item in value.items()}
    return with_python_patterns(value)


def _is_float_trouble(error: Any) -> bool:
    return error.validator == "multipleOf" and Decimal(str(error.instance)) % Decimal(str(error.validator_value)) == 0
