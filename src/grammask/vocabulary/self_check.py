"""The check made once when a vocabulary is read: do the bytes we hold spell what the tokenizer encodes?

Most mistakes about tokenizers are silent: a leading space lost, half a character held as U+FFFD, a table off by one.
Rule: nothing is left out but what the tokenizer itself says it has no tokens for: a character that alone it encodes as
nothing, as its unknown token or with a byte missing, and a text in which its unknown token still comes up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from grammask.errors import TokenizerMismatchError
from grammask.vocabulary.token_table import Encode

__all__ = ["TEXTS", "check_encoding"]

TEXTS = (
    "The quick brown fox jumps over the lazy dog.",
    '{"name": "Ada", "n": -12.5e3, "ok": [true, false, null], "s": "a\\n\\u00e9"}',
    "  two leading spaces,   three inside, two trailing  ",
    "\tif x != 0:\r\n\t\treturn 1234567890\n\n\n",
    " ",
    "\n",
    "na\u00efve fa\u00e7ade, combining: e\u0301 n\u0303 o\u0308\u0323",
    "\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3002\u4e2d\u6587\uff0c\ud55c\uad6d\uc5b4\U00020bb7",
    "\u041f\u0440\u0438\u0432\u0435\u0442 \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u0939\u093f\u0928\u094d\u0926\u0940 \u0e01\u0e47",
    "emoji \U0001f469\U0001f3fd\u200d\U0001f680\U0001f1eb\U0001f1f7 \u2764\ufe0f done",
)


def check_encoding(tokens: Sequence[bytes], specials: Collection[int], encode: Encode, texts: Sequence[str] = TEXTS) -> None:
    """Encode every text and compare the tokens' bytes, one leading space apart (the prefix that sentencepiece adds).

    specials: ids that carry no text on purpose.
    Raises TokenizerMismatchError, which names the first token that does not fit. Cost: some milliseconds.
    """
    for text in texts:
        if _misfit(tokens, text, encode(text)) is None:
            continue
        text = "".join([c for c in text if not _is_beyond(tokens, specials, c, encode(c))])
        ids = encode(text)
        wrong = _misfit(tokens, text, ids)
        if wrong is not None and not any(token_id in specials for token_id in ids):
            token_id, reason = wrong
            raise TokenizerMismatchError(token_id, tokens[token_id] if 0 <= token_id < len(tokens) else b"", text, reason)


def _misfit(tokens: Sequence[bytes], text: str, ids: Sequence[int]) -> tuple[int, str] | None:
    """The first id whose bytes are not what the text has there, and why; None if all of the text is spelled."""
    exact = _first_difference(tokens, text.encode(), ids)
    return exact and _first_difference(tokens, b" " + text.encode(), ids) and exact


def _first_difference(tokens: Sequence[bytes], expected: bytes, ids: Sequence[int]) -> tuple[int, str] | None:
    at = 0
    for token_id in ids:
        if not 0 <= token_id < len(tokens):
            return token_id, f"the vocabulary has {len(tokens)} ids"
        token = tokens[token_id]
        if not token or expected[at : at + len(token)] != token:
            return token_id, f"the text has {expected[at : at + max(1, len(token))]!r} there"
        at += len(token)
    if at < len(expected):
        return ids[-1] if ids else -1, f"the encoding ends where the text goes on with {expected[at : at + 16]!r}"
    return None


def _is_beyond(tokens: Sequence[bytes], specials: Collection[int], character: str, ids: Sequence[int]) -> bool:
    """Whether the tokenizer itself has no tokens for this character."""
    if not ids or any(token_id in specials for token_id in ids):
        return True
    if _misfit(tokens, character, ids) is None or any(not 0 <= token_id < len(tokens) or not tokens[token_id] for token_id in ids):
        return False
    spelled = b"".join([tokens[token_id] for token_id in ids])
    wanted = iter(character.encode())
    return len(spelled) < len(character.encode()) and all(byte in wanted for byte in spelled)
