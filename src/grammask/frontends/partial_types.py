"""Values on their way to being instances of a Python type: what a beginning of a JSON text says, in the classes of the type.

Rule: nothing is validated and no code of a class runs; what cannot be told yet (an enum's half member, one of several classes) stays plain.
Below: pydantic's description of models.  Above: python_types.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

__all__ = ["partial_instance"]


def partial_instance(kind: Any, value: object) -> object:
    """The value with models, dataclasses and what the type has inside them made; fields not there yet have their default, or None."""
    origin = typing.get_origin(kind)
    if origin is typing.Annotated:
        return partial_instance(typing.get_args(kind)[0], value)
    if origin in (typing.Union, types.UnionType):
        return _of_one(typing.get_args(kind), value)
    if isinstance(value, dict):
        return _of_members(kind, value)
    if isinstance(value, list):
        return _of_items(kind, value)
    return _of_scalar(kind, value)


def _of_one(kinds: tuple[Any, ...], value: object) -> object:
    """By the one alternative that takes such a value; plain if there are several."""
    fitting = [kind for kind in kinds if kind is not type(None) and _takes(kind, value)]
    return partial_instance(fitting[0], value) if len(fitting) == 1 else value


def _takes(kind: Any, value: object) -> bool:
    plain = typing.get_origin(kind) or kind
    if plain is typing.Annotated:
        return _takes(typing.get_args(kind)[0], value)
    if isinstance(value, dict):
        return plain is dict or _is_model(plain) or dataclasses.is_dataclass(plain) or typing.is_typeddict(plain)
    if isinstance(value, list):
        return plain in (list, tuple, set, frozenset)
    return not (plain in (dict, list, tuple, set, frozenset) or _is_model(plain) or dataclasses.is_dataclass(plain))


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and hasattr(kind, "model_fields") and hasattr(kind, "model_construct")


def _of_members(kind: Any, value: dict[str, object]) -> object:
    if _is_model(kind):
        return _model(kind, value)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _dataclass(kind, value)
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind)
        return {name: partial_instance(hints[name], member) if name in hints else member for name, member in value.items()}
    if typing.get_origin(kind) is dict:
        return {name: partial_instance(typing.get_args(kind)[1], member) for name, member in value.items()}
    return value


def _model(kind: Any, value: dict[str, object]) -> object:
    """A pydantic model without validation. Fields are found by the name that the text has for them."""
    known = {name: value[key] for name, field in kind.model_fields.items() for key in [_written(name, field)] if key in value}
    made = kind.model_construct(**{name: partial_instance(kind.model_fields[name].annotation, member) for name, member in known.items()})
    for name in kind.model_fields.keys() - vars(made).keys():
        vars(made)[name] = None
    return made


def _written(name: str, field: Any) -> str:
    alias = field.validation_alias or field.alias
    return alias if isinstance(alias, str) else name


def _dataclass(kind: type, value: dict[str, object]) -> object:
    hints = typing.get_type_hints(kind, include_extras=True)
    made: Any = object.__new__(kind)
    for field in dataclasses.fields(kind):
        if field.name in value:
            member = partial_instance(hints[field.name], value[field.name])
        elif field.default is not dataclasses.MISSING:
            member = field.default
        else:
            member = field.default_factory() if field.default_factory is not dataclasses.MISSING else None
        object.__setattr__(made, field.name, member)
    return made


def _of_items(kind: Any, value: list[object]) -> object:
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if origin is list and of:
        return [partial_instance(of[0], item) for item in value]
    if origin is tuple and of and of[-1] is not Ellipsis:
        return tuple(partial_instance(one, item) for one, item in zip(of, value, strict=False))
    if origin is tuple and of:
        return tuple(partial_instance(of[0], item) for item in value)
    return value


def _of_scalar(kind: Any, value: object) -> object:
    """An enum's member where the value is one; anything else as it stands."""
    import enum

    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return next((member for member in kind if member.value == value and type(member.value) is type(value)), value)
    return value
