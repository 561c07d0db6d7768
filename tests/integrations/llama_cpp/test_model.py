"""Outputs of the embedded model. Nothing here depends on what it says, only on what is promised of any text."""

from __future__ import annotations

import gc
import json
import threading
import weakref
from collections.abc import Iterator

import pytest

import grammask
from grammask.errors import BudgetError, EngineError, GrammarTypeError, LimitError, PromptError, SamplingError
from grammask.integrations.llama_cpp import Model, load_model
from grammask.integrations.llama_cpp._engine import Context

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 12}, "days": {"type": "integer", "minimum": 1, "maximum": 14}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
QUESTION = "We want to see Rome for a week."


@pytest.fixture(scope="module")
def narrow(model: Model) -> Iterator[Model]:
    """The same model with a small context."""
    with load_model(model.path, n_ctx=64, n_threads=1) as loaded:
        yield loaded


def test_output_obeys_the_schema_and_has_its_value(model: Model) -> None:
    """The text is JSON with the declared fields in order; stats count what was done."""
    result = model.generate(QUESTION, SCHEMA, max_tokens=48)
    assert result.finish_reason == "complete"
    assert list(json.loads(result.text)) == ["city", "days"]
    assert result.value == json.loads(result.text)
    assert model.vocabulary.decode(result.token_ids) == result.text.encode()
    assert result.stats.prompt_tokens > 10
    assert 0 < result.stats.mask_share < 1
    assert result.stats.tokens == len(result.token_ids)
    assert result.stats.first_token_seconds is not None


@pytest.mark.parametrize("temperature", [0.0, 2.0])
def test_choice_is_one_of_the_texts(model: Model, temperature: float) -> None:
    """Whatever the temperature, only the grammar's texts come out."""
    result = model.generate("Is the sky blue?", grammask.choice(["yes", "no"]), temperature=temperature, seed=5)
    assert result.value in {"yes", "no"}


def test_seed_makes_an_output_repeatable(model: Model) -> None:
    """Same seed, same output; the state of the sessions before does not matter."""
    outputs = {model.generate("Tell a story.", max_tokens=6, temperature=1.0, seed=11).token_ids for _ in range(2)}
    assert len(outputs) == 1


def test_stream_gives_the_text_in_pieces(model: Model) -> None:
    """The pieces make the result's text, and callbacks get the same pieces."""
    with model.stream(QUESTION, SCHEMA, max_tokens=48) as stream:
        pieces = list(stream)
    heard: list[str] = []
    result = model.generate(QUESTION, SCHEMA, max_tokens=48, on_text=heard.append)
    assert "".join(pieces) == stream.result.text == result.text
    assert pieces == heard


def test_outputs_side_by_side_are_those_of_each_alone(model: Model) -> None:
    """Streams of one thread that take turns do not disturb one another, nor do threads."""
    alone = [model.generate(question, max_tokens=8).token_ids for question in ("Name a fruit.", "Name a river.")]
    with model.stream("Name a fruit.", max_tokens=8) as first, model.stream("Name a river.", max_tokens=8) as second:
        while next(first, "") or next(second, ""):
            pass
        assert [first.result.token_ids, second.result.token_ids] == alone
    together: dict[int, tuple[int, ...]] = {}
    threads = [
        threading.Thread(target=lambda index=index, question=question: together.__setitem__(index, model.generate(question, max_tokens=8).token_ids))
        for index, question in enumerate(("Name a fruit.", "Name a river."))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[0], together[1]] == alone


def test_stream_broken_off_frees_its_session(model: Model) -> None:
    """A closed stream cannot go on, keeps what it has, and its session serves the next output."""
    stream = model.stream("Tell a story.", max_tokens=20)
    first = next(stream)
    session = stream._session
    stream.close()
    stream.close()
    assert stream.text == first
    with pytest.raises(PromptError, match="closed"):
        next(stream)
    assert session in model._idle
    assert len(model._idle) <= 2


def test_description_is_in_the_prompt_unless_refused(model: Model) -> None:
    """The grammar is told to the model by default; the prompt without it is the user's alone."""
    with model.stream(QUESTION, SCHEMA) as told, model.stream(QUESTION, SCHEMA, describe=False) as untold:
        assert b"days" in model.vocabulary.decode(told._prompt)
        assert b"days" not in model.vocabulary.decode(untold._prompt)
        assert untold._prompt == model.prompt_token_ids(QUESTION)


def test_system_message_comes_first(model: Model) -> None:
    """An instruction is put before the messages, and a description joins it."""
    with model.stream([{"role": "user", "content": QUESTION}], SCHEMA, system="Be brief.") as stream:
        prompt = model.vocabulary.decode(stream._prompt)
    assert prompt.index(b"Be brief.") < prompt.index(b"days") < prompt.index(QUESTION.encode())


