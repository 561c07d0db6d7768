"""Python types: what their grammars accept reads back as an instance, and what they refuse would not."""

from __future__ import annotations

import builtins
import dataclasses
import datetime as dt
import decimal
import enum
import functools
import ipaddress
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union

import pytest

import grammask
from grammask.errors import GrammarTypeError, SchemaError, UnsupportedFeatureError

pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")
typing_extensions = pytest.importorskip("typing_extensions", reason="pydantic brings it")


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Cat(pydantic.BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int = pydantic.Field(ge=0, le=9)


class Dog(pydantic.BaseModel):
    kind: Literal["dog"] = "dog"
    name: str = pydantic.Field(max_length=5, pattern="^[a-z]+$")


class Node(pydantic.BaseModel):
    value: int
    children: list[Node] = []  # noqa: RUF012 (pydantic copies it)


class Open(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    a: int


@dataclasses.dataclass
class Point:
    x: float
    y: float | None = None
    tags: set[str] = dataclasses.field(default_factory=set)


class Movie(typing_extensions.TypedDict):
    title: str
    year: typing_extensions.NotRequired[int]


class Pair(NamedTuple):
    first: int
    second: str


Pet = Annotated[Union[Cat, Dog], pydantic.Field(discriminator="kind")]  # noqa: UP007
MOMENT = dt.datetime(2024, 2, 29, 12, 0, tzinfo=dt.UTC)
NUMBER = uuid.UUID("12345678-1234-5678-1234-567812345678")

CASES: list[tuple[Any, dict[str, object], list[str]]] = [
    (Colour, {'"red"': Colour.RED}, ['"green"', '"RED"']),
    (Literal["a", 1, True, None], {'"a"': "a", "1": 1, "true": True, "null": None}, ["2", "false"]),  # noqa: PYI061
    (int, {"-5": -5}, ["1.0", '"5"']),
    (list[int], {"[1, 2]": [1, 2]}, ["[1.0]", '["a"]']),
    (tuple[int, str], {'[1, "a"]': (1, "a")}, ["[1]", '["a", 1]', '[1, "a", 2]']),
    (frozenset[int], {"[1, 1]": frozenset({1})}, ['["a"]']),
    (int | None, {"null": None, "1": 1}, ["1.5"]),
    (Optional[str], {"null": None, '"x"': "x"}, ["1"]),  # noqa: UP045
    (Annotated[int, pydantic.Field(gt=0, lt=10)], {"9": 9}, ["0", "10"]),
    (Annotated[str, pydantic.StringConstraints(min_length=2)], {'"ab"': "ab"}, ['"a"']),
    (dict[int, str], {'{"1": "a"}': {1: "a"}, '{"-30": ""}': {-30: ""}}, ['{"a": "b"}', '{"01": "b"}']),
    (dict[Colour, int], {'{"red": 1}': {Colour.RED: 1}}, ['{"green": 1}']),
    (Cat, {'{"lives": 9}': Cat(lives=9), '{"kind": "cat", "lives": 0}': Cat(lives=0)}, ['{"lives": 10}', "{}", '{"lives": 1, "age": 2}']),
    (Pet, {'{"kind": "cat", "lives": 3}': Cat(lives=3), '{"kind": "dog", "name": "rex"}': Dog(name="rex")}, ['{"lives": 3}', '{"kind": "dog", "lives": 3}']),
    (Node, {'{"value": 1, "children": [{"value": 2}]}': Node(value=1, children=[Node(value=2)])}, ['{"value": 1, "children": [1]}', '{"value": 1, "z": 1}']),
    (Open, {'{"a": 1, "b": [2]}': Open(a=1, b=[2])}, ['{"b": 1}']),
    (Point, {'{"x": 1.5}': Point(1.5), '{"x": 1, "y": null, "tags": ["a", "a"]}': Point(1.0, None, {"a"})}, ['{"y": 1}', '{"x": "1"}']),
    (Movie, {'{"title": "t"}': {"title": "t"}, '{"title": "t", "year": 1}': {"title": "t", "year": 1}}, ['{"year": 1}', '{"title": "t", "x": 1}']),
    (Pair, {'[1, "b"]': Pair(1, "b")}, ["[1]"]),
    (dt.datetime, {'"2024-02-29T12:00:00Z"': MOMENT}, ['"2023-02-29T12:00:00Z"', '"2024-12-31T23:59:60Z"', '"2024-02-29"']),
    (dt.date, {'"2024-02-29"': MOMENT.date()}, ['"2023-02-29"', '"0000-01-01"']),
    (uuid.UUID, {'"12345678-1234-5678-1234-567812345678"': NUMBER}, ['"1234"']),
    (decimal.Decimal, {"1.5": decimal.Decimal("1.5"), '"1.50"': decimal.Decimal("1.50")}, ['"x"', '""']),
    (Any, {"[1]": [1]}, []),
]


@pytest.fixture(scope="module")
def vocabulary() -> grammask.Vocabulary:
    return grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""], eos_ids=[256])


