"""vLLM's general plugin: puts grammask's functions in the place of vLLM's, in every process of an engine.

Rule: without GRAMMASK_VLLM nothing about structured outputs is changed, and nothing here can keep an engine from starting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammask.errors import EngineError
from grammask.integrations.vllm import settings

__all__ = ["register"]


def register() -> None:
    """Called by vLLM, more than once in a process. Raises EngineError, GrammarError only where GRAMMASK_VLLM asks for what cannot be had."""
    from grammask.integrations.vllm import host

    active = settings.is_active()
    if active:
        settings.options()
        if not host.is_verified():
            host.LOG.warning("grammask's integration was verified with vLLM %s, and this is %s", ", ".join(host.VERIFIED), host.VERSION)
        _take_structured_outputs()
    try:
        _admit_extra_args()
    except EngineError as error:
        host.LOG.warning("extra_args['grammask'] are only checked in part before a request starts: %s", error)


def _admit_extra_args() -> None:
    from grammask.integrations.vllm import host

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def _validate_params(self: Any, params: Any, supported_tasks: Any) -> Any:
            if getattr(params, "extra_args", None):
                from grammask.integrations.vllm.admission import check_extra

                check_extra(params, self.vllm_config, self.tokenizer)
            return original(self, params, supported_tasks)

        return _validate_params

    host.replace("vllm.v1.engine.input_processor", "InputProcessor._validate_params", ("self", "params", "supported_tasks"), make)


def _take_structured_outputs() -> None:
    from grammask.integrations.vllm import host

    parameters = ("self", "model_config", "structured_outputs_config", "tokenizer")
    host.replace("vllm.sampling_params", "SamplingParams._validate_structured_outputs", parameters, _validating)
    host.replace("vllm.v1.structured_output.backend_xgrammar", "validate_xgrammar_grammar", ("sampling_params",), _validating_early)
    host.replace("vllm.v1.structured_output", "StructuredOutputManager.grammar_init", ("self", "request"), _beginning)
    parameters = ("self", "requests", "structured_output_request_ids", "scheduled_spec_decode_tokens")
    host.replace("vllm.v1.structured_output", "StructuredOutputManager.grammar_bitmask", parameters, _filling)


def _is_ours(structured_outputs_config: Any) -> bool:
    """A back end that was chosen by name stays: the variable decides where vLLM would choose."""
    return bool(settings.is_active() and structured_outputs_config is not None and structured_outputs_config.backend == "auto")


def _validating(original: Callable[..., Any]) -> Callable[..., Any]:
    def _validate_structured_outputs(self: Any, model_config: Any, structured_outputs_config: Any, tokenizer: Any) -> None:
        if self.structured_outputs is None or not _is_ours(structured_outputs_config):
            original(self, model_config, structured_outputs_config, tokenizer)
            return
        from grammask.integrations.vllm.admission import check_structured

        check_structured(self.structured_outputs, model_config, tokenizer)

    return _validate_structured_outputs


def _validating_early(original: Callable[..., Any]) -> Callable[..., Any]:
    """Structural tags are checked by this function where requests are parsed, whatever the back end."""

    def validate_xgrammar_grammar(sampling_params: Any) -> None:
        wish = sampling_params.structured_outputs
        if not settings.is_active() or wish is None or wish._backend is not None:
            original(sampling_params)
            return
        from grammask.integrations.vllm.admission import check_without_tokens

        check_without_tokens(wish)

    return validate_xgrammar_grammar


def _beginning(original: Callable[..., Any]) -> Callable[..., Any]:
    def grammar_init(self: Any, request: Any) -> None:
        if self.backend is None and request.structured_output_request is not None and _is_ours(self.vllm_config.structured_outputs_config):
            from grammask.integrations.vllm.backend import GrammaskBackend

            size = self.vllm_config.model_config.get_vocab_size()
            self.backend = GrammaskBackend(self.vllm_config, tokenizer=self.tokenizer, vocab_size=size)
        original(self, request)

    return grammar_init


def _filling(original: Callable[..., Any]) -> Callable[..., Any]:
    def grammar_bitmask(self: Any, requests: Any, structured_output_request_ids: Any, scheduled_spec_decode_tokens: Any) -> Any:
        from grammask.integrations.vllm.backend import GrammaskBackend, fill_step

        if not isinstance(self.backend, GrammaskBackend) or not structured_output_request_ids or scheduled_spec_decode_tokens:
            return original(self, requests, structured_output_request_ids, scheduled_spec_decode_tokens)
        if self._grammar_bitmask is None:
            most = self.vllm_config.scheduler_config.max_num_seqs * (1 + self.vllm_config.num_speculative_tokens)
            self._grammar_bitmask = self.backend.allocate_token_bitmask(most)
        rows = self._grammar_bitmask[: len(structured_output_request_ids)].numpy()
        fill_step(self, requests, structured_output_request_ids, rows)
        return rows

    return grammar_bitmask
