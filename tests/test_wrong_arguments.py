"""Every public callable with values of wrong types in the place of each argument: an error of grammask, or a value, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pydantic
import pytest

import grammask
from grammask.errors import GrammaskError

TOKENS = [bytes([byte]) for byte in range(256)]
VOCABULARY = grammask.Vocabulary([*TOKENS, b"", b""], [256], specials={"<|end|>": 256, "<t>": 257})
WORDS = grammask.regex("[a-z]{1,3}")
CONSTRAINT = grammask.compile(WORDS, VOCABULARY)
TOOL = {"name": "look", "parameters": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}}
CALL = '<tool_call>\n{"name": "look", "arguments": {"q": "x"}}\n</tool_call>'

WRONG: list[Any] = [
    "\ud800", "x", "", -1, 10**30, True, None, 1.5, math.nan, -math.inf, b"\xff", [], {}, (), [None], ["\ud800"], {"\ud800": -1}, {3: object()}, object(), int,
    [-1], [10**30], ["x", 3], np.zeros(3), range(3), lambda: None,
]  # fmt: skip


class Model:
    """A model of random scores."""

    vocabulary = VOCABULARY

    def begin(self, prompt_token_ids: Any) -> None: ...

    def logits(self) -> Any:
        return np.zeros(len(VOCABULARY), dtype=np.float32)

    def accept(self, token_id: int) -> None: ...

    def rewind(self, n: int) -> None: ...


def row() -> Any:
    made = np.zeros(CONSTRAINT.mask_words, dtype=np.uint32)
    matcher().fill_mask(made)
    return made


def scores() -> Any:
    return np.zeros(len(VOCABULARY), dtype=np.float32)


def matcher() -> Any:
    return CONSTRAINT.matcher()


def output() -> Any:
    return grammask.sample_faithfully(Model(), [1], CONSTRAINT, grammask.FaithfulOptions(particles=2, seed=0))


def calls(folder: Path) -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Each callable with arguments that are right; those that are positional only have numbers for names."""
    index = CONSTRAINT.index()
    index.save(folder / "index")
    cache = grammask.Cache(folder / "cache")
    byte_tokenizer = Path(__file__).parent / "data" / "byte-tokenizer.json"
    return {
        "Adjustments": (
            grammask.Adjustments,
            {"repetition_penalty": 1.1, "presence_penalty": 0.1, "frequency_penalty": 0.1, "logit_bias": {1: 1.0}, "min_tokens": 1, "warn": False},
        ),
        "Cache": (grammask.Cache, {"path": folder / "other", "max_bytes": 1000}),
        "Cache.grammar": (cache.grammar, {"0": grammask.regex, "1": "a"}),
        "Captures.every": (WORDS.capture("w").captures("ab").every, {"name": "w"}),
        "Constraint.index": (CONSTRAINT.index, {"max_states": 100, "max_bytes": 100_000}),
        "Constraint.index_forecast": (CONSTRAINT.index_forecast, {"max_states": 100, "max_bytes": 100_000}),
        "Constraint.matcher": (CONSTRAINT.matcher, {"max_tokens": 5}),
        "Constraint.of": (grammask.Constraint.of, {"grammar": WORDS, "vocabulary": VOCABULARY}),
        "FaithfulOptions": (
            grammask.FaithfulOptions,
            {
                "method": "awrs",
                "particles": 2,
                "max_tokens": 5,
                "temperature": 1.0,
                "seed": 1,
                "resample_below": 0.5,
                "max_rejections": 5,
                "max_forward_passes": 100,
            },
        ),
        "FaithfulResult.draw": (output().draw, {"rng": np.random.default_rng(0)}),
        "GbnfOptions": (
            grammask.GbnfOptions,
            {"special_tokens": "named", "maximum_length": 9, "maximum_nesting": 9, "maximum_repetition": 9, "maximum_unrolled": 9},
        ),
        "GenerateOptions": (
            grammask.GenerateOptions,
            {
                "max_tokens": 5,
                "sampling": grammask.Sampling(),
                "seed": 1,
                "stop": ("x",),
                "mass_removed": False,
                "heal": False,
                "forced_text": "sample",
                "canonical": False,
                "adjustments": None,
                "logprobs": False,
            },
        ),
        "Grammar.capture": (WORDS.capture, {"name": "w"}),
        "Grammar.captures": (WORDS.capture("w").captures, {"output": "ab", "vocabulary": VOCABULARY}),
        "Grammar.repeat": (WORDS.repeat, {"minimum": 1, "maximum": 2, "separator": ","}),
        "Indent": (grammask.Indent, {"size": 2}),
        "Index.allowed_tokens": (index.allowed_tokens, {"state": 0}),
        "Index.fill_mask": (index.fill_mask, {"state": 0, "row": row()}),
        "Index.is_final": (index.is_final, {"state": 0}),
        "Index.load": (grammask.Index.load, {"path": folder / "index", "vocabulary": VOCABULARY}),
        "Index.next_state": (index.next_state, {"state": 0, "token_id": 97}),
        "JsonSchemaOptions": (
            grammask.JsonSchemaOptions,
            {
                "whitespace": "compact",
                "property_order": "schema",
                "unsupported": "refuse",
                "formats": "assert",
                "integers": "json",
                "draft": "7",
                "documents": {},
                "custom_formats": {},
            },
        ),
        "LarkOptions": (
            grammask.LarkOptions,
            {
                "lexer": "basic",
                "import_paths": (),
                "source_path": None,
                "maximum_length": 9,
                "maximum_expansions": 9,
                "maximum_items": 9,
                "maximum_pattern": 9,
                "maximum_states": 9,
                "maximum_goals": 9,
            },
        ),
        "Matcher.accepts": (matcher().accepts, {"0": 97}),
        "Matcher.advance": (lambda token_id: matcher().advance(token_id), {"0": 97}),
        "Matcher.advance_many": (lambda token_ids: matcher().advance_many(token_ids), {"0": [97]}),
        "Matcher.completes_within": (matcher().completes_within, {"n_tokens": 3}),
        "Matcher.draft": (matcher().draft, {"0": [97]}),
        "Matcher.fill_draft_masks": (matcher().fill_draft_masks, {"token_ids": [97], "rows": np.zeros((2, CONSTRAINT.mask_words), dtype=np.uint32)}),
        "Matcher.fill_mask": (matcher().fill_mask, {"0": row()}),
        "Matcher.forced_tokens": (matcher().forced_tokens, {"context": [97]}),
        "Matcher.rollback": (matcher().rollback, {"0": 0}),
        "RegexOptions": (
            grammask.RegexOptions,
            {"maximum_length": 9, "maximum_nesting": 9, "maximum_repetition": 9, "maximum_unrolled": 9, "maximum_assertions": 9, "maximum_contexts": 9},
        ),
        "Sampling": (grammask.Sampling, {"temperature": 0.5, "top_k": 3, "top_p": 0.5, "min_p": 0.1}),
        "Stream": (
            lambda *given: list(grammask.Stream(*given)),
            {"0": Model(), "1": [1], "2": CONSTRAINT, "3": grammask.GenerateOptions(max_tokens=4, seed=0)},
        ),
        "StructuralTagOptions": (grammask.StructuralTagOptions, {"json": grammask.JsonSchemaOptions(), "regex_dialect": "python"}),
        "ToolOptions": (grammask.ToolOptions, {"on_bad_tool": "skip", "extra_arguments": "forbid", "json": grammask.JsonSchemaOptions()}),
        "Vocabulary": (grammask.Vocabulary, {"tokens": [*TOKENS, b""], "eos_ids": [256], "specials": {"<|end|>": 256}, "encode": None, "size": 257}),
        "Vocabulary.decode": (VOCABULARY.decode, {"token_ids": [97]}),
        "Vocabulary.from_gguf": (grammask.Vocabulary.from_gguf, {"path": folder / "none", "eos_ids": [1], "encode": None, "size": 3}),
        "Vocabulary.from_huggingface": (grammask.Vocabulary.from_huggingface, {"tokenizer": byte_tokenizer, "eos_ids": [256], "size": 257}),
        "Vocabulary.from_path": (grammask.Vocabulary.from_path, {"path": byte_tokenizer, "eos_ids": [256], "size": 257}),
        "Vocabulary.from_sentencepiece": (grammask.Vocabulary.from_sentencepiece, {"model": folder / "none", "eos_ids": [1], "size": 3}),
        "Vocabulary.from_tekken": (grammask.Vocabulary.from_tekken, {"path": folder / "none", "eos_ids": [1], "size": 3}),
        "Vocabulary.from_tiktoken": (
            grammask.Vocabulary.from_tiktoken,
            {"encoding": folder / "none", "eos_ids": [1], "specials": {}, "pattern": None, "size": 3},
        ),
        "apply_mask": (grammask.apply_mask, {"logits": scores(), "row": row()}),
        "choice": (grammask.choice, {"texts": ["a"]}),
        "compile": (grammask.compile, {"grammar": {"type": "null"}, "vocabulary": VOCABULARY, "cache": cache}),
        "either": (grammask.either, {"0": "a", "1": WORDS}),
        "fill_masks": (grammask.fill_masks, {"matchers": [matcher()], "rows": np.zeros((1, CONSTRAINT.mask_words), dtype=np.uint32), "threads": 1}),
        "free_text": (grammask.free_text, {"until": ["a"], "without": ["b"]}),
        "gbnf": (grammask.gbnf, {"source": 'root ::= "a"', "root": "root", "options": grammask.GbnfOptions()}),
        "generate": (
            grammask.generate,
            {"model": Model(), "prompt_token_ids": [1], "constraint": CONSTRAINT, "options": grammask.GenerateOptions(max_tokens=4, seed=0)},
        ),
        "join": (grammask.join, {"separator": ",", "parts": ["a", WORDS]}),
        "json_schema": (grammask.json_schema, {"schema": {"type": "null"}, "options": grammask.JsonSchemaOptions()}),
        "lark": (grammask.lark, {"source": 'start: "a"', "start": "start", "options": grammask.LarkOptions()}),
        "optional": (grammask.optional, {"part": WORDS}),
        "or_refusal": (grammask.or_refusal, {"grammar": WORDS, "refusal": "no"}),
        "read_tool_calls": (grammask.read_tool_calls, {"output": CALL, "style": "hermes", "tools": [TOOL], "vocabulary": VOCABULARY}),
        "read_value": (grammask.read_value, {"kind": int, "text": "1", "enums": "exact"}),
        "regex": (grammask.regex, {"pattern": "a", "dialect": "python", "flags": 0, "options": grammask.RegexOptions()}),
        "sample": (
            grammask.sample,
            {"logits": scores(), "row": row(), "temperature": 1.0, "top_k": 3, "top_p": 0.5, "min_p": 0.1, "rng": np.random.default_rng(0)},
        ),
        "sample_faithfully": (
            grammask.sample_faithfully,
            {"model": Model(), "prompt_token_ids": [1], "constraint": CONSTRAINT, "options": grammask.FaithfulOptions(particles=2, max_tokens=4, seed=0)},
        ),
        "seq": (grammask.seq, {"0": "a", "1": WORDS}),
        "structural_tag": (grammask.structural_tag, {"tag": {"type": "any_text"}, "options": grammask.StructuralTagOptions()}),
        "token": (grammask.token, {"name": "<t>"}),
        "tool_grammar": (
            grammask.tool_grammar,
            {"tools": [TOOL], "style": "hermes", "tool_choice": "auto", "parallel": True, "reasoning": "auto", "options": grammask.ToolOptions()},
        ),
        "tool_styles": (grammask.tool_styles, {}),
        "warm_up": (grammask.warm_up, {"vocabulary": grammask.Vocabulary([b"a"], []), "background": False}),
    }