def is_accepted(grammar: grammask.Grammar, text: str, vocabulary: grammask.Vocabulary) -> bool:
    matcher = grammask.compile(grammar, vocabulary).matcher()
    for byte in text.encode():
        if not matcher.accepts(byte):
            return False
        matcher.advance(byte)
    return matcher.is_complete


@pytest.mark.parametrize(("kind", "instances", "refused"), CASES, ids=[str(kind)[:60] for kind, _, __ in CASES])
def test_texts_of_a_type_read_back_as_instances(kind: Any, instances: dict[str, object], refused: list[str], vocabulary: grammask.Vocabulary) -> None:
    """Every accepted text is read back as the instance it stands for; the others are not in the language."""
    grammar = grammask.json_schema(kind)
    assert grammar.kind == "type"
    assert isinstance(grammar.source, dict)
    for text, instance in instances.items():
        assert is_accepted(grammar, text, vocabulary), text
        assert grammar.value(text) == instance
    assert [text for text in refused if is_accepted(grammar, text, vocabulary)] == []


def test_reading_back_is_strict() -> None:
    """A text that the grammar would not write is not bent into shape."""
    with pytest.raises(ValueError, match="valid integer"):
        grammask.json_schema(Cat).value('{"lives": "3"}')


def test_options_apply_to_types(vocabulary: grammask.Vocabulary) -> None:
    """Layout is chosen as for schemas."""
    grammar = grammask.json_schema(list[int], grammask.JsonSchemaOptions(whitespace="compact"))
    assert is_accepted(grammar, "[1,2]", vocabulary)
    assert not is_accepted(grammar, "[1, 2]", vocabulary)


def test_a_type_compiles_without_further_ado(vocabulary: grammask.Vocabulary) -> None:
    """compile takes a type as it takes a grammar."""
    assert grammask.compile(Cat, vocabulary).matcher().forced_bytes() == b"{"


class Plain:
    pass


@pytest.mark.parametrize("kind", [Plain, list[Plain], Callable[[int], int]])
def test_a_type_without_a_json_form_is_refused(kind: Any) -> None:
    """The error names the type."""
    with pytest.raises(GrammarTypeError, match="JSON"):
        grammask.json_schema(kind)


@pytest.mark.parametrize("function", [lambda x: x, len, "a".join, functools.partial(len), Colour.mro], ids=["lambda", "builtin", "method", "partial", "bound"])
def test_a_function_is_neither_a_schema_nor_a_type(function: Any) -> None:
    """What is meant for another argument is refused by its kind, not as something that JSON cannot hold."""
    with pytest.raises(GrammarTypeError, match="neither a schema nor a type") as raised:
        grammask.json_schema(function)
    assert raised.value.got == type(function).__name__


@pytest.mark.parametrize("kind", [complex, list[complex], Optional[complex]])  # noqa: UP045
def test_a_complex_number_is_refused(kind: Any) -> None:
    """Its schema would allow any text, and hardly any reads back."""
    with pytest.raises(UnsupportedFeatureError, match="complex"):
        grammask.json_schema(kind)


@pytest.mark.parametrize("kind", [object, Any])
def test_object_stands_for_any_value(kind: Any, vocabulary: grammask.Vocabulary) -> None:
    """Every value is an object."""
    grammar = grammask.json_schema(kind)
    assert all(is_accepted(grammar, text, vocabulary) for text in ("1", '"a"', "null", "[1]"))


def test_a_format_that_only_pydantic_knows_is_refused() -> None:
    """A text that might not read back is not generated."""
    with pytest.raises(UnsupportedFeatureError, match="ipv4network"):
        grammask.json_schema(ipaddress.IPv4Network)


def test_an_undefined_name_is_an_error() -> None:
    """A forward reference to nothing is a typed error."""

    class Broken(pydantic.BaseModel):
        other: "Missing"  # type: ignore[name-defined]  # noqa: F821, UP037

    with pytest.raises((GrammarTypeError, SchemaError)):
        grammask.json_schema(Broken)


def test_paths_are_texts(vocabulary: grammask.Vocabulary) -> None:
    """A format that allows every text is no obstacle."""
    grammar = grammask.json_schema(Path)
    assert is_accepted(grammar, '"a/b"', vocabulary)
    assert grammar.value('"a/b"') == Path("a/b")


def test_without_pydantic_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Types need an optional package."""
    real = builtins.__import__

    def without_pydantic(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "pydantic":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_pydantic)
    with pytest.raises(UnsupportedFeatureError, match="pip install"):
        grammask.json_schema(Cat)
