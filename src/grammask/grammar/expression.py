"""The small form: the one tree that every front end produces and everything below reads.

Rule: nodes are immutable and hash-consed, so equal structure is one object, but for nodes made by `once`: those are written in one place of
one grammar, where looking for equal ones costs more than it saves; two of them that are equal mean the same, and are two.
A node says what strings it stands for; nothing here knows a vocabulary, a syntax or a kernel.
`Rule` is the only name: a mutable cell, so that grammars can recurse; `Ref(rule)` stands for its body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self, TypeVar
from weakref import ref

__all__ = [
    "ANY_CHARACTER", "EMPTY", "NOTHING",
    "Alt", "And", "Automaton", "Chain", "Chars", "Expression", "Literal", "Multiples", "Not", "ReadyAutomaton", "Ref", "Repeat", "Rule", "Seq",
    "Text", "Token", "Unordered",
    "either", "literal", "optional", "seq",
]  # fmt: skip

MAX_CODE_POINT = 0x10FFFF


Node = TypeVar("Node", bound="Expression")


class _Held(ref["Expression"]):
    """A weak reference to a node that knows the node's place in its table, and leaves it when the node dies."""

    __slots__ = ("key", "table")
    key: Any
    table: dict[Any, Any]


def _forget(held: _Held) -> None:
    if held.table.get(held.key) is held:
        del held.table[held.key]


class Expression:
    """Base of all nodes. Equality is identity: structurally equal nodes are the same object while one of them lives.

    Each class keeps a table from fields to the living node. Keys name child nodes by `id`, which is theirs as long as the parent
    lives: a key that held them would keep every recursive grammar alive through its own table. A hit costs 0.2 to 0.4 us.
    """

    __slots__ = ("__weakref__",)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """Nodes never change, so a copy is the node itself."""
        return self

    def __reduce__(self) -> Any:
        raise TypeError("grammars are not pickled: send the schema, pattern or text they were made of, and make them anew there")


def _hold(table: dict[Any, Any], key: Any, node: Node) -> Node:
    """Enter a new node in its table; gives the node of another thread that came first."""
    held = _Held(node, _forget)
    held.table, held.key = table, key
    first = table.setdefault(key, held)
    if first is not held:
        other: Node | None = first()
        if other is not None:
            return other
        table[key] = held
    return node


class Literal(Expression):
    """Exactly these bytes."""

    __slots__ = ("data",)
    data: bytes

    @classmethod
    def once(cls, data: bytes) -> Self:
        """A node that is not looked for among the others, nor found there."""
        node = object.__new__(cls)
        node.data = data
        return node

    def __new__(cls, data: bytes) -> Self:
        held = _LITERALS.get(data)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.data = data
            return _hold(_LITERALS, data, node)
        return node


class Chars(Expression):
    """One character out of a set, spelled in UTF-8.

    ranges: sorted, disjoint, not adjacent (lo, hi) code points, inclusive, surrogates left out.
    utf8: its byte automaton, kept here by grammar.utf8.
    """

    __slots__ = ("ranges", "utf8")
    ranges: tuple[tuple[int, int], ...]
    utf8: Any

    def __new__(cls, ranges: Iterable[tuple[int, int]]) -> Self:
        key = tuple(ranges)
        held = _CHARS.get(key)  # only normal forms are keys, so a hit is one
        node: Self | None = held() if held is not None else None
        if node is None:
            key = normalise_ranges(key)
            held = _CHARS.get(key)
            node = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.ranges = key
            node.utf8 = None
            return _hold(_CHARS, key, node)
        return node


class Seq(Expression):
    """The parts one after the other; no parts is the empty string."""

    __slots__ = ("parts",)
    parts: tuple[Expression, ...]

    @classmethod
    def once(cls, parts: tuple[Expression, ...]) -> Self:
        """A node that is not looked for among the others, nor found there."""
        node = object.__new__(cls)
        node.parts = parts
        return node

    def __new__(cls, parts: Iterable[Expression]) -> Self:
        parts = tuple(parts)
        key = tuple(map(id, parts))
        held = _SEQS.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.parts = parts
            return _hold(_SEQS, key, node)
        return node


class Alt(Expression):
    """Any one of the parts; no parts is the empty language, which matches nothing.

    texts: the bytes of the parts if they are two different literals or more that are not empty, kept here by grammar.construction.
    """

    __slots__ = ("parts", "texts")
    parts: tuple[Expression, ...]
    texts: Any

    @classmethod
    def once(cls, parts: tuple[Expression, ...]) -> Self:
        """A node that is not looked for among the others, nor found there."""
        node = object.__new__(cls)
        node.parts, node.texts = parts, None
        return node

    def __new__(cls, parts: Iterable[Expression]) -> Self:
        parts = tuple(parts)
        key = tuple(map(id, parts))
        held = _ALTS.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.parts = parts
            node.texts = None
            return _hold(_ALTS, key, node)
        return node


