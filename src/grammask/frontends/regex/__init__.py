"""Regular expressions as grammars: the syntax of Python's `re`, of ECMA-262 and of Rust's regex crate.

text -> parser (python_syntax, ecma_syntax, rust_syntax over parser) -> nodes -> translate (positions, loops) -> the small form.
Rule: exact or refused by name. Sets of characters come from generated tables and from the running `re`; see ecma_sets, python_sets, rust_sets.
"""

from grammask.frontends.regex.language import DialectName, pattern_language, regex
from grammask.frontends.regex.options import RegexOptions

__all__ = ["DialectName", "RegexOptions", "pattern_language", "regex"]
