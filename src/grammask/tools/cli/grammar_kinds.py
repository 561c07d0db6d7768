"""The kinds of grammar that a file can hold: how each is told from the others, read, and looked over.

Rule: one entry a kind, and nothing else of the command line knows them apart. Whoever adds a front end adds an entry here.
A reader is named, not imported, so that a front end whose package is missing only fails where it is asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from grammask.errors import EmptyLanguageError, GrammarError, GrammarSyntaxError, LimitError, NoExitError, SchemaError, UnsupportedFeatureError
from grammask.tools.cli.outcome import Refusal

if TYPE_CHECKING:
    from grammask.grammar.findings import Finding
    from grammask.grammar.grammar import Grammar
    from grammask.vocabulary import Vocabulary

__all__ = ["KIND_NAMES", "GrammarKind", "is_kind", "kind_of", "stand_in_vocabulary"]


@dataclass(frozen=True, slots=True)
class GrammarKind:
    """One kind.

    name: as for `--kind`, and as `Grammar.kind` has it.  suffixes: of file names.  looks_like: whether a text seems to be one.
    reader: "module:function", which takes the text.  linter: the same for a function that gives all findings on a text, or None: then
    the text is read, and what that raises is the finding.  hints: whether what `grammar.findings` says of expressions is worth telling.
    variants: ways to read it, as for `--kind NAME:VARIANT`; reader and linter then take `variant`, "" for the usual one.
    """

    name: str
    suffixes: tuple[str, ...]
    looks_like: Callable[[str], bool]
    reader: str
    linter: str | None = None
    hints: bool = True
    variants: tuple[str, ...] = ()
    variant: str = ""

    def read(self, text: str, *arguments: object) -> Grammar:
        """The grammar. Raises the front end's errors, and Refusal where there is no such front end."""
        grammar: Grammar = _named(self.reader)(text, *arguments, **self._chosen())
        return grammar

    def lint(self, text: str) -> list[Finding]:
        """All findings on a text, errors included."""
        if self.linter is not None:
            found: list[Finding] = _named(self.linter)(text, **self._chosen())
            return found
        try:
            grammar = self.read(text)
            return [*_hints(grammar, self), *_of_tables(grammar)]
        except (GrammarError, LimitError) as error:
            return [_finding(error)]

    def _chosen(self) -> dict[str, str]:
        return {"variant": self.variant} if self.variants else {}


def _named(name: str) -> Any:
    module, _, function = name.partition(":")
    try:
        return getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise Refusal(f"this grammask cannot read grammars of this kind: {error}") from error


