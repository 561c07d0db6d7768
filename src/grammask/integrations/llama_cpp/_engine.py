"""Weights and contexts of llama.cpp as Python objects that own what the library gave them.

Rule: only this module uses pointers, and each is freed once: by `close`, when its object is dropped, or when the process ends.
Nothing here is locked; a context serves one thread at a time, weights serve any number of contexts and threads.
Below: _library.  Above: tokenizer, session, model.
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from grammask.errors import EngineError, ModelFileError
from grammask.integrations.chat import ControlToken
from grammask.integrations.llama_cpp._library import ENGINE, Batch, ChatMessage, Library

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BATCH_TOKENS", "Context", "Weights", "control_token", "has_text"]

# Tokens evaluated in one call. Larger batches need more scratch memory and are no faster on a CPU.
BATCH_TOKENS: Final = 512
SEQUENCE: Final = 0
# Bits of enum llama_token_attr.
_TEXT_ATTRIBUTES: Final = 1 << 2 | 1 << 4 | 1 << 5  # normal, user-defined, byte
_CONTROL_ATTRIBUTES: Final = 1 << 0 | 1 << 3  # unknown, control
_STRIPS_LEFT, _STRIPS_RIGHT = 1 << 7, 1 << 8


def has_text(attributes: int) -> bool:
    """Whether a token with these bits of llama_token_attr stands for its text."""
    return bool(attributes & _TEXT_ATTRIBUTES)


def control_token(attributes: int, token_id: int, name_of: Callable[[int], str]) -> ControlToken | None:
    """The token if these bits of llama_token_attr say that it stands for no text."""
    if not attributes & _CONTROL_ATTRIBUTES:
        return None
    return ControlToken(name_of(token_id), token_id, bool(attributes & _STRIPS_LEFT), bool(attributes & _STRIPS_RIGHT))


class Weights:
    """A model file as the engine holds it, with its vocabulary.

    Raises ModelFileError if the engine refuses the file.
    """

    engine: Final = ENGINE

    def __init__(self, library: Library, path: Path) -> None:
        self.library, self.path = library, path
        self._call = library.call
        library.log.take_complaints()
        pointer = self._call.llama_model_load_from_file(os.fsencode(path), self._call.llama_model_default_params())
        if not pointer:
            raise ModelFileError(str(path), f"the engine refuses it ({library.log.take_complaints() or 'without a reason'})")
        self._model = pointer
        self._free = weakref.finalize(self, self._call.llama_model_free, pointer)
        self._vocabulary = self._call.llama_model_get_vocab(pointer)
        self._lock = threading.RLock()  # between `close` and what is asked of the vocabulary afterwards
        self.size: int = self._call.llama_vocab_n_tokens(self._vocabulary)
        self.trained_context: int = self._call.llama_model_n_ctx_train(pointer)
        begins = self._call.llama_vocab_get_add_bos(self._vocabulary)
        self.first_token: int | None = self._call.llama_vocab_bos(self._vocabulary) if begins else None  # what every text starts with
        self.n_parameters: int = self._call.llama_model_n_params(pointer)
        self.description = self._describe()  # the engine's own name for architecture, size and number format
        self.has_encoder = bool(self._call.llama_model_has_encoder(pointer))  # whether a prompt goes through a separate encoder
        template: bytes | None = self._call.llama_model_chat_template(pointer, None)
        self.chat_template = template.decode("utf-8", "replace") if template else None  # the file's own

    def close(self) -> None:
        """Free the weights. The caller has closed every context of them; what is asked of them afterwards raises EngineError."""
        with self._lock:
            self._free()

    @contextmanager
    def opened(self) -> Iterator[int]:
        """The engine's pointer, which stays valid within this block. Raises EngineError after `close`."""
        with self._lock:
            if self.is_closed:
                raise EngineError(ENGINE, "the model is closed", "load it again with grammask.load_model()")
            yield self._model

    @property
    def is_closed(self) -> bool:
        """Whether the weights are freed."""
        return not self._free.alive

    def _describe(self) -> str:
        text = ctypes.create_string_buffer(256)
        self._call.llama_model_desc(self._model, text, len(text))
        return text.value.decode("utf-8", "replace")

    @cached_property
    def _attributes(self) -> list[int]:
        attribute = self._call.llama_vocab_get_attr
        return [attribute(self._vocabulary, token_id) for token_id in range(self.size)]

    def pieces(self) -> list[bytes]:
        """The exact bytes of every token; b"" for control tokens and for ids without text. Takes 4 us a token."""
        buffer = ctypes.create_string_buffer(256)
        return [self._piece(token_id, buffer) if has_text(bits) else b"" for token_id, bits in enumerate(self._attributes)]

    def _piece(self, token_id: int, buffer: ctypes.Array[ctypes.c_char]) -> bytes:
        length: int = self._call.llama_token_to_piece(self._vocabulary, token_id, buffer, len(buffer), 0, False)
        if length < 0:  # the buffer is too short by its own account: -length bytes are needed
            return self._piece(token_id, ctypes.create_string_buffer(-length))
        return buffer.raw[:length]

    def end_ids(self) -> tuple[int, ...]:
        """Every id that ends a generation, lowest first. Takes 1 us a token."""
        is_end = self._call.llama_vocab_is_eog
        return tuple(token_id for token_id in range(self.size) if is_end(self._vocabulary, token_id))

    @cached_property
    def control_tokens(self) -> tuple[ControlToken, ...]:
        """Every token that stands for no text, lowest id first."""
        made = (control_token(bits, token_id, self._name) for token_id, bits in enumerate(self._attributes))
        return tuple(token for token in made if token is not None)

    def _name(self, token_id: int) -> str:
        return (self._call.llama_vocab_get_text(self._vocabulary, token_id) or b"").decode("utf-8", "replace")

    def tokenize(self, text: bytes) -> list[int]:
        """Ids of a text in UTF-8, in which the names of control tokens are plain text. Adds no beginning of sequence."""
        room = len(text) + 16
        while True:
            ids = (ctypes.c_int32 * room)()
            with self.opened():
                count: int = self._call.llama_tokenize(self._vocabulary, text, len(text), ids, room, False, False)
            if count >= 0:
                return ids[:count]
            room = -count

    def apply_template(self, template: str, messages: Sequence[tuple[str, str]]) -> str | None:
        """The (role, content) messages in the form of `template`, then the opening of the assistant's answer; None if the engine does not know the template."""
        chat = (ChatMessage * len(messages))(*[ChatMessage(role.encode(), content.encode()) for role, content in messages])
        room = 1024 + 2 * sum(len(content.encode()) for _, content in messages)
        while True:
            text = ctypes.create_string_buffer(room)
            length: int = self._call.llama_chat_apply_template(template.encode(), chat, len(messages), True, text, room)
            if length <= room:
                return text.raw[:length].decode("utf-8", "replace") if length >= 0 else None
            room = length


