"""GBNF that is refused: the place, the words, the way out; and the limits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import grammask
from grammask.errors import (
    EmptyLanguageError,
    GrammarError,
    GrammarSyntaxError,
    GrammarTypeError,
    LimitError,
    NoExitError,
    UnsupportedFeatureError,
)
from grammask.frontends.gbnf import GbnfOptions, gbnf, lint

BAD = {
    "undefined": ('root ::= "a" valeu\nvalue ::= "x"', 1, 14, "the rule 'valeu' is used but not defined", "did you mean 'value'?"),
    "undefined, in another spelling": ('root ::= The_Value\nthe-value ::= "x"', 1, 10, "'The_Value'", "did you mean 'the-value'?"),
    "undefined, nothing close": ('root ::= a | zebra\na ::= "x"', 1, 14, "'zebra' is used", "write zebra ::= ... or put it in quotes"),
    "twice": ('root ::= "a"\n\nroot ::= "b"', 3, 1, "'root' is defined before", "it was on line 1: join the two with |, or rename one"),
    "no root": ('Root ::= "a"', 1, 1, "no rule 'root' to start with", "did you mean 'Root'?"),
    "no root, nothing close": ('value ::= "a"', 1, 1, "no rule 'root'", 'root="value"'),
    "nothing at all": ("", 1, 1, "the grammar has no rules", "write root ::= ..."),
    "comments only": ('# root ::= "a"\n', 1, 1, "has no rules", ""),
    "no body": ('root ::= \nb ::= "x"', 1, 1, "the rule 'root' has no body", 'write "" for no text'),
    "no body at the end": ("root ::=", 1, 1, "has no body", ""),
    "another sign of definition": ('root := "a"', 1, 6, '"::=" must follow the name \'root\'', "a rule is written name ::= ..."),
    "angle brackets": ('<my root> ::= "a"', 1, 1, "rule names stand without angle brackets", "write my-root ::= ..."),
    "a second line": ('root ::= "a"\n  "b"', 2, 3, "the name of a rule is expected here", "a rule goes on over a line end only within parentheses"),
    "a second line with a name": ('root ::= "a"\n  b\nb ::= "c"', 2, 4, "must follow the name 'b'", "a rule goes on over a line end only"),
    "two rules on a line": ('root ::= "a" b ::= "c"', 1, 14, "a rule begins on a line of its own", "break the line before it"),
    "text not closed": ('root ::= "a" "b', 1, 14, "this text is not closed", 'add a "'),
    "class not closed": ("root ::= [a-z", 1, 10, "this class is not closed", "add a ]"),
    "group not closed": ('root ::= ("a"\nb ::= "c"', 1, 10, "this parenthesis is not closed", "add a ) before 'b'"),
    "group closed twice": ('root ::= "a" )', 1, 14, "this ) closes nothing", 'write ")" for the character'),
    "token not closed": ("root ::= <think", 1, 10, "this is no token", "a token is written <name> or <[id]>"),
    "an exclamation mark": ('root ::= !"a"', 1, 10, "this is no token", ""),
    "nothing to repeat": ('root ::= * "a"', 1, 10, "nothing before * to repeat", 'write "*" for the character'),
    "nothing to repeat in an alternative": ('root ::= "a" | {2}', 1, 16, "nothing before {2} to repeat", ""),
    "no count": ('root ::= "a"{x}', 1, 13, "this is no count", "a count is written {2}, {2,} or {2,5}"),
    "a count without a beginning": ('root ::= "a"{,3}', 1, 13, "this is no count", ""),
    "a count backwards": ('root ::= "a"{3,2}', 1, 13, "this count runs backwards", "write {2,3}"),
    "a range backwards": (r"root ::= [az-\x41]", 1, 12, "this range runs backwards", r"write \x41-z"),
    "an empty class": ("root ::= []", 1, 10, "a class without characters", "write . for any character"),
    "an empty negative class": ("root ::= [^]", 1, 10, "a class without characters", ""),
    "a shorthand": (r'root ::= "\d"', 1, 11, r"there is no escape \d", "write the class [0-9]"),
    "a shorthand in a class": (r"root ::= [\w]", 1, 11, r"there is no escape \w", "write the class [a-zA-Z0-9_]"),
    "a needless escape": (r'root ::= "\."', 1, 11, r"there is no escape \.", "write . as it is"),
    "too few digits": (r'root ::= "\x4"', 1, 11, r"there is no escape \x", "takes 2 hexadecimal digits"),
    "half a pair": (r'root ::= "\uD83D\uDE00"', 1, 11, "half of a surrogate pair", "eight digits"),
    "no such character": (r'root ::= "\U00110000"', 1, 11, "there is no such character", ""),
    "half a pair as it is": ('root ::= "\ud83d"', 1, 11, "half of a surrogate pair", "take it out"),
    "single quotes": ("root ::= 'a'", 1, 10, "no use for \"'\"", "texts stand in double quotes"),
    "a comma": ('root ::= "a", "b"', 1, 13, "no use for ','", "side by side"),
    "a semicolon": ('root ::= "a";', 1, 13, "no use for ';'", "a rule ends with its line"),
    "a regular expression": ("root ::= /a+/", 1, 10, "no use for '/'", "write classes and repetitions"),
    "quotes of typesetting": ("root ::= \u201ca\u201d", 1, 10, "no use for", "straight double quotes"),
    "a space that does not break": ('root ::=\xa0"a"', 1, 9, "no use for", "does not break"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "reason", "hint"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_said_with_its_place_and_a_way_out(text: str, line: int, column: int, reason: str, hint: str) -> None:
    """Line, column and caret are those of the spot."""
    with pytest.raises(GrammarSyntaxError) as raised:
        gbnf(text)
    error = raised.value
    assert (error.line, error.column) == (line, column)
    assert reason in error.reason
    assert hint in error.hint
    assert error.source == text


def test_a_missing_quote_is_looked_for_where_it_may_be() -> None:
    """A text may hold line ends, so that a missing quote shows only later; the error names the line on which that text begins."""
    with pytest.raises(GrammarSyntaxError, match="The text that begins on line 1 goes on over the line end"):
        gbnf('root ::= "a\nb ::= "c" {')


def test_an_error_shows_the_spot() -> None:
    """The line and a caret below the spot."""
    with pytest.raises(GrammarSyntaxError) as raised:
        gbnf('# a grammar\nroot ::= "a" valeu\nvalue ::= "x"\n')
    assert str(raised.value).splitlines() == [
        "the rule 'valeu' is used but not defined (line 2, column 14); did you mean 'value'?",
        '  root ::= "a" valeu',
        "               ^^^^^",
    ]


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ('root ::= "a" root', "root", 1),
        ('root ::= a\na ::= "x" b\nb ::= "y" a', "a", 2),
        ('root ::= "a" | b\nb ::= b "x"', "b", 2),
        ("root ::= root", "root", 1),
    ],
)
def test_a_rule_without_an_exit_is_named(text: str, rule: str, line: int) -> None:
    """A model inside it could never come to an end, so it is an error, also where another alternative could be taken."""
    with pytest.raises(NoExitError) as raised:
        gbnf(text)
    assert (raised.value.rule, raised.value.source[: raised.value.span[0]].count("\n") + 1) == (rule, line)
    assert f"(line {line}, column 1)" in str(raised.value)


def test_rules_that_are_not_used_may_be_without_an_exit_but_not_without_a_name() -> None:
    """They are in the report; what they name must exist, as for llama.cpp."""
    report = gbnf('root ::= "a"\nunused ::= "b" unused').report
    assert [(entry.pointer, entry.keyword, entry.status) for entry in report] == [("unused", "unreachable", "annotation")]
    assert "line 2" in report[0].effect
    with pytest.raises(GrammarSyntaxError, match="'nowhere'"):
        gbnf('root ::= "a"\nunused ::= nowhere')


def test_a_class_of_no_character_matches_nothing() -> None:
    """All characters excluded: no text, which is no missing exit."""
    with pytest.raises(EmptyLanguageError, match="root"):
        gbnf(r"root ::= [^\x00-\U0010FFFF]")


@pytest.mark.parametrize("text", ["!<think>", '"a" !<think>', '(!<think> "a")*', "!<think>{2}", "!<think>{0,5}", "!<think>?", '(!<think> | "a"){3}'])
def test_a_number_of_tokens_is_refused(text: str) -> None:
    """How many tokens a text takes is not for a grammar of texts to say; without a bound it does not matter."""
    with pytest.raises(UnsupportedFeatureError, match="cannot count the tokens of a text") as raised:
        gbnf(f"root ::= {text}")
    assert raised.value.span is not None
    gbnf("root ::= !<think>* !<think>+ !<think>{1,} (!<think>? | !<think>)*")


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ('root ::= "' + "a" * 10_000_000 + '"', "the length of the grammar"),
        ("root ::= " + "(" * 60_000 + '"a"' + ")" * 60_000, "the nesting of parentheses"),
        ("root ::= " + "(" * 60_000, "the nesting of parentheses"),
        ('root ::= "a"{4000000000}', "a repetition count"),
        ('root ::= "a"{' + "9" * 5_000 + "}", "a repetition count"),
        ('root ::= (("a"{1000}){1000}){1000}', "a rule with its repetitions written out"),
        ('root ::= a{1000}\na ::= b{1000}\nb ::= "a"{1000}', "the length of a shortest text of the grammar"),
        ("root ::= <[" + "9" * 5_000 + "]>", "the id of a token"),
    ],
    ids=["length", "parentheses", "open parentheses", "count", "digits", "counts in counts", "counts through rules", "token id"],
)
def test_sizes_have_limits(text: str, limit: str) -> None:
    """Hostile grammars are refused at once, by name."""
    with pytest.raises(LimitError) as raised:
        gbnf(text)
    assert raised.value.limit == limit


def test_what_is_large_but_simple_is_no_trouble(accepts) -> None:  # type: ignore[no-untyped-def]
    """Signs, groups and rules by the thousand, near the limits."""
    assert accepts(gbnf('root ::= "a"' + "*" * 100_000), "aaa")
    assert accepts(gbnf("root ::= " + "(" * 1_000 + '"a"' + ")" * 1_000), "a")
    assert accepts(gbnf("root ::= " + "(" * 900 + '"a"' + ' | "b")' * 900), "b")
    chain = "root ::= r0\n" + "".join(f'r{i} ::= "a" r{i + 1} | "b"\n' for i in range(2_000)) + 'r2000 ::= "c"'
    assert accepts(gbnf(chain), "aab")


def test_options_may_widen_and_narrow_the_limits() -> None:
    """Each is a bound of its own; an unknown value of an option is named."""
    with pytest.raises(LimitError):
        gbnf('root ::= (("a"))', options=GbnfOptions(maximum_nesting=1))
    with pytest.raises(LimitError):
        gbnf('root ::= "a"{11}', options=GbnfOptions(maximum_repetition=10))
    gbnf('root ::= "a"{200000}', options=GbnfOptions(maximum_repetition=200_000))
    with pytest.raises(GrammarError, match="choose one of 'named', 'spelled'"):
        GbnfOptions(special_tokens="no")  # type: ignore[arg-type]


def test_a_path_is_read_and_a_str_is_the_text(tmp_path: Path) -> None:
    """A path object names a file; its byte order mark and line ends are no part of the grammar."""
    path = tmp_path / "one.gbnf"
    path.write_bytes(b'\xef\xbb\xbfroot ::= "a"\r\n')
    assert gbnf(path).source == 'root ::= "a"\r\n'
    with pytest.raises(GrammarError, match="No such file"):
        gbnf(tmp_path / "two.gbnf")
    path.write_bytes(b'root ::= "\xff"')
    with pytest.raises(GrammarError, match="byte 10"):
        gbnf(path)
    with pytest.raises(GrammarTypeError, match=r"pathlib\.Path"):
        gbnf(b'root ::= "a"')  # type: ignore[arg-type]


def test_a_token_that_the_vocabulary_lacks_is_refused_when_it_is_compiled() -> None:
    """The grammar knows no vocabulary; the constraint does, and names what is close."""
    vocabulary = grammask.Vocabulary([b"a", b"", b""], eos_ids=[1], specials={"<|im_end|>": 1, "<|im_start|>": 2})
    with pytest.raises(UnsupportedFeatureError, match=r"'<\|imstart\|>'.*it has: <\|im_start\|>"):
        grammask.compile(gbnf('root ::= <|imstart|> "a"'), vocabulary)
    with pytest.raises(UnsupportedFeatureError, match="it ends every output"):
        grammask.compile(gbnf('root ::= "a" <|im_end|>'), vocabulary)


def test_any_text_gives_a_grammar_or_a_typed_error() -> None:
    """Pieces of the notation in any order, for the reader and for the linter."""
    pieces = [
        "root", "::=", "|", "(", ")", "[", "]", "[^", '"', "\\", "\\x4", "\\u", "*", "+", "?", "{", "}", "{2", ",", ",3}", "<", ">", "<[", "]>",
        "!", ".", "#", "-", "^", "\n", "\r", " ", "\t", "a", "é", "\ufeff", "\x00", "0", "9" * 30, "\ud800", '"a"', "[a-z]", "root ::= ",
    ]  # fmt: skip
    draw = random.Random(5)
    for _ in range(4_000):
        text = "".join(draw.choice(pieces) for _ in range(draw.randint(0, 14)))
        findings = lint(text)
        try:
            gbnf(text)
        except (GrammarError, LimitError):
            assert any(finding.severity == "error" for finding in findings), text
        else:
            assert all(finding.severity != "error" for finding in findings), text
