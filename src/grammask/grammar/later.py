"""Rules that are lowered when a text first comes to them, so that a grammar of hundreds of objects costs no more than is read of it.

Rule: only a rule of which everything that lowering could find out is known beforehand may wait: that it begins with a byte of its own, that
it has a string, and that no limit is met in it. So nothing is refused, or found to be empty, while a text is read.
Below: construction, text_table, kernel.tables.  Above: lower, which asks whether a rule can wait, and fills those that waited.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from grammask.errors import GrammarError, LimitError
from grammask.grammar.construction import is_small_choice
from grammask.grammar.expression import Alt, Chain, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Text
from grammask.grammar.text_table import text_table
from grammask.kernel.tables import RuleTable

__all__ = ["Later"]

MAX_DEPTH = 100  # rules that need one another, to tell whether they have a string
MAX_COUNT = 64  # characters that are counted by copies
MAX_PATTERN = 50_000  # parts of a pattern times ranges of its characters, which an automaton can have arcs at the most

Lowered = Callable[[Expression, str, "Later"], RuleTable]


class Later:
    """What one bound grammar keeps of its rules: their tables, and which of them may wait.

    lowered: makes the table of an expression at a place. at_once: the rules that are lowered without waiting, in the first lowering; a later
    one takes the rules it needs, and those that cannot wait. Belongs to one thread at a time.
    """

    def __init__(self, lowered: Lowered, at_once: int) -> None:
        self._lowered, self.at_once = lowered, at_once
        self.rules: dict[Rule, RuleTable] = {}
        self._known: dict[Rule, bool] = {}
        self._depth = 0

    def waiting_table(self, rule: Rule) -> RuleTable:
        """The table of a rule that waits: without edges until the kernel asks for them."""
        table = RuleTable(rule.place, prepared=True)
        table.later = partial(self._filled, rule)
        return table

    def _filled(self, rule: Rule) -> RuleTable:
        known = len(self.rules)
        self.at_once = 0
        try:
            return self._lowered(rule.body, rule.place, self)
        except BaseException:  # nobody may find tables that were left in the making
            for fresh in list(self.rules)[known:]:
                del self.rules[fresh]
            raise

    def can_wait(self, rule: Rule) -> bool:
        """Whether all is known of a rule but its edges. Cost: a look at each part of it, once."""
        known = self._known.get(rule)
        if known is None:
            self._known[rule] = False  # a rule that needs itself has no string by that way
            known = self._known[rule] = rule.prunable and _begins(rule.body) and _is_plain(rule.body, rule.place) and self._has_string(rule.body)
        return known

    def _has_string(self, node: Expression) -> bool:
        """Whether a plain expression surely has a string. False may be wrong."""
        kind: Any = type(node)
        if kind is Seq:
            return all([self._has_string(part) for part in node.parts if type(part) is not Literal])
        if kind is Alt:
            return any(type(part) is Literal or self._has_string(part) for part in node.parts)
        if kind is Repeat:
            return node.minimum == 0 or self._has_string(node.part)
        if kind is Chain:
            needed = [item for item, is_required in node.items if is_required]
            if node.minimum > len(needed):
                needed = [item for item, _ in node.items] + ([] if node.rest is None else [node.rest])
            return all([self._has_string(item) for item in needed])
        return kind is not Ref or node.rule.shared or not node.rule.prunable or self._rule_has_string(node.rule)

    def _rule_has_string(self, rule: Rule) -> bool:
        if self._depth >= MAX_DEPTH:
            return False
        self._depth += 1
        try:
            return self.can_wait(rule)
        finally:
            self._depth -= 1


def _begins(node: Expression) -> bool:
    """Whether every string begins with a byte that is written out here."""
    kind: Any = type(node)
    if kind is Literal:
        return bool(node.data)
    if kind is Seq:
        return bool(node.parts) and _begins(node.parts[0])
    return kind is Alt and all([_begins(part) for part in node.parts])


def _is_plain(body: Expression, place: str) -> bool:
    """Whether lowering it can meet no limit and find nothing empty, but perhaps a rule that is called. Works out the patterns of its texts."""
    todo: list[Any] = [body]
    while todo:
        node = todo.pop()
        kind = type(node)
        if kind is Literal:
            continue
        if kind is Seq or (kind is Alt and node.parts):
            todo += node.parts
        elif kind is Ref:
            if not (node.rule.shared or node.rule.prunable or is_small_choice(node.rule.body)):
                return False
        elif kind is Text:
            if node.lowered is None and not _surely_has_string(node) and not _has_table(node, place):
                return False
        elif kind is Chain:
            if not _is_uncounted(node):
                return False
            todo += [item for item, _ in node.items]
            todo += (node.separator,) if node.rest is None else (node.separator, node.rest)
        elif kind is Repeat:
            if node.minimum > 1 or node.maximum not in (None, 1):
                if type(node.part) is not Chars or max(node.minimum, node.maximum or 0) > MAX_COUNT:
                    return False
            todo.append(node.part)
        elif kind is not Chars or not node.ranges:
            return False
    return True


def _surely_has_string(text: Text) -> bool:
    """Whether a text has strings, and an automaton well within all limits, by a look at its pattern. False may be wrong."""
    if text.language is None:
        return not text.excluded and (text.maximum is None or text.minimum <= text.maximum)
    if text.minimum or text.maximum is not None or text.excluded:
        return False
    todo: list[Any] = [text.language]
    n_parts = n_ranges = 0
    while todo:
        node = todo.pop()
        kind = type(node)
        n_parts += 1
        if kind is Chars and node.ranges:
            n_ranges += len(node.ranges)
        elif kind is Seq or (kind is Alt and node.parts):
            todo += node.parts
        elif kind is Repeat:
            todo += [node.part] * min(max(node.minimum, node.maximum or 1), MAX_PATTERN)
        elif kind is not Literal:
            return False
        if n_parts * n_ranges > MAX_PATTERN or len(todo) > MAX_PATTERN:
            return False
    return True


def _has_table(text: Text, place: str) -> bool:
    """Whether a text has strings. One that meets a limit is lowered at once, for the error."""
    try:
        return text_table(text, place) is not None
    except (GrammarError, LimitError):
        return False


def _is_uncounted(chain: Chain) -> bool:
    """Whether no count of members binds, so that its automaton is as large as it."""
    n_required = sum([is_required for _, is_required in chain.items])
    if not chain.items:
        return chain.rest is not None and chain.maximum is None and chain.minimum <= 1
    return not chain.contiguous and chain.maximum is None and chain.minimum <= max(n_required, 1)
