"""The Vocabulary itself: what it takes, what it refuses, what it derives."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.errors import LimitError, TokenOutOfRange, VocabularyError
from grammask.vocabulary import Vocabulary

from . import real_tokenizers as real


def test_tokens_stay_exact_bytes_whatever_they_hold() -> None:
    """Half characters, NUL bytes and duplicates are kept as they are."""
    tokens = [b"\xf0\x9f", b"\x00", b"a", b"a", b""]
    vocabulary = Vocabulary(tokens, eos_ids=[4])
    assert vocabulary.tokens == tokens
    assert vocabulary.decode([0, 1, 2, 3, 4]) == b"\xf0\x9f\x00aa"
    assert (len(vocabulary), vocabulary.size, vocabulary.eos_ids, vocabulary.encode) == (5, 5, (4,), None)


def test_the_list_given_is_copied() -> None:
    """Changing the caller's list later does not change the vocabulary."""
    tokens = [b"a", b"b", b"<end>"]
    vocabulary = Vocabulary(tokens, eos_ids=[2])
    tokens[0] = b"z"
    assert vocabulary.tokens[0] == b"a"


def test_end_and_special_ids_carry_no_text() -> None:
    """The name of a special token is never text that a grammar could take."""
    vocabulary = Vocabulary([b"a", b"</s>", b"<|tool|>"], eos_ids=[1], specials={"<|tool|>": 2})
    assert vocabulary.tokens == [b"a", b"", b""]
    assert vocabulary.specials == {"<|tool|>": 2}


def test_size_pads_with_ids_that_carry_no_text() -> None:
    """Ids above the tokenizer's exist and hold b""."""
    vocabulary = Vocabulary([b"a", b"b"], eos_ids=[4], size=5)
    assert vocabulary.tokens == [b"a", b"b", b"", b"", b""]
    assert vocabulary.eos_ids == (4,)


def test_end_ids_are_kept_once_and_in_order() -> None:
    """Several end ids are usual; doubles among them are dropped."""
    assert Vocabulary([b"a", b"", b""], eos_ids=[2, 1, 2]).eos_ids == (2, 1)
    assert Vocabulary([b"a"], eos_ids=[]).eos_ids == ()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"tokens": [b"a", "b"], "eos_ids": []}, "token 1 must be bytes, got str 'b'"),
        ({"tokens": [b"a", None], "eos_ids": []}, "token 1 must be bytes, got NoneType"),
        ({"tokens": b"ab", "eos_ids": []}, "got bytes"),
        ({"tokens": {b"a": 0}, "eos_ids": []}, "got dict"),
        ({"tokens": 7, "eos_ids": []}, "got int"),
        ({"tokens": [], "eos_ids": []}, "at least one token"),
        ({"tokens": [b"a"], "eos_ids": [1]}, "eos_ids holds 1, which is no id .* pass size="),
        ({"tokens": [b"a"], "eos_ids": [-1]}, "eos_ids holds -1"),
        ({"tokens": [b"a"], "eos_ids": [True]}, "whole number"),
        ({"tokens": [b"a"], "eos_ids": ["0"]}, "whole number"),
        ({"tokens": [b"a"], "eos_ids": 0}, r"eos_ids=\[id\]"),
        ({"tokens": [b"a"], "eos_ids": "0"}, r"eos_ids=\[id\]"),
        ({"tokens": [b"a"], "eos_ids": [], "specials": {"<x>": 3}}, r"specials\['<x>'\] holds 3"),
        ({"tokens": [b"a"], "eos_ids": [], "specials": {0: 0}}, "no name"),
        ({"tokens": [b"a", b"b"], "eos_ids": [], "size": 1}, "size=1 is less than the 2 ids"),
        ({"tokens": [b"a"], "eos_ids": [], "size": 2.5}, "whole number"),
        ({"tokens": [b"a"], "eos_ids": [], "encode": "gpt2"}, "function"),
    ],
)
def test_what_makes_no_vocabulary_is_refused_with_the_spot(arguments: dict[str, Any], says: str) -> None:
    """Every mistake is a VocabularyError (a ValueError) that says where it is."""
    with pytest.raises(VocabularyError, match=says) as caught:
        Vocabulary(**arguments)
    assert isinstance(caught.value, ValueError)


def test_an_absurd_size_is_refused_before_memory_is_taken() -> None:
    """The padding has a limit."""
    with pytest.raises(LimitError, match="4194304"):
        Vocabulary([b"a"], eos_ids=[], size=1 << 40)


@pytest.mark.parametrize("token_id", [-1, 2, 1 << 40])
def test_decoding_an_id_out_of_range_is_an_error(token_id: int) -> None:
    """Negative ids do not count from the end."""
    with pytest.raises(TokenOutOfRange) as caught:
        Vocabulary([b"a", b"b"], eos_ids=[]).decode([0, token_id])
    assert (caught.value.token_id, caught.value.vocabulary_size) == (token_id, 2)


def test_fingerprint_tells_vocabularies_apart() -> None:
    """Tokens, their borders, ends, specials and size are all in it; encode and the order of ends are not."""
    base = Vocabulary([b"ab", b"c", b"", b""], eos_ids=[2, 3], specials={"<x>": 3})
    others = [
        Vocabulary([b"a", b"bc", b"", b""], eos_ids=[2, 3], specials={"<x>": 3}),
        Vocabulary([b"ab", b"c", b"", b""], eos_ids=[2], specials={"<x>": 3}),
        Vocabulary([b"ab", b"c", b"", b""], eos_ids=[2, 3], specials={"<y>": 3}),
        Vocabulary([b"ab", b"c", b"", b""], eos_ids=[2, 3], specials={"<x>": 3}, size=5),
        Vocabulary([b"c", b"ab", b"", b""], eos_ids=[2, 3], specials={"<x>": 3}),
    ]
    assert len({vocabulary.fingerprint for vocabulary in (base, *others)}) == 6
    same = Vocabulary([b"ab", b"c", b"", b""], eos_ids=[3, 2], specials={"<x>": 3}, encode=lambda text: [0])
    assert same.fingerprint == base.fingerprint
    assert base.fingerprint == "6376df8eb868e468aa90ddd85aa61c98"


def test_bytes_that_can_be_spelled_are_known() -> None:
    """single_bytes have a token of their own; used_bytes occur at all."""
    vocabulary = Vocabulary([b"a", b"bc", b"c", b"<end>"], eos_ids=[3])
    assert vocabulary.single_bytes == frozenset(b"ac")
    assert vocabulary.used_bytes == frozenset(b"abc")


def test_a_pickled_vocabulary_is_the_same_without_the_kernels_store() -> None:
    """Processes can hand vocabularies to each other."""
    vocabulary = Vocabulary([b"a", b"b", b""], eos_ids=[2], specials={"<x>": 1}, size=7)
    vocabulary._store = object()
    copy = pickle.loads(pickle.dumps(vocabulary))  # noqa: S301
    assert (copy.tokens, copy.eos_ids, copy.specials, copy.fingerprint) == (vocabulary.tokens, (2,), {"<x>": 1}, vocabulary.fingerprint)
    assert copy._store is None


@real.law
@given(st.lists(st.binary(max_size=4), min_size=1, max_size=20), st.data())
def test_decode_joins_the_tokens(tokens: list[bytes], data: st.DataObject) -> None:
    """decode(ids) is the tokens one after the other, for any bytes."""
    vocabulary = Vocabulary(tokens, eos_ids=[])
    ids = data.draw(st.lists(st.integers(0, len(tokens) - 1)))
    assert vocabulary.decode(ids) == b"".join(tokens[i] for i in ids)
