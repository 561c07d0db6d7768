"""`grammask check`: read a grammar, say what is wrong or worth a look in it, and if it compiles what is enforced, how large it is and how long it took."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import grammask
from grammask.tools.cli.grammar_kinds import stand_in_vocabulary
from grammask.tools.cli.grammar_options import (
    ChoiceOption,
    GrammarOption,
    KindOption,
    OrderOption,
    RegexOption,
    SchemaOption,
    TypeOption,
    UnsupportedOption,
    read_grammar,
    read_of_any_kind,
    read_text_as,
)  # fmt: skip
from grammask.tools.cli.outcome import Exit
from grammask.tools.cli.tokenizer import TOKENIZER, EndOption, read_vocabulary

if TYPE_CHECKING:
    from grammask.grammar.findings import Finding
    from grammask.grammar.grammar import Grammar

__all__ = ["check"]


def check(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", show_default=False, help="A grammar of any kind: as for --grammar.")] = None,
    schema: SchemaOption = None,
    regex: RegexOption = None,
    choice: ChoiceOption = None,
    type_name: TypeOption = None,
    grammar_file: GrammarOption = None,
    kind: KindOption = None,
    unsupported: UnsupportedOption = "refuse",
    property_order: OrderOption = "schema",
    tokenizer: Annotated[Path | None, TOKENIZER] = None,
    eos: EndOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Look a grammar over: what is wrong with it, where; what is enforced and how, how large it is, how long it took."""
    options = grammask.JsonSchemaOptions(unsupported=unsupported, property_order=property_order)
    if file is not None and (schema is not None or grammar_file is not None):
        raise typer.BadParameter(f"a grammar was given twice, as an argument and with {'--schema' if schema is not None else '--grammar'}")
    place = file if file is not None else grammar_file
    _import_all()
    findings: list[Finding] = []
    if place is None:
        started = time.perf_counter()
        grammar = read_grammar(schema, regex, choice, type_name, grammar_file, kind, options)
    else:
        _check_alone(regex, choice, type_name)
        found, text = read_of_any_kind(place, kind)
        if found.name != "json_schema":
            findings = found.lint(text)
        if any(finding.severity == "error" for finding in findings):
            _show_faults(place, found.name, findings, as_json)
            raise typer.Exit(Exit.INPUT)
        started = time.perf_counter()
        grammar = read_text_as(found, text, options)
    facts: dict[str, Any] = {"kind": grammar.kind, "read_ms": _ms_since(started), **_size(grammar)}
    if tokenizer is not None:
        facts |= _bound(grammar, tokenizer, eos)
    report = [asdict(entry) for entry in grammar.report]
    if as_json:
        print(json.dumps({**facts, "report": report, "findings": [asdict(finding) for finding in findings]}, ensure_ascii=False))
        return
    print(", ".join(f"{name.replace('_', ' ')} {value:,}" if name != "kind" else f"{value} compiles" for name, value in facts.items()))
    _show_report(report)
    _show_findings(place or "", findings)


def _check_alone(regex: str | None, choice: list[str] | None, type_name: str | None) -> None:
    for option, value in (("--regex", regex), ("--choice", choice), ("--type", type_name)):
        if value not in (None, []):
            raise typer.BadParameter(f"a grammar was given twice, in a file and with {option}")


def _import_all() -> None:
    """Have everything imported that compiling needs, so that it is not counted."""
    vocabulary = grammask.Vocabulary([b"true", b"false"], [])
    for grammar in (grammask.json_schema(schema=True), grammask.regex("true"), grammask.choice(["true"]), grammask.gbnf('root ::= "true"')):
        _size(grammar)
    grammask.compile(grammask.choice(["true"]), vocabulary)


def _size(grammar: Grammar) -> dict[str, Any]:
    """Size of the lowered grammar. Lowering is also where empty languages and rules without an exit are found."""
    from grammask.decoding.report import Report

    started = time.perf_counter()
    size = Report(grammar, stand_in_vocabulary(grammar)).size
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


def _show_faults(place: str, kind: str, findings: Sequence[Finding], as_json: bool) -> None:
    if as_json:
        print(json.dumps({"kind": kind, "report": [], "findings": [asdict(finding) for finding in findings]}, ensure_ascii=False))
    else:
        _show_findings(place, findings)


def _show_findings(place: str, findings: Sequence[Finding]) -> None:
    """One line a finding, in the form in which editors and compilers name a place."""
    name = "standard input" if place == "-" else place
    for finding in findings:
        spot = f":{finding.line}:{finding.column}" if finding.line is not None else f" (rule {finding.rule})" if finding.rule else ""
        print(f"{name}{spot}: {finding.severity} {finding.code}: {finding.message}" + (f"; {finding.hint}" if finding.hint else ""))
