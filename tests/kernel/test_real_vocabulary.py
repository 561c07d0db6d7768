"""The compiled kernel against its twin over a real vocabulary: what only a large trie brings about, as sets of thousands of tokens."""

from __future__ import annotations

import base64
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grammask.kernel.tables import RuleTable, TextTable

from . import random_grammars
from .kernels import Kernel
from .laws import mask_of
from .random_grammars import N_SPECIALS, network
from .scale import THOROUGH, n_cases
from .text_tables import text_of

ANY_STRING = ("text", TextTable("string", b"any string"))
SPACE = ("star", ("alt", b" ", b"\n"))
VALUE = ("rule", 0)
JSON = network(
    [
        ("alt", ("rule", 1), ("rule", 2), ("seq", b'"', ANY_STRING), ("rule", 3), b"true", b"false", b"null"),
        ("seq", b"{", SPACE, ("opt", ("seq", ("rule", 4), ("star", ("seq", b",", SPACE, ("rule", 4))))), SPACE, b"}"),
        ("seq", b"[", SPACE, ("opt", ("seq", VALUE, ("star", ("seq", b",", SPACE, VALUE)))), SPACE, b"]"),
        ("seq", ("opt", b"-"), ("alt", b"0", ("seq", ("range", 0x31, 0x39), ("star", ("range", 0x30, 0x39)))), ("opt", ("seq", b".", ("range", 0x30, 0x39)))),
        ("seq", b'"', ANY_STRING, b":", SPACE, VALUE),
    ]
)


@cache
def llama3_tokens() -> list[bytes]:
    """Every byte and a part of Llama 3's tokens (all of them in thorough runs), then two specials, an end and one more without text."""
    package = find_spec("llama_models")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the package llama_models is not installed (tests/tokenizers.txt)")
    path = Path(package.submodule_search_locations[0]) / "llama3" / "tokenizer.model"
    tokens = [base64.b64decode(line.split()[0]) for line in path.read_bytes().splitlines() if line]
    kept = tokens if THOROUGH else tokens[:2_000] + tokens[2_000::9]
    return kept + [b""] * (N_SPECIALS + 2)


def same_masks(reference: Kernel, compiled: Kernel, stores: tuple[Any, Any], root: RuleTable, rng: Random, steps: int) -> None:
    tokens = llama3_tokens()
    end = [len(tokens) - 2]
    twin = reference.module.Matcher(reference.bind(root, tokens, end, store=stores[0]))
    matcher = compiled.module.Matcher(compiled.bind(root, tokens, end, store=stores[1]))
    taken: list[bytes] = []
    for _ in range(steps):
        expected = mask_of(twin)
        different = sorted(set(twin.allowed_tokens().tolist()) ^ set(matcher.allowed_tokens().tolist()))
        assert mask_of(matcher).tobytes() == expected.tobytes(), f"{[tokens[i] for i in different[:9]]} after {taken}: {random_grammars.Case('', '', root, [])}"
        onward = [token_id for token_id in twin.allowed_tokens().tolist() if token_id not in end]
        if not onward:
            break
        taken.append(tokens[token_id := rng.choice(onward)])
        twin.advance(token_id)
        matcher.advance(token_id)


@pytest.fixture(scope="module")
def stores() -> tuple[Any, Any]:
    """The real vocabulary in a store of each kernel."""
    tokens = llama3_tokens()
    kernels = Kernel("reference"), Kernel("compiled")
    return kernels[0].module.Store(tokens, [len(tokens) - 2]), kernels[1].module.Store(tokens, [len(tokens) - 2])


def test_json_has_the_masks_of_the_twin(reference: Kernel, compiled: Kernel, stores: tuple[Any, Any]) -> None:
    """Any JSON, along random tokens: keys, strings, numbers, nesting and spaces."""
    for number in range(n_cases(4, 40)):
        same_masks(reference, compiled, stores, JSON, Random(number), 10)


@pytest.mark.parametrize("family", ["text", "wide text"])
def test_texts_have_the_masks_of_the_twin(reference: Kernel, compiled: Kernel, stores: tuple[Any, Any], family: str) -> None:
    """Patterns, lengths and excluded strings of random kinds over the real vocabulary."""
    for number, case in enumerate(random_grammars.cases(n_cases(8, 150), seed=211, families=(family,), kinds=("bytes",))):
        same_masks(reference, compiled, stores, case.root, Random(number), 5)


@pytest.mark.parametrize("maximum", [1, 2, 10, 24, 25, 300])
def test_lengths_have_the_masks_of_the_twin(reference: Kernel, compiled: Kernel, stores: tuple[Any, Any], maximum: int) -> None:
    """A bound on the length, below and above the length of the longest tokens."""
    text = TextTable("short", f"up to {maximum}".encode(), maximum=maximum)
    same_masks(reference, compiled, stores, network([("seq", b'"', ("text", text), b",")]), Random(maximum), 6)


@pytest.mark.parametrize(
    ("name", "ranges"),
    [
        ("letters", [(0x61, 0x7A)]),
        ("identifiers", [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)]),
        ("all but space", [(0x21, 0xD7FF), (0xE000, 0x10FFFF)]),
        ("Cyrillic and CJK", [(0x400, 0x4FF), (0x4E00, 0x9FFF)]),
        ("astral", [(0x1F300, 0x1FAFF)]),
        ("controls", [(0x00, 0x1F)]),
    ],
)
@pytest.mark.parametrize("bounds", [(1, None), (2, 5)], ids=["unbounded", "bounded"])
def test_classes_of_characters_have_the_masks_of_the_twin(
    reference: Kernel, compiled: Kernel, stores: tuple[Any, Any], name: str, ranges: list[tuple[int, int]], bounds: tuple[int, int | None]
) -> None:
    """Strings over one class of characters, along random tokens, which end inside characters too."""
    text = text_of("class", f"{name} {bounds}".encode(), 1, [(0, 0, low, high) for low, high in ranges], (0,), frozenset([0]), *bounds)
    same_masks(reference, compiled, stores, network([("seq", b'"', ("text", text), b",")]), Random(name), 6)
