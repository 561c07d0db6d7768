"""Rows found by their tokens: whatever order a host puts them in, copies or takes back."""

from __future__ import annotations

import random
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import grammask
from grammask.errors import GrammarTypeError, PromptError, TokenRefused, VocabularyError
from grammask.integrations import histories
from grammask.integrations.histories import Histories

TOKENS = [*(bytes([byte]) for byte in range(256)), b"ab", b"ca", b""]
END = len(TOKENS) - 1
VOCABULARY = grammask.Vocabulary(TOKENS, eos_ids=[END])
PATTERN = "[a-c]{2,6}(x|yz)"
WIDTH = len(TOKENS) + 5  # scores are wider than the vocabulary


@pytest.fixture
def constraint() -> grammask.Constraint:
    """Some letters, then one of two endings."""
    return grammask.compile(grammask.regex(PATTERN), VOCABULARY)


def allowed(words: np.ndarray) -> set[int]:
    """The ids that a row of words allows."""
    return set(np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist())


def replayed(constraint: grammask.Constraint, output: list[int]) -> set[int]:
    """What a matcher of its own says behind an output."""
    matcher = constraint.matcher()
    for token_id in output:
        if matcher.is_finished:
            return {END}
        matcher.advance(token_id)
    return {END} if matcher.is_finished else set(matcher.allowed_tokens().tolist())


@pytest.mark.parametrize("seed", range(10))
def test_rows_that_are_permuted_copied_and_dropped_keep_their_places(constraint: grammask.Constraint, seed: int) -> None:
    """As in a beam search: each new row is some earlier row and one more token, and its mask is that of a fresh matcher over its output."""
    rng = random.Random(seed)
    rows, found = [[7, 8, 9]] * 4, Histories(constraint)
    for _ in range(9):
        masks = found.masks(np.array(rows), WIDTH)
        for row, words in zip(rows, masks.rows, strict=True):
            assert allowed(words) == replayed(constraint, row[3:])
        parents = [rng.randrange(len(rows)) for _ in rows]
        rows = [[*rows[parent], rng.choice(sorted(allowed(masks.rows[parent])))] for parent in parents]


def test_drafts_that_are_taken_back_leave_no_trace(constraint: grammask.Constraint) -> None:
    """A host that scores a draft goes back to where it agreed and goes on from there."""
    found = Histories(constraint)
    draft = [97, 98, 99, 120]
    for length in range(5):
        found.masks(np.array([[1, 2, *draft[:length]]]), WIDTH)
    masks = found.masks(np.array([[1, 2, 97, 97]]), WIDTH)
    assert allowed(masks.rows[0]) == replayed(constraint, [97, 97])
    assert allowed(found.masks(np.array([[1, 2, 97]]), WIDTH).rows[0]) == replayed(constraint, [97])


def test_another_prompt_starts_anew(constraint: grammask.Constraint) -> None:
    """A prompt that is no earlier row and a token more begins an output, even if it holds an earlier prompt and its output."""
    found = Histories(constraint)
    for row in ([1, 2], [1, 2, 97], [1, 2, 97, 97], [1, 2, 97, 97, 120], [1, 2, 97, 97, 120, END, 10, 3, 4]):
        masks = found.masks(np.array([row]), WIDTH)
    assert allowed(masks.rows[0]) == replayed(constraint, [])


def test_several_tokens_at_once_are_the_same_output(constraint: grammask.Constraint) -> None:
    """A caller's loop may put forced text there between two calls."""
    found = Histories(constraint)
    found.masks(np.array([[1, 2]]), WIDTH)
    assert allowed(found.masks(np.array([[1, 2, 97, 98, 121]]), WIDTH).rows[0]) == {ord("z")}


def test_ended_rows_may_only_take_an_end_token(constraint: grammask.Constraint) -> None:
    """Whatever a host fills them up with; the others go on."""
    found = Histories(constraint)
    found.masks(np.array([[1], [2]]), WIDTH)
    for output in ([97], [97, 97], [97, 97, 120], [97, 97, 120, END], [97, 97, 120, END, 0]):
        masks = found.masks(np.array([[1, *output], [2, *([97] * len(output))]]), WIDTH)
    assert masks.over == [0]
    assert allowed(masks.rows[0]) == {END} == {masks.end}
    assert allowed(masks.rows[1]) == replayed(constraint, [97] * 5)


def test_a_row_that_left_the_grammar_is_given_up_while_others_can_go_on(constraint: grammask.Constraint) -> None:
    """Searches keep such rows at a score of minus infinity where there are fewer choices than beams."""
    found = Histories(constraint)
    found.masks(np.array([[1], [1]]), WIDTH)
    masks = found.masks(np.array([[1, 97], [1, 33]]), WIDTH)
    assert masks.over == [1]
    assert allowed(masks.rows[0]) == replayed(constraint, [97])


