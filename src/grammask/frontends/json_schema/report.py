"""What became of each keyword of a schema: the report that goes with its grammar, made when somebody reads it.

Rule: every keyword of every schema that was used is listed once, as exact, relaxed (on request) or annotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from grammask.frontends.json_schema.references import References, Subschema
from grammask.grammar.grammar import ReportEntry

__all__ = ["Report"]

STRUCTURE = frozenset({"$schema", "$id", "id", "$defs", "definitions", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"})
READ_WITH = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}


class Report(Sequence[ReportEntry]):
    """The entries of one compile, in the order of the schema."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._entries: tuple[ReportEntry, ...] | None = None

    def _made(self) -> tuple[ReportEntry, ...]:
        if self._entries is None:
            with self._references.late:
                self._references.finish()
                self._entries = tuple(entry for place in self._references.places() for entry in self._of(place))
        return self._entries

    def _of(self, place: Subschema) -> Iterator[ReportEntry]:
        draft = place.resource.draft
        for keyword in place.value if type(place.value) is dict else ():
            pointer = f"{place.pointer}/{keyword}"
            if keyword in STRUCTURE and pointer not in self._references.relaxed:
                continue
            if pointer in self._references.relaxed:
                yield ReportEntry(pointer, keyword, "relaxed", self._references.relaxed[pointer])
            elif draft.overriding_ref and "$ref" in place.value and keyword != "$ref":
                yield ReportEntry(pointer, keyword, "annotation", f"draft {draft.name} ignores what stands beside $ref")
            elif keyword not in draft.table:
                yield ReportEntry(pointer, keyword, "annotation", f"no keyword of draft {draft.name}: it asserts nothing")
            elif READ_WITH.get(keyword, keyword) in place.value and keyword in READ_WITH:
                yield ReportEntry(pointer, keyword, "exact", f"read together with {READ_WITH[keyword]}")
            elif draft.table[keyword] is None:
                yield ReportEntry(pointer, keyword, "annotation", "describes, and asserts nothing")
            elif keyword == "format" and place.facts and not any(name.endswith("format") for name, _ in place.facts.languages):
                yield ReportEntry(pointer, keyword, "annotation", "not asserted: by option, or because no draft defines this name")
            else:
                yield ReportEntry(pointer, keyword, "exact", "enforced as written")

    @overload
    def __getitem__(self, index: int) -> ReportEntry: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[ReportEntry, ...]: ...

    def __getitem__(self, index: int | slice) -> ReportEntry | tuple[ReportEntry, ...]:
        return self._made()[index]

    def __len__(self) -> int:
        return len(self._made())

    def __repr__(self) -> str:
        return repr(self._made())
