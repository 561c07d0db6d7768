"""From raw tables to prepared ones: no left recursion, nothing that the tokens cannot spell, and otherwise the same language."""

import random

import pytest

from grammask.errors import EmptyLanguageError, NoExitError, UnspellableError
from grammask.grammar.expression import Alt, Chars, Literal, Ref, Repeat, Rule, Seq, Text, Token, literal, optional
from grammask.grammar.lower import lower
from grammask.grammar.prepare import Spelling, prepare
from grammask.kernel.tables import CALL, RANGE, RuleTable

from .brute_force import after, broken_promises, laid_out, language_of_tables, spelled_by, start_of, tables_of
from .random_grammars import random_expression, random_network

LENGTH = 5
EVERY_BYTE = Spelling([bytes([byte]) for byte in range(256)])


def random_raw(seed, n_rules=4):
    """A random raw table, or None if nothing matches."""
    draw = random.Random(seed)
    try:
        return lower(random_network(draw, n_rules) if seed % 2 else random_expression(draw, [], 3)), draw
    except (EmptyLanguageError, NoExitError):
        return None, draw


def rules_of(*bodies):
    """Rules named by their index, whose bodies may refer to them by index."""
    rules = [Rule(f"r{index}") for index in range(len(bodies))]
    for rule, body in zip(rules, bodies, strict=True):
        rule.body = body(*[Ref(other) for other in rules])
    return Ref(rules[0])


LEFT_RECURSIVE = {
    "plain": rules_of(lambda s: Alt([Seq([s, literal("a")]), literal("b")])),
    "hidden behind an option": rules_of(lambda s: Alt([Seq([optional(literal("c")), s, literal("a")]), literal("b")])),
    "hidden behind a nullable rule": rules_of(
        lambda s, n: Alt([Seq([n, s, literal("a")]), literal("b")]), lambda s, n: Alt([Seq(()), literal("c"), Seq([n, literal("c")])])
    ),
    "mutual": rules_of(lambda s, t: Alt([Seq([t, literal("a")]), literal("b")]), lambda s, t: Alt([Seq([s, literal("c")]), Seq([t, literal("a")])])),
    "without progress": rules_of(lambda s: Alt([s, Seq([s, s]), literal("a")])),
    "nullable itself": rules_of(lambda s: Alt([Seq([s, literal("a")]), Seq(())])),
    "entered twice": rules_of(
        lambda s, t: Seq([t, literal("b"), Alt([Seq([literal("("), s]), t])]), lambda s, t: Alt([Seq([t, literal("a")]), literal("c"), Seq([s, literal("a")])])
    ),
}


@pytest.mark.parametrize("root", LEFT_RECURSIVE.values(), ids=LEFT_RECURSIVE.keys())
def test_left_recursion_goes_and_the_language_stays(root):
    """Every kind of left recursion becomes tables without it that derive the same strings."""
    raw = lower(root)
    assert not raw.prepared
    table = prepare(raw, EVERY_BYTE)
    assert not broken_promises(table)
    assert language_of_tables(table, 7, prepared=True) == language_of_tables(raw, 7, prepared=False)


@pytest.mark.parametrize("block", range(12))
def test_random_networks_keep_their_language(block):
    """Prepared tables of random networks derive the same strings, read as calls of non-empty strings or as they stand, and keep all promises."""
    for seed in range(block * 20, block * 20 + 20):
        raw, _ = random_raw(seed)
        if raw is not None:
            table = prepare(raw, EVERY_BYTE)
            expected = language_of_tables(raw, LENGTH, prepared=False)
            assert not broken_promises(table), seed
            assert language_of_tables(table, LENGTH, prepared=True) == expected, seed
            assert language_of_tables(table, LENGTH, prepared=False) == expected, seed


def test_raw_tables_are_not_changed():
    """Preparing leaves the raw tables as they were, so that they can be judged by."""
    raw = lower(LEFT_RECURSIVE["mutual"])
    before = [(table, list(table.edges)) for table in tables_of(raw)]
    prepare(raw, EVERY_BYTE)
    assert [(table, table.edges) for table in tables_of(raw)] == before


def test_nothing_to_do_gives_the_same_object():
    """Without left recursion, and with all bytes as tokens, tables are passed through."""
    raw = lower(Seq([literal("{"), Ref(Rule("text", Text())), Repeat(literal("ab"), 2, 10**6), literal("}")]))
    assert prepare(raw, EVERY_BYTE) is raw


def test_tables_beside_left_recursion_stay():
    """Only tables that reach the left recursion are made anew; shared ones beside it keep table and key."""
    space = Rule("space", Repeat(literal(" "), 0, 3), shared=True)
    looping = Rule("looping")
    looping.body = Alt([Seq([Ref(looping), literal("+"), Ref(space), literal("1")]), literal("1")])
    table = prepare(lower(Ref(looping)), EVERY_BYTE)
    assert space.lowered in tables_of(table)


