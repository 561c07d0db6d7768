"""Random grammars and vocabularies out of the families that break constrained decoders. A seed gives a case back.

Rule: a case is raw tables and a list of tokens, nothing of a kernel. `case(family, rng)` draws one; `cases(n, seed)` gives
many, family after family; `strategy()` is the same draw under hypothesis, which then shrinks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from hypothesis import strategies as st

from grammask.kernel.tables import CALL, EPSILON, FIRST_SLOT, LITERAL, LITERALS, RANGE, SPECIAL, Multiples, RuleTable, TextTable, Unordered

from .oracle import Bnf, spellings_of, words_of_text
from .text_tables import text_of

ALPHABET = b"abc"
N_SPECIALS = 2  # tokens without text that a grammar may name; one end token and one id that nothing names follow them

Expression = Any  # bytes; range low high, words w..., special n, text TextTable, rule number; seq e..., alt e..., star e, opt e
EMPTY: Expression = ("seq",)


@dataclass
class Case:
    """A grammar, a vocabulary and what was asked for. tokens end with the specials, an end token and an id nobody names."""

    family: str
    vocabulary: str
    root: RuleTable
    tokens: list[bytes] = field(default_factory=list)

    @property
    def eos_ids(self) -> list[int]:
        return [len(self.tokens) - 2]

    @property
    def spells_all(self) -> bool:
        """Whether every string over the grammar's alphabet is spelled, so that any viable text can be completed."""
        return self.vocabulary == "bytes"

    def __repr__(self) -> str:
        rules = "\n".join(_shown_text(table) if isinstance(table, TextTable) else _shown(table) for table in tables_of(self.root))
        singles = sum(len(token) == 1 for token in self.tokens)
        tokens = [token for token in self.tokens if len(token) != 1] if singles == 256 else self.tokens
        return f"{self.family} over {self.vocabulary}: {'every byte and ' if singles == 256 else ''}{tokens}\n{rules}"


def _shown(table: RuleTable) -> str:
    names = ["EPSILON", "RANGE", "LITERAL", "LITERALS", "CALL"]
    edges = [", ".join([names[kind], str(a), str(b), *(repr(getattr(one, "place", one)) for one in what)]) for kind, a, b, *what in table.edges]
    return f"  {table.place}: {table.n_nodes} nodes, ({'), ('.join(edges)})"


def _shown_text(text: TextTable) -> str:
    edges = [(a, b, chr(low), chr(high)) for a, b, low, high in text.ranges()]
    lengths = f"{text.minimum} to {'any number of' if text.maximum is None else text.maximum} characters"
    return f"  text: {text.n_nodes} nodes, {edges}, from {text.starts} to {sorted(text.ends)}, {lengths}, not {sorted(text.excluded)}"


def tables_of(root: RuleTable) -> list[RuleTable | TextTable]:
    """The root and every table it calls, in first-visit order."""
    found: dict[RuleTable | TextTable, None] = {root: None}
    for table in (queue := [root]):
        for kind, _, _, *what in table.edges if isinstance(table, RuleTable) else ():
            if kind == CALL and what[0] not in found:
                found[what[0]] = None
                queue.append(what[0])
    return list(found)


# --- networks -----------------------------------------------------------------------------------------------------


def network(rules: list[Expression], specials: int = 0) -> RuleTable:
    """Raw tables for expressions; rule 0 is the root, and `specials` is the id of the first special token."""
    tables = [RuleTable(f"rule {number}") for number in range(len(rules))]
    for table, expression in zip(tables, rules, strict=True):
        _weave(table, 0, 1, expression, tables, specials)
    return tables[0]


