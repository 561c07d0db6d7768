"""What a structural tag accepts, asked of each kernel."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from grammask.errors import TokenRefused
from grammask.grammar.grammar import Grammar
from grammask.grammar.lower import lower
from grammask.grammar.prepare import Spelling, prepare

SPECIALS = {"<think>": 260, "</think>": 261, "<|call|>": 262, "<|end|>": 263}
END = 256
TOKENS = [bytes([byte]) for byte in range(256)] + [b""] * 8 + [b"<fu", b"nct", b"ion=", b"x</", b"k><f"]
Verdict = Callable[[Grammar, str], str]


def token_ids(text: str) -> list[int]:
    """The bytes of a text, in which ⟦name⟧ is a special token."""
    ids: list[int] = []
    for piece in re.split("(⟦[^⟧]*⟧)", text):
        ids += [SPECIALS[piece[1:-1]]] if piece.startswith("⟦") else list(piece.encode())
    return ids


def kernel_names(kernel: str) -> Any:
    """Store, Bound and Matcher of a kernel. Skips if the compiled one was never built."""
    if kernel == "reference":
        return import_module("grammask.kernel.reference")
    store = pytest.importorskip("grammask.kernel.store", reason="the compiled kernel is not built: run `pip install -e .`")
    return SimpleNamespace(Store=store.Store, Bound=store.Bound, Matcher=import_module("grammask.kernel.matcher").Matcher)


@pytest.fixture(scope="session", params=["reference", "compiled"])
def verdict(request: pytest.FixtureRequest) -> Verdict:
    """What a text is to a grammar on each kernel in turn: "complete", "open", or "refused"."""
    names = kernel_names(request.param)
    store = names.Store(TOKENS, [END])
    spelling = Spelling([token for token in TOKENS if token])
    held: dict[Grammar, Any] = {}

    def asked(grammar: Grammar, text: str) -> str:
        if grammar not in held:
            table = lower(grammar.expression, specials=SPECIALS, tokens=TOKENS, eos_ids=[END])
            held.clear()
            held[grammar] = names.Matcher(names.Bound(store, table if request.param == "reference" else prepare(table, spelling)))
        matcher = held[grammar]
        matcher.reset()
        try:
            for token_id in token_ids(text):
                matcher.advance(token_id)
        except TokenRefused:
            return "refused"
        return "complete" if matcher.is_complete else "open"

    return asked
