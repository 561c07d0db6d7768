"""What a matcher adds to the kernel's: tokens that complete an output, tokens that are forced, budgets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammask
from grammask.errors import BudgetError, SamplingError
from grammask.grammar.expression import Chars, Ref, Repeat, Rule, Seq, Token, literal, seq
from grammask.grammar.expression import either as any_of
from grammask.kernel import KERNEL
from grammask.vocabulary import Vocabulary

from .worlds import byte_vocabulary, law, record_grammar, record_vocabulary, texts, verdict_grammar, verdict_vocabulary

LETTERS = Chars([(ord("a"), ord("c"))])


def matcher_for(expression, vocabulary, **options):
    """A matcher at the start of an expression, or of a grammar."""
    grammar = expression if isinstance(expression, grammask.Grammar) else grammask.Grammar(expression)
    return grammask.compile(grammar, vocabulary).matcher(**options)


def walked(matcher, *token_ids):
    """The matcher after these tokens."""
    for token_id in token_ids:
        matcher.advance(token_id)
    return matcher


@st.composite
def expressions(draw, depth=3):
    """Small regular expressions over a, b and c."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([literal("a"), literal("bc"), literal("abc"), LETTERS, literal("é")]))
    parts = [draw(expressions(depth=depth - 1)) for _ in range(draw(st.integers(1, 3)))]
    kind = draw(st.sampled_from(["seq", "either", "repeat"]))
    if kind == "repeat":
        minimum = draw(st.integers(0, 2))
        return Repeat(parts[0], minimum, draw(st.sampled_from([None, minimum, minimum + 2])))
    return seq(*parts) if kind == "seq" else any_of(*parts)


WORDS = ("ab", "bc", "abc", "cab", "aa", "éa")


@law
@given(expressions(), st.integers(0, 2**32 - 1))
def test_the_shortest_completion_completes_from_anywhere(expression, seed):
    """Wherever a random walk leads, the shortest completion is legal token by token, ends complete, and leaves the state as it was."""
    matcher, rng = matcher_for(expression, byte_vocabulary(*WORDS)), np.random.default_rng(seed)
    for _ in range(6):
        before = matcher.state_key()
        completion = matcher.shortest_completion()
        assert matcher.state_key() == before
        assert matcher.draft(completion) == len(completion)
        assert walked(matcher.copy(), *completion).is_complete
        assert matcher.completes_within(len(completion))
        assert not completion or not matcher.completes_within(len(completion) - 1)
        allowed = [token_id for token_id in matcher.allowed_tokens().tolist() if token_id != 256]
        if not allowed:
            break
        matcher.advance(int(rng.choice(allowed)))


def test_the_shortest_completion_takes_the_fewest_tokens():
    """`cab` is one token where it fits, and two tokens are found where the longest first would need three."""
    vocabulary = byte_vocabulary("cab", "aab", "aabb", "bbb")
    assert matcher_for(literal("cab"), vocabulary).shortest_completion() == [257]
    assert matcher_for(literal("aabbbb"), vocabulary).shortest_completion() == [258, 260]


def test_a_complete_output_needs_nothing_more():
    """At the end, and after the end token, the shortest completion is empty and nothing is forced."""
    matcher = walked(matcher_for(literal("a"), byte_vocabulary()), ord("a"))
    assert matcher.shortest_completion() == []
    assert matcher.ends_here
    matcher.advance(256)
    assert matcher.shortest_completion() == matcher.forced_tokens() == []
    assert matcher.completes_within(0)


def test_whole_words_are_put_together_to_the_shortest_completion():
    """A vocabulary that cannot spell every byte still completes, with its own words."""
    matcher = matcher_for(record_grammar(), record_vocabulary())
    completion = matcher.shortest_completion()
    assert len(completion) == 15
    assert walked(matcher, *completion).is_complete


def test_a_shortest_text_that_no_tokens_spell_is_replaced_by_one_that_they_do():
    """`b` would be shorter, but only `acc` can be written with these tokens."""
    vocabulary = Vocabulary([b"a", b"cc", b""], eos_ids=[2])
    assert matcher_for(any_of(literal("b"), literal("acc")), vocabulary).shortest_completion() == [0, 1]


def test_special_tokens_on_the_way_to_the_end_are_found_by_search():
    """Special tokens have no bytes, so the shortest completion through them is looked for token by token."""
    vocabulary = Vocabulary([b"a", b"b", b"", b""], eos_ids=[3], specials={"<call>": 2})
    matcher = matcher_for(Seq([literal("a"), Token(["<call>"]), literal("b")]), vocabulary)
    assert matcher.shortest_completion() == [0, 2, 1]


def test_forced_tokens_are_the_longest_ones_but_for_the_last():
    """Without a tokenizer the longest tokens are taken, and the last is held back where something may follow."""
    vocabulary = byte_vocabulary("abc", "ab", "ca")
    assert matcher_for(seq(literal("abcab"), any_of(literal("a"), literal("c"))), vocabulary).forced_tokens() == [257]
    assert matcher_for(seq(literal("abcab"), LETTERS), vocabulary).forced_tokens() == [257]
    assert matcher_for(literal("abcab"), vocabulary).forced_tokens() == [257, 258]


def test_forced_tokens_are_those_of_the_models_tokenizer():
    """With a tokenizer its own tokens are taken, though others are longer."""
    grammar = seq(literal("abcab"), LETTERS)
    assert matcher_for(grammar, byte_vocabulary("abc", "ab", encode=lambda text: list(text.encode()))).forced_tokens() == list(b"abc")


