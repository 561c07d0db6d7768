"""What two validators say of a document, and what decides where one of them rejects it.

A validator that rejects a document is asked again with its habits corrected: numbers read as decimals, of the document and of the schema
alike; patterns read as ECMAScript's; formats asserted. If it accepts then, the fewest corrections that it takes are the cause, and the
document is valid: exact arithmetic and the text of the specification have decided. If it never does, the document counts as invalid.
jsonschema-rs is asked if it is installed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from typing import Any

from jsonschema import FormatChecker
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import Draft202012Validator, extend, validator_for

from grammask.tools.bench.judge import with_python_patterns

__all__ = ["Judge", "Verdict", "validators"]

DECIMALS, PATTERNS, FORMATS = "computes in binary", "reads patterns as Python does", "does not assert formats"
FORMATS_OF_RUST = ("uri", "uri-reference", "iri", "iri-reference", "uri-template", "json-pointer", "relative-json-pointer", "duration", "hostname")
Corrections = frozenset[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """complaints: what validators say against a document, by their names; causes: why each does, if that is no fault of the document."""

    complaints: Mapping[str, str]
    causes: Mapping[str, str]

    @property
    def is_valid(self) -> bool:
        """Whether nobody has anything against it that corrections do not explain."""
        return self.complaints.keys() == self.causes.keys()

    def __str__(self) -> str:
        return "; ".join(f"{name} {self.causes.get(name, 'rejects it')}: {complaint}" for name, complaint in self.complaints.items())


def validators() -> tuple[str, ...]:
    """The names of those that are installed."""
    return tuple(name for name in _VALIDATORS if find_spec(name.replace("-", "_")))


class Judge:
    """All that is installed, for one schema. unread: why some cannot read the schema; these are not asked."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self.unread: dict[str, str] = {}
        self._made: dict[tuple[str, Corrections], Any] = {}
        for name in validators():
            try:
                self._validator(name, frozenset())
            except Exception as error:  # noqa: BLE001 (whatever it raises says that it cannot read this schema)
                self.unread[name] = f"{type(error).__name__}: {error}"

    def verdict(self, text: str) -> Verdict:
        """What is said of a document."""
        complaints, causes = {}, {}
        for name in validators():
            said = None if name in self.unread else self._complaint(name, text, frozenset())
            if said is not None:
                complaints[name] = said
                corrections = next(self._accepting(name, text), None)
                if corrections:
                    causes[name] = " and ".join(sorted(corrections))
        return Verdict(complaints, causes)

    def _accepting(self, name: str, text: str) -> Iterator[Corrections]:
        """Sets of corrections with which a validator accepts a document, small ones first."""
        possible = _VALIDATORS[name][1]
        for size in range(1, len(possible) + 1):
            for some in map(frozenset, combinations(possible, size)):
                if self._complaint(name, text, some) is None:
                    yield some

    def _complaint(self, name: str, text: str, corrections: Corrections) -> str | None:
        value = json.loads(text, parse_float=Decimal if DECIMALS in corrections else float)
        try:
            return _first(self._validator(name, corrections).iter_errors(value))
        except Exception as error:  # noqa: BLE001 (whatever the validator raises is noted, it is not ours)
            return f"raises {type(error).__name__}: {error}"

    def _validator(self, name: str, corrections: Corrections) -> Any:
        key = name, corrections
        if key not in self._made:
            self._made[key] = _VALIDATORS[name][0](self.schema, corrections)
        return self._made[key]


def _first(errors: Any) -> str | None:
    found = list(errors)
    if not found:
        return None
    return str(best_match(found).message if isinstance(found[0], ValidationError) else found[0].message)


def _python(schema: Any, corrections: Corrections) -> Any:
    kind = validator_for(schema, default=Draft202012Validator)
    if PATTERNS in corrections:
        schema = with_python_patterns(schema)
    if DECIMALS in corrections:
        kind, schema = _exact_kind(kind), _in_decimals(schema)
    return kind(schema, format_checker=_all_formats(kind) if FORMATS in corrections else None)


@cache
def _all_formats(kind: Any) -> FormatChecker:
    """Those that jsonschema can check here, and of the others those that jsonschema-rs can."""
    checker = FormatChecker(formats=())
    rust = import_module("jsonschema_rs") if find_spec("jsonschema_rs") else None
    for name in () if rust is None else FORMATS_OF_RUST:
        check = partial(rust.is_valid, {"format": name}, validate_formats=True)
        checker.checkers = {**checker.checkers, name: (check, ())}
    checker.checkers = {**checker.checkers, **kind.FORMAT_CHECKER.checkers}
    return checker


def _rust(schema: Any, corrections: Corrections) -> Any:
    """Decimals of documents are exact to it as they are, and so are a schema's numbers."""
    return import_module("jsonschema_rs").validator_for(schema, validate_formats=FORMATS in corrections)


_VALIDATORS: dict[str, tuple[Callable[[Any, Corrections], Any], tuple[str, ...]]] = {
    "jsonschema": (_python, (DECIMALS, PATTERNS, FORMATS)),
    "jsonschema-rs": (_rust, (DECIMALS, FORMATS)),
}


def _in_decimals(schema: Any) -> Any:
    """The same with decimals for floats, which say what was written if they are printed in full."""
    if isinstance(schema, Mapping):
        return {key: _in_decimals(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_in_decimals(value) for value in schema]
    return Decimal(repr(schema)) if isinstance(schema, float) else schema


@cache
def _exact_kind(kind: Any) -> Any:
    """A class of validators to which decimals are numbers, and whose divisions are exact."""
    checker = kind.TYPE_CHECKER.redefine_many({"number": _is_number, "integer": _is_integer})
    return extend(kind, validators={"multipleOf": _multiple_of}, type_checker=checker)


def _is_number(_checker: Any, value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _is_integer(_checker: Any, value: Any) -> bool:
    return _is_number(_checker, value) and value == int(value)


def _multiple_of(validator: Any, divisor: Any, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(value, "number") and Fraction(value) % Fraction(divisor):
        yield ValidationError(f"{value} is not a multiple of {divisor}")
