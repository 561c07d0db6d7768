"""Token budgets: outputs that obey the masks are whole within `max_tokens`, and an ample budget changes nothing."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammask
from grammask.errors import BudgetError

from .worlds import byte_vocabulary, law

LONGER = [b'"a": ', b'", "', b"[[", b"aaaa", b'"}', b"true", b'{"', b"]]]", b"12"]
TOKENS = [bytes([byte]) for byte in range(256)] + LONGER + [b""]
VOCABULARY = grammask.Vocabulary(TOKENS, eos_ids=[len(TOKENS) - 1])
SCHEMAS = [
    {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "array", "items": {"type": "boolean"}, "minItems": 2}}},
    {"type": "object", "properties": {"a": {"type": "string", "minLength": 6, "maxLength": 9}, "b": {"enum": ["x", "long one"]}}, "required": ["a", "b"]},
    {"type": "array", "items": {"$ref": "#"}},
    {"type": "string", "pattern": "^(ab|abcabcabc)+z{5}$"},
    {"anyOf": [{"type": "null"}, {"type": "object", "required": ["k", "l", "m"]}]},
]
WAYS = [lambda n: n, lambda n: n + 1, lambda n: n + n // 2, lambda n: 3 * n]


def tokens_of(matcher: grammask.Matcher) -> set[int]:
    """The ids that a mask allows."""
    return set(matcher.allowed_tokens().tolist())


def drawn(matcher: grammask.Matcher, rng: np.random.Generator) -> list[int]:
    """Tokens drawn uniformly from the masks until the end token."""
    taken = list[int]()
    while not matcher.is_finished:
        allowed = matcher.allowed_tokens()
        assert len(allowed), (b"".join(TOKENS[token] for token in taken), matcher.tokens_left)
        token = int(rng.choice(allowed))
        matcher.advance(token)
        taken.append(token)
    return taken[:-1]


@law
@given(st.sampled_from(SCHEMAS), st.sampled_from(WAYS), st.integers(0, 2**32 - 1))
def test_every_output_is_whole_within_its_budget(schema, way, seed):
    """From the least achievable budget on, whatever the masks allow ends complete and in time."""
    constraint = grammask.compile(grammask.json_schema(schema), VOCABULARY)
    least = max(1, len(constraint.matcher().shortest_completion()))
    budget = way(least)
    taken = drawn(constraint.matcher(max_tokens=budget), np.random.default_rng(seed))
    assert len(taken) <= budget
    free = constraint.matcher()
    for token in taken:
        free.advance(token)
    assert free.is_complete


@law
@given(st.sampled_from(SCHEMAS), st.integers(0, 2**32 - 1))
def test_an_ample_budget_changes_no_mask(schema, seed):
    """While much is left, the masks are those without a budget."""
    constraint = grammask.compile(grammask.json_schema(schema), VOCABULARY)
    free, ample = constraint.matcher(), constraint.matcher(max_tokens=100_000)
    rng = np.random.default_rng(seed)
    for _ in range(30):
        assert tokens_of(ample) == tokens_of(free)
        token = int(rng.choice(free.allowed_tokens()))
        free.advance(token)
        ample.advance(token)
        if free.is_finished:
            break


@law
@given(st.lists(st.text("ab", min_size=1, max_size=6), min_size=1, max_size=6), st.integers(1, 8), st.text("ab", max_size=3))
def test_the_mask_is_that_of_the_outputs_that_fit(texts, budget, start):
    """Over single bytes, a token is allowed exactly if some text that goes on with it fits the budget."""
    constraint = grammask.compile(grammask.choice(texts), byte_vocabulary())
    fitting = {text for text in texts if len(text) <= budget}
    if not fitting:
        with pytest.raises(BudgetError) as caught:
            constraint.matcher(max_tokens=budget)
        assert caught.value.achievable == min(map(len, texts))
        return
    matcher = constraint.matcher(max_tokens=budget)
    for place, letter in enumerate(start):
        if not any(text.startswith(start[: place + 1]) for text in fitting):
            return
        matcher.advance(ord(letter))
    following = {ord(text[len(start)]) for text in fitting if text.startswith(start) and len(text) > len(start)}
    ends = set(byte_vocabulary().eos_ids) if start in fitting else set()
    assert tokens_of(matcher) == following | ends


def test_rollback_and_copies_count_the_budget_anew():
    """What is left of the budget belongs to the place, whichever way it was reached."""
    matcher = grammask.compile(grammask.choice(["aaa", "bbbbbb"]), byte_vocabulary()).matcher(max_tokens=3)
    assert tokens_of(matcher) == {ord("a")}
    twin = matcher.copy()
    twin.advance(ord("a"))
    assert (twin.tokens_left, matcher.tokens_left) == (2, 3)
    twin.rollback(1)
    assert tokens_of(twin) == {ord("a")}


def test_batches_go_by_budgets_too():
    """fill_masks writes the rows that fill_mask writes, with and without budgets in one batch."""
    constraint = grammask.compile(grammask.choice(["aaa", "bbbbbb"]), byte_vocabulary())
    matchers = [constraint.matcher(max_tokens=3), constraint.matcher(), constraint.matcher(max_tokens=6)]
    rows, expected = (np.zeros((3, constraint.mask_words), dtype=np.uint32) for _ in range(2))
    grammask.fill_masks(matchers, rows)
    for matcher, row in zip(matchers, expected, strict=True):
        matcher.fill_mask(row)
    assert (rows == expected).all()
    assert len({bytes(row) for row in rows}) == 2


@law
@given(st.sampled_from(SCHEMAS), st.integers(0, 2**32 - 1), st.booleans())
def test_successors_part_the_allowed_tokens_by_what_they_leave(schema, seed, brief):
    """Each allowed token but the end tokens is in one group, and what the group says is left is what a matcher there says."""
    matcher = grammask.compile(grammask.json_schema(schema), VOCABULARY).matcher()
    rng = np.random.default_rng(seed)
    for _ in range(rng.integers(12)):
        allowed = [token for token in matcher.allowed_tokens().tolist() if token not in VOCABULARY.eos_ids]
        if not allowed:
            break
        matcher.advance(int(rng.choice(allowed)))
    groups = matcher.successors(brief)
    ids = [token for token_ids, _ in groups for token in token_ids.tolist()]
    expected = tokens_of(matcher) - set(VOCABULARY.eos_ids)
    assert len(ids) == len(set(ids))
    assert set(ids) <= expected if brief else set(ids) == expected
    now = len(matcher.shortest_bytes())
    most = max([now, *[least for _, least in groups]])
    for token in expected:
        after = matcher.copy()
        after.advance(token)
        left = len(after.shortest_bytes())
        told = next((least for token_ids, least in groups if token in token_ids), None)
        assert told in {left, -1} or (brief and told is None)
        assert -1 in [least for _, least in groups] or left <= most


def test_a_budget_that_is_no_number_is_refused():
    """A type error by name, not a comparison that fails somewhere inside."""
    constraint = grammask.compile(grammask.choice(["a"]), byte_vocabulary())
    with pytest.raises(grammask.errors.SamplingError):
        constraint.matcher(max_tokens="many")


@pytest.mark.parametrize("count", [10**6, 10**8])
def test_a_completion_far_past_the_budget_is_refused_without_spelling_it(count):
    """A million letters do not fit into a hundred tokens; where no number can be named, the error names none."""
    constraint = grammask.compile(grammask.regex("a").repeat(count), VOCABULARY)
    with pytest.raises(BudgetError) as caught:
        constraint.matcher(max_tokens=100)
    assert caught.value.achievable == (count if count == 10**6 else None)


# Without q, z and most bytes by themselves; "xqx" and "qz" hold them.
SPARSE = grammask.Vocabulary([*(bytes([byte]) for byte in range(32, 127) if chr(byte) not in "qzk"), b"xqx", b"qz", b"aqx", b'zz"', b"bk", b""], eos_ids=[97])
WORDY = [
    grammask.regex("[a-z]{3,9}(qz|xqx|bk){2,6}"),
    grammask.regex("(a|b|q|x|z|k){12}"),
    grammask.json_schema(
        {"type": "object", "properties": {"aqx": {"type": "string", "pattern": "^[qzxk]{2,9}$"}, "b": {"enum": ["bk", "xqxqz"]}}, "required": ["b"]}
    ),
]


@law
@given(st.sampled_from(WORDY), st.sampled_from(WAYS), st.integers(0, 2**32 - 1))
def test_budgets_are_kept_by_vocabularies_that_do_not_spell_every_byte(grammar, way, seed):
    """The bytes of a completion bound its tokens there, too."""
    constraint = grammask.compile(grammar, SPARSE)
    least = max(1, len(constraint.matcher().shortest_completion()))
    matcher = constraint.matcher(max_tokens=way(least))
    rng = np.random.default_rng(seed)
    while not matcher.is_finished:
        matcher.advance(int(rng.choice(matcher.allowed_tokens())))
    assert matcher.position - 1 <= way(least)


SPECIAL = grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b"aaaa", b'"}', b'{"', b"", b"", b""], eos_ids=[261], specials={"<x>": 259, "<y>": 260})
_LETTERS, _OBJECT = grammask.regex("[a-z]{5,60}"), grammask.json_schema({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})
MARKED = [
    grammask.seq(_LETTERS, grammask.token("<x>"), _OBJECT, grammask.token("<y>")),
    grammask.either(_LETTERS, grammask.seq(grammask.regex("[0-9]{40}"), grammask.token("<x>"))),
    grammask.seq(grammask.free_text(until="<x>"), _OBJECT, grammask.token("<y>")).repeat(1, 3),
    grammask.seq(grammask.token("<y>"), grammask.regex("(?s:.){3}"), grammask.token("<x>")).repeat(1, 5),
]


@law
@given(st.sampled_from(MARKED), st.sampled_from(WAYS), st.integers(0, 2**32 - 1))
def test_budgets_are_kept_across_special_tokens(grammar, way, seed):
    """However deep the special tokens lie that a completion takes, the output is whole in time, and is one of the grammar."""
    constraint = grammask.compile(grammar, SPECIAL)
    try:
        constraint.matcher(max_tokens=1)
    except BudgetError as error:
        least = error.achievable
    else:
        least = 1
    taken = drawn(constraint.matcher(max_tokens=way(least)), np.random.default_rng(seed))
    assert len(taken) <= way(least)
    free = constraint.matcher()
    assert free.advance_many(taken) == len(taken)
    assert free.is_complete


@law
@given(st.sampled_from(MARKED), st.integers(0, 2**32 - 1))
def test_an_ample_budget_changes_no_mask_of_special_tokens(grammar, seed):
    """Masks, forced text and forced tokens under an ample budget are those without one."""
    constraint = grammask.compile(grammar, SPECIAL)
    free, ample = constraint.matcher(), constraint.matcher(max_tokens=100_000)
    rng = np.random.default_rng(seed)
    for _ in range(30):
        assert tokens_of(ample) == tokens_of(free)
        assert (ample.forced_bytes(), ample.is_complete) == (free.forced_bytes(), free.is_complete)
        token = int(rng.choice(free.allowed_tokens()))
        free.advance(token)
        ample.copy().advance(token)
        ample.advance(token)
        if free.is_finished:
            break


def test_completions_that_nobody_could_count_are_refused():
    """From 2**30 bytes on no number is known; a budget is refused without one."""
    constraint = grammask.compile(grammask.regex("a").repeat(2**31), VOCABULARY)
    with pytest.raises(BudgetError) as caught:
        constraint.matcher(max_tokens=100)
    assert caught.value.achievable is None


def test_tokens_that_span_many_strings_are_reckoned_with() -> None:
    """A token that leaves a string and opens several objects leaves more to be done, and is masked where there is no time for that."""
    tokens = [bytes([byte]) for byte in range(256)] + [b'a":{"b":{"c":{"d":{"', b"\xe2\x82", b"\xf0\x9f", b'x": [[[[["', b""]
    vocabulary = grammask.Vocabulary(tokens, eos_ids=[len(tokens) - 1])
    for options in (grammask.JsonSchemaOptions(whitespace="compact"), grammask.JsonSchemaOptions(whitespace=grammask.Indent(2)), None):
        constraint = grammask.compile(grammask.json_schema({"type": "object"}, options), vocabulary)
        for seed in range(60):
            rng = random.Random(seed)
            matcher = constraint.matcher(max_tokens=rng.randrange(2, 24))
            while not matcher.is_finished:
                allowed = matcher.allowed_tokens().tolist()
                assert allowed, (options, seed)
                long = [token for token in allowed if token >= 256]
                matcher.advance(rng.choice(long if long and rng.random() < 0.5 else allowed))


def test_hundreds_of_required_members_are_reckoned_exactly() -> None:
    """A long chain of members, some of them optional: the least budget holds the shortest output, and one token less is refused."""
    names = [f"member{number}" for number in range(400)]
    schema = {"type": "object", "properties": {key: {"type": "boolean"} for key in names}, "required": names[::2], "additionalProperties": False}
    constraint = grammask.compile(grammask.json_schema(schema, grammask.JsonSchemaOptions(whitespace="compact")), byte_vocabulary())
    shortest = json.dumps(dict.fromkeys(names[::2], True), separators=(",", ":"))
    completion = constraint.matcher(max_tokens=len(shortest)).shortest_completion()
    assert completion is not None
    assert bytes(completion).decode() == shortest
    with pytest.raises(BudgetError) as caught:
        constraint.matcher(max_tokens=len(shortest) - 1)
    assert caught.value.achievable == len(shortest)
