"""A slow matcher that reads the small form by its definition: which substrings of a text are in an expression's language."""

from __future__ import annotations

from grammask.grammar.expression import Alt, And, Chars, Expression, Literal, Not, Repeat, Seq


class SmallForm:
    """A text; `ends(e, i)` are all j for which text[i:j] is in e."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.known: dict[tuple[Expression, int], frozenset[int]] = {}

    def ends(self, expression: Expression, start: int) -> frozenset[int]:
        key = (expression, start)
        if key not in self.known:
            self.known[key] = frozenset(self._ends(expression, start))
        return self.known[key]

    def _ends(self, expression: Expression, start: int) -> set[int] | frozenset[int]:
        match expression:
            case Literal(data=data):
                literal = data.decode()
                return {start + len(literal)} if self.text.startswith(literal, start) else set()
            case Chars(ranges=ranges):
                code_points = [ord(c) for c in self.text[start : start + 1]]
                return {start + 1 for c in code_points if any(low <= c <= high for low, high in ranges)}
            case Seq(parts=parts):
                reached = {start}
                for part in parts:
                    reached = {end for middle in reached for end in self.ends(part, middle)}
                return reached
            case Alt(parts=parts):
                return {end for part in parts for end in self.ends(part, start)}
            case And(parts=parts):
                return set.intersection(*[set(self.ends(part, start)) for part in parts])
            case Not(part=part):
                return set(range(start, len(self.text) + 1)) - self.ends(part, start)
            case Repeat():
                return self._repeated(expression, start)
        raise AssertionError(f"{expression!r} is no regular expression over characters")

    def _repeated(self, repeat: Repeat, start: int) -> set[int]:
        reached = {start}
        for _ in range(repeat.minimum):
            following = self._once_more(repeat, reached)
            if following == reached:
                break
            reached = following
        found, newest, more = set(reached), reached, 0
        while newest and (repeat.maximum is None or more < repeat.maximum - repeat.minimum):
            newest = self._once_more(repeat, newest) - found
            found |= newest
            more += 1
        return found

    def _once_more(self, repeat: Repeat, reached: set[int]) -> set[int]:
        return {end for middle in reached for end in self.ends(repeat.part, middle)}


def matches(expression: Expression, text: str) -> bool:
    """Whether the whole text is in the language of the expression."""
    return len(text) in SmallForm(text).ends(expression, 0)
