"""Random patterns against `re` and node: the same texts match, the same patterns are rejected."""

from __future__ import annotations

import random
import re
import warnings

from hypothesis import given, note
from hypothesis import strategies as st

from grammask.errors import GrammarSyntaxError, LimitError, UnsupportedFeatureError
from grammask.frontends.regex import pattern_language, regex
from grammask.frontends.regex.algebra import nullable
from grammask.frontends.regex.derivative import classes, derivative
from grammask.grammar.expression import Expression

from .oracles import ask_llguidance, ask_node, ask_re, flag_bits, law
from .small_form_oracle import matches

PYTHON_ATOMS = [
    "a",
    "b",
    "A",
    ".",
    r"\w",
    r"\W",
    r"\s",
    r"\d",
    "[ab]",
    "[^a]",
    "[a-c]",
    r"\n",
    "1",
    "_",
    " ",
    "ab",
    "k",
    "é",
    "a*+",
    "[ab]++",
    "(?>a|bA)",
    "(?>b+)",
]
PYTHON_ASSERTIONS = ["^", "$", r"\b", r"\B", r"\A", r"\Z"]
PYTHON_SCOPES = ["(?i:{})", "(?m:{})", "(?s:{})", "(?-i:{})"]
PYTHON_TEXT = "abA1 \n_ké"

ECMA_ATOMS = [
    "a", "b", "A", ".", r"\w", r"\W", r"\s", r"\S", r"\d", "[ab]", "[^a]", "[^]", "[]", r"[\w-]", r"[^\W]", r"\p{L}", r"\P{Lu}", r"[^\P{Lu}]",
    r"\p{scx=Grek}", r"\u{212A}", "s", "k", "é", "σ", "😀", "[😀-😂]", r"\ud83d\ude00", r"\x41", r"\cJ", r"\u2028", r"[\b]", r"\/", "1", "_",
]  # fmt: skip
ECMA_ASSERTIONS = ["^", "$", r"\b", r"\B"]
ECMA_TEXT = "abA1 \n_kéKſsSΣσς\u2028\r/İıß\ufeff\x85"  # no pairs of surrogates: V8 also looks for zero-width matches inside them

QUANTIFIERS = ["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "??"]
PIECES = [
    "a", "-", "]", "[", "^", "(", ")", "(?:", "(?", "(?P<n>", "(?P<", "(?P=n)", "(?i)", "(?i:", "(?-i:", "(?x)", "(?x:", " ", "#", "\n", "|", "*", "+",
    "?", "{", "}", "{2}", "{2,1}", "{,3}", "{1,", "\\", r"\d", r"\1", r"\01", r"\12", r"\x4", r"\x41", r"\u00", r"\q", r"\Z", r"\b", r"\N{DIGIT ONE}",
    r"\N{", r"\400", r"\8", "$", ".", "(?=", "(?<=", "(?!", "(?#c)", "(?>", ",", "1", "a-z", "(?au:", "(?L)", "=", "<", ">", "!", ":", r"\U00110000",
]  # fmt: skip


def patterns(atoms: list[str], assertions: list[str], scopes: list[str]) -> st.SearchStrategy[str]:
    """Patterns of a few constructs, lookarounds and anchors among them."""
    scope = st.sampled_from(["(?={})", "(?!{})", "(?<={})", "(?<!{})", "({})", *scopes])

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, inner).map("".join),
            st.tuples(inner, inner).map("(?:{0[0]}|{0[1]})".format),
            st.tuples(inner, st.sampled_from(QUANTIFIERS)).map("(?:{0[0]}){0[1]}".format),
            st.tuples(inner, scope).map(lambda pair: pair[1].format(pair[0])),
        )

    return st.recursive(st.sampled_from(atoms) | st.sampled_from(assertions), larger, max_leaves=6)


def texts(alphabet: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.text(alphabet, max_size=5), min_size=4, max_size=8)


@law
@given(patterns(PYTHON_ATOMS, PYTHON_ASSERTIONS, PYTHON_SCOPES), st.sampled_from(["", "i", "m", "s", "a", "ai", "ms"]), texts(PYTHON_TEXT))
def test_a_random_pattern_matches_what_re_matches(pattern: str, flags: str, samples: list[str]) -> None:
    """Whole matches and found ones, with anchors, boundaries and lookarounds anywhere."""
    verdicts = ask_re(pattern, flags, samples)
    try:
        whole = regex(pattern, flags=flag_bits(flags)).expression
        found = pattern_language(pattern, dialect="python", flags=flag_bits(flags))
    except GrammarSyntaxError:
        assert verdicts is None  # a lookbehind without a fixed width
    except (UnsupportedFeatureError, LimitError) as refusal:
        note(f"refused: {refusal}")
    else:
        assert verdicts == [[matches(whole, text), matches(found, text)] for text in samples]


