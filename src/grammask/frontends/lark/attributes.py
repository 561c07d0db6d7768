"""The attributes of a rule, as llguidance writes them: `name[lazy, suffix="x", capture]: ...`.

Rule: what changes the texts is done, or refused by name; what says nothing about texts is noted for the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grammask.errors import GrammarSyntaxError, UnsupportedFeatureError
from grammask.frontends.lark.scan import Token

__all__ = ["Attributes", "Note", "read_attributes"]


class Note(NamedTuple):
    """An attribute without effect on the texts."""

    keyword: str
    effect: str


class Attributes(NamedTuple):
    """is_lazy: the rule takes its shortest match.  suffix, stop: the terminal that ends it, as written; the suffix belongs to it, the stop does not."""

    is_lazy: bool
    suffix: str
    stop: str
    notes: tuple[Note, ...]


_NOTES = {
    "capture": "names a part of the text; it does not change which texts match",
    "stop_capture": "names a part of the text; it does not change which texts match",
    "temperature": "is a wish about sampling; set the temperature where you sample",
}
_TERMINALS = ("suffix", "stop")


def read_attributes(source: str, tokens: Sequence[Token]) -> Attributes:
    """The attributes between brackets. Raises GrammarSyntaxError, UnsupportedFeatureError."""
    given: dict[str, str] = {}
    notes = []
    for name, value, token in _pairs(source, tokens[1:-1]):
        if name in _NOTES:
            notes.append(Note(name, _NOTES[name]))
        elif name == "max_tokens":
            reason = "how many tokens a part of the text took is not counted"
            raise UnsupportedFeatureError("max_tokens of a rule", reason, source=source, span=(token.start, token.end), hint="bound its characters: /.{0,80}/")
        elif name in given or name not in ("lazy", *_TERMINALS) or (name == "lazy") != (value == ""):
            reason = f"{name} is given twice" if name in given else f"there is no attribute {name!r} of this form"
            raise GrammarSyntaxError(reason, source, (token.start, token.end), 'attributes are lazy, suffix="...", stop="..." and capture')
        elif value in ('""', "//"):
            raise UnsupportedFeatureError(f"an empty {name}", "it stands for the end of the whole output", source=source, span=(token.start, token.end))
        else:
            given[name] = value
    if len(given.keys() & set(_TERMINALS)) == len(_TERMINALS):
        raise GrammarSyntaxError("a rule has a suffix or a stop, not both", source, (tokens[0].start, tokens[-1].end))
    return Attributes(bool(given), given.get("suffix", ""), given.get("stop", ""), tuple(notes))


def _pairs(source: str, tokens: Sequence[Token]) -> list[tuple[str, str, Token]]:
    """(name, value as written or "", token of the name)."""
    pairs = []
    at = 0
    while at < len(tokens):
        name = tokens[at]
        end = at + 1
        while end < len(tokens) and tokens[end].text != ",":
            end += 1
        value = tokens[at + 2 : end]
        if name.kind != "name" or (end > at + 1 and (tokens[at + 1].text != "=" or not value)):
            raise GrammarSyntaxError("this is no attribute", source, (name.start, name.end), 'for example [lazy, suffix="\\n"]')
        pairs.append((name.text, source[value[0].start : value[-1].end] if value else "", name))
        at = end + 1
    return pairs
