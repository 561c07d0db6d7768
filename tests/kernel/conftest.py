"""Fixtures for tests that run on every kernel."""

from __future__ import annotations

import pytest

from .kernels import KERNELS, Kernel


@pytest.fixture(params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> Kernel:
    """Each kernel in turn; the compiled one is skipped if it was never built."""
    return Kernel(request.param)


@pytest.fixture
def reference() -> Kernel:
    """The plain-Python twin."""
    return Kernel("reference")


@pytest.fixture
def compiled() -> Kernel:
    """The compiled kernel; skipped if it was never built."""
    return Kernel("compiled")