def test_goal_frames_are_linear():
    """A chain of two hundred rules that call each other first costs one frame of their joint size."""
    rules = [Rule(f"r{index}") for index in range(200)]
    for index, rule in enumerate(rules):
        rule.body = Alt([literal("z"), Seq([Ref(rules[(index + 1) % 200]), literal("a")])])
    table = prepare(lower(Ref(rules[0])), EVERY_BYTE)
    assert sum(len(one.edges) for one in tables_of(table)) < 2_000


# --- spelling -----------------------------------------------------------------------------------------------------


def test_bytes_without_tokens_take_their_edges_away():
    """An alternative that needs a byte no token has vanishes; a rule that needs one takes along what needs the rule."""
    doomed = Rule("doomed", Seq([literal("x"), Chars([(97, 99)]), literal("q")]))
    raw = lower(Alt([literal("ab"), literal("aq"), Seq([Chars([(97, 99)]), literal("b")]), Seq([literal("a"), Ref(doomed)])]))
    table = prepare(raw, Spelling([b"a", b"b", b"x", b"ab"]))
    assert language_of_tables(table, 4, prepared=True) == {b"ab", b"bb"}
    assert table.resting is None
    assert not broken_promises(table)


def test_unaffected_tables_stay_the_same_objects():
    """Tables that need none of the missing bytes are passed through, keys and all."""
    digits = Rule("digits", Repeat(Chars([(48, 57)]), 1, 9), shared=True)
    spelling = Spelling([bytes([byte]) for byte in range(128)])
    raw = lower(Ref(digits))
    assert prepare(raw, spelling) is raw
    mixed = prepare(lower(Alt([literal("é"), Ref(digits)])), spelling)
    assert digits.lowered in tables_of(mixed)


def test_only_the_caller_may_know_what_can_be_spelled():
    """S -> "1" R "b" | "2" R "c", R -> "xa", tokens 1, 2, x, ab, c: after 2 nothing can be completed, so 2 is never allowed."""
    rule = Rule("R", literal("xa"))
    rule.body = Seq([literal("x"), Chars([(97, 97)])])
    raw = lower(Alt([Seq([literal("1"), Ref(rule), literal("b")]), Seq([literal("2"), Ref(rule), literal("c")])]))
    tokens = [b"1", b"2", b"x", b"ab", b"c"]
    table = laid_out(prepare(raw, Spelling(tokens)))
    assert language_of_tables(table, 5, prepared=True) == {b"1xab"}
    assert allowed(table, tokens, []) == {b"1"}
    assert allowed(table, tokens, [b"1"]) == {b"x"}
    assert allowed(table, tokens, [b"1", b"x"]) == {b"ab"}


def allowed(table, tokens, taken):
    """The tokens that some path spells up to a resting node, after the tokens taken."""
    text = b"".join(taken)
    current = start_of(table)
    for position, byte in enumerate(text, 1):
        current = after(current, byte, position)
    return {token for token in tokens if rests(spell(current, token, len(text)))}


def spell(configurations, token, position):
    for offset, byte in enumerate(token, 1):
        configurations = after(configurations, byte, position + offset)
    return configurations


def rests(configurations):
    return any(table.resting is None or node in table.resting for table, node, _, _ in configurations)


def random_tokens(draw):
    """Some short tokens over a, b and c; often not every letter is one."""
    return sorted({"".join(draw.choice("abc") for _ in range(draw.choice([1, 1, 2, 2, 3]))).encode() for _ in range(draw.randint(2, 6))})


@pytest.mark.parametrize("block", range(12))
def test_random_vocabularies_leave_what_they_can_spell(block):
    """For random networks and tokens, prepared tables derive exactly the strings of the language that the tokens spell."""
    for seed in range(block * 25, block * 25 + 25):
        raw, draw = random_raw(seed, 3)
        tokens = random_tokens(draw)
        if raw is None:
            continue
        expected = language_of_tables(raw, 4, prepared=False) & spelled_by(tokens, 4)
        try:
            table = prepare(raw, Spelling(tokens))
        except UnspellableError:
            assert not expected, seed
            continue
        assert language_of_tables(table, 4, prepared=True) == expected, seed
        assert language_of_tables(table, 4, prepared=False) == expected, seed
        assert not broken_promises(table), seed


@pytest.mark.parametrize("block", range(6))
def test_tokens_that_end_at_resting_nodes_are_the_extensible_ones(block):
    """For random finite languages, a token is allowed if and only if some further tokens complete the text."""
    for seed in range(block * 25, block * 25 + 25):
        draw = random.Random(seed)
        words = {"".join(draw.choice("abc") for _ in range(draw.randint(1, 5))).encode() for _ in range(draw.randint(1, 6))}
        inner = Rule("inner", Alt([literal("a"), Seq([literal("b"), Chars([(97, 98)])])]))
        tokens = random_tokens(draw)
        raw = lower(Alt([*map(Literal, sorted(words)), Seq([Ref(inner), Literal(min(words))])]))
        language = language_of_tables(raw, 8, prepared=False)
        spelled = spelled_by(tokens, 8)
        if language & spelled:
            check_masks(laid_out(prepare(raw, Spelling(tokens))), tokens, language, spelled, seed)


