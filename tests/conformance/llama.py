"""Llama 3's tokens, and texts cut into them as they happen to be."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

import grammask

END = 128_001


@cache
def vocabulary() -> grammask.Vocabulary:
    """Llama 3's 128,256 ids; skips where the package with its tokens is absent."""
    package = find_spec("llama_models")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the package llama_models is not installed (tests/tokenizers.txt)")
    path = Path(package.submodule_search_locations[0]) / "llama3" / "tokenizer.model"
    tokens = [base64.b64decode(line.split()[0]) for line in path.read_bytes().splitlines() if line]
    return grammask.Vocabulary([*tokens, *[b""] * (128_256 - len(tokens))], eos_ids=[END])


@cache
def by_bytes() -> dict[bytes, int]:
    """The ids of tokens by their bytes."""
    return {token: token_id for token_id, token in enumerate(vocabulary().tokens) if token}


def split(text: bytes, rng: Random) -> Iterator[int]:
    """Tokens that spell a text, each as long as it happens to be."""
    at = 0
    while at < len(text):
        sizes = [size for size in range(1, 13) if text[at : at + size] in by_bytes() and at + size <= len(text)]
        size = rng.choice(sizes[-3:])
        yield by_bytes()[text[at : at + size]]
        at += size
