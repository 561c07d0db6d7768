"""A grammar as rules that simple notations can say, with nothing in them that cannot be completed.

Rule: what comes out holds Literal (in UTF-8), Chars, Seq, Alt, Repeat, Ref and Token only, and has the same texts. Automata become one rule
a state, each of which says what may come first and then names the next state. Parts that are used several times, or lie too deep, become
rules of their own, so that the result is about as long as the expression is large, and no writer of it needs to go deep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from grammask.errors import EmptyLanguageError, LimitError, UnsupportedFeatureError
from grammask.grammar.expression import (
    ANY_CHARACTER,
    EMPTY,
    NOTHING,
    Alt,
    And,
    Automaton,
    Chain,
    Chars,
    Expression,
    Literal,
    Multiples,
    Not,
    ReadyAutomaton,
    Ref,
    Repeat,
    Rule,
    Seq,
    Text,
    Token,
    Unordered,
    literal,
)  # fmt: skip
from grammask.grammar.free_text import FreeText, Marked, Stop
from grammask.grammar.language import character_automaton
from grammask.grammar.multiples import whole_automaton
from grammask.grammar.notation.characters import character_graph
from grammask.grammar.notation.graph import Graph, chain_graph
from grammask.grammar.sizes import shortest_lengths
from grammask.grammar.text_spelling import RAW, SHORT_ESCAPES, digit_ranges
from grammask.grammar.walk import bottom_up, parts_of, rules_of

__all__ = ["outline"]

MAX_SIZE = 2_000_000  # symbols of the result
MAX_HEIGHT = 12  # parts within parts
MAX_UNORDERED = 8  # items in any order; there is a rule for each set of them
SHARED_SIZE = 24  # a part of so many characters that is used again becomes a rule

ALL = Repeat(ANY_CHARACTER, 0, None)
SOME = Repeat(ANY_CHARACTER, 1, None)
HEX_DIGITS = "0123456789abcdef"


def outline(root: Expression) -> list[Rule]:
    """The rules of an expression, that to start with first; every rule can be reached and completed.

    Raises EmptyLanguageError if there is no text, UnsupportedFeatureError for bytes that are no characters, LimitError.
    """
    start = root.rule if isinstance(root, Ref) else Rule("root", root)
    simple = _Simplification().rule(start)
    lengths = shortest_lengths([simple.body])
    if simple.body not in lengths:
        raise EmptyLanguageError(start.place)
    rules = _without_dead([simple, *rules_of(simple.body)], lengths)
    return _with_parts_named(rules)


def _inner(node: Expression) -> tuple[Expression, ...]:
    """What is simplified by itself; what makes an automaton is taken as a whole."""
    return parts_of(node) if isinstance(node, Seq | Alt | Repeat | Chain | Marked | Unordered) else ()


class _Orders:
    """The orders of members: what may come next, by the set of items that are used."""

    def __init__(self, node: Unordered, memo: Mapping[Expression, Expression], place: str) -> None:
        self.node, self.memo, self.place = node, memo, place
        self.behind: dict[frozenset[int], Rule] = {}

    def members(self, used: frozenset[int]) -> Expression:
        """A member and what may follow it."""
        items = [(used | {index}, item) for index, (item, _) in enumerate(self.node.items) if index not in used]
        rest = [] if self.node.rest is None else [(used, self.node.rest)]
        return choice([sequence([self.memo[item], Ref(self._after(now))]) for now, item in [*items, *rest]])

    def _after(self, used: frozenset[int]) -> Rule:
        if used not in self.behind:
            rule = self.behind[used] = Rule(self.place)
            maximum = self.node.maximum
            goes_on = maximum is None or len(used) < maximum
            more = [sequence([self.memo[self.node.separator], self.members(used)])] if goes_on else []
            rule.body = choice([*more, *([EMPTY] if self._may_end(used) else [])])
        return self.behind[used]

    def _may_end(self, used: frozenset[int]) -> bool:
        is_counted = self.node.rest is not None or len(used) >= self.node.minimum
        return is_counted and all(index in used for index, (_, required) in enumerate(self.node.items) if required)


class _Simplification:
    """All nodes rewritten, each once; rules that stand for others are made on the way."""

    def __init__(self) -> None:
        self.memo: dict[Expression, Expression] = {}
        self.rules: dict[Rule, Rule] = {}
        self.pending: list[tuple[Rule, Rule]] = []
        self.spellings: dict[Chars, Expression] = {}
        self.place = "root"
        self.size = 0

    def rule(self, start: Rule) -> Rule:
        """The simple rule for a rule, with all those it leads to."""
        first = self._renewed(start)
        while self.pending:
            old, new = self.pending.pop()
            self.place = old.place
            new.body = self.simple(old.body)
        return first

    def _renewed(self, rule: Rule) -> Rule:
        new = self.rules.get(rule)
        if new is None:
            new = self.rules[rule] = Rule(rule.place)
            self.pending.append((rule, new))
        return new

    def simple(self, root: Expression) -> Expression:
        """The simple expression for an expression."""
        for node in bottom_up([root], _inner):
            if node not in self.memo:
                self._count(1)
                rewrite = _REWRITES.get(type(node))
                if rewrite is None:
                    raise UnsupportedFeatureError(f"{type(node).__name__} in another notation", "there is no way to write it")
                self.memo[node] = rewrite(self, node)
        return self.memo[root]

    def _count(self, amount: int) -> None:
        self.size += amount
        if self.size > MAX_SIZE:
            raise LimitError("the size of a grammar written out", None, MAX_SIZE, "use smaller counts or fewer alternatives")

    # -- one node; those below it are in the memo

    def literal(self, node: Literal) -> Expression:
        try:
            node.data.decode()
        except UnicodeDecodeError:
            raise UnsupportedFeatureError(f"the bytes {node.data!r} in another notation", "they are no characters") from None
        return Literal(node.data) if node.data else EMPTY  # equal ones are one node here, however they were made

    def same(self, node: Expression) -> Expression:
        return node

    def seq(self, node: Seq) -> Expression:
        return sequence([self.memo[part] for part in node.parts])

    def alt(self, node: Alt) -> Expression:
        return choice([self.memo[part] for part in node.parts])

    def repeat(self, node: Repeat) -> Expression:
        return repeated(self.memo[node.part], node.minimum, node.maximum)

    def ref(self, node: Ref) -> Expression:
        return Ref(self._renewed(node.rule))

    def condition(self, node: And | Not | ReadyAutomaton) -> Expression:
        return self._graph(_character_graph(node))

    def automaton(self, node: Automaton) -> Expression:
        return self._graph(character_graph(node))

    def multiples(self, node: Multiples) -> Expression:
        return self._graph(character_graph(whole_automaton(node)))

    def chain(self, node: Chain) -> Expression:
        return self._graph(chain_graph(node), self.memo)

    def unordered(self, node: Unordered) -> Expression:
        """A rule for each set of items that may have been used; too many of them are refused, and counts beside other members."""
        if len(node.items) > MAX_UNORDERED or (node.rest is not None and (node.minimum > 1 or node.maximum is not None)):
            reason = f"{len(node.items)} of them, over {MAX_UNORDERED}, or counted with others, have too many orders"
            raise UnsupportedFeatureError("members in any order in another notation", reason)
        return _Orders(node, self.memo, f"{self.place}-members").members(frozenset())

    def _graph(self, graph: Graph, labels: Mapping[Expression, Expression] | None = None) -> Expression:
        """A graph as an expression, in which most states are rules."""
        self._count(len(graph.edges))
        simple = graph if labels is None else Graph([(a, b, self._label(label, labels)) for a, b, label in graph.edges], graph.starts, graph.ends)
        return simple.expression(f"{self.place}-state", sequence, choice, repeated)

    def _label(self, label: Expression, labels: Mapping[Expression, Expression]) -> Expression:
        return labels[label] if label in labels else self.simple(label)

    def marked(self, node: Marked) -> Expression:
        return choice([sequence([self.literal(Literal(text)), self.memo[then]]) for text, then in node.cases])

    def free_text(self, node: FreeText) -> Expression:
        """Text without what binds, and such a text up to a stop; see `FreeText`."""
        ends: list[Expression] = []
        whole = Rule(f"{self.place}-text")
        binding = {stop: _decoded(stop.text[: stop.commit]) for stop in node.stops}
        free = Not(Seq((ALL, _any_of(binding.values()), ALL))) if binding else ALL
        if node.ends_anywhere:
            ends.append(self.simple(free))
        for stop in node.stops:
            if stop.then is not None:
                after = [literal(_decoded(stop.text)[len(binding[stop]) :]), stop.then]
                parts = [self.simple(part) for part in (_up_to(binding[stop], binding), *after)]
                ends.append(sequence([*parts, Ref(whole)] if stop.again else parts))
        whole.body = choice(ends)
        return Ref(whole) if any(stop.again for stop in node.stops) else whole.body

    def text(self, node: Text) -> Expression:
        """The inside of a JSON string: each character in all its spellings, and the closing quote."""
        language, bounds = node.language, (node.minimum, node.maximum)
        part = ANY_CHARACTER if language is None else language.part if isinstance(language, Repeat) else None
        if isinstance(part, Chars) and not node.excluded and (language is None or (bounds == (0, None) and isinstance(language, Repeat))):
            counted = bounds if language is None or not isinstance(language, Repeat) else (language.minimum, language.maximum)
            return sequence([repeated(self._spelled(part), *counted), Literal(b'"')])
        conditions = [] if language is None else [language]
        conditions += [] if bounds == (0, None) else [Repeat(ANY_CHARACTER, *bounds)]
        conditions += [Not(_any_of(node.excluded))] if node.excluded else []
        graph = _character_graph(And(conditions))
        spelled = [(source, target, self._spelled(label)) for source, target, label in graph.edges if isinstance(label, Chars)]
        inside = Graph(spelled, graph.starts, graph.ends).expression(f"{self.place}-string", sequence, choice, repeated)
        return sequence([inside, Literal(b'"')])

    def _spelled(self, chars: Chars) -> Expression:
        """One of the characters, raw or by any escape of RFC 8259."""
        if chars not in self.spellings:
            raw = Chars([(max(low, first), min(high, last)) for low, high in chars.ranges for first, last in RAW if low <= last and first <= high])
            short = [escape for character, escape in SHORT_ESCAPES.items() if any(low <= character <= high for low, high in chars.ranges)]
            letters = [Seq((Literal(b"\\"), Chars([(escape[1], escape[1]) for escape in short])))] if short else []
            numbers = [_by_number(digits) for low, high in chars.ranges for digits in digit_ranges(low, high)]
            self._count(len(numbers))
            self.spellings[chars] = Ref(Rule("json-character", choice([raw, *letters, *numbers])))
        return self.spellings[chars]


_REWRITES: dict[type[Expression], Callable[[_Simplification, Any], Expression]] = {
    Alt: _Simplification.alt,
    And: _Simplification.condition,
    Automaton: _Simplification.automaton,
    Chain: _Simplification.chain,
    Chars: _Simplification.same,
    FreeText: _Simplification.free_text,
    Literal: _Simplification.literal,
    Marked: _Simplification.marked,
    Multiples: _Simplification.multiples,
    Not: _Simplification.condition,
    ReadyAutomaton: _Simplification.condition,
    Ref: _Simplification.ref,
    Unordered: _Simplification.unordered,
    Repeat: _Simplification.repeat,
    Seq: _Simplification.seq,
    Text: _Simplification.text,
    Token: _Simplification.same,
}


# --- simple expressions ---------------------------------------------------------------------------------------------


def sequence(parts: Iterable[Expression]) -> Expression:
    """The parts in a row: neighbouring literals joined, NOTHING if one is."""
    joined: list[Expression] = []
    texts: list[bytes] = []
    for part in [*parts, EMPTY]:
        if part is NOTHING:
            return NOTHING
        if isinstance(part, Literal):
            texts.append(part.data)
            continue
        if texts and part is not EMPTY:
            joined.append(Literal(b"".join(texts)))
            texts.clear()
        joined += [] if part is EMPTY else part.parts if isinstance(part, Seq) and len(part.parts) <= MAX_HEIGHT else [part]
    joined += [Literal(b"".join(texts))] if texts else []
    return joined[0] if len(joined) == 1 else Seq(joined)


def choice(parts: Iterable[Expression]) -> Expression:
    """Any one of the parts, without those that match nothing; sets of characters are joined."""
    kept: dict[Expression, None] = {}
    for part in parts:
        kept |= dict.fromkeys(part.parts if isinstance(part, Alt) else [part])
    sets = [part for part in kept if isinstance(part, Chars)]
    if len(sets) > 1:
        joined = Chars([one for part in sets for one in part.ranges])
        kept = dict.fromkeys(joined if part is sets[0] else part for part in kept if part is sets[0] or part not in sets)
    left = [part for part in kept if not isinstance(part, Chars) or part.ranges]
    return left[0] if len(left) == 1 else Alt(left)


def repeated(part: Expression, minimum: int, maximum: int | None) -> Expression:
    """The part so many times; NOTHING if that cannot be."""
    if part is EMPTY or maximum == 0:
        return EMPTY
    if part is NOTHING or (maximum is not None and maximum < minimum):
        return EMPTY if minimum == 0 and part is NOTHING else NOTHING
    return part if minimum == maximum == 1 else Repeat(part, minimum, maximum)


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UnsupportedFeatureError(f"the stop {data!r} in another notation", "it is cut inside a character") from None


def _any_of(texts: Iterable[str]) -> Expression:
    return choice([literal(text) for text in texts])


def _up_to(word: str, binding: Mapping[Stop, str]) -> Expression:
    """Texts that end with the first occurrence of any of the words, which is this one, and no longer one that ends at the same place."""
    longer = [other for other in binding.values() if other != word and other.endswith(word)]
    conditions = [Seq((ALL, literal(word))), Not(Seq((ALL, _any_of(binding.values()), SOME)))]
    return And([*conditions, *[Not(Seq((ALL, literal(other)))) for other in longer]])


def _character_graph(language: Expression) -> Graph:
    automaton = character_automaton(language)
    return Graph(list(automaton.arcs), list(automaton.starts), automaton.ends)


def _by_number(digits: tuple[tuple[int, int], ...]) -> Expression:
    r"""\u and four hexadecimal digits out of these ranges, or two times that."""
    parts: list[Expression] = []
    for index, (low, high) in enumerate(digits):
        parts += [Literal(b"\\u")] if index % 4 == 0 else []
        letters = HEX_DIGITS[low : high + 1]
        parts.append(Chars([(ord(letter), ord(letter)) for letter in {*letters, *letters.upper()}]))
    return sequence(_one_if_single(part) for part in parts)


def _one_if_single(part: Expression) -> Expression:
    if isinstance(part, Chars) and len(part.ranges) == 1 and part.ranges[0][0] == part.ranges[0][1]:
        return literal(chr(part.ranges[0][0]))
    return part


# --- the whole ------------------------------------------------------------------------------------------------------


def _without_dead(rules: list[Rule], lengths: Mapping[Expression, int]) -> list[Rule]:
    """Copies of the rules in which what can never be completed is left out; rules that go with it are left out too."""
    new = {rule: Rule(rule.place) for rule in rules if rule.body in lengths}
    memo: dict[Expression, Expression] = {}
    for rule, copy in new.items():
        for node in bottom_up([rule.body]):
            if node not in memo:
                memo[node] = _alive(node, new, lengths, memo)
        copy.body = memo[rule.body]
    start = new[rules[0]]
    return [start, *[rule for rule in rules_of(start.body) if rule is not start]]


def _alive(node: Expression, new: Mapping[Rule, Rule], lengths: Mapping[Expression, int], memo: Mapping[Expression, Expression]) -> Expression:
    if node not in lengths:
        return NOTHING
    if isinstance(node, Ref):
        return Ref(new[node.rule])
    if isinstance(node, Seq):
        return sequence([memo[part] for part in node.parts])
    if isinstance(node, Alt):
        return choice([memo[part] for part in node.parts])
    return repeated(memo[node.part], node.minimum, node.maximum) if isinstance(node, Repeat) else _one_if_single(node)


def _with_parts_named(rules: list[Rule]) -> list[Rule]:
    """Rules in which large parts that are used again, and parts that lie too deep, are rules of their own."""
    users: dict[Expression, int] = {}
    order = bottom_up([rule.body for rule in rules])
    for part in [part for node in order for part in parts_of(node)] + [rule.body for rule in rules]:
        users[part] = users.get(part, 0) + 1
    naming = _Naming(users)
    for rule in rules:
        naming.place = rule.place
        for node in bottom_up([rule.body]):
            naming.enter(node)
        rule.body = naming.used[rule.body] if users[rule.body] > 1 else naming.bodies[rule.body]
    start = rules[0]
    return [start, *[rule for rule in rules_of(start.body) if rule is not start]]


class _Naming:
    """For each node what stands for it where it is used (`used`), and what it is by itself (`bodies`)."""

    def __init__(self, users: Mapping[Expression, int]) -> None:
        self.users, self.place = users, ""
        self.used: dict[Expression, Expression] = {}
        self.bodies: dict[Expression, Expression] = {}
        self.heights: dict[Expression, int] = {}
        self.sizes: dict[Expression, int] = {}

    def enter(self, node: Expression) -> None:
        if node in self.used:
            return
        parts = parts_of(node)
        body = _with_parts(node, [self.used[part] for part in parts])
        height = 1 + max([self.heights[part] for part in parts], default=0)
        size = _own_size(node) + sum([self.sizes[part] for part in parts])
        is_shared = self.users.get(node, 0) > 1 and size > SHARED_SIZE
        self.bodies[node] = body
        if (is_shared or height > MAX_HEIGHT) and not isinstance(node, Ref) and not _is_other_token(node):
            body, height, size = Ref(Rule(f"{self.place}-part", body)), 0, 4
        self.used[node], self.heights[node], self.sizes[node] = body, height, size


def _with_parts(node: Expression, parts: list[Expression]) -> Expression:
    if isinstance(node, Seq):
        return Seq(parts)
    if isinstance(node, Alt):
        return Alt(parts)
    return Repeat(parts[0], node.minimum, node.maximum) if isinstance(node, Repeat) else node


def _own_size(node: Expression) -> int:
    if isinstance(node, Literal):
        return len(node.data) + 2
    return 2 + 4 * len(node.ranges) if isinstance(node, Chars) else 3


def _is_other_token(node: Expression) -> bool:
    """Whether this is one of all tokens but some, which notations can only say inside a loop."""
    return isinstance(node, Token) or (isinstance(node, Alt) and any(isinstance(part, Token) and part.but for part in node.parts))
