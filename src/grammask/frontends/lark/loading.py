"""A grammar's text as Lark reads it: rules in Lark's plain form, terminals with their patterns, and what is ignored.

Rule: imports, templates, %extend, %override, priorities, flags, ranges and repetitions are worked out by Lark's own loader, so they mean what
they mean there; what would make that loader run for ever is refused first.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import pairwise
from typing import Any

from grammask.errors import GrammarSyntaxError, LimitError, UnsupportedFeatureError
from grammask.frontends.lark.extensions import Extended
from grammask.frontends.lark.faults import Faults
from grammask.frontends.lark.growth import check_growth, check_terminals
from grammask.frontends.lark.lalr import Rule
from grammask.frontends.lark.lexers import Terminal
from grammask.frontends.lark.network import Symbol
from grammask.frontends.lark.options import LarkOptions
from grammask.frontends.lark.program import Mode
from grammask.frontends.lark.scan import is_terminal_name
from grammask.frontends.lark.terminal_syntax import Chunks, Resolved, is_nullable, resolved
from grammask.frontends.regex import pattern_language
from grammask.grammar.components import visit_order
from grammask.grammar.expression import Expression
from grammask.grammar.language import character_automaton

__all__ = ["Loaded", "load"]

MAX_TERMINALS = 2_000  # definitions; Lark takes time that grows with their square


@dataclass(frozen=True, slots=True)
class Loaded:
    """A grammar. Nonterminal 0 is the start; labels: what the author calls each nonterminal (its rule, for those that Lark made).

    reads_files: whether it imports from files that may change.
    """

    rules: tuple[Rule, ...]
    labels: tuple[str, ...]
    terminals: tuple[Terminal, ...]
    ignored: frozenset[int]
    faults: Faults
    reads_files: bool = False


def load(extended: Extended, start: str, options: LarkOptions) -> Loaded:
    """Read a grammar. Raises GrammarSyntaxError, UnsupportedFeatureError, LimitError; ImportError if the package lark is missing."""
    faults = Faults(extended)
    lark = _lark()
    _check_source(extended, faults, options)
    check_terminals([definition for found in faults.defined.values() for definition in found])
    with faults.told(lark):
        grammar, files = lark.load_grammar.load_grammar(
            extended.rewriting.text, options.source_path or "<string>", [os.fspath(path) for path in options.import_paths], False
        )
        check_growth(grammar, options.maximum_expansions)
        definitions, rules, ignored = _compiled(grammar, start, extended, lark)
    if not any(rule.origin.name == start for rule in rules):
        raise faults.no_start(start, sorted({name for name, *_ in grammar.rule_defs}))
    terminals = _Terminals(extended, faults, definitions, is_scanned=options.lexer in ("contextual", "basic"))
    loaded = replace(_loaded(_reachable(rules, start), ignored, start, terminals), reads_files=any(isinstance(file, str) for file in files))
    if options.lexer == "basic":  # it tries the terminals of rules, too, that cannot be reached
        for name in terminals.definitions.keys() - extended.kept_terminals():
            terminals.number(name)
        loaded = replace(loaded, terminals=tuple(terminals.found))
    return loaded


def _lark() -> Any:
    try:
        import_module("lark.load_grammar")
    except ImportError as error:
        raise ImportError("reading a Lark grammar needs the package lark: pip install 'grammask[lark]'") from error
    return import_module("lark")


def _compiled(grammar: Any, start: str, extended: Extended, lark: Any) -> Any:
    """Lark's plain form of a grammar. Alternatives that differ in their trees only, which Lark refuses and others take, are one."""
    try:
        return grammar.compile([start], extended.kept_terminals())
    except lark.exceptions.GrammarError as error:
        if not str(error).startswith("Rules defined twice"):
            raise
    _forget_trees(grammar, lark.Token("OP", "?"))
    return grammar.compile([start], extended.kept_terminals())


def _forget_trees(grammar: Any, option: Any) -> None:
    """Take out what shapes trees without a say in the texts: aliases, and the places that `[x]` keeps for what is absent."""
    for _, _, tree, _ in grammar.rule_defs:
        for node in list(tree.iter_subtrees()):
            if node.data == "alias":
                node.data, node.children = "expansions", node.children[:1]
            elif node.data == "maybe":
                node.data, node.children = "expr", [*node.children, option]


def _check_source(extended: Extended, faults: Faults, options: LarkOptions) -> None:
    tokens = [token for token in extended.tokens if token.kind not in ("space", "comment")]
    n_terminals = 0
    for token, after in pairwise(tokens):
        n_terminals += token.kind == "name" and is_terminal_name(token.text) and after.text in (":", ".")
        if token.text == "%import" and after.text == "." and options.source_path is None:
            hint = "give LarkOptions(source_path=...), or LarkOptions(import_paths=...) and an import without the dot"
            span = token.start, after.end
            raise UnsupportedFeatureError("a relative import", "the text has no place to be relative to", source=faults.source, span=span, hint=hint)
    if n_terminals > MAX_TERMINALS:
        raise LimitError("the number of terminals", n_terminals, MAX_TERMINALS)


