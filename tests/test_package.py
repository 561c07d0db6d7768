"""What `import grammask` costs and brings along, and what the sources must not mention."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "grammask"
HEAVY = ("torch", "transformers", "pydantic", "typer", "rich", "tokenizers", "tiktoken", "sentencepiece", "xllamacpp", "llama_cpp", "jsonschema")
SPECIFICATIONS = {"json-schema.org", "git-lfs"}  # what a schema may be named by; how a file begins that only points at its content


def test_import_brings_no_optional_package() -> None:
    """Importing grammask loads nothing that is installed beside it, and what is named in it comes when it is asked for."""
    code = f"import sys, json, grammask; print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == []


def test_every_public_name_is_listed_once_and_in_order() -> None:
    """`__all__` is complete, sorted, and holds only names that exist and carry a docstring."""
    import grammask

    assert list(grammask.__all__) == sorted(set(grammask.__all__))
    for name in grammask.__all__:
        assert getattr(grammask, name).__doc__, name


def test_version_is_the_one_of_the_distribution() -> None:
    """The version is written twice, in the package and in pyproject.toml, and both agree."""
    import grammask

    assert grammask.__version__ == tomllib.loads((SOURCES.parents[1] / "pyproject.toml").read_text())["project"]["version"]


def test_the_engine_is_pinned_alike_everywhere() -> None:
    """The extra `model` and the list of the embedded model's packages name the same engine."""
    project = SOURCES.parents[1]
    (engine,) = tomllib.loads((project / "pyproject.toml").read_text())["project"]["optional-dependencies"]["model"]
    assert engine in (project / "models.txt").read_text().splitlines()


def test_sources_name_no_host_to_fetch_from() -> None:
    """Nothing is fetched behind the user's back: the sources contain no address but those that specifications use as names."""
    for source in [path for path in SOURCES.rglob("*") if path.suffix in {".py", ".pyx", ".pxd", ".pyi", ".json", ".toml"}]:
        hosts = set(re.findall(r"https?://([\w.-]+\w)", source.read_text()))
        assert hosts <= SPECIFICATIONS, f"{source.relative_to(SOURCES)}: {hosts - SPECIFICATIONS}"
