"""The program of all terminals of a grammar."""

from __future__ import annotations

from grammask.errors import UnsupportedFeatureError
from grammask.frontends.lark.lexers import Terminal
from grammask.frontends.lark.loading import Loaded
from grammask.frontends.lark.options import LarkOptions
from grammask.frontends.lark.patterns import add_pattern
from grammask.frontends.lark.program import Accept, Program, Split
from grammask.frontends.lark.terminal_syntax import Chunks, Resolved
from grammask.grammar.expression import Expression
from grammask.grammar.language import character_automaton

__all__ = ["program_of"]


def program_of(loaded: Loaded, options: LarkOptions) -> Program:
    """The finished program. Raises UnsupportedFeatureError with the terminal's place, LimitError."""
    program = Program(options.maximum_pattern)
    for number, terminal in enumerate(loaded.terminals):
        program.building = number
        program.modes.append(terminal.mode)
        end = program.add(Accept(number))
        try:
            program.starts.append(_start(program, terminal, end))
        except UnsupportedFeatureError as error:
            raise _placed(error, terminal, loaded) from None
    program.finish()
    return program


def _start(program: Program, terminal: Terminal, end: int) -> int:
    if terminal.pattern is not None:
        return add_pattern(program, terminal.pattern, end)
    if terminal.is_opaque:
        return program.add(Split(()))
    assert terminal.tree is not None
    return _add(program, terminal.tree, end, with_empty=False)


def _add(program: Program, part: Resolved, then: int, *, with_empty: bool = True) -> int:
    """The steps of a language without preferences among its strings; without the empty one, if that is not wanted of a whole terminal."""
    if isinstance(part, Chunks):
        return _add_chunks(program, part, then, with_empty=with_empty)
    if isinstance(part, Expression):
        return _add_language(program, part, then, with_empty=with_empty)
    if part.operator == "alt":
        return program.add(Split(tuple([_add(program, inner, then) for inner in part.parts])))
    if part.operator == "seq":
        for inner in reversed(part.parts):
            then = _add(program, inner, then)
        return then
    after = then
    if part.maximum is None:
        then = program.add(Split(()))
        program.steps[then] = Split((_add(program, part.parts[0], then), after))
    for _ in range((part.maximum or 0) - part.minimum):
        then = program.add(Split((_add(program, part.parts[0], then), after)))
    for _ in range(part.minimum):
        then = _add(program, part.parts[0], then)
    return then


def _add_chunks(program: Program, chunks: Chunks, then: int, *, with_empty: bool) -> int:
    """Neighbouring pieces: into the list at any place, and out of it behind any piece."""
    starts = []
    following = then
    for piece in reversed(chunks.pieces):
        for character in reversed(piece):
            following = program.char(((ord(character), ord(character)),), following)
        starts.append(following)
        following = program.add(Split((following, then)))
    return program.add(Split((*starts, *([then] if with_empty else []))))


def _add_language(program: Program, language: Expression, then: int, *, with_empty: bool) -> int:
    automaton = character_automaton(language)
    hubs = [program.add(Split(())) for _ in range(automaton.n_nodes)]
    ways: list[list[int]] = [[] for _ in hubs]
    for source, target, chars in automaton.arcs:
        ways[source].append(program.char(chars.ranges, hubs[target]))
    for node, hub in enumerate(hubs):
        program.steps[hub] = Split((*ways[node], *([then] if node in automaton.ends else [])))
    starts = [hubs[node] for node in automaton.starts] if with_empty else [way for node in automaton.starts for way in ways[node]]
    return program.add(Split(tuple(starts)))


def _placed(error: UnsupportedFeatureError, terminal: Terminal, loaded: Loaded) -> UnsupportedFeatureError:
    span = loaded.faults.span_of(terminal.name) or loaded.faults.first_use(terminal.label)
    feature = f"{error.feature} in terminal {terminal.label}"
    return UnsupportedFeatureError(feature, error.reason, source=loaded.faults.source, span=span, hint=error.hint)
