"""The parser of GBNF: a text becomes rules of the small form, with the places of everything that may have to be shown.

Rule: one pass, no recursion (the parentheses that are open are a list), and nothing is looked up: whether rules exist and end is for
`rules` to say. Where a rule goes on over a line end: behind ::= and |, before | and within parentheses.
Source: the documentation and the parser of llama.cpp, for what the notation is.
Cost: about 1 us for a symbol.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from grammask.errors import GrammarSyntaxError, LimitError, UnsupportedFeatureError
from grammask.frontends.gbnf.characters import EVERY, character_class, plain_text
from grammask.frontends.gbnf.options import GbnfOptions
from grammask.grammar.expression import EMPTY, NOTHING, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Token, either
from grammask.grammar.free_text import marker

__all__ = ["Definition", "Parser", "Span"]

Span = tuple[int, int]

_GAP = re.compile(r"(?:[ \t]+|#[^\r\n]*)*")
_WIDE_GAP = re.compile(r"(?:[ \t\r\n]+|#[^\r\n]*)*")
# Letters, digits, _ and - of any script, and what may stand between them (marks, joiners); no quotes and dashes of typesetting.
_NAME = re.compile("(?:[\\w-]|[^\\x00-\\x7f\\s\xa0-\xbf\u2000-\u200b\u200e-\u206f\u2e00-\u2e7f\u3000-\u303f\uff00-\uff20])+")
_HEAD = re.compile(_NAME.pattern + r"[ \t]*::=")
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_CLASS = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_TOKEN = re.compile(r"(!?)<(?:\[([0-9]+)\]|([^>\r\n]+))>")
_COUNT = re.compile(r"\{\s*([0-9]+)\s*(?:(,)\s*([0-9]+)?\s*)?\}", re.ASCII)
_BRACKETED = re.compile(r"<([^<>\r\n]+)>[ \t]*::=")
_NEXT_RULE = re.compile(r"(?m)^(?=[ \t]*" + _NAME.pattern + r"[ \t]*::=)")

_SIGNS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_LARGEST_DIGITS = 18  # longer numbers are over any limit; int() itself refuses the longest ones
_LINES = "a rule goes on over a line end only within parentheses, behind ::= and before or behind |"
_HINTS = {
    "'": "texts stand in double quotes",
    ",": "the parts of a sequence stand side by side",
    ";": "a rule ends with its line",
    "/": "there are no regular expressions: write classes and repetitions",
    "=": "a rule is written name ::= ...",
    ":": "a rule is written name ::= ...",
    "]": 'write "]" for the character',
    "}": 'write "}" for the character',
    ">": "a token is written <name> or <[id]>",
    "\\": "escapes stand in double quotes or brackets",
    "\u201c": "texts stand in straight double quotes",
    "\u201d": "texts stand in straight double quotes",
    "\ufeff": "take it out: it is a byte order mark",
    "\xa0": "take it out: it is a space that does not break",
    "%": "this looks like Lark: there are no directives in GBNF",
}  # fmt: skip


@dataclass(slots=True)
class Definition:
    """One rule: its cell, where its name stands, and which rules it names where."""

    rule: Rule
    span: Span
    references: list[tuple[str, Span]] = field(default_factory=list)


@dataclass(slots=True)
class _Group:
    """What is open: a rule's body or a parenthesis. The alternatives so far, the parts of the current one, symbols written out."""

    start: int
    alternatives: list[Expression] = field(default_factory=list)
    parts: list[Expression] = field(default_factory=list)
    weight: int = 0
    part_weight: int = 0  # of the last part
    part_token: Span | None = None  # where the last part is one token that is not another one ...
    token: Span | None = None  # ... and where a whole alternative is