def check_masks(table, tokens, language, spelled, seed):
    texts = [[]]
    for taken in texts:  # grows while it is read
        text = b"".join(taken)
        expected = {token for token in tokens if any(word.startswith(text + token) and word[len(text + token) :] in spelled for word in language)}
        assert allowed(table, tokens, taken) == expected, (seed, taken)
        texts += [[*taken, token] for token in sorted(expected)]


def test_special_tokens_stand_between_tokens():
    """A special symbol needs a resting node before it and leaves one behind it."""
    raw = lower(Seq([literal("ab"), Token([7]), literal("ab")]))
    table = prepare(raw, Spelling([b"ab", b"abab"]))
    assert table.resting is not None
    special = next(edge for edge in table.edges if edge[0] != CALL and len(edge) == 5 and edge[3] > 255)
    assert {special[1], special[2]} <= table.resting


def test_nothing_that_can_be_spelled_is_an_error_with_a_text():
    """If the tokens spell no text of the grammar, the error shows one of its texts."""
    with pytest.raises(UnspellableError) as caught:
        prepare(lower(literal("maybe")), Spelling([b"yes", b"no"]))
    assert caught.value.text == b"maybe"
    with pytest.raises(UnspellableError) as caught:
        prepare(lower(Alt([literal("abc"), literal("cab")])), Spelling([b"ab", b"bc"]))
    assert caught.value.text == b"abc"


def test_the_empty_text_needs_no_token():
    """A grammar whose other texts cannot be spelled keeps the empty one."""
    table = prepare(lower(optional(literal("abc"))), Spelling([b"ab", b"bc"]))
    assert table.nullable
    assert language_of_tables(table, 4, prepared=True) == {b""}


# --- texts --------------------------------------------------------------------------------------------------------

ALL_BUT_LEADS = Spelling([bytes([byte]) for byte in range(256) if byte not in (0xF1, 0xF2)])


def test_texts_do_not_mind_missing_lead_bytes():
    """Where only lead bytes of rare characters are missing, texts stay as they are: an escape spells what bytes cannot."""
    raw = lower(Seq([literal('"'), Text()]))
    assert prepare(raw, ALL_BUT_LEADS) is raw


def test_texts_that_need_absent_bytes_are_written_out():
    """A text that could need an absent byte becomes a rule over the bytes there are, the same one for every grammar."""
    spelling = Spelling([bytes([byte]) for byte in range(256) if byte != 0x80])
    (one,), (other,) = ([edge[3] for edge in prepare(lower(Seq([literal(quote), Text()])), spelling).edges if edge[0] == CALL] for quote in ('"', '["'))
    assert one is other
    assert one.key
    assert isinstance(one, RuleTable)
    assert not any(edge[3] <= 0x80 <= edge[4] for edge in one.edges if edge[0] == RANGE)


def test_texts_without_escapes_hold_what_can_be_spelled_raw():
    """Without a backslash among the tokens, a text holds only characters that are tokens; if none is left, an error says so."""
    spelling = Spelling([bytes([byte]) for byte in range(128) if byte not in b"\\b"])
    table = prepare(lower(Seq([literal('"'), Text(Repeat(Chars([(97, 99), (0xE9, 0xE9)]), 1, 2))])), spelling)
    assert language_of_tables(table, 5, prepared=True) == {b'"' + text + b'"' for text in (b"a", b"c", b"aa", b"ac", b"ca", b"cc")}
    assert not broken_promises(table)
    with pytest.raises(UnspellableError):
        prepare(lower(Seq([literal('"'), Text(Chars([(98, 98)]))])), spelling)


def test_texts_are_written_out_for_vocabularies_of_words():
    """Where tokens are words, a text becomes a rule over bytes, and holds the strings that the words spell."""
    tokens = [b'"', b"Ravi", b"Mira", b"Rav", b"i", b'Mira"']
    raw = lower(Seq([literal('"'), Text(Repeat(Chars([(65, 90), (97, 122)]), 4, 8), 0, None, frozenset({"Mira"}))]))
    table = prepare(raw, Spelling(tokens))
    strings = {string for string in spelled_by([b"Ravi", b"Mira", b"Rav", b"i"], 6) if len(string) >= 4 and string != b"Mira"}
    assert language_of_tables(table, 8, prepared=True) == {b'"' + string + b'"' for string in strings}


def test_one_spelling_serves_many_grammars():
    """What a vocabulary cannot spell is worked out once; a second grammar finds it there."""
    spelling = Spelling([b"a", b"bc"])
    for text in ("a", "bca", "abc"):
        assert language_of_tables(prepare(lower(literal(text)), spelling), 3, prepared=True) == {text.encode()}
