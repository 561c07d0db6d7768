"""SGLang: a grammar back end, chosen by `--grammar-backend grammask`.

SGLang finds `register` through its plugin group; nothing else of it is touched. Verified with SGLang 0.5.23 as far as that goes without a GPU:
against the package's own base classes and its tree of drafts, with stand-ins for what needs a device. A server was not run.
Rule: a request that cannot be compiled, or cannot go on, is ended with an error of its own.
Below: generation, requested.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sglang.srt.constrained.base_grammar_backend import (
    BaseGrammarBackend,
    BaseGrammarObject,
    GrammarStats,
    InvalidGrammarObject,
    register_grammar_backend,
)

from grammask.api import compile as compile_grammar
from grammask.decoding.mask import apply_mask
from grammask.errors import GrammaskError, TokenRefused
from grammask.frontends.json_schema import JsonSchemaOptions
from grammask.frontends.structural_tag import StructuralTagOptions
from grammask.integrations.generation import Generation, fill_rows
from grammask.integrations.requested import grammar_of
from grammask.vocabulary import Vocabulary

if TYPE_CHECKING:
    import torch

__all__ = ["NAME", "GrammaskBackend", "GrammaskObject", "register"]

NAME: Final = "grammask"
VERIFIED: Final = "0.5.23"
ANY_JSON: Final = "$$ANY$$"  # what SGLang writes for a request of any JSON

log = logging.getLogger(__name__)


def register() -> None:
    """Called by SGLang in each of its processes."""
    from sglang.srt.server_args import GRAMMAR_BACKEND_CHOICES, add_grammar_backend_choices

    if NAME not in GRAMMAR_BACKEND_CHOICES:
        add_grammar_backend_choices([NAME])
    register_grammar_backend(NAME, backend_of)


def backend_of(_server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: Iterable[int] | int | None) -> Any:
    """The back end of one server, with SGLang's own wrapper around it for models that reason first, which it only puts around its own.

    Raises TokenizerFormatError, VocabularyError for tokenizers whose tokens have no exact bytes; the server does not start then.
    """
    from sglang.srt.runtime_context import get_serving

    serving = get_serving()
    whitespace: Any = "compact" if serving.constrained_json_disable_any_whitespace else "flexible"
    backend = GrammaskBackend(tokenizer, vocab_size, eos_token_ids, StructuralTagOptions(json=JsonSchemaOptions(whitespace=whitespace)))
    if not serving.reasoning_parser:
        return backend
    from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend
    from sglang.srt.parser.reasoning_parser import ReasoningParser

    parser = ReasoningParser(model_type=serving.reasoning_parser, stream_reasoning=False, tokenizer=tokenizer)
    return ReasonerGrammarBackend(backend, parser, tokenizer, enable_strict_thinking=serving.enable_strict_thinking)


class GrammaskBackend(BaseGrammarBackend):  # type: ignore[misc]  # SGLang is not installed where types are checked
    """Compiles requests for one model's vocabulary. SGLang keeps what was compiled, and copies it for each request."""

    def __init__(self, tokenizer: Any, vocab_size: int, eos_token_ids: Iterable[int] | int | None, options: StructuralTagOptions | None = None) -> None:
        super().__init__()
        ends = [eos_token_ids] if isinstance(eos_token_ids, int) else list(eos_token_ids or ())
        own = getattr(tokenizer, "eos_token_id", None)
        self.vocabulary = _vocabulary(tokenizer, [*ends, own] if own is not None else ends, vocab_size)
        self.options = options or StructuralTagOptions()

    def dispatch_json(self, key_string: str) -> Any:
        """A JSON Schema, or any JSON."""
        return self._compiled("json", "json_schema", "{}" if key_string == ANY_JSON else key_string)

    def dispatch_regex(self, key_string: str) -> Any:
        """A pattern, as ECMA-262 has it."""
        return self._compiled("regex", "regex", key_string)

    def dispatch_ebnf(self, key_string: str) -> Any:
        """A grammar in GBNF, or in Lark's notation."""
        return self._compiled("ebnf", "grammar", key_string)

    def dispatch_structural_tag(self, key_string: str) -> Any:
        """A structural tag, the older form too."""
        return self._compiled("structural_tag", "structural_tag", key_string)

    def _compiled(self, key_type: str, kind: str, text: str) -> Any:
        try:
            constraint = compile_grammar(grammar_of(kind, text, self.options), self.vocabulary)
            return GrammaskObject(Generation(constraint.matcher(), None, log), GrammarStats(dispatch_type=key_type))
        except (GrammaskError, RecursionError) as error:
            return InvalidGrammarObject(str(error))


