"""From messages to token ids, so that no text of a message can pass for a control token.

Rule: only the template's own words may become control tokens. The template is applied to stand-ins, control tokens are looked
for in what lies between them, and the messages' texts are put in place of the stand-ins as plain text.
Above: chat_model, the integrations that run models.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from grammask.arguments import warn
from grammask.errors import EngineError, PromptError

__all__ = ["ChatFormat", "ControlToken", "Message", "TemplateEngine", "messages_of", "utf8"]

Message = Mapping[str, str]

# A role becomes a word of the template, so it must be one: it could spell a control token otherwise.
_ROLE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
_TEMPLATE_HINT: Final = 'give chat_template=... the text of one, or the name of one that the engine has, such as "chatml" or "llama3"'
_WHITE_SPACE: Final = " \t\n\v\f\r"
_STAND_IN: Final = "\x1a{}\x1a"
_STAND_INS: Final = re.compile("\x1a([0-9]+)\x1a")


class ControlToken(NamedTuple):
    """A token that stands for no text, such as the start of a message. It may swallow the white space on either side of it."""

    name: str
    token_id: int
    strips_left: bool
    strips_right: bool


class TemplateEngine(Protocol):
    """What knows a model's template and tokenizer.

    engine: its name, for errors.  control_tokens: those that a template may name.  chat_template: the model's own, if it has one.
    first_token: what every text starts with, if anything.
    """

    @property
    def engine(self) -> str: ...
    @property
    def control_tokens(self) -> Sequence[ControlToken]: ...
    @property
    def chat_template(self) -> str | None: ...
    @property
    def first_token(self) -> int | None: ...

    def apply_template(self, template: str, messages: Sequence[tuple[str, str]]) -> str | None:
        """The (role, content) messages in the form of `template`, then the opening of the assistant's answer; None if it is not known."""
        ...

    def tokenize(self, text: bytes) -> list[int]:
        """Ids of a text in UTF-8, in which the names of control tokens are plain text. Adds no beginning of sequence."""
        ...


class ChatFormat:
    """How one model wants its prompts written.

    template: the text or the engine's name of a chat template ("chatml", "llama3", ...), None for the file's own.
    Without a template that the engine knows (`template` is None then) prompts are plain text: the messages one after the other.
    Raises EngineError for a given template that the engine does not know.
    """

    def __init__(self, engine: TemplateEngine, template: str | None = None) -> None:
        self._engine = engine
        self._control = {token.name: token for token in engine.control_tokens if token.name}
        longest_first = sorted(self._control, key=len, reverse=True)
        self._control_names = re.compile("(" + "|".join(map(re.escape, longest_first)) + ")") if longest_first else re.compile("(?!)()")
        self.template = self._known(template)
        self._trims = self.template is not None and self._is_trimming(self.template)

    def _known(self, template: str | None) -> str | None:
        candidate = template or self._engine.chat_template
        if candidate is None or self._engine.apply_template(candidate, [("user", "probe")]) is not None:
            return candidate
        if template:
            raise EngineError(self._engine.engine, f"it knows no chat template like {template[:60]!r}", _TEMPLATE_HINT)
        warn(f"the engine does not know this model's own chat template, so prompts are written as plain text; {_TEMPLATE_HINT}")
        return None

    def _is_trimming(self, template: str) -> bool:
        """Whether the template takes the white space off both ends of a message, as those of Llama 3 and Gemma do."""
        bare, padded = _STAND_IN.format(0), f" {_STAND_IN.format(0)} "
        return self._engine.apply_template(template, [("user", bare)]) == self._engine.apply_template(template, [("user", padded)])

    def text(self, messages: Sequence[tuple[str, str]]) -> str:
        """The whole prompt as it reads; for people, since it does not show which names are control tokens and which are a message's own words."""
        return "".join(part for part, _ in self._parts(messages))

    def token_ids(self, messages: Sequence[tuple[str, str]]) -> list[int]:
        """The prompt as tokens, the beginning-of-sequence token first where the model wants one."""
        ids: list[int] = []
        for fragment in self._fragments(self._parts(messages)):
            ids += [fragment.token_id] if isinstance(fragment, ControlToken) else self._engine.tokenize(utf8(fragment))
        first = self._engine.first_token
        return ids if first is None or ids[:1] == [first] else [first, *ids]

    def _parts(self, messages: Sequence[tuple[str, str]]) -> list[tuple[str, bool]]:
        """(text, whether it is the template's own), in order; their texts make the whole prompt."""
        if self.template is None:
            return [(_plain(messages), False)]
        written = self._engine.apply_template(self.template, [(role, _STAND_IN.format(index)) for index, (role, _) in enumerate(messages)])
        if written is None:
            raise EngineError(self._engine.engine, f"its chat template takes no messages of the roles {[role for role, _ in messages]}")
        pieces = _STAND_INS.split(written)  # template, index, template, index, ..., template
        left_out = set(range(len(messages))) - {int(piece) for piece in pieces[1::2]}
        if left_out:
            first = min(left_out)
            reason = f"its chat template leaves out message {first} ({messages[first][0]})"
            raise EngineError(self._engine.engine, reason, "put its text into a message of the user")
        contents = [content.strip(_WHITE_SPACE) if self._trims else content for _, content in messages]
        return [(contents[int(piece)], False) if place % 2 else (piece, True) for place, piece in enumerate(pieces)]

    def _fragments(self, parts: Iterable[tuple[str, bool]]) -> list[str | ControlToken]:
        """Control tokens, and the runs of plain text between them: the engine cuts a prompt at the same places."""
        fragments: list[str | ControlToken] = [""]
        for text, is_template in parts:
            for place, piece in enumerate(self._control_names.split(text) if is_template else [text]):
                last = fragments[-1]
                if place % 2:
                    fragments.append(self._control[piece])
                elif isinstance(last, str):
                    fragments[-1] = last + piece
                else:
                    fragments.append(piece)
        return [fragment for fragment in _stripped(fragments) if fragment != ""]


