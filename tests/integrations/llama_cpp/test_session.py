"""Sessions: what they have read decides their scores, whatever way they came to it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from grammask.decoding.generate import LanguageModel
from grammask.errors import EngineError, LimitError, PromptError, RollbackError, TokenOutOfRange
from grammask.integrations.llama_cpp import Model, Session

TEXT = "The quick brown fox jumps over the lazy dog and"


@pytest.fixture
def session(model: Model) -> Iterator[Session]:
    """A session of its own."""
    with model.session() as made:
        yield made


@pytest.fixture(scope="module")
def token_ids(model: Model) -> list[int]:
    """Tokens of a short text."""
    assert model.vocabulary.encode is not None
    return model.vocabulary.encode(TEXT)


def fresh(model: Model, token_ids: list[int]) -> NDArray[np.float32]:
    """The scores of a new session that reads these tokens at once."""
    with model.session() as session:
        return session.feed(token_ids)


def same(left: NDArray[np.float32], right: NDArray[np.float32]) -> bool:
    """Equal up to the rounding that differs between batch sizes."""
    return bool(np.abs(left - right).max() < 0.05)


def test_session_is_a_language_model(session: Session) -> None:
    """It offers what the generate loop asks for."""
    assert isinstance(session, LanguageModel)


def test_scores_have_one_number_for_each_token_and_stay(model: Model, session: Session, token_ids: list[int]) -> None:
    """Scores are a read-only copy that later evaluations leave alone; asked twice they are the same."""
    first = session.feed(token_ids[:4])
    kept = first.copy()
    assert first.shape == (len(model.vocabulary),)
    assert first.dtype == np.float32
    assert session.logits() is first
    session.feed(token_ids[4:])
    assert np.array_equal(first, kept)
    assert not first.flags.writeable


def test_rewinding_gives_the_scores_of_a_fresh_evaluation(model: Model, session: Session, token_ids: list[int]) -> None:
    """After taking tokens back the session scores as if they had never been there."""
    session.feed(token_ids)
    session.rewind(4)
    assert same(session.logits(), fresh(model, token_ids[:-4]))
    assert same(session.feed(token_ids[-4:]), fresh(model, token_ids))


def test_rewinding_over_tokens_not_yet_evaluated_costs_nothing(model: Model, session: Session, token_ids: list[int]) -> None:
    """Accepted tokens wait until scores are asked for, so taking them back leaves the scores as they were."""
    before = session.feed(token_ids)
    session.accept(token_ids[0])
    session.rewind(1)
    assert session.logits() is before


def test_shared_prefix_gives_the_scores_of_a_fresh_evaluation(model: Model, session: Session, token_ids: list[int]) -> None:
    """A prompt that begins like the last one is evaluated from where they part, with the same scores."""
    session.begin(token_ids)
    session.logits()
    other = [*token_ids[:-3], token_ids[0], token_ids[1]]
    assert session.shared_with(other) == len(token_ids) - 3
    session.begin(other)
    assert same(session.logits(), fresh(model, other))


def test_same_prompt_is_not_evaluated_again(session: Session, token_ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting over with what was read last costs nothing."""
    session.begin(token_ids)
    before = session.logits()
    monkeypatch.setattr(session._context, "decode", None)
    session.begin(token_ids)
    assert session.logits() is before


def test_prompt_that_was_read_further_is_taken_back(model: Model, session: Session, token_ids: list[int]) -> None:
    """A prompt that is a prefix of the sequence so far gives the scores behind its own end."""
    session.feed(token_ids)
    session.begin(token_ids[:5])
    assert session.token_ids == tuple(token_ids[:5])
    assert same(session.logits(), fresh(model, token_ids[:5]))


def test_several_positions_at_once_score_as_one_by_one(model: Model, session: Session, token_ids: list[int]) -> None:
    """A draft's scores come from one evaluation, one row for each of its tokens."""
    session.accept(token_ids[0])
    rows = session.feed_all(token_ids[1:6])
    assert rows.shape == (5, len(model.vocabulary))
    assert all(same(row, fresh(model, token_ids[: index + 2])) for index, row in enumerate(rows))
    assert session.logits() is not None
    assert session.n_past == 6


def test_long_sequences_are_read_in_several_batches(model: Model, token_ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Splitting what is read into batches changes no score."""
    with model.session() as session:
        monkeypatch.setattr(session._context, "_room", 4)
        assert same(session.feed(token_ids), fresh(model, token_ids))
        session.rewind(session.n_past)
        assert same(session.feed_all(token_ids)[6], fresh(model, token_ids[:7]))


def test_caches_that_cannot_be_cut_are_read_anew(model: Model, session: Session, token_ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the engine takes no tokens back (recurrent models) the sequence is evaluated from its start."""
    context, cut = session._context, session._context.cut
    session.feed(token_ids)
    monkeypatch.setattr(context, "cut", lambda length: cut(0) and length == 0)
    session.rewind(3)
    assert session.token_ids == tuple(token_ids[:-3])
    assert same(session.logits(), fresh(model, token_ids[:-3]))


def test_broken_off_evaluation_leaves_the_sequence_as_it_was(model: Model, session: Session, token_ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt during an evaluation loses no token and spoils no score."""
    session.feed(token_ids[:4])
    context, decode = session._context, session._context.decode

    def interrupted(*arguments: object) -> NDArray[np.float32]:
        decode(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(context, "decode", interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.feed(token_ids[4:])
    assert session.token_ids == tuple(token_ids)
    assert same(session.logits(), fresh(model, token_ids))


def test_prompt_longer_than_the_context_is_refused_with_both_numbers(model: Model, session: Session) -> None:
    """The error tells how long the prompt is and how long it may be."""
    with pytest.raises(LimitError) as caught:
        session.begin([1] * model.n_ctx)
    assert (caught.value.value, caught.value.bound) == (model.n_ctx, model.n_ctx - 1)
    assert "n_ctx" in str(caught.value)


def test_full_context_takes_no_more_tokens(model: Model, session: Session) -> None:
    """A sequence never grows past its context, and stays as it was."""
    session.begin([1] * (model.n_ctx - 1))
    session.accept(1)
    with pytest.raises(LimitError):
        session.accept(1)
    assert session.n_past == model.n_ctx


@pytest.mark.parametrize("token_id", [-1, 49_152, 1 << 40])
def test_ids_outside_the_vocabulary_are_refused(session: Session, token_id: int) -> None:
    """Such an id never reaches the engine."""
    for call in (session.accept, lambda bad: session.begin([1, bad]), lambda bad: session.feed([bad])):
        with pytest.raises(TokenOutOfRange):
            call(token_id)
    assert session.n_past == 0


def test_rewinding_too_far_is_refused(session: Session, token_ids: list[int]) -> None:
    """Only tokens that were taken can be taken back."""
    session.begin(token_ids)
    with pytest.raises(RollbackError):
        session.rewind(len(token_ids) + 1)
    session.rewind(len(token_ids))
    assert session.n_past == 0


def test_nothing_read_has_no_scores(session: Session) -> None:
    """There are no scores before the first token, and no prompt is empty."""
    with pytest.raises(PromptError):
        session.logits()
    with pytest.raises(PromptError):
        session.begin([])


def test_closed_session_raises(model: Model, token_ids: list[int]) -> None:
    """Every call after `close` is an error, not a crash; closing twice is none."""
    session = model.session()
    session.begin(token_ids)
    session.close()
    session.close()
    for call in (session.logits, lambda: session.begin(token_ids), lambda: session.accept(1), lambda: session.rewind(1)):
        with pytest.raises(EngineError, match="closed"):
            call()
