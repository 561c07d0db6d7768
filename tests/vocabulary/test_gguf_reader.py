"""GGUF files: the container with its bounds, and the tokenizers inside."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammask.errors import GrammaskError, ModelFileError, ModelNotFoundError, TokenizerFormatError, TokenizerMismatchError
from grammask.vocabulary import Vocabulary
from grammask.vocabulary.byte_level import CHARACTERS
from grammask.vocabulary.gguf import check_complete, read_header, read_metadata

from . import real_tokenizers as real

MISSING_IN_SMOLLM2 = [4, 6, 19, 20, 22, 29, 192, 193, 241, 242, *range(245, 256)]


def written(folder: Path, data: bytes) -> Path:
    path = folder / "model.gguf"
    path.write_bytes(data)
    return path


def tokenizer(model: str, tokens: list[str], kinds: list[int] | None = None, **more: Any) -> dict[str, Any]:
    """Metadata of a tokenizer."""
    found: dict[str, Any] = {"general.architecture": "llama", "tokenizer.ggml.model": model, "tokenizer.ggml.tokens": tokens}
    if kinds is not None:
        found["tokenizer.ggml.token_type"] = kinds
    return found | {f"tokenizer.ggml.{key}": value for key, value in more.items()}


# --- a real file ----------------------------------------------------------------------------------------------------


def test_smollm2_reads_in_full() -> None:
    """49,152 tokens, 17 of them control tokens, three ends; 21 bytes have no token, and none of these is inside a longer one."""
    vocabulary = Vocabulary.from_gguf(real.smollm2_path())
    assert (vocabulary.size, vocabulary.eos_ids, len(vocabulary.specials)) == (49_152, (2, 0, 4), 17)
    assert vocabulary.specials["<|im_start|>"] == 1
    assert vocabulary.tokens[:17] == [b""] * 17
    assert sorted(set(range(256)) - vocabulary.single_bytes) == MISSING_IN_SMOLLM2
    assert vocabulary.used_bytes == vocabulary.single_bytes


def test_smollm2_spells_any_text_without_the_missing_bytes() -> None:
    """encode by the file's own merges, on text of the bytes that have tokens."""
    vocabulary = Vocabulary.from_gguf(real.smollm2_path())
    missing = frozenset(MISSING_IN_SMOLLM2)
    spelled = st.text(st.characters(exclude_categories=["Cs"]).filter(lambda c: missing.isdisjoint(c.encode())))

    @real.law
    @given(spelled)
    def law(text: str) -> None:
        assert vocabulary.encode is not None
        assert vocabulary.decode(vocabulary.encode(text)) == text.encode()

    law()


def test_smollm2_encodes_as_the_library_does() -> None:
    """The same pieces, merges and splitting in `tokenizers` give the same ids."""
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    metadata = read_metadata(real.smollm2_path())
    pieces = {piece: i for i, piece in enumerate(metadata["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ")) for merge in metadata["tokenizer.ggml.merges"]]
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=pieces, merges=merges))
    cut = tokenizers.pre_tokenizers
    theirs.pre_tokenizer = cut.Sequence([cut.Digits(individual_digits=True), cut.ByteLevel(add_prefix_space=False)])
    vocabulary = Vocabulary.from_gguf(real.smollm2_path())
    assert vocabulary.encode is not None
    scripts = "  it's\n\n\t\u65e5\u672c\u8a9e e\u0301 \U0001f469\U0001f3fd\u200d\U0001f680 don't  "
    for text in ("Hello world", '{"name": "Ada", "n": 1234}', scripts, "x = 10**3  # y"):
        assert vocabulary.encode(text) == theirs.encode(text, add_special_tokens=False).ids


def test_smollm2_is_complete_and_its_metadata_readable() -> None:
    """The last tensor ends with the file; numbers, texts and arrays come out as written."""
    header = check_complete(real.smollm2_path())
    assert (header.version, len(header.tensors), header.needed_bytes) == (3, 272, header.file_bytes)
    assert header.metadata["general.architecture"] == "llama"
    assert header.metadata["llama.context_length"] == 8192
    assert len(header.metadata["tokenizer.ggml.merges"]) == 48_900
    assert "<|im_start|>" in header.metadata["tokenizer.chat_template"]


def test_a_real_file_cut_short_is_refused(tmp_path: Path) -> None:
    """In the header, in the tokenizer, and in the tensors: each a ModelFileError; the last says how much is missing."""
    with real.smollm2_path().open("rb") as file:
        data = file.read(4 << 20)
    for length in (0, 3, 23, 24, 100, 100_000, 1_000_000):
        with pytest.raises(ModelFileError, match=r"cut short|too few"):
            read_header(written(tmp_path, data[:length]))
    with pytest.raises(ModelFileError, match=r"declares tensors up to byte 98362432, the file has 4194304") as caught:
        check_complete(written(tmp_path, data))
    assert "download" in str(caught.value)


