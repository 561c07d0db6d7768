"""From a match to the texts around it: what may stand before and after, for patterns whose anchors stand at their ends.

Rule: the everyday pattern gets the obvious expression here: its body, with any characters on the sides that are open.
"""

from __future__ import annotations

from grammask.frontends.regex.algebra import ALL, all_then, nullable, then
from grammask.frontends.regex.nodes import After, Before, Concat, Part, Union, check_nesting, concat
from grammask.frontends.regex.options import RegexOptions
from grammask.grammar.expression import EMPTY, Expression, either

__all__ = ["whole_texts"]


def whole_texts(part: Part, searched: bool, height: int, options: RegexOptions) -> Expression:
    """All texts that the pattern matches as a whole; if `searched`, all texts that it is found in.

    height: how deep its groups are nested. Raises what `translate.translated` raises, for patterns that need it.
    """
    if isinstance(part, Expression):
        return _padded(part, searched, searched)
    if isinstance(part, Union):
        return either(*[whole_texts(branch, searched, height, options) for branch in part.parts])
    parts = list(part.parts) if isinstance(part, Concat) else [part]
    open_left, open_right = searched, searched
    while parts and isinstance(parts[0], Before) and (parts[0].language is EMPTY if open_left else nullable(parts[0].language)):
        open_left = False
        parts.pop(0)
    while parts and isinstance(parts[-1], After) and (parts[-1].language is EMPTY if open_right else nullable(parts[-1].language)):
        open_right = False
        parts.pop()
    rest = concat(parts)
    if isinstance(rest, Expression):
        return _padded(rest, open_left, open_right)
    check_nesting(height)
    from grammask.frontends.regex.translate import translated  # few patterns need it

    return translated(rest, open_left, open_right, options)


def _padded(body: Expression, open_left: bool, open_right: bool) -> Expression:
    if not (open_left or open_right):
        return body
    if nullable(body):
        return ALL
    right = then(body, ALL) if open_right else body
    return all_then(right) if open_left else right
