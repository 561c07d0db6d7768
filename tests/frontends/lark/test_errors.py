"""Every fault of a Lark grammar has its own error, with place and way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import grammask
from grammask import LarkOptions
from grammask.errors import (
    EmptyLanguageError,
    GrammarError,
    GrammarSyntaxError,
    GrammarTypeError,
    LimitError,
    NoExitError,
    SchemaError,
    UnsupportedFeatureError,
)

from .support import read

SYNTAX: dict[str, tuple[str, int, int, str]] = {  # grammar, line, column, words of the error
    "an undefined rule": ('start: expresion\nexpression: "x"\n', 1, 8, "rule 'expresion' is used but not defined|did you mean 'expression'"),
    "an undefined terminal": ("start: WORDS\nWORD: /a/\n", 1, 8, "terminal 'WORDS' is used but not defined|did you mean 'WORD'"),
    "an undefined terminal in a terminal": ('start: A\nA: B "x"\n', 2, 4, "terminal 'B' is used but not defined|%import common.B"),
    "an undefined template": ('start: foo{A}\nA: "a"\n', 1, 8, "template 'foo' is used but not defined"),
    "no start": ('begin: "a"\n', 1, 1, "no rule 'start'|start=\"begin\""),
    "nothing at all": ("", 1, 1, "no rule 'start'"),
    "two definitions": ('start: "a"\nstart: "b"\n', 2, 1, "rule 'start' is defined twice|%override"),
    "no colon": ('start "a"\n', 1, 7, "a colon is missing"),
    "a colon too many": ("start: a: b\n", 1, 9, "this colon has no place here"),
    "an open bracket": ('start: ("a"\nb: "c"\n', 1, 8, "this bracket is not closed"),
    "a bracket too many": ('start: "a")\n', 1, 11, "this bracket closes nothing"),
    "an open string": ('start: "a\n', 1, 8, "this string is not closed"),
    "a sign that is none": ('start: "a" ; "b"\n', 1, 12, "no syntax of Lark"),
    "nothing to repeat": ("start: *\n", 1, 8, "nothing to repeat here"),
    "mixed case": ('Start: "a"\n', 1, 1, "all small letters"),
    "a terminal as an alias": ('start: "a" -> B\n', 1, 15, "an alias is a name in small letters"),
    "a broken pattern": ("start: /(a/\n", 1, 8, "no pattern of re"),
    "a broken pattern in a terminal": ('start: NAME\nNAME: /[z-a]/ "x"\n', 2, 7, "no pattern of re: bad character range z-a"),
    "syntax of Rust": ("start: /\\p{L}+/\n", 1, 8, "bad escape|Rust"),
    "a terminal of nothing": ("start: A\nA: /a*/\n", 2, 1, "can match nothing at all"),
    "an empty string": ('start: ""\n', 1, 8, "matches nothing"),
    "a terminal of itself": ('start: A\nA: "x" B\nB: A "y"\n', 2, 1, "terminal 'A' is made of itself"),
    "a rule in a terminal": ('start: A\nA: b\nb: "x"\n', 2, 4, "terminal 'A' names the rule 'b'"),
    "an ignored name": ('start: "a"\n%ignore WS\n', 2, 9, "terminal 'WS' is ignored but not defined|%import common.WS"),
    "an unknown grammar": ("%import nope.X\nstart: X\n", 1, 9, "no grammar 'nope' to import from|import_paths"),
    "an unknown import": ("%import common.NOPE\nstart: NOPE\n", 1, 16, "no terminal 'NOPE' in the grammar it is imported from"),
    "half an import": ("%import common\nstart: WS\n", 1, 9, "an import names a grammar and what to take from it"),
    "bounds the wrong way round": ('start: "a"~3..1\n', 1, 12, "the wrong way round"),
    "a range of texts": ('start: "ab".."c"\n', 1, 8, "a range goes from one character to another"),
    "flags for all": ('start: A "b"\nA: /(?i)a/\n', 2, 1, "flags for a whole pattern"),
    "a group of two terminals": ("start: A B\nA: /(?P<x>a)/\nB: /(?P<x>b)/\n", 3, 1, "both name a group 'x'"),
    "an inlined rule with aliases": ('_a: "x" -> y\nstart: _a\n', 1, 1, "its alternatives have no aliases"),
    "override of nothing": ('%override start: "a"\n', 1, 11, "not there to be overridden"),
    "extend of nothing": ('start: "b"\n%extend foo: "a"\n', 2, 9, "not there to be extended"),
    "a number of arguments": ('start: t{A, A}\nt{x}: x\nA: "a"\n', 2, 1, "another number of arguments"),
    "a declared rule": ('start: "a"\n%declare b\n', 1, 1, "only terminals can be declared"),
    "half a character": ('start: "\ud800"\n', 1, 9, "lone surrogate"),
    "a broken object": ('start: %json {"type": }\n', 1, 23, "the object of %json is no JSON"),
    "no object": ("start: %json\n", 1, 8, "an object in braces follows %json"),
    "a special token in a terminal": ('start: A\nA: "x" <|y|>\n', 2, 8, "special tokens cannot be part of a terminal"),
    "token ids": ("start: <[5-1]>\n", 1, 8, "no set of token ids"),
    "an unknown attribute": ("start[foo=3]: /a+/\n", 1, 7, "no attribute 'foo'"),
    "a lazy rule of rules": ('start[lazy]: a\na: "x"\n', 1, 14, "made of terminals alone"),
    "an operator in a rule": ('start: "a" & "b"\n', 1, 12, "& stands between terminals only"),
    "operators that exclude each other": ("start: A\nA: /a/ & /b/\n", 2, 1, "nothing can match this terminal"),
    "operators on nothing": ("start: A\nA: /a*/ & /a*/\n", 2, 1, "can match nothing at all"),
    "an operator on itself": ("start: A\nA: /a/ & A\n", 2, 1, "is made of itself"),
    "braces": ('start: "a"{1,2,3}\n', 1, 11, "this is no repetition"),
}

UNSUPPORTED: dict[str, tuple[str, str, str]] = {  # grammar, feature, other words of the error
    "the post-lexer": ('start: "a" _INDENT "b" _DEDENT\n%declare _INDENT _DEDENT\n', "the indentation post-lexer", "_INDENT is made by code"),
    "other declared terminals": ('start: "a" FOO\n%declare FOO\n', "a declared terminal without a definition", "FOO is made by code"),
    "a back-reference": ("start: A\nA: /(a)\\1/\n", "a back-reference in terminal A", "what a group matched"),
    "a conditional group": ("start: A\nA: /(a)?(?(1)b|c)/\n", "a conditional group in terminal A", "both cases as alternatives"),
    "a possessive repetition": ("start: A\nA: /a++b/\n", "a possessive repetition in terminal A", "use the plain repetition"),
    "an atomic group": ("start: A\nA: /(?>a|ab)c/\n", "an atomic group in terminal A", "(?:...)"),
    "a condition in a lookbehind": ("start: A\nA: /a(?<=\\b.)/\n", "a condition inside a lookbehind in terminal A", "beside it"),
    "rules that are not LALR": ('start: a "x" | b "x"\na: "q"\nb: "q"\n', "lexer='contextual' for this grammar", 'lexer="dynamic"'),
    "a relative import": ("%import .x.Y\nstart: Y\n", "a relative import", "source_path"),
    "a bound in tokens": ("start[max_tokens=3]: /a+/\n", "max_tokens of a rule", "/.{0,80}/"),
    "the end of the output as a stop": ('start: a "b"\na[stop=""]: /.*/\n', "an empty stop", "end of the whole output"),
    "a rule with a parameter": ('start: a::1\na::_: "x"\n', "a rule with a parameter", "not counted"),
    "a grammar inside": ('start: %lark { start: "x" }\n', "%lark", "lexer of its own"),
    "a grammar elsewhere": ("start: @foo\n", "a reference to another grammar", "only this one"),
    "all other tokens": ("start: <[^1,2]>\n", "the set of tokens <[^1,2]>", "name the ids"),
    "other structured patterns": ('start: %regex {"type": "number"}\n', "this %regex", "as a regular expression"),
    "settings": ('%llguidance {"skip_repetition": "once"}\nstart: "a"\n', "the setting 'skip_repetition' of %llguidance", "how texts are lexed"),
    "a schema that a terminal runs into": ("start: A %json {}\nA: /[0-9]+|[0-9]+:/\n", "%json {...} after a terminal that could go on into it", "put a text"),
    "a schema beside a lookbehind": ('start: "x" %json {} B\nB: /(?<=})b/\n', "%json {...} beside terminals that look back", "lookbehinds"),
}


@pytest.mark.parametrize(("source", "line", "column", "words"), SYNTAX.values(), ids=SYNTAX)
def test_a_fault_is_shown_at_its_place(source: str, line: int, column: int, words: str) -> None:
    """Line and column count from 1 in the author's text; each of the words (parted by |) is in the error."""
    with pytest.raises(GrammarSyntaxError) as caught:
        read(source)
    told = str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column), told
    assert all(word in told for word in words.split("|")), told
    assert "Lark refuses" not in told


