"""A grammar in GBNF, as llama.cpp reads it: rule names of ASCII, alternatives broken behind |, no left recursion taken out.

Below: outline, names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from grammask.errors import UnsupportedFeatureError
from grammask.grammar.expression import ANY_CHARACTER, EMPTY, MAX_CODE_POINT, Alt, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Token
from grammask.grammar.grammar import Grammar
from grammask.grammar.notation.names import rule_names
from grammask.grammar.notation.outline import outline

__all__ = ["to_gbnf"]

WIDE = 110
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
_TOKEN_NAME = re.compile(r"<(?!\[[0-9]+\]>)[^>\r\n]+>")


def to_gbnf(grammar: Grammar) -> str:
    """The grammar as a text in GBNF; see `Grammar.to_gbnf`."""
    rules = outline(grammar.expression)
    names = rule_names(rules, "root", "-")
    return "".join(f"{names[rule]} ::= {_body(rule.body, names)}\n" for rule in rules)


def _body(body: Expression, names: Mapping[Rule, str]) -> str:
    alternatives = [_sequence(part, names) for part in (body.parts if isinstance(body, Alt) and not _is_other_token(body) else [body])]
    line = " | ".join(alternatives)
    return line if len(line) <= WIDE else " |\n    ".join(alternatives)


def _sequence(node: Expression, names: Mapping[Rule, str]) -> str:
    return " ".join(_atom(part, names) for part in node.parts) if isinstance(node, Seq) and node.parts else _atom(node, names)


def _atom(node: Expression, names: Mapping[Rule, str]) -> str:
    match node:
        case Literal():
            return '"' + _escaped(node.data.decode(), quoted='"') + '"'
        case Chars():
            return "." if node is ANY_CHARACTER else _class(node.ranges)
        case Ref():
            return names[node.rule]
        case Token():
            return _token(node)
        case Repeat():
            return _repeated(node, names)
    return '""' if node is EMPTY else f"({_body(node, names)})"


def _repeated(node: Repeat, names: Mapping[Rule, str]) -> str:
    is_endless = node.maximum is None and node.minimum <= 1
    part = _other_tokens(node.part, names) if is_endless and _is_other_token(node.part) else _atom(node.part, names)
    if isinstance(node.part, Repeat):
        part = f"({part})"
    match node.minimum, node.maximum:
        case 0, None:
            return f"{part}*"
        case 1, None:
            return f"{part}+"
        case 0, 1:
            return f"{part}?"
        case minimum, None:
            return f"{part}{{{minimum},}}"
        case minimum, maximum:
            return f"{part}{{{minimum}}}" if minimum == maximum else f"{part}{{{minimum},{maximum}}}"


def _escaped(text: str, quoted: str) -> str:
    """The text with escapes for what is no printable character, for backslashes and for the quoted characters."""
    return "".join(_ESCAPES.get(character) or (f"\\{character}" if character in quoted else _visible(character)) for character in text)


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02X}" if code <= 0xFF else f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _class(ranges: Sequence[tuple[int, int]]) -> str:
    """A class; the negative form where that is shorter."""
    others = _complement(ranges)
    if ranges[0][0] == 0 and ranges[-1][1] == MAX_CODE_POINT and len(others) < len(ranges):
        return f"[^{_members(others)}]"
    return f"[{_members(ranges)}]"


def _members(ranges: Sequence[tuple[int, int]]) -> str:
    return "".join([_member(low) if low == high else f"{_member(low)}{'-' if high > low + 1 else ''}{_member(high)}" for low, high in ranges])


def _member(code: int) -> str:
    return "\\x5E" if code == ord("^") else _escaped(chr(code), quoted="[]-")


def _complement(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The gaps between the ranges; that of the surrogates, which are no characters, is none."""
    gaps = [(high + 1, low - 1) for (_, high), (low, _) in pairwise(ranges)]
    return [gap for gap in gaps if gap != (0xD800, 0xDFFF)]


def _token(node: Token) -> str:
    if node.but:
        raise UnsupportedFeatureError("all special tokens but some, in GBNF", "it has them only in a loop with any text")
    names = [_token_name(name) for name in node.names]
    return names[0] if len(names) == 1 else f"({' | '.join(names)})"


def _token_name(name: str | int) -> str:
    if isinstance(name, int):
        return f"<[{name}]>"
    if not _TOKEN_NAME.fullmatch(name):
        raise UnsupportedFeatureError(f"the special token {name!r} in GBNF", "only names in angle brackets can be written", hint="name it by its id")
    return name


def _is_other_token(node: Expression) -> bool:
    """Whether this is a choice with any character and any special token but one: `!<token>` inside a loop."""
    if not isinstance(node, Alt) or ANY_CHARACTER not in node.parts:
        return False
    return any(isinstance(part, Token) and part.but and len(part.names) == 1 for part in node.parts)


def _other_tokens(node: Expression, names: Mapping[Rule, str]) -> str:
    assert isinstance(node, Alt)
    written = []
    for part in node.parts:
        if isinstance(part, Token) and part.but and len(part.names) == 1:
            written.append(f"!{_token_name(part.names[0])}")
        elif part is not ANY_CHARACTER:
            written.append(_sequence(part, names))
    return written[0] if len(written) == 1 else f"({' | '.join(written)})"
