"""The loop that turns a language model and a constraint into an output, and the interface a model must offer it.

Rule: the loop owns no model state beyond the calls of `LanguageModel`, and no text leaves it that the matcher did not allow.
Below: matcher, sampling, mask, shortest.  Above: api, integrations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from grammask.vocabulary import Vocabulary

__all__ = ["LanguageModel"]


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
