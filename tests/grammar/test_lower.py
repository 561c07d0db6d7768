"""From expressions to raw tables: the same language, errors for what cannot complete, and sizes that stay small."""

import contextlib
import random
import sys

import pytest

from grammask.errors import EmptyLanguageError, LimitError, NoExitError, UnsupportedFeatureError
from grammask.grammar.expression import (
    ANY_CHARACTER,
    EMPTY,
    NOTHING,
    Alt,
    And,
    Automaton,
    Chain,
    Chars,
    Literal,
    Not,
    Ref,
    Repeat,
    Rule,
    Seq,
    Text,
    Token,
    literal,
    optional,
)  # fmt: skip
from grammask.grammar.lower import lower
from grammask.kernel.tables import CALL, EPSILON, LITERALS, RANGE, SPECIAL, TextTable

from .brute_force import language_of, language_of_tables, tables_of
from .random_grammars import random_expression, random_network

LENGTH = 5


@pytest.mark.parametrize("block", range(12))
def test_tables_keep_the_language_of_random_expressions(block):
    """Raw tables derive exactly the strings of the expression; only expressions without any string are refused."""
    for seed in range(block * 20, block * 20 + 20):
        draw = random.Random(seed)
        expression = random_network(draw) if seed % 2 else random_expression(draw, [], 3)
        try:
            table = lower(expression)
        except (EmptyLanguageError, NoExitError):
            assert not language_of(expression, LENGTH + 1), seed
        else:
            assert language_of_tables(table, LENGTH, prepared=False) == language_of(expression, LENGTH), seed
            assert table.nullable == (b"" in language_of(expression, 1)), seed


@pytest.mark.parametrize(("minimum", "maximum"), [(0, 3), (2, 2), (3, None), (5, 9), (7, 7), (0, 13), (6, None)], ids=str)
def test_counts_by_doubling_are_exact(minimum, maximum):
    """A repetition too heavy to copy takes every number of times between its bounds and no other."""
    heavy = Alt([Literal(b"a"), Seq([Literal(b"b" * 40)] * 300)])  # only `a` is short enough to be counted here
    table = lower(Repeat(heavy, minimum, maximum))
    assert any(edge[0] == CALL for edge in table.edges)
    strings = language_of_tables(table, 16, prepared=False)
    assert {len(string) for string in strings} == {count for count in range(17) if minimum <= count <= (16 if maximum is None else maximum)}


def test_large_counts_cost_rules_by_their_logarithm():
    """A billion times, or up to, takes some tens of tables."""
    for expression in (Repeat(literal("ab"), 10**9, 10**9), Repeat(literal("ab"), 3, 10**9 + 12_345)):
        tables = tables_of(lower(expression))
        assert len(tables) < 100
        assert sum(len(table.edges) for table in tables) < 500


def test_counts_beyond_any_use_are_refused():
    """A count over 2**63 is a LimitError, not a loop."""
    with pytest.raises(LimitError, match="repetition count"):
        lower(Repeat(literal("a"), 0, 10**400))


def test_loops_over_optional_parts_have_no_empty_rounds():
    """No node of a loop over nullable parts can come back to itself by epsilon edges alone."""
    table = lower(Repeat(Alt([Repeat(literal("a")), EMPTY, Seq([optional(literal("b")), Repeat(literal("c"))])])))
    skips = [(edge[1], edge[2]) for edge in table.edges if edge[0] == EPSILON]
    reach = set(skips)
    for _ in skips:
        reach |= {(a, d) for a, b in reach for c, d in skips if b == c}
    assert all(a != b for a, b in reach)


def test_many_literals_are_one_edge():
    """An enumeration of ten thousand values is a single edge."""
    table = lower(Alt([literal(f"value {number}") for number in range(10_000)]))
    assert [edge[0] for edge in table.edges] == [LITERALS]
    assert len(table.edges[0][3]) == 10_000


def test_conditions_become_bytes_of_utf8():
    """And and Not are of characters: what they take is spelled in UTF-8, whole characters only."""
    accents = Chars([(0xE0, 0xEF)])
    table = lower(And([Repeat(accents, 1, 2), Not(literal("é"))]))
    expected = {first + second for first in map(chr, range(0xE0, 0xF0)) for second in ["", *map(chr, range(0xE0, 0xF0))]} - {"é"}
    assert language_of_tables(table, 4, prepared=False) == {text.encode() for text in expected}


