"""What a generation gives back.

Rule: the reasons to finish are kept apart; only `complete` promises that the text obeys the grammar, and only then it has a value.
Above: generate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from grammask.decoding.healing import healed_grammar
from grammask.grammar.captures import Captures
from grammask.grammar.grammar import Grammar
from grammask.vocabulary import Vocabulary

__all__ = ["FinishReason", "Result", "Stats", "TokenLogprobs"]

FinishReason = Literal["complete", "stop", "length", "refusal"]


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """How probable a drawn token was, as natural logarithms at temperature 1.

    before: by the model alone; after: among the tokens that the mask left, before temperature and the other settings.
    """

    token_id: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Stats:
    """What a generation took. Times are in seconds and leave out what the caller did between the pieces of a stream.

    model_seconds: in the model, prompt included; first_token_seconds: until the first token was drawn, None before it was.
    mask_seconds: masks, steps of the matcher, the look-out for the end of the budget.
    closing_tokens: tokens at the end that were not drawn but put there to complete the output within max_tokens.
    mass_removed: for each drawn token, the probability that the mask had taken away; None unless asked for.
    forced_tokens: tokens that were put there because the grammar left no choice: so many forward passes were saved (or batched).
    refused_tokens: tokens that were drawn in vain, since they were not canonical.
    drafted_tokens, agreed_tokens: tokens of forced text that were proposed to the model, and those that it agreed to.
    """

    prompt_tokens: int
    tokens: int
    seconds: float
    model_seconds: float
    mask_seconds: float
    first_token_seconds: float | None
    closing_tokens: int = 0
    mass_removed: tuple[float, ...] | None = None
    forced_tokens: int = 0
    drafted_tokens: int = 0
    agreed_tokens: int = 0
    refused_tokens: int = 0

    @property
    def tokens_per_second(self) -> float:
        """Tokens of the output for each second, the time for the prompt included."""
        return self.tokens / self.seconds if self.seconds else 0.0

    @property
    def mask_share(self) -> float:
        """The part of all time, from 0 to 1, that the constraint took."""
        return self.mask_seconds / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Result:
    """An output.

    text: the output, without end token and stop string. token_ids: what was generated, without the end token; after a stop
    string it may reach past `text`, and of a healed prompt it begins with the tokens for `removed`.
    finish_reason: "complete" (the text obeys the grammar), "stop" (no constraint: an end token or a stop string),
    "length" (max_tokens ran out before that), "refusal" (the model declined, by a way out that the grammar offers: `grammask.or_refusal`).
    removed: what was taken off the prompt's end to heal it, which the first tokens spell again; it is not in `text`.
    canonical: whether the tokens are what the model's tokenizer makes of their text, where that was asked for: False if no such output was found
        to begin with; None if it was not asked for. An output cut by "length" is one as far as it goes.
    logprobs: for each of token_ids, unless asked for None; None also for those that were not drawn.
    """

    text: str
    token_ids: tuple[int, ...]
    finish_reason: FinishReason
    stats: Stats = field(compare=False)
    grammar: Grammar | None = field(default=None, repr=False, compare=False)
    vocabulary: Vocabulary | None = field(default=None, repr=False, compare=False)
    removed: bytes = b""
    logprobs: tuple[TokenLogprobs | None, ...] | None = field(default=None, repr=False, compare=False)
    canonical: bool | None = None

    @cached_property
    def value(self) -> object:
        """What the text stands for (see `Grammar.value`), such as an object for a JSON Schema; None unless finish_reason is "complete".

        Raises what the grammar's decoder raises, such as a model class's own validators.
        """
        return self.grammar.value(self.text) if self.grammar is not None and self.finish_reason == "complete" else None

    @cached_property
    def captures(self) -> Captures:
        """What the named parts of the grammar took (`Grammar.capture`), by name; empty unless finish_reason is "complete" or "refusal".

        After a healed prompt their places count what was removed, too. Raises what `Grammar.captures` raises, from which one learns how
        ambiguous grammars are read, too.
        """
        if self.grammar is None or self.finish_reason not in ("complete", "refusal"):
            return Captures()
        grammar = healed_grammar(self.grammar, self.removed) if self.removed else self.grammar
        return grammar.captures(self.text if self.vocabulary is None else self.token_ids, self.vocabulary)
