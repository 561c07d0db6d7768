"""Counted repetition in its simplest form, for everything that builds automata of it.

Rule: what comes out has the same language as what went in, and a loop over it needs no empty round.
"""

from __future__ import annotations

from grammask.errors import LimitError
from grammask.grammar.expression import EMPTY, NOTHING, Alt, Expression, Repeat, Seq

__all__ = ["MAX_COUNT", "loop_parts", "normal_repeat"]

MAX_COUNT = 2**63  # JSON schemas hold numbers like 9007199254740991; what is larger is a mistake or an attack
MAX_LEVELS = 64


def normal_repeat(node: Repeat) -> tuple[Expression, int, int | None]:
    """Part, minimum and maximum with the same language, where a part that is optional by its form has become one that is not.

    (x{0,k}){m,n} is x{0,k*n}, (x{1,}){m,} is x{m,}, (x|){m,n} is x{0,n}. Raises LimitError for counts over 2**63.
    """
    part, minimum, maximum = node.part, node.minimum, node.maximum
    for _ in range(MAX_LEVELS if maximum != 0 else 0):
        if isinstance(part, Repeat) and (part.minimum == 0 or (part.minimum == 1 and maximum is None)) and part.maximum != 0:
            minimum = 0 if part.minimum == 0 else minimum
            maximum = None if maximum is None or part.maximum is None else maximum * part.maximum
            part = part.part
        elif isinstance(part, Alt) and EMPTY in part.parts:
            part, minimum = _without_empty(part), 0
        else:
            break
    if minimum > MAX_COUNT or (maximum or 0) > MAX_COUNT:
        raise LimitError("a repetition count", None, MAX_COUNT)
    return part, minimum, maximum


def _without_empty(choice: Alt) -> Expression:
    rest = [part for part in choice.parts if part is not EMPTY]
    return rest[0] if len(rest) == 1 else Alt(rest)


def loop_parts(part: Expression) -> list[Expression]:
    """Expressions none of which is optional by its form, such that part* is (any of them)*. Cost: the nodes seen."""
    found: dict[Expression, None] = {}
    work, seen = [part], {part}
    while work:
        node = work.pop()
        if isinstance(node, Alt):
            inner = node.parts
        elif isinstance(node, Repeat) and node.minimum <= 1 and node.maximum != 0:
            inner = (node.part,)
        elif isinstance(node, Seq) and all(isinstance(piece, Repeat) and piece.minimum == 0 for piece in node.parts):
            inner = node.parts
        else:
            found[node] = None
            continue
        work += [piece for piece in reversed(inner) if piece not in seen and piece is not NOTHING]
        seen.update(inner)
    return list(found)