def test_special_tokens_become_symbols():
    """Names are looked up among the specials, ids are taken as they are."""
    table = lower(Token(["<tool>", 3]), specials={"<tool>": 9})
    assert sorted(edge[3] for edge in table.edges if edge[0] == RANGE) == [SPECIAL + 3, SPECIAL + 9]
    with pytest.raises(UnsupportedFeatureError, match=r"'<nope>'.*it has: <tool>"):
        lower(Token(["<nope>"]), specials={"<tool>": 9})


def test_an_object_has_one_copy_of_each_member():
    """A chain of optional members is linear in their number: each item and a separator for each, once."""
    chain = Chain([(Seq([literal(f'"k{number}":'), Text()]), number % 3 == 0) for number in range(100)], literal(","), Seq([literal('"x":'), Text()]))
    table = lower(Seq([literal("{"), chain, literal("}")]))
    assert len(table.edges) < 600
    assert sum(1 for edge in table.edges if edge[0] == CALL) == 101


def test_a_rule_without_exit_is_named():
    """A rule that always leads back into itself is an error that names the innermost such rule."""
    outer, inner = Rule("outer"), Rule("inner")
    inner.body = Seq([literal("x"), Ref(inner)])
    outer.body = Alt([literal("ok"), Seq([literal("("), Ref(inner)])])
    with pytest.raises(NoExitError) as caught:
        lower(Ref(outer), "root")
    assert caught.value.rule == "inner"


def test_prunable_rules_without_exit_vanish():
    """What can never complete is left out where its author marked it so; what remains is the rest of the language."""
    loop = Rule("loop", prunable=True)
    loop.body = Seq([literal("x"), Ref(loop)])
    table = lower(Alt([literal("ok"), Seq([literal("x"), Ref(loop)])]))
    assert language_of_tables(table, 4, prepared=False) == {b"ok"}
    assert tables_of(table) == [table]


def test_a_whole_that_never_completes_is_an_error_even_if_prunable():
    """If nothing is left, the error names the loop."""
    loop = Rule("loop", prunable=True)
    loop.body = Seq([literal("x"), Ref(loop)])
    with pytest.raises(NoExitError, match="'loop'"):
        lower(Seq([literal("a"), Ref(loop)]))


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (NOTHING, "none of its alternatives"),
        (Seq([literal("a"), Chars([])]), "set of characters is empty"),
        (Text(literal("ab"), 3), "no string is left"),
        (Text(Repeat(literal("aaa")), 4, 5), "no string is left"),
        (Text(Chars([(97, 98)]), 0, None, frozenset("ab")), "no string is left"),
        (And([literal("a"), literal("b")]), "exclude each other"),
        (Automaton([(0, 1, 97, 97)], [2]), "does not reach an end"),
        (Chain([(literal("a"), True)], literal(","), None, 2), "counts of members"),
    ],
    ids=["nothing", "characters", "text too short", "text lengths", "text excluded", "conditions", "automaton", "chain"],
)
def test_empty_languages_say_why(expression, reason):
    """An expression without any string is an EmptyLanguageError with place and reason."""
    with pytest.raises(EmptyLanguageError, match=reason) as caught:
        lower(expression, "here")
    assert caught.value.place == "here"


def test_alternatives_that_match_nothing_vanish():
    """An empty alternative beside others is left out without an error."""
    table = lower(Alt([literal("a"), Seq([literal("b"), Text(literal("ab"), 3)]), Seq([literal("c"), NOTHING])]))
    assert language_of_tables(table, 3, prepared=False) == {b"a"}
    assert table.n_nodes == 2


def test_shared_rules_keep_their_table():
    """The second grammar with a shared rule points at the table of the first, and its key is that of equal structure elsewhere."""
    make = lambda: Rule("space", Repeat(Chars([(32, 32)]), 0, 3), shared=True)  # noqa: E731
    one, other = make(), make()
    first, second = lower(Seq([literal("a"), Ref(one)])), lower(Seq([literal("b"), Ref(one), literal("c")]))
    assert one.lowered in tables_of(first)
    assert one.lowered in tables_of(second)
    lower(Ref(other))
    assert one.lowered is not other.lowered
    assert one.lowered.key == other.lowered.key is not None
    assert first.key is None


def test_keys_of_mutually_recursive_rules_do_not_depend_on_who_came_first():
    """A component of rules has the same keys whichever of them a grammar enters it by, and different rules have different keys."""

    def make():
        value, array = Rule("value", shared=True), Rule("array", shared=True)
        value.body = Alt([literal("1"), Ref(array)])
        array.body = Seq([literal("["), optional(Ref(value)), literal("]")])
        return value, array

    (value, array), (value_2, array_2) = make(), make()
    lower(Ref(value))
    lower(Ref(array_2))
    lower(Ref(value_2))
    assert value.lowered.key == value_2.lowered.key
    assert array.lowered.key == array_2.lowered.key
    assert value.lowered.key != array.lowered.key


