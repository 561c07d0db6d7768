"""What llguidance and OpenAI's custom tools add to Lark's syntax, taken out of a grammar's text so that Lark can read the rest.

Special tokens and embedded JSON Schemas become declared terminals; lazy rules become terminals of their own; terminals with `&`, `~` or
`%regex` become trees; `{m,n}` becomes `~m..n`. What cannot be enforced is refused by name.
Rule: a text without any of this is not touched, and every place of the new text is known in the old one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from grammask.errors import GrammarSyntaxError, LimitError, UnsupportedFeatureError
from grammask.frontends.json_schema import json_schema
from grammask.frontends.lark.attributes import Attributes, read_attributes
from grammask.frontends.lark.rewriting import Rewriting
from grammask.frontends.lark.scan import Definition, Token, definitions, is_terminal_name, significant, tokens_of
from grammask.frontends.lark.terminal_syntax import Tree, names_in, parse_terminal
from grammask.grammar.expression import Expression
from grammask.grammar.expression import Token as TokenNode
from grammask.grammar.grammar import ReportEntry

__all__ = ["Extended", "Lazy", "Opaque", "read_extensions"]

MAX_TOKEN_IDS = 100_000
MAX_NESTING = 1_000  # brackets
PREFIX = "GRAMMASK_"
_IDS = re.compile(r"<\[([0-9,\s-]+)\]>")
_UNKNOWN_TOKENS = re.compile(r"<\[\s*[\^*].*\]>")


class Opaque(NamedTuple):
    """A terminal that is no text for the lexer: a special token, or a grammar of its own. label: as it is written."""

    label: str
    language: Expression
    span: tuple[int, int]


class Lazy(NamedTuple):
    """A terminal that takes its shortest match. stop: the terminal that must follow it."""

    stop: str | None


@dataclass(slots=True)
class Extended:
    """A text that Lark can read, and what was taken out of it. labels: what the author calls the terminals and rules that have other names now."""

    rewriting: Rewriting
    tokens: list[Token]
    opaque: dict[str, Opaque] = field(default_factory=dict)
    lazy: dict[str, Lazy] = field(default_factory=dict)
    trees: dict[str, tuple[Tree, int]] = field(default_factory=dict)  # name -> its tree and priority
    labels: dict[str, str] = field(default_factory=dict)
    report: list[ReportEntry] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        """Whether the text is Lark's own already."""
        return self.rewriting.text == self.rewriting.source

    def kept_terminals(self) -> set[str]:
        """The terminals that are needed though no rule names them."""
        named = {name for tree, _ in self.trees.values() for name in names_in(tree)}
        return named | {lazy.stop for lazy in self.lazy.values() if lazy.stop}


def read_extensions(source: str) -> Extended:
    """Take a grammar's text apart. Raises GrammarSyntaxError, UnsupportedFeatureError, LimitError, and what the schemas in it raise."""
    tokens = tokens_of(source)
    _check_nesting(tokens)
    extended = Extended(Rewriting(source), tokens)
    if any(_may_extend(token) for token in tokens):
        _Reader(source, extended).read()
        extended.rewriting.finish()
    return extended


def _check_nesting(tokens: Sequence[Token]) -> None:
    """Lark's loader recurses into brackets; what no limit of Python's would let it read is refused before it begins."""
    depth = 0
    for token in tokens:
        if token.kind == "mark" and token.text in "([{)]}":
            depth += 1 if token.text in "([{" else -1
            if depth > MAX_NESTING:
                raise LimitError("the nesting of a grammar", None, MAX_NESTING, "use fewer brackets within brackets")


def _may_extend(token: Token) -> bool:
    if token.kind in ("embedded", "special"):
        return True
    return token.text in ("&", "~", "{", "[", "@", "::", "%json", "%regex", "%lark", "%if") or (token.kind == "name" and "-" in token.text)


