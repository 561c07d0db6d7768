"""What an expression accepts, asked of each kernel."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from grammask.errors import EmptyLanguageError, NoExitError, TokenRefused
from grammask.grammar.expression import Expression
from grammask.grammar.lower import lower
from grammask.grammar.prepare import Spelling, prepare

END = 256
TOKENS = [bytes([byte]) for byte in range(256)] + [b"", b"ab"]
Accepted = Callable[[Expression, list[str]], list[bool]]


@pytest.fixture(scope="session", params=["reference", "compiled"])
def accepted(request: pytest.FixtureRequest) -> Accepted:
    """Which of the texts, in single bytes, are complete texts of an expression, on each kernel in turn."""
    if request.param == "reference":
        names: Any = import_module("grammask.kernel.reference")
    else:
        store_module = pytest.importorskip("grammask.kernel.store", reason="the compiled kernel is not built: run `pip install -e .`")
        names = SimpleNamespace(Store=store_module.Store, Bound=store_module.Bound, Matcher=import_module("grammask.kernel.matcher").Matcher)
    store = names.Store(TOKENS, [END])
    spelling = Spelling([token for token in TOKENS if token])

    def asked(expression: Expression, texts: list[str]) -> list[bool]:
        try:
            table = lower(expression, specials={}, tokens=TOKENS, eos_ids=[END])
        except (EmptyLanguageError, NoExitError):
            return [False] * len(texts)
        matcher = names.Matcher(names.Bound(store, table if request.param == "reference" else prepare(table, spelling)))
        return [takes(matcher, text) for text in texts]

    return asked


def takes(matcher: Any, text: str) -> bool:
    matcher.reset()
    try:
        for byte in text.encode():
            matcher.advance(byte)
    except TokenRefused:
        return False
    return bool(matcher.is_complete)
