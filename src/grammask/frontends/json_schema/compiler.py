"""From a schema to an expression: the alternatives of each schema, spelled type by type.

Objects and arrays are rules of their own, filled from a list of what is still to do, so nesting costs no stack and recursion needs no care.
The same leaves give the same rule wherever they meet, so a definition that is referred to a hundred times is one rule.

Rule: this module decides what is called and what is written out; how each type is spelled is in objects, arrays, numbers and strings.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from grammask.errors import EmptyLanguageError, GrammaskError, LimitError, UnsupportedFeatureError
from grammask.frontends.json_schema.arrays import array_expression
from grammask.frontends.json_schema.emptiness import Emptiness
from grammask.frontends.json_schema.exclusion import Exclusion
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.layout import layout_for
from grammask.frontends.json_schema.literals import literal_expressions
from grammask.frontends.json_schema.numbers import number_expression, range_of
from grammask.frontends.json_schema.objects import object_expression
from grammask.frontends.json_schema.options import JsonSchemaOptions
from grammask.frontends.json_schema.postponed import AT_ONCE, Postponed
from grammask.frontends.json_schema.references import References, ScopesNeeded, Subschema
from grammask.frontends.json_schema.shapes import Conjunction, Shapes
from grammask.frontends.json_schema.strings import TextShape, excluded_strings, is_small, string_expression, text_shape
from grammask.frontends.json_schema.validity import Validity
from grammask.frontends.json_schema.values import ARRAY, NUMBER, OBJECT, STRING
from grammask.grammar.expression import NOTHING, Alt, Expression, Literal, Ref, Rule, either

__all__ = ["Compiler", "compiled"]

MAX_RULES = 50_000
MANY_LANGUAGES = 3  # of one string, and their common automaton may be too large

Leaves = tuple[Facts, ...]
Build = Callable[["Compiler", Leaves], Expression]

BUILDERS: dict[int, Build] = {ARRAY: array_expression, OBJECT: object_expression}


def compiled(schema: Any, options: JsonSchemaOptions) -> tuple[References, Expression]:
    """The places of a schema, and its expression. Raises what `Compiler.compile` raises."""
    references = References(schema, options)
    try:
        return references, Compiler(references, options).compile()
    except ScopesNeeded:
        references = References(schema, options, scoped=True)
        return references, Compiler(references, options).compile()


class Compiler:
    """One compile."""

    def __init__(self, references: References, options: JsonSchemaOptions, *, may_postpone: bool = True) -> None:
        self.references, self.options = references, options
        self.digit_literals = options.integers == "digits"
        self.only_digits = self.digit_literals or references.root.resource.draft.spelled_integers
        self.layout = layout_for(options.whitespace, only_digits=self.only_digits, tells_names=options.repeated_names == "forbid")
        self.shapes = Shapes(references, self._disjoint, self.refuse, self._new_exclusion)
        self.rules: dict[tuple[int, tuple[Leaves, ...]], Ref] = {}
        self.combined: dict[tuple[Subschema, ...], Expression] = {}
        self.alone: dict[Conjunction, Expression] = {}
        self.waiting: deque[tuple[Rule, Build, tuple[Leaves, ...]]] = deque()
        self.postponed: Postponed | None = None
        self.at_once = AT_ONCE if may_postpone else MAX_RULES
        self.is_limited = True  # while everybody can be told

    # What few schemas need is made when one does.
    @cached_property
    def validity(self) -> Validity:
        """Tells whether single values are valid."""
        return Validity(self.references, self.refuse)

    @cached_property
    def emptiness(self) -> Emptiness:
        """Looks for proofs that nothing is valid."""
        return Emptiness(self.validity, self.shapes)

    def _disjoint(self, one: Conjunction, other: Conjunction) -> bool:
        return self.emptiness.disjoint(one, other)

    def _new_exclusion(self) -> Exclusion:
        return Exclusion(self.shapes, self.emptiness)

    def refuse(self, subschema: Subschema, keyword: str, reason: str) -> None:
        """Say that a keyword cannot be enforced: raise UnsupportedFeatureError, or note it if the caller asked for that."""
        pointer = f"{subschema.pointer}/{keyword}"
        if self.options.unsupported == "refuse":
            raise UnsupportedFeatureError(keyword, reason, pointer=pointer, hint='unsupported="report" leaves it out')
        self.references.relaxed[pointer] = f"left out, so that more is allowed: {reason}"

    def refuse_all(self, types: int, leaves: Leaves) -> None:
        """Refuse every keyword of the leaves that says something about these types and that shapes cannot express."""
        for facts in leaves:
            for refusal in facts.refusals:
                if refusal.types & types:
                    self.refuse(facts.subschema, refusal.keyword, refusal.reason)

    def compile(self) -> Expression:
        """The expression of the root schema. Raises EmptyLanguageError if its own keywords contradict each other."""
        root = self.references.root
        expression = self.finished((root,))
        self.is_limited = False
        if expression is NOTHING:
            raise EmptyLanguageError(root.pointer, "the keywords of the schema exclude each other")
        return expression

    def finished(self, subschemas: Sequence[Subschema]) -> Expression:
        """The expression of all values that these schemas allow, with all rules it needs filled."""
        expression = self.value_of_all(subschemas)
        self.fill()
        return expression

    def fill(self) -> None:
        """Fill the rules that were asked for, and those that they ask for, level by level."""
        waiting = self.waiting
        while waiting:
            rule, build, alternatives = waiting.popleft()
            bodies = [build(self, leaves) for leaves in alternatives]
            rule.body = bodies[0] if len(bodies) == 1 else either(*bodies)

    def _filled_later(self, build: Build, leaves: Leaves) -> Expression:
        """The body of a rule that was postponed, for whoever comes to it; one thread at a time."""
        with self.references.late:
            body = build(self, leaves)
            self.fill()
            return body

    def later(self, build: Callable[[Compiler], Expression]) -> Expression:
        """What `build` makes in a compile of the same schema that has seen nothing yet, with its rules filled: for what is asked of a grammar in use.

        What is known of the schema's places is shared, so one thread at a time builds.
        """
        with self.references.late:
            fresh = Compiler(self.references, self.options, may_postpone=False)
            expression = build(fresh)
            fresh.fill()
            return expression

    def value(self, subschema: Subschema) -> Expression:
        """All values that one schema allows."""
        expression = subschema.expression
        if expression is None:
            schema = subschema.value
            if type(schema) is dict and subschema.resource.draft.beyond_type.isdisjoint(schema) and type(name := schema.get("type")) is str:
                expression = subschema.expression = self.layout.by_name.get(name)  # it says no more than the name of a type
        if expression is None:
            try:
                conjunctions = self.shapes.alternatives(subschema)
            except LimitError as error:
                raise self._named(error) from None
            expression = subschema.expression = self.spelled(conjunctions)
        return expression

    def value_of_all(self, subschemas: Sequence[Subschema]) -> Expression:
        """All values that every one of these schemas allows; any value if there are none."""
        if len(subschemas) == 1:
            return self.value(subschemas[0])
        if not subschemas:
            return self.layout.value
        key = tuple(dict.fromkeys(subschemas))
        expression = self.combined.get(key)
        if expression is None:
            try:
                conjunctions = self.shapes.together(key)
            except LimitError as error:
                raise self._named(error) from None
            expression = self.combined[key] = self.spelled(conjunctions)
        return expression

    def _named(self, error: LimitError) -> GrammaskError:
        """Alternatives that are too many because of a negation are a refusal of that."""
        if not self.shapes.negations:
            return error
        place, keyword = self.shapes.negations[-1]
        return UnsupportedFeatureError(keyword, str(error), pointer=f"{place.pointer}/{keyword}", hint="simplify it")

    def spelled(self, conjunctions: list[Conjunction]) -> Expression:
        """All values of some alternatives: whole types first, then what is left of the others."""
        if len(conjunctions) == 1:
            types, leaves = conjunctions[0]
            if not leaves:
                return self.layout.of_types(types)
            if types in BUILDERS and len(leaves) == 1 and leaves[0].is_plain(types):
                return self._rule(types, (leaves,))
            expression = self.alone.get(conjunctions[0])
            if expression is None:
                expression = self.alone[conjunctions[0]] = self._written_out(conjunctions)
            return expression
        return self._written_out(conjunctions)

    def _written_out(self, conjunctions: list[Conjunction]) -> Expression:
        whole, narrowed = self._split(conjunctions)
        parts: list[Expression] = []
        if whole:
            every = self.layout.of_types(whole)
            parts += every.parts if isinstance(every, Alt) else (every,)
            narrowed = [(_beyond(types, whole), leaves) for types, leaves in narrowed if types & ~whole]
        nested: dict[int, dict[Leaves, None]] = {}
        literal = Literal.once if len(narrowed) == 1 else Literal
        for types, leaves in narrowed:
            if _is_finite(leaves):
                parts += literal_expressions(self, types, leaves, literal)
                continue
            self._scalars(types, leaves, parts)
            for bit in BUILDERS:
                if types & bit:
                    nested.setdefault(bit, {})[_saying(leaves, bit)] = None
        parts += [self._rule(bit, tuple(nested[bit])) for bit in BUILDERS if bit in nested]
        return either(*parts)

    def _split(self, conjunctions: list[Conjunction]) -> tuple[int, list[Conjunction]]:
        """The types of which every value is allowed, and the alternatives that say more of others."""
        whole = 0
        narrowed: list[Conjunction] = []
        for types, leaves in conjunctions:
            constrained = self._constrained(types, leaves)
            whole |= types & ~constrained
            if types & constrained:
                narrowed.append((types & constrained, leaves))
        return whole, narrowed

    def _constrained(self, types: int, leaves: Leaves) -> int:
        """The types of which the leaves say more; refuses what they say and shapes cannot express."""
        constrained, has_refusals = 0, False
        for facts in leaves:
            constrained |= facts.constrained if facts.literals is None else types
            has_refusals |= bool(facts.refusals)
        if has_refusals and not _is_finite(leaves):
            self.refuse_all(types, leaves)
        return constrained

    def _scalars(self, types: int, leaves: Leaves, parts: list[Expression]) -> None:
        """Numbers and strings of one alternative."""
        if types & NUMBER:
            parts.append(self._numbers(leaves, types))
        if types & STRING:
            saying = _saying(leaves, STRING)
            shape = text_shape(saying, self.refuse)
            if len(shape[0]) > MANY_LANGUAGES or any(keyword.startswith("not ") for facts in saying for keyword, _ in facts.languages):
                shape = self._of_bounded_size(saying, shape)
            parts.append(string_expression(shape, excluded_strings(saying)))

    def _of_bounded_size(self, leaves: Leaves, shape: TextShape) -> TextShape:
        """The same shape; refuses its last pattern if the automaton of all together would be too large."""
        if is_small(shape):
            return shape
        facts = next(facts for facts in reversed(leaves) if facts.languages)
        keyword = facts.languages[0][0].rpartition(" ")[2]
        self.refuse(facts.subschema, keyword, "all that is said of these strings together needs too large an automaton")
        return (), *shape[1:]

    def _numbers(self, leaves: Leaves, types: int) -> Expression:
        range_ = range_of(leaves, types, only_digits=self.only_digits)
        try:
            return number_expression(range_)
        except LimitError as error:
            facts = next((facts for facts in leaves if facts.multiples or facts.not_multiples), None)
            if facts is None:
                raise
            self.refuse(facts.subschema, "multipleOf", str(error))
            return number_expression(replace(range_, divisor=None, not_multiples=()))

    def _rule(self, kind: int, alternatives: tuple[Leaves, ...]) -> Expression:
        """The rule for these alternatives of arrays or objects, made when first asked for and filled later."""
        found = self.rules.get((kind, alternatives))
        if found is None:
            if len(self.rules) >= MAX_RULES and self.is_limited:
                raise LimitError("the arrays and objects of a schema", None, MAX_RULES, "simplify its allOf and anyOf")
            place, build = alternatives[0][0].subschema.pointer or "the top of the schema", BUILDERS[kind]
            if len(self.rules) >= self.at_once and self._may_wait(alternatives):
                rule = Rule(place, prunable=True, write=partial(self._filled_later, build, alternatives[0]))
                self.references.postponed.append(rule)
            else:
                rule = Rule(place, prunable=True)
                self.waiting.append((rule, build, alternatives))
            found = self.rules[kind, alternatives] = Ref(rule)
        return found

    def _may_wait(self, alternatives: tuple[Leaves, ...]) -> bool:
        """Whether nothing can be found out by spelling what one schema says, so that it can be done when a text comes there."""
        if len(alternatives) > 1 or len(alternatives[0]) > 1:
            return False
        if self.postponed is None:
            self.postponed = Postponed(self.references)
        return self.postponed.may_wait(alternatives[0][0])


def _is_finite(leaves: Leaves) -> bool:
    for facts in leaves:  # noqa: SIM110 (asked of every place, where a generator costs more than the loop)
        if facts.literals is not None:
            return True
    return False


def _beyond(types: int, whole: int) -> int:
    """The types that are not allowed as a whole; numbers stay together, which says the same and is written shorter."""
    left = types & ~whole
    return left | types & NUMBER if left & NUMBER else left


def _saying(leaves: Leaves, bit: int) -> Leaves:
    """The leaves that say something about a type."""
    if len(leaves) == 1:
        return leaves
    return tuple(facts for facts in leaves if facts.constrained & bit)
