"""Regular expressions over characters as automata, and whether bounds and exclusions leave a string."""

import random
from itertools import product

import pytest

from grammask.errors import LimitError, UnsupportedFeatureError
from grammask.grammar.character_automaton import Work, given_automaton, normal_automaton
from grammask.grammar.expression import ANY_CHARACTER, Alt, And, Chars, Literal, Not, Ref, Repeat, Rule, Seq, literal
from grammask.grammar.language import _Construction, _Made, character_automaton
from grammask.grammar.lengths import has_string

from .brute_force import language_of
from .random_grammars import random_literal

LONGEST = 4
WORDS = ["".join(word) for length in range(LONGEST + 1) for word in product("abc", repeat=length)]
AB = Chars([(97, 98)])


def random_language(draw, depth):
    """A regular expression over a, b and c with And and Not."""
    kind = draw.random()
    if depth == 0 or kind < 0.25:
        return random_literal(draw) if draw.random() < 0.7 else Chars([(97, draw.randint(97, 99))])
    inner = [random_language(draw, depth - 1) for _ in range(draw.randint(1, 3))]
    if kind < 0.5:
        return Seq(inner)
    if kind < 0.65:
        return Alt(inner)
    if kind < 0.8:
        minimum = draw.choice([0, 0, 1, 2, 3])
        return Repeat(inner[0], minimum, draw.choice([None, minimum, minimum + 2]))
    return And(inner) if kind < 0.9 else Not(inner[0])


def accepts(automaton, text):
    """Whether the automaton takes a text, by sets of nodes."""
    leaving = automaton.leaving()
    current = set(automaton.starts)
    for character in text:
        current = {target for node in current for target, low, high in leaving[node] if low <= ord(character) <= high}
    return bool(current & automaton.ends)


@pytest.mark.parametrize("block", range(10))
def test_automata_agree_with_the_meaning_of_the_expression(block):
    """For random expressions with And and Not, the automaton takes exactly the strings of the definition."""
    for seed in range(block * 25, block * 25 + 25):
        language = random_language(random.Random(seed), 4)
        automaton = character_automaton(language)
        assert {word.encode() for word in WORDS if accepts(automaton, word)} == language_of(language, LONGEST), seed


@pytest.mark.parametrize("block", range(10))
def test_emptiness_under_bounds_and_exclusions_is_exact(block):
    """has_string says yes if and only if enumeration finds a string of an allowed length that is not excluded."""
    for seed in range(block * 25, block * 25 + 25):
        draw = random.Random(seed)
        automaton = character_automaton(And([random_language(draw, 3), Repeat(Chars([(97, 99)]))]))
        words = [word for word in WORDS if accepts(automaton, word)]
        minimum = draw.randint(0, LONGEST)
        maximum = draw.randint(minimum, LONGEST)
        excluded = frozenset(draw.sample(words, draw.randint(0, len(words))))
        left = [word for word in words if minimum <= len(word) <= maximum and word not in excluded]
        assert has_string(automaton, minimum, maximum, excluded) == bool(left), seed


def test_lengths_of_a_cycle_are_found_exactly():
    """Threes have no string of length 4 or 5, whatever shorter and longer ones there are; far lengths need no long walk."""
    threes = character_automaton(Repeat(literal("aaa"), 0, None))
    assert not has_string(threes, 4, 5, frozenset())
    assert has_string(threes, 4, 6, frozenset())
    assert has_string(threes, 3_000_000_000, 3_000_000_001, frozenset())
    assert not has_string(threes, 3_000_000_001, 3_000_000_002, frozenset())


def test_all_strings_are_counted_without_an_automaton():
    """Only the empty string has length 0; with one character there are more strings than anybody excludes."""
    assert not has_string(None, 0, 0, frozenset({""}))
    assert has_string(None, 0, 0, frozenset({"a"}))
    assert has_string(None, 0, 1, frozenset({"", "a"}))


def test_equal_expressions_give_equal_automata():
    """The construction numbers nodes alike every time, as keys depend on it."""
    make = lambda: And([Seq([Repeat(AB), Literal(b"a")]), Not(literal("ba"))])  # noqa: E731
    assert character_automaton(make()) == character_automaton(make())


