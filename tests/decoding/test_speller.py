"""Tokens that spell a text."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from grammask.decoding.speller import Speller

from .worlds import law

tokens = st.lists(st.binary(max_size=4).map(lambda token: bytes(byte % 3 + 97 for byte in token)), max_size=12)
texts = st.text("abc", max_size=12).map(str.encode)


def ways(text, usable):
    """Every way to spell the text with these byte strings."""
    return [[]] if not text else [[token, *rest] for token in usable if text.startswith(token) for rest in ways(text[len(token) :], usable)]


@law
@given(tokens, texts)
def test_fewest_is_the_least_number_of_tokens(tokens, text):
    """No way to spell the text takes fewer tokens, and None means that there is none."""
    found = Speller(tokens).fewest(text)
    every = ways(text, {token for token in tokens if token})
    if found is None:
        assert not every
    else:
        assert b"".join(tokens[token_id] for token_id in found) == text
        assert len(found) == min(map(len, every))


@law
@given(tokens, st.lists(texts, min_size=2, max_size=6), texts)
def test_what_was_spelled_before_changes_nothing(tokens, starts, ending):
    """Texts that share an ending, one after the other: each is spelled as by a fresh speller."""
    speller = Speller(tokens)
    for start in starts:
        assert speller.fewest(start + ending) == Speller(tokens).fewest(start + ending)


@law
@given(tokens, texts)
def test_longest_first_takes_the_longest_token_at_each_place(tokens, text):
    """At each place no longer token fits, and it stops only where none does."""
    usable = {token for token in tokens if token}
    spelled = [tokens[token_id] for token_id in Speller(tokens).longest_first(text)]
    places = [sum(map(len, spelled[:count])) for count in range(len(spelled) + 1)]
    assert text.startswith(b"".join(spelled))
    assert all(not any(text[start:].startswith(token) for token in usable if len(token) > end - start) for start, end in pairwise(places))
    assert not any(text[places[-1] :].startswith(token) for token in usable)


def test_tokens_without_text_spell_nothing_and_the_lowest_of_equals_is_taken():
    """Ids without text are left out, and the lowest id stands for tokens with the same bytes."""
    speller = Speller([b"a", b"", b"b", b"b", b""])
    assert speller.fewest(b"ab") == [0, 2]
    assert speller.longest_first(b"abba") == [0, 2, 2, 0]
    assert speller.fewest(b"") == []
    assert not speller.spells_every_byte


def test_a_vocabulary_with_all_bytes_spells_everything():
    """256 tokens of one byte each spell any text."""
    speller = Speller([bytes([byte]) for byte in range(256)])
    assert speller.spells_every_byte
    assert speller.fewest("é€".encode()) == list("é€".encode())
