"""The logits processor without an engine: rows that move, requests that come back, drafts, and what is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("vllm", reason="vLLM is not installed here; `make test-vllm` brings it")

from vllm import SamplingParams  # noqa: E402
from vllm.exceptions import VLLMValidationError  # noqa: E402
from vllm.v1.sample.logits_processor import BatchUpdate, MoveDirectionality  # noqa: E402

from grammask.integrations.vllm import admission  # noqa: E402
from grammask.integrations.vllm.logits_processor import GrammaskLogitsProcessor  # noqa: E402

pytestmark = pytest.mark.vllm
SIZE = 264


def asking(pattern: str | None, **more: Any) -> SamplingParams:
    """The parameters of a request for a pattern; None: not constrained."""
    params = SamplingParams(extra_args=None if pattern is None else {"grammask": {"regex": pattern, **more}}, max_tokens=20)
    params.update_from_generation_config({}, 256)
    return params


def update(*, removed: Any = (), added: Any = (), moved: Any = ()) -> BatchUpdate:
    return BatchUpdate(batch_size=8, removed=list(removed), added=list(added), moved=list(moved))


def live(processor: Any, n_rows: int) -> list[str]:
    """What each row may take next, as text; "*" for a row that was not touched."""
    logits = torch.randn((n_rows, SIZE), generator=torch.Generator().manual_seed(1))
    before = logits.clone()
    after = processor.apply(logits)
    shown = []
    for row, old in zip(after, before, strict=True):
        kept = torch.isfinite(row)
        assert bool((row[kept] == old[kept]).all())
        shown.append("*" if bool(kept.all()) else "".join(map(chr, np.flatnonzero(kept.numpy()))).replace("\u0100", "$"))
    return shown


@pytest.fixture
def processor(vllm_config: Any) -> Any:
    return GrammaskLogitsProcessor(vllm_config, torch.device("cpu"), False)


def test_rows_keep_their_requests_through_swaps_and_moves(processor: Any) -> None:
    """After vLLM swaps rows, or moves one into a gap, each row is masked by its own request's grammar at its own place."""
    outputs: list[list[int]] = [[], [], [], []]
    patterns = ("ab", "cd", None, "ef")
    processor.update_state(update(added=[(at, asking(pattern), [1], outputs[at]) for at, pattern in enumerate(patterns)]))
    assert live(processor, 4) == ["a", "c", "*", "e"]
    outputs[0].append(ord("a"))
    processor.update_state(update(moved=[(0, 2, MoveDirectionality.SWAP)]))
    assert live(processor, 4) == ["*", "c", "b", "e"]
    outputs[1].append(ord("c"))
    processor.update_state(update(removed=[0], moved=[(3, 0, MoveDirectionality.UNIDIRECTIONAL)]))
    assert live(processor, 3) == ["e", "d", "b"]


def test_a_preempted_request_goes_on_where_it_was(processor: Any) -> None:
    """A request that comes back, in another row and with the tokens it had, is masked at that place."""
    outputs = [ord("a"), ord("b")]
    processor.update_state(update(added=[(0, asking("abcd"), [1], outputs)]))
    assert live(processor, 1) == ["c"]
    processor.update_state(update(removed=[0]))
    assert live(processor, 1) == ["*"]
    processor.update_state(update(added=[(3, asking("abcd"), [1], [*outputs, ord("c")])]))
    assert live(processor, 4) == ["*", "*", "*", "d"]


def test_tokens_that_vllm_takes_back_are_taken_back(processor: Any) -> None:
    """vLLM may discard tokens at the end of an output and put others there."""
    outputs = [ord("a"), ord("b")]
    processor.update_state(update(added=[(0, asking("a(bc|xy)"), [1], outputs)]))
    assert live(processor, 1) == ["c"]
    outputs[1:] = [ord("x")]
    assert live(processor, 1) == ["y"]


