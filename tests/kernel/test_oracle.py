"""The oracle is judged before it judges: against enumeration of all words, which is the definition itself."""

from __future__ import annotations

from itertools import product

import pytest

from . import oracle, random_grammars
from .oracle import Bnf, Earley
from .random_grammars import ALPHABET, FAMILIES
from .scale import n_cases

LONGEST = 5
PLAIN = tuple(name for name in FAMILIES if "text" not in name and name != "special")


def test_earley_agrees_with_all_words_up_to_a_length() -> None:
    """For every string over the alphabet: complete iff it is a word, and viable if it begins one."""
    for case in random_grammars.cases(n_cases(40, 1000), seed=5, families=PLAIN):
        bnf = Bnf(case.root)
        earley, words = Earley(bnf), bnf.words(LONGEST, ALPHABET)
        begun = {word[:size] for word in words for size in range(len(word) + 1)}
        for length in range(LONGEST + 1):
            for string in product(ALPHABET, repeat=length):
                assert earley.is_complete(string) == (string in words), (string, case)
                assert earley.is_viable(string) or string not in begun, (string, case)


def test_a_viable_string_begins_a_word_of_a_finite_language() -> None:
    """Where all words are known, viable means just that: to begin one."""
    root = random_grammars.network([("seq", ("rule", 1), ("opt", b"ab"), ("rule", 1)), ("alt", b"a", ("seq", ("opt", b"b"), b"c"), ("seq",))])
    bnf = Bnf(root)
    earley, words = Earley(bnf), bnf.words(9, ALPHABET)
    begun = {word[:size] for word in words for size in range(len(word) + 1)}
    assert max(map(len, words)) == 6
    for length in range(8):
        for string in product(ALPHABET, repeat=length):
            assert earley.is_viable(string) == (string in begun)


@pytest.mark.parametrize(
    ("character", "spellings"),
    [
        ("a", [b"a", rb"\u0061"]),
        ("/", [b"/", rb"\/", rb"\u002f", rb"\u002F"]),
        ("\n", [rb"\n", rb"\u000a", rb"\u000A"]),
        ("é", ["é".encode(), rb"\u00e9", rb"\u00E9"]),
        ('"', [rb"\"", rb"\u0022"]),
    ],
)
def test_spellings_are_those_of_rfc_8259(character: str, spellings: list[bytes]) -> None:
    """Raw where JSON allows it, the short escape if there is one, and \\u in every case of its digits."""
    assert sorted(set(oracle.spellings_of(character))) == sorted(spellings)


def test_an_astral_character_is_a_surrogate_pair() -> None:
    """U+1F600 has its raw form and, with four digits that have a case, 16 spellings by escapes."""
    spelled = set(oracle.spellings_of("😀"))
    assert len(spelled) == 17
    assert rb"\uD83d\uDe00" in spelled


def test_is_spelled_tries_every_way_to_cut() -> None:
    """A string that the longest match first would miss is still spelled."""
    assert oracle.is_spelled(tuple(b"abc"), [b"ab", b"a", b"bc"])
    assert not oracle.is_spelled(tuple(b"abcb"), [b"ab", b"a", b"bc"])
    assert oracle.is_spelled((97, 258), [b"a", b"", b""])
    assert not oracle.is_spelled((97, 258), [b"a", b"", b""], eos_ids=[2])
