"""The program of all terminals of a grammar."""

from __future__ import annotations

from grammask.errors import UnsupportedFeatureError
from grammask.frontends.lark.lexers import Terminal
from grammask.frontends.lark.loading import Loaded
from grammask.frontends.lark.options import LarkOptions
from grammask.frontends.lark.patterns import add_pattern
from grammask.frontends.lark.program import Accept, Program, Split
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
    assert terminal.language is not None
    return _add_language(program, terminal.language, end)


def _add_language(program: Program, language: Expression, end: int) -> int:
    """The steps of a regular language but for the empty string, without preferences among its strings."""
    automaton = character_automaton(language)
    hubs = [program.add(Split(())) for _ in range(automaton.n_nodes)]
    ways: list[list[int]] = [[] for _ in hubs]
    for source, target, chars in automaton.arcs:
        ways[source].append(program.char(chars.ranges, hubs[target]))
    for node, hub in enumerate(hubs):
        program.steps[hub] = Split((*ways[node], *([end] if node in automaton.ends else [])))
    return program.add(Split(tuple([way for node in automaton.starts for way in ways[node]])))


def _placed(error: UnsupportedFeatureError, terminal: Terminal, loaded: Loaded) -> UnsupportedFeatureError:
    span = loaded.faults.span_of(terminal.name) or loaded.faults.first_use(terminal.label)
    feature = f"{error.feature} in terminal {terminal.label}"
    return UnsupportedFeatureError(feature, error.reason, source=loaded.faults.source, span=span, hint=error.hint)
