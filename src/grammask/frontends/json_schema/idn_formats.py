"""Internationalised host names and mail addresses, as languages over characters.

Rule: what a language takes is valid; it leaves out what it cannot tell from what is not. Labels with characters beyond ASCII have at most 12
characters here, single hyphens, and one mark of a kind that has an order in a row: that keeps them in normal form C, and their encoding,
which has about four digits for each character, within 63. Names with such labels have at most four. Encoded labels (`xn--`) are left out.
Nothing imports this but scripts/generate_format_tables.py, which writes what `formats` reads, and tests: run it after a change here.
Sources: RFC 5890 to 5893 (names, characters, contexts, the Bidi rule), RFC 6531 3.3 (mail).
"""

from __future__ import annotations

from collections.abc import Callable

from grammask.frontends.json_schema.format_patterns import ATEXT, LABEL, MAIL_LITERAL, PATTERNS, language_of_pattern
from grammask.frontends.json_schema.idna_tables import IDNA
from grammask.grammar.expression import ANY_CHARACTER, And, Chars, Expression, Literal, Repeat, either, optional, seq

__all__ = ["IDN_FORMATS"]

MAX_LABEL = 12  # characters, if some are beyond ASCII
MAX_LABELS = 4
Ranges = list[tuple[int, int]]

LOWER, UPPER, DIGIT = (0x61, 0x7A), (0x41, 0x5A), (0x30, 0x39)
SEPARATORS: Ranges = [(0x2E, 0x2E), (0x3002, 0x3002), (0xFF0E, 0xFF0E), (0xFF61, 0xFF61)]
JOINERS: Ranges = [(0x200C, 0x200C), (0x200D, 0x200D)]
EASTERN_DIGITS, ARABIC_DIGITS = (0x6F0, 0x6F9), (0x660, 0x669)
GERESH: Ranges = [(0x5F3, 0x5F4)]
# Letters of Arabic that join on both sides, and those that join to the letter before them only (Unicode's ArabicShaping).
DUAL_JOINING: Ranges = [
    (0x620, 0x620), (0x626, 0x626), (0x628, 0x628), (0x62A, 0x62E), (0x633, 0x63A), (0x641, 0x647), (0x64A, 0x64A), (0x67E, 0x67E),
    (0x686, 0x686), (0x6A9, 0x6A9), (0x6AF, 0x6AF), (0x6CC, 0x6CC),
]  # fmt: skip
RIGHT_JOINING: Ranges = [(0x622, 0x625), (0x627, 0x627), (0x629, 0x629), (0x62F, 0x632), (0x648, 0x648), (0x698, 0x698)]
SMALL_L, MIDDLE_DOT, KERAIA = (0x6C, 0x6C), (0xB7, 0xB7), (0x375, 0x375)
HYPHEN, KATAKANA_DOT, LONG_SOUND = (0x2D, 0x2D), (0x30FB, 0x30FB), (0x30FC, 0x30FC)


def _of(*names: str) -> Ranges:
    """The characters of some tables."""
    flat = [IDNA[name] for name in names]
    return [pair for each in flat for pair in zip(each[::2], each[1::2], strict=True)]


def _label(first: Expression, behind: Expression) -> Expression:
    """A short label: hyphens stand between two others, one by one."""
    return And((seq(first, Repeat(seq(optional(Chars([HYPHEN])), behind))), Repeat(ANY_CHARACTER, 1, MAX_LABEL)))


def _name(label: Expression, separators: Ranges) -> Expression:
    return seq(label, Repeat(seq(Chars(separators), label), 0, MAX_LABELS - 1))


def _ascii_label(first: Ranges) -> Expression:
    return seq(Chars(first), Repeat(seq(optional(Chars([HYPHEN])), Chars([LOWER, UPPER, DIGIT])), 0, 29))