def _weave(table: RuleTable, a: int, b: int, expression: Expression, tables: list[RuleTable], specials: int) -> None:
    """Edges from node a to node b for an expression. Loops close on one node, so there are circles of epsilon edges as well."""
    weave = partial(_weave, table, tables=tables, specials=specials)
    match expression:
        case ("seq",):
            table.edges.append((EPSILON, a, b))
        case ("seq", *parts, last):
            for part in parts:
                between = _node(table)
                weave(a, between, part)
                a = between
            weave(a, b, last)
        case ("alt", *parts):
            for part in parts:
                weave(a, b, part)
        case ("opt", part):
            weave(a, b, part)
            table.edges.append((EPSILON, a, b))
        case ("star", part):
            loop = _node(table)
            table.edges += [(EPSILON, a, loop), (EPSILON, loop, b)]
            weave(loop, loop, part)
        case _:
            table.edges.append(_edge(a, b, expression, tables, specials))


def _edge(a: int, b: int, expression: Expression, tables: list[RuleTable], specials: int) -> tuple[Any, ...]:
    match expression:
        case bytes():
            return (LITERAL, a, b, expression)
        case ("range", low, high):
            return (RANGE, a, b, low, high)
        case ("words", *words):
            return (LITERALS, a, b, tuple(dict.fromkeys(words)))
        case ("special", n):
            return (RANGE, a, b, SPECIAL + specials + n, SPECIAL + specials + n)
        case ("text", text):
            return (CALL, a, b, text)
        case ("rule", number):
            return (CALL, a, b, tables[number])
    raise ValueError(f"no expression: {expression!r}")


def _node(table: RuleTable) -> int:
    table.n_nodes += 1
    return table.n_nodes - 1


# --- families: rng -> rules ---------------------------------------------------------------------------------------


def letters(rng: Random, least: int = 1, most: int = 2) -> bytes:
    """A random string over the alphabet."""
    return bytes(rng.choice(ALPHABET) for _ in range(rng.randint(least, most)))


def atom(rng: Random) -> Expression:
    """A literal, a range of letters or a set of words."""
    kind = rng.random()
    if kind < 0.7:
        return letters(rng)
    if kind < 0.85:
        return ("range", *sorted(rng.choices(ALPHABET, k=2)))
    return ("words", *(letters(rng, 1, 3) for _ in range(rng.randint(2, 4))))


def expression(rng: Random, n_rules: int, depth: int) -> Expression:
    """Anything: the mixture in which recursion of every kind comes about by chance."""
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return EMPTY if rng.random() < 0.07 else atom(rng)
    if kind < 0.55:
        return ("rule", rng.randrange(n_rules))
    part = partial(expression, rng, n_rules, depth - 1)
    if kind < 0.8:
        return ("seq", *(part() for _ in range(rng.randint(2, 3))))
    return ("alt", part(), part()) if kind < 0.93 else (rng.choice(["star", "opt"]), part())


def mixed(rng: Random) -> list[Expression]:
    n_rules = rng.randint(1, 5)
    return [("alt", *(expression(rng, n_rules, 2) for _ in range(rng.randint(1, 3)))) for _ in range(n_rules)]


def nullable(rng: Random) -> list[Expression]:
    """A B c | A; both may be empty, in ways that lead through each other."""
    a, b = ("rule", 1), ("rule", 2)
    return [
        ("alt", ("seq", a, b, *([atom(rng)] if rng.random() < 0.7 else [])), ("seq", b, a), *([a] if rng.random() < 0.5 else [])),
        ("alt", ("opt", atom(rng)), ("seq", b, b), ("star", rng.choice([b, atom(rng)]))),
        ("alt", EMPTY, ("seq", letters(rng), rng.choice([a, b])), ("seq", rng.choice([a, b]), ("opt", letters(rng)))),
    ]


def left(rng: Random) -> list[Expression]:
    """S x | y, as lists are often written, and now and then S S or S T behind it."""
    more = [("seq", ("rule", 0), ("rule", rng.choice([0, 1])))] if rng.random() < 0.4 else []
    return [("alt", ("seq", ("rule", 0), atom(rng)), atom(rng), *more), ("alt", ("seq", ("rule", 1), atom(rng)), ("rule", 0), letters(rng))]


