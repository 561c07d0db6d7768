"""From a pattern of Python's `re` to steps of a program, in the order in which `re` tries them.

Rule: a pattern means what `re` makes of it, its preferences among matches included, or is refused by name.
`re` itself reads the pattern (Lark measures patterns with the same reader); sets of characters are those of our regex front end.
A pattern is translated from its end to its start: each part is given the step that follows it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any

from grammask.errors import LimitError, UnsupportedFeatureError
from grammask.frontends.lark.program import NOBODY, Accept, Ahead, Back, Behind, Enter, Program, Ranges, Split, owner_of
from grammask.frontends.regex import pattern_language
from grammask.grammar.expression import Alt, Chars, Literal, normalise_ranges

__all__ = ["add_pattern"]

_reader: Any = import_module("re._parser")  # the reader of `re`: it has no public name, and Lark relies on it too

_SET_FLAGS = re.IGNORECASE | re.ASCII | re.DOTALL
_EVERY: Ranges = normalise_ranges([(0, 0x10FFFF)])
_NEWLINE: Ranges = ((10, 10),)
_NOT_NEWLINE: Ranges = normalise_ranges([(0, 9), (11, 0x10FFFF)])
_CATEGORIES = {"DIGIT": r"\d", "NOT_DIGIT": r"\D", "SPACE": r"\s", "NOT_SPACE": r"\S", "WORD": r"\w", "NOT_WORD": r"\W"}
_REFUSED = {
    "GROUPREF": ("a back-reference", "what it matches depends on what a group matched", "write out what may be repeated"),
    "GROUPREF_EXISTS": ("a conditional group", "what it matches depends on whether a group matched", "write both cases as alternatives"),
    "ATOMIC_GROUP": ("an atomic group", "what it refuses to give back depends on the order of search", "use (?:...)"),
    "POSSESSIVE_REPEAT": ("a possessive repetition", "what it refuses to give back depends on the order of search", "use the plain repetition"),
}

Part = tuple[Any, Any]  # an operator of the reader and its argument


def add_pattern(program: Program, pattern: str, then: int) -> int:
    """The first step of a pattern that goes on with the step `then`. Raises re.error, UnsupportedFeatureError, LimitError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # "possible nested set" and the like: the author's business
        try:
            read = _reader.parse(pattern)
        except (RecursionError, OverflowError, MemoryError):
            raise LimitError("the nesting of groups in a terminal's pattern", None, 100) from None
    return _Translation(program).sequence(read, read.state.flags, then)