def test_no_row_left_is_an_error_that_says_who_chose(constraint: grammask.Constraint) -> None:
    """With one row there is no search: something else chose a token that was ruled out."""
    found = Histories(constraint)
    found.masks(np.array([[1]]), WIDTH)
    with pytest.raises(TokenRefused) as refused:
        found.masks(np.array([[1, 33]]), WIDTH)
    assert refused.value.token_id == 33
    assert "last of the list" in refused.value.__notes__[0]
    found.reset()
    assert allowed(found.masks(np.array([[1, 33]]), WIDTH).rows[0]) == replayed(constraint, [])


def test_constraints_belong_to_blocks_of_rows(constraint: grammask.Constraint) -> None:
    """With two constraints and four rows the first two have the first one; prompts may be the same. None leaves rows free."""
    other = grammask.compile(grammask.choice(["no"]), VOCABULARY)
    found = Histories([constraint, None, other])
    masks = found.masks(np.array([[1]] * 6), WIDTH)
    assert masks.free == [2, 3]
    assert [allowed(masks.rows[row]) for row in (0, 1, 4, 5)] == [replayed(constraint, [])] * 2 + [{ord("n")}] * 2
    masks = found.masks(np.array([[1, 97]] * 2 + [[1, 33]] * 2 + [[1, ord("n")]] * 2), WIDTH)
    assert allowed(masks.rows[5]) == {ord("o")}
    with pytest.raises(PromptError, match=r"rows \(4\) do not divide among 3"):
        found.masks(np.array([[1]] * 4), WIDTH)


def test_a_budget_closes_outputs_in_time(constraint: grammask.Constraint) -> None:
    """Of three tokens two must be letters, so the ending is of one letter and comes at once."""
    found = Histories(constraint, max_tokens=3)
    row = [5]
    for _ in range(3):
        row.append(min(allowed(found.masks(np.array([row]), WIDTH).rows[0])))
    assert re.fullmatch(PATTERN.encode(), VOCABULARY.decode(row[1:]))
    assert allowed(found.masks(np.array([row]), WIDTH).rows[0]) == {END}


def test_places_are_forgotten_oldest_first(constraint: grammask.Constraint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded; what goes on is kept."""
    monkeypatch.setattr(histories, "MOST_PLACES", 10)
    monkeypatch.setattr(histories, "LONGEST_STEP", 8)
    found = Histories(constraint)
    found.masks(np.array([[1]]), WIDTH)
    for prompt in range(2, 30):
        found.masks(np.array([[1, 97], [prompt, prompt]]), WIDTH)
    assert len(found._places) <= 16
    assert allowed(found.masks(np.array([[1, 97, 97]]), WIDTH).rows[0]) == replayed(constraint, [97, 97])


def test_threads_share_the_places(constraint: grammask.Constraint) -> None:
    """Each thread's outputs are right, whatever the others ask."""
    found = Histories(constraint)

    def run(prompt: int) -> bool:
        row, rng = [prompt, prompt], random.Random(prompt)
        while row[-1] != END:
            row.append(rng.choice(sorted(allowed(found.masks(np.array([row]), WIDTH).rows[0]))))
        return re.fullmatch(PATTERN.encode(), VOCABULARY.decode(row[2:])) is not None

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, range(300, 340)))


def test_scores_must_reach_the_tokens_with_text(constraint: grammask.Constraint) -> None:
    """Padding ids need no score; a model of fewer scores than tokens is another model's."""
    padded = grammask.compile(grammask.choice(["a"]), grammask.Vocabulary(TOKENS, eos_ids=[END], size=512))
    assert Histories(padded).masks(np.array([[1]]), len(TOKENS)).rows.shape == (1, (len(TOKENS) + 31) // 32)
    with pytest.raises(VocabularyError, match="scores are of 200"):
        Histories(constraint).masks(np.array([[1]]), 200)


def test_what_is_no_constraint_is_refused() -> None:
    """A schema must be compiled first; vocabularies must agree and name an end."""
    with pytest.raises(GrammarTypeError, match="compile it first"):
        Histories({"type": "integer"})  # type: ignore[arg-type]
    with pytest.raises(GrammarTypeError, match="no constraint at all"):
        Histories([None, None])
    endless = grammask.compile(grammask.choice(["a"]), grammask.Vocabulary(TOKENS, eos_ids=[]))
    with pytest.raises(VocabularyError, match="no end token"):
        Histories(endless)
    with pytest.raises(VocabularyError, match="different vocabularies"):
        Histories([endless, grammask.compile(grammask.choice(["a"]), VOCABULARY)])


def test_an_empty_prompt_is_a_prompt(constraint: grammask.Constraint) -> None:
    """A model fed with embeddings shows no token at first."""
    found = Histories(constraint)
    assert allowed(found.masks(np.zeros((1, 0), dtype=np.int64), WIDTH).rows[0]) == replayed(constraint, [])
    assert allowed(found.masks(np.array([[97]]), WIDTH).rows[0]) == replayed(constraint, [97])