# --- tokenizers of every kind ---------------------------------------------------------------------------------------


def test_byte_level_tokens_by_type(tmp_path: Path) -> None:
    """Normal tokens through the byte table, user-defined ones as written, control, unused and padding ones without text."""
    tokens = ["a", "\u0120b", "\u010a", "<|im_end|>", "caf\u00e9 \u0120", "<extra>", "[PAD6]", "[PAD]", "\u65e5"]
    metadata = tokenizer("gpt2", tokens, [1, 1, 1, 3, 4, 5, 4, 4, 1], eos_token_id=3)
    vocabulary = Vocabulary.from_gguf(written(tmp_path, real.gguf_file(metadata)))
    assert vocabulary.tokens == [b"a", b" b", b"\n", b"", "caf\u00e9 \u0120".encode(), b"", b"", b"[PAD]", "\u65e5".encode()]
    assert vocabulary.specials == {"<|im_end|>": 3, "<extra>": 5}
    assert (vocabulary.eos_ids, vocabulary.encode) == ((3,), None)


def test_sentencepiece_tokens_by_type(tmp_path: Path) -> None:
    """U+2581 is a space in normal tokens, byte tokens are bytes; merging is by score and there is no prefix space."""
    tokens = ["<unk>", "<s>", "</s>", "<0x0A>", "\u2581", "a", "b", "\u2581a", "ab", "<think>"]
    metadata = tokenizer("llama", tokens, [2, 3, 3, 6, 1, 1, 1, 1, 1, 4], scores=[0.0] * 7 + [-1.0, -0.5, 0.0], eos_token_id=2)
    vocabulary = Vocabulary.from_gguf(written(tmp_path, real.gguf_file(metadata)))
    assert vocabulary.tokens == [b"", b"", b"", b"\n", b" ", b"a", b"b", b" a", b"ab", b"<think>"]
    assert vocabulary.encode is not None
    assert vocabulary.encode("a ab\n<think>") == [5, 4, 8, 3, 9]


def test_files_without_token_types_are_read_by_the_look_of_tokens(tmp_path: Path) -> None:
    """Old files: byte pieces and the unknown token are told apart, the rest is text."""
    metadata = tokenizer("llama", ["<unk>", "</s>", "<0x41>", "\u2581x"], unknown_token_id=0, eos_token_id=1)
    vocabulary = Vocabulary.from_gguf(written(tmp_path, real.gguf_file(metadata)))
    assert vocabulary.tokens == [b"", b"", b"A", b" x"]


def test_gemma_like_tokens_merge_over_characters(tmp_path: Path) -> None:
    """tokenizer.ggml.model gemma4: U+2581 for spaces, merges instead of scores, a real U+2581 by its bytes."""
    tokens = ["<eos>", *(f"<0x{byte:02X}>" for byte in range(256)), "\u2581", "a", "b", "\u2581a", "\u2581ab"]
    metadata = tokenizer("gemma4", tokens, [3] + [6] * 256 + [1] * 5, merges=["\u2581 a", "\u2581a b"], eos_token_id=0)
    vocabulary = Vocabulary.from_gguf(written(tmp_path, real.gguf_file(metadata)))
    assert vocabulary.encode is not None
    assert vocabulary.encode("a ab b") == [258, 261, 257, 259]
    assert vocabulary.decode(vocabulary.encode("\u2581 \u65e5\n")) == "\u2581 \u65e5\n".encode()


def test_rwkv_tokens_are_unescaped(tmp_path: Path) -> None:
    r"""\n, \t, \xff and a doubled backslash."""
    metadata = tokenizer("rwkv", ["<s>", r"\n\t", r"\xe6\x97", r"a\\n", "\u65e5"], [3, 1, 1, 1, 1], eos_token_id=0)
    vocabulary = Vocabulary.from_gguf(written(tmp_path, real.gguf_file(metadata)))
    assert vocabulary.tokens == [b"", b"\n\t", b"\xe6\x97", b"a\\n", "\u65e5".encode()]


