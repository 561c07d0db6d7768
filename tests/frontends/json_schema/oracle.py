"""A slow recogniser for the small form, written from the docstrings of its nodes: which positions can a string of a node end at?

Shares no code with the lowering or the kernel. No left recursion; good for texts of some hundred bytes.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction

from grammask.grammar.distinct import Distinct, Recorded
from grammask.grammar.expression import (
    Alt,
    And,
    Automaton,
    Chain,
    Chars,
    Expression,
    Literal,
    Multiples,
    Not,
    ReadyAutomaton,
    Ref,
    Repeat,
    Seq,
    Text,
    Unordered,
)
from grammask.grammar.packed_automaton import numbered

STRING = re.compile(rb'(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
DECIMAL = re.compile(rb"(?:0|[1-9][0-9]*)(\.[0-9]+)?")


class Recogniser:
    """Recognises one byte string."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.known: dict[tuple[Expression, int], frozenset[int]] = {}

    def ends(self, node: Expression, start: int) -> frozenset[int]:
        key = (node, start)
        if key not in self.known:
            self.known[key] = frozenset(getattr(self, "_" + type(node).__name__.lower())(node, start))
        return self.known[key]

    def _literal(self, node: Literal, start: int) -> set[int]:
        return {start + len(node.data)} if self.data.startswith(node.data, start) else set()

    def _chars(self, node: Chars, start: int) -> set[int]:
        for size in range(1, 5):
            try:
                character = self.data[start : start + size].decode()
            except UnicodeDecodeError:
                continue
            return {start + size} if len(character) == 1 and any(low <= ord(character) <= high for low, high in node.ranges) else set()
        return set()

    def _seq(self, node: Seq, start: int) -> set[int]:
        places = {start}
        for part in node.parts:
            places = {end for place in places for end in self.ends(part, place)}
        return places

    def _alt(self, node: Alt, start: int) -> set[int]:
        return {end for part in node.parts for end in self.ends(part, start)}

    def _repeat(self, node: Repeat, start: int) -> set[int]:
        places, found, count = {start}, set(), 0
        seen = set()
        while places and (node.maximum is None or count <= node.maximum):
            if count >= node.minimum:
                found |= places
                if places <= seen:
                    break
                seen |= places
            elif count > len(self.data) + node.minimum:
                break
            places = {end for place in places for end in self.ends(node.part, place)}
            count += 1
        return found

    def _and(self, node: And, start: int) -> set[int]:
        places = set(range(start, len(self.data) + 1))
        for part in node.parts:
            places &= self.ends(part, start)
        return places

    def _not(self, node: Not, start: int) -> set[int]:
        taken = self.ends(node.part, start)
        return {end for end in range(start, len(self.data) + 1) if end not in taken and _is_utf8(self.data[start:end])}

    def _text(self, node: Text, start: int) -> set[int]:
        found = STRING.match(self.data, start)
        if found is None:
            return set()
        try:
            text = json.loads(b'"' + found[0])
            spelled = text.encode()
        except (UnicodeDecodeError, UnicodeEncodeError):
            return set()
        if len(text) < node.minimum or (node.maximum is not None and len(text) > node.maximum) or text in node.excluded:
            return set()
        if node.language is not None and len(spelled) not in Recogniser(spelled).ends(node.language, 0):
            return set()
        return {found.end()}

    def _automaton(self, node: Automaton, start: int) -> set[int]:
        places, found, position = {0}, set(), start
        while places:
            if places & node.ends:
                found.add(position)
            if position == len(self.data):
                break
            places = {to for source, to, low, high in node.edges if source in places and low <= self.data[position] <= high}
            position += 1
        return found

    def _readyautomaton(self, node: ReadyAutomaton, start: int) -> set[int]:
        """Over characters; what its text holds is a matter of tests/grammar/test_packed_automaton.py."""
        automaton = numbered(node.text)
        places, found, position = {0}, set(), start
        while places:
            if places & automaton.ends:
                found.add(position)
            size = next((size for size in range(1, 5) if _is_utf8(self.data[position : position + size])), 0)
            if position == len(self.data) or not size:
                break
            code = ord(self.data[position : position + size].decode())
            places = {to for a, to, n in automaton.arcs if a in places and any(low <= code <= high for low, high in automaton.sets[n])}
            position += size
        return found

    def _multiples(self, node: Multiples, start: int) -> set[int]:
        """Ends of decimals that arithmetic allows, digit by digit."""
        found = set()
        for end in range(start + 1, len(self.data) + 1):
            written = DECIMAL.fullmatch(self.data, start, end)
            if written is not None:
                units = Fraction(written[0].decode()) * 10**node.places
                is_wanted = (units / node.divisor).denominator == 1 and all((units / number).denominator > 1 for number in node.excluded)
                is_short = len(written[1] or b".") <= node.behind + 1
                found |= {end} if is_short and node.low <= units <= node.high and is_wanted else set()
        return found

    def _ref(self, node: Ref, start: int) -> frozenset[int]:
        return self.ends(node.rule.body, start)

    def _recorded(self, node: Recorded, start: int) -> frozenset[int]:
        return self.ends(node.part, start)

    def _distinct(self, node: Distinct, start: int) -> set[int]:
        return {end for end in self.ends(node.body, start) if self._differ(start, end)}

    def _differ(self, start: int, end: int) -> bool:
        """Whether the items, or the names of the members, that are written between two places all differ."""
        span = self.data[start:end].strip()
        if not span.startswith(b'"') or not re.match(rb'"' + STRING.pattern + rb"\s*:", span):
            items = [json.dumps(item, sort_keys=True) for item in json.loads(b"[" + span + b"]")]
            return len(set(items)) == len(items)
        names: list[str] = json.loads(b"{" + span + b"}", object_pairs_hook=lambda pairs: [name for name, _ in pairs])
        return len(set(names)) == len(names)

    def _unordered(self, node: Unordered, start: int) -> set[int]:
        ends = self._in_any_order(node, start)
        tells = any(isinstance(item, Recorded) for item in [*[item for item, _ in node.items], node.rest])
        return {end for end in ends if self._differ(start, end)} if tells else ends

    def _in_any_order(self, node: Unordered, start: int) -> set[int]:
        """Follow (position, items present, members so far) to a fixpoint; a member is due."""
        found: set[int] = set()
        items = [*enumerate(item for item, _ in node.items), *([] if node.rest is None else [(len(node.items), node.rest)])]
        required = {number for number, (_, is_required) in enumerate(node.items) if is_required}
        work = [(start, frozenset[int](), 0)]
        for place, used, count in work:  # grows while it is read
            for number, item in items:
                if number in used or (node.maximum is not None and count == node.maximum):
                    continue
                after = used | {number} if number < len(node.items) else used
                for end in self.ends(item, place):
                    if required <= after and count + 1 >= node.minimum:
                        found.add(end)
                    work += [(onward, after, count + 1) for onward in self.ends(node.separator, end)]
        return found

    def _chain(self, node: Chain, start: int) -> set[int]:
        """Follow (position, next item, members so far, whether a member has just ended) to a fixpoint."""
        found: set[int] = set()
        work = [(start, 0, 0)]  # a member is due, or nothing if no member was there yet
        seen = set(work)
        while work:
            place, index, count = work.pop()
            for end, after in self._members(node, place, index):
                total = count + 1
                if total >= node.minimum and (node.maximum is None or total <= node.maximum) and not any(required for _, required in node.items[after:]):
                    found.add(end)
                if node.maximum is None or total < node.maximum:
                    for due in self.ends(node.separator, end):
                        if (due, after, total) not in seen:
                            seen.add((due, after, total))
                            work.append((due, after, total))
        if node.minimum == 0 and not any(required for _, required in node.items):
            found.add(start)
        return found

    def _members(self, node: Chain, place: int, index: int) -> list[tuple[int, int]]:
        found = []
        for position in range(index, len(node.items)):
            item, required = node.items[position]
            found += [(end, position + 1) for end in self.ends(item, place)]
            if required or node.contiguous:
                return found
        if node.rest is not None:
            found += [(end, len(node.items)) for end in self.ends(node.rest, place)]
        return found


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def accepts(node: Expression, text: str | bytes) -> bool:
    """Whether the whole text is in the language of the node."""
    data = text.encode() if isinstance(text, str) else text
    return len(data) in Recogniser(data).ends(node, 0)
