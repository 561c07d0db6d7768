"""What `grammask.batch` refuses before it looks for Ray or at any file: this needs neither."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import grammask
from grammask.errors import ArgumentError, EmptyLanguageError, EngineError, GrammarError, GrammarTypeError, GrammaskError, SamplingError, SchemaError

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.mark.parametrize(
    ("grammar", "expected"),
    [
        ({"type": "strnig"}, SchemaError),
        ({"type": "string", "minLength": 3, "maxLength": 2}, EmptyLanguageError),
        (grammask.regex("a"), GrammarTypeError),
        ("a", GrammarTypeError),
        (lambda: "a", GrammarTypeError),
        (lambda: grammask.regex("("), GrammarError),
    ],
    ids=["schema", "nothing", "grammar", "text", "function of a text", "function that fails"],
)
def test_a_grammar_that_does_not_compile_is_refused_before_any_work(grammar: object, expected: type[GrammaskError], tmp_path: Path) -> None:
    """The error is the front end's own, and no folder is made."""
    with pytest.raises(expected):
        grammask.batch(tmp_path / "none.jsonl", tmp_path / "out", grammar)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"temperature": -1.0}, SamplingError),
        ({"max_tokens": "many"}, SamplingError),
        ({"temprature": 0.0}, ArgumentError),
        ({"actors": 0}, ArgumentError),
        ({"cpus": 0}, ArgumentError),
        ({"gpus": -1}, ArgumentError),
        ({"rows_per_part": 0}, ArgumentError),
        ({"attempts": 0}, ArgumentError),
        ({"prompt": 3}, ArgumentError),
        ({"model": "gpt2"}, ArgumentError),
        ({"keep": "text"}, ArgumentError),
        ({"keep": ["output"]}, ArgumentError),
        ({"on_progress": True}, ArgumentError),
    ],
    ids=str,
)
def test_arguments_are_checked_before_any_work(settings: dict[str, Any], expected: type[GrammaskError], tmp_path: Path) -> None:
    """Each is named, with what it takes."""
    with pytest.raises(expected):
        grammask.batch(tmp_path / "none.jsonl", tmp_path / "out", SCHEMA, **settings)


@pytest.mark.parametrize("source", ["", [], [3], None, 3, b"x"], ids=repr)
def test_a_data_set_is_a_path_or_a_list_of_paths(source: Any, tmp_path: Path) -> None:
    """Anything else is an ArgumentError."""
    with pytest.raises(ArgumentError, match="source"):
        grammask.batch(source, tmp_path / "out", SCHEMA)


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_the_error_says_how_to_install_it(tmp_path: Path) -> None:
    """Not an ImportError from somewhere inside."""
    with pytest.raises(EngineError, match=r"pip install ray==2\.60"):
        grammask.batch(tmp_path / "none.jsonl", tmp_path / "out", SCHEMA)
