"""Named parts of an output, found again."""

from __future__ import annotations

import random
import re

import pytest

import grammask
from grammask.errors import GrammarError, LimitError, TokenOutOfRange
from grammask.grammar import captures as room
from grammask.grammar.captures import Captures
from grammask.grammar.composing import free_text, token
from grammask.grammar.grammar import Grammar, either, optional, seq, text

WORDS = grammask.regex("[a-z]+")


def spans(found: Captures) -> list[tuple[str, int, int]]:
    return [(capture.name, capture.start, capture.end) for capture in found.every()]


def test_parts_are_found_by_name() -> None:
    """Text and span in characters, whatever the characters take in bytes; the value is what the part's own grammar reads."""
    call = seq(free_text(until="</think>").capture("thinking"), grammask.json_schema({"type": "object"}).capture("arguments"))
    output = 'é…</think>{"a": [1]}'
    found = call.captures(output)
    assert list(found) == ["thinking", "arguments"]
    assert found["thinking"].text == "é…</think>"
    assert found["arguments"].span == (10, 20)
    assert output[slice(*found["arguments"].span)] == found["arguments"].text
    assert found["arguments"].value == {"a": [1]}
    assert found["thinking"].value == "é…</think>"


def test_a_name_that_took_several_parts_gives_the_last_one_and_all() -> None:
    """As in `re`, the last; `every` has them in order."""
    found = WORDS.capture("word").repeat(1, separator=", ").captures("one, two, three")
    assert found["word"].text == "three"
    assert [capture.text for capture in found.every("word")] == ["one", "two", "three"]


def test_parts_that_the_output_does_not_have_are_not_there() -> None:
    """An alternative not taken, a part left out."""
    grammar = seq(either(seq("a=", WORDS.capture("a")), seq("b=", WORDS.capture("b"))), optional(text("!").capture("sign")))
    found = grammar.captures("b=x")
    assert dict(found) == {"b": found["b"]}
    assert "a" not in found
    assert "sign" in grammar.captures("a=x!")


def test_captures_may_lie_within_captures() -> None:
    """The inner one ends first."""
    pair = seq(WORDS.capture("key"), "=", grammask.regex("[0-9]*").capture("value")).capture("pair")
    assert spans(pair.captures("ab=12")) == [("key", 0, 2), ("value", 3, 5), ("pair", 0, 5)]


def test_a_capture_changes_nothing_else() -> None:
    """Expression, decoder and key are those of the part, so masks and compiled constraints are the same."""
    part = grammask.json_schema({"type": "integer"})
    assert part.capture("n").expression is part.expression
    assert part.capture("n").value("12") == 12
    assert part.capture("n").key == part.key
    for name in ("", 3):
        with pytest.raises(GrammarError, match="give a name"):
            part.capture(name)  # type: ignore[arg-type]


def test_grammars_without_captures_have_none() -> None:
    """Whatever the output is: it is not even read."""
    assert len(WORDS.captures("12")) == 0
    assert repr(Captures()) == "Captures([])"


def test_an_output_that_is_not_of_the_grammar_is_refused() -> None:
    """Captures are of complete texts; the error says how far it could be read."""
    with pytest.raises(GrammarError, match=r"not a complete text of this grammar \(3 of 4 bytes"):
        WORDS.capture("word").captures("abc4")
    with pytest.raises(GrammarError):
        WORDS.capture("word").captures("")


# ---- several readings -----------------------------------------------------------------------------------------------


def test_of_several_readings_it_is_the_one_of_re() -> None:
    """The first alternative that leads to a whole reading; parts and repetitions as long as they can be before what follows."""
    letters = grammask.regex("[ab]*")
    assert spans(seq(letters.capture("x"), letters.capture("y")).captures("abab")) == [("x", 0, 4), ("y", 4, 4)]
    assert spans(seq(letters.capture("x"), text("b").capture("y"), letters).captures("abab")) == [("x", 0, 3), ("y", 3, 4)]
    assert list(either(text("ab").capture("first"), letters.capture("second")).captures("ab")) == ["first"]
    assert list(either(letters.capture("first"), text("ab").capture("second")).captures("ab")) == ["first"]


