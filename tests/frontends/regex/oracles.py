"""Verdicts of other engines, and the flags and texts that the tests of this folder share."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import warnings
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import settings

FLAGS = {"i": re.I, "m": re.M, "s": re.S, "x": re.X, "a": re.A}

# Two machines' cores are shared by many runs: examples are few, and none is timed.
law = settings(max_examples=150, deadline=None)

_NODE_PROGRAM = """
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
function compiled(source, flags) {  // the flag u unless the pattern is one of those that only read without it
  try { return new RegExp(source, "u" + flags); } catch { return new RegExp(source, flags); }
}
console.log(JSON.stringify(asked.map(({ pattern, flags, texts }) => {
  let found, whole;
  try {
    found = compiled(pattern, flags);
    whole = flags.includes("m") ? compiled("(?<![^])(?:" + pattern + ")(?![^])", flags) : compiled("^(?:" + pattern + ")$", flags);
  } catch { return null; }
  return texts.map((text) => [whole.test(text), found.test(text)]);
})));
"""


def flag_bits(letters: str) -> int:
    """The flags of `re` for letters like "im"."""
    return sum(FLAGS[letter] for letter in letters)


def ask_re(pattern: str, letters: str, texts: Sequence[str]) -> list[list[bool]] | None:
    """For each text: whether `re` matches it whole, and whether it finds the pattern in it; None if `re` rejects the pattern."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # "possible set difference" and the like
        try:
            compiled = re.compile(pattern, flag_bits(letters))
        except re.error:
            return None
    return [[compiled.fullmatch(text) is not None, compiled.search(text) is not None] for text in texts]


def ask_node(cases: Sequence[tuple[str, str, Sequence[str]]]) -> list[list[list[bool]] | None]:
    """The same from node, for many (pattern, flags, texts) at once. Skips the test where there is no node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed, so nothing can be asked of an ECMAScript engine")
    asked = json.dumps([{"pattern": pattern, "flags": flags, "texts": texts} for pattern, flags, texts in cases])
    done = subprocess.run([node, "-e", _NODE_PROGRAM], input=asked, capture_output=True, text=True, check=True)
    answers: list[list[list[bool]] | None] = json.loads(done.stdout)
    return answers


def ask_regex_package(pattern: str, letters: str, texts: Sequence[str]) -> list[list[bool]]:
    """The same as `ask_re` from the package regex, in its mode for patterns of `re`. Skips the test where it is absent."""
    package = pytest.importorskip("regex", reason="the package regex is not installed")
    flags = {"i": package.I, "m": package.M, "s": package.S, "x": package.X, "a": package.A}
    compiled = package.compile(pattern, sum(flags[letter] for letter in letters) | package.V0)
    return [[compiled.fullmatch(text) is not None, compiled.search(text) is not None] for text in texts]


def ask_llguidance(pattern: str, letters: str, texts: Sequence[str]) -> list[bool] | None:
    """Whether the regex crate's reading of the pattern, as llguidance runs it, takes each text whole; None where llguidance has no reading.

    It has none for anchors inside a pattern and for word boundaries, and what it hands on spells line feeds as an escape.
    """
    package = pytest.importorskip("llguidance", reason="llguidance is not installed, so nothing can be asked of the regex crate")
    flags = "".join(letter for letter in letters if letter != "a")
    written = (f"(?{flags})" if flags else "") + ("(?-u)" if "a" in letters else "") + pattern
    grammar = package.LLMatcher.grammar_from_regex(written)
    tokenizer = package.LLTokenizer("byte")
    if "\n" in pattern or package.LLMatcher(tokenizer, grammar, log_level=0).is_error():
        return None
    return [_llguidance_takes(package.LLMatcher(tokenizer, grammar, log_level=0), text) for text in texts]


def _llguidance_takes(matcher: Any, text: str) -> bool:
    return all(matcher.consume_tokens([byte]) and not matcher.is_error() for byte in text.encode()) and matcher.is_accepting()
