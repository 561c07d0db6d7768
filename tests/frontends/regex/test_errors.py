"""Patterns that are refused: the place, the words and the limits."""

from __future__ import annotations

import re

import pytest

from grammask.errors import GrammarError, GrammarSyntaxError, GrammarTypeError, LimitError, UnsupportedFeatureError
from grammask.frontends.regex import DialectName, RegexOptions, pattern_language, regex

BAD_IN_RE = [
    "(", "a)", "[a", "[]", "*a", "a**", "a{2}{3}", "x{3,2}", "\\", r"\q", r"\x4", r"\u12", r"\U00110000", r"\N", r"\N{}", r"\N{NO SUCH NAME}", r"\N{DASH",
    r"\400", r"\8", r"(\1)", "[z-a]", r"[\d-z]", r"[a-\w]", "(?P<1>a)", "(?P<>a)", "(?P<n", "(?P<n>a)(?P<n>b)", "(?P=n)", "(?Px)", "(?<n>a)", "(?~a)", "(?",
    "(?P", "(?<", "(?#a", "(?i", "(?iz)", "(?i-", "(?i-)", "(?-:a)", "(?i-i:a)", "(?au:a)", "(?-a:b)", "(?L)a", "a(?i)", "^*", r"\b+", "(?:", "(?=a", r"[\q]",
    r"[\8]", r"a|*", "(?i:*)",
]  # fmt: skip


@pytest.mark.parametrize("pattern", BAD_IN_RE)
def test_a_syntax_error_points_where_re_points(pattern: str) -> None:
    """The span starts at `re.error.pos`, and the pattern is carried along."""
    with pytest.raises(re.error) as theirs:
        re.compile(pattern)
    with pytest.raises(GrammarSyntaxError) as own:
        regex(pattern)
    assert (own.value.span[0], own.value.source) == (theirs.value.pos, pattern)


def test_a_syntax_error_shows_the_spot() -> None:
    """A caret stands under the character, and a hint says what to do."""
    with pytest.raises(GrammarSyntaxError) as raised:
        regex("ORD-[0-9+")
    assert str(raised.value) == "this character class is not closed (line 1, column 5); add a ]\n  ORD-[0-9+\n      ^"


def test_a_lookbehind_of_variable_width_is_an_error_in_python_only() -> None:
    """`re` rejects it, without a position; ECMA-262 allows it."""
    with pytest.raises(re.error):
        re.compile("(?<=a+)b")
    with pytest.raises(GrammarSyntaxError, match="fixed width") as raised:
        regex("x(?<=a+)b")
    assert raised.value.span == (1, 8)
    assert regex("(?<=a+)b", dialect="ecma").kind == "regex"


REFUSED: list[tuple[DialectName, str, str, tuple[int, int]]] = [
    ("python", r"(a)\1", "a back-reference", (3, 5)),
    ("python", r"(?P<n>a)(?P=n)", "a back-reference", (12, 14)),
    ("python", r"(a)?(?(1)b|c)", "a conditional group", (4, 7)),
    ("python", r"x(?>a|ab)c", "an atomic group", (1, 9)),
    ("python", r"x(?:ab|a)*+c", "a possessive repetition", (1, 11)),
    ("rust", r"(a)\1", "a back-reference", (3, 5)),
    ("rust", r"(?P<n>a)(?P=n)", "a back-reference", (8, 12)),
    ("rust", "a(?=b)", "a lookahead", (1, 4)),
    ("rust", "(?<!b)a", "a lookbehind", (0, 4)),
    ("rust", "x(?>a)", "an atomic group", (1, 4)),
    ("rust", "(a)?(?(1)b|c)", "a conditional group", (4, 7)),
    ("rust", r"a\C", r"\C, a single byte,", (1, 3)),
    ("rust", r"\p{Age=3.0}", "the Unicode property Age", (0, 11)),
    ("rust", r"\p{sc!=Greek}", "a property with !=", (0, 13)),
    ("ecma", r"(a)\1", "a back-reference", (3, 5)),
    ("ecma", r"(?<n>a)\k<n>", "a back-reference", (7, 10)),
]


@pytest.mark.parametrize(("dialect", "pattern", "feature", "span"), REFUSED)
def test_what_is_not_regular_is_refused_by_name(dialect: DialectName, pattern: str, feature: str, span: tuple[int, int]) -> None:
    """The error names the feature and its place; nothing is let through wider than written."""
    with pytest.raises(UnsupportedFeatureError) as raised:
        regex(pattern, dialect=dialect)
    assert (raised.value.feature, raised.value.source) == (feature, pattern)
    assert raised.value.span is not None
    start, _ = raised.value.span
    assert pattern[start:].startswith(pattern[span[0] : span[1]][:2]) or start == span[0]


