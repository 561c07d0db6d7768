"""From raw tables to the prepared ones that the compiled kernel runs on, for one vocabulary.

Rule: the strings that the vocabulary can spell stay the same, and where there is nothing to do the tables are the same objects.
Three steps, each in a file of its own: left recursion becomes goal frames (goal_frames); what needs a byte that no token has goes
(spelling); where tokens do not spell everything that is left, rules are multiplied with the tokens (token_product).
"""

from __future__ import annotations

from grammask.grammar.goal_frames import without_left_recursion
from grammask.grammar.spelling import Spelling, spellable
from grammask.kernel.tables import RuleTable

__all__ = ["Spelling", "prepare"]


def prepare(root: RuleTable, spelling: Spelling) -> RuleTable:
    """Tables that keep the promises of `kernel.tables` for a vocabulary whose tokens are those of `spelling` (one for each vocabulary).

    Raises UnspellableError if the tokens can spell no text of the grammar, LimitError where that would take too long to work out.
    Cost: a microsecond where no rule is left-recursive and all bytes are tokens.
    """
    if root.prepared and not spelling.missing.members:
        return root
    return spellable(without_left_recursion(root), spelling)
