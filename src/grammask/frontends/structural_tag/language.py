"""The way into the structural-tag front end: from JSON or Python objects to a grammar."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, overload

from grammask.arguments import instance, or_none, takes
from grammask.errors import GrammarSyntaxError, LimitError
from grammask.frontends.structural_tag import formats, tags
from grammask.frontends.structural_tag.formats import AnyFormat, Reader, Surroundings, read_format
from grammask.frontends.structural_tag.options import StructuralTagOptions
from grammask.frontends.structural_tag.places import Place
from grammask.grammar.collector import without_collecting
from grammask.grammar.expression import Expression
from grammask.grammar.grammar import Grammar, ReportEntry

__all__ = ["structural_tag"]

FORMATS: Mapping[str, AnyFormat] = {
    "const_string": formats.read_const_string,
    "json_schema": formats.read_json_schema,
    "grammar": formats.read_grammar,
    "regex": formats.read_regex,
    "any_text": formats.read_any_text,
    "sequence": formats.read_sequence,
    "or": formats.read_or,
    "optional": formats.read_optional,
    "plus": formats.read_plus,
    "star": formats.read_star,
    "repeat": formats.read_repeat,
    "tag": tags.read_tag,
    "triggered_tags": tags.read_triggered_tags,
    "tags_with_separator": tags.read_tags_with_separator,
    "dispatch": tags.read_dispatch,
    "token": formats.read_token,
    "exclude_token": formats.read_exclude_token,
    "any_tokens": formats.read_any_tokens,
    "token_triggered_tags": tags.read_token_triggered_tags,
    "token_dispatch": tags.read_token_dispatch,
    "qwen_xml_parameter": formats.read_qwen_xml_parameter,
}

N_REMEMBERED = 32  # grammars
LARGEST_REMEMBERED = 1_000_000  # characters of JSON
DEFAULTS = StructuralTagOptions()


@takes(options=or_none(instance(StructuralTagOptions)))
def structural_tag(tag: Any, options: StructuralTagOptions | None = None) -> Grammar:
    """The grammar of a structural tag, in the form that vLLM and XGrammar take.

    tag: {"type": "structural_tag", "format": {...}}, or a format alone, or the older {"structures": [...], "triggers": [...]}; as a dict or
    as JSON text. In a dict, any format may be a `Grammar`.
    A dict or text that was given before with the same options gives the same object again while it is among the last 32.
    Raises SchemaError with the JSON pointer and the tag for what is no structural tag, GrammarSyntaxError for text that is not JSON and for
    patterns and grammars in it that do not parse, UnsupportedFeatureError for what cannot be enforced, LimitError for what is too large.
    """
    options = options or DEFAULTS
    text = tag if isinstance(tag, str) else _written(tag)
    if text is None or options.json.documents or len(text) > LARGEST_REMEMBERED:
        value = _parsed(tag) if isinstance(tag, str) else tag
        return _made(value, tag, options, None)
    return _remembered(text, isinstance(tag, str), options)


def _written(tag: Any) -> str | None:
    """A dict as JSON; None for what is not made of JSON values alone, or is no valid tag at all."""
    try:
        return json.dumps(tag, ensure_ascii=False, allow_nan=False) if isinstance(tag, dict) else None
    except (TypeError, ValueError, RecursionError):
        return None


@lru_cache(maxsize=N_REMEMBERED)
def _remembered(text: str, is_text: bool, options: StructuralTagOptions) -> Grammar:
    value = _parsed(text) if is_text else json.loads(text)
    return _made(value, text if is_text else value, options, ("structural_tag", text, options))


def _parsed(text: str) -> Any:
    """JSON text as a value, no key twice in an object."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise GrammarSyntaxError(f"this is not JSON: {error.msg}", text, (error.pos, error.pos + 1)) from None
    except _TwiceError as error:
        spelled = json.dumps(error.key, ensure_ascii=False)
        at = max(0, text.find(spelled, text.find(spelled) + 1))
        raise GrammarSyntaxError(f"the key {error.key!r} stands twice in an object", text, (at, at + len(spelled))) from None
    except RecursionError:
        raise LimitError("the nesting of a structural tag", None, formats.MAX_NESTING) from None


class _TwiceError(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = {}
    for key, value in pairs:
        if key in members:
            raise _TwiceError(key)
        members[key] = value
    return members


@without_collecting
def _made(value: Any, source: Any, options: StructuralTagOptions, key: Hashable) -> Grammar:
    reader = Reader(options, FORMATS)
    expression = _read(reader, Place(value))
    return Grammar(expression, "structural_tag", source, Reports(reader.reports), key=key)


def _read(reader: Reader, place: Place) -> Expression:
    value = place.value
    if not isinstance(value, Mapping):
        return read_format(reader, place, Surroundings())
    if "structures" in value or ("triggers" in value and "type" not in value):
        return _read_older(reader, place)
    if value.get("type") == "structural_tag" or ("type" not in value and "format" in value):
        return read_format(reader, place.members(("format",), ("type",))["format"], Surroundings())
    return read_format(reader, place, Surroundings())


def _read_older(reader: Reader, place: Place) -> Expression:
    """The form of before: tags whose content is always JSON, at any place in free text. Errors point into the form as it was given."""
    members = place.members(("structures", "triggers"), ("type",))
    if "type" in members and members["type"].value != "structural_tag":
        raise members["type"].wrong("the type of this form is 'structural_tag'")
    return tags.older_form(reader, members["structures"], members["triggers"])


class Reports(Sequence[ReportEntry]):
    """The reports of the parts one after another, with pointers from the whole; made when somebody reads them."""

    def __init__(self, parts: list[tuple[str, Sequence[ReportEntry]]]) -> None:
        self._parts = parts
        self._entries: tuple[ReportEntry, ...] | None = None

    def _made(self) -> tuple[ReportEntry, ...]:
        if self._entries is None:
            self._entries = tuple(chain.from_iterable(self._of(pointer, report) for pointer, report in self._parts))
        return self._entries

    @staticmethod
    def _of(pointer: str, report: Sequence[ReportEntry]) -> Iterator[ReportEntry]:
        for entry in report:
            below = entry.pointer if entry.pointer.startswith("/") or not entry.pointer else f" {entry.pointer}"
            yield ReportEntry(pointer + below, entry.keyword, entry.status, entry.effect)

    @overload
    def __getitem__(self, index: int) -> ReportEntry: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[ReportEntry, ...]: ...

    def __getitem__(self, index: int | slice) -> ReportEntry | tuple[ReportEntry, ...]:
        return self._made()[index]

    def __len__(self) -> int:
        return len(self._made())

    def __repr__(self) -> str:
        return repr(self._made())
