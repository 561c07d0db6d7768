"""Ways out for the model, and grammars that begin after free text: nothing doubled, nothing lost at the border."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammask
from grammask import GenerateOptions, Sampling
from grammask.vocabulary import Vocabulary

from .worlds import RandomModel, ScriptedModel, byte_vocabulary, law

RECORD = grammask.json_schema({"type": "object", "properties": {"n": {"type": "integer", "maximum": 99, "minimum": 0}}, "required": ["n"]})
VOCABULARY = byte_vocabulary("I can", "'t", "</th", "ink>", '{"n"', ">{", "k>{", '">', "<a>", "Sorry")
END = 256


def output(text: str, grammar: grammask.Grammar, **options):
    """The result of a model that wants to write this text and then end."""
    vocabulary = VOCABULARY
    model = ScriptedModel(vocabulary, [*text.encode(), END])
    return grammask.generate(model, [0], grammask.compile(grammar, vocabulary), GenerateOptions(sampling=Sampling(temperature=0), **options))


def test_a_refusal_has_a_finish_reason_of_its_own_and_no_value():
    """An answer is complete and has a value; a refusal has its text only."""
    grammar = grammask.or_refusal(RECORD)
    answer, refusal = output('{"n": 7}', grammar), output("I can't tell.", grammar)
    assert (answer.finish_reason, answer.value) == ("complete", {"n": 7})
    assert (refusal.finish_reason, refusal.value, refusal.text) == ("refusal", None, "I can't tell.")
    assert refusal.captures["refusal"].text == "I can't tell."


@pytest.mark.parametrize(
    ("refusal", "text"),
    [("NONE", "NONE"), (grammask.json_schema({"type": "object", "properties": {"refusal": {"type": "string"}}, "required": ["refusal"]}), '{"refusal": "no"}')],
)
def test_a_refusal_looks_as_it_is_asked_to(refusal, text):
    """A text, or any grammar."""
    grammar = grammask.or_refusal(RECORD, refusal)
    assert output(text, grammar).finish_reason == "refusal"
    assert output('{"n": 1}', grammar).finish_reason == "complete"


def test_what_can_be_read_as_an_answer_is_one():
    """An output of both is no refusal."""
    assert output("Sorry", grammask.or_refusal(grammask.choice(["Sorry", "yes"]))).finish_reason == "complete"
    assert output("Sorry, no", grammask.or_refusal(grammask.choice(["Sorry", "yes"]))).finish_reason == "refusal"


def test_a_refusal_may_stand_inside_a_larger_grammar():
    """After a reasoning part, and within tags, it is found just the same."""
    grammar = grammask.seq(grammask.free_text(until="</think>"), grammask.or_refusal(RECORD))
    assert output("hm</think>I can't.", grammar).finish_reason == "refusal"
    assert output('I can\'t</think>{"n": 3}', grammar).finish_reason == "complete"
    assert output("<a>no</a>", grammask.seq("<a>", grammask.or_refusal(RECORD, "no"), "</a>")).finish_reason == "refusal"


def test_a_capture_of_the_same_name_is_no_refusal():
    """Only what `or_refusal` made counts."""
    assert output("no", grammask.choice(["no", "yes"]).capture("refusal")).finish_reason == "complete"
    grammar = grammask.seq(grammask.choice(["no", "yes"]).capture("refusal"), grammask.or_refusal(grammask.choice(["a"]), "b"))
    assert output("noa", grammar).finish_reason == "complete"
    assert output("nob", grammar).finish_reason == "refusal"


def test_length_complete_and_refusal_never_collapse():
    """The reasons are kept apart also where the budget closes the output."""
    result = output("I can't say why this is so", grammask.or_refusal(RECORD), max_tokens=9)
    assert result.finish_reason == "refusal"
    assert result.value is None


@law
@given(st.integers(0, 2**32 - 1))
def test_a_grammar_after_a_reasoning_part_begins_right_behind_it(seed):
    """Whatever tokens span the border, the text is reasoning without the mark, the mark once, and JSON that parses."""
    grammar = grammask.seq(grammask.free_text(until="</think>").capture("reasoning"), RECORD.capture("answer"))
    model = RandomModel(VOCABULARY, seed, prefers={VOCABULARY.tokens.index(b"</th"): 4.0, VOCABULARY.tokens.index(b"k>{"): 3.0})
    result = grammask.generate(model, [0], grammask.compile(grammar, VOCABULARY), GenerateOptions(40, seed=seed))
    reasoning, mark, answer = result.text.partition("</think>")
    assert (result.finish_reason, mark) == ("complete", "</think>")
    assert "</think>" not in reasoning
    assert result.captures["reasoning"].text == reasoning + mark
    assert result.captures["answer"].text == answer
    assert result.captures["answer"].value == json.loads(answer)


@pytest.mark.parametrize("spelled", [False, True])
def test_a_mark_that_is_a_special_token_may_be_that_or_its_text(spelled):
    """`</think>` as one token without text and as eight letters both end the reasoning; the answer follows at once."""
    vocabulary = Vocabulary([*(bytes([byte]) for byte in range(256)), b"", b""], eos_ids=[256], specials={"</think>": 257})
    grammar = grammask.seq(grammask.free_text(until=["</think>", grammask.token("</think>")]), RECORD.capture("answer"))
    script = [*b"hm", *(b"</think>" if spelled else [257]), *b'{"n": 4}', 256]
    result = grammask.generate(ScriptedModel(vocabulary, script), [0], grammask.compile(grammar, vocabulary), GenerateOptions(sampling=Sampling(temperature=0)))
    assert result.token_ids == tuple(script[:-1])
    assert result.captures["answer"].value == {"n": 4}


def test_tags_around_a_grammar_are_there_once():
    """A token that spans tag and content belongs to both, and nothing is lost or doubled."""
    grammar = grammask.seq("<a>", RECORD.capture("inside"), "</a>")
    vocabulary = VOCABULARY
    model = RandomModel(vocabulary, 3, prefers={vocabulary.tokens.index(b">{"): 9.0})
    result = grammask.generate(model, [0], grammask.compile(grammar, vocabulary), GenerateOptions(40, seed=3))
    assert result.text == f"<a>{result.captures['inside'].text}</a>"
