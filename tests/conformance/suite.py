"""The official JSON Schema test suite from the shared data: its groups, and what grammask makes of each.

A datum counts as accepted if some spelling of it is taken token by token, with the separators that json.dumps writes or without spaces: its
members as given or, under property_order "schema", in the order of the schema.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest

import grammask
from grammask.errors import EmptyLanguageError, GrammaskError, UnsupportedFeatureError

from .llama import split, vocabulary
from .maskbench import VOCABULARY, accepts

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "json-schema-test-suite.tar.xz"
REMOTE = "http://localhost:1234/"
FOLDERS = {"2020-12": "draft2020-12", "2019-09": "draft2019-09", "7": "draft7", "6": "draft6", "4": "draft4"}


@dataclass(frozen=True)
class Group:
    """One schema with its tests. part: "required", "optional" or "format" (optional/format)."""

    draft: str
    part: str
    file: str
    description: str
    schema: Any
    tests: tuple[dict[str, Any], ...]

    @property
    def name(self) -> str:
        """What a list of gaps calls it."""
        return f"{self.draft}/{self.part}/{self.file}: {self.description}"


@cache
def _files() -> dict[str, Any]:
    if not DATA.is_file():
        pytest.skip(f"the JSON Schema test suite is not here ({DATA.name} in the shared data)")
    with tarfile.open(DATA) as archive:
        members = [member for member in archive.getmembers() if member.name.endswith(".json")]
        return {member.name: json.loads(archive.extractfile(member).read()) for member in members}  # type: ignore[union-attr]


def groups(draft: str, part: str) -> Iterator[Group]:
    """The groups of a part of a draft."""
    for path, content in sorted(_files().items()):
        place = path.removeprefix(f"tests/{FOLDERS[draft]}/")
        where = {"": "required", "optional": "optional", "optional/format": "format"}.get(place.rpartition("/")[0])
        if place != path and where == part:
            for group in content:
                yield Group(draft, part, place.rpartition("/")[2].removesuffix(".json"), group["description"], group["schema"], tuple(group["tests"]))


@cache
def remotes() -> dict[str, Any]:
    """The documents that schemas of the suite refer to, by address."""
    return {REMOTE + path.removeprefix("remotes/"): content for path, content in _files().items() if path.startswith("remotes/")}


def verdict(group: Group, *, by_tokens: bool = False, order: Literal["schema", "any"] = "schema") -> str:
    """ "exact", "refused: KEYWORD", or what is wrong with the descriptions of the tests that are judged wrongly.

    by_tokens: with the tokens of Llama 3 in place of bytes. order: of the members of objects.
    """
    formats: Literal["annotation", "assert"] = "annotation" if group.part == "required" else "assert"
    options = grammask.JsonSchemaOptions(draft=group.draft, documents=remotes(), formats=formats, property_order=order)
    try:
        matcher = grammask.compile(grammask.json_schema(group.schema, options), vocabulary() if by_tokens else VOCABULARY).matcher()
    except EmptyLanguageError:
        matcher = None
    except UnsupportedFeatureError as error:
        return f"refused: {error.feature}"
    except GrammaskError as error:
        return f"refused: {type(error).__name__}: {error}"
    takes = takes_tokens if by_tokens else accepts
    names = group.schema if order == "schema" else None
    wrong = [test for test in group.tests if test["valid"] != (matcher is not None and _is_accepted(matcher, takes, test["data"], names))]
    if not wrong:
        return "exact"
    kind = "accepts what is invalid" if any(not test["valid"] for test in wrong) else "rejects what is valid"
    return f"{kind}: " + "; ".join(test["description"] for test in wrong)


def takes_tokens(matcher: grammask.Matcher, text: str) -> bool:
    """Whether a whole text is accepted in Llama 3's tokens, from the start."""
    matcher.reset()
    token_ids = list(split(text.encode(), Random(text)))
    if matcher.draft(token_ids) < len(token_ids):
        return False
    for token_id in token_ids:
        matcher.advance(token_id)
    return matcher.is_complete


def _is_accepted(matcher: grammask.Matcher, takes: Callable[[grammask.Matcher, str], bool], datum: Any, schema: Any) -> bool:
    """schema: by the order of its names members may be ordered too; None: they may not."""
    values = [datum] if schema is None else [datum, _ordered(datum, schema)]
    spellings = [json.dumps(value, ensure_ascii=False, separators=separators) for value in values for separators in (None, (",", ":"))]
    return any(takes(matcher, text) for text in dict.fromkeys(spellings) if _is_text(text))


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _ordered(value: Any, schema: Any) -> Any:
    """The value with the members of its objects in the order in which the names first stand in the schema."""
    rank: dict[str, int] = {}
    _note_names(schema, rank)
    return _by_rank(value, rank)


def _note_names(schema: Any, rank: dict[str, int]) -> None:
    if isinstance(schema, dict):
        for key, value in schema.items():
            for name in _mentioned(key, value):
                rank.setdefault(name, len(rank))
            _note_names(value, rank)
    elif isinstance(schema, list):
        for value in schema:
            _note_names(value, rank)


def _mentioned(keyword: str, value: Any) -> list[str]:
    """The names that a keyword mentions, in order: constants have an order too."""
    if keyword == "required" and isinstance(value, list):
        return [name for name in value if isinstance(name, str)]
    if keyword in {"properties", "dependentSchemas"} and isinstance(value, dict):
        return list(value)
    if keyword in {"dependentRequired", "dependencies"} and isinstance(value, dict):
        return [each for name, needed in value.items() for each in (name, *(needed if isinstance(needed, list) else ()))]
    if keyword in {"const", "enum"}:
        return [name for constant in (value if keyword == "enum" else [value]) if isinstance(constant, dict) for name in constant]
    return []


def _by_rank(value: Any, rank: dict[str, int]) -> Any:
    if isinstance(value, dict):
        return {key: _by_rank(value[key], rank) for key in sorted(value, key=lambda key: rank.get(key, len(rank)))}
    return [_by_rank(item, rank) for item in value] if isinstance(value, list) else value
