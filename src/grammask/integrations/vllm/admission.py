"""What a request asks for, read and compiled before the engine sees the request, so that whoever sent a bad one gets the error, and nobody else.

Rule: errors here are vLLM's own validation errors, which its server answers with status 400; the text is grammask's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from grammask.api import compile as compile_grammar
from grammask.decoding.constraint import Constraint
from grammask.decoding.matcher import Matcher
from grammask.errors import GrammarError, GrammaskError, VocabularyError
from grammask.grammar.grammar import Grammar
from grammask.integrations.requested import as_request, grammar_of, requested_grammar
from grammask.integrations.vllm import host, settings
from grammask.integrations.vllm.vocabularies import vocabulary_of
from grammask.vocabulary import Vocabulary

if TYPE_CHECKING:
    from vllm.config import ModelConfig, VllmConfig
    from vllm.sampling_params import SamplingParams, StructuredOutputsParams

__all__ = ["KEY", "check_extra", "check_structured", "extra_grammar", "extra_matcher", "structured_constraint", "structured_grammar", "wished"]

KEY: Final = "grammask"
FIT: Final = "fit_max_tokens"
_REMEMBERED: Final = 256  # constraints by the text of a request; they are a few hundred KB each
_KINDS: Final = {"JSON": "json_schema", "JSON_OBJECT": "json_object", "REGEX": "regex", "GRAMMAR": "grammar", "STRUCTURAL_TAG": "structural_tag"}


# --- extra_args -----------------------------------------------------------------------------------------------------


def wished(params: SamplingParams) -> Any:
    """What a request says under `extra_args["grammask"]`, or None."""
    return params.extra_args.get(KEY) if params.extra_args else None


def extra_grammar(request: Any) -> Grammar:
    """The grammar of such a request. Raises GrammarError, LimitError."""
    return _extra(request)[0]


def _extra(request: Any) -> tuple[Grammar, bool]:
    """Grammar, and whether outputs are to be whole within max_tokens."""
    members = as_request(request)
    fit = members.get(FIT, False)
    if not isinstance(fit, bool):
        raise GrammarError(f"{FIT} is true or false, got {fit!r:.40}")
    return requested_grammar(members, settings.options(), (FIT,)), fit


@lru_cache(maxsize=_REMEMBERED)
def _remembered(text: str, vocabulary: Vocabulary, _: str) -> tuple[Constraint, bool]:
    grammar, fit = _extra(text)
    return compile_grammar(grammar, vocabulary), fit


def extra_matcher(params: SamplingParams, vocabulary: Vocabulary) -> Matcher:
    """A matcher for such a request. Raises GrammarError, LimitError, BudgetError."""
    request = wished(params)
    text = request if isinstance(request, str) else json.dumps(request)
    constraint, fit = _remembered(text, vocabulary, repr(settings.options()))
    if fit and params.max_tokens is not None:
        return constraint.matcher(max_tokens=max(1, params.max_tokens - 1))  # the last one is for the end token
    return constraint.matcher()


def check_extra(params: SamplingParams, vllm_config: VllmConfig, tokenizer: Any) -> None:
    """Refuse what cannot be enforced. Raises vLLM's validation error."""
    if wished(params) is None:
        return
    if params.structured_outputs is not None:
        raise host.VLLMValidationError("give structured outputs or extra_args['grammask'], not both", parameter=KEY)
    if host.leaves_processors_out(vllm_config):
        reason = "vLLM's V1 runner leaves logits processors out under speculative decoding; send the grammar as structured outputs"
        raise host.VLLMValidationError(f"extra_args['grammask'] cannot be enforced here: {reason}", parameter=KEY)
    _checked(lambda: extra_matcher(params, _vocabulary(vllm_config.model_config, tokenizer)), f"extra_args[{KEY!r}]")


# --- structured outputs ---------------------------------------------------------------------------------------------


def structured_grammar(kind: str, text: str) -> Grammar:
    """The grammar of a structured-output request. kind: the name in vLLM's StructuredOutputOptions. Raises GrammarError, LimitError."""
    if kind == "CHOICE":
        return grammar_of("choice", json.loads(text), settings.options())
    if kind not in _KINDS:
        raise GrammarError(f"structured outputs of the kind {kind} are not known here")
    return grammar_of(_KINDS[kind], text, settings.options())


@lru_cache(maxsize=_REMEMBERED)
def _structured(kind: str, text: str, vocabulary: Vocabulary, _: str) -> Constraint:
    return compile_grammar(structured_grammar(kind, text), vocabulary)


def structured_constraint(kind: str, text: str, vocabulary: Vocabulary) -> Constraint:
    """The same, compiled. Raises GrammarError, LimitError."""
    return _structured(kind, text, vocabulary, repr(settings.options()))


def check_structured(wish: StructuredOutputsParams, model_config: ModelConfig, tokenizer: Any) -> None:
    """Refuse what cannot be enforced. Raises vLLM's validation error."""
    if model_config.is_diffusion:
        raise host.VLLMValidationError("structured outputs need tokens one after the other, and this is a diffusion language model")
    if tokenizer is None:
        raise host.VLLMValidationError("structured outputs need a tokenizer, and this engine was started with skip_tokenizer_init")
    if wish.whitespace_pattern is not None or wish.disable_any_whitespace or wish.disable_additional_properties:
        hint = f"whitespace is set for the whole server, by {settings.OPTIONS}; additionalProperties stands in the schema"
        raise host.VLLMValidationError(f"whitespace_pattern and the disable_ flags of a request are not enforced by grammask; {hint}")
    if wish.json_object is False:
        raise host.VLLMValidationError("structured_outputs.json_object is true, or left out")
    wish.__post_init__()
    kind, text = host.structured_key(wish)
    _checked(lambda: structured_constraint(kind, text, _vocabulary(model_config, tokenizer)).matcher(), "the structured output")


def check_without_tokens(wish: StructuredOutputsParams | None) -> None:
    """What can be checked where no tokenizer is at hand. Raises vLLM's validation error."""
    if wish is not None:
        kind, text = host.structured_key(wish)
        _checked(lambda: structured_grammar(kind, text), "the structured output")


# --- both -----------------------------------------------------------------------------------------------------------


def _vocabulary(model_config: ModelConfig, tokenizer: Any) -> Vocabulary:
    if tokenizer is None:
        raise VocabularyError("grammars need a tokenizer, and this engine was started with skip_tokenizer_init")
    return vocabulary_of(model_config, tokenizer)


def _checked(attempt: Callable[[], object], what: str) -> None:
    try:
        attempt()
    except (GrammaskError, TypeError, RecursionError) as error:
        raise host.VLLMValidationError(f"{what} cannot be enforced: {error}") from error
