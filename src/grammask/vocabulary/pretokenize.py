r"""The splitting patterns of byte-level BPE, run by the standard library.

A tokenizer first cuts the text into words by a regular expression; merges never cross a cut. Those expressions are
written for engines that know \p{L}; `re` does not, so the classes are written out from `unicodedata`, and the few
differences in meaning (\s, $) are made good. Scripts (\p{Han}) and set operations (&&) are not known here.
Rule: a text is only cut, never changed; the pieces joined are the text.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import groupby

__all__ = ["UnknownPatternError", "compile_pattern", "named_patterns", "split"]

# Engines for \p{L} take White_Space for \s; Python's also has U+001C to U+001F.
_SPACES = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
# Where Unicode assigns anything (and where it may, soon): all but the unassigned planes 4 to 13 and the private 15 and 16.
_PLANES = (range(0x40000), range(0xE0000, 0xF0000))


class UnknownPatternError(ValueError):
    """A pattern that uses what `re` cannot say. Never leaves this package."""


@cache
def _runs() -> list[tuple[int, int, str]]:
    """(first, last, general category) of every run of code points of one category. Takes about 60 ms, once."""
    runs = []
    for plane in _PLANES:
        start = plane.start
        for category, group in groupby(map(unicodedata.category, map(chr, plane))):
            length = sum(1 for _ in group)
            runs.append((start, start + length - 1, category))
            start += length
    return runs


@cache
def _category(name: str, negated: bool) -> str:
    """The inside of a character class for a general category of one letter or two, or for its complement."""
    joined: list[list[int]] = []
    for first, last, category in _runs():
        if category.startswith(name):
            if joined and joined[-1][1] == first - 1:
                joined[-1][1] = last
            else:
                joined.append([first, last])
    if not joined:
        raise UnknownPatternError(f"\\p{{{name}}} is not known here")
    if negated:
        starts = [0, *(last + 1 for _, last in joined)]
        ends = [*(first - 1 for first, _ in joined), 0x10FFFF]
        joined = [[first, last] for first, last in zip(starts, ends, strict=True) if first <= last]
    return "".join([f"\\U{first:08x}-\\U{last:08x}" for first, last in joined])


_PIECES = re.compile(r"\\[pP]\{\^?(?P<long>\w+)\}|\\[pP](?P<short>\w)|\\.|\[\^?|\]|\$|&&|.", re.DOTALL)


@lru_cache(maxsize=64)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A `re` pattern that matches what `pattern` does in a Unicode-aware engine. Raises UnknownPatternError."""
    translated, inside = [], False
    for match in _PIECES.finditer(pattern):
        piece = match.group()
        translated.append(_translated(match, inside))
        inside = piece[0] == "[" or (inside and piece != "]")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)  # what `re` suspects to be a set operation of other engines
            return re.compile("".join(translated))
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        raise UnknownPatternError(f"{pattern!r}: {error}") from error


def _translated(match: re.Match[str], inside: bool) -> str:
    piece = match.group()
    name = match["long"] or match["short"]
    if name:
        ranges = _category(name, (piece[1] == "P") != ("^" in piece))
        return ranges if inside else f"[{ranges}]"
    if piece == r"\s":
        return _SPACES if inside else f"[{_SPACES}]"
    if piece == r"\S" and not inside:
        return f"[^{_SPACES}]"
    if (inside and piece in ("&&", r"\S")) or (inside and piece[0] == "["):
        raise UnknownPatternError(f"{piece} inside a class is not known here")
    if not inside and piece in ("$", r"\z"):
        return r"\Z"
    return piece


def split(text: str, patterns: Iterable[re.Pattern[str]]) -> list[str]:
    """The text cut by each pattern in turn: a match is a piece, and so is what lies between two matches."""
    pieces = [text]
    for pattern in patterns:
        pieces = [piece for whole in pieces for piece in _cut(whole, pattern)]
    return pieces


def _cut(text: str, pattern: re.Pattern[str]) -> list[str]:
    pieces, at = [], 0
    for match in pattern.finditer(text):
        start, end = match.span()
        if start == end:
            continue
        if start > at:
            pieces.append(text[at:start])
        pieces.append(text[start:end])
        at = end
    if at < len(text):
        pieces.append(text[at:])
    return pieces


_ENDINGS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_TAIL = r"|\s*[\r\n]+|\s+(?!\S)|\s+"


def _words(digits: str, letters: str = r"\p{L}", others: str = r"\p{L}\p{N}") -> str:
    """The pattern of Llama 3 and its kin, which differ in how many digits go together."""
    return rf"{_ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?[{letters}]+|{digits}| ?[^\s{others}]+[\r\n]*{_TAIL}"


def _cased(digits: str, endings: str) -> str:
    """The pattern of o200k and tekken, which also cut where the case changes."""
    upper, lower = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
    start = r"[^\r\n\p{L}\p{N}]?"
    return rf"{start}[{upper}]*[{lower}]+{endings}|{start}[{upper}]+[{lower}]*{endings}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*{_TAIL}"


# Splitting patterns by the name that GGUF files give them (tokenizer.ggml.pre), to be applied in turn. A name that is
# not here: no `encode`.
_NAMED: dict[tuple[str, ...], tuple[str, ...]] = {
    ("gpt-2", "phi-2", "mpt", "olmo", "jais", "trillion", "modern-bert", "mellum", "gigachat"): (_GPT2,),
    ("llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "lfm2", "dbrx", "smaug-bpe", "glm4"): (_words(r"\p{N}{1,3}"),),
    ("qwen2", "deepseek-r1-qwen", "stablelm2", "hunyuan", "megrez", "grok-2"): (_words(r"\p{N}"),),
    ("qwen35",): (_words(r"\p{N}", r"\p{L}\p{M}", r"\p{L}\p{M}\p{N}"),),
    ("smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b"): (r"\p{N}", _GPT2),
    ("gpt-4o", "llama4"): (_cased(r"\p{N}{1,3}", _ENDINGS + "?"),),
    ("tekken",): (_cased(r"\p{N}", ""),),
    ("falcon",): (r"[\p{P}$+<=>^~|`]+", _GPT2, "[0-9]{3}"),
    ("deepseek-coder",): ("[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+", r"\p{N}"),
    ("deepseek-v3",): (
        r"\p{N}{1,3}",
        "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*" + _TAIL,
    ),
}  # fmt: skip


# Those whose tokenizers take a word that is a token as it is, without merging.
_WHOLE_WORDS = frozenset(
    ("llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "lfm2", "glm4", "gpt-4o", "llama4", "tekken"),
)


def named_patterns(name: str) -> tuple[Sequence[str], bool] | None:
    """The patterns that GGUF files call `name`, and whether whole words are taken unmerged; None for a name not known here."""
    for names, patterns in _NAMED.items():
        if name in names:
            return patterns, name in _WHOLE_WORDS
    return None
