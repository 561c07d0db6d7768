"""What the environment says about grammask in vLLM.

Rule: environment variables only, since vLLM hands them on to all of its processes; they are read when an engine starts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from grammask.errors import GrammarError
from grammask.frontends.json_schema import Indent, JsonSchemaOptions
from grammask.frontends.structural_tag import StructuralTagOptions

__all__ = ["OPTIONS", "SWITCH", "activate", "is_active", "options"]

SWITCH: Final = "GRAMMASK_VLLM"
OPTIONS: Final = "GRAMMASK_VLLM_OPTIONS"
_ON: Final = frozenset(("1", "true", "yes", "on"))
_OFF: Final = frozenset(("", "0", "false", "no", "off"))


def activate(*, json_options: Mapping[str, Any] | None = None, regex_dialect: str = "ecma") -> None:
    """Have engines that are started from now on answer structured outputs by grammask; for programs that make an `LLM` themselves.

    json_options: the fields of `grammask.JsonSchemaOptions`, such as {"whitespace": "compact"}. regex_dialect: of `regex` requests.
    Sets the environment variables GRAMMASK_VLLM and GRAMMASK_VLLM_OPTIONS. Raises GrammarError for options there are none of.
    """
    text = json.dumps({"json": dict(json_options or {}), "regex_dialect": regex_dialect})
    _parsed(text)
    os.environ[OPTIONS] = text
    os.environ[SWITCH] = "1"


def is_active() -> bool:
    """Whether structured outputs are to be answered by grammask. Raises GrammarError for a value that is neither yes nor no."""
    value = os.environ.get(SWITCH, "").strip().lower()
    if value not in _ON | _OFF:
        raise GrammarError(f"the environment variable {SWITCH} is {value!r}; set it to 1 or 0")
    return value in _ON


def options() -> StructuralTagOptions:
    """How schemas and patterns are read. Raises GrammarError for options there are none of."""
    return _parsed(os.environ.get(OPTIONS, ""))


@lru_cache(maxsize=8)
def _parsed(text: str) -> StructuralTagOptions:
    try:
        given = json.loads(text) if text.strip() else {}
        if not isinstance(given, dict) or not set(given) <= {"json", "regex_dialect"}:
            raise GrammarError("it is an object with json, regex_dialect or both")
        fields = dict(given.get("json", {}))
        if isinstance(fields.get("whitespace"), int):
            fields["whitespace"] = Indent(fields["whitespace"])
        return StructuralTagOptions(json=JsonSchemaOptions(**fields), regex_dialect=given.get("regex_dialect", "ecma"))
    except (TypeError, ValueError) as error:
        raise GrammarError(f"the environment variable {OPTIONS} cannot be used: {error}") from None