@law
@given(st.lists(st.sampled_from(PIECES), max_size=7).map("".join), st.sampled_from(["", "x", "i"]))
def test_what_re_rejects_is_rejected_at_the_same_place(pattern: str, flags: str) -> None:
    """Random pieces of syntax: both accept, or both reject and point at the same character."""
    theirs = rejection_by_re(pattern, flags)
    own: GrammarSyntaxError | None = None
    try:
        regex(pattern, flags=flag_bits(flags))
    except GrammarSyntaxError as rejection:
        own = rejection
    except UnsupportedFeatureError:
        return
    assert (own is None) == (theirs is None)
    if own is not None and theirs is not None and theirs.pos is not None:
        dangling = pattern.endswith("\\")  # `re` looks one character ahead and complains about that first
        late = "fixed width" in own.reason  # `re` checks widths last
        assert own.span[0] == theirs.pos or dangling or late


def rejection_by_re(pattern: str, flags: str) -> re.error | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            re.compile(pattern, flag_bits(flags))
        except re.error as rejection:
            return rejection
    return None


def test_random_ecma_patterns_match_what_node_matches() -> None:
    """500 patterns in one run of node, with the flags i, m and s."""
    rng = random.Random(20_261)
    cases = [(random_ecma(rng, rng.randint(0, 4)), flags, random_texts(rng)) for flags in rng.choices(["", "i", "m", "s", "im"], k=500)]
    for (pattern, flags, samples), answers in zip(cases, ask_node(cases), strict=True):
        whole = pattern_language(pattern, flags=flag_bits(flags), search=False)
        found = pattern_language(pattern, flags=flag_bits(flags))
        assert [[matches(whole, text), matches(found, text)] for text in samples] == answers, (pattern, flags)


RUST_PIECES = [
    "a", "b", "k", "é", "-", "]", "[", "^", "(", ")", "(?:", "(?P<n>", "(?<m>", "(?i)", "(?i:", "(?x)", "(?-u)", "(?U)", " ", "#", "|", "*", "+", "?", "{", "}",
    "{2}", "{ 1 , 2 }", "{,3}", r"\d", r"\W", r"\w", r"\x41", r"\x{e9}", r"\xe9", r"\pL", r"\p{greek}", r"\P{^L}", ".", "[a-c", "&&", "--", "~~", "[^",
    "[[:alpha:]", "[:^alpha:]]", "[]", "-]", r"\-", r"\é", "&", "~", "a-z", "(?", "(?R)", r"\p{L", "(?i-s)", "z",
]  # fmt: skip
RUST_TEXTS = ["", "a", "b", "ab", "k", "K", "\u212a", "é", "É", "-", "]", "[", "^", " ", "1", "A", "aa", "aaa", "#", "\r", "α", "&", "~", "c", "z", "b1", ":"]


def test_random_rust_patterns_match_what_llguidance_matches() -> None:
    """150 strings of pieces of syntax: the same are read as patterns of the regex crate, and take the same texts."""
    rng = random.Random(20_262)
    for _ in range(150):
        pattern = "".join(rng.choices(RUST_PIECES, k=rng.randint(1, 6)))
        answers = ask_llguidance(pattern, "", RUST_TEXTS)
        try:
            whole = regex(pattern, dialect="rust").expression
        except (GrammarSyntaxError, UnsupportedFeatureError):
            assert answers is None, pattern
        else:
            assert answers in (None, [matches(whole, text) for text in RUST_TEXTS]), pattern
            assert answers is not None or "^" in pattern, pattern  # llguidance takes no anchors inside


def random_ecma(rng: random.Random, depth: int) -> str:
    draw = rng.random()
    if depth == 0 or draw < 0.35:
        return rng.choice(ECMA_ATOMS if draw < 0.28 else ECMA_ASSERTIONS)
    inner = random_ecma(rng, depth - 1)
    if draw < 0.6:
        return inner + random_ecma(rng, depth - 1)
    if draw < 0.7:
        return f"(?:{inner}|{random_ecma(rng, depth - 1)})"
    if draw < 0.85:
        return f"(?:{inner}){rng.choice(QUANTIFIERS)}"
    return f"({rng.choice(['?=', '?!', '?<=', '?<!'])}{inner})"


def random_texts(rng: random.Random) -> list[str]:
    return ["".join(rng.choices(ECMA_TEXT, k=rng.choice([0, 1, 1, 2, 3, 4]))) for _ in range(10)]


@law
@given(patterns(PYTHON_ATOMS, PYTHON_ASSERTIONS, PYTHON_SCOPES), st.text(PYTHON_TEXT, max_size=5), st.booleans())
def test_derivatives_read_a_text_from_either_end(pattern: str, text: str, backward: bool) -> None:
    """Taking a text off a language character by character, from the start or from the end, leaves the empty string iff it is in it."""
    try:
        language = pattern_language(pattern, dialect="python")
    except (GrammarSyntaxError, UnsupportedFeatureError, LimitError):
        return
    rest: Expression = language
    for character in reversed(text) if backward else text:
        (block,) = [ranges for ranges in classes(rest, backward=backward) if any(low <= ord(character) <= high for low, high in ranges)]
        rest = derivative(rest, chr(block[-1][1]), backward)  # any character of the class will do
    assert nullable(rest) == matches(language, text)
