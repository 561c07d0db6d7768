"""What a schema allows, as alternatives of conjunctions of facts.

A *conjunction* is (types, leaves): values of these types for which all leaves hold, leaves being the facts of schema objects, their
references and branches already followed. A schema is a list of them, one of which must hold: allOf, references and keywords side by
side multiply, anyOf and oneOf add up. Contradictions in type are dropped at once, so that most schemas stay at one conjunction.

Rule: the leaves hold the schemas inside arrays and objects by reference; nothing here goes into them but to find a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grammask.errors import LimitError, SchemaError
from grammask.frontends.json_schema.keywords import Facts, Group, read_facts
from grammask.frontends.json_schema.references import References, Subschema
from grammask.frontends.json_schema.values import type_words

__all__ = ["CircularProof", "Conjunction", "Shapes"]

Conjunction = tuple[int, tuple[Facts, ...]]

MAX_ALTERNATIVES = 4096
MAX_DEPTH = 150  # of references and applicators at one value; each level costs two frames of Python's stack


class CircularProof(Exception):
    """A proof about a value inside came back to a schema that waits for the proof."""


class Shapes:
    """Works out alternatives, once per subschema.

    level: how many values deep a proof has gone in from the schema that needs it.
    disjoint: tells whether two conjunctions provably have no value in common. refuse: reports what cannot be enforced, or raises.
    """

    def __init__(
        self,
        references: References,
        disjoint: Callable[[Conjunction, Conjunction], bool],
        refuse: Callable[[Subschema, str, str], None],
    ) -> None:
        self.references, self.disjoint, self.refuse = references, disjoint, refuse
        self.depth = self.level = 0

    def alternatives(self, subschema: Subschema) -> list[Conjunction]:
        """What this schema allows. Raises SchemaError for a schema that refers back to itself, LimitError for a product that explodes."""
        known = subschema.alternatives
        if known is None:
            facts = subschema.facts or read_facts(subschema, self.references)
            is_simple = not facts.also and not facts.groups
            known = ([_own(facts)] if facts.types else []) if is_simple else self._applied(subschema, facts)
            subschema.alternatives = known
        return known

    def together(self, subschemas: Iterable[Subschema]) -> list[Conjunction]:
        """What all of these schemas allow together."""
        product: list[Conjunction] | None = None
        for subschema in subschemas:
            inner = self.alternatives(subschema)
            product = inner if product is None else self._product(product, inner, subschema)
        return product or []

    def _applied(self, subschema: Subschema, facts: Facts) -> list[Conjunction]:
        if subschema.pending is not None:
            if subschema.pending == self.level:
                raise SchemaError("this schema refers back to itself without going into a value", subschema.pointer)
            raise CircularProof
        if self.depth >= MAX_DEPTH:
            raise LimitError(f"references and applicators one inside another, at {subschema.pointer},", None, MAX_DEPTH)
        subschema.pending = self.level
        self.depth += 1
        try:
            product = [_own(facts)] if facts.types else []
            for inner in facts.also:
                product = self._product(product, self.alternatives(inner), inner)
            for group in facts.groups:
                product = self._branched(product, group, subschema)
        finally:
            subschema.pending = None
            self.depth -= 1
        return product

    def _product(self, left: list[Conjunction], right: list[Conjunction], place: Subschema) -> list[Conjunction]:
        """Everything in both; conjunctions with the same leaves become one."""
        _check_number(len(left) * len(right), place)
        merged: dict[tuple[Facts, ...], int] = {}
        for types, leaves in left:
            for other_types, other_leaves in right:
                if both := types & other_types:
                    joined = leaves if not other_leaves or leaves == other_leaves else tuple(dict.fromkeys(leaves + other_leaves))
                    merged[joined] = merged.get(joined, 0) | both
        return [(types, leaves) for leaves, types in merged.items()]

    def _branched(self, product: list[Conjunction], group: Group, subschema: Subschema) -> list[Conjunction]:
        """The product with any (anyOf) or exactly one (oneOf) of the branches."""
        branches = [self._product(product, self.alternatives(branch), branch) for branch in group.branches]
        if group.keyword == "oneOf":
            self._check_exclusive(branches, subschema)
        merged: dict[tuple[Facts, ...], int] = {}
        for branch in branches:
            for types, leaves in branch:
                merged[leaves] = merged.get(leaves, 0) | types
        _check_number(len(merged), subschema)
        return [(types, leaves) for leaves, types in merged.items()]

    def _check_exclusive(self, branches: list[list[Conjunction]], subschema: Subschema) -> None:
        """See that no value is in two branches, so that "exactly one" is "any"; otherwise refuse oneOf by name."""
        for index, branch in enumerate(branches):
            for other_index in range(index):
                for left in branches[other_index]:
                    for right in branch:
                        if not self.disjoint(left, right):
                            shared = type_words(left[0] & right[0])
                            self.refuse(subschema, "oneOf", f"branches {other_index} and {index} may both hold ({shared}), and exactly one must")
                            return


def _check_number(number: int, place: Subschema) -> None:
    if number > MAX_ALTERNATIVES:
        where = place.pointer or "the top of the schema"
        raise LimitError(f"the alternatives at {where}", number, MAX_ALTERNATIVES, "split the schema or simplify its anyOf")


def _own(facts: Facts) -> Conjunction:
    """The conjunction of one schema's own facts; facts that say nothing more than types are no leaf."""
    if facts.constrained or facts.literals is not None or facts.refusals:
        return facts.types, (facts,)
    return facts.types, ()
