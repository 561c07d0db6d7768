"""What the names in a grammar's text lead to: which are not defined, defined twice, or of no use.

Rule: told from the text alone, before and beside Lark, which stops at the first fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from grammask.frontends.lark.scan import Definition, Token, definitions, is_terminal_name, significant
from grammask.grammar.components import visit_order

__all__ = ["Names"]


class Names:
    """The names of one text. defined: by definitions, imports and %declare."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.definitions = list(definitions(tokens))
        self._lines = list(_statements(significant(tokens)))
        self.declared = {token.text for line in self._lines if line[0].text == "%declare" for token in line[1:] if token.kind == "name"}
        self.imported = {name for line in self._lines if line[0].text == "%import" for name in _imported(line)}
        self._changed = {token.start for line in self._lines if line[0].text in ("%extend", "%override") for token in line[1:] if token.kind == "name"}
        self.defined = {definition.name.text for definition in self.definitions} | self.declared | self.imported

    def doubles(self) -> Iterator[Token]:
        """Names that are defined a second time, other than by %extend and %override."""
        seen = set(self.declared | self.imported)
        for definition in self.definitions:
            if definition.name.start not in self._changed:
                if definition.name.text in seen:
                    yield definition.name
                seen.add(definition.name.text)

    def undefined(self) -> Iterator[Token]:
        """Uses of names without a definition, each name once."""
        told = set(self.defined)
        for definition in self.definitions:
            parameters = {token.text for token in definition.head if token.kind == "name" and not is_terminal_name(token.text)}
            for token in _uses(definition):
                if token.text not in told and token.text not in parameters:
                    told.add(token.text)
                    yield token
        for token in self._ignored():
            if token.text not in told:
                told.add(token.text)
                yield token

    def unreachable(self, start: str) -> list[Definition]:
        """Definitions that neither the start nor what is ignored leads to."""
        bodies: dict[str, list[str]] = {}
        for definition in self.definitions:
            bodies.setdefault(definition.name.text, []).extend(token.text for token in _uses(definition))
        reached = set(visit_order([start, *[token.text for token in self._ignored()]], lambda name: bodies.get(name, ())))
        return [definition for definition in self.definitions if definition.name.text not in reached and definition.name.start not in self._changed]

    def close_to(self, name: str) -> str | None:
        """A defined name that may be meant by an undefined one."""
        return next(iter(get_close_matches(name, sorted(self.defined - {name}), 1)), None)

    def _ignored(self) -> Iterable[Token]:
        return [token for line in self._lines if line[0].text == "%ignore" for token in line[1:] if token.kind == "name"]


def _statements(listed: Sequence[Token]) -> Iterator[list[Token]]:
    """The directives, each with the tokens of its line."""
    line: list[Token] = []
    for token in listed:
        if token.kind == "directive" and not line:
            line = [token]
        elif token.kind == "newline":
            if line:
                yield line
            line = []
        elif line:
            line.append(token)
    if line:
        yield line


def _imported(line: Sequence[Token]) -> list[str]:
    """The names that an import makes known: in brackets, behind the arrow, or else the last one."""
    names = [token.text for token in line if token.kind == "name"]
    texts = [token.text for token in line]
    if "(" in texts:
        return [token.text for token in line[texts.index("(") :] if token.kind == "name"]
    return names[-1:]


def _uses(definition: Definition) -> Iterator[Token]:
    """The names of rules and terminals in a body, where what follows an arrow is an alias; and the terminals of attributes."""
    before = ""
    for token in (*definition.head, definition.colon, *definition.body):
        in_body = token.start > definition.colon.start
        if token.kind == "name" and (before != "->" if in_body else before == "="):
            yield token
        before = token.text
