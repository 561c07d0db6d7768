"""The tables the kernel runs on: a recursive transition network over symbols, without names, syntax or vocabulary.

A *symbol* is a byte (0 to 255) or SPECIAL + id, which stands for a special token that carries no text.
A rule is a nondeterministic automaton, node 0 its start and node 1 its only end, whose edges are
    (EPSILON, a, b)             nothing
    (RANGE, a, b, low, high)    one symbol out of low..high, inclusive
    (LITERAL, a, b, bytes)      these bytes in a row (at least one)
    (LITERALS, a, b, tuple)     any one of these different byte strings (each at least one byte)
    (CALL, a, b, rule)          a string of that rule (a RuleTable or TextTable)
Tables are what `grammar.lower` writes; the kernel copies them, so they may be dropped after binding.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any

__all__ = ["CALL", "EPSILON", "FIRST_SLOT", "LITERAL", "LITERALS", "RANGE", "SPECIAL", "Multiples", "Recorder", "RuleTable", "TextTable", "Unordered"]

EPSILON, RANGE, LITERAL, LITERALS, CALL = range(5)
SPECIAL = 256
FIRST_SLOT = 3


@dataclass(slots=True, frozen=True)
class Unordered:
    """What the rule of members in any order keeps in mind: its frame is a set of used slots and a count of members.

    n_slots: slots 0 .. n_slots - 1 are taken once each; the slot n_slots is that of further members, taken any number of times.
    required: slots that must be used before the end.  minimum (at least 1), maximum: number of members (maximum None: no bound).
    The nodes of such a rule are fixed: 0 before a member, 1 the end, 2 after a member, FIRST_SLOT + s after a member of slot s. Its edges
    are a CALL from 0 to FIRST_SLOT + s for each slot that can be used at all, an EPSILON from there to 2, the CALL of the separator from 2
    to 0, and an EPSILON from 2 to 1. They alone would read too much; what is kept in mind forbids the rest.
    Every required slot has its call, and so have enough others for the minimum; nothing that is called is nullable.
    """

    n_slots: int
    required: frozenset[int]
    minimum: int = 1
    maximum: int | None = None

    def is_met_by(self, nodes: Container[int]) -> bool:
        """Whether members of these slots, given as nodes, are enough for an end."""
        have = [slot for slot in range(self.n_slots) if FIRST_SLOT + slot in nodes]
        has_rest = FIRST_SLOT + self.n_slots in nodes
        return self.required <= set(have) and (has_rest or len(have) >= self.minimum)


@dataclass(slots=True, frozen=True, eq=False)
class Recorder:
    """How the strings of a rule are told apart by those who call it, so that none is read twice in one frame of theirs.

    Every string of the rule is a JSON value, without whitespace before or after it; with `is_member` it is a member of an object, told
    apart by its name. All recorded rules that one rule calls agree in that, and in `value`.
    value: equal for the texts of equal values, and different for others.
    without: the table of the rule less the texts of these values; None if nothing is left. What it gives is asked for while a text is
    read, so it must not fail. Safe to call from any thread.
    is_rich: from every beginning of a string of the rule that is not a whole one there are strings without end to go on to.
    opens: those of the bytes { [ " from which, as the beginning of a string of the rule, there are strings without end to go on to, whatever
    whitespace is behind a bracket, and from a quotation mark behind { too.
    slack: what a string that is still to be read may cost more than the shortest, in bytes, since others were read.
    """

    value: Callable[[bytes], object]
    without: Callable[[frozenset[object]], RuleTable | None]
    is_rich: bool = False
    opens: bytes = b""
    is_member: bool = False
    slack: int = 0


@dataclass(slots=True, frozen=True)
class Multiples:
    """What a rule of multiples keeps in mind: its frame is how the digits so far compare with those of the bounds, and their residues.

    The strings are decimals, counted in units of 10**-places: low <= value <= high, divisor divides it and none of `excluded` does, each of
    which is a multiple of divisor other than divisor itself. No leading zeros, no more whole digits than `high` has, at most `behind` digits
    behind the point (places <= behind), those behind the first `places` of them zeros. There is at least one such string.
    The edges of such a rule are fixed, and read all decimals: whoever asks which symbols it has, or what it calls, may look at them.
    """

    divisor: int
    excluded: tuple[int, ...]
    places: int
    low: int
    high: int
    behind: int

    def edges(self) -> list[tuple[Any, ...]]:
        """The fixed edges, over five nodes, three if there is never a point."""
        whole = [(RANGE, 0, 2, 0x30, 0x39), (RANGE, 2, 2, 0x30, 0x39), (EPSILON, 2, 1)]
        fraction = [(LITERAL, 2, 3, b"."), (RANGE, 3, 4, 0x30, 0x39), (RANGE, 4, 4, 0x30, 0x39), (EPSILON, 4, 1)]
        return whole + fraction if self.behind else whole


@dataclass(slots=True, eq=False)
class RuleTable:
    """One rule.

    place: its name for errors.  key: digest of its structure if a vocabulary may share it among grammars, else None
    (then everything it calls has a key too).  nullable: it matches the empty string.
    rank: 0 if it calls nothing before consuming a symbol (nullable calls passed over), else 1 + the highest rank among
    the rules it calls so; defined only for prepared tables (see below).
    resting: the nodes at which a token may end, or None for all (vocabularies that do not spell everything).
    unordered: not None for a rule that reads members in any order.  multiples: not None for one that reads multiples of a number.
    recorder: not None for a rule whose strings its callers tell apart: each frame of a caller, which has no key, reads none of them twice.
    later: not None for a rule without edges yet, which has strings, none of them empty, begins with a symbol of its own and has no key: gives the
    table to put in its place when a text first comes there; it must not fail. What that calls besides are tables given before, or new ones.
    loose: of what a recorder gives: strings that were to be left out may be in it still, so whoever reads it has to look at each where it ends.
    prepared: whether this table and all it calls keep the promises of prepared tables; then `grammar.prepare` need not look.

    *Prepared* tables (`grammar.prepare`), the only ones the compiled kernel takes, keep three promises more:
    no rule calls itself before consuming a symbol, through others or not; beside each CALL of a nullable rule stands an
    EPSILON edge (or, at a start that stands for several nodes, all that would follow it), and calls stand for the
    non-empty strings only; every node can be reached and leads to the end.
    """

    place: str
    n_nodes: int = 2
    edges: list[tuple[Any, ...]] = field(default_factory=list)
    nullable: bool = False
    rank: int = 0
    key: bytes | None = None
    resting: frozenset[int] | None = None
    prepared: bool = False
    unordered: Unordered | None = None
    recorder: Recorder | None = None
    multiples: Multiples | None = None
    loose: bool = False
    later: Callable[[], RuleTable] | None = None


@dataclass(slots=True, eq=False)
class TextTable:
    """The inside of a JSON string and its closing quote, over characters (see grammar.expression.Text). Never nullable, rank 0.

    A nondeterministic automaton over code points without epsilon edges: edges (a, b, n) read one character out of the set n in `sets`, which
    are ranges (low, high), inclusive, without surrogates: automata have few sets and many edges. starts and ends are nodes; n_nodes = 0
    stands for all strings. Every node can be reached and leads to an end.
    minimum, maximum: length in characters (maximum None: no bound); excluded: strings not allowed.
    At least one string is in it. key: digest of all this, or None if no other grammar may have its rule (as of a RuleTable).
    """

    place: str
    key: bytes | None
    n_nodes: int = 0
    edges: list[tuple[int, int, int]] = field(default_factory=list)
    sets: tuple[tuple[tuple[int, int], ...], ...] = ()
    starts: tuple[int, ...] = ()
    ends: frozenset[int] = frozenset()
    minimum: int = 0
    maximum: int | None = None
    excluded: frozenset[str] = frozenset()
    nullable: bool = False
    rank: int = 0
    prepared: bool = True

    def ranges(self) -> list[tuple[int, int, int, int]]:
        """(a, b, low, high) for each range of each edge."""
        return [(a, b, low, high) for a, b, chars in self.edges for low, high in self.sets[chars]]
