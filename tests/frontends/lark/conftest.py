"""Fixtures for tests of the Lark front end."""

from __future__ import annotations

import pytest

from .support import Kernel

KERNELS: dict[str, Kernel] = {}


@pytest.fixture(params=["compiled", "reference"])
def kernel(request: pytest.FixtureRequest) -> Kernel:
    """Each kernel in turn, with one store for all tests."""
    if request.param not in KERNELS:
        KERNELS[request.param] = Kernel(request.param)
    return KERNELS[request.param]
