"""Which terminals are tried at a place of the text, in which order, and which of them are keywords: lexers as Lark builds them.

Rule: order and keywords are Lark's. Of places whose lexers agree on every terminal they share, the lexers count as one (a *group*), since a
terminal that a lexer does not have cannot stand there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from grammask.frontends.lark.lexemes import Kind
from grammask.frontends.lark.program import Mode
from grammask.frontends.lark.terminal_syntax import Resolved
from grammask.grammar.expression import Expression

__all__ = ["Keywords", "Lexer", "Terminal", "contextual_lexer", "group_lexers", "plain_lexer"]


@dataclass(frozen=True, slots=True, eq=False)
class Terminal:
    """A terminal. name: in Lark.  label: for errors.  pattern: for `re`; None for what is not lexed (special tokens, embedded grammars).

    text, flags: of a terminal that is one string; text is None for others.  rank: its place in Lark's order, as far as its name does not decide.
    mode: which of its matches it takes.  tree, language: instead of a pattern, a language of characters or (is_opaque) what is not lexed.
    """

    name: str
    label: str
    pattern: str | None
    text: str | None = None
    flags: frozenset[str] = frozenset()
    priority: int = 0
    rank: tuple[int, int, int] = (0, 0, 0)
    mode: Mode = "first"
    tree: Resolved | None = None
    language: Expression | None = None
    is_opaque: bool = False


class Keywords:
    """Which strings are keywords of which terminals: those that a terminal's pattern matches whole, when it is free to take less; of the same priority."""

    def __init__(self, terminals: Sequence[Terminal], matches: Callable[[int, str], bool]) -> None:
        self.of: dict[int, list[int]] = {}
        self.embedded: dict[int, set[int]] = {}  # keyword -> terminals that stand for it in the scanner
        strings = [(number, terminal) for number, terminal in enumerate(terminals) if terminal.text is not None]
        for number, terminal in enumerate(terminals):
            if terminal.text is not None or terminal.is_opaque:
                continue
            for word, string in strings:
                if string.priority == terminal.priority and string.text is not None and matches(number, string.text):
                    self.of.setdefault(number, []).append(word)
                    if string.flags <= terminal.flags:
                        self.embedded.setdefault(word, set()).add(number)


class Lexer:
    """The lexer of some places. scanner: the terminals tried, in order (place: where each stands).  unless: their keywords.

    kinds: how each terminal is lexed, as itself and, if it is ignored, as ignored text.
    """

    def __init__(self, scanner: Sequence[int], unless: Mapping[int, tuple[int, ...]]) -> None:
        self.scanner, self.unless = tuple(scanner), unless
        self.place = {number: place for place, number in enumerate(self.scanner)}
        self.kinds: dict[tuple[int, bool], Kind] = {}


def contextual_lexer(accepted: Iterable[int], ignored: frozenset[int], terminals: Sequence[Terminal], keywords: Keywords, first: Sequence[int]) -> Lexer:
    """The lexer that tries these terminals and the ignored ones. first: the classes of characters that each terminal may begin with."""
    tried = {number for number in (*accepted, *ignored) if not terminals[number].is_opaque}
    order = sorted(tried, key=lambda number: (terminals[number].rank, terminals[number].name))
    unless = {number: tuple([word for word in order if word in words]) for number in order if (words := keywords.of.get(number))}
    lexer = Lexer([number for number in order if tried.isdisjoint(keywords.embedded.get(number, ()))], {n: words for n, words in unless.items() if words})
    alike = _Alike(order, terminals, first)
    for number in order:
        near = alike.to(number)
        for is_gap in (False, True) if number in ignored else (False,):
            lexer.kinds[number, is_gap] = _kind(lexer, number, is_gap, ignored, near)
    return lexer


def _kind(lexer: Lexer, label: int, is_gap: bool, ignored: frozenset[int], near: set[int]) -> Kind:
    """How a terminal is lexed; near: the terminals that may begin like it."""
    tried = sorted(near & lexer.place.keys(), key=lexer.place.__getitem__)
    labelled = [place for place, number in enumerate(tried) if number == label or label in lexer.unless.get(number, ())]
    relevant = tried[: labelled[-1] + 1 if labelled else 0]
    unless = [(number, tuple([word for word in lexer.unless[number] if word in near])) for number in relevant if number in lexer.unless]
    return Kind(label, is_gap, tuple(relevant), tuple(unless), ignored.intersection(relevant))


class _Alike:
    """Which of some terminals may have a text that begins with a text of another. Of two strings that is told by looking at them."""

    def __init__(self, numbers: Sequence[int], terminals: Sequence[Terminal], first: Sequence[int]) -> None:
        self.terminals, self.first = terminals, first
        self._numbers = numbers
        self._patterns = [number for number in numbers if _plain_text(terminals[number]) is None]
        strings = [(text, number) for number in numbers if (text := _plain_text(terminals[number])) is not None]
        self._strings = sorted(strings)
        self._by_text: dict[str, list[int]] = {}
        for text, number in strings:
            self._by_text.setdefault(text, []).append(number)

    def to(self, label: int) -> set[int]:
        """Those that may begin like this one, itself included; maybe some more."""
        text = _plain_text(self.terminals[label])
        near = {number for number in (self._numbers if text is None else self._patterns) if self.first[number] & self.first[label]}
        if text is not None:
            for length in range(1, len(text)):
                near.update(self._by_text.get(text[:length], ()))
            for longer, number in self._strings[bisect_left(self._strings, (text, -1)) :]:
                if not longer.startswith(text):
                    break
                near.add(number)
        return near


def _plain_text(terminal: Terminal) -> str | None:
    """The text of a terminal that is a string of ASCII, in small letters."""
    return terminal.text.lower() if terminal.text is not None and terminal.text.isascii() else None


def plain_lexer(terminals: Sequence[Terminal], ignored: frozenset[int], *, every_length: bool) -> Lexer:
    """Each terminal by itself, as Lark's Earley parser matches them. every_length: in every length that its pattern can have."""
    numbers = [number for number, terminal in enumerate(terminals) if not terminal.is_opaque]
    lexer = Lexer(numbers, {})
    for number in numbers:
        lexer.kinds[number, False] = Kind(number, False, (number,), keeps_rest=not every_length)
        if number in ignored:
            lexer.kinds[number, True] = Kind(number, True, (number,), gaps=frozenset([number]))
    return lexer


def group_lexers(lexers: Sequence[Lexer], meaning: Callable[[Kind], Hashable]) -> list[int]:
    """A group for each lexer, so that within a group each terminal has the same lexemes wherever it can stand.

    meaning: equal for kinds whose lexemes are equal.
    """
    groups: list[dict[tuple[int, bool], Hashable]] = []
    chosen = [0] * len(lexers)
    for number in sorted(range(len(lexers)), key=lambda number: -len(lexers[number].kinds)):
        meanings = {key: meaning(kind) for key, kind in lexers[number].kinds.items()}
        agreeing = (place for place, known in enumerate(groups) if all(known.get(key, one) == one for key, one in meanings.items()))
        chosen[number] = next(agreeing, len(groups))
        if chosen[number] == len(groups):
            groups.append({})
        groups[chosen[number]].update(meanings)
    return chosen
