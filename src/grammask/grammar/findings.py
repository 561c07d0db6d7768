"""What a linter has to say of a grammar: faults, and hints at what is ambiguous or dear.

Rule: a finding is a fact with a code that does not change, a place and a way out. It never says of a grammar that can be enforced that
it cannot: left recursion, nesting and long alternatives are fine here.
Above: front ends add what only their syntax knows (undefined rules, double definitions) and the places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as OneOf

from grammask.grammar.components import components
from grammask.grammar.expression import Alt, Chars, Expression, Literal, Ref, Repeat, Rule, Seq
from grammask.grammar.sizes import shortest_lengths
from grammask.grammar.walk import bottom_up, parts_of, rules_of

__all__ = ["NULLABLE_LOOP", "Finding", "Severity", "expression_findings", "line_and_column"]

Severity = OneOf["error", "warning", "hint"]
Place = tuple[int, int]  # line and column, both from 1
Locate = Callable[[Rule | None, Expression | None], Place | None]

SPACES = frozenset(" \t\r\n\f\v")
MANY_NODES = 50_000
MANY_CHARACTERS = 100  # a set of so many takes a good part of a vocabulary
LONG_COUNT = 32


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    code: "undefined-rule", "nullable-loop", ...  severity: "error" (it does not compile), "warning" (likely not meant), "hint".
    line, column: where it is, from 1; None where the grammar has no text or the place is not known.  rule: in which rule, if it has one.
    """

    code: str
    severity: Severity
    message: str
    line: int | None = None
    column: int | None = None
    hint: str = ""
    rule: str = ""


def line_and_column(source: str, place: int) -> Place:
    """Line and column of source[place], both from 1."""
    return source.count("\n", 0, place) + 1, place - source.rfind("\n", 0, place)


def expression_findings(root: Expression, locate: Locate = lambda _rule, _node: None) -> list[Finding]:
    """What can be said of an expression and the rules it leads to, without a text.

    locate: the line and column of a node in a rule (None: outside all rules), or of the rule itself for no node.
    Cost: linear.
    """
    rules = rules_of(root)
    lengths = shortest_lengths([root])
    found: list[Finding] = []
    n_nodes = 0
    for rule, body in [(None, root), *[(rule, rule.body) for rule in rules]]:
        nodes = bottom_up([body])
        n_nodes += len(nodes)
        for node in nodes:
            found += [_placed(finding, locate(rule, spot), rule) for finding, spot in _of_node(node, lengths)]
    for rule in _deriving_themselves(rules, lengths):
        found.append(_placed(DERIVES_ITSELF, locate(rule, None), rule))
    return list(dict.fromkeys([*found, *([LARGE_GRAMMAR] if n_nodes > MANY_NODES else [])]))


NULLABLE_LOOP = Finding(
    "nullable-loop", "warning", "what is repeated here can match nothing, so there are endless ways to read the same text",
    hint="let the repeated part match at least one character",
)  # fmt: skip
DERIVES_ITSELF = Finding(
    "derives-itself", "warning", "this rule can stand for nothing but itself, so there are endless ways to read the same text",
    hint="take out the alternative that only leads back",
)  # fmt: skip
ENDLESS_SPACE = Finding(
    "endless-space", "hint", "white space without a bound: a model that likes it can write it until the length limit", hint="give it a bound, such as {0,20}"
)
MANY_COUNTS = Finding(
    "many-counts", "hint", "each number of these characters is a state of its own, and the first mask in each takes a look over the vocabulary",
    hint="leave out the upper bound if it is only there to be safe",
)  # fmt: skip
LARGE_GRAMMAR = Finding("large-grammar", "hint", f"more than {MANY_NODES:,} parts: compiling takes a second or more", hint="keep the constraint, and share it")
LOOSE_BORDER = Finding(
    "loose-border", "hint", "two repetitions side by side take the same characters, so the border between them can lie anywhere",
    hint="join them, or put something between them",
)  # fmt: skip


def _placed(finding: Finding, place: Place | None, rule: Rule | None) -> Finding:
    line, column = place or (None, None)
    return Finding(finding.code, finding.severity, finding.message, line, column, finding.hint, rule.place if rule is not None else "")


def _of_node(node: Expression, lengths: Mapping[Expression, int]) -> Iterator[tuple[Finding, Expression]]:
    """Findings, each with the part that it is about."""
    if isinstance(node, Repeat):
        if (node.maximum is None or node.maximum > 1) and lengths.get(node.part) == 0:
            yield NULLABLE_LOOP, node
        if node.maximum is None and (ranges := _characters(node.part)) and all(chr(low) in SPACES and chr(high) in SPACES for low, high in ranges):
            yield ENDLESS_SPACE, node
        if _counts(node) > LONG_COUNT and sum(high - low + 1 for low, high in _characters(node.part)) > MANY_CHARACTERS:
            yield MANY_COUNTS, node
    elif isinstance(node, Seq):
        for left, right in zip(node.parts, node.parts[1:], strict=False):
            if _is_loose(left) and _is_loose(right) and _overlap(_characters(left), _characters(right)):
                yield LOOSE_BORDER, left


def _counts(node: Repeat) -> int:
    return max(node.minimum, node.maximum or 0)


def _is_loose(node: Expression) -> bool:
    return isinstance(node, Repeat) and node.maximum != node.minimum


def _characters(node: Expression) -> Sequence[tuple[int, int]]:
    """The set, if the node is one character, a repetition of one, or a choice of such; else nothing."""
    ranges: list[tuple[int, int]] = []
    work = [node]
    while work:
        node = work.pop()
        if isinstance(node, Repeat):
            work.append(node.part)
        elif isinstance(node, Alt):
            work += node.parts
        elif isinstance(node, Chars):
            ranges += node.ranges
        elif isinstance(node, Literal) and len(text := node.data.decode("utf-8", "replace")) == 1:
            ranges.append((ord(text), ord(text)))
        else:
            return ()
    return ranges


def _overlap(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> bool:
    return any(low <= last and first <= high for low, high in one for first, last in other)


def _deriving_themselves(rules: Sequence[Rule], lengths: Mapping[Expression, int]) -> list[Rule]:
    """Rules that can become themselves with nothing around, directly or over others."""
    alone = {rule: _alone_in(rule.body, lengths) for rule in rules}
    loops = components(rules, alone.__getitem__)
    return [component[0] for component in loops if len(component) > 1 or component[0] in alone[component[0]]]


def _alone_in(body: Expression, lengths: Mapping[Expression, int]) -> list[Rule]:
    """The rules that may be all that a body stands for: everything beside them can match nothing."""
    found: dict[Rule, None] = {}
    seen = {body}
    work = [body]
    while work:
        node = work.pop()
        if isinstance(node, Ref):
            found[node.rule] = None
        parts = parts_of(node)
        if isinstance(node, Seq):
            needed = [part for part in parts if lengths.get(part) != 0]
            parts = parts if not needed else tuple(needed) if len(needed) == 1 else ()
        elif isinstance(node, Repeat) and node.minimum > 1 and lengths.get(node.part) != 0:
            parts = ()
        fresh = [part for part in parts if part not in seen]
        seen.update(fresh)
        work += fresh
    return list(found)
