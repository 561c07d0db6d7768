"""The syntax of Rust's regex crate, beyond what all dialects share; RE2's is a part of it, but for what is refused by name below.

Rule: what the crate accepts for text is accepted with its meaning or refused by name; what it rejects is rejected. So a repetition may be
repeated and an anchor too: `a*+` is `(?:a*)+` here, not a possessive repetition. Without the flag u (`(?-u)`), classes are ASCII, and what
would match a part of a character is an error. Sets of operators inside classes are in rust_classes.
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from grammask.errors import LimitError
from grammask.frontends.regex.algebra import ending, starting
from grammask.frontends.regex.casing import complete_ascii, complete_ecma
from grammask.frontends.regex.charsets import EVERY, Ranges, complement
from grammask.frontends.regex.dialects import ASCII_SPACE, DIGITS, RUST, RUST_GAP, WORD, Flags
from grammask.frontends.regex.nodes import After, Before, Concat, Node, Union
from grammask.frontends.regex.options import RegexOptions
from grammask.frontends.regex.parser import Group, Parser, class_expression
from grammask.grammar.expression import EMPTY

__all__ = ["RustParser"]

_ASCII_CLASSES = {"d": DIGITS, "s": ASCII_SPACE, "w": WORD}
_FIXED_DIGITS = {"x": 2, "u": 4, "U": 8}
_HEXADECIMAL = re.compile("[0-9a-fA-F]+")
_GAP = re.compile(rf"(?:[{RUST_GAP}]|#[^\n]*(?:\n|\Z))*")
_GROUP_NAME = re.compile(r"[^\W\d][\w.\[\]]*")
_NAMED = re.compile("P?<")
_LOOK = re.compile("<?[=!]")
_FLAGS = re.compile("([^:)]*)([:)])")
_BOUNDARY = re.compile(r"\{([A-Za-z-]+)(\}?)")
_LETTER_HINTS = {
    "Z": r"the end of the text is \z here",
    "G": "there is only one match, which starts at the start of the text",
    "K": "a match cannot be cut; match the whole text",
    "N": r"write \u{...} for a character by its number",
    "Q": "there is no quoting; escape each sign",
    "E": "there is no quoting; escape each sign",
    "R": r"write (?:\r\n|[\n\r]) for line ends",
    "X": r"write \x{...} for a character by its number",
    "e": r"write \x1b for escape",
    "h": r"write [ \t] for horizontal space",
    "k": "there are no back-references",
    "b": r"write \x08 for the backspace character",
}
_FOREIGN_HEADS = {
    ">": ("an atomic group", "the regex crate has none, since what it refuses to give back depends on the order of search", "use (?:...)"),
    "(": ("a conditional group", "what it matches depends on whether a group matched", "write both cases as alternatives"),
    "P=": ("a back-reference", "what it matches depends on what a group matched", "write out what may be repeated"),
}


class RustParser(Parser):
    """A parse of a pattern for the regex crate."""

    dialect = RUST

    def __init__(self, source: str, flags: Flags, options: RegexOptions) -> None:
        super().__init__(source, flags, options)
        self.names: set[str] = set()

    # -- sets

    def complete(self, ranges: Ranges) -> Ranges:
        return complete_ascii(ranges) if self.flags.ascii_only else complete_ecma(ranges)

    def word(self) -> Ranges:
        return self._class_of("w")

    def _class_of(self, letter: str) -> Ranges:
        if self.flags.ascii_only:
            return _ASCII_CLASSES[letter]
        from grammask.frontends.regex.rust_sets import character_class  # its tables are large, and few patterns need them

        return character_class(letter)

    def any_character(self) -> Ranges:
        every = EVERY if self.flags.dot_all else complement(((10, 10), (13, 13)) if self.flags.crlf else RUST.line_ends)
        return self.without_part_characters(every, self.at, self.at + 1)

    def without_part_characters(self, ranges: Ranges, start: int, end: int) -> Ranges:
        """The set; without the flag u, where it would be one of bytes, an error unless it is of ASCII only."""
        if self.flags.ascii_only and ranges and ranges[-1][1] > 0x7F:
            raise self.error("without the flag u this would match a part of a character", start, end, "leave u on")
        return ranges

    # -- what stands between atoms under the flag x

    def past_gap(self, at: int) -> int:
        """Where the next thing stands: behind white space and comments under the flag x, else here."""
        gap = _GAP.match(self.source, at) if self.flags.verbose else None
        return gap.end() if gap is not None else at

    def skip_gap(self) -> None:
        end = self.past_gap(self.at)
        if end == self.at:  # a control that is no white space of Unicode's
            self.add(self.characters(ord(self.source[end])), end + 1)
        else:
            self.at = end

    # -- classes

    def simple_class_is_plain(self, text: str) -> bool:
        from grammask.frontends.regex.rust_classes import OPERATOR

        return not (self.flags.verbose or self.flags.ascii_only or OPERATOR.search(text))

    def read_any_class(self) -> None:
        from grammask.frontends.regex.rust_classes import ClassReader

        ranges, end = ClassReader(self).read(self.at)
        self.add(class_expression(ranges), end)

    # -- escapes

    def escape(self, start: int, in_class: bool) -> tuple[int | Ranges | Node, int]:
        letter, end = self.source[start + 1], start + 2
        if letter in "dDsSwW":
            ranges = self._class_of(letter.lower())
            return self.without_part_characters(complement(ranges), start, end) if letter.isupper() else ranges, end
        if letter in RUST.control_escapes:
            return RUST.control_escapes[letter], end
        if letter in _FIXED_DIGITS:
            return self._hexadecimal(start, letter, in_class)
        if letter in "pP":
            return self._property(start)
        if letter.isascii() and not letter.isalnum() and letter not in "<>":
            return ord(letter), end
        if not in_class and letter in "AzbB<>":
            return self._assertion(start, letter)
        raise self._no_escape(start, letter, in_class)

    def _no_escape(self, start: int, letter: str, in_class: bool) -> Exception:
        written, span = self.source[start : start + 2], (start, start + 2)
        if letter == "C":
            return self.unsupported(r"\C, a single byte,", "texts are characters here", span, "write (?s:.) for any character")
        if letter == "0":
            return self.error("there are no octal escapes", *span, r"write \x and two hexadecimal digits")
        if letter in "123456789" and not in_class:
            return self.unsupported("a back-reference", "what it matches depends on what a group matched", span, "write out what may be repeated")
        place = " inside a character class" if in_class else ""
        hint = _LETTER_HINTS.get(letter, "write the character without the backslash")
        return self.error(f"{written} is no escape{place}", *span, hint)

    def _assertion(self, start: int, letter: str) -> tuple[Node, int]:
        end = start + 2
        if letter == "b":
            named = _BOUNDARY.match(self.source, end)
            return (self._named_boundary(named), named.end()) if named else (self.boundary(), end)
        if letter == "B":
            return self.no_boundary(in_empty_text=True), end
        if letter in "<>":
            return self.word_start() if letter == "<" else self.word_end(), end
        return Before(EMPTY) if letter == "A" else After(EMPTY), end

    def _named_boundary(self, named: re.Match[str]) -> Node:
        name, closed = named.groups()
        other = complement(self.word())
        if closed and name in ("start", "end"):
            return self.word_start() if name == "start" else self.word_end()
        if closed and name in ("start-half", "end-half"):
            return Before(ending(other, or_empty=True)) if name == "start-half" else After(starting(other, or_empty=True))
        hint = r"there are \b{start}, \b{end}, \b{start-half} and \b{end-half}"
        raise self.error(rf"there is no word boundary \b{named.group()}", named.start() - 2, named.end(), hint)

    def _hexadecimal(self, start: int, letter: str, in_class: bool) -> tuple[int, int]:
        digits, end = self._braced_digits(start) if self._in_braces(start + 2) else self._fixed_digits(start, _FIXED_DIGITS[letter])
        digits = digits.lstrip("0")
        code_point = int(digits, 16) if 0 < len(digits) <= 6 else 0x110000 if digits else 0
        if code_point > 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
            raise self.error(f"{self.source[start:end]} is no character: the last is U+10FFFF, and surrogates are none", start, end)
        if self.flags.ascii_only and code_point > 0x7F and end == start + 4 and not in_class:
            raise self.error("without the flag u this would match a part of a character", start, end, r"leave u on, or write \x{...}")
        return code_point, end

    def _in_braces(self, at: int) -> bool:
        return self.source.startswith("{", self.past_gap(at))

    def _braced_digits(self, start: int) -> tuple[str, int]:
        close = self.source.find("}", start)
        if close < 0:
            raise self.error("these braces are not closed", start, len(self.source), "add a }")
        written = self.source[self.past_gap(start + 2) + 1 : close]
        digits = re.sub(f"[{RUST_GAP}]+", "", written) if self.flags.verbose else written
        if _HEXADECIMAL.fullmatch(digits) is None:
            raise self.error("this escape takes hexadecimal digits in its braces", start, close + 1, r"for example \x{1F600}")
        return digits, close + 1

    def _fixed_digits(self, start: int, wanted: int) -> tuple[str, int]:
        found = _HEXADECIMAL.match(self.source, start + 2, start + 2 + wanted)
        digits = found.group() if found else ""
        end = start + 2 + len(digits)
        if len(digits) < wanted:
            hint = rf"write \{self.source[start + 1]}{{...}} for any number of digits"
            raise self.error(rf"\{self.source[start + 1]} takes {wanted} hexadecimal digits", start, end, hint)
        return digits, end

    def _property(self, start: int) -> tuple[Ranges, int]:
        at = self.past_gap(start + 2)
        name, end = self.source[at : at + 1], at + 1
        if name == "{":
            close = self.source.find("}", at)
            name, end = self.source[at + 1 : close], close + 1
        if not name or end == 0:
            raise self.error(f"{self.source[start : start + 2]} takes a property", start, start + 2, r"for example \pL or \p{Greek}")
        if self.flags.ascii_only:
            raise self.error("without the flag u there are no properties", start, end, "leave u on")
        if "!=" in name:  # the crate documents it as a negation and, in version 1 so far, matches as if it were not one
            raise self.unsupported("a property with !=", "versions of the crate differ on it", (start, end), rf"write \P{{{name.replace('!=', '=')}}}")
        name, relation, value = name.partition(":" if ":" in name else "=")
        ranges = self._set_of(name, value if relation else None, start, end)
        ranges = self.complete(ranges) if self.flags.ignore_case else ranges
        return complement(ranges) if self.source[start + 1] == "P" else ranges, end

    def _set_of(self, name: str, value: str | None, start: int, end: int) -> Ranges:
        from grammask.frontends.regex.rust_sets import VALUED, WITHOUT_TABLE, loose, loose_property, spelled_alone

        ranges = loose_property(name, value)
        if ranges is not None:
            return ranges
        if loose(name) in WITHOUT_TABLE:
            raise self.unsupported(f"the Unicode property {name}", "there is no table of it here", (start, end), "use a category, a script or a class")
        if name.startswith("^"):
            raise self.error(r"a property is not negated by ^", start, end, rf"write \P{{{name[1:]}}}")
        if value is not None and loose(name) not in VALUED:
            raise self.error(f"no property {name} takes a value", start, end, "General_Category, Script and Script_Extensions do")
        close = get_close_matches(value or name, spelled_alone(), 1)
        raise self.error(f"there is no Unicode property {self.source[start:end]}", start, end, f"did you mean {close[0]}?" if close else "")

    # -- repetition

    def lone_brace(self, start: int) -> None:
        if not self.last:
            self.check_repeatable(start, start + 1)
        hint = r"write \{ for the character itself, and {0,n} for a count without a lower bound"
        raise self.error("a { begins a count: {n}, {n,} or {n,m}", start, start + 1, hint)

    def check_repeatable(self, start: int, end: int) -> None:
        if not self.last:
            raise self.error("there is nothing to repeat here", start, end, rf"write \{self.source[start]} for the character itself")
        if self.last == "repeated":  # a repetition within a repetition, as if it were in a group
            self.last_height += 1
            self.group.height = max(self.group.height, self.last_height)
            if self.last_height > self.options.maximum_nesting:
                raise LimitError("the nesting of groups", self.last_height, self.options.maximum_nesting)

    # -- anchors

    def line_start(self) -> Node:
        if not (self.flags.multiline and self.flags.crlf):
            return super().line_start()
        feed: Ranges = ((10, 10),)
        alone = Concat((Before(ending(((13, 13),), or_empty=False)), After(starting(complement(feed), or_empty=True))))
        return Union((Before(ending(feed, or_empty=True)), alone))

    def line_end(self) -> Node:
        if not (self.flags.multiline and self.flags.crlf):
            return super().line_end()
        carriage: Ranges = ((13, 13),)
        alone = Concat((Before(ending(complement(carriage), or_empty=True)), After(starting(((10, 10),), or_empty=False))))
        return Union((After(starting(carriage, or_empty=True)), alone))

    # -- groups

    def is_extension(self, start: int) -> bool:
        return self.source.startswith("?", self.past_gap(start + 1))

    def open_extension(self, start: int) -> Group | None:
        at = self.past_gap(start + 1) + 1
        look = _LOOK.match(self.source, at)
        if look is not None:
            what = "a lookbehind" if look.group().startswith("<") else "a lookahead"
            raise self.unsupported(what, "the regex crate and RE2 have none", (start, look.end()), 'dialect="python" and dialect="ecma" have it')
        named = _NAMED.match(self.source, at)
        if named is not None:
            return self._named_group(start, named.end())
        for head, (feature, reason, hint) in _FOREIGN_HEADS.items():
            if self.source.startswith(head, at):
                raise self.unsupported(feature, reason, (start, at + len(head)), hint)
        return self._flag_group(start, at)

    def _named_group(self, start: int, at: int) -> Group:
        found = _GROUP_NAME.match(self.source, at)
        if found is None or not self.source.startswith(">", found.end()):
            raise self.error("a group name is missing or not closed", at, at + 1, "write (?P<name>...) or (?<name>...)")
        name = found.group()
        if name in self.names:
            raise self.error(f"there is a group named {name!r} already", at, found.end())
        self.names.add(name)
        self.at = found.end() + 1
        return self.capture(start, name)

    def _flag_group(self, start: int, at: int) -> Group | None:
        found = _FLAGS.match(self.source, at)
        letters = found.group(1) if found else self.source[at:]
        on, off = self._checked_flags(letters, at)
        if found is None:
            raise self.error("the pattern ends inside the head of a group", len(self.source), len(self.source))
        whole_rest = found.group(2) == ")"
        if whole_rest and not letters:
            raise self.error("this group is empty and has no flags", start, found.end(), "write (?:) for nothing")
        group = Group("group", start, self.flags)
        self.flags = self._changed_flags(on, off)
        self.at = found.end()
        if whole_rest:
            self.last = ""
        return None if whole_rest else group

    def _checked_flags(self, letters: str, at: int) -> tuple[str, str]:
        for place, letter in enumerate(letters):
            here = (at + place, at + place + 1)
            if letter != "-" and letter not in RUST.flag_letters:
                hint = "under the flag x, a comment is # to the end of the line" if letter == "#" else "the flags are i, m, s, x, u, U and R"
                raise self.error(f"there is no flag {letter}", *here, hint)
            if letter in letters[:place]:
                raise self.error(f"{'the -' if letter == '-' else f'the flag {letter}'} stands twice", *here)
        on, dash, off = letters.partition("-")
        if dash and not off:
            raise self.error("flags are missing after the -", at + len(on), at + len(on) + 1)
        return on, off

    def _changed_flags(self, on: str, off: str) -> Flags:
        changed = self.with_flags(on, off)
        return changed._replace(ascii_only="u" in off) if "u" in on + off else changed
