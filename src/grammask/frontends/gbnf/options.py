"""The options of the GBNF front end, passed whole."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["GbnfOptions"]


@dataclass(frozen=True, slots=True)
class GbnfOptions:
    """How a grammar in GBNF is read, and how large it may be.

    tokens_in_texts: names of special tokens, such as "<think>". Where a text in quotes spells one of them, the token itself may stand
        there too, as llama.cpp has it; without this, a text is its characters and nothing else.
    Sizes, beyond which there is a LimitError before any work that grows with the excess:
    maximum_length: of the text, in characters.  maximum_nesting: parentheses within parentheses.
    maximum_repetition: the largest bound of a counted repetition.
    maximum_unrolled: the symbols of a rule with every counted repetition written out (nested counts multiply), and the length
        of a shortest text of the grammar.
    """

    tokens_in_texts: tuple[str, ...] = ()
    maximum_length: int = 1_000_000
    maximum_nesting: int = 1_000
    maximum_repetition: int = 100_000
    maximum_unrolled: int = 10_000_000
