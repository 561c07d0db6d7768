"""What a tool grammar allows: by choice, by reasoning, one call or several; and which tools are refused, by name and place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import grammask
from grammask.errors import GrammarError, SchemaError, UnsupportedFeatureError
from grammask.frontends.json_schema import JsonSchemaOptions
from grammask.frontends.tools import Style, ToolOptions, read_style, tool_grammar, tool_styles

from .worlds import TOOLS, byte_vocabulary, ids_of

WEATHER = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
PING = '<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>'
THOUGHT = "<think>\nHm.\n</think>\n\n"


def verdict(output: str, style: str = "qwen3", tools: Any = None, **choices: Any) -> str:
    """Whether an output is a complete turn, the beginning of one, or neither."""
    vocabulary = byte_vocabulary(read_style(style))
    grammar = tool_grammar(TOOLS if tools is None else tools, style, **choices)
    matcher = grammask.compile(grammar, vocabulary).matcher()
    tokens = [token for token, _ in ids_of(vocabulary, output)]
    if matcher.draft(tokens) < len(tokens):
        return "refused"
    for token in tokens:
        matcher.advance(token)
    return "complete" if matcher.is_complete else "open"


def verdicts(outputs: list[str], **choices: Any) -> list[str]:
    return [verdict(output, **choices) for output in outputs]


def test_auto_allows_text_and_calls() -> None:
    """Text, calls with text around them, and reasoning before either or not at all."""
    outputs = ["", "Hello.", f"Hello.\n{WEATHER}\n{PING}\nDone?", THOUGHT + PING, THOUGHT + "Hello", "<tool_call>", "<tool_call>\n{x"]
    assert verdicts(outputs) == ["complete"] * 5 + ["open", "refused"]


def test_required_demands_calls_and_nothing_else() -> None:
    """Reasoning, calls, separators; no text."""
    outputs = [PING, f"{WEATHER}\n{PING}", THOUGHT + PING, "", "Hello", PING + "\n", PING + " "]
    assert verdicts(outputs, tool_choice="required") == ["complete"] * 3 + ["open", "refused", "open", "refused"]


@pytest.mark.parametrize("choice", [{"name": "ping"}, {"type": "function", "function": {"name": "ping"}}])
def test_a_named_tool_is_called_once(choice: dict[str, Any]) -> None:
    """In the bare form and in OpenAI's."""
    assert verdicts([PING, WEATHER, f"{PING}\n{PING}", ""], tool_choice=choice) == ["complete", "refused", "refused", "open"]


def test_none_allows_text_only() -> None:
    """The marks of calls cannot be written, neither as text nor as special tokens; nor where there are no tools."""
    outputs = ["", "Hello <tool", THOUGHT + "Hi", "<tool_call>", "a " + PING]
    assert verdicts(outputs, tool_choice="none") == ["complete"] * 3 + ["refused"] * 2
    assert verdicts(outputs, tools=[]) == ["complete"] * 3 + ["refused"] * 2


def test_allowed_tools_restrict_the_choice() -> None:
    """OpenAI's allowed_tools: a mode and some of the tools."""
    choice = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": "ping"}}]}}
    assert verdicts([PING, WEATHER, "text"], tool_choice=choice) == ["complete", "refused", "refused"]


def test_one_call_where_calls_are_not_to_be_parallel() -> None:
    """Nothing follows the first call."""
    assert verdicts([f"x {PING}", f"{PING}\n{PING}", PING + " y"], parallel=False) == ["complete", "refused", "refused"]
    assert verdicts([PING, f"{PING}\n{PING}"], parallel=False, tool_choice="required") == ["complete", "refused"]


def test_calls_without_a_form_for_several_are_single() -> None:
    """A style that has no form for parallel calls allows one."""
    one = '{"name": "ping", "parameters": {}}'
    assert verdicts([one, one + one, one + "; " + one], style="llama3_json") == ["complete", "refused", "refused"]


def test_reasoning_is_on_off_open_or_either() -> None:
    """on: a block; off: none; open: the prompt has begun it; auto: a block or none."""
    outputs = [THOUGHT + PING, PING, "Hm.\n</think>" + PING]
    assert verdicts(outputs, reasoning="on") == ["complete", "refused", "refused"]
    assert verdicts(outputs, reasoning="off") == ["refused", "complete", "refused"]
    assert verdicts(outputs, reasoning="open") == ["refused", "refused", "complete"]
    assert verdicts(outputs, reasoning="auto") == ["complete", "complete", "refused"]


def test_reasoning_of_several_messages() -> None:
    """In the harmony format a model may think in several messages."""
    thought, final = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant", "<|channel|>final<|message|>Hi"
    assert verdicts([thought + thought + final, final, thought], style="gpt_oss") == ["complete", "complete", "open"]
    assert verdicts([thought + final, final], style="gpt_oss", reasoning="on") == ["complete", "refused"]


