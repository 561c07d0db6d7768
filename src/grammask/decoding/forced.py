"""Text that a grammar forces, as the tokens that the model's own tokenizer would write it with.

Rule: a token is forced only if no text that may follow could make the tokenizer cut elsewhere, by any token of the vocabulary.
Below: prefixes, speller.  Above: matcher.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Collection, Sequence

from grammask.decoding.prefixes import TokenPrefixes
from grammask.vocabulary import Vocabulary

__all__ = ["encoded_after", "n_settled"]

# Tokens before the forced text that the tokenizer is shown. Tokenizers cut at word boundaries, which are nearer than that.
_CONTEXT_TOKENS = (12, 4, 1, 0)


def encoded_after(vocabulary: Vocabulary, encode: Callable[[str], list[int]], context: Sequence[int], text: bytes) -> list[int]:
    """The tokenizer's tokens for the whole characters of a text behind other tokens; [] if it changes the text, or that begins inside a character.

    The tokenizer reads the last tokens of the context too, as long as it gives just these back; otherwise fewer of them, or none.
    """
    for n_context in _CONTEXT_TOKENS:
        before = list(context[len(context) - n_context :]) if n_context else []
        if len(before) == n_context and all(vocabulary.tokens[token_id] for token_id in before):
            token_ids = _encoded(vocabulary, encode, before, text)
            if token_ids:
                return token_ids
    return []


def _encoded(vocabulary: Vocabulary, encode: Callable[[str], list[int]], before: list[int], text: bytes) -> list[int]:
    try:
        characters = codecs.getincrementaldecoder("utf-8")().decode(vocabulary.decode(before) + text)
    except UnicodeDecodeError:
        return []
    token_ids = list(encode(characters))
    if token_ids[: len(before)] != before or vocabulary.decode(token_ids) != characters.encode():
        return []
    return token_ids[len(before) :]


def n_settled(prefixes: TokenPrefixes, vocabulary: Vocabulary, token_ids: Sequence[int], following: Collection[int]) -> int:
    """How many of some tokens, from the first on, stay as they are whatever follows, if that begins with one of these bytes."""
    open_bytes = prefixes.open_end(vocabulary.decode(token_ids), following)
    settled = len(token_ids)
    while open_bytes > 0:
        settled -= 1
        open_bytes -= len(vocabulary.tokens[token_ids[settled]])
    return settled
