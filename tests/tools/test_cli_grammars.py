"""The command line with grammars of every kind in files: check, convert, mask."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import grammask
from grammask.tools.cli import grammar_kinds
from grammask.tools.cli.app import app

ROOT = Path(__file__).parents[2]
BYTES = str(ROOT / "tests" / "data" / "byte-tokenizer.json")
HAS_LARK = importlib.util.find_spec("lark") is not None and "lark" in grammask.__all__
needs_lark = pytest.mark.skipif(not HAS_LARK, reason="the package lark is not installed, or grammask has no front end for it")

GRAMMARS = {
    "gbnf": ("answer.gbnf", 'root ::= "yes" | "no"\n'),
    "json_schema": ("answer.json", '{"enum": ["yes", "no"]}'),
    "structural_tag": ("tags.json", '{"type": "structural_tag", "format": {"type": "const_string", "value": "yes"}}'),
    "regex": ("answer.regex", "yes|no\n"),
    "lark": ("answer.lark", 'start: "yes" | "no"\n'),
}
named = pytest.mark.parametrize("kind", [pytest.param(kind, marks=needs_lark if kind == "lark" else ()) for kind in GRAMMARS])


def call(*arguments: str, stdin: str | None = None):  # type: ignore[no-untyped-def]
    return CliRunner().invoke(app, list(arguments), input=stdin)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Writes a file in a folder that is the working directory; gives its name."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


@named
def test_a_file_is_read_by_its_name(kind: str, written) -> None:  # type: ignore[no-untyped-def]
    """The ending of a name tells the kind; JSON is looked into."""
    result = call("check", written(*GRAMMARS[kind]), "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["kind"] == kind


@named
def test_a_text_is_read_by_its_looks_or_as_what_it_is_called(kind: str, written) -> None:  # type: ignore[no-untyped-def]
    """Standard input and other names: a pattern has to be called one, for it may look like anything."""
    text = GRAMMARS[kind][1]
    for arguments, stdin in ((["check", "-"], text), (["check", written("grammar.txt", text)], None)):
        kinds = ["--kind", "regex"] if kind == "regex" else []
        result = call(*arguments, *kinds, "--json", stdin=stdin)
        assert json.loads(result.stdout)["kind"] == kind


def test_a_text_that_could_be_anything_is_asked_about(written) -> None:  # type: ignore[no-untyped-def]
    """One line names the kinds; an unknown kind is wrong usage."""
    result = call("check", written("grammar.txt", "yes|no"))
    assert result.exit_code == 1
    assert "say it with --kind, one of structural_tag, json_schema, gbnf, lark, regex" in result.stderr
    result = call("check", "grammar.txt", "--kind", "ebnf")
    assert (result.exit_code, "there is no kind 'ebnf'" in result.stderr) == (2, True)


def test_findings_are_shown_where_they_are(written) -> None:  # type: ignore[no-untyped-def]
    """File, line, column, severity, code, message, way out, as compilers write it; errors make the exit code 1, and nothing else does."""
    name = written("two.gbnf", 'root ::= a | valeu\nvalue ::= "x"\na ::= [z-a]\n')
    result = call("check", name)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "two.gbnf:1:14: error undefined-rule: the rule 'valeu' is used but not defined; did you mean 'value'?",
        "two.gbnf:3:8: error syntax: this range runs backwards; write a-z",
    ]
    findings = json.loads(call("check", name, "--json").stdout)["findings"]
    assert [(finding["code"], finding["line"], finding["column"]) for finding in findings] == [("undefined-rule", 1, 14), ("syntax", 3, 8)]
    result = call("check", written("one.gbnf", 'root ::= "a" [ ]*\nb ::= "c"\n'))
    assert result.exit_code == 0
    assert result.stdout.startswith("gbnf compiles, read ms ")
    assert re.findall(r"^one.gbnf:(\d+):(\d+): (\w+) ([\w-]+):", result.stdout, re.MULTILINE) == [
        ("1", "14", "hint", "endless-space"),
        ("2", "1", "warning", "unreachable-rule"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.gbnf", 'root ::= "a" root', "a.gbnf:1:1: error no-exit: "),
        ("a.gbnf", "root ::= [^\\x00-\\U0010FFFF]", "a.gbnf: error empty: "),
        ("a.regex", "[a-z", "a.regex:1:1: error syntax: this character class is not closed; add a ]"),
        ("a.regex", "(a)\\1", "a.regex:1:4: error unsupported: "),
        ("a.regex", "a(?!a)(?=a)", "a.regex: error empty: "),
        ("a.tag", '{"type": "structural_tag", "format": {"type": "nothing"}}', "a.tag: error schema: "),
        pytest.param("a.lark", 'start: "a" nowhere', "a.lark:1:12: error undefined-rule: ", marks=needs_lark),
    ],
)
def test_every_kind_has_codes_and_places(name: str, text: str, line: str, written) -> None:  # type: ignore[no-untyped-def]
    """Where a front end has no linter of its own, its error is the finding."""
    result = call("check", written(name, text))
    assert result.exit_code == 1
    assert result.stdout.startswith(line), result.stdout


def test_expressions_are_looked_over_whatever_they_come_from(written) -> None:  # type: ignore[no-untyped-def]
    """Hints need no syntax: a pattern has its white space too."""
    result = call("check", written("a.regex", r"a[ \t]*b"))
    assert result.exit_code == 0
    assert "a.regex: hint endless-space: " in result.stdout


def test_tokens_are_no_error_without_a_tokenizer(written) -> None:  # type: ignore[no-untyped-def]
    """A grammar may name tokens of any vocabulary; with a tokenizer it is seen whether they are there."""
    name = written("t.gbnf", 'root ::= <think> !</think>* </think> <[5]> "a"')
    assert call("check", name).exit_code == 0
    result = call("check", name, "--tokenizer", BYTES)
    assert result.exit_code == 1
    assert "special token" in result.stderr


@pytest.mark.parametrize("to", ["gbnf", "lark"])
@named
def test_a_grammar_is_converted(kind: str, to: str, written) -> None:  # type: ignore[no-untyped-def]
    """Any kind into each notation, which is all that is written."""
    result = call("convert", written(*GRAMMARS[kind]), "--to", to)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    if to == "gbnf":
        assert grammask.gbnf(result.stdout).kind == "gbnf"
    else:
        assert "start:" in result.stdout


def test_what_cannot_be_converted_is_named(written) -> None:  # type: ignore[no-untyped-def]
    """One line on standard error, exit code 1; --to takes what there is."""
    result = call("convert", written("t.gbnf", "root ::= <think>"), "--to", "lark")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "special tokens in Lark's notation is not supported" in result.stderr
    assert call("convert", "t.gbnf", "--to", "abnf").exit_code == 2


def test_a_grammar_file_serves_the_other_commands(written) -> None:  # type: ignore[no-untyped-def]
    """`--grammar` beside --schema, --regex, --choice and --type."""
    name = written(*GRAMMARS["gbnf"])
    assert json.loads(call("mask", "--tokenizer", BYTES, "--grammar", name, "--json").stdout)["count"] == 2
    result = call("mask", "--tokenizer", BYTES, "--grammar", name, "--regex", "a")
    assert (result.exit_code, "not --regex and --grammar together" in result.stderr) == (2, True)
    result = call("check", name, "--grammar", name)
    assert (result.exit_code, "given twice" in result.stderr) == (2, True)
    result = call("check", name, "--regex", "a")
    assert (result.exit_code, "given twice" in result.stderr) == (2, True)


def test_files_that_cannot_be_read_are_refused_readably(written, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Missing, a folder, not UTF-8, empty."""
    written("x.txt", "")
    (tmp_path / "bytes.gbnf").write_bytes(b'root ::= "\xff"')
    for place, word in (("nowhere.gbnf", "No such file"), (".", "folder"), ("bytes.gbnf", "byte 10"), ("", "is empty")):
        result = call("convert", place, "--to", "gbnf")
        assert result.exit_code == 1
        assert word in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_a_kind_whose_front_end_is_missing_says_so(written, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    """Where a reader cannot be imported, the others work all the same."""
    kinds = [
        kind if kind.name != "gbnf" else grammar_kinds.GrammarKind("gbnf", (".gbnf",), kind.looks_like, "grammask.nowhere:gbnf") for kind in grammar_kinds.KINDS
    ]
    monkeypatch.setattr(grammar_kinds, "KINDS", tuple(kinds))
    result = call("convert", written(*GRAMMARS["gbnf"]), "--to", "gbnf")
    assert result.exit_code == 1
    assert "cannot read grammars of this kind" in result.stderr


def test_a_variant_says_how_a_kind_is_read(written) -> None:  # type: ignore[no-untyped-def]
    """Dialects of patterns, Lark's lexers; a variant that there is not is wrong usage, and the message names those that there are."""
    assert call("check", written("a.regex", r"\pL+"), "--kind", "regex:rust").exit_code == 0
    assert call("check", written("a.regex", r"\pL+")).exit_code == 1
    assert call("check", "--regex", r"\pL+", "--kind", "regex:rust").exit_code == 0
    assert call("check", "--regex", "a", "--kind", "gbnf").exit_code == 2
    tag = written("a.tag", '{"type": "regex", "pattern": "(?i:a)|\\\\z"}')
    assert (call("check", tag, "--kind", "structural_tag:rust").exit_code, call("check", tag).exit_code) == (0, 1)
    grammar = written("a.lark", 'start: A B\nA: "a"+\nB: "ab"')  # A takes the a of B, unless it may end earlier
    assert call("check", grammar, "--kind", "lark:dynamic_complete").exit_code == 0
    wrong = call("check", grammar, "--kind", "lark:longest")
    assert wrong.exit_code == 2
    assert "dynamic_complete" in " ".join(wrong.stderr.split())
