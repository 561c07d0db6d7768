"""MaskBench's schemas and instances from the shared data, over a vocabulary of bytes and a few longer tokens."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grammask
from grammask.errors import EmptyLanguageError, TokenRefused, UnsupportedFeatureError

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "maskbench.jsonl.xz"
LONGER = b'"}|": |", "|true|null|": "|{"|": {|[]|{}|12|", |the | a|\xe2\x82|\xc3\xa9|\n  |.5'.split(b"|")
TOKENS = [bytes([byte]) for byte in range(256)] + list(LONGER) + [b""]
END = len(TOKENS) - 1
VOCABULARY = grammask.Vocabulary(TOKENS, eos_ids=[END])
STEPS = 40  # that are drawn before a document is completed by the shortest way


def records(n: int, seed: int) -> list[dict[str, Any]]:
    """`n` records drawn by seed; skips the test where the shared data is absent."""
    if not DATA.is_file():
        pytest.skip(f"MaskBench is not here ({DATA.name} in the shared data)")
    with lzma.open(DATA, "rt", encoding="utf-8") as lines:
        chosen = list(lines)
    random.Random(seed).shuffle(chosen)
    return [json.loads(line) for line in chosen[:n]]


def compiled(
    n: int, seed: int, options: grammask.JsonSchemaOptions | None = None, vocabulary: grammask.Vocabulary = VOCABULARY
) -> Iterator[tuple[dict[str, Any], grammask.Constraint]]:
    """Those of the records whose schemas compile, with their constraints.

    Any error but a named refusal is a failure, and so is an empty language for a schema with a valid instance.
    """
    for record in records(n, seed):
        try:
            yield record, grammask.compile(grammask.json_schema(json.dumps(record["schema"]), options), vocabulary)
        except UnsupportedFeatureError:
            continue
        except EmptyLanguageError:
            assert not any(test["valid"] for test in record["tests"]), record["id"]


def random_document(constraint: grammask.Constraint, rng: np.random.Generator) -> str:
    """Tokens of its vocabulary drawn uniformly from the masks for a while, then the shortest completion. GrammarStuck or a refused token raises."""
    tokens, ends = constraint.vocabulary.tokens, constraint.vocabulary.eos_ids
    matcher = constraint.matcher()
    taken = list[int]()
    for _ in range(STEPS):
        token = int(rng.choice(matcher.allowed_tokens()))
        if token in ends:
            break
        matcher.advance(token)
        taken.append(token)
    for token in matcher.shortest_completion():
        matcher.advance(token)
        taken.append(token)
    assert matcher.is_complete
    return b"".join(tokens[token] for token in taken).decode()


def accepts(matcher: grammask.Matcher, text: str) -> bool:
    """Whether a whole text is accepted, byte by byte, from the start."""
    matcher.reset()
    left[0] = 0  # one attempt, however many were left to a search before
    return _feed(matcher, text) and matcher.is_complete


class Tired(Exception):
    """Too many orders were tried."""


def accepts_in_some_order(matcher: grammask.Matcher, value: Any, attempts: int = 3_000) -> bool | None:
    """Whether some order of the members of its objects makes an instance acceptable; None when too many were tried to say."""
    matcher.reset()
    left[0] = attempts
    try:
        return any(matcher.is_complete for _ in _spellings(matcher, value))
    except Tired:
        return None


left = [0]  # attempts


def _feed(matcher: grammask.Matcher, text: str) -> bool:
    """Take a text or nothing of it."""
    start = matcher.position
    left[0] -= 1
    if left[0] == 0:
        raise Tired
    try:
        for byte in text.encode():
            matcher.advance(byte)
    except TokenRefused:
        matcher.rollback(matcher.position - start)
        return False
    return True


def _spellings(matcher: grammask.Matcher, value: Any) -> Iterator[None]:
    """Lead the matcher over each acceptable spelling of a value in turn; it stands after the value at each yield."""
    start = matcher.position
    if isinstance(value, dict) and value:
        yield from _members(matcher, value, "{")
    elif isinstance(value, list) and value:
        yield from _items(matcher, value, "[")
    elif _feed(matcher, json.dumps(value, ensure_ascii=False)):
        yield
    matcher.rollback(matcher.position - start)


def _members(matcher: grammask.Matcher, members: dict[str, Any], mark: str) -> Iterator[None]:
    start = matcher.position
    for key, value in members.items():
        if _feed(matcher, f"{mark}{json.dumps(key, ensure_ascii=False)}: "):
            others = {other: member for other, member in members.items() if other != key}
            for _ in _spellings(matcher, value):
                if others:
                    yield from _members(matcher, others, ", ")
                elif _feed(matcher, "}"):
                    yield
        matcher.rollback(matcher.position - start)


def _items(matcher: grammask.Matcher, items: list[Any], mark: str) -> Iterator[None]:
    start = matcher.position
    if _feed(matcher, mark):
        for _ in _spellings(matcher, items[0]):
            if items[1:]:
                yield from _items(matcher, items[1:], ", ")
            elif _feed(matcher, "]"):
                yield
    matcher.rollback(matcher.position - start)
