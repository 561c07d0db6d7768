"""A grammar in Lark's notation, in which every terminal is one text or one character, so that the dynamic lexer reads it as it is meant.

Below: outline, names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from grammask.errors import UnsupportedFeatureError
from grammask.grammar.expression import ANY_CHARACTER, EMPTY, MAX_CODE_POINT, Alt, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Token
from grammask.grammar.grammar import Grammar
from grammask.grammar.notation.names import rule_names
from grammask.grammar.notation.outline import outline
from grammask.grammar.walk import bottom_up, rules_of

__all__ = ["to_lark"]

WIDE = 110
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
IN_CLASSES = "[]^-/&|~"


def to_lark(grammar: Grammar) -> str:
    """The grammar as a text in Lark's notation; see `Grammar.to_lark`."""
    rules = _with_counts_named(outline(grammar.expression))
    names = rule_names(rules, "start", "_")
    lines = [f"{names[rule]}: {_body(rule.body, names)}".rstrip() + "\n" for rule in rules]
    return "".join(['// to be read with parser="earley", lexer="dynamic"\n', *lines])


def _with_counts_named(rules: Sequence[Rule]) -> list[Rule]:
    """Rules in which counted repetitions, and choices that they repeat, are rules of their own: Lark writes out every combination in a rule."""
    memo: dict[Expression, Expression] = {}
    for rule in rules:
        for node in bottom_up([rule.body]):
            if node not in memo:
                memo[node] = _with_count_named(node, rule.place, memo)
        body = memo[rule.body]
        rule.body = body.rule.body if isinstance(body, Ref) and body is not rule.body else body
    return [rules[0], *[rule for rule in rules_of(rules[0].body) if rule is not rules[0]]]


def _with_count_named(node: Expression, place: str, memo: Mapping[Expression, Expression]) -> Expression:
    if isinstance(node, Seq):
        return Seq([memo[part] for part in node.parts])
    if isinstance(node, Alt):
        return Alt([memo[part] for part in node.parts])
    if not isinstance(node, Repeat):
        return node
    part = memo[node.part]
    if node.maximum in (None, 1) and node.minimum <= 1:
        return Repeat(part, node.minimum, node.maximum)
    if isinstance(part, Alt | Seq | Repeat):
        part = Ref(Rule(f"{place}-part", part))
    return Ref(Rule(f"{place}-times", Repeat(part, node.minimum, node.maximum)))


def _body(body: Expression, names: Mapping[Rule, str]) -> str:
    alternatives = [_sequence(part, names) for part in (body.parts if isinstance(body, Alt) else [body])]
    line = " | ".join(alternatives)
    return line if len(line) <= WIDE else "\n    | ".join(alternatives)


def _sequence(node: Expression, names: Mapping[Rule, str]) -> str:
    return " ".join(_atom(part, names) for part in node.parts) if isinstance(node, Seq) and node.parts else _atom(node, names)


def _atom(node: Expression, names: Mapping[Rule, str]) -> str:
    match node:
        case Literal():
            return f'"{_text(node.data.decode())}"'
        case Chars():
            return r"/(.|\n)/" if node is ANY_CHARACTER else f"/{_class(node.ranges)}/"
        case Ref():
            return names[node.rule]
        case Token():
            raise UnsupportedFeatureError("special tokens in Lark's notation", "its terminals are texts", hint="to_gbnf writes them")
        case Repeat():
            return _repeated(node, names)
    return "" if node is EMPTY else f"({_body(node, names)})"


def _repeated(node: Repeat, names: Mapping[Rule, str]) -> str:
    part = _atom(node.part, names)
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
            return f"({part} ~ {minimum} {part}*)"
        case minimum, maximum:
            return f"({part} ~ {minimum})" if minimum == maximum else f"({part} ~ {minimum}..{maximum})"


def _text(text: str) -> str:
    return "".join(_ESCAPES.get(character) or ('\\"' if character == '"' else _visible(character)) for character in text)


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _class(ranges: Sequence[tuple[int, int]]) -> str:
    """A class of `re`; the negative form where that is shorter. Surrogates, which are no characters, may be in it."""
    others = [(high + 1, low - 1) for (_, high), (low, _) in pairwise(ranges) if (high, low) != (0xD7FF, 0xE000)]
    if ranges[0][0] == 0 and ranges[-1][1] == MAX_CODE_POINT and len(others) < len(ranges):
        return f"[^{_members(others)}]"
    return f"[{_members(ranges)}]"


def _members(ranges: Sequence[tuple[int, int]]) -> str:
    return "".join([_member(low) if low == high else f"{_member(low)}{'-' if high > low + 1 else ''}{_member(high)}" for low, high in ranges])


def _member(code: int) -> str:
    character = chr(code)
    return _ESCAPES.get(character) or (f"\\{character}" if character in IN_CLASSES else _visible(character))
