"""The options of the Lark front end, passed whole."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from grammask.arguments import check_fields, list_of, or_none, path, text
from grammask.errors import GrammarError

__all__ = ["LarkOptions", "LexerName"]

LexerName = Literal["contextual", "basic", "dynamic", "dynamic_complete"]
LEXERS = ("contextual", "basic", "dynamic", "dynamic_complete")


@dataclass(frozen=True, slots=True)
class LarkOptions:
    """How a Lark grammar is read, and how large it may be. Beyond a bound: LimitError, before any work that grows with the excess.

    lexer: what splits a text into terminals, by Lark's names. "contextual" (LALR: the terminals that the parser can take there), "basic"
    (LALR: all terminals everywhere), "dynamic" (Earley: each terminal by itself, as long as its pattern makes it), "dynamic_complete"
    (Earley: each terminal by itself, in every length).
    import_paths: folders in which `%import` looks for `.lark` files.  source_path: the file of the grammar, for imports relative to it;
    without one they are refused.
    maximum_length: of the text, in characters.  maximum_expansions: alternatives of all rules, with options and repetitions written out.
    maximum_items: places within rules over all states of the LALR table.  maximum_pattern: steps of all terminals' patterns, with counted
    repetitions written out.  maximum_states: states of the lexers' automata.  maximum_goals: rules of the result.
    """

    lexer: LexerName = "contextual"
    import_paths: Sequence[str | os.PathLike[str]] = ()
    source_path: str | None = None
    maximum_length: int = 200_000
    maximum_expansions: int = 20_000
    maximum_items: int = 500_000
    maximum_pattern: int = 50_000
    maximum_states: int = 30_000
    maximum_goals: int = 20_000

    def __post_init__(self) -> None:
        check_fields(self, lexer=text)
        if self.lexer not in LEXERS:
            raise GrammarError(f"there is no lexer {self.lexer!r} for Lark grammars; use one of {', '.join(map(repr, LEXERS))}")
        if isinstance(self.import_paths, str | os.PathLike):
            raise GrammarError(f"import_paths is a tuple of folders, not one: import_paths=({os.fspath(self.import_paths)!r},)")
        check_fields(self, import_paths=list_of(path, "a tuple of folders"), source_path=or_none(path))
        object.__setattr__(self, "import_paths", tuple([os.fspath(folder) for folder in self.import_paths]))
