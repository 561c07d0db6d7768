"""The tools, the outputs of each style and the vocabularies that the tests of tool grammars share."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from grammask.frontends.tools import Style, read_style
from grammask.vocabulary import Vocabulary
from grammask.vocabulary.tiktoken import parse_ranks

DATA = Path(__file__).parents[2] / "data" / "tool_styles.toml"
PATTERN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"

TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "The weather in a city.",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
                "required": ["city"],
                "additionalProperties": False,
            },
        },
    },
    {
        "name": "add",
        "description": "The sum of two whole numbers.",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "required": ["a", "b"],
            "additionalProperties": False,
        },
    },
    {"type": "function", "function": {"name": "ping", "description": "Nothing."}},
]


def cases() -> list[dict[str, Any]]:
    """The outputs of tests/data/tool_styles.toml."""
    return tomllib.loads(DATA.read_text("utf-8"))["case"]


@cache
def _llama3_tokens() -> list[bytes]:
    spec = find_spec("llama_models")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("the package llama_models is not installed (tests/tokenizers.txt)")
    path = Path(spec.submodule_search_locations[0]).joinpath("llama3", "tokenizer.model")
    ranks = parse_ranks(path.read_bytes(), str(path))
    tokens = [b""] * len(ranks)
    for token, rank in ranks.items():
        tokens[rank] = token
    return tokens


@cache
def family_vocabulary(name: str) -> Vocabulary:
    """Llama-3's tokens, and behind them the special tokens and end tokens of a style."""
    style = read_style(name)
    tokens = _llama3_tokens()
    special = {token: len(tokens) + number for number, token in enumerate((*style.special_tokens, *style.end_tokens))}
    ends = [special[token] for token in style.end_tokens]
    encode = _ordinary_encode(len(tokens))
    return Vocabulary([*tokens, *[b""] * len(special)], ends, special, encode)


@cache
def _ordinary_encode(n_tokens: int) -> Any:
    import tiktoken

    ranks = {token: rank for rank, token in enumerate(_llama3_tokens())}
    return tiktoken.Encoding("llama3", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={}, explicit_n_vocab=n_tokens).encode


def byte_vocabulary(style: Style) -> Vocabulary:
    """One token a byte, and the special tokens and end tokens of a style."""
    special = {token: 256 + number for number, token in enumerate((*style.special_tokens, *style.end_tokens))}
    ends = [special[token] for token in style.end_tokens]
    return Vocabulary([bytes([byte]) for byte in range(256)] + [b""] * len(special), ends, special, lambda text: list(text.encode()))


def ids_of(vocabulary: Vocabulary, output: str) -> list[tuple[int, int]]:
    """The token ids of an output with special tokens by name, each with the place in bytes at which it begins."""
    assert vocabulary.encode is not None
    names = sorted((name for name, token in vocabulary.specials.items() if token not in vocabulary.eos_ids), key=len, reverse=True)
    found, at = [], 0
    for piece in re.split("(" + "|".join(map(re.escape, names)) + ")", output) if names else [output]:
        tokens = [vocabulary.specials[piece]] if piece in names else vocabulary.encode(piece)
        for token in tokens:
            found.append((token, at))
            at += len(vocabulary.tokens[token] or piece.encode())
    return found
