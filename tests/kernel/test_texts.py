"""Texts: JSON strings under a pattern, a length and a list of strings not allowed, whatever their spelling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

import pytest

import grammask.kernel.reference
from grammask.kernel.tables import CALL, LITERAL, RuleTable, TextTable

from . import random_grammars
from .kernels import Kernel
from .oracle import spellings_of, words_of_text
from .scale import n_cases
from .text_tables import text_of

BYTES = [bytes([byte]) for byte in range(256)]
LONGER = [b'ab"', "é".encode() + b"\\", b"\\u", b"\\u00", b"d83d\\u", b'0"', "😀".encode()[1:], "😀a".encode(), b'"}', b'""', b"a\\", b'\\""', b"b\n"]
TOKENS = [*BYTES, *LONGER, b""]
END = [len(TOKENS) - 1]


def grammar(text: TextTable) -> RuleTable:
    """A string and a brace, so that tokens may reach over the end of the text."""
    return RuleTable("root", 4, [(LITERAL, 0, 2, b'"'), (CALL, 2, 3, text), (LITERAL, 3, 1, b"}")])


def follows(kernel: Kernel, text: TextTable, written: bytes) -> list[bytes] | None:
    """The tokens allowed behind an opening quote and what was written byte by byte; None if that was refused."""
    matcher = kernel.matcher(grammar(text), TOKENS, END)
    for byte in b'"' + written:
        if not matcher.accepts(byte):
            return None
        matcher.advance(byte)
    return [TOKENS[token_id] for token_id in matcher.allowed_tokens().tolist()]


# --- all strings, judged by the standard library's reader of JSON ---------------------------------------------------

# Whatever a string was cut off in, one of these completes it, if anything does: every rest of an escape or of a pair of
# them, and of a character in UTF-8.
_ESCAPE_RESTS = [rest[at:] for rest in (b"ud800\\udc00", b"u0041") for at in range(len(rest) + 1)] + [b"n", b"00", b"000"]
_UTF8_RESTS = [bytes(more) for n in (1, 2, 3) for more in product((0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF), repeat=n)]


@cache
def can_be_completed(written: bytes) -> bool:
    """Whether some string of JSON without lone surrogates begins so."""
    escape_rests = _ESCAPE_RESTS if b"\\" in written[-12:] else []
    utf8_rests = _UTF8_RESTS if written[-1:] >= b"\x80" else []
    return any(is_string(written + rest + b'"') for rest in (b"", *escape_rests, *utf8_rests))


@cache
def is_string(written: bytes) -> bool:
    """Whether it is the inside of a JSON string and its closing quote, by the standard library's reader."""
    try:
        json.loads(b'"' + written).encode()
    except ValueError:
        return False
    return True


def cut_off_strings(rng: Random, n: int) -> Iterator[bytes]:
    """Beginnings of strings, spelled in every way, some of them spoiled in one byte."""
    alphabet = random_grammars.CHARACTERS + "\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U0010ffff"
    for _ in range(n):
        characters = rng.choices(alphabet, k=rng.randint(1, 3))
        written = bytearray(b"".join(rng.choice(list(spellings_of(character))) for character in characters))
        del written[rng.randint(0, len(written)) :]
        if written and rng.random() < 0.5:
            written[rng.randrange(len(written))] = rng.choice(b'"\\u0dDcC8\x80\x9f\xa0\xbf\xc0\xc2\xe0\xed\xf0\xf4\xf5\xff\x1f\x7f')
        yield bytes(written)


NEXT = sorted(set(b'"\\/bfnrtu019abcdefgABCDEFG \x00\x1f\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff'))


def test_all_strings_are_those_that_json_reads(kernel: Kernel) -> None:
    """The next bytes behind beginnings of every kind of spelling: allowed iff the standard library can read a completion."""
    bound = kernel.bind(grammar(TextTable("text", b"all")), TOKENS, END)
    for written in sorted(set(cut_off_strings(Random(3), n_cases(100, 1500)))):
        matcher = kernel.module.Matcher(bound)
        ids = list(b'"' + written)
        possible = is_string(written) or can_be_completed(written)
        assert (matcher.draft(ids) == len(ids)) == possible, written
        if possible and not is_string(written):
            for byte in ids:
                matcher.advance(byte)
            allowed = set(matcher.allowed_tokens().tolist())
            for longer in (written + bytes([byte]) for byte in NEXT):
                assert (longer[-1] in allowed) == (is_string(longer) or can_be_completed(longer)), longer


