"""What a schema allows, as alternatives of conjunctions of facts.

A *conjunction* is (types, leaves): values of these types for which all leaves hold, leaves being the facts of schema objects, their
references and branches already followed. A schema is a list of them, one of which must hold: allOf, references and keywords side by
side multiply, anyOf adds up. Contradictions in type are dropped at once, so that most schemas stay at one conjunction.
What a schema does not allow is such a list too: `not`, `if` and oneOf with branches that overlap are written with it.

Rule: the leaves hold the schemas inside arrays and objects by reference; nothing here goes into them but to find a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from grammask.errors import LimitError, SchemaError
from grammask.frontends.json_schema.complement import own_complement
from grammask.frontends.json_schema.conjunctions import FEW, MAX_ALTERNATIVES, MAX_NEGATED, Conjunction, check_number, merged, own
from grammask.frontends.json_schema.exclusion import without_contained
from grammask.frontends.json_schema.keywords import UNEVALUATED, Facts, Group, read_facts
from grammask.frontends.json_schema.references import References, Subschema
from grammask.frontends.json_schema.unevaluated import Evaluations
from grammask.frontends.json_schema.values import ALL, type_of

if TYPE_CHECKING:
    from grammask.frontends.json_schema.exclusion import Exclusion

__all__ = ["CircularProof", "Conjunction", "Shapes"]

Worked = TypeVar("Worked")

MANY = 64  # alternatives of anyOf and what stands beside it, of which it is worth while to find out which are possible
MAX_PROOFS = 5000
MAX_PAIRS = 200_000
MAX_DEPTH = 150  # of references and applicators at one value; each level costs three frames of Python's stack


class CircularProof(Exception):
    """A proof about a value inside came back to a schema that waits for the proof."""


class Shapes:
    """Works out alternatives, once per subschema.

    level: how many values deep a proof has gone in from the schema that needs it.
    disjoint: tells whether two conjunctions provably have no value in common. refuse: reports what cannot be enforced, or raises.
    negations: places where complements were written out, with the keyword: what a refusal names if all together is too much.
    made: the facts that no schema says but the complement of one. new_exclusion: makes what takes schemas away from alternatives.
    """

    def __init__(
        self,
        references: References,
        disjoint: Callable[[Conjunction, Conjunction], bool],
        refuse: Callable[[Subschema, str, str], None],
        new_exclusion: Callable[[], Exclusion],
    ) -> None:
        self.references, self.disjoint, self.refuse, self.new_exclusion = references, disjoint, refuse, new_exclusion
        self.depth = self.level = self.n_proofs = self.n_pairs = 0
        self.negations: list[tuple[Subschema, str]] = []
        self.negating: dict[Subschema, bool] = {}
        self.made: dict[Facts, None] = {}
        self.known_facts: dict[tuple[Hashable, ...], Facts] = {}

    @cached_property
    def exclusion(self) -> Exclusion:
        """Takes schemas away from alternatives."""
        return self.new_exclusion()

    @cached_property
    def evaluations(self) -> Evaluations:
        """Works out what unevaluated* leave."""
        return Evaluations(self)

    def alternatives(self, subschema: Subschema) -> list[Conjunction]:
        """What this schema allows. Raises SchemaError for a schema that refers back to itself, LimitError for a product that explodes."""
        known = subschema.alternatives
        if known is None:
            facts = subschema.facts or read_facts(subschema, self.references)
            is_simple = not facts.also and not facts.groups
            known = ([own(facts)] if facts.types else []) if is_simple else self.within(subschema, facts, self._applied)
            subschema.alternatives = known
        return known

    def complement(self, subschema: Subschema) -> list[Conjunction]:
        """What this schema does not allow. Raises as `alternatives` does."""
        known = subschema.complement
        if known is None:
            facts = subschema.facts or read_facts(subschema, self.references)
            known = subschema.complement = self.within(subschema, facts, self._not_applied)
        return known

    def together(self, subschemas: Iterable[Subschema]) -> list[Conjunction]:
        """What all of these schemas allow together."""
        product: list[Conjunction] | None = None
        for subschema in self._listed_once(subschemas):
            inner = self.alternatives(subschema)
            product = inner if product is None else self._product(product, inner, subschema)
        return product or []

    def _listed_once(self, subschemas: Iterable[Subschema]) -> list[Subschema]:
        """The same schemas, but with one "none of these values" for all: apart, two of them are four alternatives for numbers, and so on."""
        subschemas = list(subschemas)
        if len(subschemas) < 2:
            return subschemas
        values = {subschema: self._excluded_values(subschema) for subschema in subschemas}
        listing = [subschema for subschema in subschemas if values[subschema] is not None]
        if len(listing) < 2:
            return subschemas
        every = [value for subschema in listing for value in values[subschema] or ()]
        none_of_all = self.references.negated(self.references.representative(self.references.invented(listing[0], (), {"enum": every})))
        return [*(subschema for subschema in subschemas if values[subschema] is None), none_of_all]

    def _excluded_values(self, subschema: Subschema) -> list[Any] | None:
        """The values that a schema excludes if it excludes single values and nothing else."""
        negated = subschema.negation
        if negated is None or subschema.parent is not negated:  # not made by `References.negated`
            return None
        facts = negated.facts or read_facts(negated, self.references)
        if facts.literals is None or facts.constrained or facts.refusals or facts.also or facts.groups:
            return None
        return [value for value in facts.literals if type_of(value) & facts.types]

    def within_one(self, one: Conjunction, subschema: Subschema) -> list[Conjunction]:
        """What a schema allows within one conjunction."""
        return self._product([one], self.alternatives(subschema), subschema)

    def within(self, subschema: Subschema, facts: Facts, work: Callable[[Subschema, Facts], Worked]) -> Worked:
        """Work something out about a schema, unless that is what waits for it."""
        if subschema.pending is not None:
            if subschema.pending == self.level:
                raise SchemaError("this schema refers back to itself without going into a value", subschema.pointer)
            raise CircularProof
        if self.depth >= MAX_DEPTH:
            raise LimitError(f"references and applicators one inside another, at {subschema.pointer},", None, MAX_DEPTH)
        subschema.pending = self.level
        self.depth += 1
        try:
            return work(subschema, facts)
        finally:
            subschema.pending = None
            self.depth -= 1

    def _applied(self, subschema: Subschema, facts: Facts) -> list[Conjunction]:
        if facts.looks_around:
            try:
                return self.evaluations.alternatives(subschema, facts)
            except LimitError as error:
                for group in facts.groups:
                    if group.keyword in UNEVALUATED:
                        self.refuse(subschema, group.keyword, str(error))
        product = [own(facts)] if facts.types else []
        return self._applied_to(product, subschema, facts)

    def _applied_to(self, product: list[Conjunction], subschema: Subschema, facts: Facts) -> list[Conjunction]:
        """The product with what a schema's references and branches allow."""
        for inner in facts.also:
            product = self._with(product, inner)
            if len(product) > FEW and self.negations and not self.level:
                product = self._pruned(product)
        for group in facts.groups:
            product = self._branched(product, group, subschema)
        return product

    def _with(self, product: list[Conjunction], inner: Subschema) -> list[Conjunction]:
        """The product with what a schema allows: negations in it are written out knowing what the product says."""
        facts = inner.facts or read_facts(inner, self.references)
        if inner.alternatives is None and len(product) == 1 and product[0][1] and not facts.looks_around and self._is_negating(inner):
            start = self._product(product, [own(facts)], inner) if facts.types else []
            return self.within(inner, facts, lambda place, facts: self._applied_to(start, place, facts))
        return self._product(product, self.alternatives(inner), inner)

    def _is_negating(self, subschema: Subschema) -> bool:
        """Whether a schema, or one that must hold with it, has branches that are to exclude each other."""
        known = self.negating.get(subschema)
        if known is None:
            self.negating[subschema] = False  # for who comes back here
            facts = subschema.facts or read_facts(subschema, self.references)
            known = any(group.keyword in ("if", "not", "oneOf") for group in facts.groups) or any(map(self._is_negating, facts.also))
            self.negating[subschema] = known
        return known

    def _not_applied(self, subschema: Subschema, facts: Facts) -> list[Conjunction]:
        """By De Morgan: some own keyword does not hold, or some schema that must, or some group of branches."""
        found = own_complement(facts, self)
        for inner in facts.also:
            found += self.complement(inner)
        for group in facts.groups:
            found += self._not_branched(group, subschema)
        return merged(found, subschema)

    def _product(self, left: list[Conjunction], right: list[Conjunction], place: Subschema) -> list[Conjunction]:
        """Everything in both; conjunctions with the same leaves become one."""
        check_number(len(left) * len(right), place, MAX_NEGATED if self.level else MAX_ALTERNATIVES)
        if self.negations:
            self.n_pairs += len(left) * len(right)
            if self.n_pairs > MAX_PAIRS:
                raise LimitError("the alternatives that negated schemas were multiplied to", None, MAX_PAIRS, "simplify not, oneOf and if")
        merged: dict[tuple[Facts, ...], int] = {}
        for types, leaves in left:
            for other_types, other_leaves in right:
                if both := types & other_types:
                    joined = leaves if not other_leaves or leaves == other_leaves else tuple(dict.fromkeys(leaves + other_leaves))
                    merged[joined] = merged.get(joined, 0) | both
        return [(types, leaves) for leaves, types in merged.items()]

    def _narrowed(self, left: list[Conjunction], right: list[Conjunction], place: Subschema) -> list[Conjunction]:
        """The product without what is provably empty, where negations would make it large. Proofs themselves do without."""
        product = self._product(left, right, place)
        if len(product) > FEW and not self.level:
            product = self._pruned(product)
        check_number(len(product), place, MAX_NEGATED)
        return product

    def _without(self, product: list[Conjunction], branch: Subschema) -> list[Conjunction]:
        """What the product allows and the schema does not. Proofs do without proofs."""
        return self._product(product, self.complement(branch), branch) if self.level > 1 else self.exclusion.without(product, branch)

    def _pruned(self, product: list[Conjunction]) -> list[Conjunction]:
        """What is not provably empty: of many conditions on one member, say, all that ask for different values of it at once go."""
        self.count_proofs(len(product))
        return self._possible(product)

    def _possible(self, product: list[Conjunction]) -> list[Conjunction]:
        return [one for one in product if not self.disjoint(one, (one[0], ()))]

    def count_proofs(self, number: int) -> None:
        """Raise LimitError when more proofs have been asked for than a schema may need."""
        self.n_proofs += number
        if self.n_proofs > MAX_PROOFS:
            raise LimitError("the proofs that negated schemas need", None, MAX_PROOFS, "simplify not, oneOf and if")

    def said(self, subschema: Subschema, types: int, **said: Any) -> Facts:
        """Facts that no schema says but its complement: of values of these types, that much. The same facts are one."""
        same = self.references.representative
        if "properties" in said:
            said["properties"] = {name: same(inner) for name, inner in said["properties"].items()}
        for keyword in ("prefix", "some_names"):
            if keyword in said:
                said[keyword] = tuple(map(same, said[keyword]))
        if "some_member" in said:
            names, value, keyword = said["some_member"]
            said["some_member"] = same(names), same(value), keyword
        key = types, *((name, tuple(value.items() if type(value) is dict else value) if type(value) in (dict, list) else value) for name, value in said.items())
        facts = self.known_facts.get(key)
        if facts is None:
            facts = self.known_facts[key] = Facts(subschema)
            facts.types = facts.constrained = types
            vars(facts).update(said)
            self.made[facts] = None
        return facts

    def _branched(self, product: list[Conjunction], group: Group, subschema: Subschema) -> list[Conjunction]:
        """The product with what the branches of a group allow together."""
        if group.keyword == "anyOf":
            found = merged([one for branch in group.branches for one in self._product(product, self.alternatives(branch), branch)], subschema)
            return found if len(found) <= MANY or self.level else without_contained(self._possible(found))
        if group.keyword in UNEVALUATED:  # refused, and left out
            return product
        try:
            if group.keyword == "oneOf":
                return merged(self._exactly_one(product, group, subschema), subschema)
            self.negations.append((subschema, group.keyword))
            if group.keyword == "not":
                return self._without(product, group.branches[0])
            return self._conditional(product, group, subschema)
        except LimitError as error:
            self.refuse(subschema, group.keyword, str(error))
            return product

    def _exactly_one(self, product: list[Conjunction], group: Group, subschema: Subschema) -> list[Conjunction]:
        """Each branch without what others allow too; branches that provably have nothing in common need no such care."""
        branches = [self._product(product, self.alternatives(branch), branch) for branch in group.branches]
        overlapping: dict[tuple[int, int], dict[int, None]] = {}
        for index, branch in enumerate(branches):
            for other_index in range(index):
                for number, one in enumerate(branch):
                    for other_number, other in enumerate(branches[other_index]):
                        if not self.disjoint(other, one):
                            overlapping.setdefault((index, number), {})[other_index] = None
                            overlapping.setdefault((other_index, other_number), {})[index] = None
        if overlapping:
            self.negations.append((subschema, "oneOf"))
        found: list[Conjunction] = []
        for index, branch in enumerate(branches):
            for number, one in enumerate(branch):
                pieces = [one]
                for other_index in overlapping.get((index, number), ()):
                    pieces = self._without(pieces, group.branches[other_index])
                found += pieces
        return found

    def _conditional(self, product: list[Conjunction], group: Group, subschema: Subschema) -> list[Conjunction]:
        """Where the condition holds what follows from it, and where it does not the other."""
        condition, then, otherwise = group.branches
        holding = self._narrowed(self._narrowed(product, self.alternatives(condition), condition), self.alternatives(then), then)
        failing = self._narrowed(self._without(product, condition), self.alternatives(otherwise), otherwise)
        return merged(holding + failing, subschema)

    def _not_branched(self, group: Group, subschema: Subschema) -> list[Conjunction]:
        """What the branches of a group do not allow together."""
        branches = group.branches
        if group.keyword == "not":
            return self.alternatives(branches[0])
        if group.keyword in UNEVALUATED:
            return self.evaluations.violations(subschema, group)
        if group.keyword == "if":
            condition, then, otherwise = branches
            holding = self._narrowed(self.alternatives(condition), self.complement(then), subschema)
            return holding + self._narrowed(self.complement(condition), self.complement(otherwise), subschema)
        found: list[Conjunction] = [(ALL, ())]
        for branch in branches:
            found = self._without(found, branch)
        if group.keyword == "oneOf":
            for one, other in combinations(branches, 2):
                found += self._narrowed(self.alternatives(one), self.alternatives(other), subschema)
        return found
