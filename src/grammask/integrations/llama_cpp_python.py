"""llama-cpp-python: the vocabulary of a loaded `Llama`, logits processors for its calls, and a sampler for chains of llama.cpp.

    llm = llama_cpp.Llama("model.gguf")
    llm.create_chat_completion(messages, logits_processor=processors_for(llm, schema, max_tokens=200), max_tokens=200)

Rule: the binding calls what is here from C, where an exception is printed and lost. So after an error no token but an end token is left to
choose, and the error is kept in `error`. Verified with llama-cpp-python 0.3.36.
Below: histories, hosts, api, and llama_cpp for reading vocabularies.
"""

from __future__ import annotations

import ctypes
import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self
from weakref import WeakKeyDictionary

import numpy as np

from grammask.api import compile as compile_grammar
from grammask.decoding.constraint import Constraint
from grammask.decoding.mask import apply_mask, words_for
from grammask.errors import EngineError, GrammarStuck, VocabularyError
from grammask.integrations.histories import Histories
from grammask.integrations.hosts import require_host
from grammask.integrations.llama_cpp._engine import control_token, has_text
from grammask.integrations.llama_cpp._vocabulary import read_vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from grammask.integrations.chat import ControlToken
    from grammask.vocabulary import Vocabulary

__all__ = ["GrammarProcessor", "GrammarProcessors", "GrammarSampler", "processors_for", "vocabulary_of"]

HOST: Final = "llama-cpp-python"
_VERSIONS: Final = ("0.3.36", "0.4", "0.3.36")  # oldest, the first that is too new, verified
_STUCK: Final = "every token that the grammar allows is ruled out by the model or by another processor"


# --- the vocabulary -------------------------------------------------------------------------------------------------

_vocabularies: WeakKeyDictionary[Any, Vocabulary] = WeakKeyDictionary()


def vocabulary_of(llm: Any) -> Vocabulary:
    """The vocabulary of a `llama_cpp.Llama`: exact bytes from the engine, every token that ends a generation there. Read once for each model.

    Raises EngineError for another version of the binding, TokenizerMismatchError. Cost: 0.3 s for 50,000 tokens.
    """
    require_host(HOST, *_VERSIONS)
    model = llm._model
    if model not in _vocabularies:
        _vocabularies[model] = read_vocabulary(_Loaded(model))
    return _vocabularies[model]


class _Loaded:
    """The tokens of a model that the binding has loaded, asked of the binding's functions."""

    def __init__(self, model: Any) -> None:
        import llama_cpp

        self._model, self._call = model, llama_cpp
        self._n_tokens: int = model.n_vocab()

    @cached_property
    def _attributes(self) -> list[int]:
        return [self._call.llama_vocab_get_attr(self._model.vocab, token_id) for token_id in range(self._n_tokens)]

    def pieces(self) -> list[bytes]:
        buffer = ctypes.create_string_buffer(256)
        return [self._piece(token_id, buffer) if has_text(bits) else b"" for token_id, bits in enumerate(self._attributes)]

    def _piece(self, token_id: int, buffer: ctypes.Array[ctypes.c_char]) -> bytes:
        length: int = self._call.llama_token_to_piece(self._model.vocab, token_id, buffer, len(buffer), 0, False)
        return buffer.raw[:length] if length >= 0 else self._piece(token_id, ctypes.create_string_buffer(-length))

    def end_ids(self) -> tuple[int, ...]:
        return tuple(token_id for token_id in range(self._n_tokens) if self._call.llama_vocab_is_eog(self._model.vocab, token_id))

    @cached_property
    def control_tokens(self) -> list[ControlToken]:
        made = (control_token(bits, token_id, self._name) for token_id, bits in enumerate(self._attributes))
        return [token for token in made if token is not None]

    def _name(self, token_id: int) -> str:
        return (self._call.llama_vocab_get_text(self._model.vocab, token_id) or b"").decode("utf-8", "replace")

    def tokenize(self, text: bytes) -> list[int]:
        return list(self._model.tokenize(text, False, False))


def _constraint(llm: Any, grammar: object) -> Constraint:
    vocabulary = vocabulary_of(llm)
    constraint = grammar if isinstance(grammar, Constraint) else compile_grammar(grammar, vocabulary)
    if constraint.vocabulary is not vocabulary and constraint.vocabulary.fingerprint != vocabulary.fingerprint:
        raise VocabularyError("the constraint was compiled for another vocabulary than the model's; use grammask.compile(grammar, vocabulary_of(llm))")
    return constraint


# --- a processor of scores ------------------------------------------------------------------------------------------


class GrammarProcessors(list["GrammarProcessor"]):
    """What `processors_for` makes: a list of one processor, to be given to one call, and asked afterwards what went wrong.

    It survives `logit_bias`, for which the binding goes on with what `extend` returns: None, for a list.
    """

    def extend(self, others: Any) -> Self:  # type: ignore[override]
        """Put others before, so that the grammar has the last word; the list itself is returned."""
        self[:0] = others
        return self

    def check(self) -> None:
        """Raise the error that ended the output early, if there was one."""
        for processor in self:
            error = getattr(processor, "error", None)
            if error is not None:
                raise error


def processors_for(llm: Any, grammar: object, max_tokens: int | None = None) -> GrammarProcessors:
    """What to give `create_completion`, `create_chat_completion` or `generate` of this model as logits_processor, one for each call.

    grammar: a Grammar, a JSON Schema as a dict, a Python type, or a Constraint. max_tokens: what the call gets as max_tokens, and the output is
    whole within it; None may leave it cut off.
    Raises EngineError for a model that drafts, or for another version of the binding; GrammarError, VocabularyError, BudgetError.
    """
    return GrammarProcessors([GrammarProcessor(_constraint(llm, grammar), max_tokens, llm=llm)])


