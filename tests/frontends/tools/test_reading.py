"""Outputs that a tool grammar completes are read back whole, whatever was drawn; others are read as far as they go."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import grammask
from grammask.errors import GrammarError
from grammask.frontends.tools import read_style, read_tool_calls, tool_grammar, tool_styles

from .worlds import TOOLS, byte_vocabulary

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 6},
        "count": {"type": "integer", "minimum": 0, "maximum": 999},
        "flag": {"type": "boolean"},
        "list": {"type": "array", "items": {"enum": ["a", 1, None]}, "maxItems": 3},
        "kind": {"enum": ["x", "y"]},
        "maybe": {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 1, "maximum": 9}]},
    },
    "required": ["text"],
    "additionalProperties": False,
}
DRAWN = [{"name": "first", "parameters": SCHEMA}, {"name": "second.one", "parameters": SCHEMA | {"required": ["count", "flag"]}}]


def drawn(style: str, seed: int) -> tuple[str, grammask.Vocabulary, list[int]]:
    """A random turn with calls: tokens drawn for a while, then the shortest way to the end."""
    vocabulary, chance = byte_vocabulary(read_style(style)), Random(seed)
    grammar = tool_grammar(DRAWN, style, tool_choice="required", reasoning="off")
    matcher = grammask.compile(grammar, vocabulary).matcher()
    tokens: list[int] = []
    for _ in range(400):
        allowed = [
            token for token in matcher.allowed_tokens().tolist() if token not in vocabulary.eos_ids and (token >= 256 or 32 <= token < 127 or token == 10)
        ]
        if not allowed or (matcher.is_complete and chance.random() < 0.5):
            break
        tokens.append(chance.choice(allowed))
        matcher.advance(tokens[-1])
    for token in matcher.shortest_completion() or ():
        tokens.append(token)
        matcher.advance(token)
    assert matcher.is_complete
    names = {token: name.encode() for name, token in vocabulary.specials.items()}
    return b"".join(names.get(token) or bytes([token]) for token in tokens).decode(), vocabulary, tokens


@pytest.mark.parametrize("style", tool_styles())
def test_what_is_drawn_is_read_back_as_arguments_of_the_schema(style: str) -> None:
    """Random turns: every call has arguments that jsonschema calls valid, nothing is left over, ids and text are read alike."""
    jsonschema = pytest.importorskip("jsonschema")
    schemas = {tool["name"]: tool["parameters"] for tool in DRAWN}
    for seed in range(12):
        output, vocabulary, tokens = drawn(style, seed)
        read = read_tool_calls(output, style, tools=DRAWN)
        assert read.calls, output
        assert read.rest == "", output
        for call in read.calls:
            jsonschema.validate(call.arguments, schemas[call.name])
        assert read_tool_calls(tokens, style, tools=DRAWN, vocabulary=vocabulary) == read


def test_an_output_that_breaks_off_is_read_as_far_as_it_goes() -> None:
    """Calls that are whole are there, the rest is told apart."""
    call = '<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>'
    read = read_tool_calls(f'Hi. {call}\n<tool_call>\n{{"name": "add", "arguments": {{"a": 1', "hermes")
    assert [one.name for one in read.calls] == ["ping"]
    assert read.rest.startswith("<tool_call>")
    assert read_tool_calls("<|tool_calls_section_begin|>x", "kimi_k2").rest == "<|tool_calls_section_begin|>x"
    assert read_tool_calls("<|START_RESPONSE|>Hello", "cohere").rest == "<|START_RESPONSE|>Hello"
    assert read_tool_calls("Hello", "cohere").rest == "Hello"


def test_text_alone_is_text() -> None:
    """No calls, no reasoning, nothing left."""
    for style in ("qwen3", "llama3_json", "mistral", "deepseek_v3_1"):
        read = read_tool_calls("Just text.", style)
        assert (read.calls, read.text, read.reasoning, read.rest) == ((), "Just text.", None, "")


def test_text_between_calls_is_kept_and_separators_are_not() -> None:
    """What stands between calls is text, but for the line break that the style puts there."""
    call = '<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>'
    assert read_tool_calls(f"{call}\n{call}", "hermes").text == ""
    assert read_tool_calls(f"a{call} and {call}b", "hermes").text == "a and b"


def test_values_without_tools_at_hand_stay_texts() -> None:
    """Where a style writes texts and numbers alike, only the schema tells them apart."""
    output = "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>\n</function>\n</tool_call>"
    assert read_tool_calls(output, "qwen3_coder").calls[0].arguments == {"a": "1", "b": "2"}
    assert read_tool_calls(output, "qwen3_coder", tools=TOOLS).calls[0].arguments == {"a": 1, "b": 2}


def test_constants_of_python_are_read() -> None:
    """True, False and None, where a style writes them."""
    tools = [{"name": "f", "parameters": {"properties": {"a": {"type": ["boolean", "null"]}, "b": {"type": "boolean"}}}}]
    assert read_tool_calls("[f(a=None, b=True)]", "llama4", tools=tools).calls[0].arguments == {"a": None, "b": True}


def test_ids_need_a_vocabulary() -> None:
    """Marks of calls can be special tokens, which carry no text."""
    with pytest.raises(ValueError, match="vocabulary"):
        read_tool_calls([1, 2], "qwen3")
    with pytest.raises(GrammarError, match="no style"):
        read_tool_calls("x", "nothing")