def test_arguments_that_are_not_declared_are_as_the_schema_says() -> None:
    """Allowed where the schema does not forbid them, unless that is asked for."""
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}]
    more = '<tool_call>\n{"name": "f", "arguments": {"a": 1, "b": 2}}\n</tool_call>'
    assert verdict(more, tools=tools) == "complete"
    assert verdict(more, tools=tools, options=ToolOptions(extra_arguments="forbid")) == "refused"
    xml = "<tool_call>\n<function=f>\n<parameter=b>\nx\n</parameter>\n</function>\n</tool_call>"
    assert verdict(xml, style="qwen3_coder", tools=tools) == "complete"
    assert verdict(xml, style="qwen3_coder", tools=tools, options=ToolOptions(extra_arguments="forbid")) == "refused"


@pytest.mark.parametrize("style", tool_styles())
def test_a_tool_without_parameters_takes_none(style: str) -> None:
    """As OpenAI's API has it; and every style reads its tools."""
    grammar = tool_grammar([{"name": "ping"}], style, tool_choice="required")
    text = grammask.compile(grammar, byte_vocabulary(read_style(style))).matcher().shortest_bytes()
    assert grammar.kind == "tools"
    assert text is None or b"ping" in text


def test_other_forms_of_tools_are_read() -> None:
    """Parameters under the names that other APIs give them."""
    schema = {"type": "object", "properties": {"q": {"const": "x"}}, "required": ["q"]}
    for key in ("parameters", "input_schema", "inputSchema"):
        output = '<tool_call>\n{"name": "s.t/u", "arguments": {"q": "x"}}\n</tool_call>'
        assert verdict(output, tools=[{"name": "s.t/u", key: schema, "annotations": {}}]) == "complete"


