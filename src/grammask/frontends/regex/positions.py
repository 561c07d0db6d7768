"""What has to be known about the text so far: a deterministic automaton over the conditions that a pattern sets on it.

A *fact* is a language F; it holds at a position if the text before is in F (anchors, word boundaries and lookbehinds are facts).
A *state* is a class of texts that no fact tells apart now or later; state 0 is the empty text.
Cost: states times classes of characters; most patterns have one to three states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grammask.errors import UnsupportedFeatureError
from grammask.frontends.regex.algebra import ALL, conjunction, negation, nullable
from grammask.frontends.regex.charsets import contains
from grammask.frontends.regex.derivative import alphabet, derivative
from grammask.frontends.regex.restrict import both
from grammask.grammar.expression import NOTHING, Expression, either

__all__ = ["Positions"]

_MAXIMUM_STATES = 64

Residues = tuple[Expression, ...]


class _Probe(NamedTuple):
    """A text that, put after the text so far, would or would not be in a fact's language."""

    fact: int
    text: str


class Positions:
    """The automaton for some facts. Raises UnsupportedFeatureError if it needs more than 64 states."""

    def __init__(self, facts: Sequence[Expression]) -> None:
        self._facts: dict[Expression, int] = {}
        for fact in facts:
            if negation(fact) not in self._facts:
                self._facts.setdefault(fact, len(self._facts))
        self.alphabet = alphabet(self._facts)
        self._merge(*self._explore(tuple(self._facts)))
        self._reached = [self._reachable(state) for state in range(self.count)]

    def _explore(self, start: Residues) -> tuple[list[Residues], list[list[int]]]:
        numbers = {start: 0}
        moves: list[list[int]] = []
        pending = [start]
        for residues in pending:
            moves.append([])
            for ranges in self.alphabet:
                following = tuple([derivative(residue, chr(ranges[0][0])) for residue in residues])
                if following not in numbers:
                    numbers[following] = len(pending)
                    pending.append(following)
                moves[-1].append(numbers[following])
            if len(pending) > _MAXIMUM_STATES:
                raise UnsupportedFeatureError("this combination of lookbehinds and anchors", f"it tells more than {_MAXIMUM_STATES} kinds of text before apart")
        return pending, moves

    def _merge(self, residues: list[Residues], moves: list[list[int]]) -> None:
        """Moore's refinement: states with equal facts, now and after every character, become one."""
        held = [tuple([nullable(residue) for residue in state]) for state in residues]
        block = _numbered(held)
        while True:
            finer = _numbered([(block[s], *[block[target] for target in moves[s]]) for s in range(len(residues))])
            if finer == block:
                break
            block = finer
        first = [block.index(b) for b in range(max(block) + 1)]
        self.count = len(first)
        self._residues = [residues[s] for s in first]
        self._held = [held[s] for s in first]
        self._moves = [[block[target] for target in moves[s]] for s in first]

    def _reachable(self, state: int) -> frozenset[int]:
        reached = [state]
        for s in reached:
            reached += [target for target in dict.fromkeys(self._moves[s]) if target not in reached]
        return frozenset(reached)

    def holds(self, state: int, fact: Expression) -> bool:
        """Whether the texts of the state are in the fact's language."""
        at = self._facts.get(fact)
        return self._held[state][at] if at is not None else not self._held[state][self._facts[negation(fact)]]

    def after(self, state: int, character: str) -> int:
        """The state after one character more."""
        code_point = ord(character)
        return next(target for ranges, target in zip(self.alphabet, self._moves[state], strict=True) if contains(ranges, code_point))

    def reachable(self, state: int) -> frozenset[int]:
        """The states that some text leads to from this one, itself included."""
        return self._reached[state]

    def leading(self, state: int, targets: frozenset[int]) -> Expression:
        """The texts that lead from the state into one of the targets; ALL if every text does."""
        reached = self._reached[state]
        targets &= reached
        if targets == reached or not targets:
            return ALL if targets else NOTHING
        probes: list[_Probe] = []
        candidates = [_Probe(fact, "") for fact in range(len(self._facts))]
        while self._mixed(reached, targets, probes):
            probe = next((p for p in candidates if self._separates(p, reached, targets)), None)
            if probe is not None:
                return self._outcome(state, probe, any(self._passes(t, probe) for t in targets))
            probes = probes + candidates
            candidates = self._longer_probes(reached, probes, candidates)
        outcomes = dict.fromkeys(tuple(self._passes(t, p) for p in probes) for t in sorted(targets))
        return either(*[conjunction(*[self._outcome(state, p, passes) for p, passes in zip(probes, outcome, strict=True)]) for outcome in outcomes])

    def _mixed(self, reached: frozenset[int], targets: frozenset[int], probes: list[_Probe]) -> bool:
        inside = {tuple(self._passes(s, p) for p in probes) for s in targets}
        return any(tuple(self._passes(s, p) for p in probes) in inside for s in reached - targets)

    def _separates(self, probe: _Probe, reached: frozenset[int], targets: frozenset[int]) -> bool:
        inside = {self._passes(s, probe) for s in targets}
        return len(inside) == 1 and inside.isdisjoint({self._passes(s, probe) for s in reached - targets})

    def _longer_probes(self, reached: frozenset[int], probes: list[_Probe], candidates: list[_Probe]) -> list[_Probe]:
        """Candidates with one character more in front, where that tells states apart in a way that no probe does."""
        longer = [_Probe(p.fact, chr(ranges[0][0]) + p.text) for p in candidates for ranges in self.alphabet]
        told: set[tuple[bool, ...]] = {tuple(self._passes(s, p) for s in sorted(reached)) for p in probes}
        new = []
        for probe in longer:
            verdicts = tuple(self._passes(s, probe) for s in sorted(reached))
            if verdicts not in told:
                told.add(verdicts)
                new.append(probe)
        return new

    def _passes(self, state: int, probe: _Probe) -> bool:
        for character in probe.text:
            state = self.after(state, character)
        return self._held[state][probe.fact]

    def _outcome(self, state: int, probe: _Probe, passes: bool) -> Expression:
        language = self._residues[state][probe.fact]
        for character in reversed(probe.text):
            language = derivative(language, character, backward=True)
        return language if passes else negation(language)

    def share(self, state: int, language: Expression, targets: frozenset[int]) -> Expression:
        """The strings of the language that lead from the state into one of the targets."""
        return both(self.leading(state, targets), language)


def _numbered(signatures: Sequence[object]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(signature, len(numbers)) for signature in signatures]
