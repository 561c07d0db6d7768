"""What requests of serving engines ask for."""

from __future__ import annotations

import pytest

import grammask
from grammask.errors import GrammarError, GrammarSyntaxError, SchemaError
from grammask.frontends.structural_tag import StructuralTagOptions
from grammask.integrations.requested import KINDS, as_request, notation_grammar, requested_grammar

OPTIONS = StructuralTagOptions()


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        ({"json_schema": {"type": "integer"}}, "json_schema"),
        ({"json_schema": '{"type": "integer"}'}, "json_schema"),
        ({"json_schema": int}, "type"),
        ({"json_object": True}, "json_schema"),
        ({"regex": "a+"}, "regex"),
        ({"choice": ["a", "b"]}, "choice"),
        ({"gbnf": 'root ::= "a"'}, "gbnf"),
        ({"lark": 'start: "a"'}, "lark"),
        ({"grammar": 'root ::= "a"'}, "gbnf"),
        ({"structural_tag": {"format": {"type": "any_text"}}}, "structural_tag"),
    ],
)
def test_each_kind_reaches_its_front_end(request_: dict[str, object], kind: str) -> None:
    """A request names its grammar by the kind."""
    assert set(request_) <= set(KINDS)
    assert requested_grammar(request_, OPTIONS).kind == kind


@pytest.mark.parametrize(
    ("request_", "said"),
    [({}, "names none"), ({"regex": "a", "choice": ["a"]}, "names regex, choice"), ({"regx": "a"}, "unknown key 'regx'"), ({"regex": "a", "fit": 1}, "'fit'")],
)
def test_what_a_request_says_besides_is_refused_by_name(request_: dict[str, object], said: str) -> None:
    """No wish is dropped in silence."""
    with pytest.raises(GrammarError, match=said):
        requested_grammar(request_, OPTIONS)


def test_errors_are_those_of_the_front_end() -> None:
    """A bad schema is refused with its place."""
    with pytest.raises(SchemaError) as caught:
        requested_grammar({"json_schema": {"type": "strin"}}, OPTIONS)
    assert caught.value.pointer == "/type"


def test_a_request_may_be_json_text() -> None:
    """Servers that let only texts through can be used, too."""
    assert as_request('{"regex": "a"}') == {"regex": "a"}
    with pytest.raises(GrammarSyntaxError):
        as_request("{")
    with pytest.raises(GrammarError, match="got list"):
        as_request("[]")


def test_notations_are_told_apart() -> None:
    """GBNF has `::=`, Lark has not, and a comment does not count."""
    assert notation_grammar('# a rule\nroot ::= "a"').kind == "gbnf"
    pytest.importorskip("lark")
    assert notation_grammar('start: "a"').kind == "lark"


def test_the_dialect_of_patterns_is_an_option() -> None:
    """Python's \\w holds letters of all scripts, ECMA-262's does not."""
    text = grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""], eos_ids=[256])
    for dialect in ("ecma", "python"):
        grammar = requested_grammar({"regex": r"\w"}, StructuralTagOptions(regex_dialect=dialect))  # type: ignore[arg-type]
        assert (0xC3 in grammask.compile(grammar, text).matcher().allowed_tokens()) == (dialect == "python")