class _Translation:
    """One pattern on its way into a program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def sequence(self, parts: Iterable[Part], flags: int, then: int) -> int:
        for operator, argument in reversed(list(parts)):
            then = self.part(str(operator), argument, flags, then)
        return then

    def part(self, operator: str, argument: Any, flags: int, then: int) -> int:
        if operator in _SETS:
            return self.program.char(_SETS[operator](argument, flags), then)
        build = _BUILDERS.get(operator)
        if build is None:
            feature, reason, hint = _REFUSED.get(operator, (f"{operator} in a pattern", "it is new to this version of re", ""))
            raise UnsupportedFeatureError(feature, reason, hint=hint)
        return build(self, argument, flags, then)

    def branch(self, argument: Any, flags: int, then: int) -> int:
        return self.program.add(Split(tuple([self.sequence(way, flags, then) for way in argument[1]])))

    def group(self, argument: Any, flags: int, then: int) -> int:
        _, on, off, parts = argument
        return self.sequence(parts, (flags | on) & ~off, then)

    def greedy(self, argument: Any, flags: int, then: int) -> int:
        return self._repeat(argument, flags, then, lazy=False)

    def lazy(self, argument: Any, flags: int, then: int) -> int:
        return self._repeat(argument, flags, then, lazy=True)

    def _repeat(self, argument: Any, flags: int, then: int, *, lazy: bool) -> int:
        minimum, maximum, body = argument
        if body.getwidth()[1] == 0:  # only conditions in it: once is as good as often
            minimum, maximum = min(minimum, 1), min(maximum, 1)
        after = then
        if maximum == _reader.MAXREPEAT:
            then = self._loop(body, flags, then, lazy=lazy)
        else:
            for _ in range(maximum - minimum):
                then = self._choice(self._round(body, flags, then, after), after, lazy=lazy)
        for _ in range(minimum):
            then = self.sequence(body, flags, then)
        return then

    def _loop(self, body: Any, flags: int, then: int, *, lazy: bool) -> int:
        hub = self.program.add(Split(()))
        body_start = self._round(body, flags, hub, then)
        self.program.steps[hub] = Split((then, body_start) if lazy else (body_start, then))
        return hub

    def _choice(self, body_start: int, after: int, *, lazy: bool) -> int:
        return self.program.add(Split((after, body_start) if lazy else (body_start, after)))

    def _round(self, body: Any, flags: int, again: int, leave: int) -> int:
        """One round of a loop, and then `again`; if it may take nothing, with a check of whether it did."""
        if body.getwidth()[0]:
            return self.sequence(body, flags, again)
        loop = self.program.new_loop()
        return self.program.add(Enter(loop, self.sequence(body, flags, self.program.add(Back(loop, again, leave)))))

    # -- conditions

    def condition(self, argument: Any, flags: int, then: int) -> int:
        return self._look(argument, flags, then, negative=False)

    def negative_condition(self, argument: Any, flags: int, then: int) -> int:
        return self._look(argument, flags, then, negative=True)

    def _look(self, argument: Any, flags: int, then: int, *, negative: bool) -> int:
        direction, parts = argument
        if direction > 0:
            return self.program.add(Ahead(self._body(NOBODY, lambda end: self.sequence(parts, flags, end)), negative, then))
        if any(str(operator) in ("AT", "ASSERT", "ASSERT_NOT") for operator, _ in _all_parts(parts)):
            raise UnsupportedFeatureError("a condition inside a lookbehind", "only characters can stand there", hint="write the condition beside it")
        condition = self._condition(parts.getwidth()[0], lambda end: self.sequence(parts, flags, end))
        return self.program.add(Behind(condition, negative, then))

    def _condition(self, width: int, build: Callable[[int], int]) -> int:
        """A new condition on the text before: that it ends in what `build` makes, `width` characters wide."""
        number = len(self.program.behinds)
        self.program.behinds.append((0, width))
        self.program.behinds[number] = (self._body(owner_of(number), build), width)
        return number

    def _body(self, owner: int, build: Callable[[int], int]) -> int:
        outer, self.program.building = self.program.building, owner
        start = build(self.program.add(Accept(owner)))
        self.program.building = outer
        return start

    def _ahead_is(self, ranges: Ranges, then: int, *, negative: bool) -> int:
        known = self.program.ahead_of
        if ranges not in known:
            known[ranges] = self._body(NOBODY, lambda end: self.program.char(ranges, end))
        return self.program.add(Ahead(known[ranges], negative, then))

    def _behind_is(self, ranges: Ranges, then: int, *, negative: bool) -> int:
        known = self.program.behind_of
        if ranges not in known:
            known[ranges] = self._condition(1, lambda end: self.program.char(ranges, end))
        return self.program.add(Behind(known[ranges], negative, then))

    def anchor(self, argument: Any, flags: int, then: int) -> int:
        kind = str(argument).removeprefix("AT_")
        if kind.startswith("BEGINNING"):
            starts_line = kind == "BEGINNING_LINE" or (kind == "BEGINNING" and flags & re.MULTILINE)
            return self._behind_is(_NOT_NEWLINE if starts_line else _EVERY, then, negative=True)
        if kind == "END_STRING":
            return self._ahead_is(_EVERY, then, negative=True)
        if kind.startswith("END"):
            return self._line_end(bool(flags & re.MULTILINE), then)
        return self._word_boundary(kind == "BOUNDARY", flags, then)

    def _line_end(self, multiline: bool, then: int) -> int:
        """Before a line feed, or only before one at the very end; and at the end."""

        def build(end: int) -> int:
            other = self.program.char(_NOT_NEWLINE, end)
            return other if multiline else self.program.add(Split((other, self.program.char(_NEWLINE, self.program.char(_EVERY, end)))))

        return self.program.add(Ahead(self._body(NOBODY, build), True, then))

    def _word_boundary(self, wanted: bool, flags: int, then: int) -> int:
        word = _named_set("WORD", flags)
        ways = [self._behind_is(word, self._ahead_is(word, then, negative=wanted), negative=False)]
        ways.append(self._behind_is(word, self._ahead_is(word, then, negative=not wanted), negative=True))
        return self.program.add(Split(tuple(ways)))


_BUILDERS: dict[str, Callable[[_Translation, Any, int, int], int]] = {
    "ASSERT": _Translation.condition,
    "ASSERT_NOT": _Translation.negative_condition,
    "AT": _Translation.anchor,
    "BRANCH": _Translation.branch,
    "FAILURE": lambda self, _argument, _flags, _then: self.program.add(Split(())),
    "MAX_REPEAT": _Translation.greedy,
    "MIN_REPEAT": _Translation.lazy,
    "SUBPATTERN": _Translation.group,
}


def _all_parts(parts: Iterable[Part]) -> Iterable[Part]:
    for operator, argument in parts:
        yield operator, argument
        if str(operator) == "BRANCH":
            for way in argument[1]:
                yield from _all_parts(way)
        elif str(operator) in ("SUBPATTERN", "MAX_REPEAT", "MIN_REPEAT"):
            yield from _all_parts(argument[-1])


# -- sets of characters


def _any(_argument: Any, flags: int) -> Ranges:
    return _EVERY if flags & re.DOTALL else _NOT_NEWLINE


def _literal(code: int, flags: int) -> Ranges:
    return _set(rf"\U{code:08x}", flags)


def _not_literal(code: int, flags: int) -> Ranges:
    return _set(rf"[^\U{code:08x}]", flags)


def _named_set(name: str, flags: int) -> Ranges:
    return _set(_CATEGORIES[name], flags)


def _members(members: Iterable[Part], flags: int) -> Ranges:
    written = [""]
    for operator, argument in members:
        if str(operator) == "NEGATE":
            written[0] = "^"
        elif str(operator) == "RANGE":
            written.append(rf"\U{argument[0]:08x}-\U{argument[1]:08x}")
        elif str(operator) == "CATEGORY":
            written.append(_CATEGORIES[str(argument).removeprefix("CATEGORY_")])
        else:
            written.append(rf"\U{argument:08x}")
    return _set("[" + "".join(written) + "]", flags)


_SETS: dict[str, Callable[[Any, int], Ranges]] = {"ANY": _any, "IN": _members, "LITERAL": _literal, "NOT_LITERAL": _not_literal}


def _set(written: str, flags: int) -> Ranges:
    return _asked(written, int(flags) & int(_SET_FLAGS))


@lru_cache(maxsize=4096)
def _asked(written: str, flags: int) -> Ranges:
    """The characters that a pattern for one character takes."""
    language = pattern_language(written, dialect="python", search=False, flags=flags)
    if isinstance(language, Chars):
        return language.ranges
    if isinstance(language, Literal):
        code = ord(language.data.decode())
        return ((code, code),)
    assert isinstance(language, Alt) and not language.parts, f"{written} takes more than one character"  # noqa: PT018
    return ()
