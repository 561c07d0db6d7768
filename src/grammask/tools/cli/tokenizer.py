"""The options that name a tokenizer, and its vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grammask.errors import ModelError, VocabularyError
from grammask.tools.cli.outcome import Refusal

if TYPE_CHECKING:
    from grammask.vocabulary import Vocabulary

__all__ = ["TOKENIZER", "EndOption", "read_vocabulary"]

TOKENIZER = typer.Option("--tokenizer", metavar="FILE", help="tokenizer.json, tekken.json, sentencepiece model, tiktoken file or GGUF.")
EndOption = Annotated[list[int] | None, typer.Option("--eos", metavar="ID", help="An id that ends the output, if the file names none; repeatable.")]


def read_vocabulary(path: Path, eos_ids: list[int] | None) -> Vocabulary:
    """The vocabulary in a tokenizer file of any kind. Raises VocabularyError, and Refusal for a model file that cannot be read."""
    from grammask.vocabulary import Vocabulary

    try:
        return Vocabulary.from_path(path, eos_ids or None)
    except ModelError as error:
        raise Refusal(str(error)) from error
    except VocabularyError as error:
        if "eos_ids=" in str(error):
            raise Refusal(f"{path} does not say which token ends an output; name its id with --eos ID") from error
        if str(error).startswith("eos_ids holds "):  # its way out is an argument that Python has and the command line has not
            raise Refusal(str(error).partition(";")[0].replace("eos_ids holds", "--eos names") + f" in {path}") from error
        raise