class Tree:
    """A random composition over single letters, and the pattern of `re` for it."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.n_names = 0
        self.grammar, self.pattern = self.made(3)

    def made(self, depth: int) -> tuple[Grammar, str]:
        draw = self.draw
        kind = draw.random()
        if depth == 0 or kind < 0.2:
            pattern = draw.choice(["a", "b", "[ab]", "a*", "[ab]*", "b+", "(?:ab)*", "a?"])
            return grammask.regex(pattern), pattern
        if kind < 0.45:
            name = f"n{self.n_names}"
            self.n_names += 1
            grammar, pattern = self.made(depth - 1)
            return grammar.capture(name), f"(?P<{name}>{pattern})"
        if kind < 0.6:
            grammar, pattern = self.made(depth - 1)
            minimum = draw.choice([0, 1, 2])
            maximum = draw.choice([None, minimum + 1])
            if re.fullmatch(pattern, ""):  # what empty rounds capture, `re` has its own ways with
                return grammar, pattern
            return grammar.repeat(minimum, maximum), f"(?:{pattern}){{{minimum},{'' if maximum is None else maximum}}}"
        names_before = self.n_names
        parts = [self.made(depth - 1) for _ in range(draw.randint(2, 3))]
        if self.n_names == names_before:  # a whole without captures, which is as long as it can be
            return parts[0]
        if kind < 0.8:
            return either(*[grammar for grammar, _ in parts]), f"(?:{'|'.join(pattern for _, pattern in parts)})"
        return seq(*[grammar for grammar, _ in parts]), "".join(pattern for _, pattern in parts)


@pytest.mark.parametrize("seed", range(80))
def test_random_compositions_are_read_as_re_reads_them(seed: int) -> None:
    """Every short text: the last span of each name is that of the group of that name; a text that `re` does not match is refused."""
    tree = Tree(seed)
    pattern = re.compile(tree.pattern)
    for length in range(5):
        for number in range(2**length):
            output = "".join("ab"[number >> place & 1] for place in range(length))
            match = pattern.fullmatch(output)
            if match is None:
                if tree.n_names:
                    with pytest.raises(GrammarError):
                        tree.grammar.captures(output)
                continue
            found = tree.grammar.captures(output)
            groups = {name: match.span(name) for name, taken in match.groupdict().items() if taken is not None}
            again = {name: capture.span for name, capture in found.items()}
            # Inside a repetition, `re` keeps a group of an earlier round; so does the last capture of a name.
            assert again == groups, (tree.pattern, output)


def test_a_part_without_captures_is_one_whole() -> None:
    """Inside it there is nothing to tell apart, so it takes as much as it can, whatever its alternatives."""
    assert either("a", "ab").capture("x").captures("ab")["x"].span == (0, 2)
    assert seq(either("a", "ab").capture("x"), optional("b")).captures("ab")["x"].span == (0, 2)


def test_ambiguous_grammars_take_polynomial_time_or_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a backtracking engine goes round for ever, places that failed are remembered; and there is a limit."""
    grammar = seq(text("a").capture("x").repeat(), text("a").repeat(), grammask.regex("a*").capture("y").repeat(), "b")
    with pytest.raises(GrammarError):
        grammar.captures("a" * 60)
    assert len(grammar.captures("a" * 200 + "b").every("x")) == 200
    monkeypatch.setattr(room, "MAX_STEPS", 1_000)
    with pytest.raises(LimitError, match="less ambiguous"):
        grammar.captures("a" * 200)


def test_rounds_of_nothing_end() -> None:
    """A part that can match nothing, repeated."""
    grammar = grammask.regex("a?").capture("x").repeat(2)
    assert grammar.captures("aaa")["x"].text in ("", "a")
    assert grammar.captures("")["x"].span == (0, 0)
    assert grammask.regex("a*").capture("x").repeat(0, 3).captures("aa").every()[0].text == "aa"


def test_deep_compositions_are_no_trouble() -> None:
    """Compositions within compositions by the thousand, as loops build them."""
    grammar = text("a").capture("x")
    for _ in range(3_000):
        grammar = seq(grammar, text("b"))
    assert grammar.captures("a" + "b" * 3_000)["x"].span == (0, 1)


