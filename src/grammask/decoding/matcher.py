"""The position of one generation in a constraint: the kernel's matcher, with what needs tokens rather than bytes.

Rule: nothing here keeps state of its own that advances with the tokens, so the kernel's `advance` and `rollback` are all there is.
Below: kernel, binding, forced, mask, shortest.  Above: constraint, generate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from grammask import kernel
from grammask.arguments import LARGEST, takes, whole
from grammask.arguments import token_ids as ids_kind
from grammask.decoding.binding import Bindings
from grammask.decoding.forced import encoded_after, n_settled
from grammask.decoding.mask import writable_rows
from grammask.decoding.prefixes import prefixes_of
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

    def without_budget(self) -> Self:
        """A copy at the same place whose masks depend on the grammar alone."""
        made = self.copy()
        made.max_tokens = None
        return made

    def shortest_completion(self) -> list[int] | None:
        """Token ids that complete the output from here, without the end token; [] if it is complete. Appended, they close it.

        They spell the shortest completion in bytes with the fewest tokens: an upper bound on the fewest tokens of any.
        None if none was found: nothing completes, or what does needs special tokens beyond a short search.
        Cost: linear in the length of that completion, about 1 us a byte and token length.
        """
        return shortest_completion(self, self._bindings.speller)

    @takes(n_tokens=whole(-LARGEST))
    def completes_within(self, n_tokens: int) -> bool:
        """Whether `shortest_completion` takes at most so many tokens. Cheaper than asking for it while the budget is ample."""
        if self.is_complete or self.is_finished:
            return n_tokens >= 0
        text = self.shortest_bytes()
        if text is not None and len(text) <= n_tokens and self._bindings.speller.spells_every_byte:
            return True
        completion = self.shortest_completion()
        return completion is not None and len(completion) <= n_tokens

    def forced_tokens(self, context: Sequence[int] = ()) -> list[int]:
        """Tokens for the text that every completion starts with, as the model's own tokenizer writes it.

        context: the tokens before it, of the output or of the prompt too, for a tokenizer cuts a text by what stands before it.
        Without `Vocabulary.encode` the longest token at each place is taken. The last tokens are held back where the tokenizer might
        join them with what can follow. All of them are legal from here; [] if nothing is forced.
        """
        token_ids = self._spelled(self.forced_bytes(), context)
        if not token_ids:
            return []
        after = self.copy()
        after.advance_many(token_ids)
        if after.ends_here:
            return token_ids
        prefixes = prefixes_of(self.vocabulary)
        return token_ids[: n_settled(prefixes, self.vocabulary, token_ids, prefixes.first_bytes_of(after.allowed_tokens()))]

    @takes(token_ids=ids_kind)
    def draft(self, token_ids: Iterable[int]) -> int:
        """How many of these tokens are allowed one after the other from here. The state is unchanged. Raises TokenOutOfRange."""
        return super().draft(token_ids)

    @takes(token_ids=ids_kind)
    def advance_many(self, token_ids: Iterable[int]) -> int:
        """Take tokens one after the other up to the first that is not allowed, and say how many were taken. `rollback` takes them back.

        Raises TokenOutOfRange for an id that the vocabulary does not have, with the tokens before it taken.
        """
        taken = 0
        for token_id in token_ids:
            if self.is_finished or not self.accepts(token_id):
                break
            self.advance(token_id)
            taken += 1
        return taken

    @takes(token_ids=ids_kind)
    def fill_draft_masks(self, token_ids: Sequence[int], rows: Any) -> int:
        """Fill the masks that a model needs to check a draft in one pass: row i is the mask behind the first i tokens of it.

        rows: shape (len(token_ids) + 1, words), as for `grammask.fill_masks`. Says how many tokens of the draft are allowed in a row, n:
        rows 0 to n are filled, those behind it are all zero. The state is unchanged.
        Raises MaskShapeError for rows that do not fit, TokenOutOfRange. Cost: that of n masks and n steps.
        """
        table = writable_rows([self] * (len(token_ids) + 1), rows)
        before, taken = self.position, 0
        try:
            self.fill_mask(table[0])
            for token_id in token_ids:
                if not self.advance_many((token_id,)):
                    break
                taken += 1
                self.fill_mask(table[taken])
        finally:
            self.rollback(self.position - before)
        table[taken + 1 :] = 0
        return taken

    @property
    def ends_here(self) -> bool:
        """Whether the output is complete and nothing may follow but an end token. Cost: that of a count, if it is complete."""
        return self.is_finished or (self.is_complete and self.count() == len(set(self.vocabulary.eos_ids)))

    def _spelled(self, text: bytes, context: Sequence[int]) -> list[int]:
        """Legal tokens that spell the beginning of a text, all of it as a rule."""
        encode = self.vocabulary.encode
        token_ids = encoded_after(self.vocabulary, encode, context, text) if text and encode is not None else []
        token_ids = token_ids or self._bindings.speller.longest_first(text)
        return token_ids[: self.draft(token_ids)]
