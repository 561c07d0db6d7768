"""Texts in quotes and classes of characters, as GBNF writes them.

Rule: what comes in is the inside of a text or class, known to be closed; what goes out is a text, or a set of characters.
Source: the documentation and the parser of llama.cpp, for which escapes there are and what a hyphen means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grammask.errors import GrammarSyntaxError
from grammask.grammar.expression import MAX_CODE_POINT, Chars

__all__ = ["EVERY", "character_class", "plain_text"]

EVERY = Chars(((0, MAX_CODE_POINT),))

_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.|\Z)", re.DOTALL)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "[": "[", "]": "]", "-": "-"}
_DIGITS = {"x": 2, "u": 4, "U": 8}
_SHORTHANDS = {"d": "[0-9]", "w": "[a-zA-Z0-9_]", "s": "[ \\t\\r\\n]"}
_CONTROLS = {"f": "\\x0C", "b": "\\x08", "v": "\\x0B", "a": "\\x07", "0": "\\x00", "e": "\\x1B"}


def plain_text(source: str, start: int, end: int) -> str:
    """The text that source[start:end], the inside of quotes, stands for. Raises GrammarSyntaxError for an escape that is none."""
    inside = source[start:end]
    if "\\" not in inside:
        return inside
    pieces: list[str] = []
    at = 0
    for escape in _ESCAPE.finditer(inside):
        pieces += [inside[at : escape.start()], chr(_code_point(source, start + escape.start(), start + escape.end()))]
        at = escape.end()
    return "".join([*pieces, inside[at:]])


def character_class(source: str, start: int, end: int) -> Chars:
    """The set that source[start:end], the inside of brackets, stands for. Raises GrammarSyntaxError for what is no class."""
    is_negative = source.startswith("^", start)
    ranges = list(_ranges(source, start + is_negative, end))
    if not ranges:
        hint = 'write . for any character, or "" for no text'
        raise GrammarSyntaxError("a class without characters matches nothing", source, (start - 1, end + 1), hint)
    chars = Chars(ranges)
    return Chars(_complement(chars.ranges)) if is_negative else chars


def _ranges(source: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Members and ranges. A hyphen makes a range unless it comes first or last."""
    while at < end:
        start = at
        low, at = _member(source, at, end)
        hyphen = at
        if source.startswith("-", at) and at + 1 < end:
            high, at = _member(source, at + 1, end)
            if high < low:
                hint = f"write {source[hyphen + 1 : at]}-{source[start:hyphen]}"
                raise GrammarSyntaxError("this range runs backwards", source, (start, at), hint)
            yield low, high
        else:
            yield low, low


def _member(source: str, at: int, end: int) -> tuple[int, int]:
    """One character of a class, and where it ends."""
    if source[at] != "\\":
        return ord(source[at]), at + 1
    escape = _ESCAPE.match(source, at, end)
    assert escape is not None  # a backslash and what follows, or the end
    return _code_point(source, at, escape.end()), escape.end()


def _code_point(source: str, start: int, end: int) -> int:
    """What the escape source[start:end] stands for."""
    letter, digits = source[start + 1 : start + 2], source[start + 2 : end]
    if letter in _SIMPLE:
        return ord(_SIMPLE[letter])
    if letter in _DIGITS and digits:
        value = int(digits, 16)
        if value <= MAX_CODE_POINT and not 0xD800 <= value <= 0xDFFF:
            return value
        reason = "half of a surrogate pair is no character" if value <= MAX_CODE_POINT else "there is no such character"
        hint = "write the whole character, as it is or as \\U and eight digits"
        raise GrammarSyntaxError(f"{reason}: {source[start:end]}", source, (start, end), hint)
    raise GrammarSyntaxError(f"there is no escape {source[start:end] or chr(92)}", source, (start, end), _way_out(letter))


def _way_out(letter: str) -> str:
    if letter in _DIGITS:
        return f"\\{letter} takes {_DIGITS[letter]} hexadecimal digits"
    if letter in _SHORTHANDS:
        return f"write the class {_SHORTHANDS[letter]}"
    if letter in _CONTROLS:
        return f"write {_CONTROLS[letter]}"
    return f"write {letter} as it is" if letter.isprintable() and letter != " " else "write \\\\ for a backslash"


def _complement(ranges: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    found = []
    next_low = 0
    for low, high in ranges:
        if next_low < low:
            found.append((next_low, low - 1))
        next_low = high + 1
    return [*found, (next_low, MAX_CODE_POINT)] if next_low <= MAX_CODE_POINT else found