class Parser:
    """One parse. After `parse`: definitions in order, places of repetitions, problems met (only with `recovers`)."""

    def __init__(self, source: str, options: GbnfOptions, *, recovers: bool = False) -> None:
        if len(source) > options.maximum_length:
            raise LimitError("the length of the grammar", len(source), options.maximum_length, "split it, or raise GbnfOptions.maximum_length")
        self.source, self.options, self.recovers = source, options, recovers
        self.at = 0
        self.definitions: list[Definition] = []
        self.cells: dict[str, Rule] = {}
        self.spans: dict[Expression, Span] = {}
        self.problems: list[GrammarSyntaxError | UnsupportedFeatureError] = []  # with `recovers`
        self.limits: list[tuple[LimitError, int]] = []  # with the place
        self.empty_first: list[Span] = []  # where a body begins with |
        self.doubles: list[Span] = []  # where a choice offers the same twice
        self.nothings: list[Span] = []  # where what may be left out by its own sign is repeated
        self.tokens: list[tuple[str, Span]] = []  # tokens by name
        self.group = _Group(0)
        self.open: list[_Group] = []
        self.atom_start = self.rule_start = 0
        self.long_text = -1  # where the latest text begins that goes on over a line end
        self.definition = Definition(Rule(""), (0, 0))

    # -- rules

    def parse(self) -> None:
        """Read all rules. Raises GrammarSyntaxError, UnsupportedFeatureError, LimitError; with `recovers`, goes on with the next rule."""
        fault = self._encoding_fault()
        if fault is not None:
            if not self.recovers:
                raise fault
            self.problems.append(fault)
            self.at = len(self.source)
        elif self.source.startswith("\ufeff"):
            self.at = 1
        self._skip(_WIDE_GAP)
        while self.at < len(self.source):
            self.rule_start = self.at
            try:
                self._read_rule()
            except (GrammarSyntaxError, UnsupportedFeatureError) as problem:
                if not self.recovers:
                    raise
                self.problems.append(problem)
                self._go_to_next_rule()
            except LimitError as problem:
                if not self.recovers:
                    raise
                self.limits.append((problem, self.at))
                self._go_to_next_rule()
            self._skip(_WIDE_GAP)

    def _encoding_fault(self) -> GrammarSyntaxError | None:
        try:
            self.source.encode()
        except UnicodeEncodeError as error:
            return GrammarSyntaxError("half of a surrogate pair is no character", self.source, (error.start, error.start + 1), "take it out")
        return None

    def _go_to_next_rule(self) -> None:
        line_start = max(self.source.rfind("\n", 0, self.at), self.source.rfind("\r", 0, self.at)) + 1
        found = _NEXT_RULE.search(self.source, max(line_start, self.rule_start + 1))
        self.at = found.start() if found else len(self.source)
        self.open.clear()

    def _read_rule(self) -> None:
        start = self.at
        name = self._rule_name()
        self.at += len(name)
        self._skip(_GAP)
        if not self.source.startswith("::=", self.at):
            goes_on = self.definitions and self.source[self.at : self.at + 1] not in {":", "="}
            raise self.error(f'"::=" must follow the name {name!r:.60}', (self.at, self.at + 1), _LINES if goes_on else "a rule is written name ::= ...")
        self.definition = Definition(self.cell(name), (start, start + len(name)))
        self.definitions.append(self.definition)
        self.at += 3
        self._skip(_WIDE_GAP)
        self.group = _Group(start)
        self._read_body(self.at)
        self.definition.rule.body = self._closed()
        if self.group.token is not None:
            raise self._one_token(self.group.token)

    def _rule_name(self) -> str:
        found = _NAME.match(self.source, self.at)
        if found is not None:
            return found.group()
        bracketed = _BRACKETED.match(self.source, self.at)
        if bracketed is not None:
            hint = f"write {bracketed.group(1).strip().replace(' ', '-')} ::= ..."
            raise self.error("rule names stand without angle brackets", (self.at, bracketed.end(1) + 1), hint)
        character = self.source[self.at]
        hint = _LINES if character in '"[(|<!.' else _HINTS.get(character, "a rule is written name ::= ...")
        raise self.error("the name of a rule is expected here", (self.at, self.at + 1), hint)

    def cell(self, name: str) -> Rule:
        """The cell of the rule of that name, whether it is defined yet or not."""
        rule = self.cells.get(name)
        if rule is None:
            rule = self.cells[name] = Rule(name)
        return rule

    def _read_body(self, first: int) -> None:
        source, length = self.source, len(self.source)
        readers = self._READERS
        while True:
            self._skip(_WIDE_GAP if self.open else _GAP)
            if self.at >= length:
                break
            character = source[self.at]
            reader = readers.get(character)
            if reader is not None:
                reader(self)
            elif character in "\r\n":
                if self._ends_with_line():
                    break
            elif not self._read_name():
                break
        if self.open:
            raise self._unclosed()
        if not self.group.parts and not self.group.alternatives:
            raise self.error(f"the rule {self.definition.rule.place!r:.60} has no body", self.definition.span, 'write "" for no text')
        if first < length and source[first] == "|":
            self.empty_first.append((first, first + 1))

    def _ends_with_line(self) -> bool:
        """Whether a line end outside parentheses ends the rule: a | may begin the next line that is not empty."""
        self._skip(_WIDE_GAP)
        return not self.source.startswith("|", self.at)

    def _unclosed(self) -> GrammarSyntaxError:
        group = self.group
        where = f" before {self.source[self.at : self.at + 12].split()[0]!r}" if self.at < len(self.source) else ""
        return self.error("this parenthesis is not closed", (group.start, group.start + 1), f"add a ){where}")

    # -- symbols

    def _read_name(self) -> bool:
        """A reference to a rule; False (and nothing read) if the name begins the next rule."""
        found = _NAME.match(self.source, self.at)
        if found is None:
            character = self.source[self.at]
            raise self.error(f"there is no use for {character!r} here", (self.at, self.at + 1), _HINTS.get(character, "texts stand in double quotes"))
        end = found.end()
        if self.source[end : end + 1] in {" ", "\t", ":"} and _HEAD.match(self.source, self.at):
            if not self.open and self.group.parts:
                raise self.error("a rule begins on a line of its own", (self.at, end), "break the line before it")
            return False
        name = found.group()
        self.definition.references.append((name, (self.at, end)))
        self._add(Ref(self.cell(name)), end)
        return True

    def _read_text(self) -> None:
        found = _TEXT.match(self.source, self.at)
        if found is None:
            raise self.error("this text is not closed", (self.at, self.at + 1), 'add a " (and write \\" for one inside the text)')
        text = plain_text(self.source, self.at + 1, found.end() - 1)
        if "\n" in text and "\n" in found.group():
            self.long_text = self.at
        literal = marker(text) if self.options.special_tokens == "spelled" else Literal(text.encode()) if text else EMPTY
        self._add(literal, found.end(), max(1, len(text)))

    def _read_class(self) -> None:
        found = _CLASS.match(self.source, self.at)
        if found is None:
            raise self.error("this class is not closed", (self.at, self.at + 1), "add a ] (and write \\] for one inside the class)")
        chars = character_class(self.source, self.at + 1, found.end() - 1)
        self._add(_one_of(chars), found.end())

    def _read_any(self) -> None:
        self._add(EVERY, self.at + 1)

    def _read_token(self) -> None:
        """A token by name or id; with `!` any other token.

        Any other token is any text or another special token. How many tokens a text takes is nothing that a grammar of texts can say, so
        it has to stand where any number of them may: then a character at a time is the same.
        """
        found = _TOKEN.match(self.source, self.at)
        if found is None:
            raise self.error("this is no token", (self.at, self.at + 1), "a token is written <name> or <[id]>, with ! before it for any other one")
        negated, number, name = found.groups()
        if number is not None and len(number) > _LARGEST_DIGITS:
            raise LimitError("the id of a token", None, 10**_LARGEST_DIGITS)
        named = int(number) if number is not None else f"<{name}>"
        start = self.at
        if number is None:
            self.tokens.append((f"<{name}>", (start, found.end())))
        self._add(either(EVERY, Token((named,), but=True)) if negated else Token((named,)), found.end())
        if negated:
            self.group.part_token = (start, found.end())

    def _one_token(self, span: Span) -> UnsupportedFeatureError:
        text = self.source[span[0] : span[1]]
        reason = "a grammar of texts cannot count the tokens of a text"
        return UnsupportedFeatureError(f"exactly one token {text}", reason, source=self.source, span=span, hint=f"repeat it without a bound: {text}*")

    def _add(self, atom: Expression, end: int, weight: int = 1) -> None:
        group = self.group
        if group.part_token is not None:
            raise self._one_token(group.part_token)
        group.parts.append(atom)
        group.weight += weight
        group.part_weight = weight
        self.atom_start, self.at = self.at, end

    # -- groups and alternatives

    def _open_group(self) -> None:
        if len(self.open) >= self.options.maximum_nesting:
            raise LimitError("the nesting of parentheses", None, self.options.maximum_nesting, "name the inner parts as rules")
        self.open.append(self.group)
        self.group = _Group(self.at)
        self.at += 1

    def _close_group(self) -> None:
        if not self.open:
            raise self.error("this ) closes nothing", (self.at, self.at + 1), 'write ")" for the character')
        group, end = self.group, self.at + 1
        body = self._closed()
        self.group = self.open.pop()
        self.at = group.start
        self._add(body, end, group.weight)
        self.group.part_token = group.token

    def _next_alternative(self) -> None:
        self._end_alternative()
        self.at += 1
        self._skip(_WIDE_GAP)

    def _end_alternative(self) -> None:
        group = self.group
        if group.part_token is not None and len(group.parts) > 1:
            raise self._one_token(group.part_token)
        group.token = group.part_token or group.token
        group.alternatives.append(_sequence(group.parts))
        group.parts, group.part_token = [], None

    def _closed(self) -> Expression:
        """The expression of the group that ends here."""
        self._end_alternative()
        group = self.group
        if len(set(group.alternatives)) < len(group.alternatives):
            self.doubles.append((group.start, group.start + 1))
        return either(*group.alternatives) if len(group.alternatives) > 1 else group.alternatives[0]

    # -- repetition

    def _read_sign(self) -> None:
        self._repeat(*_SIGNS[self.source[self.at]], self.at + 1)

    def _read_count(self) -> None:
        found = _COUNT.match(self.source, self.at)
        if found is None:
            raise self.error("this is no count", (self.at, self.at + 1), 'a count is written {2}, {2,} or {2,5} (and "{" for the character)')
        least, comma, most = found.groups()
        minimum = self._count(least)
        maximum = minimum if comma is None else None if most is None else self._count(most)
        if maximum is not None and maximum < minimum:
            raise self.error("this count runs backwards", found.span(), f"write {{{maximum},{minimum}}}")
        self._repeat(minimum, maximum, found.end())

    def _count(self, digits: str) -> int:
        limit = self.options.maximum_repetition
        count = int(digits) if len(digits) <= _LARGEST_DIGITS else None
        if count is None or count > limit:
            raise LimitError("a repetition count", count, limit, "leave the upper bound open: {m,}")
        return count

    def _repeat(self, minimum: int, maximum: int | None, end: int) -> None:
        group = self.group
        if not group.parts:
            sign = self.source[self.at : end]
            raise self.error(f"there is nothing before {sign} to repeat", (self.at, end), f'write "{sign}" for the character')
        if group.part_token is not None:
            if (minimum, maximum) != (0, 1) and (minimum > 1 or maximum is not None):
                raise self._one_token(group.part_token)
            group.part_token = group.part_token if maximum == 1 else None
        weight = group.part_weight * max(minimum, maximum or 0, 1)
        group.weight += weight - group.part_weight
        group.part_weight = weight
        if group.weight > self.options.maximum_unrolled:
            what = "a rule with its repetitions written out"
            raise LimitError(what, group.weight, self.options.maximum_unrolled, "lower the bounds of nested repetitions")
        part = group.parts[-1]
        if (maximum is None or maximum > 1) and isinstance(part, Repeat) and part.minimum == 0:
            self.nothings.append((self.atom_start, end))
        repeated = _repeated(part, minimum, maximum)
        group.parts[-1] = repeated
        self.spans.setdefault(repeated, (self.atom_start, end))
        self.at = end

    # -- places

    def _skip(self, gap: re.Pattern[str]) -> None:
        found = gap.match(self.source, self.at)
        if found is not None:
            self.at = found.end()

    def error(self, reason: str, span: Span, hint: str = "") -> GrammarSyntaxError:
        """A syntax error at a span."""
        if self.long_text >= self.rule_start and span[0] > self.long_text:
            line = self.source.count("\n", 0, self.long_text) + 1
            hint = f'is a " missing? The text that begins on line {line} goes on over the line end'
        return GrammarSyntaxError(reason, self.source, span, hint)

    _READERS: ClassVar[dict[str, Callable[[Parser], None]]] = {
        '"': _read_text, "[": _read_class, "(": _open_group, ")": _close_group, "|": _next_alternative, ".": _read_any, "<": _read_token, "!": _read_token,
        "*": _read_sign, "+": _read_sign, "?": _read_sign, "{": _read_count,
    }  # fmt: skip


