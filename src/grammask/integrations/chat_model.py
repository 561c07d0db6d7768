"""A model that answers prompts under a grammar, whoever computes it: prompts in, outputs that obey out.

Rule: a model is shared by threads; what moves is in sessions, and an output has one of its own while it is generated. The loop is decoding's;
an integration adds the evaluation of tokens by its host, and the host's chat template.
Below: chat, describing, session, api, decoding.  Above: llama_cpp, transformers.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, TypedDict, Unpack
from weakref import WeakSet

from grammask.api import compile as compile_grammar
from grammask.decoding.adjusting import Adjustments
from grammask.decoding.constraint import Constraint
from grammask.decoding.generate import ForcedText, GenerateOptions, Stream
from grammask.decoding.sampling import Sampling
from grammask.errors import BudgetError, LimitError, PromptError
from grammask.integrations.chat import ChatFormat, Message, messages_of
from grammask.integrations.describing import described
from grammask.integrations.session import Session

if TYPE_CHECKING:
    from grammask.decoding.result import Result
    from grammask.vocabulary import Vocabulary

__all__ = ["ChatModel", "ModelStream", "OutputSettings", "within"]

# Sessions kept for the next outputs; each holds a key-value cache.
IDLE_SESSIONS: Final = 2
_CONTEXT_HINT: Final = "shorten the prompt, or load the model with a larger n_ctx"


class OutputSettings(TypedDict, total=False):
    """What `ChatModel.stream` takes beside prompt and grammar, with the meaning given there."""

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
    heal: bool
    forced_text: ForcedText
    canonical: bool
    adjustments: Adjustments | None
    logprobs: bool


class ChatModel(ABC):
    """A loaded model; close it with `close` or `with`. Shared by threads: outputs run side by side.

    vocabulary: the bytes of its tokens.  n_ctx: tokens that prompt and output may take together.
    """

    def __init__(self, vocabulary: Vocabulary, chat: ChatFormat, n_ctx: int, n_parameters: int) -> None:
        self.vocabulary, self.n_ctx = vocabulary, n_ctx
        self._chat, self._n_parameters = chat, n_parameters
        self._sessions: WeakSet[Session] = WeakSet()
        self._idle: list[Session] = []
        self._lock = threading.Lock()

    @abstractmethod
    def _made_session(self) -> Session:
        """A sequence of its own, `n_ctx` tokens long."""

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
        heal: bool = False,
        forced_text: ForcedText = "sample",
        canonical: bool = False,
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
        heal: for models without a chat template, whose answers go on with the prompt: see `GenerateOptions`. Behind a template's marks there is
        nothing to heal. forced_text, canonical, adjustments, logprobs: as in `GenerateOptions`.
        Raises PromptError, GrammarError, LimitError if prompt and output do not fit the context, BudgetError, SamplingError.
        """
        sampling = Sampling(temperature, top_k, top_p, min_p)
        options = GenerateOptions(max_tokens, sampling, seed, _texts(stop), mass_removed, heal, forced_text, canonical, adjustments, logprobs)
        constraint = self._constraint(grammar)
        prompt_token_ids = self.prompt_token_ids(prompt, system=system, grammar=constraint if describe else None)
        return self._started(prompt_token_ids, constraint, options)

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

    def prompt_token_ids(self, prompt: str | Sequence[Message], *, system: str | None = None, grammar: Constraint | None = None) -> list[int]:
        """The tokens that the model is given for a prompt, with the description of a grammar if one is given. Raises PromptError."""
        messages = messages_of(prompt, system)
        return self._chat.token_ids(messages if grammar is None else described(messages, grammar.grammar, self._n_parameters))

    def session(self) -> Session:
        """A sequence of its own to evaluate on, `n_ctx` tokens long; the caller closes it. Raises EngineError, also after `close`."""
        with self._lock:  # so that `close` either sees the session or keeps it from being made
            session = self._made_session()
            self._sessions.add(session)
        return session

    def close(self) -> None:
        """Free all sessions, after the evaluations that run. Outputs under way then raise EngineError."""
        with self._lock:
            self._idle.clear()
            for session in self._sessions:
                session.close()
            self._release()

    def _release(self) -> None:
        """Free what the sessions shared, if it is this object's to free."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

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
            return ModelStream(session, lambda: self._give_back(session), prompt_token_ids, constraint, fitted)
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


class ModelStream(Stream):
    """Iterate for the text, piece by piece (no piece splits a character); then `result` has the whole.

    Broken off early, close it (or use `with`): its session is then free for the next output.
    """

    def __init__(
        self, session: Session, give_back: Callable[[], None], prompt_token_ids: Sequence[int], constraint: Constraint | None, options: GenerateOptions
    ) -> None:
        self._session: Session | None = session
        self._give_back = give_back
        super().__init__(session, prompt_token_ids, constraint, options)

    def __next__(self) -> str:
        """The next piece of text, never empty. Raises PromptError if the stream was closed before its end."""
        if self._session is None and self.finish_reason is None and self._failure is None:
            raise PromptError("this stream was closed before its end", "start another")
        try:
            return super().__next__()
        except BaseException:  # the end of the iteration among them
            self.close()
            raise

    def close(self) -> None:
        """Give the session back. What was generated can still be read, but not continued. Closing twice is fine."""
        session, self._session = self._session, None
        if session is not None:
            self._give_back()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def within(name: str, value: int | None, default: int, most: int) -> int:
    """The value, or the default for None. Raises LimitError outside 1 to `most`."""
    if value is None:
        return default
    if not 1 <= value <= most:
        raise LimitError(name, value, most, "give a whole number from 1 up")
    return value


def _texts(stop: Sequence[str]) -> tuple[str, ...]:
    return (stop,) if isinstance(stop, str) else tuple(stop)