@pytest.mark.parametrize(("source", "feature", "words"), UNSUPPORTED.values(), ids=UNSUPPORTED)
def test_what_cannot_be_enforced_is_refused_by_name(source: str, feature: str, words: str) -> None:
    """Nothing is widened in silence: the feature is named, with its place and a way out."""
    with pytest.raises(UnsupportedFeatureError) as caught:
        read(source)
    assert caught.value.feature.startswith(feature)
    assert words in str(caught.value)
    assert caught.value.source == source
    assert caught.value.span is not None


def test_a_condition_around_a_terminal_is_refused_where_lark_looks_at_its_text_alone() -> None:
    """With the lexer dynamic_complete, Lark matches shorter texts of a terminal by themselves."""
    for pattern in ["/a(?!b)/", r"/\ba/", "/(?<=x)a/", "/a$/"]:
        with pytest.raises(UnsupportedFeatureError, match="lexer='dynamic_complete'"):
            read(f'start: "x" A\nA: {pattern}\n', "dynamic_complete")


def test_a_rule_without_an_exit_is_named_with_its_place() -> None:
    """A model inside it could never complete, though Lark does not mind."""
    with pytest.raises(NoExitError) as caught:
        read('start: a | "x"\na: "(" a ")"\n')
    assert (caught.value.rule, caught.value.span) == ("a", (15, 16))