@pytest.mark.parametrize("bounds", [(0, None), (0, 3), (1, 2)])
def test_nesting_multiplies_nothing(bounds: tuple[int, int | None]) -> None:
    """Forty captured repetitions within one another, each of which could share out the rounds among them: read at once."""
    grammar = grammask.regex("[ab]")
    for number in range(40):
        grammar = grammar.capture(f"x{number}").repeat(*bounds)
    found = grammar.captures("abababab")
    assert found["x39"].span[1] == 8
    assert {f"x{number}" for number in range(40)} == set(found)


def test_alternatives_that_are_not_needed_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many alternatives, those behind the one that leads to a whole reading cost nothing."""
    asked: list[object] = []
    ends = room._Leaves.ends
    monkeypatch.setattr(room._Leaves, "ends", lambda self, part, start: asked.append(part) or ends(self, part, start))
    either(*[grammask.regex(f"[ab]{{1,{number}}}").capture("x") for number in range(2, 50)]).captures("ab")
    assert len(asked) == 1


# ---- outputs of models ----------------------------------------------------------------------------------------------

TOKENS = [b"a", b"b", "é".encode()[:1], "é".encode()[1:], b"", b"", b"", b"ab"]
VOCABULARY = grammask.Vocabulary(TOKENS, eos_ids=[4], specials={"<s>": 5, "</s>": 6})


def test_special_tokens_are_read_from_token_ids() -> None:
    """They have no place in the text; the end token is no part of the output."""
    grammar = seq(free_text(until=token("<s>")).capture("before"), grammask.regex("[abé]*").capture("inside"), token("</s>").capture("stop"))
    found = grammar.captures([2, 3, 0, 5, 7, 6, 4], VOCABULARY)
    assert [(capture.name, capture.text, capture.span) for capture in found.every()] == [
        ("before", "éa", (0, 2)),
        ("inside", "ab", (2, 4)),
        ("stop", "", (4, 4)),
    ]
    with pytest.raises(GrammarError, match="needs the token ids and their vocabulary"):
        grammar.captures("éaab")
    with pytest.raises(GrammarError, match="needs the vocabulary"):
        grammar.captures([0, 5, 6])
    with pytest.raises(TokenOutOfRange):
        grammar.captures([99], VOCABULARY)
    with pytest.raises(GrammarError, match="not a complete text"):
        grammar.captures([0, 6], VOCABULARY)


def test_ids_of_special_tokens_may_be_large() -> None:
    """As large as vocabularies are."""
    vocabulary = grammask.Vocabulary([b"a"] + [b"b"] * 128_000 + [b""] * 300, eos_ids=[128_001], specials={"<s>": 128_009})
    grammar = seq(free_text(until=token("<s>")).capture("before"), grammask.regex("a+").capture("after"))
    assert [capture.text for capture in grammar.captures([0, 7, 128_009, 0, 128_001], vocabulary).every()] == ["ab", "a"]


class Scripted:
    """A model that takes the first allowed token of a script, then any."""

    def __init__(self, script: list[int]) -> None:
        self.vocabulary, self.script = VOCABULARY, script

    def begin(self, prompt_token_ids) -> None:  # type: ignore[no-untyped-def]
        self.left = list(self.script)

    def logits(self):  # type: ignore[no-untyped-def]
        import numpy as np

        scores = np.zeros(len(self.vocabulary), dtype=np.float32)
        scores[self.left[0] if self.left else 4] = 50.0
        return scores

    def accept(self, token_id: int) -> None:
        self.left = self.left[1:]

    def rewind(self, n: int) -> None: ...


def test_a_result_has_the_captures_of_its_output() -> None:
    """`Result.captures` reads the token ids; an output that was cut has none."""
    grammar = seq(free_text(until=token("<s>")).capture("before"), grammask.regex("[ab]{3}").capture("after"))
    constraint = grammask.compile(grammar, VOCABULARY)
    result = grammask.generate(Scripted([2, 3, 5, 7, 0]), [1], constraint)
    assert result.finish_reason == "complete"
    assert result.text == "éaba"
    assert (result.captures["before"].text, result.captures["after"].span) == ("é", (1, 4))
    without = grammask.generate(Scripted([0, 1]), [1], None, grammask.GenerateOptions(max_tokens=2))
    assert len(without.captures) == 0
