"""The kernels under test, by name, and how each is bound to a grammar.

Rule: a compiled kernel that was never built is skipped with the reason; one that was built and does not import is a failure.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

KERNELS = ("reference", "compiled")


def is_built() -> bool:
    """Whether a compiled module lies beside the kernel's sources."""
    package = find_spec("grammask")
    folders = [Path(folder) / "kernel" for folder in (package.submodule_search_locations or [])] if package else []
    return any(path for folder in folders for pattern in ("*.so", "*.pyd") for path in folder.glob(pattern))


if not is_built():
    # The package refuses to import without a kernel; so that its twin can be tested on a bare checkout, it is named here.
    os.environ.setdefault("GRAMMASK_KERNEL", "reference")

from grammask.kernel.tables import RuleTable  # noqa: E402  (after the kernel was chosen)

from .tidy import tidied  # noqa: E402


def names_of(kernel: str) -> Any:
    """A kernel's Store, Bound and Matcher. Skips the test if it is the compiled one and was never built."""
    if kernel == "reference":
        return import_module("grammask.kernel.reference")
    if not is_built():
        pytest.skip("the compiled kernel is not built: run `pip install -e .`")
    store, matcher = import_module("grammask.kernel.store"), import_module("grammask.kernel.matcher")
    return SimpleNamespace(Store=store.Store, Bound=store.Bound, Matcher=matcher.Matcher)


class Kernel:
    """One implementation: stores, and grammars bound from raw tables."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = names_of(name)

    def bind(self, root: RuleTable, tokens: Sequence[bytes], eos_ids: Sequence[int], store: Any = None) -> Any:
        """A Bound of raw tables; the compiled kernel takes them prepared."""
        store = store or self.module.Store(list(tokens), list(eos_ids))
        return self.module.Bound(store, self.prepared(root, tokens, eos_ids))

    def prepared(self, root: RuleTable, tokens: Sequence[bytes], eos_ids: Sequence[int]) -> RuleTable:
        """The tables as this kernel wants them: raw for the twin, prepared for the vocabulary for the compiled kernel."""
        if self.name == "reference":
            return root
        rooms = import_module("grammask.grammar.prepare")
        prepared: RuleTable = rooms.prepare(tidied(root), rooms.Spelling([token for i, token in enumerate(tokens) if i not in eos_ids]))
        return prepared

    def matcher(self, root: RuleTable, tokens: Sequence[bytes], eos_ids: Sequence[int]) -> Any:
        """A matcher at the start."""
        return self.module.Matcher(self.bind(root, tokens, eos_ids))
