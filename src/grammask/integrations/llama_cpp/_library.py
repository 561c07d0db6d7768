"""The shared library of llama.cpp: where it is found, and the few functions of it that are used, with their types.

Rule: only this module loads a library and states prototypes, and no layout of a parameter struct is relied upon. The two
parameter structs change with every release, so they travel as opaque blocks that the library fills itself; only the first
four numbers of the context's parameters, which have kept their places, are written.  Above: _engine.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from ctypes import POINTER, c_bool, c_char_p, c_float, c_int, c_int8, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from grammask.errors import EngineError

__all__ = ["ENGINE", "LIBRARY_VARIABLE", "Batch", "ChatMessage", "Library", "Parameters", "open_library"]

ENGINE: Final = "llama.cpp"
LIBRARY_VARIABLE: Final = "GRAMMASK_LIBLLAMA"
INSTALL_HINT: Final = f"install it with `pip install xllamacpp==2026.10.11549`, or name the file of a libllama in the environment variable {LIBRARY_VARIABLE}"
LIBRARY_NAMES: Final = ("libllama.so", "libllama.dylib", "llama.dll", "libllama.dll")


class Parameters(ctypes.Structure):
    """An opaque parameter struct of llama.cpp, 4 KiB: larger than any release's, so that it can be passed and returned by value."""

    _fields_ = (("words", c_uint32 * 1024),)


class Batch(ctypes.Structure):
    """The struct llama_batch: tokens with their positions, and for which of them logits are wanted. Sequence fields left NULL mean sequence 0."""

    _fields_ = (
        ("n_tokens", c_int32),
        ("token", POINTER(c_int32)),
        ("embd", c_void_p),
        ("pos", POINTER(c_int32)),
        ("n_seq_id", c_void_p),
        ("seq_id", c_void_p),
        ("logits", POINTER(c_int8)),
    )


class ChatMessage(ctypes.Structure):
    """The struct llama_chat_message, both texts in UTF-8."""

    _fields_ = (("role", c_char_p), ("content", c_char_p))


_LogCallback = ctypes.CFUNCTYPE(None, c_int, c_char_p, c_void_p)
_LOG_WARNING, _LOG_CONTINUED = 3, 5

# name -> (result, arguments). The names and signatures are those of include/llama.h since June 2025 (llama_memory_*).
_PROTOTYPES: Final[dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "llama_backend_init": (None, ()),
    "llama_log_set": (None, (c_void_p, c_void_p)),
    "llama_model_default_params": (Parameters, ()),
    "llama_context_default_params": (Parameters, ()),
    "llama_model_load_from_file": (c_void_p, (c_char_p, Parameters)),
    "llama_model_free": (None, (c_void_p,)),
    "llama_model_get_vocab": (c_void_p, (c_void_p,)),
    "llama_model_n_ctx_train": (c_int32, (c_void_p,)),
    "llama_model_desc": (c_int32, (c_void_p, c_char_p, c_size_t)),
    "llama_model_n_params": (c_uint64, (c_void_p,)),
    "llama_model_has_encoder": (c_bool, (c_void_p,)),
    "llama_model_chat_template": (c_char_p, (c_void_p, c_char_p)),
    "llama_chat_apply_template": (c_int32, (c_char_p, POINTER(ChatMessage), c_size_t, c_bool, c_char_p, c_int32)),
    "llama_vocab_n_tokens": (c_int32, (c_void_p,)),
    "llama_vocab_is_eog": (c_bool, (c_void_p, c_int32)),
    "llama_vocab_get_attr": (c_int, (c_void_p, c_int32)),
    "llama_vocab_get_text": (c_char_p, (c_void_p, c_int32)),
    "llama_vocab_get_add_bos": (c_bool, (c_void_p,)),
    "llama_vocab_bos": (c_int32, (c_void_p,)),
    "llama_tokenize": (c_int32, (c_void_p, c_char_p, c_int32, POINTER(c_int32), c_int32, c_bool, c_bool)),
    "llama_token_to_piece": (c_int32, (c_void_p, c_int32, c_char_p, c_int32, c_int32, c_bool)),
    "llama_init_from_model": (c_void_p, (c_void_p, Parameters)),
    "llama_free": (None, (c_void_p,)),
    "llama_n_ctx": (c_uint32, (c_void_p,)),
    "llama_n_batch": (c_uint32, (c_void_p,)),
    "llama_set_n_threads": (None, (c_void_p, c_int32, c_int32)),
    "llama_get_memory": (c_void_p, (c_void_p,)),
    "llama_memory_clear": (None, (c_void_p, c_bool)),
    "llama_memory_seq_rm": (c_bool, (c_void_p, c_int32, c_int32, c_int32)),
    "llama_memory_seq_pos_min": (c_int32, (c_void_p, c_int32)),
    "llama_decode": (c_int32, (c_void_p, Batch)),
    "llama_get_logits_ith": (POINTER(c_float), (c_void_p, c_int32)),
}


