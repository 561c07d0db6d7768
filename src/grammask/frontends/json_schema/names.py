"""What is known of the names of members: which of them a schema of names may meet, and which schemas all of those get.

Rule: an answer is exact or errs to the side that decides nothing: a name may match, not all do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grammask.errors import LimitError
from grammask.frontends.json_schema.complement import other_names
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.references import Subschema
from grammask.frontends.json_schema.strings import excluded_strings, has_string, have_common_string, language_of, matches, text_shape
from grammask.frontends.json_schema.values import STRING
from grammask.grammar.expression import Expression, Not, either

if TYPE_CHECKING:
    from grammask.frontends.json_schema.shapes import Conjunction
    from grammask.frontends.json_schema.validity import Validity

__all__ = ["Names"]


class Names:
    """Answers for one compile."""

    def __init__(self, validity: Validity, alternatives: Callable[[Subschema], list[Conjunction]]) -> None:
        self.validity, self.alternatives = validity, alternatives
        self.refuse, self.references = validity.refuse, validity.references

    def patterns(self, facts: Facts) -> list[Expression] | None:
        """The languages of patternProperties; None if one of them was left out."""
        found = [language_of(facts.subschema, "patternProperties", text, self.refuse) for text, _ in facts.patterns]
        return None if None in found else [language for language, _ in filter(None, found)]

    def schemas_for_all(self, leaves: tuple[Facts, ...], names: Subschema) -> list[Subschema]:
        """Schemas that visibly apply to every member whose name obeys a schema."""
        found: list[Subschema] = []
        for facts in leaves:
            found += [schema for text, schema in facts.patterns if names.value == {"pattern": text}]
            if facts.additional is not None:
                others = self.references.representative(other_names(facts, self.references))
                found += [facts.additional] if others is self.references.representative(names) else []
        return found

    def may_match(self, closed: Facts, names: Subschema) -> bool:
        """Whether a name that only patterns of a closed object allow may obey a schema."""
        if not closed.patterns:
            return False
        patterns = self.patterns(closed)
        return patterns is None or any(self._may_meet(patterns, one) for one in self._of_strings(names))

    def _may_meet(self, patterns: list[Expression], one: Conjunction) -> bool:
        finite = [facts for facts in one[1] if facts.literals is not None]
        if finite:
            return any(type(name) is str and any(matches(language, name) for language in patterns) for name in finite[0].literals or ())
        languages, minimum, maximum = text_shape(one[1], self.refuse)
        return any(has_string(((language, *languages), minimum, maximum)) for language in patterns)

    def all_match(self, closed: Facts, names: Subschema) -> bool:
        """Whether every name that a closed object allows provably obeys a schema."""
        patterns = self.patterns(closed)
        if patterns is None or not all(self.validity.valid(names, name) for name in closed.properties):
            return False
        return not patterns or any(self._holds(patterns, one) for one in self._of_strings(names))

    def _holds(self, patterns: list[Expression], one: Conjunction) -> bool:
        """Whether all strings of some languages are in one alternative."""
        if any(facts.literals is not None for facts in one[1]):
            return False
        languages, minimum, maximum = text_shape(one[1], self.refuse)
        excluded = excluded_strings(one[1])
        if minimum or maximum is not None or any(matches(language, name) for language in patterns for name in excluded):
            return False
        return not any(have_common_string((language, Not(inside))) for language in patterns for inside in languages)

    def _of_strings(self, names: Subschema) -> list[Conjunction]:
        return [(types & STRING, leaves) for types, leaves in self.alternatives(names) if types & STRING]

    def none_left(self, leaves: tuple[Facts, ...]) -> bool:
        """Whether provably no name is allowed: closed objects that have none in common."""
        closed = [facts for facts in leaves if facts.additional is not None and facts.additional.value is False]
        if not closed or any(self._is_allowed(closed, name) for facts in closed for name in facts.properties):
            return False
        patterns = [self.patterns(facts) for facts in closed]
        if any(found is None for found in patterns):
            return False
        try:
            return not all(patterns) or not have_common_string(tuple(either(*(found or [])) for found in patterns))
        except LimitError:
            return False

    def _is_allowed(self, closed: list[Facts], name: str) -> bool:
        return all(name in facts.properties or any(self.validity.name_matches(facts, text, name) for text, _ in facts.patterns) for facts in closed)