# Made by grammask and given to users, or in need of a model: nothing that a user calls with arguments of their own.
NOT_CALLED = {
    "BatchReport", "Capture", "Captures", "Constraint", "FaithfulResult", "Grammar", "Index", "IndexForecast", "LanguageModel", "Matcher", "Result", "Stats",
    "TokenLogprobs", "ToolCall", "ToolOutput", "WeightedOutput", "batch", "errors", "from_transformers", "load_model",
}  # fmt: skip


def called(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    positional = [value for name, value in arguments.items() if name.isdigit()]
    return function(*positional, **{name: value for name, value in arguments.items() if not name.isdigit()})


def test_every_public_callable_is_walked(tmp_path: Path) -> None:
    """Whoever adds one adds it to the table; and the right arguments of the table are right (or name files that are not there)."""
    table = calls(tmp_path)
    assert {name.partition(".")[0] for name in table} | NOT_CALLED >= set(grammask.__all__)
    assert set(table) >= set(grammask.__all__) - NOT_CALLED
    for function, arguments in table.values():
        if not any(str(value).endswith("none") for value in arguments.values()):
            called(function, arguments)


def faults(name: str, function: Callable[..., Any], arguments: dict[str, Any]) -> Iterator[str]:
    """What goes wrong: errors that are not grammask's, and wrong values that are taken for flags without a word."""
    for argument, right in arguments.items():
        for value in WRONG:
            try:
                called(function, {**arguments, argument: value})
            except GrammaskError as error:
                str(error).encode("utf-8", "backslashreplace")
            except pydantic.ValidationError:  # of a text that is read: as documented
                if name != "read_value":
                    raise
            except OSError:  # of a file that is not there: as documented
                if name not in {"Cache", "Index.load"}:
                    raise
            except Exception as error:  # noqa: BLE001 -- whatever it is, it is the fault to be found
                yield f"{name}({argument}={value!r:.40}): {type(error).__name__}: {error!s:.120}"
            else:
                if isinstance(right, bool) and not isinstance(value, bool):
                    yield f"{name}({argument}={value!r:.40}) is taken for a flag"


@pytest.mark.parametrize("name", [*sorted({*grammask.__all__} - NOT_CALLED), "methods"])
def test_wrong_arguments_are_errors_of_grammask(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is given in the place of each argument: lone surrogates, negative and huge numbers, None, truth values, other types."""
    monkeypatch.chdir(tmp_path)
    asked = {key: call for key, call in calls(tmp_path).items() if key == name or (name == "methods" and "." in key)}
    found = [fault for key, (function, arguments) in asked.items() for fault in faults(key, function, arguments)]
    assert found == []
