"""The options of the GBNF front end, passed whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from grammask.arguments import check_fields, text
from grammask.errors import GrammarError

__all__ = ["GbnfOptions"]


@dataclass(frozen=True, slots=True)
class GbnfOptions:
    """How a grammar in GBNF is read, and how large it may be.

    special_tokens: "named": a special token stands only where the grammar names it, as <token>; a text in quotes is its characters.
        "spelled": where a text in quotes spells the name of a special token of the vocabulary, the token may stand there too, as in llama.cpp.
    Sizes, beyond which there is a LimitError before any work that grows with the excess:
    maximum_length: of the text, in characters.  maximum_nesting: parentheses within parentheses.
    maximum_repetition: the largest bound of a counted repetition.
    maximum_unrolled: the symbols of a rule with every counted repetition written out (nested counts multiply), and the length
        of a shortest text of the grammar.
    """

    special_tokens: OneOf["named", "spelled"] = "named"
    maximum_length: int = 2_000_000
    maximum_nesting: int = 1_000
    maximum_repetition: int = 100_000
    maximum_unrolled: int = 10_000_000

    def __post_init__(self) -> None:
        check_fields(self, special_tokens=text)
        if self.special_tokens not in ("named", "spelled"):
            raise GrammarError(f"special_tokens={self.special_tokens!r}: choose one of 'named', 'spelled'")
