"""How strings are spelled in JSON: written out as rules over bytes, judged by the json module."""

import json
import re
from itertools import product

import pytest

from grammask.errors import LimitError
from grammask.grammar.expression import Chars, Repeat, Seq, Text, literal
from grammask.grammar.text_spelling import is_indifferent, spelled_out
from grammask.grammar.text_table import text_table
from grammask.kernel.tables import RuleTable

from .brute_force import after, laid_out, language_of_tables, start_of

ALL_BYTES = frozenset(range(256))


def strings_by_json(alphabet, length, is_allowed):
    """Every byte string over the alphabet that ends a JSON string of an allowed text, without lone surrogates."""
    for size in range(1, length + 1):
        for data in map(bytes, product(alphabet, repeat=size)):
            if data.endswith(b'"'):
                try:
                    text = json.loads(b'"' + data)
                    text.encode()
                except ValueError:
                    continue
                if is_allowed(text):
                    yield data


CASES = {
    "short escapes": (Text(), b'a"\\n/', 5, lambda text: True),
    "escapes by number": (Text(), b'06"\\u', 7, lambda text: True),
    "bounds and exclusions": (Text(None, 1, 2, frozenset({"a", "aa"})), b'a"\\b/', 6, lambda text: 1 <= len(text) <= 2 and text not in ("a", "aa")),
    "raw and control": (Text(Seq([Chars([(0, 10)]), Chars([(0x40, 0x7FF)])])), b'\xc3\xa9a"n\\', 6, lambda text: re.fullmatch("[\0-\n][\x40-\u07ff]", text)),
    "capital digits": (Text(Chars([(0x60, 0x6F)])), b'06F"u\\', 7, lambda text: re.fullmatch("[\x60-\x6f]", text)),
}


@pytest.mark.parametrize(("text", "alphabet", "length", "is_allowed"), CASES.values(), ids=CASES.keys())
def test_written_out_texts_are_what_json_reads(text, alphabet, length, is_allowed):
    """Over a small alphabet, the rule holds exactly the spellings that json.loads reads as an allowed string."""
    rule = spelled_out(text_table(text, "here"), ALL_BYTES - frozenset(alphabet))
    assert language_of_tables(rule, length, prepared=False) == set(strings_by_json(alphabet, length, is_allowed))


def takes(rule, data):
    current = start_of(rule)
    for position, byte in enumerate(data, 1):
        current = after(current, byte, position)
    return any(node == 1 for _, node, _, _ in current)


@pytest.mark.parametrize(
    "characters",
    [(0x10000, 0x10FFFF), (0x1F600, 0x1F64F), (0xFFF0, 0x10400), (0x103FF, 0x10400), (0, 0x10FFFF), (0xD000, 0xE100)],
    ids=lambda pair: f"{pair[0]:x}-{pair[1]:x}",
)
def test_escapes_by_number_cover_exactly_the_range(characters):
    """At and around the ends of a range, a character is taken raw, in small and in capital digits if and only if it is inside."""
    low, high = characters
    rule = laid_out(spelled_out(text_table(Text(Chars([characters]), 1, 1), "here"), frozenset()))
    assert isinstance(rule, RuleTable)
    for code in {low, high, low + 1, high - 1, (low + high) // 2, max(0, low - 1), min(high + 1, 0x10FFFF), 0x41, 0x20AC, 0x1F600}:
        if 0xD800 <= code <= 0xDFFF:
            continue
        units = chr(code).encode("utf-16-be").hex()
        escaped = "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
        assert takes(rule, escaped.encode() + b'"') == (low <= code <= high)
        assert takes(rule, escaped.upper().replace("U", "u").encode() + b'"') == (low <= code <= high)
        if code >= 0x20 and chr(code) not in '"\\':
            assert takes(rule, chr(code).encode() + b'"') == (low <= code <= high)


def test_texts_are_indifferent_to_bytes_that_an_escape_replaces():
    """Lead bytes, and letters that are no digits of escapes, may be missing; quotes, digits and continuation bytes may not."""
    everything, letters = text_table(Text(), "here"), text_table(Text(Repeat(Chars([(0x61, 0x7A)]))), "here")
    for harmless in (b"\xf1\xf2", b"z~", b"/n", b"\x00\x7f\xff"):
        assert is_indifferent(everything, frozenset(harmless))
    for harmful in (b'"', b"\\", b"u", b"0", b"\x80", b" "):
        assert not is_indifferent(everything, frozenset(harmful))
    assert is_indifferent(letters, frozenset(b"\x80 ~"))
    assert not is_indifferent(letters, frozenset(b"a"))


def test_texts_that_are_too_long_to_write_out_are_refused():
    """Multiplying out lengths stops at a limit that says what to do."""
    with pytest.raises(LimitError, match="single-byte tokens"):
        spelled_out(text_table(Text(Seq([Repeat(literal("ab")), literal("c")]), 0, 5_000), "here"), frozenset())
