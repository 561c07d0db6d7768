"""Constrained decoding: a language model's output obeys a grammar, because every other token is masked before sampling.

    vocabulary = grammask.Vocabulary.from_huggingface("tokenizer.json")
    constraint = grammask.compile(grammask.json_schema({"type": "integer"}), vocabulary)
    matcher = constraint.matcher()

Public names only, each imported from its room when it is first asked for; errors are in grammask.errors.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from grammask import errors
from grammask.listeners import listeners

if TYPE_CHECKING:
    from grammask.api import compile
    from grammask.decoding.adjusting import Adjustments
    from grammask.decoding.constraint import Constraint
    from grammask.decoding.disk_cache import Cache
    from grammask.decoding.faithful.options import FaithfulOptions
    from grammask.decoding.faithful.outputs import FaithfulResult, WeightedOutput
    from grammask.decoding.faithful.sampler import sample_faithfully
    from grammask.decoding.generate import GenerateOptions, LanguageModel, Stream, generate
    from grammask.decoding.index import Index, IndexForecast
    from grammask.decoding.mask import apply_mask, fill_masks
    from grammask.decoding.matcher import Matcher
    from grammask.decoding.result import Result, Stats, TokenLogprobs
    from grammask.decoding.sampling import Sampling, sample
    from grammask.frontends.choice import choice
    from grammask.frontends.foreign_text import read_value
    from grammask.frontends.gbnf import GbnfOptions, gbnf
    from grammask.frontends.json_schema import Indent, JsonSchemaOptions, json_schema
    from grammask.frontends.lark import LarkOptions, lark
    from grammask.frontends.regex import RegexOptions, regex
    from grammask.frontends.structural_tag import StructuralTagOptions, structural_tag
    from grammask.frontends.tools import ToolCall, ToolOptions, ToolOutput, read_tool_calls, tool_grammar, tool_styles
    from grammask.grammar.captures import Capture, Captures
    from grammask.grammar.composing import free_text, join, token
    from grammask.grammar.grammar import Grammar, either, optional, seq
    from grammask.grammar.refusal import or_refusal
    from grammask.integrations.llama_cpp import load_model
    from grammask.integrations.ray import BatchReport, batch
    from grammask.integrations.transformers import from_transformers
    from grammask.vocabulary import Vocabulary
    from grammask.warming import warm_up

__version__ = "0.1.0"

_HOMES = {
    "compile": "api",
    "Adjustments": "decoding.adjusting",
    "Constraint": "decoding.constraint",
    "Cache": "decoding.disk_cache",
    "FaithfulOptions": "decoding.faithful.options",
    "FaithfulResult": "decoding.faithful.outputs",
    "WeightedOutput": "decoding.faithful.outputs",
    "sample_faithfully": "decoding.faithful.sampler",
    "GenerateOptions": "decoding.generate",
    "LanguageModel": "decoding.generate",
    "Stream": "decoding.generate",
    "generate": "decoding.generate",
    "Index": "decoding.index",
    "IndexForecast": "decoding.index",
    "apply_mask": "decoding.mask",
    "fill_masks": "decoding.mask",
    "Matcher": "decoding.matcher",
    "Result": "decoding.result",
    "Stats": "decoding.result",
    "TokenLogprobs": "decoding.result",
    "Sampling": "decoding.sampling",
    "sample": "decoding.sampling",
    "choice": "frontends.choice",
    "read_value": "frontends.foreign_text",
    "GbnfOptions": "frontends.gbnf",
    "gbnf": "frontends.gbnf",
    "Indent": "frontends.json_schema",
    "JsonSchemaOptions": "frontends.json_schema",
    "json_schema": "frontends.json_schema",
    "LarkOptions": "frontends.lark",
    "lark": "frontends.lark",
    "RegexOptions": "frontends.regex",
    "regex": "frontends.regex",
    "StructuralTagOptions": "frontends.structural_tag",
    "structural_tag": "frontends.structural_tag",
    "ToolCall": "frontends.tools",
    "ToolOptions": "frontends.tools",
    "ToolOutput": "frontends.tools",
    "read_tool_calls": "frontends.tools",
    "tool_grammar": "frontends.tools",
    "tool_styles": "frontends.tools",
    "Capture": "grammar.captures",
    "Captures": "grammar.captures",
    "free_text": "grammar.composing",
    "join": "grammar.composing",
    "token": "grammar.composing",
    "Grammar": "grammar.grammar",
    "either": "grammar.grammar",
    "optional": "grammar.grammar",
    "seq": "grammar.grammar",
    "or_refusal": "grammar.refusal",
    "load_model": "integrations.llama_cpp",
    "BatchReport": "integrations.ray",
    "batch": "integrations.ray",
    "from_transformers": "integrations.transformers",
    "Vocabulary": "vocabulary",
    "warm_up": "warming",
}

__all__ = [
    "Adjustments",
    "BatchReport",
    "Cache",
    "Capture",
    "Captures",
    "Constraint",
    "FaithfulOptions",
    "FaithfulResult",
    "GbnfOptions",
    "GenerateOptions",
    "Grammar",
    "Indent",
    "Index",
    "IndexForecast",
    "JsonSchemaOptions",
    "LanguageModel",
    "LarkOptions",
    "Matcher",
    "RegexOptions",
    "Result",
    "Sampling",
    "Stats",
    "Stream",
    "StructuralTagOptions",
    "TokenLogprobs",
    "ToolCall",
    "ToolOptions",
    "ToolOutput",
    "Vocabulary",
    "WeightedOutput",
    "apply_mask",
    "batch",
    "choice",
    "compile",
    "either",
    "errors",
    "fill_masks",
    "free_text",
    "from_transformers",
    "gbnf",
    "generate",
    "join",
    "json_schema",
    "lark",
    "load_model",
    "optional",
    "or_refusal",
    "read_tool_calls",
    "read_value",
    "regex",
    "sample",
    "sample_faithfully",
    "seq",
    "structural_tag",
    "token",
    "tool_grammar",
    "tool_styles",
    "warm_up",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'grammask' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"grammask.{_HOMES[name]}"), name)
    return value


def _warm_up_soon(vocabulary: Vocabulary) -> None:
    from grammask.warming import warm_up_soon

    warm_up_soon(vocabulary)


listeners.append(_warm_up_soon)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
