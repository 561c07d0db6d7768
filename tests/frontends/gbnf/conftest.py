"""What a grammar accepts, asked of each kernel."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grammask.grammar.grammar import Grammar

from ..kernels import judge  # noqa: TID252 (the tests have no package name to import by)

SPECIALS = {"<think>": 300, "</think>": 301, "<tool>": 302, "<|end|>": 303}
TOKENS = [bytes([byte]) for byte in range(256)] + [b""] * 48 + [b"ab"]
Accepts = Callable[[Grammar, str], bool]


@pytest.fixture(scope="session", params=["reference", "compiled"])
def accepts(request: pytest.FixtureRequest) -> Accepts:
    """Whether a text, in single bytes, is a complete text of a grammar, on each kernel in turn."""
    verdict = judge(request.param, TOKENS, SPECIALS)
    return lambda grammar, text: verdict(grammar, text) == "complete"