class _Log:
    """What the engine says: its warnings and errors are kept for error messages; all of it goes to stderr if `echo` is set."""

    def __init__(self) -> None:
        self.echo = False
        self._level = 0
        self._complaints: deque[str] = deque(maxlen=8)
        self.callback = _LogCallback(self._take)

    def _take(self, level: int, text: bytes | None, _user_data: int | None) -> None:
        shown = (text or b"").decode("utf-8", "replace")
        if level != _LOG_CONTINUED:
            self._level = level
        if self._level >= _LOG_WARNING and shown.strip(" .\n"):
            self._complaints.append(shown.strip())
        if self.echo:
            sys.stderr.write(shown)

    def take_complaints(self) -> str:
        """The latest warnings and errors as one line, oldest first; they are forgotten."""
        said = "; ".join(self._complaints)
        self._complaints.clear()
        return said


class Library:
    """A loaded libllama. `call` holds the functions under their own names, with prototypes set.

    Raises EngineError if the file is no shared library or lacks one of the functions.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.call: Any = ctypes.CDLL(os.fspath(path))
        except OSError as error:
            raise EngineError(ENGINE, f"{path} cannot be loaded: {error}", INSTALL_HINT) from error
        self._state_prototypes()
        self.log = _Log()
        self.call.llama_log_set(self.log.callback, None)
        self.call.llama_backend_init()
        self._register_backends()

    def _state_prototypes(self) -> None:
        missing = [name for name in _PROTOTYPES if not hasattr(self.call, name)]
        if missing:
            shown = ", ".join(missing[:4]) + (", ..." if len(missing) > 4 else "")
            raise EngineError(
                ENGINE, f"{self.path} lacks {len(missing)} of the functions needed ({shown})", f"it is no libllama, or one older than June 2025; {INSTALL_HINT}"
            )
        for name, (result, arguments) in _PROTOTYPES.items():
            function = getattr(self.call, name)
            function.restype, function.argtypes = result, arguments

    def _register_backends(self) -> None:
        """Builds whose compute backends are separate files (as distributions ship them) have none until they are asked to look."""
        if hasattr(self.call, "ggml_backend_dev_count") and hasattr(self.call, "ggml_backend_load_all"):
            self.call.ggml_backend_dev_count.restype = c_size_t
            if self.call.ggml_backend_dev_count() == 0:
                self.call.ggml_backend_load_all()

    def __repr__(self) -> str:
        return f"<Library {self.path}>"


_opened: dict[Path, Library] = {}
_opening = threading.Lock()


def open_library(path: str | os.PathLike[str] | None = None) -> Library:
    """The libllama at `path`; without one, that of GRAMMASK_LIBLLAMA; without that, of llama-cpp-python, then of xllamacpp.

    A library is loaded once per process. A file that was named must load; of the packages, the first that works is taken.
    Raises EngineError, which says what was tried.
    """
    named = path or os.environ.get(LIBRARY_VARIABLE)
    if named:
        return _open(_existing(Path(named), f"the path given ({named})" if path else f"{LIBRARY_VARIABLE}={named}"))
    refused = []
    for candidate in _in_packages():
        try:
            return _open(candidate)
        except EngineError as error:
            refused.append(error.reason)
    raise EngineError(ENGINE, "; ".join(refused) or "no libllama is installed", INSTALL_HINT)


def _existing(path: Path, said: str) -> Path:
    if not path.is_file():
        raise EngineError(ENGINE, f"{said} is not a file", INSTALL_HINT)
    return path


def _open(path: Path) -> Library:
    path = path.resolve()
    with _opening:
        if path not in _opened:
            _opened[path] = Library(path)
        return _opened[path]


def _in_packages() -> Iterator[Path]:
    """Files of installed packages that export the C functions of llama.cpp. The packages are not imported: that would start their own set-up."""
    for folder in _package_folders("llama_cpp"):
        for name in LIBRARY_NAMES:
            if (folder / "lib" / name).is_file():
                yield folder / "lib" / name
    for folder in _package_folders("xllamacpp"):
        yield from sorted(file for file in folder.glob("xllamacpp*") if file.suffix in {".so", ".pyd"})


def _package_folders(package: str) -> list[Path]:
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):  # a half-installed package, or a module of that name without a spec
        return []
    return [Path(folder) for folder in (spec.submodule_search_locations or ())] if spec else []


@atexit.register
def _unhook_logs() -> None:
    """A library may still speak while the process ends, when Python can no longer be called."""
    for library in _opened.values():
        library.call.llama_log_set(None, None)
