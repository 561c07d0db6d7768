"""A text with pieces of it replaced, and where each place of the new text was in the old one."""

from __future__ import annotations

from bisect import bisect_right

__all__ = ["Rewriting"]


class Rewriting:
    """Replacements in a text. They are made in any order, and must not overlap; `finish` puts them together."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.text = source
        self._edits: list[tuple[int, int, str]] = []
        self._appended: list[tuple[str, tuple[int, int]]] = []
        self._pieces: list[tuple[int, int, int, bool]] = [(0, 0, len(source), True)]  # new start, old start, old end, whether copied

    def replace(self, start: int, end: int, replacement: str) -> None:
        """Write this instead of source[start:end]."""
        self._edits.append((start, end, replacement))

    def append(self, line: str, span: tuple[int, int]) -> None:
        """Add a line at the end, that says something about a place of the source."""
        self._appended.append((line, span))

    def finish(self) -> str:
        """The new text."""
        written: list[str] = []
        self._pieces = []
        length = at = 0

        def add(text: str, start: int, end: int, is_copied: bool) -> None:
            nonlocal length
            self._pieces.append((length, start, end, is_copied))
            written.append(text)
            length += len(text)

        for start, end, replacement in sorted(self._edits, key=lambda edit: edit[:2]):
            add(self.source[at:start], at, start, True)
            add(replacement, start, end, False)
            at = end
        add(self.source[at:], at, len(self.source), True)
        for line, (start, end) in self._appended:
            add("\n" + line, start, end, False)
        self.text = "".join(written)
        return self.text

    def original(self, offset: int) -> tuple[int, int]:
        """The span of the source that a place of the new text stands for."""
        index = bisect_right(self._pieces, offset, key=lambda piece: piece[0]) - 1
        new_start, start, end, is_copied = self._pieces[index]
        if not is_copied:
            return start, end
        place = min(start + offset - new_start, end)
        return place, min(place + 1, len(self.source))

    def offset(self, line: int, column: int) -> int:
        """The place of the new text at a line and column, both counted from 1."""
        start = 0
        for _ in range(line - 1):
            start = self.text.find("\n", start) + 1
            if not start:
                return len(self.text)
        return min(start + max(column - 1, 0), len(self.text))
