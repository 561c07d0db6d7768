"""What is wrong with a grammar, told with its place in the author's text: Lark's errors and our own.

Rule: line, column and excerpt are those of the text that the author gave, whatever was rewritten for Lark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from grammask.errors import GrammarError, GrammarSyntaxError, GrammaskError, LimitError, UnsupportedFeatureError
from grammask.frontends.lark.extensions import Extended
from grammask.frontends.lark.scan import Definition, definitions

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


class Faults:
    """The errors of one text. source: as the author gave it."""

    def __init__(self, extended: Extended) -> None:
        self.extended = extended
        self.source = extended.rewriting.source
        self._definitions: dict[str, list[Definition]] | None = None

    @contextmanager
    def told(self, lark: Any) -> Iterator[None]:
        """Turn what Lark raises into errors of ours."""
        try:
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
            raise self._refused(str(error)) from None

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
        for token in self.extended.tokens:
            if token.text == text and token.kind not in ("comment", "space"):
                return token.start, token.end
        return None

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
        hint = f"did you mean {close[0]!r}?" if close else f"define it, or import it: %import common.{label}" if kind == "terminal" else "define it"
        return GrammarSyntaxError(f"{kind} {label!r} is used but not defined", self.source, self.first_use(label) or (0, 0), hint)

    def _unexpected(self, error: Any) -> GrammarSyntaxError:
        at_end = error.line is None or error.line < 1
        offset = len(self.extended.rewriting.text) if at_end else self.extended.rewriting.offset(error.line, error.column)
        return GrammarSyntaxError("this has no place here", self.source, self.extended.rewriting.original(offset))

    def _no_import(self, error: OSError) -> GrammarSyntaxError:
        name = re.sub(r"\.lark$", "", str(error.filename or "")).replace("/", ".")
        span = self.first_use(name.split(".")[0]) or self.first_use("%import") or (0, 0)
        hint = "grammars are looked for in LarkOptions(import_paths=...) and among Lark's own: common, unicode, python, lark"
        return GrammarSyntaxError(f"there is no grammar {name!r} to import from", self.source, span, hint)

    def _refused(self, message: str) -> GrammarError:
        for pattern in _MISSING:
            if found := pattern.search(message):
                return self.undefined(found[2], found[1].lower())
        if found := re.search(r"(Rule|Terminal) '([^']+)' defined more than once", message):
            return self._twice(found[2], found[1].lower())
        first = message.strip().split("\n")[0]
        if found := _PLACE.search(first):
            told = first[: found.start()].rstrip(" ,at").removesuffix(", at")
            reason, hint = _TELLING.get(told, ("this is no syntax of Lark", ""))
            place = self.extended.rewriting.original(self.extended.rewriting.offset(int(found[1]), int(found[2])))
            return GrammarSyntaxError(reason, self.source, place, hint)
        names = [*_QUOTED.findall(first), *re.findall(r"[A-Za-z_][A-Za-z0-9_]*", first)]
        span = next((span for name in names if (name in self.defined or name in self.extended.labels) and (span := self.span_of(name))), (0, 0))
        return GrammarSyntaxError(f"Lark refuses this grammar: {first or 'it gives no reason'}", self.source, span)

    def _twice(self, name: str, kind: str) -> GrammarSyntaxError:
        found = self.defined.get(name, [])
        token = found[1].name if len(found) > 1 else found[0].name if found else None
        span = (token.start, token.end) if token else self.span_of(name) or (0, 0)
        return GrammarSyntaxError(f"{kind} {name!r} is defined twice", self.source, span, "use %override or %extend to change what was imported")


def _is_pattern(written: str) -> bool:
    try:
        re.compile(written[1 : written.rindex("/")])
    except (re.error, OverflowError, RecursionError):
        return False
    return True
