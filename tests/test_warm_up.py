"""Warming a vocabulary up changes what is waiting to be worked out, and nothing else."""

from __future__ import annotations

import gc
import itertools
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import grammask
from grammask import kernel, warming
from grammask.decoding.binding import bindings_of
from grammask.errors import VocabularyError
from grammask.warming import _WARMER, _WARMING, _Warmer

TOKENS = [*(bytes([byte]) for byte in range(256)), b'":', b'"}', b"abc", b'", "', b"12", b"\xc3\xa9", b"\n  ", b""]


def vocabulary() -> grammask.Vocabulary:
    return grammask.Vocabulary(TOKENS, eos_ids=[len(TOKENS) - 1])


def masks(held: grammask.Vocabulary, schema: dict[str, object], text: str) -> list[bytes]:
    """The masks at every byte of a text."""
    constraint = grammask.compile(schema, held)
    matcher, rows = constraint.matcher(), []
    for byte in text.encode():
        row = np.zeros(constraint.mask_words, dtype=np.uint32)
        matcher.fill_mask(row)
        rows.append(row.tobytes())
        matcher.advance(byte)
    assert matcher.is_complete
    return rows


@pytest.mark.parametrize(("schema", "text"), _WARMING, ids=lambda value: json.dumps(value)[:30])
def test_the_texts_go_all_the_way(schema: dict[str, object], text: str) -> None:
    """Each text that the warm-up follows is one of its schema, or its end would never be reached."""
    json.loads(text)
    masks(vocabulary(), schema, text)


def test_what_is_shared_is_there_before_the_first_grammar() -> None:
    """After the warm-up, masks of JSON make no state that is not there: nothing is left to work out inside strings and numbers."""
    warm = vocabulary()
    grammask.warm_up(warm)
    before = bindings_of(warm).store.statistics()
    masks(warm, {}, '{"a": [1.5, "x\u00e9\\n", null], "b": {}}')
    after = bindings_of(warm).store.statistics()
    assert (before["shared_rules"], before["states"]) == (after["shared_rules"], after["states"])
    cold = vocabulary()
    masks(cold, {}, "[1]")
    assert bindings_of(cold).store.statistics()["shared_rules"] < before["shared_rules"]


def test_masks_are_those_of_a_cold_vocabulary() -> None:
    """Equal to the bit, for a schema of its own."""
    schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}, "d": {"type": "string", "format": "date"}}}
    text = '{"a": "xyz", "d": "2024-01-31", "more": [1]}'
    warm = vocabulary()
    grammask.warm_up(warm)
    assert masks(warm, schema, text) == masks(vocabulary(), schema, text)


def test_in_the_background_it_can_be_waited_for() -> None:
    """Grammars are compiled and used meanwhile."""
    warm = vocabulary()
    done = grammask.warm_up(warm, background=True)
    masks(warm, {"type": "integer"}, "12")
    assert done.result(timeout=60) is None
    assert grammask.warm_up(warm).done()


def test_a_vocabulary_that_cannot_spell_json_is_left_as_it_is() -> None:
    """Words alone: there is nothing to warm up, and no error."""
    words = grammask.Vocabulary([b"yes", b"no", b""], eos_ids=[2])
    grammask.warm_up(words)
    assert grammask.compile(grammask.choice(["yes"]), words).matcher().allowed_tokens().tolist() == [0]


def test_a_vocabulary_without_some_bytes_is_warmed_up_as_far_as_it_goes() -> None:
    """No token for bytes of other scripts, as in some models."""
    lacking = [b"" if len(token) == 1 and token[0] > 0xE0 else token for token in TOKENS]
    warm = grammask.Vocabulary(lacking, eos_ids=[len(TOKENS) - 1])
    grammask.warm_up(warm)
    assert masks(warm, {}, "[1]") == masks(grammask.Vocabulary(lacking, eos_ids=[len(TOKENS) - 1]), {}, "[1]")


def test_what_is_no_vocabulary_is_refused() -> None:
    """A typed error, at once."""
    with pytest.raises(VocabularyError, match="list"):
        grammask.warm_up([b"a"])


# --- as vocabularies are loaded -------------------------------------------------------------------------------------

