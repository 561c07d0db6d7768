"""Regular expressions over characters as automata over characters, for texts whose spelling is somebody else's matter.

Source: Thompson 1968 for the construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from grammask.errors import UnsupportedFeatureError
from grammask.grammar.character_automaton import Arc, CharacterAutomaton, Work, common, complement, normal_automaton
from grammask.grammar.expression import Alt, And, Chars, Expression, Literal, Not, Repeat, Seq
from grammask.grammar.repetition import loop_parts, normal_repeat

__all__ = ["character_automaton"]

MAX_KEPT_ARCS = 2_000
PER_CONDITION = 100  # the work that each And and Not counts besides its size


def character_automaton(language: Expression) -> CharacterAutomaton:
    """The automaton of a regular expression over characters. The last few hundred of moderate size are kept.

    Raises UnsupportedFeatureError for what is not one (Ref, Text, Token, bytes that are no UTF-8), LimitError if it grows too large.
    Cost: a few us per node for what has neither And nor Not; each And multiplies sizes and each Not may raise one to a power.
    """
    kept = _kept(language)
    if kept:
        return kept[0]
    automaton = _made(language)
    if len(automaton.arcs) <= MAX_KEPT_ARCS:
        kept.append(automaton)
    return automaton


@lru_cache(maxsize=256)
def _kept(_language: Expression) -> list[CharacterAutomaton]:
    """The place where the automaton of a language is kept once it is made."""
    return []


def _made(language: Expression) -> CharacterAutomaton:
    work = Work()
    built: dict[Expression, CharacterAutomaton] = {}
    for node in _conditions(language):
        work.spend(PER_CONDITION)
        parts = node.parts if isinstance(node, And) else (node.part,)
        automata = [_Construction(work, built).automaton(part) for part in parts]
        built[node] = common(automata, work) if isinstance(node, And) else complement(automata[0], work)
    return built[language] if language in built else _Construction(work, built).automaton(language)


def _conditions(language: Expression) -> list[And | Not]:
    """All And and Not nodes of the expression, inner ones first."""
    found: list[And | Not] = []
    work: list[tuple[Expression, bool]] = [(language, False)]
    seen: set[Expression] = set()
    while work:
        node, is_done = work.pop()
        if is_done and isinstance(node, And | Not):
            found.append(node)
        elif node not in seen:
            seen.add(node)
            if isinstance(node, And | Not):
                work.append((node, True))
            if isinstance(node, Seq | Alt | And):
                work += [(part, False) for part in node.parts if type(part) is not Literal]
            elif isinstance(node, Repeat | Not):
                work.append((node.part, False))
    return found


class _Construction:
    """One Thompson construction: nodes 0 (start) and 1 (end), edges over characters, edges over nothing.

    Fragments are built between two given nodes and add no edge into the first nor out of the second.
    """

    def __init__(self, work: Work, built: dict[Expression, CharacterAutomaton]) -> None:
        self.work, self.built = work, built
        self.n_nodes = 2
        self.arcs: list[Arc] = []
        self.skips: list[tuple[int, int]] = []
        self.todo: list[tuple[Expression, int, int]] = []

    def automaton(self, language: Expression) -> CharacterAutomaton:
        self.todo.append((language, 0, 1))
        while self.todo:
            node, start, end = self.todo.pop()
            if node in self.built:
                self._embed(self.built[node], start, end)
                continue
            build = _BUILD.get(type(node))
            if build is None:
                raise UnsupportedFeatureError(f"{type(node).__name__} inside a pattern of characters", "only regular expressions over characters can be")
            build(self, node, start, end)
        return _without_skips(self.n_nodes, self.arcs, self.skips, self.work)

    def new_node(self) -> int:
        self.work.spend(1)
        self.n_nodes += 1
        return self.n_nodes - 1

    def skip(self, start: int, end: int) -> None:
        self.work.spend(1)
        if start != end:
            self.skips.append((start, end))

    def spell(self, text: str, start: int, end: int) -> None:
        """Edges for a text of at least one character."""
        self.work.spend(len(text))
        for character in text[:-1]:
            node = self.new_node()
            self.arcs.append((start, node, _single(character)))
            start = node
        self.arcs.append((start, end, _single(text[-1])))

    def literal(self, node: Literal, start: int, end: int) -> None:
        text = _decoded(node.data)
        self.spell(text, start, end) if text else self.skip(start, end)

    def chars(self, node: Chars, start: int, end: int) -> None:
        if node.ranges:
            self.arcs.append((start, end, node))

    def seq(self, node: Seq, start: int, end: int) -> None:
        if not node.parts:
            self.skip(start, end)
            return
        for part in node.parts[:-1]:
            middle = self.new_node()
            self.todo.append((part, start, middle))
            start = middle
        self.todo.append((node.parts[-1], start, end))

    def alt(self, node: Alt, start: int, end: int) -> None:
        self.work.spend(len(node.parts))
        texts = [_decoded(part.data) for part in node.parts if isinstance(part, Literal)]
        ranges = [one for part in node.parts if isinstance(part, Chars) for one in part.ranges]
        ranges += [(ord(text), ord(text)) for text in texts if len(text) == 1]
        self.chars(Chars(ranges), start, end)
        self._trie([text for text in texts if len(text) != 1], start, end)
        self.todo += [(part, start, end) for part in node.parts if type(part) is not Literal and type(part) is not Chars]

    def _trie(self, texts: list[str], start: int, end: int) -> None:
        """Any one of the texts, with common beginnings shared."""
        steps: dict[tuple[int, str], int] = {}
        for text in texts:
            node = start
            for character in text[:-1]:
                target = steps.get((node, character))
                if target is None:
                    target = steps[node, character] = self.new_node()
                    self.arcs.append((node, target, _single(character)))
                node = target
            self.spell(text[-1], node, end) if text else self.skip(start, end)

    def repeat(self, node: Repeat, start: int, end: int) -> None:
        part, minimum, maximum = normal_repeat(node)
        if maximum is not None and maximum < minimum:
            return
        for _ in range(minimum):
            middle = self.new_node()
            self.todo.append((part, start, middle))
            start = middle
        if maximum is None:
            start = self._loop(part, start)
        for _ in range(0 if maximum is None else maximum - minimum):
            self.skip(start, end)
            middle = self.new_node()
            self.todo.append((part, start, middle))
            start = middle
        self.skip(start, end)

    def _loop(self, part: Expression, start: int) -> int:
        hub = self.new_node()
        self.skip(start, hub)
        self.todo += [(piece, hub, hub) for piece in loop_parts(part)]
        return hub

    def _embed(self, automaton: CharacterAutomaton, start: int, end: int) -> None:
        first = self.n_nodes
        self.work.spend(automaton.n_nodes + len(automaton.arcs))
        self.n_nodes += automaton.n_nodes
        self.arcs += [(first + source, first + target, chars) for source, target, chars in automaton.arcs]
        self.skips += [(start, first + node) for node in automaton.starts]
        self.skips += [(first + node, end) for node in automaton.ends]


_BUILD: dict[type, Callable[[_Construction, Any, int, int], None]] = {
    Literal: _Construction.literal,
    Chars: _Construction.chars,
    Seq: _Construction.seq,
    Alt: _Construction.alt,
    Repeat: _Construction.repeat,
}


def _single(character: str) -> Chars:
    code_point = ord(character)
    return Chars(((code_point, code_point),))


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UnsupportedFeatureError(f"the bytes {data!r} inside a pattern of characters", "they are not UTF-8") from error


def _without_skips(n_nodes: int, arcs: list[Arc], skips: list[tuple[int, int]], work: Work) -> CharacterAutomaton:
    """The same language without edges over nothing: only the start and the targets of characters stay."""
    leaving: list[list[tuple[int, Chars]]] = [[] for _ in range(n_nodes)]
    for source, target, chars in arcs:
        leaving[source].append((target, chars))
    skipping: dict[int, list[int]] = {}
    for source, target in skips:
        skipping.setdefault(source, []).append(target)
    kept: list[Arc] = []
    ends = set()
    for node in {0, *[arc[1] for arc in arcs]}:
        reached = _skip_closure(node, skipping)
        if 1 in reached:
            ends.add(node)
        for inner in reached:
            work.spend(len(leaving[inner]) + 1)
            kept += [(node, target, chars) for target, chars in leaving[inner]]
    return normal_automaton(kept, [0], ends)


def _skip_closure(node: int, skipping: dict[int, list[int]]) -> Iterable[int]:
    if node not in skipping:
        return (node,)
    reached = {node}
    todo = [node]
    while todo:
        for target in skipping.get(todo.pop(), ()):
            if target not in reached:
                reached.add(target)
                todo.append(target)
    return sorted(reached)
