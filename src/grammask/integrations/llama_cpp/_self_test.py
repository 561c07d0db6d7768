"""A test of engine and weights, so that a library with another binary interface is an error and not wrong text.

Rule: what is checked is what the rest relies upon: the size of the vocabulary, and logits that are finite, that depend on the
input, and that do not depend on how tokens were split into batches.
Below: session.  Above: model.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from grammask.errors import EngineError
from grammask.integrations.llama_cpp._engine import Weights
from grammask.integrations.llama_cpp._library import ENGINE
from grammask.integrations.session import Session

__all__ = ["check_evaluation", "check_size"]

_HINT: Final = "use the tested version: `pip install xllamacpp==2026.10.11549`"
# Rounding moves logits by hundredths of their spread between batch sizes, wrong results by about their spread.
_TOLERANCE: Final = 0.25


def check_size(weights: Weights, stated: int) -> None:
    """Compare the engine's vocabulary with the number of tokens that the file states. Raises EngineError."""
    if weights.size != stated:
        raise EngineError(ENGINE, f"it reports a vocabulary of {weights.size} tokens where the file has {stated}", _HINT)


def check_evaluation(session: Session, n_tokens: int = 2) -> None:
    """Evaluate some tokens in one batch and in two. Raises EngineError if the logits cannot be right. The session starts over.

    n_tokens: at least 2; engines that fail on wide batches (one is known, from 32 tokens on) are found with 48. Cost: twice so many tokens evaluated.
    """
    with_text = [token_id for token_id, token in enumerate(session.vocabulary.tokens) if token]
    token_ids = [with_text[index * 31 % len(with_text)] for index in range(1, n_tokens + 1)]
    session.rewind(session.n_past)
    whole = session.feed(token_ids)
    session.rewind(n_tokens)
    half = session.feed(token_ids[: n_tokens // 2])
    split = session.feed(token_ids[n_tokens // 2 :])
    if not all(np.isfinite(row).all() for row in (whole, half, split)):
        raise EngineError(ENGINE, "its logits are not finite numbers", _HINT)
    if np.ptp(whole) == 0 or np.array_equal(whole, half):
        raise EngineError(ENGINE, "its logits do not depend on the input", _HINT)
    if np.abs(whole - split).max() > _TOLERANCE * whole.std():
        raise EngineError(ENGINE, "its logits depend on how the tokens are split into batches", _HINT)
