"""Rules that are lowered when a text first comes to them, so that a grammar of hundreds of objects costs no more than is read of it.

Rule: only a rule of which everything that lowering could find out is known beforehand may wait: that it begins with a byte of its own, that
it has a string, and that no limit is met in it. The rules that it needs are looked at with it, and those that may not wait are lowered at
once; where the kernel may meet a limit in what is called by a rule that waits, no rule waits (`TooLarge`). So nothing is refused, or found to
be empty, while a text is read.
Below: construction, text_table, kernel.tables.  Above: lower, which asks whether a rule can wait, and fills those that waited.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from grammask.errors import GrammarError, LimitError
from grammask.grammar.construction import is_small_choice
from grammask.grammar.expression import Alt, Chain, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Text
from grammask.grammar.text_table import is_soon_counted, text_table
from grammask.kernel.tables import RuleTable

__all__ = ["Later", "TooLarge"]

MAX_DEPTH = 8  # rules that need one another, to tell whether they have a string: some 13 calls of Python each
MAX_COUNT = 64  # characters that are counted by copies
MAX_PARTS = 20_000  # of one rule
MAX_LENGTH = 1 << 20  # of a string

Lowered = Callable[[Expression, str, "Later"], RuleTable]


class TooLarge(Exception):
    """Something in the grammar is so large that only the kernel can tell whether it is too large."""


class Later:
    """What one bound grammar keeps of its rules: their tables, and which of them may wait.

    lowered: makes the table of an expression at a place. at_once: the rules that are lowered without waiting, in the first lowering.
    due: rules that are called by those that wait, to be looked at. Belongs to one thread at a time.
    """

    def __init__(self, lowered: Lowered, at_once: int) -> None:
        self._lowered, self.at_once = lowered, at_once
        self.rules: dict[Rule, RuleTable] = {}
        self.due: list[Rule] = []
        self._known: dict[Rule, bool] = {}
        self._leaves: set[Expression] = set()
        self._depth = 0

    def waiting_table(self, rule: Rule) -> RuleTable:
        """The table of a rule that can wait: without edges until the kernel asks for them."""
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
        """Whether all is known of a rule but its edges; those that it calls are due then. Cost: a look at each part of it, once."""
        known = self._known.get(rule)
        if known is None and rule.write is not None:
            known = self._known[rule] = rule.prunable  # whoever left its body to be written later knew all that is asked here
        if known is None:
            self._known[rule] = False  # a rule that needs itself has no string by that way
            called = self._called(rule) if rule.prunable and _begins(rule.body) else None
            known = self._known[rule] = called is not None and self._has_string(rule.body)
            if known:
                self.due += called or ()
        return known

    def _called(self, rule: Rule) -> list[Rule] | None:
        """What `_called_rules` says. What comes up while a text is read was written late, and so is known to meet no limit: it is lowered at once."""
        try:
            return _called_rules(rule.body, rule.place, self._leaves)
        except TooLarge:
            if self.at_once:
                raise
            return None

    def _has_string(self, node: Any) -> bool:
        """Whether a plain expression surely has a string. False may be wrong."""
        kind = type(node)
        if kind is Seq:
            return all(self._has_string(part) for part in node.parts if type(part) is not Literal and part not in self._leaves)
        if kind is Alt:
            return any(type(part) is Literal or self._has_string(part) for part in node.parts)
        if kind is Repeat:
            return node.minimum == 0 or self._has_string(node.part)
        if kind is Chain:
            needed = [item for item, is_required in node.items if is_required]
            if node.minimum > len(needed):
                needed = [item for item, _ in node.items] + ([] if node.rest is None else [node.rest])
            return all(self._has_string(item) for item in needed)
        return kind is not Ref or node.rule.shared or not node.rule.prunable or self._rule_has_string(node.rule)

    def _rule_has_string(self, rule: Rule) -> bool:
        if self._depth >= MAX_DEPTH:
            return False
        self._depth += 1
        try:
            return self.can_wait(rule)
        finally:
            self._depth -= 1


def _begins(node: Any) -> bool:
    """Whether every string begins with a byte that is written out here."""
    kind = type(node)
    if kind is Literal:
        return bool(node.data)
    if kind is Seq:
        return bool(node.parts) and _begins(node.parts[0])
    return kind is Alt and all(_begins(part) for part in node.parts)


def _called_rules(body: Expression, place: str, leaves: set[Expression]) -> list[Rule] | None:
    """The rules that a rule calls, if lowering it can meet no limit and find nothing empty but perhaps one of these; else None.

    leaves: parts that are known to be harmless and to call no rule that may be empty; those that are found are added.
    """
    called: list[Rule] = []
    todo: list[Any] = [body]
    n_parts = 0
    while todo:
        node = todo.pop()
        kind = type(node)
        n_parts += 1
        if n_parts > MAX_PARTS:
            raise TooLarge
        if kind is Literal or node in leaves:
            continue
        if kind is Ref and node.rule.prunable and not node.rule.shared:
            called.append(node.rule)
        elif kind is Chain and _is_uncounted(node):
            for item, _ in node.items:
                parts = item.parts if type(item) is Seq else (item,)
                todo += [part for part in parts if type(part) is not Literal and part not in leaves]
                n_parts += len(parts)
            todo += (node.separator,) if node.rest is None else (node.separator, node.rest)
        elif _is_leaf(node, place):
            leaves.add(node)
        elif kind is Seq or (kind is Alt and node.parts):
            todo += node.parts
        elif kind is Repeat and _is_small_count(node):
            todo.append(node.part)
        else:
            return None
    return called


def _is_leaf(node: Any, place: str) -> bool:
    """Whether a part without rules of its own has a string, and lowering it meets no limit."""
    kind = type(node)
    if kind is Alt:
        return bool(node.parts) and all(type(part) is Literal for part in node.parts)
    if kind is Ref:
        return node.rule.shared or is_small_choice(node.rule.body)
    if kind is Text:
        if node.language is None and max(node.minimum, node.maximum or 0) > MAX_LENGTH:
            raise TooLarge
        return _has_table(node, place)
    return kind is Chars and bool(node.ranges)


def _is_small_count(repeat: Repeat) -> bool:
    if repeat.minimum <= 1 and repeat.maximum in (None, 1):
        return True
    return type(repeat.part) is Chars and max(repeat.minimum, repeat.maximum or 0) <= MAX_COUNT


def _has_table(text: Text, place: str) -> bool:
    """Whether a text has strings. One that meets a limit is lowered at once, for the error; no rule waits if the kernel may meet one."""
    try:
        table = text_table(text, place)
    except (GrammarError, LimitError):
        return False
    if table is not None and not is_soon_counted(table):
        raise TooLarge
    return table is not None


def _is_uncounted(chain: Chain) -> bool:
    """Whether no count of members binds, so that its automaton is as large as it."""
    n_required = sum([is_required for _, is_required in chain.items])
    if not chain.items:
        return chain.rest is not None and chain.maximum is None and chain.minimum <= 1
    return not chain.contiguous and chain.maximum is None and chain.minimum <= max(n_required, 1)
