"""Arguments of public functions, checked before any work: what is of the wrong type is named, with what would be right.

Rule: a public function says with `@takes(name=kind)` what it takes, a dataclass of options calls `check_fields`; values are checked only as far
as the types go, what else they must be is for the function to say.
Below: errors.
"""

from __future__ import annotations

import math
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import signature
from operator import index
from typing import NamedTuple, ParamSpec, TypeVar

from grammask.errors import ArgumentError

__all__ = [
    "LARGEST", "Kind", "check", "check_fields", "flag", "instance", "is_whole", "list_of", "number", "one_of", "or_none", "path",
    "table", "takes", "text", "token_ids", "warn", "whole",
]  # fmt: skip

Given = ParamSpec("Given")
Result = TypeVar("Result")
LARGEST = 2**63 - 1


class Kind(NamedTuple):
    """What an argument may be. words: for the message, as in "it takes ..."."""

    words: str
    holds: Callable[[object], bool]


def check(function: str, name: str, value: object, kind: Kind) -> None:
    """Raises ArgumentError for a value that is not of the kind."""
    if not kind.holds(value):
        raise ArgumentError(function, name, value, kind.words)


def check_fields(options: object, **kinds: Kind) -> None:
    """The same for fields of a dataclass."""
    for name, kind in kinds.items():
        check(type(options).__name__, name, getattr(options, name), kind)


def is_whole(value: object) -> bool:
    """Whether a value counts as an int, numpy's integers included; a truth value does not."""
    try:
        index(value)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        return False
    return not isinstance(value, bool)


def warn(text: str) -> None:
    """A warning that points at the line of the user's that led to it, however deep inside the package it arises."""
    frame, depth = sys._getframe(1), 2  # 2: who called this
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, stacklevel=depth)


def takes(**kinds: Kind) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """A function whose arguments are checked on each call. Cost: some us."""

    def checked(function: Callable[Given, Result]) -> Callable[Given, Result]:
        names = list(signature(function).parameters)
        ordered = [(names.index(name), name, kind) for name, kind in kinds.items()]

        @wraps(function)
        def call(*arguments: Given.args, **named: Given.kwargs) -> Result:
            for position, name, kind in ordered:
                if position < len(arguments):
                    value: object = arguments[position]
                elif name in named:
                    value = named[name]
                else:
                    continue
                if not kind.holds(value):
                    raise ArgumentError(function.__qualname__, name, value, kind.words)
            return function(*arguments, **named)

        return call

    return checked


def or_none(kind: Kind) -> Kind:
    return Kind(f"{kind.words} or None", lambda value: value is None or kind.holds(value))


def instance(*types: type, words: str = "") -> Kind:
    """An object of one of these classes."""
    names = " or ".join(f"a {one.__module__.partition('.')[0]}.{one.__name__}" if one.__module__ != "builtins" else f"a {one.__name__}" for one in types)
    return Kind(words or names, lambda value: isinstance(value, types))


def one_of(*texts: str) -> Kind:
    return Kind(f"one of {', '.join(map(repr, texts))}", lambda value: isinstance(value, str) and value in texts)


def whole(least: int = 0) -> Kind:
    """An integer of Python or numpy, no truth value, that fits into 64 bits."""
    return Kind("a whole number" if least == -LARGEST else f"a whole number from {least} up", lambda value: _is_whole(value) and least <= int(value) <= LARGEST)  # type: ignore[call-overload]


def _is_whole(value: object) -> bool:
    return hasattr(type(value), "__index__") and not isinstance(value, bool) and getattr(value, "ndim", 0) == 0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: object) -> bool:
    """Whether this is a text that UTF-8 can spell."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_path(value: object) -> bool:
    if not isinstance(value, str | os.PathLike):
        return False
    try:
        return isinstance(os.fspath(value), str) and bool(os.fspath(value)) and b"\0" not in os.fsencode(value)
    except (UnicodeEncodeError, TypeError):
        return False


def _is_listed(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray | Mapping)


def _are_ids(value: object) -> bool:
    """Whether whole numbers are listed, as bytes are; what can be read only once is not looked into."""
    if isinstance(value, bytes | bytearray):
        return True
    if isinstance(value, Sequence):
        return _is_listed(value) and all(map(_is_whole, value))
    kind = getattr(getattr(value, "dtype", None), "kind", "i")  # of numpy's arrays; tensors of others are taken as they are
    return _is_listed(value) and kind in "iu" and getattr(value, "ndim", 1) == 1


def list_of(kind: Kind, words: str) -> Kind:
    """A sequence, not a text or a mapping, whose items are of a kind."""
    return Kind(words, lambda value: isinstance(value, Sequence) and _is_listed(value) and all(map(kind.holds, value)))


flag = Kind("True or False", lambda value: isinstance(value, bool))
number = Kind("a finite number", _is_number)
text = Kind("a text without lone surrogates", _is_text)
path = Kind("the path of a file or folder", _is_path)
table = Kind("a dict", lambda value: isinstance(value, Mapping))
token_ids = Kind("token ids", _are_ids)
