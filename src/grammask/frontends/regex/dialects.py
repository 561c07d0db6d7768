"""What the dialects differ in, as data: flags, escapes, line ends and the meaning of the anchors.

Rule: nothing here parses; a dialect's own syntax is in python_syntax, ecma_syntax and rust_syntax.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from grammask.frontends.regex.charsets import Ranges

__all__ = ["ECMA", "PYTHON", "RUST", "Dialect", "Flags"]

DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
# ECMA-262's WhiteSpace and LineTerminator: Unicode's category Zs, the controls of ASCII and the byte order mark.
ECMA_SPACE: Ranges = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F),
    (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
ASCII_SPACE: Ranges = ((0x09, 0x0D), (0x20, 0x20))


class Flags(NamedTuple):
    """The flags in force at a place of the pattern."""

    ignore_case: bool = False
    multiline: bool = False
    dot_all: bool = False
    verbose: bool = False
    ascii_only: bool = False
    crlf: bool = False  # a carriage return ends a line too, and with the line feed after it ends one line


class Dialect(NamedTuple):
    """One dialect.

    flag_letters: letter -> field of Flags (or "" for one that changes nothing); flag_bits: bit of `re.RegexFlag` -> the same.
    control_escapes: letter after the backslash -> code point.
    line_ends: what `.` leaves out, and where ^ and $ hold under the flag m.
    quantifier: the pattern of a counted repetition, with groups for minimum, comma and maximum; compiled by whoever meets one.
    end_before_last_newline: `$` also holds before a line feed at the very end.  possessive: `*+` and the like exist.
    empty_class: a ] straight after [ or [^ closes the class rather than being its first member.
    """

    name: str
    flag_letters: Mapping[str, str]
    flag_bits: Mapping[int, str]
    control_escapes: Mapping[str, int]
    line_ends: Ranges
    quantifier: str
    end_before_last_newline: bool
    possessive: bool
    empty_class: bool


PYTHON = Dialect(
    name="python",
    flag_letters={"i": "ignore_case", "m": "multiline", "s": "dot_all", "x": "verbose", "a": "ascii_only", "u": ""},
    flag_bits={re.I: "ignore_case", re.M: "multiline", re.S: "dot_all", re.X: "verbose", re.A: "ascii_only", re.U: "", re.DEBUG: ""},
    control_escapes={"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11},
    line_ends=((10, 10),),
    quantifier=r"\{([0-9]*)(?:(,)([0-9]*))?\}",
    end_before_last_newline=True,
    possessive=True,
    empty_class=False,
)

ECMA = Dialect(
    name="ecma",
    flag_letters={"i": "ignore_case", "m": "multiline", "s": "dot_all"},
    flag_bits={re.I: "ignore_case", re.M: "multiline", re.S: "dot_all", re.U: ""},
    control_escapes={"f": 12, "n": 10, "r": 13, "t": 9, "v": 11},
    line_ends=((10, 10), (13, 13), (0x2028, 0x2029)),
    quantifier=r"\{([0-9]+)(?:(,)([0-9]*))?\}",
    end_before_last_newline=False,
    possessive=False,
    empty_class=True,
)

# Characters with Unicode's property White_Space, as the inside of a class: what a pattern may be spaced with.
RUST_GAP = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

RUST = Dialect(
    name="rust",
    flag_letters={"i": "ignore_case", "m": "multiline", "s": "dot_all", "x": "verbose", "R": "crlf", "U": "", "u": ""},
    flag_bits={re.I: "ignore_case", re.M: "multiline", re.S: "dot_all", re.X: "verbose", re.A: "ascii_only", re.U: ""},
    control_escapes={"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11},
    line_ends=((10, 10),),
    quantifier=rf"\{{[{RUST_GAP}]*([0-9]+)[{RUST_GAP}]*(?:(,)[{RUST_GAP}]*([0-9]*)[{RUST_GAP}]*)?\}}",
    end_before_last_newline=False,
    possessive=False,
    empty_class=False,
)
