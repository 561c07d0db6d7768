"""A model that transformers has loaded, answering prompts as the embedded model does.

Rule: the model's own weights, device and number format are used as they are; only scores of the last tokens come back to the processor.
Below: _context, _template, _vocabulary, chat_model.
"""

from __future__ import annotations

from typing import Any, Final

from grammask.errors import EngineError
from grammask.integrations.chat import ChatFormat
from grammask.integrations.chat_model import ChatModel, within
from grammask.integrations.session import Session
from grammask.integrations.transformers._context import Context
from grammask.integrations.transformers._template import Template
from grammask.integrations.transformers._vocabulary import HOST, require_transformers, vocabulary_of

__all__ = ["Model", "from_transformers"]

# Where the model's configuration does not say how much it was trained for.
UNSTATED_CONTEXT: Final = 1 << 20


def from_transformers(model: Any, tokenizer: Any, *, n_ctx: int | None = None, chat_template: str | None = None) -> Model:
    """A model and its fast tokenizer, as transformers loaded them, with the `generate` and `stream` of `grammask.load_model`.

    n_ctx: tokens that prompt and output may take together; by default what the model was trained for.
    chat_template: the text of a template, in place of the tokenizer's own.
    Raises EngineError for another version of transformers or a model that does not only decode, TokenizerFormatError, VocabularyError,
    LimitError for n_ctx out of range. The model is put into evaluation mode and is otherwise left as it is.
    """
    require_transformers()
    if not hasattr(model, "generate") or getattr(model.config, "is_encoder_decoder", False):
        raise EngineError(HOST, f"{type(model).__name__} is no model that only decodes", "load it with AutoModelForCausalLM.from_pretrained(...)")
    return Model(model, tokenizer, n_ctx=n_ctx, chat_template=chat_template)


class Model(ChatModel):
    """A model of transformers; get it from `from_transformers`. Shared by threads, like the model itself.

    model, tokenizer: what it was made of.  vocabulary: the bytes of its tokens.  n_ctx: tokens that prompt and output may take together.
    """

    def __init__(self, model: Any, tokenizer: Any, *, n_ctx: int | None, chat_template: str | None) -> None:
        self.model, self.tokenizer = model.eval(), tokenizer
        trained = getattr(model.config.get_text_config(), "max_position_embeddings", None) or UNSTATED_CONTEXT
        vocabulary = vocabulary_of(model, tokenizer)
        chat = ChatFormat(Template(tokenizer, vocabulary), chat_template)
        self._is_closed = False
        super().__init__(vocabulary, chat, within("n_ctx", n_ctx, trained, trained), model.num_parameters())

    def _release(self) -> None:
        self._is_closed = True  # the model is the caller's

    def _made_session(self) -> Session:
        if self._is_closed:
            raise EngineError(HOST, "this was closed", "make another with grammask.from_transformers(model, tokenizer)")
        return Session(Context(self.model, self.n_ctx), self.vocabulary, self.model.config.get_text_config().vocab_size)

    def __repr__(self) -> str:
        return f"<Model {type(self.model).__name__} of transformers, {len(self.vocabulary)} tokens, context of {self.n_ctx}>"
