"""Formats whose languages leave something out take nothing that is not valid: drawn strings, judged by parsers of their own."""

from __future__ import annotations

import unicodedata
from random import Random

import pytest

from grammask.errors import GrammarError, GrammarSyntaxError, LimitError, SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema import JsonSchemaOptions, json_schema
from grammask.frontends.json_schema.formats import AT_MOST, format_at_most, format_named
from grammask.frontends.json_schema.idna_tables import IDNA
from grammask.frontends.json_schema.strings import matches
from grammask.frontends.regex import pattern_language
from grammask.grammar.expression import And, Not
from grammask.grammar.language import character_automaton

from .conftest import Accepts

N_STRINGS = 400


def drawn(name: str, n: int, longest: int) -> list[str]:
    """Strings of a format, found by walking its automaton: each arc as likely as another, and so each range of its characters."""
    random = Random(name)
    automaton = character_automaton(format_named(name).language)
    leaving = automaton.arcs_leaving()
    found: list[str] = []
    while len(found) < n:
        place, text = random.choice(automaton.starts), ""
        while leaving[place] and len(text) < longest and not (place in automaton.ends and random.random() < 0.1):
            place, chars = random.choice(leaving[place])
            low, high = random.choice(chars.ranges)
            text += chr(random.randint(low, min(high, low + 60)))
        if place in automaton.ends and not any(0xD800 <= ord(character) <= 0xDFFF for character in text):
            found.append(text)
    return found


def test_drawn_regular_expressions_are_valid() -> None:
    """What `regex` takes is read by the parser of ECMA-262 patterns, or refused there for what is no regular language or too large."""
    for text in drawn("regex", N_STRINGS, 40):
        try:
            pattern_language(text, dialect="ecma", search=True)
        except (UnsupportedFeatureError, LimitError):
            continue
        except GrammarSyntaxError as error:
            pytest.fail(f"{text!r}: {error}")


def test_drawn_host_names_can_be_encoded() -> None:
    """What `idn-hostname` takes the package idna encodes, label by label, within the lengths of host names."""
    idna = pytest.importorskip("idna")
    for text in drawn("idn-hostname", N_STRINGS, 40):
        labels = text.replace("\u3002", ".").replace("\uff0e", ".").replace("\uff61", ".").split(".")
        encoded = [label.encode() if label.isascii() else idna.encode(label) for label in labels]
        assert all(len(label) <= 63 for label in encoded), ascii(text)
        assert len(b".".join(encoded)) <= 253, ascii(text)
        assert not any(map(_is_right_to_left, labels)) or all(_obeys_bidi_rule(idna, label) for label in labels), ascii(text)


def _is_right_to_left(label: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in label)


def _obeys_bidi_rule(idna: object, label: str) -> bool:
    try:
        return bool(idna.check_bidi(label, check_ltr=True))  # type: ignore[attr-defined]
    except UnicodeError:
        return False


