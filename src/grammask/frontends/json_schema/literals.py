"""The values of enum and const, as many as the other keywords leave, in the spellings of json.dumps.

Rule: numbers and strings are byte strings next to each other in one choice; arrays and objects are laid out like all others.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

from grammask.errors import LimitError
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.layout import Layout
from grammask.frontends.json_schema.values import FRACTION, STRING, number_spellings, string_spellings, type_of
from grammask.grammar.expression import NOTHING, Alt, Expression, Literal, Ref, Rule, Seq, Unordered, either

if TYPE_CHECKING:
    from grammask.frontends.json_schema.compiler import Compiler

__all__ = ["literal_expressions", "value_expression"]

LARGE_CHOICE = 64  # byte strings from which on a choice is a rule of its own
MAX_DEPTH = 100
WORDS = {None: b"null", True: b"true", False: b"false"}


def literal_expressions(
    compiler: Compiler, types: int, leaves: tuple[Facts, ...], literal: Callable[[bytes], Expression] = Literal.once
) -> tuple[Expression, ...]:
    """The values that all leaves allow, of these types; one expression for all that are neither array nor object if they are many.

    literal: makes the node of a spelling. What joins the values of several alternatives takes Literal itself, so that equal ones are one.
    """
    finite = min((facts for facts in leaves if facts.literals is not None), key=lambda facts: len(facts.literals or ()))
    values = [value for value in finite.literals or () if type_of(value) & types]
    if len(leaves) > 1 or finite.constrained or finite.refusals:
        values = [value for value in values if all(compiler.validity.holds(facts, value) for facts in leaves)]
    spellings: dict[bytes, None] = {}
    if types & STRING and all(type(value) is str and value.isascii() for value in values):
        spellings, values = dict.fromkeys([encode_basestring(value).encode() for value in values]), []
    found: dict[Expression, None] = {}
    only_digits = compiler.digit_literals or (compiler.only_digits and not types & FRACTION)  # draft 4: 2.0 equals 2 but is no integer
    for value in values:
        if type(value) is list or type(value) is dict:
            found[_laid_out(compiler, value, 0, only_digits=compiler.digit_literals)] = None
        else:
            spellings.update(dict.fromkeys(_spellings(value, only_digits=only_digits)))
    if len(spellings) >= LARGE_CHOICE:
        found[Ref(Rule(finite.subschema.pointer, Alt.once(tuple(map(Literal.once, spellings)))))] = None
    else:
        found.update(dict.fromkeys(map(literal, spellings)))
    return tuple(found)


def value_expression(compiler: Compiler, value: Any) -> Expression:
    """One value, in all its usual spellings."""
    return _laid_out(compiler, value, 0, only_digits=compiler.only_digits)


def _spellings(value: Any, *, only_digits: bool) -> list[bytes]:
    """The spellings of a value that is neither array nor object."""
    if isinstance(value, str):
        return string_spellings(value)
    if value is None or isinstance(value, bool):
        return [WORDS[value]]
    return number_spellings(value, only_digits=only_digits)


def _laid_out(compiler: Compiler, value: Any, depth: int, *, only_digits: bool) -> Expression:
    """One value, arrays and objects with the layout's whitespace, objects in the order of the options."""
    layout = compiler.layout
    if depth > MAX_DEPTH:
        raise LimitError("the nesting of a value in enum or const", None, MAX_DEPTH)
    if type(value) is list:
        members = [_laid_out(compiler, part, depth + 1, only_digits=only_digits) for part in value]
        return layout.brackets(b"[", _separated(layout, members), b"]", may_be_empty=not members)
    if type(value) is dict:
        members = [layout.named_member(name, _laid_out(compiler, part, depth + 1, only_digits=only_digits)) for name, part in value.items()]
        if len(members) > 1 and compiler.options.property_order == "any":
            return layout.brackets(b"{", Unordered([(member, True) for member in members], layout.separator), b"}", may_be_empty=False)
        return layout.brackets(b"{", _separated(layout, members), b"}", may_be_empty=not members)
    return either(*map(Literal, _spellings(value, only_digits=only_digits)))


def _separated(layout: Layout, members: list[Expression]) -> Expression:
    if not members:
        return NOTHING
    return Seq((members[0], *chain.from_iterable((layout.separator, member) for member in members[1:])))
