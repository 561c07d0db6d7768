"""A whole engine on the CPU: a hundred requests under twenty schemas with others among them, pre-emption, row order, drafts.

The engine runs in this process, so that its scores can be looked at before and after masks are applied.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

torch = pytest.importorskip("torch")
vllm = pytest.importorskip("vllm", reason="vLLM is not installed here; `make test-vllm` brings it")

from vllm import LLM, SamplingParams  # noqa: E402
from vllm.exceptions import VLLMValidationError  # noqa: E402
from vllm.sampling_params import StructuredOutputsParams  # noqa: E402

from grammask.integrations.vllm import activate, logits_processor  # noqa: E402

pytestmark = pytest.mark.vllm

_PARTS: tuple[dict[str, Any], ...] = (
    {"type": "integer", "minimum": -50, "maximum": 999},
    {"enum": ["red", "green", "blue"]},
    {"type": "boolean"},
    {"type": "string", "maxLength": 8},
    {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}, "maxItems": 4},
    {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$"},
    {"type": "string", "format": "date"},
    {"type": "null"},
)


def schema_of(number: int) -> dict[str, Any]:
    """One of twenty schemas, each of three members, whose documents fit into 140 tokens, even spelled with escapes."""
    members = {f"{name}{number}": _PARTS[(number * (3 + at) + at) % len(_PARTS)] for at, name in enumerate(("a", "b", "c"))}
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def requests(n: int) -> list[tuple[str, SamplingParams, dict[str, Any] | None]]:
    """Prompts of several lengths; of five requests, two are structured outputs, two have extra_args, one is not constrained."""
    made: list[tuple[str, SamplingParams, dict[str, Any] | None]] = []
    for number in range(n):
        prompt = f"Write item {number} as JSON. " + "It is a long list. " * (number % 7 * 3)
        common: dict[str, Any] = {"max_tokens": 140, "temperature": 0.8 if number % 2 else 0.0, "seed": number}
        schema = schema_of(number % 20)
        if number % 5 in (0, 1):
            made.append((prompt, SamplingParams(structured_outputs=StructuredOutputsParams(json=schema), **common), schema))
        elif number % 5 in (2, 3):
            made.append((prompt, SamplingParams(extra_args={"grammask": {"json_schema": schema}}, **common), schema))
        else:
            made.append((prompt, SamplingParams(**(common | {"max_tokens": 10 + number % 40})), None))
    return made


def wrong(outputs: list[Any], asked: list[tuple[str, SamplingParams, dict[str, Any] | None]]) -> list[str]:
    """The outputs that are not documents of their schemas."""
    found = []
    for output, (_, _, schema) in zip(outputs, asked, strict=True):
        text = output.outputs[0].text
        try:
            if schema is not None:
                jsonschema.validate(json.loads(text), schema)
        except (ValueError, jsonschema.ValidationError):
            found.append(text)
    return found


class Watched(SimpleNamespace):
    """What was seen of an engine: rows that no mask was for, rows that were masked, pre-emptions, moves of rows, drafts."""


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Compare the scores of every step bit for bit, before and after each of the two ways to mask them."""
    from vllm.v1.core.sched.scheduler import Scheduler
    from vllm.v1.worker import gpu_model_runner

    seen = Watched(free=0, masked=0, touched=0, preempted=0, moved=0, mixed=0, drafted=0)

    def compare(before: Any, after: Any, held: set[int]) -> None:
        same = (before.view(torch.int32) == after.view(torch.int32)).all(dim=-1).tolist()
        seen.touched += sum(not kept for at, kept in enumerate(same) if at not in held)
        seen.free += len(same) - len(held)
        seen.masked += sum(not kept for at, kept in enumerate(same) if at in held)
        seen.mixed += 0 < len(held) < len(same)

    processor, masking = logits_processor.GrammaskLogitsProcessor, gpu_model_runner.apply_grammar_bitmask
    plain_apply, plain_update, plain_preempt = processor.apply, processor.update_state, Scheduler._preempt_request

    def apply(self: Any, logits: Any, ctx: Any = None) -> Any:
        before = logits.clone()
        after = plain_apply(self, logits, ctx)
        compare(before, after, set(self._rows))
        return after

    def update_state(self: Any, batch_update: Any) -> None:
        seen.moved += len(batch_update.moved) if batch_update else 0
        plain_update(self, batch_update)

    def apply_grammar_bitmask(scheduled: Any, grammars: Any, batch: Any, logits: Any) -> None:
        before, held, start = logits.float().clone(), set(), 0
        for name in batch.req_ids:
            seen.drafted += len(scheduled.scheduled_spec_decode_tokens.get(name, ()))
            rows = 1 + len(scheduled.scheduled_spec_decode_tokens.get(name, ()))
            held |= set(range(start, start + rows)) if name in grammars.structured_output_request_ids else set()
            start += rows
        masking(scheduled, grammars, batch, logits)
        compare(before, logits.float(), held)

    def preempt(self: Any, *args: Any, **more: Any) -> Any:
        seen.preempted += 1
        return plain_preempt(self, *args, **more)

    monkeypatch.setattr(processor, "apply", apply)
    monkeypatch.setattr(processor, "update_state", update_state)
    monkeypatch.setattr(gpu_model_runner, "apply_grammar_bitmask", apply_grammar_bitmask)
    monkeypatch.setattr(Scheduler, "_preempt_request", preempt)
    return seen


