"""The vocabulary of a model of transformers, and which versions of the host are taken.

Below: hosts, vocabulary.  Above: _processor, _model.
"""

from __future__ import annotations

from typing import Any, Final

from grammask.errors import VocabularyError
from grammask.integrations.hosts import require_host
from grammask.vocabulary import Vocabulary

__all__ = ["HOST", "require_transformers", "vocabulary_of"]

HOST: Final = "transformers"


def require_transformers() -> None:
    """Raises EngineError unless the installed transformers is one that this integration is for."""
    require_host(HOST, oldest="4.57", below="6", verified="5.24.0")


def vocabulary_of(model: Any, tokenizer: Any) -> Vocabulary:
    """The vocabulary of a model and its tokenizer: as many ids as the model has scores, and the end tokens at which `generate` stops.

    model: a model of transformers, asked for its config and generation_config. tokenizer: a fast tokenizer.
    Raises EngineError for another version of transformers, TokenizerFormatError, TokenizerMismatchError, VocabularyError.
    """
    require_transformers()
    ends = _ids(getattr(getattr(model, "generation_config", None), "eos_token_id", None)) or _ids(getattr(tokenizer, "eos_token_id", None))
    read = Vocabulary.from_huggingface(tokenizer, ends or None)
    n_scores: int = model.config.get_text_config().vocab_size
    unscored = next((token_id for token_id in range(n_scores, len(read)) if read.tokens[token_id] or token_id in read.eos_ids), None)
    if unscored is not None:
        raise VocabularyError(f"the model scores {n_scores} tokens, and the tokenizer has token {unscored}; model.resize_token_embeddings(...) makes room")
    specials = {name: token_id for name, token_id in read.specials.items() if token_id < n_scores}
    return Vocabulary(read.tokens[:n_scores], read.eos_ids, specials, read.encode, size=n_scores)


def _ids(value: Any) -> list[int]:
    """The ids of a setting that is None, one id or several."""
    return [int(one) for one in (value if isinstance(value, list | tuple) else [value]) if one is not None]
