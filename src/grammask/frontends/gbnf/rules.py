"""What a GBNF grammar's rules must keep: each name is defined once, all names are, and from every rule in use there is a way out.

Rule: every check gives all its problems, in the order of the text; who needs only one takes the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from grammask.errors import EmptyLanguageError, GrammarError, GrammarSyntaxError, LimitError, NoExitError
from grammask.frontends.gbnf.parser import Definition, Parser, Span
from grammask.grammar.components import components
from grammask.grammar.expression import Expression, Ref, Rule
from grammask.grammar.sizes import shortest_lengths
from grammask.grammar.walk import rules_in, rules_of

__all__ = ["RuleBook"]

MANY_NAMES = 2_000  # among more names, looking for one that is meant takes too long
MANY_LOOKS = 100


class RuleBook:
    """The rules of one text after it was parsed."""

    def __init__(self, parser: Parser, root: str) -> None:
        self.parser, self.source, self.root = parser, parser.source, root
        self.n_looks = 0
        self.by_name: dict[str, Definition] = {}
        for definition in parser.definitions:
            self.by_name.setdefault(definition.rule.place, definition)
        self.lengths = shortest_lengths([definition.rule.body for definition in self.by_name.values()])

    @property
    def start(self) -> Expression:
        """The reference to the rule to start with."""
        return Ref(self.by_name[self.root].rule)

    def missing_root(self) -> Iterator[GrammarSyntaxError]:
        """An error if there is no rule to start with."""
        if not self.by_name:
            yield self.parser.error("the grammar has no rules", (0, 0), f"write {self.root} ::= ...")
        elif self.root not in self.by_name:
            first = next(iter(self.by_name))
            meant = self.close_to(self.root) or f'name the rule to start with: root="{first:.60}"'
            yield self.parser.error(f"there is no rule {self.root!r:.60} to start with", self.by_name[first].span, meant)

    def double(self) -> Iterator[GrammarSyntaxError]:
        """Rules that are defined a second time."""
        for definition in self.parser.definitions:
            first = self.by_name[definition.rule.place]
            if first is not definition:
                line = self.source.count("\n", 0, first.span[0]) + 1
                hint = f"it was on line {line}: join the two with |, or rename one"
                yield self.parser.error(f"the rule {definition.rule.place!r:.60} is defined before", definition.span, hint)

    def undefined(self) -> Iterator[GrammarSyntaxError]:
        """Names that are used but not defined, where they are used first."""
        seen = set(self.by_name)
        for definition in self.parser.definitions:
            for name, span in definition.references:
                if name not in seen:
                    seen.add(name)
                    hint = self.close_to(name) or f"write {name:.60} ::= ... or put it in quotes"
                    yield self.parser.error(f"the rule {name!r:.60} is used but not defined", span, hint)

    def close_to(self, name: str) -> str:
        """A hint at the name that may be meant; nothing if none is close, or for the hundredth name that is looked for."""
        self.n_looks += 1
        if self.n_looks > MANY_LOOKS or len(self.by_name) > MANY_NAMES:
            return ""
        folded = {_folded(other): other for other in self.by_name}.get(_folded(name))
        close = [folded] if folded else get_close_matches(name, self.by_name, 1, 0.7)
        return f"did you mean {close[0]!r}?" if close else ""

    def reachable(self) -> dict[Rule, None]:
        """The rules that the start leads to."""
        return dict.fromkeys(rules_of(self.start)) if self.root in self.by_name else {}

    def unreachable(self) -> list[Definition]:
        """Rules that the start does not lead to, in order."""
        used = self.reachable()
        return [definition for definition in self.by_name.values() if definition.rule not in used]

    def without_exit(self) -> Iterator[NoExitError | EmptyLanguageError]:
        """Rules in use that can never be completed: the innermost of those that lead back to each other, or what matches nothing."""
        hopeless = [rule for rule in self.reachable() if rule.body not in self.lengths]
        among = set(hopeless)

        def following(rule: Rule) -> list[Rule]:
            return [other for other in rules_in(rule.body) if other in among]

        blamed: set[Rule] = set()
        for component in components(hopeless, following):
            first = component[0]
            if len(component) == 1 and first not in following(first) and blamed.intersection(following(first)):
                blamed.add(first)  # only because of others
                continue
            blamed.update(component)
            if len(component) > 1 or first in following(first):
                yield NoExitError(first.place, source=self.source, span=self.span_of(first))
            else:
                yield EmptyLanguageError(f"rule {first.place!r}", "no character is left that it could begin with")

    def too_long(self, bound: int) -> Iterator[LimitError]:
        """An error if even a shortest text is out of all proportion."""
        length = self.lengths.get(self.by_name[self.root].rule.body, 0) if self.root in self.by_name else 0
        if length > bound:
            yield LimitError("the length of a shortest text of the grammar", length, bound, "lower the counts")

    def span_of(self, rule: Rule) -> Span:
        """Where the name of a rule stands in its definition."""
        return self.by_name[rule.place].span

    def problems(self, bound: int) -> Iterator[GrammarError | LimitError]:
        """All problems for which the grammar does not compile."""
        yield from self.double()
        yield from self.undefined()
        yield from self.missing_root()
        yield from self.without_exit()
        yield from self.too_long(bound)


def _folded(name: str) -> str:
    return name.casefold().replace("_", "-")
