"""The arguments of a call that are not written as one JSON object: member by member, in an `Encoding`.

Rule: the same arguments are allowed as by the schema, in the order of its properties. What of a schema speaks about the object as a whole
and cannot be told member by member is refused by name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from grammask.errors import EmptyLanguageError, GrammarError, LimitError
from grammask.frontends.json_schema import JsonSchemaOptions, json_schema
from grammask.frontends.structural_tag.encodings import JSON_TYPES, Encoding
from grammask.frontends.structural_tag.places import Place, placed
from grammask.grammar.expression import (
    ANY_CHARACTER,
    NOTHING,
    Alt,
    And,
    Chain,
    Chars,
    Expression,
    Literal,
    Not,
    Ref,
    Repeat,
    Rule,
    Seq,
    Text,
    either,
    literal,
    seq,
)  # fmt: skip
from grammask.grammar.free_text import FreeText, Stop, marker
from grammask.grammar.grammar import Grammar
from grammask.grammar.language import character_automaton

__all__ = ["arguments", "members_expression"]

# What a schema may say of the arguments as a whole.
MEMBERS = ("properties", "required", "additionalProperties", "minProperties", "maxProperties", "type")
ANNOTATIONS = frozenset(
    ("$schema", "$id", "$defs", "definitions", "$comment", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "strict")
)
PLAIN_STRING = ANNOTATIONS | {"type"}
TYPE_GROUPS = {"integer": "number"} | {kind: kind for kind in JSON_TYPES}

ANY_TEXT = Repeat(ANY_CHARACTER)
# Characters that would end a name, or hide one, where names stand between marks.
MARKS = '<>"&=(),'
NAME = Chars([(low + 1, high - 1) for low, high in pairwise([0x1F, *sorted(map(ord, MARKS)), 0x7F]) if low + 1 < high] + [(0xA1, 0x10FFFF)])
LONGEST_NAME = 64
MAX_ALIASES = 32


def members_expression(place: Place, encoding: Encoding, options: JsonSchemaOptions) -> Expression:
    """All texts for arguments that the schema at the place allows.

    Raises SchemaError, UnsupportedFeatureError and LimitError with the pointer; EmptyLanguageError if nothing is allowed.
    """
    return _Members(place, encoding, options).expression()


def arguments(schema: Any, encoding: Encoding | None = None, options: JsonSchemaOptions | None = None, *, pointer: str = "", owner: str = "") -> Grammar:
    """The grammar of a call's arguments: one JSON object, or member by member in an encoding.

    pointer: where the schema stands in what the caller was given; owner: what it belongs to, in words. Both are for errors, which are those of
    `json_schema`, with UnsupportedFeatureError for what an encoding cannot tell member by member.
    """
    place, options = Place(schema, pointer, owner or "the arguments"), options or JsonSchemaOptions()
    if encoding is not None:
        return Grammar(Ref(Rule(place.owner, members_expression(place, encoding, options))), "arguments", schema)
    if not isinstance(schema, Mapping | bool):
        raise place.wrong("a schema of an object is needed for arguments")
    try:
        return json_schema(schema if isinstance(schema, bool) else dict(schema), options)
    except (GrammarError, LimitError) as error:
        raise placed(error, place) from None


class _Members:
    """One arguments object."""

    def __init__(self, place: Place, encoding: Encoding, options: JsonSchemaOptions) -> None:
        self.root, self.encoding, self.options = place, encoding, options
        self._check_schema()
        self.place = self._resolved(place)
        self.closing = encoding.closing

    def expression(self) -> Expression:
        schema = self.place.value
        properties = schema.get("properties", {})
        required = dict.fromkeys(schema.get("required", ()))
        self._check(schema, properties)
        items = [(self._member(name, self.place.below("properties").below(name)), name in required) for name in properties]
        for name, (item, is_required) in zip(properties, items, strict=True):
            if item is NOTHING and is_required:
                raise EmptyLanguageError(f"{self.place.pointer}/properties/{name} ({self.place.owner})", "no value is allowed there")
        rest = self._rest(properties)
        for name in required.keys() - properties.keys():
            if rest is None:
                raise EmptyLanguageError(f"{self.place.pointer}/required ({self.place.owner})", f"{name!r} is required and is no property")
            raise self.place.below("required").unsupported(f"the required {name!r} that is no property", "members are told by their names")
        minimum, maximum = schema.get("minProperties", 0), schema.get("maxProperties")
        between = either(*map(literal, self.encoding.between))
        return Chain(items, between, rest, minimum, maximum)

    def _resolved(self, place: Place) -> Place:
        """The schema of the object, past references to its own definitions."""
        for _ in range(MAX_ALIASES):
            if place.value is True:
                return Place({}, place.pointer, place.owner)
            if not isinstance(place.value, Mapping):
                raise place.wrong("a schema of an object is needed for arguments")
            target = place.value.get("$ref")
            if target is None:
                return place
            place = self._target(place, target)
        raise place.wrong("its $ref leads round in a circle")

    def _target(self, place: Place, target: Any) -> Place:
        if not isinstance(target, str) or not target.startswith("#/") or set(place.value) - ANNOTATIONS - {"$ref"}:
            raise place.below("$ref").unsupported(f"$ref to {target!r}", "arguments are read member by member", "write the object's own schema there")
        found = self.root
        for step in target[2:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(found.value, Mapping) or step not in found.value:
                raise place.below("$ref").wrong(f"nothing is at {target}")
            found = found.below(step)
        return found

    def _check_schema(self) -> None:
        """Have everything checked that the JSON Schema front end checks."""
        if not isinstance(self.root.value, Mapping | bool):
            raise self.root.wrong("a schema of an object is needed for arguments")
        try:
            json_schema(self.root.value if isinstance(self.root.value, bool) else dict(self.root.value), self.options)
        except (GrammarError, LimitError) as error:
            raise placed(error, self.root) from None

    def _check(self, schema: Mapping[str, Any], properties: Mapping[str, Any]) -> None:
        """Refuse what cannot be told member by member."""
        kinds = schema.get("type", "object")
        if "object" not in ([kinds] if isinstance(kinds, str) else kinds):
            raise self.place.below("type").wrong("arguments are an object")
        for keyword in schema:
            if keyword not in MEMBERS and keyword not in ANNOTATIONS:
                raise self.place.below(keyword).unsupported(keyword, "arguments are written member by member", "say it of single properties")
        for name in properties:
            if not name or any(character in MARKS or not character.isprintable() for character in name):
                raise self.place.below("properties").below(name).unsupported(f"the parameter name {name!r}", "names are written without escapes")

    def _rest(self, properties: Mapping[str, Any]) -> Expression | None:
        """Members that are no properties; None if there must be none."""
        schema = self.place.value
        if schema.get("additionalProperties", True) is False:
            return None
        additional = self.place.below("additionalProperties") if "additionalProperties" in schema else Place(True, self.place.pointer, self.place.owner)
        named: Expression = Repeat(NAME, 1, LONGEST_NAME)
        if properties:
            named = And((named, Not(either(*map(literal, properties)))))
        return Ref(Rule(f"additional members of {self.place.owner}", self._written(named, additional)))

    def _member(self, name: str, place: Place) -> Expression:
        return self._written(literal(name), place)

    def _written(self, name: Expression, place: Place) -> Expression:
        """A member: its name, and its value in the words for each type that it can have."""
        words: dict[str, list[str]] = {}
        for kind in _kinds(place.value):
            if self.encoding.types and kind not in self.encoding.types:
                if kind in _said_kinds(place.value):
                    raise place.unsupported(f"a value of type {kind}", "the style has no flat form for it")
                continue
            words.setdefault(self.encoding.types.get(kind, ""), []).append(kind)
        parts = [self._tagged(name, word, self._ending(place, kinds)) for word, kinds in words.items()]
        return either(*[part for part in parts if part is not NOTHING])

    def _tagged(self, name: Expression, word: str, ending: Expression) -> Expression:
        if ending is NOTHING:
            return NOTHING
        opening, _, rest = self.encoding.before.partition("{key}")
        return seq(marker(opening), name, marker(rest.replace("{type}", word)), ending)

    def _ending(self, place: Place, kinds: list[str]) -> Expression:
        """The values of these types and what stands after a value."""
        parts = []
        if "string" in kinds and self.encoding.strings == "raw":
            parts.append(self._raw(place))
            kinds = [kind for kind in kinds if kind != "string"]
        if kinds:
            parts.append(self._closed(self._json(place, kinds)))
        return either(*parts)

    def _closed(self, value: Expression) -> Expression:
        pad = _pad(self.encoding.pad)
        return seq(pad, value, pad, marker(self.encoding.after))

    def _raw(self, place: Place) -> Expression:
        """The strings that a schema allows, as they are, without the closing mark in them, and what stands after."""
        if place.value is True or (isinstance(place.value, Mapping) and place.value.keys() <= PLAIN_STRING):
            return _raw_strings(None, self.encoding)
        strings = self._json(place, ["string"])
        return NOTHING if strings is NOTHING else self._unquoted(strings, place)

    def _unquoted(self, strings: Expression, place: Place) -> Expression:
        """The content of string literals as raw text."""
        if isinstance(strings, Ref):
            return self._unquoted(strings.rule.body, place)
        if isinstance(strings, Alt):
            return either(*[self._unquoted(part, place) for part in strings.parts])
        if isinstance(strings, Literal):
            value = json.loads(strings.data)
            if self.closing in value:
                raise place.unsupported(f"the value {value!r}", f"it holds {self.closing!r}, which ends it")
            return self._closed(literal(value))
        if isinstance(strings, Seq) and len(strings.parts) == 2 and isinstance(strings.parts[1], Text):
            try:
                return _raw_strings(strings.parts[1], self.encoding)
            except LimitError as error:
                raise placed(error, place) from None
        raise place.unsupported("a string of this form", "it cannot be written without quotes")

    def _json(self, place: Place, kinds: list[str]) -> Expression:
        """The values of these types as JSON, with the other spellings of constants if the encoding has them; NOTHING if there are none."""
        narrowed, root = self._narrowed(place.value, kinds)
        options = self.options
        if self.options.documents or "$ref" in json.dumps(place.value):
            narrowed, options = self._with_definitions(place, kinds)
            root = ""
        try:
            expression = json_schema(narrowed, options).expression
        except EmptyLanguageError:
            return NOTHING
        except (GrammarError, LimitError) as error:
            raise placed(error, place, root) from None
        return self._with_constants(expression) if self.encoding.constants == "both" else expression

    def _narrowed(self, schema: Any, kinds: list[str]) -> tuple[Any, str]:
        """A schema for the values of these types, and the pointer in it of the schema that was given."""
        said = _said_kinds(schema)
        if said and set(said) <= set(kinds):
            return schema, ""
        if len(kinds) == len(JSON_TYPES):
            return schema, ""
        return {"allOf": [schema], "type": kinds}, "/allOf/0"

    def _with_definitions(self, place: Place, kinds: list[str]) -> tuple[Any, JsonSchemaOptions]:
        """The same where references lead out of the property: the arguments' schema is a document beside it."""
        name = "grammask:arguments"
        pointer = place.pointer.removeprefix(self.root.pointer)
        narrowed: dict[str, Any] = {"allOf": [{"$ref": f"{name}#{pointer}"}]}
        if len(kinds) < len(JSON_TYPES):
            narrowed["type"] = kinds
        if isinstance(self.root.value, Mapping) and "$schema" in self.root.value:
            narrowed["$schema"] = self.root.value["$schema"]
        return narrowed, replace(self.options, documents={**self.options.documents, name: self.root.value})

    def _with_constants(self, expression: Expression) -> Expression:
        """The same, with True beside true, and so on, where that is a whole value."""
        literals = {part.data for part in (expression.parts if isinstance(expression, Alt) else (expression,)) if isinstance(part, Literal)}
        more = [Literal(data.capitalize() if data != b"null" else b"None") for data in (b"true", b"false", b"null") if data in literals]
        return either(expression, *more) if more else expression


