"""What a grammar wants, in words for the model.

Rule: short and literal; a small model copies what it is shown, so nothing is shown that may not be copied.
Below: _chat, grammar.  Above: model.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from grammask.grammar.grammar import Composition, Grammar

__all__ = ["described"]


def described(messages: Sequence[tuple[str, str]], grammar: Grammar) -> list[tuple[str, str]]:
    """The messages with what the grammar wants told in the last one of the user; unchanged where there is nothing to say."""
    wanted = description(grammar)
    last = max((index for index, (role, _) in enumerate(messages) if role == "user"), default=None)
    if wanted is None or last is None:
        return list(messages)
    return [(role, f"{content}\n\n{wanted}") if index == last else (role, content) for index, (role, content) in enumerate(messages)]


def description(grammar: Grammar) -> str | None:
    """One instruction, None for a grammar that cannot be put into few words."""
    source = grammar.source
    if isinstance(source, dict):
        return f"Answer in JSON that obeys this JSON Schema:\n{json.dumps(source, ensure_ascii=False)}"
    if grammar.kind == "regex" and isinstance(source, str):
        return f"Answer with a text that matches this regular expression:\n{source}"
    if grammar.kind == "choice" and isinstance(source, list | tuple):
        return "Answer with one of these texts:\n" + "\n".join(map(str, source))
    if isinstance(source, Composition):
        return None
    return None
