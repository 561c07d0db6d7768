"""Finding and binding a libllama."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grammask.errors import EngineError
from grammask.integrations.llama_cpp import _library, load_model
from grammask.integrations.llama_cpp._library import LIBRARY_VARIABLE, open_library


def test_missing_path_is_an_engine_error_that_names_it(tmp_path: Path) -> None:
    """A path that was given must exist; no other library is taken instead."""
    with pytest.raises(EngineError, match="libnothing") as caught:
        open_library(tmp_path / "libnothing.so")
    assert "pip install xllamacpp" in caught.value.hint


def test_environment_variable_names_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GRAMMASK_LIBLLAMA is taken at its word, and the error says that it is to blame."""
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "gone.so"))
    with pytest.raises(EngineError, match=f"{LIBRARY_VARIABLE}=.*gone"):
        open_library()


def test_file_that_is_no_library_is_an_engine_error(tmp_path: Path) -> None:
    """A text file by the right name cannot be loaded, and the error says so."""
    path = tmp_path / "libllama.so"
    path.write_text("not a library")
    with pytest.raises(EngineError, match="cannot be loaded"):
        open_library(path)


def test_other_library_is_an_engine_error_that_names_what_it_lacks() -> None:
    """Any shared library but a libllama is refused before a function of it is called."""
    other = next(Path(np.__file__).parent.glob("**/_multiarray_umath*.so"))
    with pytest.raises(EngineError, match="llama_backend_init") as caught:
        open_library(other)
    assert str(other) in caught.value.reason


def test_no_library_is_an_engine_error_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any libllama the error tells what to install."""
    monkeypatch.setattr(_library, "_package_folders", lambda _: [])
    monkeypatch.delenv(LIBRARY_VARIABLE, raising=False)
    with pytest.raises(EngineError, match="pip install xllamacpp") as caught:
        open_library()
    assert caught.value.engine == "llama.cpp"


def test_llama_cpp_python_is_tried_before_xllamacpp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The best-known package comes first; its library lies in a folder of its own."""
    for name in ("llama_cpp/lib/libllama.so", "xllamacpp/xllamacpp.abi3.so"):
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        file.touch()
    monkeypatch.setattr(_library, "_package_folders", lambda package: [tmp_path / package])
    assert [path.name for path in _library._in_packages()] == ["libllama.so", "xllamacpp.abi3.so"]


def test_packages_that_fail_are_all_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no package's library works, the error tells what was wrong with each."""
    files = [tmp_path / "first.so", tmp_path / "second.so"]
    for file in files:
        file.write_bytes(b"no library")
    monkeypatch.setattr(_library, "_in_packages", lambda: iter(files))
    monkeypatch.delenv(LIBRARY_VARIABLE, raising=False)
    with pytest.raises(EngineError, match=r"first.*second"):
        open_library()


def test_loading_writes_nothing_unless_asked(embedded_file: Path, model: object, capfd: pytest.CaptureFixture[str]) -> None:
    """A host's own output stays clean: the engine's log goes nowhere by default, and to stderr with `verbose`."""
    load_model(embedded_file, n_ctx=64, n_threads=1).close()
    assert tuple(capfd.readouterr()) == ("", "")
    load_model(embedded_file, n_ctx=64, n_threads=1, verbose=True).close()
    out, err = capfd.readouterr()
    assert not out
    assert "llama" in err
    open_library().log.echo = False
