"""Proofs that no value obeys several schemas at once: what lets "exactly one of" be written as "any of".

Rule: a proof is exact; where none is found within a few levels of nesting, the answer is "perhaps not empty".
"""

from __future__ import annotations

from collections.abc import Iterable

from grammask.errors import LimitError, UnsupportedFeatureError
from grammask.frontends.json_schema.arrays import item_bounds
from grammask.frontends.json_schema.item_monitor import item_schemas
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.names import Names
from grammask.frontends.json_schema.numbers import is_empty_range, range_of
from grammask.frontends.json_schema.objects import property_bounds
from grammask.frontends.json_schema.references import Subschema
from grammask.frontends.json_schema.shapes import CircularProof, Conjunction, Shapes
from grammask.frontends.json_schema.strings import has_string, text_shape
from grammask.frontends.json_schema.validity import Validity
from grammask.frontends.json_schema.values import ARRAY, BOOLEAN, NULL, NUMBER, OBJECT, STRING, type_of

__all__ = ["Emptiness"]

MAX_DEPTH = 4  # of arrays and objects that a proof looks into
MAX_LOOKED = 500_000  # conditions on members: beyond that nothing is proven, and alternatives that nobody can write are refused as such
MAX_WIDTH = 64  # alternatives of one inner value that a proof looks at


class Emptiness:
    """Looks for proofs."""

    def __init__(self, validity: Validity, shapes: Shapes) -> None:
        self.validity, self.shapes = validity, shapes
        self.n_looked = 0
        self.names = Names(validity, self._alternatives)
        self.proofs: dict[frozenset[Subschema], int | None] = {}  # None: no value; else the least level at which no proof was found

    def _alternatives(self, subschema: Subschema) -> list[Conjunction]:
        return self.shapes.alternatives(subschema)

    def disjoint(self, one: Conjunction, other: Conjunction) -> bool:
        """Whether provably no value is in both."""
        types = one[0] & other[0]
        if not types:
            return True
        leaves = tuple(dict.fromkeys(one[1] + other[1]))
        try:
            return self.is_empty(types, leaves)
        except (UnsupportedFeatureError, LimitError, CircularProof):
            return False

    def nothing_obeys(self, schemas: list[Subschema]) -> bool:
        """Whether provably no value obeys all of these schemas."""
        try:
            return self._no_value(schemas)
        except (UnsupportedFeatureError, LimitError, CircularProof):
            return False

    def is_empty(self, types: int, leaves: tuple[Facts, ...]) -> bool:
        """Whether provably no value of these types obeys all the leaves."""
        finite = [facts for facts in leaves if facts.literals is not None]
        if finite:
            return not any(type_of(value) & types and all(self.validity.holds(facts, value) for facts in leaves) for value in finite[0].literals or ())
        if types & (NULL | BOOLEAN):
            return False
        if types & NUMBER and not is_empty_range(range_of(leaves, types, only_digits=False)):
            return False
        if types & STRING and has_string(text_shape(leaves, self.validity.refuse, at_most=True)):
            return False
        return not (types & ARRAY and not self._no_array(leaves)) and not (types & OBJECT and not self._no_object(leaves))

    def _no_array(self, leaves: tuple[Facts, ...]) -> bool:
        minimum, maximum = item_bounds(leaves)
        if maximum is not None and minimum > maximum:
            return True
        n_prefix = max([len(facts.prefix) for facts in leaves], default=0)
        return any(self._no_value(item_schemas(leaves, position)) for position in range(min(minimum, n_prefix + 1)))

    def _no_object(self, leaves: tuple[Facts, ...]) -> bool:
        required = dict.fromkeys(name for facts in leaves for name in facts.required)
        minimum, maximum = property_bounds(leaves) if leaves else (0, None)
        if maximum is not None and max(minimum, len(required)) > maximum:
            return True
        return any(self._no_member(leaves, name) for name in required) or (minimum > 0 and not required and self.names.none_left(leaves))

    def _no_member(self, leaves: tuple[Facts, ...], name: str) -> bool:
        self.n_looked += len(leaves)
        if self.n_looked > MAX_LOOKED:
            raise LimitError("the members that proofs look at", None, MAX_LOOKED)
        schemas: list[Subschema] = []
        for facts in leaves:
            if facts.names is not None and not self.validity.valid(facts.names, name):
                return True
            if facts.patterns or facts.additional is not None:
                schemas += self.validity.schemas_for(facts, name)
            elif name in facts.properties:
                schemas.append(facts.properties[name])
        return self._no_value(schemas)

    def _no_value(self, schemas: list[Subschema]) -> bool:
        """Whether provably no value obeys all of these schemas. Each question is worked out once."""
        if not schemas or self.shapes.level >= MAX_DEPTH:
            return False
        key = frozenset(map(self.validity.references.representative, schemas))
        found = self.proofs.get(key, MAX_DEPTH)
        if found is not None and found > self.shapes.level:
            found = None if self._proven(key) else self.shapes.level
            self.proofs[key] = found
        return found is None

    def _proven(self, schemas: Iterable[Subschema]) -> bool:
        """One more level of nesting is looked into."""
        self.shapes.level += 1
        try:
            conjunctions = self.shapes.together(schemas)
            return len(conjunctions) <= MAX_WIDTH and all(self.is_empty(types, leaves) for types, leaves in conjunctions)
        finally:
            self.shapes.level -= 1
