"""What the tests of the vLLM integration share: the package itself, a stand-in for an engine's configuration, and the model that engines run.

`make test-vllm` runs these in an environment of their own; where vLLM is not installed they are skipped.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

# Each test skips itself where vLLM is not installed; nothing is to be set for the tests of others then.
if find_spec("vllm") is not None:
    os.environ.update(HF_HUB_OFFLINE="1", VLLM_CPU_KVCACHE_SPACE="1", OMP_NUM_THREADS="1", VLLM_CPU_OMP_THREADS_BIND="nobind", VLLM_NO_USAGE_STATS="1")
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "WARNING")

ROOT = Path(__file__).resolve().parents[3]
MODEL = Path(os.environ.get("GRAMMASK_SMOLLM2", ROOT / "build" / "models" / "smollm2"))


@pytest.fixture(scope="session")
def model_folder() -> str:
    """The embedded model as safetensors."""
    if not (MODEL / "model.safetensors").is_file():
        pytest.skip("no model to run: python scripts/make_safetensors.py build/models/smollm2")
    return str(MODEL)


@pytest.fixture(scope="session")
def byte_tokenizer() -> Any:
    """A tokenizer of transformers whose tokens are single bytes, 256 its end."""
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_file=str(ROOT / "tests" / "data" / "byte-tokenizer.json"), eos_token="</s>")  # noqa: S106  # a name


class ModelConfig:
    """As much of vLLM's as is asked for."""

    is_diffusion = False
    skip_tokenizer_init = False

    def __init__(self, size: int = 264, ends: object = 256) -> None:
        self.size, self.ends = size, ends

    def get_vocab_size(self) -> int:
        return self.size

    def try_get_generation_config(self) -> dict[str, object]:
        return {} if self.ends is None else {"eos_token_id": self.ends}


@pytest.fixture
def vllm_config(byte_tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An engine's configuration, with the tokenizer of bytes."""
    from grammask.integrations.vllm import host

    monkeypatch.setattr(host, "engine_tokenizer", lambda _: byte_tokenizer)
    config = SimpleNamespace(model_config=ModelConfig(), speculative_config=None, use_v2_model_runner=False, num_speculative_tokens=0)
    config.scheduler_config = SimpleNamespace(max_num_seqs=8)
    return config
