"""Arrays whose items must be remembered: counted (`contains`), or each different from all others (`uniqueItems` over few values).

A monitor reads the items one by one; its state is how many there were, how often each counted schema held, and which values have been.
Each state that leads to an end is a rule: an item, then a separator and the next state's rule, or the end.

Rule: exact; more than 512 states are refused by keyword.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from grammask.frontends.json_schema.keywords import Contains, Facts
from grammask.frontends.json_schema.literals import value_expression
from grammask.frontends.json_schema.numbers import whole_numbers_in
from grammask.frontends.json_schema.references import Subschema
from grammask.frontends.json_schema.values import BOOLEAN, FRACTION, NULL, NUMBER, equality_key, type_of
from grammask.grammar.expression import EMPTY, NOTHING, Expression, Ref, Rule, Seq, either

if TYPE_CHECKING:
    from grammask.frontends.json_schema.compiler import Compiler

__all__ = ["TooManyStates", "few_values", "item_schemas", "monitored_items"]

MAX_STATES = 512
MAX_VALUES = 9  # that can be told apart: their sets are states
MAX_COUNTED = 6  # schemas

# Position and number of items (as far as they matter), how often each counted schema held (no further than matters), values that have been.
State = tuple[int, int, tuple[int, ...], frozenset[int]]


class TooManyStates(Exception):
    """An array cannot be monitored in so few states."""


def item_schemas(leaves: tuple[Facts, ...], position: int) -> list[Subschema]:
    """The schemas for the item at a position."""
    found = [facts.prefix[position] if position < len(facts.prefix) else facts.items for facts in leaves]
    return [schema for schema in found if schema is not None]


def few_values(compiler: Compiler, schemas: list[Subschema], most: int = MAX_VALUES) -> list[Any] | None:
    """All values that these schemas allow together if there are no more than `most`, else None."""
    if not schemas:
        return None
    found: dict[Any, Any] = {}
    for types, leaves in compiler.shapes.together(schemas):
        values = _values_of(types, leaves, most)
        if values is None:
            return None
        for value in values:
            if type_of(value) & types and all(compiler.validity.holds(facts, value) for facts in leaves):
                found.setdefault(equality_key(value), value)
    return list(found.values()) if len(found) <= most else None


def _values_of(types: int, leaves: tuple[Facts, ...], most: int) -> list[Any] | None:
    """A list that holds all values of a conjunction, None if it is not known to be short."""
    for facts in leaves:
        if facts.literals is not None:
            return facts.literals
    if types & ~(NULL | BOOLEAN | NUMBER) or types & FRACTION:
        return None
    numbers = whole_numbers_in(leaves, most) if types & NUMBER else []
    if numbers is None:
        return None
    return [*numbers, *([None] if types & NULL else []), *([False, True] if types & BOOLEAN else [])]


def monitored_items(compiler: Compiler, leaves: tuple[Facts, ...], bounds: tuple[int, int | None], *, is_unique: bool) -> tuple[Expression, bool]:
    """The items of such arrays with the separators between them, and whether there may be none. Raises TooManyStates."""
    return _Monitor(compiler, leaves, bounds, is_unique).expression()


class _Monitor:
    def __init__(self, compiler: Compiler, leaves: tuple[Facts, ...], bounds: tuple[int, int | None], is_unique: bool) -> None:
        self.compiler, self.leaves, self.is_unique = compiler, leaves, is_unique
        self.minimum, self.maximum = bounds
        self.counted: tuple[Contains, ...] = tuple(dict.fromkeys(contains for facts in leaves for contains in facts.contains))
        if len(self.counted) > MAX_COUNTED:
            raise TooManyStates
        self.last_position = max([len(facts.prefix) for facts in leaves] + [contains.start for contains in self.counted])
        self.values: dict[Any, int] = {}
        self.known: dict[tuple[int, tuple[bool | None, ...]], Expression] = {}

    def expression(self) -> tuple[Expression, bool]:
        start: State = (0, 0, (0,) * len(self.counted), frozenset())
        steps: dict[State, dict[State, list[Expression]]] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state in steps:
                continue
            if len(steps) >= MAX_STATES:
                raise TooManyStates
            targets = steps[state] = {}
            for item, target in self._steps(state):
                targets.setdefault(target, []).append(item)
            waiting.extend(targets)
        return self._written(start, steps), self._may_end(start)

    def _may_end(self, state: State) -> bool:
        return state[1] >= self.minimum and all(count >= contains.least for count, contains in zip(state[2], self.counted, strict=True))

    def _steps(self, state: State) -> Iterator[tuple[Expression, State]]:
        """The items that may come, each with the state behind it."""
        position, count, held, used = state
        if self.maximum is not None and count >= self.maximum:
            return
        after = min(position + 1, self.last_position), min(count + 1, self.minimum if self.maximum is None else self.maximum)
        for item, holds, value in self._items(position, used):
            counts = tuple(map(_one_more, held, holds, self.counted))
            if all(contains.most is None or count <= contains.most for count, contains in zip(counts, self.counted, strict=True)):
                yield item, (*after, counts, used if value is None else used | {value})

    def _items(self, position: int, used: frozenset[int]) -> Iterator[tuple[Expression, tuple[bool, ...], int | None]]:
        """Items for this position, which counted schemas hold for them, and their number among the values."""
        if self.is_unique:
            yield from self._unused_values(position, used)
            return
        choices = [(True, False) if position >= contains.start else (None,) for contains in self.counted]
        for holds in product(*choices):
            item = self.known.get((position, holds))
            if item is None:
                item = self.known[position, holds] = self._item(position, holds)
            if item is not NOTHING:
                yield item, tuple(map(bool, holds)), None

    def _item(self, position: int, holds: tuple[bool | None, ...]) -> Expression:
        """Items that count as said. Where only the least number matters, an item that counts may also be taken as one that does not."""
        schemas = item_schemas(self.leaves, position)
        for hold, contains in zip(holds, self.counted, strict=True):
            if hold:
                schemas.append(contains.schema)
            elif hold is not None and contains.most is not None:
                schemas.append(self.compiler.references.negated(contains.schema))
        return self.compiler.value_of_all(schemas)

    def _unused_values(self, position: int, used: frozenset[int]) -> Iterator[tuple[Expression, tuple[bool, ...], int]]:
        values = few_values(self.compiler, item_schemas(self.leaves, position))
        if values is None:
            raise TooManyStates
        valid = self.compiler.validity.valid
        for value in values:
            number = self.values.setdefault(equality_key(value), len(self.values))
            if number not in used:
                holds = tuple(position >= contains.start and valid(contains.schema, value) for contains in self.counted)
                yield value_expression(self.compiler, value), holds, number

    def _written(self, start: State, steps: dict[State, dict[State, list[Expression]]]) -> Expression:
        """A rule for every state from which an end can be reached by at least one item; the start's is what is wanted."""
        sources: dict[State, list[State]] = {}
        for state, targets in steps.items():
            for target in targets:
                sources.setdefault(target, []).append(state)
        useful: set[State] = set()
        waiting = [state for state in steps if self._may_end(state)]
        while waiting:
            for source in sources.get(waiting.pop(), ()):
                if source not in useful:
                    useful.add(source)
                    waiting.append(source)
        place = self.leaves[0].subschema.pointer
        rules = {state: Ref(Rule(f"{place} after {state[1]} items", prunable=True)) for state in steps if state in useful}
        for state, ref in rules.items():
            bodies = [Seq((either(*items), tail)) for target, items in steps[state].items() if (tail := self._tail(target, rules)) is not NOTHING]
            ref.rule.body = either(*bodies)
        return rules.get(start, NOTHING)

    def _tail(self, state: State, rules: dict[State, Ref]) -> Expression:
        more = Seq((self.compiler.layout.separator, rules[state])) if state in rules else NOTHING
        return either(EMPTY, more) if self._may_end(state) else more


def _one_more(count: int, holds: bool, contains: Contains) -> int:
    """The next count, no further than matters."""
    most = contains.least if contains.most is None else contains.most + 1
    return min(count + holds, most)