def hidden_left(rng: Random) -> list[Expression]:
    """N S x | y where N may be empty: left recursion that no first symbol shows."""
    n = ("rule", 1)
    return [
        ("alt", ("seq", n, ("rule", 0), ("opt", atom(rng))), ("seq", n, n, ("rule", 2), letters(rng)), atom(rng)),
        rng.choice([("opt", atom(rng)), ("star", letters(rng)), ("alt", EMPTY, ("seq", n, letters(rng)))]),
        ("alt", ("seq", n, ("rule", rng.choice([0, 2])), letters(rng)), letters(rng)),
    ]


def right(rng: Random) -> list[Expression]:
    """x S | y."""
    return [
        ("alt", ("seq", atom(rng), ("rule", 0)), rng.choice([EMPTY, atom(rng)]), ("seq", letters(rng), ("rule", 1))),
        ("alt", ("seq", atom(rng), ("rule", 0)), atom(rng)),
    ]


def mutual(rng: Random) -> list[Expression]:
    """Rules in a ring, some of them left-recursive through the ring, some only behind something empty."""
    n_rules = rng.randint(2, 4)
    rules = []
    for number in range(n_rules):
        after = ("rule", (number + 1) % n_rules)
        before = [("opt", letters(rng))] if rng.random() < 0.4 else []
        rules.append(("alt", ("seq", *before, after, atom(rng)), atom(rng), *([("seq", atom(rng), after)] if rng.random() < 0.5 else [])))
    return rules


def ambiguous(rng: Random) -> list[Expression]:
    """Mutual ambiguity, palindromes, S S: many readings that must not be multiplied out."""
    x, y = ("rule", 0), ("rule", 1)
    a, b, c = (letters(rng, 1, 1) for _ in range(3))
    kind = rng.randrange(4)
    if kind == 0:
        return [("alt", ("seq", a, x, b), ("seq", a, y, c), b), ("alt", ("seq", a, x, c), ("seq", a, y, b), rng.choice([b, EMPTY]))]
    if kind == 1:
        return [("alt", ("seq", a, x, a), *([("seq", b, x, b)] if rng.random() < 0.5 else []), rng.choice([a, c, EMPTY]))]
    if kind == 2:
        return [("alt", ("seq", x, x), a, *([EMPTY] if rng.random() < 0.3 else []), ("seq", x, x, x) if rng.random() < 0.3 else b)]
    return [("alt", ("seq", a, y, x), ("seq", a, x, y), b), ("alt", ("seq", x, ("opt", a)), a)]


def tail(rng: Random) -> list[Expression]:
    """Calls with nothing after them, or only what may be empty: returns that complete at once."""
    rest = rng.choice([EMPTY, ("opt", atom(rng)), ("rule", 3)])
    return [
        ("alt", ("seq", atom(rng), ("rule", 1), rest), atom(rng)),
        ("alt", ("seq", atom(rng), ("rule", rng.choice([0, 2]))), ("rule", 2)),
        ("alt", ("seq", letters(rng), ("rule", rng.choice([0, 1]))), letters(rng)),
        ("alt", EMPTY, ("seq", letters(rng), ("rule", 3))),
    ]


def special(rng: Random) -> list[Expression]:
    """Special tokens between, before and behind text, on their own and one of several."""

    def one() -> Expression:
        return ("special", rng.randrange(N_SPECIALS))

    kinds = [
        [("seq", one(), ("star", atom(rng)), one())],
        [("alt", ("seq", atom(rng), one(), ("rule", 0)), rng.choice([EMPTY, atom(rng)]))],
        [("alt", ("seq", ("rule", 1), ("rule", 0), letters(rng)), atom(rng)), ("alt", EMPTY, one())],
        [("seq", ("opt", ("alt", one(), letters(rng))), ("star", ("alt", ("seq", one(), one()), atom(rng))))],
    ]
    return rng.choice(kinds)


