"""Whether a given value is valid: for the values of enum and const, whose other constraints are checked while compiling.

Rule: exact, on int and Decimal; what cannot be decided here is refused by name, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from grammask.errors import LimitError
from grammask.frontends.json_schema.keywords import UNEVALUATED, Facts, Group, read_facts
from grammask.frontends.json_schema.references import References, Subschema
from grammask.frontends.json_schema.strings import language_of, matches
from grammask.frontends.json_schema.values import ARRAY, NUMBER, OBJECT, STRING, equality_key, type_of

__all__ = ["Validity"]

MAX_DEPTH = 60  # of values in enum and const, and of references at one value


class Validity:
    """Decides membership of single values. refuse: reports what cannot be enforced, or raises."""

    def __init__(self, references: References, refuse: Callable[[Subschema, str, str], None]) -> None:
        self.references, self.refuse = references, refuse
        self.depth = 0
        self.known: dict[tuple[Subschema, int], bool] | None = None  # by id of the value, while unevaluated* look at it again and again
        self.literal_keys: dict[Facts, frozenset[Any]] = {}
        self.checks: dict[int, Callable[[Facts, Any], bool]] = {STRING: self._string, ARRAY: self._array, OBJECT: self._object}

    def valid(self, subschema: Subschema, value: Any) -> bool:
        """Whether a value is valid under a schema."""
        known = self.known
        if known is not None and (subschema, id(value)) in known:
            return known[subschema, id(value)]
        is_valid = self._worked_out(subschema, value)
        if known is not None:
            known[subschema, id(value)] = is_valid
        return is_valid

    def _worked_out(self, subschema: Subschema, value: Any) -> bool:
        if self.depth > MAX_DEPTH:
            raise LimitError(f"the nesting of a value in enum or const, checked at {subschema.pointer},", None, MAX_DEPTH)
        self.depth += 1
        try:
            facts = subschema.facts or read_facts(subschema, self.references)
            return self.holds(facts, value) and all(self.valid(inner, value) for inner in facts.also) and self._branches_hold(facts, value)
        finally:
            self.depth -= 1

    def _branches_hold(self, facts: Facts, value: Any) -> bool:
        for group in facts.groups:
            branches = group.branches
            if group.keyword in UNEVALUATED:
                is_valid = self._others_hold(facts, group, value)
            elif group.keyword == "if":
                is_valid = self.valid(branches[1] if self.valid(branches[0], value) else branches[2], value)
            else:
                count = sum(self.valid(branch, value) for branch in branches)
                is_valid = count == 0 if group.keyword == "not" else count == 1 if group.keyword == "oneOf" else count > 0
            if not is_valid:
                return False
        return True

    def _others_hold(self, facts: Facts, group: Group, value: Any) -> bool:
        """Whether the schema of an unevaluated* holds for all parts that nothing evaluates."""
        parts: Any = {}
        if type(value) is dict and group.keyword == "unevaluatedProperties":
            parts = value
        elif type(value) is list and group.keyword == "unevaluatedItems":
            parts = dict(enumerate(value))
        is_outermost = self.known is None
        if is_outermost:
            self.known = {}
        try:
            evaluated = self._evaluated(facts, value) if parts else set()
            return all(place in evaluated or self.valid(group.branches[0], part) for place, part in parts.items())
        finally:
            if is_outermost:
                self.known = None

    def _evaluated(self, facts: Facts, value: Any) -> set[str | int]:
        """The names of members or the positions of items that are evaluated by a schema that holds, its unevaluated* apart."""
        found = self._own_evaluated(facts, value)
        branches = list(facts.also) if facts.condition is None else [*facts.also, facts.condition]
        for group in facts.groups:
            if group.keyword == "if":
                branches += [group.branches[0], group.branches[1]] if self.valid(group.branches[0], value) else [group.branches[2]]
            elif group.keyword in ("anyOf", "oneOf"):
                branches += group.branches
        for branch in branches:
            if self.valid(branch, value):
                inner = branch.facts or read_facts(branch, self.references)
                is_all = any(group.keyword == ("unevaluatedProperties" if type(value) is dict else "unevaluatedItems") for group in inner.groups)
                found |= set(value if type(value) is dict else range(len(value))) if is_all else self._evaluated(inner, value)
        return found

    def _own_evaluated(self, facts: Facts, value: Any) -> set[str | int]:
        """What a schema's own keywords evaluate."""
        if type(value) is list:
            if facts.items is not None or facts.evaluates & ARRAY:
                return set(range(len(value)))
            held = [] if facts.contained is None else [place for place, part in enumerate(value) if self.valid(facts.contained, part)]
            return {*range(min(len(facts.prefix), len(value))), *held}
        if facts.additional is not None or facts.evaluates & OBJECT:
            return set(value)
        return {name for name in value if name in facts.properties or any(self.name_matches(facts, text, name) for text, _ in facts.patterns)}

    def holds(self, facts: Facts, value: Any) -> bool:
        """Whether a value obeys a schema's own keywords, references and branches apart."""
        bit = type_of(value)
        if not facts.types & bit:
            return False
        if facts.literals is not None and equality_key(value) not in self._literal_keys(facts):
            return False
        for refusal in facts.refusals:
            if refusal.types & bit:
                self.refuse(facts.subschema, refusal.keyword, refusal.reason)
        if not facts.constrained & bit:
            return True
        return _number_holds(facts, value) if bit & NUMBER else self.checks[bit](facts, value)

    def _literal_keys(self, facts: Facts) -> frozenset[Any]:
        keys = self.literal_keys.get(facts)
        if keys is None:
            keys = self.literal_keys[facts] = frozenset(map(equality_key, facts.literals or ()))
        return keys

    def _string(self, facts: Facts, value: str) -> bool:
        if not facts.min_length <= len(value) or (facts.max_length is not None and len(value) > facts.max_length):
            return False
        if value in facts.excluded:
            return False
        for keyword, text in facts.languages:
            found = language_of(facts.subschema, keyword, text, self.refuse)
            if found is not None and not (matches(found[0], value) and (found[1] is None or len(value) <= found[1])):
                return False
        return True

    def _array(self, facts: Facts, value: list[Any]) -> bool:
        if not facts.min_items <= len(value) or (facts.max_items is not None and len(value) > facts.max_items):
            return False
        if facts.unique and len(set(map(equality_key, value))) < len(value):
            return False
        for contains in facts.contains:
            count = sum(self.valid(contains.schema, part) for part in value[contains.start :])
            if count < contains.least or (contains.most is not None and count > contains.most):
                return False
        rest = [] if facts.items is None else [facts.items] * (len(value) - len(facts.prefix))
        return all(map(self.valid, [*facts.prefix, *rest], value))

    def _object(self, facts: Facts, value: dict[str, Any]) -> bool:
        if not facts.min_properties <= len(value) or (facts.max_properties is not None and len(value) > facts.max_properties):
            return False
        if any(name not in value for name in facts.required):
            return False
        if facts.names is not None and not all(self.valid(facts.names, name) for name in value):
            return False
        if not all(any(self.valid(names, name) for name in value) for names in facts.some_names):
            return False
        if facts.some_member is not None and not any(
            self.valid(facts.some_member[0], name) and self.valid(facts.some_member[1], value[name]) for name in value
        ):
            return False
        return all(self.valid(schema, part) for name, part in value.items() for schema in self.schemas_for(facts, name))

    def name_matches(self, facts: Facts, pattern: str, name: str) -> bool:
        """Whether a pattern of patternProperties matches a name."""
        found = language_of(facts.subschema, "patternProperties", pattern, self.refuse)
        return found is not None and matches(found[0], name)

    def schemas_for(self, facts: Facts, name: str) -> list[Subschema]:
        """The schemas that one schema's own keywords apply to a member of this name."""
        found = [facts.properties[name]] if name in facts.properties else []
        for text, schema in facts.patterns:
            if self.name_matches(facts, text, name):
                found.append(schema)
        return found or ([] if facts.additional is None else [facts.additional])


def _number_holds(facts: Facts, value: int | Decimal) -> bool:
    if facts.low is not None and (value < facts.low or (value == facts.low and facts.low_open)):
        return False
    if facts.high is not None and (value > facts.high or (value == facts.high and facts.high_open)):
        return False
    return all(is_multiple(value, divisor) for divisor in facts.multiples) and not any(is_multiple(value, divisor) for divisor in facts.not_multiples)


def is_multiple(value: int | Decimal, divisor: int | Decimal) -> bool:
    """Whether a number is an integral multiple of another, exactly."""
    from fractions import Fraction

    return (Fraction(value) / Fraction(divisor)).denominator == 1
