"""The plain-Python twin against the independent oracle, verdict by verdict."""

from __future__ import annotations

import doctest
from collections import Counter
from random import Random
from typing import Any

import pytest

import grammask.kernel.reference
from grammask.errors import EmptyLanguageError, UnspellableError
from grammask.kernel.tables import CALL, EPSILON, LITERAL, LITERALS, RANGE, SPECIAL, RuleTable

from . import random_grammars
from .kernels import Kernel
from .oracle import Bnf, TokenOracle, is_spelled
from .random_grammars import FAMILIES, Case, network
from .scale import THOROUGH, n_cases

JUDGED = tuple(name for name in FAMILIES if name != "wide text")  # an oracle cannot write wide texts out


def walk(matcher: Any, eos_ids: list[int], rng: Random, steps: int) -> Any:
    """The ids taken so far at each position of a random walk over allowed tokens, the start included."""
    taken: list[int] = []
    for _ in range(steps):
        yield taken
        onward = [token_id for token_id in matcher.allowed_tokens().tolist() if token_id not in eos_ids]
        if not onward:
            return
        taken.append(rng.choice(onward))
        matcher.advance(taken[-1])


def judge_where_everything_is_spelled(reference: Kernel, case: Case, rng: Random, walks: int, steps: int) -> int:
    """Compare every verdict of some walks with the oracle; returns how many verdicts that were."""
    oracle = TokenOracle(case.root, case.tokens, case.eos_ids)
    bound = reference.bind(case.root, case.tokens, case.eos_ids)
    n_verdicts = 0
    for _ in range(walks):
        matcher = reference.module.Matcher(bound)
        for taken in walk(matcher, case.eos_ids, rng, steps):
            assert matcher.allowed_tokens().tolist() == oracle.viable_tokens(oracle.text(taken)), (taken, case)
            n_verdicts += len(case.tokens)
    return n_verdicts


def test_every_verdict_is_the_oracles_where_tokens_spell_everything(reference: Kernel) -> None:
    """Byte-complete vocabularies: a token is allowed iff its text begins a string of the language."""
    for number, case in enumerate(random_grammars.cases(n_cases(84, 3000), seed=11, families=JUDGED, kinds=("bytes",))):
        judge_where_everything_is_spelled(reference, case, Random(number), walks=2, steps=4)


PUBLISHED = {"grammars": 1_093, "left-recursive": 631, "with nullable rules": 538, "verdicts": 597_253}


@pytest.mark.skipif(not THOROUGH, reason="half a minute; GRAMMASK_THOROUGH=1 runs it")
def test_published_verdicts_are_reproduced(reference: Kernel) -> None:
    """What was published of the design's model, with grammars drawn afresh: as many of each kind, and none wrong."""
    seen: Counter[str] = Counter()
    for case in random_grammars.cases(5_000, seed=7, families=("mixed",), kinds=("bytes",)):
        bnf = Bnf(case.root)
        seen["grammars"] += 1
        seen["left-recursive"] += bnf.is_left_recursive
        seen["with nullable rules"] += bnf.has_nullable_rules
        seen["verdicts"] += judge_where_everything_is_spelled(reference, case, Random(seen["grammars"]), walks=4, steps=6)
        if all(seen[what] >= number for what, number in PUBLISHED.items()):
            break
    assert all(seen[what] >= number for what, number in PUBLISHED.items()), seen