def test_a_row_that_is_taken_over_forgets_its_request(processor: Any) -> None:
    """A new request without a grammar in the row of an old one is not constrained."""
    processor.update_state(update(added=[(0, asking("a"), [1], [])]))
    processor.update_state(update(added=[(0, asking(None), [1], [])]))
    assert live(processor, 1) == ["*"]
    assert not processor.needs_outputs


def test_an_output_behind_its_end_is_left_alone(processor: Any) -> None:
    """A request that ignores end tokens goes on free once its grammar is complete and ended."""
    outputs = [ord("a")]
    processor.update_state(update(added=[(0, asking("a"), [1], outputs)]))
    assert live(processor, 1) == ["$"]
    outputs.append(256)
    assert live(processor, 1) == ["*"]


def test_a_request_without_a_place_ends(processor: Any) -> None:
    """Tokens that vLLM does not show, and tokens that the grammar never allowed, end that output only."""
    processor.update_state(update(added=[(0, asking("ab"), [1], [-1]), (1, asking("ab"), [1], [ord("x")]), (2, asking("ab"), [1], [])]))
    assert live(processor, 3) == ["$", "$", "a"]


def test_outputs_are_whole_within_max_tokens(vllm_config: Any, byte_tokenizer: Any) -> None:
    """With fit_max_tokens the masks leave no way to an output that would be cut off; a budget too small for any is refused."""
    params = asking("a{3,99}", fit_max_tokens=True)
    params.max_tokens = 5
    processor = GrammaskLogitsProcessor(vllm_config, torch.device("cpu"), False)
    outputs: list[int] = []
    processor.update_state(update(added=[(0, params, [1], outputs)]))
    seen = []
    for _ in range(5):
        seen += live(processor, 1)
        outputs.append(ord("a") if "a" in seen[-1] else 256)
    assert seen == ["a", "a", "a", "a$", "$"]
    params.max_tokens = 2
    with pytest.raises(VLLMValidationError, match="max_tokens"):
        admission.check_extra(params, vllm_config, byte_tokenizer)


@pytest.mark.parametrize("request_", [{"regex": "("}, {"regx": "a"}, 7, "{", {"json_schema": {"type": "strin"}}, {"regex": "a", "fit_max_tokens": 1}])
def test_bad_requests_are_refused_before_the_engine_sees_them(request_: Any, vllm_config: Any, byte_tokenizer: Any) -> None:
    """vLLM answers its validation errors with status 400; both checks raise them, the one with tokens and the one without."""
    params = SamplingParams(extra_args={"grammask": request_})
    with pytest.raises(VLLMValidationError):
        GrammaskLogitsProcessor.validate_params(params)
    with pytest.raises(VLLMValidationError):
        admission.check_extra(params, vllm_config, byte_tokenizer)


def test_what_would_not_be_enforced_is_refused(vllm_config: Any, byte_tokenizer: Any) -> None:
    """V1's runner drops processors under speculative decoding; a request for one is an error there, and none for V2's."""
    vllm_config.speculative_config = object()
    with pytest.raises(VLLMValidationError, match="speculative"):
        admission.check_extra(asking("a"), vllm_config, byte_tokenizer)
    vllm_config.use_v2_model_runner = True
    admission.check_extra(asking("a"), vllm_config, byte_tokenizer)
    admission.check_extra(asking(None), vllm_config, byte_tokenizer)