def test_labels_beyond_ascii_stay_short_when_encoded() -> None:
    """Twelve characters are at most 59 octets of Punycode, however a search for bad cases mixes them."""
    random = Random(12)
    pool = [code for ranges in IDNA.values() for low, high in zip(ranges[::2], ranges[1::2], strict=True) for code in (low, (low + high) // 2, high)]
    for _ in range(6):
        label = [random.choice(pool) for _ in range(12)]
        longest = _encoded_length(label)
        for _ in range(800):
            other = list(label)
            other[random.randrange(12)] = random.choice([*random.choices(pool, k=3), pool[0], max(pool), 0x61])
            if (length := _encoded_length(other)) >= longest:
                label, longest = other, length
        assert longest <= 59


def _encoded_length(codes: list[int]) -> int:
    return 4 + len("".join(map(chr, codes)).encode("punycode"))


def test_tables_of_host_names_are_in_order() -> None:
    """The ranges of each class follow one another."""
    for ranges in IDNA.values():
        assert len(ranges) % 2 == 0
        assert all(low <= high for low, high in zip(ranges[::2], ranges[1::2], strict=True))
        assert all(high < low for high, low in zip(ranges[1::2], ranges[2::2], strict=False))


EXAMPLES = {
    "regex": (
        ["", "^[a-z]+$", "(?<n>a)\\k<n>", "[^]", "a{2,3}?|b", "(?<=a+)b(c(d(e)))"],
        ["(", "[b-a]", "\\a", "(?i)a", "a{3,2}", "a**", "\\k<n>", "[\\d-z]"],
    ),
    "idn-hostname": (
        ["\uc2e4\ub840.\ud14c\uc2a4\ud2b8", "l\u00b7l", "\u05d0\u05f3\u05d1.com", "b\u00fccher.de"],
        ["a\u00b7l", "0a.\u05d0", "-a", "a\u200cb", ""],
    ),
    "idn-email": (
        ["\u03b4\u03bf@b\u00fccher.de", '"\u03b4"@example.com', "a" * 64 + "@b.c"],
        ["\u03b4\u03bf", "@b.c", "a" * 65 + "@b.c", "\u03b4" * 33 + "@b.c"],
    ),
    "email": (["a" * 64 + "@b.c", "a.b@c.d"], ["a" * 65 + "@b.c", "a..b@c.d", ".a@b.c"]),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_formats(name: str) -> None:
    """Some strings of each format, and some that are none."""
    valid, invalid = EXAMPLES[name]
    language = format_named(name).language
    assert [text for text in valid if not matches(language, text)] == []
    assert [text for text in invalid if matches(language, text)] == []


def test_custom_formats_are_regular_expressions_of_the_caller(accepts: Accepts) -> None:
    """A format of the options' own is enforced on whole strings, under a negation too, and takes the place of one that a draft defines."""
    options = JsonSchemaOptions(custom_formats={"sku": "[A-Z]{3}|x", "date": "today"})
    grammar = json_schema({"format": "sku"}, options)
    assert [text for text in ('"ABC"', '"x"', '"xABC"', '"abc"', "3") if accepts(grammar, text)] == ['"ABC"', '"x"', "3"]
    assert [entry.status for entry in grammar.report] == ["exact"]
    assert accepts(json_schema({"not": {"format": "sku"}}, options), '"abc"')
    assert accepts(json_schema({"format": "date"}, options), '"today"')
    assert not accepts(json_schema({"format": "date"}), '"today"')


def test_a_custom_format_that_is_no_regular_expression_is_an_error() -> None:
    """What is wrong with it is said where the schema uses it."""
    with pytest.raises(SchemaError) as caught:
        json_schema({"items": {"format": "sku"}}, JsonSchemaOptions(custom_formats={"sku": "("}))
    assert caught.value.pointer == "/items/format"
    with pytest.raises(GrammarError, match="custom_formats"):
        JsonSchemaOptions(custom_formats={"sku": 3})  # type: ignore[dict-item]


@pytest.mark.parametrize("name", [name for name, widest in AT_MOST.items() if widest is not None])
def test_what_may_be_valid_holds_what_is(name: str) -> None:
    """A format's language is part of the language that leaves out no valid string."""
    widest = format_at_most(name)
    assert widest is not None
    assert character_automaton(And((format_named(name).language, Not(widest.language)))).n_nodes == 0
    longest = format_named(name).max_length
    assert widest.max_length is None or (longest is not None and longest <= widest.max_length)


@pytest.mark.parametrize(
    ("name", "invalid", "doubtful"),
    [
        ("date", ["2023-02-29", "x", ""], "0000-02-29"),
        ("time", ["24:00:00Z", "12:00:00"], "12:00:60+00:01"),
        ("date-time", ["2024-01-01", "2024-01-01 00:00:00Z"], "0000-01-01T00:00:00Z"),
        ("email", ["a", "a@", "a@b_c", "a b@c"], "a@xn--a.b"),
        ("hostname", ["a_b", "-a", "a.", f"{'a.' * 127}a"], "xn--a"),
    ],
)  # fmt: skip
def test_a_negated_format_takes_what_is_certainly_invalid(name: str, invalid: list[str], doubtful: str, accepts: Accepts) -> None:
    """Under `not` a format's strings go, and those of which it is not known; every other string stays."""
    negated = json_schema({"type": "string", "not": {"format": name}})
    assert [text for text in invalid if not accepts(negated, f'"{text}"')] == []
    assert not accepts(negated, f'"{doubtful}"')
    assert not accepts(json_schema({"type": "string", "format": name}), f'"{doubtful}"')
