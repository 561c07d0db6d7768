"""The fewest tokens that complete an output: an upper bound that is always a legal way to the end.

Rule: the shortest completion in bytes is found by the kernel and spelled here; only where no tokens spell it are tokens tried.
Below: kernel, spelling.  Above: matcher.
"""

from __future__ import annotations

from collections.abc import Sequence

from grammask import kernel
from grammask.decoding.speller import Speller

__all__ = ["shortest_completion"]

# Tokens tried in a search before it gives up. Vocabularies that need one are small, or need it for a few bytes only.
_SEARCH_TOKENS = 5_000


def shortest_completion(matcher: kernel.Matcher, speller: Speller) -> list[int] | None:
    """Token ids, the end token not among them, after which the output is complete; [] if it is complete already.

    They are the fewest that spell the shortest completion in bytes, which may be more than the fewest of any completion.
    None if none was found: the matcher is stuck, or completions need special tokens and lie deeper than a short search.
    The state is unchanged. Cost: see `Speller.fewest`.
    """
    if matcher.is_complete or matcher.is_finished:
        return []
    text = kernel.Matcher.shortest_bytes(matcher)  # in which special tokens may have bytes (`respelled`)
    token_ids = speller.fewest(text) if text is not None else None
    if token_ids is not None and (speller.spells_every_byte or _completes(matcher, token_ids)):
        return token_ids
    return _searched(matcher)


def _completes(matcher: kernel.Matcher, token_ids: Sequence[int]) -> bool:
    """Whether the tokens are legal in a row and end in a complete output."""
    after = matcher.copy()
    return after.draft(token_ids) == len(token_ids) and _advanced(after, token_ids).is_complete


def _searched(matcher: kernel.Matcher) -> list[int] | None:
    """Breadth first over tokens, each state once: the fewest tokens of all, if the search gets that far."""
    seen = {matcher.state_key()}
    tried = 0
    for here, path in (queue := [(matcher, list[int]())]):
        for token_id in here.allowed_tokens().tolist():
            tried += 1
            if tried > _SEARCH_TOKENS:
                return None
            after = _advanced(here.copy(), [token_id])
            if after.is_complete:
                return [*path, token_id]
            key = after.state_key()
            if key not in seen:
                seen.add(key)
                queue.append((after, [*path, token_id]))
    return None


def _advanced(matcher: kernel.Matcher, token_ids: Sequence[int]) -> kernel.Matcher:
    for token_id in token_ids:
        matcher.advance(token_id)
    return matcher
