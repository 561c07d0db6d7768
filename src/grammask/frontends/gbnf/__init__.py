"""GBNF, the notation for grammars of llama.cpp, as grammars.

text -> parser (over characters) -> rules of the small form -> rules (defined once, all of them, with a way out) -> Grammar.
Rule: what llama.cpp accepts means the same here. Accepted besides: | at the beginning of a line, left recursion, names in any script.
Refused, with the place: what llama.cpp takes in silence though it cannot be meant (a second definition of a rule, a range that runs
backwards, a class of no characters, half of a surrogate pair).
"""

from grammask.frontends.gbnf.language import gbnf, lint
from grammask.frontends.gbnf.options import GbnfOptions

__all__ = ["GbnfOptions", "gbnf", "lint"]
