"""What a beginning of a JSON text already says: the value so far, which grows until it is the value of the whole text.

The rule, by what stands at the end of the text:
- A list or an object is there from its opening bracket on.
- A text that is a value is there from its opening quote on, and grows by whole characters; an escape counts when it is whole.
- Numbers, true, false and null are there when they are whole, which takes what follows them, or the end.
- A member of an object is there when its value is. Half a key, or a key alone, is not.
So a value never shrinks: texts, lists and objects are extended at their ends, and everything else stays as it was. (Only where a text has
a name twice in one object, the later member takes the place of the earlier one, as `json.loads` has it.)

Rule: the texts are beginnings of valid JSON (a grammar sees to that); what is no JSON at all has no value.
Above: generate.
"""

from __future__ import annotations

import json
from typing import Final

__all__ = ["NOTHING_YET", "PartialJson"]

_CLOSING: Final = {"{": "}", "[": "]"}
_SPACE: Final = " \t\n\r"


class _Nothing:
    """The value of a text that has not begun to say anything."""

    def __repr__(self) -> str:
        return "NOTHING_YET"


NOTHING_YET: Final = _Nothing()


class PartialJson:
    """Feed pieces of a text to `push`; `value` is what they say together. Each character is looked at once, but `value` reads from the start."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._size = 0
        self._closers: list[str] = []
        self._in_text = self._is_key = self._wants_key = False
        self._safe = 0  # so many characters, closed by `_closers_at_safe`, are what the text says
        self._ending = ""
        self._escape = ""  # the escape under way, from its backslash on
        self._in_scalar = False

    def push(self, piece: str) -> None:
        """Go on with the text."""
        for character in piece:
            self._size += 1
            if self._in_text:
                self._in_quotes(character)
            else:
                self._outside(character)
        self._text.append(piece)

    def value(self) -> object:
        """The value so far; NOTHING_YET before there is one, or where the text is no JSON. Cost: that of `json.loads`."""
        return self._read("".join(self._text)[: self._safe] + self._ending)

    def finish(self) -> object:
        """The value of the text if nothing more follows, which is when a number alone is whole."""
        return self._read("".join(self._text))

    def _read(self, text: str) -> object:
        try:
            return json.loads(text) if text else NOTHING_YET
        except (ValueError, RecursionError):  # no JSON, or nested too deeply to be a value
            return NOTHING_YET

    def _settle(self, ending: str = "") -> None:
        """All characters so far count, closed by this and by the open brackets' ends."""
        self._safe, self._ending = self._size, ending + "".join(reversed(self._closers))

    def _outside(self, character: str) -> None:
        if self._in_scalar and character in ",]} \t\n\r":
            self._in_scalar = False
            self._safe, self._ending = self._size - 1, "".join(reversed(self._closers))
        if character == '"':
            self._in_text, self._is_key = True, self._wants_key
            if not self._is_key:
                self._settle('"')
        elif character in _CLOSING:
            self._closers.append(_CLOSING[character])
            self._wants_key = character == "{"
            self._settle()
        elif character in "}]":
            self._closers = self._closers[:-1]
            self._wants_key = False
            self._settle()
        elif character == ",":
            self._wants_key = self._closers[-1:] == ["}"]
        elif character == ":":
            self._wants_key = False
        elif character not in _SPACE:
            self._in_scalar = True

    def _in_quotes(self, character: str) -> None:
        if self._escape:
            self._escape += character
            if not _is_whole(self._escape):
                return
            self._escape = ""
        elif character == "\\":
            self._escape = character
            return
        elif character == '"':
            self._in_text = False
            if not self._is_key:
                self._settle()
            return
        if not self._is_key:
            self._settle('"')


def _is_whole(escape: str) -> bool:
    """Whether an escape stands for a character, or for the first half of a pair without the other one, which nothing can be added to."""
    if not escape.startswith("\\u"):
        return True
    if len(escape) < 6:
        return False
    if not 0xD800 <= int(escape[2:6], 16) < 0xDC00:
        return True
    return len(escape) == 12 or not "\\u".startswith(escape[6:8])