@pytest.mark.parametrize(
    ("written", "then", "is_allowed"),
    [
        (rb"\ud83d", b"\\", True),
        (rb"\ud83d", b'"', False),
        (rb"\ud83d", b"a", False),
        (rb"\ud83d" + b"\\", b"u", True),
        (rb"\ud83d" + b"\\", b"n", False),
        (rb"\ud83d\u", b"d", True),
        (rb"\ud83d\u", b"D", True),
        (rb"\ud83d\u", b"0", False),
        (rb"\ud83d\ud", b"b", False),
        (rb"\ud83d\ud", b"C", True),
        (rb"\ud800\udff", b"f", True),
        (rb"\udbff\udff", b"f", True),
        (rb"\udbff\udff", b"g", False),
        (rb"\ud", b"c", False),
        (rb"\ud", b"b", True),
        (rb"\uD7f", b"f", True),
        (b"\xed", b"\x9f", True),
        (b"\xed", b"\xa0", False),
        (b"\xe0", b"\x80", False),
        (b"\xf4", b"\x90", False),
        (b"", b"\xc1", False),
        (b"", b"\xf5", False),
        (b"", b"\x1f", False),
        (b"", b"\x7f", True),
        (b"", b"\n", False),
        (b"a", b'"}', True),
        (b"a", b'""', False),
        (b"a\\", b'"', True),
    ],
)
def test_spelling_rules_one_by_one(kernel: Kernel, written: bytes, then: bytes, is_allowed: bool) -> None:
    """Surrogates come in pairs, UTF-8 is shortest and without surrogates, control characters only by escapes."""
    allowed = follows(kernel, TextTable("text", b"all"), written)
    assert allowed is not None
    assert (then in allowed) == is_allowed


@pytest.mark.parametrize(
    ("first", "last"),
    [(0x1E, 0x24), (0x7E, 0x81), (0x7FE, 0x802), (0xD7FE, 0xE001), (0xFFFD, 0x10002), (0x103FE, 0x10401), (0x107FF, 0x10BFF), (0x10FFFD, 0x10FFFF)],
)
def test_a_range_is_spelled_as_its_characters_are(first: int, last: int) -> None:
    """The twin's patterns for a range of characters, written out: every spelling of each of them, and no other."""
    patterns = grammask.kernel.reference.spellings(first, last)
    written = {
        bytes(string) for pattern in patterns for string in product(*([byte for low, high in ranges for byte in range(low, high + 1)] for ranges in pattern))
    }
    characters = [chr(code) for code in range(first, last + 1) if not 0xD800 <= code <= 0xDFFF]
    assert written == {spelling for character in characters for spelling in spellings_of(character)}


# --- patterns, lengths and excluded strings, judged by all words ----------------------------------------------------


def word_oracle(text: TextTable, longest: int) -> Iterator[tuple[bytes, bool, bool]]:
    """(written, viable, closed) for beginnings of spellings, by every spelling of every word."""
    words = words_of_text(text, longest)
    spelled = {b"".join(parts) + b'"' for word in words for parts in product(*(_some(c) for c in word))}
    begun = {string[:size] for string in spelled for size in range(len(string) + 1)}
    for string in sorted(begun):
        yield string, string in begun, string in spelled
        for byte in b'ab0"\\u/nd\xc3\xa9\xe2\xf0':
            other = string + bytes([byte])
            if other not in begun and not _is_other_spelling(other):
                yield other, False, False


def _some(character: str) -> list[bytes]:
    """Its spellings, of those by \\u only the one in small letters."""
    return [spelling for spelling in spellings_of(character) if not spelling.startswith(b"\\u") or spelling.islower() or spelling[2:].isdigit()]


def _is_other_spelling(written: bytes) -> bool:
    """Whether it may begin a spelling that the oracle left out: one with capital digits."""
    return b"\\u" in written and written.lower() != written


def test_small_texts_are_their_words_in_every_spelling(kernel: Kernel) -> None:
    """Pattern, length and excluded strings together: a beginning is taken iff some allowed word has a spelling that begins so."""
    for number in range(n_cases(12, 300)):
        text = random_grammars.small_text(Random(f"text {number}"))
        bound = kernel.bind(grammar(text), TOKENS, END)
        for written, is_viable, is_closed in word_oracle(text, 3):
            matcher = kernel.module.Matcher(bound)
            ids = list(b'"' + written)
            assert (matcher.draft(ids) == len(ids)) == is_viable, (written, text)
            if is_closed:
                for byte in (*ids, ord("}")):
                    matcher.advance(byte)
                assert matcher.is_complete


def unbounded(pattern: str, minimum: int = 0, excluded: tuple[str, ...] = ()) -> TextTable:
    """A text of `x*` for a word x."""
    size = len(pattern)
    edges = [(at, (at + 1) % size, ord(c), ord(c)) for at, c in enumerate(pattern)]
    return text_of("text", repr((pattern, minimum, excluded)).encode(), size, edges, (0,), frozenset([0]), minimum, None, frozenset(excluded))


def test_a_length_is_met_only_if_the_pattern_can(kernel: Kernel) -> None:
    """(aaa)* with 4 to 8 characters: six of them, so after six only the quote is left, and never seven."""
    text = unbounded("aaa", minimum=4)
    text.maximum = 8
    assert follows(kernel, text, b"aaa") == [b"\\", b"a", b"\\u", b"\\u00", b"a\\"]
    assert follows(kernel, text, b"aaaaaa") == [b'"', b'"}']
    assert follows(kernel, text, b"aaaaaaa") is None