class GrammarProcessor:
    """One logits processor: (token ids so far, scores) -> scores, changed in place.

    llm: the model that will call it, to see whether it drafts. Then the binding shows processors drafted tokens as if they were taken, and no
    mask can be right. error: what went wrong, if anything did; the output then ended early.
    Make one for each call, or `reset()` between.
    """

    def __init__(self, constraint: Constraint, max_tokens: int | None = None, *, llm: Any = None) -> None:
        self._histories = Histories(constraint, max_tokens)
        self._llm = llm
        self.error: Exception | None = None
        self._check_drafts()

    def __call__(self, input_ids: NDArray[np.integer[Any]], scores: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Scores of ruled-out tokens become minus infinity. Raises what the grammar raises, after leaving an end token alone to be chosen."""
        try:
            self._mask(np.asarray(input_ids).reshape(1, -1), scores)
        except Exception as error:
            self.error = error
            _leave_end(scores, self._histories.vocabulary.eos_ids[0])
            raise
        return scores

    def _mask(self, rows: NDArray[np.integer[Any]], scores: NDArray[np.floating[Any]]) -> None:
        self._check_drafts()
        masks = self._histories.masks(rows, scores.size)
        apply_mask(scores, masks.rows[0])
        if masks.over:
            scores[masks.end] = 0.0
        if scores.max() == -math.inf:
            raise GrammarStuck("", _STUCK)

    def reset(self) -> None:
        """Forget the output so far, and what went wrong: what comes next is a new prompt."""
        self.error = None
        self._histories.reset()

    def _check_drafts(self) -> None:
        if getattr(self._llm, "draft_model", None) is not None:
            hint = "load the model without draft_model; forced text is drafted by grammask.load_model(...).generate(..., forced_text='draft')"
            raise EngineError(HOST, "with a draft model it shows processors tokens that are not taken yet", hint)


def _leave_end(scores: NDArray[np.floating[Any]], end: int) -> None:
    scores[:] = -math.inf
    if end < scores.size:
        scores[end] = 0.0


# --- a sampler ------------------------------------------------------------------------------------------------------


class GrammarSampler:
    """A sampler of llama.cpp that masks what a chain chooses from and moves on with what it chose.

    For loops of one's own over the binding's functions: `add_to` puts it into a chain, which frees it in the end; put it before those that draw.
    llama_sampler_sample tells it what was chosen, llama_sampler_reset starts it over. error: what went wrong, if anything did.
    grammar and max_tokens: as for `processors_for`, and so is what is raised.
    """

    def __init__(self, llm: Any, grammar: object, max_tokens: int | None = None) -> None:
        import llama_cpp

        constraint = _constraint(llm, grammar)
        self.error: Exception | None = None
        self._end = constraint.vocabulary.eos_ids[0]
        self._matcher = constraint.matcher(max_tokens)
        self._row = np.zeros(constraint.mask_words, dtype=np.uint32)
        self._call: Any = llama_cpp
        self._interface = self._made_interface()

    def add_to(self, chain: Any) -> None:
        """Put it behind what the chain holds. chain: what llama_sampler_chain_init returned. To be done once."""
        sampler = self._call.llama_sampler_init(ctypes.byref(self._interface), None)
        _held[ctypes.addressof(sampler.contents)] = self
        self._call.llama_sampler_chain_add(chain, sampler)

    def _made_interface(self) -> Any:
        call, interface = self._call, self._call.llama_sampler_i()
        interface.name = call.llama_sampler_i_name(lambda _sampler: b"grammask")
        interface.accept = call.llama_sampler_i_accept(lambda _sampler, token_id: self._guarded(self._accept, token_id))
        interface.apply = call.llama_sampler_i_apply(lambda _sampler, candidates: self._apply(candidates.contents))
        interface.reset = call.llama_sampler_i_reset(lambda _sampler: self._guarded(self._reset))
        interface.free = call.llama_sampler_i_free(lambda sampler: _let_go(ctypes.addressof(sampler.contents)))
        return interface

    def _guarded(self, step: Any, *arguments: Any) -> None:
        try:
            step(*arguments)
        except Exception as error:
            self.error = error
            raise

    def _accept(self, token_id: int) -> None:
        if not self._matcher.is_finished:
            self._matcher.advance(token_id)

    def _reset(self) -> None:
        self.error = None
        self._matcher.reset()

    def _apply(self, candidates: Any) -> None:
        held = (self._call.llama_token_data * candidates.size).from_address(ctypes.addressof(candidates.data.contents))
        table = np.frombuffer(held, dtype=_CANDIDATE)
        try:
            self._mask(table["id"], table["logit"])
        except Exception as error:
            self.error = error
            table["logit"] = np.where(table["id"] == self._end, np.float32(0), np.float32(-math.inf))
            raise

    def _mask(self, ids: NDArray[np.int32], scores: NDArray[np.float32]) -> None:
        if self.error is not None or self._matcher.is_finished:
            scores[ids != self._end] = -math.inf
            return
        self._matcher.fill_mask(self._row)
        words = self._row[np.minimum(ids >> 5, words_for(len(self._matcher.vocabulary)) - 1)]
        allowed = (words >> (ids & 31).astype(np.uint32)) & 1
        scores[(allowed == 0) | (ids >= len(self._matcher.vocabulary))] = -math.inf
        if not scores.size or scores.max() == -math.inf:
            raise GrammarStuck("", _STUCK)


# The struct llama_token_data.
_CANDIDATE: Final = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
# Samplers in chains, by their addresses, so that their callbacks live as long as the chains.
_held: dict[int, GrammarSampler] = {}


def _let_go(address: int) -> None:
    _held.pop(address, None)
