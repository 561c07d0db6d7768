"""Running a program of terminals over text, character by character, without ever going back.

A *scan* is what is known after some characters of a lexeme: the threads still running, in order of preference; what of the keywords the
lexeme could be; and what is pending from before. A lexeme may end where a thread has accepted. It is what `re` would match exactly if no
thread of higher preference accepts later, so those threads become *forbidden*: what follows the lexeme must not bring one to its end.
Conditions on what follows (lookaheads, $, \\b) are guessed where they are met, both ways; each guess becomes pending: forbidden, or required.
Conditions on what stands before are followed along by threads of their own (`behind`).

Rule: for every text exactly one sequence of guesses holds, and with it the threads are those of `re`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grammask.errors import LimitError
from grammask.frontends.lark.program import Accept, Ahead, Back, Behind, Char, Enter, Program, Split

__all__ = ["CLEAR", "Pending", "Scan", "Scanner", "Threads", "first_characters", "steps_of"]

MAX_GUESSES = 6  # at one place of the text

Threads = frozenset[int]
Guesses = dict[int, bool]  # first step of the body of a lookahead -> whether it matches here


class Pending(NamedTuple):
    """Conditions on the text to come, and what has to be known of the text before.

    forbidden: none of these threads may come to its end.  required: of each of these sets one thread must.
    behind: threads, and ends, of conditions on the text before.
    """

    forbidden: Threads
    required: frozenset[Threads]
    behind: Threads


CLEAR = Pending(frozenset(), frozenset(), frozenset())


class Scan(NamedTuple):
    """A place inside a lexeme, or at its end: accept is the terminal that ends here, -1 for none."""

    threads: tuple[int, ...]
    words: Threads
    pending: Pending
    accept: int


class _Undecided(NamedTuple):
    """A lookahead that was met and is not guessed yet."""

    body: int


class _Work:
    """Counts the steps that are visited, of all places together; raises LimitError past the bound."""

    MAXIMUM = 2_000_000  # some five seconds

    def __init__(self) -> None:
        self.left = self.MAXIMUM

    def spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise LimitError("the work on the lexers' automata", None, self.MAXIMUM, "use fewer terminals that begin alike, or lower their counts")


class Scanner:
    """The runs of one program. Raises LimitError when over `maximum_states` different scans were looked at, or with too much work."""

    def __init__(self, program: Program, maximum_states: int) -> None:
        self.program = program
        self._maximum_states = maximum_states
        self._work = _Work()
        self._moves: dict[Scan, list[tuple[int, Scan]]] = {}
        self._needs = _conditions_ahead(program)
        self.early = _early_conditions(program)  # conditions on the text before that may look back before the beginning of their lexeme

    # -- the text so far

    def begin(self, terminals: Iterable[int], words: Iterable[int], pending: Pending) -> list[Scan]:
        """The scans before the first character of a lexeme. terminals: in order of preference; words: the keywords it could be."""
        starts = self.program.starts
        return self._settled([starts[t] for t in terminals], [starts[w] for w in words], pending.forbidden, pending.required, pending.behind)

    def matches(self, terminal: int, text: str) -> bool:
        """Whether the lexeme of a terminal that stands alone is all of a text."""
        scans = self.begin((terminal,), (), CLEAR)
        for character in text:
            bit = self.program.class_bit(character)
            scans = [target for scan in scans for mask, target in self.moves(scan) if mask & bit]
        return any(scan.accept == terminal and not scan.pending.required for scan in scans)

    def moves(self, scan: Scan) -> list[tuple[int, Scan]]:
        """(classes of characters, the scan after one of them), of all scans in which a thread goes on or has accepted."""
        known = self._moves.get(scan)
        if known is None:
            if len(self._moves) >= self._maximum_states:
                raise LimitError("the size of the lexers' automata", None, self._maximum_states, "use fewer terminals that begin alike, or lower their counts")
            known = self._moves[scan] = self._made_moves(scan)
        return known

    def _made_moves(self, scan: Scan) -> list[tuple[int, Scan]]:
        masks = self.program.masks
        alive = 0
        for thread in scan.threads:
            alive |= masks[thread]
        blocks = [alive] if alive else []
        for mask in dict.fromkeys(masks[thread] for thread in self._involved(scan)):
            blocks = [part for block in blocks for part in (block & mask, block & ~mask) if part]
        merged: dict[Scan, int] = {}
        for block in blocks:
            for target in self._after(scan, block & -block):
                merged[target] = merged.get(target, 0) | block
        return [(mask, target) for target, mask in merged.items()]

    def _involved(self, scan: Scan) -> Iterator[int]:
        yield from scan.threads
        yield from scan.words
        yield from scan.pending.forbidden
        for threads in scan.pending.required:
            yield from threads
        yield from self._behind_threads(scan.pending.behind)

    def _behind_threads(self, behind: Threads) -> Iterable[int]:
        """The threads of conditions on the text before: those under way, and those that begin here."""
        if not self.program.behinds:
            return ()
        return behind | self._closure([start for start, _ in self.program.behinds])

    def _after(self, scan: Scan, character: int) -> list[Scan]:
        """The scans after a character, given by the bit of its class."""
        pending = scan.pending
        behind = self._closure(self._over(self._behind_threads(pending.behind), character))
        required = [self._over(threads, character) for threads in pending.required]
        return self._settled(self._over(scan.threads, character), self._over(scan.words, character), self._over(pending.forbidden, character), required, behind)

    def _over(self, threads: Iterable[int], character: int) -> list[int]:
        masks, steps = self.program.masks, self.program.steps
        return [steps[thread].then for thread in threads if masks[thread] & character]  # type: ignore[union-attr]  # only threads that read a character have a mask

    # -- guesses at one place

    def pending_after(self, pending: Pending, character: int) -> list[Pending]:
        """What may be pending after a character that is in no lexeme of interest; nothing if it breaks a condition."""
        behind = self._closure(self._over(self._behind_threads(pending.behind), character))
        required = [self._over(threads, character) for threads in pending.required]
        found = self._settled([], [], self._over(pending.forbidden, character), required, behind, is_lexeme=False)
        return [scan.pending for scan in found]

    def pending_moves(self, pending: Pending, characters: int) -> list[tuple[int, Pending]]:
        """(classes of characters, what may be pending after one of them), among these characters."""
        masks = self.program.masks
        blocks = [characters] if characters else []
        for mask in dict.fromkeys(masks[thread] for thread in self._involved(Scan((), frozenset(), pending, -1))):
            blocks = [part for block in blocks for part in (block & mask, block & ~mask) if part]
        merged: dict[Pending, int] = {}
        for block in blocks:
            for target in self.pending_after(pending, block & -block):
                merged[target] = merged.get(target, 0) | block
        return [(mask, target) for target, mask in merged.items()]

    def _settled(
        self,
        threads: list[int],
        words: Iterable[int],
        forbidden: Iterable[int],
        required: Iterable[Iterable[int]],
        behind: Threads,
        *,
        is_lexeme: bool = True,
    ) -> list[Scan]:
        """The scans at a place, one for each way of guessing what the lookaheads say there that is not refuted at once."""
        found = []
        todo: list[Guesses] = [{}]
        words_here = self._closure(words) if words else frozenset()
        while todo:
            guesses = todo.pop()
            place = _Place(self.program, guesses, behind, self._work)
            scan = self._scan_at(place, threads, words_here, forbidden, required)
            if isinstance(scan, _Undecided):
                if len(guesses) >= MAX_GUESSES:
                    raise LimitError("the lookaheads of terminals at one place of the text", None, MAX_GUESSES, "use fewer of them")
                todo += [guesses | {scan.body: True}, guesses | {scan.body: False}]
            elif scan is not None and (scan.threads or scan.accept >= 0 or not is_lexeme):
                found.append(scan)
        return found

    def _scan_at(
        self, place: _Place, threads: list[int], words: Threads, forbidden: Iterable[int], required: Iterable[Iterable[int]]
    ) -> Scan | _Undecided | None:
        pending = place.pending(forbidden, required)
        if not isinstance(pending, Pending):
            return pending
        running = place.ordered(threads)
        if isinstance(running, _Undecided):
            return running
        left, accept = running
        return Scan(left, words, pending._replace(behind=self.relevant(pending, left, place.behind)), accept)

    def relevant(self, pending: Pending, threads: Iterable[int], behind: Threads) -> Threads:
        """Of the threads of conditions on the text before, those that somebody will ask for: the threads, what is pending, or the next lexeme."""
        if not behind:
            return behind
        needed = self.early
        for thread in (*threads, *pending.forbidden, *[thread for required in pending.required for thread in required]):
            needed |= self._needs[thread]
        return frozenset(thread for thread in behind if needed >> -2 - self.program.owner[thread] & 1)

    def is_early(self, steps: Iterable[int]) -> bool:
        """Whether any of these steps is a condition that may look back before the beginning of its lexeme."""
        conditions = [self.program.steps[step] for step in steps]
        return any(isinstance(step, Behind) and self.early >> step.condition & 1 for step in conditions)

    def _closure(self, seeds: Iterable[int]) -> Threads:
        """The threads and ends that are reached without a character, where no condition stands."""
        reached = _Place(self.program, {}, frozenset(), self._work).reached(seeds)
        assert not isinstance(reached, _Undecided)
        return reached


class _Place:
    """A place in the text, where the lookaheads have been guessed and the conditions on the text before are known."""

    def __init__(self, program: Program, guesses: Guesses, behind: Threads, work: _Work) -> None:
        self.program, self.guesses, self.behind, self.work = program, guesses, behind, work
        self.holding = {-2 - program.owner[thread] for thread in behind if isinstance(program.steps[thread], Accept)}

    def pending(self, forbidden: Iterable[int], required: Iterable[Iterable[int]]) -> Pending | _Undecided | None:
        """What is pending here; None if it is refuted already: something forbidden came to its end, something required cannot any more."""
        barred = self.reached([*forbidden, *[body for body, matches in self.guesses.items() if not matches]])
        if isinstance(barred, _Undecided):
            return barred
        if any(isinstance(self.program.steps[thread], Accept) for thread in barred):
            return None
        wanted = set()
        for seeds in (*required, *[(body,) for body, matches in self.guesses.items() if matches]):
            threads = self.reached(seeds)
            if isinstance(threads, _Undecided):
                return threads
            if not threads:
                return None
            if not any(isinstance(self.program.steps[thread], Accept) for thread in threads):
                wanted.add(threads)
        return Pending(barred, frozenset(wanted), self.behind)

    def reached(self, seeds: Iterable[int]) -> Threads | _Undecided:
        """The threads and ends that are reached without a character, in no order."""
        steps = self.program.steps
        todo = list(seeds)
        seen = set(todo)
        found = []
        while todo:
            number = todo.pop()
            step = steps[number]
            if isinstance(step, Char | Accept):
                found.append(number)
                continue
            onward = self._onward(step)
            if isinstance(onward, _Undecided):
                return onward
            todo += [way for way in onward if way not in seen]
            seen.update(onward)
        self.work.spend(1 + len(seen))
        return frozenset(found)

    def _onward(self, step: Split | Enter | Back | Ahead | Behind) -> tuple[int, ...] | _Undecided:
        if isinstance(step, Split):
            return step.ways
        if isinstance(step, Enter):
            return (step.then,)
        if isinstance(step, Back):
            return step.again, step.leave
        if isinstance(step, Behind):
            return () if (step.condition in self.holding) == step.negative else (step.then,)
        if step.body not in self.guesses:
            return _Undecided(step.body)
        return () if self.guesses[step.body] == step.negative else (step.then,)

    def ordered(self, seeds: list[int]) -> tuple[tuple[int, ...], int] | _Undecided:
        """The threads in order of preference, down to the first end; and the terminal that ends, or -1. Rounds that took nothing leave their loop."""
        steps, owner, modes = self.program.steps, self.program.owner, self.program.modes
        todo: list[tuple[int, frozenset[int]]] = [(seed, frozenset()) for seed in reversed(seeds)]
        seen = set()
        threads: dict[int, None] = {}
        held = -1  # a terminal that has come to an end and would rather go on
        while todo:
            place = todo.pop()
            if place in seen:
                continue
            seen.add(place)
            self.work.spend(1)
            number, entered = place
            step = steps[number]
            if held >= 0 and owner[number] != held:
                break
            if isinstance(step, Char):
                threads[number] = None
            elif isinstance(step, Accept):
                if modes[step.owner] == "longest":
                    held = step.owner
                    continue
                shortest = modes[step.owner] == "shortest"
                return tuple([thread for thread in threads if not shortest or owner[thread] != step.owner]), step.owner
            elif isinstance(step, Enter):
                todo.append((step.then, entered | {step.loop}))
            elif isinstance(step, Back):
                took_nothing = step.loop in entered
                todo.append((step.leave if took_nothing else step.again, entered - {step.loop}))
            else:
                onward = self._onward(step)
                if isinstance(onward, _Undecided):
                    return onward
                todo += [(way, entered) for way in reversed(onward)]
        return tuple(threads), held


# -- what is known of a program beforehand


def first_characters(program: Program, start: int) -> int:
    """The classes of characters that a terminal may begin with, whatever its conditions say."""
    todo = [start]
    seen = set(todo)
    first = 0
    while todo:
        number = todo.pop()
        step = program.steps[number]
        first |= program.masks[number]
        onward = () if isinstance(step, Char) else (step.then,) if isinstance(step, Ahead) else _following(program, number)
        todo += [way for way in onward if way not in seen]
        seen.update(onward)
    return first


def _following(program: Program, number: int) -> tuple[int, ...]:
    """The steps that may come after a step, bodies of lookaheads included."""
    step = program.steps[number]
    if isinstance(step, Split):
        return step.ways
    if isinstance(step, Back):
        return step.again, step.leave
    if isinstance(step, Ahead):
        return step.body, step.then
    return () if isinstance(step, Accept) else (step.then,)


def steps_of(program: Program, start: int) -> set[int]:
    """The steps that can be reached from a step, those of lookaheads included."""
    reached = {start}
    todo = [start]
    while todo:
        for after in _following(program, todo.pop()):
            if after not in reached:
                reached.add(after)
                todo.append(after)
    return reached


def _conditions_ahead(program: Program) -> list[int]:
    """For each step, a bit mask of the conditions on the text before that may be met from there on."""
    needs = [1 << step.condition if isinstance(step, Behind) else 0 for step in program.steps]
    if not program.behinds:
        return needs
    preceding: dict[int, list[int]] = {}
    for number in range(len(program.steps)):
        for after in _following(program, number):
            preceding.setdefault(after, []).append(number)
    todo = [number for number, conditions in enumerate(needs) if conditions]
    while todo:
        number = todo.pop()
        for before in preceding.get(number, ()):
            if needs[number] & ~needs[before]:
                needs[before] |= needs[number]
                todo.append(before)
    return needs


def _early_conditions(program: Program) -> int:
    """A bit mask of the conditions on the text before that may reach back before the beginning of their lexeme."""
    early = 0
    if not program.behinds:
        return early
    distance = dict.fromkeys(program.starts, 0)
    todo = list(distance)
    while todo:
        number = todo.pop()
        step = program.steps[number]
        if isinstance(step, Behind) and distance[number] < program.behinds[step.condition][1]:
            early |= 1 << step.condition
        length = distance[number] + isinstance(step, Char)
        for after in _following(program, number):
            if length < distance.get(after, length + 1):
                distance[after] = length
                todo.append(after)
    return early
