"""What a structural tag accepts, asked of each kernel."""

from __future__ import annotations

import pytest

from ..kernels import Verdict, judge  # noqa: TID252 (the tests have no package name to import by)

SPECIALS = {"<think>": 260, "</think>": 261, "<|call|>": 262, "<|end|>": 263}
TOKENS = [bytes([byte]) for byte in range(256)] + [b""] * 8 + [b"<fu", b"nct", b"ion=", b"x</", b"k><f"]


@pytest.fixture(scope="session", params=["reference", "compiled"])
def verdict(request: pytest.FixtureRequest) -> Verdict:
    """What a text is to a grammar on each kernel in turn: "complete", "open", or "refused"."""
    return judge(request.param, TOKENS, SPECIALS)