BAD: dict[str, tuple[Any, type[GrammarError], str, str]] = {
    "a wrong schema": ({"name": "f", "parameters": {"properties": {"a": {"type": "strin"}}}}, SchemaError, "/1/parameters/properties/a/type", "the tool 'f'"),
    "a wrong schema in OpenAI's form": (
        {"type": "function", "function": {"name": "f", "parameters": {"type": 1}}},
        SchemaError,
        "/1/function/parameters/type",
        "the tool 'f'",
    ),
    "a keyword that cannot be enforced": (
        {"name": "f", "parameters": {"properties": {"a": {"pattern": r"(a)\1"}}}},
        UnsupportedFeatureError,
        "/1/parameters/properties/a/pattern",
        "the tool 'f'",
    ),
    "no name": ({"description": "x"}, SchemaError, "/1", "tool 1"),
    "a name that is none": ({"name": "get weather"}, SchemaError, "/1/name", "tool 1"),
    "a tool of the same name": ({"name": "ping"}, SchemaError, "/1", "the tool 'ping'"),
    "a text": ("ping", SchemaError, "/1", "tool 1"),
    "a schema that is a list": ({"name": "f", "parameters": [1]}, SchemaError, "/1/parameters", "the tool 'f'"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_tool_is_named_with_its_place(name: str) -> None:
    """Which tool, and the JSON pointer from the list of tools."""
    tool, kind, pointer, owner = BAD[name]
    with pytest.raises(kind) as caught:
        tool_grammar([{"name": "ping"}, tool], "qwen3")
    assert (caught.value.pointer, caught.value.owner) == (pointer, owner)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_tool_need_not_take_the_others_down(name: str) -> None:
    """On request it is left out and reported, and the others can be called."""
    tool = BAD[name][0]
    skipping = ToolOptions(on_bad_tool="skip")
    grammar = tool_grammar([{"name": "ping"}, tool], "qwen3", options=skipping)
    assert [(entry.pointer, entry.status) for entry in grammar.report] == [("/1", "relaxed")]
    assert "cannot be called" in grammar.report[0].effect
    assert verdict(PING, tools=[{"name": "ping"}, tool], options=skipping) == "complete"
    assert verdict('<tool_call>\n{"name": "f', tools=[{"name": "ping"}, tool], options=skipping) == "refused"


def test_a_choice_of_what_is_not_there_is_refused() -> None:
    """A name that no tool has (with one that is close), one that was left out, no tool at all, and what is no choice."""
    bad = {"name": "f", "parameters": {"type": 1}}
    for tools, choice, text in (
        (TOOLS, {"name": "get_wether"}, "did you mean 'get_weather'"),
        (TOOLS, {"name": "zzz"}, "there are get_weather"),
        ([bad], {"name": "f"}, "left out"),
        ([], "required", "no tool to call"),
        (TOOLS, "any", 'give "auto"'),
        (TOOLS, {"type": "function"}, "names no tool"),
        (TOOLS, None, 'give "auto"'),
    ):
        with pytest.raises(GrammarError, match=text):
            tool_grammar(tools, "qwen3", choice, options=ToolOptions(on_bad_tool="skip"))


def test_styles_and_modes_that_there_are_not_are_refused() -> None:
    """With what is close, or what there is."""
    with pytest.raises(GrammarError, match="did you mean qwen3"):
        tool_grammar(TOOLS, "qwen-3")
    with pytest.raises(GrammarError, match="there are cohere"):
        tool_grammar(TOOLS, "zzzzzzzz")
    with pytest.raises(GrammarError, match="a style is a name"):
        tool_grammar(TOOLS, 3)  # type: ignore[arg-type]
    with pytest.raises(GrammarError, match="no form for it"):
        tool_grammar(TOOLS, "hermes", reasoning="on")
    with pytest.raises(GrammarError, match="reasoning="):
        tool_grammar(TOOLS, "hermes", reasoning="yes")  # type: ignore[arg-type]
    with pytest.raises(GrammarError, match="a list of tools"):
        tool_grammar({"name": "ping"}, "hermes")  # type: ignore[arg-type]
    for wrong in ({"on_bad_tool": "x"}, {"extra_arguments": "x"}, {"json": None}):
        with pytest.raises(GrammarError, match=next(iter(wrong))):
            ToolOptions(**wrong)  # type: ignore[arg-type]


def test_json_is_laid_out_as_asked() -> None:
    """The options of the JSON Schema front end reach the arguments."""
    options = ToolOptions(json=JsonSchemaOptions(whitespace="compact"))
    assert verdict(WEATHER, options=options) == "refused"
    assert verdict(WEATHER.replace('"city": ', '"city":'), options=options) == "complete"


STYLE = """
title = "Mine"
models = ["Mine 1"]
sources = ["a test"]
[text]
with_calls = "before"
[[calls]]
trigger = "CALL "
call = ["CALL {name}#{number}("]
call_end = ")"
separator = " "
[arguments]
before = "{key}:="
after = ";"
"""


def test_a_style_of_ones_own_is_a_file(tmp_path: Path) -> None:
    """The same engine reads it: the grammar and the calls."""
    path = tmp_path / "mine.toml"
    path.write_text(STYLE)
    style = read_style(path)
    vocabulary = grammask.Vocabulary([bytes([byte]) for byte in range(256)] + [b""], [256])
    matcher = grammask.compile(tool_grammar(TOOLS, style), vocabulary).matcher()
    output = "Now: CALL get_weather#3(city:=Rome;unit:=celsius;) CALL ping#4()"
    for byte in output.encode():
        matcher.advance(byte)
    assert matcher.is_complete
    read = grammask.read_tool_calls(output, path)
    assert [(call.name, call.arguments, call.number) for call in read.calls] == [("get_weather", {"city": "Rome", "unit": "celsius"}, 3), ("ping", {}, 4)]


WRONG_STYLES = {
    "unknown key": (STYLE + "\n[reasoning]\nstart = 'x'\n", "reasoning: unknown key 'start'"),
    "missing key": (STYLE.replace('trigger = "CALL "\n', ""), "'trigger' is missing"),
    "no calls": ('title = "x"\nmodels = []\nsources = []\n', "calls.* is missing|no calls"),
    "no name in a call": (STYLE.replace("{name}", "name"), "must hold {name} once"),
    "another beginning": (STYLE.replace('trigger = "CALL "', 'trigger = "X"'), "must begin with their trigger"),
    "an argument without a key": (STYLE.replace("{key}", "key"), "needs {key}"),
    "no TOML": ("= 3", "cannot read a style"),
}


@pytest.mark.parametrize("name", WRONG_STYLES)
def test_a_wrong_style_file_is_refused(name: str, tmp_path: Path) -> None:
    """What is wrong in it, by name."""
    text, message = WRONG_STYLES[name]
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(GrammarError, match=message):
        read_style(path)


def test_marks_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    """A trigger that the end of the text would always forestall."""
    path = tmp_path / "mine.toml"
    path.write_text(STYLE.replace('with_calls = "before"', 'with_calls = "before"\nend = "CAL"'))
    with pytest.raises(GrammarError, match="cannot be used"):
        tool_grammar(TOOLS, path)


def test_a_missing_style_file_is_an_error() -> None:
    """By its path."""
    with pytest.raises(GrammarError, match="nowhere"):
        read_style(Path("nowhere.toml"))


@pytest.mark.parametrize("name", tool_styles())
def test_every_style_names_its_sources(name: str) -> None:
    """Documents for people, models, and marks that its calls do hold."""
    style = read_style(name)
    assert isinstance(style, Style)
    assert style.title
    assert style.models
    assert style.sources
    assert all(
        any(token in str(part) for part in (style.calls, style.arguments, style.reasoning, style.text, style.preamble)) for token in style.special_tokens
    )


def test_the_same_tools_again_give_the_same_object() -> None:
    """Requests of one client repeat their tools; another choice is another grammar. What is no JSON is refused."""
    assert tool_grammar(TOOLS, "qwen3") is tool_grammar([dict(tool) for tool in TOOLS], "qwen3")
    assert tool_grammar(TOOLS, "qwen3") is not tool_grammar(TOOLS, "qwen3", parallel=False)
    assert tool_grammar(TOOLS, "qwen3").source["tools"] == TOOLS  # type: ignore[index]
    with pytest.raises(GrammarError, match="JSON values"):
        tool_grammar([{"name": "f", "parameters": {"const": {1, 2}}}], "qwen3")
