"""Verdicts on texts: Lark's own parser, and the front end on each kernel; random texts of a constraint; Llama 3's vocabulary."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import lark as lark_package
import pytest

import grammask
from grammask import LarkOptions
from grammask.grammar.grammar import Grammar
from grammask.grammar.lower import lower
from grammask.grammar.prepare import Spelling, prepare

DATA = Path(__file__).parents[2] / "data"
THOROUGH = os.environ.get("GRAMMASK_THOROUGH") == "1"
BYTES = [bytes([byte]) for byte in range(256)] + [b""]
END = [256]

Verdict = Callable[[str], bool]


def oracle(source: str, lexer: str = "contextual", start: str = "start") -> Verdict:
    """Whether Lark's own parser takes a text. Raises what Lark raises for the grammar."""
    parser = lark_package.Lark(source, parser="lalr" if lexer in ("contextual", "basic") else "earley", lexer=lexer, start=start)

    def takes(text: str) -> bool:
        try:
            parser.parse(text)
        except lark_package.exceptions.LarkError:
            return False
        return True

    return takes


def read(source: str, lexer: str = "contextual", start: str = "start") -> Grammar:
    """The grammar, by the front end."""
    return grammask.lark(source, start, LarkOptions(lexer=lexer))


class Kernel:
    """A kernel by its name, on tokens of one byte."""

    def __init__(self, name: str) -> None:
        if name == "reference":
            module: Any = import_module("grammask.kernel.reference")
            self.store_class, self.bound_class, self.matcher_class = module.Store, module.Bound, module.Matcher
        else:
            store, matcher = pytest.importorskip("grammask.kernel.store"), import_module("grammask.kernel.matcher")
            self.store_class, self.bound_class, self.matcher_class = store.Store, store.Bound, matcher.Matcher
        self.name = name
        self.store = self.store_class(BYTES, END)
        self.spelling = Spelling(BYTES[:-1])

    def verdict(self, grammar: Grammar) -> Verdict:
        """Whether the masks let a text through byte by byte to a complete end."""
        table = lower(grammar.expression)
        bound = self.bound_class(self.store, table if self.name == "reference" else prepare(table, self.spelling))
        start = self.matcher_class(bound)

        def takes(text: str) -> bool:
            matcher = start.copy()
            for byte in text.encode():
                if not matcher.accepts(byte):
                    return False
                matcher.advance(byte)
            return bool(matcher.is_complete)

        return takes


@cache
def llama3() -> grammask.Vocabulary:
    """Llama 3's tokens and an end; skips where the package that holds them is not installed."""
    package = find_spec("llama_models")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the package llama_models is not installed (tests/tokenizers.txt)")
    path = Path(package.submodule_search_locations[0]) / "llama3" / "tokenizer.model"
    tokens = [base64.b64decode(line.split()[0]) for line in path.read_bytes().splitlines() if line]
    return grammask.Vocabulary([*tokens, b""], eos_ids=[len(tokens)])


@cache
def llama3_ids() -> dict[bytes, int]:
    return {token: number for number, token in enumerate(llama3().tokens)}


def tokens_of(text: str, rng: Random) -> list[int]:
    """A text in Llama 3's tokens: at each place one of the tokens that fit, mostly a long one."""
    data, known, ids = text.encode(), llama3_ids(), []
    while data:
        fitting = [length for length in range(1, min(len(data), 16) + 1) if data[:length] in known]
        length = fitting[-1] if rng.random() < 0.7 else rng.choice(fitting)
        ids.append(known[data[:length]])
        data = data[length:]
    return ids


def takes_tokens(constraint: grammask.Constraint, ids: list[int]) -> bool:
    """Whether a constraint lets these tokens through to a complete end."""
    matcher = constraint.matcher()
    if matcher.draft(ids) < len(ids):
        return False
    for token_id in ids:
        matcher.advance(token_id)
    return bool(matcher.is_complete)


def generated(constraint: grammask.Constraint, rng: Random, maximum: int = 12) -> str:
    """A text by uniform draws from the masks, closed by the shortest completion. Fails if the masks lead to where nothing completes."""
    matcher = constraint.matcher()
    vocabulary = constraint.vocabulary
    ids: list[int] = []
    for _ in range(rng.randrange(maximum)):
        allowed = matcher.allowed_tokens()
        assert len(allowed), f"stuck after {vocabulary.decode(ids)!r}"
        token_id = int(rng.choice(allowed))
        if token_id in vocabulary.eos_ids:
            return vocabulary.decode(ids).decode()
        matcher.advance(token_id)
        ids.append(token_id)
    rest = matcher.shortest_bytes()
    assert rest is not None, f"nothing completes {vocabulary.decode(ids)!r}"
    return (vocabulary.decode(ids) + rest).decode()
