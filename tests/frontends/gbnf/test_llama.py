"""Random grammars in GBNF, read here and by llama.cpp."""

from __future__ import annotations

import itertools
import random

import pytest

from grammask.errors import GrammarError
from grammask.frontends.gbnf import gbnf

from .conftest import Accepts
from .llama_oracle import ask_llama

NAMES = ["root", "x", "y-1", "Z"]
WORDS = ["".join(word) for length in range(4) for word in itertools.product('ab"', repeat=length)]
ONE = ['"a"', '"b"', '"ab"', r'"\x61"', r'"\""', r'"\u0062a"', "[ab]", "[^a]", "[a-]", "[-b]", r"[\x61-\u0062]", r"[a\-b]", ".", r"[\]a]", "[^\\n]"]
SIGNS = [*[""] * 8, "*", "+", "?", "{2}", "{1,}", "{0,2}", "{1,2}", "{ 2 }", "{1 , 2}", "{0,}", " *", "{2}{2}"]
GAPS = [" ", "  ", "\t"]
WIDE_GAPS = ["", " ", "\n", "\n # x\n  ", "\r\n"]
SEEDS = 400


class Writer:
    """Writes a grammar without left recursion and without loops over nothing, which llama.cpp does not take: every alternative begins with a character."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def grammar(self) -> str:
        draw = self.draw
        rules = []
        for number, name in enumerate(NAMES):
            sign = draw.choice([" ::= ", "::=", " ::=\n ", " ::= # c\n "])
            rules.append(name + sign + self.choice(number, 2) + draw.choice(["\n", "\r\n", "\n\n", " # end\n", "\n\n# between\n"]))
        return "".join(rules)

    def choice(self, number: int, depth: int) -> str:
        signs = [" | ", "|", " |\n  ", " | # c\n "]
        return self.draw.choice(signs).join(self.sequence(number, depth) for _ in range(self.draw.randint(1, 3)))

    def sequence(self, number: int, depth: int) -> str:
        draw = self.draw
        parts = [draw.choice(ONE), *[self.part(number, depth) for _ in range(draw.randint(0, 2))]]
        return draw.choice(GAPS).join(parts)

    def part(self, number: int, depth: int) -> str:
        draw = self.draw
        kind = draw.random()
        if kind < 0.5 or not depth:
            return draw.choice(ONE) + draw.choice(SIGNS)
        if kind < 0.7:
            return draw.choice(NAMES[number + 1 :] or NAMES) + draw.choice(SIGNS)
        if kind < 0.78:
            return f"({NAMES[number]} | {draw.choice(ONE)})"
        last = draw.choice(["", "", " | ", "|"])
        inner = f"({draw.choice(WIDE_GAPS)}{self.choice(number, depth - 1)}{draw.choice(WIDE_GAPS)}{last})"
        return inner if last else inner + draw.choice(SIGNS)


def refusal(text: str) -> str | None:
    """Why a text is refused here; None if it is not."""
    try:
        gbnf(text)
    except GrammarError as error:
        return str(error)
    return None


def test_random_grammars_mean_what_they_mean_for_llama(accepts: Accepts) -> None:
    """The same short texts are accepted; what llama.cpp reads is read here, unless a rule has no exit."""
    texts = [Writer(seed).grammar() for seed in range(SEEDS)]
    answers = ask_llama([(text, "root", WORDS) for text in texts])
    assert sum(answer is not None for answer in answers) > SEEDS / 2
    for text, answer in zip(texts, answers, strict=True):
        refused = refusal(text)
        if refused is not None:
            assert answer is None or "has no way out" in refused, text
        elif answer is not None:
            grammar = gbnf(text)
            assert [accepts(grammar, word) for word in WORDS] == answer, text


@pytest.mark.parametrize("seed", range(3))
def test_what_is_read_here_and_not_by_llama_has_a_reason(seed: int) -> None:
    """Texts with a character changed: llama.cpp reads nothing that is refused here but what cannot be meant."""
    draw = random.Random(seed)
    texts = []
    for _ in range(400):
        text = Writer(draw.randrange(10**6)).grammar()
        at = draw.randrange(len(text))
        texts.append(text[:at] + draw.choice(["", "(", ")", "|", "\n", '"', "[", "]", "*", "{", "}", ",", "x ::= ", "#", "\\", "<", ":", "-"]) + text[at + 1 :])
    allowed = ("has no way out", "runs backwards", "without characters", "defined before", "no text", "nothing can match", "has no body")
    for text, answer in zip(texts, ask_llama([(text, "root", [""]) for text in texts]), strict=True):
        refused = refusal(text)
        if answer is not None and refused is not None:
            assert any(reason in refused for reason in allowed), f"{refused}\n{text}"
