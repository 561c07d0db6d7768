"""What a front end hands over: one expression, with what is needed to describe it, report on it and read its texts back.

Rule: a `Grammar` knows no vocabulary; compiling one for a vocabulary leaves it unchanged, so it serves any number of them.
Grammars compose: `seq`, `either`, `optional`, `Grammar.repeat` and what is in `composing` take grammars and plain texts and give a grammar.
Below: expression; what a method needs besides is imported when it is called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from grammask.arguments import Kind, check, instance, or_none, takes, token_ids
from grammask.errors import GrammarError, LimitError
from grammask.grammar import expression as small_form
from grammask.grammar.expression import Expression, Repeat

if TYPE_CHECKING:
    from grammask.grammar.captures import Captures
    from grammask.vocabulary import Vocabulary

__all__ = ["Composition", "Grammar", "ReportEntry", "either", "optional", "seq", "text"]


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """What became of one keyword or construct.

    pointer: where it stands (a JSON pointer, or a rule name and position); keyword: its name.
    status: "exact" (enforced as written), "relaxed" (enforced in part, on request), "annotation" (says nothing about texts).
    effect: one sentence about what that means for the output.
    """

    pointer: str
    keyword: str
    status: OneOf["exact", "relaxed", "annotation"]
    effect: str


@dataclass(frozen=True, slots=True)
class Composition:
    """The source of a composed grammar: how its parts are put together.

    minimum, maximum and separator belong to "repeat", name to "capture".
    """

    operator: OneOf["seq", "either", "repeat", "capture"]
    parts: tuple[Grammar, ...]
    minimum: int = 1
    maximum: int | None = 1
    separator: Grammar | None = None
    name: str = ""

    def __repr__(self) -> str:
        """Without the parts' own parts, of which there may be thousands within one another."""
        rounds = f" {self.minimum} to {'any number' if self.maximum is None else self.maximum}" if self.operator == "repeat" else ""
        name = f" {self.name!r}" if self.name else ""
        parts = ", ".join([part.kind for part in self.parts[:5]]) + ", ..." * (len(self.parts) > 5)
        return f"<{self.operator}{rounds}{name} of {parts}>"


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """A set of texts, as a front end read it. Immutable; equality is identity (compare `expression` for equal structure).

    expression: the small form, on which everything below works.
    kind: which front end made it: "json_schema", "regex", "choice", "type", "text", "composed", ...
    source: what the user gave, for describing it in a prompt: a dict, text or list, or a `Composition`.
    report: what is enforced exactly and what was relaxed; decode: from a complete text to its value, None if the text is the value.
    key: equal only for grammars with the same content; None where a front end has none at hand, and the expression is looked through.
    """

    expression: Expression
    kind: str = "composed"
    source: object = None
    report: Sequence[ReportEntry] = ()
    decode: Callable[[str], object] | None = field(default=None, repr=False)
    key: Hashable = field(default=None, repr=False)

    def repeat(self, minimum: int = 0, maximum: int | None = None, *, separator: Grammar | str | None = None) -> Grammar:
        """This grammar `minimum` to `maximum` times in a row; `maximum` None is no bound. The separator stands between neighbours.

        Raises GrammarError if the bounds make no range, or for a separator that is neither a grammar nor a text.
        """
        bounds = (minimum, minimum if maximum is None else maximum)
        if not all(isinstance(bound, int) for bound in bounds) or not 0 <= bounds[0] <= bounds[1]:
            raise GrammarError(f"repeat({minimum!r}, {maximum!r}) is no range: give 0 <= minimum <= maximum, or None for no maximum")
        if separator is None:
            return _composed(Repeat(self.expression, minimum, maximum), Composition("repeat", (self,), minimum, maximum))
        (between,) = _grammars((separator,))
        expression = _separated(self.expression, between.expression, minimum, maximum)
        return _composed(expression, Composition("repeat", (self,), minimum, maximum, between))

    def capture(self, name: str) -> Grammar:
        """The same grammar, with a name under which what it takes is found again in an output: `Result.captures`, `Grammar.captures`.

        Costs nothing while generating. A name may be used several times. Raises GrammarError for a name that is no text, or empty.
        """
        if not _is_name(name):
            raise GrammarError(f"capture({name!r}): give a name")
        return Grammar(self.expression, "composed", Composition("capture", (self,), name=name), self.report, self.decode, self.key)

    @takes(output=Kind("a text or token ids", lambda value: isinstance(value, str) or token_ids.holds(value)))
    def captures(self, output: str | Sequence[int], vocabulary: Vocabulary | None = None) -> Captures:
        """What the named parts took in a complete output of this grammar: a text, or token ids of a vocabulary.

        Token ids are needed where the grammar names special tokens, which no text shows. Where an output can be read in several ways,
        the choice is that of Python's `re`: the first alternative that leads to a whole reading, and as many repetitions as there can
        be before what follows. A part with no capture inside is one whole, and as long as it can be.
        Raises GrammarError for an output that is not of this grammar, LimitError where trying out takes too long.
        Cost: some us a byte, more where parts are ambiguous; none while generating.
        """
        from grammask.grammar.captures import find_captures
        from grammask.vocabulary import Vocabulary

        check("captures", "vocabulary", vocabulary, or_none(instance(Vocabulary)))

        return find_captures(self, output, vocabulary)

    def to_gbnf(self) -> str:
        """This grammar in GBNF, the notation of llama.cpp: `grammask.gbnf` of it has the same texts.

        What may be a text or a special token of that name, such as the ends of tags, is written as the text: which tokens there are, only a
        vocabulary knows.
        Raises UnsupportedFeatureError for what that notation cannot say (bytes that are no characters, some sets of special tokens),
        EmptyLanguageError for a grammar without any text, LimitError for one that would become too long.
        """
        from grammask.grammar.notation.gbnf import to_gbnf

        return to_gbnf(self)

    def to_lark(self) -> str:
        """This grammar in Lark's notation, to be read by Earley's algorithm with the dynamic lexer, character by character.

        Raises UnsupportedFeatureError for what that notation cannot say (special tokens, bytes that are no characters), and else as `to_gbnf`.
        """
        from grammask.grammar.notation.lark import to_lark

        return to_lark(self)

    def revised(self, **changes: Any) -> Grammar:
        """The same texts with other words about them: kind, source, report, decode."""
        return replace(self, **changes)

    def value(self, complete_text: str) -> object:
        """The value that a complete text of this grammar stands for. Raises what `decode` raises for other texts, LimitError for too deep ones."""
        try:
            return complete_text if self.decode is None else self.decode(complete_text)
        except RecursionError:
            raise LimitError("the nesting of an output that is read as a value", None, sys.getrecursionlimit(), "bound it in the grammar") from None