# --- what texts look like -------------------------------------------------------------------------------------------


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _is_structural_tag(text: str) -> bool:
    loaded = _loaded(text)
    return isinstance(loaded, dict) and (loaded.get("type") == "structural_tag" or "structures" in loaded)


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[") or isinstance(_loaded(text), bool)


def _is_gbnf(text: str) -> bool:
    return re.search(r"(?m)^[ \t]*[\w-]+[ \t]*::=", text) is not None


def _is_lark(text: str) -> bool:
    return re.search(r"(?m)^[?!]?_?[a-zA-Z]\w*(\{.*?\})?(\.-?\d+)?[ \t]*:(?!:)", text) is not None


def _is_pattern(text: str) -> bool:
    return "\n" not in text.strip("\n")


DIALECTS = ("python", "ecma", "rust")
LEXERS = ("contextual", "basic", "dynamic", "dynamic_complete")

KINDS = (
    GrammarKind("structural_tag", (".tag",), _is_structural_tag, f"{__name__}:read_tag", hints=False, variants=DIALECTS),
    GrammarKind("json_schema", (".json",), _is_json, "grammask:json_schema", hints=False),
    GrammarKind("gbnf", (".gbnf",), _is_gbnf, "grammask:gbnf", "grammask.frontends.gbnf:lint"),
    GrammarKind("lark", (".lark",), _is_lark, f"{__name__}:read_lark", f"{__name__}:lint_lark", variants=LEXERS),
    GrammarKind("regex", (".regex", ".re"), _is_pattern, f"{__name__}:read_pattern", variants=DIALECTS),
)
KIND_NAMES = tuple(kind.name for kind in KINDS)


def is_kind(name: str) -> bool:
    """Whether this is a kind, or one with a variant of it: lark:dynamic."""
    kind, colon, variant = name.partition(":")
    return any(kind == one.name and (not colon or variant in one.variants) for one in KINDS)


def kind_of(place: str, text: str, name: str | None) -> GrammarKind:
    """The kind that was named; else the one that the file's name tells, or what the text looks like. Raises Refusal."""
    for kind in KINDS:
        if name is not None and kind.name == name.partition(":")[0]:
            return replace(kind, variant=name.partition(":")[2])
    suffix = PurePath(place).suffix
    by_suffix = [kind for kind in KINDS if suffix in kind.suffixes]
    if suffix == ".json" and _is_structural_tag(text):
        return KINDS[0]
    likely = by_suffix or [kind for kind in KINDS if kind.name != "regex" and kind.looks_like(text)]
    if not likely:
        raise Refusal(f"it is not clear which kind of grammar {place} holds; say it with --kind, one of {', '.join(KIND_NAMES)}")
    return likely[0]


def read_pattern(text: str, variant: Any = "") -> Grammar:
    """A regular expression in a file, by default in Python's dialect; the line end of the file is no part of it."""
    import grammask

    return grammask.regex(text.removesuffix("\n").removesuffix("\r"), dialect=variant or "python")


def read_tag(text: str, variant: Any = "") -> Grammar:
    """A structural tag, whose patterns are by default in the dialect of ECMA-262."""
    import grammask

    return grammask.structural_tag(text, grammask.StructuralTagOptions(regex_dialect=variant or "ecma"))


def read_lark(text: str, variant: Any = "") -> Grammar:
    """A Lark grammar, by default with the contextual lexer."""
    import grammask

    return grammask.lark(text, options=grammask.LarkOptions(lexer=variant or "contextual"))


def lint_lark(text: str, variant: Any = "") -> list[Finding]:
    """All findings on a Lark grammar."""
    import grammask
    from grammask.frontends.lark import lint

    return lint(text, options=grammask.LarkOptions(lexer=variant or "contextual"))


# --- findings on texts whose front end has no linter ----------------------------------------------------------------

CODES: tuple[tuple[type[Exception], str], ...] = (
    (GrammarSyntaxError, "syntax"),
    (UnsupportedFeatureError, "unsupported"),
    (NoExitError, "no-exit"),
    (EmptyLanguageError, "empty"),
    (SchemaError, "schema"),
    (LimitError, "limit"),
)


def _finding(error: Exception) -> Finding:
    from grammask.grammar.findings import Finding, line_and_column

    code = next((code for kind, code in CODES if isinstance(error, kind)), "error")
    span, source = getattr(error, "span", None), getattr(error, "source", "")
    place = line_and_column(source, span[0]) if span is not None and source else (None, None)
    if isinstance(error, GrammarSyntaxError):
        return Finding(code, "error", error.reason, error.line, error.column, error.hint)
    return Finding(code, "error", str(error).partition("\n")[0], *place)


def _hints(grammar: Grammar, kind: GrammarKind) -> Sequence[Finding]:
    from grammask.grammar.findings import expression_findings

    return expression_findings(grammar.expression) if kind.hints else ()


def _of_tables(grammar: Grammar) -> Iterator[Finding]:
    """What only lowering finds: rules without an exit, empty languages, sizes."""
    from grammask.grammar.lower import lower

    try:
        vocabulary = stand_in_vocabulary(grammar)
        lower(grammar.expression, specials=vocabulary.specials, tokens=vocabulary.tokens)
    except (GrammarError, LimitError) as error:
        yield _finding(error)


def stand_in_vocabulary(grammar: Grammar) -> Vocabulary:
    """A vocabulary without text, but with every token that the grammar names, so that it can be lowered without one."""
    from grammask.grammar.expression import Token
    from grammask.grammar.walk import bottom_up, rules_of
    from grammask.vocabulary import Vocabulary

    bodies = [grammar.expression, *[rule.body for rule in rules_of(grammar.expression)]]
    named = dict.fromkeys(name for node in bottom_up(bodies) if isinstance(node, Token) for name in node.names)
    first = max([name for name in named if isinstance(name, int)], default=-1) + 1
    names = [name for name in named if isinstance(name, str)]
    return Vocabulary([b""] * (first + len(names) + 1), [], specials={name: first + index for index, name in enumerate(names)})
