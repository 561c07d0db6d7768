"""What unevaluatedProperties and unevaluatedItems say, by which of the schemas around them hold.

A schema with such a keyword is split into alternatives of which it is known what has been evaluated: members by name and pattern, items by
position and by `contains`. The keyword is then to each alternative what additionalProperties or items are to one schema: a leaf of its own.
That more schemas hold than an alternative asks for only means that more is evaluated. So branches of anyOf are taken together only where
more is evaluated together, and no branch needs to be excluded; under `not`, where the meaning turns round, each is either in or excluded.

Rule: what counts comes from inside the schema that holds the keyword, from branches that hold; never from under a `not`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grammask.frontends.json_schema.complement import own_complement
from grammask.frontends.json_schema.conjunctions import FEW, MAX_NEGATED, Conjunction, check_number, merged, own
from grammask.frontends.json_schema.keywords import UNEVALUATED, Facts, Group, read_facts
from grammask.frontends.json_schema.values import ARRAY, OBJECT

if TYPE_CHECKING:
    from grammask.frontends.json_schema.references import Subschema
    from grammask.frontends.json_schema.shapes import Shapes

__all__ = ["Evaluations"]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Which parts of a value some schemas evaluate: all members, or those of these names and patterns; all items, or the first and those for
    which one of `held` holds."""

    all_members: bool = False
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    all_items: bool = False
    n_items: int = 0
    held: frozenset[Subschema] = frozenset()

    def __or__(self, other: Evaluated) -> Evaluated:
        if self is other or other is NOTHING_EVALUATED:
            return self
        if self is NOTHING_EVALUATED:
            return other
        all_members, all_items = self.all_members or other.all_members, self.all_items or other.all_items
        return Evaluated(
            all_members,
            frozenset() if all_members else self.names | other.names,
            frozenset() if all_members else self.patterns | other.patterns,
            all_items,
            0 if all_items else max(self.n_items, other.n_items),
            frozenset() if all_items else self.held | other.held,
        )


NOTHING_EVALUATED = Evaluated()
ALL_MEMBERS, ALL_ITEMS = Evaluated(all_members=True), Evaluated(all_items=True)

# Values of these types for which the leaves hold, and what is evaluated of them at least.
Alternative = tuple[int, tuple[Facts, ...], Evaluated]


