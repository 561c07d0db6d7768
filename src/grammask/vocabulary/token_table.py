"""What every reader returns, and the few facts that all of them share.

Rule: a reader only reports what its source says; `Vocabulary` decides what becomes of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grammask.errors import LimitError, TokenizerFormatError

__all__ = ["MAX_TOKENS", "OTHER_KIND", "Encode", "TokenTable", "checked_path", "dense", "known_ends", "read_file"]

Encode = Callable[[str], list[int]]

MAX_TOKENS = 1 << 22  # the largest vocabulary seen has 262,144 ids; an id in a file must not decide how much memory we take

OTHER_KIND = "grammask.Vocabulary.from_path tells kinds of files apart"  # the hint of a reader of one kind, given a file of another

# Tokens that end a turn whatever the model, because files often name only one of several. llama.cpp keeps such a list too.
_END_NAMES = frozenset(
    (
        "</s>", "<eos>", "[EOS]", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|eom_id|>", "<|im_end|>", "<|end|>",
        "<|return|>", "<|call|>", "<|calls|>", "<|flush|>", "<end_of_turn>", "<end_of_utterance>", "<turn|>", "<EOT>", "_<EOT>", "[EOT]",
        "<\N{FULLWIDTH VERTICAL LINE}end\N{LOWER ONE EIGHTH BLOCK}of\N{LOWER ONE EIGHTH BLOCK}sentence\N{FULLWIDTH VERTICAL LINE}>",
    )
)  # fmt: skip


@dataclass(slots=True)
class TokenTable:
    """What a reader found.

    source: the path or kind of object, for errors.  tokens: index = id, b"" carries no text.
    specials: name -> id of what carries no text.  ends: ids that the source marks as ends.
    encode: text -> ids that spell exactly this text (no prefix space, no special tokens), or None.
    """

    source: str
    tokens: list[bytes]
    specials: dict[str, int] = field(default_factory=dict)
    ends: tuple[int, ...] = ()
    encode: Encode | None = None


def dense(by_id: Mapping[int, bytes], source: str) -> list[bytes]:
    """The tokens as a list, b"" at the ids that nobody uses.

    Raises TokenizerFormatError for a negative id, LimitError for one that is absurdly large.
    """
    if not by_id:
        raise TokenizerFormatError(source, "it has no tokens")
    low, high = min(by_id), max(by_id)
    if low < 0:
        raise TokenizerFormatError(source, f"it has a negative token id, {low}")
    if high >= MAX_TOKENS:
        raise LimitError(f"the highest token id of {source}", high, MAX_TOKENS - 1)
    tokens = [b""] * (high + 1)
    for token_id, token in by_id.items():
        tokens[token_id] = token
    return tokens


def known_ends(names: Mapping[str, int]) -> tuple[int, ...]:
    """Those of `names` that end an output in the models that have them.

    `<|end|>` closes one channel, not the output, where `<|return|>` exists beside it (the harmony format).
    """
    skipped = {"<|end|>"} if "<|return|>" in names or "<|flush|>" in names else set()
    return tuple(token_id for name, token_id in names.items() if name in _END_NAMES - skipped)


def checked_path(path: object) -> Path:
    """The path. Raises TokenizerFormatError for an object that is none, and for a text that can name no file."""
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        raise TokenizerFormatError(type(path).__name__, "a path is needed, a str or os.PathLike")
    if not os.fspath(path):
        raise TokenizerFormatError("''", "the path is empty")
    try:
        if b"\0" in os.fsencode(path):
            raise TokenizerFormatError(ascii(os.fspath(path)), "no path holds the character NUL")
    except UnicodeEncodeError:
        raise TokenizerFormatError(ascii(os.fspath(path)), "no path holds a lone surrogate") from None
    return Path(path)


def read_file(path: str | os.PathLike[str], hint: str = "") -> bytes:
    """The whole file. Raises TokenizerFormatError if there is no such file or it cannot be read."""
    place = checked_path(path)
    try:
        return place.read_bytes()
    except OSError as error:
        raise TokenizerFormatError(os.fspath(path), error.strerror or str(error), hint) from error
    except ValueError as error:
        raise TokenizerFormatError(ascii(path), f"no file can have this name ({error})") from error
