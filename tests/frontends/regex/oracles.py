"""Verdicts of other engines, and the flags and texts that the tests of this folder share."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import warnings
from collections.abc import Sequence

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
