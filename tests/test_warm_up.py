"""Warming a vocabulary up changes what is waiting to be worked out, and nothing else."""

from __future__ import annotations

import json

import numpy as np
import pytest

import grammask
from grammask.api import _WARMING
from grammask.decoding.binding import bindings_of
from grammask.errors import VocabularyError

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
