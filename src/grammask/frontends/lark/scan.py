"""The text of a Lark grammar cut into tokens and statements, so that places can be found and what is not Lark's own can be seen.

Rule: every character belongs to one token; nothing is judged here that Lark judges itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from grammask.errors import GrammarSyntaxError

__all__ = ["Definition", "Token", "definitions", "is_terminal_name", "significant", "tokens_of"]

Kind = Literal["space", "newline", "comment", "string", "regexp", "embedded", "directive", "special", "name", "number", "mark", "other"]

_TOKEN = re.compile(
    r"""(?P<newline>\r?\n)
      | (?P<space>[ \t\f]+|\\[ ]*\r?\n)
      | (?P<comment>//[^\n]*|\#[^\n]*)
      | (?P<string>"(?:\\.|[^"\\\n])*"i?)
      | (?P<regexp>/(?!/)(?:\\/|\\\\|[^/])*?/[imslux]*)
      | (?P<directive>%[a-zA-Z_]+)
      | (?P<special><[^<>\n]+>)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:-(?!>)[A-Za-z0-9_]+)*)
      | (?P<number>[+-]?[0-9]+)
      | (?P<mark>->|\.\.|::|[][(){}|?*+~!:.,&=@^])
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_BLANK = re.compile(r"\s*")
_EMBEDDING = {"%json", "%regex", "%llguidance", "%lark"}
_DECODER = json.JSONDecoder()


class Token(NamedTuple):
    """A piece of the text. value: of an embedded one, what its JSON says."""

    kind: Kind
    text: str
    start: int
    end: int
    value: Any = None


class Definition(NamedTuple):
    """A rule or terminal that is defined: the token of its name, the tokens between name and colon, and those of its body."""

    name: Token
    head: tuple[Token, ...]
    body: tuple[Token, ...]
    colon: Token


def tokens_of(source: str) -> list[Token]:
    """All tokens. Raises GrammarSyntaxError for an embedded object that is no JSON."""
    found: list[Token] = []
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        assert match is not None
        kind: Any = match.lastgroup
        token = Token(kind, match.group(), at, match.end())
        if token.text in _EMBEDDING and kind == "directive":
            token = _embedded(source, token)
        found.append(token)
        at = token.end
    return found


def _embedded(source: str, token: Token) -> Token:
    blank = _BLANK.match(source, token.end)
    start = blank.end() if blank else token.end
    if token.text == "%lark" or not source.startswith("{", start):
        return token
    try:
        value, end = _DECODER.raw_decode(source, start)
    except json.JSONDecodeError as error:
        raise GrammarSyntaxError(f"the object of {token.text} is no JSON: {error.msg}", source, (error.pos, error.pos + 1)) from None
    except RecursionError:
        raise GrammarSyntaxError(f"the object of {token.text} is nested too deeply", source, (start, start + 1)) from None
    return Token("embedded", token.text, token.start, end, value)


def significant(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without spaces and comments."""
    return [token for token in tokens if token.kind not in ("space", "comment")]


def is_terminal_name(name: str) -> bool:
    """Whether a name is that of a terminal: in capitals."""
    return name.lstrip("_")[:1].isupper()


def definitions(tokens: Sequence[Token]) -> Iterator[Definition]:
    """The definitions, in order. A definition begins at the beginning of a line and runs to the next statement."""
    listed = significant(tokens)
    starts = [(index, _colon(listed, index)) for index in range(len(listed)) if _begins_line(listed, index)]
    heads = [(index, colon) for index, colon in starts if colon is not None or _is_directive(listed[index])]
    heads.append((len(listed), None))
    for (index, colon), (after, _) in pairwise(heads):
        if colon is not None:
            name = index
            while listed[name].kind != "name":
                name += 1
            yield Definition(listed[name], tuple(listed[name + 1 : colon]), tuple(listed[colon + 1 : after]), listed[colon])


def _is_directive(token: Token) -> bool:
    return token.kind == "directive" or token.text == "%llguidance"


def _begins_line(listed: Sequence[Token], index: int) -> bool:
    return listed[index].kind != "newline" and (index == 0 or listed[index - 1].kind == "newline")


def _colon(listed: Sequence[Token], index: int) -> int | None:
    """Where the colon of the definition stands that begins here; None if none does."""
    while listed[index].text in ("?", "!", "%extend", "%override"):
        index += 1
        if index == len(listed):
            return None
    if listed[index].kind != "name":
        return None
    closing = {"{": "}", "[": "]"}
    waiting: list[str] = []
    for at in range(index + 1, len(listed)):
        text, kind = listed[at].text, listed[at].kind
        if kind == "newline":
            return None
        if kind == "mark":
            if text == ":" and not waiting:
                return at
            if text in closing:
                waiting.append(closing[text])
            elif waiting and text == waiting[-1]:
                waiting.pop()
            elif not waiting and text not in (".", "::"):
                return None
        elif not waiting and kind != "number":
            return None
    return None
