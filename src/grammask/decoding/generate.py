"""The loop that turns a language model and a constraint into an output, and the interface a model must offer it.

Rule: the loop keeps no state of the model beyond the calls of `LanguageModel`, and under a constraint only whole outputs leave it.
Below: constraint, deltas, mask, result, sampling.  Above: integrations.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from grammask.decoding.binding import bindings_of
from grammask.decoding.deltas import TextDeltas
from grammask.decoding.mask import words_for
from grammask.decoding.result import FinishReason, Result, Stats
from grammask.decoding.sampling import Sampling, draw, is_whole, mass_removed
from grammask.errors import BudgetError, GrammarStuck, PromptError, SamplingError, VocabularyError

if TYPE_CHECKING:
    from grammask.decoding.constraint import Constraint
    from grammask.decoding.matcher import Matcher
    from grammask.vocabulary import Vocabulary

__all__ = ["GenerateOptions", "LanguageModel", "Stream", "generate"]

# Tokens drawn at one place before the output is closed because each of them would cost too much.
_TRIES = 8


@runtime_checkable
class LanguageModel(Protocol):
    """One sequence of one model: the tokens it has read, and its scores for the next one.

    Not shared by threads. Errors of the engine are raised as grammask.errors.ModelError.
    """

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the model; its `eos_ids` are the tokens that end an output."""
        ...

    def begin(self, prompt_token_ids: Sequence[int]) -> None:
        """Start over with this prompt, which holds at least one token. What an earlier prompt shares with it may be kept."""
        ...

    def logits(self) -> NDArray[np.float32]:
        """Scores for the next token, float32 of shape (V,), V >= len(vocabulary); ids above the vocabulary are padding.

        Valid, and not to be written to, until the next `begin`, `accept` or `rewind`. Asked twice, the answer is the same.
        """
        ...

    def accept(self, token_id: int) -> None:
        """Append one token. It may be evaluated now or when `logits` is asked for, so that forced tokens can go in one batch."""
        ...

    def rewind(self, n: int) -> None:
        """Take the last `n` accepted tokens back; the tokens of the prompt count too."""
        ...


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """How to generate.

    max_tokens: the most tokens of the output, the end token not counted. seed: makes the draws repeatable; None does not.
    stop: strings that end an output without a constraint. mass_removed: measure what the mask takes away (`Stats.mass_removed`).
    Raises SamplingError for values out of range.
    """

    max_tokens: int = 256
    sampling: Sampling = field(default_factory=Sampling)
    seed: int | None = None
    stop: tuple[str, ...] = ()
    mass_removed: bool = False

    def __post_init__(self) -> None:
        if not is_whole(self.max_tokens):
            raise SamplingError("max_tokens", self.max_tokens, "give a whole number from 1 up")
        if self.seed is not None and not (is_whole(self.seed) and self.seed >= 0):
            raise SamplingError("seed", self.seed, "give a whole number from 0 up, or None")
        if not _are_texts(self.stop):
            raise SamplingError("stop", self.stop, "give a tuple of strings, none of them empty")


def _are_texts(value: object) -> bool:
    return isinstance(value, (tuple, list)) and all(isinstance(text, str) and text for text in value)


def generate(model: LanguageModel, prompt_token_ids: Sequence[int], constraint: Constraint | None = None, options: GenerateOptions | None = None) -> Result:
    """Generate one output; see `Stream` for what it raises."""
    return Stream(model, prompt_token_ids, constraint, options).result