def _free_context(weights: Weights, pointer: int) -> None:
    weights.library.call.llama_free(pointer)


class Context:
    """One key-value cache over some weights, for a single sequence of at most `size` tokens.

    Raises EngineError if the engine cannot make it (the memory it takes grows with `context_tokens`).
    """

    engine: Final = ENGINE

    def __init__(self, weights: Weights, context_tokens: int, n_threads: int) -> None:
        self._weights = weights  # keeps them alive as long as this
        self._call = weights.library.call
        parameters = self._call.llama_context_default_params()
        parameters.words[0:4] = [context_tokens, BATCH_TOKENS, BATCH_TOKENS, 1]
        weights.library.log.take_complaints()
        with weights.opened() as model:
            pointer = self._call.llama_init_from_model(model, parameters)
        if not pointer:
            raise EngineError(
                ENGINE, f"no context of {context_tokens} tokens could be made ({weights.library.log.take_complaints()})", "load the model with a smaller n_ctx"
            )
        self._pointer = pointer
        # The finaliser holds the weights, so that even the collector of cycles frees the context before them.
        self._free = weakref.finalize(self, _free_context, weights, pointer)
        self._call.llama_set_n_threads(pointer, n_threads, n_threads)
        self._memory = self._call.llama_get_memory(pointer)
        self.size = min(context_tokens, int(self._call.llama_n_ctx(pointer)))  # the engine rounds up
        self._room = min(BATCH_TOKENS, int(self._call.llama_n_batch(pointer)))
        self._make_batch()

    def _make_batch(self) -> None:
        self._token, self._position, self._wanted = (np.zeros(self._room, dtype=kind) for kind in (np.int32, np.int32, np.int8))
        int32, int8 = ctypes.POINTER(ctypes.c_int32), ctypes.POINTER(ctypes.c_int8)
        self._batch = Batch(0, self._token.ctypes.data_as(int32), None, self._position.ctypes.data_as(int32), None, None, self._wanted.ctypes.data_as(int8))

    def close(self) -> None:
        """Free the cache."""
        self._free()

    @property
    def is_closed(self) -> bool:
        """Whether the cache is freed."""
        return not self._free.alive

    def decode(self, token_ids: Sequence[int], position: int, every: bool = False) -> NDArray[np.float32]:
        """Evaluate tokens that follow the first `position` ones; logits of shape (1, V) behind the last, or (n, V) behind each of them.

        The result is a copy of the engine's buffer. Raises EngineError if the engine fails; what the cache holds is then unknown.
        """
        rows = np.empty((len(token_ids) if every else 1, self._weights.size), dtype=np.float32)
        for start in range(0, len(token_ids), self._room):
            chunk = token_ids[start : start + self._room]
            is_last = start + len(chunk) == len(token_ids)
            self._run(chunk, position + start, every, is_last)
            if every:
                for index in range(len(chunk)):
                    rows[start + index] = self._row(index)
            elif is_last:
                rows[0] = self._row(len(chunk) - 1)
        return rows

    def _run(self, chunk: Sequence[int], position: int, every: bool, is_last: bool) -> None:
        count = len(chunk)
        self._token[:count] = chunk
        self._position[:count] = np.arange(position, position + count)
        self._wanted[:count] = every
        self._wanted[count - 1] = every or is_last
        self._batch.n_tokens = count
        status = self._call.llama_decode(self._pointer, self._batch)
        if status != 0:
            said = self._weights.library.log.take_complaints()
            raise EngineError(
                ENGINE, f"evaluating {count} tokens at position {position} of {self.size} failed with status {status}" + (f" ({said})" if said else "")
            )

    def _row(self, index: int) -> NDArray[np.float32]:
        values = self._call.llama_get_logits_ith(self._pointer, index)
        if not values:
            raise EngineError(ENGINE, "no logits came out of an evaluation", "the model may be one for embeddings only")
        return np.ctypeslib.as_array(values, shape=(self._weights.size,))

    def cut(self, length: int) -> bool:
        """Forget all but the first `length` tokens; False if the cache cannot (recurrent models, sliding windows), which then is empty."""
        kept = (
            length > 0
            and self._call.llama_memory_seq_rm(self._memory, SEQUENCE, length, -1)
            and self._call.llama_memory_seq_pos_min(self._memory, SEQUENCE) == 0
        )
        if not kept:
            self._call.llama_memory_clear(self._memory, False)
        return kept or length == 0