def _left_to_right() -> Expression:
    """Labels without letters from right to left, wherever they stand in names without such."""
    letters, small = _of("letters"), [LOWER, DIGIT]
    tail = optional(either(seq(Chars(_of("viramas")), Chars(JOINERS)), Chars(_of("ordered"))))
    catalan = seq(Chars([SMALL_L]), Repeat(seq(Chars([MIDDLE_DOT]), Chars([SMALL_L])), 1))
    greek = seq(Chars([KERAIA]), Chars(_of("greek")))
    first = either(seq(Chars(letters + small), tail), catalan)
    return _label(first, either(seq(Chars(letters + _of("marks") + small), tail), catalan, greek))


def _japanese() -> Expression:
    """Labels with the dot of Katakana, and a letter that allows it."""
    dots, letters = Repeat(Chars([KATAKANA_DOT])), _of("japanese")
    return And((seq(dots, Chars(letters), Repeat(Chars([*letters, LONG_SOUND, KATAKANA_DOT]))), Repeat(ANY_CHARACTER, 1, MAX_LABEL)))


def _right_to_left() -> Expression:
    """Labels that the Bidi rule allows from right to left: digits are of one kind."""
    dual, joiner = Chars(DUAL_JOINING), Chars(JOINERS[:1])
    joined = seq(dual, Repeat(seq(joiner, dual)), optional(seq(joiner, Chars(RIGHT_JOINING))))
    letter = either(seq(Chars(_of("rtl")), optional(Chars(_of("rtl_marks")))), seq(Chars(_of("hebrew")), Chars(GERESH)), joined)
    return either(_label(letter, either(letter, Chars([DIGIT, EASTERN_DIGITS]))), _label(letter, either(letter, Chars([ARABIC_DIGITS]))))


def _hostname() -> Expression:
    """Names in ASCII, names without letters from right to left, and names all of whose labels the Bidi rule allows."""
    ascii_only = language_of_pattern(LABEL)
    letters, tail = _of("letters"), optional(Chars(_of("ordered")))
    among = _label(seq(Chars([*letters, LOWER]), tail), seq(Chars([*letters, LOWER, DIGIT]), tail))
    return either(
        seq(ascii_only, Repeat(seq(Chars(SEPARATORS), ascii_only))),
        _name(either(_left_to_right(), _japanese(), _ascii_label([LOWER, UPPER, DIGIT])), SEPARATORS),
        _name(either(_right_to_left(), among, _ascii_label([LOWER, UPPER])), SEPARATORS),
    )


def _email() -> Expression:
    """RFC 6531 adds characters beyond ASCII to what may stand before the @: at most 64 octets in UTF-8, so few of those that take more."""
    locals_: list[Expression] = []
    for last, most in ((0x7F, 64), (0x7FF, 32), (0xFFFF, 21), (0x10FFFF, 16)):
        beyond = f"\\u{{80}}-\\u{{{last:X}}}" if last > 0x7F else ""
        atext = f"(?:{ATEXT}|[{beyond}])" if beyond else ATEXT
        patterns = f"{atext}+(?:\\.{atext}+)*", f'"(?:[ !#-\\[\\]-~{beyond}]|\\\\[ -~])*"'
        locals_ += [And((language_of_pattern(pattern), Repeat(ANY_CHARACTER, 1, most))) for pattern in patterns]
    letters = _of("letters", "rtl")
    behind = [*letters, *_of("marks", "ordered"), (0x300, 0x36F), LOWER, UPPER, DIGIT]
    label = either(_label(Chars([*letters, LOWER, UPPER, DIGIT]), Chars(behind)), _ascii_label([LOWER, UPPER, DIGIT]))
    domain = either(_name(label, SEPARATORS[:1]), language_of_pattern(PATTERNS["hostname"]), language_of_pattern(MAIL_LITERAL))
    return seq(either(*locals_), Literal(b"@"), domain)


IDN_FORMATS: dict[str, Callable[[], Expression]] = {"idn-hostname": _hostname, "idn-email": _email}
