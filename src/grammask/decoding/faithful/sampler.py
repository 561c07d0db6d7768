"""The one entrance to faithful sampling, whatever the method.

Below: independent, adaptive, particles, outputs.  Above: users.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from grammask.arguments import Kind, instance, or_none, takes
from grammask.arguments import token_ids as ids_kind
from grammask.decoding.constraint import Constraint
from grammask.decoding.faithful.adaptive import adaptive
from grammask.decoding.faithful.independent import masked, rejected
from grammask.decoding.faithful.options import FaithfulOptions
from grammask.decoding.faithful.outputs import FaithfulResult, WeightedOutput
from grammask.decoding.faithful.particles import particles
from grammask.decoding.faithful.reader import Path, Reader
from grammask.decoding.generate import LanguageModel
from grammask.errors import PromptError, SamplingError, VocabularyError
from grammask.vocabulary import Vocabulary

__all__ = ["sample_faithfully"]

Drawing = Callable[[Reader, Path, np.random.Generator], tuple[list[Path], float | None]]
_METHODS: dict[str, Drawing] = {"mask": masked, "rejection": rejected, "asap": adaptive, "smc": particles, "awrs": particles}


def _are_models(value: object) -> bool:
    models = value if isinstance(value, Sequence) else [value]
    return all(isinstance(getattr(model, "vocabulary", None), Vocabulary) for model in models)


@takes(
    model=Kind("a model or a list of several of it: see grammask.LanguageModel", _are_models),
    prompt_token_ids=ids_kind,
    constraint=instance(Constraint),
    options=or_none(instance(FaithfulOptions)),
)
def sample_faithfully(
    model: LanguageModel | Sequence[LanguageModel], prompt_token_ids: Sequence[int], constraint: Constraint, options: FaithfulOptions | None = None
) -> FaithfulResult:
    """Draw outputs as the model itself would, given that they obey the grammar; see `FaithfulOptions` for the methods.

    model: one sequence of a model, or several of the same one, so that particles need not take turns and read their beginnings again.
    Outputs are told apart by tokens: the same text spelled in two ways is two outputs. The end token's probability counts, so an output
    that could go on is weighted by the model's wish to end it.
    Raises PromptError for an empty prompt, VocabularyError for a constraint of another vocabulary, BudgetError if max_tokens holds no output of the
    grammar, SamplingError if nothing came of it.
    Cost: a forward pass for each token of each output, and for those thrown away; `FaithfulResult` counts.
    """
    options = options or FaithfulOptions()
    models = list(model) if isinstance(model, Sequence) else [model]
    prompt_token_ids = list(prompt_token_ids)
    _check(models, prompt_token_ids, constraint)
    constraint.matcher(options.max_tokens)  # raises if no output of the grammar is that short
    reader = Reader(models, prompt_token_ids, constraint, options)
    start = Path(constraint.matcher(), options.max_tokens)
    paths, log_evidence = _METHODS[options.method](reader, start, np.random.default_rng(options.seed))
    outputs = tuple(_output(path, constraint) for path in paths)
    return FaithfulResult(outputs, options.method, log_evidence, reader.passes, reader.tokens_read, reader.checks, reader.masks)


def _output(path: Path, constraint: Constraint) -> WeightedOutput:
    text = constraint.vocabulary.decode(path.token_ids).decode("utf-8", "replace")
    return WeightedOutput(text, tuple(path.token_ids), path.log_weight, constraint.grammar)


def _check(models: Sequence[LanguageModel], prompt_token_ids: Sequence[int], constraint: Constraint) -> None:
    if not models:
        raise SamplingError("model", [], "give a model, or several sequences of one")
    if not prompt_token_ids:
        raise PromptError("it is empty", "give at least one token, such as the beginning-of-sequence token")
    for model in models:
        if model.vocabulary is not constraint.vocabulary and model.vocabulary.fingerprint != constraint.vocabulary.fingerprint:
            raise VocabularyError("the constraint was compiled for another vocabulary than the model's; use grammask.compile(grammar, model.vocabulary)")
