"""Outputs cut into tokens as the model's own tokenizer would cut their text: which of the tokens drawn lead to such an output.

A token is admitted if a *witness* is found: tokens behind it that complete the output, so that all of it is what the tokenizer makes of its text.
The witness of the last token taken is kept, so its next token can always be taken, and no output gets stuck.
Where tokenizers split words first, whether two tokens may stand side by side depends on the text around them; so it is the tokenizer that is asked,
about tokens that were drawn, and not a table of pairs about all of them.
Rule: what is admitted is exact; of what is refused, a completion may exist that the search for a witness does not try.
Below: canonical_pairs, matcher, prefixes.  Above: generate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from grammask.decoding.canonical_pairs import packed, pairs_of
from grammask.decoding.matcher import Matcher
from grammask.decoding.prefixes import prefixes_of
from grammask.errors import SamplingError
from grammask.vocabulary import Vocabulary

__all__ = ["CanonicalPath", "completions", "is_canonical"]

# Tokens before the end that the tokenizer is shown first; all of them if it cuts these in another way.
_WINDOW = 48
# Completions tried for a token, beside the shortest: where the text so far is what the tokenizer makes of it, and where it is not (then only a
# text behind it can mend that, as the first letter behind blanks does).
_TRIES, _TRIES_IN_DOUBT = 96, 6
# Begins completions that are tried first: letters, a blank, what ends words.
_LIKELY = b'a t.1"A,\n'
# Texts that stand for what may follow where there is no grammar.
_FREE = (b"", b"a", b" a", b".", b"1", b"\n", b" ")


def is_canonical(vocabulary: Vocabulary, token_ids: Sequence[int]) -> bool:
    """Whether the tokenizer makes these tokens of their text; special tokens part texts. Raises SamplingError for a vocabulary without `encode`."""
    return _rest(vocabulary, (), token_ids) == list(token_ids)


class CanonicalPath:
    """One output on its way.

    matcher: at its start, moved by the caller; None without a grammar. refused: tokens that were drawn in vain.
    is_given_up: no canonical output was found, so every token is admitted.
    Cost of a question: the tokenizer's for the last 48 tokens, a tenth of a millisecond and more; up to a hundred times that for a token refused.
    """

    def __init__(self, vocabulary: Vocabulary, matcher: Matcher | None) -> None:
        if vocabulary.encode is None:
            raise SamplingError("canonical", True, "the vocabulary has no `encode` to ask how the model's tokenizer cuts a text")
        self._vocabulary, self._matcher = vocabulary, matcher
        self._pairs = pairs_of(vocabulary)
        self._without_text = np.array([not token for token in vocabulary.tokens]) if self._pairs is not None else np.empty(0, dtype=bool)
        self._witness = self._found([], matcher)
        self._next: list[int] | None = None
        self.refused = 0
        self.is_given_up = self._witness is None

    @property
    def witness(self) -> list[int]:
        """Tokens that complete the output, and are the tokenizer's."""
        return list(self._witness or [])

    def admits(self, token_ids: Sequence[int], token_id: int) -> bool:
        """Whether the output so far (`token_ids`) may go on with this token; if so and it is taken, call `took`."""
        if self.is_given_up:
            return True
        self._next = self._behind(token_ids, token_id)
        self.refused += self._next is None
        return self._next is not None

    def narrowed(self, row: NDArray[np.uint32], token_ids: Sequence[int]) -> NDArray[np.uint32]:
        """The mask without tokens that the tokenizer would write behind the output so far in no text at all, where a look at the last token tells that."""
        if self._pairs is None or self.is_given_up:
            return row
        following = self._pairs.next_to(_tail(self._vocabulary, token_ids)[-3:]) | self._without_text
        kept: NDArray[np.uint32] = row & packed(following)
        return kept if kept.any() else row

    def fallback(self, token_id: int) -> int:
        """The token to take where none was admitted: the witness's next; with nothing to go by this one, and from here on any."""
        if not self._witness:
            self.is_given_up, self._next = True, None
            return token_id
        self._next = self._witness[1:]
        return self._witness[0]

    def took(self) -> None:
        """The token that was admitted last is taken."""
        self._witness = self._next

    def _behind(self, token_ids: Sequence[int], token_id: int) -> list[int] | None:
        """A witness behind a token."""
        if self._witness and self._witness[0] == token_id:
            return self._witness[1:]
        if token_id in self._vocabulary.eos_ids:
            return [] if _rest(self._vocabulary, token_ids, []) == [] else None
        after = None
        if self._matcher is not None:
            after = self._matcher.copy()
            after.advance(token_id)
        return self._found([*token_ids, token_id], after)

    def _found(self, token_ids: Sequence[int], after: Matcher | None) -> list[int] | None:
        settled = _rest(self._vocabulary, token_ids, []) == [] or not _is_text(self._vocabulary, token_ids)
        tries = _TRIES if settled else _TRIES_IN_DOUBT
        for number, completion in enumerate(self._free() if after is None else completions(after)):
            if number > tries:
                break
            rest = _rest(self._vocabulary, token_ids, completion)
            if rest is not None and _is_legal(after, rest):
                return rest
        return None

    def _free(self) -> Iterator[list[int]]:
        """What may follow where there is no grammar, in tokens."""
        encode = self._vocabulary.encode
        assert encode is not None  # else this would not have been made
        yield from (list(encode(text.decode())) for text in _FREE)
        by_byte = {token[0]: token_id for token_id, token in enumerate(self._vocabulary.tokens) if len(token) == 1}
        yield from ([by_byte[byte]] for byte in range(0x80, 0xC0) if byte in by_byte)


