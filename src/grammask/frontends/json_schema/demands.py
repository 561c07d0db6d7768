"""Names that a negation demands of some member: which declared members may meet the demands, and which are left to members not declared.

Rule: what is found is complete. Whatever meets all demands does so in one of the ways, perhaps with more members than the way asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from grammask.frontends.json_schema.references import Subschema
from grammask.frontends.json_schema.strings import TextShape
from grammask.grammar.expression import Expression
from grammask.grammar.language import character_automaton

__all__ = ["Demand", "Way", "few_strings", "ways_to_meet"]

MAX_WAYS = 64  # to meet demands on names
MAX_TRIED = 4096
MAX_DEMANDS = 4  # on names that are not declared: members may meet them in any order
MAX_STRINGS = 16  # of a language, that are declared one by one

NameShape = tuple[TextShape, frozenset[str]] | str


@dataclass(frozen=True, slots=True)
class Demand:
    """Some member has a name that obeys a schema, and a value that obeys another one if there is one. keyword: what is negated."""

    names: Subschema
    value: Subschema | None
    keyword: str


@dataclass(frozen=True, slots=True)
class Way:
    """Declared names that must be there, each with schemas that its value must obey too, and demands that other members must meet."""

    chosen: tuple[tuple[str, Subschema | None], ...]
    others: tuple[Demand, ...]

    @property
    def names(self) -> dict[str, None]:
        """The declared names that must be there."""
        return dict.fromkeys(name for name, _ in self.chosen)

    def values_of(self, name: str) -> tuple[Subschema, ...]:
        """The schemas that a declared member's value must obey too."""
        return tuple(schema for chosen, schema in self.chosen if chosen == name and schema is not None)

    def holds_more(self, other: Way) -> bool:
        """Whether all that another way allows is allowed by this one."""
        there = {*other.chosen, *((name, None) for name, _ in other.chosen)}
        return there.issuperset(self.chosen) and set(self.others) <= set(other.others)


def few_strings(language: Expression, most: int = MAX_STRINGS) -> list[str] | None:
    """All strings of a language over characters, or None if they are more than a few."""
    automaton = character_automaton(language)
    leaving, found = automaton.leaving(), dict[str, None]()
    waiting = [("", start) for start in automaton.starts]
    while waiting:
        text, place = waiting.pop()
        if place in automaton.ends:
            found[text] = None
        for target, low, high in leaving[place]:
            if high - low > most or len(text) > most:
                return None
            waiting += [(text + chr(code), target) for code in range(low, high + 1)]
        if len(found) + len(waiting) > 4 * most:
            return None
    return sorted(found) if len(found) <= most else None


class _Demands:
    """The demands that no required name meets, and what is known of each."""

    def __init__(self, demands: list[Demand], shapes: Callable[[Subschema], list[NameShape]]) -> None:
        self.demands = demands
        of_names = {demand: shapes(demand.names) for demand in demands}
        self.finite = {demand: _all_names(found) for demand, found in of_names.items()}
        self.excluding = {demand: _all_but(found) for demand, found in of_names.items()}

    def mentioned(self) -> dict[str, None]:
        """The names that must be declared for each demand to be met by all names that are not, or by none, as far as they are few."""
        found = dict.fromkeys(name for names in self.finite.values() for name in names or ())
        if len(self.demands) > 1:
            found |= dict.fromkeys(name for names in self.excluding.values() for name in sorted(names or ()))
        return found

    def left_to_others(self, demands: Iterable[Demand], declared: Iterable[str]) -> tuple[Demand, ...] | None:
        """The demands that say something of members that are not declared, one of them at least; None if no such member meets all."""
        demands = list(demands)
        if any(self.finite[demand] is not None for demand in demands):
            return None
        known = frozenset(declared)
        telling = [demand for demand in demands if demand.value is not None or (names := self.excluding[demand]) is None or not names <= known]
        return tuple(telling or demands[:1])


def ways_to_meet(
    demands: Iterable[Demand],
    names: dict[str, None],
    required: dict[str, None],
    valid: Callable[[Subschema, str], bool],
    shapes: Callable[[Subschema], list[NameShape]],
) -> tuple[dict[str, None], list[Way] | None]:
    """The names to declare, and the ways to meet all demands; None if they are too many. Cost: MAX_TRIED tries."""
    is_met = {demand: demand.value is None and any(valid(demand.names, name) for name in required) for demand in demands}
    asked = _Demands([demand for demand in is_met if not is_met[demand]], shapes)
    declared = names | asked.mentioned()
    meeting = {demand: [name for name in declared if valid(demand.names, name)] for demand in asked.demands}
    found: dict[Way, None] = {}
    waiting: list[tuple[tuple[tuple[str, Subschema | None], ...], tuple[Demand, ...], tuple[Demand, ...]]] = [((), (), tuple(asked.demands))]
    for _ in range(MAX_TRIED):
        if not waiting:
            break
        chosen, left, unmet = waiting.pop()
        if not unmet:
            others = asked.left_to_others(left, declared)
            if others is not None:
                found[Way(chosen, others)] = None
            continue
        waiting.append((chosen, (*left, unmet[0]), unmet[1:]))
        for name in meeting[unmet[0]]:
            still = tuple(demand for demand in unmet[1:] if demand.value is not None or name not in meeting[demand])
            waiting.append((tuple(dict.fromkeys([*chosen, (name, unmet[0].value)])), left, still))
    ways = _widest(list(found))
    is_few = not waiting and len(ways) <= MAX_WAYS and all(sum(demand.value is None for demand in way.others) <= MAX_DEMANDS for way in ways)
    return declared, ways if is_few else None


def _widest(ways: list[Way]) -> list[Way]:
    """Those that are not contained in another one; of equal ones the first."""
    found: list[Way] = []
    for way in ways:
        if not any(other.holds_more(way) for other in found):
            found = [*(other for other in found if not way.holds_more(other)), way]
    return found


def _all_names(shapes: list[NameShape]) -> list[str] | None:
    """The names that have one of these shapes, if they are few."""
    found: dict[str, None] = {}
    for shape in shapes:
        if isinstance(shape, str):
            found[shape] = None
            continue
        (languages, _, __), excluded = shape
        texts = few_strings(languages[0]) if len(languages) == 1 else None
        if texts is None:
            return None
        found |= dict.fromkeys(text for text in texts if text not in excluded)
    return list(found)


def _all_but(shapes: list[NameShape]) -> frozenset[str] | None:
    """The names that do not have the one shape there is, if it is all but a few."""
    if len(shapes) != 1 or isinstance(shapes[0], str):
        return None
    (languages, minimum, maximum), excluded = shapes[0]
    return excluded if not languages and not minimum and maximum is None else None