def knot(rng: Random) -> RuleTable:
    """Networks drawn edge by edge: edges into starts and out of ends, doubled edges, dead nodes, circles of nothing."""
    tables = [RuleTable(f"knot {number}", n_nodes=rng.randint(2, 5)) for number in range(rng.randint(1, 3))]
    for table in tables:
        for _ in range(rng.randint(2, 9)):
            a, b = rng.randrange(table.n_nodes), rng.randrange(table.n_nodes)
            table.edges.append(
                rng.choice(
                    [
                        (EPSILON, a, b),
                        (RANGE, a, b, *sorted(rng.choices(ALPHABET, k=2))),
                        (LITERAL, a, b, letters(rng)),
                        (LITERALS, a, b, tuple(dict.fromkeys(letters(rng, 1, 3) for _ in range(2)))),
                        (CALL, a, b, rng.choice(tables)),
                    ]
                )
            )
    return tables[0]


def unordered(rng: Random) -> RuleTable:
    """Members in any order with counts and required ones, inside brackets or not, nested and beside other rules."""
    root, members = RuleTable("root"), RuleTable("members")
    kinds: list[Any] = [RuleTable(f"member {number}", edges=[(LITERAL, 0, 1, letters(rng, 1, 3))]) for number in range(rng.randint(1, 4))]
    if rng.random() < 0.4:
        kinds.append(RuleTable("nested", 4, [(LITERAL, 0, 2, letters(rng)), (CALL, 2, 3, root), (LITERAL, 3, 1, letters(rng))]))
    separator = RuleTable("separator", edges=[(LITERAL, 0, 1, letters(rng))])
    n_slots = len(kinds) - (rng.random() < 0.4)
    required = frozenset(slot for slot in range(min(n_slots, 4)) if rng.random() < 0.3 and kinds[slot].place != "nested")
    most = max(n_slots, 1) if n_slots == len(kinds) else n_slots + 2
    minimum = rng.randint(1, max(1, min(most, len(kinds) - any(kind.place == "nested" for kind in kinds))))
    maximum = rng.choice([None, max(minimum, len(required)), max(minimum, len(required)) + 1])
    members.unordered = Unordered(n_slots, required, minimum, maximum)
    members.n_nodes = FIRST_SLOT + n_slots + 1
    members.edges = [edge for slot, kind in enumerate(kinds) for edge in ((CALL, 0, FIRST_SLOT + slot, kind), (EPSILON, FIRST_SLOT + slot, 2))]
    members.edges += [(CALL, 2, 0, separator), (EPSILON, 2, 1)]
    root.n_nodes = 4
    root.edges = rng.choice(
        [
            [(CALL, 0, 1, members)],
            [(LITERAL, 0, 2, letters(rng)), (CALL, 2, 3, members), (LITERAL, 3, 1, letters(rng))],
            [(CALL, 0, 3, members), (CALL, 3, 1, members), (LITERAL, 0, 1, letters(rng))],
        ]
    )
    return root


def multiples(rng: Random) -> RuleTable:
    """Multiples of a number and of none of others, within bounds, alone, behind one another, or beside other rules that begin alike."""
    root, numbers = RuleTable("root"), RuleTable("numbers")
    while numbers.multiples is None:
        places, divisor = rng.randint(0, 2), rng.choice([1, 2, 3, 4, 5, 7, 10, 12, 25, 30, 110])
        excluded = {divisor * rng.choice([2, 3, 5, 7, 10, 11]) for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))}
        unit = 10**places
        low, high = rng.choice([0, 0, 1, rng.randint(0, 30 * unit)]), rng.choice([9, 99, 199, rng.randint(0, 200)]) * unit + rng.randrange(unit)
        if any(value % divisor == 0 and all(value % number for number in excluded) for value in range(low, high + 1)):
            numbers.multiples = Multiples(divisor, tuple(sorted(excluded)), places, low, high, places + rng.choice([0, 0, 1]))
    numbers.edges = numbers.multiples.edges()
    numbers.n_nodes = 5 if numbers.multiples.behind else 3
    root.n_nodes = 4
    digits = b"".join(rng.choices([b"0", b"1", b"5", b"."], k=rng.randint(1, 3)))
    root.edges = rng.choice(
        [
            [(CALL, 0, 1, numbers)],
            [(LITERAL, 0, 2, b"["), (CALL, 2, 3, numbers), (LITERAL, 3, 2, b","), (LITERAL, 3, 1, b"]")],
            [(CALL, 0, 3, numbers), (CALL, 3, 1, numbers), (LITERAL, 0, 1, digits)],
            [(LITERAL, 0, 2, digits), (CALL, 2, 3, numbers), (LITERAL, 3, 1, digits), (CALL, 0, 3, numbers)],
        ]
    )
    return root


