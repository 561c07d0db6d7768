"""Real grammars: what is generated parses with Lark, and what Lark parses can be generated, over Llama 3's tokens."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from random import Random

import pytest

import grammask
from grammask.errors import UnsupportedFeatureError

from .support import DATA, THOROUGH, Verdict, generated, llama3, oracle, read, takes_tokens, tokens_of

EXAMPLES: dict[str, list[str]] = tomllib.loads((DATA / "lark" / "examples.toml").read_text(encoding="utf-8"))
NAMES = sorted(EXAMPLES)
N_GENERATIONS = 1_000 if THOROUGH else 40
N_TEXTS = 200 if THOROUGH else 40


def source_of(name: str) -> str:
    """A grammar of this folder's data; that of Lark itself comes with Lark."""
    folder = files("lark") / "grammars" if name == "lark" else DATA / "lark"
    return (folder / f"{name}.lark").read_text(encoding="utf-8")


@cache
def compiled(name: str) -> grammask.Constraint:
    return grammask.compile(read(source_of(name)), llama3())


@cache
def parser(name: str) -> Verdict:
    return oracle(source_of(name))


def changed(text: str, rng: Random, other: str) -> str:
    """A text with something left out, doubled, moved, or taken from another text."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        start, length = rng.randrange(len(text) + 1), rng.choice([1, 1, 2, 5])
        piece = rng.choice([text[start : start + length] * 2, "", " ", other[(at := rng.randrange(len(other) + 1)) : at + length], rng.choice("a1_.\"'() \n")])
        text = text[:start] + piece + text[start + length :]
    return text


def texts_like(name: str, rng: Random) -> Iterator[str]:
    """The example texts of a grammar, then endless changes of them and of what was made so."""
    known = list(EXAMPLES[name])
    yield from known
    while True:
        text = changed(rng.choice(known), rng, rng.choice(known))
        if parser(name)(text) and len(text) < 300:
            known.append(text)
        yield text


@pytest.mark.parametrize("name", NAMES)
def test_generated_texts_parse_with_lark(name: str) -> None:
    """Uniform draws from the masks, closed by the shortest completion, give texts that Lark's parser accepts."""
    constraint = compiled(name)
    for number in range(N_GENERATIONS):
        text = generated(constraint, Random(f"{name} {number}"))
        assert parser(name)(text), text


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_taken_exactly_if_lark_accepts_them(name: str) -> None:
    """Texts near the language, in random tokens: those that Lark accepts get through, those that it rejects do not."""
    rng = Random(name)
    constraint = compiled(name)
    n_accepted = 0
    for text in texts_like(name, rng):
        accepted = parser(name)(text)
        assert takes_tokens(constraint, tokens_of(text, rng)) == accepted, (accepted, text)
        n_accepted += accepted
        if n_accepted == N_TEXTS:
            break


def test_there_are_fifteen_grammars() -> None:
    """The examples are of at least fifteen grammars, each grammar of the folder has some, and Lark accepts them."""
    assert len(NAMES) >= 15
    assert {path.stem for path in (DATA / "lark").glob("*.lark")} | {"lark"} == set(NAMES)
    assert [(name, text) for name in NAMES for text in EXAMPLES[name] if not parser(name)(text)] == []


@pytest.mark.parametrize("start", ["file_input", "single_input"])
def test_the_grammar_of_python_needs_its_post_lexer(start: str) -> None:
    """Python's indentation is made by code outside of the grammar, so a grammar that uses it is refused by that name."""
    with pytest.raises(UnsupportedFeatureError, match="indentation post-lexer") as caught:
        read((files("lark") / "grammars" / "python.lark").read_text(encoding="utf-8"), start=start)
    assert "_DEDENT" in str(caught.value) or "_INDENT" in str(caught.value)


def test_expressions_of_python_need_no_post_lexer() -> None:
    """The part of Python's grammar without indentation is taken, however large: what is generated parses with Lark."""
    source = (files("lark") / "grammars" / "python.lark").read_text(encoding="utf-8")
    constraint, takes = grammask.compile(read(source, start="eval_input"), llama3()), oracle(source, start="eval_input")
    for number in range(N_GENERATIONS):
        text = generated(constraint, Random(number))
        assert takes(text), text
    for text in ["f(x, *a, **k)[1:2, ...] + {'a': [y for y in z if not y is None], **d}\n", "lambda q: 0x1if q else(1, 2.5e3j)", '"a" r"b" < c == not_d']:
        assert takes(text)
        assert takes_tokens(constraint, tokens_of(text, Random(text)))