def _pad(pad: tuple[str, ...]) -> Expression:
    return either(*map(literal, pad))


@lru_cache(maxsize=256)
def _raw_strings(text: Text | None, encoding: Encoding) -> Expression:
    """The strings of a text (None: any) as they are, without the closing mark in them, and what stands after. One rule for all who ask."""
    closing = encoding.closing.encode()
    if text is None or (text.language is None and not text.minimum and text.maximum is None and not text.excluded):
        body = seq(FreeText([Stop(closing, len(closing), None)]), marker(encoding.after))
    else:
        pad = _pad(encoding.pad)
        body = seq(pad, _without_mark(text, closing), pad, marker(encoding.after))
    return Ref(Rule(f"text up to {encoding.closing!r}", body, shared=True))


def _without_mark(text: Text, mark: bytes) -> Expression:
    """The strings of a pattern, lengths and excluded strings, as a language over characters, none with the mark in it."""
    conditions: list[Expression] = [] if text.language is None else [text.language]
    if text.minimum or text.maximum is not None:
        conditions.append(Repeat(ANY_CHARACTER, text.minimum, text.maximum))
    if text.excluded:
        conditions.append(Not(either(*map(literal, sorted(text.excluded)))))
    strings = And((*conditions, Not(Seq((ANY_TEXT, Literal(mark), ANY_TEXT)))))
    character_automaton(strings)  # raises LimitError here, where the place is known, and is at hand when the grammar is lowered
    return strings


def _kinds(schema: Any) -> list[str]:
    """The JSON types that a schema's values can have, as far as its own `type`, `enum` and `const` say so."""
    return _said_kinds(schema) or list(JSON_TYPES)


def _said_kinds(schema: Any) -> list[str]:
    if not isinstance(schema, Mapping):
        return []
    said = schema.get("type")
    if isinstance(said, str):
        return _grouped([said])
    if isinstance(said, list):
        return _grouped(said)
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return _grouped(_kind_of(value) for value in values) if isinstance(values, list) else []


def _grouped(kinds: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(TYPE_GROUPS[kind] for kind in kinds if kind in TYPE_GROUPS))


def _kind_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int | float):
        return "number"
    return "array" if isinstance(value, list) else "object"
