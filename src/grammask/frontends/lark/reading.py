"""A loaded grammar on its way to an expression: its program of patterns, its lexers, its network of rules."""

from __future__ import annotations

from collections.abc import Hashable

from grammask.errors import EmptyLanguageError, LimitError, NoExitError, UnsupportedFeatureError
from grammask.frontends.lark.first_bytes import first_bytes
from grammask.frontends.lark.lalr import Conflict, Rule, Table
from grammask.frontends.lark.lexemes import Kind
from grammask.frontends.lark.lexers import Keywords, Lexer, contextual_lexer, group_lexers, plain_lexer
from grammask.frontends.lark.lexing import Kinds, Lexing
from grammask.frontends.lark.loading import Loaded
from grammask.frontends.lark.network import Network, Production, merged, productive, sets_of
from grammask.frontends.lark.options import LarkOptions
from grammask.frontends.lark.product import Product
from grammask.frontends.lark.program import Ahead
from grammask.frontends.lark.programming import program_of
from grammask.frontends.lark.scanning import Scanner, first_characters, steps_of
from grammask.grammar.components import components
from grammask.grammar.expression import NOTHING, Expression, Token

__all__ = ["Reading"]

Span = tuple[int, int]

MAX_PAIRS = 10_000_000


class Reading:
    """One grammar under some options. Raises UnsupportedFeatureError, LimitError."""

    def __init__(self, loaded: Loaded, options: LarkOptions) -> None:
        self.loaded, self.options = loaded, options
        self.terminals, self.ignored = loaded.terminals, loaded.ignored
        self.scanner = Scanner(program_of(loaded, options), options.maximum_states)
        self.first = [self._first(number) for number in range(len(self.terminals))]
        self.plain = self._plain_network()

    def expression(self) -> Expression:
        """The small form. Raises NoExitError, EmptyLanguageError, UnsupportedFeatureError, LimitError."""
        self._check_exits()
        lexing, network = self.lexed()
        expression = Product(network, lexing, sets_of(network, len(self.terminals)), self.options.maximum_goals).expression()
        if expression is NOTHING:
            raise EmptyLanguageError(self.loaded.labels[0], "its terminals never come one after the other as its rules want them")
        return expression

    def _first(self, number: int) -> int:
        """The classes of characters that a terminal may begin with."""
        terminal = self.terminals[number]
        if not terminal.is_opaque:
            return first_characters(self.scanner.program, self.scanner.program.starts[number])
        assert terminal.language is not None
        return 0 if isinstance(terminal.language, Token) else self.scanner.program.mask_of_bytes(first_bytes(terminal.language))

    def _plain_network(self) -> Network:
        """The rules as they are, without a table."""
        ways: list[list[Production]] = [[] for _ in self.loaded.labels]
        for rule in self.loaded.rules:
            ways[rule.origin].append(Production(rule.symbols))
        return Network(tuple([tuple(dict.fromkeys(way)) for way in ways]), self.loaded.labels, 0, (0,) * len(self.terminals), 0)

    def _check_exits(self) -> None:
        done = productive(self.plain)
        hopeless = [number for number in range(len(self.plain.names)) if number not in done]
        if hopeless:
            innermost = components(hopeless, lambda number: [number for number in self._named_in(number) if number not in done])[0]
            label = self.plain.names[min(innermost)]
            span = self.loaded.faults.span_of(label)
            raise NoExitError(label, source=self.loaded.faults.source if span else "", span=span)

    def _named_in(self, number: int) -> list[int]:
        return [symbol.number for production in self.plain.productions[number] for symbol in production.symbols if not symbol.is_terminal]

    # -- lexers

    def lexed(self) -> tuple[Lexing, Network]:
        """The lexing of the grammar, and the network whose terminals name the lexer that reads on."""
        follow = sets_of(self.plain, len(self.terminals)).follow
        lexing = Lexing(self.scanner, self.terminals, self.ignored, self.first, follow, self._refusal)
        if self.options.lexer in ("contextual", "basic"):
            return lexing, self._with_table(lexing)
        if self.options.lexer == "dynamic_complete":
            self._check_conditions()
        lexer = plain_lexer(self.terminals, self.ignored, every_length=self.options.lexer == "dynamic_complete")
        lexing.groups = [lexer.kinds]
        return lexing, self.plain

    def _with_table(self, lexing: Lexing) -> Network:
        table = self._table()
        everything = (1 << len(self.terminals)) - 1
        tried = [everything if self.options.lexer == "basic" else accepted & everything for accepted in table.accepted]
        work = sum(mask.bit_count() ** 2 for mask in set(tried))
        if work > MAX_PAIRS:
            raise LimitError("the pairs of terminals in all lexers", work, MAX_PAIRS, "use fewer terminals")
        keywords = Keywords(self.terminals, self.scanner.matches)
        made = {mask: contextual_lexer(_numbers(mask), self.ignored, self.terminals, keywords, self.first) for mask in dict.fromkeys(tried)}

        def meaning(kind: Kind) -> Hashable:
            return kind if self.scanner.early else lexing.graph(kind)

        groups = dict(zip(made, group_lexers(list(made.values()), meaning), strict=True))
        lexing.groups = _joined(made, groups)
        return merged(table.network(self.loaded.labels, lambda state: groups[tried[state]]))

    def _check_conditions(self) -> None:
        """Lark tries shorter matches of a terminal on its text alone, where conditions on what is around it mean something else."""
        program = self.scanner.program
        for terminal, start in zip(self.terminals, program.starts, strict=True):
            steps = steps_of(program, start)
            if any(isinstance(program.steps[step], Ahead) for step in steps) or self.scanner.is_early(steps):
                feature = f"a condition on the text around terminal {terminal.label} with lexer='dynamic_complete'"
                reason = "for shorter matches Lark looks at the text of the terminal alone"
                raise self._refusal(self.terminals.index(terminal), feature, reason, "use lexer='dynamic'")

    def _refusal(self, number: int, feature: str, reason: str, hint: str) -> UnsupportedFeatureError:
        """The error for a terminal that cannot be enforced in its place."""
        return UnsupportedFeatureError(feature, reason, source=self.loaded.faults.source, span=self._place(number), hint=hint)

    # -- for linters

    def unmatched(self) -> list[tuple[str, Span | None]]:
        """Terminals of rules that no lexer ever gives: label and place. For a grammar that has an expression."""
        lexing, _ = self.lexed()
        used = {symbol.number for productions in self.plain.productions for way in productions for symbol in way.symbols if symbol.is_terminal}
        found = []
        for number in sorted(used):
            kinds = {kind for group in lexing.groups if (kind := group.get((number, False))) is not None}
            if kinds and not any(lexing.graph(kind).exits for kind in kinds):
                found.append((self.terminals[number].label, self._place(number)))
        return found

    def overruled(self) -> list[tuple[str, Span | None, str]]:
        """Rules that could end where the parser's table says otherwise: label, place, and a terminal before which that is so."""
        found: dict[str, tuple[str, Span | None, str]] = {}
        if self.options.lexer in ("contextual", "basic"):
            for (_, rule), terminals in sorted(self._table().overruled.items()):
                label = self.loaded.labels[self.loaded.rules[rule].origin]
                before = self._terminal_label((terminals & -terminals).bit_length() - 1)
                found.setdefault(label, (label, self.loaded.faults.span_of(label), before))
        return list(found.values())

    def _terminal_label(self, number: int) -> str:
        return self.terminals[number].label if number < len(self.terminals) else "the end of the text"

    def _place(self, number: int) -> Span | None:
        terminal, faults = self.terminals[number], self.loaded.faults
        return faults.span_of(terminal.name) or faults.first_use(terminal.label)

    # -- the parser's table

    def _table(self) -> Table:
        try:
            return Table(self.loaded.rules, len(self.terminals), self.options.maximum_items)
        except Conflict as conflict:
            raise self._not_lalr(conflict) from None

    def _not_lalr(self, conflict: Conflict) -> UnsupportedFeatureError:
        """The error for two rules of which the parser cannot tell which one ends."""
        rules = [self.loaded.rules[number] for number in conflict.rules]
        first, second = map(self._written, rules)
        reason = f"the rules are not LALR(1): before {self._terminal_label(conflict.terminal)} both {first!r} and {second!r} can end"
        faults = self.loaded.faults
        spans = [faults.span_of(self.loaded.labels[rule.origin]) for rule in reversed(rules)]
        hint = 'give one of them a priority, or use LarkOptions(lexer="dynamic"), which takes all rules'
        span = next((span for span in spans if span is not None), None)
        return UnsupportedFeatureError(f"lexer={self.options.lexer!r} for this grammar", reason, source=faults.source, span=span, hint=hint)

    def _written(self, rule: Rule) -> str:
        labels = [self.terminals[symbol.number].label if symbol.is_terminal else self.loaded.labels[symbol.number] for symbol in rule.symbols]
        return f"{self.loaded.labels[rule.origin]}: {' '.join(labels) or '(nothing)'}"


def _numbers(mask: int) -> list[int]:
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def _joined(lexers: dict[int, Lexer], groups: dict[int, int]) -> list[Kinds]:
    joined: list[dict[tuple[int, bool], Kind]] = [{} for _ in range(max(groups.values()) + 1)]
    for mask, lexer in lexers.items():
        for key, kind in lexer.kinds.items():
            joined[groups[mask]].setdefault(key, kind)
    return [*joined]
