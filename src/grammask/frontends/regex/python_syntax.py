"""The syntax of Python's `re`, beyond what all dialects share.

Rule: what `re` accepts is accepted with its meaning or refused by name; what it rejects is rejected, at the same place.
Where CPython departs from its own rules we do not: a cased character beyond U+FFFF in a class of several members under the flag i
matches (there, its upper case does not), and a search for a pattern that starts with a class under `(?a:...)` heeds that flag.
Lone surrogates match nothing: texts are sequences of characters here.
"""

from __future__ import annotations

import re
from functools import cache

from grammask.errors import GrammarSyntaxError
from grammask.frontends.regex.casing import complete_ascii, complete_python
from grammask.frontends.regex.charsets import Ranges, complement, union
from grammask.frontends.regex.dialects import ASCII_SPACE, DIGITS, PYTHON, WORD
from grammask.frontends.regex.nodes import After, Before, Node, Part
from grammask.frontends.regex.parser import Group, Parser
from grammask.frontends.regex.python_sets import character_class
from grammask.frontends.regex.widths import width
from grammask.grammar.expression import EMPTY

__all__ = ["PythonParser"]

_ASCII_CLASSES = {"d": DIGITS, "s": ASCII_SPACE, "w": WORD}
_HEXADECIMAL_DIGITS = {"x": 2, "u": 4, "U": 8}
_HEXADECIMAL = re.compile("[0-9a-fA-F]*")
_OCTAL = re.compile("[0-7]{1,3}")
_COMMENT = re.compile(r"\(\?#(?:[^)\\]|\\.)*\)", re.DOTALL)
_TYPE_FLAGS = "au"
_LETTER_HINTS = {
    "p": 're has no Unicode properties; dialect="ecma" has',
    "P": 're has no Unicode properties; dialect="ecma" has',
    "z": r"the end of the text is \Z here",
    "h": r"write [ \t] for horizontal space",
    "R": r"write (?:\r\n|[\n\r]) for line ends",
    "K": "a match cannot be cut; match the whole text",
    "G": "there is only one match, which starts at the start of the text",
    "e": r"write \x1b for escape",
}


