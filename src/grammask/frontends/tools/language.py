"""From tools and a style to a grammar: one way for all styles.

An output is reasoning, then text, calls, or both, as the style lays them out. The calls of all tools are one choice of markers, which is
read letter by letter, with one rule for each tool's arguments behind its name.
Rule: nothing here knows a style; what differs between models is in their data files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from typing import Literal as OneOf

from grammask.arguments import flag, instance, or_none, takes
from grammask.arguments import text as text_kind
from grammask.errors import GrammarError, GrammaskError, LimitError, SchemaError
from grammask.frontends.regex import regex
from grammask.frontends.structural_tag import arguments
from grammask.frontends.tools.options import ToolOptions
from grammask.frontends.tools.style import CallLayout, Reasoning, Style, pieces, read_style
from grammask.frontends.tools.toolbox import Choice, Tool, chosen, read_tool, restricted
from grammask.grammar.collector import without_collecting
from grammask.grammar.expression import EMPTY, Chars, Expression, Ref, Repeat, Rule, either, optional, seq
from grammask.grammar.free_text import FreeText, Marked, Stop, marker
from grammask.grammar.grammar import Grammar, ReportEntry

__all__ = ["ToolChoice", "tool_grammar"]

ToolChoice = OneOf["auto", "required", "none"] | Mapping[str, Any]
ReasoningMode = OneOf["auto", "on", "off", "open"]

NUMBER = Repeat(Chars([(0x30, 0x39)]), 1, 9)
DEFAULTS = ToolOptions()
N_REMEMBERED = 32  # grammars
LARGEST_REMEMBERED = 1_000_000  # characters of tools and choice as JSON


@takes(parallel=flag, reasoning=text_kind, options=or_none(instance(ToolOptions)))
def tool_grammar(
    tools: Sequence[Mapping[str, Any]],
    style: str | os.PathLike[str] | Style,
    tool_choice: ToolChoice = "auto",
    parallel: bool = True,
    reasoning: ReasoningMode = "auto",
    options: ToolOptions | None = None,
) -> Grammar:
    """The grammar of one turn of a model that may call tools.

    tools: in OpenAI's form or bare ({"name", "description", "parameters"}).  style: a name of `tool_styles()`, the path of a style file, or a Style.
    tool_choice: "auto" text, calls or both; "required" one call at least and no text; "none" text only; {"name": ...} one call of that tool.
    parallel: several calls in one turn, where the style has a form for that.
    reasoning: "auto" a block of it or none; "on" a block; "open" the prompt has begun one, the output finishes it; "off" none.
    The same tools with the same choices give the same object again while it is among the last 32.
    Raises SchemaError, UnsupportedFeatureError, EmptyLanguageError for a tool that cannot be used, with its name and the JSON pointer from `tools`
    (or leaves it out, see ToolOptions); GrammarError for a choice, style or mode that there is not.
    """
    one = read_style(style)
    if reasoning not in {"auto", "on", "off", "open"}:
        raise GrammarError(f'reasoning={reasoning!r}: choose "auto", "on", "off" or "open"')
    if one.reasoning is None and reasoning in {"on", "open"}:
        raise GrammarError(f"reasoning={reasoning!r}: the style {one.name!r} has no form for it")
    if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Iterable):
        raise GrammarError(f"tools is a list of tools, got {type(tools).__name__}")
    chosen(tool_choice)
    try:
        text = json.dumps([list(tools), tool_choice], ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise GrammarError(f"tools and tool_choice must be made of JSON values: {error}") from None
    make = _remembered if len(text) <= LARGEST_REMEMBERED else _made
    return make(text, one, parallel, reasoning, options or DEFAULTS)


@without_collecting
def _made(text: str, style: Style, parallel: bool, reasoning: str, options: ToolOptions) -> Grammar:
    """The grammar for tools and a choice as JSON."""
    tools, tool_choice = json.loads(text)
    choice = chosen(tool_choice)
    box = Toolbox.of(tools, style, options)
    usable = restricted(box.tools, choice, box.left_out)
    if choice.mode in {"required", "named"} and not usable:
        raise GrammarError(f"tool_choice={tool_choice!r:.60}: there is no tool to call")
    turn = _Turn(style, [(tool, box.grammars[tool.name]) for tool in usable], choice, parallel=parallel)
    try:
        expression = seq(_reasoning(style.reasoning, reasoning), turn.expression())
    except ValueError as error:  # of free text: its marks contradict each other
        raise GrammarError(f"the style {style.name!r} cannot be used: {error}") from None
    source = {"style": style.name, "tools": tools, "tool_choice": tool_choice, "parallel": parallel, "reasoning": reasoning}
    key = None if options.json.documents else ("tools", text, style, parallel, reasoning, options)
    return Grammar(expression, "tools", source, tuple(box.report), key=key)


_remembered = lru_cache(maxsize=N_REMEMBERED)(_made)


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools with the grammars of their arguments, and what there is to say of those left out."""

    tools: list[Tool]
    grammars: dict[str, Grammar]
    left_out: list[str]
    report: list[ReportEntry]

    @classmethod
    def of(cls, tools: list[Any], style: Style, options: ToolOptions) -> Toolbox:
        """Read all tools. Raises what is wrong with the first bad one, unless those are to be left out."""
        box = cls([], {}, [], [])
        for number, given in enumerate(tools):
            try:
                tool = read_tool(given, number)
                if tool.name in box.grammars:
                    raise SchemaError("there is another tool of this name", f"/{number}", owner=tool.owner)
                grammar = _arguments(tool, style, options)
            except (GrammarError, LimitError) as error:
                if options.on_bad_tool == "raise":
                    raise
                box._leave_out(given, number, error)
                continue
            box.tools.append(tool)
            box.grammars[tool.name] = grammar
            box.report.extend(_placed(tool, grammar))
        return box

    def _leave_out(self, given: Any, number: int, error: GrammaskError) -> None:
        inner = given.get("function", given) if isinstance(given, Mapping) else {}
        name = inner.get("name") if isinstance(inner, Mapping) else None
        if isinstance(name, str) and name not in self.grammars:
            self.left_out.append(name)
        self.report.append(ReportEntry(f"/{number}", str(name), "relaxed", f"left out, so that it cannot be called: {str(error).splitlines()[0]}"))


