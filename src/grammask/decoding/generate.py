"""The loop that turns a language model and a constraint into an output, and the interface a model must offer it.

Rule: the loop keeps no state of the model beyond the calls of `LanguageModel`, and under a constraint only whole outputs leave it.
Below: constraint, deltas, mask, result, sampling.  Above: integrations.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Literal, Protocol, Self, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from grammask.arguments import Kind, check_fields, flag, instance, is_whole, or_none, takes, text, warn
from grammask.arguments import token_ids as ids_kind
from grammask.decoding.adjusting import Adjuster, Adjustments
from grammask.decoding.binding import bindings_of
from grammask.decoding.canonical import CanonicalPath
from grammask.decoding.constraint import Constraint
from grammask.decoding.deltas import TextDeltas
from grammask.decoding.healing import fill_healing_mask, heal, healed_constraint
from grammask.decoding.mask import words_for
from grammask.decoding.partial_json import NOTHING_YET, PartialJson
from grammask.decoding.result import FinishReason, Result, Stats, TokenLogprobs
from grammask.decoding.sampling import Sampling, draw, logprobs_of, mass_removed
from grammask.errors import BudgetError, GrammarStuck, PromptError, SamplingError, VocabularyError
from grammask.grammar.refusal import is_refusal, offers_refusal
from grammask.vocabulary import Vocabulary

if TYPE_CHECKING:
    from grammask.decoding.matcher import Matcher

__all__ = ["DraftReader", "ForcedText", "GenerateOptions", "LanguageModel", "Stream", "generate"]

ForcedText = Literal["sample", "append", "draft"]

# Tokens before forced text that its tokenization may depend on.
_CONTEXT = 12
# Tokens drawn at one place that turn out not to be canonical, after which that is no longer asked.
_DRAWN_IN_VAIN = 256


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


@runtime_checkable
class DraftReader(Protocol):
    """What a `LanguageModel` offers besides if it can check a draft in one forward pass."""

    def feed_all(self, token_ids: Sequence[int]) -> NDArray[np.float32]:
        """Accept tokens, and return the scores behind each of them, float32 of shape (n, V)."""
        ...


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """How to generate.

    max_tokens: the most tokens of the output, the end token not counted. seed: makes the draws repeatable; None does not.
    stop: strings that end an output without a constraint. mass_removed: measure what the mask takes away (`Stats.mass_removed`).
    heal: back the prompt up to where no token crosses its end, and have the first tokens spell what was taken off.
    forced_text: what to do where the grammar leaves one continuation. "sample" - ask the model for each token all the same;
        "append" - put the tokenizer's tokens there without asking; "draft" - have the model check them in one pass, if it can
        (`feed_all`), so that outputs are distributed as with "sample".
    canonical: draw only tokens that the model's own tokenizer may cut the text into; not with drafts. Where no such output is found, all tokens are
        drawn as ever, and `Result.canonical` says it. Needs `Vocabulary.encode`; see `canonical` for what is exact.
    adjustments: penalties, biases, a least length. logprobs: note how probable the drawn tokens were (`Result.logprobs`).
    Raises SamplingError for values out of range.
    """

    max_tokens: int = 256
    sampling: Sampling = field(default_factory=Sampling)
    seed: int | None = None
    stop: tuple[str, ...] = ()
    mass_removed: bool = False
    heal: bool = False
    forced_text: ForcedText = "sample"
    canonical: bool = False
    adjustments: Adjustments | None = None
    logprobs: bool = False

    def __post_init__(self) -> None:
        check_fields(self, mass_removed=flag, heal=flag, canonical=flag, logprobs=flag, forced_text=text)
        if not is_whole(self.max_tokens):
            raise SamplingError("max_tokens", self.max_tokens, "give a whole number from 1 up")
        if self.seed is not None and not (is_whole(self.seed) and self.seed >= 0):
            raise SamplingError("seed", self.seed, "give a whole number from 0 up, or None")
        if not _are_texts(self.stop):
            raise SamplingError("stop", self.stop, "give a tuple of strings, none of them empty")
        if self.forced_text not in get_args(ForcedText):
            raise SamplingError("forced_text", self.forced_text, f"give one of {', '.join(get_args(ForcedText))}")
        if self.canonical and self.forced_text == "draft":
            raise SamplingError("forced_text", "draft", "tokens of a draft are not asked whether they are canonical; give 'append' or 'sample'")


def _are_texts(value: object) -> bool:
    return isinstance(value, (tuple, list)) and all(isinstance(text, str) and text for text in value)


def generate(model: LanguageModel, prompt_token_ids: Sequence[int], constraint: Constraint | None = None, options: GenerateOptions | None = None) -> Result:
    """Generate one output; see `Stream` for what it raises."""
    return Stream(model, prompt_token_ids, constraint, options).result


class Stream(Iterator[str]):
    """One output as it is generated: iterate for its text, piece by piece; no piece splits a character.

    Under a constraint the output is always whole: tokens that would leave too few of `max_tokens` for the rest are masked, and where the
    model rules out all others, the shortest completion closes the output. Only a grammar that names
    more special tokens than there are bytes to stand for them (`respelled`) can be cut ("length").
    Raises at once BudgetError if max_tokens holds no complete output, PromptError for an empty prompt, VocabularyError if the
    constraint was made for another vocabulary, SamplingError for a stop string beside a constraint; while iterating
    GrammarStuck, SamplingError for scores that nothing can be drawn from, and the model's ModelError.
    """

    @takes(
        model=Kind("a model: see grammask.LanguageModel", lambda value: isinstance(getattr(value, "vocabulary", None), Vocabulary)),
        prompt_token_ids=ids_kind,
        constraint=or_none(instance(Constraint)),
        options=or_none(instance(GenerateOptions)),
    )
    def __init__(
        self, model: LanguageModel, prompt_token_ids: Sequence[int], constraint: Constraint | None = None, options: GenerateOptions | None = None
    ) -> None:
        self._model, self._constraint, self._options = model, constraint, options or GenerateOptions()
        self._prompt = list(prompt_token_ids)
        self._check()
        self._grammar = constraint.grammar if constraint is not None else None
        self._removed = b""
        if self._options.heal:
            constraint = self._heal()
        self._not_text = len(self._removed)  # bytes to come that the prompt holds already
        self._ahead = 0  # tokens to come that the model has read already
        self._adjuster = self._options.adjustments and Adjuster(self._options.adjustments, model.vocabulary, self._prompt)
        self._logprobs: dict[int, TokenLogprobs] = {}
        self._n_forced = self._n_drafted = self._n_agreed = 0
        self._canonical: CanonicalPath | None = None
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
        adjustments = options.adjustments
        if constraint is not None and adjustments is not None and adjustments.penalises and adjustments.warn:
            text = "penalties under a grammar also fall on brackets, quotes and commas, which have to repeat; Adjustments(warn=False) takes note of it"
            warn(text)

    def _heal(self) -> Constraint | None:
        self._prompt, self._removed = heal(self._model.vocabulary, self._prompt)
        if self._constraint is not None:
            self._constraint = healed_constraint(self._constraint, self._removed)
        return self._constraint

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
        noted = tuple(map(self._logprobs.get, range(len(self._token_ids)))) if self._options.logprobs else None
        canonical = None if self._canonical is None else not self._canonical.is_given_up
        vocabulary = self._model.vocabulary
        return Result(self.text, tuple(self._token_ids), self._finish_reason, self.stats, self._grammar, vocabulary, self._removed, noted, canonical)

    def values(self) -> Iterator[object]:
        """The value so far, again and again as it grows, for grammars whose texts are JSON; see `partial_json` for what counts at each moment.

        Values of a type are instances of it as far as they go: members not there yet have their default, or None. The last one is
        `result.value`, checked as that is. Each is a fresh object. Raises what iterating raises.
        """
        partial = PartialJson()
        typed = getattr(self._grammar.decode, "partial", None) if self._grammar is not None else None
        shown: object = NOTHING_YET
        for piece in self:
            partial.push(piece)
            value = partial.value()
            if value is not NOTHING_YET and value != shown:
                shown = value
                yield typed(value) if typed is not None else value
        if self._finish_reason == "complete" and (typed is not None or self.result.value != shown):
            yield self.result.value

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
            forced_tokens=self._n_forced,
            drafted_tokens=self._n_drafted,
            agreed_tokens=self._n_agreed,
            refused_tokens=self._canonical.refused if self._canonical is not None else 0,
        )

    # --- how it comes about ---------------------------------------------------------------------------------------

    def _step(self) -> str:
        """Take one token, or the end: what that adds to the text for certain."""
        try:
            token_id = next(self._tokens)
            if self._ahead:
                self._ahead -= 1
            else:
                with self._in_model:
                    self._model.accept(token_id)
        except StopIteration as end:
            self._finish_reason = self._told_apart(end.value)
            return self._deltas.finish()
        except Exception as failure:
            self._failure = failure
            raise
        self._token_ids.append(token_id)
        piece = self._deltas.push(self._text_of(token_id))
        if self._deltas.is_stopped:
            self._finish_reason = "stop"
        return piece

    def _text_of(self, token_id: int) -> bytes:
        """What a token adds behind the prompt."""
        text = self._model.vocabulary.tokens[token_id]
        if self._not_text:
            known = min(self._not_text, len(text))
            self._not_text -= known
            text = text[known:]
        return text

    def _told_apart(self, reason: FinishReason) -> FinishReason:
        """Whether a complete output is one of the ways out that the grammar offers to decline."""
        if reason == "complete" and self._constraint is not None and offers_refusal(self._constraint.grammar):
            return "refusal" if is_refusal(self._constraint.grammar, self._token_ids, self._model.vocabulary) else reason
        return reason

    def _unconstrained(self) -> Generator[int, None, FinishReason]:
        self._begin()
        self._canonical = CanonicalPath(self._model.vocabulary, None) if self._options.canonical else None
        yield from self._healing()
        row = bindings_of(self._model.vocabulary).unconstrained
        while len(self._token_ids) < self._options.max_tokens:
            token_id = self._draw(self._scores(), row)
            if token_id in self._model.vocabulary.eos_ids:
                return "stop"
            yield token_id
        return "length"

    def _healing(self) -> Iterator[int]:
        """Tokens that spell what was taken off the prompt, the last one perhaps more."""
        vocabulary, missing = self._model.vocabulary, self._removed
        row = np.zeros(words_for(len(vocabulary)), dtype=np.uint32)
        while missing and len(self._token_ids) < self._options.max_tokens:
            fill_healing_mask(vocabulary, missing, row)
            token_id = self._draw(self._scores(), row)
            missing = missing[len(vocabulary.tokens[token_id]) :]
            yield token_id

    def _constrained(self, matcher: Matcher) -> Generator[int, None, FinishReason]:
        row = np.zeros(words_for(len(matcher.vocabulary)), dtype=np.uint32)
        self._begin()
        with self._in_mask:
            self._canonical = CanonicalPath(matcher.vocabulary, matcher) if self._options.canonical else None
        while matcher.position < self._options.max_tokens:
            with self._in_mask:
                if matcher.ends_here:
                    return "complete"
                forced = self._forced(matcher) if self._options.forced_text != "sample" else []
            if forced:
                yield from self._appended(matcher, forced) if self._options.forced_text == "append" else self._agreed(matcher, forced)
                if matcher.position >= self._options.max_tokens or matcher.ends_here:
                    continue
            with self._in_mask:
                matcher.fill_mask(row)
            token_id = self._taken(matcher, row)
            if token_id is None:
                yield from self._closing(matcher)
                return "complete"
            if matcher.is_finished:
                return "complete"
            yield token_id
        return "complete" if matcher.is_complete or matcher.is_finished else "length"

    def _forced(self, matcher: Matcher) -> list[int]:
        """The tokens of forced text, as far as they leave room to finish; none where the shortest way to write it is needed."""
        context = self._token_ids[-_CONTEXT:]
        if len(context) < _CONTEXT:
            context = self._prompt[len(context) - _CONTEXT :] + context
        forced = matcher.forced_tokens(context)
        left = self._options.max_tokens - matcher.position - len(forced)
        after = matcher.copy()
        return forced if forced and after.advance_many(forced) == len(forced) and after.completes_within(left) else []

    def _appended(self, matcher: Matcher, forced: list[int]) -> Iterator[int]:
        for token_id in forced:
            if self._canonical is not None:
                if not self._canonical.admits(self._token_ids, token_id):
                    return
                self._canonical.took()
            matcher.advance(token_id)
            self._n_forced += 1
            yield token_id

    def _agreed(self, matcher: Matcher, draft: list[int]) -> Iterator[int]:
        """Tokens drawn as ever, but with the scores behind a whole draft from one pass, as far as what is drawn is what the draft says.

        So a draft changes the speed and nothing else. None if the model cannot read drafts, or if one token would be all of it.
        """
        if not isinstance(self._model, DraftReader) or len(draft) < 2:
            return
        rows = np.zeros((len(draft) + 1, words_for(len(matcher.vocabulary))), dtype=np.uint32)
        with self._in_mask:
            matcher.fill_draft_masks(draft, rows)
        drawn = self._drawn_along(draft, rows, self._model)
        self._n_drafted += len(draft)
        self._n_agreed += self._ahead
        for token_id in drawn:
            matcher.advance(token_id)
            yield token_id

    def _drawn_along(self, draft: list[int], rows: NDArray[np.uint32], model: DraftReader) -> list[int]:
        """Tokens drawn up to the first that is not the draft's, that one included; the model has then read those before it.

        Where nothing can be drawn it stops, and whoever comes next finds that out again.
        """
        drawn: list[int] = []
        with suppress(GrammarStuck, SamplingError):
            drawn.append(self._draw(self._scores(), rows[0]))
            if drawn == draft[:1]:
                with self._in_model:
                    behind = model.feed_all(draft)
                self._ahead = len(draft)
                while drawn == draft[: len(drawn)] and len(drawn) < len(draft):
                    drawn.append(self._draw(behind[len(drawn) - 1], rows[len(drawn)], [*self._token_ids, *drawn]))
        unread = self._ahead - sum(one == other for one, other in zip(drawn, draft, strict=False))
        if self._ahead:
            self._model.rewind(unread)
            self._ahead -= unread
        return drawn

    def _taken(self, matcher: Matcher, row: NDArray[np.uint32]) -> int | None:
        """Draw a token and move the matcher over it. None if the budget leaves only tokens that cannot be drawn: time to close."""
        scores = self._scores()
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
        if left is None or completion is None or len(completion) > left:
            return False
        return matcher.without_budget().count() > matcher.count()

    def _closing(self, matcher: Matcher) -> Iterator[int]:
        with self._in_mask:
            path = self._canonical
            token_ids = path.witness if path is not None and not path.is_given_up else matcher.shortest_completion() or []
        self._closing_tokens = len(token_ids)
        yield from token_ids

    def _begin(self) -> None:
        with self._in_model:
            self._model.begin(self._prompt)

    def _scores(self) -> NDArray[np.float32]:
        with self._in_model:
            return self._model.logits()

    def _draw(self, scores: NDArray[np.float32], row: NDArray[np.uint32], token_ids: list[int] | None = None) -> int:
        """One token behind these, by default behind the output so far."""
        before = self._token_ids if token_ids is None else token_ids
        try:
            adjusted = self._adjuster.adjusted(scores, before) if self._adjuster else scores
            token_id, row = self._first_drawn(adjusted, row, before)
            if self._canonical is not None:
                row, token_id = self._canonically(adjusted, row, token_id, self._canonical)
        except GrammarStuck as stuck:
            raise GrammarStuck(self.text, stuck.reason) from None
        if self._options.mass_removed:
            self._mass_removed.append(mass_removed(scores, row))
        if self._options.logprobs:
            self._logprobs[len(before)] = TokenLogprobs(token_id, *logprobs_of(scores, row, token_id))
        if self._first_token_seconds is None:
            self._first_token_seconds = self._total.seconds
        return token_id

    def _first_drawn(self, scores: NDArray[np.float32], row: NDArray[np.uint32], before: list[int]) -> tuple[int, NDArray[np.uint32]]:
        """A token, and the mask that it was drawn from: in canonical mode the narrower one, unless the model rules out all that is in it."""
        narrowed = row if self._canonical is None else self._canonical.narrowed(row, before)
        if narrowed is not row:
            with suppress(GrammarStuck, SamplingError):
                return draw(scores, narrowed, self._options.sampling, self._rng), narrowed
        return draw(scores, row, self._options.sampling, self._rng), row

    def _canonically(self, scores: NDArray[np.float32], row: NDArray[np.uint32], token_id: int, path: CanonicalPath) -> tuple[NDArray[np.uint32], int]:
        """A token that is admitted, by drawing again without those that are not; and the row without them. So it is as if these had been masked.

        Where the model rules out all that is admitted, or too many were drawn in vain, it is the next one of the witness.
        """
        drawn, row = token_id, row.copy()
        for _ in range(_DRAWN_IN_VAIN):
            with self._in_mask:
                if path.admits(self._token_ids, token_id):
                    break
            row[token_id >> 5] &= ~(np.uint32(1) << np.uint32(token_id & 31))
            try:
                token_id = draw(scores, row, self._options.sampling, self._rng)
            except (GrammarStuck, SamplingError):
                token_id = path.fallback(drawn)
                break
        else:
            token_id = path.fallback(drawn)
        path.took()
        row[token_id >> 5] |= np.uint32(1) << np.uint32(token_id & 31)
        return row, token_id


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
