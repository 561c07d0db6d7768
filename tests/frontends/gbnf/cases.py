"""The table of GBNF grammars with accepted and rejected texts."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from grammask.frontends.gbnf import GbnfOptions, gbnf
from grammask.grammar.grammar import Grammar

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parents[2] / "data/gbnf.toml").read_text(encoding="utf-8"))["case"]


def read(case: dict[str, Any]) -> Grammar:
    return gbnf(case["grammar"], case.get("root", "root"), GbnfOptions(**case.get("options", {})))


def texts(case: dict[str, Any], verdict: str) -> list[str]:
    """The accepted or rejected texts, long ones written out."""
    long = [piece * times + rest for piece, times, rest in case.get(f"{verdict}_times", ())]
    return [*case.get(verdict, ()), *long]