def _sequence(parts: list[Expression]) -> Expression:
    """The parts in a row, neighbouring texts joined. What stands in parentheses stays a part of its own, so that this takes linear time."""
    joined: list[Expression] = []
    texts: list[bytes] = []
    for part in [*parts, NOTHING]:
        if isinstance(part, Literal):
            texts.append(part.data)
        elif part is not EMPTY:
            if texts:
                joined.append(Literal(b"".join(texts)))
                texts.clear()
            joined.append(part)
    joined.pop()
    return joined[0] if len(joined) == 1 else Seq(joined)


def _one_of(chars: Chars) -> Expression:
    """One character out of the set, as a text if there is only one."""
    (low, high), *others = chars.ranges or ((0, 1),)
    return Literal(chr(low).encode()) if low == high and not others else chars


def _repeated(part: Expression, minimum: int, maximum: int | None) -> Expression:
    """A repetition; one by a sign of one by a sign is one by a sign, so that no number of signs makes a deep expression."""
    if part is EMPTY or maximum == 0:
        return EMPTY
    if minimum == maximum == 1:
        return part
    is_sign = minimum <= 1 and (maximum is None or maximum == 1)
    if is_sign and isinstance(part, Repeat) and part.minimum <= 1 and (part.maximum is None or part.maximum == 1):
        return Repeat(part.part, part.minimum * minimum, 1 if part.maximum == maximum == 1 else None)
    return Repeat(part, minimum, maximum)