def _stripped(fragments: Sequence[str | ControlToken]) -> list[str | ControlToken]:
    """The texts without the white space that the control tokens beside them swallow."""
    kept: list[str | ControlToken] = []
    for place, fragment in enumerate(fragments):
        if isinstance(fragment, str):
            before = fragments[place - 1] if place else None
            after = fragments[place + 1] if place + 1 < len(fragments) else None
            if isinstance(before, ControlToken) and before.strips_right:
                fragment = fragment.lstrip()
            if isinstance(after, ControlToken) and after.strips_left:
                fragment = fragment.rstrip()
        kept.append(fragment)
    return kept


def _plain(messages: Sequence[tuple[str, str]]) -> str:
    """One question as it stands, after any instructions; a longer conversation with the speakers named."""
    spoken = [message for message in messages if message[0] != "system"]
    if len(spoken) <= 1:
        return "\n\n".join(content for _, content in messages)
    named = [content if role == "system" else f"{role.capitalize()}: {content}" for role, content in messages]
    return "\n\n".join([*named, "Assistant:"])


def messages_of(prompt: object, system: str | None = None) -> list[tuple[str, str]]:
    """(role, content) pairs of a text (one message of the user) or of a list of {"role": ..., "content": ...}, after `system`.

    Raises PromptError for anything else; the list must hold at least one message.
    """
    first = [] if system is None else [_message(0, {"role": "system", "content": system})]
    if isinstance(prompt, str):
        return [*first, _message(len(first), {"role": "user", "content": prompt})]
    if not isinstance(prompt, list | tuple) or not prompt:
        raise PromptError(f"a prompt is a text or a list of messages, got {prompt!r:.80}", 'write [{"role": "user", "content": "..."}]')
    return first + [_message(index, message) for index, message in enumerate(prompt)]


def _message(index: int, message: object) -> tuple[str, str]:
    role, content = (message.get("role"), message.get("content")) if isinstance(message, Mapping) else (None, None)
    if not isinstance(role, str) or not isinstance(content, str):
        raise PromptError(f'message {index} needs "role" and "content", both texts, got {message!r:.80}')
    if not _ROLE.fullmatch(role):
        raise PromptError(f"message {index} has the role {role!r:.40}", 'a role is a word, such as "system", "user" or "assistant"')
    utf8(content)
    return role, content


def utf8(text: str) -> bytes:
    """The bytes of a text. Raises PromptError for half a surrogate pair, which no UTF-8 spells."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise PromptError(f"the text has half a surrogate pair at character {error.start}, which UTF-8 cannot spell", "remove or replace it") from error