def judge_where_tokens_have_gaps(reference: Kernel, case: Case, rng: Random, longest: int) -> None:
    """Both directions of the definition, by witness and by search.

    An allowed token has a witness: the twin's completion behind it is spelled by tokens and makes a word. A refused token
    begins no word up to a length whose rest is spelled by tokens.
    """
    oracle = TokenOracle(case.root, case.tokens, case.eos_ids)
    letters = {symbol for token_id in range(len(case.tokens)) for symbol in oracle.text([token_id])}
    words = oracle.bnf.words(longest, letters)
    try:
        bound = reference.bind(case.root, case.tokens, case.eos_ids)
    except UnspellableError:
        assert not any(is_spelled(word, case.tokens, case.eos_ids) for word in words), case
        return
    matcher = reference.module.Matcher(bound)
    for taken in walk(matcher, case.eos_ids, rng, 4):
        allowed = set(matcher.allowed_tokens().tolist())
        assert allowed >= set(oracle.spelled_tokens(oracle.text(taken), words)), (taken, case)
        for token_id in allowed - set(case.eos_ids):
            trial = matcher.copy()
            trial.advance(token_id)
            rest = trial.bound.completions.of(trial.state_key()[0], bound.first)
            assert rest is not None
            assert is_spelled(rest, case.tokens, case.eos_ids), (rest, taken, case)
            assert oracle.earley.is_complete(oracle.text([*taken, token_id]) + rest), (rest, taken, case)


@pytest.mark.parametrize("kind", ["gaps", "words"])
def test_every_verdict_has_a_witness_or_none_where_tokens_have_gaps(reference: Kernel, kind: str) -> None:
    """Vocabularies that do not spell everything: an allowed token can be completed by tokens, a refused one cannot."""
    families = tuple(name for name in JUDGED if name != "text")
    for number, case in enumerate(random_grammars.cases(n_cases(36, 1500), seed=13, families=families, kinds=(kind,))):
        judge_where_tokens_have_gaps(reference, case, Random(number), longest=5)


def test_a_shortest_completion_is_as_short_as_any_word(reference: Kernel) -> None:
    """From the start: no word up to a length that tokens spell is shorter."""
    families = tuple(name for name in JUDGED if name not in ("text", "special", "multiples"))
    for case in random_grammars.cases(n_cases(60, 1500), seed=17, families=families):
        oracle = TokenOracle(case.root, case.tokens, case.eos_ids)
        spelled = [word for word in oracle.bnf.words(5, b"abc") if is_spelled(word, case.tokens, case.eos_ids)]
        try:
            shortest = reference.matcher(case.root, case.tokens, case.eos_ids).shortest_bytes()
        except UnspellableError:
            assert not spelled
            continue
        assert len(shortest) == min(map(len, spelled)) if spelled else len(shortest) > 5, case


def table(*edges: tuple[Any, ...], n_nodes: int = 2) -> RuleTable:
    return RuleTable("root", n_nodes, list(edges))


def texts(matcher: Any, tokens: list[bytes]) -> list[bytes]:
    return [tokens[token_id] for token_id in matcher.allowed_tokens().tolist()]


def test_only_the_caller_decides_where_tokens_span_a_return(reference: Kernel) -> None:
    """S -> "1" R "b" | "2" R "c", R -> "xa", tokens {1, 2, x, ab, c}: "2" leads nowhere, because no tokens spell "xac"."""
    root = network([("alt", ("seq", b"1", ("rule", 1), b"b"), ("seq", b"2", ("rule", 1), b"c")), b"xa"])
    tokens = [b"1", b"2", b"x", b"ab", b"c", b""]
    matcher = reference.matcher(root, tokens, [5])
    assert texts(matcher, tokens) == [b"1"]
    matcher.advance(0)
    matcher.advance(2)
    assert texts(matcher, tokens) == [b"ab"]


def test_an_edge_whose_byte_has_no_token_is_crossed_inside_one(reference: Kernel) -> None:
    """Tokens ab and c spell abc though no token is b: and "ab" then "c" is the only way."""
    tokens = [b"a", b"ab", b"c", b""]
    matcher = reference.matcher(table((LITERAL, 0, 1, b"abc")), tokens, [3])
    assert texts(matcher, tokens) == [b"ab"]


def test_a_vocabulary_without_the_words_is_refused_with_a_text(reference: Kernel) -> None:
    """Binding says what cannot be spelled when tokens spell nothing of the language."""
    with pytest.raises(UnspellableError) as refusal:
        reference.bind(table((LITERALS, 0, 1, (b"abc", b"ab"))), [b"a", b"c", b""], [2])
    assert refusal.value.text == b"ab"