def test_prompt_longer_than_the_context_is_refused_with_both_numbers(narrow: Model) -> None:
    """The error tells how long the prompt is and what fits."""
    with pytest.raises(LimitError) as caught:
        narrow.generate("word " * 100)
    assert caught.value.value is not None
    assert caught.value.value > caught.value.bound == narrow.n_ctx - 1


def test_output_is_kept_within_the_context(narrow: Model) -> None:
    """Where the context has less room than max_tokens, a constrained output is closed in time."""
    prompt = "word " * 35
    assert narrow.n_ctx - 20 < len(narrow.prompt_token_ids(prompt)) < narrow.n_ctx - 8
    result = narrow.generate(prompt, grammask.regex('"[a-z ]{0,400}"'), describe=False)
    assert result.finish_reason == "complete"
    assert result.stats.prompt_tokens + result.stats.tokens <= narrow.n_ctx


def test_output_that_cannot_fit_the_context_is_refused(narrow: Model) -> None:
    """If not even the shortest output fits behind the prompt, the context is named, not max_tokens."""
    with pytest.raises(LimitError, match="shortest output") as caught:
        narrow.generate("word " * 35, grammask.regex("(abcd0123){40}"), describe=False)
    assert caught.value.bound == narrow.n_ctx


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"max_tokens": 0}, BudgetError),
        ({"max_tokens": 2}, BudgetError),
        ({"temperature": -1.0}, SamplingError),
        ({"top_p": 0.0}, SamplingError),
        ({"seed": -1}, SamplingError),
        ({"stop": ["x"]}, SamplingError),
    ],
    ids=str,
)
def test_bad_settings_are_refused(model: Model, settings: dict[str, object], error: type[Exception]) -> None:
    """Each setting out of range is a typed error, and the model works on."""
    with pytest.raises(error):
        model.generate(QUESTION, SCHEMA, **settings)  # type: ignore[arg-type]


def test_what_is_no_grammar_is_refused(model: Model) -> None:
    """A text could be a schema, a regex or a choice."""
    with pytest.raises(GrammarTypeError):
        model.generate(QUESTION, "yes|no")


@pytest.mark.parametrize("settings", [{"n_ctx": 0}, {"n_ctx": 1 << 20}, {"n_threads": 0}], ids=str)
def test_sizes_out_of_range_are_refused_at_load(model: Model, settings: dict[str, int]) -> None:
    """A context larger than the model was trained for is refused with the largest that works."""
    with pytest.raises(LimitError):
        load_model(model.path, **settings)  # type: ignore[arg-type]


def test_closed_model_raises(model: Model) -> None:
    """After `close` every use is an error, not a crash; outputs under way end with one too."""
    with load_model(model.path, n_ctx=64, n_threads=1) as other:
        stream = other.stream("Name a fruit.", max_tokens=8)
        next(stream)
        encode = other.vocabulary.encode
    assert encode is not None
    for call in (lambda: next(stream), lambda: encode("text"), other.session, lambda: other.generate("Name a fruit."), other.check):
        with pytest.raises(EngineError, match="closed"):
            call()
    other.close()


def test_dropped_model_is_freed(model: Model) -> None:
    """Weights and sessions go with the last reference, without `close`, also where they are part of a cycle."""
    other = load_model(model.path, n_ctx=64, n_threads=1)
    other.generate("Name a fruit.", grammask.choice(["fig"]), max_tokens=4)
    weights, sessions = weakref.ref(other._weights), [weakref.ref(session) for session in other._idle]
    cycle = [other, other._idle[0]]
    cycle.append(cycle)
    del other, cycle
    gc.collect()
    assert weights() is None
    assert sessions
    assert all(session() is None for session in sessions)


def test_wide_batches_compute_what_narrow_ones_do(model: Model) -> None:
    """The thorough self-test, which finds engines that fail on wide batches, passes."""
    model.check(48)


def test_engine_that_computes_nonsense_is_found(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logits that ignore the input, or are no numbers, fail the self-test."""
    decode = Context.decode
    for factor, complaint in ((0.0, "depend on the input"), (float("nan"), "finite")):
        monkeypatch.setattr(Context, "decode", lambda *arguments, factor=factor: decode(*arguments) * factor)
        with pytest.raises(EngineError, match=complaint):
            model.check()


def test_library_with_another_vocabulary_is_found(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """A size that differs from the file's is an error at load."""
    monkeypatch.setattr("grammask.integrations.llama_cpp._model.stated_tokens", lambda _: 49_000)
    with pytest.raises(EngineError, match="49152"):
        load_model(model.path, n_ctx=64, n_threads=1)
