"""The syntax of ECMA-262 regular expressions with the flag u, beyond what all dialects share, and lenient where no reading is in doubt.

Lenient: escapes of signs that need none (`\\-`, `\\_`, `\\/`), lone braces and brackets, classes beside a dash (`[\\w-.]`), repeated
lookaheads. Not lenient: escapes of letters that ECMA-262 does not know (`\\A`, `\\Z`), which authors mean as in another dialect.
"""

from __future__ import annotations

import re

from grammask.errors import GrammarSyntaxError
from grammask.frontends.regex.casing import complete_ecma
from grammask.frontends.regex.charsets import Ranges, complement, union
from grammask.frontends.regex.dialects import DIGITS, ECMA, ECMA_SPACE, WORD
from grammask.frontends.regex.nodes import Node
from grammask.frontends.regex.parser import Group, Parser

__all__ = ["EcmaParser"]

# Patterns that few patterns need are compiled when one does; `re` keeps them.
_HEXADECIMAL = r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}"
_LOW_SURROGATE = r"\\u([dD][c-fC-F][0-9a-fA-F]{2})"
_PROPERTY = r"\{([A-Za-z0-9_]+)(?:=([A-Za-z0-9_]+))?\}"
_GROUP_NAME = r"[^\W\d][\w$]*|\$[\w$]*"
_LETTER_HINTS = {
    "A": "the start of the text is ^ here",
    "Z": "the end of the text is $ here",
    "z": "the end of the text is $ here",
    "a": r"write \x07 for the bell character",
    "e": r"write \x1b for escape",
    "h": r"write [ \t] for horizontal space",
    "N": r"write \u and four hexadecimal digits",
    "U": r"write \u{...} for a character by its number",
    "Q": "there is no quoting; escape each sign",
}