class Repeat(Expression):
    """`minimum` to `maximum` times the part; `maximum` None is no bound."""

    __slots__ = ("maximum", "minimum", "part")
    part: Expression
    minimum: int
    maximum: int | None

    def __new__(cls, part: Expression, minimum: int = 0, maximum: int | None = None) -> Self:
        key = (id(part), minimum, maximum)
        held = _REPEATS.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.part, node.minimum, node.maximum = part, minimum, maximum
            return _hold(_REPEATS, key, node)
        return node


class And(Expression):
    """Strings that are in every part. Parts are regular and over characters (no Ref, Text or Token below)."""

    __slots__ = ("parts",)
    parts: tuple[Expression, ...]

    def __new__(cls, parts: Iterable[Expression]) -> Self:
        parts = tuple(parts)
        key = tuple(map(id, parts))
        held = _ANDS.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.parts = parts
            return _hold(_ANDS, key, node)
        return node


class Not(Expression):
    """Strings of characters that are not in the part, which is regular."""

    __slots__ = ("part",)
    part: Expression

    def __new__(cls, part: Expression) -> Self:
        key = id(part)
        held = _NOTS.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.part = part
            return _hold(_NOTS, key, node)
        return node


class Text(Expression):
    """The inside of a JSON string with its closing quote: every spelling of every allowed string, then `"`.

    language: a regular expression over characters (Literal holds their UTF-8), or None for all strings;
    minimum, maximum: bounds of the length in characters; excluded: strings that are not allowed.
    A character may be spelled raw (from U+0020 on, but `"` and the backslash) or by any escape of RFC 8259 section 7;
    comparisons, lengths and `excluded` are of characters, whatever their spelling. Lone surrogates are left out.
    lowered: its kernel table, kept here by grammar.lower.
    """

    __slots__ = ("excluded", "language", "lowered", "maximum", "minimum")
    language: Expression | None
    minimum: int
    maximum: int | None
    excluded: frozenset[str]
    lowered: Any

    def __new__(cls, language: Expression | None = None, minimum: int = 0, maximum: int | None = None, excluded: frozenset[str] = frozenset()) -> Self:
        key = (id(language), minimum, maximum, excluded)
        held = _TEXTS.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.language, node.minimum, node.maximum, node.excluded = language, minimum, maximum, excluded
            node.lowered = None
            return _hold(_TEXTS, key, node)
        return node


class Chain(Expression):
    """Members in a fixed order, some of them optional, with separators between neighbours: objects and arrays.

    A string of it is m1 separator m2 separator ... mk, with `minimum` <= k, and k <= `maximum` unless that is None. The
    members are strings of some of the items, in the order of the items and each item at most once, then strings of
    `rest`, any number of them (none if `rest` is None). Items are (expression, required) pairs, and a required one is present.
    contiguous False (objects): any item that is not required may be left out.
    contiguous True (arrays): an item is present only if all items before it are, and `rest` only after all items.
    An item or `rest` that can match nothing at all is simply never present, and a required one leaves no string.
    The empty string is in it exactly if k = 0 is allowed. Its automaton has one separator and one copy of each
    item (times the counts, where they bind), so its size is linear in the number of items.
    """

    __slots__ = ("contiguous", "items", "maximum", "minimum", "rest", "separator")
    items: tuple[tuple[Expression, bool], ...]
    separator: Expression
    rest: Expression | None
    minimum: int
    maximum: int | None
    contiguous: bool

    @classmethod
    def once(cls, items: Iterable[tuple[Expression, bool]], separator: Expression, rest: Expression | None, minimum: int, maximum: int | None) -> Self:
        """A node that is not looked for among the others, nor found there."""
        node = object.__new__(cls)
        node.items, node.separator, node.rest = tuple(items), separator, rest
        node.minimum, node.maximum, node.contiguous = minimum, maximum, False
        return node

    def __new__(
        cls,
        items: Iterable[tuple[Expression, bool]],
        separator: Expression,
        rest: Expression | None = None,
        minimum: int = 0,
        maximum: int | None = None,
        contiguous: bool = False,
    ) -> Self:
        items = tuple(items)
        key = (tuple([(id(item), required) for item, required in items]), id(separator), id(rest), minimum, maximum, contiguous)
        held = _CHAINS.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.items, node.separator, node.rest = items, separator, rest
            node.minimum, node.maximum, node.contiguous = minimum, maximum, contiguous
            return _hold(_CHAINS, key, node)
        return node


