"""llama.cpp's own reading of GBNF, through the symbols of its library; in a process of its own, for it may abort on what it cannot take.

Run as a script, it reads JSON from standard input, [grammar, root, texts] each, and writes for each a verdict a text, or null if it
does not read the grammar.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Question = tuple[str, str, list[str]]
SYMBOLS = {
    "init": ("_Z23llama_grammar_init_implPK11llama_vocabPKcS3_bPS3_mPKim", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p,
             ctypes.c_bool, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]),
    "accept": ("_Z20llama_grammar_acceptP13llama_grammarj", None, [ctypes.c_void_p, ctypes.c_uint32]),
    "stacks": ("_Z24llama_grammar_get_stacksP13llama_grammar", ctypes.c_void_p, [ctypes.c_void_p]),
    "free": ("_Z23llama_grammar_free_implP13llama_grammar", None, [ctypes.c_void_p]),
}  # fmt: skip


def ask_llama(questions: Sequence[Question]) -> list[list[bool] | None]:
    """For each grammar a verdict a text; None where llama.cpp does not read the grammar. Skips the test where its library is not there."""
    import pytest

    if _library() is None:
        pytest.skip("a llama.cpp with the symbols of its grammars is not installed (make demo installs xllamacpp)")
    done = subprocess.run([sys.executable, __file__], input=json.dumps(questions), capture_output=True, text=True, check=True)
    answers: list[list[bool] | None] = json.loads(done.stdout)
    return answers


def _library() -> Any:
    spec = find_spec("xllamacpp")
    for path in Path(spec.submodule_search_locations[0]).glob("*.so") if spec and spec.submodule_search_locations else ():
        library = ctypes.CDLL(str(path))
        if all(hasattr(library, symbol) for symbol, _, _ in SYMBOLS.values()):
            return library
    return None


class _Llama:
    """The functions of SYMBOLS, by their names there."""

    init: Any
    accept: Any
    stacks: Any
    free: Any

    def __init__(self) -> None:
        library = _library()
        for name, (symbol, result, arguments) in SYMBOLS.items():
            function = getattr(library, symbol)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def verdicts(self, grammar: str, root: str, texts: list[str]) -> list[bool] | None:
        found = []
        for text in texts:
            handle = self.init(None, grammar.encode(), root.encode(), False, None, 0, None, 0)
            if not handle:
                return None
            for character in text:
                self.accept(handle, ord(character))
            found.append(self.is_complete(handle))
            self.free(handle)
        return found

    def is_complete(self, handle: int) -> bool:
        """Whether one of the stacks is empty; a vector is three pointers, to its begin, end and the end of its memory."""
        begin, end, _ = (ctypes.c_void_p * 3).from_address(self.stacks(handle))
        for place in range(begin or 0, end or 0, 24):
            first, last, _ = (ctypes.c_void_p * 3).from_address(place)
            if (first or 0) == (last or 0):
                return True
        return False


if __name__ == "__main__":
    llama = _Llama()
    sys.stdout.write(json.dumps([llama.verdicts(*question) for question in json.load(sys.stdin)]))
