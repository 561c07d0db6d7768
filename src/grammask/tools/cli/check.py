"""`grammask check`: compile a grammar and say what is enforced, how large it is and how long it took."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import grammask
from grammask.tools.cli.grammar_options import ChoiceOption, RegexOption, SchemaOption, TypeOption, UnsupportedOption, read_grammar
from grammask.tools.cli.tokenizer import TOKENIZER, EndOption, read_vocabulary

if TYPE_CHECKING:
    from grammask.grammar.grammar import Grammar

__all__ = ["check"]


def check(
    file: Annotated[str | None, typer.Argument(metavar="[SCHEMA]", show_default=False, help="A JSON Schema: as for --schema.")] = None,
    schema: SchemaOption = None,
    regex: RegexOption = None,
    choice: ChoiceOption = None,
    type_name: TypeOption = None,
    unsupported: UnsupportedOption = "refuse",
    tokenizer: Annotated[Path | None, TOKENIZER] = None,
    eos: EndOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Compile a grammar and report on it: what is enforced and how, how large it is, how long it took."""
    if file is not None and schema is not None:
        raise typer.BadParameter("a schema was given twice, as an argument and with --schema")
    _import_all()
    started = time.perf_counter()
    grammar = read_grammar(file if schema is None else schema, regex, choice, type_name, unsupported)
    facts: dict[str, Any] = {"kind": grammar.kind, "read_ms": _ms_since(started), **_size(grammar)}
    if tokenizer is not None:
        facts |= _bound(grammar, tokenizer, eos)
    report = [asdict(entry) for entry in grammar.report]
    if as_json:
        print(json.dumps({**facts, "report": report}, ensure_ascii=False))
        return
    print(", ".join(f"{name.replace('_', ' ')} {value:,}" if name != "kind" else f"{value} compiles" for name, value in facts.items()))
    _show_report(report)


def _import_all() -> None:
    """Have everything imported that compiling needs, so that it is not counted."""
    vocabulary = grammask.Vocabulary([b"true", b"false"], [])
    for grammar in (grammask.json_schema(schema=True), grammask.regex("true"), grammask.choice(["true"])):
        _size(grammar)
    grammask.compile(grammask.choice(["true"]), vocabulary)


def _size(grammar: Grammar) -> dict[str, Any]:
    """Size of the lowered grammar. Lowering is also where empty languages and rules without an exit are found."""
    from grammask.decoding.report import Report

    started = time.perf_counter()
    size = Report(grammar.report, grammar, grammask.Vocabulary([b""], [])).size  # no special token can be named on the command line
    return {"lower_ms": _ms_since(started), **asdict(size)}


def _bound(grammar: Grammar, tokenizer: Path, eos: list[int] | None) -> dict[str, Any]:
    """Times of binding to a vocabulary seen for the first time and of the first mask, and how many tokens it allows."""
    import numpy as np

    vocabulary = read_vocabulary(tokenizer, eos)
    started = time.perf_counter()
    constraint = grammask.compile(grammar, vocabulary)
    matcher = constraint.matcher()
    compile_ms = _ms_since(started)
    row = np.zeros(constraint.mask_words, dtype=np.uint32)
    started = time.perf_counter()
    matcher.fill_mask(row)
    return {"compile_ms": compile_ms, "first_mask_ms": _ms_since(started), "vocabulary_size": len(vocabulary), "allowed_at_start": matcher.count()}


def _ms_since(started: float) -> float:
    return round((time.perf_counter() - started) * 1e3, 3)


def _show_report(report: Sequence[dict[str, str]]) -> None:
    place, keyword = (max((len(entry[field]) for entry in report), default=0) for field in ("pointer", "keyword"))
    for entry in report:
        print(f"  {entry['pointer']:{place}}  {entry['keyword']:{keyword}}  {entry['status']:10}  {entry['effect']}")
