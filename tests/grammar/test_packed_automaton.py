"""Automata that are kept ready stand for the same strings, wherever they are used, as the expressions they were made of."""

import random

import pytest

import grammask
from grammask.decoding.cache import content_key
from grammask.grammar.character_automaton import CharacterAutomaton
from grammask.grammar.expression import ANY_CHARACTER, Alt, And, Chars, Not, ReadyAutomaton, Repeat, Seq, Text, literal
from grammask.grammar.grammar import Grammar
from grammask.grammar.language import character_automaton
from grammask.grammar.lower import lower
from grammask.grammar.packed_automaton import numbered, packed, unpacked
from grammask.grammar.text_table import text_table

from .random_grammars import random_literal

WIDE = Chars([(0x61, 0x63), (0xE9, 0xE9), (0x4E00, 0x9FFF), (0x1F600, 0x10FFFF)])


def some_language(draw, depth):
    """An expression over a few characters, some of them beyond ASCII."""
    kind = draw.random()
    if depth == 0 or kind < 0.3:
        return draw.choice([WIDE, ANY_CHARACTER, Chars([(97, draw.randint(97, 99))]), random_literal(draw)])
    inner = [some_language(draw, depth - 1) for _ in range(draw.randint(1, 3))]
    return Seq(inner) if kind < 0.6 else Alt(inner) if kind < 0.8 else Repeat(inner[0], draw.choice([0, 1, 2]), draw.choice([None, 3]))


def some_automaton(seed):
    """A language, and the automaton of it."""
    language = some_language(random.Random(seed), 4)
    return language, character_automaton(language)


@pytest.mark.parametrize("seed", range(80))
def test_what_is_packed_is_what_is_unpacked(seed):
    """Node by node, arc by arc, in the same order; also where lines are broken."""
    _, automaton = some_automaton(seed)
    text = packed(automaton)
    assert unpacked(text) == automaton
    assert unpacked("\n".join(text[at : at + 7] for at in range(0, len(text), 7)) + "\n") == automaton


def test_an_automaton_with_several_starts_is_not_packed():
    """What is written says nothing of starts."""
    with pytest.raises(ValueError, match="one start"):
        packed(CharacterAutomaton(2, (), (0, 1), frozenset([0, 1])))


@pytest.mark.parametrize("seed", range(80))
def test_a_ready_automaton_composes_as_its_expression(seed):
    """Alone, in sequence, negated and with another condition, the strings are those of the expression."""
    language, automaton = some_automaton(seed)
    ready = ReadyAutomaton(packed(automaton))
    assert character_automaton(ready) == automaton
    short, part = Repeat(ANY_CHARACTER, 0, 3), literal("b")
    for one, other in (
        (And([ready, short]), And([language, short])),
        (Seq([part, ready, part]), Seq([part, language, part])),
        (Repeat(ready, 0, 2), Repeat(language, 0, 2)),
        (Not(ready), Not(language)),
    ):
        for left, right in ((one, other), (other, one)):
            assert character_automaton(And([left, Not(right)])).n_nodes == 0


@pytest.mark.parametrize("bounds", [(0, None), (1, None), (2, 4), (0, 0), (3, 2), (7, 9)])
def test_tables_of_texts_are_the_same(bounds):
    """With bounds of length, the table of a ready automaton says what that of the expression says; where nothing is left there is none."""
    for seed in range(40):
        language, automaton = some_automaton(seed)
        if isinstance(language, Repeat) or automaton == character_automaton(Repeat(ANY_CHARACTER)):
            continue  # counts of characters become bounds of the text
        excluded = frozenset(["a"]) if seed % 3 == 0 else frozenset()
        one = text_table(Text(ReadyAutomaton(packed(automaton)), *bounds, excluded), "here")
        other = text_table(Text(language, *bounds, excluded), "here")
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert [getattr(one, name) for name in ("n_nodes", "edges", "sets", "starts", "ends", "minimum", "maximum", "excluded")] == [
                getattr(other, name) for name in ("n_nodes", "edges", "sets", "starts", "ends", "minimum", "maximum", "excluded")
            ]


def test_ready_automata_are_nodes_like_others():
    """One object for one text, a name by content, a rule of bytes outside strings, and GBNF."""
    text = packed(character_automaton(Seq([literal("a"), Repeat(WIDE, 1, 2)])))
    ready = ReadyAutomaton(text)
    assert ReadyAutomaton(text) is ready
    assert content_key(ready) == content_key(ReadyAutomaton(text)) != content_key(literal("a"))
    assert numbered(text).n_nodes == 4
    vocabulary = grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""], eos_ids=[256])
    matcher = grammask.compile(Grammar(ready), vocabulary).matcher()
    for byte in "aé".encode():
        matcher.advance(byte)
    assert matcher.is_complete
    assert lower(ready).n_nodes > 4
    assert "a" in Grammar(ready).to_gbnf()