def _placed(tool: Tool, grammar: Grammar) -> Iterable[ReportEntry]:
    """What is relaxed of a tool's schema; the rest is as it was written."""
    return [
        ReportEntry(tool.pointer + entry.pointer, entry.keyword, entry.status, f"{tool.owner}: {entry.effect}")
        for entry in grammar.report
        if entry.status == "relaxed"
    ]


def _arguments(tool: Tool, style: Style, options: ToolOptions) -> Grammar:
    schema = tool.parameters
    if options.extra_arguments == "forbid" and isinstance(schema, Mapping):
        schema = {"additionalProperties": False, **schema}
    return arguments(schema, style.arguments, options.json, pointer=tool.pointer, owner=tool.owner)


def _reasoning(layout: Reasoning | None, mode: str) -> Expression:
    """What stands before the answer."""
    if layout is None or mode == "off":
        return EMPTY
    mark = layout.end.encode()
    rest = seq(FreeText([Stop(mark, len(mark), None)]), marker(layout.end), Marked([(gap.encode(), EMPTY) for gap in layout.gap]))
    block = seq(marker(layout.begin), rest)
    more = Repeat(block) if layout.many else EMPTY
    if mode == "open":
        return seq(rest, more)
    blocks = seq(block, more)
    return optional(blocks) if mode == "auto" else blocks


class _Turn:
    """What a model says after it has thought: text, calls, or both."""

    def __init__(self, style: Style, tools: list[tuple[Tool, Grammar]], choice: Choice, *, parallel: bool) -> None:
        self.style, self.tools, self.choice = style, tools, choice
        self.parallel = parallel and choice.mode != "named"
        self.choices: dict[tuple[str, str], Expression] = {}

    def expression(self) -> Expression:
        text = self.style.text
        if self.choice.mode in {"required", "named"}:
            return self._calls()
        if not self.tools:
            return self._text()
        if text.with_calls == "never":
            return either(self._calls(), self._text())
        again = text.with_calls == "around" and self.parallel
        stops = [stop for layout in self.style.calls for stop in self._stops(layout, again=again)]
        return FreeText([*stops, *self._excluded([])])

    def _calls(self) -> Expression:
        """Calls and nothing else, but for what may be said before them."""
        cases = [(stop.text, stop.then or EMPTY) for layout in self.style.calls for stop in self._stops(layout, again=False)]
        preamble = self.style.preamble
        calls = Marked(cases)
        if preamble is None:
            return calls
        mark = preamble.end.encode()
        return seq(optional(seq(marker(preamble.begin), FreeText([Stop(mark, len(mark), None)]), marker(preamble.end))), calls)

    def _text(self) -> Expression:
        """Text without calls."""
        layout = self.style.text
        words: Expression = FreeText(self._excluded([call.trigger for call in self.style.calls] if layout.with_calls != "never" else []))
        if layout.first:
            words = optional(seq(regex(layout.first).expression, words))
        return seq(marker(layout.begin), words, marker(layout.end))

    def _excluded(self, more: Sequence[str]) -> list[Stop]:
        """What no text may hold: its own end, the marks of reasoning, and these."""
        reasoning = self.style.reasoning
        marks = [self.style.text.end, *((reasoning.begin.strip(), reasoning.end.strip()) if reasoning else ()), *more]
        kept: list[Stop] = []
        for mark in sorted({mark.encode() for mark in marks if mark}):
            if not kept or not mark.startswith(kept[-1].text):
                kept.append(Stop(mark, len(mark), None))
        return kept

    def _stops(self, layout: CallLayout, *, again: bool) -> list[Stop]:
        """For each way to begin: its first letters, and what must follow."""
        commit = len(layout.trigger.encode())
        many = layout.many and self.parallel and not again
        following = Repeat(seq(marker(layout.separator), self._call(layout))) if many else EMPTY
        stops = []
        for begin in layout.begin:
            for form in layout.call:
                opening, *rest = pieces(begin + form)
                then = seq(self._form(rest, layout), following, marker(layout.end))
                stops.append(Stop(opening.encode(), commit, then, again))
        return stops

    def _call(self, layout: CallLayout) -> Expression:
        return either(*[self._form(pieces(form), layout) for form in layout.call])

    def _form(self, parts: Sequence[str], layout: CallLayout) -> Expression:
        """The rest of a call from some piece of its template on."""
        at = parts.index("{name}")
        before, after = parts[:at], parts[at + 1 :]
        head = [NUMBER if part == "{number}" else marker(part) for part in before]
        return seq(*head, self._tools("".join(after), layout.call_end))

    def _tools(self, after: str, end: str) -> Expression:
        """Any one of the tools: its name, what stands after the name, its arguments and the end. One rule for all calls alike."""
        if (after, end) not in self.choices:
            opening, *rest = pieces(after) or [""]
            if opening == "{number}":
                opening, rest = "", [opening, *rest]
            middle = seq(*[NUMBER if part == "{number}" else marker(part) for part in rest])
            closing = marker(end)
            cases = [((tool.name + opening).encode(), seq(middle, grammar.expression, closing)) for tool, grammar in self.tools]
            self.choices[after, end] = Ref(Rule("tool calls", Marked(cases)))
        return self.choices[after, end]
