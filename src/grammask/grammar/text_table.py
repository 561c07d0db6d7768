"""The kernel's table for the inside of a JSON string: pattern, bounds of length and excluded strings, checked to leave a string.

Rule: the same set of strings written in the same way gives the same key; the table is kept on its `Text` node.
"""

from __future__ import annotations

from operator import itemgetter

from grammask.errors import LimitError
from grammask.grammar.character_automaton import ALL_STRINGS
from grammask.grammar.expression import Chars, Expression, ReadyAutomaton, Repeat, Text
from grammask.grammar.language import character_automaton
from grammask.grammar.lengths import has_length, has_string
from grammask.grammar.packed_automaton import numbered
from grammask.grammar.repetition import normal_repeat
from grammask.grammar.structure_key import digest
from grammask.kernel.tables import TextTable

__all__ = ["is_soon_counted", "text_table"]

MAX_LENGTH = 1 << 30  # of a string in characters
# The kernel finds for each length which nodes have a continuation of it. These many steps surely meet no limit of its.
MAX_STEPS = 200_000
MAX_NODES = 24  # whose lengths, where they have no bound, repeat soon (Chrobak 1986)


def text_table(text: Text, place: str) -> TextTable | None:
    """The table of a text, or None if no string is left in it. Raises what its pattern raises. Cost: see `grammar.language`.

    `place` is what errors call it; a table that is found again keeps the place of its first use.
    """
    table: TextTable | None = text.lowered
    if table is None:
        table = text.lowered = _made(text, place)
    return table


def is_soon_counted(table: TextTable) -> bool:
    """Whether the kernel surely works out the lengths of a pattern without meeting a limit, and at once."""
    if not table.n_nodes or (table.minimum == 0 and table.maximum is None):
        return True
    if table.maximum is None:
        return table.n_nodes <= MAX_NODES
    return (table.maximum + 1) * (table.n_nodes + len(table.edges)) <= MAX_STEPS


def _made(text: Text, place: str) -> TextTable | None:
    longest = max(text.minimum, text.maximum or 0)
    if longest > MAX_LENGTH:
        raise LimitError("length of a string", longest, MAX_LENGTH)
    language, minimum, maximum = _without_counted_characters(text.language, text.minimum, text.maximum)
    if isinstance(language, ReadyAutomaton) and not text.excluded:
        return _ready(language, place, minimum, maximum)
    automaton = None if language is None else character_automaton(language)
    if automaton == ALL_STRINGS:
        automaton = None
    if not has_string(automaton, minimum, maximum, text.excluded):
        return None
    table = TextTable(place, b"", minimum=minimum, maximum=maximum, excluded=text.excluded)
    if automaton is not None:
        number = {chars: index for index, chars in enumerate(dict.fromkeys(map(itemgetter(2), automaton.arcs)))}
        table.edges = [(source, target, number[chars]) for source, target, chars in automaton.arcs]
        table.n_nodes, table.sets = automaton.n_nodes, tuple([chars.ranges for chars in number])
        table.starts, table.ends = automaton.starts, automaton.ends
    table.key = _key(table)
    return table


def _ready(language: ReadyAutomaton, place: str, minimum: int, maximum: int | None) -> TextTable | None:
    """The table of an automaton that is kept in the form of a table. Its text says all, and so stands for it in the key."""
    automaton = numbered(language.text)
    if not has_length(automaton, minimum, maximum):
        return None
    key = digest(("ready text", language.text, minimum, maximum))
    return TextTable(place, key, automaton.n_nodes, automaton.arcs, automaton.sets, (0,), automaton.ends, minimum, maximum)


def _without_counted_characters(language: Expression | None, minimum: int, maximum: int | None) -> tuple[Expression | None, int, int | None]:
    """`[a-z]{2,9}` as `[a-z]*` with lengths 2 to 9: counts of single characters are bounds of length, which cost nothing."""
    if not isinstance(language, Repeat):
        return language, minimum, maximum
    part, least, most = normal_repeat(language)
    if not isinstance(part, Chars):
        return language, minimum, maximum
    bounds = [bound for bound in (maximum, most) if bound is not None]
    return Repeat(part, 0, None), max(minimum, least), min(bounds, default=None)


def _key(table: TextTable) -> bytes:
    facts = ("text", table.n_nodes, table.edges, table.sets, table.starts, sorted(table.ends), table.minimum, table.maximum, sorted(table.excluded))
    return digest(facts)
