"""What the linter of GBNF finds, with codes and places."""

from __future__ import annotations

import pytest

from grammask.errors import GrammarTypeError, LimitError
from grammask.frontends.gbnf import lint

FOUND = {
    "nothing to say": ('root ::= "a" [0-9]+ | root "b"', []),
    "all errors at once": (
        'root ::= a | b\na ::= "x" ("y"\nb ::= nowhere\nb ::= [z-a]\n',
        [("syntax", 2, 11), ("undefined-rule", 3, 7), ("double-rule", 4, 1), ("syntax", 4, 8)],
    ),
    "a rule that may be among what could not be read": ('root ::= a b\na := "x"\n', [("undefined-rule", 1, 12), ("syntax", 2, 3)]),
    "a limit": ('root ::= "a"{9999999} | b\nb ::= "c', [("limit", 1, 13), ("syntax", 2, 7)]),
    "all undefined rules": ('root ::= x | y\na ::= x | z "c"', [("undefined-rule", 1, 10), ("undefined-rule", 1, 14), ("undefined-rule", 2, 11)]),
    "no root": ('start ::= "a"', [("no-root", 1, 1)]),
    "no exit": ('root ::= "a" b\nb ::= "c" b', [("no-exit", 2, 1)]),
    "empty": (r"root ::= [^\x00-\U0010FFFF]", [("empty", None, None)]),
    "one token": ("root ::= !<think>", [("unsupported", 1, 10)]),
    "unreachable": ('root ::= "a"\nx ::= "b" y\ny ::= "c"', [("unreachable-rule", 2, 1), ("unreachable-rule", 3, 1)]),
    "a loop over nothing": ('root ::= "a" ("b"?)* "c"', [("nullable-loop", 1, 14)]),
    "a loop over a rule that may be nothing": ('root ::= a+ "c"\na ::= "b" | ""', [("nullable-loop", 1, 10)]),
    "a rule that is itself": ('root ::= a "c"\na ::= b | "x"\nb ::= a | "y"', [("derives-itself", 2, 1)]),
    "itself, with nothing around": ('root ::= s root s | "x"\ns ::= "" | "y"', [("derives-itself", 1, 1)]),
    "left recursion is fine": ('root ::= root "," item | item\nitem ::= [a-z]+', []),
    "the same twice": ('root ::= "a" | [b] | "b"', [("equal-alternatives", 1, 1)]),
    "a sign that comes first": ('root ::=\n  | "a"\n  | "b"', [("empty-alternative", 2, 3)]),
    "a token that is a rule": ('root ::= "<" <item> ">"\nitem ::= "a"', [("token-or-rule", 1, 14), ("unreachable-rule", 2, 1)]),
    "endless space": ('root ::= "a" ws "b"\nws ::= [ \\t\\n]*', [("endless-space", 2, 8)]),
    "a long count of many characters": (r'root ::= [^\n]{1,80} "." [a-z]{1,80} "." [^\n]{1,8}', [("many-counts", 1, 10)]),
    "a large grammar": ("root ::= " + " | ".join(f'"{number}"' for number in range(60_000)), [("large-grammar", None, None)]),
    "a border that can lie anywhere": ('root ::= "a" | [a-z]* [a-z0-9]+', [("loose-border", 1, 16)]),
}


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND)
def test_findings_have_a_code_and_a_place(text: str, expected: list[tuple[str, int | None, int | None]]) -> None:
    """In the order of the text; nothing is found twice."""
    assert [(finding.code, finding.line, finding.column) for finding in lint(text)] == expected


def test_findings_say_what_to_do() -> None:
    """Message and hint are those of the error; severities tell what does not compile from what is only worth a look."""
    (finding,) = lint('root ::= valeu\nvalue ::= "a"')[:1]
    assert (finding.severity, finding.message, finding.hint) == ("error", "the rule 'valeu' is used but not defined", "did you mean 'value'?")
    assert [finding.severity for finding in lint('root ::= [ ]* "a"\nx ::= "b"')] == ["hint", "warning"]


def test_what_is_no_finding_is_raised() -> None:
    """A text that is too long is not looked at."""
    with pytest.raises(LimitError):
        lint("#" * 3_000_000)
    with pytest.raises(GrammarTypeError):
        lint(7)  # type: ignore[arg-type]
