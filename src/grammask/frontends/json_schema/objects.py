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
from grammask.frontends.json_schema.demands import Demand, Way, ways_to_meet
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.references import Subschema
from grammask.frontends.json_schema.strings import TextShape, excluded_strings, have_common_string, language_of, matches, string_expression, text_shape
from grammask.frontends.json_schema.values import STRING, string_spellings
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
    if minimum > len(required) + 1 and rest is not NOTHING:
        _refuse_count(compiler, leaves)
    if way.others:
        return NOTHING if rest is NOTHING else _demanding(compiler, leaves, frozenset(names), items, rest, way.others)
    is_empty_allowed = minimum == 0 and not required
    members: Expression = NOTHING
    if items or rest is not NOTHING:
        in_order = Unordered if compiler.options.property_order == "any" and len(items) + (rest is not NOTHING) > 1 else Chain
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

    Where a demand is on a value, the member that meets it is the last of those: only then no other follows that has its name and takes its
    place. So two such demands must be met by one member.
    """
    minimum, maximum = property_bounds(leaves)
    n_required = sum(is_required for _, is_required in items)
    if maximum == 1:
        return NOTHING if n_required else compiler.layout.brackets(b"{", _meeting(compiler, leaves, declared, others), b"}", may_be_empty=False)
    on_values = [demand for demand in others if demand.value is not None]
    if len(on_values) > 1:
        compiler.refuse(leaves[-1].subschema, on_values[-1].keyword, "under a negation, two members that are not declared would have to be told apart")
    elif on_values and len(others) > 1 and compiler.options.property_order == "any":
        reason = 'a member that is not declared and breaks a negated schema can be told from another one only in property_order="schema"'
        compiler.refuse(leaves[0].subschema, "not", reason)
    if minimum > n_required + 1:
        _refuse_count(compiler, leaves)
    on_names = tuple(demand for demand in others if demand.value is None)
    if compiler.options.property_order == "any":
        found = [_demanding_in_any_order(compiler, leaves, declared, items, rest, parts) for parts in _parts(on_names or others)]
    elif on_values:
        found = [_demanding_in_order(compiler, leaves, declared, items, rest, order) for order in _orders_before(on_names, on_values)]
    else:
        found = [_demanding_in_order(compiler, leaves, declared, items, rest, order) for order in _orders(on_names)]
    return compiler.layout.brackets(b"{", either(*found), b"}", may_be_empty=False)


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
    """The same with members in any order: where the value counts of the one that meets a demand, no other that is not declared is behind it."""
    is_last = any(demand.value is not None for demands in parts for demand in demands)
    meeting = [_meeting(compiler, leaves, declared, demands) for demands in parts]
    if NOTHING in meeting:
        return NOTHING
    members = items + [(member, True) for member in meeting]
    return Unordered(members, compiler.layout.separator, rest, 1, property_bounds(leaves)[1], closing=is_last)


def _refuse_count(compiler: Compiler, leaves: Leaves) -> None:
    """An additional name may come twice, which counts once: with two or more of them needed, the count would be wrong."""
    facts = max(leaves, key=lambda facts: (facts.min_properties, facts.max_properties is not None))
    said = facts.subschema.value
    keyword = "minProperties" if type(said) is dict and "minProperties" in said else "maxProperties"
    compiler.refuse(facts.subschema, keyword, "counting names that no schema declares is not implemented")


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
    if len(leaves) == 1 and not leaves[0].patterns and leaves[0].names is None and not demanded:
        schema = leaves[0].additional
        value = compiler.layout.value if schema is None else compiler.value(schema)
        return NOTHING if value is NOTHING else compiler.layout.member(string_expression(ANY_SHAPE, declared), value)
    classes: Iterator[tuple[TextShape, list[Subschema]]]
    if any(facts.patterns for facts in leaves):
        classes = _classes(compiler, leaves)
    else:
        classes = iter([(ANY_SHAPE, [facts.additional for facts in leaves if facts.additional is not None])])
    shapes = list(_name_shapes(compiler, [facts.names for facts in leaves if facts.names is not None] + list(demanded)))
    members: list[Expression] = []
    for (languages, _, __), schemas in classes:
        value = compiler.value_of_all([*schemas, *more])
        if value is NOTHING:
            continue
        for shape in shapes:
            if isinstance(shape, str):
                is_ours = shape not in declared and all(matches(language, shape) for language in languages)
                name = either(*map(Literal, string_spellings(shape))) if is_ours else NOTHING
            else:
                (own, shortest, longest), excluded = shape
                name = string_expression((languages + own, shortest, longest), declared | excluded)
            if name is not NOTHING:
                members.append(compiler.layout.member(name, value))
    return either(*members)


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