class EcmaParser(Parser):
    """A parse of an ECMA-262 pattern."""

    dialect = ECMA

    # -- sets

    def complete(self, ranges: Ranges) -> Ranges:
        return complete_ecma(ranges)

    def word(self) -> Ranges:
        return self.complete(WORD) if self.flags.ignore_case else WORD

    def _named_set(self, letter: str) -> Ranges:
        kind = letter.lower()
        ranges = DIGITS if kind == "d" else self.word() if kind == "w" else ECMA_SPACE
        return complement(ranges) if letter.isupper() else ranges

    def class_set(self, written: list[tuple[int, int]], named: list[Ranges]) -> Ranges:
        ranges = union(written, *named)
        return self.complete(ranges) if self.flags.ignore_case else ranges

    def range_of_sets(self, start: int, end: int) -> None:
        """Without the flag u the dash is a member like the others; no other reading is possible."""

    # -- escapes

    def escape(self, start: int, in_class: bool) -> tuple[int | Ranges | Node, int]:
        letter = self.source[start + 1]
        if letter in "dDsSwW":
            return self._named_set(letter), start + 2
        if letter in ECMA.control_escapes:
            return ECMA.control_escapes[letter], start + 2
        if letter in "pP":
            return self._property(start)
        if letter in "xu":
            return self._hexadecimal(start)
        if letter == "c":
            return self._control(start)
        if letter in "0123456789":
            return self._digit(start, in_class), start + 2
        if letter in "bB":
            return self._boundary(start, letter, in_class), start + 2
        if letter == "k" and not in_class and self.source.startswith("<", start + 2):
            raise self._reference(start, start + 3)
        if letter.isascii() and letter.isalpha():
            raise self.error(rf"\{letter} is no escape of ECMA-262", start, start + 2, _LETTER_HINTS.get(letter, "write the letter without the backslash"))
        return ord(letter), start + 2

    def _boundary(self, start: int, letter: str, in_class: bool) -> int | Node:
        if not in_class:
            return self.boundary() if letter == "b" else self.no_boundary(in_empty_text=True)
        if letter == "b":
            return 8
        raise self.error(r"\B is no escape inside a character class", start, start + 2, "write B without the backslash")

    def _hexadecimal(self, start: int) -> tuple[int, int]:
        found = re.compile(_HEXADECIMAL).match(self.source, start + 1)
        if found is None:
            raise self.error("this escape takes hexadecimal digits", start, start + 2, r"write \x41, \u0041 or \u{41}")
        digits = found.group(1) or found.group(2) or found.group(3)
        code_point = int(digits, 16)
        if code_point > 0x10FFFF:
            raise self.error(f"{self.source[start : found.end()]} is no character: the last is U+10FFFF", start, found.end())
        if found.group(2) and 0xD800 <= code_point <= 0xDBFF:
            low = re.compile(_LOW_SURROGATE).match(self.source, found.end())
            if low is not None:
                return 0x10000 + ((code_point - 0xD800) << 10) + (int(low.group(1), 16) - 0xDC00), low.end()
        return code_point, found.end()

    def _control(self, start: int) -> tuple[int, int]:
        letter = self.source[start + 2 : start + 3]
        if not (letter.isascii() and letter.isalpha()):
            raise self.error(r"\c takes a letter", start, start + 2, r"for example \cJ for a line feed")
        return ord(letter) % 32, start + 3

    def _digit(self, start: int, in_class: bool) -> int:
        if self.source[start + 1] == "0":
            if self.source[start + 2 : start + 3] in tuple("0123456789"):
                raise self.error("octal escapes are not part of ECMA-262 here", start, start + 3, r"write \x and two hexadecimal digits")
            return 0
        if in_class:
            raise self.error(f"{self.source[start : start + 2]} is no escape inside a character class", start, start + 2)
        raise self._reference(start, start + 2)

    def _reference(self, start: int, end: int) -> Exception:
        return self.unsupported("a back-reference", "what it matches depends on what a group matched", (start, end), "write out what may be repeated")

    def _property(self, start: int) -> tuple[Ranges, int]:
        found = re.compile(_PROPERTY).match(self.source, start + 2)
        if found is None:
            raise self.error(f"{self.source[start : start + 2]} takes a property in braces", start, start + 2, r"for example \p{L} or \p{Script=Greek}")
        from grammask.frontends.regex.ecma_sets import property_set  # its tables are large, and few patterns need them

        name, value = found.groups()
        ranges = property_set(name, value)
        if ranges is None:
            raise self._unknown_property(name, value, start, found.end())
        ranges = complement(ranges) if self.source[start + 1] == "P" else ranges
        return (self.complete(ranges) if self.flags.ignore_case else ranges), found.end()

    def _unknown_property(self, name: str, value: str | None, start: int, end: int) -> GrammarSyntaxError:
        from grammask.frontends.regex.ecma_sets import known_values

        if value is not None and name not in ("General_Category", "gc", "Script", "sc", "Script_Extensions", "scx"):
            return self.error(f"no property {name} takes a value", start, end, "General_Category, Script and Script_Extensions do")
        from difflib import get_close_matches

        close = get_close_matches(value or name, known_values(name if value else ""), 1)
        hint = f"did you mean {close[0]}?" if close else "names are spelled exactly as in ECMA-262"
        return self.error(f"there is no Unicode property {name}{'=' + value if value else ''}", start, end, hint)

    # -- groups

    def open_extension(self, start: int) -> Group | None:
        source = self.source
        head = source[start + 2 : start + 3]
        if head == ":":
            return self._entered(Group("group", start, self.flags), start + 3)
        if head and head in "=!":
            return self._entered(Group("ahead", start, self.flags, negative=head == "!"), start + 3)
        if head == "<":
            kind = source[start + 3 : start + 4]
            if kind and kind in "=!":
                return self._entered(Group("behind", start, self.flags, negative=kind == "!"), start + 4)
            return self._named_group(start)
        if head == "-" or head in ECMA.flag_letters:
            return self._flag_group(start)
        if not head:
            raise self.error("the pattern ends inside the head of a group", len(source), len(source))
        hint = "a named group is (?<name>...) here" if head == "P" else ""
        raise self.error(f"(?{head} opens no group", start + 1, start + 3, hint)

    def _entered(self, group: Group, at: int) -> Group:
        self.at = at
        return group

    def after_look(self, group: Group) -> None:
        if group.kind == "behind":
            self.last = "assertion"

    def _named_group(self, start: int) -> Group:
        found = re.compile(_GROUP_NAME).match(self.source, start + 3)
        if found is None or not self.source.startswith(">", found.end()):
            raise self.error("a group name is missing or not closed", start + 3, start + 4, "write (?<name>...)")
        name = found.group()
        if any(name in group.names for group in [*self.open, self.group]):
            raise self.error(f"there is a group named {name!r} already", start + 3, found.end())
        self.group.names.add(name)
        self.at = found.end() + 1
        return self.capture(start, name)

    def _flag_group(self, start: int) -> Group:
        found = re.compile(r"([a-zA-Z]*)(-?)([a-zA-Z]*)").match(self.source, start + 2)
        assert found is not None
        on, dash, off = found.groups()
        letters, end = on + off, found.end()
        if not self.source.startswith(":", end):
            hint = f"write (?{on}:...) around the part it is meant for" if self.source.startswith(")", end) else ""
            raise self.error("flags inside a pattern are followed by a :", end, end + 1, hint)
        for at, letter in enumerate(letters):
            if letter not in ECMA.flag_letters:
                raise self.error(f"there is no flag {letter} here", start + 2, end, "the flags are i, m and s")
            if letter in letters[:at]:
                raise self.error(f"the flag {letter} stands twice", start + 2, end)
        if dash and not letters:
            raise self.error("flags are missing before or after the -", start + 2, end)
        group = self._entered(Group("group", start, self.flags), end + 1)
        self.flags = self.with_flags(on, off)
        return group