def test_an_empty_language_is_refused(reference: Kernel) -> None:
    """A network without a way to its end is no grammar."""
    with pytest.raises(EmptyLanguageError):
        reference.bind(table((LITERAL, 0, 2, b"a"), (CALL, 2, 1, table((EPSILON, 0, 0))), n_nodes=3), [b"a", b""], [1])


def test_left_recursion_needs_no_preparation(reference: Kernel) -> None:
    """S -> S "," "a" | "a", from raw tables."""
    root = table((LITERAL, 0, 1, b"a"), (LITERAL, 2, 1, b",a"), n_nodes=3)
    root.edges.append((CALL, 0, 2, root))
    tokens = [b"a", b",", b",a,", b""]
    matcher = reference.matcher(root, tokens, [3])
    for token, allowed in [(0, [b",", b",a,", b""]), (2, [b"a"]), (0, [b",", b",a,", b""])]:
        matcher.advance(token)
        assert texts(matcher, tokens) == allowed


def test_prepared_tables_mean_the_same(reference: Kernel) -> None:
    """A nullable rule as a flag, with an edge back to its start: the empty string is added, not every return to node 0."""
    root = RuleTable("root", 2, [(LITERAL, 0, 0, b"a"), (LITERAL, 0, 1, b"b")], nullable=True)
    tokens = [b"a", b"b", b""]
    matcher = reference.matcher(root, tokens, [2])
    assert texts(matcher, tokens) == [b"a", b"b", b""]
    matcher.advance(0)
    assert texts(matcher, tokens) == [b"a", b"b"]


def test_special_tokens_are_allowed_only_where_named(reference: Kernel) -> None:
    """A token without bytes is its own symbol; ids without bytes that nothing names are never allowed."""
    tokens = [b"a", b"", b"", b"", b""]
    root = table((RANGE, 0, 2, SPECIAL + 2, SPECIAL + 3), (LITERAL, 2, 1, b"a"), (RANGE, 1, 1, SPECIAL + 2, SPECIAL + 2), n_nodes=3)
    matcher = reference.matcher(root, tokens, [4])
    assert matcher.allowed_tokens().tolist() == [2, 3]
    assert matcher.shortest_bytes() is None
    assert matcher.forced_bytes() == b""
    matcher.advance(3)
    assert (matcher.allowed_tokens().tolist(), matcher.shortest_bytes(), matcher.forced_bytes()) == ([0], b"a", b"a")
    matcher.advance(0)
    assert (matcher.allowed_tokens().tolist(), matcher.shortest_bytes()) == ([2, 4], b"")


def test_a_special_token_does_not_cut_another_in_two(reference: Kernel) -> None:
    """ "c" "a" SPECIAL | "c" "ab", tokens {c, ab, special}: nothing ends a token after "a", so only "ab" can follow "c"."""
    tokens = [b"c", b"ab", b"", b""]
    special = ("seq", b"ca", ("special", 0))
    matcher = reference.matcher(network([("alt", special, b"cab")], specials=2), tokens, [3])
    matcher.advance(0)
    assert texts(matcher, tokens) == [b"ab"]
    matcher.advance(1)
    assert matcher.allowed_tokens().tolist() == [3]
    with pytest.raises(UnspellableError):
        reference.bind(network([special], specials=2), tokens, [3])


def test_forced_bytes_run_to_the_first_choice(reference: Kernel) -> None:
    """Through calls, up to where two ways part, and not past a complete text."""
    root = network([("seq", b"ab", ("rule", 1), b"c"), ("alt", b"ca", b"cb")])
    tokens = [b"a", b"b", b"c", b""]
    matcher = reference.matcher(root, tokens, [3])
    assert matcher.forced_bytes() == b"abc"
    for token in (0, 1, 2, 1):
        matcher.advance(token)
    assert matcher.forced_bytes() == b"c"
    matcher.advance(2)
    assert matcher.forced_bytes() == b""


def test_examples_in_the_twins_docstrings_are_true() -> None:
    """The twin doubles as teaching material, so its examples are run."""
    outcome = doctest.testmod(grammask.kernel.reference)
    assert outcome.attempted >= 4
    assert outcome.failed == 0
