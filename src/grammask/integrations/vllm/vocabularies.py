"""The vocabulary of an engine's model: one for each process, shared by back end, logits processor and admission.

Rule: as many ids as the model has scores, and the end tokens at which vLLM itself stops, so that no output goes on behind its end.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from grammask.integrations.vllm import host
from grammask.vocabulary import Vocabulary

if TYPE_CHECKING:
    from vllm.config import ModelConfig

__all__ = ["vocabulary_of"]

_lock = threading.Lock()
_read: dict[tuple[int, int], tuple[Any, Vocabulary]] = {}  # the tokenizer is kept, so that its id stays its own
_MOST = 8


def vocabulary_of(model_config: ModelConfig, tokenizer: Any) -> Vocabulary:
    """Read once for each tokenizer. Raises TokenizerFormatError, VocabularyError for tokenizers whose tokens have no exact bytes.

    Cost: some 0.2 s for 50,000 tokens the first time.
    """
    size = model_config.get_vocab_size()
    with _lock:
        if (id(tokenizer), size) not in _read:
            made = _made(tokenizer, host.own_end_tokens(model_config, tokenizer), size)
            alike = [known for _, known in _read.values() if known.fingerprint == made.fingerprint]
            if len(_read) >= _MOST:
                _read.pop(next(iter(_read)))
            _read[id(tokenizer), size] = tokenizer, (alike or [made])[0]
        return _read[id(tokenizer), size][1]


def _made(tokenizer: Any, ends: tuple[int, ...], size: int) -> Vocabulary:
    read = _source(tokenizer, ends)
    if size == len(read):
        return read
    if size > len(read):
        return Vocabulary(read.tokens, read.eos_ids, read.specials, read.encode, size=size)
    specials = {name: token_id for name, token_id in read.specials.items() if token_id < size}
    return Vocabulary(read.tokens[:size], [end for end in read.eos_ids if end < size], specials, read.encode)


def _source(tokenizer: Any, ends: tuple[int, ...]) -> Vocabulary:
    path = host.tokenizer_file(tokenizer)
    return Vocabulary.from_huggingface(tokenizer, ends) if path is None else Vocabulary.from_path(path, ends)
