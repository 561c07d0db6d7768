"""The back end for structured outputs without an engine: kinds of requests, drafts, batches, end tokens, and how it comes into place."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("vllm", reason="vLLM is not installed here; `make test-vllm` brings it")

from vllm.exceptions import VLLMValidationError  # noqa: E402
from vllm.sampling_params import StructuredOutputsParams  # noqa: E402
from vllm.v1.structured_output.backend_types import StructuredOutputBackend, StructuredOutputGrammar, StructuredOutputOptions  # noqa: E402

from grammask.errors import EngineError, GrammarError  # noqa: E402
from grammask.integrations.vllm import activate, admission, host, settings  # noqa: E402
from grammask.integrations.vllm.backend import GrammaskBackend, fill_step  # noqa: E402
from grammask.integrations.vllm.vocabularies import vocabulary_of  # noqa: E402

from .conftest import ModelConfig  # noqa: E402  # isort: skip

pytestmark = pytest.mark.vllm


@pytest.fixture
def backend(vllm_config: Any, byte_tokenizer: Any) -> GrammaskBackend:
    return GrammaskBackend(vllm_config, tokenizer=byte_tokenizer, vocab_size=264)


def text(row: Any) -> str:
    """The tokens of a row, as text; the end as $."""
    ids = np.flatnonzero(np.unpackbits(row.numpy().view(np.uint8), bitorder="little"))
    return "".join(map(chr, ids)).replace("\u0100", "$")


def masks(backend: GrammaskBackend, grammar: Any) -> str:
    rows = backend.allocate_token_bitmask(3)
    grammar.fill_bitmask(rows, 1)
    assert (rows[0] == -1).all()
    return text(rows[1])


@pytest.mark.parametrize(
    ("kind", "spec", "first"),
    [
        ("JSON", '{"enum": [12, 15]}', "1"),
        ("REGEX", "a|b", "ab"),
        ("GRAMMAR", 'root ::= "x" | "y"', "xy"),
        ("GRAMMAR", 'start: "x" | "y"', "xy"),
        ("CHOICE", '["no", "yes"]', "ny"),
        ("STRUCTURAL_TAG", '{"type": "structural_tag", "format": {"type": "const_string", "value": "q"}}', "q"),
    ],
)
def test_every_kind_of_request_is_answered(backend: GrammaskBackend, kind: str, spec: str, first: str) -> None:
    """JSON, patterns, grammars in two notations, choices and structural tags, and no abstract method is left."""
    if "start:" in spec:
        pytest.importorskip("lark")
    grammar = backend.compile_grammar(StructuredOutputOptions[kind], spec, {256})
    assert isinstance(backend, StructuredOutputBackend)
    assert isinstance(grammar, StructuredOutputGrammar)
    assert masks(backend, grammar) == first


def test_the_calls_of_speculative_decoding(backend: GrammaskBackend) -> None:
    """validate, then mask and accept a draft token by token, roll back, accept the final ones with the end token."""
    grammar = backend.compile_grammar(StructuredOutputOptions.REGEX, "abc", {256})
    draft = [ord("a"), ord("b"), ord("x")]
    assert grammar.validate_tokens(draft) == draft[:2]
    seen = []
    for token_id in draft[:2]:
        seen.append(masks(backend, grammar))
        assert grammar.accept_tokens("r", [token_id])
    seen.append(masks(backend, grammar))
    grammar.rollback(2)
    assert seen == ["a", "b", "c"]
    assert grammar.accept_tokens("r", [ord("a"), ord("b"), ord("c"), 256, 7])
    assert grammar.is_terminated()
    assert grammar.validate_tokens([ord("a")]) == []
    grammar.rollback(1)
    assert not grammar.is_terminated()
    assert masks(backend, grammar) == "$"
    grammar.reset()
    assert masks(backend, grammar) == "a"


def test_a_refused_token_fails_the_request(backend: GrammaskBackend) -> None:
    """vLLM ends a request whose grammar says no; nothing is raised into its loop, and the row has something to sample."""
    grammar = backend.compile_grammar(StructuredOutputOptions.REGEX, "abc", {256})
    assert not grammar.accept_tokens("r", [ord("x")])
    assert not grammar.accept_tokens("r", [ord("a")])
    assert masks(backend, grammar) == "$"


def test_the_masks_of_a_step_equal_those_row_by_row(backend: GrammaskBackend) -> None:
    """One call fills the rows of all requests; ended ones and ones that still reason are left free."""
    grammars = [backend.compile_grammar(StructuredOutputOptions.REGEX, pattern, {256}) for pattern in ("ab", "cd", "e", "fg")]
    grammars[1].accept_tokens("1", [ord("c")])
    grammars[2].accept_tokens("2", [ord("e"), 256])
    requests = {str(at): SimpleNamespace(structured_output_request=SimpleNamespace(grammar=grammar), at=at) for at, grammar in enumerate(grammars)}
    manager = SimpleNamespace(_get_constraint_bounds=lambda request, _: SimpleNamespace(constraint_start=1 if request.at == 3 else 0))
    rows = backend.allocate_token_bitmask(4)
    fill_step(manager, requests, ["1", "0", "2", "3"], rows.numpy())
    assert [text(row) for row in rows[:2]] == ["d", "a"]
    assert (rows[2:] == -1).all()
    fill_step(manager, requests, ["0", "1"], rows[:2].numpy())
    assert [text(row) for row in rows[:2]] == ["a", "d"]


def test_vocabularies_have_vllms_size_and_ends(byte_tokenizer: Any) -> None:
    """As many ids as the model has scores, more or fewer than the tokenizer; and the end tokens at which vLLM stops."""
    wide = vocabulary_of(ModelConfig(300, [256, 5]), byte_tokenizer)  # type: ignore[arg-type]
    assert (len(wide), set(wide.eos_ids)) == (300, {256, 5})
    assert len(vocabulary_of(ModelConfig(200, None), byte_tokenizer)) == 200  # type: ignore[arg-type]


def test_mistrals_own_tokenizers_are_read_from_their_file() -> None:
    """vLLM runs them by mistral_common, without transformers."""
    tekken = pytest.importorskip("mistral_common.tokens.tokenizers.tekken")
    path = Path(__import__("mistral_common").__file__).parent / "data" / "tekken_240911.json"
    tokenizer = SimpleNamespace(IS_MISTRAL_TOKENIZER=True, tokenizer=tekken.Tekkenizer.from_file(path), eos_token_id=2)
    vocabulary = vocabulary_of(ModelConfig(131_072, 2), tokenizer)  # type: ignore[arg-type]
    assert (len(vocabulary), vocabulary.eos_ids) == (131_072, (2,))
    assert vocabulary.tokens[tokenizer.tokenizer.encode("a", bos=False, eos=False)[0]] == b"a"


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"json": {"type": "strin"}}, "/type"),
        ({"json": "{"}, "JSON"),
        ({"regex": "(a"}, "not closed"),
        ({"choice": []}, "nothing can match"),
        ({"grammar": "root ::= root"}, "no way out"),
        ({"structural_tag": '{"format": {"type": "nonsense"}}'}, "nonsense"),
        ({"json_object": False}, "json_object"),
        ({"json": {"type": "integer"}, "whitespace_pattern": " "}, "whitespace_pattern"),
        ({"json": json.loads('{"not":' * 200 + "{}" + "}" * 200)}, "cannot be enforced"),
    ],
)
def test_bad_requests_are_refused_with_the_reason(wish: dict[str, Any], said: str, byte_tokenizer: Any) -> None:
    """A bad schema is one client's error, with its place in it."""
    with pytest.raises(VLLMValidationError, match=said):
        admission.check_structured(StructuredOutputsParams(**wish), ModelConfig(), byte_tokenizer)  # type: ignore[arg-type]