# --- texts --------------------------------------------------------------------------------------------------------

CHARACTERS = 'ab0/"\\\n\x00é€😀'
WIDE = [(0x20, 0x7E), (0x00, 0x1F), (0x61, 0x7A), (0x80, 0x7FF), (0x7FF, 0x20AC), (0xE000, 0x1F600), (0x10000, 0x10FFFF), (0xD7F0, 0xD7FF)]


def small_text(rng: Random, alphabet: str = CHARACTERS) -> TextTable:
    """A text with few words over few characters, so that an oracle can write it out."""
    characters = rng.sample(alphabet, 2)
    while True:
        edges, starts, ends, n_nodes = _character_automaton(rng, lambda: (ord(c := rng.choice(characters)), ord(c)))
        maximum = rng.randint(0, 3)
        table = text_of("text", b"", n_nodes, edges, starts, ends, rng.randint(0, maximum), maximum)
        words = words_of_text(table)
        if len(words) > 1 and rng.random() < 0.7:
            table.excluded = frozenset(rng.sample(words, rng.randrange(1, len(words))))
        if len(words) > len(table.excluded):
            return _keyed(table)


def wide_text(rng: Random) -> TextTable:
    """A text over wide ranges of characters, with or without a maximum; n_nodes 0 now and then."""
    while True:
        minimum = rng.choice([0, 0, 1, 3])
        maximum = rng.choice([None, None, minimum, minimum + 2, 4])
        excluded = frozenset("".join(rng.choices(CHARACTERS, k=rng.randint(0, 3))) for _ in range(rng.choice([0, 0, 1, 3])))
        if rng.random() < 0.4:
            if maximum is None or maximum:
                return _keyed(TextTable("text", b"", minimum=minimum, maximum=maximum, excluded=excluded))
            continue
        edges, starts, ends, n_nodes = _character_automaton(rng, lambda: _one_range(rng))
        table = text_of("text", b"", n_nodes, edges, starts, ends, minimum, maximum, excluded)
        if _has_word(table):
            return _keyed(table)


def _one_range(rng: Random) -> tuple[int, int]:
    return rng.choice(WIDE) if rng.random() < 0.5 else (ord(c := rng.choice(CHARACTERS)), ord(c))


def _character_automaton(rng: Random, draw: Callable[[], tuple[int, int]]) -> tuple[list[tuple[int, int, int, int]], tuple[int, ...], frozenset[int], int]:
    """Random edges over characters, then only the nodes that can be reached and lead to an end."""
    n_nodes = rng.randint(1, 4)
    while True:
        edges = [(rng.randrange(n_nodes), rng.randrange(n_nodes), *draw()) for _ in range(rng.randint(1, 2 * n_nodes))]
        ends = {node for node in range(n_nodes) if rng.random() < 0.4}
        forward, backward = {0}, set(ends)
        for _ in range(n_nodes):
            forward |= {b for a, b, _, _ in edges if a in forward}
            backward |= {a for a, b, _, _ in edges if b in backward}
        useful = sorted(forward & backward)
        if 0 in useful and any(a in useful and b in useful for a, b, _, _ in edges):
            break
    number = {node: at for at, node in enumerate(useful)}
    kept = [(number[a], number[b], low, high) for a, b, low, high in edges if a in number and b in number]
    return kept, (0,), frozenset(number[node] for node in ends if node in number), len(useful)