class _Reader:
    """One text on its way."""

    def __init__(self, source: str, extended: Extended) -> None:
        self.source, self.extended, self.rewriting = source, extended, extended.rewriting
        self.tokens = significant(extended.tokens)
        self.place = {token.start: index for index, token in enumerate(self.tokens)}
        self.written: dict[str, str] = {}  # text of a special token or literal -> its new name
        self.counter = 0
        if PREFIX in source:
            raise UnsupportedFeatureError(f"a name with {PREFIX}", "such names are taken", source=source, span=_span(source, PREFIX))

    def read(self) -> None:
        found = list(definitions(self.extended.tokens))
        self._rename()
        self._find_trees(found)
        self._check_terminals(found)
        in_trees: set[int] = set()
        for definition in found:
            if definition.name.text in self.extended.trees and is_terminal_name(definition.name.text):
                in_trees.update(token.start for token in definition.body)
            else:
                self._read_head(definition)
        for token in self.tokens:
            if token.start not in in_trees:
                self._read_token(token)

    def _refusal(self, feature: str, reason: str, token: Token, hint: str = "") -> UnsupportedFeatureError:
        return UnsupportedFeatureError(feature, reason, source=self.source, span=(token.start, token.end), hint=hint)

    def _error(self, reason: str, token: Token, hint: str = "") -> GrammarSyntaxError:
        return GrammarSyntaxError(reason, self.source, (token.start, token.end), hint)

    def _new_name(self, kind: str) -> str:
        self.counter += 1
        return f"{PREFIX}{kind}_{self.counter}"

    def _check_terminals(self, found: Sequence[Definition]) -> None:
        for definition in found:
            for token in definition.body if is_terminal_name(definition.name.text) else ():
                if token.kind == "special" or token.text == "%json":
                    what = "special tokens" if token.kind == "special" else "schemas"
                    raise self._error(f"{what} cannot be part of a terminal", token, "write them in a rule, with a name in small letters")

    # -- names with dashes

    def _rename(self) -> None:
        taken = {token.text for token in self.tokens if token.kind == "name"}
        new: dict[str, str] = {}
        for token in self.tokens:
            if token.kind != "name" or "-" not in token.text:
                continue
            if token.text not in new:
                name = token.text.replace("-", "_")
                while name in taken:
                    name += "_"
                taken.add(name)
                new[token.text] = name
                self.extended.labels[name] = token.text
            self.rewriting.replace(token.start, token.end, new[token.text])

    # -- terminals as trees

    def _find_trees(self, found: Sequence[Definition]) -> None:
        """Terminals with operators that Lark does not have, and those that name such terminals."""
        terminals = [definition for definition in found if is_terminal_name(definition.name.text)]
        chosen = {definition.name.text for definition in terminals if any(self._is_operator(token) for token in definition.body)}
        users: dict[str, set[str]] = {}
        for definition in terminals:
            for token in definition.body:
                if token.kind == "name":
                    users.setdefault(token.text, set()).add(definition.name.text)
        todo = list(chosen)
        while todo:
            new = users.get(todo.pop(), set()) - chosen
            chosen |= new
            todo += new
        for definition in terminals:
            if definition.name.text in chosen:
                self._add_tree(definition)

    def _is_operator(self, token: Token) -> bool:
        if token.kind == "embedded":
            return token.text == "%regex"
        return token.text == "&" or (token.text == "~" and self._after(token).kind != "number")

    def _after(self, token: Token) -> Token:
        index = self.place[token.start] + 1
        return self.tokens[index] if index < len(self.tokens) else Token("newline", "", len(self.source), len(self.source))

    def _add_tree(self, definition: Definition) -> None:
        name = definition.name
        if name.text in self.extended.trees:
            raise self._error(f"terminal {name.text!r} is defined twice", name)
        before = self.tokens[self.place[name.start] - 1] if self.place[name.start] else None
        if before is not None and before.text in ("%extend", "%override"):
            raise self._refusal(f"{before.text} of a terminal with &, ~ or %regex", "only Lark's own terminals can be changed", before)
        numbers = [int(token.text) for token in definition.head if token.kind == "number"]
        tree = parse_terminal(self.source, definition.body, self._new_part)
        self.extended.trees[name.text] = tree, numbers[0] if numbers else 0
        self.rewriting.replace(name.start, _end(definition), "")
        self.rewriting.append(f"%declare {name.text}", (name.start, name.end))

    def _new_part(self, start: int, end: int) -> str:
        text = self.source[start:end]
        if text not in self.written:
            self.written[text] = self._new_name("PART")
            self.extended.labels[self.written[text]] = text
            self.rewriting.append(f"{self.written[text]}: {text}", (start, end))
        return self.written[text]

    # -- heads of rules

    def _read_head(self, definition: Definition) -> None:
        head = [token.text for token in definition.head]
        if "[" not in head:
            return
        opening = head.index("[")
        attributes = read_attributes(self.source, definition.head[opening:])
        if is_terminal_name(definition.name.text):
            raise self._error("attributes belong to rules", definition.head[opening], "write them on a rule that is this terminal alone")
        for note in attributes.notes:
            self.extended.report.append(ReportEntry(definition.name.text, note.keyword, "annotation", note.effect))
        start, end = definition.head[opening].start, definition.head[-1].end
        if attributes.is_lazy:
            self._make_lazy(definition, attributes, start)
        else:
            self.rewriting.replace(start, end, "")

    def _make_lazy(self, definition: Definition, attributes: Attributes, start: int) -> None:
        """Split `name[lazy]: body` into `name: TERMINAL` and `TERMINAL: body`, with its suffix."""
        body = [token for token in definition.body if token.kind != "newline"]
        stranger = next((token for token in body if token.kind == "special" or token.text == "%json" or _is_rule_name(token)), None)
        if stranger is not None:
            raise self._error("a lazy rule is made of terminals alone", stranger)
        terminal = self._new_name("LAZY")
        self.extended.labels[terminal] = definition.name.text
        span = definition.name.start, definition.name.end
        stop = None
        if attributes.stop:
            stop = self._new_name("STOP")
            self.rewriting.append(f"{stop}: {attributes.stop}", span)
        self.extended.lazy[terminal] = Lazy(stop)
        if any(self._is_operator(token) or token.text in self.extended.trees for token in body):
            raise self._refusal(
                "a lazy rule with &, ~ or %regex", "its shortest match is not worked out", definition.name, "give that part a terminal of its own"
            )
        end_of_body = body[-1].end if body else definition.colon.end
        self.rewriting.replace(start, definition.colon.end, f": {terminal}\n{terminal}: (")
        self.rewriting.replace(end_of_body, end_of_body, f") {attributes.suffix}")

    # -- single tokens

    def _read_token(self, token: Token) -> None:
        if token.kind == "special":
            self._place_special(token)
        elif token.kind == "embedded":
            self._place_embedded(token)
        elif token.text in ("%json", "%regex"):
            raise self._error(f"an object in braces follows {token.text}", token)
        elif token.text == "%lark":
            raise self._refusal("%lark", "a grammar inside a grammar has a lexer of its own", token, "write its rules beside the others")
        elif token.text == "@":
            raise self._refusal("a reference to another grammar", "there is only this one", token, "write its rules here, or put grammars together in Python")
        elif token.text in ("%if", "::"):
            raise self._refusal("a rule with a parameter", "how often a rule has been used is not counted", token)
        elif token.text == "&" or (token.text == "~" and self._after(token).kind != "number"):
            raise self._error(f"{token.text} stands between terminals only", token, "give it a terminal of its own, with a name in capitals")
        elif token.text == "{":
            self._read_braces(token)

    def _place_special(self, token: Token) -> None:
        if token.text not in self.written:
            self._place_opaque(token, token.text, self._special(token))
        self.rewriting.replace(token.start, token.end, self.written[token.text])

    def _place_opaque(self, token: Token, label: str, language: Expression) -> str:
        name = self._new_name("TOKEN")
        self.extended.opaque[name] = Opaque(label, language, (token.start, token.end))
        self.extended.labels[name] = label
        self.written[token.text] = name
        self.rewriting.append(f"%declare {name}", (token.start, token.end))
        return name

    def _special(self, token: Token) -> Expression:
        if not token.text.startswith("<["):
            return TokenNode((token.text,))
        if _UNKNOWN_TOKENS.fullmatch(token.text):
            raise self._refusal(f"the set of tokens {token.text}", "which ids there are depends on the vocabulary", token, "name the ids")
        listed = _IDS.fullmatch(token.text)
        ranges = [re.fullmatch(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", part) for part in listed[1].split(",")] if listed else [None]
        ids: dict[int, None] = {}
        for found in ranges:
            if found is None or int(found[2] or found[1]) < int(found[1]):
                raise self._error(f"{token.text} is no set of token ids", token, "for example <[128010]> or <[128000-128255,128300]>")
            low, high = int(found[1]), int(found[2] or found[1])
            if high - low + len(ids) > MAX_TOKEN_IDS:
                raise LimitError("the token ids in a grammar", None, MAX_TOKEN_IDS)
            ids |= dict.fromkeys(range(low, high + 1))
        return TokenNode(tuple(ids))

    def _place_embedded(self, token: Token) -> None:
        if token.text == "%llguidance":
            self._check_settings(token)
            self.rewriting.replace(token.start, token.end, "")
        elif token.text == "%json":
            name = self._place_opaque(token, "%json {...}", json_schema(token.value).expression)
            self.rewriting.replace(token.start, token.end, name)
        else:
            name = self._new_name("REGEX")
            self.extended.labels[name] = "%regex {...}"
            self.extended.trees[name] = parse_terminal(self.source, [token], self._new_part), 0
            self.rewriting.append(f"%declare {name}", (token.start, token.end))
            self.rewriting.replace(token.start, token.end, f"(({name})?)")  # it may be empty, a terminal may not

    def _check_settings(self, token: Token) -> None:
        for setting, value in token.value.items() if isinstance(token.value, dict) else ():
            if setting != "no_forcing":
                raise self._refusal(f"the setting {setting!r} of %llguidance", "it changes how texts are lexed", token)
            effect = "tokens are never forced here by the grammar alone"
            self.extended.report.append(ReportEntry("%llguidance", f"{setting}: {value}", "annotation", effect))

    def _read_braces(self, token: Token) -> None:
        """`{n}`, `{m,n}`, `{m,}` and `{,n}` behind an atom, as Lark writes them; other braces are those of templates."""
        start = self.place[token.start]
        end = start + 1
        while end < len(self.tokens) and (self.tokens[end].kind == "number" or self.tokens[end].text == ","):
            end += 1
        inside = [t.text for t in self.tokens[start + 1 : end]]
        if end == len(self.tokens) or self.tokens[end].text != "}" or not inside:
            return
        closing = self.tokens[end]
        if inside.count(",") > 1 or len(inside) > 3 or inside == [","] or (len(inside) == 2 and inside.count(",") == 0):
            raise self._error("this is no repetition", token, "write {3}, {1,3}, {1,} or {,3}")
        low = inside[0] if inside[0] != "," else "0"
        high = inside[-1] if inside[-1] != "," else None
        if high is not None:
            self.rewriting.replace(token.start, closing.end, f"~{low}..{high}" if "," in inside else f"~{low}")
        elif low in ("0", "1"):
            self.rewriting.replace(token.start, closing.end, "*" if low == "0" else "+")
        else:
            atom = self._atom_before(start)
            self.rewriting.replace(atom[0].start, atom[0].start, "(")
            again = self.source[atom[0].start : atom[-1].end]
            if any(_may_extend(t) for t in atom):
                raise self._refusal("{m,} behind this", "it would have to be written twice", token, "give it a rule of its own")
            self.rewriting.replace(token.start, closing.end, f"~{low} {again}*)")

    def _atom_before(self, index: int) -> list[Token]:
        """The tokens of the atom that ends before this place."""
        depth = 0
        for at in range(index - 1, -1, -1):
            depth += (self.tokens[at].text in (")", "]")) - (self.tokens[at].text in ("(", "["))
            if depth <= 0:
                return self.tokens[at:index]
        return self.tokens[index:index]


def _is_rule_name(token: Token) -> bool:
    return token.kind == "name" and not is_terminal_name(token.text)


def _end(definition: Definition) -> int:
    body = [token for token in definition.body if token.kind != "newline"]
    return body[-1].end if body else definition.colon.end


def _span(source: str, text: str) -> tuple[int, int]:
    return source.index(text), source.index(text) + len(text)