def test_an_engine_without_such_requests_makes_no_vocabulary(vllm_config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read and the scores are the same object."""
    monkeypatch.setattr("grammask.integrations.vllm.logits_processor.vocabulary_of", lambda *_: pytest.fail("read a tokenizer"))
    processor = GrammaskLogitsProcessor(vllm_config, torch.device("cpu"), False)
    processor.update_state(update(added=[(0, asking(None), [1], [])]))
    logits = torch.zeros((1, SIZE))
    assert processor.apply(logits) is logits


def test_tokens_are_shown_to_the_processor_also_under_asynchronous_scheduling(processor: Any) -> None:
    """A batch with constrained requests collects the tokens so far, which vLLM else does for processors given by hand only; others do not."""
    from vllm.v1.worker.gpu_input_batch import InputBatch

    seen = []

    class Batch(InputBatch):  # type: ignore[misc]
        def __init__(self) -> None:
            self.logitsprocs = SimpleNamespace(non_argmax_invariant=[processor])
            self.logitsprocs_need_output_token_ids = False

        @property
        def num_reqs(self) -> int:
            seen.append(self.logitsprocs_need_output_token_ids)
            raise StopIteration

    for expected, pattern in ((False, None), (True, "a"), (False, None)):
        processor.update_state(update(added=[(0, asking(pattern), [1], [])]))
        batch = Batch()
        with pytest.raises(StopIteration):
            batch._make_sampling_metadata()
        assert seen.pop() is expected
        assert batch.logitsprocs_need_output_token_ids is False


# -- V2's runner, its interface classes only -----------------------------------------------------------------------------


def states(n_slots: int = 4, length: int = 32) -> Any:
    """The state of requests as V2's processors see it, on the CPU."""
    from vllm.v1.worker.gpu.sample.logits_processor import LogitsProcRequestState

    held = SimpleNamespace(gpu=torch.zeros((n_slots, length), dtype=torch.int32))
    lengths = SimpleNamespace(np=np.zeros(n_slots, dtype=np.int32))
    return LogitsProcRequestState(torch.device("cpu"), n_slots, SIZE, held, lengths, lengths, held)


def context(rows: list[tuple[int, int, int, int]]) -> Any:
    """rows: (slot, number among the rows of its request, token fed, place in its sequence)."""
    from vllm.v1.worker.gpu.sample.logits_processor import LogitsContext

    slots, depths, fed, places = (torch.tensor(column) for column in zip(*rows, strict=True))
    batch = list(dict.fromkeys(slots.tolist()))
    return LogitsContext(slots, torch.tensor(batch), np.array(batch), depths, fed, places, np.array([32] * len(batch)))


def test_the_loader_of_v2_takes_the_class(vllm_config: Any) -> None:
    """One class on the entry point serves both runners' loaders."""
    from vllm.v1.sample import logits_processor as first
    from vllm.v1.worker.gpu.sample import logits_processor as second

    assert issubclass(GrammaskLogitsProcessor, first.LogitsProcessor)
    assert issubclass(GrammaskLogitsProcessor, second.LogitsProcessor)
    assert second.loader._load_v2_logitsprocs([GrammaskLogitsProcessor])[-1] is GrammaskLogitsProcessor
    processor = GrammaskLogitsProcessor(vllm_config, states())
    assert processor.add_request(0, asking("a"))
    assert not processor.add_request(0, asking(None))
    assert not processor.needs_outputs


def test_drafts_of_v2_are_masked_row_by_row(vllm_config: Any) -> None:
    """Each draft has a row, masked behind the drafts before it; rows behind a wrong draft are left alone; drafts leave no trace."""
    shared = states()
    processor = GrammaskLogitsProcessor(vllm_config, shared)
    processor.add_request(2, asking("abcd"))
    processor.add_request(1, asking(None))
    shared.prompt_len.np[2] = 3
    shared.all_token_ids.gpu[2, :4] = torch.tensor([7, 7, 7, ord("a")])

    def apply(*rows: tuple[int, int, int, int]) -> list[str]:
        return live(SimpleNamespace(apply=lambda logits: processor.apply(logits, context(list(rows)))), len(rows))

    assert apply((1, 0, 9, 5), (2, 0, ord("a"), 3), (2, 1, ord("b"), 4), (2, 2, ord("x"), 5), (2, 3, ord("d"), 6)) == ["*", "b", "c", "*", "*"]
    shared.all_token_ids.gpu[2, 4] = ord("b")
    assert apply((2, 0, ord("b"), 4), (1, 0, 9, 6)) == ["c", "*"]
