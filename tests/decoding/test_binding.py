"""What constraints of one vocabulary share, and how it is renewed."""

from __future__ import annotations

import pytest

import grammask
from grammask.decoding.binding import bindings_of
from grammask.kernel import KERNEL


@pytest.mark.skipif(KERNEL != "compiled", reason="only the compiled kernel gathers states")
def test_a_store_that_fills_up_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many large grammars over one vocabulary: each compiles, in one store after another, and the first goes on where it was."""
    monkeypatch.setattr("grammask.kernel.store.STORE_BYTES", 1 << 21)
    monkeypatch.setattr("grammask.kernel.store.WORN_BYTES", 1 << 20)
    tokens = [bytes([byte]) for byte in range(256)] + [b""]
    vocabulary = grammask.Vocabulary(tokens, eos_ids=[256])
    first = grammask.compile(grammask.regex("a{3}|b+"), vocabulary).matcher()
    stores = set()
    for number in range(40):
        matcher = grammask.compile(grammask.json_schema({"type": "string", "pattern": f"^(a|b){{{number},99}}c?$"}), vocabulary).matcher()
        for byte in b'"' + b"ab" * 40:
            assert matcher.count() > 0
            matcher.advance(byte)
        stores.add(id(bindings_of(vocabulary).store))
    assert len(stores) > 1
    for byte in b"aaa":
        first.advance(byte)
    assert first.is_complete