class Evaluations:
    """Works out alternatives with what they evaluate, for the schemas of one compile.

    Everywhere below, `exact` asks for what is evaluated at most too: then what does not hold is excluded.
    """

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.evaluating: dict[Subschema, bool] = {}
        self.leaves: dict[tuple[Subschema, str, Evaluated], Facts] = {}

    def alternatives(self, subschema: Subschema, facts: Facts) -> list[Conjunction]:
        """What a schema with unevaluated* allows. Raises LimitError if its branches can be combined in too many ways."""
        return merged([(types, leaves) for types, leaves, _ in self._all_of(subschema, facts, exact=False)], subschema)

    def violations(self, subschema: Subschema, group: Group) -> list[Conjunction]:
        """The values that break one unevaluated* of a schema, and others that the schema does not allow anyhow."""
        found: list[Conjunction] = []
        for types, leaves, evaluated in self._others(subschema, subschema.facts or read_facts(subschema, self.shapes.references), exact=True):
            leaf = self._leaf(subschema, group, evaluated)
            if leaf is not None:
                found += [(types & some, leaves + broken) for some, broken in own_complement(leaf, self.shapes) if types & some]
        check_number(len(found), subschema, MAX_NEGATED)
        return found

    # ---- one schema -------------------------------------------------------------------------------------------------
    def _of(self, subschema: Subschema, *, exact: bool) -> list[Alternative]:
        """A schema's alternatives, with what they evaluate."""
        if not self._is_evaluating(subschema):
            return _evaluating_nothing(self.shapes.alternatives(subschema))
        facts = subschema.facts or read_facts(subschema, self.shapes.references)
        return self.shapes.within(subschema, facts, lambda place, facts: self._all_of(place, facts, exact=exact))

    def _is_evaluating(self, subschema: Subschema) -> bool:
        """Whether anything in a schema, or in those that look at the same value, evaluates parts of it."""
        known = self.evaluating.get(subschema)
        if known is None:
            waiting, seen = [subschema], {subschema}
            while waiting and not known:
                place = waiting.pop()
                facts = place.facts or read_facts(place, self.shapes.references)
                known = facts.looks_around or _evaluated_by(facts) is not NOTHING_EVALUATED
                found = [inner for inner in _looking_at_the_same(facts) if inner not in seen]
                waiting += found
                seen.update(found)
            self.evaluating |= {subschema: True} if known else dict.fromkeys(seen, False)
        return bool(known)

    def _all_of(self, subschema: Subschema, facts: Facts, *, exact: bool) -> list[Alternative]:
        """The alternatives of a schema, its unevaluated* included."""
        found = self._others(subschema, facts, exact=exact)
        for group in facts.groups:
            if group.keyword in UNEVALUATED:
                everything = ALL_MEMBERS if group.keyword == "unevaluatedProperties" else ALL_ITEMS
                with_leaf = [(types, leaves, evaluated, self._leaf(subschema, group, evaluated)) for types, leaves, evaluated in found]
                found = [(types, leaves if leaf is None else (*leaves, leaf), evaluated | everything) for types, leaves, evaluated, leaf in with_leaf]
        return found

    def _others(self, subschema: Subschema, facts: Facts, *, exact: bool) -> list[Alternative]:
        """The alternatives of a schema without its unevaluated*."""
        found: list[Alternative] = [(*own(facts), _evaluated_by(facts))] if facts.types else []
        for inner in facts.also:
            found = self._times(found, self._of(inner, exact=exact), inner)
        if facts.condition is not None:
            branches = (facts.condition, *([self.shapes.references.negated(facts.condition)] if exact else []))
            with_it = [self._times(found, self._of(branch, exact=exact), branch) for branch in branches]
            found = [one for alternatives in with_it for one in alternatives] + ([] if exact else found)
        for group in facts.groups:
            if group.keyword not in UNEVALUATED:
                found = self._branched(found, group, subschema, exact=exact)
        return found

    def _leaf(self, subschema: Subschema, group: Group, evaluated: Evaluated) -> Facts | None:
        """What an unevaluated* says where so much is evaluated, as the facts of a schema; None if nothing is left over."""
        if evaluated.all_members if group.keyword == "unevaluatedProperties" else evaluated.all_items:
            return None
        key = subschema, group.keyword, evaluated
        leaf = self.leaves.get(key)
        if leaf is None:
            leaf = self.leaves[key] = Facts(subschema)
            anything = self.shapes.references.invented(subschema, (), True)
            if group.keyword == "unevaluatedProperties":
                leaf.constrained = OBJECT
                leaf.properties = dict.fromkeys(sorted(evaluated.names), anything)
                leaf.patterns = tuple((text, anything) for text in sorted(evaluated.patterns))
                leaf.additional = group.branches[0]
            else:
                leaf.constrained = ARRAY
                leaf.prefix = (anything,) * evaluated.n_items
                leaf.items = self._one_of(subschema, [group.branches[0], *sorted(evaluated.held, key=lambda schema: schema.pointer)])
        return leaf

    def _one_of(self, subschema: Subschema, schemas: list[Subschema]) -> Subschema:
        """A schema that allows what at least one of these allows."""
        if len(schemas) == 1:
            return schemas[0]
        either = self.shapes.references.invented(subschema, ("unevaluatedItems",), {"anyOf": [schema.value for schema in schemas]})
        either.representative = either
        either.facts = Facts(either)
        either.facts.groups = (Group("anyOf", tuple(schemas)),)
        return either

    # ---- branches ---------------------------------------------------------------------------------------------------
    def _branched(self, product: list[Alternative], group: Group, subschema: Subschema, *, exact: bool) -> list[Alternative]:
        if group.keyword == "anyOf":
            return self._exact_sets(product, group) if exact else [one for start in product for one in self._some(start, group)]
        if group.keyword == "oneOf":
            return self._exactly_one(product, group, exact=exact)
        self.shapes.negations.append((subschema, group.keyword))
        complement = _evaluating_nothing(self.shapes.complement(group.branches[0]))
        failing = self._narrowed(product, complement, subschema)
        if group.keyword == "not":
            return failing
        condition, then, otherwise = group.branches
        holding = self._narrowed(self._narrowed(product, self._of(condition, exact=exact), condition), self._of(then, exact=exact), then)
        return holding + self._narrowed(failing, self._of(otherwise, exact=exact), otherwise)

    def _some(self, start: Alternative, group: Group) -> list[Alternative]:
        """Each branch, and branches together where more is evaluated than by each alone."""
        found: list[Alternative] = []
        for branch in group.branches:
            alone = self._times([start], self._of(branch, exact=False), branch)
            pairs = ((one, other) for one in found for other in alone if (one[2] | other[2]) not in (one[2], other[2]))
            together = [both for one, other in pairs for both in self._times([one], [other], branch)]
            found += alone + self._possible(together)
            check_number(len(found), branch, MAX_NEGATED)
        return found

    def _exact_sets(self, product: list[Alternative], group: Group) -> list[Alternative]:
        """For each set of the branches that evaluate something: they hold, and none of the others does."""
        for branch in filter(self._is_evaluating, group.branches):
            failing = _evaluating_nothing(self.shapes.complement(branch))
            product = self._narrowed(product, self._of(branch, exact=True), branch) + self._narrowed(product, failing, branch)
            check_number(len(product), branch, MAX_NEGATED)
        return product

    def _exactly_one(self, product: list[Alternative], group: Group, *, exact: bool) -> list[Alternative]:
        """Each branch without what others allow too."""
        found: list[Alternative] = []
        for branch in group.branches:
            pieces = self._times(product, self._of(branch, exact=exact), branch)
            for other in group.branches:
                if other is not branch and self._may_overlap(pieces, self.shapes.alternatives(other)):
                    pieces = self._narrowed(pieces, _evaluating_nothing(self.shapes.complement(other)), other)
            found += pieces
        return found

    def _may_overlap(self, pieces: list[Alternative], others: list[Conjunction]) -> bool:
        return any(not self.shapes.disjoint(other, (types, leaves)) for other in others for types, leaves, _ in pieces)

    # ---- products ---------------------------------------------------------------------------------------------------
    def _times(self, left: list[Alternative], right: list[Alternative], place: Subschema) -> list[Alternative]:
        """Everything in both; what is evaluated by either is evaluated."""
        check_number(len(left) * len(right), place)
        found: dict[tuple[tuple[Facts, ...], Evaluated], int] = {}
        for types, leaves, evaluated in left:
            for other_types, other_leaves, other_evaluated in right:
                if both := types & other_types:
                    key = tuple(dict.fromkeys(leaves + other_leaves)), evaluated | other_evaluated
                    found[key] = found.get(key, 0) | both
        return [(types, leaves, evaluated) for (leaves, evaluated), types in found.items()]

    def _narrowed(self, left: list[Alternative], right: list[Alternative], place: Subschema) -> list[Alternative]:
        """The product without what is provably empty, where it would be large."""
        product = self._times(left, right, place)
        found = self._possible(product) if len(product) > FEW else product
        check_number(len(found), place, MAX_NEGATED)
        return found

    def _possible(self, alternatives: list[Alternative]) -> list[Alternative]:
        """Those that are not provably empty. Proofs themselves do without."""
        if self.shapes.level:
            return alternatives
        self.shapes.count_proofs(len(alternatives))
        return [(types, leaves, evaluated) for types, leaves, evaluated in alternatives if not self.shapes.disjoint((types, leaves), (types, ()))]


def _evaluating_nothing(conjunctions: Iterable[Conjunction]) -> list[Alternative]:
    return [(types, leaves, NOTHING_EVALUATED) for types, leaves in conjunctions]


def _evaluated_by(facts: Facts) -> Evaluated:
    """What a schema's own keywords evaluate, its unevaluated* apart unless they allow everything."""
    all_members = facts.additional is not None or bool(facts.evaluates & OBJECT)
    all_items = facts.items is not None or bool(facts.evaluates & ARRAY)
    found = Evaluated(
        all_members,
        frozenset() if all_members else frozenset(facts.properties),
        frozenset() if all_members else frozenset(text for text, _ in facts.patterns),
        all_items,
        0 if all_items else len(facts.prefix),
        frozenset() if all_items or facts.contained is None else frozenset({facts.contained}),
    )
    return NOTHING_EVALUATED if found == NOTHING_EVALUATED else found


def _looking_at_the_same(facts: Facts) -> Iterable[Subschema]:
    """The schemas whose evaluations count for the value that these facts are about."""
    yield from facts.also
    if facts.condition is not None:
        yield facts.condition
    for group in facts.groups:
        if group.keyword not in ("not", *UNEVALUATED):
            yield from group.branches
