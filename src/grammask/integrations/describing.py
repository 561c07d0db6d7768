"""What a grammar wants, in words for the model.

Rule: an instruction of the system, short and literal. Measured with the embedded model (20 extraction prompts, greedy, under
the schema, 51 values asked for): right were 29 with nothing said, 21 with the JSON Schema behind the question, 38 with it in
the system's message, 39 with the keys there, in half the prompt's tokens. A small model copies a schema rather than fill it in.
Below: grammar.  Above: chat_model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from grammask.grammar.grammar import Grammar

__all__ = ["described", "description"]

# Below so many parameters a model is told the keys of a schema rather than the schema. Larger ones were not measured.
SMALL_MODEL_PARAMETERS: Final = 1_000_000_000
# A description that would list more than this is left out, or replaced by the schema.
MOST_CHOICES: Final = 20
MOST_KEYS: Final = 40
LONGEST_GRAMMAR: Final = 2_000  # characters
DEEPEST: Final = 6
NOTATIONS: Final = {"gbnf": "in GBNF", "lark": "for the parser Lark"}


def described(messages: Sequence[tuple[str, str]], grammar: Grammar, n_parameters: int) -> list[tuple[str, str]]:
    """The messages with what the grammar wants at the end of the system's first one; unchanged where there is nothing to say."""
    wanted = description(grammar, n_parameters)
    if wanted is None:
        return list(messages)
    if messages and messages[0][0] == "system":
        return [("system", f"{messages[0][1]}\n\n{wanted}"), *messages[1:]]
    return [("system", wanted), *messages]


def description(grammar: Grammar, n_parameters: int) -> str | None:
    """One instruction for a model of so many parameters; None for a grammar that few words cannot describe."""
    source = grammar.source
    if grammar.kind == "json_schema" and isinstance(source, str | bytes | bytearray):
        source = json.loads(source)
    if isinstance(source, Mapping):
        outline = _outline(source) if n_parameters < SMALL_MODEL_PARAMETERS else None
        return outline or f"Answer in JSON that obeys this JSON Schema:\n{json.dumps(source, ensure_ascii=False)}"
    if grammar.kind == "choice" and isinstance(source, Sequence):
        return f"Answer with {_listed(source)}." if len(source) <= MOST_CHOICES else None
    if grammar.kind == "regex" and isinstance(source, str):
        return f"Answer with a text that matches the regular expression {source}"
    notation = NOTATIONS.get(grammar.kind)
    if notation and isinstance(source, str) and n_parameters >= SMALL_MODEL_PARAMETERS and len(source) <= LONGEST_GRAMMAR:
        return f"Answer with a text of this grammar, which is written {notation}:\n{source.strip()}"
    return None


class _TooInvolved(Exception):
    """A schema that a list of keys does not do justice to."""


def _outline(schema: Mapping[str, Any]) -> str | None:
    """The keys of a schema in words, None if it has none or has a shape that words do not fit."""
    try:
        kind, words = _Outline(schema).of(schema, 0)
    except _TooInvolved:
        return None
    if kind == "object":
        return f"Answer in JSON with {words}."
    if kind == "array":
        return f"Answer with a JSON {words}."
    return f"Answer in JSON with {words}." if words else "Answer in JSON."


class _Outline:
    """Words for subschemas of one schema: ("object", "the keys a, b"), ("array", "list of ..."), ("", "x or y" or nothing to say)."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._keys = 0

    def of(self, schema: object, depth: int) -> tuple[str, str]:
        if not isinstance(schema, Mapping):
            return "", ""
        if depth > DEEPEST:
            raise _TooInvolved
        if "$ref" in schema:
            return self.of(self._target(schema["$ref"]), depth + 1)
        alternatives = [part for word in ("anyOf", "oneOf") for part in schema.get(word, ()) if not _is_null(part)]
        if len(alternatives) == 1:  # a value that may be null
            return self.of(alternatives[0], depth)
        if alternatives or "allOf" in schema or "if" in schema:
            raise _TooInvolved
        if "const" in schema or "enum" in schema:
            values = [schema["const"]] if "const" in schema else schema["enum"]
            return "", _listed(values) if len(values) <= MOST_CHOICES else ""
        if schema.get("properties"):
            return "object", f"the keys {self._members(schema['properties'], depth)}"
        if "items" in schema:
            kind, words = self.of(schema["items"], depth + 1)
            return "array", f"list of {'objects with ' if kind == 'object' else ''}{words}" if words else "list"
        return "", ""

    def _members(self, properties: Mapping[str, Any], depth: int) -> str:
        self._keys += len(properties)
        if self._keys > MOST_KEYS:
            raise _TooInvolved
        return ", ".join(self._member(key, value, depth) for key, value in properties.items())

    def _member(self, key: str, schema: object, depth: int) -> str:
        _, words = self.of(schema, depth + 1)
        told = schema.get("description") if isinstance(schema, Mapping) else None
        said = "; ".join(text for text in (told, words) if isinstance(text, str) and text)
        return f"{key} ({said})" if said else key

    def _target(self, reference: object) -> object:
        """What a reference within the schema names. Others, and spellings with escapes, are left to the schema itself."""
        if not isinstance(reference, str) or not reference.startswith("#"):
            raise _TooInvolved
        place: Any = self._root
        for name in reference.removeprefix("#").split("/")[1:]:
            if not isinstance(place, Mapping) or name not in place:
                raise _TooInvolved
            place = place[name]
        return place


def _is_null(schema: object) -> bool:
    return isinstance(schema, Mapping) and (schema.get("type") == "null" or schema.get("const", "") is None)


def _listed(values: Sequence[object]) -> str:
    """The values as they are written, "a, b or c"."""
    written = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values]
    return ", ".join(written[:-1]) + " or " + written[-1] if len(written) > 1 else "".join(written)
