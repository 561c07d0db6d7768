"""How many characters a part of a pattern consumes, at least and at most."""

from __future__ import annotations

from math import inf

from grammask.frontends.regex.nodes import Concat, Loop, Part, Union
from grammask.grammar.expression import NOTHING, Alt, Chars, Literal, Repeat, Seq

__all__ = ["width"]


def width(part: Part) -> tuple[float, float]:
    """(least, most) characters of a string of the part; (inf, inf) of a part that matches nothing. Most is inf if unbounded."""
    if isinstance(part, Literal):
        length = len(part.data.decode())
        return length, length
    if isinstance(part, Chars):
        return 1, 1
    if isinstance(part, (Seq, Concat)):
        widths = [width(piece) for piece in part.parts]
        return sum(low for low, _ in widths), sum(high for _, high in widths)
    if isinstance(part, (Alt, Union)):
        widths = [width(piece) for piece in part.parts if piece is not NOTHING]
        return (min(low for low, _ in widths), max(high for _, high in widths)) if widths else (inf, inf)
    if isinstance(part, (Repeat, Loop)):
        low, high = width(part.part)
        return (low * part.minimum if part.minimum else 0), (0 if not high else inf if part.maximum is None else high * part.maximum)
    return 0, 0