class Unordered(Expression):
    """Members in any order, each item at most once, with separators between neighbours: objects whose order is free, arrays of different values.

    A string of it is m1 separator m2 separator ... mk, with `minimum` <= k, and k <= `maximum` unless that is None. The members are strings
    of some of the items, in any order and each item at most once, and strings of `rest`, any number of them (none if `rest` is None).
    Items are (expression, required) pairs, and a required one is present. No item, nor `rest` or the separator, matches the empty string,
    and at least one member is there: `minimum` is 1 or more.
    Its automaton has one copy of each item: which of them have been used is part of the state, found as a text comes there.
    """

    __slots__ = ("items", "maximum", "minimum", "rest", "separator")
    items: tuple[tuple[Expression, bool], ...]
    separator: Expression
    rest: Expression | None
    minimum: int
    maximum: int | None

    def __new__(
        cls, items: Iterable[tuple[Expression, bool]], separator: Expression, rest: Expression | None = None, minimum: int = 1, maximum: int | None = None
    ) -> Self:
        items = tuple(items)
        key = (tuple([(id(item), required) for item, required in items]), id(separator), id(rest), minimum, maximum)
        held = _UNORDERED.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.items, node.separator, node.rest, node.minimum, node.maximum = items, separator, rest, minimum, maximum
            return _hold(_UNORDERED, key, node)
        return node


class Automaton(Expression):
    """The byte strings that lead from node 0 to one of `ends` over edges (from, to, low, high): one byte of low..high each.

    For languages that are found by exploring states (numbers in a range, multiples), where an expression would be far longer.
    """

    __slots__ = ("edges", "ends")
    edges: tuple[tuple[int, int, int, int], ...]
    ends: frozenset[int]

    def __new__(cls, edges: Iterable[tuple[int, int, int, int]], ends: Iterable[int]) -> Self:
        edges, ends = tuple(edges), frozenset(ends)
        key = edges, ends
        held = _AUTOMATA.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.edges, node.ends = edges, ends
            return _hold(_AUTOMATA, key, node)
        return node


class ReadyAutomaton(Expression):
    """Strings of characters, by an automaton that was worked out beforehand and is taken as it is.

    text: what grammar.packed_automaton wrote. automaton: the CharacterAutomaton of it, kept here by grammar.language.
    """

    __slots__ = ("automaton", "text")
    text: str
    automaton: Any

    def __new__(cls, text: str) -> Self:
        held = _READY_AUTOMATA.get(text)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.text = text
            node.automaton = None
            return _hold(_READY_AUTOMATA, text, node)
        return node


class Multiples(Expression):
    """Decimals that are multiples of one number and of none of some others, within bounds: digits, or digits, a point and digits.

    The value of a string is counted in units of 10**-places: low <= value <= high, divisor divides it and none of `excluded` does, each of
    which is itself a multiple of divisor. No leading zeros, no more whole digits than `high` has, at most `behind` digits behind the point,
    and behind the first `places` of these only zeros (places <= behind).
    Its automaton may have as many states as the least common multiple of all the numbers, times the digits: the kernel makes those that a
    text comes to.
    """

    __slots__ = ("behind", "divisor", "excluded", "high", "low", "places")
    divisor: int
    excluded: tuple[int, ...]
    places: int
    low: int
    high: int
    behind: int

    def __new__(cls, divisor: int, excluded: Iterable[int], places: int, low: int, high: int, behind: int) -> Self:
        key = divisor, tuple(excluded), places, low, high, behind
        held = _MULTIPLES.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.divisor, node.excluded, node.places, node.low, node.high, node.behind = key
            return _hold(_MULTIPLES, key, node)
        return node


class Token(Expression):
    """One token out of a set, named by `Vocabulary.specials` (str) or by id (int). A special token carries no text; another one stands for its text.

    but: the set is that of all special tokens of the vocabulary but those named; end tokens are never in it.
    """

    __slots__ = ("but", "names")
    names: tuple[str | int, ...]
    but: bool

    def __new__(cls, names: Iterable[str | int], but: bool = False) -> Self:
        key = tuple(names), but
        held = _TOKENS.get(key)
        node: Self | None = held() if held is not None else None
        if node is None:
            node = object.__new__(cls)
            node.names, node.but = key
            return _hold(_TOKENS, key, node)
        return node


