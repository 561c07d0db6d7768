"""A tokenizer's chat template and control tokens, as chat.py asks for them.

Rule: texts of messages are encoded as plain text, by the vocabulary's `encode`. Implements chat.TemplateEngine.
Above: _model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from grammask.errors import PromptError, VocabularyError
from grammask.integrations.chat import ControlToken
from grammask.integrations.transformers._vocabulary import HOST
from grammask.vocabulary import Vocabulary

__all__ = ["Template"]


class Template:
    """What ChatFormat needs of a fast tokenizer. Raises VocabularyError for a vocabulary that cannot encode."""

    engine: Final = HOST

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary) -> None:
        if vocabulary.encode is None:
            raise VocabularyError("the vocabulary has no encoder for prompts; install the `tokenizers` package, which transformers needs")
        self._tokenizer, self._encode = tokenizer, vocabulary.encode
        self.chat_template = _own_template(tokenizer)
        self.control_tokens = [_control_token(token_id, token) for token_id, token in sorted(tokenizer.added_tokens_decoder.items()) if token.special]
        self.first_token = _first_token(tokenizer)

    def apply_template(self, template: str, messages: Sequence[tuple[str, str]]) -> str | None:
        """The messages in the form of a Jinja template. Raises PromptError where the template refuses them."""
        from jinja2 import TemplateError

        listed = [{"role": role, "content": content} for role, content in messages]
        try:
            written = self._tokenizer.apply_chat_template(listed, chat_template=template, add_generation_prompt=True, tokenize=False)
        except TemplateError as error:
            raise PromptError(f"the chat template does not take these messages: {error}", "its rules for roles and their order are the model's") from error
        return str(written)

    def tokenize(self, text: bytes) -> list[int]:
        return self._encode(text.decode())


def _own_template(tokenizer: Any) -> str | None:
    """The tokenizer's template; of several the default one."""
    own = getattr(tokenizer, "chat_template", None)
    if isinstance(own, dict):
        own = own.get("default")
    return own if isinstance(own, str) else None


def _control_token(token_id: int, token: Any) -> ControlToken:
    return ControlToken(token.content, token_id, bool(token.lstrip), bool(token.rstrip))


def _first_token(tokenizer: Any) -> int | None:
    """The beginning-of-sequence token, if this tokenizer puts one before a text."""
    bos = getattr(tokenizer, "bos_token_id", None)
    return bos if bos is not None and tokenizer("a").input_ids[:1] == [bos] else None
