"""Names for the rules of a grammar that is written out: those of the author as far as the notation takes them, each once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grammask.grammar.expression import Rule

__all__ = ["rule_names"]

LONGEST = 40


def rule_names(rules: Sequence[Rule], start: str, separator: str) -> dict[Rule, str]:
    """A name for each rule, `start` for the first. Names hold letters of ASCII, digits and the separator, and begin with a letter."""
    names = {rules[0]: start}
    taken = {start}
    next_number: dict[str, int] = {}
    for rule in rules[1:]:
        words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", rule.place).lower())
        base = separator.join(words)[:LONGEST].rstrip(separator)
        if not base or not base[0].isalpha():
            base = f"rule{separator}{base}".rstrip(separator)
        name, number = base, next_number.get(base, 2)
        while name in taken:
            name, number = f"{base}{separator}{number}", number + 1
        taken.add(name)
        next_number[base] = number
        names[rule] = name
    return names
