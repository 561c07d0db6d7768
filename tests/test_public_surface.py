"""The public names: complete, in order, light to import."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import grammask
from grammask import errors

ROOMS = Path(grammask.__file__).parent


def test_public_names_are_complete_and_sorted():
    """`__all__` is sorted and is exactly what `dir` and the table of homes name, with the module of errors."""
    assert list(grammask.__all__) == sorted(grammask.__all__)
    assert set(grammask.__all__) == {*grammask._HOMES, "errors"}
    assert set(grammask.__all__) <= set(dir(grammask))


@pytest.mark.parametrize("name", grammask.__all__)
def test_every_public_name_is_in_the_all_of_its_home(name):
    """A public name is imported from the module that lists it, and is the same object at every look."""
    home = import_module(f"grammask.{grammask._HOMES[name]}") if name != "errors" else None
    assert home is None or name in home.__all__
    assert getattr(grammask, name) is getattr(grammask, name)


def test_what_the_type_checker_reads_is_what_is_there():
    """The imports for type checkers name the same homes as the table."""
    source = (ROOMS / "__init__.py").read_text("utf-8")
    block = source.split("if TYPE_CHECKING:\n")[1].split("\n\n")[0]
    lines = [line.strip().removeprefix("from grammask.").split(" import ") for line in block.splitlines()]
    assert {name: home for home, names in lines for name in names.split(", ")} == grammask._HOMES


def test_a_name_that_does_not_exist_is_an_attribute_error():
    """A typing error is no import error."""
    with pytest.raises(AttributeError, match="jsonschema"):
        _ = grammask.jsonschema
    assert not hasattr(grammask, "from")


def test_importing_loads_no_room():
    """`import grammask` reads the error tree and an empty list and nothing else, so that it takes milliseconds and no numpy."""
    code = "import sys, grammask; print(sorted(name for name in sys.modules if name.split('.')[0] in ('grammask', 'numpy')))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOMS.parent)})
    assert done.stdout.strip() == "['grammask', 'grammask.errors', 'grammask.listeners']"


def test_every_error_is_in_the_tree_and_in_its_order():
    """Every error class is exported, derives from GrammaskError, and is drawn at the top of the module."""
    classes = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert classes == set(errors.__all__)
    assert all(issubclass(getattr(errors, name), errors.GrammaskError) for name in classes)
    drawn = [line.split()[0] for line in errors.__doc__.splitlines()[2:] if line.strip()]
    assert [name for name in vars(errors) if name in classes] == drawn