class Stream(Iterator[str]):
    """One output as it is generated: iterate for its text, piece by piece; no piece splits a character.

    Under a constraint the output is always whole: tokens that would leave too few of `max_tokens` for the rest are masked, and where the
    model rules out all others, the shortest completion closes the output. Only where completions need special tokens that
    `Matcher.shortest_completion` does not find can it be cut ("length").
    Raises at once BudgetError if max_tokens holds no complete output, PromptError for an empty prompt, VocabularyError if the
    constraint was made for another vocabulary, SamplingError for a stop string beside a constraint; while iterating
    GrammarStuck, SamplingError for scores that nothing can be drawn from, and the model's ModelError.
    """

    def __init__(
        self, model: LanguageModel, prompt_token_ids: Sequence[int], constraint: Constraint | None = None, options: GenerateOptions | None = None
    ) -> None:
        self._model, self._constraint, self._options = model, constraint, options or GenerateOptions()
        self._prompt = list(prompt_token_ids)
        self._check()
        self._rng = np.random.default_rng(self._options.seed)
        self._deltas = TextDeltas(self._options.stop)
        self._text: list[str] = []
        self._token_ids: list[int] = []
        self._mass_removed: list[float] = []
        self._total, self._in_model, self._in_mask = _Stopwatch(), _Stopwatch(), _Stopwatch()
        self._first_token_seconds: float | None = None
        self._closing_tokens = 0
        self._finish_reason: FinishReason | None = None
        self._failure: Exception | None = None
        self._tokens = self._unconstrained() if constraint is None else self._constrained(constraint.matcher(self._options.max_tokens))

    def _check(self) -> None:
        options, constraint, vocabulary = self._options, self._constraint, self._model.vocabulary
        if not self._prompt:
            raise PromptError("it is empty", "give at least one token, such as the beginning-of-sequence token")
        if constraint is None and options.max_tokens < 1:
            raise BudgetError(options.max_tokens, 1)
        if constraint is not None and options.stop:
            raise SamplingError("stop", options.stop, "a stop string would cut the constrained output; let the grammar say where it ends")
        if constraint is not None and constraint.vocabulary is not vocabulary and constraint.vocabulary.fingerprint != vocabulary.fingerprint:
            raise VocabularyError("the constraint was compiled for another vocabulary than the model's; use grammask.compile(grammar, model.vocabulary)")

    # --- what the caller sees -------------------------------------------------------------------------------------

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        """The next piece of text, never empty."""
        while self._finish_reason is None:
            if self._failure is not None:
                raise self._failure
            with self._total:
                piece = self._step()
            if piece:
                self._text.append(piece)
                return piece
        raise StopIteration

    @property
    def result(self) -> Result:
        """The whole output, generated to its end if it is not there yet. Raises again what broke it off."""
        for _ in self:
            pass
        assert self._finish_reason is not None  # the loop above ends by it or by an error
        grammar = self._constraint.grammar if self._constraint is not None else None
        return Result(self.text, tuple(self._token_ids), self._finish_reason, self.stats, grammar, self._model.vocabulary)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._text)

    @property
    def token_ids(self) -> tuple[int, ...]:
        """The tokens so far; the last of them may not be in `text` yet."""
        return tuple(self._token_ids)

    @property
    def finish_reason(self) -> FinishReason | None:
        """Why it ended; None before it has."""
        return self._finish_reason

    @property
    def stats(self) -> Stats:
        """What it took so far."""
        return Stats(
            prompt_tokens=len(self._prompt),
            tokens=len(self._token_ids),
            seconds=self._total.seconds,
            model_seconds=self._in_model.seconds,
            mask_seconds=self._in_mask.seconds,
            first_token_seconds=self._first_token_seconds,
            closing_tokens=self._closing_tokens,
            mass_removed=tuple(self._mass_removed) if self._options.mass_removed else None,
        )

    # --- how it comes about ---------------------------------------------------------------------------------------

    def _step(self) -> str:
        """Take one token, or the end: what that adds to the text for certain."""
        try:
            token_id = next(self._tokens)
            with self._in_model:
                self._model.accept(token_id)
        except StopIteration as end:
            self._finish_reason = end.value
            return self._deltas.finish()
        except Exception as failure:
            self._failure = failure
            raise
        self._token_ids.append(token_id)
        piece = self._deltas.push(self._model.vocabulary.tokens[token_id])
        if self._deltas.is_stopped:
            self._finish_reason = "stop"
        return piece

    def _unconstrained(self) -> Generator[int, None, FinishReason]:
        row = bindings_of(self._model.vocabulary).unconstrained
        self._begin()
        for _ in range(self._options.max_tokens):
            token_id = self._draw(self._scores(row), row)
            if token_id in self._model.vocabulary.eos_ids:
                return "stop"
            yield token_id
        return "length"

    def _constrained(self, matcher: Matcher) -> Generator[int, None, FinishReason]:
        row = np.zeros(words_for(len(matcher.vocabulary)), dtype=np.uint32)
        self._begin()
        for _ in range(self._options.max_tokens):
            with self._in_mask:
                if matcher.ends_here:
                    return "complete"
                matcher.fill_mask(row)
            token_id = self._taken(matcher, row)
            if token_id is None:
                yield from self._closing(matcher)
                return "complete"
            if matcher.is_finished:
                return "complete"
            yield token_id
        return "complete" if matcher.is_complete else "length"

    def _taken(self, matcher: Matcher, row: NDArray[np.uint32]) -> int | None:
        """Draw a token and move the matcher over it. None if the budget leaves only tokens that cannot be drawn: time to close."""
        scores = self._scores(row)
        try:
            token_id = self._draw(scores, row)
        except (GrammarStuck, SamplingError):
            if self._is_cut(matcher):
                return None
            raise
        with self._in_mask:
            matcher.advance(token_id)
        return token_id

    def _is_cut(self, matcher: Matcher) -> bool:
        """Whether the budget leaves out tokens here that the grammar allows, and the output can be closed within it."""
        left, completion = matcher.tokens_left, matcher.shortest_completion()
        free = self._constraint.matcher() if self._constraint is not None else matcher
        if left is None or completion is None or len(completion) > left:
            return False
        for token_id in self._token_ids:
            free.advance(token_id)
        return free.count() > matcher.count()

    def _closing(self, matcher: Matcher) -> Iterator[int]:
        with self._in_mask:
            token_ids = matcher.shortest_completion() or []
        self._closing_tokens = len(token_ids)
        yield from token_ids

    def _begin(self) -> None:
        with self._in_model:
            self._model.begin(self._prompt)

    def _scores(self, row: NDArray[np.uint32]) -> NDArray[np.float32]:
        with self._in_model:
            scores = self._model.logits()
        if self._options.mass_removed:
            self._mass_removed.append(mass_removed(scores, row))
        return scores

    def _draw(self, scores: NDArray[np.float32], row: NDArray[np.uint32]) -> int:
        try:
            token_id = draw(scores, row, self._options.sampling, self._rng)
        except GrammarStuck as stuck:
            raise GrammarStuck(self.text, stuck.reason) from None
        if self._first_token_seconds is None:
            self._first_token_seconds = self._total.seconds
        return token_id


class _Stopwatch:
    """Seconds spent inside `with` blocks; inside one, the time until now counts."""

    def __init__(self) -> None:
        self._before, self._started = 0.0, 0.0

    def __enter__(self) -> None:
        self._started = perf_counter()

    def __exit__(self, *_: object) -> None:
        self._before, self._started = self.seconds, 0.0

    @property
    def seconds(self) -> float:
        return self._before + (perf_counter() - self._started if self._started else 0.0)
