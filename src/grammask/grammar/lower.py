"""From the small form to the kernel's tables.

Rule: the tables stand for exactly the strings of the expression. They are *raw*: left recursion stays as it was written (see prepare),
but an epsilon edge stands beside each call of a nullable rule already, and nothing is in them that cannot complete.
Each rule becomes one table; a small choice without a name of its own in many grammars is copied to where it is used. Rules that are
shared keep their table, so that the next grammar with them only points at it.
Cost: about 1 us per node of the expression.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from grammask.errors import EmptyLanguageError, LimitError, NoExitError
from grammask.grammar.analysis import UNRANKED, callees_first, closure, completing, prune, settle
from grammask.grammar.chain import build_chain
from grammask.grammar.components import components, visit_order
from grammask.grammar.construction import Construction
from grammask.grammar.counting import build_repeat
from grammask.grammar.distinct import Distinct, Recorded, build_distinct, build_recorded
from grammask.grammar.expression import (
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
    Seq,
    Text,
    Token,
    Unordered,
)
from grammask.grammar.free_text import FreeText, Marked, build_free_text, build_marked
from grammask.grammar.goal_frames import without_left_recursion
from grammask.grammar.language import character_automaton
from grammask.grammar.later import Later, TooLarge
from grammask.grammar.multiples import build_multiples
from grammask.grammar.structure_key import assign_keys
from grammask.grammar.text_table import is_soon_counted, text_table
from grammask.grammar.unordered import build_unordered
from grammask.kernel.tables import LITERAL, LITERALS, RANGE, RuleTable, TextTable

__all__ = ["lower", "lower_lazily"]

MAX_STEPS = 500_000  # expression nodes visited in one lowering, copies included


def lower(
    root: Expression,
    place: str = "grammar",
    specials: Mapping[str, int] | None = None,
    tokens: Sequence[bytes] = (),
    eos_ids: Collection[int] = (),
    later: Later | None = None,
) -> RuleTable:
    """The raw table of an expression, and through its calls the tables of all rules it needs.

    place: what errors call the root. specials: ids of the special tokens that the grammar names. tokens, eos_ids: of the vocabulary,
    to tell tokens with text and end tokens from special ones (without them, all ids that the grammar names are taken for special).
    later: lets rules wait until a text comes to them, see `lower_lazily`; without it, all tables have their edges.
    Raises EmptyLanguageError if nothing matches, NoExitError for a rule that cannot end, LimitError for grammars that are too large or
    too deep, UnsupportedFeatureError for what is no language here (an unknown special token, a rule inside a pattern).
    """
    made = Construction(specials or {}, tokens, eos_ids, later)
    table = made.rule_table(root.rule) if isinstance(root, Ref) else made.new_table(place)
    if not isinstance(root, Ref):
        made.pending.append((table, root))
    _build_all(made)
    if later is not None and later.at_once and _may_count_long(made):
        raise TooLarge  # where the kernel meets a limit, it should not be when a text first comes there
    if made.calls:
        order = callees_first(made.calls)
        if made.dead or order is None:
            _check_exits(made, table)
            order = callees_first(made.calls)
        settle(made.calls, order, made.begun)
        _mark_prepared(made)
        _keep_shared(made)
    return table


def lower_lazily(root: Expression, specials: Mapping[str, int], tokens: Sequence[bytes], eos_ids: Collection[int], at_once: int) -> RuleTable:
    """The same, but that most rules past the first `at_once`, 1 or more, wait until the kernel asks for them (`RuleTable.later`). Raises the same."""

    def lowered(body: Expression, place: str, later: Later) -> RuleTable:
        return without_left_recursion(lower(body, place, specials, tokens, eos_ids, later))

    try:
        return lower(root, "grammar", specials, tokens, eos_ids, Later(lowered, at_once))
    except TooLarge:
        return lower(root, "grammar", specials, tokens, eos_ids)


def _may_count_long(made: Construction) -> bool:
    for edges in made.calls.values():
        for edge in edges:
            if type(text := edge[3]) is TextTable and text.n_nodes and not is_soon_counted(text):
                return True
    return False


def _build_all(made: Construction) -> None:
    pending, todo = made.pending, made.todo
    steps = MAX_STEPS
    while pending:
        table, body = pending.popleft()
        made.open_table(table)
        if type(body) is Seq and body.parts and type(first := body.parts[0]) is Literal and first.data:
            made.begun.add(table)
        todo.append((body, 0, 1))
        while todo:
            node, start, end = todo.pop()
            _BUILD[type(node)](made, node, start, end)
            steps -= 1
            if steps < 0:
                raise LimitError("the size of a grammar", None, MAX_STEPS, "split it, or name and reuse its parts")
        table.n_nodes = made.n_nodes
        if not pending and made.later is not None and made.later.due:
            _look_at_due(made, made.later)


def _look_at_due(made: Construction, later: Later) -> None:
    """Put the next rule on the list that is called by rules that wait, and cannot wait itself."""
    while later.due and not made.pending:
        rule = later.due.pop()
        if not later.can_wait(rule):
            made.rule_table(rule)


def _build_literal(made: Construction, node: Literal, start: int, end: int) -> None:
    made.edges.append((LITERAL, start, end, node.data)) if node.data else made.skip(start, end)


def _build_alt(made: Construction, node: Alt, start: int, end: int) -> None:
    texts: dict[bytes, None] = {}
    for part in node.parts:
        if type(part) is Literal:
            texts[part.data] = None
        else:
            made.todo.append((part, start, end))
    if b"" in texts:
        del texts[b""]
        made.skip(start, end)
    if len(texts) > 1:
        made.edges.append((LITERALS, start, end, tuple(texts)))
    elif texts:
        made.edges.append((LITERAL, start, end, *texts))
    elif not node.parts:
        made.nothing("none of its alternatives can match")


def _build_text(made: Construction, node: Text, start: int, end: int) -> None:
    table = text_table(node, made.table.place)
    if table is None:
        made.nothing("no string is left by its pattern, lengths and excluded strings")
    else:
        made.call(start, end, table)


def _build_automaton(made: Construction, node: Automaton, start: int, end: int) -> None:
    following: dict[int, list[int]] = {}
    preceding: dict[int, list[int]] = {}
    for source, target, _, _ in node.edges:
        following.setdefault(source, []).append(target)
        preceding.setdefault(target, []).append(source)
    useful = closure((0,), following) & closure(node.ends, preceding)
    edges = [(source, target, (low, high)) for source, target, low, high in node.edges if source in useful and target in useful]
    made.edges += [(RANGE, source, target, *label) for source, target, label in made.embed(edges, (0,), node.ends & useful, start, end)]
    if 0 not in useful:
        made.nothing("its automaton does not reach an end")


def _build_condition(made: Construction, node: And | Not | ReadyAutomaton, start: int, end: int) -> None:
    automaton = character_automaton(node)
    for source, target, chars in made.embed(automaton.arcs, automaton.starts, automaton.ends, start, end):
        made.chars(chars, source, target)
    if not automaton.n_nodes:
        made.nothing("its conditions exclude each other")


_BUILD: dict[type, Callable[[Construction, Any, int, int], None]] = {
    Literal: _build_literal,
    Chars: Construction.chars,
    Seq: Construction.seq,
    Alt: _build_alt,
    Repeat: build_repeat,
    Ref: Construction.ref,
    Text: _build_text,
    Chain: build_chain,
    And: _build_condition,
    Not: _build_condition,
    Automaton: _build_automaton,
    ReadyAutomaton: _build_condition,
    Distinct: build_distinct,
    Recorded: build_recorded,
    Multiples: build_multiples,
    Token: Construction.token,
    FreeText: build_free_text,
    Marked: build_marked,
    Unordered: build_unordered,
}


def _check_exits(made: Construction, root: RuleTable) -> None:
    """Prune what can match nothing, where the author cannot have meant it; raise for rules that cannot complete."""
    done = completing(made.calls, made.dead)
    if len(done) == len(made.calls) and not made.dead:
        return
    for table in visit_order([root], lambda table: [edge[3] for edge in made.calls[table] if edge[3] in made.calls]):
        is_meant = table is root or (table in made.author and not made.author[table].prunable)
        if table not in done and is_meant:
            raise _blame(made, table, done)
    prune(made.calls, done, made.dead)
    if made.later is not None:
        for rule in [rule for rule, named in made.rules.items() if named in made.author and named not in done]:
            del made.rules[rule]  # whoever comes to it later finds out again


def _blame(made: Construction, table: RuleTable, done: set[RuleTable]) -> EmptyLanguageError | NoExitError:
    """The error for a table that cannot complete: the innermost rules that lead back to themselves, or else what is empty in it."""

    def hopeless(caller: RuleTable) -> list[RuleTable]:
        return [edge[3] for edge in made.calls[caller] if edge[3] in made.calls and edge[3] not in done]

    innermost = components([table], hopeless)[0]
    named = [member for member in innermost if member in made.author] or innermost
    if len(innermost) > 1 or innermost[0] in hopeless(innermost[0]):
        return NoExitError(named[0].place)
    reason = made.dead.get(innermost[0], "it can never be completed")
    return EmptyLanguageError(named[0].place, reason)


def _mark_prepared(made: Construction) -> None:
    """Note which tables reach no left recursion, so that `prepare` need not look."""
    is_tainted = made.unprepared
    for table in made.calls:
        table.prepared = True
        is_tainted |= table.rank == UNRANKED
    if is_tainted:
        tainted = [table for table, edges in made.calls.items() if table.rank == UNRANKED or not all(edge[3].prepared for edge in edges)]
        callers: dict[RuleTable, list[RuleTable]] = {}
        for table, edges in made.calls.items():
            for edge in edges:
                callers.setdefault(edge[3], []).append(table)
        for table in visit_order(tainted, lambda table: callers.get(table, ())):
            table.prepared = False


def _keep_shared(made: Construction) -> None:
    if not made.shared:
        return
    shared = [table for table in made.shared if table in made.calls]
    if made.frames:
        callers: dict[RuleTable, list[RuleTable]] = {}
        for caller, edges in made.calls.items():
            for edge in edges:
                callers.setdefault(edge[3], []).append(caller)
        telling = set(visit_order(list(made.frames), lambda table: callers.get(table, ())))
        shared = [table for table in shared if table not in telling]
    if shared:
        assign_keys(shared, made.calls)
        for table in shared:
            if not made.uses_names:
                made.author[table].lowered = table
