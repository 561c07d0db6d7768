"""Conjunctions: values of some types for which some facts hold; how they are merged, and how many there may be.

Rule: leaves are the facts of schema objects, references and branches already followed; equal leaves are one conjunction.
"""

from __future__ import annotations

from grammask.errors import LimitError
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.references import Subschema

__all__ = ["FEW", "MAX_NEGATED", "Conjunction", "check_number", "merged", "own"]

Conjunction = tuple[int, tuple[Facts, ...]]

MAX_ALTERNATIVES = 4096
MAX_NEGATED = 512  # alternatives after a negation, each of which may become a way to write an object, and inside a proof
FEW = 4  # alternatives, of which it is not worth while to find out which are empty


def merged(conjunctions: list[Conjunction], place: Subschema) -> list[Conjunction]:
    """Conjunctions with the same leaves become one."""
    found: dict[tuple[Facts, ...], int] = {}
    for types, leaves in conjunctions:
        found[leaves] = found.get(leaves, 0) | types
    check_number(len(found), place)
    return [(types, leaves) for leaves, types in found.items()]


def check_number(number: int, place: Subschema, most: int = MAX_ALTERNATIVES) -> None:
    """Raise LimitError for more alternatives than that."""
    if number > most:
        where = place.pointer or "the top of the schema"
        raise LimitError(f"the alternatives at {where}", number, most, "split the schema or simplify its anyOf")


def own(facts: Facts) -> Conjunction:
    """The conjunction of one schema's own facts; facts that say nothing more than types are no leaf."""
    if facts.constrained or facts.literals is not None or facts.refusals:
        return facts.types, (facts,)
    return facts.types, ()