def test_all_ways_to_name_ends_are_followed(tmp_path: Path) -> None:
    """eos, eot and eom ids, and control or user-defined tokens known to end outputs or files; ids out of range are "none"."""
    tokens = ["a", "<|end_of_text|>", "<|eot_id|>", "<|eom_id|>", "<|im_end|>", "</s>", "<end_of_turn>", "<|file_sep|>", "<reponame>"]
    metadata = tokenizer("gpt2", tokens, [1, 3, 3, 3, 3, 1, 4, 3, 1], eos_token_id=0xFFFFFFFF, eot_token_id=2, eom_token_id=3)
    vocabulary = Vocabulary.from_gguf(written(tmp_path, real.gguf_file(metadata)))
    assert vocabulary.eos_ids == (2, 3, 1, 4, 6, 7)
    assert vocabulary.tokens[5:] == [b"</s>", b"", b"", b"<reponame>"]


def test_harmony_end_of_a_channel_does_not_end_the_output(tmp_path: Path) -> None:
    """Beside <|return|>, <|end|> is only the end of a message."""
    metadata = tokenizer("gpt2", ["a", "<|end|>", "<|return|>", "<|call|>"], [1, 3, 3, 3], eos_token_id=2)
    assert Vocabulary.from_gguf(written(tmp_path, real.gguf_file(metadata))).eos_ids == (2, 3)


def test_the_engines_own_encode_is_checked(tmp_path: Path) -> None:
    """An engine's tokenizer may be passed; one that belongs to another model is found out."""
    path = written(tmp_path, real.gguf_file(tokenizer("gpt2", [*CHARACTERS, "</s>"], [1] * 256 + [3], eos_token_id=256)))
    assert Vocabulary.from_gguf(path, encode=lambda text: list(text.encode())).encode is not None
    with pytest.raises(TokenizerMismatchError):
        Vocabulary.from_gguf(path, encode=lambda text: [byte ^ 1 for byte in text.encode()])


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        ({"general.architecture": "llama"}, "no tokenizer"),
        (tokenizer("no_vocab", ["a"]), "no tokenizer"),
        (tokenizer("bert", ["a"]), "spaces between them come and go"),
        (tokenizer("whatever", ["a"]), "known kinds: gpt2"),
        ({"tokenizer.ggml.model": 7}, "known kinds"),
        ({"tokenizer.ggml.model": "gpt2"}, "tokens is missing"),
        (tokenizer("gpt2", []), "tokens is missing"),
        ({"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": [1, 2]}, "tokens is missing"),
        (tokenizer("gpt2", ["a", "b"], [1]), "token_type does not have one number"),
        (tokenizer("gpt2", ["a"], token_type="x"), "token_type does not have one number"),  # noqa: S106
    ],
)
def test_files_without_a_readable_tokenizer_are_refused(tmp_path: Path, metadata: dict[str, Any], says: str) -> None:
    """The container is fine, its tokenizer is not: TokenizerFormatError."""
    path = written(tmp_path, real.gguf_file(metadata))
    with pytest.raises(TokenizerFormatError, match=says):
        Vocabulary.from_gguf(path, eos_ids=[])


# --- the container --------------------------------------------------------------------------------------------------


def test_every_type_of_value_is_read(tmp_path: Path) -> None:
    """Numbers of all widths, booleans, texts and arrays of them."""
    scalars = {0: ("B", 200), 1: ("b", -3), 2: ("H", 60000), 3: ("h", -300), 4: ("I", 1 << 31), 5: ("i", -70000), 6: ("f", 0.5), 7: ("?", True)}
    wide = {10: ("Q", 1 << 63), 11: ("q", -(1 << 62)), 12: ("d", 0.1)}
    parts, expected = [], {}
    for kind, (code, value) in (scalars | wide).items():
        parts.append(real.gguf_string(f"one{kind}") + struct.pack("<I" + code, kind, value))
        parts.append(real.gguf_string(f"many{kind}") + struct.pack(f"<IIQ2{code}", 9, kind, 2, value, value))
        expected |= {f"one{kind}": value, f"many{kind}": [value, value]}
    parts.append(real.gguf_string("text") + real.gguf_value("\u65e5") + real.gguf_string("texts") + real.gguf_value(["a", ""]))
    path = written(tmp_path, b"GGUF" + struct.pack("<IQQ", 2, 0, len(parts) + 1) + b"".join(parts))
    assert {key: list(value) if key.startswith("many") else value for key, value in read_metadata(path).items()} == expected | {
        "text": "\u65e5",
        "texts": ["a", ""],
    }


def test_tensors_are_measured_by_their_types(tmp_path: Path) -> None:
    """A file that holds its last tensor to the byte is complete; one byte less is not."""
    tensors = {"a": ((32, 2), 8, 0), "b": ((256,), 14, 96), "c": ((3, 5), 0, 320)}
    data = real.gguf_file({"general.alignment": 32}, tensors, b"\0" * 380)
    header = check_complete(written(tmp_path, data))
    assert [tensor.byte_count for tensor in header.tensors] == [68, 210, 60]
    assert header.tensors[2].shape == (3, 5)
    with pytest.raises(ModelFileError, match="cut short"):
        check_complete(written(tmp_path, data[:-1]))