BAD_IN_ECMA = [
    (r"a\Z", 1, "the end of the text is $ here"), (r"\Aa", 0, "the start of the text is ^ here"), (r"\a", 0, r"write \x07"), ("(?i)a", 3, "(?i:...)"),
    ("(?P<n>a)", 1, "(?<name>...)"), (r"\012", 0, r"write \x"), (r"\u{110000}", 0, ""), (r"\x4", 0, ""), (r"\c1", 0, ""),
    (r"\p{Leter}", 0, "did you mean Letter?"), (r"\p{Script=Greak}", 0, "did you mean Gre"), (r"\p{Foo=Bar}", 0, "General_Category"), (r"\pL", 0, r"\p{L}"),
    ("a**", 2, "group"), ("^*", 1, r"\*"), ("(?<=a)*", 6, ""), ("a{2,1}", 2, ""), ("{1}", 0, ""), ("(?<n>a)(?<n>b)", 10, ""), ("(?<1>a)", 3, ""),
    ("(?ii:a)", 2, ""), ("(?-:a)", 2, ""), ("[b-a]", 1, ""), ("(a", 0, "add a )"), ("a)", 1, ""), (r"[\B]", 1, ""), (r"[\1]", 1, ""),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "start", "hint"), BAD_IN_ECMA)
def test_a_syntax_error_of_ecma_points_at_the_spot(pattern: str, start: int, hint: str) -> None:
    """What neither ECMA-262 nor its lenient reading allows is an error, with a way out where there is one."""
    with pytest.raises(GrammarSyntaxError) as raised:
        pattern_language(pattern)
    assert raised.value.span[0] == start
    assert hint in raised.value.hint


BAD_IN_RUST = [
    (r"a\Z", 1, r"\z here"), (r"\Qa\E", 0, "quoting"), (r"\012", 0, r"\x"), (r"\e", 0, r"\x1b"), (r"\é", 0, "without"), (r"[\b]", 1, r"\x08"), (r"[\1]", 1, ""),
    (r"\x4", 0, "{...}"), (r"\x{110000}", 0, ""), (r"\ud800", 0, ""), (r"\u{}", 0, "1F600"), (r"\x{41", 0, "}"), (r"\p{Leter}", 0, "did you mean Letter?"),
    (r"\p{^L}", 0, r"\P{L}"), (r"\p", 0, r"\pL"), (r"\p{L", 0, r"\pL"), (r"\p{Foo=Bar}", 0, "General_Category"), (r"\p{Cs}", 0, ""), ("*a", 0, r"\*"),
    ("a|+", 2, ""), ("(?i)*", 4, ""), ("a{,2}", 1, "{0,n}"), ("a{", 1, r"\{"), ("a{x}", 1, ""), ("{1}", 0, ""), ("a{2,1}", 2, ""), ("(a", 0, "add a )"),
    ("a)", 1, ""), ("[a", 0, "add a ]"), ("[a[b]", 0, "add a ]"), ("[]", 0, "add a ]"), ("[b-a]", 1, ""),
    (r"[\d-z]", 1, ""), (r"[a-\d]", 1, ""), ("(?)a", 0, "(?:)"),
    ("(?i-)a", 3, ""), ("(?ii)a", 3, ""), ("(?i-i)a", 4, ""), ("(?#c)a", 2, "flag x"), ("(?z)a", 2, ""),
    ("(?i", 3, ""), ("(?<1>a)", 3, ""), ("(?<a>b)(?P<a>c)", 11, ""),
    (r"(?-u)\W", 5, "leave u on"), ("(?-u).", 5, ""), ("(?-u)[^a]", 5, ""), ("(?-u)[é]", 6, ""), (r"(?-u)\pL", 5, ""), (r"(?-u)\xe9", 5, r"\x{...}"),
    (r"\b{middle}", 0, "start-half"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "start", "hint"), BAD_IN_RUST)
def test_a_syntax_error_of_rust_points_at_the_spot(pattern: str, start: int, hint: str) -> None:
    """What the regex crate rejects is an error, with a way out where there is one."""
    with pytest.raises(GrammarSyntaxError) as raised:
        regex(pattern, dialect="rust")
    assert raised.value.span[0] == start
    assert hint in raised.value.hint


@pytest.mark.parametrize("pattern", ["[" * 501, "a" + "?" * 1_004, "a" + "{0,2}{1,1}" * 600, "^" + "{0,1}" * 60 + "a"], ids=lambda text: text[:4])
def test_stacked_classes_and_repetitions_have_a_bound(pattern: str) -> None:
    """As groups do, since they nest like groups."""
    with pytest.raises(LimitError):
        regex(pattern, dialect="rust")