def text(content: str) -> Grammar:
    """The grammar of exactly this text. Raises GrammarError for one that UTF-8 cannot spell."""
    try:
        content.encode()
    except UnicodeEncodeError:
        raise GrammarError(f"{content!r:.60} holds a lone surrogate, which UTF-8 cannot spell; take it out") from None
    return Grammar(small_form.literal(content), "text", content)


def seq(*parts: Grammar | str) -> Grammar:
    """The parts one after the other. Raises GrammarError for a part that is neither a grammar nor a text."""
    grammars = _grammars(parts)
    return _composed(small_form.seq(*[part.expression for part in grammars]), Composition("seq", grammars))


def either(*parts: Grammar | str) -> Grammar:
    """Any one of the parts. Values are decoded where all parts decode alike. Raises GrammarError for a part that is neither a grammar nor a text."""
    grammars = _grammars(parts)
    decoders = {part.decode for part in grammars}
    decode = decoders.pop() if len(decoders) == 1 else None
    return _composed(small_form.either(*[part.expression for part in grammars]), Composition("either", grammars), decode)


def optional(part: Grammar | str) -> Grammar:
    """The part or nothing."""
    (grammar,) = _grammars((part,))
    return grammar.repeat(0, 1)


def _grammars(parts: tuple[Grammar | str, ...]) -> tuple[Grammar, ...]:
    grammars = []
    for part in parts:
        if isinstance(part, str):
            part = text(part)
        elif not isinstance(part, Grammar):
            raise GrammarError(f"cannot compose a {type(part).__name__}: give grammars (grammask.regex(...), ...) or texts")
        grammars.append(part)
    return tuple(grammars)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and bool(name)


def _separated(part: Expression, separator: Expression, minimum: int, maximum: int | None) -> Expression:
    if maximum == 0:
        return small_form.EMPTY
    more = Repeat(small_form.seq(separator, part), max(0, minimum - 1), None if maximum is None else maximum - 1)
    several = small_form.seq(part, more)
    return small_form.optional(several) if minimum == 0 else several


def _composed(expression: Expression, source: Composition, decode: Callable[[str], object] | None = None) -> Grammar:
    report = tuple(entry for part in source.parts for entry in part.report)
    return Grammar(expression, "composed", source, report, decode)