def test_a_tensor_of_an_unknown_type_must_at_least_begin(tmp_path: Path) -> None:
    """New quantisations are not refused for being new."""
    data = real.gguf_file({}, {"a": ((256,), 99, 0)}, b"\0")
    assert check_complete(written(tmp_path, data)).tensors[0].byte_count is None
    with pytest.raises(ModelFileError, match="cut short"):
        check_complete(written(tmp_path, data[:-1]))


BIG = 1 << 62


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"GGML" + b"\0" * 40, "no GGUF file"),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "big-endian"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version 1"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, BIG), "keys, over the limit"),
        (b"GGUF" + struct.pack("<IQQ", 3, BIG, 0), "tensors, over the limit"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 10_000), "10000 keys does not fit"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", BIG) + b"\0" * 40, "a key does not fit"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + real.gguf_string("k") + struct.pack("<I", 77) + b"\0" * 40, "unknown type 77"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + real.gguf_string("k") + struct.pack("<IIQ", 9, 8, BIG) + b"\0" * 40, "k does not fit"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + real.gguf_string("k") + struct.pack("<IIQ", 9, 12, BIG) + b"\0" * 40, "k does not fit"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + real.gguf_string("k") + struct.pack("<IIQQ", 9, 8, 1, BIG) + b"\0" * 40, "'k' does not fit"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + real.gguf_string("k") + struct.pack("<IIQ", 9, 9, 1) + b"\0" * 40, "nested type 9"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + (real.gguf_string("k") + real.gguf_value(1)) * 2, "there twice"),
        (real.gguf_file({"general.alignment": 0}), "power of two"),
        (real.gguf_file({"general.alignment": 24}), "power of two"),
        (real.gguf_file({"general.alignment": "x"}), "power of two"),
        (real.gguf_file({}, {"t": ((33,), 8, 0)}), "whole blocks"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + real.gguf_string("t") + struct.pack("<I", 1 << 30) + b"\0" * 40, "dimensions"),
    ],
)
def test_hostile_headers_are_refused(tmp_path: Path, data: bytes, says: str) -> None:
    """No length is believed before it is compared with what the file holds."""
    with pytest.raises(ModelFileError, match=says):
        read_header(written(tmp_path, data))


def test_a_huge_sparse_file_is_refused_by_the_headers_limit(tmp_path: Path) -> None:
    """An array that a file of 16 GB could hold is larger than any header may be."""
    path = written(tmp_path, b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + real.gguf_string("k") + struct.pack("<IIQ", 9, 8, 1 << 30))
    with path.open("r+b") as file:
        file.truncate(1 << 34)
    with pytest.raises(ModelFileError, match="larger than 67108864 bytes"):
        read_header(path)


WHOLE = real.gguf_file(tokenizer("llama", ["<unk>", "a", "\u2581b"], [2, 1, 1], scores=[0.0, -1.0, -2.0], eos_token_id=0), {"t": ((32,), 8, 0)}, b"\0" * 34)


def test_any_cut_of_a_file_is_refused(tmp_path: Path) -> None:
    """A file cut at any byte is no complete model."""
    check_complete(written(tmp_path, WHOLE))
    for end in range(len(WHOLE)):
        with pytest.raises(ModelFileError):
            check_complete(written(tmp_path, WHOLE[:end]))


@real.law
@given(st.data())
def test_damage_anywhere_gives_a_typed_error_or_a_vocabulary(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Bytes overwritten at random: never another exception."""
    damaged = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(WHOLE) - 1))] = data.draw(st.sampled_from([0, 1, 7, 8, 9, 0x7F, 0x80, 0xFF]))
    path = written(tmp_path_factory.getbasetemp(), bytes(damaged))
    try:
        Vocabulary.from_gguf(path, eos_ids=[])
    except GrammaskError:
        return


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A missing file, a folder, an empty file and a device."""
    with pytest.raises(ModelNotFoundError):
        read_metadata(tmp_path / "none.gguf")
    with pytest.raises(ModelFileError, match="folder"):
        read_metadata(tmp_path)
    with pytest.raises(ModelFileError, match="0 bytes"):
        read_metadata(written(tmp_path, b""))
    with pytest.raises(ModelFileError, match="regular file"):
        read_metadata("/dev/zero")
