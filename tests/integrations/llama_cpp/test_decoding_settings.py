"""What the decoding room offers beyond masks, on the embedded model."""

from __future__ import annotations

import json

import pytest

import grammask
from grammask import Adjustments, FaithfulOptions, GenerateOptions
from grammask.integrations.llama_cpp import Model

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 12}, "country": {"type": "string", "maxLength": 12}},
    "required": ["city", "country"],
    "additionalProperties": False,
}
GRAMMAR = grammask.json_schema(SCHEMA, grammask.JsonSchemaOptions(whitespace="compact"))


def test_appended_text_is_tokenized_as_the_models_tokenizer_does(model: Model) -> None:
    """Key names are put there without asking, and the whole output is token for token the tokenizer's where the model writes as it does."""
    result = model.generate("Describe Paris.", GRAMMAR, forced_text="append", logprobs=True)
    assert result.value == json.loads(result.text)
    assert result.stats.forced_tokens >= 3
    assert sum(noted is None for noted in result.logprobs) >= result.stats.forced_tokens


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_drafts_leave_the_output_as_it_is(model: Model, temperature: float) -> None:
    """Checked in one pass, forced text gives the same output as sampling token by token."""
    settings = {"temperature": temperature, "seed": 3, "max_tokens": 40}
    plain = model.generate("Describe Paris.", GRAMMAR, **settings)
    drafted = model.generate("Describe Paris.", GRAMMAR, forced_text="draft", **settings)
    assert drafted.stats.drafted_tokens >= drafted.stats.agreed_tokens
    assert drafted.value == json.loads(drafted.text)
    assert drafted.token_ids[:1] == plain.token_ids[:1]  # scores of a batch may differ in the last bits, and draws with them


def test_biases_reach_the_draw(model: Model) -> None:
    """A token that is ruled out does not come, and its alternative does."""
    constraint = grammask.compile(grammask.choice(["yes", "no"]), model.vocabulary)
    banned = [token_id for token_id, token in enumerate(model.vocabulary.tokens) if token and b"yes".startswith(token)]
    result = model.generate("Is the sky blue?", constraint, adjustments=Adjustments(logit_bias=dict.fromkeys(banned, -float("inf"))))
    assert result.text == "no"


@pytest.mark.parametrize("method", ["smc", "awrs", "asap"])
def test_faithful_outputs_of_a_real_model_obey(model: Model, method: str) -> None:
    """Every output with weight is one of the choices; the evidence is a probability."""
    constraint = grammask.compile(grammask.choice(["yes", "no", "Yes", "No"]), model.vocabulary)
    prompt = model.prompt_token_ids("Is the sky blue? Answer yes or no.")
    with model.session() as session:
        result = grammask.sample_faithfully(session, prompt, constraint, FaithfulOptions(method, particles=4, max_tokens=4, seed=1))
    assert {output.text for output in result.outputs if output.value is not None} <= {"yes", "no", "Yes", "No"}
    assert result.log_evidence < 0
    assert result.forward_passes >= 2


def test_a_healed_prompt_goes_on_on_a_session(model: Model) -> None:
    """The prompt's own bytes come back first, and the text goes on behind it."""
    prompt = model.vocabulary.encode('The link is <a href="http:')
    with model.session() as session:
        result = grammask.generate(session, prompt, None, GenerateOptions(4, seed=0, heal=True))
        assert session.token_ids == (*prompt[:-1], *result.token_ids)
    assert model.vocabulary.decode(result.token_ids).startswith(b":")
