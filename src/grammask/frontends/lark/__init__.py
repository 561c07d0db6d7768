"""Lark grammars: the texts that Lark's parser accepts, lexed as Lark lexes them; and what llguidance adds to the syntax.

Rule: exact or refused by name. The package lark reads the grammar; see front_end for the way from there to the small form.
"""

from grammask.frontends.lark.front_end import lark
from grammask.frontends.lark.linting import lint
from grammask.frontends.lark.options import LarkOptions

__all__ = ["LarkOptions", "lark", "lint"]
