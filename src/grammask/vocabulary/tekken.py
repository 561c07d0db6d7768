"""Reader for Mistral's tekken.json: tokens in base64 by rank, special tokens before them.

Ids: the first `default_num_special_tokens` are special, then the ranks follow; the file holds more ranks than are used.
"""

from __future__ import annotations

import binascii
import json
import os
from typing import Any

from grammask.errors import TokenizerFormatError
from grammask.vocabulary.encoders import MergeEncoder
from grammask.vocabulary.pretokenize import UnknownPatternError, compile_pattern
from grammask.vocabulary.token_table import MAX_TOKENS, TokenTable, known_ends, read_file

__all__ = ["read_tekken", "tekken_table"]

# Files before version 7 do not list their special tokens; these are theirs, in order.
_UNLISTED = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]",
    "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
)  # fmt: skip


def read_tekken(path: str | os.PathLike[str]) -> TokenTable:
    """The table of a file. Raises TokenizerFormatError."""
    data = read_file(path)
    source = os.fspath(path)
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise TokenizerFormatError(source, f"it is not JSON ({error})") from error
    return tekken_table(content, source)


def tekken_table(content: Any, source: str) -> TokenTable:
    """The table of a file's parsed content."""
    try:
        config = content["config"]
        n_special, n_tokens = _count(config["default_num_special_tokens"]), _count(config["default_vocab_size"])
        ranks = _ranks(content["vocab"], n_tokens - n_special)
        specials = _specials(content.get("special_tokens"), n_special)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise TokenizerFormatError(source, f"it is no tekken.json ({type(error).__name__}: {error})") from error
    tokens = [b""] * n_special + ranks
    return TokenTable(source, tokens, specials, known_ends(specials), _encoder(tokens, n_special, config.get("pattern")))


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MAX_TOKENS:
        raise ValueError(f"{value!r} is no number of tokens")
    return value


def _ranks(entries: list[dict[str, Any]], n_used: int) -> list[bytes]:
    """The tokens by rank; entries stand in order of rank, and those from n_used on are left for larger models."""
    if not 0 < n_used <= len(entries):
        raise ValueError(f"it lists {len(entries)} tokens and uses {n_used}")
    tokens = []
    for rank, entry in enumerate(entries[:n_used]):
        if entry["rank"] != rank:
            raise ValueError(f"entry {rank} of vocab has rank {entry['rank']!r}")
        tokens.append(binascii.a2b_base64(entry["token_bytes"], strict_mode=True))
    return tokens


def _specials(entries: list[dict[str, Any]] | None, n_special: int) -> dict[str, int]:
    names = dict.fromkeys(_UNLISTED[:n_special]) if entries is None else {}
    specials = {name: token_id for token_id, name in enumerate(names)}
    for entry in entries or ():
        if not 0 <= entry["rank"] < n_special:
            raise ValueError(f"special token {entry['token_str']!r} has rank {entry['rank']!r}")
        specials[entry["token_str"]] = entry["rank"]
    taken = set(specials.values())
    return specials | {f"<SPECIAL_{token_id}>": token_id for token_id in range(n_special) if token_id not in taken}


def _encoder(tokens: list[bytes], n_special: int, pattern: Any) -> MergeEncoder | None:
    if not isinstance(pattern, str):
        return None
    try:
        compiled = compile_pattern(pattern)
    except UnknownPatternError:
        return None
    ids = {token: token_id for token_id, token in enumerate(tokens) if token_id >= n_special}
    return MergeEncoder(ids=ids, ranks=ids, patterns=(compiled,), whole=True)
