"""Finished outputs read back: reasoning, text and calls, by the style's data alone.

Rule: what a tool grammar allows is read without loss; what ends too early, or was written without a grammar, is read as far as it goes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from grammask.arguments import Kind, instance, or_none, takes
from grammask.arguments import token_ids as ids_kind
from grammask.errors import GrammarError, TokenOutOfRange
from grammask.frontends.structural_tag import Encoding
from grammask.frontends.tools.style import CallLayout, Style, pieces, read_style
from grammask.frontends.tools.toolbox import read_tool
from grammask.vocabulary import Vocabulary

__all__ = ["ToolCall", "ToolOutput", "read_tool_calls"]

PATTERNS = {"{name}": r"(?P<name>[A-Za-z0-9_][A-Za-z0-9_.:/@-]*)", "{number}": r"(?P<number>[0-9]+)"}
CONSTANTS = {"True": True, "False": False, "None": None}
GROUPS = {"integer": "number"}
ANYTHING = "anything"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call: the tool's name and its arguments. number: the call's own number, where the style writes one."""

    name: str
    arguments: dict[str, Any]
    number: int | None = None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a model said in one turn.

    calls: in order. text: what is for the user, without marks. reasoning: None if there was none.
    rest: what is left where the output broke off, or went on in another form than the style's; "" for all that a tool grammar completes.
    """

    calls: tuple[ToolCall, ...] = ()
    text: str = ""
    reasoning: str | None = None
    rest: str = ""


@takes(
    output=Kind("a text or token ids", lambda value: isinstance(value, str) or ids_kind.holds(value)),
    tools=or_none(instance(Sequence, words="a list of tools")),
    vocabulary=or_none(instance(Vocabulary)),
)
def read_tool_calls(
    output: str | Iterable[int],
    style: Any,
    *,
    tools: Sequence[Mapping[str, Any]] | None = None,
    vocabulary: Vocabulary | None = None,
) -> ToolOutput:
    """What an output of a style holds.

    output: the text with its special tokens by name, or the token ids with the vocabulary, which names them.
    tools: tells strings from other values where a style writes both alike; without it such values stay texts.
    Raises GrammarError for a style that there is not and for ids without a vocabulary, TokenOutOfRange.
    """
    one = read_style(style)
    text = output if isinstance(output, str) else _spelled(output, vocabulary)
    return _Reader(one, _properties(tools or ())).read(text)


def _spelled(ids: Iterable[int], vocabulary: Vocabulary | None) -> str:
    if vocabulary is None:
        raise GrammarError("token ids need vocabulary=...: the marks of calls can be special tokens")
    names = {token_id: name.encode() for name, token_id in vocabulary.specials.items() if token_id not in vocabulary.eos_ids}
    ids = list(ids)
    for token_id in ids:
        if not 0 <= token_id < len(vocabulary):
            raise TokenOutOfRange(token_id, len(vocabulary))
    return b"".join([names.get(token_id) or vocabulary.tokens[token_id] for token_id in ids]).decode("utf-8", "replace")


def _properties(tools: Sequence[Any]) -> dict[str, Mapping[str, Any]]:
    """The declared parameters of each tool."""
    found = {}
    for number, given in enumerate(tools):
        tool = read_tool(given, number)
        schema = tool.parameters if isinstance(tool.parameters, Mapping) else {}
        found[tool.name] = schema.get("properties", {})
    return found


@lru_cache(maxsize=256)
def _form(template: str) -> re.Pattern[str]:
    """What stands before the arguments of a call."""
    return re.compile("".join(PATTERNS.get(piece) or re.escape(piece) for piece in pieces(template)))


@dataclass(slots=True)
class _Found:
    calls: list[ToolCall] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


class _Reader:
    """One reading."""

    def __init__(self, style: Style, properties: Mapping[str, Mapping[str, Any]]) -> None:
        self.style, self.properties = style, properties

    def read(self, text: str) -> ToolOutput:
        reasoning, at = self._reasoning(text)
        found = _Found()
        at = self._preamble(text, at, found)
        rest = self._either(text, at, found) if self.style.text.with_calls == "never" else self._both(text, at, found)
        return ToolOutput(tuple(found.calls), "".join(found.text), reasoning, rest)

    def _reasoning(self, text: str) -> tuple[str | None, int]:
        """The blocks of reasoning, and where what follows begins. A block may have been begun in the prompt."""
        layout = self.style.reasoning
        if layout is None:
            return None, 0
        blocks: list[str] = []
        at = 0
        while True:
            start = at + len(layout.begin) if text.startswith(layout.begin, at) else at
            end = text.find(layout.end, start)
            if end < 0 or (start == at and (blocks or not self._may_be_open(text, end))):
                break
            blocks.append(text[start:end])
            at = end + len(layout.end)
            gaps = [gap for gap in layout.gap if text.startswith(gap, at)]
            at += max(map(len, gaps), default=0)
            if not layout.many:
                break
        return ("\n".join(blocks) if blocks else None), at

    def _may_be_open(self, text: str, end: int) -> bool:
        """Whether a text can have begun inside a block of reasoning that ends at this place."""
        others = [mark.begin for mark in (self.style.text, self.style.preamble) if mark is not None and mark.begin]
        triggers = [place for layout in self.style.calls if (place := text.find(layout.trigger)) >= 0]
        return end < min(triggers, default=len(text)) and not text.startswith(tuple(others))

    def _preamble(self, text: str, at: int, found: _Found) -> int:
        layout = self.style.preamble
        if layout is None or not text.startswith(layout.begin, at):
            return at
        end = text.find(layout.end, at)
        if end < 0:
            return at
        found.text.append(text[at + len(layout.begin) : end])
        return end + len(layout.end)

    def _either(self, text: str, at: int, found: _Found) -> str:
        """An output that is calls or text, as its beginning says."""
        for layout in self.style.calls:
            if text.startswith(layout.trigger, at):
                end = self._calls(text, at, layout, found)
                if end is not None:
                    return text[end:]
        words = self.style.text
        if not text.startswith(words.begin, at):
            return text[at:]
        end = text.rfind(words.end) if words.end else len(text)
        if end < at + len(words.begin):
            return text[at:]
        found.text.append(text[at + len(words.begin) : end])
        return text[end + len(words.end) :]

    def _both(self, text: str, at: int, found: _Found) -> str:
        """Text with calls in it."""
        while True:
            places = [(place, layout) for layout in self.style.calls if (place := text.find(layout.trigger, at)) >= 0]
            if not places:
                found.text.append(text[at:])
                return ""
            place = min(place for place, _ in places)
            layouts = [layout for at_place, layout in places if at_place == place]
            layout, end = next(((one, end) for one in layouts if (end := self._calls(text, place, one, found)) is not None), (layouts[0], None))
            gap = layout.separator if found.calls and self.style.text.with_calls == "around" else ""
            said = text[at:place]
            found.text.append("" if said == gap else said)
            if end is None:
                return text[place:]
            at = end

    def _calls(self, text: str, at: int, layout: CallLayout, found: _Found) -> int | None:
        """Read calls to their end; None, with nothing noted, if they do not come to one."""
        calls: list[ToolCall] = []
        for begin in sorted(layout.begin, key=len, reverse=True):
            if text.startswith(begin, at):
                end = self._one_after_another(text, at + len(begin), layout, calls)
                if end is not None:
                    found.calls += calls
                    return end
        return None

    def _one_after_another(self, text: str, at: int, layout: CallLayout, calls: list[ToolCall]) -> int | None:
        calls.clear()
        while True:
            end = self._call(text, at, layout, calls)
            if end is None:
                return None
            following = end + len(layout.separator)
            if text.startswith(layout.separator, end) and self._call(text, following, layout, []) is not None and self.style.text.with_calls != "around":
                at = following
                continue
            return end + len(layout.end) if text.startswith(layout.end, end) else None

    def _call(self, text: str, at: int, layout: CallLayout, calls: list[ToolCall]) -> int | None:
        for form in layout.call:
            match = _form(form).match(text, at)
            if match is None:
                continue
            read = self._arguments(text, match.end(), match["name"], layout.call_end)
            if read is None or not text.startswith(layout.call_end, read[1]):
                continue
            number = match.groupdict().get("number")
            calls.append(ToolCall(match["name"], read[0], None if number is None else int(number)))
            return read[1] + len(layout.call_end)
        return None

    def _arguments(self, text: str, at: int, name: str, end: str) -> tuple[dict[str, Any], int] | None:
        if self.style.arguments is None:
            value = _json_at(text, at)
            return value if value is not None and isinstance(value[0], dict) else None
        return _Members(self.style.arguments, self.properties.get(name, {})).read(text, at, end)


def _json_at(text: str, at: int) -> tuple[Any, int] | None:
    try:
        return json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        return None


class _Members:
    """Arguments that are written member by member."""

    def __init__(self, encoding: Encoding, properties: Mapping[str, Any]) -> None:
        self.encoding, self.properties = encoding, properties
        words = "|".join(map(re.escape, dict.fromkeys(encoding.types.values())))
        opening = re.escape(encoding.before).replace(re.escape("{key}"), r"(?P<key>[^<>\"&=(),\n]+?)").replace(re.escape("{type}"), f"(?P<word>{words})")
        self.opening = re.compile(opening)

    def read(self, text: str, at: int, end: str) -> tuple[dict[str, Any], int] | None:
        """The members from a place on, and where they end; None if one of them has no end."""
        found: dict[str, Any] = {}
        while not (end and text.startswith(end, at) and not self._opens(text, at)):
            start = self._after_gap(text, at) if found else at
            match = self.opening.match(text, start)
            if match is None:
                return found, at
            value = self._value(text, match.end(), self._kinds(match["key"], match.groupdict().get("word")))
            if value is None:
                return None
            found[match["key"]], at = value
        return found, at

    def _opens(self, text: str, at: int) -> bool:
        return self.opening.match(text, at) is not None

    def _after_gap(self, text: str, at: int) -> int:
        gaps = [gap for gap in self.encoding.between if text.startswith(gap, at)]
        return at + max(map(len, gaps), default=0)

    def _kinds(self, key: str, word: str | None) -> set[str]:
        """The JSON types that a member's value can have; ANYTHING among them if that is not known."""
        if word is not None:
            return {kind for kind, said in self.encoding.types.items() if said == word}
        return _kinds_of(self.properties[key]) if key in self.properties else {"string"}

    def _value(self, text: str, at: int, kinds: set[str]) -> tuple[Any, int] | None:
        """A value and where the next member may begin."""
        if self.encoding.strings == "json" or kinds != {"string"}:
            for pad in sorted(self.encoding.pad, key=len, reverse=True):
                read = self._other(text, at + len(pad)) if text.startswith(pad, at) else None
                if read is not None and (self.encoding.strings == "json" or "string" not in kinds or kinds & {ANYTHING, _kind_of(read[0])}):
                    return read
        if self.encoding.strings == "json" or "string" not in kinds:
            return None
        end = text.find(self.encoding.after, at)
        if end < 0:
            return None
        return self._unpadded(text[at:end]), end + len(self.encoding.after)

    def _other(self, text: str, at: int) -> tuple[Any, int] | None:
        """A value in JSON, or a constant of Python, with the mark behind it."""
        word = re.compile("True|False|None").match(text, at) if self.encoding.constants == "both" else None
        read = _json_at(text, at) if word is None else (CONSTANTS[word[0]], word.end())
        if read is None:
            return None
        for pad in sorted(self.encoding.pad, key=len, reverse=True):
            if text.startswith(pad + self.encoding.after, read[1]):
                return read[0], read[1] + len(pad) + len(self.encoding.after)
        return None

    def _unpadded(self, value: str) -> str:
        for pad in sorted(self.encoding.pad, key=len, reverse=True):
            if pad and value.startswith(pad):
                value = value[len(pad) :]
                break
        for pad in sorted(self.encoding.pad, key=len, reverse=True):
            if pad and value.endswith(pad):
                return value[: -len(pad)]
        return value


def _kinds_of(schema: Any) -> set[str]:
    """The JSON types that a schema's own words allow; ANYTHING if it says more than is looked at."""
    if not isinstance(schema, Mapping):
        return {"string", ANYTHING}
    said = schema.get("type")
    if said is not None:
        return {GROUPS.get(kind, kind) for kind in ([said] if isinstance(said, str) else said)}
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(values, list):
        return {_kind_of(value) for value in values}
    branches = schema.get("anyOf", schema.get("oneOf"))
    if isinstance(branches, list):
        return set().union(*map(_kinds_of, branches))
    return {"string", ANYTHING}


def _kind_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return {str: "string", int: "number", float: "number", list: "array"}.get(type(value), "object")
