"""The position of one generation in a constraint: the kernel's matcher, with what needs tokens rather than bytes.

Rule: nothing here keeps state of its own that advances with the tokens, so the kernel's `advance` and `rollback` are all there is.
Below: kernel, binding, shortest.  Above: constraint, generate.
"""

from __future__ import annotations

import codecs
from typing import Self

from grammask import kernel
from grammask.decoding.binding import Bindings
from grammask.decoding.shortest import shortest_completion
from grammask.vocabulary import Vocabulary

__all__ = ["Matcher"]


class Matcher(kernel.Matcher):
    """One generation's state; get it from `Constraint.matcher`. It belongs to one thread at a time.

    vocabulary: whose tokens it takes. max_tokens: the budget it was asked for with, None for none; `tokens_left` counts it down.
    """

    __slots__ = ("_bindings", "max_tokens", "vocabulary")
    vocabulary: Vocabulary
    max_tokens: int | None
    _bindings: Bindings

    @classmethod
    def _of(cls, bound: kernel.Bound, vocabulary: Vocabulary, bindings: Bindings, max_tokens: int | None) -> Self:
        matcher = cls(bound)
        matcher.vocabulary, matcher._bindings, matcher.max_tokens = vocabulary, bindings, max_tokens
        return matcher

    def _copied(self, made: Self) -> None:
        made.vocabulary, made._bindings, made.max_tokens = self.vocabulary, self._bindings, self.max_tokens

    @property
    def tokens_left(self) -> int | None:
        """How many tokens of the budget are left, at least 0; None without a budget. An end token counts as a token taken."""
        return None if self.max_tokens is None else max(0, self.max_tokens - self.position)

    def shortest_completion(self) -> list[int] | None:
        """Token ids that complete the output from here, without the end token; [] if it is complete. Appended, they close it.

        They spell the shortest completion in bytes with the fewest tokens: an upper bound on the fewest tokens of any.
        None if none was found: nothing completes, or what does needs special tokens beyond a short search.
        Cost: linear in the length of that completion, about 1 us a byte and token length.
        """
        return shortest_completion(self, self._bindings.speller)

    def completes_within(self, n_tokens: int) -> bool:
        """Whether `shortest_completion` takes at most so many tokens. Cheaper than asking for it while the budget is ample."""
        if self.is_complete or self.is_finished:
            return n_tokens >= 0
        text = self.shortest_bytes()
        if text is not None and len(text) <= n_tokens and self._bindings.speller.spells_every_byte:
            return True
        completion = self.shortest_completion()
        return completion is not None and len(completion) <= n_tokens

    def forced_tokens(self) -> list[int]:
        """Tokens for the text that every completion starts with, as the model's own tokenizer writes it.

        Without `Vocabulary.encode` the longest token at each place is taken. The last token is held back unless the output ends
        after it, for the tokenizer might join it with what follows. All of them are legal from here; [] if nothing is forced.
        """
        token_ids = self._spelled(self.forced_bytes())
        if not token_ids:
            return []
        after = self.copy()
        for token_id in token_ids:
            after.advance(token_id)
        return token_ids if after.ends_here else token_ids[:-1]

    @property
    def ends_here(self) -> bool:
        """Whether the output is complete and nothing may follow but an end token. Cost: that of a count, if it is complete."""
        return self.is_finished or (self.is_complete and self.count() == len(set(self.vocabulary.eos_ids)))

    def _spelled(self, text: bytes) -> list[int]:
        """Legal tokens that spell the beginning of a text, all of it as a rule."""
        token_ids = self._encoded(text) or self._bindings.speller.longest_first(text)
        return token_ids[: self.draft(token_ids)]

    def _encoded(self, text: bytes) -> list[int]:
        """The tokenizer's own tokens for the whole characters of a text; [] if there is no tokenizer, or it changes the text."""
        if self.vocabulary.encode is None:
            return []
        try:
            characters = codecs.getincrementaldecoder("utf-8")().decode(text)
        except UnicodeDecodeError:  # the text begins inside a character
            return []
        token_ids = list(self.vocabulary.encode(characters))
        return token_ids if self.vocabulary.decode(token_ids) == characters.encode() else []
