"""Every style: what its models write is accepted token by token and read back; what is wrong is refused where it goes wrong."""

from __future__ import annotations

from typing import Any

import pytest

import grammask
from grammask.errors import TokenRefused
from grammask.frontends.tools import read_style, read_tool_calls, tool_grammar, tool_styles

from .worlds import TOOLS, byte_vocabulary, cases, family_vocabulary, ids_of

CASES = cases()
NAMES = [f"{case['style']}: {case['name']}" for case in CASES]
WRONG = [(case, after, wrong) for case in CASES for after, wrong in case["wrong"]]
WRONG_NAMES = [f"{case['style']}: {after[-20:]!r} then {wrong!r}" for case, after, wrong in WRONG]


def matcher_for(case: dict[str, Any], vocabulary: grammask.Vocabulary) -> Any:
    grammar = tool_grammar(TOOLS, case["style"], reasoning=case.get("mode", "auto"))
    return grammask.compile(grammar, vocabulary).matcher()


def test_every_style_has_outputs_with_ten_corruptions() -> None:
    """No style without a case; ten corruptions for each case."""
    assert {case["style"] for case in CASES} == set(tool_styles())
    assert all(len(case["wrong"]) == 10 for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_rendered_turn_is_accepted_token_by_token(case: dict[str, Any]) -> None:
    """With Llama-3's tokens and the family's own special tokens: each token is in the mask, and at the end the turn may end."""
    vocabulary = family_vocabulary(case["style"])
    matcher = matcher_for(case, vocabulary)
    for token, place in ids_of(vocabulary, case["output"]):
        assert matcher.accepts(token), (vocabulary.tokens[token], case["output"].encode()[:place])
        matcher.advance(token)
    assert matcher.is_complete
    assert all(matcher.accepts(token) for token in vocabulary.eos_ids)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_marks_may_be_written_letter_by_letter(case: dict[str, Any]) -> None:
    """A vocabulary without the family's special tokens spells the marks as text."""
    vocabulary = grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""], [256])
    matcher = matcher_for(case, vocabulary)
    for byte in case["output"].encode():
        matcher.advance(byte)
    assert matcher.is_complete


@pytest.mark.parametrize(("case", "after", "wrong"), WRONG, ids=WRONG_NAMES)
def test_a_corruption_is_refused_at_its_first_wrong_token(case: dict[str, Any], after: str, wrong: str) -> None:
    """All tokens up to the first wrong letter are accepted, and the token with that letter in it is not: with large tokens and with single bytes."""
    good = case["output"][: case["output"].index(after) + len(after)]
    for vocabulary in (family_vocabulary(case["style"]), byte_vocabulary(read_style(case["style"]))):
        matcher = matcher_for(case, vocabulary)
        tokens = ids_of(vocabulary, good + wrong)
        first_wrong = max(number for number, (_, place) in enumerate(tokens) if place <= len(good.encode()))
        for token, place in tokens[:first_wrong]:
            assert matcher.accepts(token), (vocabulary.tokens[token], good.encode()[:place][-40:])
            matcher.advance(token)
        assert not matcher.accepts(tokens[first_wrong][0]), vocabulary.tokens[tokens[first_wrong][0]]
        with pytest.raises(TokenRefused):
            matcher.advance(tokens[first_wrong][0])


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_rendered_turn_is_read_back(case: dict[str, Any]) -> None:
    """Calls with their arguments, text and reasoning, from the text with special tokens by name and from the token ids."""
    vocabulary = family_vocabulary(case["style"])
    for output, more in ((case["output"], {}), ([token for token, _ in ids_of(vocabulary, case["output"])], {"vocabulary": vocabulary})):
        read = read_tool_calls(output, case["style"], tools=TOOLS, **more)
        assert [{"name": call.name, "arguments": call.arguments} for call in read.calls] == case["calls"]
        assert (read.text, read.reasoning, read.rest) == (case["text"], case.get("reasoning"), "")
