"""A back end for vLLM's structured outputs: one object for the engine, one grammar for each request.

Rule: a request that cannot go on is ended with an error of its own; nothing here raises into the engine's loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from grammask.integrations.generation import Generation, fill_rows
from grammask.integrations.vllm import host
from grammask.integrations.vllm.admission import structured_constraint
from grammask.integrations.vllm.vocabularies import vocabulary_of

if TYPE_CHECKING:
    import torch

__all__ = ["GrammaskBackend", "GrammaskGrammar", "fill_step"]


class GrammaskBackend(host.StructuredOutputBackend):  # type: ignore[misc]  # vLLM is not installed where types are checked
    """Compiles requests for one engine's vocabulary."""

    def __init__(self, vllm_config: Any, tokenizer: Any, vocab_size: int) -> None:
        super().__init__(vllm_config, tokenizer, vocab_size)
        self.vocabulary = vocabulary_of(vllm_config.model_config, tokenizer)
        self.n_words = (len(self.vocabulary) + 31) // 32
        host.LOG.info("structured outputs are answered by grammask")

    def compile_grammar(self, request_type: Any, grammar_spec: str, stop_token_ids: set[int] | None = None) -> GrammaskGrammar:
        """The grammar of one request. Called from several threads. Raises GrammarError, LimitError, which fail this request only."""
        constraint = structured_constraint(request_type.name, grammar_spec, self.vocabulary)
        return GrammaskGrammar(Generation(constraint.matcher(), stop_token_ids or None, host.LOG))

    def allocate_token_bitmask(self, max_num_seqs: int) -> torch.Tensor:
        """Rows of 32-bit words in which everything is allowed."""
        import torch

        return torch.from_numpy(np.full((max_num_seqs, self.n_words), -1, dtype=np.int32))

    def destroy(self) -> None:
        """Nothing is held beyond this object."""


class GrammaskGrammar(host.StructuredOutputGrammar):  # type: ignore[misc]
    """One request's position. vLLM calls it from one thread at a time."""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
        """Take tokens; those behind the end are passed over. False if one is not allowed, upon which vLLM ends the request with an error."""
        for token_id in tokens:
            if self.generation.ended:
                break
            if not self.generation.take(token_id, request_id):
                return False
        return True

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        """The longest beginning of a draft that is allowed. The position is unchanged."""
        return tokens[: self.generation.accepts(tokens)]

    def rollback(self, num_tokens: int) -> None:
        """Take back the last tokens."""
        self.generation.rollback(num_tokens)

    def fill_bitmask(self, bitmask: torch.Tensor, batch_index: int) -> None:
        """Write the mask of the next token into a row."""
        self.generation.fill(bitmask[batch_index].numpy())

    def is_terminated(self) -> bool:
        """Whether an end token was taken."""
        return self.generation.ended

    def reset(self) -> None:
        """Back to the start."""
        self.generation.reset()


def fill_step(manager: Any, requests: Mapping[str, Any], request_ids: Sequence[str], rows: np.ndarray[Any, np.dtype[np.int32]]) -> None:
    """Fill the masks of a step without drafts, one row a request, by one call of the kernel.

    Rows of requests that are not constrained yet (their model still reasons) or any more allow everything.
    """
    grammars = [requests[request_id].structured_output_request.grammar for request_id in request_ids]
    held = [
        at
        for at, grammar in enumerate(grammars)
        if not grammar.is_terminated() and manager._get_constraint_bounds(requests[request_ids[at]], ()).constraint_start == 0
    ]
    generations = [grammars[at].generation for at in held]
    if len(held) == len(grammars):
        fill_rows(generations, rows)
        return
    rows[:] = -1
    filled = np.empty((len(held), rows.shape[1]), dtype=np.int32)
    fill_rows(generations, filled)
    rows[held] = filled
