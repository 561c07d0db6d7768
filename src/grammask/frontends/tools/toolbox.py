"""The tools that a caller gives, in the forms that chat APIs use, and which of them may be called.

Rule: a tool that cannot be used is named, with the place of what is wrong in it; on request it is left out and the others are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from grammask.errors import GrammarError, SchemaError

__all__ = ["Choice", "Tool", "chosen", "read_tool"]

NO_ARGUMENTS: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/@-]*")
PARAMETERS = ("parameters", "input_schema", "inputSchema")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. pointer: where its parameters stand in what was given."""

    name: str
    parameters: Any
    pointer: str

    @property
    def owner(self) -> str:
        return f"the tool {self.name!r}"


def read_tool(tool: Any, number: int) -> Tool:
    """A tool in OpenAI's form, {"type": "function", "function": {...}}, or bare, {"name": ..., "parameters": ...}.

    Members beside name and parameters are not looked at: APIs add to them. Raises SchemaError.
    """
    pointer = f"/{number}"
    if isinstance(tool, Mapping) and isinstance(tool.get("function"), Mapping):
        tool, pointer = tool["function"], f"{pointer}/function"
    owner = f"tool {number}"
    if not isinstance(tool, Mapping):
        raise SchemaError("a tool is an object with a name and parameters", pointer, owner=owner)
    name = tool.get("name")
    if not isinstance(name, str):
        raise SchemaError("it has no name", pointer, owner=owner)
    if not NAME.fullmatch(name):
        raise SchemaError(f"{name!r} is no name for a tool", f"{pointer}/name", "use letters, digits and _ - . : / @", owner=owner)
    for key in PARAMETERS:
        if tool.get(key) is not None:
            return Tool(name, tool[key], f"{pointer}/{key}")
    return Tool(name, NO_ARGUMENTS, pointer)


@dataclass(frozen=True, slots=True)
class Choice:
    """Whether tools may, must or must not be called. only: the names to which calls are restricted, None for no such restriction."""

    mode: str
    only: tuple[str, ...] | None = None


def chosen(choice: Any) -> Choice:
    """What a caller's tool_choice says: "auto", "required", "none", {"name": ...}, or a form of OpenAI's API. Raises GrammarError."""
    if isinstance(choice, str) and choice in {"auto", "required", "none"}:
        return Choice(choice)
    if isinstance(choice, Mapping):
        allowed = choice.get("allowed_tools")
        if choice.get("type") == "allowed_tools" and isinstance(allowed, Mapping) and allowed.get("mode") in {"auto", "required"}:
            return Choice(str(allowed["mode"]), tuple(map(_name_in, allowed.get("tools", ()))))
        return Choice("named", (_name_in(choice),))
    raise GrammarError(f'tool_choice={choice!r:.60}: give "auto", "required", "none" or {{"name": ...}}')


def _name_in(choice: Any) -> str:
    inner = choice.get("function") if isinstance(choice, Mapping) else None
    name = inner.get("name") if isinstance(inner, Mapping) else choice.get("name") if isinstance(choice, Mapping) else None
    if not isinstance(name, str):
        raise GrammarError(f"tool_choice: {choice!r:.60} names no tool")
    return name


def restricted(tools: Sequence[Tool], choice: Choice, missing: Iterable[str]) -> list[Tool]:
    """The tools that may be called. missing: names of tools that were left out. Raises GrammarError for a choice that is none of them."""
    if choice.mode == "none":
        return []
    if choice.only is None:
        return list(tools)
    by_name = {tool.name: tool for tool in tools}
    for name in choice.only:
        if name in missing:
            raise GrammarError(f"tool_choice names {name!r}, which was left out because it cannot be used")
        if name not in by_name:
            close = get_close_matches(name, by_name, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(list(by_name)[:10]) or 'none'}"
            raise GrammarError(f"tool_choice names {name!r}, which is none of the tools; {hint}")
    return [by_name[name] for name in dict.fromkeys(choice.only)]