def test_a_count_that_cannot_be_is_empty():
    """A repetition whose maximum is below its minimum takes no string."""
    assert character_automaton(Repeat(AB, 3, 2)).n_nodes == 0


def test_small_languages_have_small_automata():
    """Loops and equal tails share nodes: x* takes one node, a date not more than its characters."""
    digit = Chars([(48, 57)])
    assert character_automaton(Repeat(ANY_CHARACTER)).n_nodes == 1
    date = Seq([Repeat(digit, 4, 4), literal("-"), Repeat(digit, 2, 2), literal("-"), Repeat(digit, 2, 2)])
    assert character_automaton(date).n_nodes == 11


@pytest.mark.parametrize(
    "language",
    [
        Repeat(literal("ab"), 0, 1_000_000),
        Not(Seq([Repeat(AB), literal("a"), Repeat(AB, 20, 20)])),
        Repeat(Repeat(Repeat(literal("ab"), 100, 100), 100, 100), 100, 100),
    ],
    ids=["count", "subsets", "nested counts"],
)
def test_hostile_patterns_stop_at_a_limit(language):
    """A pattern whose automaton would be huge is a LimitError."""
    with pytest.raises(LimitError, match="pattern's automaton"):
        character_automaton(language)


@pytest.mark.parametrize("part", [Ref(Rule("r", literal("a"))), Literal(b"\xff")], ids=["rule", "bytes"])
def test_what_is_no_pattern_is_refused_by_name(part):
    """Rules, and bytes that are no UTF-8, cannot stand inside a pattern."""
    with pytest.raises(UnsupportedFeatureError, match="inside a pattern of characters"):
        character_automaton(Seq([literal("a"), part]))


def test_an_automaton_in_normal_form_is_taken_as_it_is():
    """And one that is not is brought into it: both ways give what normalising gives."""
    a, b = Chars([(97, 97)]), Chars([(98, 98)])
    normal = [(0, 1, a), (1, 1, b), (1, 2, a)]
    assert given_automaton(normal, {2}) == normal_automaton(normal, [0], {2}, is_merged=True)
    assert given_automaton(normal, {2}).arcs == tuple(normal)
    for arcs, ends in (([(0, 2, a), (2, 1, b)], {1}), ([*normal, (2, 3, b)], {2}), ([(0, 1, a)], {1, 5}), ([(1, 2, a)], {2}), ([], {0}), ([], set())):
        assert given_automaton(arcs, ends) == normal_automaton(arcs, [0], set(ends), is_merged=True)


def random_counted(draw, depth):
    """A regular expression over a, b and c with counts large enough for copies to be alike."""
    kind = draw.random()
    if depth == 0 or kind < 0.15:
        return random_literal(draw) if draw.random() < 0.5 else Chars([(97, draw.randint(97, 99))])
    inner = [random_counted(draw, depth - 1) for _ in range(draw.randint(1, 3))]
    if kind < 0.4:
        return Seq(inner)
    if kind < 0.55:
        return Alt(inner)
    minimum = draw.choice([0, 0, 1, 2, 9])
    return Repeat(inner[0], minimum, draw.choice([None, minimum + 1, minimum + 7, minimum + 12]))


@pytest.mark.parametrize("block", range(8))
def test_copies_with_other_numbers_are_what_building_them_gives(block, monkeypatch):
    """Copies of a part that are added by a shift of numbers give the automaton, to the number, that building each of them does."""
    added = []
    add = _Construction._add_copy
    monkeypatch.setattr(_Construction, "_add_copy", lambda made, *place: added.append(add(made, *place)))
    built, copied = _Construction(), _Construction()
    for seed in range(block * 60, block * 60 + 60):
        language = random_counted(random.Random(seed), 3)
        with monkeypatch.context() as patch:
            patch.setattr(_Made, "shift", lambda made: 0)
            expected = _automaton_of(built, language)
        got = _automaton_of(copied, language)
        assert got == expected, seed
        if got is None or copied.has_dead:
            built, copied = _Construction(), _Construction()
    assert len(added) > 100


def _automaton_of(construction, language):
    try:
        return construction.automaton(language, Work(), {})
    except LimitError:
        return None
