"""JSON values as a schema holds them: their types, equality as JSON Schema has it, and how they are written.

Rule: numbers are int or Decimal, never float, so that arithmetic on them is exact; `True` is never 1. Operators of Decimal round to its
context (28 digits): only comparisons, int() and what is made from digits may be used on a schema's numbers.
"""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from json.encoder import encode_basestring, encode_basestring_ascii
from json.scanner import make_scanner
from math import isfinite
from typing import Any

from grammask.errors import GrammarSyntaxError, GrammaskError, LimitError, SchemaError

__all__ = [
    "ALL", "ARRAY", "BOOLEAN", "FRACTION", "INTEGER", "NULL", "NUMBER", "OBJECT", "STRING", "WORDS",
    "equality_key", "exact", "is_number", "number_spellings", "read_json", "string_spellings", "type_of", "type_words", "written",
]  # fmt: skip

# The types of values as bits: a number is an integer or has a fraction, never both.
NULL, BOOLEAN, INTEGER, FRACTION, STRING, ARRAY, OBJECT = (1 << bit for bit in range(7))
NUMBER = INTEGER | FRACTION
ALL = (1 << 7) - 1
WORDS = {NULL: "null", BOOLEAN: "boolean", NUMBER: "number", INTEGER: "integer", STRING: "string", ARRAY: "array", OBJECT: "object"}

# Numbers beyond this many digits before or after the point are refused: nobody means them, and they cost time in digits.
MAX_NUMBER_DIGITS = 1000
LARGEST_PLAIN = 10**MAX_NUMBER_DIGITS


def _decimal(text: str) -> Decimal:
    number = Decimal(text)
    if number and (abs(number.adjusted()) > MAX_NUMBER_DIGITS or len(text) > MAX_NUMBER_DIGITS):
        raise LimitError("the digits of a number in the schema", None, MAX_NUMBER_DIGITS)
    return number


def _no_constant(name: str) -> None:
    raise SchemaError(f"the schema is not JSON: {name} is no JSON number")


_decoder = json.JSONDecoder(parse_float=_decimal, parse_constant=_no_constant)
_scan = make_scanner(_decoder)  # type: ignore[arg-type]  # the type stub has its own class in place of a decoder


def _decode(text: str) -> Any:
    """The value of a JSON text; one without whitespace around it, as most are, takes no search for that."""
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        end = -1
    return value if end == len(text) else _decoder.decode(text)


def written(schema: object) -> str:
    """The JSON text of a schema that is a text (str or bytes) or a value that JSON can write.

    Raises GrammarSyntaxError for bytes that are no UTF-8, SchemaError for a value JSON cannot write, LimitError for too deep a nesting.
    """
    if isinstance(schema, str):
        return schema
    if isinstance(schema, bytes | bytearray):
        try:
            return schema.decode()
        except UnicodeDecodeError as error:
            raise GrammarSyntaxError(f"the schema is not UTF-8: {error.reason} at byte {error.start}") from None
    try:
        return json.dumps(schema, allow_nan=False)
    except RecursionError:
        raise _too_deep() from None
    except (TypeError, ValueError) as error:
        raise _not_json(error) from None


def read_json(schema: object) -> Any:
    """The value of a JSON text (str or bytes), or a copy of a value that JSON can write; floats become Decimal.

    Raises what `written` raises, and GrammarSyntaxError for text that is not JSON.
    """
    text = written(schema)
    try:
        return _decode(text)
    except json.JSONDecodeError as error:
        raise GrammarSyntaxError(f"the schema is not JSON: {error.msg}", error.doc, (error.pos, error.pos + 1)) from None
    except RecursionError:
        raise _too_deep() from None
    except GrammaskError:
        raise
    except ValueError as error:
        raise _not_json(error) from None


def exact(value: Any) -> Any:
    """A copy of a value made of plain JSON types, floats as the Decimal that they are written as. Raises TypeError for all others."""
    kind = type(value)
    if kind is dict:
        return {_name(name): exact(member) for name, member in value.items()}
    if kind is list:
        return [exact(item) for item in value]
    if kind is float:
        return _decimal(repr(value)) if isfinite(value) else _no_constant(repr(value))
    if kind is str or kind is bool or value is None or (kind is int and abs(value) < LARGEST_PLAIN):
        return value
    raise TypeError(f"{kind.__name__} is no plain JSON")


def _name(name: Any) -> str:
    if type(name) is not str:
        raise TypeError("a name that is no text")
    return name


def _too_deep() -> LimitError:
    return LimitError("the nesting of the schema", None, sys.getrecursionlimit(), "name inner schemas in $defs and refer to them by $ref")


def _not_json(error: Exception) -> GrammaskError:
    if "integer string conversion" in str(error):
        return LimitError("the digits of a number in the schema", None, MAX_NUMBER_DIGITS)
    return SchemaError(f"the schema is not JSON: {error}")


def is_number(value: object) -> bool:
    """Whether this is a JSON number."""
    return type(value) is int or type(value) is Decimal


def type_of(value: Any) -> int:
    """The bit of a value's type; 1.0 is an integer."""
    kind = type(value)
    if kind is str:
        return STRING
    if kind is dict:
        return OBJECT
    if kind is list:
        return ARRAY
    if kind is int:
        return INTEGER
    if kind is Decimal:
        return INTEGER if value == value.to_integral_value() else FRACTION
    return NULL if value is None else BOOLEAN


def type_words(mask: int) -> str:
    """The types of a mask in words, for messages."""
    words = [WORDS[bit] for bit in (NULL, BOOLEAN) if mask & bit]
    if mask & NUMBER:
        words.append("integer" if mask & NUMBER == INTEGER else "number")
    return " or ".join(words + [WORDS[bit] for bit in (STRING, ARRAY, OBJECT) if mask & bit])


def equality_key(value: Any) -> Any:
    """A hashable key, equal for values that JSON Schema calls equal (1 and 1.0 are, 1 and true are not)."""
    if type(value) is bool or value is None or type(value) is str:
        return (type(value), value)
    if type(value) is list:
        return (list, tuple(map(equality_key, value)))
    if type(value) is dict:
        return (dict, frozenset((name, equality_key(part)) for name, part in value.items()))
    return value


def string_spellings(text: str) -> list[bytes]:
    """The ways json.dumps writes a string, quotes included: characters as they are, and beyond ASCII also escaped."""
    if text.isascii():
        return [encode_basestring(text).encode()]
    escaped = encode_basestring_ascii(text).encode()
    try:
        return [encode_basestring(text).encode(), escaped]
    except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot hold
        return [escaped]


def number_spellings(value: int | Decimal, *, only_digits: bool) -> list[bytes]:
    """The usual ways to write a number: plain digits, for integers `.0` behind them too, and what json.dumps writes for the float."""
    if type_of(value) == INTEGER:
        plain = str(int(value))
        spellings = [plain] if only_digits else [plain, plain + ".0"]
    else:
        spellings = [format(value, "f").rstrip("0")]
    if type(value) is Decimal and not only_digits:
        shortest = repr(float(value))
        if "inf" not in shortest and Decimal(shortest) == value:
            spellings.append(shortest)
    return [spelling.encode() for spelling in dict.fromkeys(spellings)]
