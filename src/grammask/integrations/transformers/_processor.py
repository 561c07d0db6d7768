"""A logits processor for `generate` of transformers.

Rule: it sees token ids and scores and nothing of the model, and leaves the scores that it is given as they are.
Verified with transformers 5.24 and torch 2.13; searches also with 4.57.3 and 5.0.
Below: histories, _vocabulary.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from grammask.decoding.mask import apply_mask
from grammask.errors import EngineError, GrammarStuck
from grammask.integrations.histories import Histories
from grammask.integrations.transformers._vocabulary import HOST, require_transformers

if TYPE_CHECKING:
    import torch

    from grammask.decoding.constraint import Constraint
    from grammask.vocabulary import Vocabulary

__all__ = ["GrammarProcessor"]


class GrammarProcessor:
    """A logits processor for `generate`: greedy, sampling, beams, batches with padding on the left, repeated sequences, assisted generation.

    constraints: one for all prompts of a batch, or a list with one for each prompt, None for no grammar.
    max_tokens: give it what `generate` gets as max_new_tokens, and every output is whole within it; None may leave outputs cut off.
    Put it last in the list of processors. Make one for each call of `generate`, or call `reset()` between: a prompt that is an earlier prompt of
    the same processor and one token more is taken for that one's output.
    Raises EngineError for a version of transformers that this is not for, GrammarTypeError, VocabularyError, BudgetError.
    """

    # generate_batch passes neither prompts nor outputs, so it is an error there (see `__call__`) rather than to be left out quietly.
    supports_continuous_batching: bool | None = None

    def __init__(self, constraints: Constraint | Sequence[Constraint | None], max_tokens: int | None = None) -> None:
        require_transformers()
        self._histories = Histories(constraints, max_tokens)

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """A copy of the scores with those of ruled-out tokens at minus infinity. Rows that have ended may only take an end token.

        input_ids: (rows, length). scores: (rows, V), on any device, V at least the number of tokens with text.
        Raises GrammarStuck, which also means that other processors ruled out all that the grammar allows; TokenRefused, PromptError, VocabularyError.
        """
        if input_ids.ndim != 2 or scores.ndim != 2 or input_ids.shape[0] != scores.shape[0]:
            shapes = f"token ids of shape {tuple(input_ids.shape)} with scores of shape {tuple(scores.shape)}"
            raise EngineError(HOST, f"a processor needs whole rows and got {shapes}", "use generate(); generate_batch() does not show its rows to processors")
        masks = self._histories.masks(input_ids.detach().cpu().numpy(), scores.shape[1])
        masked = scores.clone()
        if masks.free:
            held = sorted(set(range(len(masks.rows))) - set(masks.free))
            for row in held:
                apply_mask(masked[row], masks.rows[row])
        else:
            apply_mask(masked, masks.rows)
        masked[masks.over, masks.end] = 0.0
        _check_choice(masked)
        return masked

    def reset(self) -> None:
        """Forget the outputs so far: the rows to come are new prompts."""
        self._histories.reset()

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the constraints."""
        return self._histories.vocabulary


def _check_choice(masked: torch.Tensor) -> None:
    """Where nothing is left, `argmax` would take token 0 and `multinomial` fail without a word of the grammar. Raises GrammarStuck."""
    if bool((masked.amax(dim=-1) == -math.inf).any()):
        raise GrammarStuck("", "every token that the grammar allows is ruled out by the model or by another processor")
