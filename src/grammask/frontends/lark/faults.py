"""What is wrong with a grammar, told with its place in the author's text: Lark's errors and our own.

Rule: line, column and excerpt are those of the text that the author gave, whatever was rewritten for Lark.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from grammask.errors import GrammarError, GrammarSyntaxError, GrammaskError, LimitError, UnsupportedFeatureError
from grammask.frontends.lark.extensions import Extended
from grammask.frontends.lark.scan import Definition, definitions, is_terminal_name, significant

__all__ = ["Faults"]

Span = tuple[int, int]

_PLACE = re.compile(r"line (\d+),? column (\d+)")
_QUOTED = re.compile(r"'([^'\n]+)'")
_MISSING = [
    re.compile(r"(Rule|Terminal) '([^']+)' used but not defined"),
    re.compile(r"(Terminal) used but not defined: (\S+)"),
    re.compile(r"(Template) '([^']+)' used but not defined"),
]
_TELLING = {  # what Lark says -> what we say, and the way out
    "Incorrect type of value": ("this value has no place here", ""),
    "Unclosed parenthesis": ("a bracket is not closed", ""),
    "Unmatched closing parenthesis": ("this bracket closes nothing", ""),
    "Expecting rule or terminal definition (missing colon)": ("a colon is missing after the name", ""),
    "Illegal name for rules or terminals": ("names are all small letters (rules) or all capitals (terminals)", ""),
    "Alias expects lowercase name": ("an alias is a name in small letters", ""),
    "Unexpected colon": ("this colon has no place here", "a rule begins on a line of its own"),
    "Misplaced operator": ("there is nothing to repeat here", ""),
    'Expecting option ("|") or a new rule or terminal definition': ("an alternative begins with |, a rule with its name and a colon", ""),
    "Terminal names cannot contain dots": ("a dot cannot stand in a name", ""),
    "Expecting rule or terminal definition": ("a rule or terminal is expected here", "for example name: expression"),
    "%import expects a name": ("%import takes a name", "for example %import common.WS"),
    "%ignore expects a value": ("%ignore takes a terminal", "for example %ignore WS"),
    "Expecting a value": ("something is missing here", ""),
}


_REFUSALS = [  # what Lark says, the name it is about; what we say, and the way out
    (re.compile(r"Recursion in terminal '(?P<name>\w+)'"), "terminal {name!r} is made of itself", "only rules can be recursive"),
    (
        re.compile(r"Rules aren't allowed inside terminals \(NonTerminal\('(?P<name>\w+)'\) in (?P<outer>\w+)\)"),
        "terminal {outer!r} names the rule {name!r}",
        "terminals are made of terminals",
    ),
    (re.compile(r"(?P<used>Terminals) \{'(?P<name>\w+)'.*marked to ignore"), "terminal {name!r} is ignored but not defined", "import it: %import common.WS"),
    (re.compile(r"Empty terminals are not allowed \((?P<name>.*)\)"), "this matches nothing", "leave it out, or write an empty alternative"),
    (re.compile(r"(?P<name>)You can only use newlines in regular expressions"), "a pattern goes on in the next line only with the flag x", ""),
    (re.compile(r"(?P<name>)Literal ended unexpectedly"), "a literal ends in a backslash", r"write \\ for a backslash"),
    (re.compile(r"(?P<name>)unicodeescape"), "an escape in a literal is no character", r"\x takes two hexadecimal digits, \u four, \U eight"),
    (re.compile(r"Wrong number of template arguments used for (?P<name>\w+)"), "{name!r} is used with another number of arguments than it has", ""),
    (re.compile(r"Nothing was imported from grammar `(?P<name>\w+)`"), "an import names a grammar and what to take from it", "for example %import common.WS"),
    (re.compile(r"(?P<name>)null bytes"), "a literal holds a NUL character", r"write it as \x00"),
    (
        re.compile(r"(?P<name>)'NoneType' object has no attribute 'iter_subtrees'"),
        "only terminals can be declared without a definition",
        "their names are in capitals",
    ),
    (re.compile(r"Terminals cannot be empty \((?P<name>\w+)\)"), "terminal {name!r} matches nothing", "leave it out"),
    (re.compile(r"Cannot override a nonexisting \w+ (?P<name>\w+)"), "{name!r} is not there to be overridden", "import or define it first"),
    (re.compile(r"Can't extend \w+ (?P<name>\w+) as it wasn't defined"), "{name!r} is not there to be extended", "import or define it first"),
    (
        re.compile(r"Rule (?P<name>\w+) is marked for expansion .* aliases"),
        "rule {name!r} is inlined, so its alternatives have no aliases",
        "take the _ off its name",
    ),
    (
        re.compile(r"(?P<name>)Inlined rules \(_rule\) cannot use the \?rule modifier"),
        "a rule with _ is inlined always, it takes no ?",
        "leave one of them out",
    ),
    (re.compile(r"(?P<name>)Aliasing not allowed in terminals"), "terminals have no aliases", "aliases belong to the alternatives of rules"),
    (
        re.compile(r"(?P<name>)Bad Range for .* \((?P<bounds>\d+\.\.\d+) isn't allowed\)"),
        "the bounds of this repetition are the wrong way round",
        "put the smaller one first",
    ),
    (
        re.compile(r"(?P<name>)Names starting with double-underscore are reserved \(Error at (?P<what>\w+)\)"),
        "names with two underscores in front are Lark's own",
        "",
    ),
    (re.compile(r"Cannot import '(?P<name>\w+)' from"), "{name!r} is imported twice, or defined here, too", "import it under another name: %import a.B -> C"),
]


class Faults:
    """The errors of one text. source: as the author gave it."""

    def __init__(self, extended: Extended) -> None:
        self.extended = extended
        self.source = extended.rewriting.source
        self._definitions: dict[str, list[Definition]] | None = None
        self._first_uses: dict[str, Span] | None = None

    @contextmanager
    def told(self, lark: Any) -> Iterator[None]:
        """Turn what Lark raises into errors of ours."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # "possible nested set" and the like: the author's business
                yield
        except GrammaskError:
            raise
        except (RecursionError, MemoryError):
            raise LimitError("the nesting of a grammar", None, 100, "use fewer brackets within brackets") from None
        except OSError as error:
            raise self._no_import(error) from None
        except lark.exceptions.UnexpectedInput as error:
            raise self._unexpected(error) from None
        except (lark.exceptions.LarkError, ValueError, OverflowError, AssertionError, KeyError, TypeError, AttributeError, IndexError, ImportError) as error:
            raise self._refused(_cause(error, lark)) from None

    # -- places

    @property
    def defined(self) -> dict[str, list[Definition]]:
        """The definitions in the text, by the name they have for Lark."""
        if self._definitions is None:
            renamed = {label: name for name, label in self.extended.labels.items()}
            self._definitions = {}
            for definition in definitions(self.extended.tokens):
                self._definitions.setdefault(renamed.get(definition.name.text, definition.name.text), []).append(definition)
        return self._definitions

    def span_of(self, name: str) -> Span | None:
        """Where something is defined, or first named."""
        if name in self.extended.opaque:
            return self.extended.opaque[name].span
        if name in self.defined:
            token = self.defined[name][0].name
            return token.start, token.end
        return self.first_use(self.extended.labels.get(name, name))

    def first_use(self, text: str) -> Span | None:
        """Where a name or literal first stands."""
        if self._first_uses is None:
            self._first_uses = {token.text: (token.start, token.end) for token in reversed(significant(self.extended.tokens))}
        return self._first_uses.get(text)

    def label(self, name: str, definition: Any) -> str:
        """What the author calls a terminal: its name, or its text if it has none."""
        written = self.extended.labels.get(name)
        if written is not None:
            return written
        raw = getattr(definition.pattern, "raw", None) if definition is not None else None
        if raw and name not in self.defined and self.first_use(name) is None:
            return str(raw)
        return name

    # -- errors

    def at_name(self, name: str, reason: str, hint: str = "") -> GrammarSyntaxError:
        """Something is wrong with what has this name."""
        return GrammarSyntaxError(reason, self.source, self.span_of(name) or (0, 0), hint)

    def bad_pattern(self, name: str, pattern: str, error: Exception) -> GrammarSyntaxError:
        """A terminal whose pattern `re` does not take."""
        reason = error.reason if isinstance(error, GrammarSyntaxError) else re.sub(r" at position .*", "", str(error))
        hint = "Unicode properties and other syntax of Rust's regex crate are not part of re" if r"\p" in pattern else ""
        for token in self.extended.tokens:
            if token.kind == "regexp" and token.text.strip("/").rstrip("imslux/") in pattern and not _is_pattern(token.text):
                return GrammarSyntaxError(f"this is no pattern of re: {reason}", self.source, (token.start, token.end), hint)
        return self.at_name(name, f"the pattern of terminal {self.label(name, None)} is none of re: {reason}", hint)

    def no_start(self, start: str, names: Iterable[str]) -> GrammarSyntaxError:
        """The start rule does not exist."""
        known = [name for name in self.defined if name in set(names)]
        close = get_close_matches(start, known, 1) or known[:1]
        hint = f'give lark(text, start="{close[0]}")' if close else "a grammar has at least one rule"
        return GrammarSyntaxError(f"there is no rule {start!r} to start with", self.source, self.span_of(close[0]) or (0, 0) if close else (0, 0), hint)

    def declared(self, name: str) -> UnsupportedFeatureError:
        """A terminal that is declared and never defined: it would come from a post-lexer, or from code."""
        what = "the indentation post-lexer" if name in ("_INDENT", "_DEDENT") else "a declared terminal without a definition"
        reason = f"{name} is made by code outside of the grammar"
        hint = "define it as a terminal, or leave out what uses it"
        return UnsupportedFeatureError(what, reason, source=self.source, span=self.span_of(name), hint=hint)

    def undefined(self, name: str, kind: str = "terminal") -> GrammarSyntaxError:
        """A name without a definition."""
        label = self.extended.labels.get(name, name)
        close = get_close_matches(label, [found for found in self.defined if found != name], 1)
        if self._is_imported(label):
            return GrammarSyntaxError(f"there is no {kind} {label!r} in the grammar it is imported from", self.source, self.first_use(label) or (0, 0))
        hint = f"did you mean {close[0]!r}?" if close else f"define it, or import it: %import common.{label}" if kind == "terminal" else "define it"
        return GrammarSyntaxError(f"{kind} {label!r} is used but not defined", self.source, self.first_use(label) or (0, 0), hint)

    def _is_imported(self, label: str) -> bool:
        """Whether the name first stands in an import."""
        span = self.first_use(label)
        line = self.source[self.source.rfind("\n", 0, span[0]) + 1 : span[0]] if span else ""
        return line.lstrip().startswith("%import")

    def _unexpected(self, error: Any) -> GrammarSyntaxError:
        at_end = error.line is None or error.line < 1
        offset = len(self.extended.rewriting.text) if at_end else self.extended.rewriting.offset(error.line, error.column)
        return self._misplaced(self.extended.rewriting.original(offset), "this has no place here", "")

    def _misplaced(self, span: Span, reason: str, hint: str) -> GrammarSyntaxError:
        """A syntax error at a place, with what can be seen there: a bracket or string that is not closed, a name that is neither rule nor terminal."""
        token = next((token for token in self.extended.tokens if token.start <= span[0] < token.end), None)
        opened = self._opened(span[0])
        if token is not None and token.kind == "name" and token.text.upper() != token.text and token.text.lower() != token.text:
            reason, hint, span = "names are all small letters (rules) or all capitals (terminals)", "", (token.start, token.end)
        elif token is not None and token.kind == "other" and token.text in ('"', "/"):
            kind = "pattern" if token.text == "/" else "string"
            reason, hint = f"this {kind} is not closed", ""
        elif opened is not None and (token is None or token.kind == "newline"):
            reason, hint, span = "this bracket is not closed", "a line goes on in the next one only with a | there", opened
        elif opened is None and token is not None and token.text in (")", "]", "}"):
            reason, hint = "this bracket closes nothing", ""
        return GrammarSyntaxError(reason, self.source, span, hint)

    def _opened(self, offset: int) -> Span | None:
        """The innermost bracket that is open at a place of the text, within its statement."""
        opened: list[Span] = []
        before = None
        for token in self.extended.tokens:
            if token.start >= offset:
                break
            if token.text in ("(", "[", "{"):
                opened.append((token.start, token.end))
            elif token.text in (")", "]", "}") and opened:
                opened.pop()
            elif before == "newline" and token.kind == "name":
                opened = []
            before = token.kind
        return opened[-1] if opened else None

    def _no_import(self, error: OSError) -> GrammarSyntaxError:
        name = re.sub(r"\.lark$", "", str(error.filename or "")).replace("/", ".")
        span = self.first_use(name.split(".")[0]) or self.first_use("%import") or (0, 0)
        hint = "grammars are looked for in LarkOptions(import_paths=...) and among Lark's own: common, unicode, python, lark"
        return GrammarSyntaxError(f"there is no grammar {name!r} to import from", self.source, span, hint)

    def _refused(self, cause: Exception) -> GrammarError:
        if hasattr(cause, "pos_in_stream"):
            return self._unexpected(cause)
        message = str(cause)
        for pattern in _MISSING:
            if found := pattern.search(message):
                return self.undefined(found[2], "template" if found[1] == "Template" else "terminal" if is_terminal_name(found[2]) else "rule")
        if found := re.search(r"(Rule|Terminal) '([^']+)' defined more than once", message):
            return self._twice(found[2], found[1].lower())
        first = message.strip().split("\n")[0]
        if found := _PLACE.search(first):
            told = first[: found.start()].rstrip(" ,at").removesuffix(", at")
            reason, hint = _TELLING.get(told, ("this is no syntax of Lark", ""))
            place = self.extended.rewriting.original(self.extended.rewriting.offset(int(found[1]), int(found[2])))
            return self._misplaced(place, reason, hint)
        for pattern, reason, hint in _REFUSALS:
            if found := pattern.search(message):
                return self._told_of(found, reason, hint)
        for token in self.extended.tokens:
            if token.kind == "regexp" and not _is_pattern(token.text):
                return GrammarSyntaxError(f"this is no pattern of re: {first}", self.source, (token.start, token.end))
        if not message and (wide := self._wide_range()):
            return GrammarSyntaxError("a range goes from one character to another", self.source, wide, 'for example "a".."z"')
        names = [*_QUOTED.findall(first), *re.findall(r"[A-Za-z_][A-Za-z0-9_]*", first)]
        span = next((span for name in names if (name in self.defined or name in self.extended.labels) and (span := self.span_of(name))), (0, 0))
        return GrammarSyntaxError(f"Lark refuses this grammar: {first or 'it gives no reason'}", self.source, span)

    def _wide_range(self) -> Span | None:
        """A range with a border of several characters."""
        listed = significant(self.extended.tokens)
        for low, dots, high in zip(listed, listed[1:], listed[2:], strict=False):
            if dots.text == ".." and any(token.kind == "string" and len(token.text) != 3 and token.text[1] != "\\" for token in (low, high)):
                return low.start, high.end
        return None

    def _told_of(self, found: re.Match[str], reason: str, hint: str) -> GrammarSyntaxError:
        """An error whose message names what it is about, in a group `name`, maybe within another definition, in a group `outer`."""
        groups = found.groupdict()
        label = self.extended.labels.get(groups["name"], groups["name"])
        bodies = [definition.body for definition in self.defined.get(groups.get("outer") or "", [])]
        inside = [(token.start, token.end) for body in bodies for token in body if token.text == label]
        span = inside[0] if inside else self.first_use(label) if groups.get("used") else self.span_of(groups["name"])
        if groups.get("bounds"):
            written = re.search(re.escape(groups["bounds"]).replace(r"\.\.", r"\s*\.\.\s*"), self.source)
            span = written.span() if written else None
        return GrammarSyntaxError(reason.format(name=label, outer=groups.get("outer")), self.source, span or (0, 0), hint)

    def _twice(self, name: str, kind: str) -> GrammarSyntaxError:
        found = self.defined.get(name, [])
        token = found[1].name if len(found) > 1 else found[0].name if found else None
        span = (token.start, token.end) if token else self.span_of(name) or (0, 0)
        return GrammarSyntaxError(f"{kind} {name!r} is defined twice", self.source, span, "use %override or %extend to change what was imported")


def _cause(error: Exception, lark: Any) -> Exception:
    """What an error of Lark's comes from: the place that its parser did not like first, or what its tree walkers met."""
    found: Exception = error
    cause: BaseException | None = error
    while cause is not None:
        inner = getattr(cause, "orig_exc", None)
        if isinstance(cause, lark.exceptions.UnexpectedInput) and not isinstance(error, lark.exceptions.GrammarError):
            found = cause
        elif isinstance(cause, lark.exceptions.VisitError) and isinstance(inner, Exception):
            found = inner
        cause = cause.__context__
    return found


def _is_pattern(written: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            re.compile(written[1 : written.rindex("/")])
    except (re.error, OverflowError, RecursionError):
        return False
    return True
