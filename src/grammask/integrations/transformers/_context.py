"""One key-value cache of a model of transformers, for one sequence.

Rule: the cache is the model's own kind, made by its first evaluation; what it cannot forget is read anew. Implements session.Context.
Above: _model.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from grammask.errors import EngineError
from grammask.integrations.transformers._vocabulary import HOST

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Context"]

# Tokens evaluated in one call, which bounds the memory of a long prompt.
BATCH_TOKENS: Final = 2048


class Context:
    """A cache for at most `size` tokens, on the device of the model's embeddings. Evaluations of one model by several threads are the host's to order."""

    engine: Final = HOST

    def __init__(self, model: Any, size: int) -> None:
        self.size = size
        self.is_closed = False
        self._model = model
        taken = inspect.signature(model.forward).parameters
        self._cache_name = "cache" if "cache" in taken else "past_key_values"
        self._keeps_last = "logits_to_keep" in taken
        self._cache: Any = None
        self._held = 0  # tokens in the cache

    def close(self) -> None:
        """Let go of the cache."""
        self.is_closed, self._cache, self._held = True, None, 0

    def cut(self, length: int) -> bool:
        """Forget all but the first `length` tokens; False if the cache cannot (sliding windows, recurrent models), which then is empty."""
        if length and length <= self._held and self._is_cropped(self._held - length):
            self._held = length
            return True
        self._cache, self._held = None, 0
        return length == 0

    def _is_cropped(self, n_tokens: int) -> bool:
        if n_tokens == 0:
            return True
        if not getattr(self._cache, "is_croppable", True) or not hasattr(self._cache, "crop"):
            return False
        try:
            self._cache.crop(-n_tokens)
        except (RuntimeError, ValueError):  # past the reach of a sliding window
            return False
        return True

    def decode(self, token_ids: Sequence[int], position: int, every: bool = False) -> NDArray[np.float32]:
        """Scores behind the last of these tokens, or behind each of them. Raises EngineError if the model fails."""
        parts = [self._run(token_ids[start : start + BATCH_TOKENS], position + start, every) for start in range(0, len(token_ids), BATCH_TOKENS)]
        return np.concatenate(parts) if every else parts[-1]

    def _run(self, token_ids: Sequence[int], position: int, every: bool) -> NDArray[np.float32]:
        import torch

        device = self._model.get_input_embeddings().weight.device
        settings: dict[str, Any] = {self._cache_name: self._cache, "use_cache": True}
        if self._keeps_last:
            settings["logits_to_keep"] = 0 if every else 1
        positions = torch.arange(position, position + len(token_ids), device=device)[None]
        try:
            with torch.inference_mode():
                output = self._model(input_ids=torch.tensor([list(token_ids)], device=device), position_ids=positions, return_dict=True, **settings)
        except (RuntimeError, ValueError, IndexError) as error:
            raise EngineError(HOST, f"evaluating {len(token_ids)} tokens at position {position} failed ({type(error).__name__}: {error})") from error
        self._cache = getattr(output, self._cache_name)
        self._held = position + len(token_ids)
        scores: NDArray[np.float32] = (output.logits[0] if every else output.logits[0, -1:]).float().cpu().numpy()
        return scores.copy()
