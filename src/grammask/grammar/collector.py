"""Python's garbage collector, held off while a grammar is built.

Rule: what is built here stays, and holds hardly a cycle, so the collector's passes over it find nothing; they took an eighth of the time for a
grammar of some hundred tools. All threads share one collector: where it stands already, it is left alone, and whoever stopped it sets it going
again, so that of several threads some may end their work while it goes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from gc import disable, enable, isenabled
from typing import ParamSpec, TypeVar

__all__ = ["without_collecting"]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def without_collecting(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The function, during which no garbage is looked for. Reference counts free what they free."""

    @wraps(work)
    def paused(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        if not isenabled():
            return work(*arguments, **named)
        disable()
        try:
            return work(*arguments, **named)
        finally:
            enable()

    return paused
