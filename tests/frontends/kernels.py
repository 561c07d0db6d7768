"""What a text is to a grammar, asked of one kernel or the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from grammask.errors import TokenRefused
from grammask.grammar.grammar import Grammar
from grammask.grammar.lower import lower
from grammask.grammar.prepare import Spelling, prepare

END = 256
Verdict = Callable[[Grammar, str], str]


def token_ids(text: str, specials: Mapping[str, int]) -> list[int]:
    """The bytes of a text, in which ⟦name⟧ is a special token."""
    ids: list[int] = []
    for piece in re.split("(⟦[^⟧]*⟧)", text):
        ids += [specials[piece[1:-1]]] if piece.startswith("⟦") else list(piece.encode())
    return ids


def kernel_names(kernel: str) -> Any:
    """Store, Bound and Matcher of a kernel. Skips if the compiled one was never built."""
    if kernel == "reference":
        return import_module("grammask.kernel.reference")
    store = pytest.importorskip("grammask.kernel.store", reason="the compiled kernel is not built: run `pip install -e .`")
    return SimpleNamespace(Store=store.Store, Bound=store.Bound, Matcher=import_module("grammask.kernel.matcher").Matcher)


def judge(kernel: str, tokens: Sequence[bytes], specials: Mapping[str, int]) -> Verdict:
    """Tells of a text, in single bytes and special tokens, whether it is "complete" under a grammar, "open", or "refused"."""
    names = kernel_names(kernel)
    store = names.Store(list(tokens), [END])
    spelling = Spelling([token for token in tokens if token])
    held: dict[Grammar, Any] = {}

    def asked(grammar: Grammar, text: str) -> str:
        if grammar not in held:
            table = lower(grammar.expression, specials=specials, tokens=tokens, eos_ids=[END])
            held.clear()
            held[grammar] = names.Matcher(names.Bound(store, table if kernel == "reference" else prepare(table, spelling)))
        matcher = held[grammar]
        matcher.reset()
        try:
            for token_id in token_ids(text, specials):
                matcher.advance(token_id)
        except TokenRefused:
            return "refused"
        return "complete" if matcher.is_complete else "open"

    return asked
