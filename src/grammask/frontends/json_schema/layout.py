"""How JSON is laid out: whitespace, separators and brackets, and the rules for JSON without a schema.

Rule: whitespace is one rule per layout, nullable and bounded, called wherever lines may break; what stands around a colon or before a
comma is at most one space, written out. Nothing stands before or after the whole document. All rules here are shared between schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from json.encoder import encode_basestring

from grammask.frontends.json_schema.numbers import INTEGER_DIGITS, INTEGER_RULE, NUMBER_RULE, Range, number_expression
from grammask.frontends.json_schema.options import Indent
from grammask.frontends.json_schema.told_names import told_member
from grammask.frontends.json_schema.values import ARRAY, BOOLEAN, FRACTION, INTEGER, NULL, NUMBER, OBJECT, STRING, WORDS, string_spellings
from grammask.grammar.distinct import Distinct
from grammask.grammar.expression import EMPTY, NOTHING, Alt, Chain, Expression, Literal, Ref, Repeat, Rule, Seq, Text, either

__all__ = ["Layout", "layout_for"]

MAX_SPACES = 64  # of one line's indentation
MAX_TABS = 16

QUOTE = Literal(b'"')
ANY_STRING = Seq((QUOTE, Text()))


class Layout:
    """One way to lay out JSON.

    colon: between name and value; separator: between members; before, after: inside brackets that hold something;
    inside: in empty brackets. value, any_object, any_array: JSON without a schema. by_name: any value of a type, by the type's name.
    tells_names: no name comes twice in objects without a schema.
    """

    def __init__(
        self,
        colon: Expression,
        separator: Expression,
        before: Expression,
        after: Expression,
        inside: Expression,
        *,
        only_digits: bool,
        tells_names: bool = False,
    ) -> None:
        self.colon, self.separator, self.before, self.after, self.inside = colon, separator, before, after, inside
        self.signs = {sign: Literal(sign) for sign in (b"{", b"}", b"[", b"]", b"{}", b"[]")}
        any_value, any_object, any_array = Rule("any JSON value", shared=True), Rule("any JSON object", shared=True), Rule("any JSON array", shared=True)
        self.value, self.any_object, self.any_array = Ref(any_value), Ref(any_object), Ref(any_array)
        self.by_type: dict[int, Expression] = {
            NULL: Literal(b"null"),
            BOOLEAN: Alt((Literal(b"true"), Literal(b"false"))),
            INTEGER: Ref(INTEGER_DIGITS if only_digits else INTEGER_RULE),
            FRACTION: number_expression(Range(not_multiples=(1,))),
            NUMBER: Ref(NUMBER_RULE),
            STRING: ANY_STRING,
            ARRAY: self.any_array,
            OBJECT: self.any_object,
        }
        any_object.body = self.brackets(b"{", self._any_members(tells_names=tells_names), b"}", may_be_empty=True)
        any_array.body = self.brackets(b"[", Chain((), separator, self.value, minimum=1), b"]", may_be_empty=True)
        any_value.body = self._any_of((NULL, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT))
        self.by_mask: dict[int, Expression] = {0: NOTHING, sum((NULL, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT)): self.value}
        self.by_name = {word: self.by_type[bit] for bit, word in WORDS.items()}

    def _any_members(self, *, tells_names: bool) -> Expression:
        member = self.member(ANY_STRING, self.value)
        if not tells_names:
            return Chain((), self.separator, member, minimum=1)
        told = told_member(member, lambda names: self.member(Seq((QUOTE, Text(excluded=names))), self.value))
        return Distinct(Chain((), self.separator, told, minimum=1))

    def _any_of(self, bits: Sequence[int]) -> Expression:
        parts: list[Expression] = []
        for bit in bits:
            part = self.by_type[bit]
            parts.extend(part.parts if isinstance(part, Alt) else (part,))
        return parts[0] if len(parts) == 1 else Alt(parts)

    def of_types(self, mask: int) -> Expression:
        """Any value of these types."""
        known = self.by_mask.get(mask)
        if known is None:
            bits = [bit for bit in (NULL, BOOLEAN, STRING, ARRAY, OBJECT) if mask & bit]
            if mask & NUMBER:
                bits.append(mask & NUMBER)
            known = self.by_mask[mask] = self._any_of(bits)
        return known

    def member(self, name: Expression, value: Expression) -> Expression:
        """A name and its value."""
        start = name.parts if type(name) is Seq else (name,)
        return Seq((*start, self.colon, *value.parts) if type(value) is Seq else (*start, self.colon, value))

    def named_member(self, name: str, value: Expression) -> Expression:
        """A member of a given name, spelled as json.dumps does."""
        if not name.isascii():
            return self.member(either(*map(Literal, string_spellings(name))), value)
        spelled = Literal.once(encode_basestring(name).encode())
        return Seq.once((spelled, self.colon, *value.parts) if type(value) is Seq else (spelled, self.colon, value))

    def brackets(self, opening: bytes, members: Expression, closing: bytes, *, may_be_empty: bool) -> Expression:
        """Members, at least one, in brackets; or nothing in them, if that may be."""
        signs = self.signs
        first, last = signs[opening], signs[closing]
        filled = (members, self.after, last) if self.after is not EMPTY else (members, last)
        start = (first,) if self.before is EMPTY else (first, self.before)
        if not may_be_empty:
            return NOTHING if members is NOTHING else Seq.once(start + filled)
        if members is NOTHING:
            return Seq((first, self.inside, last)) if self.inside is not EMPTY else signs[opening + closing]
        if self.inside is self.before:
            return Seq.once((*start, Alt.once((last, Seq.once(filled)))))
        return Alt.once((signs[opening + closing], Seq.once(start + filled)))


def _shared(place: str, body: Expression) -> Ref:
    """A rule that all schemas have in common, so that a vocabulary knows its masks once for all."""
    return Ref(Rule(place, body, shared=True))


def _line_break(indentation: Expression) -> Expression:
    return Seq((Literal(b"\n"), indentation))


@lru_cache(maxsize=64)
def layout_for(whitespace: str | Indent, *, only_digits: bool, tells_names: bool = False) -> Layout:
    """The layout an option names; one object per option, so that its rules are the same in all schemas. only_digits: of integers."""
    options = {"only_digits": only_digits, "tells_names": tells_names}
    comma, space = Literal(b","), Literal(b" ")
    if whitespace == "compact":
        return Layout(Literal(b":"), comma, EMPTY, EMPTY, EMPTY, **options)
    if whitespace == "spaced":
        return Layout(Literal(b": "), Literal(b", "), EMPTY, EMPTY, EMPTY, **options)
    if isinstance(whitespace, Indent):
        level = Literal(b" " * whitespace.size)
        line = _shared("line break", _line_break(Repeat(level, 0, max(MAX_SPACES // whitespace.size, 1))))
        return Layout(Literal(b": "), _shared("separator", Seq((comma, line))), line, line, EMPTY, **options)
    indentation = Alt((Repeat(space, 0, MAX_SPACES), Repeat(Literal(b"\t"), 1, MAX_TABS)))
    gap = _shared("whitespace", Alt((EMPTY, space, _line_break(indentation))))
    colon = Alt(map(Literal, (b":", b": ", b" :", b" : ")))
    separator = _shared("separator", Seq((Alt((comma, Literal(b" ,"))), gap)))
    return Layout(colon, separator, gap, gap, gap, **options)
