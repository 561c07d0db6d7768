"""Parts for composing grammars: free text, tokens, separators."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import grammask
from grammask.errors import GrammarError, LimitError
from grammask.grammar.composing import free_text, join, token
from grammask.grammar.expression import Literal, Seq, Token
from grammask.grammar.grammar import Grammar, optional, seq, text

TOKENS = [b"a", b"b", b"c", b"", b"", b"", "é".encode()]
VOCABULARY = grammask.Vocabulary(TOKENS, eos_ids=[3], specials={"ab": 4, "<t>": 5})
WORDS = ["".join(word) for length in range(7) for word in itertools.product("abc", repeat=length)]


def accepted(grammar: Grammar, words: list[str]) -> list[str]:
    """The words that are complete texts."""
    matcher = grammask.compile(grammar, VOCABULARY).matcher()
    found = []
    for word in words:
        matcher.reset()
        ids = [TOKENS.index(character.encode()) for character in word]
        if matcher.draft(ids) == len(ids):
            for token_id in ids:
                matcher.advance(token_id)
            if matcher.is_complete:
                found.append(word)
    return found


@pytest.mark.parametrize(
    ("until", "without"),
    [
        (["ab"], []), (["aa"], []), (["aab", "ba"], []), (["a", "ab"], []), (["ab", "cabb"], []), (["b", "ab", "cc"], []),
        ([], ["ab"]), ([], ["a", "ab", "bb"]), ([], []),
        (["ab"], ["c"]), (["ab"], ["ca", "cab"]), (["ab"], ["cab"]), (["aa"], ["ba", "aab"]), (["aba"], ["bab"]), (["a", "b", "c"], []), (["abc"], ["bb"]),
    ],
    ids=str,
)  # fmt: skip
def test_free_text_ends_with_the_first_stop(until: list[str], without: list[str]) -> None:
    """All short words: those in which a stop is complete for the first time at their end, and nothing that must not occur."""
    first = {word: min([word.find(stop) + len(stop) for stop in until if stop in word], default=None) for word in WORDS}
    wanted = [word for word in WORDS if (first[word] == len(word) if until else True) and not any(barred in word for barred in without)]
    assert accepted(free_text(until, without=without), WORDS) == wanted


def test_a_stop_may_be_the_special_token_of_its_name_and_others_may_be_asked_for() -> None:
    """The token "ab" stands for the text; `token` names one that is no text at all. Free text itself holds no special token."""
    matcher = grammask.compile(free_text(["ab", token("<t>")]), VOCABULARY).matcher()
    assert matcher.allowed_tokens().tolist() == [0, 1, 2, 4, 5, 6]
    for stop in (4, 5):
        matcher.advance(6)
        matcher.advance(stop)
        assert matcher.is_complete
        assert matcher.allowed_tokens().tolist() == [3]
        matcher.reset()
    assert grammask.compile(free_text(until=token("<t>")), VOCABULARY).matcher().allowed_tokens().tolist() == [0, 1, 2, 5, 6]
    assert grammask.compile(free_text(), VOCABULARY).matcher().allowed_tokens().tolist() == [0, 1, 2, 3, 6]


def test_free_text_stands_in_other_grammars() -> None:
    """What follows comes behind the stop."""
    grammar = seq(free_text(until="b"), "c").repeat(1, 2)
    assert accepted(grammar, ["bc", "acbc", "bcabc", "bcbcbc", "bcb", "b"]) == ["bc", "acbc", "bcabc"]


@pytest.mark.parametrize("until", ["", ["a", ""], 7, [7], None, [text("a").repeat()], "\ud800"], ids=lambda until: repr(until)[:12])
def test_stops_that_are_none_are_refused(until: Any) -> None:
    """Empty texts, other things, grammars that are no token."""
    with pytest.raises(GrammarError):
        free_text(until)


def test_a_stop_that_holds_what_must_not_occur_is_refused() -> None:
    """Then no text would end."""
    with pytest.raises(GrammarError, match="take one of the two out"):
        free_text("</a>", without="a")


def test_a_token_is_a_grammar() -> None:
    """By name or id; what is neither is refused."""
    assert token("<t>").expression is Token(["<t>"])
    assert token(5).source == 5
    for wrong in ("", -1, True, 1.5, None):
        with pytest.raises(GrammarError, match="give the name of a special token"):
            token(wrong)  # type: ignore[arg-type]


def test_parts_are_joined_with_separators() -> None:
    """As str.join has it: between neighbours only."""
    assert join(",", ["a", "b"]).expression is Seq([Literal(b"a,b")]) or join(",", ["a", "b"]).expression is Literal(b"a,b")
    assert accepted(join("c", ["a", text("b").repeat(0, 2)]), ["acb", "ac", "acbb", "a", "cb"]) == ["acb", "ac", "acbb"]
    assert accepted(join(",", []), ["", "a"]) == [""]
    with pytest.raises(GrammarError):
        join(",", ["a", 3])  # type: ignore[list-item]


@pytest.mark.parametrize(("minimum", "maximum"), [(0, None), (1, None), (2, None), (0, 0), (0, 1), (1, 1), (0, 3), (2, 3)], ids=str)
def test_a_separator_stands_between_repetitions(minimum: int, maximum: int | None) -> None:
    """Counts are counts of the part."""
    wanted = ["c".join(["a"] * times) for times in range(6) if minimum <= times and (maximum is None or times <= maximum)]
    words = ["c".join(["a"] * times) for times in range(6)]
    assert accepted(text("a").repeat(minimum, maximum, separator="c"), [*words, "aa", "ca", "ac"]) == wanted


def test_depth_of_nesting_is_no_trouble_for_what_is_shown_and_read() -> None:
    """A composition thousands deep is shown by its outermost parts; a text too deep to be read as a value is a limit that is named."""
    grammar = seq("a", "b")
    for _ in range(3_000):
        grammar = optional(seq("a", grammar))
    assert "<repeat 0 to 1 of composed>" in repr(grammar)
    assert "<capture 'x' of text>" in repr(text("a").capture("x"))
    with pytest.raises(LimitError, match="nesting of an output"):
        grammask.json_schema(schema=True).value("[" * 100_000 + "]" * 100_000)
