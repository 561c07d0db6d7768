"""Python's garbage collector, held off while a grammar is built.

Rule: what is built here stays, and holds hardly a cycle, so the collector's passes over it find nothing; they took an eighth of the time for a
grammar of some hundred tools. All threads share one collector, so the last to leave sets it going again, if it was going when the first came.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["without_collecting"]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class _Pause:
    """How many threads are at work, and whether the collector went when the first of them came."""

    def __init__(self) -> None:
        self.lock, self.inside, self.was_enabled = threading.Lock(), 0, False

    def __enter__(self) -> None:
        with self.lock:
            if self.inside == 0:
                self.was_enabled = gc.isenabled()
                gc.disable()
            self.inside += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.inside -= 1
            if self.inside == 0 and self.was_enabled:
                gc.enable()


_PAUSE = _Pause()


def without_collecting(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The function, during which no garbage is looked for. Reference counts free what they free."""

    @wraps(work)
    def paused(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        with _PAUSE:
            return work(*arguments, **named)

    return paused
