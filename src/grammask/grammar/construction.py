"""Rule tables under construction: nodes, edges, and which rule has which table.

Rule: a fragment is built between two given nodes, and adds no edge into the first nor out of the second. What is still to be built
waits on a stack of (expression, start, end), never in Python's own call stack, so depth of nesting costs nothing.
Below: kernel.tables.  Above: lower, which walks the expression; counting and chain, which build the larger forms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grammask.errors import UnsupportedFeatureError
from grammask.grammar.expression import Alt, Chars, Expression, Literal, Ref, Rule, Seq, Text, Token
from grammask.grammar.utf8 import byte_automaton
from grammask.kernel.tables import CALL, EPSILON, LITERAL, LITERALS, RANGE, SPECIAL, RuleTable, TextTable

if TYPE_CHECKING:
    from grammask.grammar.later import Later

__all__ = ["CallEdge", "Construction", "is_small_choice"]

CallEdge = tuple[Any, ...]  # (CALL, from, to, table)

MAX_ALIASES = 8
MAX_INLINE_PARTS = 16


class Construction:
    """One lowering. `tables` are the new ones in order of first mention, `calls` their call edges.

    later: keeps the tables of rules for lowerings to come, and says which rules may wait for one; None: all are lowered now.
    shared: the new tables of shared rules; begun: those tables that begin with bytes of their own, before any call, whose edges are all made
    here; unprepared: whether some finished table that is called needs preparing.
    The attributes edges, n_nodes, table_calls and todo belong to the table that is being built.
    """

    __slots__ = (
        "author",
        "begun",
        "calls",
        "dead",
        "edges",
        "eos_ids",
        "frames",
        "later",
        "marks",
        "memo",
        "n_nodes",
        "pending",
        "rules",
        "shared",
        "special_names",
        "specials",
        "table",
        "table_calls",
        "tables",
        "todo",
        "tokens",
        "unprepared",
        "uses_names",
    )

    def __init__(self, specials: Mapping[str, int], tokens: Sequence[bytes] = (), eos_ids: Collection[int] = (), later: Later | None = None) -> None:
        self.specials, self.tokens, self.eos_ids = specials, tokens, eos_ids
        self.special_names: list[tuple[bytes, int]] | None = None
        self.marks: dict[bytes, dict[bytes, int]] = {}  # texts -> the special tokens whose names stand in them (see free_text)
        self.uses_names = self.unprepared = False
        self.shared: list[RuleTable] = []
        self.begun: set[RuleTable] = set()
        self.tables: list[RuleTable] = []
        self.calls: dict[RuleTable, list[CallEdge]] = {}
        self.later = later
        self.rules: dict[Rule, RuleTable] = {} if later is None else later.rules
        self.author: dict[RuleTable, Rule] = {}
        self.dead: dict[RuleTable, str] = {}  # tables in which something can match nothing -> why
        self.frames: set[RuleTable] = set()  # that tell recorded parts apart
        self.memo: dict[Any, RuleTable] = {}  # tables for parts of rules, by what they stand for
        self.pending: deque[tuple[RuleTable, Expression]] = deque()  # level by level
        self.todo: list[tuple[Expression, int, int]] = []

    def open_table(self, table: RuleTable) -> None:
        """Make this the table that is being built."""
        self.table, self.edges, self.table_calls, self.n_nodes = table, table.edges, self.calls[table], 2

    def new_table(self, place: str) -> RuleTable:
        table = RuleTable(place)
        self.tables.append(table)
        self.calls[table] = []
        return table

    def new_node(self) -> int:
        self.n_nodes += 1
        return self.n_nodes - 1

    def skip(self, start: int, end: int) -> None:
        if start != end:
            self.edges.append((EPSILON, start, end))

    def call(self, start: int, end: int, callee: RuleTable | TextTable) -> None:
        edge = (CALL, start, end, callee)
        self.edges.append(edge)
        self.table_calls.append(edge)
        if callee.nullable and start != end:
            self.edges.append((EPSILON, start, end))

    def nothing(self, reason: str) -> None:
        """Note that something here can match nothing, so that the tables need pruning."""
        self.dead.setdefault(self.table, reason)

    def seq(self, node: Seq, start: int, end: int) -> None:
        """A sequence; literals, choices of them and calls of known rules and texts become edges at once, the other parts wait."""
        parts: tuple[Any, ...] = node.parts
        if not parts:
            self.skip(start, end)
            return
        add, rules = self.edges.append, self.rules
        target = self.n_nodes - 1
        last = target + len(parts)
        self.n_nodes = last
        for part in parts:
            target += 1
            if target == last:
                target = end
            kind = type(part)
            if kind is Literal and part.data:
                add((LITERAL, start, target, part.data))
            elif kind is Alt and (texts := part.texts or _texts(part)):
                add((LITERALS, start, target, texts))
            elif (callee := rules.get(part.rule) if kind is Ref else part.lowered if kind is Text else None) is not None:
                edge = (CALL, start, target, callee)
                add(edge)
                self.table_calls.append(edge)
                if callee.nullable and start != target:
                    add((EPSILON, start, target))
            elif kind is Ref:
                self.ref(part, start, target)
            else:
                self.todo.append((part, start, target))
            start = target

    def chars(self, chars: Chars, start: int, end: int) -> None:
        n_nodes, edges = byte_automaton(chars)
        first = self.n_nodes - 2
        self.n_nodes += n_nodes - 2
        add = self.edges.append
        for source, target, low, high in edges:
            add((RANGE, start if source == 0 else first + source, end if target == 1 else first + target, low, high))
        if not edges:
            self.nothing("a set of characters is empty")

    def embed(self, edges: Iterable[tuple[int, int, Any]], starts: Iterable[int], ends: Iterable[int], start: int, end: int) -> list[tuple[int, int, Any]]:
        """Give the nodes of a finished automaton numbers here; the edges, renumbered. It is entered and left by epsilon edges where it must be."""
        edges, starts, ends = list(edges), set(starts), set(ends)
        entered = {target for _, target, _ in edges}
        left = {source for source, _, _ in edges}
        number: dict[int, int] = {}
        if len(starts) == 1 and not starts & entered:
            number[starts.pop()] = start
        for node in sorted(ends - left - set(number)):
            number[node] = end
        for node in sorted((entered | left | starts | ends) - set(number)):
            number[node] = self.new_node()
        for node in sorted(starts):
            self.skip(start, number[node])
        for node in sorted(ends):
            self.skip(number[node], end)
        return [(number[source], number[target], label) for source, target, label in edges]

    def token(self, token: Token, start: int, end: int) -> None:
        ids = self._specials_but(token.names) if token.but else {self._token_id(name) for name in token.names}
        for token_id in sorted(ids):
            text = self.tokens[token_id] if token_id < len(self.tokens) else b""
            symbol = SPECIAL + token_id
            self.edges.append((LITERAL, start, end, text) if text else (RANGE, start, end, symbol, symbol))
        if not ids:
            self.nothing("a set of special tokens is empty")

    def special_symbols(self) -> list[tuple[bytes, int]]:
        """The names of all special tokens but the end tokens, in UTF-8, with their symbols."""
        if self.special_names is None:
            known = [(name, token_id) for name, token_id in self.specials.items() if token_id not in self.eos_ids]
            self.special_names = [(name.encode("utf-8", "surrogatepass"), SPECIAL + token_id) for name, token_id in known]
        return self.special_names

    def _specials_but(self, names: Iterable[str | int]) -> set[int]:
        """All special tokens but these; end tokens are never among them. A token with text cannot be left out: texts are told by their letters."""
        self.uses_names = True
        left_out = set()
        for name in names:
            token_id = self._any_id(name)
            if token_id < len(self.tokens) and self.tokens[token_id]:
                hint = "exclude its text instead"
                raise UnsupportedFeatureError(f"any text without the token {name!r}", "texts are told by their letters, not by their tokens", hint=hint)
            left_out.add(token_id)
        return set(self.specials.values()) - left_out - set(self.eos_ids)

    def _any_id(self, name: str | int) -> int:
        """The id of a token, which may be an end token."""
        self.uses_names |= bool(self.tokens) or isinstance(name, str)
        token_id = name if isinstance(name, int) else self._named(name)
        if token_id < 0 or (self.tokens and token_id >= len(self.tokens)):
            raise UnsupportedFeatureError(f"token {token_id}", "the vocabulary has no such id", hint=f"its ids are 0 to {len(self.tokens) - 1}")
        return token_id

    def _token_id(self, name: str | int) -> int:
        """The id of a token. An end token has no place inside a grammar: it stands for the end, wherever the output is complete."""
        token_id = self._any_id(name)
        if token_id in self.eos_ids:
            hint = "leave it out: where the output is complete, it is allowed"
            raise UnsupportedFeatureError(f"the end token {name!r} inside a grammar", "it ends every output", hint=hint)
        return token_id

    def _named(self, name: str) -> int:
        if name in self.specials:
            return self.specials[name]
        text = name.encode("utf-8", "surrogatepass")
        if text and text in self.tokens:
            return self.tokens.index(text)
        from difflib import get_close_matches

        close = get_close_matches(name, self.specials, 3) or sorted(self.specials)[:10]
        raise UnsupportedFeatureError(f"special token {name!r}", "the vocabulary has no token of that name", hint=f"it has: {', '.join(close) or 'none'}")

    def ref(self, ref: Ref, start: int, end: int) -> None:
        rule = ref.rule
        table = self.rules.get(rule)
        if table is None:
            if rule.write is None and not rule.shared and is_small_choice(rule.body):
                self.todo.append((rule.body, start, end))
                return
            table = self.rule_table(rule)
        self.call(start, end, table)

    def rule_table(self, rule: Rule) -> RuleTable:
        """The table of a rule: a finished one, one in the making, or a new one that is put on the list. A rule that only names another is that other."""
        named = rule
        aliases = MAX_ALIASES
        while rule.write is None and type(rule.body) is Ref and not rule.shared and aliases:
            rule, aliases = rule.body.rule, aliases - 1
        table = self.rules.get(rule) or rule.lowered
        if table is None and self.later is not None and len(self.calls) >= self.later.at_once and self.later.can_wait(rule):
            table = self.later.waiting_table(rule)
        elif table is None:
            table = self.new_table(rule.place)
            self.author[table] = rule
            self.pending.append((table, rule.body))
            if rule.shared:
                self.shared.append(table)
        elif not table.prepared and table not in self.calls:
            self.unprepared = True
        self.rules[rule] = self.rules[named] = table
        return table

    def part_table(self, part: Expression) -> RuleTable:
        """The table of a part that is called from several places though its author gave it no name."""
        if isinstance(part, Ref):
            return self.rule_table(part.rule)
        table = self.memo.get(part)
        if table is None:
            table = self.memo[part] = self.new_table(self.table.place)
            self.pending.append((table, part))
        return table


def _texts(choice: Alt) -> tuple[bytes, ...]:
    """The bytes of a choice between literals, two different ones or more that are not empty; nothing for other choices."""
    texts: tuple[bytes, ...] | None = choice.texts
    if texts is None:
        found = dict.fromkeys([part.data if type(part) is Literal else b"" for part in choice.parts])
        texts = choice.texts = tuple(found) if len(found) > 1 and b"" not in found else ()
    return texts


def is_small_choice(body: Expression) -> bool:
    """Whether a rule is better copied than called: one literal, one character, or a choice of a few literals."""
    kind = type(body)
    if kind is Literal:
        return True
    if isinstance(body, Chars):
        return bool(body.ranges) and body.ranges[-1][1] <= 0x7F
    return isinstance(body, Alt) and 0 < len(body.parts) <= MAX_INLINE_PARTS and all(type(part) is Literal for part in body.parts)