class PythonParser(Parser):
    """A parse of a pattern for `re`."""

    dialect = PYTHON

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.names: dict[str, int] = {}

    # -- sets

    def complete(self, ranges: Ranges) -> Ranges:
        return complete_ascii(ranges) if self.flags.ascii_only else complete_python(ranges)

    def word(self) -> Ranges:
        return self._named_set("w")

    def _named_set(self, letter: str) -> Ranges:
        kind = letter.lower()
        ranges = _ASCII_CLASSES[kind] if self.flags.ascii_only else character_class(kind)
        return complement(ranges) if letter.isupper() else ranges

    def class_set(self, written: list[tuple[int, int]], named: list[Ranges]) -> Ranges:
        ranges = union(written)
        return union(self.complete(ranges) if self.flags.ignore_case else ranges, *named)

    def range_of_sets(self, start: int, end: int) -> None:
        raise self.error(f"the range {self.source[start:end]} has a class for a border", start, end, r"put the - first or last, or write \-")

    # -- escapes

    def escape(self, start: int, in_class: bool) -> tuple[int | Ranges | Node, int]:
        letter = self.source[start + 1]
        if letter in "dDsSwW":
            return self._named_set(letter), start + 2
        if letter in PYTHON.control_escapes:
            return PYTHON.control_escapes[letter], start + 2
        if letter in _HEXADECIMAL_DIGITS:
            return self._hexadecimal(start, letter)
        if letter == "N":
            return self._named_character(start)
        if letter in "0123456789":
            return self._octal(start, in_class)
        if in_class and letter == "b":
            return 8, start + 2
        if letter.isascii() and letter.isalpha():
            return self._assertion(start, letter, in_class), start + 2
        return ord(letter), start + 2

    def _assertion(self, start: int, letter: str, in_class: bool) -> Node:
        if not in_class:
            if letter == "A":
                return Before(EMPTY)
            if letter == "Z" or (letter == "z" and _small_z_is_end()):
                return After(EMPTY)
            if letter == "b":
                return self.boundary()
            if letter == "B":
                return self.no_boundary(in_empty_text=_empty_text_has_no_boundary())
        place = " inside a character class" if in_class else ""
        raise self.error(rf"\{letter} is no escape{place}", start, start + 2, _LETTER_HINTS.get(letter, "write the letter without the backslash"))

    def _hexadecimal(self, start: int, letter: str) -> tuple[int, int]:
        wanted = _HEXADECIMAL_DIGITS[letter]
        found = _HEXADECIMAL.match(self.source, start + 2, start + 2 + wanted)
        digits = found.group() if found else ""
        end = start + 2 + len(digits)
        if len(digits) < wanted:
            raise self.error(rf"\{letter} takes {wanted} hexadecimal digits", start, end)
        if int(digits, 16) > 0x10FFFF:
            raise self.error(f"{self.source[start:end]} is no character: the last is U+10FFFF", start, end)
        return int(digits, 16), end

    def _named_character(self, start: int) -> tuple[int, int]:
        import unicodedata

        if not self.source.startswith("{", start + 2):
            raise self.error(r"\N takes a character name in braces", start + 2, start + 3, r"for example \N{EM DASH}")
        name, end = self._name(start + 3, "}", "a character name")
        try:
            return ord(unicodedata.lookup(name)), end
        except (KeyError, TypeError):
            raise self.error(f"no character is named {name!r}", start, end) from None

    def _octal(self, start: int, in_class: bool) -> tuple[int, int]:
        found = _OCTAL.match(self.source, start + 1)
        digits = found.group() if found else ""
        if digits and (in_class or digits[0] == "0" or len(digits) == 3):
            end = start + 1 + len(digits)
            if int(digits, 8) > 0o377:
                raise self.error(f"the octal escape {self.source[start:end]} is over 0o377", start, end, r"write \u and four hexadecimal digits")
            return int(digits, 8), end
        end = start + 3 if self.source[start + 2 : start + 3] in tuple("0123456789") else start + 2
        if in_class:
            raise self.error(f"{self.source[start : start + 2]} is no escape inside a character class", start, start + 2)
        number = int(self.source[start + 1 : end])
        if number > self.n_groups:
            raise self.error(f"there is no group {number}", start + 1, end)
        raise self._reference(number, start, end)

    def _reference(self, number: int, start: int, end: int) -> Exception:
        if any(group.number == number for group in [*self.open, self.group]):
            return self.error("a group cannot refer to itself", start, end)
        return self.unsupported("a back-reference", "what it matches depends on what a group matched", (start, end), "write out what may be repeated")

    # -- groups

    def open_extension(self, start: int) -> Group | None:
        source = self.source
        head = source[start + 2 : start + 3]
        if head == ":":
            return self._entered(Group("group", start, self.flags), start + 3)
        if head and head in "=!":
            return self._entered(Group("ahead", start, self.flags, negative=head == "!"), start + 3)
        if head == "<":
            return self._lookbehind(start)
        if head == ">":
            return self._entered(Group("atomic", start, self.flags), start + 3)
        if head == "P":
            return self._named_group(start)
        if head == "#":
            self._skip_comment(start)
            return None
        if head == "(":
            reason = "what it matches depends on whether a group matched"
            raise self.unsupported("a conditional group", reason, (start, start + 3), "write both cases as alternatives")
        if head == "-" or head in PYTHON.flag_letters or head == "L":
            return self._flag_group(start)
        raise self._unknown_head(start, head)

    def _entered(self, group: Group, at: int) -> Group:
        self.at = at
        return group

    def _unknown_head(self, start: int, head: str) -> GrammarSyntaxError:
        if not head:
            return self.error("the pattern ends inside the head of a group", len(self.source), len(self.source))
        return self.error(f"(?{head} opens no group", start + 1, start + 2 + len(head))

    def _lookbehind(self, start: int) -> Group:
        kind = self.source[start + 3 : start + 4]
        if kind and kind in "=!":
            return self._entered(Group("behind", start, self.flags, negative=kind == "!"), start + 4)
        if not kind:
            raise self._unknown_head(start, "")
        raise self.error(f"(?<{kind} opens no group", start + 1, start + 4, "a named group is (?P<name>...) here")

    def check_lookbehind(self, part: Part, span: tuple[int, int]) -> None:
        shortest, longest = width(part)
        if shortest != longest:
            raise self.error("re allows a lookbehind of one fixed width only", *span, 'dialect="ecma" allows any')

    def _named_group(self, start: int) -> Group | None:
        at = start + 3
        kind = self.source[at : at + 1]
        if kind == "<":
            name, self.at = self._name(at + 1, ">", "a group name")
            self._check_name(name, at + 1)
            if name in self.names:
                raise self.error(f"there is a group named {name!r} already", at + 1, at + 1 + len(name))
            group = self.capture(start, name)
            self.names[name] = group.number
            return group
        if kind == "=":
            name, end = self._name(at + 1, ")", "a group name")
            self._check_name(name, at + 1)
            if name not in self.names:
                raise self.error(f"no group is named {name!r}", at + 1, at + 1 + len(name))
            raise self._reference(self.names[name], at + 1, end)
        if not kind:
            raise self._unknown_head(start, "")
        raise self.error(f"(?P{kind} opens no group", start + 1, at + 1, "a named group is (?P<name>...)")

    def _name(self, start: int, terminator: str, what: str) -> tuple[str, int]:
        end = self.source.find(terminator, start)
        if end < 0:
            raise self.error(f"{what} must end with {terminator}", start, len(self.source))
        if end == start:
            raise self.error(f"{what} is missing", start, start + 1)
        return self.source[start:end], end + 1

    def _check_name(self, name: str, start: int) -> None:
        if not name.isidentifier():
            raise self.error(f"{name!r} cannot be the name of a group", start, start + len(name), "names are like those of Python variables")

    def _skip_comment(self, start: int) -> None:
        found = _COMMENT.match(self.source, start)
        if found is None:
            raise self.error("this comment is not closed", start, start + 3, "add a )")
        self.at = found.end()

    # -- flags

    def _flag_group(self, start: int) -> Group | None:
        on, at = self._flag_letters(start + 2, "-:)")
        off = ""
        if self.source[at] == ")":
            self._global_flags(on, start, at + 1)
            return None
        if self.source[at] == "-":
            off, at = self._flag_letters(at + 1, ":")
            if not off:
                raise self.error("flags are missing after the -", at, at + 1)
        both = set(on) & set(off)
        if both:
            raise self.error(f"the flag {min(both)} is turned on and off", at, at + 1)
        group = self._entered(Group("group", start, self.flags), at + 1)
        self.flags = self.with_flags(on.replace("u", ""), off + ("a" if "u" in on else ""))
        return group

    def _flag_letters(self, start: int, terminators: str) -> tuple[str, int]:
        source, at = self.source, start
        turning_off = terminators == ":"
        while at < len(source) and source[at] not in terminators:
            letter = source[at]
            if letter == "L":
                raise self.error("the flag L is for patterns of bytes", at + 1, at + 1)
            if turning_off and letter in _TYPE_FLAGS:
                raise self.error(f"the flag {letter} cannot be turned off", at + 1, at + 1)
            if letter not in PYTHON.flag_letters:
                reason = f"there is no flag {letter}" if letter.isalpha() else f"flags must be followed by {' or '.join(terminators)}"
                raise self.error(reason, at, at + 1, "the flags are a, i, m, s, u and x")
            at += 1
            if {"a", "u"} <= set(source[start:at]):
                raise self.error("the flags a and u exclude each other", at, at + 1)
        if at >= len(source):
            raise self.error("the pattern ends among the flags of a group", at, at)
        return source[start:at], at

    def _global_flags(self, on: str, start: int, end: int) -> None:
        if self.open or self.group.parts or self.group.alternatives:
            raise self.error("flags for the whole pattern must stand at its start", start, end, f"write (?{on}:...) for a part")
        if "u" in on and self.flags.ascii_only:
            raise self.error("the flags a and u exclude each other", start, end)
        self.flags = self.with_flags(on, "")
        self.at = end


@cache
def _empty_text_has_no_boundary() -> bool:
    # Versions of Python differ on whether \B holds in the empty text: ask this one.
    return re.search(r"\B", "") is not None


@cache
def _small_z_is_end() -> bool:
    # Python 3.14 made \z the end of the text; before, it was an error.
    try:
        re.compile(r"\z")
    except re.error:
        return False
    return True