class GrammaskObject(BaseGrammarObject):  # type: ignore[misc]
    """One request's position."""

    def __init__(self, generation: Generation, stats: Any = None) -> None:
        super().__init__()
        self.generation = generation
        self.grammar_stats = stats

    def accept_token(self, token: int) -> None:
        """Take a token; those behind the end are passed over. Raises TokenRefused, a ValueError, upon which SGLang ends the request with an error."""
        self.current_token = token
        if not self.generation.ended and not self.generation.take(token):
            raise TokenRefused(token, position=self.generation.position)

    def rollback(self, k: int) -> None:
        """Take back the last tokens."""
        self.generation.rollback(k)

    def is_terminated(self) -> bool:
        """Whether an end token was taken."""
        return self.generation.ended

    def allocate_vocab_mask(self, vocab_size: int, batch_size: int, device: Any) -> torch.Tensor:  # noqa: ARG002  # rows are filled on the CPU
        """Rows of 32-bit words in which everything is allowed; in pinned memory where there is any."""
        import torch

        return torch.full((batch_size, (vocab_size + 31) // 32), -1, dtype=torch.int32, pin_memory=torch.cuda.is_available())

    def fill_vocab_mask(self, vocab_mask: torch.Tensor, idx: int) -> None:
        """Write the mask of the next token into a row."""
        self.generation.fill(vocab_mask[idx].numpy())

    @staticmethod
    def fill_vocab_mask_batched(entries: Any, vocab_mask: torch.Tensor) -> None:
        """Fill the rows listed by one call of the kernel, the others not at all."""
        ours = [entry for entry in entries if isinstance(entry.grammar, GrammaskObject)]
        for entry in entries:
            if entry not in ours:
                entry.grammar.fill_vocab_mask(vocab_mask, entry.row)
        if ours:
            rows = np.empty((len(ours), vocab_mask.shape[1]), dtype=np.int32)
            fill_rows([entry.grammar.generation for entry in ours], rows)
            vocab_mask.numpy()[[entry.row for entry in ours]] = rows

    @staticmethod
    def reset_vocab_mask(vocab_mask: torch.Tensor) -> None:
        """Everything is allowed again."""
        vocab_mask.fill_(-1)

    @staticmethod
    def move_vocab_mask(vocab_mask: torch.Tensor, device: Any) -> torch.Tensor:
        """The rows on the device of the scores."""
        return vocab_mask.to(device, non_blocking=True)

    @staticmethod
    def apply_vocab_mask(logits: torch.Tensor, vocab_mask: torch.Tensor) -> None:
        """Set the scores of forbidden tokens to minus infinity, in place. On the CPU, rows in which everything is allowed are not touched."""
        if logits.device.type != "cpu":
            apply_mask(logits, vocab_mask)
            return
        for row in (vocab_mask != -1).any(dim=-1).nonzero().flatten().tolist():
            apply_mask(logits[row], vocab_mask[row])

    def copy(self) -> GrammaskObject:
        """A request of its own at the same position."""
        return GrammaskObject(self.generation.copy(), self.grammar_stats)

    def try_jump_forward(self, tokenizer: Any) -> tuple[list[int], str] | None:  # noqa: ARG002
        """The text that every completion starts with, or None."""
        try:
            text = self.generation.matcher.forced_bytes().decode()
        except UnicodeDecodeError:
            return None
        return ([], text) if text else None

    def jump_forward_str_state(self, helper: tuple[list[int], str]) -> tuple[str, int]:
        """The text to append, and nothing to remember."""
        return helper[1], -1

    def jump_and_retokenize(self, old_output_ids: list[int], new_output_ids: list[int], next_state: int) -> None:  # noqa: ARG002
        """The output was spelled anew, with more text at its end: go back to where both agree, and take the rest. Raises TokenRefused."""
        same = 0
        for old, new in zip(old_output_ids, new_output_ids, strict=False):
            if old != new:
                break
            same += 1
        self.generation.rollback(len(old_output_ids) - same)
        for token_id in new_output_ids[same:]:
            self.accept_token(token_id)


def _vocabulary(tokenizer: Any, ends: list[int], size: int) -> Vocabulary:
    """As many ids as the model has scores."""
    read = Vocabulary.from_huggingface(tokenizer, dict.fromkeys(ends) or None)
    if size >= len(read):
        return Vocabulary(read.tokens, read.eos_ids, read.specials, read.encode, size=size)
    specials = {name: token_id for name, token_id in read.specials.items() if token_id < size}
    return Vocabulary(read.tokens[:size], [end for end in read.eos_ids if end < size], specials, read.encode)
