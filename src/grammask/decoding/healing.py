"""Token healing: a prompt that ends inside what would be one token is cut before it, and the output begins with the bytes cut off.

A prompt that ends in `http:` was given to a model that knows `://` as one token and has hardly ever read `:` alone before `//`. So the
prompt is backed up to the last place that no token crosses, and the first tokens must spell what was taken away, in whatever way the
model likes best; then comes what the grammar wants, or free text.

Rule: special tokens are never taken away, and one token of the prompt stays.  Below: constraint, prefixes.  Above: generate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammask.decoding.constraint import Constraint
from grammask.decoding.mask import words_for
from grammask.decoding.prefixes import TokenPrefixes, prefixes_of
from grammask.grammar import expression
from grammask.grammar.grammar import Composition, Grammar
from grammask.vocabulary import Vocabulary

__all__ = ["Healed", "fill_healing_mask", "heal", "healed_constraint", "healed_grammar"]


class Healed(NamedTuple):
    """The tokens that stay of a prompt, and the bytes that the output has to begin with."""

    prompt_token_ids: list[int]
    removed: bytes


def heal(vocabulary: Vocabulary, prompt_token_ids: Sequence[int]) -> Healed:
    """Back a prompt up to the last boundary between its tokens that no token of the vocabulary crosses on its way past the end.

    Takes at most as many tokens as the longest token has bytes. Cost: microseconds, but for the first call for a vocabulary (`prefixes`).
    """
    kept = list(prompt_token_ids)
    prefixes = prefixes_of(vocabulary)
    missing = prefixes.open_end(_tail(vocabulary, kept, prefixes.longest))
    removed = b""
    while len(removed) < missing and len(kept) > 1:
        removed = vocabulary.tokens[kept.pop()] + removed
    return Healed(kept, removed)


def _tail(vocabulary: Vocabulary, token_ids: Sequence[int], n_bytes: int) -> bytes:
    """The text behind the last token without text, but not much more than so many bytes of it."""
    text = b""
    for token_id in reversed(token_ids):
        if not vocabulary.tokens[token_id] or len(text) >= n_bytes:
            break
        text = vocabulary.tokens[token_id] + text
    return text


def healed_grammar(grammar: Grammar, removed: bytes) -> Grammar:
    """The grammar with these bytes before it."""
    start = Grammar(expression.literal(removed), "text", removed.decode("utf-8", "replace"))
    key = None if grammar.key is None else ("healed", removed, grammar.key)
    return Grammar(expression.seq(start.expression, grammar.expression), "composed", Composition("seq", (start, grammar)), grammar.report, key=key)


def healed_constraint(constraint: Constraint, removed: bytes) -> Constraint:
    """The constraint with these bytes before it. Cost: that of compiling it, once for each removed text; what was worked out for its rules is shared."""
    return Constraint.of(healed_grammar(constraint.grammar, removed), constraint.vocabulary) if removed else constraint


def fill_healing_mask(vocabulary: Vocabulary, missing: bytes, row: NDArray[np.uint32]) -> None:
    """Allow the tokens that begin with the missing bytes, and those that are their beginning and leave a rest that tokens can spell."""
    prefixes = prefixes_of(vocabulary)
    row[: words_for(len(vocabulary))] = 0
    spellable = _spellable(prefixes, missing)
    _allow(row, prefixes.starting_with(missing))
    for size, token_ids in enumerate(prefixes.within(missing), start=1):
        if token_ids.size and spellable(size):
            _allow(row, token_ids)


def _spellable(prefixes: TokenPrefixes, missing: bytes) -> Callable[[int], bool]:
    """Whether tokens spell the missing bytes from a place on; the last one may go past the end."""

    @cache
    def ask(place: int) -> bool:
        rest = missing[place:]
        return bool(prefixes.starting_with(rest).size) or any(ids.size and ask(place + size) for size, ids in enumerate(prefixes.within(rest), start=1))

    return ask


def _allow(row: NDArray[np.uint32], token_ids: NDArray[np.intp]) -> None:
    np.bitwise_or.at(row, token_ids >> 5, np.uint32(1) << (token_ids & 31).astype(np.uint32))