def test_a_shared_rule_gives_keys_to_all_it_calls():
    """Everything a keyed table calls has a key, parts made for counting included."""
    plain = Rule("plain", Seq([literal("p"), ANY_CHARACTER]))
    rule = Rule("shared", Repeat(Seq([literal("ab"), Ref(plain)]), 2, 10**6), shared=True)
    lower(Ref(rule))
    assert all(table.key is not None for table in tables_of(rule.lowered))


def test_rules_with_named_special_tokens_are_not_kept():
    """Ids of special tokens belong to a vocabulary, so a shared rule that names one is lowered anew."""
    rule = Rule("call", Seq([Token(["<tool>"]), literal("x")]), shared=True)
    first = lower(Ref(rule), specials={"<tool>": 1})
    second = lower(Ref(rule), specials={"<tool>": 2})
    assert first is not second
    assert first.key != second.key


def test_texts_are_tables_over_characters():
    """Pattern, lengths and exclusions arrive in a text table; counted characters become bounds of length; all strings have no nodes."""
    letters = Chars([(97, 122)])
    table = text_of(Text(Repeat(letters, 2, 9), 3, None, frozenset({"abc"})))
    assert (table.minimum, table.maximum, table.excluded) == (3, 9, {"abc"})
    assert (table.n_nodes, table.ranges(), table.starts, table.ends) == (1, [(0, 0, 97, 122)], (0,), {0})
    assert text_of(Text(Repeat(ANY_CHARACTER))).n_nodes == 0
    assert text_of(Text(Repeat(ANY_CHARACTER))).key == text_of(Text()).key
    assert text_of(Text(None, 1)).key != text_of(Text()).key


def text_of(text):
    """The text table that a text is lowered to."""
    (edge,) = lower(text).edges
    assert isinstance(edge[3], TextTable)
    return edge[3]


def test_ranks_count_calls_before_the_first_symbol():
    """A table's rank is one above what it calls first, over nullable prefixes; later calls do not count."""
    leaf = Rule("leaf", Seq([literal("a"), ANY_CHARACTER]))
    maybe = Rule("maybe", optional(Seq([literal("m"), ANY_CHARACTER])))
    deep = Rule("deep", Seq([Ref(leaf), Ref(leaf)]))
    table = lower(Seq([Ref(maybe), Ref(deep)]))
    ranks = {one.place: one.rank for one in tables_of(table)}
    assert ranks == {"grammar": 2, "deep": 1, "leaf": 0, "maybe": 0}
    assert lower(Seq([literal("x"), Ref(deep)])).rank == 0


NESTINGS = {
    "sequences": lambda inner: Seq([literal("a"), inner]),
    "options": optional,
    "loops": lambda inner: Repeat(Seq([literal("a"), inner]), 1),
    "choices": lambda inner: Alt([literal("a"), Seq([literal("b"), inner])]),
    "counts": lambda inner: Repeat(inner, 2, 2),
    "chains": lambda inner: Chain([(literal("a"), True), (inner, False)], literal(",")),
    "conditions": Not,
}


@pytest.mark.parametrize("wrap", NESTINGS.values(), ids=NESTINGS.keys())
def test_deep_nesting_needs_no_deep_stack(wrap):
    """Ten times Python's own depth of calls is lowered, or refused by a limit."""
    expression = literal("z")
    for _ in range(10 * sys.getrecursionlimit()):
        expression = wrap(expression)
    with contextlib.suppress(LimitError):
        assert lower(expression).edges


def test_long_chains_of_rules_are_lowered_but_not_at_the_start_of_each_other():
    """Rules may call each other five thousand deep; a thousand calls before the first symbol is the limit."""

    def chain(order):
        rules = [Rule(f"r{index}") for index in range(5_000)]
        for rule, after in zip(rules, [*rules[1:], None], strict=True):
            rule.body = literal("z") if after is None else Seq([literal("a"), Ref(after)][::order])
        return Ref(rules[0])

    assert lower(chain(1)).edges
    with pytest.raises(LimitError, match="depth of calls at the start"):
        lower(chain(-1))


def test_expressions_that_unfold_for_ever_stop_at_a_limit():
    """Structure that is shared sixty-fold doubles with each level when it is written out; that stops with a LimitError."""
    expression = literal("a")
    for _ in range(60):
        expression = Seq([expression, expression])
    with pytest.raises(LimitError, match="size of a grammar"):
        lower(expression)