_LITERALS: dict[Any, Any] = {}
_CHARS: dict[Any, Any] = {}
_SEQS: dict[Any, Any] = {}
_ALTS: dict[Any, Any] = {}
_REPEATS: dict[Any, Any] = {}
_ANDS: dict[Any, Any] = {}
_NOTS: dict[Any, Any] = {}
_TEXTS: dict[Any, Any] = {}
_CHAINS: dict[Any, Any] = {}
_UNORDERED: dict[Any, Any] = {}
_AUTOMATA: dict[Any, Any] = {}
_READY_AUTOMATA: dict[Any, Any] = {}
_MULTIPLES: dict[Any, Any] = {}
_TOKENS: dict[Any, Any] = {}


class Rule:
    """A named cell for an expression, so that grammars can recurse.

    place: what errors call it: a rule name of a grammar text, or a JSON pointer.
    shared: its structure is the same in many grammars (whitespace, numbers, free JSON), so a vocabulary keeps its masks for all.
    prunable: it may turn out to match nothing (a recursive schema without an end), and what needs it is then left out;
    otherwise such a rule is an error.
    lowered: its kernel table, kept here by grammar.lower for shared rules.
    write: makes the body when somebody first asks for it, in whatever thread; None once it is written. Only a front end that knows beforehand
    that the body is neither refused nor empty nor too large, begins with a byte and counts nothing may leave it to be written later.
    """

    __slots__ = ("__weakref__", "body", "lowered", "place", "prunable", "reference", "shared", "write")
    body: Expression

    def __init__(
        self, place: str, body: Expression | None = None, shared: bool = False, prunable: bool = False, write: Callable[[], Expression] | None = None
    ) -> None:
        self.place, self.shared, self.prunable, self.write = place, shared, prunable, write
        self.lowered: Any = None
        self.reference: Ref | None = None
        if write is None:
            self.body = NOTHING if body is None else body

    def __getattr__(self, name: str) -> Any:
        """The body, which is all that can be missing, when it is first asked for."""
        write = self.write if name == "body" else None
        if write is not None:
            self.body = write()
            self.write = None
        return object.__getattribute__(self, name)

    def __repr__(self) -> str:
        return f"<Rule {self.place}>"


class Ref(Expression):
    """The body of a rule. Two references are equal if they name the same cell."""

    __slots__ = ("rule",)
    rule: Rule

    def __new__(cls, rule: Rule) -> Self:
        node: Any = rule.reference
        if node is None:
            node = object.__new__(cls)
            node.rule = rule
            rule.reference = node
        reference: Self = node
        return reference


def normalise_ranges(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Sorted, joined, without surrogates. Raises ValueError for a range that is no range of code points."""
    ranges = tuple(ranges)
    if _are_normal(ranges):
        return ranges
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if not 0 <= low <= high <= MAX_CODE_POINT:
            raise ValueError(f"({low}, {high}) is not a range of code points")
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    kept = []
    for low, high in joined:
        if low < 0xD800:
            kept.append((low, min(high, 0xD7FF)))
        if high > 0xDFFF:
            kept.append((max(low, 0xE000), high))
    return tuple(kept)


def _are_normal(ranges: tuple[tuple[int, int], ...]) -> bool:
    """Whether nothing is to be done to ranges, as to most that are long."""
    following = 0  # the first character that the next range may begin with
    for low, high in ranges:
        if low < following or high < low or (high >= 0xD800 and low <= 0xDFFF):
            return False
        following = high + 2 if high != 0xD7FF else 0xE000
    return following <= MAX_CODE_POINT + 2


EMPTY = Seq(())
NOTHING = Alt(())
ANY_CHARACTER = Chars([(0, MAX_CODE_POINT)])


def literal(text: str | bytes) -> Literal:
    """The literal for a text (in UTF-8) or for bytes."""
    return Literal(text.encode() if isinstance(text, str) else text)


def seq(*parts: Expression) -> Expression:
    """`Seq` without needless nesting: flattens, drops EMPTY, joins neighbouring literals, is NOTHING if a part is."""
    flat: list[Expression] = []
    for part in parts:
        for piece in part.parts if type(part) is Seq else (part,):
            if type(piece) is Literal and flat and type(flat[-1]) is Literal:
                flat[-1] = Literal(flat[-1].data + piece.data)
            elif piece is NOTHING:
                return NOTHING
            else:
                flat.append(piece)
    return flat[0] if len(flat) == 1 else Seq(flat)


def either(*parts: Expression) -> Expression:
    """`Alt` without needless nesting: flattens, drops NOTHING and doubles."""
    flat: dict[Expression, None] = {}
    for part in parts:
        for piece in part.parts if isinstance(part, Alt) else (part,):
            flat[piece] = None
    return next(iter(flat)) if len(flat) == 1 else Alt(flat)


def optional(part: Expression) -> Expression:
    """The part or nothing."""
    return Repeat(part, 0, 1)