PAIRS = [bytes(pair) for pair in itertools.product(range(0x20, 0x7F), repeat=2)]
compiled_only = pytest.mark.skipif(kernel.KERNEL != "compiled", reason="the plain twin is not warmed up in the background")


def large_vocabulary() -> grammask.Vocabulary:
    return grammask.Vocabulary([*TOKENS[:-1], *PAIRS, b""], eos_ids=[len(TOKENS) - 1 + len(PAIRS)])


@compiled_only
def test_a_large_vocabulary_is_warmed_up_as_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody asks for it; what `warm_up` works out is there once the thread has ended, and masks are those of a cold one."""
    monkeypatch.delenv("GRAMMASK_WARM_UP", raising=False)
    loaded = large_vocabulary()
    _WARMER.wait()
    assert loaded._store is not None
    by_itself = loaded._store.store.statistics()
    monkeypatch.setenv("GRAMMASK_WARM_UP", "0")
    asked = large_vocabulary()
    _WARMER.wait()
    assert asked._store is None
    grammask.warm_up(asked)
    assert by_itself == bindings_of(asked).store.statistics()
    assert masks(loaded, {}, '{"a": [1.5]}') == masks(large_vocabulary(), {}, '{"a": [1.5]}')


def test_a_small_vocabulary_is_not_warmed_up() -> None:
    """Its first schema hardly pays for anything."""
    small = vocabulary()
    _WARMER.wait()
    assert small._store is None


def test_vocabularies_in_use_or_let_go_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread does not compete with a caller who was faster, and holds nothing that nobody else does."""
    monkeypatch.setenv("GRAMMASK_WARM_UP", "0")
    monkeypatch.setattr("threading.Thread.start", lambda thread: None)
    warmer = _Warmer()
    used, unused, gone = large_vocabulary(), large_vocabulary(), large_vocabulary()
    bindings_of(used)
    for one in (unused, used, gone):
        warmer.add(one)
    del one, gone
    gc.collect()
    assert warmer._next() is unused
    assert warmer._next() is None
    warmer.wait()  # it has ended, so this returns


@compiled_only
def test_a_grammar_of_the_callers_own_ends_the_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the moment there is one, the thread follows no more schemas."""
    monkeypatch.setenv("GRAMMASK_WARM_UP", "0")
    followed = []

    def follow(held: grammask.Vocabulary, schema: dict[str, object], text: str) -> None:
        followed.append(schema)
        grammask.compile(schema, held)
        if len(followed) == 2:
            grammask.compile({"const": "mine"}, held)

    monkeypatch.setattr(warming, "_follow", follow)
    warming._warm_unless_used(large_vocabulary())
    assert len(followed) == 2 < len(_WARMING)


@compiled_only
def test_what_goes_wrong_in_the_background_is_told_to_callers_only(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """The thread ends without a word; whoever compiles for such a vocabulary gets the error."""
    monkeypatch.delenv("GRAMMASK_WARM_UP", raising=False)
    monkeypatch.setattr(kernel, "Store", lambda *_: 1 / 0)
    broken = large_vocabulary()
    _WARMER.wait()
    assert broken._store is not None
    with pytest.raises(ZeroDivisionError):
        grammask.compile({}, broken)
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
@compiled_only
def test_a_process_may_fork_while_a_vocabulary_is_warmed_up() -> None:
    """Parent and child both compile and mask afterwards, and the child warms up what it loads itself."""
    code = """
import itertools, os, sys, warnings
warnings.simplefilter("ignore")
import grammask
from grammask.warming import _WARMER
TOKENS = [*(bytes([byte]) for byte in range(256)), *(bytes(pair) for pair in itertools.product(range(0x20, 0x7F), repeat=2)), b""]
made = grammask.Vocabulary(TOKENS, eos_ids=[len(TOKENS) - 1])
child = os.fork()
n_allowed = grammask.compile({"const": "ab"}, made).matcher().count()
if not child:
    own = grammask.Vocabulary(TOKENS, eos_ids=[len(TOKENS) - 1])
    _WARMER.wait()
    os._exit(0 if own._store is not None and n_allowed == 2 else 3)
print(n_allowed, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["2", "0"]
