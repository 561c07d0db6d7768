"""The parser that all dialects share: sequences, alternation, groups, repetition and classes.

Rule: one pass, no recursion (the groups that are open are a list), every flag resolved on the way, so that what comes out is an
expression of the small form wherever no context matters. A dialect's own syntax is in a subclass: escapes, group heads, class members.
Cost: some 3 us for a construct, less for plain text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from grammask.errors import GrammarSyntaxError, LimitError, UnsupportedFeatureError
from grammask.frontends.regex.algebra import ALL, all_then, character_set, ending, negation, starting, then
from grammask.frontends.regex.charsets import EVERY, Ranges, complement, count
from grammask.frontends.regex.charsets import union as union_of_sets
from grammask.frontends.regex.dialects import Dialect, Flags
from grammask.frontends.regex.nodes import After, Before, Concat, Look, Node, Part, Union, check_nesting, concat, loop, union
from grammask.frontends.regex.options import RegexOptions
from grammask.grammar.expression import EMPTY, NOTHING, Alt, Chars, Expression, Literal, Repeat, Seq, either, seq

__all__ = ["Group", "Parser"]

_ORDINARY = re.compile(r"[^\\.^$*+?{()\[|]+")
_ORDINARY_VERBOSE = r"[^\\.^$*+?{()\[|#\s]+"  # compiled, as the next one, when a pattern has the flag x
_VERBOSE_GAP = r"(?s:[ \t\n\r\v\f]|#(?:[^\n\\]|\\.)*(?:\n|\Z))+"  # a backslash hides the end of a comment too
_SIMPLE_CLASS = re.compile(r"\[\^?(?!\^)[^\]\\\[]+\]")
_MEMBERS = re.compile(r"(.)-(.)|(.)", re.DOTALL)
_ORDER_OF_SEARCH = "what it refuses to give back depends on the order of search"
_SIMPLE_COUNTS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_LARGEST_DIGITS = 9  # longer numbers are over any limit; int() itself refuses the longest ones


class Group:
    """A group that is still open: what it is, the alternatives read so far, and the parts of the current one."""

    __slots__ = ("alternatives", "flags", "height", "kind", "name", "names", "negative", "number", "other_names", "parts", "start", "weight")

    def __init__(self, kind: str, start: int, flags: Flags, negative: bool = False, number: int = 0, name: str = "") -> None:
        self.kind, self.start, self.flags, self.negative, self.number, self.name = kind, start, flags, negative, number, name
        self.alternatives: list[Part] = []
        self.parts: list[Part] = []
        self.weight = 0  # characters with repetitions written out
        self.height = 0  # groups within groups
        self.names: set[str] = set()  # group names of the current alternative ...
        self.other_names: set[str] = set()  # ... and of the finished ones


class Parser:
    """One parse. `parse` gives the pattern as a part; errors carry the pattern and the place."""

    dialect: Dialect

    def __init__(self, source: str, flags: Flags, options: RegexOptions) -> None:
        if len(source) > options.maximum_length:
            raise LimitError("the length of the pattern", len(source), options.maximum_length)
        self.source, self.flags, self.options = source, flags, options
        self.at = 0
        self.group = Group("pattern", 0, flags)
        self.open: list[Group] = []  # the groups around self.group
        self.n_groups = 0
        self.n_assertions = 0
        self.last = ""  # what a quantifier would apply to: "", "atom", "assertion" or "repeated"
        self.last_start = 0
        self.last_weight = 0
        self.last_height = 0  # groups, and repetitions of repetitions, within what a quantifier would apply to

    # -- the loop

    def parse(self) -> Part:
        """The whole pattern. Cost: linear."""
        source, length = self.source, len(self.source)
        while self.at < length:
            ordinary = (re.compile(_ORDINARY_VERBOSE) if self.flags.verbose else _ORDINARY).match(source, self.at)
            if ordinary is not None:
                self._read_text(ordinary.group(), ordinary.end())
            else:
                self._read_special(source[self.at])
        if self.open:
            raise self.error("this group is not closed", self.group.start, self.group.start + 1, "add a )")
        return self._alternatives()

    @property
    def height(self) -> int:
        """How deep groups are nested in what has been read of the current group."""
        return self.group.height

    def _read_special(self, character: str) -> None:
        if character == "\\":
            self._read_escape()
        elif character == "[":
            self._read_class()
        elif character == "(":
            self._open_group()
        elif character == ")":
            self._close_group()
        elif character == "|":
            self._next_alternative()
        elif character in "*+?{":
            self._read_quantifier(character)
        elif character == ".":
            self.add(class_expression(self.any_character()), self.at + 1)
        elif character in "^$":
            self.add_assertion(self.line_start() if character == "^" else self.line_end(), self.at + 1)
        else:
            self.skip_gap()

    def skip_gap(self) -> None:
        """What may stand between atoms under the flag x; self.at is moved behind it."""
        gap = re.compile(_VERBOSE_GAP).match(self.source, self.at)
        if gap is None and self.source[self.at] == "#":
            raise self.error("the pattern ends in a backslash", len(self.source) - 1, len(self.source), r"write \\ for a backslash")
        if gap is None:  # white space that the verbose flag does not skip
            self.add(self.characters(ord(self.source[self.at])), self.at + 1)
        else:
            self.at = gap.end()

    # -- atoms

    def _read_text(self, text: str, end: int) -> None:
        # A quantifier takes the last character alone; it may stand behind a comment or, under the flag x, a gap.
        if len(text) > 1 and end < len(self.source) and (self.source[end] in "*+?{(" or self.flags.verbose):
            self._add_text(text[:-1], end - 1)
            text = text[-1]
        self._add_text(text, end)

    def _add_text(self, text: str, end: int) -> None:
        plain = text.isascii() and not self.flags.ignore_case
        self.add(Literal(text.encode()) if plain else seq(*[self.characters(ord(c)) for c in text]), end, len(text))

    def characters(self, code_point: int) -> Expression:
        """What one character of the pattern matches under the flags in force."""
        ranges: Ranges = ((code_point, code_point),)
        if self.flags.ignore_case:
            ranges = self.complete(ranges)
        return character_set(union_of_sets(ranges))

    def add(self, part: Part, end: int, weight: int = 1) -> None:
        """Append an atom that ends at `end`."""
        self.group.parts.append(part)
        self.group.weight += weight
        self.last, self.last_start, self.last_weight, self.at = "atom", self.at, weight, end
        self.last_height = 0

    def add_assertion(self, node: Node, end: int) -> None:
        """Append an anchor or boundary, which no quantifier may follow."""
        self._count_assertion()
        self.add(node, end, 0)
        self.last = "assertion"

    def _count_assertion(self) -> None:
        self.n_assertions += 1
        if self.n_assertions > self.options.maximum_assertions:
            raise LimitError("the number of anchors and lookarounds", self.n_assertions, self.options.maximum_assertions)

    def _read_escape(self) -> None:
        if self.at + 1 >= len(self.source):
            raise self.error("the pattern ends in a backslash", self.at, self.at + 1, r"write \\ for a backslash")
        start = self.at
        found, end = self.escape(start, in_class=False)
        if isinstance(found, Node):
            self.add_assertion(found, end)
        else:
            self.add(self.characters(found) if isinstance(found, int) else class_expression(found), end)

    # -- what a dialect adds

    def escape(self, start: int, in_class: bool) -> tuple[int | Ranges | Node, int]:
        """The escape at `start`: a code point, a set, or (outside classes) an assertion; and where it ends."""
        raise NotImplementedError

    def open_extension(self, start: int) -> Group | None:
        """The group whose head, after `(?`, begins at start + 2; self.at is moved behind the head. None: there is no group to open."""
        raise NotImplementedError

    def complete(self, ranges: Ranges) -> Ranges:
        """The set under the flag i."""
        raise NotImplementedError

    def word(self) -> Ranges:
        """The characters that word boundaries are about."""
        raise NotImplementedError

    def class_set(self, written: list[tuple[int, int]], named: list[Ranges]) -> Ranges:
        """The set of a class under the flags in force: characters and ranges as written, and the sets named by escapes."""
        raise NotImplementedError

    def any_character(self) -> Ranges:
        """The set that a dot stands for."""
        return EVERY if self.flags.dot_all else complement(self.dialect.line_ends)

    def simple_class_is_plain(self, text: str) -> bool:  # noqa: ARG002 - for dialects with operators
        """Whether a class without brackets, escapes and case inside is made of members and ranges only."""
        return True

    def range_of_sets(self, start: int, end: int) -> None:
        """A range with a set for a border: an error, or (by returning) three members of the class."""
        raise NotImplementedError

    # -- classes

    def _read_class(self) -> None:
        simple = _SIMPLE_CLASS.match(self.source, self.at)
        if simple is not None and not self.flags.ignore_case and self.simple_class_is_plain(simple.group()):
            expression = _simple_class(simple.group())
            if expression is not None:
                self.add(expression, simple.end())
                return
        self.read_any_class()

    def read_any_class(self) -> None:
        """A class that may hold escapes or has to heed flags."""
        source, start = self.source, self.at
        at = start + 1
        negative = source.startswith("^", at)
        at += negative
        written: list[tuple[int, int]] = []
        named: list[Ranges] = []
        while True:
            if at >= len(source):
                raise self.error("this character class is not closed", start, start + 1, "add a ]")
            if source[at] == "]" and (written or named or self.dialect.empty_class):
                break
            low, end = self._class_member(at)
            high: int | Ranges | None = None
            if source.startswith("-", end) and not source.startswith("]", end + 1):
                if end + 1 >= len(source):
                    raise self.error("this character class is not closed", start, start + 1, "add a ]")
                high, end = self._class_member(end + 1)
            self._add_member(low, high, at, end, written, named)
            at = end
        ranges = self.class_set(written, named)
        self.add(class_expression(complement(ranges) if negative else ranges), at + 1)

    def _class_member(self, at: int) -> tuple[int | Ranges, int]:
        if self.source[at] != "\\":
            return ord(self.source[at]), at + 1
        if at + 1 >= len(self.source):
            raise self.error("the pattern ends in a backslash", at, at + 1, r"write \\ for a backslash")
        found, end = self.escape(at, in_class=True)
        assert not isinstance(found, Node)
        return found, end

    def _add_member(self, low: int | Ranges, high: int | Ranges | None, start: int, end: int, written: list[tuple[int, int]], named: list[Ranges]) -> None:
        if isinstance(low, int) and isinstance(high, int):
            if high < low:
                raise self.error(f"the range {self.source[start:end]} runs backwards", start, end, "put the smaller character first")
            written.append((low, high))
            return
        if high is not None:
            self.range_of_sets(start, end)
            written.append((0x2D, 0x2D))
        for member in (low, high):
            if isinstance(member, int):
                written.append((member, member))
            elif member is not None:
                named.append(member)

    # -- repetition

    def _read_quantifier(self, character: str) -> None:
        start = self.at
        if character == "{":
            counted = re.compile(self.dialect.quantifier).match(self.source, start)
            if counted is None or counted.group() == "{}":
                self.lone_brace(start)
                return
            minimum, maximum = self._counts(counted)
            end = counted.end()
        else:
            minimum, maximum = _SIMPLE_COUNTS[character]
            end = start + 1
        self.check_repeatable(start, end)
        possessive = self.dialect.possessive and self.source.startswith("+", end)
        lazy = self.source.startswith("?", end)  # the same language: what matches is asked, not how much first
        self._repeat(minimum, maximum, possessive, end + (possessive or lazy))

    def lone_brace(self, start: int) -> None:
        """A { that begins no count: the character itself, or an error."""
        self.add(self.characters(ord("{")), start + 1)

    def check_repeatable(self, start: int, end: int) -> None:
        """Raise if the quantifier at source[start:end] has nothing before it that the dialect repeats."""
        if self.last in ("", "assertion"):
            raise self.error("there is nothing to repeat here", start, end, rf"write \{self.source[start]} for the character itself")
        if self.last == "repeated":
            raise self.error("this repeats a repetition", start, end, "put the repetition in a group: (?:...)")

    def _counts(self, counted: re.Match[str]) -> tuple[int, int | None]:
        low, comma, high = counted.groups()
        minimum = self._count(low or "0")
        maximum = minimum if not comma and low else self._count(high) if high else None
        if maximum is not None and maximum < minimum:
            raise self.error(f"the repetition {counted.group()} has its bounds the wrong way round", counted.start() + 1, counted.end() - 1)
        return minimum, maximum

    def _count(self, digits: str) -> int:
        digits = digits.lstrip("0")
        bound = self.options.maximum_repetition
        if len(digits) > _LARGEST_DIGITS or int(digits or "0") > bound:
            raise LimitError("the repetition bound", None if len(digits) > _LARGEST_DIGITS else int(digits), bound)
        return int(digits or "0")

    def _repeat(self, minimum: int, maximum: int | None, possessive: bool, end: int) -> None:
        group = self.group
        part = group.parts.pop()
        weight = self.last_weight * max(minimum, maximum or 0, 1)
        group.weight += weight - self.last_weight
        if group.weight > self.options.maximum_unrolled:
            what = "the pattern with its repetitions written out"
            raise LimitError(what, group.weight, self.options.maximum_unrolled, "lower the bounds of nested repetitions")
        span = (self.last_start, end)
        group.parts.append(self._possessive(part, minimum, maximum, span) if possessive else loop(part, minimum, maximum))
        self.last, self.last_weight, self.at = "repeated", weight, end

    def _possessive(self, part: Part, minimum: int, maximum: int | None, span: tuple[int, int]) -> Part:
        """Exact for one character, which then must not follow again, and where there is no choice to give back."""
        check_nesting(self.group.height)
        if minimum == maximum and _has_no_choice(part):
            return loop(part, minimum, maximum)
        ranges = _one_character(part)
        if ranges is None:
            raise self.unsupported("a possessive repetition", _ORDER_OF_SEARCH, span, "use the plain repetition, or an atom of one character")
        no_more = After(negation(Seq((Chars(ranges), ALL))))
        if maximum is None:
            return concat([loop(part, minimum, None), no_more])
        return union([loop(part, maximum, maximum), concat([loop(part, minimum, maximum - 1), no_more])])

    # -- groups

    def _open_group(self) -> None:
        start = self.at
        if self.is_extension(start):
            group = self.open_extension(start)
            if group is None:
                return
        else:
            self.at = start + 1
            group = self.capture(start)
        self.open.append(self.group)
        self.group, self.last = group, ""
        if len(self.open) > self.options.maximum_nesting:
            raise LimitError("the nesting of groups", len(self.open), self.options.maximum_nesting)

    def is_extension(self, start: int) -> bool:
        """Whether the parenthesis at `start` begins anything else than a plain capturing group."""
        return self.source.startswith("(?", start)

    def capture(self, start: int, name: str = "") -> Group:
        """A new capturing group; captures do not change what matches, but back-references count them."""
        self.n_groups += 1
        return Group("group", start, self.flags, number=self.n_groups, name=name)

    def _close_group(self) -> None:
        if not self.open:
            raise self.error("this ) closes nothing", self.at, self.at + 1, r"write \) for the character itself")
        group, end = self.group, self.at + 1
        part = self._alternatives()
        self.group = self.open.pop()
        self.group.height = max(self.group.height, group.height + 1)
        self.group.names |= group.names | group.other_names
        self.flags = group.flags
        span = (group.start, end)
        if group.kind == "group":
            self.add(part, end, group.weight)
        elif group.kind == "atomic":
            self.add(self._atomic(part, group, span), end, group.weight)
        else:
            self.add(self._look(part, group, span), end, group.weight)
            self.after_look(group)
        self.last_start, self.last_height = group.start, group.height + 1

    def _atomic(self, part: Part, group: Group, span: tuple[int, int]) -> Part:
        """Exact where there is no choice to give back, and for one character repeated, which then must not follow again."""
        check_nesting(group.height)
        if isinstance(part, Repeat) and _one_character(part.part) is not None:
            return self._possessive(part.part, part.minimum, part.maximum, span)
        if not _has_no_choice(part):
            raise self.unsupported("an atomic group", _ORDER_OF_SEARCH, span, "use (?:...)")
        return part

    def after_look(self, group: Group) -> None:
        """Whether a lookaround may be repeated: say so in self.last."""

    def _look(self, part: Part, group: Group, span: tuple[int, int]) -> Part:
        check_nesting(group.height)
        self._count_assertion()
        ahead = group.kind == "ahead"
        if not ahead:
            self.check_lookbehind(part, span)
        if isinstance(part, Node):
            return Look(part, ahead, group.negative)
        language = _seen_ahead(part) if ahead else _seen_behind(part)
        if group.negative:
            language = negation(language)
        if language is ALL:
            return EMPTY
        return After(language) if ahead else Before(language)

    def check_lookbehind(self, part: Part, span: tuple[int, int]) -> None:
        """Raise what the dialect has against this body of a lookbehind."""

    def _next_alternative(self) -> None:
        group = self.group
        group.alternatives.append(concat(group.parts))
        group.parts = []
        group.other_names |= group.names
        group.names = set()
        self.last = ""
        self.at += 1

    def _alternatives(self) -> Part:
        group = self.group
        last = concat(group.parts)
        return union([*group.alternatives, last]) if group.alternatives else last

    # -- assertions

    def line_start(self) -> Node:
        """The anchor ^."""
        return Before(ending(self.dialect.line_ends, or_empty=True) if self.flags.multiline else EMPTY)

    def line_end(self) -> Node:
        """The anchor $."""
        if self.flags.multiline:
            return After(starting(self.dialect.line_ends, or_empty=True))
        return After(either(EMPTY, Literal(b"\n")) if self.dialect.end_before_last_newline else EMPTY)

    def boundary(self) -> Node:
        """The assertion \\b: a character of a word on one side only."""
        return Union((self.word_end(), self.word_start()))

    def word_start(self) -> Node:
        """A character of a word behind this place and none before it."""
        word = self.word()
        return Concat((Before(ending(complement(word), or_empty=True)), After(starting(word, or_empty=False))))

    def word_end(self) -> Node:
        """A character of a word before this place and none behind it."""
        word = self.word()
        return Concat((Before(ending(word, or_empty=False)), After(starting(complement(word), or_empty=True))))

    def no_boundary(self, in_empty_text: bool) -> Node:
        """The assertion \\B: a character of a word on both sides or on none."""
        word = self.word()
        other = complement(word)
        neither = [Concat((Before(ending(other, or_empty=True)), After(starting(other, or_empty=in_empty_text))))]
        if not in_empty_text:
            neither.append(Concat((Before(ending(other, or_empty=False)), After(EMPTY))))
        return Union((Concat((Before(ending(word, or_empty=False)), After(starting(word, or_empty=False)))), *neither))

    # -- flags and errors

    def flag_fields(self, letters: str, value: bool) -> dict[str, bool]:
        """The fields of Flags that these letters set."""
        return {self.dialect.flag_letters[letter]: value for letter in letters if self.dialect.flag_letters[letter]}

    def with_flags(self, on: str, off: str) -> Flags:
        """The flags in force, changed."""
        return self.flags._replace(**self.flag_fields(on, True), **self.flag_fields(off, False))

    def error(self, reason: str, start: int, end: int, hint: str = "") -> GrammarSyntaxError:
        """A syntax error at source[start:end]."""
        return GrammarSyntaxError(reason, self.source, (start, max(end, start)), hint)

    def unsupported(self, feature: str, reason: str, span: tuple[int, int], hint: str = "") -> UnsupportedFeatureError:
        """A refusal of what stands at the span."""
        return UnsupportedFeatureError(feature, reason, source=self.source, span=span, hint=hint)


@lru_cache(maxsize=1024)
def _simple_class(text: str) -> Expression | None:
    """A class of plain members and ranges, which means the same in every dialect; None if a range runs backwards."""
    negative = text[1] == "^"
    pairs = [(ord(low or one), ord(high or one)) for low, high, one in _MEMBERS.findall(text[2 if negative else 1 : -1])]
    if any(low > high for low, high in pairs):
        return None
    ranges = union_of_sets(pairs)
    return character_set(complement(ranges) if negative else ranges)


@lru_cache(maxsize=256)
def class_expression(ranges: Ranges) -> Expression:
    """The expression for one character of the set; kept, since classes recur and hold long tables."""
    return character_set(ranges)


def _one_character(part: Part) -> Ranges | None:
    """The set, if the part is one character out of a set."""
    if isinstance(part, Chars):
        return part.ranges
    if isinstance(part, Literal):
        text = part.data.decode()
        return ((ord(text), ord(text)),) if len(text) == 1 else None
    return None


def _seen_ahead(part: Expression) -> Expression:
    ranges = _one_character(part)
    return then(part, ALL) if ranges is None else starting(ranges, or_empty=False)


def _seen_behind(part: Expression) -> Expression:
    ranges = _one_character(part)
    return all_then(part) if ranges is None else ending(ranges, or_empty=False)


def _has_no_choice(part: Part) -> bool:
    """Whether there is at most one way to match from a given place, so that nothing could be given back."""
    if isinstance(part, (Seq, Concat)):
        return all(_has_no_choice(piece) for piece in part.parts)
    if isinstance(part, Repeat):
        return part.minimum == part.maximum and _has_no_choice(part.part)
    if isinstance(part, Alt):
        return _start_apart(part.parts) and all(_has_no_choice(piece) for piece in part.parts)
    return part is NOTHING or isinstance(part, (Literal, Chars, Before, After, Look))


def _start_apart(parts: tuple[Expression, ...]) -> bool:
    """Whether each of the parts starts with one character of a set, and no two of these sets meet."""
    firsts = [_first_character(part) for part in parts]
    known = [ranges for ranges in firsts if ranges]
    return len(known) == len(firsts) and sum(map(count, known)) == count(union_of_sets(*known))


def _first_character(part: Expression) -> Ranges | None:
    if isinstance(part, Seq) and part.parts:
        return _first_character(part.parts[0])
    if isinstance(part, Literal) and part.data:
        first = ord(part.data.decode()[0])
        return ((first, first),)
    return part.ranges if isinstance(part, Chars) else None
