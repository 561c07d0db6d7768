"""What one schema object does not allow by its own keywords, as alternatives: what `not` leaves, type by type and keyword by keyword.

By De Morgan each keyword gives its own alternatives, which need not exclude each other. Inside arrays and objects the schemas are negated by
reference and worked out only if somebody comes there.

Rule: exact, or a refusal by keyword. Facts that are made here are never negated again: that is what the schema itself is for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from grammask.frontends.json_schema.formats import format_at_most
from grammask.frontends.json_schema.keywords import Contains, Facts, Refusal, read_facts
from grammask.frontends.json_schema.values import ALL, ARRAY, BOOLEAN, NUMBER, OBJECT, STRING, type_of

if TYPE_CHECKING:
    from grammask.frontends.json_schema.references import References, Subschema
    from grammask.frontends.json_schema.shapes import Conjunction, Shapes

__all__ = ["other_names", "own_complement"]


def own_complement(facts: Facts, shapes: Shapes) -> list[Conjunction]:
    """The values that a schema's own keywords exclude, its references and branches apart."""
    return list(_Complement(facts, shapes).alternatives())


class _Complement:
    def __init__(self, facts: Facts, shapes: Shapes) -> None:
        self.facts, self.shapes = facts, shapes
        self.references: References = shapes.references
        self.negated = self.references.negated

    def alternatives(self) -> Iterator[Conjunction]:
        facts = self.facts
        if facts.types != ALL:
            yield ALL & ~facts.types, ()
        if facts.literals is not None:
            yield from self._other_values(facts.literals)
        said = facts.constrained & facts.types
        for types, parts in ((NUMBER, self._numbers), (STRING, self._strings), (ARRAY, self._arrays), (OBJECT, self._objects)):
            if said & types:
                yield from parts(facts.types & types)
        for refusal in facts.refusals:
            if refusal.types & facts.types:
                yield self._refused(refusal.types & facts.types, refusal.keyword, refusal.reason)

    def _said(self, types: int, **said: Any) -> Conjunction:
        """The values of these types of which that much is said."""
        return types, (self.shapes.said(self.facts.subschema, types, **said),)

    def _refused(self, types: int, keyword: str, reason: str) -> Conjunction:
        return self._said(types, constrained=0, refusals=(Refusal(types, keyword, reason),))

    def _invented(self, value: Any) -> Subschema:
        return self.references.invented(self.facts.subschema, (), value)

    # ---- enum and const ---------------------------------------------------------------------------------------------
    def _other_values(self, values: list[Any]) -> Iterator[Conjunction]:
        by_type: dict[int, list[Any]] = {}
        for value in values:
            bit = type_of(value)
            by_type.setdefault(NUMBER if bit & NUMBER else bit, []).append(value)
        types = self.facts.types
        if others := types & ~sum(by_type):
            yield others, ()
        for bit, listed in by_type.items():
            if bit & types:
                yield from self._others_of_type(bit & types, listed)

    def _others_of_type(self, types: int, listed: list[Any]) -> Iterator[Conjunction]:
        if types == BOOLEAN and len(set(listed)) == 1:
            yield self._said(BOOLEAN, constrained=0, literals=[not listed[0]])
        elif types == STRING:
            yield self._said(STRING, excluded=frozenset(listed))
        elif types & NUMBER:
            for low, high in pairwise([None, *sorted(set(listed)), None]):
                yield self._said(types, low=low, low_open=True, high=high, high_open=True)
        elif types & (ARRAY | OBJECT):
            if len(listed) > 1:
                kind = "array" if types == ARRAY else "object"
                yield from self.shapes.alternatives(self._invented({"type": kind, "allOf": [{"not": {"enum": [value]}} for value in listed]}))
            else:
                yield from self._other_arrays(listed[0]) if types == ARRAY else self._other_objects(listed[0])

    def _other_item(self, value: Any) -> Subschema:
        return self._invented({"not": {"enum": [value]}})

    def _other_arrays(self, value: list[Any]) -> Iterator[Conjunction]:
        length = len(value)
        if length:
            yield self._said(ARRAY, max_items=length - 1)
        yield self._said(ARRAY, min_items=length + 1)
        anything = self._invented(True)
        for position, part in enumerate(value):
            yield self._said(ARRAY, min_items=length, max_items=length, prefix=(*(anything,) * position, self._other_item(part)))

    def _other_objects(self, value: dict[str, Any]) -> Iterator[Conjunction]:
        nothing = self._invented(False)
        for name, part in value.items():
            yield self._said(OBJECT, properties={name: nothing})
            yield self._said(OBJECT, required=(name,), properties={name: self._other_item(part)})
        yield self._said(OBJECT, required=tuple(value), min_properties=len(value) + 1)

    # ---- by type ----------------------------------------------------------------------------------------------------
    def _numbers(self, types: int) -> Iterator[Conjunction]:
        facts = self.facts
        if facts.low is not None:
            yield self._said(types, high=facts.low, high_open=not facts.low_open)
        if facts.high is not None:
            yield self._said(types, low=facts.high, low_open=not facts.high_open)
        for divisor in facts.multiples:
            yield self._said(types, not_multiples=(divisor,))

    def _strings(self, types: int) -> Iterator[Conjunction]:
        facts = self.facts
        if facts.min_length:
            yield self._said(types, max_length=facts.min_length - 1)
        if facts.max_length is not None:
            yield self._said(types, min_length=facts.max_length + 1)
        for keyword, text in facts.languages:
            widest = format_at_most(text) if keyword == "format" else None
            if keyword == "format" and widest is None:
                yield self._refused(types, "format", f"some strings of {text!r} are left out, so what is none of them is not known")
                continue
            yield self._said(types, languages=((f"not {keyword}", text),))
            if widest is not None and widest.max_length is not None:
                yield self._said(types, min_length=widest.max_length + 1)

    def _arrays(self, types: int) -> Iterator[Conjunction]:
        facts = self.facts
        if facts.min_items:
            yield self._said(types, max_items=facts.min_items - 1)
        if facts.max_items is not None:
            yield self._said(types, min_items=facts.max_items + 1)
        anything = self._invented(True)
        for position, schema in enumerate(facts.prefix):
            if not self._allows_all(schema):
                yield self._said(types, prefix=(*(anything,) * position, self.negated(schema)), min_items=position + 1)
        if facts.items is not None and not self._allows_all(facts.items):
            start = len(facts.prefix)
            if facts.items.value is False:
                yield self._said(types, min_items=start + 1)
            else:
                yield self._said(types, contains=(Contains(start, self.negated(facts.items), 1, None),))
        for contains in facts.contains:
            if contains.least:
                yield self._said(types, **self._at_most(contains, contains.least - 1))
            if contains.most is not None:
                yield self._said(types, contains=(Contains(contains.start, contains.schema, contains.most + 1, None),))
        if facts.unique:
            yield self._refused(types, "uniqueItems", "arrays with two equal items are not implemented")

    def _at_most(self, contains: Contains, most: int) -> dict[str, Any]:
        if most:
            return {"contains": (Contains(contains.start, contains.schema, 0, most),)}
        return {"prefix": (self._invented(True),) * contains.start, "items": self.negated(contains.schema)}

    def _objects(self, types: int) -> Iterator[Conjunction]:
        facts = self.facts
        nothing = self._invented(False)
        for name in facts.required:
            schema = facts.properties.get(name)
            is_open = schema is None or self._allows_all(schema)
            yield self._said(types, properties={name: nothing if schema is None or is_open else self.negated(schema)})
        if facts.min_properties:
            yield self._said(types, max_properties=facts.min_properties - 1)
        if facts.max_properties is not None:
            yield self._said(types, min_properties=facts.max_properties + 1)
        for name, schema in facts.properties.items():
            if name not in facts.required and not self._allows_all(schema):
                yield self._said(types, required=(name,), properties={name: self.negated(schema)})
        if facts.names is not None and not self._allows_all(facts.names):
            yield self._said(types, some_names=(self.negated(facts.names),))
        for text, schema in facts.patterns:
            yield from self._some_member(types, "patternProperties", schema, lambda text=text: self._invented({"pattern": text}))
        if facts.additional is not None:
            yield from self._some_member(types, "additionalProperties", facts.additional, self._other_names)

    def _some_member(self, types: int, keyword: str, schema: Subschema, names: Any) -> Iterator[Conjunction]:
        """Objects with a member of such a name for which the schema does not hold."""
        if schema.value is False:
            yield self._said(types, some_names=(names(),))
        elif not self._allows_all(schema):
            yield self._said(types, some_member=(names(), self.negated(schema), keyword))

    def _other_names(self) -> Subschema:
        return other_names(self.facts, self.references)

    def _allows_all(self, schema: Subschema) -> bool:
        """Whether a schema visibly says nothing."""
        facts = schema.facts or read_facts(schema, self.references)
        return facts.types == ALL and not (facts.constrained or facts.refusals or facts.also or facts.groups) and facts.literals is None


def other_names(facts: Facts, references: References) -> Subschema:
    """The schema of the names that neither properties nor patternProperties of a schema mention."""
    others: list[Any] = [{"enum": list(facts.properties)}, *({"pattern": text} for text, _ in facts.patterns)]
    names = references.invented(facts.subschema, (), {"type": "string", "not": {"anyOf": others}})
    names.facts = Facts(names)
    names.facts.types = names.facts.constrained = STRING
    names.facts.excluded = frozenset(facts.properties)
    names.facts.languages = tuple(("not pattern", text) for text, _ in facts.patterns)
    return names
