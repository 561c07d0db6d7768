"""What the linter of Lark grammars finds, with codes and places."""

from __future__ import annotations

import pytest

from grammask.errors import GrammarTypeError, LimitError
from grammask.frontends.lark import lint

FOUND = {
    "nothing to say": ('start: "a" /[0-9]+/ | start "b"\n', []),
    "all names at once": (
        'start: foo BAR baz{X}\nbaz{y}: y z\n?baz: "x"\n%ignore WS\n',
        [
            ("undefined-rule", 1, 8),
            ("undefined-terminal", 1, 12),
            ("undefined-terminal", 1, 20),
            ("undefined-rule", 2, 11),
            ("double-rule", 3, 2),
            ("undefined-terminal", 4, 9),
        ],
    ),
    "names that are there": ('%import common (INT, WS)\n%import common.CNAME -> NAME\n%declare X\nstart: INT | NAME -> y\n%ignore WS\n%extend INT: "x"\n', []),
    "a syntax error": ("start: (\n", [("syntax", 1, 8)]),
    "a broken object": ("start: %json {a}\n", [("syntax", 1, 15)]),
    "no start": ('begin: "a"\n', [("no-root", 1, 1)]),
    "no exit": ('start: "a" b\nb: "c" b\n', [("no-exit", 2, 1)]),
    "no exit further in": ('start: "a" | b\nb: "c" b\n', [("no-exit", 2, 1)]),
    "empty": ('start: WORD "s"\nWORD: /[a-z]+/\n', [("empty", None, None)]),
    "unsupported": ("start: /(a)\\1/\n", [("unsupported", 1, 8)]),
    "not LALR": ('start: a "x" | b "x"\na: "q"\nb: "q"\n', [("unsupported", 3, 1)]),
    "a schema": ('start: %json {"type": 5}\n', [("schema", None, None)]),
    "a limit": ('start: ("a" | "b")~1..40\n', [("limit", None, None)]),
    "of no use": ('start: "a"\nx: "b" y\ny: Z\nZ: "z"\n', [("unreachable-rule", 2, 1), ("unreachable-rule", 3, 1), ("unreachable-terminal", 4, 1)]),
    "never matched": ("start: A | B\nA: /a{1,5}/\nB: /abb/\n", [("never-matched", 3, 1)]),
    "a string that is never matched": ('start: A | "ab"\nA.1: /[a-c]+/\n', [("never-matched", 1, 12)]),
    "a conflict that is settled": ('start: s\ns: "i" s | "i" s "e" s | "x"\n', [("settled-conflict", 2, 1)]),
    "a lazy rule": ('start: body\nbody[lazy, suffix=END]: /.*/\nEND: "<end>"\n', []),
}


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND)
def test_findings_have_a_code_and_a_place(text: str, expected: list[tuple[str, int | None, int | None]]) -> None:
    """In the order of the text; nothing is found twice."""
    assert [(finding.code, finding.line, finding.column) for finding in lint(text)] == expected


def test_findings_say_what_to_do() -> None:
    """Message and hint are those of the error; severities tell what does not compile from what is only worth a look."""
    (finding,) = lint('start: valeu\nvalue: "a"\n')[:1]
    assert (finding.severity, finding.message, finding.hint) == ("error", "rule 'valeu' is used but not defined", "did you mean 'value'?")
    assert [finding.severity for finding in lint('start: s\ns: "i" s | "i" s "e" s | "x"\nx: "b"\n')] == ["hint", "warning"]


def test_what_is_no_finding_is_raised() -> None:
    """A text that is too long is not looked at."""
    with pytest.raises(LimitError):
        lint("#" * 3_000_000)
    with pytest.raises(GrammarTypeError):
        lint(7)  # type: ignore[arg-type]