def _has_word(table: TextTable) -> bool:
    """Whether a text surely has a word: a search over (nodes, length, word) with a few characters of each range."""
    reached: dict[str, frozenset[int]] = {"": frozenset(table.starts)}
    for length in range(8):
        if length >= table.minimum and any(nodes & table.ends and word not in table.excluded for word, nodes in reached.items()):
            return True
        if length == table.maximum:
            return False
        after: dict[str, frozenset[int]] = {}
        for word, nodes in list(reached.items())[:200]:
            for c in sorted(
                chr(code) for a, _, low, high in table.ranges() if a in nodes for code in (low, (low + high) // 2, high) if not 0xD800 <= code <= 0xDFFF
            ):
                after[word + c] = frozenset(b for a, b, low, high in table.ranges() if a in nodes and low <= ord(c) <= high)
        reached = after
    return False


def _keyed(table: TextTable) -> TextTable:
    """With a key of its structure, as `grammar.lower` gives one."""
    table.key = repr((table.n_nodes, sorted(table.ranges()), table.starts, sorted(table.ends), table.minimum, table.maximum, sorted(table.excluded))).encode()
    return table


def text(rng: Random, draw: Callable[[Random], TextTable] = small_text) -> list[Expression]:
    """Texts alone, one or the other, as keys of members, and in recursion."""
    first, second = ("text", draw(rng)), ("text", draw(rng))
    kinds = [
        [("seq", b'"', first)],
        [("seq", b'"', ("alt", first, second))],
        [("alt", ("seq", b'"', first, b"a"), ("seq", b'"', second, b"b"))],
        [("seq", b"{", ("alt", ("seq", b'"a":', ("rule", 1)), ("seq", b'"', first, b":", ("rule", 1))), b"}"), ("alt", b"0", ("seq", b'"', second))],
        [("alt", ("seq", b'["', first, b",", ("rule", 0), b"]"), b"0", ("seq", b'"', second))],
    ]
    return rng.choice(kinds)


FAMILIES: dict[str, Callable[[Random], list[Expression] | RuleTable]] = {
    "mixed": mixed,
    "nullable": nullable,
    "left": left,
    "hidden left": hidden_left,
    "right": right,
    "mutual": mutual,
    "ambiguous": ambiguous,
    "tail": tail,
    "special": special,
    "knot": knot,
    "unordered": unordered,
    "multiples": multiples,
    "text": text,
    "wide text": partial(text, draw=wide_text),
}


# --- vocabularies -------------------------------------------------------------------------------------------------

VOCABULARIES = ("bytes", "gaps", "words")


def vocabulary(kind: str, rng: Random, root: RuleTable, strings: list[bytes]) -> list[bytes]:
    """Tokens with text.

    "bytes": every byte of the alphabet, and longer ones. "gaps": the same without one or two of the bytes, which only
    longer tokens then hold, or none. "words": pieces of the strings, few of them single bytes, so that most texts cannot be spelled.
    """
    has_text = any(isinstance(table, TextTable) for table in tables_of(root))
    digits = b".0123456789" if any(isinstance(table, RuleTable) and table.multiples is not None for table in tables_of(root)) else b""
    alphabet = bytes(range(256)) if has_text and kind != "words" else bytes(sorted({*ALPHABET, *digits, *b"".join(strings)}))
    pieces = {string[a : a + rng.randint(1, 5)] for string in strings for a in range(len(string))}
    if kind == "words":
        chopped = {piece for string in strings[:4] for piece in _chopped(rng, string)}
        return sorted((chopped | set(rng.sample(sorted(pieces), min(4, len(pieces))))) - {b""})
    noise = {bytes(rng.choice(alphabet) for _ in range(rng.randint(2, 5))) for _ in range(10)} | {letters(rng, 2, 5) for _ in range(10)}
    longer = noise | set(rng.sample(sorted(pieces), min(15, len(pieces))))
    singles = {bytes([byte]) for byte in alphabet}
    if kind == "gaps":
        missing = b"\x04\xc0\xf5\xa9\xc3u0n\\" if has_text else alphabet
        singles -= {bytes([rng.choice(missing)]) for _ in range(2 if len(missing) > 3 else 1)}
    return sorted((singles | longer) - {b""})


def _chopped(rng: Random, string: bytes) -> list[bytes]:
    """A string cut at random, so that at least this one is spelled."""
    pieces, at = [], 0
    while at < len(string):
        size = rng.randint(1, 4)
        pieces.append(string[at : at + size])
        at += size
    return pieces


# --- cases --------------------------------------------------------------------------------------------------------


def case(family: str, kind: str, rng: Random) -> Case:
    """Draw a grammar of a family and a vocabulary of a kind; grammars that derive nothing are drawn again."""
    while True:
        drawn = FAMILIES[family](rng)
        root = drawn if isinstance(drawn, RuleTable) else network(drawn)
        strings = _sampled(rng, root)
        if strings is None:
            continue
        spelled = vocabulary(kind, rng, root, strings)
        if not isinstance(drawn, RuleTable):
            root = network(drawn, specials=len(spelled))
        return Case(family, kind, root, [*spelled, *([b""] * (N_SPECIALS + 2))])


def _sampled(rng: Random, root: RuleTable, n: int = 12) -> list[bytes] | None:
    """Some strings of the language without its specials; None if it has none."""
    bnf = Bnf(_narrowed(root))
    if bnf.is_empty:
        return None
    return [bytes(symbol for symbol in bnf.sample(rng) if symbol < SPECIAL) for _ in range(n)]


def _narrowed(root: RuleTable) -> RuleTable:
    """The same grammar with each wide text cut down to a few of its words, for sampling."""
    twins = {table: RuleTable(table.place, table.n_nodes) for table in tables_of(root) if isinstance(table, RuleTable)}
    for table, twin in twins.items():
        for edge in table.edges:
            if edge[0] != CALL:
                twin.edges.append(edge)
            elif isinstance(edge[3], RuleTable):
                twin.edges.append((*edge[:3], twins[edge[3]]))
            else:
                twin.edges.append((LITERALS, *edge[1:3], tuple(_some_spellings(edge[3]))))
    return twins[root]


def _some_spellings(table: TextTable) -> Iterator[bytes]:
    """A few spelled words of a text with their closing quotes (or words that nearly are, where the text is wide)."""
    rng = Random(len(table.edges))
    for length in range(table.minimum, min(table.minimum + 3, 5 if table.maximum is None else table.maximum + 1)):
        for _ in range(4):
            characters = rng.choices(CHARACTERS, k=length)
            yield b"".join(rng.choice(list(spellings_of(c))) for c in characters) + b'"'


def cases(n: int, seed: int, families: tuple[str, ...] = tuple(FAMILIES), kinds: tuple[str, ...] = VOCABULARIES) -> Iterator[Case]:
    """n cases, the families in turn; half of them with the first kind of vocabulary, the others with any."""
    for number in range(n):
        rng = Random(f"{seed}/{number}")
        family, kind = families[number % len(families)], rng.choice(kinds) if rng.random() < 0.5 else kinds[0]
        yield case(family, "gaps" if (family, kind) == ("wide text", "words") else kind, rng)  # no word of a wide text is likely to be drawn


def strategy(families: tuple[str, ...], kinds: tuple[str, ...] = VOCABULARIES) -> st.SearchStrategy[Case]:
    """Cases for hypothesis."""
    return st.builds(case, st.sampled_from(families), st.sampled_from(kinds), st.randoms(use_true_random=False))
