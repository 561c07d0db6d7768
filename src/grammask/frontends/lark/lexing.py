"""Lexemes between others: what may stand before each, and what is left pending after it.

A *context* is what a place between two lexemes has to remember: the lexer that reads on, what is pending, and which class of terminals was
promised to come next (where the parser's table depends on that).
Rule: for a context and a terminal, `after` gives each context in which the lexer may then be, with the language of the text in between:
ignored text as the lexer takes it, and the lexeme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from grammask.errors import UnsupportedFeatureError
from grammask.frontends.lark.lexemes import Graph, Kind, explored, expressions, futures
from grammask.frontends.lark.lexers import Terminal
from grammask.frontends.lark.scanning import CLEAR, Pending, Scanner, Threads
from grammask.grammar.components import visit_order
from grammask.grammar.expression import EMPTY, Chars, Expression, Literal, Ref, Rule, Seq, Token, either, optional, seq

__all__ = ["Context", "Kinds", "Lexing"]

Kinds = Mapping[tuple[int, bool], Kind]
Ways = dict[Pending, Expression]
Refusal = Callable[[int, str, str, str], UnsupportedFeatureError]

MAX_PIECES = 4


class Context(NamedTuple):
    """A place between two lexemes. lexer: the group of the lexer that reads on.  promise: the class of the terminal that comes next."""

    lexer: int
    pending: Pending
    promise: int


class Lexing:
    """The lexemes of all terminals, for each group of lexers.

    first: the classes of characters that each terminal may begin with.  follow: for each terminal, a bit mask of those that may come next.
    refusal: the error for a terminal (by number) that cannot stand somewhere, from the name of the difficulty, the reason and the way out.
    """

    def __init__(
        self, scanner: Scanner, terminals: Sequence[Terminal], ignored: frozenset[int], first: Sequence[int], follow: Sequence[int], refusal: Refusal
    ) -> None:
        self.scanner, self.terminals, self.ignored, self.first, self.refusal = scanner, terminals, sorted(ignored), first, refusal
        gaps = _union(first[number] for number in ignored)
        self._tokens = _union(first)
        self._anything = self._tokens | gaps
        self._following = [[other for other in range(len(terminals)) if following >> other & 1] for following in follow]
        self._behind = [gaps | _union(first[other] for other in following) for following in self._following]
        self._languages: dict[tuple[Kind, Pending], Ways] = {}
        self._graphs: dict[tuple[Kind, Pending], Graph] = {}
        self._harmless: dict[tuple[Pending, int], bool] = {}
        self._normal_of: dict[tuple[Pending, int], Pending | None] = {}
        self._same: dict[tuple[Graph, Threads], Pending] = {}
        self._rules: dict[tuple[int, Expression], Expression] = {}
        self._gap_ways: dict[tuple[int, Pending], Ways] = {}
        self._gap_rules: dict[tuple[int, Pending, Pending], Rule] = {}
        self._after: dict[tuple[int, Pending, int], Ways] = {}
        self.groups: list[Kinds] = []

    # -- single lexemes

    def graph(self, kind: Kind, pending: Pending = CLEAR) -> Graph:
        """The lexemes of a kind as an automaton."""
        key = kind, pending
        if key not in self._graphs:
            following = self._anything if kind.is_gap else self._behind[kind.label]
            self._graphs[key] = explored(self.scanner, kind, pending, lambda rest: self._trimmed(rest, following))
        return self._graphs[key]

    def _is_harmless(self, pending: Pending, number: int) -> bool:
        """Whether what is pending after a terminal changes nothing of any lexeme that may follow it, or of what is pending after that."""
        key = pending, number
        if key not in self._harmless:
            if pending.required or any(self.terminals[other].is_opaque for other in self._following[number]):
                self._harmless[key] = False
            else:
                clear = CLEAR._replace(behind=pending.behind)
                wanted = {(other, False) for other in self._following[number]} | {(other, True) for other in self.ignored}
                kinds = {group[name] for group in self.groups for name in wanted if name in group}
                self._harmless[key] = all(self.graph(kind, pending) == self.graph(kind, clear) for kind in kinds)
        return self._harmless[key]

    def _trimmed(self, pending: Pending, following: int) -> Pending | None:
        """What is left of a condition where only these characters can come next; None if it cannot be met any more."""
        masks = self.scanner.program.masks
        forbidden = frozenset(thread for thread in pending.forbidden if masks[thread] & following)
        required = [frozenset(thread for thread in threads if masks[thread] & following) for threads in pending.required]
        if not all(required):
            return None
        trimmed = Pending(forbidden, frozenset(required), pending.behind)
        trimmed = trimmed._replace(behind=self.scanner.relevant(trimmed, (), pending.behind))
        return self._normal(trimmed, following) if forbidden or required else trimmed

    def _normal(self, pending: Pending, following: int) -> Pending | None:
        """One condition for all that say the same of every text; None for one that no text meets. CLEAR if it says nothing here."""
        known = self._normal_of.get((pending, following), pending)
        if known is not pending:
            return known
        early = self.scanner.relevant(CLEAR, (), pending.behind)
        clear = CLEAR._replace(behind=early)
        if futures(self.scanner, pending, following) == futures(self.scanner, clear, following):
            normal: Pending | None = clear
        else:
            graph = futures(self.scanner, pending, self._anything)
            normal = self._same.setdefault((graph, early), pending) if graph.exits else None
        self._normal_of[pending, following] = normal
        return normal

    def _lexemes(self, kind: Kind, pending: Pending) -> Ways:
        key = kind, pending
        if key not in self._languages:
            graph = self.graph(kind, pending)
            if not kind.is_gap:
                exits = [(node, CLEAR._replace(behind=rest.behind) if self._is_harmless(rest, kind.label) else rest) for node, rest in graph.exits]
                graph = graph._replace(exits=tuple(exits))
            found = expressions(self.scanner.program, graph)
            self._languages[key] = {rest: self._called(kind, language) for rest, language in found.items()}
        return self._languages[key]

    def _called(self, kind: Kind, language: Expression) -> Expression:
        """A language that is worth a rule of its own as that rule, one for each language of the terminal."""
        if _is_short(language):
            return language
        key = kind.label, language
        if key not in self._rules:
            self._rules[key] = Ref(Rule(self.terminals[kind.label].label, language, shared=True))
        return self._rules[key]

    # -- ignored text

    def _gaps(self, lexer: int, pending: Pending) -> Ways:
        """What may be pending after some ignored text, as far as it matters to terminals, with the language of that text."""
        key = lexer, pending
        if key not in self._gap_ways:
            self._gap_ways[key] = {end: self._gap(lexer, pending, end) for end in self._gap_ends(lexer, pending)}
        return self._gap_ways[key]

    def _gap_ends(self, lexer: int, pending: Pending) -> list[Pending]:
        places = visit_order([pending], lambda place: self._gap_steps(lexer, place))
        ends = [self._trimmed(rest, self._tokens) for place in places for rest in self._gap_steps(lexer, place)]
        return list(dict.fromkeys(end for end in ends if end is not None))

    def _gap_steps(self, lexer: int, pending: Pending) -> Ways:
        """What may be pending after one piece of ignored text."""
        steps: Ways = {}
        for number in self.ignored:
            kind = self.groups[lexer].get((number, True))
            for rest, language in (self._lexemes(kind, pending) if kind else {}).items():
                steps[rest] = either(steps[rest], language) if rest in steps else language
        return steps

    def _gap(self, lexer: int, pending: Pending, end: Pending) -> Expression:
        """The ignored texts that lead from one condition to another."""
        key = lexer, pending, end
        rule = self._gap_rules.get(key)
        if rule is None:
            rule = self._gap_rules[key] = Rule("ignored text")
            ways = []
            for rest, language in self._gap_steps(lexer, pending).items():
                last = [EMPTY] if self._trimmed(rest, self._tokens) == end else []
                more = [self._gap(lexer, rest, end)] if end in self._gap_ends(lexer, rest) else []
                if last or more:
                    ways.append(seq(language, either(*last, *more)))
            rule.body = either(*ways)
        return Ref(rule)

    # -- between two contexts

    def after(self, lexer: int, pending: Pending, number: int) -> Ways:
        """What may be pending after the next terminal, if it is this one; with the languages of ignored text and lexeme together."""
        key = lexer, pending, number
        if key not in self._after:
            ways: dict[tuple[Pending, Expression], list[Expression]] = {}
            for before, gap in [(pending, EMPTY), *self._gaps(lexer, pending).items()]:
                for rest, language in self._terminal(lexer, before, number).items():
                    ways.setdefault((rest, language), []).append(gap)
            found: Ways = {}
            for (rest, language), gaps in ways.items():
                whole = seq(_one_of(gaps), language)
                found[rest] = either(found[rest], whole) if rest in found else whole
            self._after[key] = found
        return self._after[key]

    def at_end(self, lexer: int, pending: Pending) -> Expression | None:
        """The ignored texts that may end a text; None if it cannot end here, because something is still required."""
        gaps = [gap for before, gap in [(pending, EMPTY), *self._gaps(lexer, pending).items()] if not before.required]
        return _one_of(gaps) if gaps else None

    def _terminal(self, lexer: int, pending: Pending, number: int) -> Ways:
        terminal = self.terminals[number]
        if terminal.is_opaque:
            assert terminal.language is not None
            return {CLEAR: terminal.language} if self._may_begin(pending, number) else {}
        kind = self.groups[lexer].get((number, False))
        return self._lexemes(kind, pending) if kind else {}

    def _may_begin(self, pending: Pending, number: int) -> bool:
        """Whether something that is not lexed may stand here. Raises UnsupportedFeatureError where that depends on how it goes on."""
        terminal = self.terminals[number]
        if isinstance(terminal.language, Token):
            return not pending.required
        if pending.required or any(self.scanner.program.masks[thread] & self.first[number] for thread in pending.forbidden):
            reason = "how far the text before it goes would depend on what stands in it"
            raise self.refusal(number, f"{terminal.label} after a terminal that could go on into it", reason, "put a text between them")
        if self.scanner.early:
            reason = "what they see would depend on what stands in it"
            raise self.refusal(number, f"{terminal.label} beside terminals that look back before their beginning", reason, "leave the lookbehinds out")
        return True


def _one_of(gaps: list[Expression]) -> Expression:
    """Any of these gaps; EMPTY stands for none."""
    rest = [gap for gap in gaps if gap is not EMPTY]
    if not rest:
        return EMPTY
    return optional(either(*rest)) if len(rest) < len(gaps) else either(*rest)


def _is_short(language: Expression) -> bool:
    """Whether a lexeme is better copied than called: up to four pieces, each a text or a few characters of ASCII."""
    pieces = language.parts if isinstance(language, Seq) else (language,)
    return len(pieces) <= MAX_PIECES and all(
        isinstance(piece, Literal) or (isinstance(piece, Chars) and bool(piece.ranges) and piece.ranges[-1][1] <= 0x7F) for piece in pieces
    )


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