def completions(after: Matcher) -> Iterator[list[int]]:
    """Ways to complete an output: the shortest, then the shortest behind one more token, for each byte that this can begin with."""
    shortest = after.shortest_completion()
    if shortest is not None:
        yield shortest
    allowed = after.allowed_tokens()
    first_bytes, places = np.unique(prefixes_of(after.vocabulary).first_byte_of(allowed), return_index=True)
    for _, token_id in sorted(zip(map(_rank, first_bytes.tolist()), allowed[places].tolist(), strict=True)):
        if token_id in after.vocabulary.eos_ids:
            continue
        beyond = after.copy()
        beyond.advance(token_id)
        rest = beyond.shortest_completion()
        if rest is not None:
            yield [token_id, *rest]


def _rank(byte: int) -> int:
    return _LIKELY.find(byte) if byte < 256 and byte in _LIKELY else len(_LIKELY) + byte


def _is_legal(after: Matcher | None, rest: Sequence[int]) -> bool:
    if after is None:
        return True
    left = after.tokens_left
    return (left is None or len(rest) <= left) and after.draft(rest) == len(rest)


def _is_text(vocabulary: Vocabulary, token_ids: Sequence[int]) -> bool:
    """Whether no character is cut in two at the end."""
    try:
        vocabulary.decode(token_ids[-4:]).decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        return error.reason != "unexpected end of data"
    return True


def _rest(vocabulary: Vocabulary, token_ids: Sequence[int], completion: Sequence[int]) -> list[int] | None:
    """The tokenizer's tokens for the text of a completion, behind other tokens; None if it cuts the two, or the other tokens, in another way."""
    texts, specials = _parted(vocabulary, completion)
    tail = _tail(vocabulary, token_ids)
    window = tail[-_WINDOW:]
    rest = _continued(vocabulary, window, texts[0])
    if rest is None and len(window) < len(tail):
        rest = _continued(vocabulary, tail, texts[0])
    for special, text in zip(specials, texts[1:], strict=True):
        behind = _continued(vocabulary, [], text)
        if rest is None or behind is None:
            return None
        rest += [special, *behind]
    return rest


def _parted(vocabulary: Vocabulary, token_ids: Sequence[int]) -> tuple[list[bytes], list[int]]:
    """The texts between tokens without text, and these tokens."""
    texts, specials = [b""], []
    for token_id in token_ids:
        text = vocabulary.tokens[token_id]
        if text:
            texts[-1] += text
        else:
            specials.append(token_id)
            texts.append(b"")
    return texts, specials


def _tail(vocabulary: Vocabulary, token_ids: Sequence[int]) -> list[int]:
    """The tokens behind the last one without text."""
    start = next((place for place in range(len(token_ids), 0, -1) if not vocabulary.tokens[token_ids[place - 1]]), 0)
    return list(token_ids[start:])


def _continued(vocabulary: Vocabulary, token_ids: list[int], text: bytes) -> list[int] | None:
    encode = vocabulary.encode
    if encode is None:
        raise SamplingError("canonical", True, "the vocabulary has no `encode` to ask how the model's tokenizer cuts a text")
    whole = vocabulary.decode(token_ids) + text
    try:
        found = list(encode(whole.decode()))
    except UnicodeDecodeError:
        return None
    if found[: len(token_ids)] != token_ids or vocabulary.decode(found) != whole:
        return None
    return found[len(token_ids) :]
