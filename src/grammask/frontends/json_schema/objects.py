"""Objects: declared members in the order of the schema, then those that patterns and additionalProperties allow.

Every name has its schemas: what `properties` says of it and every pattern that matches it; where a schema has neither for that name, what
its additionalProperties says. Names that are not declared fall into one class for each set of patterns that match them.

Rule: a declared name is written as json.dumps writes it, and no additional name equals a declared one, however it is spelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING

from grammask.errors import LimitError
from grammask.frontends.json_schema.keywords import Facts
from grammask.frontends.json_schema.references import Subschema
from grammask.frontends.json_schema.strings import TextShape, excluded_strings, have_common_string, language_of, matches, string_expression, text_shape
from grammask.frontends.json_schema.values import STRING, string_spellings
from grammask.grammar.expression import EMPTY, NOTHING, Chain, Expression, Literal, Not, Repeat, Seq, Unordered, either, seq

if TYPE_CHECKING:
    from grammask.frontends.json_schema.compiler import Compiler

__all__ = ["declared_names", "object_expression", "property_bounds"]

MAX_WAYS = 64  # to meet demands on names
MAX_DEMANDS = 3  # on names that are not declared: members may meet them in any order
MAX_CLASSES = 64  # of names, by the patterns that match them: patterns that overlap freely double them each

Leaves = tuple[Facts, ...]

ANY_SHAPE: TextShape = ((), 0, None)
NOT_NARROWED: Mapping[str | None, Subschema] = {}


def property_bounds(leaves: Leaves) -> tuple[int, int | None]:
    """The least and the largest number of members that all of these allow."""
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
        return _object(compiler, leaves, names, required, ())
    demands = [demand for facts in leaves for demand in facts.some_names]
    demanding = [facts for facts in leaves if facts.some_member is not None]
    ways = _ways_to_meet(compiler, demands, names, required)
    if not ways:
        facts = next(facts for facts in leaves if facts.some_names)
        compiler.refuse(facts.subschema, _name_keyword(facts), "under a negation, too many names may meet what it demands")
        ways = [({}, ())]
    if demanding:
        return either(*[_with_some_member(compiler, leaves, demanding, (names, required | chosen), others) for chosen, others in ways])
    return either(*[_object(compiler, leaves, names, required | chosen, others) for chosen, others in ways])


def _with_some_member(
    compiler: Compiler, leaves: Leaves, demanding: list[Facts], declared: tuple[dict[str, None], dict[str, None]], demands: tuple[Subschema, ...]
) -> Expression:
    """Objects in which some member, by name and value, breaks a keyword that is negated: a declared one, or the last of all others.

    Only of the last it is known that no other follows that has its name and takes its place.
    """
    names, required = declared
    wanted = list(dict.fromkeys(facts.some_member for facts in demanding if facts.some_member is not None))
    if len(wanted) > 1 or demands:
        compiler.refuse(demanding[-1].subschema, wanted[-1][2], "under a negation, two members that are not declared would have to be told apart")
        return _object(compiler, leaves, names, required, demands)
    name_schema, value_schema = wanted[0][:2]
    valid = compiler.validity.valid
    ways = [_object(compiler, leaves, names, required | {name: None}, (), {name: value_schema}) for name in names if valid(name_schema, name)]
    return either(*ways, _object(compiler, leaves, names, required, (name_schema,), {None: value_schema}))


def _name_keyword(facts: Facts) -> str:
    """The keyword that a demand for names comes from."""
    said = facts.subschema.value if type(facts.subschema.value) is dict else {}
    about_names = ("propertyNames", "patternProperties", "additionalProperties", "unevaluatedProperties")
    return next((keyword for keyword in about_names if keyword in said), "propertyNames")


def _object(
    compiler: Compiler,
    leaves: Leaves,
    names: dict[str, None],
    required: dict[str, None],
    demands: tuple[Subschema, ...],
    narrowed: Mapping[str | None, Subschema] = NOT_NARROWED,
) -> Expression:
    """Objects with these names declared and required, and with a name that is not declared for each of the demands.

    narrowed: what the value of a name must obey too; under None, that of the member which meets the demand, and which is then the last.
    """
    layout = compiler.layout
    items: list[tuple[Expression, bool]] = []
    for name in names:
        value = _member_value(compiler, leaves, name, narrowed.get(name)) if narrowed else _member_value(compiler, leaves, name)
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
    if demands and compiler.options.property_order == "any":
        return _demanding_in_any_order(compiler, leaves, items, rest, demands, narrowed.get(None))
    if demands:
        return either(*[_demanding(compiler, leaves, items, rest, order, narrowed.get(None)) for order in _orders(demands)])
    is_empty_allowed = minimum == 0 and not required
    members: Expression = NOTHING
    if items or rest is not NOTHING:
        in_order = Unordered if compiler.options.property_order == "any" and len(items) + (rest is not NOTHING) > 1 else Chain
        members = in_order(items, layout.separator, None if rest is NOTHING else rest, max(minimum, 1), maximum)
    return layout.brackets(b"{", NOTHING if maximum == 0 else members, b"}", may_be_empty=is_empty_allowed)


def _ways_to_meet(
    compiler: Compiler, demands: list[Subschema], names: dict[str, None], required: dict[str, None]
) -> list[tuple[dict[str, None], tuple[Subschema, ...]]]:
    """Declared names that are taken to meet demands, and the demands that names must meet which are not declared; none if there are too many."""
    valid = compiler.validity.valid
    open_demands = [demand for demand in dict.fromkeys(demands) if not any(valid(demand, name) for name in required)]
    choices = [[None, *(name for name in names if name not in required and valid(demand, name))] for demand in open_demands]
    if len(choices) > MAX_DEMANDS or prod(map(len, choices)) > MAX_WAYS:
        return []
    found = []
    for chosen in product(*choices):
        others = tuple(demand for demand, name in zip(open_demands, chosen, strict=True) if name is None)
        found.append((dict.fromkeys(name for name in chosen if name is not None), others))
    return found


def _orders(demands: tuple[Subschema, ...]) -> Iterator[list[tuple[Subschema, ...]]]:
    """The orders in which members can meet demands for the first time, some of them by the same member."""
    if not demands:
        yield []
    for size in range(1, len(demands) + 1):
        for first in combinations(demands, size):
            for later in _orders(tuple(demand for demand in demands if demand not in first)):
                yield [first, *later]


def _demanding(
    compiler: Compiler,
    leaves: Leaves,
    items: list[tuple[Expression, bool]],
    rest: Expression,
    order: list[tuple[Subschema, ...]],
    value: Subschema | None,
) -> Expression:
    """Objects in which members that are not declared meet demands in this order, others between them, and behind them if no value is given."""
    separator, declared = compiler.layout.separator, frozenset(declared_names(leaves)[0])
    others = EMPTY if rest is NOTHING else Repeat(Seq((rest, separator)))
    demanded = [(seq(others, _additional(compiler, leaves, declared, names, value)), True) for names in order]
    if any(item is NOTHING for item, _ in demanded):
        return NOTHING
    minimum, maximum = property_bounds(leaves)
    if maximum is not None or minimum > sum(is_required for _, is_required in items) + 1:
        _refuse_count(compiler, leaves)
    members = Chain(items + demanded, separator, None if rest is NOTHING or value is not None else rest, 1)
    return compiler.layout.brackets(b"{", members, b"}", may_be_empty=False)


def _demanding_in_any_order(
    compiler: Compiler, leaves: Leaves, items: list[tuple[Expression, bool]], rest: Expression, demands: tuple[Subschema, ...], value: Subschema | None
) -> Expression:
    """The same with members in any order. That the one with a value is the last of those that are not declared is more than is kept in mind."""
    if value is not None:
        compiler.refuse(leaves[0].subschema, "not", 'a member that is not declared and breaks a negated schema can be told only in property_order="schema"')
    minimum, maximum = property_bounds(leaves)
    if maximum is not None or minimum > sum(is_required for _, is_required in items) + 1:
        _refuse_count(compiler, leaves)
    declared, found = frozenset(declared_names(leaves)[0]), []
    for parts in dict.fromkeys(frozenset(map(frozenset, order)) for order in _orders(demands)):
        demanded = [(_additional(compiler, leaves, declared, tuple(part)), True) for part in parts]
        if not any(item is NOTHING for item, _ in demanded):
            found.append(Unordered(items + demanded, compiler.layout.separator, None if rest is NOTHING else rest))
    return compiler.layout.brackets(b"{", either(*found), b"}", may_be_empty=False)


def _refuse_count(compiler: Compiler, leaves: Leaves) -> None:
    """An additional name may come twice, which counts once: with two or more of them needed, the count would be wrong."""
    facts = max(leaves, key=lambda facts: (facts.min_properties, facts.max_properties is not None))
    said = facts.subschema.value
    keyword = "minProperties" if type(said) is dict and "minProperties" in said else "maxProperties"
    compiler.refuse(facts.subschema, keyword, "counting names that no schema declares is not implemented")


def _member_value(compiler: Compiler, leaves: Leaves, name: str, more: Subschema | None = None) -> Expression:
    """The values of a declared member, which must obey one more schema if that is given."""
    if len(leaves) == 1 and more is None:
        facts = leaves[0]
        if not facts.patterns and facts.names is None:
            schema = facts.properties.get(name) or facts.additional
            return compiler.layout.value if schema is None else compiler.value(schema)
    schemas: list[Subschema] = [] if more is None else [more]
    for facts in leaves:
        if facts.names is not None and not compiler.validity.valid(facts.names, name):
            return NOTHING
        schemas += compiler.validity.schemas_for(facts, name)
    return compiler.value_of_all(schemas)


def _additional(
    compiler: Compiler, leaves: Leaves, declared: frozenset[str], demanded: tuple[Subschema, ...] = (), more: Subschema | None = None
) -> Expression:
    """Members whose names are not declared and obey all schemas demanded of them, and whose values obey one more; NOTHING if there are none."""
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
        value = compiler.value_of_all(schemas if more is None else [*schemas, more])
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
