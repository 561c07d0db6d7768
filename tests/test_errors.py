"""The error tree: errors travel between processes whole, and their text points at a spot one can see."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable

import pytest

from grammask import errors
from grammask.errors import GrammarSyntaxError, GrammaskError

FACTS = {"text": b"a", "token": b"a", "span": (1, 2), "position": 3, "token_id": 1, "vocabulary_size": 5, "value": 7, "bound": 6, "expected": 2}


def made(name: str) -> GrammaskError:
    """An error of a class with every argument given."""
    kind = getattr(errors, name)
    if "__init__" not in vars(kind):
        return kind("what is wrong")
    parameters = list(inspect.signature(kind).parameters.values())
    given = {parameter.name: FACTS.get(parameter.name, f"the {parameter.name}") for parameter in parameters}
    if "text" in given and kind is not errors.UnspellableError:
        given["text"] = "text"
    return kind(**given)


@pytest.mark.parametrize("name", errors.__all__)
@pytest.mark.parametrize("again", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy], ids=["pickle", "copy", "deepcopy"])  # noqa: S301
def test_an_error_that_was_pickled_or_copied_is_the_same(name: str, again: Callable[[GrammaskError], GrammaskError]) -> None:
    """Class, text and all fields are kept, with notes that were added."""
    error = made(name)
    error.add_note("a note")
    other = again(error)
    assert type(other) is type(error)
    assert str(other) == str(error)
    assert other.args == error.args
    assert vars(other) == vars(error)


@pytest.mark.parametrize("ending", ["", "\n", "\n\n", "\r\n", "\n  \n", "\n  "], ids=repr)
def test_the_end_of_a_text_is_shown_behind_its_last_line_that_is_not_empty(ending: str) -> None:
    """A caret never stands below an empty line while there is another, and line and column say the same as the caret."""
    source = '{\n"a": 1' + ending
    error = GrammarSyntaxError("it ends early", source, (len(source), len(source)))
    assert str(error).splitlines()[1:] == ['  "a": 1', "        ^"]
    assert (error.line, error.column) == (2, 7)
    assert error.span == (len(source), len(source))
    refused = errors.UnsupportedFeatureError("this", source=source, span=error.span)
    assert str(refused).splitlines()[1:] == ['  "a": 1', "        ^"]
