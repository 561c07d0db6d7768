"""Random grammars: a text is taken exactly if Lark's parser accepts it, and nothing that is generated is rejected."""

from __future__ import annotations

from random import Random

import lark as lark_package
import pytest

import grammask
from grammask.errors import EmptyLanguageError, GrammarError, NoExitError, UnsupportedFeatureError

from .random_grammars import random_grammar, random_texts
from .support import BYTES, END, THOROUGH, Kernel, Verdict, generated, oracle, read

N_GRAMMARS = 600 if THOROUGH else 24
BYTE_VOCABULARY = grammask.Vocabulary(BYTES, eos_ids=END)


def parser_of(source: str, lexer: str) -> Verdict | None:
    """Lark's verdicts; None if Lark refuses the grammar."""
    try:
        return oracle(source, lexer)
    except lark_package.exceptions.LarkError:
        return None


def verdicts(takes: Verdict, texts: list[str]) -> dict[str, bool] | None:
    try:
        return {text: takes(text) for text in texts}
    except RuntimeError:  # Lark's Earley parser gives up on some ambiguous grammars ("Please report this bug")
        return None


@pytest.mark.parametrize("family", ["patterns", "words"])
@pytest.mark.parametrize("lexer", ["contextual", "basic", "dynamic", "dynamic_complete"])
def test_texts_are_taken_exactly_if_lark_accepts_them(lexer: str, family: str) -> None:
    """Over grammars that Lark takes; those that it refuses, we refuse too."""
    compiled = Kernel("compiled")
    compared = 0
    for number in range(N_GRAMMARS):
        rng = Random(f"{lexer} {family} {number}")
        source = random_grammar(rng, family)
        takes = parser_of(source, lexer)
        try:
            grammar = read(source, lexer)
        except (NoExitError, UnsupportedFeatureError):
            continue  # a rule without an exit, which Lark does not mind; or a lookaround that is refused by name
        except EmptyLanguageError:
            assert takes is None or not any((verdicts(takes, random_texts(rng, family, 100)) or {}).values()), source
            continue
        except GrammarError:
            assert takes is None, source
            continue
        assert takes is not None, f"Lark refuses\n{source}"
        expected = verdicts(takes, random_texts(rng, family, 100))
        if expected is not None:
            mine = compiled.verdict(grammar)
            assert [(text, accepted) for text, accepted in expected.items() if mine(text) != accepted] == [], source
            compared += 1
    assert compared >= N_GRAMMARS // 8


@pytest.mark.parametrize("family", ["patterns", "words"])
@pytest.mark.parametrize("lexer", ["contextual", "dynamic"])
def test_generated_texts_parse(lexer: str, family: str) -> None:
    """Random walks through the masks end in texts that Lark accepts, and never get stuck."""
    for number in range(N_GRAMMARS // 2):
        rng = Random(f"generated {lexer} {family} {number}")
        source = random_grammar(rng, family)
        takes = parser_of(source, lexer)
        try:
            grammar = read(source, lexer)
        except GrammarError:
            continue
        constraint = grammask.compile(grammar, BYTE_VOCABULARY)
        texts = [generated(constraint, rng) for _ in range(8)]
        expected = verdicts(takes, texts) if takes is not None else None
        assert expected is None or all(expected.values()), (source, expected)


@pytest.mark.parametrize("family", ["patterns", "words"])
def test_both_kernels_take_the_same(family: str) -> None:
    """The reference twin and the compiled kernel agree on random grammars."""
    reference, compiled = Kernel("reference"), Kernel("compiled")
    for number in range(N_GRAMMARS // 4):
        rng = Random(f"kernels {family} {number}")
        source = random_grammar(rng, family)
        try:
            grammar = read(source)
        except GrammarError:
            continue
        takes = [reference.verdict(grammar), compiled.verdict(grammar)]
        assert [text for text in random_texts(rng, family, 15) if len({verdict(text) for verdict in takes}) > 1] == [], source