def engine(folder: str, **more: Any) -> Iterator[LLM]:
    """An engine in this process, with room for few tokens, so that it has to pre-empt."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
        activate(json_options={"whitespace": "compact"})
        made = LLM(folder, max_model_len=384, max_num_seqs=24, enforce_eager=True, dtype="float32", enable_prefix_caching=False, **more)
        yield made
        made.llm_engine.engine_core.shutdown()
        del made
        gc.collect()


@pytest.fixture(scope="module")
def llm(model_folder: str) -> Iterator[LLM]:
    yield from engine(model_folder, num_gpu_blocks_override=20)


def test_a_hundred_requests_obey_their_schemas_and_others_are_left_alone(llm: LLM, watched: Watched) -> None:
    """All constrained outputs are valid, the scores of all other rows are untouched bit for bit, and pre-empted requests go on rightly."""
    asked = requests(100)
    outputs = llm.generate([prompt for prompt, _, _ in asked], [params for _, params, _ in asked], use_tqdm=False)
    assert wrong(outputs, asked) == []
    assert {output.outputs[0].finish_reason for output, (_, _, schema) in zip(outputs, asked, strict=True) if schema} == {"stop"}
    assert watched.touched == 0
    assert min(watched.free, watched.masked, watched.mixed) > 100
    assert watched.preempted > 0
    assert watched.moved > 0


@pytest.mark.parametrize("place", ["processor", "back end"])
def test_wrong_row_order_is_noticed(llm: LLM, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the masks of a step in another order, outputs break their schemas: the test above would see it."""
    if place == "processor":
        plain = logits_processor._apply
        monkeypatch.setattr(logits_processor, "_apply", lambda logits, rows, masks: plain(logits, rows[::-1], masks))
    else:
        from grammask.integrations.vllm import backend

        plain_rows = backend.fill_rows
        monkeypatch.setattr(backend, "fill_rows", lambda generations, rows: plain_rows(generations[::-1], rows))
    asked = [each for each in requests(24) if each[2]]
    outputs = llm.generate([prompt for prompt, _, _ in asked], [params for _, params, _ in asked], use_tqdm=False)
    assert wrong(outputs, asked)


def test_a_bad_request_is_an_error_of_its_own(llm: LLM) -> None:
    """The engine refuses it and answers the next one."""
    for bad in (
        {"structured_outputs": StructuredOutputsParams(json={"type": "strin"})},
        {"extra_args": {"grammask": {"json_schema": {"type": "strin"}}}},
        {"extra_args": {"grammask": {"regex": "a"}}, "structured_outputs": StructuredOutputsParams(regex="a")},
    ):
        with pytest.raises(VLLMValidationError, match=r"grammask|cannot be enforced"):
            llm.generate(["x"], SamplingParams(**bad), use_tqdm=False)
    good = llm.generate(["x"], SamplingParams(structured_outputs=StructuredOutputsParams(choice=["yes"])), use_tqdm=False)
    assert good[0].outputs[0].text == "yes"


def test_stop_tokens_of_a_request_end_it_where_it_is_complete(llm: LLM) -> None:
    """stop_token_ids are end tokens for this request: inside a string they are not drawn."""
    letter = llm.get_tokenizer().encode("a", add_special_tokens=False)[0]
    for more in ({"structured_outputs": StructuredOutputsParams(regex="[ab]{4,30}")}, {"extra_args": {"grammask": {"regex": "[ab]{4,30}"}}}):
        output = llm.generate(["aaaa"], SamplingParams(stop_token_ids=[letter], max_tokens=40, temperature=0, **more), use_tqdm=False)[0].outputs[0]
        assert output.finish_reason == "stop"
        assert 4 <= len(output.text) <= 31


def test_drafts_of_n_gram_speculation_obey_the_schemas(model_folder: str, watched: Watched) -> None:
    """With drafts, which vLLM checks several tokens at a time, all constrained outputs are valid and other rows untouched.

    Greedy requests and sampled ones come apart: where a batch mixes them, vLLM 0.32 on a CPU draws token 0 for greedy ones, whatever the back end.
    """
    speculation = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 3, "prompt_lookup_min": 1}
    for llm in engine(model_folder, num_gpu_blocks_override=60, speculative_config=speculation):
        asked = [each for each in requests(100) if not each[1].extra_args][:24]
        prompts = [f"Fill in {json.dumps(schema or {}).replace(' ', '')}" for _, _, schema in asked]
        for temperature in (0.0, 0.8):
            for _, params, _ in asked:
                params.temperature = temperature
            outputs = llm.generate(prompts, [params for _, params, _ in asked], use_tqdm=False)
            assert wrong(outputs, asked) == []
        assert watched.touched == 0
        assert watched.mixed > 20
        assert watched.drafted > 50
        with pytest.raises(VLLMValidationError, match="speculative"):
            llm.generate(["x"], SamplingParams(extra_args={"grammask": {"regex": "a"}}), use_tqdm=False)
