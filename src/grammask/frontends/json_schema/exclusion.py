"""Alternatives without what a schema allows: what `not`, oneOf and `if` ask for, told relative to what is known already.

A complement is many alternatives (some keyword does not hold), and the complements of ten branches multiply to more than anybody can
write. But most of them say nothing of the objects at hand: that a member is no string cannot be where it must be one, and that it is not
"b" goes without saying where it is "a". So each is reduced to what it adds: to nothing, to the presence of a member, or to a contradiction;
alternatives that are contained in others go.

Rule: exact. A reduction changes nothing about the values that obey both the alternative and what it is relative to.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING

from grammask.frontends.json_schema.conjunctions import MAX_NEGATED, Conjunction, check_number
from grammask.frontends.json_schema.keywords import Facts, read_facts
from grammask.frontends.json_schema.references import Subschema
from grammask.frontends.json_schema.values import OBJECT

if TYPE_CHECKING:
    from grammask.frontends.json_schema.emptiness import Emptiness
    from grammask.frontends.json_schema.shapes import Shapes

__all__ = ["Exclusion", "without_contained"]

Leaves = tuple[Facts, ...]


class Exclusion:
    """Takes schemas away from alternatives, for the schemas of one compile."""

    def __init__(self, shapes: Shapes, emptiness: Emptiness) -> None:
        self.shapes, self.emptiness = shapes, emptiness
        self.made = shapes.made

    def without(self, pieces: list[Conjunction], branch: Subschema) -> list[Conjunction]:
        """What the pieces allow and the schema does not. Raises LimitError as products do."""
        allowed, excluded = self.shapes.alternatives(branch), self.shapes.complement(branch)
        found: list[Conjunction] = []
        for piece in pieces:
            beside = [(types & piece[0], leaves) for types, leaves in excluded if types & piece[0]]
            if len(beside) == 1 and not piece[0] & OBJECT:  # not worth a proof
                found.append((beside[0][0], tuple(dict.fromkeys(piece[1] + beside[0][1]))))
                continue
            overlapping = [one for one in allowed if not self.emptiness.disjoint(piece, one)]
            self.shapes.count_proofs(len(overlapping))
            found += self._times(piece, self._excluded(branch), branch) if overlapping else [piece]
            check_number(len(found), branch, MAX_NEGATED)
        return without_contained(found)

    def _excluded(self, branch: Subschema) -> list[Conjunction]:
        """The complement of a schema: where a member tells what kind of object it is, another kind, or this kind and something else is wrong.

        So what is wrong with objects of one kind never meets what is wrong with those of another.
        """
        excluded = self.shapes.complement(branch)
        kind = self._kind(branch) if sum(bool(types & OBJECT) for types, _ in excluded) > 1 else None
        if kind is None:
            return excluded
        name, schema = kind
        of_another = self.shapes.said(branch, OBJECT, properties={name: self.shapes.references.negated(schema)})
        of_this = self.shapes.said(branch, OBJECT, required=(name,), properties={name: schema})
        found: list[Conjunction] = [(types & ~OBJECT, leaves) for types, leaves in excluded if types & ~OBJECT]
        found += [(OBJECT, (of_this, *leaves)) for types, leaves in excluded if types & OBJECT and leaves != (of_another,)]
        return [*found, (OBJECT, (of_another,))]

    def _kind(self, branch: Subschema) -> tuple[str, Subschema] | None:
        """A member that the objects of a schema must have, with one of a few values; None if there is none."""
        allowed = [leaves for types, leaves in self.shapes.alternatives(branch) if types & OBJECT]
        if len(allowed) != 1:
            return None
        for facts in allowed[0]:
            for name, schema in facts.properties.items():
                inner = schema.facts or read_facts(schema, self.shapes.references)
                if inner.literals is not None and _requires(allowed[0], name):
                    return name, self.shapes.references.representative(schema)
        return None

    def _times(self, piece: Conjunction, excluded: list[Conjunction], place: Subschema) -> list[Conjunction]:
        """What a piece and one of the alternatives allow together."""
        types, leaves = piece
        found: dict[Leaves, int] = {}
        for other_types, other_leaves in excluded:
            if both := types & other_types:
                for added in self._reduced(leaves, other_leaves) if both == OBJECT else (other_leaves,):
                    joined = tuple(dict.fromkeys(leaves + added)) if added else leaves
                    found[joined] = found.get(joined, 0) | both
        if len(found) > 1:
            found = {leaves: types for types, leaves in without_contained([(types, leaves) for leaves, types in found.items()])}
        check_number(len(found), place)
        self.shapes.count_proofs(len(found))
        return [(both, joined) for joined, both in found.items() if joined is leaves or not self.emptiness.disjoint((both, joined), (both, ()))]

    def _reduced(self, leaves: Leaves, added: Leaves) -> Iterable[Leaves]:
        """What some facts add to those of objects: alternatives, of which an empty one adds nothing."""
        ways = [self._of_leaf(leaves, leaf) if leaf in self.made else ((leaf,),) for leaf in added]
        return [tuple(leaf for part in way for leaf in part) for way in product(*ways)]

    def _of_leaf(self, leaves: Leaves, leaf: Facts) -> Iterable[Leaves]:
        if leaf.some_names or leaf.some_member is not None:
            return self._of_some_member(leaves, leaf)
        if len(leaf.properties) != 1 or leaf.required != tuple(leaf.properties)[: len(leaf.required)] or leaf.min_properties:
            return ((leaf,),)
        ((name, schema),) = leaf.properties.items()
        return self._of_member(leaves, leaf, name, schema)

    def _of_member(self, leaves: Leaves, leaf: Facts, name: str, schema: Subschema) -> Iterable[Leaves]:
        """That a member obeys a schema, and is there or need not be: only whether it is there, if that decides it."""
        is_there = _requires(leaves, name)
        known = self.shapes.references.representative
        schemas = [known(other) for facts in leaves for other in self.emptiness.validity.schemas_for(facts, name)]
        negation = known(self.shapes.references.negated(schema))
        if negation in schemas or self.emptiness.nothing_obeys([*schemas, schema]):
            if is_there or leaf.required:
                return ()
            return ((self.shapes.said(leaf.subschema, OBJECT, properties={name: self.nothing(leaf.subschema)}),),)
        if schemas and (known(schema) in schemas or self.emptiness.nothing_obeys([*schemas, negation])):
            return ((self.shapes.said(leaf.subschema, OBJECT, required=(name,)),) if leaf.required and not is_there else (),)
        if is_there and not leaf.required:
            return ((self.shapes.said(leaf.subschema, OBJECT, required=(name,), properties={name: schema}),),)
        return ((leaf,),)

    def nothing(self, place: Subschema) -> Subschema:
        """The schema that nothing obeys."""
        return self.shapes.references.representative(self.shapes.references.invented(place, (), False))

    def _of_some_member(self, leaves: Leaves, leaf: Facts) -> Iterable[Leaves]:
        """That some member has such a name, and such a value: where all such names are known, one of them; nothing, if every member has."""
        names, value = (leaf.some_names[0], None) if leaf.some_member is None else leaf.some_member[:2]
        if value is not None and (found := self._of_values(leaves, leaf, names, value)) is not None:
            return found
        closed = [facts for facts in leaves if facts.additional is not None and facts.additional.value is False]
        known = next((facts for facts in closed if not self.emptiness.names.may_match(facts, names)), None)
        if known is not None:
            return self._of_known_names(leaves, leaf, value, [name for name in known.properties if self.emptiness.validity.valid(names, name)])
        is_needed = any(facts.required or facts.min_properties for facts in leaves)
        if value is None and is_needed and any(self.emptiness.names.all_match(facts, names) for facts in closed):
            return ((),)
        return ((leaf,),)

    def _of_values(self, leaves: Leaves, leaf: Facts, names: Subschema, value: Subschema) -> Iterable[Leaves] | None:
        """Where the values of all members of such names are known: no member, or one of any value; None if they decide nothing."""
        known = self.shapes.references.representative
        schemas = [known(schema) for schema in self.emptiness.names.schemas_for_all(leaves, names)]
        negation = known(self.shapes.references.negated(value))
        if negation in schemas or self.emptiness.nothing_obeys([*schemas, value]):
            return ()
        if schemas and self.emptiness.nothing_obeys([*schemas, negation]):
            return self._of_some_member(leaves, self.shapes.said(leaf.subschema, OBJECT, some_names=(names,)))
        return None

    def _of_known_names(self, leaves: Leaves, leaf: Facts, value: Subschema | None, candidates: list[str]) -> Iterable[Leaves]:
        """That a member of one of these names is there."""
        ways: list[Leaves] = []
        for name in candidates:
            if value is not None:
                said = self.shapes.said(leaf.subschema, OBJECT, required=(name,), properties={name: value})
                ways += self._of_member(leaves, said, name, value)
            elif _requires(leaves, name):
                return ((),)
            else:
                ways.append((self.shapes.said(leaf.subschema, OBJECT, required=(name,)),))
        return ways


def _requires(leaves: Leaves, name: str) -> bool:
    return any(name in facts.required for facts in leaves)


def without_contained(conjunctions: list[Conjunction]) -> list[Conjunction]:
    """The alternatives that are not visibly contained in another: with the facts of another, and more, and no further types."""
    found: list[tuple[int, Leaves, frozenset[Facts]]] = []
    for types, leaves in sorted(conjunctions, key=lambda one: len(one[1])):
        said = frozenset(leaves)
        if not any(not types & ~other_types and other_said <= said for other_types, _, other_said in found):
            found.append((types, leaves, said))
    return [(types, leaves) for types, leaves, _ in found]