def test_a_tokenizer_that_changes_the_text_is_not_followed():
    """Tokens of another text, with a space before it perhaps, are not forced; the longest ones are."""
    vocabulary = byte_vocabulary("abc", encode=lambda text: list((" " + text).encode()))
    assert matcher_for(literal("abcab"), vocabulary).forced_tokens() == [257, *b"ab"]


def test_forced_tokens_inside_a_character_finish_it():
    """In the middle of a character there is no text to give to a tokenizer, and the rest of the character is forced all the same."""
    vocabulary = byte_vocabulary(encode=lambda text: list(text.encode()))
    matcher = walked(matcher_for(literal("€"), vocabulary), 0xE2)
    assert matcher.forced_tokens() == [0x82, 0xAC]


@law
@given(expressions(), st.integers(0, 2**32 - 1))
def test_forced_tokens_are_legal_and_begin_every_completion(expression, seed):
    """Forced tokens are accepted in a row, and their bytes begin whatever a random walk writes from there."""
    vocabulary = byte_vocabulary(*WORDS)
    matcher, rng = matcher_for(expression, vocabulary), np.random.default_rng(seed)
    forced = matcher.forced_tokens()
    assert matcher.draft(forced) == len(forced)
    written = b""
    for _ in range(20):
        token_id = int(rng.choice(matcher.allowed_tokens()))
        if token_id == 256:
            break
        matcher.advance(token_id)
        written += vocabulary.tokens[token_id]
    written += vocabulary.decode(matcher.shortest_completion())
    assert written.startswith(vocabulary.decode(forced))


def test_a_copy_moves_on_its_own_and_keeps_what_belongs_to_it():
    """A copy has the same vocabulary and budget, and what happens to one does not show in the other."""
    matcher = matcher_for(verdict_grammar(), verdict_vocabulary(), max_tokens=9)
    twin = walked(matcher.copy(), 0, 2)
    assert (matcher.position, twin.position) == (0, 2)
    assert (matcher.tokens_left, twin.tokens_left) == (9, 7)
    assert twin.vocabulary is matcher.vocabulary
    assert type(twin) is type(matcher)
    assert walked(twin.copy(), 3).shortest_completion() == [4, 1]


def test_the_budget_counts_down_and_comes_back():
    """tokens_left follows the tokens taken, also back again; without a budget it is None."""
    matcher = walked(matcher_for(Repeat(LETTERS), byte_vocabulary(), max_tokens=2), ord("a"), ord("b"))
    assert matcher.tokens_left == 0
    walked(matcher, ord("c")).rollback(2)
    assert matcher.tokens_left == 1
    matcher.reset()
    assert matcher.tokens_left == 2
    assert matcher_for(LETTERS, byte_vocabulary()).tokens_left is None


@pytest.mark.parametrize("max_tokens", [-1, 0, 1, 4])
def test_a_budget_that_holds_no_output_is_refused_with_one_that_does(max_tokens):
    """The error for a budget that is too small names one that works."""
    constraint = grammask.compile(verdict_grammar(), verdict_vocabulary())
    with pytest.raises(BudgetError) as caught:
        constraint.matcher(max_tokens=max_tokens)
    assert caught.value.achievable == 5
    assert constraint.matcher(max_tokens=5).tokens_left == 5


@pytest.mark.parametrize("max_tokens", [1.5, "9", b"9"], ids=str)
def test_a_budget_that_is_no_number_of_tokens_is_refused(max_tokens):
    """A budget is a whole number, or a SamplingError names the argument."""
    with pytest.raises(SamplingError, match="max_tokens"):
        matcher_for(LETTERS, byte_vocabulary(), max_tokens=max_tokens)


def test_nothing_is_a_budget_for_an_output_that_may_be_empty_but_zero_is_refused():
    """Zero tokens are no budget even where the empty text is complete; one is."""
    constraint = grammask.compile(texts("", "a"), byte_vocabulary())
    with pytest.raises(BudgetError) as caught:
        constraint.matcher(max_tokens=0)
    assert caught.value.achievable == 1


def test_nested_lists_close_from_any_depth():
    """A recursive grammar is completed by as many brackets as are open."""
    value = Rule("value")
    value.body = any_of(literal("x"), Seq([literal("["), Ref(value), literal("]")]))
    matcher = walked(matcher_for(Ref(value), byte_vocabulary("]]")), *b"[[[[x")
    assert matcher.shortest_completion() == [257, 257]


@pytest.mark.skipif(KERNEL != "compiled", reason="the reference kernel keeps no states")
def test_a_short_text_is_sought_along_the_way_to_it():
    """Four patterns with lengths: the kernel makes states where a shortest text goes through, not for all beginnings that are as short."""
    patterns = [{"pattern": pattern} for pattern in ("b1.*2", "c1.*2", "a1.*2", "d.*[zZ]")]
    schema = {"type": "string", "allOf": patterns, "minLength": 12, "maxLength": 16}
    matcher = matcher_for(grammask.json_schema(schema), Vocabulary([*(bytes([byte]) for byte in range(256)), b""], eos_ids=[256]))
    before = matcher.bound.store.statistics()["states"]
    assert len(matcher.shortest_bytes()) == 14
    assert matcher.bound.store.statistics()["states"] - before < 1_000