def test_the_same_group_name_may_stand_in_two_alternatives() -> None:
    """As ECMA-262 has it since 2025."""
    assert pattern_language("^(?<n>a)$|^(?<n>b)$") is pattern_language("^a$|^b$")


TOO_LARGE = [
    ("a" * 65_537, "the length of the pattern"),
    ("(" * 60_000, "the nesting of groups"),
    ("(?:" * 501 + ")" * 501, "the nesting of groups"),
    ("a{100001}", "the repetition bound"),
    ("a{" + "9" * 5_000 + "}", "the repetition bound"),
    ("(?:a{1000}){2000}", "the pattern with its repetitions written out"),
    ("(?:" * 51 + "^a" + ")*" * 51, "the nesting of groups in a pattern with lookarounds, or anchors inside,"),
    (r"\b" * 1_001, "the number of anchors and lookarounds"),
    (r"(?:(?:\ba|b ){40})", "the size of the pattern, with its anchors and lookarounds worked out,"),
    (r"(?:(?:(?:\ba|b ){40}){40}){40}", "the work on anchors and lookarounds"),
    (r"(?:\ba|b$){2000}", "the repetitions of a part that holds anchors or lookarounds"),
]


@pytest.mark.parametrize(("pattern", "limit"), TOO_LARGE, ids=[limit.replace(" ", "-") + str(n) for n, (_, limit) in enumerate(TOO_LARGE)])
@pytest.mark.parametrize("dialect", ["python", "ecma", "rust"])
def test_an_oversized_pattern_is_a_limit_error(dialect: DialectName, pattern: str, limit: str) -> None:
    """Every dimension of a pattern has a bound, and none ends in an error of the interpreter."""
    with pytest.raises(LimitError) as raised:
        regex(pattern, dialect=dialect)
    assert raised.value.limit == limit


def test_a_hundred_thousand_open_groups_do_not_exhaust_the_stack() -> None:
    """Even where the length is allowed."""
    with pytest.raises(LimitError, match="nesting"):
        regex("(" * 100_000, options=RegexOptions(maximum_length=200_000))


def test_nesting_up_to_the_limit_compiles() -> None:
    """500 groups within groups, each repeated, with anchors at the ends."""
    assert regex("^" + "(" * 500 + "a" + "b)*" * 500 + "$").kind == "regex"


def test_limits_are_options() -> None:
    """A caller with trusted patterns may raise a bound, and lower it otherwise."""
    assert regex("a{200000}", options=RegexOptions(maximum_repetition=1_000_000)).kind == "regex"
    with pytest.raises(LimitError):
        regex("a{11}", options=RegexOptions(maximum_repetition=10))


def test_too_many_contexts_are_refused_by_name() -> None:
    """A loop whose lookaheads remember too much says so, with the pattern."""
    with pytest.raises(UnsupportedFeatureError, match="kinds of context") as raised:
        regex("(?:(?=.{9}x|y).)*z", options=RegexOptions(maximum_contexts=50))
    assert raised.value.source == "(?:(?=.{9}x|y).)*z"


def test_other_wrong_arguments_are_typed_errors() -> None:
    """Bytes, other objects, unknown dialects and flags without meaning."""
    with pytest.raises(UnsupportedFeatureError, match="bytes"):
        regex(b"a")  # type: ignore[arg-type]
    with pytest.raises(GrammarTypeError, match="int"):
        regex(5)  # type: ignore[arg-type]
    with pytest.raises(GrammarError, match="dialect 'perl'"):
        regex("a", dialect="perl")  # type: ignore[arg-type]
    with pytest.raises(UnsupportedFeatureError, match="LOCALE"):
        regex("a", flags=re.L)
    with pytest.raises(UnsupportedFeatureError, match="VERBOSE"):
        regex("a", dialect="ecma", flags=re.X)


def test_an_oversized_bound_is_named_once() -> None:
    """The number stands in the text one time, beside the limit."""
    with pytest.raises(LimitError) as raised:
        regex("a{99999999}")
    assert str(raised.value).count("99999999") == 1


@pytest.mark.parametrize("pattern", [None, 3, ["a"]], ids=repr)
def test_what_is_no_pattern_is_a_type_error(pattern: object) -> None:
    """Both the wanted and the given type are named, and no place in a text that is not there."""
    with pytest.raises(GrammarTypeError, match=rf"got {type(pattern).__name__}; a pattern is a str"):
        regex(pattern)  # type: ignore[arg-type]
