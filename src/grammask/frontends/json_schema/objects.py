"""Objects: declared members in the order of the schema, then those that patterns and additionalProperties allow.

Every name has its schemas: what `properties` says of it and every pattern that matches it; where a schema has neither for that name, what
its additionalProperties says. Names that are not declared fall into one class for each set of patterns that match them.

Rule: a declared name is written as json.dumps writes it, and no additional name equals a declared one, however it is spelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from grammask.errors import LimitError
from grammask.frontends.json_schema.counted_values import ENDLESS, count_strings
from grammask.frontends.json_schema.demands import Demand, Way, ways_to_meet
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.references import Subschema
from grammask.frontends.json_schema.strings import TextShape, excluded_strings, have_common_string, language_of, matches, string_expression, text_shape
from grammask.frontends.json_schema.told_names import told_member
from grammask.frontends.json_schema.values import STRING, string_spellings
from grammask.grammar.distinct import Distinct
from grammask.grammar.expression import EMPTY, NOTHING, Chain, Expression, Literal, Not, Repeat, Seq, Unordered, either, seq

if TYPE_CHECKING:
    from grammask.frontends.json_schema.compiler import Compiler

__all__ = ["declared_names", "object_expression", "property_bounds"]

MAX_CLASSES = 64  # of names, by the patterns that match them: patterns that overlap freely double them each

Leaves = tuple[Facts, ...]

ANY_SHAPE: TextShape = ((), 0, None)
ASKING_NOTHING = Way((), ())


def property_bounds(leaves: Leaves) -> tuple[int, int | None]:
    """The least and the largest number of members that all of these allow."""
    if len(leaves) == 1:
        return leaves[0].min_properties, leaves[0].max_properties
    bounds = [facts.max_properties for facts in leaves if facts.max_properties is not None]
    return max(facts.min_properties for facts in leaves), min(bounds, default=None)


def declared_names(leaves: Leaves) -> tuple[dict[str, None], dict[str, None]]:
    """All names that properties or required mention, in order, and those that are required."""
    if len(leaves) == 1:
        required = dict.fromkeys(leaves[0].required)
        return dict.fromkeys(leaves[0].properties) | required, required
    required = dict.fromkeys(name for facts in leaves for name in facts.required)
    return dict.fromkeys(name for facts in leaves for name in facts.properties) | required, required


def object_expression(compiler: Compiler, leaves: Leaves) -> Expression:
    """Objects for which all of these hold, NOTHING if there are none."""
    names, required = declared_names(leaves)
    for facts in leaves:
        if facts.some_names or facts.some_member is not None:
            break
    else:
        return _object(compiler, leaves, names, required)
    demands = [Demand(demanded, None, _name_keyword(facts)) for facts in leaves for demanded in facts.some_names]
    demands += [Demand(*facts.some_member) for facts in leaves if facts.some_member is not None]
    names, ways = ways_to_meet(demands, names, required, compiler.validity.valid, lambda schema: list(_name_shapes(compiler, [schema])))
    if ways is None:
        place = next(facts.subschema for facts in leaves if facts.some_names or facts.some_member is not None)
        compiler.refuse(place, demands[0].keyword, "under a negation, too many names may meet what it demands")
        ways = [Way((), ())]
    return either(*[_object(compiler, leaves, names, required | way.names, way) for way in ways])


def _name_keyword(facts: Facts) -> str:
    """The keyword that a demand for names comes from."""
    said = facts.subschema.value if type(facts.subschema.value) is dict else {}
    about_names = ("propertyNames", "patternProperties", "additionalProperties", "unevaluatedProperties")
    return next((keyword for keyword in about_names if keyword in said), "propertyNames")


def _object(compiler: Compiler, leaves: Leaves, names: dict[str, None], required: dict[str, None], way: Way = ASKING_NOTHING) -> Expression:
    """Objects with these names declared and required, which meet demands in a certain way."""
    layout = compiler.layout
    items: list[tuple[Expression, bool]] = []
    plain = leaves[0] if len(leaves) == 1 and not way.chosen and not leaves[0].patterns and leaves[0].names is None else None
    for name in names:
        if plain is not None and (schema := plain.properties.get(name) or plain.additional) is not None:
            value = compiler.value(schema)
        else:
            value = _member_value(compiler, leaves, name, way.values_of(name)) if way.chosen else _member_value(compiler, leaves, name)
        if value is not NOTHING:
            items.append((layout.named_member(name, value), name in required))
        elif name in required:
            return NOTHING
    rest = _additional(compiler, leaves, frozenset(names))
    minimum, maximum = property_bounds(leaves)
    if maximum is not None and maximum < max(len(required), minimum):
        return NOTHING
    if way.others:
        return NOTHING if rest is NOTHING else _demanding(compiler, leaves, frozenset(names), items, rest, way.others)
    is_empty_allowed = minimum == 0 and not required
    is_told = compiler.options.repeated_names == "forbid"
    if rest is not NOTHING and maximum != 0 and (is_told or minimum > len(required) + 1):
        if (told := _told(compiler, leaves, frozenset(names), ())) is not None:
            return layout.brackets(b"{", _members_told(compiler, leaves, items, told), b"}", may_be_empty=is_empty_allowed)
        compiler.refuse(*(_named_refusal(leaves) if is_told else _count_refusal(leaves)))
    members: Expression = NOTHING
    if items or rest is not NOTHING:
        in_order = Unordered if compiler.options.property_order == "any" and len(items) + (rest is not NOTHING) > 1 else Chain.once
        members = in_order(items, layout.separator, None if rest is NOTHING else rest, max(minimum, 1), maximum)
    return layout.brackets(b"{", NOTHING if maximum == 0 else members, b"}", may_be_empty=is_empty_allowed)


def _orders(demands: tuple[Demand, ...]) -> Iterator[list[tuple[Demand, ...]]]:
    """The orders in which members can meet demands for the first time, some of them by the same member."""
    if not demands:
        yield []
    for size in range(1, len(demands) + 1):
        for first in combinations(demands, size):
            for later in _orders(tuple(demand for demand in demands if demand not in first)):
                yield [first, *later]


def _demanding(
    compiler: Compiler, leaves: Leaves, declared: frozenset[str], items: list[tuple[Expression, bool]], rest: Expression, others: tuple[Demand, ...]
) -> Expression:
    """Objects in which members that are not declared meet demands.

    Names that may come twice make two things hard: counts, and demands on values, since a member may take the place of an earlier one of its
    name. Where that matters, and names have no end, they are told apart. Else the member that meets a demand on a value is the last.
    """
    n_required = sum(is_required for _, is_required in items)
    if property_bounds(leaves)[1] == 1:
        return NOTHING if n_required else compiler.layout.brackets(b"{", _meeting(compiler, leaves, declared, others), b"}", may_be_empty=False)
    refusals = list(_needs_telling(compiler, leaves, others, n_required))
    if refusals:
        told = [_demanding_told(compiler, leaves, declared, items, parts) for parts in _parts(others)]
        if None not in told:
            return compiler.layout.brackets(b"{", either(*[one for one in told if one is not None]), b"}", may_be_empty=False)
    for place, keyword, reason in refusals:
        compiler.refuse(place, keyword, reason)
    on_values = [demand for demand in others if demand.value is not None]
    on_names = tuple(demand for demand in others if demand.value is None)
    if compiler.options.property_order == "any":
        found = [_demanding_in_any_order(compiler, leaves, declared, items, rest, parts) for parts in _parts(on_names)]
    elif on_values:
        found = [_demanding_in_order(compiler, leaves, declared, items, rest, order) for order in _orders_before(on_names, on_values)]
    else:
        found = [_demanding_in_order(compiler, leaves, declared, items, rest, order) for order in _orders(on_names)]
    return compiler.layout.brackets(b"{", either(*found), b"}", may_be_empty=False)


def _needs_telling(compiler: Compiler, leaves: Leaves, others: tuple[Demand, ...], n_required: int) -> Iterator[tuple[Subschema, str, str]]:
    """Why names must be told apart to meet demands, as what is refused if they cannot be."""
    on_values = [demand for demand in others if demand.value is not None]
    if compiler.options.repeated_names == "forbid":
        yield _named_refusal(leaves)
    if len(on_values) > 1:
        yield leaves[-1].subschema, on_values[-1].keyword, "under a negation, two members that are not declared would have to be told apart"
    elif on_values and compiler.options.property_order == "any":
        reason = 'of members that are not declared, one of which breaks a negated schema, there are only so many; property_order="schema" has it last'
        yield leaves[0].subschema, "not", reason
    if property_bounds(leaves)[0] > n_required + 1:
        yield _count_refusal(leaves)


def _orders_before(on_names: tuple[Demand, ...], on_values: list[Demand]) -> Iterator[list[tuple[Demand, ...]]]:
    """The orders in which members meet demands on names before the last, which meets those on values and perhaps some of the others."""
    for size in range(len(on_names) + 1):
        for together in combinations(on_names, size):
            for order in _orders(tuple(demand for demand in on_names if demand not in together)):
                yield [*order, (*on_values, *together)]


def _parts(demands: tuple[Demand, ...]) -> list[tuple[tuple[Demand, ...], ...]]:
    """The ways to share demands out among members, each of which meets some."""
    return [tuple(parts) for parts in {frozenset(map(frozenset, order)): order for order in _orders(demands)}.values()]


def _meeting(compiler: Compiler, leaves: Leaves, declared: frozenset[str], demands: tuple[Demand, ...]) -> Expression:
    """Members that are not declared and meet all of these demands."""
    values = tuple(demand.value for demand in demands if demand.value is not None)
    return _additional(compiler, leaves, declared, tuple(demand.names for demand in demands), values)


def _demanding_in_order(
    compiler: Compiler,
    leaves: Leaves,
    declared: frozenset[str],
    items: list[tuple[Expression, bool]],
    rest: Expression,
    order: list[tuple[Demand, ...]],
) -> Expression:
    """Members that meet demands in this order, others between them unless they are counted, and behind them unless the last one's value counts.

    The maximum is one of members, not of names: who repeats a name has fewer of these.
    """
    separator, maximum = compiler.layout.separator, property_bounds(leaves)[1]
    others = Repeat(Seq((rest, separator))) if maximum is None else EMPTY
    meeting = [_meeting(compiler, leaves, declared, demands) for demands in order]
    if NOTHING in meeting:
        return NOTHING
    if all(demand.value is None for demand in order[-1]):
        return Chain(items + [(seq(others, member), True) for member in meeting], separator, rest, 1, maximum)
    before = items + [(seq(others, member), True) for member in meeting[:-1]]
    members = Chain(before, separator, rest, 1, None if maximum is None else maximum - 1)
    with_others = Seq((members, separator, meeting[-1]))
    return with_others if any(is_required for _, is_required in before) else either(meeting[-1], with_others)


def _demanding_in_any_order(
    compiler: Compiler,
    leaves: Leaves,
    declared: frozenset[str],
    items: list[tuple[Expression, bool]],
    rest: Expression,
    parts: tuple[tuple[Demand, ...], ...],
) -> Expression:
    """The same with members in any order."""
    meeting = [_meeting(compiler, leaves, declared, demands) for demands in parts]
    if NOTHING in meeting:
        return NOTHING
    return Unordered(items + [(member, True) for member in meeting], compiler.layout.separator, rest, 1, property_bounds(leaves)[1])


def _told(compiler: Compiler, leaves: Leaves, declared: frozenset[str], demands: tuple[Demand, ...]) -> Expression | None:
    """Members that are not declared and meet demands, told apart by name; None if their names may have an end, so that some day there is none left."""
    if _meeting(compiler, leaves, declared, demands) is NOTHING:
        return NOTHING
    values = tuple(demand.value for demand in demands if demand.value is not None)
    kinds = [kind for kind, _ in _kinds(compiler, leaves, declared, tuple(demand.names for demand in demands), values)]
    if not any(not isinstance(kind, str) and count_strings(*kind) == ENDLESS for kind in kinds):
        return None
    later = compiler.later
    members = _meeting(compiler, leaves, declared, demands)
    return told_member(members, lambda names: later(lambda fresh: _meeting(fresh, leaves, declared | names, demands)), property_bounds(leaves)[0])


def _demanding_told(
    compiler: Compiler, leaves: Leaves, declared: frozenset[str], items: list[tuple[Expression, bool]], parts: tuple[tuple[Demand, ...], ...]
) -> Expression | None:
    """Objects in which members meet demands, shared out among them in one way, in any order; None where names may have an end, or counts are in the way."""
    meeting = [_told(compiler, leaves, declared, demands) for demands in parts]
    rest = _told(compiler, leaves, declared, ())
    if rest is None or None in meeting:
        return None
    if NOTHING in meeting:
        return NOTHING
    members = [(member, True) for member in meeting if member is not None]
    minimum, maximum = property_bounds(leaves)
    separator = compiler.layout.separator
    if compiler.options.property_order == "any" or not items:
        return Unordered(items + members, separator, rest, max(minimum, 1), maximum)
    n_required = sum(is_required for _, is_required in items)
    if maximum is not None or minimum > n_required + len(members):
        return None
    undeclared = Unordered(members, separator, rest)
    behind_others = Seq((Chain(items, separator, None, 1), separator, undeclared))
    return behind_others if n_required else either(undeclared, behind_others)


def _members_told(compiler: Compiler, leaves: Leaves, items: list[tuple[Expression, bool]], rest: Expression) -> Expression:
    """At least one member, of which no name comes twice."""
    minimum, maximum = property_bounds(leaves)
    separator = compiler.layout.separator
    if compiler.options.property_order == "any" and items:
        return Unordered(items, separator, rest, max(minimum, 1), maximum)
    return Distinct(Chain(items, separator, rest, max(minimum, 1), maximum))


def _named_refusal(leaves: Leaves) -> tuple[Subschema, str, str]:
    """Names that have an end, so that none might be left, are not told apart."""
    keyword = "patternProperties" if any(facts.patterns for facts in leaves) else "additionalProperties"
    return leaves[0].subschema, keyword, 'of names that are not declared there are only so many, which repeated_names="forbid" does not tell apart'


def _count_refusal(leaves: Leaves) -> tuple[Subschema, str, str]:
    """An additional name may come twice, which counts once: with two or more of them needed, the count would be wrong."""
    facts = max(leaves, key=lambda facts: (facts.min_properties, facts.max_properties is not None))
    said = facts.subschema.value
    keyword = "minProperties" if type(said) is dict and "minProperties" in said else "maxProperties"
    return facts.subschema, keyword, "of the names to be counted, which no schema declares, there are only so many"


def _member_value(compiler: Compiler, leaves: Leaves, name: str, more: tuple[Subschema, ...] = ()) -> Expression:
    """The values of a declared member, which must obey more schemas if they are given."""
    if len(leaves) == 1 and not more:
        facts = leaves[0]
        if not facts.patterns and facts.names is None:
            schema = facts.properties.get(name) or facts.additional
            return compiler.layout.value if schema is None else compiler.value(schema)
    schemas = list(more)
    for facts in leaves:
        if facts.names is not None and not compiler.validity.valid(facts.names, name):
            return NOTHING
        schemas += compiler.validity.schemas_for(facts, name)
    return compiler.value_of_all(schemas)


def _additional(
    compiler: Compiler, leaves: Leaves, declared: frozenset[str], demanded: tuple[Subschema, ...] = (), more: tuple[Subschema, ...] = ()
) -> Expression:
    """Members whose names are not declared and obey all schemas demanded of them, and whose values obey more; NOTHING if there are none."""
    if len(leaves) == 1 and not leaves[0].patterns and leaves[0].names is None and not demanded and not more:
        schema = leaves[0].additional
        value = compiler.layout.value if schema is None else compiler.value(schema)
        return NOTHING if value is NOTHING else compiler.layout.member(string_expression(ANY_SHAPE, declared), value)
    members: list[Expression] = []
    for kind, value in _kinds(compiler, leaves, declared, demanded, more):
        name = either(*map(Literal, string_spellings(kind))) if isinstance(kind, str) else string_expression(*kind)
        if name is not NOTHING:
            members.append(compiler.layout.member(name, value))
    return either(*members)


def _kinds(
    compiler: Compiler, leaves: Leaves, declared: frozenset[str], demanded: tuple[Subschema, ...], more: tuple[Subschema, ...]
) -> Iterator[tuple[tuple[TextShape, frozenset[str]] | str, Expression]]:
    """The kinds of such members: names, as a shape less some or a single one, and their values."""
    classes: Iterator[tuple[TextShape, list[Subschema]]]
    if any(facts.patterns for facts in leaves):
        classes = _classes(compiler, leaves)
    else:
        classes = iter([(ANY_SHAPE, [facts.additional for facts in leaves if facts.additional is not None])])
    shapes = list(_name_shapes(compiler, [facts.names for facts in leaves if facts.names is not None] + list(demanded)))
    for (languages, _, __), schemas in classes:
        value = compiler.value_of_all([*schemas, *more])
        if value is NOTHING:
            continue
        for shape in shapes:
            if not isinstance(shape, str):
                (own, shortest, longest), excluded = shape
                yield ((languages + own, shortest, longest), declared | excluded), value
            elif shape not in declared and all(matches(language, shape) for language in languages):
                yield shape, value


def _classes(compiler: Compiler, leaves: Leaves) -> Iterator[tuple[TextShape, list[Subschema]]]:
    """For each set of patterns that may match a name together: the languages of such names, and their schemas."""
    languages: dict[str, Expression] = {}
    for facts in leaves:
        for text, _ in facts.patterns:
            found = language_of(facts.subschema, "patternProperties", text, compiler.refuse)
            if found is None:
                yield ANY_SHAPE, []
                return
            languages[text] = found[0]
    for matching in _matching_together(languages, leaves[0].subschema):
        schemas: list[Subschema] = []
        for facts in leaves:
            own = [schema for text, schema in facts.patterns if text in matching]
            schemas += own or ([] if facts.additional is None else [facts.additional])
        inside = tuple(languages[text] for text in matching)
        others = [language for text, language in languages.items() if text not in matching and (not inside or have_common_string((*inside, language)))]
        yield ((*inside, Not(either(*others))) if others else inside, 0, None), schemas


def _matching_together(languages: dict[str, Expression], place: Subschema) -> list[tuple[str, ...]]:
    """The sets of patterns that some name matches together, the empty set first."""
    found: list[tuple[str, ...]] = [()]
    for text, language in languages.items():
        with_it = [matching for matching in found if len(languages) == 1 or have_common_string((*(languages[other] for other in matching), language))]
        found += [(*matching, text) for matching in with_it]
        if len(found) > MAX_CLASSES:
            raise LimitError(f"the sets of patterns that match a name together, at {place.pointer or 'the top of the schema'},", None, MAX_CLASSES)
    return found


def _name_shapes(compiler: Compiler, schemas: list[Subschema]) -> Iterator[tuple[TextShape, frozenset[str]] | str]:
    """What schemas leave of all names: shapes of strings with those that are excluded, and single names."""
    if not schemas:
        yield ANY_SHAPE, frozenset()
        return
    for types, conditions in compiler.shapes.together(schemas):
        if not types & STRING:
            continue
        finite = [facts for facts in conditions if facts.literals is not None]
        if finite:
            for name in finite[0].literals or ():
                if type(name) is str and all(compiler.validity.holds(facts, name) for facts in conditions):
                    yield name
        else:
            compiler.refuse_all(STRING, conditions)
            yield text_shape(conditions, compiler.refuse), excluded_strings(conditions)
