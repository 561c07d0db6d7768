"""MLX: a logits processor for `mlx_lm.generate`, `stream_generate` and `batch_generate`.

    constraint = grammask.compile(schema, vocabulary_of(tokenizer))
    mlx_lm.generate(model, tokenizer, prompt, logits_processors=[GrammarProcessor(constraint)])

Rule: MLX is imported when a processor is made. Scores are masked where they are, from words that are unpacked there.
Verified with mlx 0.32.4 and mlx_lm 0.32.2, on the CPU build for Linux; not run on Apple's GPUs.
Below: histories, hosts.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from grammask.errors import GrammarStuck
from grammask.integrations.histories import Histories
from grammask.integrations.hosts import require_host
from grammask.vocabulary import Vocabulary

if TYPE_CHECKING:
    from grammask.decoding.constraint import Constraint

__all__ = ["GrammarProcessor", "vocabulary_of"]

_VERSIONS: Final = ("0.32", "0.33", "0.32.4")  # oldest, the first that is too new, verified


class GrammarProcessor:
    """A logits processor: (tokens so far, scores of shape (1, V)) -> scores. For a batch make one for each prompt; drafts of a smaller model are fine.

    max_tokens: what the call gets as max_tokens, and the output is whole within it; None may leave it cut off.
    Make one for each call, or `reset()` between.
    Raises EngineError for another version of mlx, GrammarTypeError, VocabularyError, BudgetError.
    """

    def __init__(self, constraint: Constraint, max_tokens: int | None = None) -> None:
        require_host("mlx", *_VERSIONS)
        import mlx.core

        self._array: Any = mlx.core
        self._histories = Histories(constraint, max_tokens)
        self._shifts = mlx.core.arange(32, dtype=mlx.core.uint32)

    def __call__(self, tokens: Any, logits: Any) -> Any:
        """Scores with those of ruled-out tokens at minus infinity, of the same type. Evaluates the tokens, which are few.

        Raises GrammarStuck, also where the model rules out all that the grammar allows; VocabularyError.
        """
        array, n_scores = self._array, logits.shape[-1]
        masks = self._histories.masks(np.array(tokens, dtype=np.int64).reshape(1, -1), n_scores)
        allowed = self._unpacked(masks.rows[0], n_scores)
        if masks.over:
            return array.where(allowed, array.array(0.0, logits.dtype), array.array(-math.inf, logits.dtype)).reshape(logits.shape)
        masked = array.where(allowed, logits, array.array(-math.inf, logits.dtype))
        if masked.max().item() == -math.inf:
            raise GrammarStuck("", "every token that the grammar allows is ruled out by the model or by another processor")
        return masked

    def _unpacked(self, words: np.ndarray[Any, Any], n_scores: int) -> Any:
        """Which of the scores are allowed, as booleans of shape (1, n_scores)."""
        array = self._array
        bits = ((array.array(words)[:, None] >> self._shifts) & 1).reshape(1, -1).astype(array.bool_)
        missing = n_scores - bits.shape[1]
        return bits[:, :n_scores] if missing <= 0 else array.pad(bits, [(0, 0), (0, missing)])

    def reset(self) -> None:
        """Forget the output so far: what comes next is a new prompt."""
        self._histories.reset()


def vocabulary_of(tokenizer: Any, size: int | None = None) -> Vocabulary:
    """The vocabulary of what `mlx_lm.load` returned as tokenizer, with the end tokens at which `mlx_lm` stops.

    size: scores of the model, if they are more than tokens. Raises TokenizerFormatError, TokenizerMismatchError, VocabularyError.
    """
    ends = sorted(getattr(tokenizer, "eos_token_ids", None) or ())
    inner = getattr(tokenizer, "_tokenizer", tokenizer)
    return Vocabulary.from_huggingface(inner, ends or None, size=size)
