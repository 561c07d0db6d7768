"""Python's garbage collector while grammars are built."""

from __future__ import annotations

import gc
import threading

import pytest

import grammask
from grammask.errors import GrammarTypeError
from grammask.grammar.collector import without_collecting


def test_the_collector_goes_on_after_a_grammar_was_built() -> None:
    """Whether that went well or not; and one that the host has stopped stays stopped."""
    seen: list[bool] = []
    without_collecting(lambda: seen.append(gc.isenabled()))()
    assert (seen, gc.isenabled()) == ([False], True)
    with pytest.raises(GrammarTypeError):
        grammask.compile(3, grammask.Vocabulary([b"a"], []))
    assert gc.isenabled()
    gc.disable()
    try:
        without_collecting(lambda: None)()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_last_thread_to_leave_sets_it_going() -> None:
    """While one is still at work it stands."""
    entered, leave = threading.Event(), threading.Event()

    @without_collecting
    def long() -> None:
        entered.set()
        leave.wait(10)

    thread = threading.Thread(target=long)
    thread.start()
    entered.wait(10)
    without_collecting(lambda: None)()
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled()