def test_what_follows_an_excluded_string_stays_open(kernel: Kernel) -> None:
    """(ab)* without "ab": the quote is missing after it, and there again after "abab", by every spelling."""
    text = unbounded("ab", excluded=("ab",))
    for written in (b"ab", rb"a\u0062", rb"\u0061b"):
        assert b'"' not in (follows(kernel, text, written) or [])
        assert b'"' in (follows(kernel, text, written + b"ab") or [])


def test_a_text_used_up_by_its_exclusions_offers_only_what_is_left(kernel: Kernel) -> None:
    """One of a and b, without b: neither b nor a spelling of it, and the quote only behind a."""
    text = text_of("text", b"ab less b", 2, [(0, 1, ord("a"), ord("b"))], (0,), frozenset([1]), 0, None, frozenset("b"))
    assert follows(kernel, text, b"") == [b"\\", b"a", b"\\u", b"\\u00"]
    assert follows(kernel, text, rb"\u006") == [b"1"]
    assert follows(kernel, text, b"a") == [b'"', b'"}']


def test_lengths_count_characters_not_bytes(kernel: Kernel) -> None:
    """Two characters at most: an astral one counts once, raw or as a pair of escapes."""
    text = TextTable("text", b"two", maximum=2)
    for written in ("😀é".encode(), rb"\ud83d\ude00a", rb"\n\u00e9"):
        assert follows(kernel, text, written) == [b'"', b'"}']


def test_a_token_that_ends_inside_a_character_needs_the_rest_of_it(kernel: Kernel) -> None:
    """After the first byte of an astral character only what continues it is allowed, in tokens of several bytes too."""
    text = text_of("text", b"astral", 2, [(0, 1, 0x1F600, 0x1F600)], (0,), frozenset([1]))
    assert follows(kernel, text, b"\xf0") == [b"\x9f", "😀".encode()[1:]]
    assert follows(kernel, text, "😀".encode()) == [b'"', b'"}']


def test_only_the_empty_string_is_left_where_tokens_spell_no_character(kernel: Kernel) -> None:
    """Up to two line feeds over the tokens `""` and `"b"`: no token begins an escape, so the text can only be closed at once."""
    text = text_of("text", b"line feeds", 1, [(0, 0, 10, 10)], (0,), frozenset([0]), 0, 2)
    tokens = [b'""', b'"b"', b""]
    matcher = kernel.matcher(RuleTable("root", 3, [(LITERAL, 0, 2, b'"'), (CALL, 2, 1, text)]), tokens, [2])
    assert matcher.allowed_tokens().tolist() == [0]


# --- the first bytes of characters ----------------------------------------------------------------------------------

# Where the first bytes of characters in UTF-8 change, and how many bytes follow.
BORDERS = [0x80, 0xBF, 0xC0, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000, 0xFFFFF, 0x100000, 0x10FFFF]
BLOCKS = {code: chr(code).encode()[0] for code in range(0x80, 0x110000, 64) if not 0xD800 <= code <= 0xDFFF}  # of 64 characters, which begin alike


def first_bytes(low: int, high: int) -> set[int]:
    """The first bytes of the characters low..high, surrogates left out."""
    return {byte for code, byte in BLOCKS.items() if code <= high and code + 63 >= low}


def test_first_bytes_are_those_of_the_characters(kernel: Kernel) -> None:
    """From any border to any other, a text begins with the first bytes of its characters, and takes no character beyond them."""
    for number, low in enumerate(BORDERS):
        for high in BORDERS[number:]:
            ranges = [(0, 1, *part) for part in ((low, min(high, 0xD7FF)), (max(low, 0xE000), high)) if part[0] <= part[1]]
            text = text_of("text", b"%d-%d" % (low, high), 2, ranges, (0,), frozenset({1}))
            written = follows(kernel, text, b"") or []
            assert {token[0] for token in written if len(token) == 1 and token[0] >= 0x80} == first_bytes(low, high), (low, high)
            for character in {chr(low), chr(high)}:
                assert follows(kernel, text, character.encode()[:-1]) is not None
            outside = chr(high + 1) if high < 0x10FFFF and high != 0xD7FF else "a"
            assert follows(kernel, text, outside.encode()) is None


# --- short completions ----------------------------------------------------------------------------------------------


def test_a_text_is_completed_by_as_few_bytes_as_can_be() -> None:
    """From the start and from the midst of characters: as short as what the twin finds, which looks at every way."""
    reference, compiled = Kernel("reference"), Kernel("compiled")
    for number in range(n_cases(150, 2000)):
        rng = Random(f"short text {number}")
        text = random_grammars.wide_text(rng) if number % 3 else random_grammars.small_text(rng)
        matchers = [kernel.matcher(grammar(text), TOKENS, END) for kernel in (reference, compiled)]
        for _ in range(rng.randint(0, 5)):
            token = rng.choice(matchers[1].allowed_tokens().tolist())
            if token == END[0]:
                break
            for matcher in matchers:
                matcher.advance(token)
        shortest = [matcher.shortest_bytes() for matcher in matchers]
        assert len(shortest[0]) == len(shortest[1]), (number, shortest, text)