def test_a_conflict_names_rules_and_terminal() -> None:
    """The error of the LALR parser in the author's words."""
    with pytest.raises(UnsupportedFeatureError) as caught:
        read('start: first "x" | second "x"\nfirst: "q"\nsecond: "q"\n')
    assert 'before "x" both \'first: "q"\' and \'second: "q"\' can end' in caught.value.reason


def test_a_schema_with_a_fault_is_told_as_such() -> None:
    """Schemas in a grammar have the errors of schemas."""
    with pytest.raises(SchemaError, match="/type"):
        read('start: %json {"type": "nope"}\n')


def test_terminals_that_never_meet_leave_nothing() -> None:
    """A greedy terminal before its own last character: no text at all."""
    with pytest.raises(EmptyLanguageError, match="start"):
        read('start: WORD "s"\nWORD: /[a-z]+/\n')


@pytest.mark.parametrize("wrong", [5, None, b"start: A", ["start"], {"start": "A"}], ids=lambda wrong: type(wrong).__name__)
def test_what_is_no_text_is_a_type_error(wrong: Any) -> None:
    """A grammar is a text or the path of a file."""
    with pytest.raises(GrammarTypeError, match="path of a file"):
        grammask.lark(wrong)


def test_an_unknown_lexer_is_refused() -> None:
    """The option takes Lark's names."""
    with pytest.raises(GrammarError, match="no lexer 'standard'"):
        LarkOptions(lexer="standard")  # type: ignore[arg-type]


def test_folders_to_import_from_are_a_list_of_paths(tmp_path: Path) -> None:
    """Any sequence of texts and paths; one text alone would be taken for its letters."""
    assert LarkOptions(import_paths=[tmp_path, "a"]) == LarkOptions(import_paths=(str(tmp_path), "a"))
    assert hash(LarkOptions(import_paths=[tmp_path])) == hash(LarkOptions(import_paths=(str(tmp_path),)))
    with pytest.raises(GrammarError, match="tuple of folders"):
        LarkOptions(import_paths="grammars")


def test_a_file_is_read_and_imports_from_beside_it(tmp_path: Path) -> None:
    """A path names the grammar's file, which relative imports are relative to; such a grammar is not remembered by its text."""
    (tmp_path / "words.lark").write_text("WORD: /[a-z]+/\n", "utf-8")
    (tmp_path / "main.lark").write_text("%import .words.WORD\nstart: WORD\n", "utf-8")
    grammar = grammask.lark(tmp_path / "main.lark")
    assert grammar.source == "%import .words.WORD\nstart: WORD\n"
    assert grammar.key is None
    assert grammask.lark("%import words.WORD\nstart: WORD\n", options=LarkOptions(import_paths=(str(tmp_path),))).key is None
    with pytest.raises(GrammarError, match="cannot read"):
        grammask.lark(tmp_path / "none.lark")


def test_grammars_with_the_same_text_have_the_same_key() -> None:
    """So that what was compiled for one serves the other; text, start and options tell them apart."""
    source = 'start: "a"\nother: "b"\n'
    keys = [read(source).key, read(source).key, read(source, start="other").key, read(source, "dynamic").key]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_the_report_says_what_is_enforced_and_what_is_of_no_use() -> None:
    """The lexer, attributes without effect on texts, and definitions that nothing leads to."""
    report = read('start[capture, temperature=0.5]: "a"\nunused: "b"\n').report
    assert [(entry.pointer, entry.keyword, entry.status) for entry in report] == [
        ("start", "lexer='contextual'", "exact"),
        ("start", "capture", "annotation"),
        ("start", "temperature", "annotation"),
        ("unused", "unreachable", "annotation"),
    ]


def test_limits_are_options() -> None:
    """Each bound of LarkOptions is heeded."""
    source = "start: a B\na: A~1..9\nA: /[ab]{3}/\nB: /[bc]/\n"
    grammask.lark(source)
    for bound in ["maximum_length", "maximum_expansions", "maximum_items", "maximum_pattern", "maximum_states", "maximum_goals"]:
        with pytest.raises(LimitError):
            grammask.lark(source, options=LarkOptions(**{bound: 1}))
