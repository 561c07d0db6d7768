"""A logits processor of vLLM that holds requests with `extra_args={"grammask": {...}}` to their grammars, under both of its runners.

V1's runner numbers the rows of its batch anew as requests come, go and change places, and tells of it; V2's keeps a slot for each request and
says at each step which row is whose. Rule: a position follows from the tokens of the output so far, so a request that was pre-empted, moved or
given a new row goes on where it was. An engine without such requests pays for a look at an empty dict.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from vllm.v1.sample.logits_processor import LogitsProcessor as V1Processor
from vllm.v1.sample.logits_processor.builtin import process_dict_updates

from grammask.decoding.mask import apply_mask
from grammask.errors import EngineError, GrammaskError
from grammask.integrations.generation import Generation, fill_rows
from grammask.integrations.vllm import host
from grammask.integrations.vllm.admission import extra_grammar, extra_matcher, wished
from grammask.integrations.vllm.vocabularies import vocabulary_of

if TYPE_CHECKING:
    import torch

    from grammask.vocabulary import Vocabulary

__all__ = ["GrammaskLogitsProcessor"]

UNKNOWN = -1  # what vLLM puts for a token that it has not read back from the device


class _Row:
    """One request: its position, and the list in which vLLM collects its tokens (V1)."""

    __slots__ = ("generation", "outputs", "taken")

    def __init__(self, generation: Generation | None, outputs: list[int]) -> None:
        self.generation, self.outputs = generation, outputs
        self.taken: list[int] = []

    def follow(self, tokens: Sequence[int]) -> bool:
        """Bring the position behind these tokens. Whether the grammar still has something to say there."""
        generation = self.generation
        if generation is None:
            return True
        same = len(self.taken) if self.taken == tokens[: len(self.taken)] else _common(self.taken, tokens)
        if same < len(self.taken):
            generation.rollback(len(self.taken) - same)
            del self.taken[same:]
        for token_id in tokens[same:]:
            if generation.ended or generation.failed:
                break
            if token_id == UNKNOWN:
                generation.fail("vLLM does not show the tokens so far; is another plugin in its place?")
            elif generation.take(token_id):
                self.taken.append(token_id)
        return not generation.ended

    def takes(self, draft: int) -> bool:
        """Whether a draft may come next."""
        return self.generation is not None and self.generation.accepts((draft,)) == 1


def _common(some: Sequence[int], others: Sequence[int]) -> int:
    """How many tokens two lists have in common at their beginnings."""
    for at, (one, other) in enumerate(zip(some, others, strict=False)):
        if one != other:
            return at
    return min(len(some), len(others))


class GrammaskLogitsProcessor(V1Processor, *host.V2_BASES):  # type: ignore[misc]  # vLLM is not installed where types are checked
    """Found by vLLM through its entry-point group; nobody makes one by hand."""

    def __init__(self, vllm_config: Any, device_or_states: Any, is_pin_memory: bool | None = None) -> None:
        """V1: (vllm_config, device, is_pin_memory). V2: (vllm_config, states of the requests)."""
        self._config = vllm_config
        self._rows: dict[int, _Row] = {}
        self._states: Any = device_or_states  # V2's; V1 shows its tokens by lists
        self._known: Vocabulary | None = None
        if is_pin_memory is None:
            return
        try:
            host.show_outputs_to_processors()
        except EngineError as error:  # an engine that never gets such a request is to start all the same
            host.LOG.warning("extra_args['grammask'] may not work here: %s", error)

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """Refuse requests whose grammar cannot be read. Raises vLLM's validation error, which its server answers with status 400."""
        request = wished(sampling_params)
        if request is None:
            return
        try:
            extra_grammar(request)
        except (GrammaskError, TypeError, RecursionError) as error:
            raise host.VLLMValidationError(f"extra_args['grammask'] cannot be enforced: {error}") from error

    def is_argmax_invariant(self) -> bool:
        """No: masks change which token is the likeliest."""
        return False

    @property
    def needs_outputs(self) -> bool:
        """Whether the batch has requests whose tokens so far this processor must see."""
        return bool(self._rows)

    # -- V1's runner -----------------------------------------------------------------------------------------------------

    def update_state(self, batch_update: Any) -> None:
        """Requests that came, went or changed rows."""
        process_dict_updates(self._rows, batch_update, self._row)

    def _row(self, params: Any, _prompt: Sequence[int] | None, outputs: list[int]) -> _Row | None:
        return None if wished(params) is None else _Row(self._generation(params), outputs)

    def _generation(self, params: Any) -> Generation | None:
        """None, and a line in the log, for a request that got past admission all the same: its output ends at once."""
        try:
            generation = Generation(extra_matcher(params, self._vocabulary), params.all_stop_token_ids or None, host.LOG)
        except GrammaskError:
            host.LOG.exception("a request's grammar cannot be compiled; its output is ended")
            return None
        return generation

    @property
    def _vocabulary(self) -> Vocabulary:
        if self._known is None:
            self._known = vocabulary_of(self._config.model_config, host.engine_tokenizer(self._config))
        return self._known

    # -- both runners ----------------------------------------------------------------------------------------------------

    def apply(self, logits: torch.Tensor, ctx: Any = None) -> torch.Tensor:
        """Mask the rows of constrained requests in place; the others are not touched."""
        if not self._rows:
            return logits
        held = self._v1_rows() if ctx is None else self._v2_rows(ctx)
        if not held:
            return logits
        masks = np.zeros((len(held), (logits.shape[-1] + 31) // 32), dtype=np.int32)
        _fill(held, masks, self._vocabulary.eos_ids)
        _apply(logits, [at for at, _ in held], masks)
        return logits

    def _v1_rows(self) -> list[tuple[int, Generation | None]]:
        return [(at, row.generation) for at, row in self._rows.items() if row.follow(row.outputs)]

    # -- V2's runner -----------------------------------------------------------------------------------------------------

    def add_request(self, req_idx: int, sampling_params: Any) -> bool:
        """A request comes to a slot, whoever had it before. Whether it is constrained."""
        self._rows.pop(req_idx, None)
        if wished(sampling_params) is None:
            return False
        self._rows[req_idx] = _Row(self._generation(sampling_params), [])
        return True

    def _v2_rows(self, ctx: Any) -> list[tuple[int, Generation | None]]:
        """Row number and position, one for each row of a constrained request: its drafts have rows of their own."""
        if not any(slot in self._rows for slot in ctx.idx_mapping_np.tolist()):
            return []
        slots, depths = ctx.expanded_idx_mapping.tolist(), ctx.expanded_local_pos.tolist()
        fed, places = ctx.input_ids.tolist(), ctx.pos.tolist()
        held: list[tuple[int, Generation | None]] = []
        tokens: list[int] | None = None
        for at, slot in enumerate(slots):
            if (row := self._rows.get(slot)) is None:
                continue
            if depths[at] == 0:
                tokens = self._committed(slot, places[at])
            elif tokens is not None and row.takes(fed[at]):
                tokens.append(fed[at])
            else:
                tokens = None  # a draft that the row before it rules out: this row and those behind it are thrown away
            if tokens is not None and row.follow(tokens):
                held.append((at, row.generation and row.generation.copy()))
        return held

    def _committed(self, slot: int, place: int) -> list[int]:
        """The output so far of a request whose first row is at this place of its sequence."""
        start = int(self._states.prompt_len.np[slot])
        return [int(token_id) for token_id in self._states.all_token_ids.gpu[slot, start : place + 1].tolist()]


def _fill(held: Sequence[tuple[int, Generation | None]], masks: np.ndarray[Any, np.dtype[np.int32]], ends: Sequence[int]) -> None:
    """Masks of these rows, by one call of the kernel; a row without a grammar may only end."""
    live = [at for at, (_, generation) in enumerate(held) if generation is not None]
    if len(live) == len(held):
        fill_rows([generation for _, generation in held if generation is not None], masks)
        return
    some = np.zeros((len(live), masks.shape[1]), dtype=np.int32)
    fill_rows([generation for _, generation in held if generation is not None], some)
    masks[live] = some
    for at, (_, generation) in enumerate(held):
        if generation is None:
            for end in ends:
                masks[at].view(np.uint32)[end >> 5] |= np.uint32(1 << (end & 31))


def _apply(logits: torch.Tensor, rows: list[int], masks: np.ndarray[Any, np.dtype[np.int32]]) -> None:
    if logits.device.type == "cpu":
        for at, mask in zip(rows, masks, strict=True):
            apply_mask(logits[at], mask)
        return
    some = logits[rows]
    apply_mask(some, masks)
    logits[rows] = some
