"""Terminals written with `&`, `~` or `%regex`, which are llguidance's: their bodies as trees, and the trees as languages.

Rule: `&` binds tighter than `|`, a leading `~` tighter than a repetition. A tree names the terminals it is made of, its literals among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from grammask.errors import GrammarSyntaxError, UnsupportedFeatureError
from grammask.frontends.lark.scan import Token, is_terminal_name
from grammask.grammar.expression import EMPTY, And, Expression, Literal, Not, Repeat, either, optional, seq
from grammask.grammar.language import character_automaton

__all__ = ["Chunks", "Combined", "Named", "Pieces", "Resolved", "Tree", "as_language", "is_nullable", "names_in", "parse_terminal", "resolved"]


class Named(NamedTuple):
    """A terminal by its name."""

    name: str


class Chunks(NamedTuple):
    """Some neighbouring pieces of a list, in a row; none at all, too."""

    pieces: tuple[str, ...]


class Combined(NamedTuple):
    """An operator over trees: "seq", "alt", "and", "not", "repeat" (minimum to maximum times, None for no bound)."""

    operator: str
    parts: tuple[Tree, ...]
    minimum: int = 0
    maximum: int | None = None


class Pieces(NamedTuple):
    """A Combined of parts whose names are resolved, one of which holds Chunks; "seq", "alt" or "repeat"."""

    operator: str
    parts: tuple[Resolved, ...]
    minimum: int
    maximum: int | None


Tree = Named | Chunks | Combined
Resolved = Expression | Chunks | Pieces

_REPEATS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}


def parse_terminal(source: str, tokens: Sequence[Token], new_part: Callable[[int, int], str]) -> Tree:
    """The tree of a terminal's body. new_part: gives the literal or range that stands at source[start:end] a name."""
    parser = _Parser(source, [token for token in tokens if token.kind != "newline"], new_part)
    tree = parser.alternatives(0)
    if parser.token is not None:
        raise parser.error("this has no place in a terminal", parser.token)
    return tree


