"""How large a grammar becomes when Lark writes out its options, repetitions, templates and terminals, before it does.

Rule: the numbers here are at least those of Lark, up to a small factor; what is over a bound is refused, as Lark would not come to an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from grammask.errors import LimitError
from grammask.frontends.lark.scan import Definition, is_terminal_name
from grammask.grammar.components import components

__all__ = ["check_growth", "check_terminals"]

MAX_TEMPLATES = 1_000  # uses of templates with different arguments
MAX_TEMPLATE_NAME = 1_000  # characters of a use of a template, written out
MAX_TERMINALS = 300_000  # tokens of all terminals together, with the terminals in them written out
WRITTEN_OUT = 50  # from here on Lark splits a repetition
SPLIT_LENGTH = 10  # symbols in a row of a repetition that was split, at most

Symbolic = str  # a name with its arguments, as Lark writes it


def check_growth(grammar: Any, maximum_expansions: int) -> None:
    """Raise LimitError for rules of a loaded grammar that would grow too large. Cost: linear, but for templates, of which each use counts."""
    _check_templates(grammar)
    total = 0.0
    for name, _, tree, _ in grammar.rule_defs:
        total += _alternatives(tree)
        if total > maximum_expansions:
            hint = f"rule {str(name)!r} is the one that goes too far; write alternatives inside repetitions as rules of their own"
            raise LimitError("the number of alternatives, with options and repetitions written out,", None, maximum_expansions, hint)


def check_terminals(found: Sequence[Definition]) -> None:
    """Raise LimitError for terminals that would grow too large when the terminals in them are written out, as Lark does again and again."""
    bodies: dict[str, list[str]] = {}
    for definition in found:
        if is_terminal_name(definition.name.text):
            bodies.setdefault(definition.name.text, []).extend(token.text for token in definition.body)
    sizes: dict[str, int] = {}
    for component in components(bodies, lambda name: [part for part in bodies[name] if part in bodies]):
        for name in component:  # more than one, or itself: Lark refuses the recursion
            sizes[name] = 1 + sum(sizes.get(part, 1) for part in bodies[name])
    if sum(sizes.values()) > MAX_TERMINALS:
        largest = max(sizes, key=sizes.__getitem__)
        hint = f"terminal {largest!r} is the largest; make rules of what is made of other terminals"
        raise LimitError("the size of the terminals, with the terminals in them written out,", None, MAX_TERMINALS, hint)


def _alternatives(tree: Any) -> float:
    """How many alternatives a part of a rule becomes, those of rules that are made for its repetitions included."""
    if not hasattr(tree, "children"):
        return 1
    counts = [_alternatives(child) for child in tree.children]
    if tree.data == "expansions":
        return sum(counts)
    if tree.data == "expansion":
        return _product(counts)
    if tree.data == "maybe":
        return counts[0] + 1
    if tree.data == "expr":
        return _repeated(counts[0], str(tree.children[1]), [int(number) for number in tree.children[2:]])
    return counts[0] if tree.data == "alias" else 1


def _product(counts: list[float]) -> float:
    total = 1.0
    for count in counts:
        total = min(total * count, inf)
    return total


def _repeated(count: float, operator: str, bounds: list[int]) -> float:
    if operator != "~":
        return count + 1 if operator == "?" else 2 * count + 2
    low, high = bounds[0], bounds[-1]
    if high >= WRITTEN_OUT:
        return _power(count, SPLIT_LENGTH) * high.bit_length() * SPLIT_LENGTH
    return sum(_power(count, times) for times in range(max(low, 0), high + 1))


def _power(count: float, times: int) -> float:
    try:
        return count**times
    except OverflowError:
        return inf


# -- templates


def _check_templates(grammar: Any) -> None:
    """Follow the uses of templates, which may use others with longer and longer arguments."""
    templates = {name: (params, list(tree.find_data("template_usage"))) for name, params, tree, _ in grammar.rule_defs if params}
    if not templates:
        return
    found: dict[tuple[str, tuple[Symbolic, ...]], None] = {}
    order: list[tuple[str, tuple[Symbolic, ...]]] = []

    def use(usage: Any, names: dict[str, str]) -> Symbolic:
        arguments = tuple([use(a, names) if hasattr(a, "children") and a.data == "template_usage" else _written(a, names, use) for a in usage.children[1:]])
        name = names.get(usage.children[0].name, usage.children[0].name)
        written = f"{name}{{{','.join(arguments)}}}"
        if (name, arguments) not in found:
            if len(found) >= MAX_TEMPLATES or len(written) > MAX_TEMPLATE_NAME:
                raise LimitError("the uses of templates with different arguments", None, MAX_TEMPLATES, f"template {str(name)!r} uses itself without an end")
            found[name, arguments] = None
            order.append((name, arguments))
        return written

    for _, params, tree, _ in grammar.rule_defs:
        for usage in tree.find_data("template_usage") if not params else ():
            use(usage, {})
    for name, arguments in order:  # grows while it is read
        params, usages = templates.get(name, ((), []))
        for usage in usages:
            use(usage, dict(zip(params, arguments, strict=False)))


def _written(argument: Any, names: dict[str, str], use: Any) -> Symbolic:
    """An argument as Lark would name it: its symbol's name, or its text."""
    if hasattr(argument, "children"):
        parts = [use(child, names) if getattr(child, "data", "") == "template_usage" else _written(child, names, use) for child in argument.children]
        return ",".join(parts)
    name = str(getattr(argument, "name", argument))
    return names.get(name, name)
