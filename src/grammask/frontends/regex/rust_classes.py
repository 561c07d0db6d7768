"""Character classes of the regex crate: classes within classes, and the operators && (both), -- (without) and ~~ (one only).

Rule: the operators bind weaker than members side by side, all alike, from left to right; negation comes last. Case is completed before
an operator or a negation is applied. No recursion: the classes that are open are a list.
Cost: linear in the text of the class, times the ranges of the sets that it names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grammask.errors import GrammarSyntaxError, LimitError
from grammask.frontends.regex.charsets import Ranges, complement, intersection, union
from grammask.frontends.regex.nodes import Node
from grammask.frontends.regex.rust_sets import POSIX

if TYPE_CHECKING:
    from grammask.frontends.regex.rust_syntax import RustParser

__all__ = ["OPERATOR", "ClassReader"]

OPERATOR = re.compile("&&|--|~~")
_POSIX = re.compile(r"\[:(\^?)([a-z]+):\]")


class _Open:
    """A class that is still open: its members since the last operator, and what stands to the left of that."""

    __slots__ = ("left", "members", "negative", "operator", "start")

    def __init__(self, start: int) -> None:
        self.start, self.negative = start, False
        self.members: list[tuple[int, int]] = []
        self.left: Ranges = ()
        self.operator = ""


class ClassReader:
    """One reading of a class, for a parser whose flags are in force."""

    def __init__(self, parser: RustParser) -> None:
        self.parser, self.source = parser, parser.source
        self.open: list[_Open] = []

    def read(self, at: int) -> tuple[Ranges, int]:
        """The set of the class that opens at `at`, and where it ends."""
        at = self._open(at)
        while True:
            at = self._here(at)
            if self.source[at] == "]":
                ranges = self._close()
                at += 1
                if not self.open:
                    return ranges, at
                self.open[-1].members += ranges
            else:
                at = self._inside(at)

    def _inside(self, at: int) -> int:
        top = self.open[-1]
        operator = OPERATOR.match(self.source, at)
        if operator is not None:
            top.left, top.operator, top.members = self._operated(top), operator.group(), []
            return at + 2
        if self.source[at] != "[":
            return self._member(at)
        posix = _POSIX.match(self.source, at)
        if posix is None or posix.group(2) not in POSIX:
            return self._open(at)
        ranges = POSIX[posix.group(2)]
        top.members += self.parser.without_part_characters(complement(ranges), at, posix.end()) if posix.group(1) else ranges
        return posix.end()

    def _open(self, at: int) -> int:
        """Enter a class; dashes at its start, and a bracket before anything else, are members."""
        top = _Open(at)
        self.open.append(top)
        if len(self.open) > self.parser.options.maximum_nesting:
            raise LimitError("the nesting of character classes", len(self.open), self.parser.options.maximum_nesting)
        at = self._here(at + 1)
        if self.source[at] == "^":
            top.negative = True
            at = self._here(at + 1)
        while self.source[at] == "-":
            top.members.append((0x2D, 0x2D))
            at = self._here(at + 1)
        if self.source[at] == "]" and not top.members:
            top.members.append((0x5D, 0x5D))
            at += 1
        return at

    def _close(self) -> Ranges:
        top = self.open.pop()
        ranges = self._completed(self._operated(top))
        end = self.parser.at + 1
        return self.parser.without_part_characters(complement(ranges), top.start, end) if top.negative else ranges

    def _operated(self, top: _Open) -> Ranges:
        right = union(top.members)
        if not top.operator:
            return right
        left, right = self._completed(top.left), self._completed(right)
        if top.operator == "&&":
            return intersection(left, right)
        if top.operator == "--":
            return intersection(left, complement(right))
        return union(intersection(left, complement(right)), intersection(right, complement(left)))

    def _completed(self, ranges: Ranges) -> Ranges:
        return self.parser.complete(ranges) if self.parser.flags.ignore_case else ranges

    def _member(self, at: int) -> int:
        low, end = self._item(at)
        members = self.open[-1].members
        dash = self._here(end)
        after = self._here(dash + 1) if self.source[dash] == "-" else dash
        if self.source[dash] != "-" or self.source[after] in "]-":
            members.extend([(low, low)] if isinstance(low, int) else low)
            return end
        high, end = self._item(after)
        if not (isinstance(low, int) and isinstance(high, int)):
            raise self._error(f"the range {self.source[at:end]} has a class for a border", at, end, r"put the - first or last, or write \-")
        if high < low:
            raise self._error(f"the range {self.source[at:end]} runs backwards", at, end, "put the smaller character first")
        members.append((low, high))
        return end

    def _item(self, at: int) -> tuple[int | Ranges, int]:
        found: int | Ranges | Node = ord(self.source[at])
        end = at + 1
        if self.source[at] == "\\":
            if end >= len(self.source):
                raise self._error("the pattern ends in a backslash", at, end, r"write \\ for a backslash")
            found, end = self.parser.escape(at, in_class=True)
        assert not isinstance(found, Node)
        if isinstance(found, int) and found > 0x7F and self.parser.flags.ascii_only:
            raise self._error("without the flag u, a class holds ASCII only", at, end, "leave u on")
        return found, end

    def _here(self, at: int) -> int:
        """The next place in the class that is no gap; the class must go on there."""
        at = self.parser.past_gap(at)
        if at >= len(self.source):
            start = self.open[-1].start
            raise self._error("this character class is not closed", start, start + 1, "add a ]")
        return at

    def _error(self, reason: str, start: int, end: int, hint: str = "") -> GrammarSyntaxError:
        return self.parser.error(reason, start, end, hint)
