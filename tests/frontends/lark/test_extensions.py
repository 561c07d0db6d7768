"""What llguidance and OpenAI's custom tools add to Lark's language: special tokens, schemas, lazy rules; and reported cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import grammask
from grammask.errors import UnsupportedFeatureError
from grammask.frontends.lark.rewriting import Rewriting
from grammask.frontends.lark.scan import definitions, tokens_of

from .support import DATA, Kernel, oracle, read

FIELD_CASES = Path(__file__).parents[4] / "shared/data/field-cases.jsonl"
LINES = FIELD_CASES.read_text("utf-8").splitlines() if FIELD_CASES.exists() else []
SPECIALS = {"<|python_tag|>": 257, "<|eom|>": 258, "<think>": 259}
VOCABULARY = grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""] * 5, eos_ids=[256], specials=SPECIALS)


def takes(grammar: grammask.Grammar, ids: list[int]) -> bool:
    matcher = grammask.compile(grammar, VOCABULARY).matcher()
    if matcher.draft(ids) < len(ids):
        return False
    for token_id in ids:
        matcher.advance(token_id)
    return bool(matcher.is_complete)


@pytest.mark.parametrize("case", [case for case in map(json.loads, LINES) if case["kind"] == "lark"], ids=lambda case: case["id"])
def test_reported_mistakes_are_not_made_here(case: dict[str, Any], kernel: Kernel) -> None:
    """Each case accepts and rejects what its report calls right, and Lark agrees."""
    accepts = kernel.verdict(read(case["constraint"]))
    for verdict in (accepts, oracle(case["constraint"])):
        assert [text for text in case["accept"] if not verdict(text)] == []
        assert [text for text in case["reject"] if verdict(text)] == []


def test_the_shared_cases_are_there_or_skipped() -> None:
    """A checkout without the shared data skips its cases, with the reason."""
    if not FIELD_CASES.exists():
        pytest.skip("shared/data/field-cases.jsonl is not beside this checkout")
    assert any(json.loads(line)["kind"] == "lark" for line in LINES)


def test_special_tokens_stand_between_texts() -> None:
    """By name or by id; the text of the name is not the token."""
    grammar = read('start: <|python_tag|> BODY <[258]>\nBODY: /[a-z]+/\n%ignore " "\n')
    assert takes(grammar, [257, *b"call", 258])
    assert takes(grammar, [257, *b" call ", 258])
    assert not takes(grammar, [*b"<|python_tag|>call", 258])
    assert not takes(grammar, [257, *b"call"])


def test_a_special_token_ends_what_could_go_on() -> None:
    """A lexeme before it ends there, and what must follow a lexeme cannot be it."""
    grammar = read("start: A <think> A\nA: /[a-z]+/\n")
    assert takes(grammar, [*b"ab", 259, *b"c"])
    required = read('start: (A "x" | A <think>) "y"\nA: /[a-z](?=x)/\n')
    assert takes(required, list(b"axy"))
    assert not takes(required, [*b"a", 259, *b"y"])


def test_sets_of_token_ids() -> None:
    """Lists and ranges of ids."""
    grammar = read('start: <[257-258,259]> "a"\n')
    assert [takes(grammar, [token_id, 97]) for token_id in (257, 258, 259, 260)] == [True, True, True, False]


def test_a_token_that_the_vocabulary_does_not_have_is_an_error() -> None:
    """Said when the grammar meets the vocabulary, by name."""
    with pytest.raises(UnsupportedFeatureError, match="<nowhere>"):
        grammask.compile(read("start: <nowhere>\n"), VOCABULARY)


def test_reasoning_then_json() -> None:
    """Free text up to a special token, then an object of a schema."""
    schema = '{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}'
    grammar = read(f"start: TEXT? <think> answer\nTEXT: /(.|\\n)+/\nanswer: %json {schema}\n")
    assert takes(grammar, [*b"so\nwhat", 259, *b'{"a": true}'])
    assert takes(grammar, [259, *b'{"a":false}'])
    assert not takes(grammar, [259, *b'{"a":1}'])


def test_a_plain_text_is_left_alone() -> None:
    """Grammars that are Lark's own reach Lark as they were written."""
    from grammask.frontends.lark.extensions import read_extensions

    for path in (DATA / "lark").glob("*.lark"):
        source = path.read_text("utf-8")
        assert read_extensions(source).rewriting.text == source


def test_places_survive_rewriting() -> None:
    """Every place of the new text is known in the old one, in what was copied and in what was replaced."""
    rewriting = Rewriting("one two three")
    rewriting.replace(4, 7, "TWICE TWO")
    rewriting.append("four", (8, 13))
    assert rewriting.finish() == "one TWICE TWO three\nfour"
    assert [rewriting.original(offset) for offset in (0, 6, 15, 21)] == [(0, 1), (4, 7), (9, 10), (8, 13)]
    assert rewriting.offset(2, 3) == 22


def test_definitions_are_found_without_reading_them() -> None:
    """Heads and bodies, whatever stands in them; a line that begins with | goes on with the one before."""
    source = '// a: b\n?a{x}.2: x\n  | "b:" /c:/\nB.1: "x"\n%ignore B\nc[lazy, stop="]:"]: B\n'
    found = [(definition.name.text, [token.text for token in definition.body if token.kind != "newline"]) for definition in definitions(tokens_of(source))]
    assert found == [("a", ["x", "|", '"b:"', "/c:/"]), ("B", ['"x"']), ("c", ["B"])]


@pytest.mark.parametrize(
    ("source", "good", "bad"),
    [
        (
            'start: term (ADD term)* -> add\n    | term\nterm: INT (MUL INT)* -> mul\n    | INT\nADD: "+"\nMUL: "*"\n%import common.INT\n',
            ["1", "1+2*3"],
            ["1+"],
        ),
        ('start: [A] [A] "x"\nA: "a"\n', ["x", "ax", "aax"], ["aaax"]),
    ],
    ids=["aliases", "options"],
)
def test_alternatives_that_differ_in_their_trees_only_are_one(source: str, good: list[str], bad: list[str], kernel: Kernel) -> None:
    """Lark calls them rules that are defined twice; OpenAI documents such a grammar, and llguidance takes it."""
    verdict = kernel.verdict(read(source))
    assert [verdict(text) for text in good + bad] == [True] * len(good) + [False] * len(bad)