class _Parser:
    """One parse, by descent; nesting is bounded."""

    MAX_DEPTH = 100

    def __init__(self, source: str, tokens: list[Token], new_part: Callable[[int, int], str]) -> None:
        self.source, self.tokens, self.new_part = source, tokens, new_part
        self.at = 0

    @property
    def token(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def error(self, reason: str, token: Token | None) -> GrammarSyntaxError:
        span = (token.start, token.end) if token else (self.tokens[-1].end,) * 2 if self.tokens else (0, 0)
        return GrammarSyntaxError(reason, self.source, span)

    def take(self, text: str) -> bool:
        if self.token is None or self.token.text != text:
            return False
        self.at += 1
        return True

    def alternatives(self, depth: int) -> Tree:
        if depth > self.MAX_DEPTH:
            raise self.error("this is nested too deeply", self.token)
        self.take("|")
        return self._joined("|", "alt", lambda: self._joined("&", "and", lambda: self._sequence(depth)))

    def _joined(self, mark: str, operator: str, one: Callable[[], Tree]) -> Tree:
        parts = [one()]
        while self.take(mark):
            parts.append(one())
        return parts[0] if len(parts) == 1 else Combined(operator, tuple(parts))

    def _sequence(self, depth: int) -> Tree:
        parts = []
        while self.token is not None and self.token.text not in ("|", "&", ")", "]"):
            parts.append(self._repeated(depth))
        return parts[0] if len(parts) == 1 else Combined("seq", tuple(parts))

    def _repeated(self, depth: int) -> Tree:
        tree = self._negated(depth)
        while (bounds := self._bounds()) is not None:
            tree = Combined("repeat", (tree,), *bounds)
        return tree

    def _negated(self, depth: int) -> Tree:
        flips = 0
        while self.take("~"):
            flips += 1
        tree = self._atom(depth)
        return Combined("not", (tree,)) if flips % 2 else tree

    def _bounds(self) -> tuple[int, int | None] | None:
        token, after = self.token, self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
        if token is None:
            return None
        if token.text in _REPEATS:
            self.at += 1
            return _REPEATS[token.text]
        if token.text == "~" and after is not None and after.kind == "number":
            self.at += 2
            minimum = int(after.text)
            return (minimum, self._number()) if self.take("..") else (minimum, minimum)
        if token.text == "{":
            self.at += 1
            low = self._number() if self.token is not None and self.token.kind == "number" else None
            high = low
            if self.take(","):
                high = self._number() if self.token is not None and self.token.kind == "number" else None
            if not self.take("}"):
                raise self.error("a } is missing here", self.token)
            return low or 0, high
        return None

    def _number(self) -> int:
        token = self.token
        if token is None or token.kind != "number" or len(token.text) > 9:
            raise self.error("a number is missing here", token)
        self.at += 1
        return int(token.text)

    def _atom(self, depth: int) -> Tree:
        token = self.token
        if token is None:
            raise self.error("something is missing at the end of this terminal", None)
        self.at += 1
        if token.text in ("(", "["):
            tree = self.alternatives(depth + 1)
            if not self.take(")" if token.text == "(" else "]"):
                raise self.error("this is not closed", token)
            return tree if token.text == "(" else Combined("repeat", (tree,), 0, 1)
        if token.kind == "name" and is_terminal_name(token.text):
            return Named(token.text)
        if token.kind == "string" and self.take(".."):
            last = self.token
            if last is None or last.kind != "string":
                raise self.error("a range ends with a text", last or token)
            self.at += 1
            return Named(self.new_part(token.start, last.end))
        if token.kind in ("string", "regexp"):
            return Named(self.new_part(token.start, token.end))
        if token.text == "%regex" and token.kind == "embedded":
            return Chunks(chunks_of(self.source, token))
        reason = "rules are not allowed inside terminals" if token.kind == "name" else "this has no place in a terminal"
        raise self.error(reason, token)


def chunks_of(source: str, token: Token) -> tuple[str, ...]:
    """The pieces that a `%regex` object names."""
    value: Any = token.value
    span = token.start, token.end
    if isinstance(value, dict) and len(value) == 1:
        ((kind, pieces),) = value.items()
        if kind == "substring_chunks" and isinstance(pieces, list) and all(isinstance(piece, str) for piece in pieces):
            return tuple(pieces)
        if kind == "substring_words" and isinstance(pieces, str):
            return tuple(re.findall(r"\w+|\W", pieces))
        if kind == "substring_chars" and isinstance(pieces, str):
            return tuple(pieces)
        if kind.startswith("substring"):
            raise GrammarSyntaxError(f"{kind} takes {'a list of texts' if kind.endswith('chunks') else 'a text'}", source, span)
    reason = "it says neither substring_chunks nor substring_words nor substring_chars"
    raise UnsupportedFeatureError("this %regex", reason, source=source, span=span, hint="write the terminal as a regular expression")


def names_in(tree: Tree) -> set[str]:
    """The terminals that a tree names."""
    if isinstance(tree, Named):
        return {tree.name}
    return set() if isinstance(tree, Chunks) else {name for part in tree.parts for name in names_in(part)}


def resolved(tree: Tree, named: Callable[[str], Resolved]) -> Resolved:
    """A tree with what its names stand for: one regular language, but for pieces of texts that stand in no condition."""
    if isinstance(tree, Named):
        return named(tree.name)
    if isinstance(tree, Chunks):
        return tree
    parts = tuple([resolved(part, named) for part in tree.parts])
    languages = [part for part in parts if isinstance(part, Expression)]
    if len(languages) < len(parts) and tree.operator in ("seq", "alt", "repeat"):
        return Pieces(tree.operator, parts, tree.minimum, tree.maximum)
    return _language(tree, [as_language(part) for part in parts])


def _language(tree: Combined, parts: list[Expression]) -> Expression:
    if tree.operator == "seq":
        return seq(*parts)
    if tree.operator == "alt":
        return either(*parts)
    if tree.operator == "and":
        return And(parts)
    return Not(parts[0]) if tree.operator == "not" else Repeat(parts[0], tree.minimum, tree.maximum)


def as_language(part: Resolved) -> Expression:
    """The same as one regular language; pieces of a long text make a large one."""
    if isinstance(part, Expression):
        return part
    if isinstance(part, Chunks):
        return _substrings(part.pieces)
    return _language(Combined(part.operator, (), part.minimum, part.maximum), [as_language(inner) for inner in part.parts])


def is_nullable(part: Resolved) -> bool:
    """Whether the empty string is in the language."""
    if isinstance(part, Expression):
        automaton = character_automaton(part)
        return not automaton.ends.isdisjoint(automaton.starts)
    if isinstance(part, Chunks):
        return True
    if part.operator == "repeat":
        return part.minimum == 0 or is_nullable(part.parts[0])
    return (all if part.operator == "seq" else any)(is_nullable(inner) for inner in part.parts)


def _substrings(pieces: Sequence[str]) -> Expression:
    """Pieces n to m for any n and m: from each beginning on, as far as one likes."""
    rest: Expression = EMPTY
    found: list[Expression] = [EMPTY]
    for piece in reversed(pieces):
        rest = seq(Literal(piece.encode()), optional(rest) if rest is not EMPTY else EMPTY)
        found.append(rest)
    return either(*found)