def test_options_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, backend: GrammaskBackend) -> None:
    """They hold for all requests; what there is no option of is named."""
    monkeypatch.delenv(settings.SWITCH, raising=False)
    monkeypatch.delenv(settings.OPTIONS, raising=False)
    assert not settings.is_active()
    activate(json_options={"whitespace": "compact"})
    assert settings.is_active()
    grammar = backend.compile_grammar(StructuredOutputOptions.JSON, '{"type": "array", "items": {"const": 1}}', {256})
    assert grammar.accept_tokens("r", [ord("[")])
    assert masks(backend, grammar) == "1]"
    with pytest.raises(GrammarError, match="whitespaces"):
        activate(json_options={"whitespaces": "compact"})
    monkeypatch.setenv(settings.SWITCH, "perhaps")
    with pytest.raises(GrammarError, match="perhaps"):
        settings.is_active()


def test_a_function_that_changed_is_not_replaced() -> None:
    """A version of vLLM whose insides differ is an error that says so, never a wrong replacement."""
    with pytest.raises(EngineError, match="is not there"):
        host.replace("vllm.sampling_params", "SamplingParams.no_such_method", (), lambda original: original)
    with pytest.raises(EngineError, match="instead of"):
        host.replace("vllm.sampling_params", "SamplingParams.clone", ("self", "deep"), lambda original: original)
