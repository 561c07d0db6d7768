"""The vocabulary of loaded weights: exact bytes from the engine itself, every end token, and the engine's tokenizer as `encode`.

Rule: the bytes are compared with what the engine's tokenizer encodes before they are used.
Below: chat, vocabulary.  Above: model, llama_cpp_python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from grammask.integrations.chat import ControlToken, utf8
from grammask.vocabulary import Vocabulary
from grammask.vocabulary.self_check import check_encoding

__all__ = ["TokenSource", "read_vocabulary"]

# A text that no token joins with what follows it, put before a text to keep the engine from putting a space there.
_GUARD: Final = b"\n"


class TokenSource(Protocol):
    """Loaded weights, as far as their tokens go."""

    def pieces(self) -> list[bytes]:
        """The exact bytes of every token; b"" for control tokens and for ids without text."""
        ...

    def end_ids(self) -> tuple[int, ...]:
        """Every id that ends a generation, lowest first."""
        ...

    @property
    def control_tokens(self) -> Sequence[ControlToken]:
        """Every token that stands for no text, lowest id first."""
        ...

    def tokenize(self, text: bytes) -> list[int]:
        """Ids of a text in UTF-8, in which the names of control tokens are plain text. Adds no beginning of sequence."""
        ...


def read_vocabulary(weights: TokenSource) -> Vocabulary:
    """The vocabulary of these weights. `encode` keeps the weights in memory and raises EngineError once they are closed.

    Raises TokenizerMismatchError if the tokens' bytes are not what the engine's tokenizer encodes.
    """
    tokens, end_ids = weights.pieces(), weights.end_ids()
    for token_id in end_ids:
        tokens[token_id] = b""  # an end token ends the text, whatever its name
    specials = {token.name: token.token_id for token in weights.control_tokens if token.name}
    encode = _Encoder(weights, tokens)
    check_encoding(tokens, frozenset(specials.values()), encode)
    return Vocabulary(tokens, eos_ids=end_ids, specials=specials, encode=encode)


class _Encoder:
    """Text -> ids by the engine's tokenizer, with no beginning of sequence, no space of its own in front, and no control tokens.

    Their bytes are the text's, but for bytes that no token spells. Raises PromptError for half a surrogate pair.
    """

    def __init__(self, weights: TokenSource, tokens: list[bytes]) -> None:
        self._weights = weights
        # Tokenizers in the manner of sentencepiece put a space before the first word of a text.
        puts_space = b"".join([tokens[token_id] for token_id in weights.tokenize(b"a")]) != b"a"
        self._guard = weights.tokenize(_GUARD) if puts_space else []

    def __call__(self, text: str) -> list[int]:
        encoded = utf8(text)
        return self._weights.tokenize(_GUARD + encoded)[len(self._guard) :] if self._guard else self._weights.tokenize(encoded)