class _Terminals:
    """The terminals, numbered as they are asked for."""

    def __init__(self, extended: Extended, faults: Faults, definitions: Sequence[Any], *, is_scanned: bool) -> None:
        self.extended, self.faults, self.is_scanned = extended, faults, is_scanned
        self.groups: dict[str, str] = {}  # names of groups within patterns -> terminal
        self.definitions = {definition.name: definition for definition in definitions}
        self.numbers: dict[str, int] = {}
        self.found: list[Terminal] = []
        self._languages: dict[str, Resolved] = {}

    def number(self, name: str) -> int:
        if name not in self.numbers:
            terminal = self._made(name)
            self.numbers[name] = len(self.found)
            self.found.append(terminal)
        return self.numbers[name]

    def _made(self, name: str) -> Terminal:
        if name in self.extended.opaque:
            opaque = self.extended.opaque[name]
            return Terminal(name, opaque.label, None, language=opaque.language, is_opaque=True)
        if name in self.extended.trees:
            return self._from_tree(name)
        definition = self.definitions.get(name)
        if definition is None:
            raise self.faults.declared(name)
        pattern = self._pattern(definition)
        label = self.faults.label(name, definition)
        is_string = definition.pattern.type == "str" and name not in self.extended.lazy
        rank = -definition.priority, -definition.pattern.max_width, -len(definition.pattern.value)
        mode: Mode = "shortest" if name in self.extended.lazy else "first"
        text = definition.pattern.value if is_string else None
        return Terminal(name, label, pattern, text, frozenset(definition.pattern.flags), definition.priority, rank, mode)

    def _pattern(self, definition: Any) -> str:
        """The pattern, if `re` takes it in the place where Lark puts it: in a group among others."""
        pattern: str = definition.pattern.to_regexp()
        lazy = self.extended.lazy.get(definition.name)
        if lazy is not None and lazy.stop:
            pattern += f"(?={self.definitions[lazy.stop].pattern.to_regexp()})"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)
                compiled = re.compile(pattern)
                least = definition.pattern.min_width
        except RecursionError:
            raise LimitError("the nesting of groups in a terminal's pattern", None, 100, "use fewer groups within groups") from None
        except (re.error, OverflowError, ValueError) as error:
            raise self.faults.bad_pattern(definition.name, pattern, error) from None
        if least == 0:
            raise self.faults.at_name(definition.name, "this terminal can match nothing at all", "let it take a character at least, and make its uses optional")
        if self.is_scanned:
            self._check_scanned(definition.name, compiled)
        return pattern

    def _check_scanned(self, name: str, compiled: re.Pattern[str]) -> None:
        """Lark puts the patterns of all terminals into one: flags for the whole of it, and equal names of groups, do not fit there."""
        if compiled.flags & ~re.UNICODE:
            raise self.faults.at_name(name, "flags for a whole pattern cannot stand among other terminals", "write /.../i, or (?i:...) around a part")
        for group in compiled.groupindex:
            if self.groups.setdefault(group, name) != name:
                raise self.faults.at_name(name, f"terminals {self.groups[group]} and {name} both name a group {group!r}", "write (?:...)")

    # -- terminals with operators of their own

    def _from_tree(self, name: str) -> Terminal:
        priority = self.extended.trees[name][1]
        tree = self._resolved(name, ())
        if is_nullable(tree) and not isinstance(tree, Chunks):
            raise self.faults.at_name(name, "this terminal can match nothing at all", "let it take a character at least, and make its uses optional")
        if isinstance(tree, Expression) and not character_automaton(tree).n_nodes:
            raise self.faults.at_name(name, "nothing can match this terminal", "its conditions exclude each other")
        return Terminal(name, self.faults.label(name, None), None, priority=priority, rank=(-priority, -(2**32), 0), mode="longest", tree=tree)

    def _resolved(self, name: str, outer: tuple[str, ...]) -> Resolved:
        """What a terminal's name stands for."""
        if name in outer:
            raise self.faults.at_name(name, "this terminal is made of itself", "only rules can be recursive")
        if name not in self._languages:
            if name in self.extended.trees:
                found = resolved(self.extended.trees[name][0], lambda part: self._resolved(part, (*outer, name)))
            else:
                found = self._plain_language(name)
            self._languages[name] = found
        return self._languages[name]

    def _plain_language(self, name: str) -> Expression:
        definition = self.definitions.get(name)
        if definition is None:
            raise self.faults.undefined(name)
        pattern = definition.pattern.to_regexp()
        try:
            return pattern_language(pattern, dialect="python", search=False)
        except GrammarSyntaxError as error:
            raise self.faults.bad_pattern(name, pattern, error) from None


def _reachable(rules: Sequence[Any], start: str) -> list[Any]:
    """The rules that the start leads to; Lark keeps those, too, that only name each other."""
    by_origin: dict[str, list[Any]] = {}
    for rule in rules:
        by_origin.setdefault(rule.origin.name, []).append(rule)
    order = visit_order([start], lambda name: [one.name for rule in by_origin.get(name, ()) for one in rule.expansion if not one.is_term])
    wanted = set(order)
    return [rule for rule in rules if rule.origin.name in wanted]


def _loaded(rules: Sequence[Any], ignored: Sequence[str], start: str, terminals: _Terminals) -> Loaded:
    numbers = {start: 0}
    for rule in rules:
        numbers.setdefault(rule.origin.name, len(numbers))

    def symbol(one: Any) -> Symbol:
        return Symbol(True, terminals.number(one.name)) if one.is_term else Symbol(False, numbers[one.name])

    found = [Rule(numbers[rule.origin.name], tuple([symbol(one) for one in rule.expansion]), rule.options.priority or 0) for rule in rules]
    gaps = frozenset(terminals.number(name) for name in ignored)
    labels = tuple([terminals.extended.labels.get(owner(name), owner(name)) for name in map(str, numbers)])
    return Loaded(tuple(found), labels, tuple(terminals.found), gaps, terminals.faults)


def owner(name: str) -> str:
    """The rule that a name of Lark's belongs to: `__value_star_0` to `value`."""
    found = re.fullmatch(r"__(.+)_(?:star|plus|repeat_[ab0-9_]+(?:_opt)?)_[0-9]+", name)
    return found[1] if found else name
